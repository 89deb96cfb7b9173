"""Nodes and tests from fields that are known to fit: to check and convert them would take longer than all else."""

from collections.abc import Iterable
from typing import Any

from treerules.learn.leaves import label_of
from treerules.parts import Groups, Label, Mean, Test, Threshold
from treerules.tree import Leaf, Node, Split
from treerules.weighing import Weighing


def _setters(kind: type, *names: str) -> Any:
    return tuple(kind.__dict__[name].__set__ for name in names)


_new = object.__new__
_set_prediction, _set_counts = _setters(Leaf, "prediction", "counts")
_set_test, _set_children, _set_missing, _set_unseen, _set_collapsed = _setters(
    Split, "test", "children", "missing", "unseen", "collapsed"
)
_set_value, _set_sd = _setters(Mean, "value", "sd")
_set_feature, _set_threshold = _setters(Threshold, "feature", "threshold")
_set_divided, _set_groups = _setters(Groups, "feature", "groups")


def leaf_of(prediction: Any, counts: tuple[float, ...]) -> Leaf:
    """Return a leaf."""
    leaf = _new(Leaf)
    _set_prediction(leaf, prediction)
    _set_counts(leaf, counts)
    return leaf


def mean_of(value: float, sd: float) -> Mean:
    """Return the prediction of a regression."""
    mean = _new(Mean)
    _set_value(mean, value)
    _set_sd(mean, sd)
    return mean


def split_of(test: Test, children: tuple[Node, ...], missing: int, unseen: int | None, collapsed: Leaf) -> Split:
    """Return a split."""
    split = _new(Split)
    _set_test(split, test)
    _set_children(split, children)
    _set_missing(split, missing)
    _set_unseen(split, unseen)
    _set_collapsed(split, collapsed)
    return split


def threshold_of(feature: int, threshold: Any) -> Threshold:
    """Return the test of a cut."""
    test = _new(Threshold)
    _set_feature(test, feature)
    _set_threshold(test, threshold)
    return test


def groups_of(feature: int, groups: tuple[tuple[int, ...], ...]) -> Groups:
    """Return the test of groups of categories."""
    test = _new(Groups)
    _set_divided(test, feature)
    _set_groups(test, groups)
    return test


def leaves_of(rows: Iterable[list[float]], weighing: Weighing) -> list[Leaf]:
    """Return the leaf of each row of class counts. A label depends on the shares alone: all pure nodes share theirs."""
    labels: dict[tuple[float, ...], Label] = {}
    found = []
    for row in map(tuple, rows):
        shares = tuple(map(bool, row)) if row.count(0) == len(row) - 1 else row
        label = labels.get(shares)
        if label is None:
            label = labels[shares] = label_of(row, weighing)
        found.append(leaf_of(label, row))
    return found
