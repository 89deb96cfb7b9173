"""Trees with tests of several intervals, and the same trees in plain thresholds: the oracle of what they answer."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from hypothesis import Phase, find, settings
from hypothesis import strategies as st

from treerules import Feature, Interval, Kind, Schema, Tree, ValueSet
from treerules.data.domain import next_value
from treerules.testing.edge_cases import POOLS
from treerules.trees import Leaf, MeanPrediction, Node, Split, ThresholdTest, ValueSetTest, fold, preorder

#: An ordered feature of each kind.
FEATURES = (
    Feature("x", Kind.NUMBER),
    Feature("n", Kind.INTEGER),
    Feature("d", Kind.DATE),
    Feature("t", Kind.TIMESTAMP),
)
GOAL = Feature("y", Kind.NUMBER)


def zero_is_missing(feature: Feature = FEATURES[0]) -> Tree:
    """Return LightGBM's `x <= 0.5` with missing type Zero: -1 goes left, 0 right, 0.2 left, 0.7 right."""
    values = ValueSet(feature, [Interval(None, next_value(feature, 0.0, up=False)), Interval(0.0, 0.5)])
    return Tree(Schema([feature], GOAL), Split(ValueSetTest(0, values), [leaf(0.0), leaf(1.0)], 1))


def leaf(mean: float) -> Leaf:
    """Return a leaf of a regression."""
    return Leaf(MeanPrediction(mean), (1,))


#: Returns an integer between two, both included.
Pick = Callable[[int, int], int]


def a_union_tree(pick: Pick, most_splits: int = 8, features: tuple[Feature, ...] = FEATURES) -> Tree:
    """Return a tree of a few splits, of which most test several intervals; its leaves predict their number."""
    nodes: list[Node] = [leaf(float(at)) for at in range(pick(2, most_splits + 1))]
    while len(nodes) > 1:
        index = pick(0, len(features) - 1)
        test: Any = _a_test(pick, features[index], index)
        if pick(0, 3) == 0:
            test = ThresholdTest(index, test.thresholds[0])
        missing = pick(0, 2 if len(nodes) > 2 else 1)
        children = [nodes.pop(pick(0, len(nodes) - 1)) for _ in range(2 + (missing == 2))]
        nodes.append(Split(test, children, missing))
    return Tree(Schema(features, GOAL), nodes[0])


def _a_test(pick: Pick, feature: Feature, index: int) -> ValueSetTest:
    """Return a test with one to five ends."""
    pool = [value for value in POOLS[feature.scalar] if value != feature.highest]
    ends = sorted({pool[pick(0, len(pool) - 1)] for _ in range(pick(2, 5))})
    lowest = pick(0, 1)
    pieces = enumerate(pairwise((None, *ends, None)))
    return ValueSetTest(index, ValueSet(feature, [Interval(*ends) for at, ends in pieces if at % 2 == lowest]))


@st.composite
def union_trees(draw: st.DrawFn, max_splits: int = 8) -> Tree:
    """Draw a tree as `a_union_tree` makes it."""
    return a_union_tree(lambda least, most: draw(st.integers(least, most)), max_splits)


def in_thresholds(tree: Tree) -> Tree:
    """Return the tree with a chain of thresholds for each test of intervals; its leaves stay the same."""

    def split(node: Split, children: tuple[Node, ...]) -> Node:
        test, missing = node.test, children[node.missing]
        if not isinstance(test, ValueSetTest):
            return Split(test, children, node.missing, node.unseen)
        ends = [end for interval in test.values.intervals for end in (interval.above, interval.upto)]
        is_inside = ends[0] is None
        first = children[0 if is_inside else 1]
        last = children[1 if ends[-1] is not None else 0]
        known = [end for end in ends if end is not None]
        sides = [first if at % 2 == 0 else children[1 if is_inside else 0] for at in range(len(known))]
        chain = last
        for end, side in zip(reversed(known), reversed(sides), strict=True):
            chain = Split(ThresholdTest(test.feature, end), [side, chain, missing], 2)
        return chain

    return Tree(tree.schema, fold(tree.root, lambda node: node, split))


def has_union(tree: Tree) -> bool:
    """Whether some test takes two intervals or more."""
    tests = (node.test for node in preorder(tree.root) if isinstance(node, Split))
    return any(isinstance(test, ValueSetTest) and len(test.values.intervals) > 1 for test in tests)


def one_with_union() -> Tree:
    """Return a drawn tree with a test of several intervals, the first that is drawn."""
    return find(union_trees(), has_union, settings=settings(phases=[Phase.generate], max_examples=100))


def rows_at_ends(tree: Tree) -> list[dict[str, Any]]:
    """Return rows that are equal but for one column, which is at each end, one step beside it, extreme, or missing."""
    features = tree.schema.features
    values: dict[str, list[Any]] = {f.name: [None, f.lowest, f.highest] for f in features}
    values = {f.name: [*values[f.name], *([-0.0, 0.0] if f.kind is Kind.NUMBER else [])] for f in features}
    for node in preorder(tree.root):
        if isinstance(node, Split):
            feature = features[node.test.feature]
            for end in node.test.thresholds:
                beside = (next_value(feature, end, up=up) for up in (False, True))
                values[feature.name] += [end, *(value for value in beside if value is not None)]
    bases = [{name: own[at % len(own)] for name, own in values.items()} for at in (0, 1, 3, 4)]
    return [{**base, name: value} for base in bases for name, own in values.items() for value in own]
