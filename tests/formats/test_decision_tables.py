"""Decision tables in CSV and Markdown: what cells mean, exact round trips, errors that say where."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rule_equality import assert_equal_rules
from strategies_random import a_value, some_rows, trees
from treerules import Condition, Feature, Interval, Kind, Members, Schema, Tree, compile_rules
from treerules.data.domain import ColumnDomain
from treerules.errors import ParseError, TreeRulesError
from treerules.formats.tables.cell_texts import condition_cell
from treerules.formats.tables.table_reader import rules_from_csv, rules_from_markdown
from treerules.formats.tables.table_writer import decision_table_text
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees import find_leaf
from union_trees import in_thresholds

READERS = {"csv": rules_from_csv, "md": rules_from_markdown}
X = Feature("x", Kind.NUMBER)
COLOUR = Feature("c", Kind.CATEGORY, ("blue", "green", "red"))
WORLD = Schema([X, COLOUR, Feature("n", Kind.INTEGER), Feature("size", Kind.ORDINAL, ("S", "M", "L"))],
               Feature("y", Kind.CATEGORY, ("no", "yes")))  # fmt: skip


def asked(cell: str, feature: Feature, schema: Schema | None = WORLD) -> list[Condition]:
    """Return the conditions that a cell of a column becomes, one a rule."""
    quoted = '"' + cell.replace('"', '""') + '"'
    written = rules_from_csv(f"{feature.name},y\n{quoted},yes\n", schema=schema)
    everything = Interval() if feature.is_ordered else Members(feature.categories)
    anything = Condition(everything, True, feature.is_open)
    return [dict(rule.conditions).get(feature.name, anything) for rule in written.rules.rules]


def takes(cell: str, feature: Feature, value: Any) -> bool:
    """Whether a value meets a cell."""
    return any(condition.holds(feature, value) for condition in asked(cell, feature))


@given(trees(max_splits=12).map(in_thresholds), st.sampled_from(sorted(READERS)))
def test_what_is_written_reads_back_equal(tree: Tree, format: str) -> None:
    """The rules of any tree, hostile names and values included, come back from a table with their schema."""
    rules = compile_rules(tree)
    text = decision_table_text(rules, format=format)
    found = READERS[format](text, schema=tree.schema)
    assert isinstance(found.rules, RuleSet)
    assert found.rules.schema == tree.schema
    assert_equal_rules(found.rules, rules)
    as_list = RuleList(tree.schema, reversed(rules.rules))
    again = READERS[format](decision_table_text(as_list, format=format), schema=tree.schema)
    assert isinstance(again.rules, RuleList)
    assert_equal_rules(again.rules, as_list)
    assert text == decision_table_text(rules, format=format)


@given(trees(max_splits=8).map(in_thresholds), st.integers(0, 2**32))
def test_a_table_answers_as_the_tree_does(tree: Tree, seed: int) -> None:
    """A table that was written and read fires one rule a row, the one whose class or mean the tree predicts."""
    read = rules_from_csv(decision_table_text(compile_rules(tree)), schema=tree.schema).rules
    for row in some_rows(Random(seed), tree, 20):
        (fired,) = read.firing(row)
        assert fired.value == find_leaf(tree, row).prediction.value


@given(trees(max_splits=8).map(in_thresholds), st.integers(0, 2**32))
def test_without_a_schema_a_table_means_the_same(tree: Tree, seed: int) -> None:
    """Text and number columns need no schema: what a category is that no cell names makes no difference."""
    kinds = {"text": Kind.CATEGORY, "number": Kind.NUMBER, "boolean": Kind.BOOLEAN, "date": Kind.DATE}
    target = tree.schema.target
    assert target is not None
    if any(kinds.get(f.scalar) is not f.kind for f in tree.schema.features) or target.scalar not in ("text", "boolean"):
        return
    found = rules_from_markdown(decision_table_text(compile_rules(tree), format="md")).rules
    for row in some_rows(Random(seed), tree, 20):
        known = {name: row[name] for name in found.schema.indices}
        try:
            fired = found.firing(known)
        except TreeRulesError:
            return  # a column of which only missing values are asked has no literal that shows its kind
        assert [str(rule.value) for rule in fired] == [str(find_leaf(tree, row).prediction.value)]


@pytest.mark.parametrize(
    ("cell", "inside", "outside"),
    [
        ("-", [5.0, None, float("-inf")], []),
        ("", [5.0, None], []),
        ("<=30", [30.0, float("-inf")], [30.000000000000004, None]),
        ("< 30", [29.999999999999996], [30.0, None]),
        (">30", [30.000000000000004, float("inf")], [30.0, None]),
        ("≥30", [30.0], [29.999999999999996]),
        ("=5", [5.0], [4.999999999999999, None]),
        ("!=5", [4.999999999999999, 5.000000000000001], [5.0, None]),
        ("(30..50]", [50.0], [30.0, 50.00000000000001]),
        ("]30..50[", [30.000000000000004], [30.0, 50.0]),
        ("[30..50)", [30.0], [50.0]),
        ("（30..50】", [50.0], [30.0]),
        ("<=30 or missing", [None, 3.0], [31.0]),
        ("null, > 50", [None, 51.0], [3.0]),
        ("missing", [None], [3.0]),
        ("known", [3.0, float("inf")], [None]),
        ("not(<=30, 40)", [31.0], [30.0, 40.0, None]),
        ("not(missing)", [3.0], [None]),
        (">= -inf", [float("-inf")], [None]),
        ("< -inf", [], [float("-inf"), 3.0, None]),
        ("> inf", [], [float("inf"), None]),
        ("(5..5)", [], [5.0]),
        ("nothing", [], [5.0, None]),
    ],
)
def test_cells_of_numbers(cell: str, inside: list[Any], outside: list[Any]) -> None:
    """Each form of a cell takes its values to the last bit, and missing ones only where it says so."""
    assert [takes(cell, X, value) for value in inside] == [True] * len(inside)
    assert [takes(cell, X, value) for value in outside] == [False] * len(outside)


@pytest.mark.parametrize(
    ("cell", "inside", "outside"),
    [
        ("-", ["red", "mauve", None], []),
        ("red", ["red"], ["blue", "mauve", None]),
        ("红", [], []),
        ("red, blue", ["red", "blue"], ["green", None]),
        ("red、blue", ["red", "blue"], ["green"]),
        ('"red" or “blue”', ["red", "blue"], ["green"]),
        ("not(red, blue)", ["green", "mauve"], ["red", None]),
        ("!=red", ["green", "mauve"], ["red", None]),
        ("known", ["red", "mauve"], [None]),
        ("unseen", ["mauve"], ["red", None]),
        ("green or unseen or missing", ["green", "mauve", None], ["red"]),
    ],
)
def test_cells_of_categories(cell: str, inside: list[Any], outside: list[Any]) -> None:
    """A list takes its own values alone; not(...) takes all other known ones, also those never seen."""
    if cell == "红":
        with pytest.raises(ParseError, match="column 'c' has no category '红'; known: 'blue', 'green', 'red'"):
            asked(cell, COLOUR)
        return
    assert [takes(cell, COLOUR, value) for value in inside] == [True] * len(inside)
    assert [takes(cell, COLOUR, value) for value in outside] == [False] * len(outside)


def test_integers_may_be_compared_with_any_number() -> None:
    """An integer column rounds the ends of a cell inwards, and knows the ends of 64 bits."""
    n = WORLD.feature("n")
    wanted = {"<=30.5": (None, 30), ">=-30.5": (-31, None), "(3..5)": (3, 4), "<1e30": (None, None), ">=3": (2, None),
              "<= inf": (None, None), "[9223372036854775807..1e400]": (2**63 - 2, None)}  # fmt: skip
    for cell, (above, upto) in wanted.items():
        assert asked(cell, n) == [Condition(Interval(above, upto))], cell
    for cell in ("(3..4)", ">1e30", "=3.5", "<-1e400"):
        assert asked(cell, n) == [Condition(None)], cell


def test_ordinals_are_compared_by_their_order() -> None:
    """`<=M` takes the declared values up to M, and no unseen one."""
    size = WORLD.feature("size")
    assert asked("<=M", size) == [Condition(Members(("S", "M")))]
    assert asked("(S..L]", size) == [Condition(Members(("M", "L")))]
    with pytest.raises(ParseError, match="have no order"):
        asked("<=red", COLOUR)


def test_several_intervals_are_several_rules() -> None:
    """Intervals that touch become one; those apart become rules that keep the row's name and line."""
    assert asked("<=5, (5..10], 10", X) == [Condition(Interval(None, 10.0))]
    text = 'rule,x,n,y\n7,"<5, >10 or missing","1, 9",yes\n9,[5..10],-,no\n'
    written = rules_from_csv(text, schema=WORLD)
    assert [rule.number for rule in written.rules.rules] == [7, 10, 11, 12, 9]
    assert [written.name(number) for number in (7, 10, 12, 9)] == ["rule 7", "rule 7", "rule 7", "rule 9"]
    assert written.lines == {7: 2, 10: 2, 11: 2, 12: 2, 9: 3}
    assert [rule.number for rule in written.rules.firing({"x": 11.0, "n": 9})] == [12]
    assert [rule.number for rule in written.rules.firing({"n": 9})] == [10]
    cells = ",".join(['"' + ",".join(map(str, range(0, 40, 2))) + '"'] * 4)
    with pytest.raises(ParseError, match="the row is 160,000 rules"):
        rules_from_csv(f"a,b,c,d,y\n{cells},1\n")


