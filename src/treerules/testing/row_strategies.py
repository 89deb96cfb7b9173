"""A hypothesis strategy for rows: a row that fires a rule, often with one value moved to a bound."""

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
    """The source of drawn rows: a schema, reachable rules, and the probe values of its features."""

    schema: Schema
    rules: tuple[Rule, ...]
    probes: Mapping[str, ProbeValues]

    @cached_property
    def _strategies(self) -> dict[int, Values]:
        """The strategy for the values of each condition, by the identity of the condition."""
        return {}

    def values(self, feature: Feature, condition: Condition | None) -> Values:
        """Return the strategy for the values that satisfy a condition; for all values without a condition."""
        if condition is None:
            return any_values(feature)
        if id(condition) not in self._strategies:
            values = values_meeting(feature, condition)
            self._strategies[id(condition)] = any_values(feature) if values is None else values
        return self._strategies[id(condition)]

    def edges(self, feature: Feature, condition: Condition | None) -> list[Any]:
        """Return the values at the bounds of a condition, at the bounds of other rules, then extreme ones.

        For a feature that no rule tests, they are its edge cases.
        """
        probes = self.probes.get(feature.name)
        if probes is None:
            return [*_edge_cases(feature), *missing_values(feature)]
        near = missing_values(feature) if condition is None else probes.values_around(condition)
        return [*near, *probes.all_values(), *probes.extreme]


def _edge_cases(feature: Feature) -> Sequence[Any]:
    return POOLS[feature.scalar] if feature.is_ordered else feature.categories


def _plan(source: Schema | Tree | RuleSet | RuleList) -> _Plan:
    if isinstance(source, Schema):
        return _Plan(source, (), {})
    rules = compile_rules(source) if isinstance(source, Tree) else RuleSet(source.schema, source.rules)
    probes = probe_values_of(rules)
    reachable = [
        rule for rule in rules.rules if all(probes[name].values_in(condition) for name, condition in rule.conditions)
    ]
    return _Plan(rules.schema, tuple(reachable), probes)


def rows(source: Schema | Tree | RuleSet | RuleList, *, at: str = "boundaries") -> st.SearchStrategy[Row]:
    """Return a strategy for rows of a schema, or of the schema of a tree or of rules.

    Args:
        source: The tree or rules whose boundaries count, or a schema.
        at: The position of rows. "inside" draws a rule, then a row that fires it. "boundaries" moves one value of such
            a row: to a bound of the rule or next to it, to another category, an unseen or missing value, or to a bound
            of another rule. "any" draws each value from all values of its feature. Of a schema, "inside" draws known
            values, and "boundaries" has one edge case among them: an end of the domain, a missing or unseen value.

    Returns:
        A strategy of hypothesis whose values are dicts with every feature of the schema. A missing value is None, or
        NaN for a number.

    Raises:
        UnknownNameError: `at` is not one of these.
        OptionError: an argument is of a wrong type.

    Examples:
        >>> from hypothesis import find
        >>> from treerules import Feature
        >>> from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest
        >>> root = Split(ThresholdTest(0, 5), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])])
        >>> tree = Tree(Schema([Feature("x", "integer")], Feature("y", "number")), root)
        >>> find(rows(tree, at="boundaries"), lambda row: row["x"] is not None and row["x"] > 5)
        {'x': 6}
    """
    if not isinstance(source, (Schema, Tree, RuleSet, RuleList)):
        raise OptionError("source", source, "a schema, a tree or rules")
    if not isinstance(at, str):
        raise OptionError("at", at, f"one of {', '.join(PLACES)}")
    if at not in PLACES:
        raise UnknownNameError("place", at, PLACES)
    return _rows(_plan(source), at)


@st.composite
def _rows(draw: st.DrawFn, plan: _Plan, at: str) -> Row:
    if at == "any":
        return {feature.name: _any_value(draw, plan, feature) for feature in plan.schema.features}
    if not plan.rules:
        return _row_of_schema(draw, plan, at)
    rule = plan.rules[draw(st.integers(0, len(plan.rules) - 1))]
    conditions = dict(rule.conditions)
    row = {f.name: draw(plan.values(f, conditions.get(f.name))) for f in plan.schema.features}
    if at == "boundaries":
        names = [*conditions, *(name for name in plan.probes if name not in conditions)] or list(row)
        _move(draw, plan, row, names, conditions)
    return row


def _move(draw: st.DrawFn, plan: _Plan, row: Row, names: Sequence[str], conditions: Mapping[str, Condition]) -> None:
    """Replace the value of one feature of a row by one at an edge."""
    if names:
        name = names[draw(st.integers(0, len(names) - 1))]
        edges = plan.edges(plan.schema.feature(name), conditions.get(name))
        row[name] = edges[draw(st.integers(0, len(edges) - 1))]


def _any_value(draw: st.DrawFn, plan: _Plan, feature: Feature) -> Any:
    """Draw any value of a feature; half of the time a probe value, where there is one."""
    probes = list(plan.probes[feature.name].all_values()) if feature.name in plan.probes else []
    is_probe: bool = draw(st.booleans())
    return draw(st.sampled_from(probes) if probes and is_probe else any_values(feature))


def _row_of_schema(draw: st.DrawFn, plan: _Plan, at: str) -> Row:
    row = {f.name: draw(known_values(f)) for f in plan.schema.features}
    if at == "boundaries" and row:
        feature = plan.schema.features[draw(st.integers(0, len(row) - 1))]
        row[feature.name] = draw(st.one_of(st.sampled_from(plan.edges(feature, None)), any_values(feature)))
    return row
