"""Growth of a tree with the kernels: columns, work arrays, the nodes that the reference decides, the finished tree."""

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.growing.array_tree import ABSENT, CUT, LEAF, MISSING_TEST, MULTIWAY, SUBSETS, ArrayTree
from treerules.growing.compiled.growth_loop import DEPTH, DONE, FULL, NEEDS_REFERENCE, START, STOP
from treerules.growing.encoding import Block, EncodedProblem
from treerules.growing.general import candidates
from treerules.growing.general.candidates import ERROR, FEATURE, TOLERANCE, Scoring, Search
from treerules.growing.general.code_counts import CodeArrays
from treerules.growing.general.columns import GeneralColumns, general_columns
from treerules.growing.general.node_loop import (
    Nodes,
    count_rows,
    divide_node,
    grow_nodes,
    is_leaf,
)
from treerules.growing.general.node_search import N_NODES, N_WAITING, Loop, Stopping
from treerules.growing.general.workspace import code_arrays_of, loop_of, nodes_of, scoring_of, search_of
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext, PendingNode, SplitDecision
from treerules.growing.reference.row_partition import child_of_rows
from treerules.growing.reference.split_tests import missing_child_of
from treerules.recipes.recipe import Recipe

#: The number of cells that a kernel searches, in about 0.1 s, before it returns for Python to handle signals.
_CELLS = 20_000_000


@frozen(eq=False)
class Growth:
    """The growth of one tree."""

    problem: Problem
    recipe: Recipe
    #: returns the context of the reference, which is built at the first call
    reference: Callable[[], GrowthContext]
    columns: GeneralColumns
    scoring: Scoring
    stopping: Stopping
    arrays: CodeArrays
    search: Search
    nodes: Nodes
    loop: Loop
    #: contexts of the reference with some of the features, by their indices
    contexts: dict[tuple[int, ...], GrowthContext]

    @property
    def kernel_arguments(self) -> tuple[Any, ...]:
        """The arguments of the loop."""
        columns = self.columns
        return (
            self.scoring,
            self.stopping,
            columns.lists,
            columns.codes,
            self.arrays,
            self.search,
            self.nodes,
            self.loop,
        )


def grow_generally(
    problem: Problem, recipe: Recipe, reference: Callable[[], GrowthContext], progress: Any = None
) -> ArrayTree:
    """Return the tree that the kernels grow, as arrays.

    Args:
        problem: The learning problem; `general_refusal` must be None.
        recipe: The recipe.
        reference: Returns the context of the reference.
        progress: Called as progress(rows in leaves, all rows).
    """
    n = len(problem.target)
    growth = _start(problem, recipe, reference)
    while (status := int(grow_nodes(*growth.kernel_arguments, _CELLS))) != DONE:
        if status == NEEDS_REFERENCE:
            _decide_by_reference(growth)
        elif status == FULL:
            growth = _with_larger_pool(growth)
        if progress is not None:
            waiting = growth.loop.stack[: growth.loop.counters[N_WAITING]]
            progress(n - int((waiting[:, STOP] - waiting[:, START]).sum()), n)
    if progress is not None:
        progress(n, n)
    return _array_tree(growth)


def _start(problem: Problem, recipe: Recipe, reference: Callable[[], GrowthContext]) -> Growth:
    """Return the growth of a tree whose root is on the stack, unless it is a leaf."""
    assert problem.weighing is not None
    columns = general_columns(problem, recipe)
    n_classes = len(problem.schema.classes)
    scoring, stopping = scoring_of(problem, recipe)
    n, most = len(problem.target), max([2, *columns.codes.n_codes.tolist()])
    growth = Growth(
        problem,
        recipe,
        reference,
        columns,
        scoring,
        stopping,
        code_arrays_of(most, n_classes),
        search_of(len(problem.columns), most, n_classes),
        nodes_of(n, n_classes),
        loop_of(problem, recipe, columns, most),
        {},
    )
    count_rows(scoring, growth.loop, growth.nodes.statistics[0], 0, n)
    growth.nodes.kind[0], growth.loop.counters[N_NODES] = LEAF, 1
    if not is_leaf(scoring, stopping, growth.loop, growth.nodes.statistics[0], 0, n, 0):
        growth.loop.counters[N_WAITING] = 1
        growth.loop.stack[0] = (0, 0, n, 0)
        growth.loop.varies[0] = 1
    return growth


