"""The rows of the rules table as values: one for each condition, and one for each category that a condition names."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treerules.data.schema import SCALARS, Feature, Schema
from treerules.emit.predicates import is_never_stored, without_infinities
from treerules.rules.conditions import bounds_of
from treerules.rules.rule import Condition, Rule, named_categories
from treerules.rules.rule_set import RuleList, RuleSet, figure_names
from treerules.rules.wording import condition_text
from treerules.sql.language import Language

#: The text of a condition, which the query does not read, is limited to this number of characters.
MOST_CHARACTERS = 1000


def features_of_rules(rules: RuleSet | RuleList) -> list[Feature]:
    """Return the features on which some rule has a condition, in the order of the schema."""
    names = {name for rule in rules.rules for name, _ in rule.conditions}
    return [feature for feature in rules.schema.features if feature.name in names]


def _scalars(features: Sequence[Feature], *, ordered: bool) -> list[str]:
    used = {feature.scalar for feature in features if feature.is_ordered is ordered}
    return [scalar for scalar in SCALARS if scalar in used]


def rule_fields(schema: Schema, features: Sequence[Feature]) -> Iterator[tuple[str, str]]:
    """Yield the columns of the rules, each with the scalar that is its type."""
    yield from (("rule", "integer"), ("position", "integer"), ("n_conditions", "integer"))
    yield from (("feature", "text"), ("feature_number", "integer"), ("kind", "text"))
    yield from (("condition", "text"), ("operator", "text"))
    for scalar in _scalars(features, ordered=True):
        yield from ((f"above_{scalar}", scalar), (f"upto_{scalar}", scalar))
    yield from (("takes_missing", "integer"), ("takes_unseen", "integer"), ("prediction", schema.predicted))
    yield from ((figure, "number") for figure in figure_names(schema))


def member_fields(features: Sequence[Feature]) -> Iterator[tuple[str, str]]:
    """Yield the columns of the members, each with the scalar that is its type."""
    yield from (("rule", "integer"), ("position", "integer"))
    yield from ((f"value_{scalar}", scalar) for scalar in _scalars(features, ordered=False))


def rule_rows(language: Language, rules: RuleSet) -> Iterator[Mapping[str, Any]]:
    """Yield a row for each condition, by the names of its columns; a column without a key is NULL.

    A condition of several intervals has a row for each, of which a value meets at most one.
    """
    for rule in rules.rules:
        row = {"rule": rule.number, "n_conditions": len(rule.conditions), "prediction": rule.value}
        row |= {figure: _figure(rule, figure) for figure in figure_names(rules.schema)}
        if not rule.conditions:
            yield {**row, "position": 0}
        for position, (name, condition) in enumerate(rule.conditions, 1):
            feature = rules.schema.feature(name)
            position_of = {"position": position, "feature": name, "feature_number": rules.schema.index(name)}
            for columns in _condition_rows(language, feature, condition):
                yield {**row, **position_of, "kind": str(feature.kind), **columns}


def _figure(rule: Rule, figure: str) -> float | None:
    value = getattr(rule.figures, figure)
    return None if value is None else float(value)


def _condition_rows(language: Language, feature: Feature, condition: Condition) -> Iterator[dict[str, Any]]:
    """Yield the columns of a condition: text, operator, bounds, and whether it takes missing and unseen values.

    Of several intervals the first row takes missing values.
    """
    text = condition_text(feature, condition)
    row: dict[str, Any] = {
        "condition": text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 3] + "...",
        "takes_missing": int(condition.missing),
        "takes_unseen": int(condition.unseen),
    }
    if not feature.is_ordered:
        yield {**row, "operator": "not in" if condition.unseen else "in"}
        return
    intervals = without_infinities(language, condition).intervals
    if not intervals:
        yield {**row, "operator": "nothing"}
    for interval in intervals:
        above, upto = bounds_of(interval)
        yield {**row, "operator": "within", f"above_{feature.scalar}": above, f"upto_{feature.scalar}": upto}
        row["takes_missing"] = 0


def member_rows(language: Language, rules: RuleSet) -> Iterator[Mapping[str, Any]]:
    """Yield a row for each category that a condition names."""
    for rule in rules.rules:
        for position, (name, condition) in enumerate(rule.conditions, 1):
            feature = rules.schema.feature(name)
            if feature.is_ordered:
                continue
            for value in named_categories(feature, condition)[0]:
                if not is_never_stored(language, value):
                    yield {"rule": rule.number, "position": position, f"value_{feature.scalar}": value}
