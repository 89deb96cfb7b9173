"""The `trees.routing` table of an array tree, computed without its nodes."""

from typing import Any

import numpy as np

from treerules.data.schema import Kind, ordinate
from treerules.growing.array_tree import CUT, LEAF, SUBSETS, ArrayTree
from treerules.growing.binary_branches import cut_thresholds
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe
from treerules.trees.routing import INT64_MAX, RoutingTable, to_ordered_bits


def routing_of_array_tree(tree: ArrayTree, order: Any, sizes: Any, problem: Problem, recipe: Recipe) -> RoutingTable:
    """Return the routing table of an array tree, without leaf values; its splits are in preorder.

    `order` holds the numbers of the tree's nodes in preorder, `sizes` the number of nodes of each subtree.
    """
    features = problem.schema.features
    kind, feature = tree.kind[order], tree.feature[order]
    splits = np.flatnonzero(kind != LEAF)
    n_answers = np.array([2 if column.is_ordered else len(column.categories) for column in features], dtype=np.int64)
    widths = np.zeros(len(order), dtype=np.int64)
    widths[splits] = 4 + n_answers[feature[splits]]
    positions = np.cumsum(widths) - widths
    leaves = np.flatnonzero(kind == LEAF)
    codes = positions.copy()
    codes[leaves] = np.arange(len(leaves)) - len(leaves)  # -1 is the last leaf
    tested = np.unique(feature[splits])
    array = np.empty(int(widths.sum()), dtype=np.int64)
    children = np.stack([codes[splits + 1], codes[splits + 1 + sizes[splits + 1]]], axis=1)
    at, lines = positions[splits], np.arange(len(splits))
    array[at], array[at + 1] = np.searchsorted(tested, feature[splits]), INT64_MAX
    array[at + 2] = children[lines, tree.largest_child[order[splits]]]
    array[at + 3] = children[lines, tree.missing_child[order[splits]]]
    for index in tested.tolist():
        own = np.flatnonzero(feature[splits] == index)
        fill = _fill_cuts if features[index].is_ordered else _fill_groups
        fill(array, at[own], children[own], tree, order[splits[own]], problem, recipe)
    is_ordered = np.array([features[index].is_ordered for index in tested.tolist()], dtype=bool)
    is_number = np.array([features[index].kind is Kind.NUMBER for index in tested.tolist()], dtype=bool)
    values = np.empty(len(leaves) + 1, dtype=object)  # there is no rule 0
    return RoutingTable(
        array,
        int(codes[0]),
        tuple(tested.tolist()),
        np.where(is_ordered, 0, -1),
        np.where(is_number, INT64_MAX, 0),
        values,
    )


def _fill_cuts(
    array: Any, at: Any, children: Any, tree: ArrayTree, nodes: Any, problem: Problem, recipe: Recipe
) -> None:
    """Write the thresholds of one feature, and the children."""
    column = problem.columns[int(tree.feature[nodes[0]])]
    feature = column.feature
    cuts = np.full(len(nodes), ordinate(feature.highest), dtype=np.float64 if feature.kind is Kind.NUMBER else np.int64)
    is_cut = tree.kind[nodes] == CUT
    thresholds = cut_thresholds(column, recipe.thresholds, tree.low[nodes[is_cut]], tree.high[nodes[is_cut]])
    cuts[is_cut] = thresholds if feature.kind is Kind.NUMBER else [ordinate(threshold) for threshold in thresholds]
    if feature.kind is Kind.NUMBER:
        cuts = (cuts + 0.0).view(np.int64)  # -0.0 is 0.0
        to_ordered_bits(cuts, INT64_MAX)
    array[at + 1] = cuts
    array[at + 2] = array[at + 3]  # ordered features have no unseen values
    array[at + 4], array[at + 5] = children.T


def _fill_groups(
    array: Any, at: Any, children: Any, tree: ArrayTree, nodes: Any, problem: Problem, recipe: Recipe
) -> None:
    """Write the child of each category of one feature."""
    column = problem.columns[int(tree.feature[nodes[0]])]
    feature = column.feature
    positions, kind = np.arange(len(feature.categories)), tree.kind[nodes]
    sides = np.zeros((len(nodes), len(positions)), dtype=np.int64)  # in a missing test all categories go to child 0
    cuts = np.flatnonzero(kind == CUT)
    if len(cuts):
        last = cut_thresholds(column, recipe.thresholds, tree.low[nodes[cuts]], tree.high[nodes[cuts]])
        sides[cuts] = positions > np.array(last)[:, None]
    for row in np.flatnonzero(kind == SUBSETS).tolist():
        sides[row] = tree.sides[int(tree.low[nodes[row]])]
    sides = np.where(sides == 2, tree.largest_child[nodes][:, None], sides)
    array[at[:, None] + 4 + positions] = children[np.arange(len(nodes))[:, None], sides]
    if not feature.is_open:
        array[at + 2] = children[:, 0]  # no row uses this entry
