"""Every dialect's text, parsed by sqlglot: it is SQL there, and user text stands in literals and quoted names alone."""

import re
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from math import prod
from random import Random
from typing import Any

import pytest
import sqlglot
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from hostile_names import ATTACKS, attacked
from profiles import examples
from selection import few
from strategies_random import trees
from treerules import Feature, Kind, RuleSet, Schema, Tree, compile_rules, to_sql
from treerules.emit.sql.statement_kinds import SQL_KINDS
from treerules.errors import OptionError, UnknownNameError, UnsupportedError
from treerules.sql.dialects import DIALECTS
from treerules.sql.language import Language
from treerules.trees import CategoryTest, ClassPrediction, Leaf, Split, ThresholdTest

#: What our own text names without quotes, besides what a dialect's `text_column` names.
OUR_NAMES = {"scored", "predicted"}
LAYOUTS = ("flat", "guarded")


def parsed(dialect: str, sql: str) -> exp.Expression:
    """Return the one statement that the text holds; anything else, or a part not understood, is an error."""
    grammar = DIALECTS[dialect].reading.grammar
    try:
        (found,) = sqlglot.parse(sql, read=grammar)
    except sqlglot.errors.SqlglotError as error:
        pytest.fail(f"sqlglot's grammar {grammar!r} does not read what the dialect {dialect} spells: {error}\n{sql}")
    assert isinstance(found, exp.Expression)
    assert not isinstance(found, exp.Command)
    return found


def holdable(language: Language, source: Tree) -> dict[str, str]:
    """Return new names for the columns that a dialect cannot hold or takes for one."""
    names = [feature.name for feature in source.schema.features]
    return {name: f"column {place}" for place, name in enumerate(names) if not is_held(language, name)}


def is_held(language: Language, name: str) -> bool:
    """Whether a dialect takes a name."""
    try:
        return bool(language.identifier(name))
    except UnsupportedError:
        return False


def is_spelled(language: Language, tree: Tree) -> bool:
    """Whether a dialect can hold the labels: Oracle has no empty text, some have no infinite numbers."""
    try:
        return all(language.literal(value) for value in tree.schema.classes)
    except UnsupportedError:
        return False


def texts_of(tree: Tree) -> set[str]:
    """Return all text that the user gave: names, categories and labels."""
    features = [*tree.schema.features, *([tree.schema.target] if tree.schema.target else [])]
    return {f.name for f in features} | {c for f in features for c in f.categories if isinstance(c, str)}


def carried(found: exp.Expression) -> Iterator[tuple[str, str]]:
    """Yield what may carry user text: ("literal", text), ("quoted", name), ("bare", name), ("comment", text)."""
    for node in found.walk():
        if isinstance(node, (exp.National, exp.ByteString)) or (isinstance(node, exp.Literal) and node.is_string):
            yield "literal", str(node.this)
        elif isinstance(node, exp.Identifier):
            yield "quoted" if node.quoted else "bare", node.this
        for comment in node.comments or ():
            yield "comment", comment


@pytest.mark.parametrize("dialect", few(DIALECTS, 6))
@settings(max_examples=examples(25))
@given(tree=trees(12), seed=st.integers(0, 2**32))
def test_every_statement_parses_in_its_dialect(dialect: str, tree: Tree, seed: int) -> None:
    """Drawn trees of all kinds, any layout, kind and choice of columns."""
    language, random = DIALECTS[dialect].spelling, Random(seed)
    if not is_spelled(language, tree):
        return
    kinds = [kind.name for kind in SQL_KINDS.values() if not kind.dialects or dialect in kind.dialects]
    kinds = [kind for kind in kinds if kind != "function"]  # sqlglot knows no RETURN: a real Postgres runs it
    kind = random.choice(kinds)
    extras: Any = {}
    if SQL_KINDS[kind].reads:
        names = ("rule", "reason") if tree.schema.is_regression else ("proba", "rule", "reason")
        extras = {"keys": ["id"], **{name: random.random() < 0.5 for name in names}}
    try:
        sql = to_sql(
            tree,
            dialect=dialect,
            kind=kind,  # type: ignore[arg-type]
            layout=random.choice(LAYOUTS),  # type: ignore[arg-type]
            comments=random.random() < 0.5,
            rename=holdable(language, tree),
            **extras,
        )
    except UnsupportedError as error:  # a category that it cannot hold, or a column of a result
        assert any(word in str(error) for word in ("infinite", "empty", "named", "no name may hold", "nests")), error
        return
    parsed(dialect, f"SELECT {sql}" if kind == "expression" else sql)


