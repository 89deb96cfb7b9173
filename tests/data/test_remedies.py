"""Errors of values of data: each says what to do with this very value."""

from collections.abc import Callable
from typing import Any

import pytest

from treerules import Feature, Interval, Schema, Table, ValueSet
from treerules.errors import InvalidTreeError

NUMBER = Feature("x", "number")


@pytest.mark.parametrize(
    ("call", "remedy"),
    [
        (lambda: Table.from_columns({1: [1]}), "name it by text"),
        (lambda: Interval(3, 1), "give a lower bound below the upper one"),
        (lambda: Interval(float("nan"), 1), "give a lower bound below the upper one"),
        (lambda: Feature("x", "number", ["a"]), "leave them out, or give the kind category or ordinal"),
        (lambda: Feature("x", "date", scalar="text"), "expected one of 'date'"),
        (lambda: Feature("x", "number", form="%"), "leave the form out"),
        (lambda: Feature("c", "category", ["a", 1]), "give categories of that type"),
        (lambda: Feature("c", "category", ["a", "a"]), "give each category once"),
        (lambda: Feature("c", "category", ["b", "a"]), "sort them"),
        (lambda: Schema([NUMBER, NUMBER]), "give each column a name of its own"),
        (lambda: Schema([NUMBER], Feature("d", "date")), "expected one of 'category', 'integer'"),
        (lambda: ValueSet(NUMBER, (), ["a"]), "values that it can take"),
    ],
)
def test_an_error_of_data_says_what_to_do(call: Callable[[], Any], remedy: str) -> None:
    """It does not send the user of an interval or a column to the schema of a tree."""
    with pytest.raises(InvalidTreeError) as caught:
        call()
    assert remedy in caught.value.remedy and "schema's own features" not in str(caught.value)
