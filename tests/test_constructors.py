"""The values that users build by hand: a wrong argument is an error of ours, or is accepted until a schema is there."""

from collections.abc import Callable
from typing import Any

import pytest

from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.data.table import Table
from treerules.data.value_set import ValueSet
from treerules.errors import OptionError, TreeRulesError
from treerules.rules.rule import Condition, Members, Rule, RuleFigures
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.node_parts import CategoryTest, ClassPrediction, MeanPrediction, ThresholdTest
from treerules.trees.nodes import Leaf, Split
from treerules.trees.tree import Tree

AGE = Feature("age", "number")
BAND = Feature("band", "category", ("a", "b"))
SCHEMA = Schema([AGE], BAND)
LEAF = Leaf(ClassPrediction("a", (1.0, 0.0)), (2, 0))
RULE = Rule(
    1, (("age", Condition(Interval(None, 30.0))),), ClassPrediction("a", (1.0, 0.0)), RuleFigures(2, 1.0, 1.0, 1.0, 1.0)
)

#: Constructors, each with arguments that it accepts.
ACCEPTED: dict[Callable[..., Any], tuple[Any, ...]] = {
    Table: (Table.from_columns({"age": [30]}).columns,),
    Table.from_rows: ([{"age": 30}],),
    Table.from_columns: ({"age": [30]},),
    Feature: ("age", "number"),
    Schema: ([AGE], BAND),
    Interval: (1, 3),
    Members: (["a"],),
    ValueSet: (BAND, (), ["a"]),
    ValueSet.everything: (AGE,),
    ValueSet.of_values: (AGE, [1.0]),
    CategoryTest: (0, [[0], [1]]),
    ClassPrediction: ("a", [1.0, 0.0]),
    Leaf: (ClassPrediction("a", (1.0, 0.0)), (2, 0)),
    Split: (ThresholdTest(0, 30.0), (LEAF, LEAF)),
    Tree: (SCHEMA, LEAF),
    RuleSet: (SCHEMA, [RULE]),
    RuleList: (SCHEMA, [RULE]),
}
WRONG = (None, 3, "abc", [1], [[1, 2]], {"x": 3}, {1: [1]}, object(), Interval, MeanPrediction(1.0))


@pytest.mark.parametrize("constructor", ACCEPTED, ids=lambda constructor: constructor.__qualname__)
def test_a_wrong_argument_of_a_constructor_is_an_error_of_ours(constructor: Callable[..., Any]) -> None:
    """In each position; where a value is accepted, as the bound of an interval may be, no error comes either."""
    arguments = ACCEPTED[constructor]
    constructor(*arguments)
    others = []
    for position in range(len(arguments)):
        for wrong in WRONG:
            try:
                constructor(*arguments[:position], wrong, *arguments[position + 1 :])
            except TreeRulesError:
                pass
            except Exception as error:
                others.append(f"{position} {wrong!r}: {type(error).__name__}: {error}")
    assert not others, "\n".join(others)


@pytest.mark.parametrize(
    ("constructor", "arguments", "message"),
    [
        (Table, ({"x": [1]},), r"Table\(columns=.*Table.from_columns"),
        (Table.from_rows, ([[1, 2]],), r"Table.from_rows\(rows=\[1, 2\]\): expected mappings"),
        (Table.from_columns, ([1],), r"Table.from_columns\(columns=\[1\]\): expected a mapping"),
        (Table.from_columns, ({"x": "abc"},), "the column 'x' is 'abc'; expected a sequence"),
        (Table.from_columns, ({"x": set()},), r"the column 'x' is set\(\); expected a sequence"),
        (Table.from_columns, ({"x": frozenset("a")},), r"the column 'x' is frozenset.*; expected a sequence"),
        (Feature, ("x", "int"), r"Feature\(kind='int'\): expected one of number, integer"),
        (Schema, ([1],), r"Schema\(features=\(1,\)\): expected Feature objects"),
        (Leaf, (MeanPrediction(1.0), 4), r"Leaf\(\): one of the arguments is 4; expected a collection"),
        (Split, (1, (LEAF, LEAF)), r"Split\(test=1\): expected a ThresholdTest, a ValueSetTest or a CategoryTest"),
        (Tree, (SCHEMA, 1), r"Tree\(root=1\): expected a Split or a Leaf"),
        (ValueSet, (1,), r"ValueSet\(feature=1\): expected a Feature"),
        (Interval, ("a", 1), r"Interval\(upto=1\): expected a bound that can be compared"),
    ],
)
def test_the_error_names_class_and_argument(constructor: Any, arguments: tuple[Any, ...], message: str) -> None:
    """The class stands before the argument; a field that takes a collection is not named."""
    with pytest.raises(OptionError, match=message):
        constructor(*arguments)
