"""The axis in whose order many categories are divided, where a node has more classes than the feature categories."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treerules import Table, cart, learn
from treerules.growing.reference.categorical import _first_component
from treerules.growing.reference.statistics import NodeStatistics


@pytest.mark.parametrize(("n_classes", "n_categories"), [(3, 12), (12, 12), (40, 12), (200, 11)])
@given(seed=st.integers(0, 2**32))
def test_it_is_the_first_principal_component_of_the_class_shares(n_classes: int, n_categories: int, seed: int) -> None:
    """As the singular values of numpy give it, from either side; its sign is free."""
    random = np.random.default_rng(seed)
    counts = random.integers(0, 6, (n_classes, n_categories)).astype(float)
    counts[0] += 1  # no category is empty
    groups = NodeStatistics(counts.sum(axis=0), tuple(counts))
    node: Any = SimpleNamespace(scorer=SimpleNamespace(factors=None))
    sizes = counts.sum(axis=0)
    shares = counts / sizes
    centred = shares - (shares * sizes).sum(axis=1, keepdims=True) / sizes.sum()
    axes, scales, _ = np.linalg.svd(centred * np.sqrt(sizes), full_matrices=False)
    assume(scales[0] > scales[1] * 1.001)
    expected = axes[:, 0] @ centred
    coordinates = _first_component(node, groups)
    nearer = min(np.abs(coordinates - expected).max(), np.abs(coordinates + expected).max())
    assert nearer < 1e-9


def test_classes_that_categories_tell_apart_are_told_apart() -> None:
    """Thirty classes, fifteen categories of two classes each: every split divides the categories, none is left."""
    rows = [(f"k{position // 2}", f"c{position:02}") for position in range(30) for _ in range(4)]
    table = Table.from_columns({"k": [k for k, _ in rows], "y": [y for _, y in rows]})
    assert learn(table, target="y", recipe=cart(), features=["k"], task="classification").n_leaves == 15
