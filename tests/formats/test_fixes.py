"""Fixes of SQL: branches that never decide are removed, and no row gets another answer or another type."""

from random import Random

import pytest

from engines import opened
from random_sql import KINDS, Drawn, some_rows, stored
from treerules import Schema
from treerules.formats import rules_from_sql
from treerules.formats.sql.fixes import Fix, fixed_sql
from treerules.proof.review import review


@pytest.mark.parametrize(
    ("dialect", "n"), [("duckdb", 20), ("sqlite", 20), pytest.param("postgres", 40, marks=pytest.mark.engine)]
)
def test_a_fixed_case_answers_as_before(dialect: str, n: int) -> None:
    """On the engine the two agree of each row, NaN too; no WHEN of a fixed CASE could be removed again."""
    engine, random = opened(dialect), Random(f"{dialect} removed")
    drawn, rows = Drawn(random, dialect), some_rows(random, 10)
    rows += [{**row, "x": float("nan")} for row in rows[:20] if dialect != "sqlite"]
    cases = [drawn.case(0) for _ in range(3 * n)]
    fixed = [fixed_sql(f"SELECT {case} FROM t", dialect=dialect, schema=KINDS) for case in cases]
    pairs = [(case, other.text[7:-7]) for case, other in zip(cases, fixed, strict=True) if other.fixes]
    assert len(pairs) > n / 8
    queries = [f"SELECT rid, {case}, {other} FROM {engine.table} AS t" for case, other in pairs]
    for pair, answers in zip(pairs, engine.ask(stored(rows), queries), strict=True):
        assert all(given == again for given, again in answers), pair
    for _, other in pairs[:10]:
        assert not fixed_sql(f"SELECT {other} FROM t", dialect=dialect, schema=KINDS).fixes, other


def test_what_is_removed_is_what_the_check_names() -> None:
    """The text around a branch stays as it is, to the character; a comment behind the branch goes with it."""
    text = (
        "-- bands\n"
        "SELECT id,\n"
        "  CASE\n"
        "    WHEN age < 18 THEN 'minor'   -- the law\n"
        "    WHEN age < 10 THEN 'child'   -- never\n"
        "    WHEN age >= 18 THEN 'adult'\n"
        "    when age is null THEN 'unknown'\n"
        "  END AS band\n"
        "FROM people;\n"
    )
    fixed = fixed_sql(text)
    assert fixed.text == text.replace("    WHEN age < 10 THEN 'child'   -- never\n", "").replace(
        "when age is null THEN", "else"
    )
    assert fixed.fixes == (Fix(5, "WHEN 2", ""), Fix(7, "WHEN 4", "ELSE"))
    assert fixed_sql(text.replace("\n", "\r\n")).text == fixed.text.replace("\n", "\r\n")
    (part,) = rules_from_sql(fixed.text)
    assert review(part)


@pytest.mark.parametrize(
    "case",
    [
        "CASE WHEN a > 5 THEN 1 WHEN a > 9 THEN 2.5 ELSE 3 END",  # a DECIMAL would become an INTEGER
        "CASE WHEN a > 5 THEN 1 WHEN a > 9 THEN 3000000000 ELSE 3 END",  # and a BIGINT
        "CASE WHEN a > 5 THEN 1.5 WHEN a > 9 THEN 2.25 ELSE 3.5 END",  # and one of two digits one of one
        "CASE WHEN a > 5 THEN b WHEN a > 9 THEN c ELSE d END",
        "CASE WHEN a > 5 THEN NULL WHEN a > 9 THEN 'x' ELSE NULL END",  # nothing else says that it is text
        "CASE WHEN a > 5 THEN 1 WHEN a > 9 AND a = 12 AND CAST(b AS DATE) = DATE '2020-01-01' THEN 2 ELSE 3 END",
        "CASE WHEN a > 5 AND a < 3 THEN 1 ELSE 3 END",  # its only WHEN
        "CASE WHEN a > 5 THEN 1 WHEN a <= 5 THEN 2 END",  # NULL takes none
        "CASE WHEN a > 5 THEN 1 WHEN a <= 5 OR a IS NULL /* the rest */ THEN 2 END",
        "CASE WHEN a IS NULL THEN 1 WHEN a > 0 THEN CASE WHEN b > 1 THEN 1 WHEN b > 2 THEN 3 END ELSE 5 END",
    ],
)
def test_a_branch_stays_where_removing_it_could_change_more(case: str) -> None:
    """A type, an error, a comment, or the last WHEN."""
    assert fixed_sql(f"SELECT {case} FROM t").text == f"SELECT {case} FROM t"


