"""The complexity parameters that R's rpart gives to nodes: an approximation of the weakest link (its partition.c)."""

from collections.abc import Sequence

from treerules.pruning.common import TOLERANCE
from treerules.pruning.cost_complexity import equalise_close_alphas, lower_to_parent
from treerules.trees.tree_arrays import ChildNumbers


def rpart_alphas(risks: Sequence[float], below: ChildNumbers, *, least: float = 0.0) -> list[float]:
    """Return, for every node in preorder, the alpha from which rpart makes it a leaf; see `weakest_links`.

    `risks` are the risks of the nodes as leaves, `below` the numbers of their children.

    rpart computes a node's alpha once, from the leaves up: children of smaller alpha collapse first, and each counts
    with the state that it has just before it collapses. Breiman's weakest link also lets grandchildren collapse or stay
    by their own alphas, so rpart's numbers can be below the exact ones, and its subtrees larger or smaller than the
    optimal ones. A node of an alpha of at most `least` is a leaf from the start.
    """
    n = len(risks)
    alphas, slacks = [least] * n, [0.0] * n
    pruned_risks, splits = list(risks), [0] * n  # the risk and the splits below
    for number in range(n - 1, -1, -1):
        children = below[number]
        if children:
            risk = risks[number]
            child_risks, fewer = [pruned_risks[child] for child in children], len(children) - 1
            for child in children:
                fewer += splits[child]
            alpha = (risk - sum(child_risks)) / fewer
            # ties: the last child first
            for child_alpha, position in sorted(
                [(alphas[child], -position) for position, child in enumerate(children)]
            ):
                if alpha <= child_alpha:
                    break
                child = children[-position]
                child_risks[-position] = risks[child]
                fewer -= splits[child]
                alpha = (risk - sum(child_risks)) / fewer
            alphas[number] = alpha
            slacks[number] = TOLERANCE * risk / fewer
            if alpha > least:
                pruned_risks[number], splits[number] = sum(child_risks), fewer
    equalise_close_alphas(alphas, slacks)
    lower_to_parent(alphas, below)
    return alphas
