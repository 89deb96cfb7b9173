"""Growing level by level, without numba, gives the tree that the reference grows node by node."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_growth import reference
from treerules import Recipe, Table, Tree, cart
from treerules.growing.array_tree_nodes import to_nodes
from treerules.growing.encoding import encode_problem
from treerules.growing.levelwise import level_rows
from treerules.growing.levelwise.level_growth import grow_by_levels, level_refusal
from treerules.growing.levelwise.level_nodes import level_statistics
from treerules.growing.problem import Problem, problem_of
from treerules.growing.reference.context import growth_context
from treerules.growing.reference.decide import PendingNode
from treerules.trees import Leaf, Split, preorder

SEEDS = st.integers(0, 2**32)


def by_levels(problem: Problem, recipe: Recipe, progress: Any = None) -> Tree:
    """Return the tree that is grown level by level."""
    assert level_refusal(problem, recipe, None) is None
    flat = grow_by_levels(problem, recipe, growth_context(problem, recipe, None), progress)
    return Tree(problem.schema, to_nodes(flat, problem, recipe), recipe, problem.notes)


def a_column(rng: Any, n: int) -> Any:
    """Return a column from the corners: ties, infinities, neighbouring floats, large integers, categories."""
    few, scale = int(rng.integers(2, 12)), 10.0 ** rng.integers(-300, 300)
    return [
        lambda: rng.normal(size=n),
        lambda: rng.normal(size=n) * scale,
        lambda: np.round(rng.normal(size=n), 1),
        lambda: rng.permutation(n).astype(float),
        lambda: rng.choice([-np.inf, np.inf, 0.0, 1.0, np.nextafter(1.0, 2)], n),
        lambda: 1.0 + rng.integers(0, 4, n) * 2.0**-52,
        lambda: 2**53 + rng.integers(0, 5, n),
        lambda: rng.integers(-(2**62), 2**62, n),
        lambda: rng.integers(0, few, n),
        lambda: rng.integers(0, 400, n),
        lambda: rng.integers(0, 2, n).astype(bool),
        lambda: [f"c{value:02}" for value in rng.integers(0, 3 * few, n)],
    ][int(rng.integers(12))]()


def a_target(rng: Any, n: int, column: Any, *, is_regression: bool) -> Any:
    """Return a target, with ties; of classes, some that a column tells of."""
    if is_regression:
        values = rng.normal(size=n)
        scale = 10.0 ** rng.integers(-300, 300)
        return [values, np.round(values, 1), np.round(values) + 0.5, values * scale, 1e6 + values**3][rng.integers(5)]
    k = int(rng.choice([2, 2, 3, 6]))
    reports = np.argsort(np.argsort(np.asarray(column), kind="stable")) * k // n
    return [f"k{value}" for value in np.where(rng.random(n) < rng.random(), reports, rng.integers(0, k, n))]


def with_holes(rng: Any, column: Any) -> Any:
    """Return a column in which some values, or all but one, or none are missing."""
    values = list(column) if isinstance(column, list) else column.tolist()
    is_missing = rng.random(len(values)) < rng.choice([0.0, 0.1, 0.5, 0.9])
    is_missing[rng.integers(len(values))] = False
    return [None if hole else value for value, hole in zip(values, is_missing, strict=True)]


def drawn(
    seed: int, sizes: tuple[int, ...], *, is_regression: bool, categories: str, has_holes: bool = False
) -> tuple[Problem, Recipe]:
    """Return a problem of random columns, some twice, and a recipe with random stops."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice(sizes))
    columns = [a_column(rng, n) for _ in range(rng.integers(1, 7))]
    if categories == "subset" and is_regression:
        columns = [column for column in columns if not isinstance(column, list)] or [rng.normal(size=n)]
    columns += columns[: rng.integers(0, 2)]
    first = columns[0]
    if has_holes:
        is_held = categories == "one_against_rest"
        columns = [column if is_held and isinstance(column, list) else with_holes(rng, column) for column in columns]
    named = {f"x{index}": column for index, column in enumerate(columns)}
    target = a_target(rng, n, first, is_regression=is_regression)
    if categories == "subset" and not is_regression:
        target = [min(label, "k1") for label in target]
    stops = {
        "max_depth": int(rng.integers(0, 9)),
        "min_samples_leaf": int(rng.choice([2, 3, 10])),
        "min_samples_split": int(rng.choice([3, 5, 10])),
        "min_gain": float(rng.choice([0.01, 0.05, 0.125, 0.25, 1e-6])),
        "min_impurity": float(rng.choice([0.01, 0.1, 0.25, 0.375, 0.5])),
    }
    if categories == "subset":
        del stops["min_samples_leaf"]  # the reference tries all subsets where a category is too small
    chosen = {name: value for name, value in stops.items() if rng.random() < 0.2}
    if rng.random() < 0.5 and not (has_holes and categories == "subset"):
        chosen |= {"criterion": "entropy", "base": ["2", "e"][rng.integers(2)]}
    recipe = cart(categories=categories, **chosen)
    table = Table.from_columns({**named, "y": target})
    return problem_of(table, target="y", recipe=recipe, features=list(named)), recipe


