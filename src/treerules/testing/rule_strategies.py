"""Strategies for rule sets: partitions, compiled from trees; edited ones; rules that never saw a tree."""

from collections.abc import Sequence
from typing import Any

from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.errors import OptionError, UnknownNameError
from treerules.proof.check import check
from treerules.rules.compile import compile_rules
from treerules.rules.probe_values import probe_values_of
from treerules.rules.rule import Condition, Members, Rule, RuleFigures
from treerules.rules.rule_set import RuleSet
from treerules.testing.edge_cases import MEANS
from treerules.testing.hypothesis_extra import event, st
from treerules.testing.mutations import EDITS, duplicate_rule, mutate
from treerules.testing.strategies import HypothesisChoices, Schemas, draw_schema, require_count, require_schemas, trees
from treerules.testing.tree_builder import require_target
from treerules.trees.node_parts import certain

#: So many edits are made where none are asked for by number.
_SOME = 3


def rule_sets(
    schema: Schemas | None = None,
    *,
    partition: bool | None = None,
    edits: int | None = None,
    kinds: Sequence[str] = tuple(EDITS),
    max_splits: int = 12,
) -> st.SearchStrategy[RuleSet]:
    """Return a strategy for rule sets over a schema, which is drawn too where none is given.

    With `partition` they are exclusive and complete, compiled from a tree of at most `max_splits`. Without, they never
    are: of such a set, so many single `edits` of the named `kinds` are made, by default one to three; where these
    happen to leave a partition, the last is the duplicate of a rule instead. None asks for nothing: `edits` as given,
    or none to three, or rules that were drawn one by one. Where no kind can be made of the rules, none is.

    The kinds: drop, duplicate, ulp_up, ulp_down, at_most_to_below, above_to_at_least, missing, unseen, bound_dropped,
    shrunk, category_added, category_removed. Those that were made are told as hypothesis events.

    Raises:
        OptionError: it is no schema, or has no target; `partition` is neither True, False nor None; edits of what is to
            be a partition; less than one of what is to be none; a number below 0.
        UnknownNameError: there is no such kind of edit.
    """
    require_schemas(schema)
    require_count("max_splits", max_splits)
    if isinstance(schema, Schema):
        require_target(schema)
    if partition is not None and not isinstance(partition, bool):
        raise OptionError("partition", partition, "True, False or None")
    for kind in kinds:
        if kind not in EDITS:
            raise UnknownNameError("edit", kind, tuple(EDITS))
    least = 1 if partition is False else 0
    if edits is not None and (type(edits) is not int or edits < least or not kinds):
        raise OptionError("edits", edits, f"a whole number from {least}, and the kinds of edits")
    if partition and edits:
        raise OptionError("edits", edits, "partition=False or None, since an edited partition need not be one")
    if partition:
        return _edited(schema, (0, 0), kinds, max_splits, False)
    n_edits = (least, _SOME) if edits is None else (edits, edits)
    some = _edited(schema, n_edits, kinds, max_splits, partition is False)
    return some if partition is False or edits is not None else st.one_of(some, _free(schema))


@st.composite
def _edited(
    draw: st.DrawFn,
    schema: Schemas | None,
    n_edits: tuple[int, int],
    kinds: Sequence[str],
    max_splits: int,
    is_broken: bool,
) -> RuleSet:
    """Draw a partition with so many edits; a broken one is no partition any more."""
    known, choices = draw_schema(draw, schema), HypothesisChoices(draw)
    rules = compile_rules(draw(trees(known, max_splits=max_splits)))
    n = choices.integer(*n_edits)
    for left in reversed(range(n)):
        before = rules
        rules, kind = mutate(choices, before, kinds)
        if is_broken and left == 0 and check(rules):
            # a duplicate of a rule that some row fires, of which a partition has one, shares that row
            rules, kind = duplicate_rule(before, _reached(before)), "duplicate"
        event(f"edit: {kind}")
    return rules


def _reached(rules: RuleSet) -> Rule:
    """Return the first rule that some row fires; the first one where none does."""
    probes = probe_values_of(rules)
    reached = (rule for rule in rules.rules if all(probes[name].values_in(asked) for name, asked in rule.conditions))
    return next(reached, rules.rules[0])


@st.composite
def _free(draw: st.DrawFn, schema: Schemas | None) -> RuleSet:
    """Draw rules one by one: they may overlap, leave gaps, and never fire."""
    known, choices = draw_schema(draw, schema), HypothesisChoices(draw)
    require_target(known)
    values = MEANS if known.is_regression else known.classes
    return RuleSet(
        known,
        [
            Rule(number, _conditions(choices, known), certain(known, choices.choice(values)), RuleFigures(0.0, 0.0))
            for number in range(1, choices.integer(0, 6) + 1)
        ],
    )


def _conditions(choices: HypothesisChoices, schema: Schema) -> list[tuple[str, Condition]]:
    asked = [feature for feature in schema.features if not choices.mostly(0.5)]
    return [(feature.name, _condition(choices, feature)) for feature in asked]


def _condition(choices: HypothesisChoices, feature: Feature) -> Condition:
    missing, unseen = choices.rarely(0.3), feature.is_open and choices.rarely(0.3)
    if choices.rarely(0.1):
        return Condition(None, missing, unseen)
    if feature.is_ordered:
        return Condition(_interval(choices, feature), missing)
    taken = [category for category in feature.categories if choices.rarely(0.5)]
    return Condition(Members(taken, choices.rarely(0.3)), missing, unseen)


def _interval(choices: HypothesisChoices, feature: Feature) -> Interval:
    bounds: list[Any] = sorted({choices.cut(feature), choices.cut(feature)})
    if len(bounds) == 2 and choices.rarely(0.5):
        return Interval(*bounds)
    return Interval(bounds[0], None) if choices.rarely(0.5) else Interval(None, bounds[-1])
