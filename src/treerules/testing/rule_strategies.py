"""A hypothesis strategy for rule sets: partitions from trees, edited partitions, and rules drawn one by one."""

from collections.abc import Sequence
from typing import Any

from treerules.data.interval import Interval, Intervals, complement_of
from treerules.data.schema import Feature, Schema
from treerules.errors import OptionError, UnknownNameError
from treerules.proof.check import check
from treerules.rules.compile import compile_rules
from treerules.rules.probe_values import probe_values_of
from treerules.rules.rule import Condition, Members, Rule, RuleFigures
from treerules.rules.rule_set import RuleSet
from treerules.testing.edge_cases import MEANS
from treerules.testing.hypothesis_choices import HypothesisChoices
from treerules.testing.hypothesis_extra import event, st
from treerules.testing.mutations import EDITS, duplicate_rule, mutate
from treerules.testing.strategies import (
    Schemas,
    draw_schema,
    require_count,
    require_flag,
    require_schemas,
    trees,
)
from treerules.testing.tree_builder import require_target
from treerules.trees.node_parts import certain_prediction

#: The largest number of edits by default.
_MOST_EDITS = 3


def rule_sets(
    schema: Schemas | None = None,
    *,
    partition: bool | None = None,
    edits: int | None = None,
    kinds: Sequence[str] = tuple(EDITS),
    max_splits: int = 12,
) -> st.SearchStrategy[RuleSet]:
    """Return a strategy for rule sets: partitions, partitions with single edits, or rules drawn one by one.

    Each edit is reported as a hypothesis event. No edit is made if the rules allow none of `kinds`.

    Args:
        schema: The schema, or a strategy for schemas; by default `schemas()`. Its target is a number or has classes.
        partition: True for rule sets that are exclusive and complete, compiled from a tree. False for sets that are
            not: partitions with edits, the last of which duplicates a rule where the others happen to leave a
            partition. None for both, and for rules that are drawn one by one.
        edits: The number of single edits; by default 1 to 3 for partition=False, and 0 to 3 for None.
        kinds: The kinds of edits, of drop, duplicate, ulp_up, ulp_down, at_most_to_below, above_to_at_least, missing,
            unseen, bound_dropped, shrunk, category_added and category_removed.
        max_splits: The largest number of splits of the tree that the rules come from.

    Returns:
        A strategy of hypothesis whose values are `RuleSet`.

    Raises:
        OptionError: an argument is of a wrong type, the schema has nothing to predict, or `edits` contradicts
            `partition`: an edited partition need not be one, and a broken one needs an edit.
        UnknownNameError: there is no such kind of edit.

    Examples:
        >>> from hypothesis import find
        >>> rules = find(rule_sets(partition=False), lambda rules: bool(check(rules).overlaps))
        >>> [rule.conditions for rule in rules.rules]
        [(), ()]
    """
    require_schemas(schema)
    require_count("max_splits", max_splits)
    require_flag("partition", partition, or_none=True)
    if isinstance(schema, Schema):
        require_target(schema)
    if isinstance(kinds, str) or not isinstance(kinds, Sequence):
        raise OptionError("kinds", kinds, f"a sequence of kinds of edits, of {', '.join(EDITS)}")
    for kind in kinds:
        if kind not in EDITS:
            raise UnknownNameError("edit", kind, tuple(EDITS))
    least = 1 if partition is False else 0
    if edits is not None and (type(edits) is not int or edits < least or not kinds):
        raise OptionError("edits", edits, f"an integer from {least}, and the kinds of edits")
    if partition and edits:
        raise OptionError("edits", edits, "partition=False or None, since an edited partition need not be one")
    if partition:
        return _edited(schema, (0, 0), kinds, max_splits, False)
    n_edits = (least, _MOST_EDITS) if edits is None else (edits, edits)
    edited = _edited(schema, n_edits, kinds, max_splits, partition is False)
    return edited if partition is False or edits is not None else st.one_of(edited, _free(schema))


@st.composite
def _edited(
    draw: st.DrawFn,
    source: Schemas | None,
    n_edits: tuple[int, int],
    kinds: Sequence[str],
    max_splits: int,
    is_broken: bool,
) -> RuleSet:
    """Draw a partition with a number of edits; if `is_broken`, the result is not a partition."""
    schema, choices = draw_schema(draw, source), HypothesisChoices(draw)
    rules = compile_rules(draw(trees(schema, max_splits=max_splits)))
    for n_left in reversed(range(choices.integer(*n_edits))):
        before = rules
        rules, kind = mutate(choices, before, kinds)
        if is_broken and n_left == 0 and check(rules):
            # a duplicate of a rule that some row fires, of which a partition has one, shares that row
            rules, kind = duplicate_rule(before, _reachable_rule(before)), "duplicate"
        event(f"edit: {kind}")
    return rules


def _reachable_rule(rules: RuleSet) -> Rule:
    """Return the first rule that some row fires; the first rule if no rule is reachable."""
    probes = probe_values_of(rules)
    reachable = (
        rule for rule in rules.rules if all(probes[name].values_in(condition) for name, condition in rule.conditions)
    )
    return next(reachable, rules.rules[0])


@st.composite
def _free(draw: st.DrawFn, source: Schemas | None) -> RuleSet:
    """Draw rules one by one: they may overlap, leave gaps, and never fire."""
    schema, choices = draw_schema(draw, source), HypothesisChoices(draw)
    require_target(schema)
    values = MEANS if schema.is_regression else schema.classes
    return RuleSet(
        schema,
        [
            Rule(
                number,
                _conditions(choices, schema),
                certain_prediction(schema, choices.choice(values)),
                RuleFigures(0.0, 0.0),
            )
            for number in range(1, choices.integer(0, 6) + 1)
        ],
    )


def _conditions(choices: HypothesisChoices, schema: Schema) -> list[tuple[str, Condition]]:
    features = [feature for feature in schema.features if not choices.mostly(0.5)]
    return [(feature.name, _condition(choices, feature)) for feature in features]


def _condition(choices: HypothesisChoices, feature: Feature) -> Condition:
    missing, unseen = choices.rarely(0.3), feature.is_open and choices.rarely(0.3)
    if choices.rarely(0.1):
        return Condition(None, missing, unseen)
    if feature.is_ordered:
        return Condition(_known_values(choices, feature), missing)
    members = [category for category in feature.categories if choices.rarely(0.5)]
    return Condition(Members(members, choices.rarely(0.3)), missing, unseen)


def _known_values(choices: HypothesisChoices, feature: Feature) -> Interval | Intervals:
    """Return an interval, or sometimes what it leaves out, which may be two."""
    interval = _interval(choices, feature)
    return complement_of([interval]) or interval if choices.rarely(0.1) else interval


def _interval(choices: HypothesisChoices, feature: Feature) -> Interval:
    bounds: list[Any] = sorted({choices.cut(feature), choices.cut(feature)})
    if len(bounds) == 2 and choices.rarely(0.5):
        return Interval(*bounds)
    return Interval(bounds[0], None) if choices.rarely(0.5) else Interval(None, bounds[-1])