def test_kinds_are_inferred_from_the_cells() -> None:
    """Numbers make numbers, dates dates, true and false booleans, all else text; numbers to predict make a mean."""
    text = 'when,at,ok,code,note,y\n>2024/3/21,2024-03-21 20:21:09Z,true,"""07""",-,1.5\n-,-,-,"""08""",-,2\n'
    schema = rules_from_csv(text).rules.schema
    assert [(f.name, f.scalar) for f in schema.features] == [
        ("when", "date"), ("at", "timestamp_utc"), ("ok", "boolean"), ("code", "text"),
    ]  # fmt: skip
    assert schema.is_regression and schema.feature("code").categories == ("07", "08")
    assert rules_from_csv("x,y\n1,true\n2,false\n").rules.schema.classes == (False, True)
    assert rules_from_csv('x,y\n1,"a, b"\n').rules.schema.classes == ("a, b",)


def test_a_declared_domain_closes_a_column() -> None:
    """A closed column of numbers as categories may be compared, since all its values are known."""
    grade = Feature("grade", Kind.CATEGORY, (1.0, 2.0, 3.0), "number")
    schema, closed = Schema([grade]), {"grade": ColumnDomain(unseen=False)}
    read = rules_from_csv("grade,y\n>1,a\n1,b\n", schema=schema, domain=closed)
    assert read.rules.rules[0].conditions == (("grade", Condition(Members((2.0, 3.0)))),)
    assert read.domain == closed
    with pytest.raises(ParseError, match="have no order"):
        rules_from_csv("grade,y\n>1,a\n", schema=schema)
    with pytest.raises(TreeRulesError, match="no column named 'nope'"):
        rules_from_csv("grade,y\n1,a\n", domain={"nope": ColumnDomain()})


