"""`icicle`: an overview of a large tree: each level is a row of rectangles, as wide as their shares of the rows.

J. B. Kruskal and J. M. Landwehr, "Icicle plots: better displays for hierarchical clustering", The American Statistician
37 (1983). Rectangles narrower than half a pixel are left out, and levels below the last that fits: those above them
show the class that is most frequent there.
"""

from treerules.rendering.svg_contexts import SvgShape
from treerules.report.drawn_nodes import node_counts
from treerules.report.svg.legend import Block
from treerules.report.svg.node_colours import node_colours
from treerules.report.svg.shapes import rectangle
from treerules.trees.nodes import Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import descend, fold

ICICLE_WIDTH, _LEVEL_HEIGHT = 640.0, 9.0
_MOST_LEVELS, _NARROWEST = 24, 0.5


def icicle(tree: Tree, x: float, y: float) -> Block:
    """Return the overview of a tree."""
    colour_of = node_colours(tree)
    counts = node_counts(tree)
    weights = list(map(sum, counts))
    sizes = _subtree_sizes(tree)
    per_row = ICICLE_WIDTH / weights[0] if weights[0] else 0.0

    def children(split: Split, position: tuple[int, float, int]) -> list[tuple[int, float, int]]:
        level, left, number = position
        positions, child = [], number + 1
        for _ in split.children:
            positions.append((level + 1, left, child))
            left += weights[child] * per_row
            child += sizes[child]
        return positions

    shapes: list[SvgShape] = []
    deepest = 0
    for node, (level, left, number) in descend(tree.root, (0, x, 0), children):
        width = weights[number] * per_row
        if width < _NARROWEST or level >= _MOST_LEVELS:
            continue
        colour, opacity = colour_of(node, counts[number])
        gap = 0.5 if width > 2 else 0.0
        top = y + level * _LEVEL_HEIGHT
        shapes.append(rectangle(left, top, width - gap, _LEVEL_HEIGHT - 1, fill=colour, opacity=opacity))
        deepest = max(deepest, level)
    return Block(tuple(shapes), (deepest + 1) * _LEVEL_HEIGHT)


def _subtree_sizes(tree: Tree) -> list[int]:
    """Return the number of nodes of the subtree of each node, in preorder."""
    sizes: list[int] = []  # in the order of fold, which is the reverse of preorder

    def keep(size: int) -> int:
        sizes.append(size)
        return size

    fold(tree.root, lambda leaf: keep(1), lambda split, below: keep(1 + sum(below)))
    return sizes[::-1]
