"""Rows that are held out: whole groups, or all copies of a row, as near to the asked share as they allow."""

import random
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command_line import run
from treerules import Table, cart, holdout, learn


def nearest_weight(weights: list[int], share: float) -> float:
    """Return how near to their share some, but not all, of the weights come: all subsets are tried."""
    subsets = (part for size in range(1, len(weights)) for part in combinations(weights, size))
    return min(abs(sum(part) - share * sum(weights)) for part in subsets)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=2, max_size=9), st.floats(0.01, 0.99), st.integers(0, 9), st.booleans())
def test_whole_units_come_as_near_to_the_share_as_they_allow(
    weights: list[int], share: float, seed: int, by_group: bool
) -> None:
    """Groups of any weights, and copies of a row, any share: the nearest of all subsets, whatever the order of rows."""
    units = [unit for unit, weight in enumerate(weights) for _ in range(weight)]
    rows = [{"x": at if by_group else unit, "g": f"g{unit}", "y": "ab"[unit % 2]} for at, unit in enumerate(units)]
    shuffled = random.Random(seed).sample(rows, len(rows))
    parts = [
        holdout(Table.from_rows(order), target="y", share=share, seed=seed, groups="g" if by_group else None)
        for order in (rows, shuffled)
    ]
    training, held_out = ([row["g"] for row in part.rows()] for part in parts[0])
    assert not set(training) & set(held_out) and len(training) + len(held_out) == len(rows)
    assert abs(len(held_out) - share * len(rows)) == pytest.approx(nearest_weight(weights, share))
    assert {row["g"] for row in parts[1][1].rows()} == set(held_out)


@pytest.mark.parametrize(("n_units", "n_copies"), [(20, 20), (20, 10), (100, 7), (3000, 2), (2, 1000)])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
def test_equal_units_are_held_out_by_their_number(n_units: int, n_copies: int, share: float) -> None:
    """The share of the number of units, rounded, and at least one on each side."""
    table = Table.from_columns({"x": list(range(n_units)) * n_copies, "y": list(range(n_units)) * n_copies})
    training, held_out = holdout(table, target="y", share=share)
    wanted = min(max(share * n_units, 1), n_units - 1)
    assert abs(held_out.n_rows / n_copies - wanted) <= 0.5
    assert training.n_rows + held_out.n_rows == table.n_rows


@pytest.mark.parametrize(("share", "last"), [(0.1, 1), (0.5, 5), (0.74, 7), (0.99, 9)])
def test_the_last_times_come_nearest_to_the_share(share: float, last: int) -> None:
    """Ten times of ten rows."""
    table = Table.from_columns({"x": list(range(100)), "t": [at // 10 for at in range(100)], "y": list(range(100))})
    _, held_out = holdout(table, target="y", share=share, time="t")
    assert {row["t"] for row in held_out.rows()} == set(range(10 - last, 10))


@pytest.mark.parametrize("form", [Table.from_columns, pd.DataFrame])
def test_the_task_is_that_of_all_rows(form: Any) -> None:
    """A price of 40 values is a regression, though the one group that is learned from has 8 of them."""
    data = {"x": list(range(40)), "g": ["a"] * 8 + ["b"] * 32, "price": list(range(40))}
    training, _ = holdout(form(data), target="price", share=0.8, groups="g")
    assert learn(training, target="price", drop=["g"], recipe=cart()).schema.is_regression


def test_the_command_says_the_share(tmp_path: Path) -> None:
    """Two rows of 70 and 30 copies: 30 of 100 rows, and 30 % where 45 % were asked for."""
    path = tmp_path / "copies.csv"
    path.write_text("x,y\n" + "1,a\n" * 70 + "2,b\n" * 30, encoding="utf-8")
    said = [run("learn", path, "--target", "y", "--holdout", share).stderr for share in (0.3, 0.45)]
    assert "held out 30 of 100 rows (30 %)\n" in said[0]
    assert "held out 30 of 100 rows (30 %): as near to 45 % as whole sets of equal rows allow\n" in said[1]
