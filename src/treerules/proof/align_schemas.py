"""Alignment of two schemas: rules over each become rules over one schema, with the columns and categories of both.

A category that one schema does not name is unseen to its rules, so a condition that takes unseen values takes that
category too. Equal conditions get one form: the categories that they take, in order, and no bound that has no effect.
"""

from collections.abc import Iterable
from typing import Literal

from attrs import evolve

from treerules.data.cell_reading import AS_USUAL, CellReading, reading_text
from treerules.data.schema import Feature, Kind, Schema
from treerules.errors import ColumnError, DataError
from treerules.regions.space import Region
from treerules.rules.conditions import rebase_condition
from treerules.rules.rule import Condition, Rule
from treerules.trees.node_parts import ClassPrediction, Prediction

#: What has the two schemas: rules, or models that are compared on rows.
Owner = Literal["rules", "model"]
#: What to do about columns of different kinds, and about targets of different kinds.
_REMEDIES = {
    "rules": (
        "declare the same kind in both (schema=, --schema), then read them again",
        "compare rules of the same target, and write its values alike in both",
    ),
    "model": ("learn or import both with the same kinds of columns", "compare models of the same target"),
}


def merge_schemas(old: Schema, new: Schema, *, of: Owner = "rules") -> Schema:
    """Return the schema with the columns of both, those of the old first, and the categories of both.

    `of` is what has the schemas, for errors.

    Raises:
        ColumnError: a column is of different kinds in the two, or holds different types of values.
        DataError: one predicts classes and the other numbers.
    """
    features = [
        _merge_features(feature, new.feature(feature.name), of) if feature.name in new.indices else feature
        for feature in old.features
    ]
    features += [feature for feature in new.features if feature.name not in old.indices]
    target = _merge_targets(old, new, of)
    if target is not None and any(feature.name == target.name for feature in features):
        target = None  # the target of one is a feature of the other; only the wording of reports uses the target
    return Schema(features, target)


def require_same_readings(old: Schema, new: Schema) -> None:
    """Raise ColumnError for a column of two models whose cells they read by other choices of the user."""
    for name, readings in other_readings(old, new).items():
        ways = [reading_text(reading) or "cells as usual" for reading in readings]
        problem = f"is read in two ways: {ways[0]} in the old model, {ways[1]} in the new"
        raise ColumnError(name, problem, "learn both with the same words for missing values")


def without_readings(schema: Schema) -> Schema:
    """Return the schema of rules in a file, which do not hold how the model of that schema reads cells."""
    return evolve(schema, features=[evolve(feature, reading=AS_USUAL) for feature in schema.features])


def other_readings(old: Schema, new: Schema) -> dict[str, tuple[CellReading, CellReading]]:
    """Return the readings of the columns whose cells the two read by other choices of the user."""
    pairs = [(feature, new.feature(feature.name)) for feature in old.features if feature.name in new.indices]
    return {one.name: (one.reading, other.reading) for one, other in pairs if one.reading != other.reading}


def _merge_targets(old: Schema, new: Schema, of: Owner) -> Feature | None:
    if old.target is None or new.target is None:
        return old.target or new.target
    if old.is_regression is not new.is_regression:
        numbers, classes = ("old", "new") if old.is_regression else ("new", "old")
        predict = "rules predict" if of == "rules" else "model predicts"
        problem = f"the {numbers} {predict} numbers and the {classes} {of} classes"
        raise DataError(problem, _REMEDIES[of][1])
    return old.target if old.is_regression else _merge_features(old.target, new.target, of, is_target=True)


def _merge_features(old: Feature, new: Feature, of: Owner, *, is_target: bool = False) -> Feature:
    """Return the feature with the categories of both; an ordinal with two orders becomes a category."""
    is_same_kind = old.kind == new.kind or is_target  # targets are compared by their values only
    if old.scalar != new.scalar or not is_same_kind:
        problem = f"is {_words(old)} in the old {of} and {_words(new)} in the new"
        raise ColumnError(old.name, problem, _REMEDIES[of][0])
    old = evolve(old, reading=new.reading) if old.reading == AS_USUAL else old
    if old.categories == new.categories:
        return old
    categories = sorted({*old.categories, *new.categories})
    if old.kind is Kind.ORDINAL:  # neither order holds for the categories of both
        return Feature(old.name, Kind.CATEGORY, categories, old.scalar, old.form, old.reading)
    return evolve(old, categories=categories)


def _words(feature: Feature) -> str:
    is_usual = feature.scalar in (feature.kind, "text")
    return str(feature.kind) if is_usual else f"{feature.kind} ({feature.scalar})"


def rebase_rules(rules: Iterable[Rule], own: Schema, schema: Schema) -> list[Rule]:
    """Return rules over their own schema as rules over a schema that has its columns and categories.

    Rules that share a condition share the new one, so that it is processed once. A class that the own target does not
    have gets probability 0.
    """
    predictions: dict[Prediction, Prediction] = {}
    rebased: dict[int, tuple[str, Condition] | None] = {}
    rebased_rules = []
    for rule in rules:
        for pair in rule.conditions:
            if id(pair) not in rebased:
                name, condition = pair
                other = rebase_condition(condition, own.feature(name), schema.feature(name))
                rebased[id(pair)] = None if other is None else (name, other)
        pairs = [rebased[id(pair)] for pair in rule.conditions]
        if rule.prediction not in predictions:
            predictions[rule.prediction] = _rebase_prediction(rule.prediction, own, schema)
        conditions = [pair for pair in pairs if pair is not None]
        rebased_rules.append(evolve(rule, conditions=conditions, prediction=predictions[rule.prediction]))
    return rebased_rules


def _rebase_prediction(prediction: Prediction, own: Schema, schema: Schema) -> Prediction:
    if not isinstance(prediction, ClassPrediction) or schema.target is None or own.classes == schema.classes:
        return prediction
    by_class = dict(zip(own.classes, prediction.probabilities, strict=True))
    return ClassPrediction(prediction.value, [by_class.get(label, 0.0) for label in schema.classes])


def spelled_by_category(region: Region, schema: Schema) -> Region:
    """Return conditions that list the categories that they take, not those that they exclude."""
    pairs = (
        (name, rebase_condition(condition, schema.feature(name), schema.feature(name))) for name, condition in region
    )
    return tuple((name, condition) for name, condition in pairs if condition is not None)
