"""The table of growers: each refuses a tree with a reason, or gives the tree of the reference."""

from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from reference_growth import reference
from treerules import Recipe, Table, Tree, c45, cart, id3, learn
from treerules._internal.jit import is_installed
from treerules.errors import OptionError, TreeRulesError
from treerules.growing import growers
from treerules.growing.array_tree import ArrayTree
from treerules.growing.array_tree_nodes import to_nodes
from treerules.growing.compiled.grower import COMPILED
from treerules.growing.growers import GROWERS, grower_for
from treerules.growing.levelwise.grower import LEVELWISE
from treerules.growing.problem import problem_of
from treerules.growing.reference.grower import REFERENCE
from treerules.growing.task import Grower, GrowthTask

EACH = [
    pytest.param(grower, id=grower.name, marks=[pytest.mark.compiled] if "compiled" in grower.name else [])
    for grower in GROWERS
]
MAKERS = (
    cart,
    partial(cart, criterion="entropy", categories="one_against_rest"),
    partial(cart, missing="larger"),
    partial(c45, unpruned=True, missing="larger"),
    partial(c45, unpruned=True),
    id3,
)

#: Targets of regressions: quarters, decimals of six places, measured numbers, outliers, sums above 2**53.
NUMBERS: tuple[Callable[[list[int], Any], list[float]], ...] = (
    lambda signal, rng: [value + 0.25 for value in signal],
    lambda signal, rng: [round(value + float(rng.normal()), 6) for value in signal],
    lambda signal, rng: [value + float(rng.normal()) for value in signal],
    lambda signal, rng: [float(value) * (1000 if rng.random() < 0.05 else 1) for value in signal],
    lambda signal, rng: [float(value * 2**49 + int(rng.integers(0, 3))) for value in signal],
)


def a_table(rng: Any) -> Table:
    """Return columns of several kinds with ties, one of them twice, at times with missing cells, and a target."""
    n, is_mixed, has_holes = int(rng.choice([1, 2, 9, 70, 150])), bool(rng.integers(2)), bool(rng.integers(2))
    columns: dict[str, list[Any]] = {"colour": rng.choice(["red", "green", "blue", "红"], n).tolist()}
    columns["flag"] = rng.choice([True, False], n).tolist()
    if is_mixed:
        columns["x"] = np.round(rng.normal(size=n), 1).tolist()
        columns["k"] = rng.integers(-5, 40, n).tolist()
    columns["again"] = columns["colour"]
    if has_holes:
        columns = {name: [None if rng.random() < 0.1 else v for v in values] for name, values in columns.items()}
    signal = [len(str(colour)) + bool(flag) for colour, flag in zip(columns["colour"], columns["flag"], strict=True)]
    noisy = [value if rng.random() < 0.7 else int(rng.integers(0, 6)) for value in signal]
    is_regression = bool(rng.integers(2))
    columns["y"] = NUMBERS[rng.integers(len(NUMBERS))](noisy, rng) if is_regression else [f"c{v % 3}" for v in noisy]
    return Table.from_columns(columns, types={"y": "number"} if is_regression else None)


def a_task(seed: int, **choices: Any) -> GrowthTask | None:
    """Return a drawn tree that is to be grown; None where the recipe cannot use the table."""
    rng = np.random.default_rng(seed)
    table = a_table(rng)
    stops: dict[str, Any] = {"max_depth": [None, 0, 2, 5][rng.integers(4)], "min_samples_leaf": int(rng.integers(1, 4))}
    recipe: Recipe = MAKERS[rng.integers(len(MAKERS))](**stops)
    if recipe.has_cuts:
        recipe = evolve(recipe, thresholds=["midpoint", "short", "data"][rng.integers(3)])
    try:
        problem = problem_of(table, target="y", recipe=recipe, features=[c.feature.name for c in table.columns[:-1]])
    except TreeRulesError:
        return None
    return GrowthTask(problem, recipe, compiled=True, **choices)


