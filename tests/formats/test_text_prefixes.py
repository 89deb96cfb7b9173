"""LIKE with a prefix is understood: what is said of it is what engines answer."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from random import Random
from typing import Any

import pytest

from duckdb_session import session
from engines import opened, postgres
from treerules import review, to_sql
from treerules.errors import DataError
from treerules.formats import rules_from_sql
from treerules.proof.diff_parts import diff_parts
from treerules.rules.parsed import ParsedRules

#: Texts of all categories that the prefixes and literals below make, and NULL; the rows of gaps have the last ones.
_TEXTS = (
    None, "", "A", "Ab", "a", "ab", "ab%", "aba", "abb", "abba", "abc", "ac", "b", "ba", "bab", "bb", "c", "unseen",
    "é", "a%", "abb%", "b%", "ba%",
)  # fmt: skip
_PREFIXES = ("a", "ab", "abb", "b", "ba")
_LITERALS = ("a", "ab", "abc", "ba", "c")


def _condition(random: Random, column: str, depth: int = 2) -> str:
    if depth and random.random() < 0.35:
        first, second = (_condition(random, column, depth - 1) for _ in range(2))
        form = random.choice(["({} AND {})", "({} OR {})", "NOT ({} AND {})"])
        return form.format(first, second)
    literal = random.choice(_LITERALS)
    forms = [f"= '{literal}'", f"<> '{literal}'", f"IN ('{literal}', 'b')", "IS NULL", "IS NOT NULL"]
    if random.random() < 0.05:
        return random.choice([f"{column} LIKE '%'", f"{column} NOT LIKE '%'"])
    prefixes = [f"{word} '{prefix}%'" for word in ("LIKE", "NOT LIKE") for prefix in random.sample(_PREFIXES, 3)]
    return f"{column} {random.choice([*forms, *prefixes])}"


def _case(random: Random, column: str) -> str:
    whens = [f"WHEN {_condition(random, column)} THEN {number}" for number in range(1, random.randint(3, 6))]
    return f"CASE {' '.join(whens)} END"


def _answers(rows: list[tuple[Any, ...]]) -> list[dict[str | None, int | None]]:
    """Return the answers of each CASE by the text, of rows that begin with a text."""
    return [{row[0]: row[number] for row in rows} for number in range(1, len(rows[0]))]


def _claims(parsed: ParsedRules) -> tuple[set[int], bool | None, set[str | None]]:
    """Return the answers that never come, whether one comes for each text, and texts for which none does."""
    found = review(parsed)
    covered = {rule.number for rule in found.subsumed()}
    answers = {int(rule.value) for rule in parsed.rules.rules}
    deciding = {int(rule.value) for rule in parsed.rules.rules if rule.number not in covered}
    gaps = {next(iter(gap.row.values()), None) for gap in found.verdict.gaps if gap.row is not None}
    return answers - deciding, found.verdict.complete, gaps


def _on_duckdb(query: str) -> list[tuple[Any, ...]]:
    with session() as connection:
        connection.execute("CREATE OR REPLACE TABLE t (x VARCHAR)")
        connection.executemany("INSERT INTO t VALUES (?)", [(text,) for text in _TEXTS])
        return connection.execute(query).fetchall()


def _on_sqlite(query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE t (x TEXT)")
        connection.executemany("INSERT INTO t VALUES (?)", [(text,) for text in _TEXTS])
        return connection.execute(query).fetchall()


def _on_postgres(query: str) -> list[tuple[Any, ...]]:
    opened("postgres")  # says where there is no server
    values = ", ".join("(NULL)" if text is None else f"('{text}')" for text in _TEXTS)
    return postgres.connection().execute(f"WITH t(x) AS (VALUES {values}) {query}").fetchall()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("dialect", "ask"), [("duckdb", _on_duckdb), ("sqlite", _on_sqlite), ("postgres", _on_postgres)]
)
def test_engines_answer_as_the_rules_say(dialect: str, ask: Callable[[str], list[tuple[Any, ...]]], seed: int) -> None:
    """Of drawn CASEs over prefixes, the WHENs that never decide, and the gaps, are those that the engine shows."""
    random = Random(seed)
    cases = [_case(random, "x") for _ in range(25)]
    rows = ask(f"SELECT x, {', '.join(cases)} FROM t")
    for case, answers in zip(cases, _answers(rows), strict=True):
        (parsed,) = rules_from_sql(case, dialect=dialect)
        assert not parsed.unparsed and not parsed.opaque, case
        never, complete, gaps = _claims(parsed)
        assert never == {int(rule.value) for rule in parsed.rules.rules} - set(answers.values()), case
        assert complete is (None not in answers.values()), case
        assert all(answers[text] is None for text in gaps), case


def _one(*conditions: str, dialect: str | None = None) -> ParsedRules:
    whens = " ".join(f"WHEN {condition} THEN {number}" for number, condition in enumerate(conditions, 1))
    return rules_from_sql(f"CASE {whens} ELSE 0 END", dialect=dialect)[0]


def _dead(parsed: ParsedRules) -> list[str]:
    return [parsed.name(rule.number) for rule in review(parsed).subsumed()]


@pytest.mark.parametrize("dialect", [None, "sqlite", "snowflake", "bigquery", "redshift", "databricks", "oracle"])
def test_what_begins_with_a_longer_prefix_begins_with_a_shorter_one(dialect: str | None) -> None:
    """A WHEN with a longer prefix, or with a text that begins with it, never decides behind one with a shorter one."""
    first = "url LIKE '/blog%'"
    assert _dead(_one(first, "url LIKE '/blog/post%'", "url = '/blog/x'", "url LIKE '/b%'", dialect=dialect)) == [
        "WHEN 2", "WHEN 3",
    ]  # fmt: skip
    assert _dead(_one("lower(url) LIKE 'a%'", "lower(url) LIKE 'ab%'", dialect=dialect)) == ["WHEN 2"]
    assert _dead(_one(first, f"NOT {first}", "url IS NULL", "z = 1", dialect=dialect)) == ["WHEN 4", "ELSE"]
    assert _dead(_one("城市 LIKE '北%'", "城市 = '北京'", dialect=dialect)) == ["WHEN 2"]
    assert _dead(_one("t.url LIKE 'a%'", "url LIKE 'ab%'", dialect=dialect)) == []


@pytest.mark.parametrize(
    ("first", "second", "dialect"),
    [
        ("x LIKE 'a%'", "x LIKE 'AB%'", None),  # one collation takes a and A for one, another does not
        ("x LIKE 'é%'", "x LIKE 'éa%'", None),
        ("x LIKE 'a%'", "x LIKE 'ab%'", "mysql"),
        ("x LIKE 'a%'", "x LIKE 'ab%'", "tsql"),
        ("x LIKE 'a_%'", "x LIKE 'a_b%'", "postgres"),
        ("x LIKE 'a[b]%'", "x LIKE 'a[b]c%'", None),
        ("x LIKE 'a!%%' ESCAPE '!'", "x LIKE 'a!%b%' ESCAPE '!'", "postgres"),
        (r"x LIKE 'a\b%'", r"x LIKE 'a\bc%'", "postgres"),
        ("x LIKE 'a %'", "x = 'a '", "postgres"),  # blanks at the end of CHAR
        ("x LIKE '1%'", "x = '10'", "snowflake"),  # a number has several texts
        ("x LIKE 'uns%'", "x LIKE 'unset%'", "postgres"),  # "unseen" stands for other texts
        ("x ILIKE 'a%'", "x ILIKE 'ab%'", "postgres"),
        ("x LIKE ANY (ARRAY['a%'])", "x LIKE ANY (ARRAY['ab%'])", "postgres"),
        ("x LIKE 'a%'", "x > 'ab'", "postgres"),
    ],
)
def test_other_patterns_stay_conditions_of_their_own(first: str, second: str, dialect: str | None) -> None:
    """Escapes, other wildcards, loose collations, and texts that may be no texts: nothing is said of the two."""
    assert _dead(_one(first, second, dialect=dialect)) == []


@pytest.mark.parametrize("dialect", ["mysql", "postgres", "tsql", None])
def test_not_like_is_the_negation_of_like(dialect: str | None) -> None:
    """`x NOT LIKE '%a%'` is `NOT x LIKE '%a%'`, with ESCAPE too."""
    for pattern in ("LIKE '%a%'", "LIKE '%a!%' ESCAPE '!'"):
        parsed = _one(f"x NOT {pattern}", f"NOT (x {pattern})", f"x {pattern}", f"x {pattern} IS NULL", dialect=dialect)
        assert "WHEN 2" in _dead(parsed), pattern
    both = _one("x LIKE '%a%' AND x NOT LIKE '%a%'", dialect=dialect)
    assert _dead(both) == ["WHEN 1"]


def test_a_row_of_a_prefix_is_one_that_begins_with_it() -> None:
    """The row of an overlap has a text that begins with the prefix."""
    parsed = _one("x LIKE 'abc%' AND y = 1", "x LIKE 'ab%' AND y < 5", dialect="postgres")
    rows = [pair.row for pair in review(parsed).overlaps() if pair.row]
    assert rows and all(str(row["x"]).startswith("abc") for row in rows if row["y"] == 1)


@pytest.mark.parametrize(
    ("first", "second", "dialect"),
    [
        ("starts_with(x, 'a')", "x LIKE 'ab%'", "bigquery"),
        ("x LIKE 'a%'", "STARTSWITH(x, 'ab')", "snowflake"),
        ("starts_with(x, 'a')", "starts_with( x, 'ab') = TRUE", "duckdb"),
    ],
)
def test_starts_with_is_like_with_a_prefix(first: str, second: str, dialect: str) -> None:
    """The second WHEN never decides."""
    assert _dead(_one(first, second, dialect=dialect)) == ["WHEN 2"]


def test_rules_of_prefixes_predict_nothing() -> None:
    """A row has texts that are no category: what predicts from rows refuses such rules."""
    with pytest.raises(DataError, match="known by what they begin with"):
        to_sql(_one("x LIKE 'a%'", dialect="postgres"), dialect="postgres")


def test_a_shorter_prefix_in_the_new_file_is_a_difference() -> None:
    """`LIKE 'ab%'` becomes `LIKE 'a%'`: texts that begin with a, but not with ab, get another answer, and no others."""
    old = rules_from_sql("SELECT CASE WHEN x LIKE 'ab%' THEN 1 WHEN x = 'z' THEN 2 END AS c", dialect="postgres")
    new = rules_from_sql("SELECT CASE WHEN x LIKE 'a%' THEN 1 WHEN x LIKE 'z%' THEN 2 END AS c", dialect="postgres")
    (part,) = diff_parts(old, new)
    assert part.diff is not None and part.change == "different"
    assert {str(region.row["x"]) for region in part.diff.disagreements} == {"a%", "z%"}
    same = rules_from_sql("SELECT CASE WHEN x = 'z' THEN 2 WHEN x LIKE 'ab%' THEN 1 END AS c", dialect="postgres")
    assert diff_parts(old, same)[0].change == "equal"
