"""What makes cross-validation fast changes nothing: lists made by leaving rows out, flat trees, exact sums."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from math import fsum
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from growing_cases import many, problem_for, recipes, tables
from reference_growth import reference
from selection import few
from treerules import Recipe, Table, c45, cart, compare_recipes, cross_validate
from treerules.errors import DataError
from treerules.growing.array_tree import ArrayTree
from treerules.growing.array_tree_nodes import to_nodes
from treerules.growing.growers import grow, grow_array_tree
from treerules.growing.kernel_refusals import kernel_refusal
from treerules.growing.problem import Problem
from treerules.learning.array_tree_arrays import arrays_of_array_tree
from treerules.learning.piecewise_sums import piecewise_sums, rounded_sums
from treerules.learning.problem_arrays import arrays_of_problem, leaf_of_rows
from treerules.learning.shared_presort import presorted_part
from treerules.trees.tree import Tree

needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
LABELS = st.sampled_from(["p", "q", "q", "r"])
NUMBERS = st.one_of(st.floats(-9, 9), st.sampled_from([0.25, 0.5, 1e-9]))


# ---- lists of some rows


def grown_without(problem: Problem, recipe: Recipe, rows: Any, few: int = 255) -> Tree:
    """Return the tree that the kernels grow of some rows, from columns of all; up to `few` values are codes."""
    from treerules.growing.compiled import columns

    kept = problem.part(rows)
    with patch.multiple(columns, _FEW=few, _FEWER=few, _MANY=few):
        whole = columns.kernel_columns(problem, recipe)
    flat = grow_array_tree(kept, recipe, presorted=presorted_part(whole, rows, kept))
    assert kernel_refusal(kept, recipe, None) is None and flat is not None
    return Tree._unchecked(kept.schema, to_nodes(flat, kept, recipe), recipe, ())


@pytest.mark.compiled
@needs_numba
@pytest.mark.parametrize("target", [LABELS, NUMBERS])
@given(draw=st.data())
def test_lists_of_which_rows_are_left_out_grow_the_tree_of_the_rows_kept(target: Any, draw: st.DataObject) -> None:
    """The same tree as the reference's, which knows nothing of the rows left out: ties, categories, missing values."""
    table, recipe = draw.draw(tables(target)), draw.draw(recipes())
    problem = problem_for(table, recipe)
    n = len(problem.target)
    rows = np.array(sorted(draw.draw(st.sets(st.integers(0, n - 1), min_size=1))))
    assume(kernel_refusal(problem.part(rows), recipe, None) is None)  # the others are not grown from lists of all rows
    few = draw.draw(st.sampled_from([0, 3, 255]))
    assert grown_without(problem, recipe, rows, few) == reference(problem.part(rows), recipe)


@pytest.mark.compiled
@needs_numba
@pytest.mark.parametrize("is_regression", [False, True])
@pytest.mark.parametrize("holes", [0.0, 0.2])
@pytest.mark.parametrize("categories", ["subset", "one_against_rest"])
def test_large_lists_too(is_regression: bool, holes: float, categories: Any) -> None:
    """Of lists, tables and bits: nine of ten rows, half, and so few that most values of a list are gone."""
    recipe = cart(categories=categories)
    problem = problem_for(many(4000, is_regression=is_regression, holes=holes), recipe)
    order = np.random.default_rng(1).permutation(4000)
    for n in (3600, 2000, 150):
        rows = np.sort(order[:n])
        assert grown_without(problem, recipe, rows) == grow(problem.part(rows), recipe, compiled=False)


@pytest.mark.compiled
@needs_numba
def test_values_that_a_fold_lacks_are_not_counted_when_the_reference_decides() -> None:
    """Codes of tables and bits are those of the values that are left: the reference answers in these."""
    n = 6 * 3000 * 9
    target = np.arange(n) % 3
    draws = np.random.default_rng(1).permutation(n) % 6
    first = (draws < target + 1).astype(int)
    columns = {f"x{turn}": 2 + np.roll(first.reshape(-1, 3), turn, axis=1).ravel() for turn in range(3)}
    absent = {name: np.append(column, [0, 1, 9]) for name, column in columns.items()}
    table = Table.from_columns({**absent, "y": [f"k{place}" for place in [*target.tolist(), 0, 1, 2]]})
    recipe = cart(max_depth=2)
    problem = problem_for(table, recipe)
    rows = np.flatnonzero(problem.rows < n)
    assert grown_without(problem, recipe, rows) == reference(problem.part(rows), recipe)


# ---- flat trees


def flat_tree(problem: Problem, recipe: Recipe, compiled: bool) -> ArrayTree | None:
    """Return a flat tree of the kernels, or of the levels where these know the recipe."""
    with patch("treerules.growing.levelwise.grower.LEAST_ROWS", 0):
        return grow_array_tree(problem, recipe, compiled=compiled)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=[pytest.mark.compiled, needs_numba])])
@pytest.mark.parametrize("target", [LABELS, NUMBERS])
@given(draw=st.data())
def test_the_arrays_of_an_array_tree_are_those_of_its_nodes(target: Any, compiled: bool, draw: st.DataObject) -> None:
    """Parents, children, sizes, risks, labels or means, and the leaf of every row, also of rows left out."""
    table, recipe = draw.draw(tables(target)), draw.draw(recipes())
    problem = problem_for(table, recipe)
    n = len(problem.target)
    kept = problem.part(np.array(sorted(draw.draw(st.sets(st.integers(0, n - 1), min_size=1)))))
    flat = flat_tree(kept, recipe, compiled)
    assume(flat is not None)
    assert flat is not None
    tree = Tree._unchecked(kept.schema, to_nodes(flat, kept, recipe), recipe, ())
    ours, theirs = arrays_of_array_tree(flat, kept, recipe), arrays_of_problem(tree, kept)
    assert list(ours.children) == list(theirs.children) and list(ours.risks) == list(theirs.risks)
    for name in ("parents", "sizes", "predictions", "leaves"):
        assert getattr(ours, name).tolist() == getattr(theirs, name).tolist()
    assert leaf_of_rows(ours, problem).tolist() == leaf_of_rows(theirs, problem).tolist()


