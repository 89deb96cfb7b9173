"""The colours of the nodes of a tree: that of the class it predicts, or how strong it is for a number."""

from collections.abc import Callable
from typing import cast

from treerules.report.svg.palette import PLAIN_COLOUR, STRONG, class_colour, value_opacity
from treerules.trees.nodes import Leaf, Node, Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves

#: Returns the colour of a node with its training figures, and how strong it is from 0 to 1.
NodeColour = Callable[[Node, tuple[float, ...]], tuple[str, float]]
_UNKNOWN = ("#888888", 0.1)


def node_colours(tree: Tree) -> NodeColour:
    """Return the function that colours the nodes of a tree."""
    schema = tree.schema
    if schema.is_regression:
        values = [leaf.prediction.value for leaf in leaves(tree.root)]
        lowest, highest = min(values), max(values)

        def of_number(node: Node, figures: tuple[float, ...]) -> tuple[str, float]:
            leaf = leaf_or_none(node)
            if leaf is None:
                return _UNKNOWN
            return PLAIN_COLOUR, value_opacity(leaf.prediction.value, lowest, highest)

        return of_number
    positions = {label: position for position, label in enumerate(schema.classes)}

    def of_class(node: Node, figures: tuple[float, ...]) -> tuple[str, float]:
        leaf = leaf_or_none(node)
        if leaf is None and not any(figures):
            return _UNKNOWN
        position = figures.index(max(figures)) if leaf is None else positions[leaf.prediction.value]
        return class_colour(position), STRONG

    return of_class


def leaf_or_none(node: Node) -> Leaf | None:
    """Return a leaf, or the leaf that a split would be if it were pruned; None where that is not known."""
    return node.as_leaf if isinstance(node, Split) else cast(Leaf, node)
