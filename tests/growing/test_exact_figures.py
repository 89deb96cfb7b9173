"""Regressions whose target is whole multiples of a unit: the unit, figures, splits and ties, all exact."""

from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reference_growth import reference
from treerules import Table, Tree, auto, cart, cross_validate, learn, load, relearn, save
from treerules.errors import OptionError
from treerules.growing.exact_figures import exact_deviation, exact_mean, rounded_figures, rounded_root
from treerules.growing.exact_target import decimal_multiples
from treerules.growing.problem import problem_of
from treerules.trees import Split, ThresholdTest
from treerules.trees.walkers import preorder

MOST = 2**53


# ---- the unit


@given(st.lists(st.tuples(st.integers(-MOST, MOST), st.integers(0, 6)), min_size=1))
def test_decimals_of_up_to_six_places_have_a_unit(decimals: list[tuple[int, int]]) -> None:
    """The multiples of the unit are those that are written; the unit is the largest power of ten that fits all."""
    places = max(count for _, count in decimals)
    multiples = [value * 10 ** (places - count) for value, count in decimals]
    if max(map(abs, multiples)) > MOST:
        return
    found = decimal_multiples(np.array([value / 10**count for value, count in decimals]))
    assert found is not None
    assert [multiple * found[1] for multiple in found[0].tolist()] == [Fraction(m, 10**places) for m in multiples]
    least = next(d for d in range(7) if all(m * 10**d % 10**places == 0 for m in multiples))
    assert found[1] == Fraction(1, 10**least)


@pytest.mark.parametrize("magnitude", range(6, 19))
def test_measured_numbers_have_no_unit(magnitude: int) -> None:
    """Ten random doubles are no decimals, though every double above 2**33 is next to one of six places."""
    random = np.random.default_rng(magnitude)
    for _ in range(100):
        assert decimal_multiples(random.normal(size=10) * 10.0**magnitude) is None


# ---- figures


def correctly_rounded(square: Fraction) -> float:
    """Return the double nearest to a square root, from 200 decimal digits."""
    with localcontext() as context:
        context.prec = 200
        return float((Decimal(square.numerator) / Decimal(square.denominator)).sqrt())


@given(st.integers(0, 2**200), st.integers(1, 2**200))
@example(1, 4)
@example((2**53 + 1) ** 2, 1)
@example((2**54 + 1) ** 2, 4)
def test_roots_are_correctly_rounded(numerator: int, denominator: int) -> None:
    """As those of 200 digits are, also half-way between two doubles."""
    assert rounded_root(Fraction(numerator, denominator)) == correctly_rounded(Fraction(numerator, denominator))


NODES = st.lists(
    st.tuples(st.integers(-(2**52), 2**52), st.lists(st.integers(-(2**40), 2**40) | st.integers(0, 3), min_size=1)),
    min_size=1,
)


@given(NODES, st.sampled_from([Fraction(1), Fraction(1, 100), Fraction(1, 10**6), Fraction(1, 2**20), Fraction(8)]))
def test_figures_of_many_nodes_are_those_of_each(nodes: list[tuple[int, list[int]]], unit: Fraction) -> None:
    """Means and deviations that are computed together are the correctly rounded ones."""
    n = np.array([float(len(differences)) for _, differences in nodes])
    centres = np.array([centre for centre, _ in nodes])
    totals = np.array([sum(differences) for _, differences in nodes])
    squares = [sum(d * d for d in differences) for _, differences in nodes]
    parts = np.array([s >> 53 for s in squares]), np.array([s & (MOST - 1) for s in squares])
    means, deviations = rounded_figures(n, centres, totals, parts, unit)
    for index, (centre, differences) in enumerate(nodes):
        values = [(centre + difference) * unit for difference in differences]
        mean = sum(values, Fraction()) / len(values)
        variance = sum(((value - mean) ** 2 for value in values), Fraction()) / len(values)
        assert means[index] == float(mean)
        assert deviations[index] == correctly_rounded(variance)
        size, total = len(values), sum(differences) + centre * len(values)
        assert exact_mean(size, total, unit) == float(mean)
        assert exact_deviation(size, sum(differences), squares[index], unit) == correctly_rounded(variance)