@pytest.mark.parametrize("dialect", few(DIALECTS, 6))
@pytest.mark.parametrize("attacks", [ATTACKS[::4], pytest.param(ATTACKS, marks=pytest.mark.large)], ids=["some", "all"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_user_text_is_only_in_literals_and_quoted_names(dialect: str, layout: Any, attacks: list[str]) -> None:
    """Every hostile string as column, category, label, key, table and name; comments are our own, bare names ours."""
    language = DIALECTS[dialect].spelling
    n_held = 0
    for attack in attacks:
        name = attack if is_held(language, attack) else "column"
        table = name if name.strip() and "." not in name else "t"
        tree = attacked(name, attack, attack)
        if language.longest_text is not None and len(attack) > language.longest_text:
            with pytest.raises(UnsupportedError, match="text of at most"):
                to_sql(tree, dialect=dialect)
            continue
        sql = to_sql(
            tree, dialect=dialect, layout=layout, kind="select", keys=["the " + name[:20]], table=[table], reason=True
        )
        n_held += name == attack
        comments = [line for line in sql.splitlines() if line.startswith("--")]
        assert comments[0] == sql.splitlines()[0]
        assert all(line.startswith("-- SQL*Plus: SET DEFINE OFF ") for line in comments[1:])
        found = list(carried(parsed(dialect, sql)))
        assert {text for kind, text in found if kind == "bare"} <= {
            *OUR_NAMES,
            *re.findall(r"\w+", language.text_column),
        }
        assert all(text.startswith((" treerules ", " SQL*Plus: ")) for kind, text in found if kind == "comment")
        assert {name, table} <= {text for kind, text in found if kind == "quoted"}
        if "\\" not in attack or "CONCAT" not in language.text("\\"):
            assert attack + language.text_end in {text for kind, text in found if kind == "literal"}
    assert n_held > len(attacks) * 0.3


# ---- names


def one_cut(*names: str) -> Tree:
    """Return a tree that asks each of its columns once."""
    schema = Schema([Feature(name, Kind.NUMBER) for name in names], Feature("y", Kind.CATEGORY, ["p", "q"]))
    node: Any = Leaf(ClassPrediction("q", (0.0, 1.0)), (0, 1))
    for index in reversed(range(len(names))):
        node = Split(ThresholdTest(index, 1.0), [Leaf(ClassPrediction("p", (1.0, 0.0)), (1, 0)), node], missing=0)
    return Tree(schema, node)


@pytest.mark.parametrize(
    ("pair", "foldings", "apart"),
    [
        (("A", "a"), {"none"}, {"postgres", "clickhouse", "datafusion", "snowflake", "oracle"}),
        (
            ("É", "é"),
            {"none", "ascii"},
            {"duckdb", "sqlite", "postgres", "clickhouse", "datafusion", "snowflake", "oracle"},
        ),
        (("é", unicodedata.normalize("NFD", "é")), set[str](), set[str]()),
    ],
)
def test_names_that_differ_in_case_or_composition_alone(
    pair: tuple[str, str], foldings: set[str], apart: set[str]
) -> None:
    """An error where the dialect takes them for one, or, when only their code points differ, for everyone; --rename
    is the way out.
    """
    tree = one_cut(*pair)
    keeps = {name for name, record in DIALECTS.items() if record.spelling.folding in foldings}
    assert apart <= keeps
    for dialect in DIALECTS:
        if dialect in keeps:
            assert to_sql(tree, dialect=dialect)
        else:
            with pytest.raises(UnsupportedError, match=r"as one column; rename one \(rename=, --rename\)"):
                to_sql(tree, dialect=dialect)
        assert "other" in to_sql(tree, dialect=dialect, rename={pair[1]: "other"})


@pytest.mark.parametrize(
    ("dialect", "longest", "letter"),
    [
        ("postgres", 63, "a"), ("postgres", 21, "名"), ("mysql", 64, "名"), ("mariadb", 64, "名"), ("tsql", 128, "名"),
        ("oracle", 128, "a"), ("oracle", 42, "名"), ("redshift", 127, "a"), ("snowflake", 255, "a"),
        ("bigquery", 300, "a"),
    ],
)  # fmt: skip
def test_longer_names_than_the_dialect_has_are_refused(dialect: str, longest: int, letter: str) -> None:
    """One character more is an error at emission, never a name that is cut off; a new name is the way out."""
    assert to_sql(one_cut(letter * longest), dialect=dialect)
    with pytest.raises(UnsupportedError, match="names of at most"):
        to_sql(one_cut(letter * (longest + 1)), dialect=dialect)
    renamed = to_sql(one_cut(letter * (longest + 1)), dialect=dialect, rename={letter * (longest + 1): "short"})
    assert DIALECTS[dialect].spelling.identifier("short") in renamed


def test_renaming_names_columns_and_results() -> None:
    """Columns of the model, and prediction, rule, reason and p_CLASS of the result; what names nothing is refused."""
    rename = {"x": "X 1", "prediction": "class", "p_p": "share of p", "rule": "no"}
    sql = to_sql(one_cut("x"), dialect="duckdb", kind="select", proba=True, rule=True, rename=rename)
    quoted = {text for kind, text in carried(parsed("duckdb", sql)) if kind == "quoted"}
    assert quoted == {"X 1", "class", "share of p", "p_q", "no", "data"}
    for wrong in ({"z": "a"}, {"reason": "why"}):
        with pytest.raises(UnknownNameError, match="column to rename"):
            to_sql(one_cut("x"), dialect="duckdb", kind="select", rename=wrong)
    for bad in ({"x": 1}, ["x"], {"x": "b"}):
        with pytest.raises(OptionError, match="rename"):
            to_sql(one_cut("x", "b"), dialect="duckdb", kind="select", rename=bad)  # type: ignore[arg-type]
    with pytest.raises(UnsupportedError, match="named 'prediction'"):
        to_sql(one_cut("x"), dialect="duckdb", kind="select", proba=True, rename={"p_p": "prediction"})


# ---- what a dialect cannot hold


def balanced(n_levels: int) -> RuleSet:
    """Return the rules of a full tree of so many levels over one column."""

    def node(level: int, low: int, high: int) -> Any:
        middle = (low + high) // 2
        if level == 0:
            return Leaf(ClassPrediction("pq"[low % 2], (0.5, 0.5)), (1, 1))
        return Split(
            ThresholdTest(0, float(middle)), [node(level - 1, low, middle), node(level - 1, middle, high)], missing=0
        )

    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.CATEGORY, ["p", "q"]))
    return compile_rules(Tree(schema, node(n_levels, 0, 2**n_levels)))


