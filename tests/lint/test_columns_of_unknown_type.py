"""What is claimed of a column whose type is not known holds for each type that it may have: engines answer."""

import math
import sqlite3
from contextlib import closing

import duckdb
import pytest

from treerules import Feature, Kind, Schema, review
from treerules.formats import rules_from_sql
from treerules.lint.case_findings import case_findings


def _claimed(case: str, dialect: str | None = None) -> set[str]:
    """Return the branches of a CASE that are said never to decide."""
    (parsed,) = rules_from_sql(case, dialect=dialect)
    found = case_findings(parsed, review(parsed))
    return {each.when for each in found if each.code in ("TR001", "TR002", "TR104")}


@pytest.mark.parametrize(
    ("case", "branch"),
    [
        ("CASE WHEN d <= '2024-12-31' THEN 'a' WHEN d >= '2025-01-01' OR d IS NULL THEN 'b' ELSE 'c' END", "ELSE"),
        ("CASE WHEN d > DATE '2024-12-31' AND d < DATE '2025-01-01' THEN 'c' ELSE 'b' END", "WHEN 1"),
        ("CASE WHEN d NOT BETWEEN '2024-12-31' AND '2025-01-01' THEN 'a' WHEN d = '2024-12-31' OR d = '2025-01-01' "
         "THEN 'b' WHEN d IS NOT NULL THEN 'c' END", "WHEN 3"),
    ],
)  # fmt: skip
def test_a_column_compared_with_days_may_be_a_timestamp(case: str, branch: str) -> None:
    """A timestamp lies between two days, so DuckDB answers 'c', and that branch decides."""
    asked = f"SELECT {case} FROM (SELECT TIMESTAMP '2024-12-31 12:00:00' AS d)"
    assert duckdb.connect().execute(asked).fetchall() == [("c",)]
    assert branch not in _claimed(case)


@pytest.mark.parametrize("dialect", ["mysql", "mariadb", "tsql"])
@pytest.mark.parametrize(
    ("case", "branch"),
    [
        ("CASE WHEN x <> 'A' THEN 'a' WHEN x = 'a' THEN 'c' ELSE 'b' END", "WHEN 2"),
        ("CASE WHEN x NOT IN ('A', 'b') THEN 'a' WHEN x = 'a' THEN 'c' ELSE 'b' END", "WHEN 2"),
        ("CASE WHEN x = 'a' AND x = 'A' THEN 'c' ELSE 'b' END", "WHEN 1"),
        ("CASE WHEN (x = 'A') IS FALSE THEN 'a' WHEN x = 'a' THEN 'c' ELSE 'b' END", "WHEN 2"),
    ],
)
def test_texts_that_a_collation_may_equate(case: str, branch: str, dialect: str) -> None:
    """Where 'a' is 'A', as by default in these dialects, the answer is 'c'; SQLite says so of a column with NOCASE."""
    written = case.replace("(x = 'A') IS FALSE", "(x = 'A') IS 0")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE t (x TEXT COLLATE NOCASE)")
        connection.execute("INSERT INTO t VALUES ('a')")
        assert connection.execute(f"SELECT {written} FROM t").fetchall() == [("c",)]
    assert branch not in _claimed(case, dialect)


def test_texts_that_are_only_asked_for_are_read() -> None:
    """`x = 'a'` before `x = 'A'` claims nothing that a collation refutes, so that it is read, and repeats are found."""
    case = "CASE WHEN x = 'a' THEN 1 WHEN x = 'A' THEN 2 WHEN x = 'a' THEN 3 END"
    assert _claimed(case, "mysql") == {"WHEN 3"}


