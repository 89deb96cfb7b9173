"""Statements that are issued twice, and texts that tools of a database would change before it reads them."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from engines import opened, parameters
from run_emitted import statements
from treerules import Feature, Kind, Schema, Table, Tree, cart, learn, to_sql, verify
from treerules.emit import rules_table_statements
from treerules.emit.header import opening_in
from treerules.emit.layout import MOST_FLAT, MOST_FLAT_TERMS, n_terms_of
from treerules.emit.sql.statement_kinds import SQL_KINDS
from treerules.errors import OptionError, UnsupportedError
from treerules.formats import rules_from_sql
from treerules.rules.compile import compile_rules
from treerules.sql.dialects import DIALECTS
from treerules.trees import ClassPrediction, Leaf, Split, ThresholdTest, find_leaf

TREE = learn(Table.from_columns({"x": [1.0, 2.0, 3.0], "y": ["p", "q", "p"]}), target="y", recipe=cart())


def issued(dialect: str, sql: str, times: int, last: str) -> list[tuple[Any, ...]] | None:
    """Return the rows of a query after a text of one or two statements is issued some times."""
    each = [part for part in sql.split(";\n") if part]
    return statements(dialect, "CREATE TABLE data (x FLOAT)", "INSERT INTO data VALUES (2)", *each * times, last)


# ---- replace


@pytest.mark.parametrize("kind", ["view", "table", "function"])
@pytest.mark.parametrize("dialect", parameters(["duckdb", "sqlite", "postgres"]))
def test_what_is_replaced_can_be_issued_twice(dialect: str, kind: str) -> None:
    """On the engine; without replace=True the engine refuses the second time."""
    opened(dialect)
    kind = "macro" if (dialect, kind) == ("duckdb", "function") else kind
    if kind not in (*DIALECTS[dialect].kinds, "view", "table"):
        return
    choices: Any = {"dialect": dialect, "kind": kind, "name": "made"}
    asked = "SELECT prediction FROM made" if kind in ("view", "table") else "SELECT made(2)"
    assert issued(dialect, to_sql(TREE, replace=True, **choices), 2, asked) == [("q",)]
    assert issued(dialect, to_sql(TREE, **choices), 1, asked) == [("q",)]
    with pytest.raises(Exception, match="already exists"):
        issued(dialect, to_sql(TREE, **choices), 2, asked)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_dialect_replaces_or_drops_what_it_creates(dialect: str) -> None:
    """One statement that says so, or a DROP ... IF EXISTS of the same name before; sqlglot reads both."""
    record = DIALECTS[dialect]
    for kind in ("view", "table", *record.kinds):
        sql = to_sql(TREE, dialect=dialect, kind=kind, replace=True, name="made")  # type: ignore[arg-type]
        made = record.spelling.identifier("made")
        if kind in record.spelling.replacing:
            assert f"\n{record.spelling.replacing[kind]} {made}" in sql
            assert "DROP" not in sql
        else:
            assert f"\nDROP {kind.upper()} IF EXISTS {made};\n" in sql
        if kind != "function":  # sqlglot knows no RETURN: a real Postgres runs it
            *_, last = sqlglot.parse(sql, read=record.reading.grammar)
            assert isinstance(last, exp.Create | exp.Select)
    assert set(record.spelling.replacing) <= set(SQL_KINDS)


def test_replace_is_for_what_creates() -> None:
    """An expression and a query replace nothing."""
    for kind in ("expression", "select"):
        with pytest.raises(OptionError, match="a kind that creates something"):
            to_sql(TREE, dialect="duckdb", kind=kind, replace=True)  # type: ignore[arg-type]


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_tables_of_rules_are_replaced(dialect: str) -> None:
    """Both, whether or not they are there."""
    tree = learn(Table.from_columns({"c": ["a", "b", "c"], "y": ["p", "q", "p"]}), target="y", recipe=cart())
    made = rules_table_statements(tree, dialect=dialect, keys=["id"], replace=True)
    with closing(duckdb.connect() if dialect == "duckdb" else sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE data (id INTEGER, c VARCHAR(9))")
        connection.execute("INSERT INTO data VALUES (1, 'b')")
        for _ in range(2):
            for statement in made:
                rows = connection.execute(statement).fetchall()
        assert [tuple(row) for row in rows] == [(1, find_rule(tree, "b"), "q")]
    assert opening_in(made[0]) is not None


def find_rule(tree: Tree, value: str) -> int:
    """Return the number of the rule that fires for a value of the column c."""
    return compile_rules(tree).firing({"c": value})[0].number


def test_verify_runs_what_replaces(tmp_path: Path) -> None:
    """The DROP before a statement is not run."""
    for kind in ("view", "table"):
        path = tmp_path / f"{kind}.sql"
        path.write_text(to_sql(TREE, dialect="sqlite", kind=kind, replace=True), encoding="utf-8")  # type: ignore[arg-type]
        assert "DROP" in path.read_text(encoding="utf-8")
        assert verify(TREE, path)


# ---- auto


def test_auto_counts_what_the_text_would_hold() -> None:
    """Few rules that each name many categories are guarded: the flat text would name them once for each rule."""
    random = Random(1)
    rows = [(random.randrange(240), random.randrange(40)) for _ in range(3000)]
    columns: dict[str, Any] = {
        "name": [f"name {name:03d}" for name, _ in rows],
        "x": [float(x) for _, x in rows],
        "y": [f"class {(name * 31 % 7 + x // 9) % 5}" for name, x in rows],
    }
    tree = learn(Table.from_columns(columns), target="y", recipe=cart(max_leaves=40))
    rules = compile_rules(tree)
    assert len(rules) <= MOST_FLAT and n_terms_of(rules) > MOST_FLAT_TERMS
    for dialect in ("duckdb", "sqlite", "postgres"):
        opening = opening_in(to_sql(tree, dialect=dialect))
        assert opening is not None and opening.layout == "guarded"
        assert len(to_sql(tree, dialect=dialect)) < len(to_sql(tree, dialect=dialect, layout="flat")) / 2
    numbers = {"x": [float(i) for i in range(MOST_FLAT)], "y": [float(i) for i in range(MOST_FLAT)]}
    few = opening_in(to_sql(learn(Table.from_columns(numbers), target="y", recipe=cart()), dialect="duckdb"))
    assert few is not None and few.layout == "flat"


# ---- SQLite's integers


def test_sqlite_compares_integers_in_a_column_of_numbers_as_doubles() -> None:
    """A cell of 2**53 + 1 is the double 2**53, as the tree has it; below 2**53 no cast is written."""
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.CATEGORY, ("a", "b")))
    ends = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in ("a", "b")]
    for threshold in (2.0**53, -(2.0**53), 2.0**60, 1e300, 2.0**53 - 1, 0.5):
        tree = Tree(schema, Split(ThresholdTest(0, threshold), ends, 1))
        near = int(threshold) if abs(threshold) < 2**62 else 2**62
        cells = [near + step for step in range(-300, 301, 1)]
        for layout in ("flat", "guarded"):
            sql = to_sql(tree, dialect="sqlite", layout=layout, kind="select")  # type: ignore[arg-type]
            assert ("CAST(" in sql) is (abs(threshold) >= 2**53)
            with closing(sqlite3.connect(":memory:")) as connection:
                connection.execute("CREATE TABLE data (x INTEGER)")
                connection.executemany("INSERT INTO data VALUES (?)", [(cell,) for cell in cells])
                answers = [row[0] for row in connection.execute(sql)]
            assert answers == [find_leaf(tree, {"x": float(cell)}).prediction.value for cell in cells]
            (written,) = rules_from_sql(to_sql(tree, dialect="sqlite", layout=layout), dialect="sqlite", schema=schema)  # type: ignore[arg-type]
            assert not written.unparsed


# ---- tools that change a text


def of_category(text: str) -> Tree:
    """Return a tree that names a category."""
    return learn(Table.from_columns({"c": [text, "~"], "y": ["p", "q"]}), target="y", recipe=cart())


@pytest.mark.parametrize("text", ["$(name)", "a\nGO\nb", "a\n  go  ", "\nGO 5\n", "x$(y)$(z)", "$ (a)", "GOOD\nGOOD"])
def test_sqlcmd_finds_nothing_to_replace_in_a_text(text: str) -> None:
    """No $(name), and no line GO; the parts of the text make the text."""
    sql = to_sql(of_category(text), dialect="tsql")
    assert "$(" not in sql
    assert not re.search(r"(?im)^\s*GO\s*\d*\s*$", sql)
    language = DIALECTS["tsql"].spelling
    parts = re.findall(r"N'((?:[^']|'')*)'", language.text(text))
    assert "".join(parts) == text
    assert sqlglot.parse_one(f"SELECT {sql} AS x", read="tsql")


@pytest.mark.parametrize("text", ["a\n\nb", "a\n/\nb", "a\n", "\n\n\n", "a\n  \nb", "a\n.\n"])
def test_no_line_of_a_text_ends_a_statement_of_oracle(text: str) -> None:
    """SQL*Plus ends it at a blank line, "/" or "."; the parts of the text make the text."""
    sql = to_sql(of_category(text), dialect="oracle")
    assert not any(line.strip() in ("", "/", ".") for line in sql.rstrip("\n").splitlines())
    literal = DIALECTS["oracle"].spelling.text(text)
    assert "".join(part[1:-1] for part in literal.split(" || ")) == text
    assert sqlglot.parse_one(f"SELECT {sql} AS x FROM t", read="oracle")


def test_an_ampersand_is_told_in_oracle() -> None:
    """SQL*Plus asks for a value of &name, also in a text; the comment that says so holds none."""
    text = "-- SQL*Plus: SET DEFINE OFF before this, or it asks for the words behind an ampersand"
    for label, is_told in (("R&D", True), ("R+D", False)):
        table = Table.from_columns({"x": [1.0, 2.0], "y": ["other", label]})
        first, second, *_ = to_sql(learn(table, target="y", recipe=cart()), dialect="oracle").splitlines()
        assert opening_in(first) is not None
        assert (second == text) is is_told


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_line_of_ordinary_text_is_longer_than_sqlplus_takes(dialect: str) -> None:
    """2,499 characters, for a tree of 3,000 names."""
    names = [f"name {i:04d}" for i in range(3000)]
    tree = learn(Table.from_columns({"c": names * 2, "y": ["p", "q"] * 3000}), target="y", recipe=cart())
    for kind in ("expression", "view"):
        try:
            sql = to_sql(tree, dialect=dialect, kind=kind)  # type: ignore[arg-type]
        except UnsupportedError:
            continue
        assert max(map(len, sql.splitlines())) < 200
