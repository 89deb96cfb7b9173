"""`feature_gains(recipe=...)` follows every option of a recipe that decides the split of a node."""

from typing import Any

import pytest
from attrs import evolve, fields

from treerules import Recipe, Table, c45, cart, feature_gains

MIXED = Table.from_columns(
    {"x": [1.0, 2, 3, 4, 5, 6, 7, None], "k": list("ppqqrrss"), "y": list("aabbabbc")}, types={"k": "category"}
)
TIED = Table.from_columns({"x": [1.0, 2, 3, 4], "k": list("ppqq"), "y": list("aabb")}, types={"k": "category"})
GAPS = Table.from_columns(
    {"x": [1.0, 1, 2, 2, None, None, None, None], "k": list("ppppqqpp"), "y": list("ababcccc")}, types={"k": "category"}
)
#: For each option a table, and a value that changes what is said of it.
OPTIONS: dict[str, tuple[Table, Any]] = {
    "criterion": (MIXED, "entropy"),
    "categories": (MIXED, "multiway"),
    "thresholds": (MIXED, "data"),
    "base": (MIXED, "e"),
    "average_gain": (MIXED, True),
    "missing": (GAPS, "branch"),
    "quinlan": (MIXED, True),
    "max_depth": (TIED, 0),
    "max_leaves": (TIED, 1),
    "min_samples_split": (TIED, 5),
    "min_samples_leaf": (MIXED, 3),
    "min_gain": (TIED, 0.9),
    "min_impurity": (TIED, 0.9),
    "class_weight": (MIXED, {"a": 9.0}),
    "priors": (MIXED, {"a": 0.9, "b": 0.05, "c": 0.05}),
    "costs": (MIXED, {("a", "b"): 50.0}),
    "monotone": (TIED, {"x": -1}),
    "feature_cost": (TIED, {"x": 100.0}),
    "prefer": (TIED, ("k",)),
}
#: Names, the record of `criterion`, and what is done after growth or in its place.
OF_NO_SPLIT = {"name", "own_criterion", "confidence", "size_choice", "optimal_search"}


def test_every_option_is_tried() -> None:
    """A new option of recipes stands in one of both lists."""
    assert set(OPTIONS) | OF_NO_SPLIT == {option.name for option in fields(Recipe)}


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_changes_the_gains(name: str) -> None:
    """The figures, or the feature that is marked as chosen."""
    table, value = OPTIONS[name]
    base = c45(missing="larger") if name in ("average_gain", "quinlan") else cart(missing="larger")
    changed = evolve(base, **{name: value})
    assert feature_gains(table, target="y", recipe=changed) != feature_gains(table, target="y", recipe=base)
