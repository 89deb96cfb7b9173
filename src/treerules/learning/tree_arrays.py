"""A tree as pruning and judging need it: its nodes in preorder as arrays, made of frozen nodes or of a flat tree."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules.growing.array_tree import LEAF, ArrayTree
from treerules.growing.problem import Problem
from treerules.growing.unchecked import leaves_by_counts
from treerules.learning.routing_table import tape_of_flat
from treerules.pruning.common import Risk, as_leaf, checked_risk, own_cost
from treerules.pruning.cost_complexity import Below
from treerules.trees.class_weighting import TOLERANCE, Weighing
from treerules.trees.node_parts import ClassPrediction, MeanPrediction
from treerules.trees.routing import Tape, routed, tape_of
from treerules.trees.tree import Leaf, Tree, numbered


@frozen(eq=False)
class Outline:
    """A tree; a node's number is its place in preorder."""

    #: the numbers of each node's children
    below: Below
    #: the number of each node's parent (-1 of the root), and how many nodes there are from it down
    parents: Any
    sizes: Any
    #: what each node would cost as a leaf (see `risk_of_problem`)
    risks: Sequence[float]
    #: what each would say as a leaf: the position of its label, or its mean
    says: Any
    tape: Tape

    @property
    def leaves(self) -> Any:
        """The numbers of the leaves."""
        return np.flatnonzero(self.sizes == 1)


def risk_of_problem(problem: Problem, root: Leaf) -> Risk:
    """Return the risk of a leaf, summed over its rows: its label's cost as the whole problem weighs the classes, or
    the squared error.

    Raises:
        DataError: the squares of errors of about the root's are no floats.
    """
    weighing = problem.weighing
    return checked_risk(root) if weighing is None else lambda leaf: own_cost(leaf, weighing)


def leaf_of_rows(outline: Outline, problem: Problem) -> Any:
    """Return the number of the leaf that each row of a problem reaches."""
    tape = outline.tape
    return outline.leaves[routed(tape, [problem.columns[at] for at in tape.asked], len(problem.target)) - 1]


# ---- of nodes


def outline_of(tree: Tree, problem: Problem) -> Outline:
    """Return the outline of a tree that was learned from a problem.

    Raises:
        DataError: as `risk_of_problem` does.
    """
    nodes = numbered(tree.root)
    below, leaves = [children for _, children in nodes], [as_leaf(node) for node, _ in nodes]
    parents, sizes = [-1] * len(nodes), [1] * len(nodes)
    for at, children in enumerate(below):
        for child in children:
            parents[child] = at
    for at in range(len(nodes) - 1, 0, -1):
        sizes[parents[at]] += sizes[at]
    risk = risk_of_problem(problem, leaves[0])
    risks = [risk(leaf) for leaf in leaves]
    if problem.weighing is None:
        says = np.array([cast(MeanPrediction, leaf.prediction).value for leaf in leaves], dtype=np.float64)
    else:
        says = _positions(leaves, problem.weighing)
    return Outline(below, np.array(parents), np.array(sizes), risks, says, tape_of(tree.root))


def _positions(leaves: Sequence[Leaf], weighing: Weighing) -> Any:
    position = {label: place for place, label in enumerate(weighing.classes)}
    return np.array([position[cast(ClassPrediction, leaf.prediction).value] for leaf in leaves])


# ---- of a flat tree


def outline_of_flat(flat: ArrayTree, problem: Problem) -> Outline:
    """Return the outline of a flat tree that was learned from a problem: that of its nodes.

    Raises:
        DataError: as `risk_of_problem` does.
    """
    order, parents, sizes = in_preorder(flat)
    figures = flat.statistics[order]
    if problem.weighing is None:
        n, says, spread = figures.T
        checked_risk(Leaf(MeanPrediction(says[0].item(), spread[0].item()), (n[0].item(),)))
        risks = n * spread * spread
    else:
        says, risks = own_costs(figures, problem.weighing)
    splits = np.flatnonzero(flat.kind[order] != LEAF)
    second = splits + 1 + sizes[splits + 1]
    below: list[Any] = [()] * len(order)
    for at, child in zip(splits.tolist(), second.tolist(), strict=True):
        below[at] = at + 1, child
    return Outline(below, parents, sizes, risks.tolist(), says, tape_of_flat(flat, order, sizes, problem))


def in_preorder(flat: ArrayTree) -> tuple[Any, Any, Any]:
    """Return the nodes of a flat tree in preorder; and, in that order, the number of each one's parent in it, and how
    many nodes there are from each down."""
    levels = [np.zeros(1, dtype=np.int64)]
    while True:
        splits = levels[-1][flat.kind[levels[-1]] != LEAF]
        if not len(splits):
            break
        levels[-1] = splits
        levels.append(np.concatenate([flat.first_child[splits], flat.first_child[splits] + 1]))
    sizes, number, parents = (np.empty(len(flat.kind), dtype=np.int64) for _ in range(3))
    sizes[:] = 1
    for splits in reversed(levels[:-1]):
        sizes[splits] += sizes[flat.first_child[splits]] + sizes[flat.first_child[splits] + 1]
    number[0], parents[0] = 0, -1
    for splits in levels[:-1]:
        first = flat.first_child[splits]
        number[first] = number[splits] + 1
        number[first + 1] = number[first] + sizes[first]
        parents[first] = parents[first + 1] = number[splits]
    order = np.empty_like(number)
    order[number] = np.arange(len(number))
    return order, parents[order], sizes[order]


def own_costs(counts: Any, weighing: Weighing) -> tuple[Any, Any]:
    """Return, for each row of class counts, the position of its label, and what that costs: as `own_cost`."""
    if weighing.costs or any(factor != 1 for factor in weighing.factors):
        rows = list(map(tuple, counts.tolist()))
        by_counts = leaves_by_counts(rows, weighing)
        leaves = [by_counts[row] for row in rows]
        return _positions(leaves, weighing), np.array([own_cost(leaf, weighing) for leaf in leaves], dtype=np.float64)
    n = counts.sum(axis=1)  # whole numbers, all of these: nothing is rounded
    labels = (counts >= (counts.max(axis=1) - TOLERANCE * n)[:, None]).argmax(axis=1)
    return labels, n - counts[np.arange(len(counts)), labels]
