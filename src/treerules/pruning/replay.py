"""Repetition of the pruning steps of another tree."""

from collections.abc import Iterable
from typing import Any

from treerules.errors import DataError
from treerules.pruning.pruners import prune
from treerules.trees.tree import Tree


def replay_pruning(tree: Tree, steps: Iterable[tuple[str, Any]]) -> Tree:
    """Return the tree pruned by the steps of an Origin, in order.

    Raises:
        DataError: a step needed a table.
    """
    for method, options in steps:
        if options is None:
            raise DataError(
                f"the tree was pruned by {method}, with a table that it does not hold", "learn and prune it again"
            )
        tree = prune(tree, method, **dict(options))
    return tree
