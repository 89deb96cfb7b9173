"""Subtree raising (Quinlan 1993, chapter 4): a split may give way to its largest branch, all rows sent down anew."""

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.data.table import Table
from treerules.errors import DataError, OptionError
from treerules.growing.problem import Problem
from treerules.growing.problem_from_tree import problem_from_tree
from treerules.pruning.collapse import collapse_useless_splits
from treerules.pruning.common import with_root
from treerules.pruning.leaf_errors import SLACK, check_pessimistic, estimated_errors, prune_without_rows
from treerules.trees.nodes import Leaf, Node, Split, as_leaf
from treerules.trees.routing import sides_of
from treerules.trees.tree import Tree
from treerules.trees.walkers import fold, unfold, unfold_revising


def prune_with_rows(tree: Tree, problem: Problem, *, confidence: float, limit: str = "quinlan") -> Tree:
    """Return a tree just grown from a problem as C4.5 prunes it: useless splits collapsed, then pessimistically.

    Where features are monotone no subtree is raised, since its predictions keep bounds that hold in its place only.
    """
    tree = collapse_useless_splits(tree)
    if tree.recipe is not None and tree.recipe.monotone:
        check_pessimistic(tree, confidence, limit)
        return prune_without_rows(tree, confidence, limit)
    return _raised(tree, problem, confidence, limit)


def raise_subtrees(tree: Tree, table: Table, *, confidence: float, limit: str, weight: Any = None) -> Tree:
    """Return the tree pruned pessimistically with subtree raising, by the table that it was learned from.

    Raises:
        OptionError: the tree has monotone features, whose bounds hold only where a subtree grew.
        ColumnError, DataError: the table lacks a column of the tree's, or has no rows for it; or nobody learned it.
    """
    if tree.recipe is None:
        raise DataError("the tree does not say how it was learned", "leave the table out, or learn a tree from it")
    if tree.recipe is not None and tree.recipe.monotone:
        raise OptionError("table", "given", "None for a tree with monotone features, whose subtrees cannot be raised")
    return _raised(tree, problem_from_tree(tree, table, weight), confidence, limit)


@frozen(eq=False)
class NodeRows:
    """The rows of a problem that reach a node, and their weights there."""

    numbers: Any
    weights: Any


@frozen(eq=False)
class _Seed:
    """A subtree to be pruned, the rows that reach it, and the leaf of the node above, which an empty node copies."""

    node: Node
    rows: NodeRows
    parent: Leaf | None


def _raised(tree: Tree, problem: Problem, confidence: float, limit: str) -> Tree:
    errors = estimated_errors(tree, confidence, limit)
    policy = "larger" if tree.recipe is None else tree.recipe.missing
    kept: dict[int, tuple[Node, float]] = {}  # nodes that are settled, by identity, and their estimated errors

    def of_leaf(leaf: Leaf) -> float:
        return errors(leaf) if leaf.n else 0.0

    def keep(node: Node, estimated: float) -> Node:
        kept[id(node)] = node, estimated
        return node

    def step(seed: _Seed) -> Leaf | tuple[Callable[[tuple[Node, ...]], Any], list[_Seed]]:
        leaf = _leaf(problem, seed)
        if not isinstance(seed.node, Split):
            keep(leaf, of_leaf(leaf))
            return leaf
        split, parts = _sent(problem, seed.node, seed.rows, policy)

        def join(children: tuple[Node, ...]) -> Any:
            whole = evolve(split, children=children, as_leaf=leaf)
            largest = _largest_branch(parts)
            branch = _recounted(problem, children[largest], seed.rows, seed.parent, policy)
            as_leaf, as_tree = of_leaf(leaf), sum(kept.pop(id(child))[1] for child in children)
            as_branch = fold(branch, leaf=of_leaf, split=lambda _, below: sum(below))
            if as_leaf <= as_tree + SLACK and as_leaf <= as_branch + SLACK:
                return keep(leaf, as_leaf)
            if as_branch <= as_tree + SLACK:
                return (_Seed(branch, seed.rows, seed.parent),)
            return keep(whole, as_tree)

        below = zip(seed.node.children, parts, strict=True)
        return join, [_Seed(child, rows, leaf) for child, rows in below]

    n = len(problem.target)
    start = NodeRows(np.arange(n), np.ones(n) if problem.weights is None else problem.weights)
    return with_root(tree, unfold_revising(_Seed(tree.root, start, None), step))


def _largest_branch(parts: list[NodeRows]) -> int:
    """Return the child of greatest weight, missing rows included, the first on ties."""
    sizes = [float(rows.weights.sum()) for rows in parts]
    return next(child for child, size in enumerate(sizes) if size >= max(sizes) - 1e-9)


def _recounted(problem: Problem, node: Node, rows: NodeRows, parent: Leaf | None, policy: str) -> Node:
    """Return a subtree with the figures of the rows that are sent down it."""

    def step(seed: _Seed) -> Leaf | tuple[Callable[[tuple[Node, ...]], Node], list[_Seed]]:
        leaf = _leaf(problem, seed)
        if not isinstance(seed.node, Split):
            return leaf
        split, parts = _sent(problem, seed.node, seed.rows, policy)
        below = zip(seed.node.children, parts, strict=True)
        return lambda children: evolve(split, children=children, as_leaf=leaf), [
            _Seed(child, part, leaf) for child, part in below
        ]

    return unfold(_Seed(node, rows, parent), step)


def _leaf(problem: Problem, seed: _Seed) -> Leaf:
    rows = seed.rows
    assert problem.weighing is not None
    counts = np.bincount(problem.target[rows.numbers], weights=rows.weights, minlength=len(problem.schema.classes))
    figures = [int(count) if count == int(count) else count for count in counts.tolist()]
    if not any(figures):
        return Leaf((seed.parent or as_leaf(seed.node)).prediction, figures)
    return Leaf(problem.weighing.label(figures), figures)


def _sent(problem: Problem, split: Split, rows: NodeRows, policy: str) -> tuple[Split, list[NodeRows]]:
    """Return where a split sends rows, and the split with missing and unseen values sent to its largest child."""
    column = problem.columns[split.test.feature]
    part = evolve(column, data=column.data[rows.numbers], missing=column.missing[rows.numbers])
    own = split.missing if len(split.children) > split.test.arity else -1
    sides = sides_of(split.test, part, missing=-1, unseen=split.unseen)
    known_weights = np.bincount(sides[sides >= 0], weights=rows.weights[sides >= 0], minlength=split.test.arity)
    largest = int(np.argmax(known_weights >= known_weights.max() - 1e-12 * known_weights.sum()))
    missing = own if own >= 0 else split.missing if policy == "learned" else largest
    aimed = evolve(split, missing=missing, unseen=None if split.unseen is None else largest)
    if policy != "fraction":
        sides[sides < 0] = missing
        return aimed, [_part(rows, sides == child) for child in range(len(split.children))]
    total = float(known_weights.sum())
    shares = known_weights / total if total > 0 else np.full(len(known_weights), 1 / len(known_weights))
    parts = []
    for child, share in enumerate(shares.tolist()):
        taken = (sides == child) | ((sides < 0) & (share > 0))
        weights = rows.weights[taken] * np.where(sides[taken] < 0, share, 1.0)
        parts.append(NodeRows(rows.numbers[taken], weights))
    return aimed, parts


def _part(rows: NodeRows, taken: Any) -> NodeRows:
    return NodeRows(rows.numbers[taken], rows.weights[taken])