def test_headings() -> None:
    """Numbers, notes, quoted names, a target anywhere; F makes a list."""
    text = '\ufeffF;x;"""#x""";#note;y\r\n3;<=1;a;why not;no\r\n\r\n1;-;-;;yes\r\n'
    written = rules_from_csv(text)
    assert isinstance(written.rules, RuleList)
    assert [rule.number for rule in written.rules.rules] == [3, 1] and written.lines == {3: 2, 1: 4}
    assert list(written.rules.schema.indices) == ["x", "#x"]
    assert rules_from_csv("y,x\nyes,<3\n", schema=WORLD).rules.rules[0].value == "yes"
    for first in ("rule", "U", "UNIQUE"):
        assert isinstance(rules_from_csv(f"{first},x,y\n1,-,a\n").rules, RuleSet)


MARKDOWN = """# Bands

Some words | about bars.

```
| not | this |
|---|---|
```

|F|收入|`a`|y|
|:-:|---:|---|---|
| 1 | ≤30、＞50 | `x|y` | a\\|b |
 2|-|\\*|c
"""


def test_markdown() -> None:
    """The one table of a text is read: escapes, code, bars that are left out, fences passed over."""
    with pytest.raises(ParseError, match="line 12, column 3: the row has 5 cells"):
        rules_from_markdown(MARKDOWN)
    written = rules_from_markdown(MARKDOWN.replace("`x|y`", "`x\\|y`"))
    assert isinstance(written.rules, RuleList) and written.lines == {1: 12, 3: 12, 2: 13}
    assert written.rules.schema.features[1] == Feature("a", Kind.CATEGORY, ("*", "x|y"))
    assert [rule.value for rule in written.rules.rules] == ["a|b", "a|b", "c"]
    with pytest.raises(ParseError, match="line 16, column 1: a second table begins"):
        rules_from_markdown(MARKDOWN.replace("x|y", "x") + "\n\n|a|b|\n|-|-|\n")
    with pytest.raises(ParseError, match="there is no table"):
        rules_from_markdown("only words")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("x,y\n", "the table has no rules"),
        ("x,y\n1,a\n1\n", "line 3, column 1: the row has 1 cell, but the table has 2 columns"),
        ("x,x,y\n1,1,a\n", "line 1, column 3: column 'x' stands twice"),
        ("x,,y\n1,1,a\n", "line 1, column 3: a column has no name"),
        ('x,y\n"<5, >q",a\n', "line 2, column 7: column 'x' mixes numbers and text"),
        ('x,y\n"<5, ",a\n', "line 2, column 5: the cell ends here, where a value belongs"),
        ("x,y\n[5..1],a\n", "line 2, column 1: the interval begins at 5, above its end 1"),
        ("x,y\n<5 >6,a\n", "line 2, column 4: '>' stands here, where a comma, or the end of the cell belongs"),
        ("x,y\nnot 5,a\n", "'not 5' stands where a value should; write not\\(...\\)"),
        ('x,y\n"""abc",a\n', "this quote is not closed"),
        ('x,y\n"a"b,c\n', "line 2, column 1: the row is not CSV"),
        ("x,y\n5,\n", "line 2, column 3: the cell ends here, where a value belongs"),
        ("x,y\n5,inf\n", "line 2, column 3: 'inf' is not a finite number"),
        ("rule,x,y\n1,5,a\n1,6,b\n", "line 3, column 1: rule 1 stands on line 2 already"),
        ("rule,x,y\none,5,a\n", "'one' is not the number of a rule"),
        ("C,x,y\n1,5,a\n", "the hit policy C is not read; write U"),
        ("x,y\nunseen or 5,a\n", "has no unseen values"),
        ("年龄，贷款\n青年，批准\n", "line 1, column 1: the table has one column; separate the columns with commas"),
        ("x,y\n30-50,a\n>50,b\n", "line 2, column 1: '30-50' may be an interval or text; write \\[30..50\\]"),
        ('x,y\n"<=3,000",a\n', "line 2, column 4: '3,000' may be one number or two"),
        ("x,y\nis missing,a\n", "'is missing' stands where a value should"),
        ("x,y\n> 3000元,a\n", "have no order .*; compare with a number or a date"),
        ("c,y\n30..50,a\n", "'..' stands here, where a comma"),
    ],
)
def test_errors_say_where(text: str, said: str) -> None:
    """What cannot be read is named with its line and column, and what to write instead."""
    with pytest.raises(ParseError, match=said):
        rules_from_csv(text)


