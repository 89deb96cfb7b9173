"""`types=` means the same in all functions that say which data are used: the kinds of columns, as for a table."""

from collections.abc import Callable
from typing import Any

import pytest

from treerules import (
    Table,
    cart,
    compare_recipes,
    cross_validate,
    evaluate,
    feature_gains,
    id3,
    learn,
    predict,
    relearn,
)
from treerules.errors import ColumnError, OptionError, UnknownNameError

COLUMNS = {"grade": [1, 3, 1, 3, 2, 2, 1, 3], "size": list("MSLMSLMS"), "y": list("abaabbab")}
PLAIN = Table.from_columns(COLUMNS)
TYPES = {"grade": "category", "size": "ordinal:S<M<L"}
DECLARED = Table.from_columns(COLUMNS, types=TYPES)
TREE = learn(DECLARED, target="y", recipe=id3())

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "learn": lambda table, **types: learn(table, target="y", recipe=id3(), **types),
    "feature_gains": lambda table, **types: feature_gains(table, target="y", recipe=id3(), **types),
    "cross_validate": lambda table, **types: cross_validate(table, target="y", recipe=id3(), folds=2, **types),
    "compare_recipes": lambda table, **types: compare_recipes(table, [id3()], target="y", folds=2, **types),
    "evaluate": lambda table, **types: evaluate(TREE, table, **types),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_declared_types_are_those_of_a_table(name: str) -> None:
    """The result is that of a table whose types were declared when it was made."""
    function = FUNCTIONS[name]
    assert function(PLAIN, types=TYPES) == function(DECLARED) == function(DECLARED, types={})
    for types, error in (
        ({"zz": "category"}, UnknownNameError),
        ({"grade": "colour"}, OptionError),
        ({"size": "number"}, ColumnError),
        ("grade=category", OptionError),
    ):
        with pytest.raises(error):
            function(PLAIN, types=types)
    with pytest.raises(UnknownNameError, match=r"types=.*no column named 'zz'"):
        function(PLAIN, types={"zz": "category"})


def test_the_table_without_the_types_fits_the_tree() -> None:
    """A tree that was learned with `types` predicts, is evaluated and is learned again from the plain table."""
    tree = learn(PLAIN, target="y", recipe=id3(), types=TYPES)
    assert list(predict(tree, PLAIN)) == list(predict(tree, DECLARED))
    assert evaluate(tree, PLAIN) == evaluate(tree, DECLARED)
    assert relearn(tree, PLAIN) == tree


def test_errors_show_what_was_passed() -> None:
    """The value in an error is that of the argument, and a remedy is given for Python and the command line."""
    with pytest.raises(OptionError, match=r"learn\(features=\['y'\]\): expected other columns than the target 'y'"):
        learn(PLAIN, target="y", features=["y"], recipe=cart())
    with pytest.raises(OptionError, match=r"compare_recipes\(recipes=\[\]\)"):
        compare_recipes(PLAIN, [], target="y")
    with pytest.raises(ColumnError, match=r"types=\{'grade': 'category'\}, --types grade=category"):
        learn(PLAIN, target="y", recipe=id3())
    with pytest.raises(UnknownNameError, match=r"^learn\(weight='zz'\): no column named 'zz'"):
        learn(PLAIN, target="y", weight="zz", recipe=cart())
    with pytest.raises(UnknownNameError, match=r"^learn\(features=\['size', 'zz'\]\): no column named 'zz'"):
        learn(PLAIN, target="y", features=("size", "zz"), recipe=cart())
