"""The check for users: emitted code passes, and every single edit that changes an answer is found and shown."""

import datetime
import json
import math
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from attrs import evolve

from run_emitted import module
from selection import few
from strategies_random import a_schema, a_tree, some_rows
from treerules import (
    Feature,
    Kind,
    Schema,
    Table,
    Tree,
    TreeRulesError,
    cart,
    compile_rules,
    learn,
    predict,
    save,
    to_python,
    to_sql,
    verify,
)
from treerules.cli import main
from treerules.data.cell_reading import AS_USUAL, CellReading
from treerules.emit.header import Opening
from treerules.errors import FileError, MissingExtraError, NotAPartitionError, OptionError, UnknownNameError
from treerules.rules.rule_set import RuleSet
from treerules.testing import DifferentAnswersError, assert_equivalent
from treerules.trees import CategoryTest, ClassPrediction, Leaf, MeanPrediction, Split, ThresholdTest, find_leaf, leaves
from treerules.verification.answers import RaisedError, as_answer, is_same
from treerules.verification.connections import open_database
from treerules.verification.equivalence import Difference
from verified_models import DAY, a_model, database, needs_node, needs_postgres, postgres_url, written

KINDS = ("expression", "select", "view", "table")


def drawn(seed: int, n_splits: int = 12) -> Tree:
    """Return a tree over a few features of any kind."""
    random = Random(seed)
    return a_tree(random, a_schema(random, random.randint(2, 4)), n_splits)


DIALECTS = ["duckdb", "sqlite", pytest.param("postgres", marks=[pytest.mark.engine, needs_postgres])]


def to_javascript(tree: Tree) -> str:
    """Return an ES module that nests a question in another: shallow trees of numbers, categories and flags."""

    def code(node: Any) -> str:
        if isinstance(node, Leaf):
            return f"return {json.dumps(node.prediction.value)};"
        name = json.dumps(tree.schema.features[node.test.feature].name)
        cell = f"(Object.hasOwn(row, {name}) ? row[{name}] : null)"  # every object has a __proto__
        blocks = [f"if ({cell} == null || Number.isNaN({cell})) {{ {code(node.children[node.missing])} }}"]
        if isinstance(node.test, ThresholdTest):
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


@pytest.mark.process
@pytest.mark.parametrize("seed", range(4))
def test_emitted_python_passes(seed: int, tmp_path: Path) -> None:
    """The module of a drawn tree answers as the tree, in both layouts."""
    tree = drawn(seed, 30)
    for layout in ("flat", "guarded"):
        found = verify(tree, written(tmp_path / "rules.py", to_python(tree, layout=layout)))
        assert found and found.n_rows > 5, found
        assert found.engine == f"Python {'.'.join(map(str, sys.version_info[:3]))}"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", few(range(8), 3))
def test_emitted_sql_passes(seed: int, dialect: str, tmp_path: Path) -> None:
    """Every kind of statement of drawn trees answers as the tree, whatever it names its table and keys."""
    n_emitted, tree = 0, drawn(seed, 30)
    for kind in KINDS:
        others: dict[str, Any] = {} if kind == "expression" else {"table": "main.it's", "keys": ["a key", "id"]}
        try:
            text = to_sql(tree, dialect=dialect, kind=kind, **others)  # type: ignore[call-overload]
        except TreeRulesError:  # a name that the dialect cannot hold
            continue
        n_emitted += 1
        assert_equivalent(tree, written(tmp_path / "rules.sql", text), database=database(dialect))
    assert n_emitted > 1


@pytest.mark.parametrize(("dialect", "text", "pasted"), [
    ("duckdb", 'CREATE OR REPLACE MACRO main."f g"("x", n) AS (CASE WHEN "x" <= 1e0 THEN 1.5e0 ELSE -2e0 END);', "f g"),
    pytest.param(
        "postgres",
        'CREATE FUNCTION "f g"("x" DOUBLE PRECISION, n NUMERIC(10, 2)) RETURNS DOUBLE PRECISION LANGUAGE sql '
        "RETURN (CASE WHEN \"x\" <= float8 '1e0' THEN float8 '1.5' ELSE float8 '-2' END)",
        "f g", marks=[pytest.mark.engine, needs_postgres],
    ),
])  # fmt: skip
def test_macros_and_functions_are_called(dialect: str, text: str, pasted: str, tmp_path: Path) -> None:
    """A macro of DuckDB and a function of Postgres are made for the time, and called with the columns they name."""
    schema = Schema([Feature("n", Kind.INTEGER), Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER))
    tree = Tree(
        schema,
        Split(ThresholdTest(1, 1.0), [Leaf(MeanPrediction(1.5), [1]), Leaf(MeanPrediction(-2.0), [1])], missing=1),
    )
    path = written(tmp_path / "rules.sql", f"-- {Opening('1', dialect, 'flat', 2, '0' * 16, '0' * 16)}\n{text}")
    assert_equivalent(tree, path, database=database(dialect))
    written(path, path.read_text().replace("<=", "<"))
    found = verify(tree, path, database=database(dialect))
    assert found.difference and found.difference.row == {"x": 1.0} and pasted in found.difference.paste


