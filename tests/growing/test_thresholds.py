"""The threshold between two neighbouring values: midpoints, short numbers and values of the table."""

from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import inf, isfinite, nextafter
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, example, given
from hypothesis import strategies as st

from growing_cases import problem_for, recipes, tables
from reference_growth import reference
from treerules import Feature, Recipe, Table, Tree, apply, auto, c45, cart, learn
from treerules.data.schema import ordinate
from treerules.errors import OptionError
from treerules.growing.thresholds import threshold_between, thresholds_between
from treerules.trees import Leaf, ThresholdTest, preorder, tree_from_json, tree_to_json
from treerules.trees.json_provenance import recipe_from_json, recipe_to_json

NUMBER, INTEGER, DAY, MOMENT = (Feature("x", kind) for kind in ("number", "integer", "date", "timestamp"))
NEAR = 2.0**53
#: Numbers as tables hold them, and the corners of doubles.
NUMBERS = st.one_of(
    st.decimals(-1000, 1000, places=2).map(float),
    st.integers(-200, 200).map(lambda number: number / 10),
    st.floats(allow_nan=False),
    st.floats(-9, 9),
    st.sampled_from([-inf, inf, 5e-324, -5e-324, 0.0, 1e-323, 1.7e308, -1.7e308, NEAR - 1, NEAR, NEAR + 2, 0.1, 0.3]),
)
FORMS = ("midpoint", "short")


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[float, float]:
    """Draw two different numbers in order; at times adjacent doubles."""
    below = draw(NUMBERS) + 0.0
    steps = draw(st.integers(0, 3))
    above = draw(NUMBERS) + 0.0
    for _ in range(steps):
        above = nextafter(below if above is None or _ == 0 else above, inf)
    assume(below != above)
    return min(below, above), max(below, above)


def between(feature: Feature, form: str, below: Any, above: Any) -> Any:
    """Return the threshold of a form that needs no other values."""
    return threshold_between(feature, form, below, above, ())


def exact(number: float) -> Fraction:
    """Return the shortest decimal that denotes a number."""
    return Fraction(Decimal(repr(number)))


def digits_of(number: float) -> int:
    """Return the number of significant digits of the shortest decimal; 1 for 0."""
    return len("".join(map(str, Decimal(repr(number)).as_tuple().digits)).strip("0")) or 1


@pytest.mark.parametrize(
    ("below", "above", "midpoint", "short"),
    [
        (17.4, 17.5, 17.45, 17.4),
        (0.1, 0.2, 0.15, 0.1),
        (1.58, 1.6, 1.59, 1.59),
        (38.2, 44.9, 41.55, 40.0),
        (-5.5, 3.2, -1.15, -1.0),
        (0.0, 1.0, 0.5, 0.5),
        (1e300, 1.7e308, 8.50000005e307, 9e307),
        (-inf, 5.0, -inf, -inf),
        (5.0, inf, 5.0, 5.0),
        (1.0, nextafter(1.0, 2.0), 1.0, 1.0),
        (0.0, 5e-324, 0.0, 0.0),
        (NEAR - 1, NEAR, NEAR - 1, NEAR - 1),
    ],
)
def test_the_documented_thresholds(below: float, above: float, midpoint: float, short: float) -> None:
    """The decimal midpoint, 17.45 and not 17.450000000000003, and the number of fewest digits beside it."""
    assert between(NUMBER, "midpoint", below, above) == midpoint
    assert between(NUMBER, "short", below, above) == short


@given(pair=neighbours())
@example(pair=(1.7e308, 1.79e308))
@example(pair=(-5e-324, 0.0))
@example(pair=(0.30000000000000004, 0.3000000000000001))
def test_a_threshold_lies_between_its_neighbours(pair: tuple[float, float]) -> None:
    """At least the lower value and below the upper one, so that no row changes sides; and never -0.0."""
    for form in FORMS:
        threshold = between(NUMBER, form, *pair)
        assert pair[0] <= threshold < pair[1]
        assert str(threshold) != "-0.0"