TARGETS = {
    "whole": st.integers(-20, 20).map(float),
    "cents": st.integers(-(10**6), 10**6).map(lambda cents: cents / 100),
    "six places": st.integers(-(10**12), 10**12).map(lambda millionths: millionths / 10**6),
    "wide": st.integers(-(2**52), 2**52).map(float),
}


def written(value: float) -> Fraction:
    """Return the number as it is written in decimal."""
    return Fraction(Decimal(repr(value)))


@pytest.mark.parametrize("kind", TARGETS)
@given(data=st.data())
def test_figures_of_leaves_are_those_of_the_written_decimals(kind: str, data: st.DataObject) -> None:
    """Weight, mean and standard deviation of every node, with and without weights of two decimals."""
    n = data.draw(st.integers(2, 30))
    y = data.draw(st.lists(TARGETS[kind], min_size=n, max_size=n))
    x = data.draw(st.lists(st.integers(0, 5).map(float), min_size=n, max_size=n))
    weights = data.draw(st.none() | st.lists(st.integers(1, 500).map(lambda w: w / 100), min_size=n, max_size=n))
    table = Table.from_columns({"x": x, "y": y}, types={"y": "number"})
    tree = learn(table, target="y", recipe=cart(max_depth=2), task="regression", weight=weights, features=["x"])
    rows = [
        (a, written(b), written(1.0 if w is None else w)) for a, b, w in zip(x, y, weights or [None] * n, strict=True)
    ]
    for node, of_node in reached(tree.root, rows):
        leaf = node.as_leaf if isinstance(node, Split) else node
        size = sum(weight for *_, weight in of_node)
        mean = sum(weight * value for _, value, weight in of_node) / size
        variance = sum(weight * (value - mean) ** 2 for _, value, weight in of_node) / size
        assert leaf.n == float(size)
        assert (leaf.prediction.value, leaf.prediction.sd) == (float(mean), correctly_rounded(variance))


def reached(node: Any, rows: Sequence[Any]) -> Iterator[tuple[Any, Sequence[Any]]]:
    """Yield each node below one with the rows that reach it; a row begins with the value that is tested."""
    yield node, rows
    if isinstance(node, Split):
        assert isinstance(node.test, ThresholdTest)
        for side, child in enumerate(node.children):
            yield from reached(child, [row for row in rows if (row[0] > node.test.threshold) == side])


def test_a_mean_of_decimals_is_the_decimal_mean() -> None:
    """The mean of 0.1, 0.2 and 0.3 is 0.2, and that of 1.1 and 1.3 is 1.2: sums of doubles miss both."""
    table = Table.from_columns({"x": [1.0, 1.0, 1.0, 2.0, 2.0], "y": [0.1, 0.2, 0.3, 1.1, 1.3]})
    low, high = learn(table, target="y", recipe=cart()).root.children  # type: ignore[union-attr]
    assert (low.prediction.value, high.prediction.value) == (0.2, 1.2)
    assert high.prediction.sd == 0.1


# ---- splits