@pytest.mark.parametrize(
    ("case", "branch"),
    [
        ("CASE WHEN s.nextval = 3 THEN 1 WHEN s.nextval = 3 THEN 2 END", "WHEN 2"),
        ("CASE WHEN (a, b) IS NULL THEN 1 WHEN (a, b) IS NOT NULL THEN 2 ELSE 3 END", "ELSE"),
        ("CASE WHEN x ~ ANY (ARRAY['a', 'b']) AND x !~ ANY (ARRAY['a', 'b']) THEN 1 END", "WHEN 1"),
        ("CASE WHEN i::interval <> '1 day' THEN 1 WHEN i::interval = '24 hours' THEN 2 END", "WHEN 2"),
        ("CASE WHEN i - i <> '1 day' THEN 1 WHEN i - i = '24 hours' THEN 2 END", "WHEN 2"),
        ("CASE WHEN j::jsonb <> '[1]' THEN 1 WHEN j::jsonb = '[ 1]' THEN 2 END", "WHEN 2"),
        ("CASE WHEN n::inet <> '1.1.1.1' THEN 1 WHEN n::inet = '1.1.1.1/32' THEN 2 END", "WHEN 2"),
    ],
)
def test_values_of_postgres_that_rules_do_not_know(case: str, branch: str) -> None:
    """A sequence gives another value each time, (1, NULL) is neither NULL nor NOT NULL, 'a' is not each of 'a' and 'b',
    and several spellings are one interval, one JSON or one address: the documentation of Postgres says so."""
    assert branch not in _claimed(case, "postgres")


@pytest.mark.parametrize("dialect", ["bigquery", "clickhouse", "trino"])
def test_nan_may_reach_an_else_where_no_comparison_with_it_is_true(dialect: str) -> None:
    """So it is in IEEE 754 and in these dialects; in DuckDB NaN is above all numbers, and integers have none."""
    case = "CASE WHEN x > 5 THEN 1 WHEN x <= 5 THEN 2 WHEN x IS NULL THEN 3 ELSE 4 END"
    assert not math.nan > 5 and not math.nan <= 5
    assert _claimed(case, dialect) == set()
    assert duckdb.connect().execute(f"SELECT {case} FROM (SELECT 'NaN'::DOUBLE AS x)").fetchall() == [(1,)]
    assert _claimed(case, "duckdb") == {"ELSE"}
    (parsed,) = rules_from_sql(case, dialect=dialect, schema=Schema([Feature("x", Kind.INTEGER)]))
    assert "TR104" in [found.code for found in case_findings(parsed, review(parsed))]


@pytest.mark.parametrize(
    ("first", "other", "type"),
    [
        ("1", "01", "INTEGER"), ("1.0", "1", "DECIMAL(5, 2)"), ("2.0", "2", "INTEGER"), ("t", "true", "BOOLEAN"),
        ("1 day", "24 hours", "INTERVAL"),
        ("2020-01-01", "2020-1-1", "DATE"), ("1", "true", "BOOLEAN"),
    ],
)  # fmt: skip
def test_texts_that_are_one_value_in_some_type(first: str, other: str, type: str) -> None:
    """DuckDB converts the text to the type of the column, and answers 'c' in the second WHEN."""
    case = f"CASE WHEN x <> '{first}' THEN 'a' WHEN x = '{other}' AND x IS NULL THEN 'b' ELSE 'c' END"
    asked = f"SELECT {case} FROM (SELECT '{other}'::{type} AS x)"
    assert duckdb.connect().execute(asked).fetchall() == [("c",)]
    for dialect in ("duckdb", "postgres", None):
        assert _claimed(f"CASE WHEN x <> '{first}' THEN 1 WHEN x = '{other}' THEN 2 END", dialect) == set()


def test_a_month_in_words_is_a_day() -> None:
    """Postgres takes 'January 1, 2020' for 2020-01-01 in a column of days."""
    assert _claimed("CASE WHEN d <> '2020-01-01' THEN 1 WHEN d = 'January 1, 2020' THEN 2 END", "postgres") == set()


@pytest.mark.parametrize("dialect", [None, "postgres", "duckdb", "snowflake"])
def test_words_of_other_case_are_other_texts(dialect: str | None) -> None:
    """'US' is not 'us' where texts are compared code point by code point, so that the second WHEN is dead."""
    assert _claimed("CASE WHEN x <> 'US' THEN 1 WHEN x = 'us' THEN 2 END", dialect) == {"WHEN 2"}


@pytest.mark.parametrize("text", ["${a}", "$(a)", "%(a)s", "{a}", "<%= a %>"])
def test_a_placeholder_may_be_any_text(text: str) -> None:
    """What a template puts there may be equal to another text; it is equal to itself."""
    assert _claimed(f"CASE WHEN x <> '{text}' THEN 1 WHEN x = 'b' THEN 2 END") == set()
    assert _claimed(f"CASE WHEN y = 1 THEN 0 WHEN '{text}' = 'b' THEN 1 WHEN y = 2 THEN 2 END") == set()
    assert _claimed(f"CASE WHEN x = '{text}' THEN 1 WHEN x = '{text}' THEN 2 END") == {"WHEN 2"}


