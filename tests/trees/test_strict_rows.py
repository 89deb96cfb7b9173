"""`predict(..., strict=True)`: a key that the model does not know, or one that it tests and that is not there."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies_random import trees_with_rows
from treerules import Tree, cart, learn, predict
from treerules.errors import DataError, OptionError, UnknownNameError
from treerules.trees import tested_columns

TREE = learn({"x": [1, 2, 4], "z": [0, 0, 0], "y": ["a", "a", "b"]}, target="y", recipe=cart(), keep=["z"])


def test_a_misspelt_key_is_an_error_that_names_the_column() -> None:
    """By default it is a missing value in silence."""
    assert predict(TREE, {"X": 10}) == predict(TREE, {}) == "a" != predict(TREE, {"x": 10}, strict=True)
    with pytest.raises(UnknownNameError, match=r"no column named 'X'; did you mean 'x'\? "):
        predict(TREE, {"X": 10}, strict=True)
    with pytest.raises(UnknownNameError, match=r"no column named 'x '; did you mean 'x'\? "):
        predict(TREE, {"x ": 10}, strict=True)
    with pytest.raises(DataError, match="the row lacks 'x', which the model tests; give None for a missing value"):
        predict(TREE, {"z": 1}, strict=True)


def test_columns_of_the_model_are_known() -> None:
    """The target and columns that no rule tests, and blanks around the names of tables."""
    assert predict(TREE, {"x": None, "z": 1, "y": "b"}, strict=True) == "a"
    assert predict(TREE, {"x": [4], "y": ["a"]}, strict=True).tolist() == ["b"]
    assert predict(TREE, {" x": [4]}, strict=True).tolist() == ["b"]
    with pytest.raises(UnknownNameError, match="no column named 'X'"):
        predict(TREE, [{"x": 1}, {"X": 4}], strict=True)
    with pytest.raises(OptionError, match="True or False"):
        predict(TREE, {"x": 1}, strict=1)  # type: ignore[arg-type]


@given(trees_with_rows(n_rows=1), st.data())
def test_strict_changes_no_answer(drawn: tuple[Tree, list[dict[str, Any]]], data: st.DataObject) -> None:
    """Of rows that have all keys; without one of them exactly the rows that lack a tested one are errors."""
    tree, (row,) = drawn
    assert predict(tree, row, strict=True) == predict(tree, row)
    name = data.draw(st.sampled_from(list(row)))
    less = {key: value for key, value in row.items() if key != name}
    if name in {feature.name for feature in tested_columns.tested_features(tree)}:
        with pytest.raises(DataError, match="which the model tests"):
            predict(tree, less, strict=True)
    else:
        assert predict(tree, less, strict=True) == predict(tree, row)
    with pytest.raises(UnknownNameError):
        predict(tree, {**row, f"{name} of another": 1}, strict=True)
