"""How names are written in SQL: in quotes, bare, in upper or lower case, and the aliases of dialects."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from engines import Stored, opened, parameters
from hostile_names import ATTACKS
from run_emitted import POSTGRES, statements
from treerules import Feature, Kind, Schema, Table, Tree, cart, learn, to_dbt, to_sql
from treerules.emit import rules_table_sql
from treerules.emit.sql.statement_spelling import with_identifiers, with_nan
from treerules.errors import OptionError, UnknownNameError, UnsupportedError
from treerules.formats import rules_from_sql
from treerules.sql.dialects import ALIASES, DIALECTS, dialect_named
from treerules.sql.reserved_words import ALL_WORDS, DUCKDB_WORDS, POSTGRES_WORDS, SQLITE_WORDS
from treerules.trees import ClassPrediction, Leaf, Split, ThresholdTest

#: Names of every sort: of any case, reserved somewhere or everywhere, not plain.
NAMES = [
    "age",
    "Age Group",
    "PClass",
    "FARE",
    "end",
    "level",
    "select",
    "user",
    "_x",
    "1st",
    "é",
    "a$b",
    "a-b",
    "Größe",
]
RUN = ("duckdb", "sqlite", "postgres")


def tree_of(names: list[str]) -> Tree:
    """Return a tree that asks columns of numbers in turn: each above 0.5 answers by its position."""
    schema = Schema(
        [Feature(name, Kind.NUMBER) for name in names], Feature("y", Kind.CATEGORY, range(len(names) + 1), "integer")
    )
    node: Any = leaf_of(len(names), len(names) + 1)
    for place in reversed(range(len(names))):
        node = Split(ThresholdTest(place, 0.5), (node, leaf_of(place, len(names) + 1)), 0)
    return Tree(schema, node)


def leaf_of(label: int, n: int) -> Leaf:
    """Return a leaf of one class."""
    counts = [int(label == other) for other in range(n)]
    return Leaf(ClassPrediction(label, [float(count) for count in counts]), counts)


# ---- aliases


def test_an_alias_is_one_dialect_in_any_case() -> None:
    """No alias is a name, none stands twice, and each is found whatever its letters."""
    aliases = [alias for record in DIALECTS.values() for alias in record.aliases]
    assert len(set(aliases)) == len(aliases)
    assert not set(aliases) & set(DIALECTS)
    assert all(alias == alias.lower() for alias in aliases)
    for name in (*DIALECTS, *ALIASES):
        assert dialect_named(name) == dialect_named(name.upper()) == dialect_named(f" {name.title()} ") in DIALECTS
    asked = {"postgresql": "postgres", "pg": "postgres", "mssql": "tsql", "sqlserver": "tsql", "mariadb": "mariadb"}
    assert {alias: dialect_named(alias) for alias in asked} == asked


def test_every_door_takes_an_alias() -> None:
    """The text is that of the dialect's name; the reader and dbt take it too."""
    tree = tree_of(["x"])
    assert to_sql(tree, dialect="PostgreSQL") == to_sql(tree, dialect="postgres")
    assert rules_table_sql(tree, dialect="MSSQL", keys=["id"]) == rules_table_sql(tree, dialect="tsql", keys=["id"])
    assert to_dbt(tree, dialects=["PG", "postgres"]) == to_dbt(tree, dialects=["postgres"])
    (read,) = rules_from_sql(to_sql(tree, dialect="pg"), dialect="Pg", schema=tree.schema)
    assert not read.unparsed


# ---- bare, upper and lower