def test_what_else_sql_gives_does_not_matter(tmp_path: Path) -> None:
    """Queries with probabilities, rules and reasons beside, with comments, of renamed columns; macros as emitted."""
    tree = a_model()
    choices: list[dict[str, Any]] = [
        {"kind": "select", "proba": True, "rule": True, "reason": True, "keys": ["id"]},
        {"kind": "view", "comments": True, "layout": "flat"},
        {"kind": "select", "rename": {"x": "the x"}},
        {"kind": "macro"},
    ]
    for choice in choices:
        path = written(tmp_path / "rules.sql", to_sql(tree, dialect="duckdb", **choice))
        assert_equivalent(tree, path, rename=choice.get("rename"))
        written(path, path.read_text(encoding="utf-8").replace("0.3e0", "0.4e0"))
        assert not verify(tree, path, rename=choice.get("rename"))


def test_renamed_columns_are_found_under_their_names(tmp_path: Path) -> None:
    """SQL that reads columns under other names passes with the map, and reads no column of ours without."""
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER))
    tree = Tree(
        schema,
        Split(ThresholdTest(0, 1.0), [Leaf(MeanPrediction(1.5), [1]), Leaf(MeanPrediction(-2.0), [1])], missing=1),
    )
    text = 'SELECT CASE WHEN "other" <= 1e0 THEN 1.5e0 ELSE -2e0 END AS "score", 1 AS one FROM t'
    path = written(tmp_path / "rules.sql", text)
    assert_equivalent(tree, path, dialect="duckdb", rename={"x": "other", "prediction": "score"})
    with pytest.raises(FileError, match="other"):
        verify(tree, path, dialect="duckdb")


def test_a_result_may_have_the_name_of_a_column(tmp_path: Path) -> None:
    """A key of `rename` names the model's column if there is one of that name, otherwise the result's column."""
    ends = Leaf(ClassPrediction("n", [1.0, 0.0]), [1, 0]), Leaf(ClassPrediction("p", [0.0, 1.0]), [0, 1])
    target, root = Feature("y", Kind.CATEGORY, ["n", "p"]), Split(ThresholdTest(0, 1.0), ends, missing=0)
    for name, rename, column, result in (
        ("x", {"prediction": "x"}, "x", "x"),
        ("x", {"x": "prediction", "prediction": "x"}, "prediction", "x"),
        ("prediction", {"prediction": "x"}, "x", "prediction"),
    ):
        asks = f't."{column}" > 1e0 AND NOT isnan(t."{column}")'
        text = f"SELECT CASE WHEN {asks} THEN 'p' ELSE 'n' END AS \"{result}\", 1 AS one FROM t"
        path = written(tmp_path / "rules.sql", text)
        tree = Tree(Schema([Feature(name, Kind.NUMBER)], target), root)
        assert_equivalent(tree, path, dialect="duckdb", rename=rename)
        found = verify(tree, written(path, text.replace(">", ">=")), dialect="duckdb", rename=rename)
        assert found.difference is not None and found.difference.row == {name: 1.0}
        assert asked_of_duckdb(found.difference.paste)[0] == "p"


def asked_of_duckdb(query: str) -> tuple[Any, ...]:
    """Return the one row that a pasted query gives."""
    with closing(duckdb.connect()) as connection:
        (row,) = connection.execute(query).fetchall()
    return tuple(row)


# ---- every edit that changes an answer is found

_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)+|\d+\.\d+")
_WORDS = {
    "<=": ("<", ">"), "> ": (">= ", "<= "), " AND ": (" OR ",), "NOT ": ("",), "IS NULL": ("IS NOT NULL",),
    " and ": (" or ",), "not ": ("",), " is None": (" is not None",), " in {": (" not in {",), " == ": (" != ",),
    "TRUE": ("FALSE",), " || ": (" && ",),
}  # fmt: skip