def test_nan_is_not_lost_where_it_compares_with_nothing() -> None:
    """BigQuery takes no WHEN for NaN here, and ELSE would; a column of integers has none."""
    query = "SELECT CASE WHEN a > 5 THEN 1 WHEN a <= 5 OR a IS NULL THEN 2 END FROM t"
    assert not fixed_sql(query, dialect="bigquery").fixes
    declared = Schema([KINDS.feature("n")])
    assert fixed_sql(query.replace("a ", "n "), dialect="bigquery", schema=declared).fixes


def test_only_branches_that_are_wanted_change() -> None:
    """As where a comment says that a finding is to be ignored."""
    query = "SELECT CASE WHEN a > 5 THEN 1 WHEN a > 9 THEN 2 WHEN a > 7 THEN 3 ELSE 4 END FROM t"
    fixed = fixed_sql(query, wanted=lambda _, branch: branch != "WHEN 2")
    assert [fix.branch for fix in fixed.fixes] == ["WHEN 3"]


def test_branches_beside_expressions_are_removed() -> None:
    """lower(b) is a column that nobody understands, but the branch that goes is one of plain comparisons."""
    query = "SELECT CASE WHEN a > 5 THEN 1 WHEN lower(b) = 'x' THEN 2 WHEN a > 9 THEN 3 ELSE 4 END FROM t"
    assert fixed_sql(query).text == query.replace(" WHEN a > 9 THEN 3", "")
    other = "SELECT CASE WHEN a > 5 THEN 1 WHEN a > 9 AND lower(b) = 'x' THEN 2 ELSE 4 END FROM t"
    assert fixed_sql(other).text == other
    jinja = "SELECT CASE WHEN a > {{ n }} THEN 1 WHEN a > {{ n }} THEN 2 ELSE 4 END FROM {{ ref('t') }}"
    assert fixed_sql(jinja).text == jinja


@pytest.mark.parametrize("dialect", ["tsql", "mysql", "mariadb"])
def test_the_longest_text_stays_where_the_type_has_its_length(dialect: str) -> None:
    """SQL Server gives a CASE the type VARCHAR(n) of its longest literal (Microsoft's table of result types)."""
    query = "SELECT CASE WHEN a > 5 THEN 'low' WHEN a > 9 THEN 'very high' ELSE 'none' END FROM t"
    assert fixed_sql(query, dialect=dialect).text == query
    for shorter in ("'mid'", "'none'"):
        removed = fixed_sql(query.replace("'very high'", shorter), dialect=dialect).text
        assert removed == "SELECT CASE WHEN a > 5 THEN 'low' ELSE 'none' END FROM t"
    doubled = query.replace("'very high'", "'abcd'").replace("'none'", "'it''s'").replace("'low'", "'a'")
    assert fixed_sql(doubled.replace("abcd", "abcde"), dialect=dialect).text == doubled.replace("abcd", "abcde")
    assert fixed_sql(query, dialect="duckdb").fixes, "text has no length there"


def test_a_comment_on_a_line_of_its_own_stays() -> None:
    """It may be about the next WHEN; the comment on the line of the WHEN that goes is about that one."""
    kept = "SELECT CASE\n  WHEN a > 5 THEN 1\n"
    rest = "  -- the others\n  /* all of them */\n  WHEN a > 1 THEN 3\n  ELSE 4\nEND FROM t\n"
    gone = "  WHEN a > 9 THEN 2 -- never\n"
    assert fixed_sql(kept + gone + rest).text == kept + rest


def test_a_longer_prefix_behind_a_shorter_one_is_removed() -> None:
    """The texts that it takes begin with the shorter one; the CASE without it answers alike, and has fewer prefixes."""
    text = "SELECT CASE WHEN x LIKE 'ab%' THEN 1 WHEN x LIKE 'abc%' THEN 2 WHEN x LIKE 'a%' THEN 3 END"
    assert fixed_sql(text, dialect="duckdb").text == text.replace(" WHEN x LIKE 'abc%' THEN 2", "")
    literal = "SELECT CASE WHEN x LIKE 'ab%' THEN 1 WHEN x = 'abc' THEN 2 ELSE 0 END"
    assert fixed_sql(literal, dialect="duckdb").text == literal.replace(" WHEN x = 'abc' THEN 2", "")
