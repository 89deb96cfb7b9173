"""The check for users: emitted code passes, and every single edit that changes an answer is found and shown."""

import datetime
import json
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from drawing import a_schema, a_tree, some_rows
from running import POSTGRES, module
from treerules import (
    Feature,
    Groups,
    Kind,
    Label,
    Leaf,
    Mean,
    Schema,
    Split,
    Table,
    Threshold,
    Tree,
    TreeRulesError,
    compile_rules,
    leaf_of,
    leaves,
    save_tree,
    to_python,
    to_sql,
)
from treerules.cli import main
from treerules.errors import FileError, MissingExtraError, NotAPartitionError, OptionError
from treerules.rules import RuleSet
from treerules.verify import Difference, DifferentAnswersError, Raised, assert_equivalent, verify

KINDS = ("expression", "select", "view", "table")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no node on the PATH")
needs_postgres = pytest.mark.skipif(POSTGRES is None, reason="no Postgres server (TREERULES_POSTGRES is not set)")
DAY = datetime.date(2024, 2, 29)


def a_model() -> Tree:
    """Return a tree that asks for a number, an integer, a category, a flag and a day, and predicts text."""
    features = [
        Feature("x", Kind.NUMBER),
        Feature("n", Kind.INTEGER),
        Feature("it's", Kind.CATEGORY, ["a", "b", "it's"]),
        Feature("flag", Kind.BOOLEAN),
        Feature("day", Kind.DATE),
    ]
    no, yes = (Leaf(Label(label, shares), [1, 1]) for label, shares in (("no", [0.5, 0.5]), ("yes", [0.5, 0.5])))
    day = Split(Threshold(4, DAY), [yes, no], missing=1)
    flag = Split(Groups(3, [[0], [1]]), [day, yes], missing=1)
    among = Split(Groups(2, [[0, 2], [1]]), [no, flag], missing=1, unseen=0)
    whole = Split(Threshold(1, 2**53), [among, no], missing=0)
    return Tree(Schema(features, Feature("y", Kind.CATEGORY, ["no", "yes"])), Split(Threshold(0, 0.3), [whole, yes]))


def drawn(seed: int, n_splits: int = 12) -> Tree:
    """Return a tree over a few features of any kind."""
    random = Random(seed)
    return a_tree(random, a_schema(random, random.randint(2, 4)), n_splits)


def postgres_url() -> str:
    """Return the test server as a URL."""
    from psycopg.conninfo import conninfo_to_dict

    found = conninfo_to_dict(POSTGRES or "")
    user = found.get("user", "") + (f":{found['password']}" if "password" in found else "")
    return f"postgresql://{user}@{found.get('host', 'localhost')}:{found.get('port', 5432)}/{found.get('dbname', '')}"


DIALECTS = ["duckdb", "sqlite", pytest.param("postgres", marks=needs_postgres)]


def database(dialect: str) -> str | None:
    """Return where a dialect is run; None is a database of its own."""
    return postgres_url() if dialect == "postgres" else None


def written(path: Path, text: str) -> Path:
    """Return a file after writing it."""
    path.write_text(text, encoding="utf-8")
    return path


def to_javascript(tree: Tree) -> str:
    """Return an ES module that nests a question in another: shallow trees of numbers, categories and flags."""

    def code(node: Any) -> str:
        if isinstance(node, Leaf):
            return f"return {json.dumps(node.prediction.value)};"
        name = json.dumps(tree.schema.features[node.test.feature].name)
        cell = f"row[{name}]"
        blocks = [f"if ({cell} == null || Number.isNaN({cell})) {{ {code(node.children[node.missing])} }}"]
        if isinstance(node.test, Threshold):
            blocks.append(
                f"if ({cell} <= {json.dumps(node.test.threshold, default=str)}) {{ {code(node.children[0])} }}"
            )
            return " ".join([*blocks, code(node.children[1])])
        categories = tree.schema.features[node.test.feature].categories
        for group, child in zip(node.test.groups, node.children, strict=False):
            among = json.dumps([categories[place] for place in group])
            blocks.append(f"if ({among}.includes({cell})) {{ {code(child)} }}")
        return " ".join([*blocks, code(node.children[node.unseen]) if node.unseen is not None else ""])

    return f"export function predict(row) {{ {code(tree.root)} }}\n"


# ---- what was emitted passes


@pytest.mark.parametrize("seed", range(4))
def test_emitted_python_passes(seed: int, tmp_path: Path) -> None:
    """The module of a drawn tree answers as the tree, in both layouts."""
    tree = drawn(seed, 30)
    for layout in ("flat", "guarded"):
        found = verify(tree, written(tmp_path / "rules.py", to_python(tree, layout=layout)))
        assert found and found.n_rows > 5, found
        assert found.engine == f"Python {'.'.join(map(str, sys.version_info[:3]))}"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_emitted_sql_passes(dialect: str, tmp_path: Path) -> None:
    """Every kind of statement of drawn trees answers as the tree, whatever it names its table and keys."""
    n_emitted = 0
    for seed in range(8):
        tree = drawn(seed, 30)
        for kind in KINDS:
            others: dict[str, Any] = {} if kind == "expression" else {"table": "main.it's", "keys": ["a key", "id"]}
            try:
                text = to_sql(tree, dialect=dialect, kind=kind, **others)  # type: ignore[call-overload]
            except TreeRulesError:  # a name that the dialect cannot hold
                continue
            n_emitted += 1
            assert_equivalent(tree, written(tmp_path / "rules.sql", text), database=database(dialect))
    assert n_emitted > 10


