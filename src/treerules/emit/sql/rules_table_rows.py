"""The rows of the rules table as values: one a condition, and one a category that a condition names."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treerules.data.interval import Interval
from treerules.data.schema import SCALARS, Feature, Schema
from treerules.emit.predicates import bounded, never_stored
from treerules.rules.conditions import bounds_of
from treerules.rules.rule import Condition, Rule, listed
from treerules.rules.rule_set import RuleSet, figures_of
from treerules.rules.wording import condition_text
from treerules.sql.language import Language

#: The words for a condition are cut at so many characters: they are for people, the query never reads them.
MOST_WORDS = 1000


def features_asked(rules: RuleSet) -> list[Feature]:
    """Return the features that some rule asks for, in the schema's order."""
    names = {name for rule in rules.rules for name, _ in rule.conditions}
    return [feature for feature in rules.schema.features if feature.name in names]


def _scalars(features: Sequence[Feature], *, ordered: bool) -> list[str]:
    found = {feature.scalar for feature in features if feature.is_ordered is ordered}
    return [scalar for scalar in SCALARS if scalar in found]


def rule_fields(schema: Schema, features: Sequence[Feature]) -> Iterator[tuple[str, str]]:
    """Yield the columns of the rules with the scalar that says their type."""
    yield from (("rule", "integer"), ("position", "integer"), ("n_conditions", "integer"))
    yield from (("feature", "text"), ("feature_number", "integer"), ("kind", "text"))
    yield from (("condition", "text"), ("operator", "text"))
    for scalar in _scalars(features, ordered=True):
        yield from ((f"above_{scalar}", scalar), (f"upto_{scalar}", scalar))
    yield from (("takes_missing", "integer"), ("takes_unseen", "integer"), ("prediction", schema.predicted))
    yield from ((figure, "number") for figure in figures_of(schema))


def member_fields(features: Sequence[Feature]) -> Iterator[tuple[str, str]]:
    """Yield the columns of the members with the scalar that says their type."""
    yield from (("rule", "integer"), ("position", "integer"))
    yield from ((f"value_{scalar}", scalar) for scalar in _scalars(features, ordered=False))


def rule_rows(language: Language, rules: RuleSet) -> Iterator[Mapping[str, Any]]:
    """Yield a row a condition, by the names of its columns; what is absent is NULL."""
    for rule in rules.rules:
        known = {"rule": rule.number, "n_conditions": len(rule.conditions), "prediction": rule.value}
        figures = {figure: _figure(rule, figure) for figure in figures_of(rules.schema)}
        if not rule.conditions:
            yield {**known, **figures, "position": 0}
        for position, (name, condition) in enumerate(rule.conditions, 1):
            feature = rules.schema.feature(name)
            asked = _condition_row(language, feature, condition)
            place = {"position": position, "feature": name, "feature_number": rules.schema.index(name)}
            yield {**known, **figures, **place, "kind": str(feature.kind), **asked}


def _figure(rule: Rule, figure: str) -> float | None:
    value = getattr(rule.figures, figure)
    return None if value is None else float(value)


def _condition_row(language: Language, feature: Feature, condition: Condition) -> dict[str, Any]:
    words = condition_text(feature, condition)
    row = {
        "condition": words if len(words) <= MOST_WORDS else words[: MOST_WORDS - 3] + "...",
        "takes_missing": int(condition.missing),
        "takes_unseen": int(condition.unseen),
    }
    if not feature.is_ordered:
        return {**row, "operator": "not in" if condition.unseen else "in"}
    values = bounded(language, condition).values
    if not isinstance(values, Interval):
        return {**row, "operator": "nothing"}
    above, upto = bounds_of(values)
    return {**row, "operator": "within", f"above_{feature.scalar}": above, f"upto_{feature.scalar}": upto}


def member_rows(language: Language, rules: RuleSet) -> Iterator[Mapping[str, Any]]:
    """Yield a row a category that a condition names."""
    for rule in rules.rules:
        for position, (name, condition) in enumerate(rule.conditions, 1):
            feature = rules.schema.feature(name)
            if feature.is_ordered:
                continue
            for value in listed(feature, condition)[0]:
                if not never_stored(language, value):
                    yield {"rule": rule.number, "position": position, f"value_{feature.scalar}": value}