@pytest.mark.parametrize("style", ["quoted", "bare", "upper", "lower"])
@pytest.mark.parametrize("dialect", parameters(RUN))
def test_names_in_any_form_name_the_same_columns(dialect: str, style: Any) -> None:
    """On the engine, whose columns are created in quotes with the letters that the form gives them."""
    engine, tree = opened(dialect), tree_of(NAMES)
    letters = {"upper": str.upper, "lower": str.lower}.get(style, str)
    cells = [[float(row == place) for row in range(len(NAMES) + 1)] for place in range(len(NAMES))]
    columns = [Stored(letters(name), "number", column) for name, column in zip(NAMES, cells, strict=True)]
    for layout in ("flat", "guarded"):
        choices: Any = {"layout": layout, "table": engine.table, "identifiers": style, "rename": {"prediction": "end"}}
        sql = to_sql(tree, dialect=dialect, kind="select", keys=["rid" if style != "upper" else "RID"], **choices)
        if style == "upper" and dialect == "postgres":
            sql = sql.replace('"RID"', "rid").replace('"PG_TEMP"."T"', "pg_temp.t")
        assert [row[0] for row in engine.ask(columns, [sql])[0]] == list(range(len(NAMES) + 1))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_bare_name_is_the_quoted_one_as_the_grammar_folds_it(dialect: str) -> None:
    """By sqlglot's own normalisation of names; reserved words and all that is not plain stand in quotes."""
    record = DIALECTS[dialect]
    language = with_identifiers(record, "bare")
    for name in [*NAMES, *sorted(ALL_WORDS), *ATTACKS]:
        try:
            written = language.identifier(name)
        except UnsupportedError:
            continue
        if written == name:
            assert re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name)
            assert name.lower() not in record.reserved
            assert record.folded(name, is_quoted=False) == record.folded(name, is_quoted=True)
            found = sqlglot.parse_one(f"SELECT {name} AS x FROM t", read=record.reading.grammar)
            assert [column.name for column in found.find_all(exp.Column)] == [name]
        else:
            assert written == record.spelling.identifier(name)


def test_upper_case_is_bare_in_snowflake_and_oracle_and_lower_in_postgres() -> None:
    """There such names are the columns that everybody creates without quotes."""
    tree = tree_of(["Who"])
    for dialect, style, column in (
        ("snowflake", "upper", "WHO"),
        ("oracle", "upper", "WHO"),
        ("postgres", "lower", "who"),
    ):
        sql = to_sql(tree, dialect=dialect, kind="view", identifiers=style, table="People")  # type: ignore[arg-type]
        assert not set('"`[') & set(sql.split("\n", 1)[1])
        assert f" {column} " in sql
    assert '"Who"' in to_sql(tree, dialect="snowflake", identifiers="bare")


@pytest.mark.parametrize("style", ["upper", "lower"])
def test_two_columns_that_become_one_name_are_an_error(style: Any) -> None:
    """Wherever names are written; rename is the way out."""
    table = Table.from_columns({"Sex": [1.0, 2.0, 1.0], "SEX": [1.0, 1.0, 2.0], "y": ["p", "q", "r"]})
    tree = learn(table, target="y", recipe=cart())
    for emit in (
        lambda **choices: to_sql(tree, dialect="postgres", **choices),
        lambda **choices: rules_table_sql(tree, dialect="postgres", keys=["id"], **choices),
        lambda **choices: to_dbt(tree, dialects=["postgres"], **choices),
    ):
        with pytest.raises(OptionError, match="'Sex' and 'SEX' become one name"):
            emit(identifiers=style)
        assert emit(identifiers=style, rename={"Sex": "gender"})
        assert emit(identifiers="bare")
    with pytest.raises(OptionError, match="'x' and 'X' become one name"):
        to_sql(tree_of(["a"]), dialect="duckdb", kind="select", keys=["x", "X"], identifiers=style)


def test_the_words_of_the_engines_are_those_that_they_list() -> None:
    """DuckDB lists them by a query; SQLite takes each other word as a name."""
    query = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
    with duckdb.connect() as connection:
        assert {row[0] for row in connection.execute(query).fetchall()} <= DUCKDB_WORDS
    with closing(sqlite3.connect(":memory:")) as connection:
        for word in sorted(ALL_WORDS - SQLITE_WORDS):
            assert connection.execute(f"SELECT {word} FROM (SELECT 1 AS {word})").fetchall() == [(1,)]


@pytest.mark.engine
@pytest.mark.skipif(not POSTGRES, reason="no Postgres server (TREERULES_POSTGRES is not set)")
def test_the_words_of_postgres_are_those_that_it_lists() -> None:
    """By pg_get_keywords; it takes each other word as a name."""
    listed = {row[0] for row in statements("postgres", "SELECT word FROM pg_get_keywords() WHERE catcode <> 'U'") or []}
    assert listed <= POSTGRES_WORDS
    for word in sorted(ALL_WORDS - POSTGRES_WORDS):
        assert statements("postgres", f"SELECT {word}, 2 AS {word} FROM (SELECT 1 AS {word}) AS {word}") == [(1, 2)], (
            word
        )


