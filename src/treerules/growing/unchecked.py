"""Nodes and tests built without validation and conversion, which would take longer than growing the tree."""

from collections import deque
from collections.abc import Iterable
from itertools import repeat
from typing import Any

from attrs import fields

from treerules.trees.class_weighting import ClassWeighting
from treerules.trees.node_parts import CategoryTest, ClassPrediction, MeanPrediction, ThresholdTest
from treerules.trees.nodes import Leaf, Split

#: Objects whose fields are set together: few enough to fit in the processor's cache.
_CHUNK = 2048

_new = object.__new__
_SETTERS: dict[type, list[Any]] = {
    kind: [kind.__dict__[field.name].__set__ for field in fields(kind)]
    for kind in (Leaf, Split, MeanPrediction, ThresholdTest, CategoryTest)
}


def allocate(kind: type, n: int) -> list[Any]:
    """Return n new objects of a class whose fields are not set yet."""
    return list(map(_new, repeat(kind, n)))


def assign_fields(kind: type, objects: list[Any], *columns: Iterable[Any]) -> list[Any]:
    """Set all fields of allocated objects and return them.

    Args:
        kind: The class; its fields in the order of definition.
        objects: The objects, from `allocate`.
        columns: For each field, the values for all objects.
    """
    pairs = [(set_field, iter(column)) for set_field, column in zip(_SETTERS[kind], columns, strict=True)]
    for start in range(0, len(objects), _CHUNK):
        chunk = objects[start : start + _CHUNK]
        for set_field, column in pairs:
            deque(map(set_field, chunk, column), maxlen=0)
    return objects


def leaves_by_counts(rows: list[tuple[float, ...]], weighing: ClassWeighting) -> dict[tuple[float, ...], Leaf]:
    """Return the leaf for each distinct tuple of class counts, without a test of `counts` against the schema.

    A prediction depends on the class shares alone, so all pure nodes of one class share theirs.
    """
    predictions: dict[tuple[float, ...], ClassPrediction] = {}
    leaf_of = dict.fromkeys(rows)
    for counts in leaf_of:
        key = tuple(map(bool, counts)) if counts.count(0) == len(counts) - 1 else counts
        prediction = predictions.get(key)
        if prediction is None:
            prediction = predictions[key] = weighing.label(counts)
        leaf_of[counts] = prediction
    leaves = assign_fields(Leaf, allocate(Leaf, len(leaf_of)), leaf_of.values(), leaf_of, repeat(None))
    return dict(zip(leaf_of, leaves, strict=True))
