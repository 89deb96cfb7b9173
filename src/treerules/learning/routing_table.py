"""The tape of a flat tree (see `routing`), made without its nodes."""

from typing import Any

import numpy as np

from treerules.data.schema import Feature, Kind, ordinate
from treerules.growing.array_tree import CUT, LEAF, SUBSETS, ArrayTree
from treerules.growing.binary_branches import thresholds_between
from treerules.growing.problem import Problem
from treerules.trees.routing import TOP, Tape, turn


def tape_of_flat(flat: ArrayTree, order: Any, sizes: Any, problem: Problem) -> Tape:
    """Return the tape of a flat tree, without values; `order` are its nodes in preorder, `sizes` how many nodes there
    are from each of them down. Splits lie on it in preorder."""
    features = problem.schema.features
    kind, feature = flat.kind[order], flat.feature[order]
    splits = np.flatnonzero(kind != LEAF)
    n_answers = np.array([2 if each.is_ordered else len(each.categories) for each in features], dtype=np.int64)
    widths = np.zeros(len(order), dtype=np.int64)
    widths[splits] = 4 + n_answers[feature[splits]]
    places = np.cumsum(widths) - widths
    leaves = np.flatnonzero(kind == LEAF)
    codes = places.copy()
    codes[leaves] = np.arange(len(leaves)) - len(leaves)  # -1 is the last
    asked = np.unique(feature[splits])
    array = np.empty(int(widths.sum()), dtype=np.int64)
    children = np.stack([codes[splits + 1], codes[splits + 1 + sizes[splits + 1]]], axis=1)
    at, lines = places[splits], np.arange(len(splits))
    array[at], array[at + 1] = np.searchsorted(asked, feature[splits]), TOP
    array[at + 2] = children[lines, flat.largest_child[order[splits]]]
    array[at + 3] = children[lines, flat.missing_child[order[splits]]]
    for index in asked.tolist():
        own = np.flatnonzero(feature[splits] == index)
        fill = _fill_cuts if features[index].is_ordered else _fill_groups
        fill(array, at[own], children[own], flat, order[splits[own]], problem)
    is_ordered = np.array([features[index].is_ordered for index in asked.tolist()], dtype=bool)
    is_number = np.array([features[index].kind is Kind.NUMBER for index in asked.tolist()], dtype=bool)
    values = np.empty(len(leaves) + 1, dtype=object)  # there is no rule 0
    return Tape(
        array,
        int(codes[0]),
        tuple(asked.tolist()),
        np.where(is_ordered, 0, -1),
        np.where(is_number, TOP, 0),
        values,
    )


def _fill_cuts(array: Any, at: Any, children: Any, flat: ArrayTree, nodes: Any, problem: Problem) -> None:
    """Write the thresholds of one feature, and their answers."""
    feature, data = _of(flat, nodes, problem)
    cuts = np.full(len(nodes), ordinate(feature.highest), dtype=np.float64 if feature.kind is Kind.NUMBER else np.int64)
    is_cut = flat.kind[nodes] == CUT
    found = thresholds_between(feature, data[flat.low[nodes[is_cut]]], data[flat.high[nodes[is_cut]]])
    cuts[is_cut] = found if feature.kind is Kind.NUMBER else [ordinate(each) for each in found]
    if feature.kind is Kind.NUMBER:
        cuts = (cuts + 0.0).view(np.int64)  # -0.0 is 0.0
        turn(cuts, TOP)
    array[at + 1] = cuts
    array[at + 2] = array[at + 3]  # no value is unseen
    array[at + 4], array[at + 5] = children.T


def _fill_groups(array: Any, at: Any, children: Any, flat: ArrayTree, nodes: Any, problem: Problem) -> None:
    """Write the answers of the groups of one feature: the child of each category."""
    feature, data = _of(flat, nodes, problem)
    positions, kind = np.arange(len(feature.categories)), flat.kind[nodes]
    sides = np.zeros((len(nodes), len(positions)), dtype=np.int64)  # those apart have all categories in the first child
    cuts = np.flatnonzero(kind == CUT)
    if len(cuts):
        last = thresholds_between(feature, data[flat.low[nodes[cuts]]], data[flat.high[nodes[cuts]]])
        sides[cuts] = positions > np.array(last)[:, None]
    for place in np.flatnonzero(kind == SUBSETS).tolist():
        sides[place] = flat.sides[int(flat.low[nodes[place]])]
    sides = np.where(sides == 2, flat.largest_child[nodes][:, None], sides)
    array[at[:, None] + 4 + positions] = children[np.arange(len(nodes))[:, None], sides]
    if not feature.is_open:
        array[at + 2] = children[:, 0]  # which no row asks for


def _of(flat: ArrayTree, nodes: Any, problem: Problem) -> tuple[Feature, Any]:
    index = int(flat.feature[nodes[0]])
    return problem.schema.features[index], problem.columns[index].data
