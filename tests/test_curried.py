"""The curried twins of the public functions."""

import pickle
from inspect import isfunction, signature

import pytest
from toolz import curry, pipe

import treerules
from treerules import (
    Table,
    cart,
    curried,
    emit,
    formats,
    importers,
    learn,
    proof,
    readers,
    report,
    to_sql,
    trees,
)
from treerules.errors import OptionError

#: The packages whose functions have curried twins.
PACKAGES = (treerules, trees, readers, importers, formats, emit, proof, report)
FUNCTIONS = {
    name: function for package in PACKAGES for name in package.__all__ if isfunction(function := getattr(package, name))
}
TABLE = Table.from_columns({"x": [1, 2, 3, 4, 5, 7], "z": [3, 2, 3, 1, 1, 2], "y": ["a", "a", "b", "a", "b", "b"]})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_has_a_curried_twin(name: str) -> None:
    """It is made by `toolz.curry` of the function itself, has its docstring, and survives pickling."""
    twin = getattr(curried, name)
    assert isinstance(twin, curry) and twin.func is FUNCTIONS[name]
    assert twin.__doc__ == FUNCTIONS[name].__doc__
    assert name in curried.__all__ and signature(FUNCTIONS[name]).parameters
    assert pickle.loads(pickle.dumps(twin)).func is FUNCTIONS[name]


def test_nothing_else_is_curried() -> None:
    """The twins are those of the packages that the docstring names, without a clash of names."""
    assert curried.__all__ == tuple(sorted(FUNCTIONS))


def test_a_pipeline_of_curried_functions_is_the_calls_one_after_the_other() -> None:
    """Learning, pruning, compiling and emitting; a partial call survives pickling too."""
    steps = (
        curried.learn(target="y"),
        curried.prune(method="snip", node=0),
        curried.compile_rules,
        curried.to_sql(dialect="duckdb"),
    )
    query = to_sql(
        treerules.compile_rules(treerules.prune(learn(TABLE, target="y", recipe=cart()), "snip", node=0)),
        dialect="duckdb",
    )
    assert pipe(TABLE, *steps) == query
    assert pipe(TABLE, *pickle.loads(pickle.dumps(steps[:3])), steps[3]) == query


def test_errors_of_a_complete_call_are_raised() -> None:
    """Only a missing required argument makes a curried function wait."""
    with pytest.raises(OptionError, match="drop"):
        curried.learn(TABLE, target="y", drop="x")
    with pytest.raises(TypeError, match="targt"):
        curried.learn(TABLE, target="y", targt="x")
