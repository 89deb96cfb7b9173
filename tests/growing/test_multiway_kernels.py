"""Trees with a child for each category: the kernels and the reference grow equal ones, node for node."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from treerules import Recipe, Table, Tree, c45, id3
from treerules.errors import TreeRulesError
from treerules.growing.growers import grow
from treerules.growing.kernel_refusals import kernel_refusal
from treerules.growing.problem import Problem, problem_of
from treerules.readers import read_csv
from treerules.trees import Leaf, Split, preorder

pytestmark = [pytest.mark.compiled, pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")]

GROWTH = "treerules.growing.compiled.driver"


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Draw a table of up to 40 rows whose columns are few categories, repeat each other and miss values."""
    n = draw(st.integers(2, 40))
    columns: dict[str, list[Any]] = {}
    for index in range(draw(st.integers(1, 5))):
        cell = st.booleans() if draw(st.booleans()) else st.sampled_from("abcdefgh"[: draw(st.integers(1, 8))])
        columns[f"x{index}"] = draw(st.lists(cell, min_size=n, max_size=n))
    twin = columns[draw(st.sampled_from(sorted(columns)))]
    columns["twin"] = [{"a": "z", True: "yes", False: "no"}.get(value, value) for value in twin]
    if draw(st.booleans()):
        holes = draw(st.lists(st.booleans(), min_size=n, max_size=n))
        columns["x0"] = [None if hole else value for hole, value in zip(holes, columns["x0"], strict=True)]
    columns["y"] = draw(st.lists(st.sampled_from("pqrs"[: draw(st.integers(1, 4))]), min_size=n, max_size=n))
    return Table.from_columns(columns)


@st.composite
def recipes(draw: st.DrawFn) -> Recipe:
    """Draw a recipe that the kernels cover, with every stop."""
    choices: dict[str, Any] = {
        "base": draw(st.sampled_from(["2", "e"])),
        "missing": "larger",
        "max_depth": draw(st.sampled_from([None, None, 0, 1, 3])),
        "min_samples_leaf": draw(st.sampled_from([1, 1, 2, 3.5])),
        "min_samples_split": draw(st.sampled_from([2, 2, 5])),
        "min_gain": draw(st.sampled_from([0, 0, 0.02, 0.125, 1.0])),
        "min_impurity": draw(st.sampled_from([0, 0, 0.2, 1.0])),
    }
    if draw(st.booleans()):
        return evolve(id3(**choices), criterion=draw(st.sampled_from(["information_gain", "entropy"])))
    return c45(average_gain=draw(st.booleans()), quinlan=draw(st.booleans()), unpruned=True, **choices)


def problem_for(table: Table, recipe: Recipe, **choices: Any) -> Problem:
    """Return the problem of a table whose target is "y", with all its columns."""
    features = [column.feature.name for column in table.columns if column.feature.name != "y"]
    return problem_of(table, target="y", recipe=recipe, features=features, **choices)


def compiled(problem: Problem, recipe: Recipe, progress: Any = None) -> Tree:
    """Return the tree of the kernels, which must cover the recipe; its nodes are checked."""
    assert kernel_refusal(problem, recipe, None) is None
    return grow(problem, recipe, progress=progress, compiled=True)


@given(tables(), recipes())
def test_the_kernels_grow_the_tree_of_the_reference(table: Table, recipe: Recipe) -> None:
    """Both ways find equal trees on categories that tie, repeat each other and miss values, by every covered recipe."""
    problem = problem_for(table, recipe)
    assert compiled(problem, recipe) == grow(problem, recipe, compiled=False)


def drawn(seed: int, n: int, counts: tuple[int, ...], n_classes: int, rare: float = 1.0) -> Table:
    """Return columns of so many categories, the first one twice, and a target that depends on two of them."""
    rng = np.random.default_rng(seed)
    codes = [(count * rng.random(n) ** 2).astype(int) for count in counts]
    noise = rng.integers(0, n_classes, n) * (rng.random(n) < 0.3 * rare)
    target = ((codes[0] * codes[-1]) % n_classes * (rng.random(n) < rare) + noise) % n_classes
    columns = {f"x{index}": [f"{code:03}" for code in column] for index, column in enumerate([*codes, codes[0]])}
    return Table.from_columns({**columns, "y": [f"k{label}" for label in target.tolist()]})


RECIPES = (
    id3(),
    id3(base="e", max_depth=3),
    c45(),
    c45(average_gain=True, min_samples_leaf=3),
    c45(quinlan=True, unpruned=True),
)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: f"{recipe.name}-{recipe.quinlan}-{recipe.base}")
@pytest.mark.parametrize(
    ("counts", "n_classes", "rare"),
    [((2, 3, 4, 5, 12), 2, 1.0), ((300, 7, 2), 5, 1.0), ((3, 40, 3, 2), 3, 0.002), ((300,) * 3, 2, 1.0)],
    ids=["few", "many", "rare", "names"],
)
def test_larger_tables_make_equal_trees(recipe: Recipe, counts: tuple[int, ...], n_classes: int, rare: float) -> None:
    """So they do on thousands of rows: many categories and classes, a rare class, a column that is there twice."""
    problem = problem_for(drawn(7, 3000, counts, n_classes, rare), recipe)
    assert compiled(problem, recipe) == grow(problem, recipe, compiled=False)