def edits(text: str, labels: list[str], random: Random, most: int = 20) -> Iterator[str]:
    """Yield texts that differ in one place: a number by one ulp, an integer by 1, a label, a word, a list's item."""
    places: list[tuple[int, int, str]] = []
    for found in _NUMBER.finditer(text):
        value = float(found[0])
        near = [repr(math.nextafter(value, way)) for way in (math.inf, -math.inf)]
        places += [(*found.span(), text if "e" in text else text + "e0") for text in near]
    for found in re.finditer(r"(?<![\d.\w'-])\d+(?![\d.\w'])", text):
        places += [(*found.span(), str(int(found[0]) + way)) for way in (1, -1)]
    swaps = {label: tuple(other for other in labels if other != label) for label in labels}
    for word, others in {**_WORDS, **swaps}.items():
        places += [(*found.span(), other) for found in re.finditer(re.escape(word), text) for other in others]
    for found in re.finditer(r"(?<=[({\[])'[^']*', |, '[^']*'(?=[)}\]])|(?<=\[)\"[^\"]*\", ?", text):
        places.append((*found.span(), ""))
    start = text.index("\n") + 1 if text.startswith(("--", "#")) else 0
    for a, b, other in random.sample(places, min(len(places), most)):
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
@pytest.mark.parametrize("layout", few(["flat", "guarded"], 1))
@pytest.mark.parametrize(("n_edits", "n_drawn"), [(6, 0), pytest.param(20, 3, marks=pytest.mark.large)])
def test_every_edit_of_sql_that_changes_an_answer_is_found(
    dialect: str, layout: Any, n_edits: int, n_drawn: int, tmp_path: Path
) -> None:
    """Rows drawn at random say which edits change answers: each is found, and its query pasted gives what is said."""
    found_edits = 0
    for tree in (a_model(), *(drawn(seed) for seed in range(100, 100 + n_drawn))):
        try:
            text = to_sql(tree, dialect=dialect, layout=layout)
        except TreeRulesError:
            continue
        rows = some_rows(Random(1), tree, 400)
        random = Random(2)
        for number, edited in enumerate(edits(text, literals(tree), random, n_edits)):
            path = written(tmp_path / f"rules{number}.sql", edited)
            try:
                changes = not verify(tree, path, rows=rows)
                found = verify(tree, path)
            except FileError:  # no SQL any more
                continue
            assert found or reproduced_by_sql(dialect, tree, found.difference), edited
            assert not (found and changes), edited
            found_edits += not found
    assert found_edits > (15 if n_drawn else 0)


def reproduced_by_sql(dialect: str, tree: Tree, difference: Difference | None) -> bool:
    """Whether a difference's query, pasted, answers what the difference says, and the tree what it says."""
    assert difference is not None
    with closing(duckdb.connect() if dialect == "duckdb" else sqlite3.connect(":memory:")) as connection:
        answer = asked(dialect, connection, difference.paste)
    assert answer == difference.answer, difference
    assert find_leaf(tree, difference.row).prediction.value == difference.expected
    return bool(answer != difference.expected)


@pytest.mark.process
def test_every_edit_of_python_that_changes_an_answer_is_found(tmp_path: Path) -> None:
    """As of SQL: the call pasted behind the module gives what is said."""
    found_edits = 0
    for tree in (a_model(), drawn(201, 8)):
        text = to_python(tree, layout="flat")
        start = text.index("that fires for a row")
        end = text.index("\n\n\n", start)
        rows = some_rows(Random(1), tree, 300)
        for number, edited in enumerate(edits(text[start:end], literals(tree), Random(3), 10)):
            edited = text[:start] + edited + text[end:]
            try:
                emitted = module(edited)
            except SyntaxError:
                continue
            found = verify(tree, written(tmp_path / f"rules{number}.py", edited))
            changes = any(answered(emitted, row) != find_leaf(tree, row).prediction.value for row in rows)
            assert not (found and changes), edited
            if found.difference is not None:
                found_edits += 1
                assert reproduced_by_python(emitted, tree, found.difference)
    assert found_edits > 4


def answered(emitted: Any, row: dict[str, Any]) -> Any:
    """Return what a module answers, or the error that it raises."""
    try:
        return emitted.predict(row)
    except Exception as error:
        return repr(error)


def reproduced_by_python(emitted: Any, tree: Tree, difference: Difference) -> bool:
    """Whether a difference's call, pasted, answers what the difference says, and the tree what it says."""
    expected = find_leaf(tree, difference.row).prediction.value
    assert expected == difference.expected
    try:
        answer = eval(difference.paste, {"predict": emitted.predict, "datetime": datetime})
    except Exception as error:
        return difference.answer == RaisedError(f"raised {type(error).__name__}: {error}")
    return bool(answer == difference.answer != expected)


