"""Pruning of chosen nodes."""

from collections.abc import Iterable

from treerules._internal.conversion import unwrap_scalar
from treerules.errors import OptionError
from treerules.pruning.common import collapse_nodes, with_root
from treerules.pruning.pruner import NodeNumbers, Option, Pruner
from treerules.trees.nodes import Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import preorder


def snip(tree: Tree, *, node: int | Iterable[int]) -> Tree:
    """Return the tree in which the splits with these numbers are leaves; nodes are numbered in preorder, the root is 0.

    The numbers are those of the original tree; a number below another has no effect.

    Raises:
        OptionError: no split has one of the numbers.
        DataError: such a split has no leaf to replace it.
    """
    numbers = [unwrap_scalar(number) for number in (node if isinstance(node, Iterable) else [node])]
    nodes = list(preorder(tree.root))
    for number in numbers:
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(nodes):
            raise OptionError("node", number, f"the number of a node, from 0 to {len(nodes) - 1}")
        if not isinstance(nodes[number], Split):
            raise OptionError("node", number, "the number of a split: this one is a leaf already")
    return with_root(tree, collapse_nodes(tree.root, set(numbers)))


SNIP = Pruner(
    "snip",
    options=(
        Option(
            name="node",
            values=NodeNumbers(),
            help="make this split a leaf, by its number in preorder from 0",
            required=True,
            example="2",
            flag="--snip",
            implies_method=True,
        ),
    ),
    prune=snip,
)
