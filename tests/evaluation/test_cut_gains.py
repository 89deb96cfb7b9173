"""The gains of the cuts of a feature: equal to the definitions, computed one cut at a time."""

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules import Table, criteria, feature_gains
from treerules.evaluation.cut_gains import MOST_CUTS

VALUES = st.lists(
    st.tuples(st.sampled_from([None, 1.0, 2.0, 2.5, 7.0, 1e6]), st.sampled_from("abc"), st.integers(1, 4)),
    min_size=2,
    max_size=30,
)


def curve_of(columns: dict[str, list[Any]]) -> list[tuple[float, float]]:
    """Return the cuts of column x with their gains."""
    gain = feature_gains(Table.from_columns(columns), target="y", features=["x"], weight="w").feature("x")
    return [(cut.at, cut.gain) for cut in gain.curve]


@given(VALUES)
def test_the_gain_of_each_cut_is_that_of_the_definition(rows: list[tuple[float | None, str, int]]) -> None:
    """Weighted information gain of the sides (Li Hang, 2nd edition, formula 5.9), times the share of known rows."""
    columns = dict(zip("xyw", map(list, zip(*rows, strict=True)), strict=True))
    columns["x"][0] = 3.0  # not all are missing
    values = sorted({value for value in columns["x"] if value is not None})
    found = curve_of(columns)
    assert [at for at, _ in found] == [(low + high) / 2 for low, high in pairwise(values)]
    known = [row for row in zip(*columns.values(), strict=True) if row[0] is not None]
    share = sum(weight for *_, weight in known) / sum(columns["w"])
    for at, gain in found:
        sides = [[row for row in known if (row[0] <= at) is first] for first in (True, False)]
        counts = [[sum(w for _, y, w in side if y == label) for label in "abc"] for side in sides]
        assert gain == pytest.approx(criteria.information_gain(counts) * share, abs=1e-9)


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-1000, 1000), st.integers(1, 3)), min_size=2, max_size=30))
def test_the_decrease_of_each_cut_is_that_of_the_definition(rows: list[tuple[int, int, int]]) -> None:
    """Sum of squared errors before less those of the sides (Li Hang, formula 5.21), of integers: nearly exact."""
    columns: dict[str, list[Any]] = dict(zip("xyw", map(list, zip(*rows, strict=True)), strict=True))
    columns["y"] = [value + 0.5 for value in columns["y"]]
    table = list(zip(*columns.values(), strict=True))
    gain = feature_gains(Table.from_columns(columns), target="y", features=["x"], weight="w", task="regression")

    def error(side: list[Any]) -> float:
        return criteria.squared_error([y for _, y, _ in side], [float(w) for *_, w in side]) if side else 0.0

    for cut in gain.feature("x").curve:
        sides = [[row for row in table if (row[0] <= cut.at) is first] for first in (True, False)]
        assert cut.gain == pytest.approx(error(table) - sum(map(error, sides)), abs=1e-4)


def test_the_best_cut_is_on_the_curve() -> None:
    """Of many cuts the best of neighbours is kept, so the greatest gain is that of the table of gains."""
    draw = random.Random(1)
    x = [draw.random() for _ in range(3000)]
    columns = {"x": x, "y": ["ab"[value > 0.3] if draw.random() < 0.8 else "a" for value in x]}
    gain = feature_gains(Table.from_columns(columns), target="y").feature("x")
    assert len(gain.curve) == MOST_CUTS
    best = max(gain.curve, key=lambda cut: cut.gain)
    assert best.gain == pytest.approx(gain.gain, abs=1e-12)
    assert best.at == pytest.approx(gain.cut, abs=1e-3)
    assert [cut.at for cut in gain.curve] == sorted(cut.at for cut in gain.curve)
