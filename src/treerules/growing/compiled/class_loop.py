"""The growth loop of a classification: search a node, split it, go on with its smaller child.

Lists and rows are partitioned in place. Each node on the stack keeps the class counts of its coded columns, and which
features still vary in it.
"""

from typing import Any, NamedTuple

from treerules._internal.jit import kernel
from treerules.growing.array_tree import MISSING_TEST, SUBSETS
from treerules.growing.compiled.best_split import (
    FEATURE,
    KIND,
    LOW,
    MISSING_CHILD,
    N_FIRST,
    NONE,
    SUMS,
    UNCERTAIN,
    copy_into,
    separates_classes,
)
from treerules.growing.compiled.class_numeric import scan_class_list
from treerules.growing.compiled.class_stopping import is_class_leaf, reaches_bounds
from treerules.growing.compiled.growth_loop import (
    CELLS_DONE,
    DEPTH,
    DONE,
    FULL,
    LARGER,
    N_SIDE_BYTES,
    N_WAITING,
    NEEDS_REFERENCE,
    NODE,
    NODE_CELLS,
    PAUSED,
    START,
    STOP,
    LoopKernels,
    push_node,
    record_split,
)
from treerules.growing.compiled.histograms import count_bits, count_codes
from treerules.growing.compiled.search import search_large_node, search_small_node
from treerules.growing.compiled.stable_partition import (
    mark_by_bit,
    mark_by_codes,
    mark_by_list,
    partition_list,
    partition_row_list,
)


class ClassWorkspace(NamedTuple):
    """The stack of nodes, and work arrays."""

    #: see `growth_loop`
    counters: Any
    stack: Any
    #: by position on the stack: class counts of the coded columns, class counts of the bits, whether a feature may vary
    code_counts: Any
    bit_counts: Any
    may_vary: Any
    #: the record of the best split, and two records of candidates
    best: Any
    candidates: Any
    #: the sides of the categories of all splits, a byte each
    side_pool: Any


@kernel
def search_class_node(
    scoring: Any, stopping: Any, lists: Any, columns: Any, counts: Any, nodes: Any, workspace: Any, position: int
) -> bool:
    """Find the best split of the node at a position of the stack; False where the reference must search it."""
    stack, best, candidates = workspace.stack, workspace.best, workspace.candidates
    start, stop, totals = stack[position, START], stack[position, STOP], nodes.statistics[stack[position, NODE]]
    best[:] = 0.0
    is_perfect = False
    for line in range(len(lists.features)):
        feature = lists.features[line]
        is_later = is_perfect and scoring.tie_order[feature] > scoring.tie_order[int(best[FEATURE])]
        if workspace.may_vary[position, line] and not is_later:
            base = line * lists.stride + start
            if scan_class_list(best, candidates, scoring, lists.entries, base, stop - start, totals, counts, feature):
                workspace.may_vary[position, line] = 0
            elif best[FEATURE] == feature:
                is_perfect = separates_classes(best, scoring.n_classes, stop - start)
    if len(lists.rows) == 0:
        return True
    may_vary = workspace.may_vary[position, len(lists.features) :]
    if stop - start >= stopping.least_kept:
        n = float(stop - start)
        code_counts = workspace.code_counts[position]
        bit_counts = workspace.bit_counts[position]
        return search_large_node(
            best, candidates, scoring, columns, counts, code_counts, bit_counts, n, totals, may_vary
        )
    bound = scoring.tie_order[int(best[FEATURE])] if is_perfect else len(scoring.tie_order)
    rows = lists.rows[start:stop]
    return search_small_node(best, candidates, scoring, columns, counts, rows, lists.classes, totals, may_vary, bound)


@kernel
def mark_class_split(lists: Any, columns: Any, counts: Any, best: Any, start: int, stop: int, mask: int) -> int:
    """Mark the child of each row of a node by its best split; return the size of the first child."""
    feature, kind, missing_child = int(best[FEATURE]), int(best[KIND]), int(best[MISSING_CHILD])
    child_of_row = lists.child_of_row
    for line in range(len(lists.features)):
        if lists.features[line] == feature:
            base, n_first = line * lists.stride + start, int(best[N_FIRST])
            return mark_by_list(lists.entries, base, stop - start, n_first, missing_child, child_of_row, mask)
    rows = lists.rows[start:stop]
    for bit in range(len(columns.bit_features)):
        if columns.bit_features[bit] == feature:
            return mark_by_bit(columns, bit, rows, child_of_row)
    column = 0
    while columns.features[column] != feature:
        column += 1
    child_of_code = counts.sides
    for code in range(columns.n_codes[column]):
        if kind == SUBSETS:
            child_of_code[code] = counts.best_sides[code]
        else:
            child_of_code[code] = 0 if kind == MISSING_TEST or code <= int(best[LOW]) else 1
    return mark_by_codes(columns, column, rows, child_of_code, missing_child, child_of_row)


