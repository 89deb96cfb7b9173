"""What emitted Python modules say of columns and of what is predicted, as plain data."""

from collections.abc import Iterable
from typing import Any

from treerules.data.schema import Feature, Schema
from treerules.emit.python.python_literals import assigned, typed
from treerules.rules.rule_set import RuleSet
from treerules.rules.shared_conditions import distinct


def schema_text(schema: Schema) -> str:
    """Return the statement that sets SCHEMA: each feature's name, kind, type and categories as plain data."""
    return assigned("SCHEMA", [_plain(feature) for feature in schema.features], "list[dict[str, Any]]")


def _plain(feature: Feature) -> dict[str, Any]:
    said: dict[str, Any] = {"name": feature.name, "kind": str(feature.kind), "type": feature.scalar}
    return said if feature.is_ordered else {**said, "categories": feature.categories}


def answers_of(rules: RuleSet) -> list[Any]:
    """Return the classes, and whatever else is predicted: no one has checked the rules that people make."""
    if rules.schema.is_regression:
        return []
    known = {(type(value), value): value for value in rules.schema.classes}
    for found in distinct(rule.prediction.value for rule in rules.rules).values():
        known.setdefault((type(found), found), found)
    return list(known.values())


def answers_text(schema: Schema, answers: list[Any]) -> str:
    """Return the statement that sets _ANSWERS."""
    if tuple(answers) == schema.classes:
        return "_ANSWERS = CLASSES"
    return assigned("_ANSWERS", tuple(answers), "tuple[Any, ...]")


def tuple_of(values: Iterable[Any]) -> str:
    """Return the annotation of a tuple of values of one type."""
    return f"tuple[{next((typed(value) for value in values), 'Any')}, ...]"


def value_type(schema: Schema, answers: list[Any]) -> str:
    """Return the annotation of what is predicted."""
    if schema.is_regression:
        return "float"
    return typed(answers[0]) if answers and len(answers) == len(schema.classes) else "Any"
