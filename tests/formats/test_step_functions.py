"""Sums, years and truncated days of declared columns are understood: rules answer as engines do."""

from collections.abc import Sequence
from datetime import date, datetime
from random import Random
from typing import Any

import pytest

from duckdb_session import session
from engines import mariadb, opened, postgres
from treerules import Feature, Kind, Schema, review
from treerules.formats import rules_from_sql
from treerules.rules.parsed import ParsedRules

_SCHEMA = Schema([
    Feature("n", Kind.INTEGER), Feature("d", Kind.DATE), Feature("t", Kind.TIMESTAMP, scalar="timestamp"),
])  # fmt: skip
_DAYS = [date(year, month, day) for year in (2019, 2020, 2021) for month in (1, 2, 12) for day in (1, 28)]
_TIMES = [
    datetime(2020, 1, 1),
    datetime(2020, 1, 31, 23, 59, 59, 999999),
    datetime(2020, 2, 1),
    datetime(2021, 6, 7, 8),
]
_ROWS = [
    *((number, None, None) for number in (None, -3, -1, 0, 1, 2, 3)),
    *((0, day, None) for day in [*_DAYS, date.min, date.max]),
    *((0, None, moment) for moment in [*_TIMES, datetime.min, datetime.max]),
]  # fmt: skip
#: What engines store instead of the first and the last days of Python: these lie on the same side of each literal.
_INFINITE = {date.min: "-infinity", date.max: "infinity", datetime.min: "-infinity", datetime.max: "infinity"}
_MOMENTS = ("DATE '2020-01-01'", "DATE '2020-02-02'", "DATE '2021-06-01'", "TIMESTAMP '2020-02-01 10:00:00'")
_NUMBERS = ("n + 1", "1 + n", "n - 2", "(n + 1)")
_YEARS = ("extract(year from d)", "extract(year from t)")
_MONTHS = ("date_trunc('month', d)", "date_trunc('year', t)", "date_trunc('quarter', d)", "date_trunc('day', t)")


def _condition(random: Random, years: Sequence[str]) -> str:
    """Return a drawn comparison of a function with literals; `years` are the functions that give a year."""
    number = random.randint(-3, 4)
    year = random.choice(["2019", "2020", "2021", "2020.5"])
    day = random.choice(
        ["DATE '2020-01-01'", "DATE '2020-02-02'", "DATE '2021-06-01'", "TIMESTAMP '2020-02-01 10:00:00'"]
    )
    function, literal, other = random.choice([
        *((each, f"{number}", "0") for each in _NUMBERS), *((each, f"{number}.5", "1") for each in _NUMBERS),
        *((each, year, "2021") for each in years), *((each, day, "DATE '2021-01-01'") for each in _MONTHS),
    ])  # fmt: skip
    sign = random.choice(["<", "<=", "=", ">=", ">", "<>"])
    return random.choice([
        f"{function} {sign} {literal}", f"{literal} {sign} {function}", f"NOT ({function} {sign} {literal})",
        f"{function} IN ({literal}, {other})", f"{function} NOT IN ({other}, NULL)", f"{function} IS NULL",
        f"{function} BETWEEN {literal} AND {other}",
    ])  # fmt: skip


def _on_duckdb(query: str, values: str) -> list[tuple[Any, ...]]:
    with session() as connection:
        return connection.execute(f"{values} {query}").fetchall()


def _on_postgres(query: str, values: str) -> list[tuple[Any, ...]]:
    opened("postgres")  # says where there is no server
    return postgres.connection().execute(f"{values} {query}").fetchall()


@pytest.mark.parametrize(("dialect", "ask", "years"), [("duckdb", _on_duckdb, ()), ("postgres", _on_postgres, _YEARS)])
def test_rules_answer_as_the_engine(dialect: str, ask: Any, years: tuple[str, ...]) -> None:
    """No expression is taken as a column, and each condition holds of the rows of which the engine says so."""
    random = Random(5)
    conditions = [_condition(random, years) for _ in range(150)]
    stored = [["NULL" if cell is None else f"'{_INFINITE.get(cell, cell)}'" for cell in row] for row in _ROWS]
    rows = ", ".join(f"({', '.join(cells)})" for cells in stored)
    values = f"WITH v(a, b, c) AS (VALUES {rows}), r AS (SELECT a::INT AS n, b::DATE AS d, c::TIMESTAMP AS t FROM v)"
    asked = ", ".join(f"coalesce(({condition}), FALSE)" for condition in conditions)
    answers = ask(f"SELECT {asked} FROM r", values)
    assert len(answers) == len(_ROWS)
    for number, condition in enumerate(conditions):
        (parsed,) = rules_from_sql(f"CASE WHEN {condition} THEN 1 ELSE 0 END", dialect=dialect, schema=_SCHEMA)
        assert not parsed.opaque and not parsed.unparsed, condition
        for (n, d, t), truths in zip(_ROWS, answers, strict=True):
            row = {"n": n, "d": d, "t": t}
            first = parsed.rules.firing({name: row[name] for name in parsed.rules.schema.indices})[0]
            assert (first.value == 1) is truths[number], (condition, row)


