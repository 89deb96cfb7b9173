"""What is claimed of a column whose type is not known holds for each type that it may have: engines answer."""

import sqlite3

import duckdb
import pytest

from treerules import review
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
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (x TEXT COLLATE NOCASE)")
    connection.execute("INSERT INTO t VALUES ('a')")
    written = case.replace("(x = 'A') IS FALSE", "(x = 'A') IS 0")
    assert connection.execute(f"SELECT {written} FROM t").fetchall() == [("c",)]
    assert branch not in _claimed(case, dialect)


def test_texts_that_are_only_asked_for_are_read() -> None:
    """`x = 'a'` before `x = 'A'` claims nothing that a collation refutes, so that it is read, and repeats are found."""
    case = "CASE WHEN x = 'a' THEN 1 WHEN x = 'A' THEN 2 WHEN x = 'a' THEN 3 END"
    assert _claimed(case, "mysql") == {"WHEN 3"}