def test_long_texts_are_compared_in_bounded_time() -> None:
    """Texts that are nearly intervals, numbers or addresses take no longer than others."""
    for text in ("1" * 5000 + "!", "1 " * 5000 + "!", "p" + "1d" * 5000 + "!", "1." * 5000 + "!", "a" * 5000):
        assert _claimed(f"CASE WHEN x <> '{text}' THEN 1 WHEN x = 'b' THEN 2 END") == {"WHEN 2"}


def test_blanks_at_the_end_may_mean_nothing() -> None:
    """So it is in Redshift, and of CHAR(n) in Postgres."""
    assert _claimed("CASE WHEN x <> 'a' THEN 1 WHEN x = 'a ' THEN 2 END", "redshift") == set()


@pytest.mark.parametrize("dialect", ["mysql", "tsql"])
def test_a_nested_case_asks_with_the_case_around_it(dialect: str) -> None:
    """Where 'a' is 'A' both hold, one inside the other."""
    case = "CASE WHEN x = 'a' THEN CASE WHEN x = 'A' THEN 1 ELSE 2 END ELSE 3 END"
    assert _claimed(case, dialect) == set()


def test_numbers_that_are_one_double_are_two_decimals() -> None:
    """DuckDB tells the numbers apart in a column of DECIMAL, and so does Postgres."""
    case = "CASE WHEN x < 0.1 THEN 1 WHEN x < 0.10000000000000001 THEN 2 END"
    asked = f"SELECT {case} FROM (SELECT 0.1::DECIMAL(20, 18) AS x)"
    assert duckdb.connect().execute(asked).fetchall() == [(2,)]
    assert _claimed(case, "duckdb") == _claimed(case, "postgres") == set()


def test_a_float_of_32_bits_takes_near_fractions_for_one() -> None:
    """DuckDB compares a REAL with 0.1 and with 0.10000000149 as floats of 32 bits, which are equal."""
    case = "CASE WHEN x <> 0.10000000149 THEN 1 WHEN x = 0.1 THEN 2 END"
    assert duckdb.connect().execute(f"SELECT {case} FROM (SELECT 0.1::REAL AS x)").fetchall() == [(2,)]
    assert _claimed(case, "duckdb") == _claimed(case) == set()
    assert _claimed("CASE WHEN x <> 20240101 THEN 1 WHEN x = 20240102 THEN 2 END") == {"WHEN 2"}
    assert _claimed("CASE WHEN x <> 0.1 THEN 1 WHEN x = 0.11 THEN 2 END") == {"WHEN 2"}


@pytest.mark.parametrize("dialect", ["bigquery", "clickhouse", "trino"])
def test_nan_may_reach_a_when_where_no_comparison_with_it_is_true(dialect: str) -> None:
    """NaN is not NULL, and no comparison with it is true; a comparison below another one is false of it in any case."""
    ladder = "CASE WHEN x > 5 THEN 1 WHEN x <= 5 THEN 2"
    assert _claimed(f"{ladder} WHEN x IS NOT NULL THEN 3 END", dialect) == set()
    assert _claimed(f"{ladder} WHEN NOT x > 5 THEN 3 END", dialect) == set()
    assert _claimed("CASE WHEN NOT x > 5 AND NOT x <= 5 AND x IS NOT NULL THEN 1 END", dialect) == set()
    assert _claimed("CASE WHEN z = 1 AND (x > 5 OR x <= 5 OR x IS NULL) THEN 1 WHEN z = 1 THEN 2 END", dialect) == set()
    assert _claimed(f"{ladder} WHEN x <= 4 THEN 3 END", dialect) == {"WHEN 3"}
    assert _claimed(f"{ladder} WHEN NOT x <> 4 THEN 3 END", dialect) == {"WHEN 3"}
    assert _claimed("CASE WHEN NOT x > 5 THEN 1 WHEN NOT x > 5 AND y = 1 THEN 2 END", dialect) == {"WHEN 2"}
    assert _claimed("CASE WHEN x <> 5 AND NOT x <> 5 THEN 1 WHEN z IS NOT NULL THEN FALSE END", dialect) == {"WHEN 1"}