@pytest.mark.engine
@needs_node
def test_every_edit_of_javascript_that_changes_an_answer_is_found(tmp_path: Path) -> None:
    """As of SQL: the call pasted behind the module gives what is said; integers past 2**53 are told apart."""
    tree = a_model()
    text = 'console.log("not an answer");\n' + to_javascript(tree)
    path = written(tmp_path / "rules.js", text)
    found = verify(tree, path)
    assert found and found.engine.startswith("node v"), found
    found_edits = 0
    for edited in edits(text.replace("9007199254740992", "9007199254740992n"), ['"yes"', '"no"'], Random(4), 12):
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
    assert found_edits > 4


@pytest.mark.process
def test_missing_handling_that_is_dropped_is_found_by_a_row_without_values(tmp_path: Path) -> None:
    """The witness holds no value but those that the difference needs."""
    tree = a_model()
    text = to_sql(tree, dialect="duckdb", layout="flat")
    edited = text.replace("IS NULL", "IS NOT NULL", 1)
    found = verify(tree, written(tmp_path / "rules.sql", edited))
    assert found.difference is not None and len(found.difference.row) <= 2
    one_ulp = to_python(tree).replace("0.3", repr(math.nextafter(0.3, 1)))
    found = verify(tree, written(tmp_path / "rules.py", one_ulp))
    assert found.difference is not None
    row, emitted = found.difference.row, module(one_ulp)
    assert row["x"] == math.nextafter(0.3, 1) and found.difference.expected == "yes"
    assert found.difference.rule == len(list(leaves(tree.root)))
    for name in row:
        less = {other: value for other, value in row.items() if other != name}
        assert emitted.predict(less) == find_leaf(tree, less).prediction.value


# ---- data, databases, errors


CHOICES = [
    (Feature("x", "integer", reading=CellReading(["-", "-999"])), -7),
    (Feature("x", "number", reading=CellReading(["-999.5"])), -7.5),
    (Feature("x", "number", form="1.234,5", reading=CellReading(["-999,5"])), 3.5),
    (Feature("x", "date", reading=CellReading(["1900-01-01"])), DAY),
    (Feature("x", "category", ["blue", "red"], reading=CellReading(["-"])), None),
    (Feature("x", "category", ["blue", "red"], reading=CellReading(["-"], trim=True)), None),
    (Feature("x", "category", [1, 2], scalar="integer", reading=CellReading(["-999"])), None),
]


@pytest.mark.parametrize(("feature", "cut"), few(CHOICES, 3))
def test_code_that_ignores_how_the_model_reads_cells_is_found(feature: Feature, cut: Any, tmp_path: Path) -> None:
    """Emitted code passes; that of the same rules without the words, or that trims blanks alone, does not."""
    schema = Schema([feature, Feature("z", "integer")], Feature("y", "number"))
    missing, red, other = (Leaf(MeanPrediction(value), (1,)) for value in (1.0, 2.0, 3.0))
    test = ThresholdTest(0, cut) if cut is not None else CategoryTest(0, [[0], [1]])
    shallow = Split(test, [red, missing], missing=1, unseen=None if cut is not None else 0)
    for root in (shallow, Split(ThresholdTest(1, 5), [shallow, other], missing=0)):
        tree = Tree(schema, root)
        ignoring = evolve(tree, schema=evolve(schema, features=[evolve(feature, reading=AS_USUAL), schema.features[1]]))
        for rules in (tree, RuleSet(schema, compile_rules(tree).rules)):
            for text in (to_python(tree), to_python(tree, vectorized=True), to_python(tree, style="lookup")):
                assert verify(rules, text)
            for dialect in ("duckdb", "sqlite"):
                assert verify(rules, written(tmp_path / "m.sql", to_sql(tree, dialect=dialect)))
                assert not verify(rules, written(tmp_path / "m.sql", to_sql(ignoring, dialect=dialect)))
            assert not verify(rules, to_python(ignoring))
            if feature.reading.trim:
                blanks_alone = to_sql(tree, dialect="duckdb").replace("CHR(9)", "' '")
                assert not verify(rules, written(tmp_path / "m.sql", blanks_alone))


