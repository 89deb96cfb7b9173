"""Sums, years and truncated days of declared columns are understood: rules answer as engines do."""

from datetime import date, datetime
from random import Random
from typing import Any

import pytest

from duckdb_session import session
from engines import opened, postgres
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
    *((0, day, None) for day in _DAYS), *((0, None, moment) for moment in _TIMES),
]  # fmt: skip
_MOMENTS = ("DATE '2020-01-01'", "DATE '2020-02-02'", "DATE '2021-06-01'", "TIMESTAMP '2020-02-01 10:00:00'")
_NUMBERS = ("n + 1", "1 + n", "n - 2", "(n + 1)")
_YEARS = ("extract(year from d)", "extract(year from t)")
_MONTHS = ("date_trunc('month', d)", "date_trunc('year', t)", "date_trunc('quarter', d)")


def _condition(random: Random) -> str:
    """Return a drawn comparison of a function with literals."""
    number = random.randint(-3, 4)
    year = random.choice(["2019", "2020", "2021", "2020.5"])
    day = random.choice(
        ["DATE '2020-01-01'", "DATE '2020-02-02'", "DATE '2021-06-01'", "TIMESTAMP '2020-02-01 10:00:00'"]
    )
    function, literal, other = random.choice([
        *((each, f"{number}", "0") for each in _NUMBERS), *((each, f"{number}.5", "1") for each in _NUMBERS),
        *((each, year, "2021") for each in _YEARS), *((each, day, "DATE '2021-01-01'") for each in _MONTHS),
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


@pytest.mark.parametrize(("dialect", "ask"), [("duckdb", _on_duckdb), ("postgres", _on_postgres)])
def test_rules_answer_as_the_engine(dialect: str, ask: Any) -> None:
    """No expression is taken as a column, and each condition holds of the rows of which the engine says so."""
    random = Random(5)
    conditions = [_condition(random) for _ in range(150)]
    rows = ", ".join(f"({', '.join('NULL' if cell is None else repr(str(cell)) for cell in row)})" for row in _ROWS)
    values = f"WITH v(a, b, c) AS (VALUES {rows}), r AS (SELECT a::INT AS n, b::DATE AS d, c::TIMESTAMP AS t FROM v)"
    asked = ", ".join(f"coalesce(({condition}), FALSE)" for condition in conditions)
    answers = ask(f"SELECT n, d, t, {asked} FROM r", values)
    for number, condition in enumerate(conditions):
        (parsed,) = rules_from_sql(f"CASE WHEN {condition} THEN 1 ELSE 0 END", dialect=dialect, schema=_SCHEMA)
        assert not parsed.opaque and not parsed.unparsed, condition
        for n, d, t, *truths in answers:
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
    ],
)
def test_other_functions_stay_columns(condition: str, dialect: str) -> None:
    """What may be rounded, wrapped, or falls again, is a column of its own."""
    assert _parsed(condition, dialect).opaque


@pytest.mark.parametrize("condition", ["n + 1 > 5", "year(d) = 2020", "date_trunc('month', d) = DATE '2020-01-01'"])
def test_a_column_of_unknown_kind_is_not_taken_apart(condition: str) -> None:
    """Where no kind is declared, n may be a float, and d a timestamp with a zone."""
    assert _parsed(condition, "duckdb", None).opaque


def test_a_later_year_is_a_later_day() -> None:
    """A WHEN on a day never decides behind one on its year."""
    text = "CASE WHEN year(d) >= 2020 THEN 1 WHEN d = DATE '2020-05-06' THEN 2 WHEN d > DATE '2019-12-31' THEN 3 END"
    (parsed,) = rules_from_sql(text, dialect="duckdb", schema=_SCHEMA)
    assert [parsed.name(rule.number) for rule in review(parsed).subsumed()] == ["WHEN 2", "WHEN 3"]
