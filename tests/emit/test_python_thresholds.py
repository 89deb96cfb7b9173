"""Emitted Python whose columns share thresholds: questions that name the same value stay two questions."""

from datetime import date, datetime
from itertools import product
from random import Random
from typing import Any

import pytest

from profiles import examples
from run_emitted import module
from treerules import Feature, Kind, Schema, Tree, to_python
from treerules.trees import ClassPrediction, Leaf, Split, ThresholdTest, find_leaf

CUTS: dict[str, list[Any]] = {
    "date": [date(2024, 1, 1), date(2025, 1, 1)],
    "timestamp": [datetime(2024, 1, 1, 12), datetime(2025, 1, 1, 12)],
    "number": [0.5, 1.5],
    "integer": [1, 2],
}


def drawn(random: Random, schema: Schema, depth: int, cuts: list[Any]) -> Any:
    """Return a full subtree whose cuts are few, missing values sent anywhere."""
    if depth == 0:
        return Leaf(ClassPrediction(random.choice("pqr"), (1.0, 0.0, 0.0)), (1, 0, 0))
    test = ThresholdTest(random.randrange(3), random.choice(cuts))
    children = [drawn(random, schema, depth - 1, cuts) for _ in range(2)]
    return Split(test, children, missing=random.randrange(2))


@pytest.mark.parametrize("layout", ["flat", "guarded"])
@pytest.mark.parametrize("scalar", CUTS)
def test_columns_may_share_thresholds(scalar: str, layout: Any) -> None:
    """Every row of values at, between and beyond the cuts, and without a value, gets the tree's answer."""
    cuts = CUTS[scalar]
    schema = Schema([Feature(name, Kind(scalar)) for name in "abc"], Feature("y", Kind.CATEGORY, ("p", "q", "r")))
    values = [
        *cuts,
        cuts[0] + (cuts[1] - cuts[0]) / 2 if scalar != "integer" else 0,
        cuts[1] + (cuts[1] - cuts[0]),
        None,
    ]
    for seed in range(examples(40)):
        tree = Tree(schema, drawn(Random(seed), schema, 4, cuts))
        emitted = module(to_python(tree, layout=layout))
        for a, b, c in product(values, repeat=3):
            row = {"a": a, "b": b, "c": c}
            assert emitted.predict(row) == find_leaf(tree, row).prediction.value, (seed, row)