@pytest.mark.process
def test_rows_of_data_are_compared_too(tmp_path: Path) -> None:
    """A difference that no boundary row shows, far from any question, is found on the data; so says the count."""
    tree = a_model()
    path = written(tmp_path / "rules.py", to_python(tree) + "\n_f = predict\npredict = lambda row: "
                   "'no' if row.get('x') == 1234.5 else _f(row)\n")  # fmt: skip
    assert_equivalent(tree, path)
    columns: dict[str, list[Any]] = {
        "x": [1.0, 1234.5], "n": [1, None], "it's": ["z", "a"], "flag": [True, None], "day": [DAY, None]
    }  # fmt: skip
    found = verify(tree, path, data=Table.from_columns(columns))
    assert found.difference and found.difference.row == {"x": 1234.5} and found.n_data == 2
    assert str(found).startswith(f"compared {found.n_rows} rows on Python")
    rows = [{name: values[1] for name, values in columns.items()}]
    with pytest.raises(DifferentAnswersError, match=r"1234\.5"):
        assert_equivalent(tree, path, data=rows, rows=[])
    with pytest.raises(AssertionError):
        assert_equivalent(tree, path, data=rows)
    with pytest.raises(TreeRulesError, match="the table lacks column"):
        verify(tree, path, data=Table.from_columns({"x": [1.0]}))


def test_queries_that_give_rows_in_another_order_are_asked_row_by_row(tmp_path: Path) -> None:
    """ORDER BY changes no answer; a query that drops rows is refused."""
    tree = a_model()
    text = to_sql(tree, dialect="duckdb", kind="select", table="people")
    path = written(tmp_path / "rules.sql", text + "\nORDER BY n DESC, x")
    assert_equivalent(tree, path, most=60)
    for tail, problem in (("WHERE x > 0", "it answers"), ("JOIN others USING (x)", "reads 2 tables")):
        with pytest.raises(FileError, match=problem):
            verify(tree, written(path, f"{text}\n{tail}"))


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_tables_of_a_database_are_left_alone(dialect: str, kind: Any, tmp_path: Path) -> None:
    """Run in a file that has tables of those names: its bytes stay the same, and so does the answer."""
    tree, path = a_model(), tmp_path / "some.db"
    with closing(duckdb.connect(path) if dialect == "duckdb" else sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE data (x INTEGER)")
        connection.execute("CREATE TABLE predictions (x INTEGER)")
        connection.execute("INSERT INTO data VALUES (1)")
        connection.commit()
    before = path.read_bytes()
    text = written(tmp_path / "rules.sql", to_sql(tree, dialect=dialect, kind=kind))
    assert_equivalent(tree, text, database=f"{dialect}:{path}")
    assert path.read_bytes() == before
    assert sorted(other.name for other in tmp_path.iterdir()) == ["rules.sql", "some.db"]


@pytest.mark.process
@pytest.mark.parametrize(("text", "problem"), [
    ("def predict(row):\n    while True:\n        pass\n", "still running after 0.3 seconds at the row"),
    ("predict = 1\n", "no function predict"),
    ("def predict(", "SyntaxError"),
    ("import os\nos._exit(3)\n", "exit code 3"),
    ("raise SystemExit(0)\n", "SystemExit"),
    ("import no_such_module\n", "no_such_module"),
    ("input()\n", "EOFError"),
])  # fmt: skip
def test_modules_that_cannot_be_asked_say_why(text: str, problem: str, tmp_path: Path) -> None:
    """A module that hangs, dies, cannot be loaded or has no predict is an error that names the file."""
    path = written(tmp_path / "rules.py", text)
    with pytest.raises(FileError, match=problem) as caught:
        verify(a_model(), path, time_limit=0.3)
    assert caught.value.path == str(path)


@pytest.mark.process
def test_modules_of_users_are_asked_as_ours(tmp_path: Path) -> None:
    """A module that prints passes where it is right; what it raises or returns besides is a difference."""
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.CATEGORY, [False, True], "boolean"))
    no, yes = Leaf(ClassPrediction(False, [1.0, 0.0]), [1, 0]), Leaf(ClassPrediction(True, [0.0, 1.0]), [0, 1])
    tree, path = Tree(schema, Split(ThresholdTest(0, 5.0), [no, yes], missing=0)), tmp_path / "mine.py"
    body = "def predict(row):\n    x = row.get('x')\n    print(x)\n    return {}\n"
    assert_equivalent(tree, written(path, body.format("x is not None and x > 5")))
    for answer, said in (("x > 5", "raised TypeError"), ("int(bool(x and x > 5))", "answers 0"), ("{}", "returned {}")):
        found = verify(tree, written(path, body.format(answer)))
        assert found.difference is not None and said in str(found.difference)