def _with_larger_pool(growth: Growth) -> Growth:
    """Return a growth with a larger pool of sides."""
    pool = growth.loop.side_pool
    larger = np.zeros(2 * len(pool) + growth.search.sides.shape[1], dtype=pool.dtype)
    larger[: len(pool)] = pool
    return evolve(growth, loop=growth.loop._replace(side_pool=larger))


# ---- the reference


def _decide_by_reference(growth: Growth) -> None:
    """Let the reference decide the node on top of the stack among the features that may win, and split it."""
    loop, search = growth.loop, growth.search
    top = int(loop.counters[N_WAITING]) - 1
    start, stop, depth = (int(loop.stack[top, column]) for column in (START, STOP, DEPTH))
    rows = loop.rows[start:stop].copy()
    decision = _decision(growth, rows, depth)
    best, test = decision.candidate, decision.test
    if best is None or test is None:
        loop.counters[N_WAITING] = top
        return
    data, missing_child = growth.reference().data, missing_child_of(best, test)
    loop.child_of_row[rows] = child_of_rows(data, rows, best, test, missing_child)
    record, is_multiway = search.kept[0], not growth.recipe.is_binary and not best.is_cut and not best.is_missing_test
    record[:] = 0.0
    record[FEATURE], record[candidates.MISSING_CHILD] = best.feature, missing_child
    record[candidates.LARGEST_CHILD] = best.largest_child
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
            sides[list(group)] = side + is_multiway
    n_children = len(best.groups) if is_multiway else 2
    divide_node(
        growth.scoring,
        growth.stopping,
        growth.columns.lists,
        growth.columns.codes,
        search,
        growth.nodes,
        loop,
        n_children,
    )


def _decision(growth: Growth, rows: Any, depth: int) -> SplitDecision:
    """Return the reference's decision at a node: of the features whose gain may be within the tolerance of the best."""
    state, best_of = growth.search.state, growth.search.best_of
    whole = growth.reference()
    best = best_of[np.isfinite(best_of)].max(initial=0.0)  # infinite: only the reference can search it
    near = best_of >= best - 2 * state[TOLERANCE] - 8 * state[ERROR]
    if growth.scoring.has_divisor or not near.any():  # features compete by another score, or none was searched
        near[:] = True
    features = tuple(np.flatnonzero(near).tolist())
    context = growth.contexts.get(features)
    if context is None:
        context = growth.contexts[features] = (
            whole if len(features) == len(best_of) else evolve(whole, data=_with_features(whole.data, features))
        )
    data = context.data
    order = np.empty((len(data.sorted_features), len(rows)), dtype=np.int32)
    for line, feature in enumerate(data.sorted_features.tolist()):
        order[line] = rows[np.argsort(data.codes[feature, rows], kind="stable")]
    weights = None if data.weights is None else data.weights[rows]
    return context.decide(PendingNode(rows, order, weights, depth, None))


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


# ---- the finished tree


def _array_tree(growth: Growth) -> ArrayTree:
    """Return the tree as arrays; the values around cuts are given by rows of the problem."""
    n = int(growth.loop.counters[N_NODES])
    nodes = Nodes(*(values[:n] for values in growth.nodes))
    low, high = nodes.low.copy(), nodes.high.copy()
    feature = np.where(nodes.kind == LEAF, 0, nodes.feature)
    for index, rows_of_codes in enumerate(growth.columns.rows_of_codes):
        if rows_of_codes is not None:
            cuts = np.flatnonzero((nodes.kind == CUT) & (feature == index))
            low[cuts], high[cuts] = rows_of_codes[low[cuts]], rows_of_codes[high[cuts]]
    sides = []
    for index, node in enumerate(np.flatnonzero(nodes.kind == SUBSETS).tolist()):
        start = int(nodes.sides_start[node])
        n_codes = len(growth.problem.columns[int(feature[node])].feature.categories)
        sides.append(growth.loop.side_pool[start : start + n_codes].astype(np.uint8))
        low[node] = index
    has_many = bool((nodes.kind == MULTIWAY).any())
    return ArrayTree(
        kind=nodes.kind,
        feature=feature,
        first_child=nodes.first_child,
        missing_child=nodes.missing_child,
        largest_child=nodes.largest_child,
        statistics=nodes.statistics,
        low=low,
        high=high,
        sides=sides,
        n_children=nodes.n_children if has_many else None,
        category=nodes.category if has_many else None,
    )
