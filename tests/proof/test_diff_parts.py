"""Differences of files of several CASE expressions: which are compared, and what is said of each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules import render
from treerules.formats import rules_from_sql
from treerules.proof.diff_parts import FileDiffs, PartDiff, diff_parts

#: CASE expressions with their names.
CASES = {
    "band": "CASE WHEN age < 18 THEN 'child' WHEN age < 65 THEN 'adult' ELSE 'senior' END",
    "flag": "CASE WHEN status = 'a' THEN 1 ELSE 0 END",
    "code": "CASE status WHEN 'a' THEN 1 WHEN 'b' THEN 2 END",
}


def query(*pairs: tuple[str, str]) -> str:
    """Return a query with these columns: name and CASE."""
    return f"SELECT {', '.join(f'{text} AS {name}' for name, text in pairs)} FROM t"


def changes(old: str, new: str) -> dict[str, str]:
    """Return what became of each CASE, by name."""
    return {part.name: part.change for part in diff_parts(rules_from_sql(old), rules_from_sql(new))}


@given(st.permutations(sorted(CASES)))
def test_the_order_of_cases_does_not_matter(names: list[str]) -> None:
    """Each CASE is compared with the one of its name, and the result has the order of the new file."""
    old, new = query(*CASES.items()), query(*((name, CASES[name]) for name in names))
    assert list(changes(old, new).items()) == [(name, "same") for name in names]


@given(st.permutations(sorted(CASES.values())))
def test_cases_of_one_name_are_paired_by_what_they_say(texts: list[str]) -> None:
    """Without a name all CASEs have the name of the target that is taken for them."""
    old = rules_from_sql("; ".join(f"SELECT max({text}) FROM t" for text in CASES.values()))
    new = rules_from_sql("; ".join(f"SELECT max({text}) FROM t" for text in texts))
    assert [part.change for part in diff_parts(old, new)] == ["same"] * len(CASES)


def test_each_change_is_told() -> None:
    """A bound that moves, the same in other words, one more, one less, one that is not comparable."""
    old = query(
        ("band", CASES["band"]), ("flag", CASES["flag"]), ("gone", CASES["code"]), ("kind", "CASE a WHEN 1 THEN 2 END")
    )
    new = query(
        ("band", CASES["band"].replace("< 65", "<= 65")),
        ("flag", "CASE WHEN status <> 'a' OR status IS NULL THEN 0 ELSE 1 END"),
        ("kind", "CASE a WHEN 1 THEN 'x' END"),
        ("more", CASES["code"]),
    )
    assert changes(old, new) == {
        "band": "different", "flag": "equal", "kind": "not compared", "more": "added", "gone": "removed",
    }  # fmt: skip
    (band, *_) = diff_parts(rules_from_sql(old), rules_from_sql(new))
    assert band.diff is not None
    assert [region.row for region in band.diff.disagreements] == [{"age": 65}]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_report_counts_all_parts_and_shows_those_that_changed(lang: str) -> None:
    """In text, as a table, and as JSON."""
    old, new = query(*CASES.items()), query(*CASES.items()).replace("< 65", "<= 65")
    diffs = FileDiffs([("m.sql", diff_parts(rules_from_sql(old), rules_from_sql(new)))])
    text = render(diffs, format="text", lang=lang)
    assert diffs.equal is False
    assert "m.sql:1 band" in text
    assert "code" not in text
    assert [line.split(",")[2] for line in render(diffs, format="csv", lang=lang).splitlines()[1:]] == ["band"]
    assert render(diffs, format="json", lang=lang).count('"treerules.diff"') == 1


def test_parts_that_were_not_compared_are_not_equal() -> None:
    """A file that was not read leaves the question open."""
    assert FileDiffs([("a.sql", [PartDiff("", problem="it cannot be read")])]).equal is None
    assert FileDiffs([("a.sql", [])]).equal is True


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        ("lower(x) = 'a'", "NOT lower( X ) <> 'a'", "equal"),
        ("a < b", "b > a", "equal"),
        ("a < b AND y > 5", "NOT (b <= a) AND y > 5", "possibly different"),  # NULL: another column
        ("a = b", "b = a", "equal"),
        ("a < b", "b < a", "possibly different"),
        ("a < b AND y > 5", "y > 5 AND a < b", "equal"),
        ("lower(x) = 'a'", "lower(x) = 'b'", "possibly different"),
        ("lower(x) = 'a'", "upper(x) = 'A'", "possibly different"),
        ("lower(x) = 'a' OR y > 5", "lower(x) = 'a' OR y > 6", "possibly different"),
        ("y > 5", "y > 6 OR (y > 5 AND lower(x) = 'a')", "possibly different"),
        ("y > 5", "y > 6", "different"),
        ("random() < 0.5", "NOT random() >= 0.5", "not compared"),
        ("f(x) < 0.5", "NOT f(x) >= 0.5", "not compared"),
    ],
)
def test_expressions_are_columns(old: str, new: str, change: str) -> None:
    """Equal text is an equal value in both files; what needs certain values of expressions is only possible."""
    texts = [f"SELECT CASE WHEN {condition} THEN 1 ELSE 0 END AS k FROM t" for condition in (old, new)]
    assert list(changes(*texts).values()) == [change]
    assert list(changes(texts[0], texts[0]).values()) == ["same"]


@pytest.mark.parametrize(
    ("old", "new", "dialect"),
    [
        ("x LIKE 'ab%'", "x = 'ab%'", "duckdb"),  # DuckDB: 'abc' is like the one, and not equal to the other
        ("x LIKE 'ab%'", "x IN ('ab%', 'z')", None),
        ("x LIKE 'ab%'", "x LIKE 'AB%'", "sqlite"),  # SQLite answers alike
        ("x LIKE 'ab%'", "x = 'ABC'", None),
        ("x LIKE 'a%'", "x = '${name}'", "postgres"),
    ],
)
def test_texts_that_are_not_known_to_begin_alike_are_not_compared(old: str, new: str, dialect: str | None) -> None:
    """Neither "equal" nor "different" is said of a prefix and a literal that may be, or begin with, each other."""
    one, other = (rules_from_sql(f"SELECT CASE WHEN {each} THEN 1 END AS y", dialect=dialect) for each in (old, new))
    (part,) = diff_parts(one, other)
    assert part.change == "not compared" and "begin alike" in part.problem