@pytest.mark.parametrize("answer", ["Infinity", "-Infinity", "NaN", "2.5"])
@pytest.mark.engine
@needs_node
def test_a_module_that_answers_no_integer_where_one_is_due_differs(answer: str, tmp_path: Path) -> None:
    """An infinity, NaN or a fraction instead of a class that is an integer is a difference, and no failure of ours."""
    path = written(tmp_path / "rules.mjs", f"export const predict = () => {answer};")
    found = verify(integers(), path)
    assert found.difference is not None
    assert repr(found.difference.answer) == repr(float(answer.replace("Infinity", "inf")))


def integers() -> Tree:
    """Return a tree whose classes are the integers 1 and 2."""
    ends = Leaf(ClassPrediction(1, [1.0, 0.0]), [1, 0]), Leaf(ClassPrediction(2, [0.0, 1.0]), [0, 1])
    target = Feature("y", Kind.CATEGORY, [1, 2], "integer")
    return Tree(Schema([Feature("x", Kind.NUMBER)], target), Split(ThresholdTest(0, 1.0), ends, missing=0))


@pytest.mark.parametrize("text", ["Infinity", "-Infinity", "NaN", "sNaN", "2.5", "1E+400", "2", "2.0"])
@pytest.mark.parametrize("scalar", ["integer", "number"])
def test_decimals_are_the_numbers_that_they_equal(scalar: Any, text: str) -> None:
    """A DECIMAL of a database is an integer where it equals one, a double where numbers are due, else as it is."""
    value = Decimal(text)
    due = int if scalar == "integer" else float
    answer = as_answer("integer" if scalar == "integer" else "number", value, loose=True)
    if text in ("2", "2.0"):
        assert type(answer) is due and answer == 2
    else:
        assert not is_same(due(2), answer)


@pytest.mark.parametrize(("text", "problem"), [
    ("", "no statement"),
    ("SELECT 1; SELECT 2", "several statements"),
    ("DROP TABLE data", "syntax"),
    ("CREATE TABLE t (x INTEGER)", "cannot be run"),
    ("SELECT 'no' AS prediction", "reads 0 tables"),
    ("SELECT 1 AS a, 2 AS b FROM data", "none of them named prediction"),
    ("CASE WHEN nowhere > 1 THEN 'no' END", "nowhere"),
    ("SELECT (WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a) SELECT max(n) FROM a) FROM data",
     "still running"),
])  # fmt: skip
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_sql_that_cannot_be_run_says_why(text: str, problem: str, dialect: str, tmp_path: Path) -> None:
    """Several statements, other statements, several tables, unknown columns, queries without an end."""
    path = written(tmp_path / "rules.sql", text)
    with pytest.raises(FileError, match=problem):
        verify(a_model(), path, dialect=dialect, time_limit=0.3)


@pytest.mark.process
def test_rows_that_sql_cannot_hold_are_left_out_and_counted(tmp_path: Path) -> None:
    """Text with a NUL or a lone surrogate reaches no database; the message says how many rows that left out."""
    tree = a_model()
    rows = [{"it's": text, "x": 0.0} for text in ("a", "a\0", "\ud800", "b")]
    for dialect in ("duckdb", "sqlite"):
        path = written(tmp_path / "rules.sql", to_sql(tree, dialect=dialect))
        found = verify(tree, path, rows=rows, data=rows[:2])
        assert found and (found.n_rows, found.n_data, found.n_left_out) == (3, 1, 3)
        assert str(found).endswith("; 3 rows with text that SQL cannot hold were left out")
        found = verify(tree, path, rows=rows[:2])
        assert str(found).endswith("; 1 row with text that SQL cannot hold was left out")
        edited = written(tmp_path / "edited.sql", path.read_text().replace("'no'", "'yes'"))
        assert "1 row with text that SQL cannot hold was left out: " in str(verify(tree, edited, rows=rows[:2]))
    found = verify(tree, written(tmp_path / "rules.py", to_python(tree)), rows=rows)
    assert (found.n_rows, found.n_left_out) == (4, 0) and "left out" not in str(found)


@pytest.mark.parametrize("url", [None, "duckdb:", "sqlite:"])
def test_a_dialect_that_there_is_not_is_refused(url: str | None, tmp_path: Path) -> None:
    """Whether or not a database is named."""
    sql = written(tmp_path / "rules.sql", "'no'")
    with pytest.raises(UnknownNameError, match="nonsense"):
        verify(a_model(), sql, dialect="nonsense", database=url)