def best_cuts(columns: list[list[int]], y: list[int], rows: tuple[int, ...]) -> tuple[int, int] | None:
    """Return (column, threshold) of the cut of greatest decrease of the squared error; None where none decreases it.

    All cuts are tried; of equal ones the first wins.
    """

    def squares(part: list[int]) -> Fraction:
        return Fraction(sum(y[row] for row in part) ** 2, len(part))

    best, chosen = squares(list(rows)), None
    for index, column in enumerate(columns):
        for value, following in pairwise(sorted({column[row] for row in rows})):
            left = [row for row in rows if column[row] <= value]
            score = squares(left) + squares([row for row in rows if column[row] > value])
            if score > best:
                best, chosen = score, (index, (value + following) // 2)
    return chosen


def grown(columns: list[list[int]], y: list[int], rows: tuple[int, ...]) -> Any:
    """Return the whole tree by `best_cuts`: None for a leaf, or (column, threshold, left, right)."""
    cut = best_cuts(columns, y, rows)
    if cut is None:
        return None
    index, value = cut
    left = tuple(row for row in rows if columns[index][row] <= value)
    right = tuple(row for row in rows if columns[index][row] > value)
    return index, value, grown(columns, y, left), grown(columns, y, right)


def shape_of(node: Any) -> Any:
    """Return a tree as `grown` does."""
    if not isinstance(node, Split):
        return None
    assert isinstance(node.test, ThresholdTest)
    return node.test.feature, node.test.threshold, *map(shape_of, node.children)


@pytest.mark.parametrize("greatest", [2, 30, 10**6, 2**53, 2**62])
@given(data=st.data())
def test_splits_are_those_of_exact_arithmetic(greatest: int, data: st.DataObject) -> None:
    """Of whole targets of any size, the tree is that of brute force with fractions: no tolerance, exact ties."""
    n = data.draw(st.integers(2, 12))
    columns = [data.draw(st.lists(st.integers(0, 6), min_size=n, max_size=n)) for _ in range(3)]
    low = data.draw(st.sampled_from([0, -greatest]))
    y = data.draw(st.lists(st.integers(low, greatest), min_size=n, max_size=n))
    names = ["a", "b", "c"]
    table = Table.from_columns({**dict(zip(names, columns, strict=True)), "y": y})
    tree = learn(table, target="y", recipe=cart(), task="regression", features=names)
    assert shape_of(tree.root) == grown(columns, y, tuple(range(n)))


def test_targets_near_the_ends_of_int64_are_learned() -> None:
    """Their differences exceed int64, their sums doubles: Python integers are added."""
    least, greatest = -(2**63), 2**63 - 1
    y = [least, least + 2, least + 1, greatest, greatest - 4, greatest - 2]
    table = Table.from_columns({"x": [1.0, 2.0, 3.0, 7.0, 8.0, 9.0], "y": y})
    tree = learn(table, target="y", recipe=cart(max_depth=1), task="regression")
    low, high = tree.root.children  # type: ignore[union-attr]
    assert (low.prediction.value, high.prediction.value) == (float(least + 1), float(greatest - 2))
    assert low.prediction.sd == correctly_rounded(Fraction(2, 3)) and high.prediction.sd == correctly_rounded(
        Fraction(8, 3)
    )


@pytest.mark.parametrize("bound", ["min_gain", "min_impurity"])
def test_a_bound_is_reached_by_the_printed_figure(bound: str) -> None:
    """The variance of 0.1 and 0.3 is 0.01, and so is the gain of their split; doubles miss both."""
    table = Table.from_columns({"x": [1.0, 2.0], "y": [0.1, 0.3]})
    for value, n_leaves in ((0.01, 2), (0.0100000001, 1), (0.0099999999, 2)):
        recipe: Any = cart(**{bound: value})
        assert learn(table, target="y", recipe=recipe).n_leaves == n_leaves


def test_the_greater_of_nearly_equal_gains_wins() -> None:
    """Two cuts whose gains differ by less than 1e-12 of the variance: the greater wins, though it comes second."""
    y = [0, 1, 2**46]
    a, b = [1, 2, 1], [1, 2, 2]  # differences of the means: 2**45 - 1, and 2**45 + 1/2
    table = Table.from_columns({"a": a, "b": b, "y": y})
    tree = learn(table, target="y", recipe=cart(max_depth=1), task="regression", features=["a", "b"])
    assert isinstance(tree.root, Split) and tree.root.test == ThresholdTest(1, 1)


# ---- the step


def parts_of(tree: Tree) -> list[Any]:
    """Return the tests and the leaves of a tree."""
    return [(node.test if isinstance(node, Split) else node) for node in preorder(tree.root)]


@given(st.integers(-3, 20), st.integers(0, 2**32))
def test_a_step_rounds_the_target(power: int, seed: int) -> None:
    """The tree of the rounded target, told in a note, and kept with the tree for those that learn it again."""
    random, step = np.random.default_rng(seed), 2.0**-power
    x, y = np.round(random.normal(size=40), 1), random.normal(size=40) * 100
    table, whole = (Table.from_columns({"x": x, "y": values}) for values in (y, np.rint(y / step) * step))
    tree = learn(table, target="y", recipe=cart(), target_step=step)
    assert parts_of(tree) == parts_of(learn(whole, target="y", recipe=cart(), target_step=step))
    assert f"target 'y': 40 of 40 values are rounded to multiples of 2**{-power}" in tree.notes
    assert relearn(tree, table) == tree and cross_validate(table, tree=tree).rows


def test_a_step_stays_with_the_model_file(tmp_path: Any) -> None:
    """What is loaded learns the same tree from the same rows; a step that is no power of two is refused."""
    random = np.random.default_rng(1)
    table = Table.from_columns({"x": random.normal(size=30), "y": random.normal(size=30)})
    tree = learn(table, target="y", recipe=auto(), target_step=2**-10)
    save(tree, tmp_path / "a.tree.json")
    loaded = load(tmp_path / "a.tree.json")
    assert isinstance(loaded, Tree) and loaded.origin == tree.origin and relearn(loaded, table) == tree


@pytest.mark.parametrize("step", [0, -0.5, 0.3, "2**-3", True, float("nan"), float("inf"), 2.0**-70, 2.0**520, 10**400])
def test_steps_that_are_not_allowed(step: Any) -> None:
    """The error says what is."""
    table = Table.from_columns({"x": [1.0, 2.0], "y": [0.5, 1.75]})
    with pytest.raises(OptionError, match=r"target_step=.*: expected a"):
        learn(table, target="y", recipe=cart(), target_step=step)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.compiled)])
