"""Repetition of the pruning steps of another tree."""

from collections.abc import Iterable
from typing import Any

from treerules.errors import DataError
from treerules.pruning.pruner import NodeNumbers
from treerules.pruning.pruners import PRUNERS, prune
from treerules.trees.tree import Tree


def replay_pruning(tree: Tree, steps: Iterable[tuple[str, Any]], *, is_same: bool) -> Tree:
    """Return the tree pruned by the steps of an Origin, in order.

    Args:
        tree: the tree.
        steps: the steps that the origin of another tree records.
        is_same: whether that tree was the same: the numbers of its nodes mean other splits in a tree of other rows.

    Raises:
        DataError: a step needed a table, or names nodes of another tree.
    """
    for method, options in steps:
        if not is_same and _names_nodes(method):
            raise DataError(
                f"the tree was pruned by {method}, by the numbers of nodes, which are others in a tree of other rows",
                "learn again the model from before that step, then prune the new tree by its own numbers",
            )
        if options is None:
            raise DataError(
                f"the tree was pruned by {method}, with a table that it does not hold", "learn and prune it again"
            )
        tree = prune(tree, method, **dict(options))
    return tree


def _names_nodes(method: str) -> bool:
    return method in PRUNERS and any(isinstance(option.values, NodeNumbers) for option in PRUNERS[method].options)