@pytest.mark.parametrize("name", ["duckdb", "sqlite"])
def test_every_word_that_is_not_reserved_names_a_column_a_table_and_a_result(name: str) -> None:
    """The widest use that emitted SQL makes of a bare name, run for each word that some dialect reserves."""
    language = with_identifiers(DIALECTS[name], "bare")
    with closing(duckdb.connect() if name == "duckdb" else sqlite3.connect(":memory:")) as connection:
        for word in sorted(ALL_WORDS):
            column = language.identifier(word)
            connection.execute(f"CREATE TABLE {column} ({column} DOUBLE)")
            connection.execute(f"INSERT INTO {column} VALUES (7)")
            sql = f"SELECT {column}, CASE WHEN {column} > 1 THEN 1 END AS b_{word}, 1 AS {column} FROM {column}"
            assert connection.execute(sql).fetchall() == [(7, 1, 1)], word
            connection.execute(f"DROP TABLE {column}")


# ---- NaN


def test_tests_for_nan_stand_only_where_it_may_be() -> None:
    """All columns of numbers by default, none, or those that are named; an unknown name is an error."""
    tree = tree_of(["a", "b"])
    assert to_sql(tree, dialect="duckdb").count("Infinity") > to_sql(tree, dialect="duckdb", nan=["b"]).count(
        "Infinity"
    )
    assert "Infinity" not in to_sql(tree, dialect="duckdb", nan=False) + to_sql(tree, dialect="duckdb", nan=[])
    renamed = to_sql(tree, dialect="duckdb", nan=["b"], rename={"b": "c"})
    assert "\"c\" <= CAST('Infinity'" in renamed and '"a" <= CAST' not in renamed
    assert "Infinity" not in rules_table_sql(tree, dialect="duckdb", keys=["id"], nan=False)
    dbt = to_dbt(tree, dialects=["duckdb"], nan=["b"], rename={"b": "c"})["macros/treerules_predict.sql"]
    assert "@\"c\" <= CAST('Infinity'" in dbt and '"a" <= CAST' not in dbt
    with pytest.raises(UnknownNameError, match="no column named 'z'"):
        to_sql(tree, dialect="duckdb", nan=["z"])
    with pytest.raises(OptionError, match="nan"):
        to_sql(tree, dialect="duckdb", nan="a")
    assert with_nan(DIALECTS["duckdb"].spelling, tree.schema, True, {}).nan_columns is None


@pytest.mark.parametrize("dialect", parameters(RUN))
def test_without_nan_the_answers_are_those_of_the_tree(dialect: str) -> None:
    """For numbers, infinities and NULL; an integer is never tested for NaN."""
    engine, tree = opened(dialect), tree_of(["a", "b"])
    inf = float("inf")
    cells = [(a, b) for a in (0.0, 1.0, inf, -inf, None) for b in (0.5, 2.0, None)]
    columns = [
        Stored(name, "number", list(column)) for name, column in zip("ab", zip(*cells, strict=True), strict=True)
    ]
    wanted = [(0 if (a or 0) > 0.5 else 1 if (b or 0) > 0.5 else 2,) for a, b in cells]
    for layout in ("flat", "guarded"):
        sql = to_sql(tree, dialect=dialect, layout=layout, kind="select", table=engine.table, keys=["rid"], nan=False)  # type: ignore[arg-type]
        assert engine.ask(columns, [sql]) == [wanted]
    whole = learn(Table.from_columns({"n": [1, 2], "y": ["p", "q"]}), target="y", recipe=cart())
    assert "nfinity" not in to_sql(whole, dialect=dialect)


def test_verify_finds_columns_in_other_letters(tmp_path: Path) -> None:
    """SQL whose names were changed to upper case is run on columns of these names."""
    from treerules import verify

    tree, path = tree_of(["who", "Age"]), tmp_path / "rules.sql"
    for kind in ("expression", "select"):
        for style in ("upper", "lower", "bare"):
            path.write_text(to_sql(tree, dialect="duckdb", kind=kind, identifiers=style), encoding="utf-8")  # type: ignore[arg-type]
            assert verify(tree, path)