@given(pair=neighbours())
def test_the_midpoint_is_that_of_the_decimals(pair: tuple[float, float]) -> None:
    """The double nearest to the mean of the two shortest decimals, computed with fractions; else the lower value."""
    below, above = pair
    expected = below
    if isfinite(below) and isfinite(above):
        middle = float((exact(below) + exact(above)) / 2)  # a fraction is rounded correctly
        expected = middle if below <= middle < above else below
    assert between(NUMBER, "midpoint", below, above) == expected


def shortest_from(below: float, above: float) -> int:
    """Return the fewest digits of a decimal that denotes a number in [below, above), by trying each."""
    least = Decimal(repr(below))
    for n in range(1, 18):
        if float(Context(prec=n, rounding=ROUND_CEILING, Emin=-5000, Emax=5000).plus(least)) < above:
            return n
    raise AssertionError("the lower value itself has at most 17 digits")


@given(pair=neighbours())
@example(pair=(17.4, 17.5))
@example(pair=(9.99, 10.2))
@example(pair=(-0.5, 1e-9))
def test_a_short_threshold_has_the_fewest_digits(pair: tuple[float, float]) -> None:
    """No decimal of fewer digits denotes a number between the neighbours, none of as many is nearer to the middle."""
    below, above = pair
    assume(isfinite(below) and isfinite(above))
    threshold = between(NUMBER, "short", below, above)
    n = digits_of(threshold)
    assert n == shortest_from(below, above)
    middle, context = (exact(below) + exact(above)) / 2, Context(prec=n, Emin=-5000, Emax=5000)
    own = Decimal(repr(threshold)) + 0
    for rival in (context.next_plus(own), context.next_minus(own)):
        if below <= float(rival) < above and digits_of(float(rival)) <= n:
            assert abs(exact(threshold) - middle) <= abs(exact(float(rival)) - middle)


@given(pairs=st.lists(neighbours(), min_size=1, max_size=20), form=st.sampled_from(FORMS))
def test_many_thresholds_at_once_are_those_of_one(pairs: list[tuple[float, float]], form: str) -> None:
    """Few digits are computed in arrays, the others one by one."""
    below, above = (np.array(ends) for ends in zip(*pairs, strict=True))
    expected = [between(NUMBER, form, *pair) for pair in pairs]
    assert list(map(repr, thresholds_between(NUMBER, form, below, above, ()))) == list(map(repr, expected))


@given(low=st.integers(-(2**63), 2**63 - 2), gap=st.one_of(st.integers(1, 300), st.integers(1, 2**63)))
def test_integers_are_cut_at_integers(low: int, gap: int) -> None:
    """At the floor of the midpoint, or at the integer of fewest digits, by brute force over roundings."""
    high = min(low + gap, 2**63 - 1)
    assume(low < high)
    assert between(INTEGER, "midpoint", low, high) == (low + high) // 2
    short = between(INTEGER, "short", low, high)
    assert low <= short < high
    n_zeros = len(str(abs(short))) - len(str(abs(short)).rstrip("0"))
    digits = max(1, len(str(abs(short))) - n_zeros)
    for fewer in range(1, digits):
        assert int(Context(prec=fewer, rounding=ROUND_CEILING).plus(Decimal(low))) >= high
    for form in FORMS:
        many = thresholds_between(INTEGER, form, np.array([low] * 5), np.array([high] * 5), ())
        assert many == [between(INTEGER, form, low, high)] * 5


