"""SQLite's columns hold values of any type: answers are those of the model, or the engine ends with an error."""

import math
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import date
from random import Random
from typing import Any

import pytest

from treerules import Ensemble, Table, Tree, cart, learn, predict, to_sql
from treerules.emit import rules_table_statements
from treerules.formats import rewrite_case, rules_from_sql
from treerules.sql.dialects import DIALECTS

ROWS: list[dict[str, Any]] = [
    {"fare": fare, "n": n, "paid": paid, "day": day}
    for fare in (None, -1.5, 7.0, 7.5, 9.25, 80.0, 512.5)
    for n in (None, -3, 2, 9, 10, 2**53 + 1)
    for paid in (None, False, True)
    for day in (None, date(1999, 12, 31), date(2024, 3, 1))
]
NAMES = ("fare", "n", "paid", "day")


def _label(row: dict[str, Any]) -> str:
    fare, n = row["fare"] or 0.0, row["n"] or 0
    if fare <= 7.5:
        return "a" if n <= 9 else "b"
    return "c" if row["paid"] else "d" if row["day"] and row["day"] > date(2000, 1, 1) else "e"


TABLE = Table.from_columns({name: [row[name] for row in ROWS] for name in NAMES} | {"y": list(map(_label, ROWS))})
TREE = learn(TABLE, target="y", recipe=cart())


def _ensemble() -> Ensemble:
    columns = {name: [row[name] for row in ROWS] for name in NAMES}
    trees = [
        learn(
            Table.from_columns({**columns, "y": [float(hash_ + ord(_label(row))) for row in ROWS]}),
            target="y",
            recipe=cart(max_depth=depth),
        )
        for hash_, depth in ((0, 0), (1, 2), (2, 4))
    ]
    return Ensemble(trees[0].schema, trees, [0.5])


def _loaded(types: dict[str, str], rows: Iterable[dict[str, Any]], *, as_text: bool = False) -> sqlite3.Connection:
    """Return a database with the rows in columns of some types, as values or as the texts of a CSV file."""
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE data ({', '.join(f'{name} {types[name]}' for name in NAMES)})")
    for row in rows:
        cells = [value.isoformat() if isinstance(value, date) else value for value in row.values()]
        cells = [value if value is None or not as_text else str(value) for value in cells]
        connection.execute("INSERT INTO data VALUES (?, ?, ?, ?)", cells)
    return connection


def _answers(connection: sqlite3.Connection, model: Tree | Ensemble, layout: str) -> list[Any]:
    """Return the answers of SQL; the connection is closed."""
    sql = to_sql(model, dialect="sqlite", kind="select", table="data", layout=layout)  # type: ignore[arg-type]
    with closing(connection):
        return [answer for (answer,) in connection.execute(sql)]


MODELS = [(TREE, "flat"), (TREE, "guarded"), (_ensemble(), "auto")]


@pytest.mark.parametrize(("model", "layout"), MODELS)
@pytest.mark.parametrize("kind", ["REAL", "NUMERIC", "INTEGER", "DOUBLE PRECISION", "", "BLOB", "DATE"])
def test_values_in_columns_of_any_type_are_answered_as_by_the_model(
    kind: str, model: Tree | Ensemble, layout: str
) -> None:
    """Numbers are numbers in all columns but those of text, also without a type."""
    types = {"fare": kind, "n": "INTEGER" if kind == "REAL" else kind, "paid": kind, "day": "TEXT"}
    assert _answers(_loaded(types, ROWS), model, layout) == [predict(model, row) for row in ROWS]
    types["day"] = kind
    assert _answers(_loaded(types, ROWS), model, layout) == [predict(model, row) for row in ROWS]


@pytest.mark.parametrize(("model", "layout"), MODELS)
@pytest.mark.parametrize("kind", ["TEXT", "", "BLOB", "VARCHAR(9)"])
def test_texts_in_columns_of_numbers_end_with_an_error(kind: str, model: Tree | Ensemble, layout: str) -> None:
    """As `.import --csv` makes them: no text is compared with a number by the order of types."""
    connection = _loaded(dict.fromkeys(NAMES, kind), ROWS[-1:], as_text=True)
    with pytest.raises(sqlite3.OperationalError, match="a value of another type"):
        _answers(connection, model, layout)


@pytest.mark.parametrize(("model", "layout"), MODELS)
@pytest.mark.parametrize("text", ["", "NA", "7,5", "x"])
def test_a_cell_that_is_no_number_ends_with_an_error(text: str, model: Tree | Ensemble, layout: str) -> None:
    """A column of numbers takes the texts of numbers as such, and keeps what is none as text."""
    types = {"fare": "REAL", "n": "INTEGER", "paid": "BOOLEAN", "day": "TEXT"}
    right = [row for row in ROWS if row["paid"] is None]
    assert _answers(_loaded(types, right, as_text=True), model, layout) == [predict(model, row) for row in right]
    with pytest.raises(sqlite3.OperationalError, match="a value of another type"):
        _answers(_loaded(types, [{**ROWS[-1], "fare": text}]), model, layout)


