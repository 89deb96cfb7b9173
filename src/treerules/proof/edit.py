"""Edits of rules: replace, merge and remove rules. Each returns new rules, which have no tree.

merge: rules with the same prediction become one if their union is one box, which is decided exactly:

    age <= 30, city in {A}   ─┐
    age <= 30, city in {B}   ─┴─▶   age <= 30, city in {A, B}
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from numbers import Integral
from typing import Any, TypeVar, cast

from attrs import evolve
from toolz import unique

from treerules._internal.notes import or_none
from treerules.data.schema import Schema
from treerules.errors import DataError, OptionError, UnknownNameError, counted, listed
from treerules.regions.axes import Axis, Part
from treerules.regions.overlaps import overlapping_pairs
from treerules.regions.space import Space, space_of
from treerules.regions.step_set_axis import StepSetAxis
from treerules.regions.subtract import Budget, BudgetExceeded, constraints_in, subtract
from treerules.rules.rule import Condition, Rule, RuleFigures
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.node_parts import ClassPrediction, MeanPrediction, Prediction, certain_prediction

Rules = TypeVar("Rules")
_NO_FIGURES = RuleFigures(0, 0.0)
#: The greatest number of steps in which it is decided whether rules fill the box around them.
_STEPS = 200_000


def replace_rule(
    rules: Rules,
    number: int,
    rule: Rule | str | None,
    conditions: Mapping[str, Condition | None] | None,
    value: Any,
) -> Rules:
    """Return the rules with one rule replaced: see `RuleCollection.replace`."""
    source = _as_rules(rules)
    old = _rule_of_number(source, number)
    if rule is None:
        new = _changed(source.schema, old, {} if conditions is None else conditions, value)
    elif not isinstance(rule, (Rule, str)):
        raise OptionError("rule", rule, "a Rule, or the text of one")
    elif conditions is not None or value is not ...:
        raise OptionError("rule", rule, "either a rule, or changes of the rule of that number")
    else:
        new = rule if isinstance(rule, Rule) else evolve(_read_rule(source.schema, rule), number=old.number)
    return _with_rules(rules, [new if other is old else other for other in source.rules])


def remove_rules(rules: Rules, numbers: Sequence[int]) -> Rules:
    """Return the rules without those of some numbers: see `RuleCollection.without`."""
    source = _as_rules(rules)
    removed = {_rule_of_number(source, number).number for number in numbers}
    return _with_rules(rules, [rule for rule in source.rules if rule.number not in removed])


def merge_rules(rules: Rules, numbers: Sequence[int]) -> Rules:
    """Return the rules with some rules merged into one: see `RuleCollection.merge`."""
    source = _as_rules(rules)
    rules_to_merge = list(unique((_rule_of_number(source, number) for number in numbers), key=lambda rule: rule.number))
    numbers = [rule.number for rule in rules_to_merge]
    if len(rules_to_merge) < 2:
        raise OptionError("the rules to merge", numbers, "at least two different numbers")
    values = [rule.value for rule in rules_to_merge]
    if any(value != values[0] for value in values):
        raise DataError(f"{_words(numbers)} predict {listed(values)}", "merge rules that predict the same value")
    _require_neighbours(source, rules_to_merge)
    space = space_of(RuleSet(source.schema, rules_to_merge), None)
    merged = _merged_rule(rules_to_merge, _union(rules_to_merge, space), exclusive=not len(overlapping_pairs(space)))
    removed = set(numbers[1:])
    rules_left = [rule for rule in source.rules if rule.number not in removed]
    return _with_rules(rules, [merged if rule is rules_to_merge[0] else rule for rule in rules_left])


def _as_rules(rules: Any) -> RuleSet | RuleList:
    return cast(RuleSet | RuleList, rules)


def _with_rules(source: Rules, rules: Sequence[Rule]) -> Rules:
    return cast(Rules, evolve(cast(Any, source), rules=rules))


def _words(numbers: Sequence[int]) -> str:
    *most, last = map(str, numbers)
    return f"rules {', '.join(most)} and {last}"


def _rule_of_number(rules: RuleSet | RuleList, number: Any) -> Rule:
    """Return the rule of a number.

    Raises:
        OptionError: it is not an integer.
        UnknownNameError: no rule has this number.
    """
    if isinstance(number, bool) or not isinstance(number, Integral):  # numpy's integers are Integral too
        raise OptionError("a rule's number", number, "a whole number")
    for rule in rules.rules:
        if rule.number == number:
            return rule
    raise UnknownNameError("rule", str(number), [str(rule.number) for rule in rules.rules])


def _read_rule(schema: Schema, text: str) -> Rule:
    """Return the one rule of a text, over a schema."""
    from treerules.formats.rules_text.text_reader import rules_from_text  # late: only edits as text need it

    rules = rules_from_text(text, schema=schema).rules
    if len(rules) != 1:
        raise OptionError("rule", text, f"the text of one rule; this is {counted(len(rules), 'rule')}")
    for feature in rules.schema.features:
        schema.feature(feature.name)
    return rules.rules[0]


def _changed(schema: Schema, old: Rule, changes: Mapping[str, Condition | None], value: Any) -> Rule:
    """Return a rule with other conditions, None for no condition, and another value, `...` for the old one."""
    if not isinstance(changes, Mapping):
        raise OptionError("conditions", changes, "a mapping from columns' names to conditions")
    for name, condition in changes.items():
        schema.feature(name)
        if condition is not None and not isinstance(condition, Condition):
            raise OptionError(f"the condition on column {name!r}", condition, or_none("a Condition"))
    merged = {**dict(old.conditions), **changes}
    conditions = [(name, condition) for name, condition in merged.items() if condition is not None]
    prediction = old.prediction if value is ... else certain_prediction(schema, value)
    is_same = tuple(conditions) == old.conditions and prediction == old.prediction
    return Rule(old.number, conditions, prediction, old.figures if is_same else _NO_FIGURES)


def _require_neighbours(rules: RuleSet | RuleList, rules_to_merge: Sequence[Rule]) -> None:
    """Raise unless the rules are consecutive in a list: rules between them may take rows of the later ones."""
    if isinstance(rules, RuleSet):
        return
    numbers = {rule.number for rule in rules_to_merge}
    positions = [position for position, rule in enumerate(rules.rules) if rule.number in numbers]
    span = range(positions[0], positions[-1] + 1)
    between = [rules.rules[position].number for position in span if position not in positions]
    if between:
        raise DataError(
            f"{_words([rule.number for rule in rules_to_merge])} are not adjacent: "
            f"rule {between[0]} is between them and decides first",
            "merge neighbours in a list, or make the list exclusive before",
        )


# ---- prediction and figures


def _merged_rule(rules: Sequence[Rule], conditions: Sequence[tuple[str, Condition]], *, exclusive: bool) -> Rule:
    """Return the merged rule of rules with the same prediction. Figures are added if no row is counted twice."""
    has_figures = exclusive and sum(rule.figures.n for rule in rules) > 0
    weights = [rule.figures.n for rule in rules] if has_figures else [1.0] * len(rules)
    prediction = _mean_prediction([rule.prediction for rule in rules], weights)
    figures = _sum_of_figures([rule.figures for rule in rules]) if has_figures else _NO_FIGURES
    return Rule(rules[0].number, conditions, prediction, figures)


def _mean_prediction(predictions: Sequence[Prediction], weights: Sequence[float]) -> Prediction:
    """Return the prediction for the rows of several rules: the weighted mean of probabilities, or of variances."""
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


def _sum_of_figures(figures: Sequence[RuleFigures]) -> RuleFigures:
    """Return the figures of the union of rules that share no row."""
    n = sum(item.n for item in figures)
    coverage = sum(item.coverage for item in figures)
    if all(item.support is None for item in figures):
        return RuleFigures(n, coverage)
    support = sum(item.support or 0.0 for item in figures)
    confidence = support / coverage if coverage else None
    prior = next((item.confidence / item.lift for item in figures if item.confidence and item.lift), None)
    lift = confidence / prior if prior and confidence is not None else None
    return RuleFigures(n, coverage, support, confidence, lift)


# ---- the union


def _union(rules: Sequence[Rule], space: Space) -> list[tuple[str, Condition]]:
    """Return the conditions of the box that is the union of rules; columns have the order in which the rules name them.

    Raises:
        DataError: the union is not a box; the error has a row of the box around the rules that fires none of them.
    """
    words = _words([rule.number for rule in rules])
    boxes = [space.box(position) for position in space.nonempty.tolist()] or [space.box(0)]
    around = tuple(_hull(words, axis, [box[index] for box in boxes]) for index, axis in enumerate(space.axes))
    constraints = constraints_in(space.axes, around, enumerate(boxes))
    try:
        free = next(subtract(space.axes, around, constraints, Budget(_STEPS)), None)
    except BudgetExceeded:
        raise DataError("these rules are too many to merge at once", "merge fewer of them first") from None
    if free is not None and len(space.nonempty):
        row = {axis.feature.name: axis.value(part) for axis, part in zip(space.axes, free, strict=True)}
        problem = f"{words} are not one rule together: one that holds both would take the row {row!r} too"
        raise DataError(problem, "merge rules that differ in one column, or that fill a box together")
    conditions = dict(space.region(around))
    names = unique(name for rule in rules for name, _ in rule.conditions)
    return [(name, conditions[name]) for name in names if name in conditions]


def _hull(words: str, axis: Axis, parts: Sequence[Part]) -> Part:
    """Return the part of an axis that is the union of some parts.

    Raises:
        DataError: there are values between them.
    """
    hull, *others = sorted(parts)
    is_joined = not isinstance(axis, StepSetAxis) or axis.joins(parts)
    for part in others:
        hull = axis.union(hull, part)
        if hull is None or not is_joined:
            problem = f"{words} take values of column {axis.feature.name!r} with others between them"
            raise DataError(problem, "merge rules whose intervals touch")
    return hull
