"""Nodes and tests from fields that are known to fit: to check and convert them would take longer than all else."""

from collections import deque
from collections.abc import Iterable
from itertools import repeat
from typing import Any

from attrs import fields

from treerules.trees.class_weighting import Weighing
from treerules.trees.node_parts import CategoryTest, ClassPrediction, MeanPrediction, ThresholdTest
from treerules.trees.tree import Leaf, Split

#: Fields are set of so many values at a time, which stay in the cache.
_AT_ONCE = 2048

_new = object.__new__
_SETTERS: dict[type, list[Any]] = {
    kind: [kind.__dict__[field.name].__set__ for field in fields(kind)]
    for kind in (Leaf, Split, MeanPrediction, ThresholdTest, CategoryTest)
}


def blank(kind: type, n: int) -> list[Any]:
    """Return new values whose fields are still to be filled, before anybody else sees them."""
    return list(map(_new, repeat(kind, n)))


def fill(kind: type, values: list[Any], *columns: Iterable[Any]) -> list[Any]:
    """Set the fields of blank values and return them; each column yields one field of all. All loops run in C."""
    pairs = [(set_field, iter(column)) for set_field, column in zip(_SETTERS[kind], columns, strict=True)]
    for start in range(0, len(values), _AT_ONCE):
        some = values[start : start + _AT_ONCE]
        for set_field, column in pairs:
            deque(map(set_field, some, column), maxlen=0)
    return values


def leaves_of(rows: list[tuple[float, ...]], weighing: Weighing) -> dict[tuple[float, ...], Leaf]:
    """Return the leaf of each row of class counts. A label depends on the shares alone: all pure nodes share theirs."""
    labels: dict[tuple[float, ...], ClassPrediction] = {}
    distinct = dict.fromkeys(rows)
    for row in distinct:
        shares = tuple(map(bool, row)) if row.count(0) == len(row) - 1 else row
        label = labels.get(shares)
        if label is None:
            label = labels[shares] = weighing.label(row)
        distinct[row] = label
    leaves = fill(Leaf, blank(Leaf, len(distinct)), distinct.values(), distinct, repeat(None))
    return dict(zip(distinct, leaves, strict=True))