@pytest.mark.parametrize("is_regression", [False, True], ids=["classes", "means"])
@pytest.mark.parametrize("categories", ["one_against_rest", "subset"])
@given(seed=SEEDS)
def test_the_tree_is_the_references(seed: int, categories: str, is_regression: bool) -> None:
    """Whatever the columns, the ties and the stops, the trees are equal, node for node and figure for figure."""
    problem, recipe = drawn(seed, (1, 2, 3, 5, 10, 30, 100, 300), is_regression=is_regression, categories=categories)
    grown, wanted = by_levels(problem, recipe), reference(problem, recipe)
    assert grown == wanted
    assert grown.root == wanted.root


@pytest.mark.parametrize("is_regression", [False, True], ids=["classes", "means"])
@pytest.mark.parametrize("categories", ["one_against_rest", "subset"])
@given(seed=SEEDS)
def test_missing_values_go_where_the_reference_sends_them(seed: int, categories: str, is_regression: bool) -> None:
    """They join the side where they help, or are separated; the trees are equal, node for node."""
    sizes = (2, 3, 5, 10, 30, 100, 300)
    problem, recipe = drawn(seed, sizes, is_regression=is_regression, categories=categories, has_holes=True)
    grown, wanted = by_levels(problem, recipe), reference(problem, recipe)
    assert grown == wanted
    assert grown.root == wanted.root


@pytest.mark.large
@pytest.mark.parametrize("is_regression", [False, True], ids=["classes", "means"])
def test_large_nodes_are_decided_as_by_the_reference(is_regression: bool) -> None:
    """Where floats cannot tell equal gains from near ones: in nodes of thousands of rows, with columns that tie."""
    for seed in range(4):
        problem, recipe = drawn(seed, (3000,), is_regression=is_regression, categories="one_against_rest")
        assert by_levels(problem, recipe) == reference(problem, recipe)


