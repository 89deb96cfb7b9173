"""The kernels give the reference's tree, whatever weights, factors, criterion and way to divide categories."""

from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules import Table, Tree, c45, cart
from treerules.growing import principal_axis
from treerules.growing.array_tree_nodes import to_nodes
from treerules.growing.compiled.grower import COMPILED
from treerules.growing.growers import grower_for
from treerules.growing.kernel_refusals import kernel_refusal
from treerules.growing.problem import Problem, problem_of
from treerules.growing.reference.grower import REFERENCE
from treerules.growing.task import GrowthTask
from treerules.learning.grown_arrays import grown_arrays
from treerules.recipes.recipe import Recipe

pytestmark = [pytest.mark.compiled, pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")]

RECIPES = {
    "Gini, subsets": cart,
    "Gini, one against the rest": partial(cart, categories="one_against_rest"),
    "entropy, subsets": partial(cart, criterion="entropy"),
    "entropy in nats": partial(cart, criterion="entropy", base="e", categories="one_against_rest"),
    "gain ratio, multiway": partial(c45, unpruned=True),
    "gain ratio, subsets": partial(c45, unpruned=True, categories="subset"),
    "gain ratio, one against the rest": partial(c45, unpruned=True, categories="one_against_rest"),
    "average gain": partial(c45, unpruned=True, average_gain=True),
    "C4.5 as published": partial(c45, unpruned=True, quinlan=True),
    "C4.5 as published, subsets": partial(c45, unpruned=True, quinlan=True, categories="subset"),
}
#: Targets of regressions: of units, of none, with outliers, next to each other far from 0.
TARGETS = {
    "whole": lambda random, signal: np.round(signal * 300),
    "few": lambda random, signal: np.round(signal),
    "cents": lambda random, signal: np.round(signal * 1000, 2),
    "wide": lambda random, signal: np.round(signal * 1e13),
    "measured": lambda random, signal: signal,
    "heavy tails": lambda random, signal: np.exp(3 * signal),
    "far from 0": lambda random, signal: 1e9 + signal,
}
WEIGHTS = {
    "none": lambda random, n: None,
    "whole": lambda random, n: random.integers(1, 5, n),
    "two decimals": lambda random, n: random.integers(1, 300, n) / 100,
    "doubles": lambda random, n: random.random(n) + 1e-3,
    "great": lambda random, n: random.integers(10**9, 10**10, n),
}


def drawn_columns(random: Any, signal: Any, has_holes: bool) -> dict[str, list[Any]]:
    """Return columns of every kind, some with ties, some twice, at times with missing cells."""
    n = len(signal)
    columns: dict[str, list[Any]] = {
        "tenths": np.round(signal + random.normal(size=n), 1).tolist(),
        "measured": (signal + random.normal(size=n) * 3).tolist(),
        "flag": random.integers(0, 2, n).astype(bool).tolist(),
        "few": random.choice(["a", "b", "c", "红", ""], n).tolist(),
        "many": [f"k{int(value * 8)}" for value in signal + random.normal(size=n) * 0.3],
        "count": random.integers(0, 30, n).tolist(),
    }
    chosen = random.permutation(list(columns))[: random.integers(1, 6)].tolist()
    result: dict[str, list[Any]] = {}
    for name in chosen:
        holes = random.random(n) < 0.2 * has_holes * random.integers(0, 2)
        holes[0] = False
        cells = [None if is_hole else cell for is_hole, cell in zip(holes, columns[name], strict=True)]
        result[name] = cells
        if random.random() < 0.3:
            result[f"{name} again"] = cells
    return result


def drawn_problem(seed: int, make: Any, weighing: str) -> tuple[Problem, Recipe]:
    """Return a drawn problem with two to twelve classes, and a recipe with drawn options."""
    random = np.random.default_rng(seed)
    n, n_classes = int(random.choice([1, 2, 9, 40, 150, 400])), int(random.choice([2, 2, 3, 5, 12]))
    signal = random.normal(size=n)
    labels = np.digitize(signal + random.normal(size=n) * 0.7, np.linspace(-1.5, 1.5, n_classes - 1))
    classes = [f"c{label}" for label in labels.tolist()]
    columns = drawn_columns(random, signal, has_holes=bool(random.integers(2)))
    options = drawn_options(random, columns, len(set(classes)) == 2)
    if make().categories == "multiway":
        options["missing"] = "larger"
    present = sorted(set(classes))
    factors = random.integers(5)
    if factors == 0:
        options["class_weight"] = "balanced"
    elif factors == 1:
        options["class_weight"] = {label: float(random.choice([0.1, 0.5, 3.0])) for label in present}
    elif factors == 2:
        options["priors"] = {label: 1.0 + index for index, label in enumerate(present)}
    elif factors == 3 and len(present) > 1:
        options["costs"] = {(present[0], present[1]): 5.0}
    if make().categories == "multiway":
        options.pop("monotone", None)
    recipe = make(**options)
    table = Table.from_columns({**columns, "y": classes}, types={"y": "category"})
    weight = WEIGHTS[weighing](random, n)
    return problem_of(table, target="y", recipe=recipe, weight=weight, features=list(columns)), recipe


def drawn_options(random: Any, columns: dict[str, list[Any]], has_monotone: bool) -> dict[str, Any]:
    """Return drawn options of any recipe of cuts; features are monotone only if `has_monotone`."""
    options: dict[str, Any] = {
        "max_depth": [None, 2, 5][random.integers(3)],
        "min_samples_leaf": int(random.integers(1, 4)),
        "missing": ["learned", "larger"][random.integers(2)],
    }
    ordered = [name for name, cells in columns.items() if isinstance(cells[0], float)]
    for name, share, value in (
        ("min_gain", 0.2, float(random.choice([0.01, 0.05]))),
        ("min_impurity", 0.2, float(random.choice([0.2, 0.3]))),
        ("prefer", 0.2, [list(columns)[-1]]),
        ("feature_cost", 0.25, {name: float(random.choice([0.5, 1.0, 3.7])) for name in columns}),
        ("max_leaves", 0.25, int(random.choice([2, 3, 7, 30]))),
        ("monotone", 0.25 * has_monotone, {name: int(random.choice([-1, 1])) for name in ordered}),
    ):
        if random.random() < share:
            options[name] = value
    return options


def drawn_regression(seed: int, target: str, weighing: str) -> tuple[Problem, Recipe]:
    """Return a drawn problem whose target is a number, and a recipe with drawn options."""
    random = np.random.default_rng(seed)
    n = int(random.choice([1, 2, 9, 40, 150, 400]))
    signal = random.normal(size=n)
    columns = drawn_columns(random, signal, has_holes=bool(random.integers(2)))
    categories = str(random.choice(["subset", "one_against_rest"]))
    recipe = cart(categories=categories, **drawn_options(random, columns, has_monotone=True))
    y = TARGETS[target](random, signal + random.normal(size=n) * 0.7)
    table, weight = Table.from_columns({**columns, "y": y.tolist()}), WEIGHTS[weighing](random, n)
    options: dict[str, Any] = {"target": "y", "recipe": recipe, "weight": weight, "task": "regression"}
    return problem_of(table, features=list(columns), **options), recipe


def grown(problem: Problem, recipe: Recipe) -> tuple[Tree, Tree]:
    """Return the trees of the general kernels and of the reference."""
    task = GrowthTask(problem, recipe, compiled=True)
    own: Any = COMPILED.grow(task)
    theirs: Any = REFERENCE.grow(task)
    return Tree(problem.schema, to_nodes(own, problem, recipe), recipe), Tree(problem.schema, theirs, recipe)


@pytest.mark.parametrize("weighing", WEIGHTS)
@pytest.mark.parametrize("make", RECIPES.values(), ids=RECIPES)
@given(seed=st.integers(0, 2**32))
def test_the_tree_is_that_of_the_reference(make: Any, weighing: str, seed: int) -> None:
    """Node for node, with every criterion, weights and factors of each kind, and all other options."""
    problem, recipe = drawn_problem(seed, make, weighing)
    if kernel_refusal(problem, recipe, None) is None:
        own, theirs = grown(problem, recipe)
        assert own == theirs


@pytest.mark.parametrize("weighing", WEIGHTS)
@pytest.mark.parametrize("target", TARGETS)
@given(seed=st.integers(0, 2**32))
def test_the_tree_of_a_regression_is_that_of_the_reference(target: str, weighing: str, seed: int) -> None:
    """Node for node, means and deviations to the last bit, with targets and weights of every kind, and all options."""
    problem, recipe = drawn_regression(seed, target, weighing)
    if kernel_refusal(problem, recipe, None) is None:
        own, theirs = grown(problem, recipe)
        assert own == theirs


@pytest.mark.parametrize("make", [cart, partial(c45, unpruned=True)], ids=["two children", "many children"])
@pytest.mark.parametrize("weighing", WEIGHTS)
@given(seed=st.integers(0, 2**32))
def test_cross_validation_sees_the_same_trees(make: Any, weighing: str, seed: int) -> None:
    """The arrays of a tree, from which errors are estimated: risks to the last bit."""
    problem, recipe = drawn_problem(seed, make, weighing)
    own, theirs = (grown_arrays(problem, recipe, compiled=compiled) for compiled in (True, False))
    assert (list(own.children), list(own.risks)) == (list(theirs.children), list(theirs.risks))
    assert np.array_equal(own.predictions, theirs.predictions)


@pytest.mark.parametrize("n_classes", [2, 3, 8, 40])
@given(seed=st.integers(0, 2**32))
def test_categories_by_the_dozen(n_classes: int, seed: int) -> None:
    """Hundreds of categories of a few or many classes, of which few are in a node."""
    random = np.random.default_rng(seed)
    n, n_categories = 300, int(random.choice([12, 60, 250]))
    codes = random.integers(0, n_categories, n)
    labels = (codes * 7 + random.integers(0, 3, n)) % n_classes
    cells = {"code": [f"k{code:03}" for code in codes], "x": np.round(random.normal(size=n), 1).tolist()}
    table = Table.from_columns({**cells, "y": [f"c{label}" for label in labels]})
    recipe = cart(max_depth=4, min_samples_leaf=int(random.integers(1, 4)))
    problem = problem_of(table, target="y", recipe=recipe, features=["code", "x"])
    own, theirs = grown(problem, recipe)
    assert own == theirs


def learned(columns: dict[str, Any], recipe: Recipe, **options: Any) -> tuple[Tree, Tree]:
    """Return the trees of the general kernels and of the reference that are learned from all columns but "y"."""
    features = [name for name in columns if name != "y"]
    problem = problem_of(Table.from_columns(columns), target="y", recipe=recipe, features=features, **options)
    assert kernel_refusal(problem, recipe, None) is None
    return grown(problem, recipe)


@pytest.mark.parametrize("max_leaves", [20, 60])
def test_many_categories_best_first(max_leaves: int) -> None:
    """The sides of hundreds of categories of many splits need more space than is there at first."""
    random = np.random.default_rng(0)
    codes, x = random.integers(0, 300, 3000), random.normal(size=3000)
    y = np.round(random.normal(size=300)[codes] * np.sign(x) + random.normal(size=3000) * 0.3, 2)
    cells = {"c": [f"k{code}" for code in codes], "x": x.tolist(), "y": y.tolist()}
    own, theirs = learned(cells, cart(max_leaves=max_leaves))
    assert own == theirs


@given(seed=st.integers(0, 2**32))
def test_sums_that_are_doubles_and_products_that_are_not(seed: int) -> None:
    """Targets near 0 and near 2**47 in equal shares on both sides: gains differ in the last digits alone."""
    random = np.random.default_rng(seed)
    high = np.repeat([0, 1], [40, 20])
    cells: dict[str, Any] = {"y": (high * 2**47 + random.integers(0, 4, 60)).tolist()}
    for index in range(12):
        size, flags = int(random.integers(3, 12)), np.zeros(60, dtype=bool)
        for value, n in ((0, 2 * size), (1, size)):
            flags[random.permutation(np.flatnonzero(high == value))[:n]] = True
        cells[f"x{index}"] = flags.tolist()
    own, theirs = learned(cells, cart(max_depth=1), task="regression")
    assert own == theirs


def test_a_node_of_whole_weights_is_exact_though_others_are_not() -> None:
    """A gain of 3e-14 is a gain where all weights of the node are whole."""
    cells = {"A": [True] * 4 + [False] * 2, "B": [True, True, False, False, True, True], "y": list("pqpqpp")}
    own, theirs = learned(cells, cart(), weight=[1000, 1001, 999, 1000, 0.5, 0.5])
    assert own == theirs and own.n_leaves == 3


@pytest.mark.parametrize("factor", [1e4, 1e8, 1e10])
@given(seed=st.integers(0, 2**32))
def test_sides_of_very_unequal_weight(factor: float, seed: int) -> None:
    """The sums of squares of a light side have the rounding errors of the heavy one."""
    random = np.random.default_rng(seed)
    x = random.normal(size=200)
    labels = np.clip(np.round(x + random.normal(size=200) * 0.7), -1, 1).astype(int)
    cells = {"x": x.tolist(), "z": random.normal(size=200).tolist(), "y": [f"y{label}" for label in labels]}
    own, theirs = learned(cells, cart(max_depth=3, class_weight={"y0": factor}))
    assert own == theirs


@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("make", [partial(cart, criterion="entropy"), partial(c45, unpruned=True)])
def test_nodes_of_almost_no_impurity(make: Any, seed: int) -> None:
    """Where gains are as small as their rounding errors, the reference decides."""
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 8))
    order = random.permutation(n)
    for cells in (
        {"x": [1, 2, 2], "y": ["p", "p", "q"]},
        {"x": order.tolist(), "z": (-order).tolist(), "y": (["p", "q"] * n)[:n]},
    ):
        own, theirs = learned(cells, make(missing="larger"), weight=10.0 ** random.uniform(-4, 4, len(cells["y"])))
        assert own == theirs