def test_a_bound_met_to_the_last_bit_is_asked() -> None:
    """A node of four and four has an entropy of exactly 1 bit: whether it reaches a bound of 1 the reference says."""
    from treerules.growing.compiled import driver

    table = Table.from_columns({"x": list("aabbaabb"), "z": list("abcabcab"), "y": list("ppqqpqpq")})
    for bounds, is_split in (({"min_impurity": 1.0}, True), ({"min_impurity": 1.0 + 2**-50}, False)):
        recipe = id3(**bounds)
        problem = problem_for(table, recipe)
        with patch(f"{GROWTH}.decision_at", wraps=driver.decision_at) as answer:
            tree = compiled(problem, recipe)
        assert answer.called
        assert tree == grow(problem, recipe, compiled=False)
        assert isinstance(tree.root, Split) is is_split


def test_pauses_change_nothing_and_tell_how_far_growth_is() -> None:
    """Growth that stops after every node ends in the same tree; progress never falls and ends with all rows."""
    recipe = id3()
    problem = problem_for(drawn(3, 500, (2, 3, 5), 3), recipe)
    heard: list[tuple[int, int]] = []
    with patch(f"{GROWTH}._CELLS", 0):
        tree = compiled(problem, recipe, lambda done, total: heard.append((done, total)))
    assert tree == grow(problem, recipe, compiled=False)
    assert heard == sorted(heard)
    assert len(heard) > 10
    assert heard[-1] == (500, 500)


def test_equal_leaves_are_one_value() -> None:
    """Leaves that rows reach are one object where their counts are equal."""
    recipe = id3()
    tree = compiled(problem_for(drawn(5, 2000, (2, 4, 9, 12), 2), recipe), recipe)
    leaves = [node for node in preorder(tree.root) if isinstance(node, Leaf) and node.n]
    assert len({id(leaf) for leaf in leaves}) == len({leaf.counts for leaf in leaves}) < len(leaves)


@pytest.mark.parametrize(
    "recipe", [c45(categories="grouped"), c45(missing="fraction"), evolve(id3(), criterion="gini")], ids=repr
)
def test_what_the_kernels_do_not_cover_is_left_to_the_reference(recipe: Recipe) -> None:
    """Groups of categories, missing values in all children, and Gini of many children."""
    table = Table.from_columns({"x": ["a", "b", None, "b", "a"], "z": list("abcab"), "y": list("ppqqq")})
    assert kernel_refusal(problem_for(table, recipe), recipe, None) is not None


@pytest.mark.parametrize("n_children", [18, 25])
def test_more_large_children_wait_than_keep_their_counts(n_children: int) -> None:
    """The stack has more positions than tables of counts: a node behind the last table is counted by itself."""
    rng = np.random.default_rng(0)
    n = 611 * n_children
    group, a, b = rng.integers(0, n_children, n), (rng.random(n) < 0.1).astype(int), rng.integers(0, 2, n)
    label = np.where(rng.random(n) < 0.2, group + 1, group) + a * (b + 1)
    columns = {name: [f"{name}{v:02}" for v in codes.tolist()] for name, codes in (("g", group), ("a", a), ("b", b))}
    rare = [f"c{v}" for v in (rng.random(n) < 0.05).tolist()]
    table = Table.from_columns({**columns, "c": rare, "y": [f"y{v:02}" for v in label.tolist()]})
    for recipe in (id3(max_depth=4), c45(unpruned=True, max_depth=4)):
        problem = problem_for(table, recipe)
        assert compiled(problem, recipe) == grow(problem, recipe, compiled=False)


def real_tables() -> list[Path]:
    """Return the CSV files of real data, if a folder of them is named."""
    folder = os.environ.get("TREERULES_DATA")
    return sorted(Path(folder).glob("*.csv")) if folder else []


@pytest.mark.parametrize("path", real_tables(), ids=lambda path: path.stem)
def test_the_trees_of_real_files_are_equal(path: Path) -> None:
    """Of every file of the folder that TREERULES_DATA names: its categories, of which the last is the target."""
    recipes = [id3(), c45(missing="larger", average_gain=True), c45(missing="larger", quinlan=True, unpruned=True)]
    try:
        table = read_csv(path)
        features = [column.feature for column in table.columns]
        names = [feature.name for feature in features if feature.categories and len(feature.categories) < 500]
        others = [feature.name for feature in features if feature.name not in names]
        if len(names) < 2:
            pytest.skip("no two columns of categories")
        options: dict[str, Any] = {"target": names[-1], "drop": others, "drop_missing_target": True}
        problems = [problem_of(table, recipe=recipe, task="classification", **options) for recipe in recipes]
    except TreeRulesError as error:
        pytest.skip(str(error))
    for problem, recipe in zip(problems, recipes, strict=True):
        assert compiled(problem, recipe) == grow(problem, recipe, compiled=False)
