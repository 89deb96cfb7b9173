"""Growth of trees with one child per category, by compiled kernels."""

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.jit import kernel
from treerules.growing.array_tree import LEAF, MULTIWAY, ArrayTree
from treerules.growing.array_tree_nodes import to_nodes
from treerules.growing.compiled.multiway_arrays import (
    NO_FEATURE,
    UNKNOWN,
    MultiwayBuffers,
    MultiwayColumns,
    MultiwayNodes,
    MultiwayParams,
    MultiwayWorkspace,
)
from treerules.growing.compiled.multiway_search import choose_feature, count_present_cells
from treerules.growing.compiled.multiway_workspace import (
    allocate_buffers,
    multiway_columns,
    multiway_params,
)
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext, PendingNode
from treerules.recipes.recipe import Recipe
from treerules.trees.nodes import Node

#: The status of a loop that returns: no node waits; its share of work is done; the reference must decide the node on
#: top of the stack.
DONE, PAUSED, NEEDS_REFERENCE = range(3)
#: Positions in `counters`: the number of nodes on the stack, the number of the next new node, the cells searched.
TOP, NEXT, WORK = range(3)
#: Columns of the stack: the number of a node, its first row, the row after its last, its depth.
NODE, START, STOP, DEPTH = range(4)
#: The cost of a node in cells; the number of cells that a kernel searches before it returns to Python.
_OVERHEAD, _CELLS = 64, 20_000_000


@kernel
def _is_leaf(params: Any, totals: Any, n: int, depth: int) -> bool:
    """Return whether a node is a leaf by its depth, its size or its only class."""
    if depth == params.max_depth or n < params.min_samples_split:
        return True
    n_classes = 0
    for total in totals:
        n_classes += total > 0
    return n_classes < 2


@kernel
def divide_multiway_node(params: Any, columns: Any, buffers: Any, nodes: Any, workspace: Any, feature: int) -> None:
    """Split the node on top of the stack by a feature; children that are not leaves are put in its place."""
    counters, stack, may_vary = workspace.counters, workspace.stack, workspace.may_vary
    position = counters[TOP] - 1
    node = stack[position, NODE]
    start = stack[position, START]
    stop = stack[position, STOP]
    depth = stack[position, DEPTH] + 1
    rows, first = workspace.rows[start:stop], counters[NEXT]
    n_children = _write_children(columns, buffers, nodes, node, first, rows, feature)
    nodes.feature[node], nodes.first_child[node], nodes.end[node] = feature, first, first + n_children
    counters[TOP], counters[NEXT] = position, first + n_children
    begin, has_inner_child = start, False
    for child in range(n_children):
        size = nodes.counts[first + child].sum()
        if not _is_leaf(params, nodes.counts[first + child], size, depth):
            top = counters[TOP]
            stack[top, NODE], stack[top, START], stack[top, STOP] = first + child, begin, begin + size
            stack[top, DEPTH] = depth
            for other in range(len(may_vary[position])):
                may_vary[top, other] = may_vary[position, other]
            counters[TOP] += 1
            has_inner_child = True
        buffers.child_starts[child] = begin - start
        begin += size
    if has_inner_child:
        _partition_rows(columns, buffers, rows, feature)


@kernel
def _write_children(columns: Any, buffers: Any, nodes: Any, node: int, first: int, rows: Any, feature: int) -> int:
    """Write a node's children with consecutive numbers from `first` on, and the largest child; return their number."""
    first_cell = columns.first_cell[feature]
    missing = columns.missing[feature]
    counts = buffers.counts
    counts_of_nodes = nodes.counts
    count_present_cells(columns, buffers, feature, rows, counts_of_nodes[node])
    n_children, largest, largest_size = 0, 0, 0
    for cell in range(first_cell, missing):
        if buffers.sizes[cell] == 0:
            continue
        if buffers.sizes[cell] > largest_size:
            largest, largest_size = n_children, buffers.sizes[cell]
        buffers.sizes[cell], buffers.child_of_cell[cell] = 0, n_children
        child = first + n_children
        nodes.feature[child], nodes.category[child] = NO_FEATURE, cell - first_cell
        for label in range(len(counts)):
            counts_of_nodes[child, label] = counts[label, cell]
            counts[label, cell] = 0
        n_children += 1
    buffers.sizes[missing], buffers.child_of_cell[missing], nodes.largest[node] = 0, largest, largest
    for label in range(len(counts)):
        counts_of_nodes[first + largest, label] += counts[label, missing]
        counts[label, missing] = 0
    return n_children


@kernel
def _partition_rows(columns: Any, buffers: Any, rows: Any, feature: int) -> None:
    """Partition a node's rows by child, in place and stably; `child_starts` says where each child begins."""
    cells = columns.cells
    child_of_cell = buffers.child_of_cell
    child_starts = buffers.child_starts
    spare = buffers.spare
    for index in range(len(rows)):
        row = rows[index]
        child = child_of_cell[cells[row, feature]]
        spare[child_starts[child]] = row
        child_starts[child] += 1
    for index in range(len(rows)):
        rows[index] = spare[index]