def test_which_trees_they_grow() -> None:
    """All but those that `kernel_refusals` lists."""
    x = [1.5, 2.5, 3.5, None, 4.5] * 12
    table = Table.from_columns({"x": x, "c": ["r", "g", "b", "g"] * 15, "y": list("abc") * 20})
    for recipe, name in (
        (cart(class_weight="balanced"), "compiled"),
        (cart(), "compiled"),
        (c45(missing="larger"), "compiled"),
        (cart(categories="one_against_rest"), "compiled"),
        (cart(max_leaves=3), "compiled"),
        (cart(missing="branch"), "reference"),
    ):
        task = GrowthTask(problem_of(table, target="y", recipe=recipe), recipe, compiled=True)
        assert grower_for(task).name == name


@pytest.mark.parametrize("counts_rows", [False, True])
@pytest.mark.parametrize("weight", [10**8, 2**27 + 1, 10**9, 10**12])
def test_great_whole_weights_are_compared_exactly(weight: int, counts_rows: bool) -> None:
    """Shares that differ by one row in many: doubles of their products are equal, the reference splits."""
    table = Table.from_columns({"x": [0, 0, 1, 1], "y": list("abab")})
    recipe = cart(class_weight={"a": 1.0, "b": 1.0})
    weights = [weight - 1, weight, weight - 2, weight - 1]
    problem = problem_of(table, target="y", recipe=recipe, weight=weights, features=["x"], counts_rows=counts_rows)
    own, theirs = grown(problem, recipe)
    assert own == theirs and own.n_leaves == 2


