"""Trees of 10,000 leaves and of depth 5,000."""

from treerules import Feature, Kind, Schema, Tree
from treerules.trees import CategoryTest, Leaf, MeanPrediction, Node, Split, ThresholdTest

DEPTH, LEAVES = 5_000, 10_000
SCHEMA = Schema(
    [Feature("x", Kind.NUMBER), Feature("c", Kind.CATEGORY, [f"c{n:05}" for n in range(100)])],
    Feature("y", Kind.NUMBER),
)


def chain(*, right: bool) -> Tree:
    """Return a tree of one path: x <= 0, x <= 1, ... leaning to one side."""
    node: Node = Leaf(MeanPrediction(-1.0), (1,))
    for n in range(DEPTH):
        leaf = Leaf(MeanPrediction(float(n)), (1,))
        threshold = float(DEPTH - n if right else n)
        node = Split(ThresholdTest(0, threshold), (leaf, node) if right else (node, leaf), missing=n % 2)
    return Tree(SCHEMA, node)


def chain_of_three() -> Tree:
    """Return a tree of one path in which missing values have a child of their own at every split, and go on at it."""
    node: Node = Leaf(MeanPrediction(-1.0), (1,))
    for n in range(DEPTH):
        leaf, last = Leaf(MeanPrediction(float(n)), (1,)), Leaf(MeanPrediction(n + 0.5), (1,))
        if n % 2:
            node = Split(ThresholdTest(0, float(n)), (node, leaf, last), missing=2)
        else:
            node = Split(CategoryTest(1, [[0], range(1, 100)]), (leaf, last, node), missing=2, unseen=1)
    return Tree(SCHEMA, node)
