"""Criteria as functions of counts: bounds, symmetries and the identities between them."""

from math import inf, isclose, log, log2, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules.criteria import (
    conditional_entropy,
    entropy,
    gain_ratio,
    gini,
    gini_of_split,
    information_gain,
    split_information,
    squared_error,
)
from treerules.errors import OptionError, UnknownNameError

counts = st.lists(st.integers(0, 10**6), min_size=1, max_size=6).filter(any)
groups = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 1000), min_size=k, max_size=k), min_size=1, max_size=5)
).filter(lambda table: any(map(any, table)))  # fmt: skip


@given(counts)
def test_entropy_lies_between_zero_and_the_logarithm_of_the_number_of_classes(c: list[int]) -> None:
    """0 <= H <= log n, H = 0 exactly for one class; base e is bits times ln 2."""
    assert 0 <= entropy(c) <= log2(len(c)) + 1e-12
    assert (entropy(c) == 0) is (sum(count > 0 for count in c) == 1)
    assert isclose(entropy(c, "e"), entropy(c) * log(2), abs_tol=1e-12)


@given(counts, st.randoms(use_true_random=False))
def test_impurity_does_not_depend_on_the_order_of_classes(c: list[int], random) -> None:  # type: ignore[no-untyped-def]
    """Bit for bit, so that equal tables tie exactly."""
    shuffled = random.sample(c, len(c))
    assert entropy(c) == entropy(shuffled)
    assert gini(c) == gini(shuffled)


@given(counts)
def test_gini_lies_between_zero_and_one_minus_one_over_n(c: list[int]) -> None:
    """0 <= Gini <= 1 - 1/n, and for two classes it is 2p(1 - p) (Li Hang, formula 5.23)."""
    assert 0 <= gini(c) <= 1 - 1 / len(c) + 1e-12
    if len(c) == 2:
        p = c[0] / sum(c)
        assert isclose(gini(c), 2 * p * (1 - p), abs_tol=1e-12)


@given(groups)
def test_a_split_never_loses_information(table: list[list[int]]) -> None:
    """0 <= g(D, A) <= H(D): entropy and Gini are concave."""
    total = [sum(column) for column in zip(*table, strict=True)]
    assert -1e-9 <= information_gain(table) <= entropy(total) + 1e-9
    assert gini_of_split(table) <= gini(total) + 1e-9
    assert isclose(information_gain(table), entropy(total) - conditional_entropy(table), abs_tol=1e-12)


@given(groups)
def test_the_gain_ratio_times_the_split_information_is_the_gain(table: list[list[int]]) -> None:
    """g_R = g / H_A; zero where the split says nothing."""
    width = split_information(table)
    assert isclose(gain_ratio(table) * width, information_gain(table) if width > 0 else 0.0, abs_tol=1e-9)


@given(st.lists(st.integers(-1000, 1000), min_size=1))
def test_the_squared_error_is_least_at_the_mean(values: list[int]) -> None:
    """No other centre has a smaller sum of squares."""
    centre = values[0]
    assert squared_error(values) <= sum((value - centre) ** 2 for value in values) + 1e-6


def test_an_unknown_base_is_refused() -> None:
    """Only bits and nats exist."""
    with pytest.raises(UnknownNameError, match="no base of logarithms named '10'"):
        entropy((1, 1), "10")  # type: ignore[arg-type]


@pytest.mark.parametrize("unit", [1e-320, 1e-200, 1e-100, 1e100, 1e200, 1e307])
def test_gini_does_not_depend_on_the_unit_of_weights(unit: float) -> None:
    """It is that of the shares, also where squares of weights overflow or underflow."""
    assert gini((9 * unit, 5 * unit)) == pytest.approx(gini((9, 5)), rel=1e-3)


def test_empty_nodes_have_no_impurity() -> None:
    """An empty node is pure."""
    assert gini(()) == 0.0
    assert entropy((0, 0)) == 0.0
    assert squared_error([]) == 0.0


@pytest.mark.parametrize(
    ("score", "wrong"),
    [
        (entropy, [1, -1]),
        (entropy, [1, nan]),
        (entropy, "ab"),
        (gini, [-1, 2]),
        (gini, [inf, 1]),
        (information_gain, [[1, -2], [3, 3]]),
        (gini_of_split, [[1, 2], [3]]),
        (conditional_entropy, [3, 4]),
        (split_information, "ab"),
        (gain_ratio, None),
        (squared_error, [1.0, nan]),
    ],
)
def test_counts_that_are_no_counts_are_errors(score: Any, wrong: Any) -> None:
    """Negative and infinite counts, NaN, text, and groups of unequal length have no score."""
    with pytest.raises(OptionError):
        score(wrong)


def test_weights_are_checked() -> None:
    """One for each value, none of them negative."""
    for weights in ([1.0], [1.0, -1.0]):
        with pytest.raises(OptionError, match=r"squared_error\(weights="):
            squared_error([1.0, 2.0], weights)
