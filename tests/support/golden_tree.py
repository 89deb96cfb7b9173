"""The tree of the golden files: it asks every kind of feature."""

from datetime import UTC, date, datetime
from typing import Any

from treerules import Feature, Kind, Schema, Tree
from treerules.trees import CategoryTest, ClassPrediction, Leaf, Split, ThresholdTest


def golden_tree() -> Tree:
    """Return a tree that asks every kind, with missing and unseen values on either side."""
    features = [
        Feature("x", Kind.NUMBER),
        Feature("count", Kind.INTEGER),
        Feature("is it", Kind.BOOLEAN),
        Feature("年龄", Kind.CATEGORY, sorted(["", "it's", "back\\slash", "青年"])),
        Feature("size", Kind.ORDINAL, ["S", "M", "L"]),
        Feature("rate", Kind.CATEGORY, [0.1, 2.5], "number"),
        Feature("day", Kind.DATE),
        Feature("at", Kind.TIMESTAMP),
        Feature("seen", Kind.TIMESTAMP, (), "timestamp_utc"),
    ]
    tests: list[tuple[Any, int, int | None]] = [
        (ThresholdTest(0, 0.1 + 0.2), 0, None),
        (ThresholdTest(1, 2**53 + 1), 1, None),
        (CategoryTest(2, [[0], [1]]), 0, None),
        (CategoryTest(3, [[0, 1], [2, 3]]), 1, 0),
        (CategoryTest(4, [[0, 1], [2]]), 0, 1),
        (CategoryTest(5, [[0], [1]]), 1, 1),
        (ThresholdTest(6, date(2024, 2, 29)), 0, None),
        (ThresholdTest(7, datetime(2024, 3, 21, 20, 21, 9, 1)), 1, None),
        (ThresholdTest(8, datetime(2024, 3, 21, 20, 21, 9, tzinfo=UTC)), 0, None),
        (ThresholdTest(0, float("inf")), 1, None),
    ]
    labels = ["it's", "否"]
    node: Any = Leaf(ClassPrediction("否", (0.25, 0.75)), (1, 3))
    for place, (test, missing, unseen) in reversed(list(enumerate(tests))):
        leaf = Leaf(
            ClassPrediction(labels[place % 2], (1.0, 0.0) if place % 2 == 0 else (0.0, 1.0)), (place + 1, place)
        )
        node = Split(test, [leaf, node], missing=missing, unseen=unseen)
    return Tree(Schema(features, Feature("结果", Kind.CATEGORY, labels)), node)