def _parsed(condition: str, dialect: str | None, schema: Schema | None = _SCHEMA) -> ParsedRules:
    return rules_from_sql(f"CASE WHEN {condition} THEN 1 WHEN n = 1 THEN 2 END", dialect=dialect, schema=schema)[0]


@pytest.mark.parametrize(
    ("condition", "dialect"),
    [
        ("n + 1 > 5", "clickhouse"),  # a sum that is too large is another number
        ("n + 1 > 5", "sqlite"),
        ("n + 0.5 > 5", "postgres"),
        ("n * 2 > 5", "postgres"),
        ("1 - n > 5", "postgres"),
        ("extract(month from d) = 1", "postgres"),
        ("date_trunc('week', d) = DATE '2020-01-06'", "postgres"),
        ("date_trunc('month', d) = TIMESTAMPTZ '2020-01-01 00:00:00+00'", "postgres"),
        ("year(d) = 2020", "sqlite"),
        ("year(d) = 2020", "duckdb"),  # NULL of infinity
        ("year(d) = 2020", "mariadb"),  # 2020 of 2020-00-00
        ("year(d) = 2020", "mysql"),
        ("year(d) = 2020", "postgres"),  # a function of users
        ("year(d) = 2020", None),
        ("year(to_date(d, 'YYYYDDMM')) = 2020", "snowflake"),
        ("toStartOfMonth(d) = DATE '1970-01-01'", "clickhouse"),  # of all earlier days
        ("date_trunc('month', d) = DATE '2020-01-01'", "datafusion"),  # nanoseconds end in 2262
        ("date_trunc('month', d) = DATE '2020-01-01'", None),
    ],
)
def test_other_functions_stay_columns(condition: str, dialect: str | None) -> None:
    """What may be rounded, wrapped, or falls again, is a column of its own."""
    assert _parsed(condition, dialect).opaque


@pytest.mark.parametrize("condition", ["n + 1 > 5", "year(d) = 2020", "date_trunc('month', d) = DATE '2020-01-01'"])
def test_a_column_of_unknown_kind_is_not_taken_apart(condition: str) -> None:
    """Where no kind is declared, n may be a float, and d a timestamp with a zone."""
    assert _parsed(condition, "duckdb", None).opaque


def test_a_later_year_is_a_later_day() -> None:
    """A WHEN on a day never decides behind one on its year."""
    text = "CASE WHEN year(d) >= 2020 THEN 1 WHEN d = DATE '2020-05-06' THEN 2 WHEN d > DATE '2019-12-31' THEN 3 END"
    (parsed,) = rules_from_sql(text, dialect="trino", schema=_SCHEMA)
    assert [parsed.name(rule.number) for rule in review(parsed).subsumed()] == ["WHEN 2", "WHEN 3"]


def test_no_when_is_dead_that_decides_of_infinity() -> None:
    """In DuckDB infinity is later than each day, but its year is NULL."""
    text = "CASE WHEN year(d) > 2020 THEN 1 WHEN d > DATE '2020-12-31' THEN 2 END"
    assert _on_duckdb(f"SELECT {text} FROM r", "WITH r AS (SELECT 'infinity'::DATE AS d)") == [(2,)]
    (parsed,) = rules_from_sql(text, dialect="duckdb", schema=_SCHEMA)
    assert not list(review(parsed).subsumed())


@pytest.mark.engine
def test_no_when_is_dead_that_decides_of_a_date_without_a_month() -> None:
    """MariaDB stores 2020-00-00 by default, whose year is 2020, and which is before each day of 2020."""
    opened("mariadb")  # says where there is no server
    text = "CASE WHEN d >= DATE '2020-01-01' THEN 1 WHEN year(d) = 2020 THEN 2 END"
    with mariadb.connection().cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE zero_days (d DATE)")
        cursor.execute("INSERT INTO zero_days VALUES ('2020-00-00')")
        cursor.execute(f"SELECT {text} FROM zero_days")
        assert cursor.fetchall() == ((2,),)
        cursor.execute("DROP TEMPORARY TABLE zero_days")
    (parsed,) = rules_from_sql(text, dialect="mariadb", schema=_SCHEMA)
    assert not list(review(parsed).subsumed())


@pytest.mark.parametrize("other", ["b.n + 1 > 5", "b.n + 1 > 5 OR b.n + 1 IS NULL"])
def test_a_column_of_another_table_is_not_the_declared_one(other: str) -> None:
    """Of two columns called n the first is the declared integer; the other may be a float, such as 4.5."""
    text = f"CASE WHEN a.n = 1 THEN 3 WHEN b.n >= 5 OR b.n IS NULL THEN 1 WHEN {other} THEN 2 END"
    query = f"SELECT {text} FROM (SELECT 4.5::DOUBLE AS n) b, (SELECT 0 AS n) a"
    assert _on_duckdb(query, "") == [(2,)]
    (parsed,) = rules_from_sql(query, dialect="duckdb", schema=_SCHEMA)
    assert not list(review(parsed).subsumed())
    assert parsed.unparsed