def test_integers_are_rounded_without_doubles(compiled: bool) -> None:
    """Multiples of 2 beyond 2**53 stay as they are, others go to the even multiple."""
    y = [2**54 + offset for offset in (2, 6, 2, 6, 10, 14)]
    columns = {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}
    table, odd = (Table.from_columns({**columns, "y": values}) for values in (y, [2**54 + 1, 2**54 + 3, *y[2:]]))
    options: Any = {"target": "y", "task": "regression", "recipe": cart(), "compiled": compiled}
    tree, rounded = learn(table, target_step=2, **options), learn(odd, target_step=2, **options)
    assert tree.root == learn(table, **options).root
    assert "target 'y': 0 of 6 values are rounded to multiples of 2**1" in tree.notes
    assert "target 'y': 2 of 6 values are rounded to multiples of 2**1" in rounded.notes
    evened = Table.from_columns({**columns, "y": [2**54, 2**54 + 4, *y[2:]]})
    assert rounded.root == learn(evened, **options).root


def test_classes_have_no_step() -> None:
    """A step is of numbers."""
    table = Table.from_columns({"x": [1.0, 2.0], "y": ["a", "b"]})
    with pytest.raises(OptionError, match="the target is classes"):
        learn(table, target="y", recipe=cart(), target_step=0.5)


def test_the_reference_has_exact_figures_too() -> None:
    """The specification itself, not a fast grower, of a table that the fast growers take."""
    random = np.random.default_rng(0)
    table = Table.from_columns({"x": random.normal(size=500), "y": np.round(random.normal(size=500) * 100, 2)})
    recipe = cart(max_depth=3)
    tree = reference(problem_of(table, target="y", recipe=recipe), recipe)
    assert tree == learn(table, target="y", recipe=recipe)