def test_a_misspelt_category_names_the_closest_one() -> None:
    """Columns and classes of a given schema are closed to new words."""
    with pytest.raises(ParseError, match="line 2, column 1: column 'c' has no category 'rde'; did you mean 'red'"):
        rules_from_csv("c,y\nrde,yes\n", schema=WORLD)
    with pytest.raises(ParseError, match="line 2, column 5: target 'y' has no class 'yse'; did you mean 'yes'"):
        rules_from_csv("c,y\nred,yse\n", schema=WORLD)


SEEDS = (
    'rule,x,c,d,y\n1,"<5, (7..9]",not(red),>2024-01-01,a\n2,[5..7],"red or ""b, c""",-,b\n',
    MARKDOWN.replace("`x|y`", "x"),
)


@given(st.integers(0, 2**32))
def test_edited_tables_are_read_or_refused(seed: int) -> None:
    """Characters dropped, doubled or changed make another table or a ParseError, nothing else."""
    random = Random(seed)
    for text, read in zip(SEEDS, (rules_from_csv, rules_from_markdown), strict=True):
        chars = list(text)
        for _ in range(random.randint(1, 4)):
            place = random.randrange(len(chars))
            chars[place] = random.choice(("", chars[place] * 2, *'",|()[]<>=.-\\\n;or1e9é，）\x00\ud800'))
        try:
            read("".join(chars))
        except ParseError as error:
            assert error.line >= 1 and error.column >= 1 and str(error)


