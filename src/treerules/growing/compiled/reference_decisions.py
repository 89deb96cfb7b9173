"""The nodes that the reference decides: among the features that may win, or in all that it rounds."""

import numpy as np
from attrs import evolve

from treerules.growing.array_tree import ABSENT, CUT, MISSING_TEST, MULTIWAY, SUBSETS
from treerules.growing.compiled import candidates
from treerules.growing.compiled.candidates import ERROR, FEATURE, TOLERANCE
from treerules.growing.compiled.growth import Growth
from treerules.growing.compiled.loop_state import DEPTH, NODE, START, STOP
from treerules.growing.compiled.node_loop import divide_node
from treerules.growing.compiled.node_search import IS_OPEN, N_WAITING
from treerules.growing.compiled.winning_candidate import has_exact_statistics, winning_candidate
from treerules.growing.encoding import Block, EncodedProblem
from treerules.growing.reference.decide import PendingNode, SplitDecision
from treerules.growing.reference.leaves import UNBOUNDED
from treerules.growing.reference.row_partition import child_bounds, child_of_rows
from treerules.growing.reference.split_tests import missing_child_of


def divide_by(growth: Growth, decision: SplitDecision) -> None:
    """Split the node on top of the stack by the reference's decision, or leave it as a leaf."""
    loop, search, nodes = growth.loop, growth.search, growth.nodes
    top = int(loop.counters[N_WAITING]) - 1
    node, start, stop, depth = (int(loop.stack[top, column]) for column in (NODE, START, STOP, DEPTH))
    best, test = decision.candidate, decision.test
    if best is None or test is None:
        loop.counters[N_WAITING] = top
        return
    rows = loop.rows[start:stop]
    context, missing_child = growth.reference(), missing_child_of(best, test)
    data = context.data
    record, is_multiway = search.kept[0], not growth.recipe.is_binary and not best.is_cut and not best.is_missing_test
    child_of = loop.child_of_many if is_multiway else loop.child_of_row
    # categories that no row of the node has get their children when the tree is converted to nodes
    number = np.cumsum([size > 0 for size in best.sizes]) - 1
    children = child_of_rows(data, rows, best, test, missing_child)
    child_of[rows] = number[children] if is_multiway else children
    record[:] = 0.0
    record[FEATURE] = best.feature
    record[candidates.LARGEST_CHILD] = number[best.largest_child] if is_multiway else best.largest_child
    record[candidates.MISSING_CHILD] = number[missing_child] if is_multiway else missing_child
    record[candidates.KIND] = (
        MISSING_TEST if best.is_missing_test else CUT if best.is_cut else MULTIWAY if is_multiway else SUBSETS
    )
    if best.is_cut and not best.is_missing_test:
        codes = data.codes[best.feature, rows]
        at = [int(np.argmax(codes == side[0])) for side in best.sides]
        is_list = loop.storage[best.feature] >= 0
        record[candidates.LOW], record[candidates.HIGH] = rows[at] if is_list else codes[at]
    elif not best.is_missing_test:
        sides = search.sides[0]
        sides[:] = 0 if is_multiway else ABSENT
        for side, group in enumerate(best.sides):
            sides[list(group)] = number[side] + 1 if is_multiway and best.sizes[side] else side * (not is_multiway)
    n_children = int(number[-1]) + 1 if is_multiway else 2
    divide_node(
        growth.scoring,
        growth.stopping,
        growth.columns.lists,
        growth.columns.codes,
        growth.tables,
        search,
        nodes,
        loop,
        n_children,
    )
    if growth.scoring.has_directions:
        first = int(nodes.first_child[node])
        pending = PendingNode(rows, None, None, depth, None, tuple(nodes.bounds[node].tolist()))
        nodes.bounds[first : first + n_children] = child_bounds(context, pending, decision, n_children)


def decision_at(growth: Growth, position: int, winner: int) -> SplitDecision:
    """Return the reference's decision at a node on the stack that was just searched.

    Args:
        growth: The growth of the tree.
        position: The position of the node on the stack.
        winner: The index of the kept candidate that wins: only its feature is searched; IS_OPEN: those that may win.
    """
    loop = growth.loop
    node, start, stop, depth = (int(loop.stack[position, column]) for column in (NODE, START, STOP, DEPTH))
    rows, whole = loop.rows[start:stop].copy(), growth.reference()
    weights = None if whole.data.weights is None else whole.data.weights[rows]
    bounds = tuple(growth.nodes.bounds[node].tolist()) if growth.scoring.has_directions else UNBOUNDED
    if winner != IS_OPEN and has_exact_statistics(growth):
        no_order = np.empty((0, len(rows)), dtype=np.int32)
        winning = winning_candidate(growth, whole.data, rows, winner)
        return whole.decide(PendingNode(rows, no_order, weights, depth, None, bounds), [winning])
    features = _open_features(growth) if winner == IS_OPEN else (int(growth.search.kept[winner, FEATURE]),)
    context = growth.contexts.get(features)
    if context is None:
        context = growth.contexts[features] = (
            whole
            if len(features) == len(growth.problem.columns)
            else evolve(whole, data=_with_features(whole.data, features))
        )
    data = context.data
    order = np.empty((len(data.sorted_features), len(rows)), dtype=np.int32)
    for line, feature in enumerate(data.sorted_features.tolist()):
        order[line] = rows[np.argsort(data.codes[feature, rows], kind="stable")]
    return context.decide(PendingNode(rows, order, weights, depth, None, bounds))


def _open_features(growth: Growth) -> tuple[int, ...]:
    """Return the features whose score may be within the tolerance of the best, where no candidate wins clearly."""
    state, best_of = growth.search.state, growth.search.best_of
    best = best_of[np.isfinite(best_of)].max(initial=0.0)  # infinite: only the reference can search it
    near = best_of >= best - 2 * state[TOLERANCE] - 8 * state[ERROR]
    if growth.scoring.has_divisor or not near.any():  # features compete by another score, or none was searched
        near[:] = True
    return tuple(np.flatnonzero(near).tolist())


def _with_features(data: EncodedProblem, features: tuple[int, ...]) -> EncodedProblem:
    """Return a problem of which only some features are searched."""
    lines = [line for line, feature in enumerate(data.sorted_features.tolist()) if feature in features]
    counted = [feature for feature in features if feature not in data.sorted_features]
    blocks = [
        Block(
            np.array([feature]),
            int(data.n_codes[feature]) + 1,
            data.codes[feature : feature + 1],
            data.n_codes[feature : feature + 1],
            np.array([data.is_cut[feature]]),
        )
        for feature in counted
    ]
    return evolve(
        data,
        sorted_features=data.sorted_features[lines],
        presorted=data.presorted[lines],
        sorted_codes=data.sorted_codes[lines],
        offsets=(np.arange(len(lines)) * len(data.target))[:, None],
        blocks=tuple(blocks),
    )