def test_auto_gives_way_where_case_cannot_be_nested() -> None:
    """T-SQL nests CASE ten deep: 2,048 leaves are flat there, and guarded is refused with the layout that works."""
    rules = balanced(11)
    assert "tsql flat:" in to_sql(rules, dialect="tsql").splitlines()[0]
    with pytest.raises(UnsupportedError, match=r"nests CASE 11 deep; the limit is 10; use the flat layout"):
        to_sql(rules, dialect="tsql", layout="guarded")
    assert "tsql guarded:" in to_sql(balanced(10), dialect="tsql").splitlines()[0]
    assert "sqlite guarded:" in to_sql(rules, dialect="sqlite").splitlines()[0]


@pytest.mark.large
def test_a_statement_that_is_too_long_is_refused_or_says_which_setting() -> None:
    """BigQuery's bound is fixed; ClickHouse's is a setting, which a second comment names."""
    with pytest.raises(UnsupportedError, match=r"bytes; the limit is 1024000; use the guarded layout"):
        to_sql(balanced(15), dialect="bigquery", layout="flat")
    assert "max_query_size" in to_sql(balanced(14), dialect="clickhouse", layout="guarded").splitlines()[1]
    assert "max_query_size" not in to_sql(balanced(3), dialect="clickhouse")


@pytest.mark.large
def test_auto_gives_way_where_flat_text_is_too_long() -> None:
    """Two leaves of 60,000 categories: the flat layout names them twice, and BigQuery takes a million bytes."""
    names = [f"category {n}" for n in range(60_000)]
    schema = Schema([Feature("c", Kind.CATEGORY, sorted(names))], Feature("y", Kind.CATEGORY, ["p", "q"]))
    leaves = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in "pq"]
    half = 30_000
    split = Split(CategoryTest(0, [range(half), range(half, 2 * half)]), leaves, missing=0, unseen=0)
    tree = Tree(schema, split)
    assert "bigquery guarded:" in to_sql(tree, dialect="bigquery").splitlines()[0]
    with pytest.raises(UnsupportedError, match="use the guarded layout"):
        to_sql(tree, dialect="bigquery", layout="flat")


def test_oracle_takes_the_empty_text_for_missing() -> None:
    """'' is NULL there: as a category it goes where missing values go, as a label it is refused."""
    tree = attacked("c", "", "label")
    sql = to_sql(tree, dialect="oracle")
    assert "''" not in sql
    with pytest.raises(UnsupportedError, match="empty text"):
        to_sql(attacked("c", "x", ""), dialect="oracle")


def test_a_kind_that_a_dialect_has_not_is_refused() -> None:
    """With the dialect that has it, and the kinds that there are."""
    with pytest.raises(UnsupportedError, match="it has no macro; duckdb has; its kinds are expression, select"):
        to_sql(one_cut("x"), dialect="postgres", kind="macro")
    with pytest.raises(UnsupportedError, match="it has no function; postgres has"):
        to_sql(one_cut("x"), dialect="duckdb", kind="function")


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(0.03104837736591755)
@example(2.0**-60)
@example(5e-324)
@example(1.8543988440395074e-294)
def test_literals_of_sqlite_are_the_doubles_that_were_written(number: float) -> None:
    """SQLite reads them back as they were, and so does Python; also tiny ones, and those near the middle of doubles."""
    text = DIALECTS["sqlite"].spelling.literal(number)
    with closing(sqlite3.connect(":memory:")) as connection:
        assert connection.execute(f"SELECT {text}").fetchone() == (number,)
    assert prod(map(float, text.strip("()").split(" * "))) == number  # a tiny one is a product