@kernel
def mark_class_node(
    scoring: Any, stopping: Any, lists: Any, columns: Any, counts: Any, nodes: Any, workspace: Any, position: int
) -> int:
    """Mark the child of each row of the node at a position of the stack, after a search.

    Returns the size of the first child, 0 where the node is a leaf, -1 where the reference must decide.
    """
    stack, best = workspace.stack, workspace.best
    node, start, stop = stack[position, NODE], stack[position, START], stack[position, STOP]
    reaches = 0
    if best[KIND] != NONE:
        reaches = reaches_bounds(scoring, stopping, best, nodes.statistics[node], stop - start)
    if best[UNCERTAIN] > 0 or reaches == 2:
        return -1
    return mark_class_split(lists, columns, counts, best, start, stop, scoring.row_mask) if reaches else 0


@kernel
def _record_class_split(scoring: Any, columns: Any, counts: Any, nodes: Any, workspace: Any, node: int) -> None:
    """Write the best split into the tree, and the class counts of its children."""
    best, n_classes = workspace.best, scoring.n_classes
    n_codes = 2  # of a feature stored as a bit
    for column in range(len(columns.features)):
        if columns.features[column] == int(best[FEATURE]):
            n_codes = columns.n_codes[column]
    child = record_split(nodes, workspace.counters, workspace.side_pool, node, best, counts.best_sides, n_codes)
    adds_missing = scoring.missing_policy == LARGER and best[KIND] != MISSING_TEST  # otherwise the sums include them
    for label in range(n_classes):
        missing = best[SUMS + 2 * n_classes + label] if adds_missing else 0.0
        left, right = best[SUMS + label], best[SUMS + n_classes + label]
        nodes.statistics[child, label] = left + missing if best[MISSING_CHILD] == 0 else left
        nodes.statistics[child + 1, label] = right + missing if best[MISSING_CHILD] == 1 else right


@kernel
def _push_class_children(
    stopping: Any, lists: Any, columns: Any, nodes: Any, workspace: Any, position: int, n_left: int
) -> None:
    """Replace the node at a position of the stack by its children, the smaller one above; leaves are left out."""
    stack, counters = workspace.stack, workspace.counters
    start, stop, depth = stack[position, START], stack[position, STOP], stack[position, DEPTH] + 1
    child, middle = nodes.first_child[stack[position, NODE]], start + n_left
    counters[N_WAITING] = position
    is_left_leaf = is_class_leaf(stopping, nodes.statistics[child], n_left, depth)
    is_right_leaf = is_class_leaf(stopping, nodes.statistics[child + 1], stop - middle, depth)
    nodes.kind[child], nodes.kind[child + 1] = NONE, NONE
    if is_left_leaf and is_right_leaf:
        return
    is_left_smaller = n_left * 2 <= stop - start
    small = (child, start, middle) if is_left_smaller else (child + 1, middle, stop)
    large = (child + 1, middle, stop) if is_left_smaller else (child, start, middle)
    is_small_leaf = is_left_leaf if is_left_smaller else is_right_leaf
    is_large_leaf = is_right_leaf if is_left_smaller else is_left_leaf
    if stop - start >= stopping.least_kept and (not is_large_leaf or small[2] - small[1] >= stopping.least_kept):
        is_large_kept = large[2] - large[1] >= stopping.least_kept
        _count_children(lists, columns, workspace, position, small[1], small[2], is_large_kept)
    top = position
    if is_large_leaf:  # the smaller child takes its position
        for line in range(len(workspace.code_counts[position])):
            copy_into(workspace.code_counts[position + 1, line], workspace.code_counts[position, line])
        for line in range(len(workspace.bit_counts[position])):
            copy_into(workspace.bit_counts[position + 1, line], workspace.bit_counts[position, line])
    else:
        push_node(stack, top, large, depth)
        top += 1
    if not is_small_leaf:
        if top > position:
            copy_into(workspace.may_vary[position], workspace.may_vary[top])
        push_node(stack, top, small, depth)
        top += 1
    counters[N_WAITING] = top


