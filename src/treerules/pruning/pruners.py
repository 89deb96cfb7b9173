"""Pruning: trees to smaller trees, each way a function `f(tree, *, ...) -> Tree`; `prune` finds them by name."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from inspect import Parameter, signature
from typing import Any, overload

from attrs import evolve

from treerules.errors import OptionError, UnknownNameError
from treerules.pruning.cost_complexity import CostComplexityPath, Step, cost_complexity, cost_complexity_path
from treerules.pruning.merge_equal_leaves import merge_equal_leaves
from treerules.pruning.minimum_error import minimum_error
from treerules.pruning.penalised import penalised, penalised_loss
from treerules.pruning.pessimistic import pessimistic
from treerules.pruning.reduced_error import reduced_error
from treerules.pruning.snip import snip
from treerules.trees.tree import Tree

__all__ = (
    "METHODS",
    "CostComplexityPath",
    "Step",
    "cost_complexity",
    "cost_complexity_path",
    "merge_equal_leaves",
    "minimum_error",
    "penalised",
    "penalised_loss",
    "pessimistic",
    "prune",
    "reduced_error",
    "snip",
)

#: The ways of pruning by name.
METHODS: dict[str, Callable[..., Tree]] = {
    "penalised": penalised,
    "cost_complexity": cost_complexity,
    "pessimistic": pessimistic,
    "reduced_error": reduced_error,
    "minimum_error": minimum_error,
    "snip": snip,
    "merge_equal_leaves": merge_equal_leaves,
}


@overload
def prune(tree: Tree, method: str = ..., **options: Any) -> Tree: ...


@overload
def prune(tree: None = ..., method: str = ..., **options: Any) -> Callable[[Tree], Tree]: ...


def prune(tree: Tree | None = None, method: str = "cost_complexity", **options: Any) -> Any:
    """Return the tree pruned by a method of METHODS, with that method's options; without a tree, the function that
    waits for one.

    >>> from treerules import Table, cart, learn
    >>> table = Table.from_columns({"x": [1, 2, 3, 4, 5, 7], "y": ["a", "a", "b", "a", "b", "b"]})
    >>> tree = learn(table, target="y", recipe=cart())
    >>> tree, prune(tree, "cost_complexity", alpha=0.5), prune(method="snip", node=0)(tree)
    (<Tree 'y' leaves=4 depth=3>, <Tree 'y' leaves=2 depth=1>, <Tree 'y' leaves=1 depth=0>)

    Raises:
        UnknownNameError: there is no such method.
        OptionError: the method lacks an option, or does not take one that is given; or as the method says.
    """
    if method not in METHODS:
        raise UnknownNameError("pruning method", str(method), METHODS)
    _check_options(method, options)
    if isinstance(options.get("node"), Iterable):
        options["node"] = tuple(options["node"])
    if tree is None:
        return partial(prune, method=method, **options)
    if not isinstance(tree, Tree):
        raise OptionError("tree", tree, "a Tree, such as learn(...) returns")
    found = METHODS[method](tree, **options)
    return found if tree.origin is None else evolve(found, origin=tree.origin.after(method, options))


def _check_options(method: str, options: Mapping[str, Any]) -> None:
    taken = {name: option for name, option in signature(METHODS[method]).parameters.items() if name != "tree"}
    for name, value in options.items():
        if name not in taken:
            known = f"one of {', '.join(taken)}" if taken else "none: it has no options"
            raise OptionError(f"the option {name!r} of {method}", value, known)
    for name, option in taken.items():
        if option.default is Parameter.empty and name not in options:
            raise OptionError(name, None, f"it a value: {method} needs one, as in prune(tree, {method!r}, {name}=...)")
