"""Edits of rules: one replaced, some merged, some left out. Each returns new rules, which remember no tree.

merge: rules that predict the same become one where their union is one box, decided exactly:

    age <= 30, city in {A}   ─┐
    age <= 30, city in {B}   ─┴─▶   age <= 30, city in {A, B}
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from numbers import Integral
from typing import Any, TypeVar, cast

from attrs import evolve
from toolz import unique

from treerules.data.schema import Schema
from treerules.errors import DataError, OptionError, UnknownNameError, counted, listed
from treerules.regions.axes import Axis, Part
from treerules.regions.overlaps import overlapping_pairs
from treerules.regions.space import Space, space_of
from treerules.regions.subtract import Budget, BudgetExceeded, constraints_in, subtract
from treerules.rules.rule import Condition, Rule, RuleFigures
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.node_parts import ClassPrediction, MeanPrediction, Prediction, certain

Rules = TypeVar("Rules")
_UNKNOWN = RuleFigures(0, 0.0)
#: The greatest number of steps in which it is decided whether rules fill the box around them.
_STEPS = 200_000


def replace_rule(
    rules: Rules,
    number: int,
    rule: Rule | str | None,
    conditions: Mapping[str, Condition | None] | None,
    value: Any,
) -> Rules:
    """Return rules of which one is replaced: see `RuleCollection.replace`."""
    held = _held(rules)
    old = _found(held, number)
    if rule is None:
        new = _changed(held.schema, old, {} if conditions is None else conditions, value)
    elif not isinstance(rule, (Rule, str)):
        raise OptionError("the rule", rule, "a Rule, or the text of one")
    elif conditions is not None or value is not ...:
        raise OptionError("the rule", rule, "either a rule or changes of the one that is there")
    else:
        new = rule if isinstance(rule, Rule) else evolve(_read(held.schema, rule), number=old.number)
    return _edited(rules, [new if other is old else other for other in held.rules])


def remove_rules(rules: Rules, numbers: Sequence[int]) -> Rules:
    """Return rules without some: see `RuleCollection.without`."""
    left_out = {id(_found(_held(rules), number)) for number in numbers}
    return _edited(rules, [rule for rule in _held(rules).rules if id(rule) not in left_out])


def merge_rules(rules: Rules, numbers: Sequence[int]) -> Rules:
    """Return rules of which some are one: see `RuleCollection.merge`."""
    held = _held(rules)
    chosen = list({id(rule): rule for rule in (_found(held, number) for number in numbers)}.values())
    numbers = [rule.number for rule in chosen]
    if len(chosen) < 2:
        raise OptionError("the rules to merge", numbers, "at least two different numbers")
    values = [rule.value for rule in chosen]
    if any(value != values[0] for value in values):
        raise DataError(f"{_called(numbers)} predict {listed(values)}", "merge rules that predict the same value")
    _require_neighbours(held, chosen)
    space = space_of(RuleSet(held.schema, chosen), None)
    one = _together(chosen, _union(chosen, space), exclusive=not len(overlapping_pairs(space)))
    gone = {id(rule) for rule in chosen[1:]}
    return _edited(rules, [one if rule is chosen[0] else rule for rule in held.rules if id(rule) not in gone])


def _held(rules: Any) -> RuleSet | RuleList:
    return cast(RuleSet | RuleList, rules)


def _edited(rules: Rules, left: Sequence[Rule]) -> Rules:
    return cast(Rules, evolve(cast(Any, rules), rules=left))


def _called(numbers: Sequence[int]) -> str:
    *most, last = map(str, numbers)
    return f"rules {', '.join(most)} and {last}"


def _found(rules: RuleSet | RuleList, number: Any) -> Rule:
    if isinstance(number, bool) or not isinstance(number, Integral):  # numpy's integers are some too
        raise OptionError("a rule's number", number, "a whole number")
    for rule in rules.rules:
        if rule.number == number:
            return rule
    raise UnknownNameError("rule", str(number), [str(rule.number) for rule in rules.rules])


def _read(schema: Schema, text: str) -> Rule:
    """Return the rule that a text says over a schema."""
    from treerules.formats.rules_text.text_reader import rules_from_text  # late: an edit may be given as text

    found = rules_from_text(text, schema=schema).rules
    if len(found) != 1:
        raise OptionError("the rule", text, f"the text of one rule; this is {counted(len(found), 'rule')}")
    for feature in found.schema.features:
        schema.feature(feature.name)
    return found.rules[0]


def _changed(schema: Schema, old: Rule, conditions: Mapping[str, Condition | None], value: Any) -> Rule:
    if not isinstance(conditions, Mapping):
        raise OptionError("conditions", conditions, "a mapping from columns' names to conditions")
    for name, condition in conditions.items():
        schema.feature(name)
        if condition is not None and not isinstance(condition, Condition):
            raise OptionError(f"the condition on column {name!r}", condition, "a Condition, or None")
    asked = {**dict(old.conditions), **conditions}
    left = [(name, condition) for name, condition in asked.items() if condition is not None]
    prediction = old.prediction if value is ... else certain(schema, value)
    is_same = tuple(left) == old.conditions and prediction == old.prediction
    return Rule(old.number, left, prediction, old.figures if is_same else _UNKNOWN)


def _require_neighbours(rules: RuleSet | RuleList, chosen: Sequence[Rule]) -> None:
    """Raise where rules of a list do not stand beside each other: those between may take the rows of the later one."""
    if isinstance(rules, RuleSet):
        return
    places = sorted(place for place, rule in enumerate(rules.rules) if any(rule is other for other in chosen))
    if places[-1] - places[0] >= len(places):
        between = rules.rules[next(p for p in range(places[0], places[-1]) if p not in places)].number
        numbers = _called([rule.number for rule in chosen])
        raise DataError(
            f"{numbers} do not stand beside each other: rule {between} comes between them and decides first",
            "merge neighbours in a list, or make the list exclusive before",
        )


def _together(chosen: Sequence[Rule], conditions: Sequence[tuple[str, Condition]], *, exclusive: bool) -> Rule:
    """Return one rule of several that predict the same. Figures add up where no row is counted twice."""
    known = exclusive and sum(rule.figures.n for rule in chosen) > 0
    weights = [rule.figures.n for rule in chosen] if known else [1.0] * len(chosen)
    prediction = _mixed([rule.prediction for rule in chosen], weights)
    return Rule(chosen[0].number, conditions, prediction, _added([r.figures for r in chosen]) if known else _UNKNOWN)


def _mixed(predictions: Sequence[Prediction], weights: Sequence[float]) -> Prediction:
    """Return the prediction of the rows of several rules together: shares and variances are weighted."""
    first, total = predictions[0], sum(weights)
    if all(other == first for other in predictions):
        return first
    if isinstance(first, MeanPrediction):
        variances = [
            weight * p.sd**2 for p, weight in zip(predictions, weights, strict=True) if isinstance(p, MeanPrediction)
        ]
        return MeanPrediction(first.value, sqrt(sum(variances) / total))
    columns = zip(*(p.probabilities for p in predictions if isinstance(p, ClassPrediction)), strict=True)
    shares = [sum(w * s for w, s in zip(weights, column, strict=True)) / total for column in columns]
    return ClassPrediction(first.value, [min(share, 1.0) for share in shares])


def _added(figures: Sequence[RuleFigures]) -> RuleFigures:
    n = sum(one.n for one in figures)
    coverage = sum(one.coverage for one in figures)
    if all(one.support is None for one in figures):
        return RuleFigures(n, coverage)
    support = sum(one.support or 0.0 for one in figures)
    confidence = support / coverage if coverage else None
    prior = next((one.confidence / one.lift for one in figures if one.confidence and one.lift), None)
    return RuleFigures(
        n, coverage, support, confidence, confidence / prior if prior and confidence is not None else None
    )


# ---- the union


def _union(rules: Sequence[Rule], space: Space) -> list[tuple[str, Condition]]:
    """Return the conditions of the one box that rules fill, with the columns in the order in which rules name them.

    Raises:
        DataError: there is none; the error names a row of the box around the rules that fires none of them.
    """
    called = _called([rule.number for rule in rules])
    boxes = [space.box(position) for position in space.nonempty.tolist()] or [space.box(0)]
    around = tuple(_hull(called, axis, [box[place] for box in boxes]) for place, axis in enumerate(space.axes))
    constraints = constraints_in(space.axes, around, enumerate(boxes))
    try:
        free = next(subtract(space.axes, around, constraints, Budget(_STEPS)), None)
    except BudgetExceeded:
        raise DataError("these rules are too many to merge at once", "merge fewer of them first") from None
    if free is not None and len(space.nonempty):
        row = {axis.feature.name: axis.value(part) for axis, part in zip(space.axes, free, strict=True)}
        problem = f"{called} are not one rule together: one that holds both would take the row {row!r} too"
        raise DataError(problem, "merge rules that differ in one column, or that fill a box together")
    conditions = dict(space.region(around))
    names = unique(name for rule in rules for name, _ in rule.conditions)
    return [(name, conditions[name]) for name in names if name in conditions]


def _hull(called: str, axis: Axis, parts: Sequence[Part]) -> Part:
    """Return the part of an axis that some parts fill.

    Raises:
        DataError: there are values between them.
    """
    hull, *others = sorted(parts)
    for part in others:
        hull = axis.union(hull, part)
        if hull is None:
            problem = f"{called} take values of column {axis.feature.name!r} with others between them"
            raise DataError(problem, "merge rules whose intervals touch")
    return hull