@kernel
def _count_children(
    lists: Any, columns: Any, workspace: Any, position: int, start: int, stop: int, is_large_kept: bool
) -> None:
    """Count the smaller child, at the next position of the stack, and subtract its counts from those of its parent."""
    rows = lists.rows[start:stop]
    count_codes(columns, workspace.code_counts[position + 1], rows, lists.classes)
    count_bits(columns, workspace.bit_counts[position + 1], rows, lists.classes)
    if is_large_kept:
        _subtract(workspace.code_counts[position], workspace.code_counts[position + 1])
        _subtract(workspace.bit_counts[position], workspace.bit_counts[position + 1])


@kernel
def _subtract(counts: Any, others: Any) -> None:
    """Subtract counts from counts of the same shape, in place."""
    for line in range(len(counts)):
        for label in range(counts.shape[1]):
            counts[line, label] -= others[line, label]


@kernel
def _has_leaves_only(stopping: Any, nodes: Any, workspace: Any, position: int, n_left: int) -> bool:
    """Return whether both children of the node at a position of the stack are leaves: then no list is partitioned."""
    stack = workspace.stack
    child, depth = nodes.first_child[stack[position, NODE]], stack[position, DEPTH] + 1
    n_right = stack[position, STOP] - stack[position, START] - n_left
    return is_class_leaf(stopping, nodes.statistics[child], n_left, depth) and is_class_leaf(
        stopping, nodes.statistics[child + 1], n_right, depth
    )


@kernel
def divide_class_node(
    scoring: Any, stopping: Any, lists: Any, columns: Any, counts: Any, nodes: Any, workspace: Any, n_left: int
) -> None:
    """Split the node on top of the stack, whose rows are marked, by its best split."""
    position = workspace.counters[N_WAITING] - 1
    start, stop = workspace.stack[position, START], workspace.stack[position, STOP]
    _record_class_split(scoring, columns, counts, nodes, workspace, workspace.stack[position, NODE])
    if not _has_leaves_only(stopping, nodes, workspace, position, n_left):
        for line in range(len(lists.features)):
            if workspace.may_vary[position, line]:
                base, mask = line * lists.stride + start, scoring.row_mask
                partition_list(lists.entries, base, stop - start, n_left, lists.child_of_row, lists.spare, start, mask)
        if len(lists.rows):
            partition_row_list(lists.rows, start, stop, n_left, lists.child_of_row, lists.spare)
    _push_class_children(stopping, lists, columns, nodes, workspace, position, n_left)


@kernel
def grow_classification(
    scoring: Any, stopping: Any, lists: Any, columns: Any, counts: Any, nodes: Any, workspace: Any, limit: int
) -> int:
    """Grow until no node waits, `limit` cells were searched, or the reference is needed; return how the loop ended."""
    counters, stack = workspace.counters, workspace.stack
    n_features = len(lists.features) + len(columns.features) + len(columns.bit_features)
    counters[CELLS_DONE] = 0
    while counters[N_WAITING] > 0:
        if counters[CELLS_DONE] > limit:
            return PAUSED
        position = counters[N_WAITING] - 1
        counters[CELLS_DONE] += (stack[position, STOP] - stack[position, START]) * n_features + NODE_CELLS
        if counters[N_SIDE_BYTES] + len(counts.best_sides) > len(workspace.side_pool):
            return FULL
        is_searched = search_class_node(scoring, stopping, lists, columns, counts, nodes, workspace, position)
        n_left = -1
        if is_searched:
            n_left = mark_class_node(scoring, stopping, lists, columns, counts, nodes, workspace, position)
        if n_left < 0:
            return NEEDS_REFERENCE
        if n_left == 0:
            counters[N_WAITING] = position
        else:
            divide_class_node(scoring, stopping, lists, columns, counts, nodes, workspace, n_left)
    return DONE


CLASS_KERNELS = LoopKernels(search_class_node, mark_class_node, divide_class_node, grow_classification)