@contextmanager
def route(name: str) -> Iterator[None]:
    """Let folds be grown by the kernels, by levels, or as nodes."""
    listings, grown = "treerules.learning.shared_presort.is_used", "treerules.growing.compiled.grower.is_used"
    used = name == "kernels"
    with (
        patch(listings, lambda *_: used),
        patch(grown, lambda *_: used),
        patch("treerules.growing.levelwise.grower.LEAST_ROWS", 0),
    ):
        if name == "nodes":
            with patch("treerules.learning.grown_arrays.grow_array_tree", lambda *_, **__: None):
                yield
        else:
            yield


@pytest.mark.compiled
@needs_numba
@pytest.mark.parametrize("target", [LABELS, NUMBERS])
@pytest.mark.parametrize("complexity", ["breiman", "rpart"])
@given(draw=st.data())
def test_every_way_to_grow_the_folds_gives_the_same_table(target: Any, complexity: Any, draw: st.DataObject) -> None:
    """To the byte: kernels with shared lists, levels, frozen nodes; cp tables and grids."""
    table, recipe = draw.draw(tables(target)), draw.draw(recipes())
    folds = draw.draw(st.lists(st.integers(0, 2), min_size=table.n_rows, max_size=table.n_rows))
    folds[:2] = 0, 1
    cp = draw.draw(st.sampled_from([0.0, 0.1]))
    options: Any = {"target": "y", "folds": folds, "features": [column.feature.name for column in table.columns[:-1]]}
    found = []
    for name in ("kernels", "levels", "nodes"):
        with route(name):
            one = cross_validate(table, recipe=recipe, cp=cp, complexity=complexity, **options)
            found.append((one.rows, one.tree, compare_recipes(table, [recipe, cart(max_depth=1)], **options).rows))
    assert found[0] == found[1] == found[2]


@pytest.mark.compiled
@needs_numba
def test_recipes_that_cut_features_alike_share_their_lists() -> None:
    """Of four recipes two divide categories alike, the others in two other ways: three columns for all folds."""
    from treerules.growing.compiled import columns

    table = many(400, is_regression=False)
    asked: list[Recipe] = []
    alike = [cart(), cart(max_depth=3, criterion="entropy")]

    def heard(problem: Problem, recipe: Recipe, **_: Any) -> Any:
        asked.append(recipe)
        return made(problem, recipe)

    made = columns.kernel_columns
    with route("kernels"), patch.object(columns, "kernel_columns", heard):
        compare_recipes(table, [*alike, cart(categories="one_against_rest"), c45()], target="y", folds=3)
    assert len(asked) == 3


def test_squares_that_are_no_floats_are_refused_in_a_fold_too() -> None:
    """A regression whose squared errors leave the range of floats: the error of learning, whatever grows the folds."""
    table = Table.from_columns({"x": [1.0, 2.0, 3.0, 4.0], "y": [1e200, -1e200, 1e200, 3e200]})
    for name in ("levels", "nodes"):
        with route(name), pytest.raises(DataError, match="leave the range of floats"):
            cross_validate(table, target="y", folds=2)


# ---- exact sums


@given(
    drawn=st.lists(
        st.tuples(st.floats(0, 1e300, allow_subnormal=True), st.integers(0, 9), st.integers(0, 4), st.integers(0, 4)),
        max_size=40,
    ),
    cut=st.integers(0, 40),
)
def test_sums_at_each_place_are_those_of_fsum(drawn: list[tuple[float, int, int, int]], cut: int) -> None:
    """Each value so many times, from its start up to its end; summed up in two parts, correctly rounded."""
    n = 4
    drawn = [(value, times, min(a, b), max(a, b)) for value, times, a, b in drawn]
    parts = []
    for some in (drawn[:cut], drawn[cut:]):
        values = np.array([each[0] for each in some], dtype=np.float64)
        times, start, end = (np.array([each[at] for each in some], dtype=np.int64) for at in (1, 2, 3))
        parts.append(piecewise_sums(n, values, times, start, end))
    expected = [
        fsum(value for value, times, start, end in drawn if start <= at < end for _ in range(times)) for at in range(n)
    ]
    assert rounded_sums(parts, n).tolist() == expected


@pytest.mark.parametrize("power", few([-500, -260, -9, 9, 240, 260, 400, 500], 2))
def test_errors_keep_their_shares_when_the_target_is_scaled(power: int) -> None:
    """A target times a power of two has the same xerror and xstd, however far the squares of its squares are away."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=120)
    y = np.sign(x) + 0.3 * rng.normal(size=120)
    folds = np.arange(120) % 5
    one, other = (
        cross_validate(Table.from_columns({"x": x, "y": np.ldexp(y, by)}), target="y", folds=folds) for by in (0, power)
    )
    assert [(row.xerror, row.xstd, row.n_splits) for row in one.rows] == [
        (row.xerror, row.xstd, row.n_splits) for row in other.rows
    ]
    assert one.row().n_splits == other.row().n_splits
    first, second = (
        compare_recipes(Table.from_columns({"x": x, "y": np.ldexp(y, by)}), [cart()], target="y", folds=folds).rows[0]
        for by in (0, power)
    )
    assert np.ldexp([first.error, first.standard_error], 2 * power).tolist() == [second.error, second.standard_error]
