"""The complexity parameters that R's rpart gives to nodes: a shortcut to the weakest link (its partition.c)."""

from collections.abc import Iterable

from treerules.prune.cost_complexity import made_equal
from treerules.prune.figures import TOLERANCE, Risk, as_leaf
from treerules.tree import Node, Split, numbered


def rpart_alphas(root: Node, leaf_risk: Risk, *, least: float = 0.0) -> list[float]:
    """Return, for every node in preorder, the alpha from which rpart takes it for a leaf; see `collapse_alphas`.

    rpart computes a node's alpha once, from the leaves up: of its children those collapse first whose alpha is less,
    and each is taken in the state in which it is just before it collapses itself. Breiman's weakest link also lets
    grandchildren collapse or stay by their own alphas, so rpart's numbers can lie below the exact ones, and its
    subtrees be larger or smaller than the best of their alpha. What is at most `least` is a leaf from the beginning.

    Raises:
        DataError: a split was built without the leaf that it would be.
    """
    nodes = numbered(root)
    risks = [leaf_risk(as_leaf(node)) for node, _ in nodes]
    alphas, slacks = [least] * len(nodes), [0.0] * len(nodes)
    states = [(risk, 0) for risk in risks]  # risk below, splits below
    for at in reversed(range(len(nodes))):
        node, below = nodes[at]
        if isinstance(node, Split):
            kept = {child: states[child] for child in below}
            for child in sorted(below, key=lambda child: (alphas[child], -child)):
                if _alpha(risks[at], kept.values()) <= alphas[child]:
                    break
                kept[child] = risks[child], 0
            alphas[at] = _alpha(risks[at], kept.values())
            slacks[at] = TOLERANCE * risks[at] / _splits(kept.values())
            if alphas[at] > least:
                states[at] = sum(risk for risk, _ in kept.values()), _splits(kept.values())
    made_equal(alphas, slacks)
    for at, (_, below) in enumerate(nodes):
        for child in below:
            alphas[child] = min(alphas[child], alphas[at])
    return alphas


def _alpha(risk: float, below: Iterable[tuple[float, int]]) -> float:
    states = list(below)
    return (risk - sum(each for each, _ in states)) / _splits(states)


def _splits(below: Iterable[tuple[float, int]]) -> int:
    """Return the leaves that a split has more than the leaf that it would be; with children in two, its splits."""
    states = list(below)
    return sum(n for _, n in states) + len(states) - 1