@pytest.mark.parametrize("kind", ["REAL", "TEXT", ""])
@pytest.mark.parametrize("texts", [{"fare": "NA"}, {"n": "7,5"}, {"paid": "yes"}, {"day": 19783}])
def test_tables_of_rules_end_with_an_error_too(texts: dict[str, Any], kind: str) -> None:
    """Their query is joined with the same columns; values of the right types are answered as by the model."""
    types = {"fare": kind, "n": kind, "paid": kind, "day": "DATE"}
    *stored, query = rules_table_statements(TREE, dialect="sqlite", keys=["rid"])
    for rows, is_right in ((ROWS[::3], kind != "TEXT"), ([{**ROWS[-1], **texts}], False)):
        with closing(_loaded(types, rows)) as connection:
            connection.execute("ALTER TABLE data ADD COLUMN rid INTEGER")
            connection.execute("UPDATE data SET rid = rowid")
            for statement in stored:
                connection.execute(statement)
            if is_right:
                assert [row[-1] for row in sorted(connection.execute(query))] == [predict(TREE, row) for row in rows]
            else:
                with pytest.raises(sqlite3.OperationalError, match="a value of another type"):
                    connection.execute(query).fetchall()


def _first_answers(kind: str, cell: Any, x: Any, query: str) -> list[Any]:
    """Return the rows of a query of a table of one row."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE TABLE data (k {kind}, x REAL)")
        connection.execute("INSERT INTO data VALUES (?, ?)", (cell, x))
        return connection.execute(query).fetchall()


def test_a_case_that_is_rewritten_keeps_its_test_of_types_and_its_collation() -> None:
    """As `treerules check --independent` prints it; a CASE without them gets none."""
    texts = Table.from_columns({"k": ["a", "b", "c", "a"] * 9, "x": [1.0, 2.0, 3.0, 4.0] * 9, "y": list("pqrs") * 9})
    sql = to_sql(learn(texts, target="y", recipe=cart()), dialect="sqlite", layout="guarded")
    (parsed,) = rules_from_sql(sql, dialect="sqlite")
    rewritten = rewrite_case(parsed, dialect="sqlite")
    for kind, cells in (("TEXT COLLATE NOCASE", ("A", "a", "B", None)), ("TEXT", ("C",))):
        for cell in cells:
            for x in (None, 1.0, 2.5, 4.0):
                answers = _first_answers(
                    kind, cell, x, f"SELECT {sql} FROM data UNION ALL SELECT {rewritten} FROM data"
                )
                assert len(set(answers)) == 1
    with pytest.raises(sqlite3.OperationalError, match="a value of another type"):
        _first_answers("TEXT", "a", "NA", f"SELECT {rewritten} FROM data")
    (plain,) = rules_from_sql("CASE WHEN x < 1 THEN 'a' WHEN x < 2 OR k = 'A' THEN 'b' END", dialect="sqlite")
    assert "JSON" not in rewrite_case(plain, dialect="sqlite") and "COLLATE" not in rewrite_case(
        plain, dialect="sqlite"
    )


def test_a_number_in_a_column_of_dates_ends_with_an_error() -> None:
    """Days since 1970, for example: a number is below every text."""
    types = {"fare": "REAL", "n": "INTEGER", "paid": "BOOLEAN", "day": "DATE"}
    with pytest.raises(sqlite3.OperationalError, match="a value of another type"):
        _answers(_loaded(types, [{**ROWS[-1], "day": 19783}]), TREE, "flat")


def test_the_test_of_types_is_one_line_that_readers_skip() -> None:
    """The rest of the SQL is what a person wants to read; those who read it back find the rules of the model."""
    sql = to_sql(TREE, dialect="sqlite")
    assert sql.splitlines()[2].startswith("  WHEN `fare` >= '' OR ") and sql.count(">= ''") == 3
    (parsed,) = rules_from_sql(sql, dialect="sqlite")
    assert len(parsed.rules.rules) == TREE.n_leaves and not parsed.unparsed


@pytest.mark.parametrize("collation", ["NOCASE", "RTRIM", "BINARY"])
@pytest.mark.parametrize("layout", ["flat", "guarded"])
def test_texts_are_compared_code_point_by_code_point(collation: str, layout: Any) -> None:
    """Whatever collation the column was declared with: 'A' and 'a ' are not 'a', but unseen."""
    texts = ["a", "A", "a ", "b", "B", "é", "É", None, ""]
    tree = learn(Table.from_columns({"k": ["a", "b", "c", "a"] * 9, "y": ["1", "2", "3", "1"] * 9}), target="y")
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE data (k TEXT COLLATE {collation})")
    connection.executemany("INSERT INTO data VALUES (?)", [(text,) for text in texts])
    assert _answers(connection, tree, layout) == [predict(tree, {"k": text}) for text in texts]


def test_small_numbers_are_spelled_exactly_and_read_back() -> None:
    """SQLite before 3.43 reads digits of numbers below 1e-290 as a neighbouring double."""
    random, number = Random(0), DIALECTS["sqlite"].spelling.literal
    values = [math.exp(random.uniform(math.log(5e-324), math.log(1e-280))) for _ in range(500)]
    with closing(sqlite3.connect(":memory:")) as connection:
        for value in values:
            assert connection.execute(f"SELECT {number(value)}, {number(-value)}").fetchone() == (value, -value)
    for value in values:
        (parsed,) = rules_from_sql(f"CASE WHEN x <= {number(value)} THEN 1 ELSE 2 END", dialect="sqlite")
        (bound,) = [condition.intervals[0].upto for _, condition in parsed.rules.rules[0].conditions]
        assert bound == value
