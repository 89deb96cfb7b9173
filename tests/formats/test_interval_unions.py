"""Rules of several intervals: rule text holds them, decision tables and DMN refuse them by the rule's number."""

import pytest
from hypothesis import given

from treerules import Condition, Feature, Interval, Kind, Members, Schema, Tree, compile_rules, read_rules, to_dmn
from treerules.data.domain import next_value
from treerules.errors import ParseError, UnsupportedError
from treerules.formats import decision_table_text, rules_from_sql, rules_from_text, rules_to_text
from union_trees import GOAL, rows_at_ends, union_trees, zero_is_missing

X = Feature("x", Kind.NUMBER)
SCHEMA = Schema([X, Feature("n", Kind.INTEGER), Feature("c", Kind.CATEGORY, ["a", "b"])], GOAL)
BELOW_5 = next_value(X, 5.0, up=False)


def read_condition(text: str) -> Condition | None:
    """Return the condition on the first column of a rule with these conditions; None without one."""
    (rule,) = rules_from_text(f"IF {text} THEN 1", schema=SCHEMA).rules.rules
    return rule.conditions[0][1] if rule.conditions else None


@given(union_trees())
def test_what_is_written_as_rule_text_reads_back_equal(tree: Tree) -> None:
    """Numbers, conditions and predictions; the rules that are read answer as the tree."""
    rules = compile_rules(tree)
    written = rules_to_text(rules)
    read = rules_from_text(written).rules
    assert [(rule.number, rule.conditions, rule.value) for rule in read.rules] == [
        (rule.number, rule.conditions, rule.value) for rule in rules.rules
    ]
    assert rules_to_text(read) == written
    for row in rows_at_ends(tree)[:20]:
        assert [rule.number for rule in read.firing(row)] == [rule.number for rule in rules.firing(row)]


@pytest.mark.parametrize(
    ("text", "intervals"),
    [
        ("x <= 1 or x > 5", [Interval(None, 1.0), Interval(5.0, None)]),
        ("(x <= 1 or x > 5)", [Interval(None, 1.0), Interval(5.0, None)]),
        ("(x > 5 or 1 >= x)", [Interval(None, 1.0), Interval(5.0, None)]),
        ("x <= 1 or 0 < x <= 3 or x in (4..5]", [Interval(None, 3.0), Interval(4.0, 5.0)]),
        ("x != 5", [Interval(None, BELOW_5), Interval(5.0, None)]),
        ("x < 5 or x > 5", [Interval(None, BELOW_5), Interval(5.0, None)]),
        ("n in {3, 4, 7}", [Interval(2, 4), Interval(6, 7)]),
        ("n = 3 or n = 7", [Interval(2, 3), Interval(6, 7)]),
        ("n not in {3}", [Interval(None, 2), Interval(3, None)]),
        ("x <= 1 or x > 5 AND x <= 9", [Interval(None, 1.0), Interval(5.0, 9.0)]),
        ("x <= 1 or x > 1", [Interval()]),
    ],
)
def test_or_joins_values_of_one_column(text: str, intervals: list[Interval]) -> None:
    """In any order and spelling; AND binds conditions, OR the values of one; `missing` and `x is missing` add it."""
    known = intervals[0] if len(intervals) == 1 else tuple(intervals)
    assert read_condition(text) == Condition(known)
    if " AND " not in text:
        inside = text.removeprefix("(").removesuffix(")")
        column = inside.split()[0] if inside[0] in "xn" else "x"
        for added in ("missing", f"{column} is missing"):
            assert read_condition(f"({inside} or {added})") == Condition(known, missing=True)


def test_or_joins_categories_too() -> None:
    """Of one column: the same as a set."""
    assert read_condition("c = a or c = b") == Condition(Members(["a", "b"]))
    assert read_condition("c = a or c is unseen or missing") == Condition(Members(["b"], True), True, True)


@pytest.mark.parametrize("text", ["x <= 1 or n > 5", "x <= 1 or n is missing", "x <= 1 or n > 5 or missing"])
def test_what_follows_or_is_about_the_same_column(text: str) -> None:
    """Another column is a case of its own."""
    with pytest.raises(ParseError, match="what follows OR is about 'n'; write a rule of its own"):
        read_condition(text)


@pytest.mark.parametrize("write", [decision_table_text, to_dmn], ids=["table", "dmn"])
def test_tables_and_dmn_refuse_several_intervals(write: object) -> None:
    """The error names the rule and the column, and what to do."""
    with pytest.raises(UnsupportedError) as caught:
        write(zero_is_missing())  # type: ignore[operator]
    said = str(caught.value)
    assert "rule 1 takes 2 intervals of column 'x', which would be read as 2 rules" in said
    assert "give each interval a rule of its own, or write rule text" in said


def test_sql_reads_a_rule_for_each_interval() -> None:
    """As before: a WHEN with OR is several rules, so findings name the part that matters."""
    (parsed,) = rules_from_sql("CASE WHEN x <= 1 OR x > 5 THEN 'a' ELSE 'b' END")
    assert all(len(held.intervals) < 2 for rule in parsed.rules.rules for _, held in rule.conditions)


def test_a_file_of_rule_text_is_read(tmp_path: object) -> None:
    """By its ending, as other rules."""
    path = tmp_path / "a.rules"  # type: ignore[operator]
    path.write_text("IF x <= 1 or x > 5 THEN a\nIF 1 < x <= 5 THEN b\nIF x is missing THEN b\n", encoding="utf-8")
    (parsed,) = read_rules(path)
    assert [parsed.rules.firing({"x": value})[0].value for value in (1.0, 5.0, 5.1, None)] == ["a", "b", "a", "b"]
