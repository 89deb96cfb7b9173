"""How columns become lists and tables: in the order of numpy, and which of the two a feature is changes no tree."""

from math import inf, nextafter
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules import Table, cart, learn
from treerules.compiled import is_installed
from treerules.learn.problem import Problem, problem_of

pytestmark = pytest.mark.skipif(not is_installed(), reason="numba is not installed")

RECIPE = cart(missing="learned")
TYPES = {"small": "integer", "wide": "integer", "flag": "boolean"}


def column(rng: Any, kind: str, n: int) -> Any:
    """Return n values: of many kinds, or few, with runs of equal ones longer than those that are inserted."""
    return {
        "real": rng.normal(size=n),
        "half": np.round(2 * rng.normal(size=n)) / 2,
        "edge": rng.choice([inf, -inf, 0.0, 1.0, nextafter(1.0, 2.0), 5e-324], size=n),
        "small": rng.integers(-5, 5, size=n),
        "wide": rng.integers(-(2**62), 2**62, size=n),
        "flag": rng.random(n) < 0.3,
    }[kind]


def problem(kinds: list[str], n: int, seed: int, *, holes: float, n_classes: int) -> Problem:
    """Return a problem of such columns, every other one with holes."""
    rng = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    for place, kind in enumerate(kinds):
        values = column(rng, kind, n).tolist()
        missing = rng.random(n) < (holes if place % 2 else 0.0)
        columns[f"x{place}"] = [None if hole else value for hole, value in zip(missing, values, strict=True)]
    target = rng.integers(0, n_classes, size=n).tolist() if n_classes else rng.normal(size=n).tolist()
    types = {name: TYPES.get(kind, "number") for name, kind in zip(columns, kinds, strict=True)}
    table = Table.from_columns({**columns, "y": target}, types=types)
    task: Any = "classification" if n_classes else "regression"
    return problem_of(table, target="y", recipe=RECIPE, task=task, keep=list(columns))


problems = st.builds(
    problem,
    st.lists(st.sampled_from(["real", "half", "edge", "small", "wide", "flag"]), min_size=1, max_size=5),
    st.sampled_from([1, 2, 5, 40, 200]),
    st.integers(0, 1000),
    holes=st.sampled_from([0.1, 0.6, 1.0]),
    n_classes=st.sampled_from([0, 2, 3]),
)


@given(problems, st.booleans())
def test_a_list_has_the_order_of_lexsort(problem: Problem, alone: bool) -> None:
    """Rows stand by value, missing ones last, then by number; a mark begins each value: as np.lexsort has it."""
    from treerules.learn.kernels import listing

    with patch.multiple(listing, _FEW=-1, _FEWER=-1, _SHORT=0 if alone else listing._SHORT):
        found = listing.listing_of(problem, RECIPE)
    n = len(problem.target)
    assert found.lists.features.tolist() == list(range(len(problem.columns)))
    for entries, each in zip(found.lists.entries.reshape(-1, n), problem.columns, strict=True):
        order = np.lexsort([np.arange(n), each.data, each.missing])
        assert (entries & found.row_mask).tolist() == order.tolist()
        assert (entries >> np.uint32(30) & 1).tolist() == each.missing[order].tolist()
        values = [None if hole else value for hole, value in zip(each.missing[order], each.data[order], strict=True)]
        begins = [place == 0 or values[place - 1] != values[place] for place in range(n)]
        assert (entries >> np.uint32(31)).tolist() == begins
        if not problem.schema.is_regression:
            classes = entries >> np.uint32(found.class_shift) & np.uint32(found.class_mask)
            assert classes.tolist() == problem.target[order].tolist()


@given(problems, st.sampled_from([-1, 3, 255]))
def test_lists_and_tables_give_the_tree_of_the_reference(problem: Problem, few: int) -> None:
    """Whether a feature is listed or counted by value is a matter of speed alone."""
    from treerules.learn.grow import grow
    from treerules.learn.kernels import listing

    with patch.multiple(listing, _FEW=few, _FEWER=few):
        tree = grow(problem, RECIPE, compiled=True)
    assert tree == grow(problem, RECIPE, compiled=False)


def test_columns_sorted_together_give_the_tree_of_columns_sorted_alone() -> None:
    """The number of rows from which each column is sorted alone changes nothing."""
    from treerules.learn.kernels import listing

    rng = np.random.default_rng(7)
    kinds = ("real", "half", "small", "wide", "flag")
    n = 3000
    columns = {kind: column(rng, kind, n) for kind in kinds}
    table = Table.from_columns({**columns, "y": rng.integers(0, 3, size=n)})
    together = learn(table, target="y", compiled=True)
    with patch.object(listing, "_SHORT", 0):
        assert learn(table, target="y", compiled=True) == together