def grown(grower: Grower, task: GrowthTask) -> Tree:
    """Return the tree that a grower makes, its nodes checked."""
    result = grower.grow(task)
    assert isinstance(result, ArrayTree) is grower.makes_arrays
    root = to_nodes(result, task.problem, task.recipe) if isinstance(result, ArrayTree) else result
    return Tree(task.problem.schema, root, task.recipe, task.problem.notes)


@pytest.mark.parametrize("grower", EACH)
def test_every_grower_gives_the_tree_of_the_reference(grower: Grower) -> None:
    """Node for node, on tables of every kind, by every recipe that it does not refuse; and it grows some of them."""
    n_grown = 0

    @settings(derandomize=True)
    @given(st.integers(0, 2**32))
    def law(seed: int) -> None:
        nonlocal n_grown
        task = a_task(seed, threads=2)
        if task is not None and grower.refusal(task) is None:
            n_grown += 1
            assert grown(grower, task) == reference(task.problem, task.recipe)

    law()
    for seed in range(200):
        if n_grown < 5:
            law.hypothesis.inner_test(seed)
    assert n_grown >= 5


@given(st.integers(0, 2**32))
def test_the_first_that_does_not_refuse_grows_the_tree(seed: int) -> None:
    """Those before it say why not, in words; and the reference refuses nothing that can be learned."""
    task = a_task(seed)
    if task is None:
        return
    chosen = grower_for(task)
    before = GROWERS[: GROWERS.index(chosen)]
    assert all(len(str(grower.refusal(task)).split()) >= 3 for grower in before)
    assert chosen.refusal(task) is None and REFERENCE.refusal(task) is None and GROWERS[-1] is REFERENCE


def test_reasons_say_what_a_grower_cannot_do() -> None:
    """Each choice that a grower of plain counts does not know has its own reason."""
    table = Table.from_columns({"x": [1.5, 2.5, 3.5, 4.5] * 20, "y": ["a", "b", "b", "a"] * 20})
    for recipe, reason in (
        (cart(monotone={"x": 1}), "features are monotone"),
        (cart(prefer=("x",)), "some features win ties"),
        (cart(max_leaves=3), "the number of leaves is bounded"),
        (cart(class_weight={"a": 2.0}), "classes have weights, priors or costs"),
    ):
        task = GrowthTask(problem_of(table, target="y", recipe=recipe), recipe, compiled=True, threads=2)
        assert reason in str(LEVELWISE.refusal(task))
        assert grower_for(task) is (COMPILED if is_installed() else REFERENCE)
    holes = Table.from_columns({"x": [1.5, None, 3.5, 4.5] * 20, "y": ["a", "b", "b", "a"] * 20})
    recipe = cart(missing="branch")
    task = GrowthTask(problem_of(holes, target="y", recipe=recipe), recipe, compiled=True)
    assert "missing values are treated as 'branch'" in str(COMPILED.refusal(task))


def test_a_recipe_that_no_grower_supports_is_an_error() -> None:
    """The error names the growers and their reasons."""
    table = Table.from_columns({"x": [1.5, 2.5], "y": ["a", "b"]})
    nobody = Grower("picky", lambda task: "it grows nothing", REFERENCE.grow)
    with patch.object(growers, "GROWERS", (nobody,)), pytest.raises(OptionError, match="picky: it grows nothing"):
        learn(table, target="y", recipe=cart())


def test_a_new_grower_is_one_more_row() -> None:
    """A grower that stands before the others grows what it does not refuse, and nothing else."""
    table = Table.from_columns({"x": [1.5, 2.5, 3.5], "y": ["a", "b", "b"]})
    calls: list[str] = []

    def refusal(task: GrowthTask) -> str | None:
        return None if task.recipe.max_depth == 1 else "it grows stumps alone"

    def grow(task: GrowthTask) -> Any:
        calls.append("stump")
        return REFERENCE.grow(task)

    with patch.object(growers, "GROWERS", (Grower("stumps", refusal, grow), *GROWERS)):
        stump, tree = (learn(table, target="y", recipe=cart(max_depth=depth)) for depth in (1, 2))
    assert calls == ["stump"] and stump.root == tree.root
