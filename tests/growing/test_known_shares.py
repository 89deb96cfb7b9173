"""Which splits are allowed, and which gain anything, where values are missing or errors cost nothing."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from treerules import Table, c45, cart, id3, learn


def test_one_more_column_makes_no_leaf_of_a_split() -> None:
    """A split that is large enough for `min_gain` stays one beside a column that gains less."""
    table = Table.from_columns(
        {"a": [1, 1, 2, 1], "b": [None, 1, 2, None], "y": list("ppqp")}, types={"a": "integer", "b": "integer"}
    )
    recipe = cart(missing="larger", class_weight={"p": 4}, min_gain=0.1)
    for features in (["b"], ["a"], ["a", "b"]):
        assert learn(table, target="y", recipe=recipe, features=features).n_leaves == 2


@pytest.mark.parametrize("least", [1, 2, 3])
@given(draw=st.data())
def test_a_split_in_two_is_the_same_with_a_child_for_each(least: int, draw: st.DataObject) -> None:
    """ID3 and C4.5 divide two categories as CART does by entropy: the children count with their missing values."""
    n = draw.draw(st.integers(2, 12))
    cells = draw.draw(st.lists(st.sampled_from([True, False, None]), min_size=n, max_size=n))
    labels = draw.draw(st.lists(st.sampled_from("pq"), min_size=n, max_size=n))
    table = Table.from_columns({"a": cells, "y": labels}, types={"a": "boolean"})
    options: dict[str, Any] = {"max_depth": 1, "missing": "learned", "min_samples_leaf": least}
    expected = learn(table, target="y", recipe=cart(criterion="entropy", **options), features=["a"])
    for recipe in (id3(**options), c45(**options)):
        tree = learn(table, target="y", recipe=recipe, features=["a"])
        assert evolve(tree, recipe=None, notes=()) == evolve(expected, recipe=None, notes=())


def test_where_errors_cost_nothing_there_is_nothing_to_divide() -> None:
    """A node with one class whose errors cost anything is a leaf: rounding noise is no gain."""
    table = Table.from_columns({"x": [4, 1, 3, 3, 2, 4, 1, 2], "y": list("ababbbba")}, types={"x": "integer"})
    recipe = cart(costs={("a", "b"): 0, ("b", "a"): 1})
    assert learn(table, target="y", recipe=recipe, features=["x"]).n_leaves == 1