def test_times_are_cut_at_whole_units() -> None:
    """Dates at the midpoint; timestamps, where short, at midnight, else at the hour, the minute, the second."""

    def cut(form: str, *moments: datetime) -> datetime:
        threshold: datetime = between(MOMENT, form, *map(ordinate, moments))
        return threshold

    noon = datetime(2024, 3, 1, 12, 34, 56, 789)
    assert between(DAY, "short", ordinate(date(2024, 3, 1)), ordinate(date(2024, 3, 4))) == date(2024, 3, 2)
    assert cut("short", noon, noon + timedelta(days=2)) == datetime(2024, 3, 3)
    assert cut("short", noon, noon + timedelta(hours=3)) == datetime(2024, 3, 1, 14)
    assert cut("short", noon, noon + timedelta(minutes=1)) == datetime(2024, 3, 1, 12, 35)
    assert cut("short", noon, noon + timedelta(microseconds=1)) == noon
    assert cut("midpoint", noon, noon + timedelta(hours=3)) == noon + timedelta(hours=1.5)
    zoned = Feature("x", "timestamp", scalar="timestamp_utc")
    below = noon.replace(tzinfo=UTC)
    assert between(zoned, "short", ordinate(below), ordinate(below) + 1).tzinfo is UTC


# ---- the form changes nothing else


def without_thresholds(tree: Tree) -> list[Any]:
    """Return the nodes of a tree without its thresholds."""
    return [
        node
        if isinstance(node, Leaf)
        else (
            node.test.feature if isinstance(node.test, ThresholdTest) else node.test,
            node.missing,
            node.unseen,
            node.as_leaf,
        )
        for node in preorder(tree.root)
    ]


@pytest.mark.parametrize("target", [st.sampled_from(["p", "q", "q", "r"]), st.sampled_from([0.25, 0.5, 1.5])])
@given(draw=st.data())
def test_the_form_changes_the_thresholds_alone(target: Any, draw: st.DataObject) -> None:
    """The same tree but for its thresholds, and the same leaf for each row of the table."""
    table, recipe = draw.draw(tables(target)), draw.draw(recipes())
    problem = problem_for(table, recipe)
    trees = [reference(problem, evolve(recipe, thresholds=form)) for form in ("midpoint", "short", "data")]
    assert without_thresholds(trees[0]) == without_thresholds(trees[1]) == without_thresholds(trees[2])
    leaves = [apply(tree, table).tolist() for tree in trees]
    assert leaves[0] == leaves[1] == leaves[2]


def test_the_default_recipe_cuts_at_short_numbers() -> None:
    """`auto` writes them, `cart` the books' midpoints, C4.5 as published values of the table."""
    table = Table.from_columns({"x": [38.2, 38.2, 44.9, 44.9, 50.0], "y": list("aabbb")})

    def root_cut(recipe: Recipe) -> Any:
        return learn(table, target="y", recipe=recipe).root.test.threshold

    assert (auto().thresholds, cart().thresholds, c45().thresholds) == ("short", "midpoint", "midpoint")
    assert c45(quinlan=True).thresholds == "data"
    assert root_cut(cart()) == 41.55
    assert root_cut(cart(thresholds="short")) == 40
    assert root_cut(cart(thresholds="data")) == 38.2


def test_a_form_that_does_not_exist_is_an_error() -> None:
    """The error names the option and the forms."""
    with pytest.raises(OptionError, match=r"thresholds.*midpoint, short, data"):
        cart(thresholds="mean")  # type: ignore[arg-type]


def test_model_files_keep_the_form_and_earlier_ones_are_read() -> None:
    """The name is stored; where earlier files say whether there are cuts, the usual form is meant."""
    table = Table.from_columns({"x": [1.0, 2.0, 3.0], "y": list("abb")})
    tree = learn(table, target="y", recipe=cart(thresholds="short"))
    text = tree_to_json(tree)
    assert '"thresholds":"short"' in text and tree_from_json(text).recipe == tree.recipe
    for quinlan, form in ((False, "midpoint"), (True, "data")):
        record = {**recipe_to_json(c45(quinlan=quinlan)), "thresholds": True}
        assert recipe_from_json(record, tree.schema).thresholds == form  # type: ignore[union-attr]
    assert recipe_from_json({**recipe_to_json(cart()), "thresholds": False}, tree.schema) == evolve(
        cart(), thresholds="none"
    )
