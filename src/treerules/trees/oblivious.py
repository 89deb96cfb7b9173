"""Oblivious trees, as CatBoost grows them: all splits of a level have the same test.

         x <= 1                  the number of a row's leaf, from 0, has a binary digit for each level:
  y <= 3        y <= 3           1 where the row goes to the second child
0        1    2        3
"""

from treerules.trees.nodes import Leaf, Node, Split


def oblivious_levels(root: Node) -> tuple[Split, ...] | None:
    """Return a split of each level of an oblivious tree, from the root, each with two children; None for another tree.

    The splits of a level also send missing and unseen values to the same child. A lone leaf has no levels.

    >>> from treerules.trees import MeanPrediction, ThresholdTest
    >>> low, high = (Leaf(MeanPrediction(value), (1,)) for value in (0.0, 1.0))
    >>> inner = Split(ThresholdTest(1, 3.0), [low, high])
    >>> [split.test.feature for split in oblivious_levels(Split(ThresholdTest(0, 1.0), [inner, inner])) or ()]
    [0, 1]
    >>> oblivious_levels(Split(ThresholdTest(0, 1.0), [inner, low])) is None
    True
    """
    levels: list[Split] = []
    nodes = [root]
    while isinstance(first := nodes[0], Split):
        question = _question(first)
        if len(first.children) != 2 or any(_question(node) != question for node in nodes):
            return None
        levels.append(first)
        nodes = [child for node in nodes if isinstance(node, Split) for child in node.children]
    return tuple(levels) if all(isinstance(node, Leaf) for node in nodes) else None


def _question(node: Node) -> tuple[object, ...] | None:
    return (node.test, node.missing, node.unseen) if isinstance(node, Split) else None