@pytest.mark.parametrize("part", [1, 7, 50])
def test_parts_take_no_part(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A level is grown in parts of any size, by rows or by cells, and the tree stays the same."""
    monkeypatch.setattr(level_rows, "_MOST_ROWS" if part > 1 else "_MOST_CELLS", part)
    for seed in range(6):
        problem, recipe = drawn(seed, (200,), is_regression=seed % 2 == 0, categories="one_against_rest")
        assert by_levels(problem, recipe) == reference(problem, recipe)


def test_what_ties_in_gain_is_decided_in_the_order_of_the_schema() -> None:
    """Of columns that divide alike, or the other way round, the first wins, though others are lists or tables."""
    rng = np.random.default_rng(3)
    up = rng.permutation(60)
    columns = {"down": -up, "up": up, "half": up >= 30, "text": ["ab"[int(value >= 30)] for value in up]}
    target = [f"k{value >= 30}" for value in up]
    for names in (list(columns), list(columns)[::-1]):
        table = Table.from_columns({**{name: columns[name] for name in names}, "y": target})
        recipe = cart(categories="one_against_rest")
        problem = problem_of(table, target="y", recipe=recipe, features=names)
        root = by_levels(problem, recipe).root
        assert isinstance(root, Split)
        assert root.test.feature == 0


def test_a_long_chain_grows() -> None:
    """Each level holds one node that loses a row: as many levels as rows."""
    n = 400
    target = [f"k{index % 2}" for index in range(n)]
    values = np.arange(n) * np.where(np.arange(n) % 2, 1.0, -1.0)
    recipe = cart(min_samples_leaf=1)
    problem = problem_of(Table.from_columns({"x": np.round(values), "y": target}), target="y", recipe=recipe)
    assert by_levels(problem, recipe) == reference(problem, recipe)


@given(seed=SEEDS)
def test_figures_of_means_are_correctly_rounded(seed: int) -> None:
    """Mean and deviation of a node are those of the reference's leaf, to the bit, however its values are spread."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    values = rng.normal(size=n) * 10.0 ** rng.integers(-30, 30, n) ** int(rng.integers(0, 2))
    recipe = cart()
    problem = problem_of(Table.from_columns({"x": rng.normal(size=n), "y": values}), target="y", recipe=recipe)
    data = encode_problem(problem, recipe)
    rows, size = np.arange(n), np.array([n])
    (figures,) = level_statistics(data, recipe, rows, data.target, size, np.zeros(1)).statistics
    leaf = growth_context(problem, recipe, None).decide(PendingNode(rows, data.presorted, None, 0, None)).leaf
    assert (leaf.n, leaf.prediction.value, leaf.prediction.sd) == tuple(figures)


def test_progress_reaches_all_rows() -> None:
    """Rows in leaves grow to all rows, and never beyond."""
    problem, recipe = drawn(5, (300,), is_regression=False, categories="one_against_rest")
    reports: list[tuple[int, int]] = []
    tree = by_levels(problem, recipe, lambda done, n: reports.append((done, n)))
    assert reports == sorted(reports)
    assert reports[-1] == (300, 300)
    (lone, recipe), reports = drawn(5, (1,), is_regression=False, categories="one_against_rest"), []
    assert by_levels(lone, recipe, lambda done, n: reports.append((done, n))).root == reference(lone, recipe).root
    assert reports[-1] == (1, 1)
    assert sum(node.n for node in preorder(tree.root) if isinstance(node, Leaf)) == 300


def test_what_is_not_level_wise_says_so() -> None:
    """Missing values, weights, other criteria, best-first growth and constraints stay with the reference."""
    columns = {"x": [1.0, 2.0, 3.0, 4.0], "c": ["a", "b", "c", "a"], "y": ["k0", "k1", "k0", "k2"]}
    table = Table.from_columns(columns)
    for recipe in (
        cart(),
        cart(categories="one_against_rest", missing="branch", class_weight="balanced"),
        cart(categories="one_against_rest", max_leaves=3),
        cart(categories="one_against_rest", prefer=["c"]),
        cart(categories="one_against_rest", class_weight={"k0": 2}),
    ):
        assert level_refusal(problem_of(table, target="y", recipe=recipe), recipe, None) is not None
    recipe = cart(categories="one_against_rest")
    assert level_refusal(problem_of(table, target="y", recipe=recipe), recipe, None) is None
    assert level_refusal(problem_of(table, target="y", recipe=recipe, weight=[1, 2, 1, 1]), recipe, None) is not None
    holed = problem_of(Table.from_columns({**columns, "x": [1.0, None, 3.0, 4.0]}), target="y", recipe=recipe)
    assert level_refusal(holed, recipe, None) is None
    assert level_refusal(holed, cart(categories="one_against_rest", missing="larger"), None) is not None
    holed = problem_of(Table.from_columns({**columns, "c": ["a", None, "c", "a"]}), target="y", recipe=recipe)
    assert level_refusal(holed, recipe, None) is not None
