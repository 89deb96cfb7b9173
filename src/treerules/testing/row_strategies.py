"""Rows that fire a rule, or that stand where an answer may change: a point in a rule, one value moved over a cut."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import frozen

from treerules.data.schema import Feature, Schema
from treerules.errors import OptionError, UnknownNameError
from treerules.rules.compile import compile_rules
from treerules.rules.probe_values import ProbeValues, probe_values_of
from treerules.rules.rule import Condition, Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.testing.edge_cases import POOLS
from treerules.testing.hypothesis_extra import st
from treerules.testing.value_strategies import Values, any_values, known_values, missing_values, values_meeting
from treerules.trees.tree import Tree

Row = dict[str, Any]
PLACES = ("boundaries", "inside", "any")


@frozen(eq=False)
class _Plan:
    """What rows are drawn of: a schema, the rules that some row fires, and what they ask of each column."""

    schema: Schema
    rules: tuple[Rule, ...]
    probes: Mapping[str, ProbeValues]

    @cached_property
    def taken(self) -> dict[int, Values]:
        """The values that meet each condition, by its identity."""
        return {}

    def values(self, feature: Feature, condition: Condition | None) -> Values:
        """Return the strategy for the values that a rule takes in a column, all where it asks for none."""
        if condition is None:
            return any_values(feature)
        if id(condition) not in self.taken:
            found = values_meeting(feature, condition)
            self.taken[id(condition)] = any_values(feature) if found is None else found
        return self.taken[id(condition)]

    def edges(self, feature: Feature, condition: Condition | None) -> list[Any]:
        """Return the values around which a condition turns, then those that other rules turn around, then hostile ones;
        of a column that no rule asks for, the corners.
        """
        probes = self.probes.get(feature.name)
        if probes is None:
            return [*_corners(feature), *missing_values(feature)]
        near = missing_values(feature) if condition is None else probes.values_around(condition)
        return [*near, *probes.all_values(), *probes.extreme]


def _corners(feature: Feature) -> Sequence[Any]:
    return POOLS[feature.scalar] if feature.is_ordered else feature.categories


def _plan(of: Schema | Tree | RuleSet | RuleList) -> _Plan:
    if isinstance(of, Schema):
        return _Plan(of, (), {})
    rules = compile_rules(of) if isinstance(of, Tree) else RuleSet(of.schema, of.rules)
    probes = probe_values_of(rules)
    reached = [rule for rule in rules.rules if all(probes[name].values_in(asked) for name, asked in rule.conditions)]
    return _Plan(rules.schema, tuple(reached), probes)


def rows(of: Schema | Tree | RuleSet | RuleList, *, at: str = "boundaries") -> st.SearchStrategy[Row]:
    """Return a strategy for rows of a schema, or of the schema of a tree or of rules.

    at="inside" draws a rule, then a row that fires it. at="boundaries" moves one value of such a row over a cut: to a
    bound of the rule, beside it, to another category, an unseen or a missing one, to a bound of another rule. at="any"
    draws each value from all that the column can hold. Without rules, "inside" draws known values and "boundaries" has
    one corner among them: the ends of the domain, missing, unseen. A missing value is None, or NaN for a number.

    >>> from hypothesis import find
    >>> from treerules import Feature, Leaf, MeanPrediction, Split, ThresholdTest
    >>> root = Split(ThresholdTest(0, 5), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])])
    >>> tree = Tree(Schema([Feature("x", "integer")], Feature("y", "number")), root)
    >>> find(rows(tree, at="boundaries"), lambda row: row["x"] is not None and row["x"] > 5)
    {'x': 6}

    Raises:
        UnknownNameError: there is no such place.
        OptionError: `of` is none of these.
    """
    if at not in PLACES:
        raise UnknownNameError("place", at, PLACES)
    if not isinstance(of, (Schema, Tree, RuleSet, RuleList)):
        raise OptionError("of", of, "a schema, a tree or rules")
    return _rows(_plan(of), at)


@st.composite
def _rows(draw: st.DrawFn, plan: _Plan, at: str) -> Row:
    if at == "any":
        return {feature.name: _anything(draw, plan, feature) for feature in plan.schema.features}
    if not plan.rules:
        return _row_of_schema(draw, plan, at)
    rule = plan.rules[draw(st.integers(0, len(plan.rules) - 1))]
    asked = dict(rule.conditions)
    row = {f.name: draw(plan.values(f, asked.get(f.name))) for f in plan.schema.features}
    if at == "boundaries":
        names = [*asked, *(name for name in plan.probes if name not in asked)] or list(row)
        _move(draw, plan, row, names, asked)
    return row


def _move(draw: st.DrawFn, plan: _Plan, row: Row, names: Sequence[str], asked: Mapping[str, Condition]) -> None:
    """Put a value at an edge into one column of a row."""
    if names:
        name = names[draw(st.integers(0, len(names) - 1))]
        edges = plan.edges(plan.schema.feature(name), asked.get(name))
        row[name] = edges[draw(st.integers(0, len(edges) - 1))]


def _anything(draw: st.DrawFn, plan: _Plan, feature: Feature) -> Any:
    """Draw any value of a column, as often one that rules turn around."""
    turns = list(plan.probes[feature.name].all_values()) if feature.name in plan.probes else []
    is_turn: bool = draw(st.booleans())
    return draw(st.sampled_from(turns) if turns and is_turn else any_values(feature))


def _row_of_schema(draw: st.DrawFn, plan: _Plan, at: str) -> Row:
    row = {f.name: draw(known_values(f)) for f in plan.schema.features}
    if at == "boundaries" and row:
        feature = plan.schema.features[draw(st.integers(0, len(row) - 1))]
        row[feature.name] = draw(st.one_of(st.sampled_from(plan.edges(feature, None)), any_values(feature)))
    return row