@pytest.mark.parametrize(("dialect", "text", "pasted"), [
    ("duckdb", 'CREATE OR REPLACE MACRO main."f g"("x", n) AS (CASE WHEN "x" <= 1e0 THEN 1.5e0 ELSE -2e0 END);', "f g"),
    pytest.param(
        "postgres",
        'CREATE FUNCTION "f g"("x" DOUBLE PRECISION, n NUMERIC(10, 2)) RETURNS DOUBLE PRECISION LANGUAGE sql '
        "RETURN (CASE WHEN \"x\" <= float8 '1e0' THEN float8 '1.5' ELSE float8 '-2' END)",
        "f g", marks=needs_postgres,
    ),
])  # fmt: skip
def test_macros_and_functions_are_called(dialect: str, text: str, pasted: str, tmp_path: Path) -> None:
    """A macro of DuckDB and a function of Postgres are made for the time, and called with the columns they name."""
    schema = Schema([Feature("n", Kind.INTEGER), Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER))
    tree = Tree(schema, Split(Threshold(1, 1.0), [Leaf(Mean(1.5), [1]), Leaf(Mean(-2.0), [1])], missing=1))
    path = written(tmp_path / "rules.sql", f"-- treerules 1 {dialect} flat: 2 rules\n{text}")
    assert_equivalent(tree, path, database=database(dialect))
    written(path, path.read_text().replace("<=", "<"))
    found = verify(tree, path, database=database(dialect))
    assert found.difference and found.difference.row == {"x": 1.0} and pasted in found.difference.paste


@needs_node
def test_javascript_passes() -> None:
    """An ES module that asks the same passes; what it prints is nobody's answer."""


def test_renamed_columns_are_found_under_their_names(tmp_path: Path) -> None:
    """SQL that reads columns under other names passes with the map, and reads no column of ours without."""
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER))
    tree = Tree(schema, Split(Threshold(0, 1.0), [Leaf(Mean(1.5), [1]), Leaf(Mean(-2.0), [1])], missing=1))
    text = 'SELECT CASE WHEN "other" <= 1e0 THEN 1.5e0 ELSE -2e0 END AS "score", 1 AS one FROM t'
    path = written(tmp_path / "rules.sql", text)
    assert_equivalent(tree, path, dialect="duckdb", rename={"x": "other", "prediction": "score"})
    with pytest.raises(FileError, match="other"):
        verify(tree, path, dialect="duckdb")


# ---- every edit that changes an answer is found

_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)+|\d+\.\d+")
_WORDS = {
    "<=": ("<", ">"), "> ": (">= ", "<= "), " AND ": (" OR ",), "NOT ": ("",), "IS NULL": ("IS NOT NULL",),
    " and ": (" or ",), "not ": ("",), " is None": (" is not None",), " in {": (" not in {",), " == ": (" != ",),
    "TRUE": ("FALSE",), " || ": (" && ",),
}  # fmt: skip


def edits(text: str, labels: list[str], random: Random) -> Iterator[str]:
    """Yield texts that differ in one place: a number by one ulp, an integer by 1, a label, a word, a list's item."""
    places: list[tuple[int, int, str]] = []
    for found in _NUMBER.finditer(text):
        value = float(found[0])
        places += [(*found.span(), repr(math.nextafter(value, way))) for way in (math.inf, -math.inf)]
    for found in re.finditer(r"(?<![\d.\w'-])\d+(?![\d.\w'])", text):
        places += [(*found.span(), str(int(found[0]) + way)) for way in (1, -1)]
    for label in labels:
        for found in re.finditer(re.escape(label), text):
            places += [(*found.span(), other) for other in labels if other != label]
    for word, others in _WORDS.items():
        places += [(*found.span(), other) for found in re.finditer(re.escape(word), text) for other in others]
    for found in re.finditer(r"(?<=[({\[])'[^']*', |, '[^']*'(?=[)}\]])|(?<=\[)\"[^\"]*\", ?", text):
        places.append((*found.span(), ""))
    start = text.index("\n") + 1 if text.startswith(("--", "#")) else 0
    for a, b, other in random.sample(places, min(len(places), 45)):
        if a >= start:
            yield text[:a] + other + text[b:]


def asked(dialect: str, connection: Any, query: str) -> Any:
    """Return what a pasted query answers on an engine."""
    ((answer,),) = connection.execute(query.encode() if dialect == "postgres" else query).fetchall()
    return answer


