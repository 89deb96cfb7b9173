"""Subtree raising (Quinlan 1993, chapter 4): a split may be replaced by its largest branch.

Of equally large branches it is the last, as in C4.5 release 8 (prune.c, `Factor >= MaxFactor`) and in Weka's J48.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.data.sample_weights import integer_if_whole
from treerules.data.table import Table
from treerules.errors import DataError, OptionError
from treerules.growing.problem import Problem
from treerules.growing.problem_from_tree import problem_from_tree
from treerules.pruning.collapse import collapse_by_rows
from treerules.pruning.common import with_root
from treerules.pruning.leaf_errors import SLACK, check_pessimistic, estimated_errors, prune_without_rows
from treerules.trees.nodes import Leaf, Node, Split, as_leaf
from treerules.trees.routing import sides_of
from treerules.trees.tree import Tree
from treerules.trees.walkers import fold, unfold, unfold_revising


def prune_with_rows(tree: Tree, problem: Problem, *, confidence: float, limit: str = "quinlan") -> Tree:
    """Return a tree just grown from a problem as C4.5 prunes it: useless splits collapsed, then pessimistically.

    With monotone features no subtree is raised, since the bounds of its predictions hold only where it was grown.
    """
    tree = collapse_by_rows(tree, problem.rows_per_weight)
    if tree.recipe is not None and tree.recipe.monotone:
        check_pessimistic(tree, confidence, limit)
        return prune_without_rows(tree, confidence, limit, problem.rows_per_weight)
    return _prune_and_raise(tree, problem, confidence, limit)


def raise_subtrees(tree: Tree, table: Table, *, confidence: float, limit: str, weight: Any = None) -> Tree:
    """Return the tree pruned pessimistically with subtree raising; `table` is the one that it was learned from.

    Raises:
        OptionError: the tree has monotone features, whose bounds hold only where a subtree grew.
        ColumnError, DataError: the table lacks a column of the tree or has no rows, or the tree was not learned.
    """
    if tree.recipe is None:
        raise DataError("the tree has no recipe", "leave the table out, or learn a tree from it")
    if tree.recipe is not None and tree.recipe.monotone:
        raise OptionError("table", "given", "None for a tree with monotone features, whose subtrees cannot be raised")
    return _prune_and_raise(tree, problem_from_tree(tree, table, weight), confidence, limit)


@frozen(eq=False)
class NodeRows:
    """The rows of a problem that reach a node, and their weights there."""

    numbers: Any
    weights: Any


@frozen(eq=False)
class _Seed:
    """A subtree to be pruned, the rows that reach it, and its parent as a leaf, which a node without rows copies."""

    node: Node
    rows: NodeRows
    parent: Leaf | None


def _prune_and_raise(tree: Tree, problem: Problem, confidence: float, limit: str) -> Tree:
    errors = estimated_errors(tree, confidence, limit, problem.rows_per_weight)
    policy = "larger" if tree.recipe is None else tree.recipe.missing
    settled: dict[int, tuple[Node, float]] = {}  # pruned nodes by identity, and their estimated errors

    def of_leaf(leaf: Leaf) -> float:
        return errors(leaf) if leaf.n else 0.0

    def keep(node: Node, estimated: float) -> Node:
        settled[id(node)] = node, estimated
        return node

    def step(seed: _Seed) -> Leaf | tuple[Callable[[tuple[Node, ...]], Any], list[_Seed]]:
        leaf = _leaf(problem, seed)
        if not isinstance(seed.node, Split):
            keep(leaf, of_leaf(leaf))
            return leaf
        split, rows_of_children = _route_rows(problem, seed.node, seed.rows, policy)

        def join(children: tuple[Node, ...]) -> Any:
            subtree = evolve(split, children=children, as_leaf=leaf)
            largest = _largest_branch(rows_of_children)
            branch = _recount(problem, children[largest], seed.rows, seed.parent, policy)
            as_leaf, as_tree = of_leaf(leaf), sum(settled.pop(id(child))[1] for child in children)
            as_branch = fold(branch, leaf=of_leaf, split=lambda _, below: sum(below))
            if as_leaf <= as_tree + SLACK and as_leaf <= as_branch + SLACK:
                return keep(leaf, as_leaf)
            if as_branch <= as_tree + SLACK:
                return (_Seed(branch, seed.rows, seed.parent),)
            return keep(subtree, as_tree)

        below = zip(seed.node.children, rows_of_children, strict=True)
        return join, [_Seed(child, rows, leaf) for child, rows in below]

    n = len(problem.target)
    start = NodeRows(np.arange(n), np.ones(n) if problem.weights is None else problem.weights)
    return with_root(tree, unfold_revising(_Seed(tree.root, start, None), step))


def _largest_branch(rows_of_children: list[NodeRows]) -> int:
    """Return the child of greatest weight, missing rows included; of equal ones the last, as release 8 and J48 do."""
    sizes = [float(rows.weights.sum()) for rows in rows_of_children]
    return max(child for child, size in enumerate(sizes) if size >= max(sizes) * (1 - 1e-12))


def _recount(problem: Problem, node: Node, rows: NodeRows, parent: Leaf | None, policy: str) -> Node:
    """Return a subtree with figures recomputed from the rows that reach it."""

    def step(seed: _Seed) -> Leaf | tuple[Callable[[tuple[Node, ...]], Node], list[_Seed]]:
        leaf = _leaf(problem, seed)
        if not isinstance(seed.node, Split):
            return leaf
        split, rows_of_children = _route_rows(problem, seed.node, seed.rows, policy)
        below = zip(seed.node.children, rows_of_children, strict=True)
        return lambda children: evolve(split, children=children, as_leaf=leaf), [
            _Seed(child, child_rows, leaf) for child, child_rows in below
        ]

    return unfold(_Seed(node, rows, parent), step)


def _leaf(problem: Problem, seed: _Seed) -> Leaf:
    rows = seed.rows
    assert problem.weighing is not None
    counts = np.bincount(problem.target[rows.numbers], weights=rows.weights, minlength=len(problem.schema.classes))
    figures = [integer_if_whole(count) for count in counts.tolist()]
    if not any(figures):
        return Leaf((seed.parent or as_leaf(seed.node)).prediction, figures)
    return Leaf(problem.weighing.label(figures), figures)


def _route_rows(problem: Problem, split: Split, rows: NodeRows, policy: str) -> tuple[Split, list[NodeRows]]:
    """Return the split with missing and unseen values sent to its largest child, and the rows of each child."""
    column = problem.columns[split.test.feature]
    column_part = evolve(column, data=column.data[rows.numbers], missing=column.missing[rows.numbers])
    missing_child = split.missing if len(split.children) > split.test.arity else -1
    sides = sides_of(split.test, column_part, missing=-1, unseen=split.unseen)
    known_weights = np.bincount(sides[sides >= 0], weights=rows.weights[sides >= 0], minlength=split.test.arity)
    largest = int(np.argmax(known_weights >= known_weights.max() - 1e-12 * known_weights.sum()))
    missing = missing_child if missing_child >= 0 else split.missing if policy == "learned" else largest
    aimed = evolve(split, missing=missing, unseen=None if split.unseen is None else largest)
    if policy != "fraction":
        sides[sides < 0] = missing
        return aimed, [_select_rows(rows, sides == child) for child in range(len(split.children))]
    total = float(known_weights.sum())
    shares = known_weights / total if total > 0 else np.full(len(known_weights), 1 / len(known_weights))
    rows_of_children = []
    for child, share in enumerate(shares.tolist()):
        is_sent = (sides == child) | ((sides < 0) & (share > 0))
        weights = rows.weights[is_sent] * np.where(sides[is_sent] < 0, share, 1.0)
        rows_of_children.append(NodeRows(rows.numbers[is_sent], weights))
    return aimed, rows_of_children


def _select_rows(rows: NodeRows, is_selected: Any) -> NodeRows:
    return NodeRows(rows.numbers[is_selected], rows.weights[is_selected])
