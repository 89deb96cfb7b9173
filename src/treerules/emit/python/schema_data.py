"""Statements of emitted Python modules with the schema and the possible predictions as plain data."""

from collections.abc import Iterable
from typing import Any

from treerules.data.schema import Feature, Schema
from treerules.emit.python.python_literals import assignment, type_name
from treerules.rules.shared_conditions import by_identity
from treerules.trees.node_parts import Prediction


def schema_statement(schema: Schema) -> str:
    """Return the statement that sets SCHEMA: name, kind, type and categories of each feature."""
    return assignment("SCHEMA", [_feature_data(feature) for feature in schema.features], "list[dict[str, Any]]")


def _feature_data(feature: Feature) -> dict[str, Any]:
    data: dict[str, Any] = {"name": feature.name, "kind": str(feature.kind), "type": feature.scalar}
    return data if feature.is_ordered else {**data, "categories": feature.categories}


def distinct_answers(schema: Schema, predictions: Iterable[Prediction]) -> list[Any]:
    """Return the classes, then other predictions of the rules: rules written by hand may predict other labels.

    The list is empty for a regression.
    """
    if schema.is_regression:
        return []
    answers = {(type(value), value): value for value in schema.classes}  # 1 and True are two classes
    for prediction in by_identity(predictions).values():
        answers.setdefault((type(prediction.value), prediction.value), prediction.value)
    return list(answers.values())


def answers_statement(schema: Schema, answers: list[Any]) -> str:
    """Return the statement that sets _ANSWERS."""
    if tuple(answers) == schema.classes:
        return "_ANSWERS = CLASSES"
    return assignment("_ANSWERS", tuple(answers), "tuple[Any, ...]")


def tuple_annotation(values: Iterable[Any]) -> str:
    """Return the annotation of a tuple of values of one type."""
    return f"tuple[{next((type_name(value) for value in values), 'Any')}, ...]"


def value_annotation(schema: Schema, answers: list[Any]) -> str:
    """Return the annotation of a prediction."""
    if schema.is_regression:
        return "float"
    return type_name(answers[0]) if answers and len(answers) == len(schema.classes) else "Any"