@given(st.integers(0, 2**32))
def test_a_cell_takes_what_its_condition_takes(seed: int) -> None:
    """A condition written as a cell and read takes each value from the corners as before."""
    random = Random(seed)
    for feature in WORLD.features:
        low, high = ends = [feature.convert(a_value(random, feature, ())) for _ in range(2)]
        if feature.is_ordered:
            is_rising = low is not None and high is not None and low < high
            values: Any = Interval(low, high) if is_rising else Interval(low, None)
        else:
            values = Members([each for each in feature.categories if random.random() < 0.5], random.random() < 0.5)
        condition = Condition(values, random.random() < 0.5, feature.is_open and random.random() < 0.5)
        cell = condition_cell(feature, condition)
        for _ in range(20):
            value = a_value(random, feature, tuple(end for end in ends if end is not None))
            value = feature.convert(value)
            assert takes(cell, feature, value) == condition.holds(feature, value), cell


def test_a_rule_that_always_fires() -> None:
    """A table may ask nothing; lists of numbers keep a blank behind commas; bands like intervals are quoted."""
    text = "rule,y\n1,a\n"
    rules = rules_from_csv(text).rules
    assert [rule.conditions for rule in rules.rules] == [()] and decision_table_text(rules) == text
    assert asked("3, 000, 100,20", X) == asked("0, 3, 20, 100", X)
    bands = 'rule,age,y\n1,"""18-25""",a\n2,"""26-40""",b\n'
    found = rules_from_csv(bands).rules
    assert found.schema.features[0].categories == ("18-25", "26-40") and decision_table_text(found) == bands
    assert rules_from_csv(bands.replace('"""', ""), schema=found.schema).rules == found


def test_thresholds_are_written_as_people_write_them() -> None:
    """`x < 50` comes back as `<50`."""
    text = "rule,x,y\n1,<50,no\n2,[50..1e+300),no\n3,>=1e+300 or missing,yes\n"
    assert decision_table_text(rules_from_csv(text).rules) == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("amount;rate;band\n<= 1.500;-;low\n> 1.500;-;high\n", "'1.500' may be 1.5 or 1500; write 1.5000 or 1500"),
        ("amount;band\n(1.500..20.000];a\n", "'1.500' may be 1.5 or 1500"),
        (
            "amount;band\n<= 0,5;low\n> 0,5;high\n",
            "'0,5' may be one number or two; write 0.5 for one, and 0, 5 for two",
        ),
    ],
)
def test_marks_of_numbers_beside_semicolons_are_not_guessed(text: str, problem: str) -> None:
    """Where people write decimal commas they divide columns by semicolons: 1.500 is 1500 to them, and 0,5 a half."""
    with pytest.raises(ParseError) as caught:
        rules_from_csv(text)
    assert problem in str(caught.value)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    "text",
    [
        "amount;band\n<= 1.500;low\n(1.500..2.25];mid\n> 2.25;high\n",
        "amount;band\n<= 0.500;low\n> 0.500;high\n",
        "k;band\n1, 2;low\n3,4,5;high\n",
        'k;band\n"""1.500""";low\n',
        "amount,band\n<= 1.500,low\n> 1.500,high\n",
    ],
)
def test_marks_that_other_numbers_decide_are_read(text: str) -> None:
    """A number that is no number of thousands shows what the point is; quoted text and commas do not."""
    assert rules_from_csv(text).rules