def test_what_cannot_be_told_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unknown endings, dialects and databases, no node, no server: each says what to give."""
    tree, sql = a_model(), written(tmp_path / "rules.sql", "'no'")
    for path, choices, problem in (
        (written(tmp_path / "rules.yml", "x"), {}, "a file named"),
        (tmp_path / "rules.py", {"database": "duckdb:"}, "for a file named .sql alone"),
        (sql, {}, "one of duckdb, sqlite, postgres"),
        (sql, {"dialect": "mysql"}, "a database to run on"),
        (sql, {"dialect": "duckdb", "database": "sqlite:"}, "a database of the dialect"),
        (sql, {"database": "nonsense"}, "duckdb:PATH"),
        (sql, {"dialect": "sqlite", "database": "postgresql://me:secret@host/db"}, "'postgresql://me:***@host/db'"),
        (sql, {"dialect": "postgres"}, "the server to run on"),
    ):
        with pytest.raises(OptionError, match=re.escape(problem)):
            verify(tree, path, **choices)  # type: ignore[arg-type]
    for path, choices, problem in (
        (tmp_path / "none.py", {}, "No such file"),
        (tmp_path / "none.sql", {}, "No such file"),
        (sql, {"database": f"sqlite:{tmp_path / 'none.db'}"}, "no such database"),
        (sql, {"database": f"sqlite:{sql}"}, "not a database"),
        (sql, {"database": f"duckdb:{sql}"}, "not a valid DuckDB"),
    ):
        with pytest.raises(FileError, match=problem):
            verify(tree, path, **choices)  # type: ignore[arg-type]
    script = written(tmp_path / "rules.js", "export const predict = 1;")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileError, match=re.escape("install Node.js")):
        verify(tree, script)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=re.escape("treerules[engines]")):
        verify(tree, sql, database="postgresql://localhost/x")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_pasted_values_read_back(dialect: str) -> None:
    """Each literal of a row that is shown is the value, of the type of its column, in the engine itself."""
    values: dict[str, list[Any]] = {
        "number": [0.1, -0.0, 5e-324, 1.7976931348623157e308, math.inf, -math.inf, None],
        "integer": [-(2**63), 2**63 - 1, 2**53 + 1, None],
        "boolean": [True, False, None],
        "text": ["", "it's", "a\\", "\\'", "\U0001f600", None],
        "date": [DAY, None],
    }
    with open_database(dialect, database(dialect), 60.0) as connection:
        language = connection.dialect.spelling
        for scalar, each in values.items():
            _, (row,) = connection.run("SELECT " + ", ".join(language.typed_literal(value, scalar) for value in each))
            # SQLite has no dates, and no booleans but 1 and 0, which equal them
            assert list(row) == [str(v) if scalar == "date" and dialect == "sqlite" and v else v for v in each]
        _, ((nan,),) = connection.run("SELECT " + language.typed_literal(math.nan, "number"))
        assert nan is None if dialect == "sqlite" else math.isnan(nan)


@pytest.mark.engine
@needs_postgres
def test_a_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    """A refused connection is an error without a traceback, and a wrong statement one of the server's."""
    sql = written(tmp_path / "rules.sql", "CASE WHEN nowhere > 1 THEN 'no' END")
    with pytest.raises(TreeRulesError, match="no connection to Postgres"):
        verify(a_model(), sql, database="postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(FileError, match="nowhere"):
        verify(a_model(), sql, database=postgres_url())


@pytest.mark.process
def test_edited_rules_are_compared_too(tmp_path: Path) -> None:
    """Rules without a tree are asked themselves; where two fire, that is said."""
    rules = compile_rules(a_model())
    edited = RuleSet(rules.schema, rules.rules)
    path = written(tmp_path / "rules.py", to_python(rules))
    assert_equivalent(edited, path)
    with pytest.raises(NotAPartitionError):
        verify(RuleSet(rules.schema, rules.rules[1:]), path)


@pytest.mark.engine
def test_hostile_names_pass_through_the_files(tmp_path: Path) -> None:
    """Names and categories that end strings, comments and lines are nothing but names."""
    names = [
        "'); DROP TABLE data; --",
        "__proto__",
        "a\nb",
        "\u2028",
        "{{ x }}",
        '"""',
        "prediction_",
        "treerules_verify_rows",
    ]
    features = [Feature(name, Kind.CATEGORY, sorted({"x'", name})) for name in names]
    tree = Tree(
        Schema(features, Feature("y", Kind.NUMBER)),
        Split(CategoryTest(0, [[0], [1]]), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])], 0, 1),
    )
    for place in range(1, len(names)):
        split = Split(CategoryTest(place, [[0], [1]]), [tree.root, Leaf(MeanPrediction(float(place)), [1])], 0, 1)
        tree = Tree(tree.schema, split)
    assert_equivalent(tree, written(tmp_path / "rules.py", to_python(tree)))
    for dialect in ("duckdb", "sqlite"):
        for kind in ("expression", "select", "view"):
            text = to_sql(tree, dialect=dialect, kind=kind)  # type: ignore[call-overload]
            path = written(tmp_path / "rules.sql", text)
            assert_equivalent(tree, path)
            found = verify(tree, written(path, re.sub(r"THEN 1(?:e0|\.0)", "THEN 1.5", text, count=1)))
            assert found.difference is not None and reproduced_by_sql(dialect, tree, found.difference)
    if shutil.which("node"):
        assert_equivalent(tree, written(tmp_path / "rules.js", to_javascript(tree)))