def test_weights_that_sums_would_lose_are_the_references() -> None:
    """A sum of doubles that a row does not change would count no row there."""
    table = Table.from_columns({"x": [1.5, 2.5, 3.5, 4.5], "y": ["a", "b", "a", "b"]})
    recipe = cart()
    problem = problem_of(table, target="y", recipe=recipe, weight=[1e12, 1.0, 1e-12, 1.0])
    assert "too unlike" in str(kernel_refusal(problem, recipe, None))


@given(st.integers(2, 40), st.integers(11, 40), st.integers(0, 2**32))
def test_the_axis_has_the_same_bits_compiled_and_not(n_classes: int, n_categories: int, seed: int) -> None:
    """The functions are compiled as they stand: the order of categories does not depend on numba."""
    from treerules.growing.compiled import axis_kernel

    weighted = np.random.default_rng(seed).integers(0, 6, (n_categories, n_classes)).astype(float)
    weighted[:, 0] += 1
    m = min(n_classes, n_categories)
    if m > principal_axis.MOST_AXES:
        return
    results = []
    for functions in (
        (
            principal_axis.write_deviations,
            principal_axis.write_products,
            principal_axis.rotate_to_diagonal,
            principal_axis.write_coordinates,
        ),
        (
            axis_kernel._write_deviations,
            axis_kernel._write_products,
            axis_kernel._rotate_to_diagonal,
            axis_kernel._write_coordinates,
        ),
    ):
        sizes, deviations, axis = np.zeros(n_categories), np.zeros_like(weighted), np.zeros(n_classes)
        matrix, vectors, coordinates = np.zeros((m, m)), np.zeros((m, m)), np.zeros(n_categories)
        functions[0](weighted, sizes, deviations, n_categories, n_classes)
        functions[1](sizes, deviations, matrix, n_categories, n_classes)
        functions[2](matrix, vectors, m)
        functions[3](sizes, deviations, matrix, vectors, axis, coordinates, n_categories, n_classes)
        results.append(coordinates.tolist())
    assert results[0] == results[1]