@kernel
def grow_multiway(params: Any, columns: Any, buffers: Any, nodes: Any, workspace: Any, limit: int) -> int:
    """Grow until no node waits, `limit` cells were searched, or the reference is needed; return how the loop ended."""
    counters = workspace.counters
    counters[WORK] = 0
    while counters[TOP] > 0:
        if counters[WORK] > limit:
            return PAUSED
        position = counters[TOP] - 1
        rows = workspace.rows[workspace.stack[position, START] : workspace.stack[position, STOP]]
        counters[WORK] += (len(rows) + _OVERHEAD) * len(columns.first_cell)
        feature = choose_feature(
            params, columns, buffers, rows, nodes.counts[workspace.stack[position, NODE]], workspace.may_vary[position]
        )
        if feature == UNKNOWN:
            return NEEDS_REFERENCE
        if feature == NO_FEATURE:
            counters[TOP] = position
        else:
            divide_multiway_node(params, columns, buffers, nodes, workspace, feature)
    return DONE


@frozen(eq=False)
class _Growth:
    """The growth of one tree: the arguments of the kernels."""

    params: MultiwayParams
    columns: MultiwayColumns
    buffers: MultiwayBuffers
    nodes: MultiwayNodes
    workspace: MultiwayWorkspace


def grow_multiway_tree(
    problem: Problem, recipe: Recipe, reference: Callable[[], GrowthContext], progress: Any = None
) -> Node:
    """Return the root of the tree that a recipe grows.

    Args:
        problem: The learning problem; `multiway_refusal` must be None.
        recipe: The recipe.
        reference: Returns the context of the reference, which decides what the kernels cannot.
        progress: Called as progress(rows in leaves, all rows).
    """
    growth, n = _start_growth(problem, recipe), len(problem.target)
    while (status := _run(growth)) != DONE:
        if status == NEEDS_REFERENCE:
            _decide_by_reference(growth, reference())
        if progress is not None:
            waiting = growth.workspace.stack[: growth.workspace.counters[TOP]]
            progress(n - int((waiting[:, STOP] - waiting[:, START]).sum()), n)
    if progress is not None:
        progress(n, n)
    return to_nodes(_array_tree(growth, recipe.quinlan), problem, recipe)


def _array_tree(growth: _Growth, has_child_of_each: bool) -> ArrayTree:
    """Return the tree as arrays."""
    nodes = MultiwayNodes(*(values[: int(growth.workspace.counters[NEXT])] for values in growth.nodes))
    return ArrayTree(
        kind=np.where(nodes.feature >= 0, MULTIWAY, LEAF),
        feature=nodes.feature,
        first_child=nodes.first_child,
        missing_child=nodes.largest,
        largest_child=nodes.largest,
        statistics=nodes.counts,
        n_children=nodes.end - nodes.first_child,
        category=nodes.category,
        has_child_of_each=has_child_of_each,
    )


def _run(growth: _Growth) -> int:
    """Let the kernel grow; return how its loop ended."""
    return int(grow_multiway(growth.params, growth.columns, growth.buffers, growth.nodes, growth.workspace, _CELLS))


def _decide_by_reference(growth: _Growth, context: GrowthContext) -> None:
    """Let the reference decide the node on top of the stack."""
    workspace = growth.workspace
    _, start, stop, depth = workspace.stack[workspace.counters[TOP] - 1].tolist()
    rows = workspace.rows[start:stop].copy()
    no_order = np.empty((0, len(rows)), dtype=np.int32)
    candidate = context.decide(PendingNode(rows, no_order, None, depth, None)).candidate
    if candidate is None:
        workspace.counters[TOP] -= 1
    else:
        divide_multiway_node(growth.params, growth.columns, growth.buffers, growth.nodes, workspace, candidate.feature)


def _start_growth(problem: Problem, recipe: Recipe) -> _Growth:
    """Return the growth of a tree whose root is on the stack, unless it is a leaf."""
    n, n_classes = len(problem.target), len(problem.schema.classes)
    columns = multiway_columns(problem, recipe)
    buffers = allocate_buffers(columns, n, n_classes)
    nodes = MultiwayNodes(
        feature=np.empty(2 * n, dtype=np.int32),
        first_child=np.empty(2 * n, dtype=np.int32),
        end=np.empty(2 * n, dtype=np.int32),
        largest=np.empty(2 * n, dtype=np.int32),
        category=np.empty(2 * n, dtype=np.uint16),
        counts=np.empty((2 * n, n_classes), dtype=np.int32),
    )
    waiting = n // 2 + 2  # they have two rows each, at least
    workspace = MultiwayWorkspace(
        counters=np.zeros(3, dtype=np.int64),
        stack=np.empty((waiting, 4), dtype=np.int64),
        may_vary=np.empty((waiting, len(columns.first_cell)), dtype=np.uint8),
        rows=np.arange(n, dtype=np.int32),
    )
    growth = _Growth(multiway_params(problem, recipe), columns, buffers, nodes, workspace)
    nodes.feature[0], nodes.counts[0] = NO_FEATURE, np.bincount(problem.target, minlength=n_classes)
    workspace.counters[NEXT] = 1
    is_pure = np.count_nonzero(nodes.counts[0]) < 2
    if not (is_pure or recipe.max_depth == 0 or n < recipe.least_to_split):
        workspace.counters[TOP] = 1
        workspace.stack[0], workspace.may_vary[0] = (0, 0, n, 0), 1
    return growth