def test_the_command_says_it_in_a_line(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Exit code 0 and a line with how many rows on what; 1 and a row to paste; 3 where a file cannot be run."""
    tree, model = a_model(), tmp_path / "some.tree.json"
    save(tree, model)
    sql = written(tmp_path / "rules.sql", to_sql(tree, dialect="duckdb", kind="select"))
    data = written(tmp_path / "data.csv", "x,n,it's,flag,day\n0.25,7,a,true,2024-02-29\n,,,,\n")

    def said(*options: object) -> tuple[int, str]:
        code = main(["verify", str(model), "--against", str(sql), *map(str, options)])
        return code, capfdbinary.readouterr().out.decode()

    code, line = said("--data", data)
    assert code == 0
    assert re.fullmatch(rf"{re.escape(str(sql))}: compared \d+ rows on DuckDB [\d.]+, 2 of them from the data: "
                        r"no difference\n", line)  # fmt: skip
    written(sql, sql.read_text().replace("0.3e0", "0.4e0"))
    code, shown = said()
    assert code == 1 and "for this row:\n" in shown
    code, shown = said("--format", "json", "--rows", 50)
    found = json.loads(shown)
    assert code == 1 and found["format"] == "treerules.equivalence" and not found["equal"]
    difference = Difference(**{key: found["difference"][key] for key in ("row", "expected", "rule", "answer", "paste")})
    with closing(duckdb.connect()) as connection:
        assert asked("duckdb", connection, difference.paste) == difference.answer != difference.expected
    assert said("--dialect", "sqlite", "--database", "duckdb:")[0] == 2
    assert said("--database", f"duckdb:{tmp_path / 'none.db'}")[0] == 3
    names = written(tmp_path / "names.json", '{"x": 1}')
    assert said("--rename", names)[0] == 3


@pytest.mark.process
def test_deep_and_wide_models_are_verified(tmp_path: Path) -> None:
    """Depth 1,000 and 1,000 leaves: the guarded module and SQL run, and one wrong leaf among them is found."""
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER))
    node: Any = Leaf(MeanPrediction(-1.0), (1,))
    for n in range(1000):
        node = Split(ThresholdTest(0, float(1000 - n)), (Leaf(MeanPrediction(float(n)), (1,)), node), missing=1)
    tree = Tree(schema, node)
    for name, text in (("rules.py", to_python(tree)), ("rules.sql", to_sql(tree, dialect="duckdb"))):
        path = written(tmp_path / name, text)
        assert_equivalent(tree, path, most=2500)
    spoiled = to_sql(tree, dialect="duckdb").replace("THEN 789e0", "THEN 789.5e0")
    found = verify(tree, written(path, spoiled), most=2500)
    assert found.difference is not None and len(found.difference.paste) < 10_000


def test_whole_means_of_an_integer_target_are_numbers(tmp_path: Path) -> None:
    """A regression predicts 15.0 where the target holds integers: the answer of SQL is compared as a number."""
    table = Table.from_columns({"x": [1, 1, 2, 2], "y": [10, 20, 11, 12]})
    tree = learn(table, target="y", task="regression", recipe=cart(min_samples_leaf=2))
    path = tmp_path / "tree.sql"
    path.write_text(to_sql(tree, dialect="duckdb"), encoding="utf-8")
    assert predict(tree, {"x": 1}) == 15.0
    assert verify(tree, path, data=table)


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_means_of_integers_beyond_the_doubles_are_numbers(dialect: str, tmp_path: Path) -> None:
    """The mean of 2**53 + 1 and 5, and that of 2**53 and 2**60, are doubles: SQL answers the same."""
    table = Table.from_columns({"z": list("abab"), "y": [2**53, 2**53 + 1, 2**60, 5]})
    tree = learn(table, target="y", task="regression", recipe=cart())
    path = tmp_path / "tree.sql"
    path.write_text(to_sql(tree, dialect=dialect), encoding="utf-8")
    assert predict(tree, {"z": "a"}) == (2**53 + 2**60) / 2
    assert verify(tree, path, data=table)
