"""The grower of lone leaves: it grows what the recipe stops at the root, and says of all else why not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_growth import reference
from treerules import Recipe, Table, c45, cart, id3, learn
from treerules.growing.array_tree import Flat, root_of
from treerules.growing.growers import grower_for
from treerules.growing.lone_leaf.grower import LONE_LEAF
from treerules.growing.problem import problem_of
from treerules.growing.task import GrowthTask

LABELS = st.lists(st.sampled_from(["a", "b", "否"]), min_size=1, max_size=9)


def a_task(labels: list[Any], recipe: Recipe, **choices: Any) -> GrowthTask:
    """Return a tree of one feature that tells the rows apart."""
    table = Table.from_columns({"x": [f"v{row % 3}" for row in range(len(labels))], "y": labels})
    return GrowthTask(problem_of(table, target="y", recipe=recipe, keep=["x"]), recipe, **choices)


@pytest.mark.parametrize("make", [cart, c45, id3])
@given(labels=LABELS)
def test_a_tree_without_depth_is_the_leaf_of_the_reference(make: Any, labels: list[str]) -> None:
    """Whatever the labels: it is the first to be asked, grows the leaf, and says that all rows are done."""
    told: list[tuple[int, int]] = []
    task = a_task(labels, make(max_depth=0), progress=lambda done, n: told.append((done, n)))
    assert grower_for(task) is LONE_LEAF
    made = LONE_LEAF.grow(task)
    assert isinstance(made, Flat)
    assert root_of(made, task.problem) == reference(task.problem, task.recipe).root
    assert told == [(len(labels), len(labels))]


@pytest.mark.parametrize(
    ("labels", "recipe", "reason"),
    [
        (["a", "a", "a"], cart(), None),
        (["a", "b", "b"], cart(min_samples_split=4), None),
        (["a", "b", "b"], cart(min_samples_split=3), "the root may be split"),
        (["a", "b", "b"], cart(max_depth=1), "the root may be split"),
        ([0.5, 1.5, 2.5], cart(max_depth=0), "the target is a number, whose mean the reference finds"),
        (["a", "b", "b"], cart(max_depth=0, class_weight={"b": 2.0}), "classes have weights, priors or costs"),
    ],
)
def test_it_refuses_what_may_be_more_than_a_leaf(labels: list[Any], recipe: Recipe, reason: str | None) -> None:
    """By the depth, the classes and the rows of the root; the reference grows the same tree."""
    task = a_task(labels, recipe)
    assert LONE_LEAF.refusal(task) == reason
    tree = learn(Table.from_columns({"x": ["v0", "v1", "v2"], "y": labels}), target="y", recipe=recipe, keep=["x"])
    assert tree == reference(task.problem, recipe)