def literals(tree: Tree) -> list[str]:
    """Return the texts of a classification's labels, where they are plain words."""
    values = [value for value in tree.schema.classes if isinstance(value, str) and value.isalpha()]
    return [f"'{value}'" for value in values]


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
@pytest.mark.parametrize("layout", ["flat", "guarded"])
def test_every_edit_of_sql_that_changes_an_answer_is_found(dialect: str, layout: Any, tmp_path: Path) -> None:
    """Rows drawn at random say which edits change answers: each is found, and its query pasted gives what is said."""
    found_edits = 0
    for tree in (a_model(), *(drawn(seed) for seed in range(100, 106))):
        try:
            text = to_sql(tree, dialect=dialect, layout=layout)
        except TreeRulesError:
            continue
        rows = some_rows(Random(1), tree, 400)
        random = Random(2)
        for number, edited in enumerate(edits(text, literals(tree), random)):
            path = written(tmp_path / f"rules{number}.sql", edited)
            try:
                changes = not verify(tree, path, rows=rows)
                found = verify(tree, path)
            except FileError:  # no SQL any more
                continue
            assert found or reproduced_by_sql(dialect, tree, found.difference), edited
            assert not (found and changes), edited
            found_edits += not found
    assert found_edits > 60


def reproduced_by_sql(dialect: str, tree: Tree, difference: Difference | None) -> bool:
    """Whether a difference's query, pasted, answers what the difference says, and the tree what it says."""
    assert difference is not None
    with closing(duckdb.connect() if dialect == "duckdb" else sqlite3.connect(":memory:")) as connection:
        answer = asked(dialect, connection, difference.paste)
    assert answer == difference.answer, difference
    assert leaf_of(tree, difference.row).prediction.value == difference.expected
    return bool(answer != difference.expected)


def test_every_edit_of_python_that_changes_an_answer_is_found(tmp_path: Path) -> None:
    """As of SQL: the call pasted behind the module gives what is said."""
    found_edits = 0
    for tree in (a_model(), drawn(201, 8)):
        text = to_python(tree, layout="flat")
        head, mark, code = text.partition("def _fired")
        rows = some_rows(Random(1), tree, 300)
        for number, edited in enumerate(edits(code, literals(tree), Random(3))):
            edited = head + mark + edited
            try:
                emitted = module(edited)
            except SyntaxError:
                continue
            found = verify(tree, written(tmp_path / f"rules{number}.py", edited))
            changes = any(answered(emitted, row) != leaf_of(tree, row).prediction.value for row in rows)
            assert not (found and changes), edited
            if found.difference is not None:
                found_edits += 1
                assert reproduced_by_python(emitted, tree, found.difference)
    assert found_edits > 20


def answered(emitted: Any, row: dict[str, Any]) -> Any:
    """Return what a module answers, or the error that it raises."""
    try:
        return emitted.predict(row)
    except Exception as error:
        return repr(error)


def reproduced_by_python(emitted: Any, tree: Tree, difference: Difference) -> bool:
    """Whether a difference's call, pasted, answers what the difference says, and the tree what it says."""
    expected = leaf_of(tree, difference.row).prediction.value
    assert expected == difference.expected
    try:
        answer = eval(difference.paste, {"predict": emitted.predict, "datetime": datetime})
    except Exception as error:
        return difference.answer == Raised(f"raised {type(error).__name__}: {error}")
    return bool(answer == difference.answer != expected)


@needs_node
def test_every_edit_of_javascript_that_changes_an_answer_is_found(tmp_path: Path) -> None:
    """As of SQL: the call pasted behind the module gives what is said; integers past 2**53 are told apart."""
    tree = a_model()
    text = 'console.log("not an answer");\n' + to_javascript(tree)
    path = written(tmp_path / "rules.js", text)
    found = verify(tree, path)
    assert found and found.engine.startswith("node v"), found
    found_edits = 0
    for edited in edits(text.replace("9007199254740992", "9007199254740992n"), ['"yes"', '"no"'], Random(4)):
        try:
            found = verify(tree, written(path, edited))
        except FileError:
            continue
        if found.difference is not None:
            found_edits += 1
            shown = f"{edited}\nconsole.log(JSON.stringify({found.difference.paste}) ?? null);"
            done = subprocess.run(
                ["node", "--input-type=module", "-e", shown], capture_output=True, check=True, cwd=tmp_path
            )
            assert json.loads(done.stdout.splitlines()[-1]) == found.difference.answer != found.difference.expected
    assert found_edits > 10


def test_missing_handling_that_is_dropped_is_found_by_a_row_without_values(tmp_path: Path) -> None:
    """The witness holds no value but those that the difference needs: here none, or one."""
    tree = a_model()
    text = to_sql(tree, dialect="duckdb", layout="flat")
    edited = text.replace("IS NULL", "IS NOT NULL", 1)
    found = verify(tree, written(tmp_path / "rules.sql", edited))
    assert found.difference is not None and len(found.difference.row) <= 2
    one_ulp = to_python(tree).replace("0.3", repr(math.nextafter(0.3, 1)))
    found = verify(tree, written(tmp_path / "rules.py", one_ulp))
    assert found.difference is not None and found.difference.row == {"x": math.nextafter(0.3, 1)}
    assert found.difference.expected == "yes" and found.difference.rule == len(list(leaves(tree.root)))
