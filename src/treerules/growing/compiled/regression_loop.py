"""The growth loop of a regression: as that of a classification, with the mean and variance of the target."""

from math import frexp, ldexp, sqrt
from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.array_tree import MISSING_TEST, SUBSETS
from treerules.growing.compiled.best_split import FEATURE, GAIN, KIND, LOW, MISSING_CHILD, N_FIRST, NONE, copy_into
from treerules.growing.compiled.exact_gains import BY_TOLERANCE, write_exact_sums
from treerules.growing.compiled.exact_sum import rounded_sum
from treerules.growing.compiled.growth_loop import (
    CELLS_DONE,
    DEPTH,
    DONE,
    FULL,
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
from treerules.growing.compiled.regression_arrays import target_scale
from treerules.growing.compiled.regression_candidates import (
    BEST_GAIN,
    COMPARISON,
    N_KEPT,
    NO_SPLIT,
    SLACK,
    SLOT,
    TOLERANCE,
    UNCERTAIN_GAIN,
    greatest_split,
    is_greatest,
)
from treerules.growing.compiled.regression_categorical import count_present_codes, search_regression_codes
from treerules.growing.compiled.regression_numeric import DISTINCT, scan_regression_list
from treerules.growing.compiled.stable_partition import (
    mark_by_codes,
    mark_by_list,
    partition_distinct_list,
    partition_list,
    partition_row_list,
)

#: Scores within _NEAR of each other, as a share of the node's impurity, may be in any order by rounding; within _TIED
#: they tie, as in `reference.scoring`.
_NEAR, _TIED = 1e-11, 1e-12
#: Of n rows whose sums are exact, the rounding error of a gain, computed from the distance of two groups, is below
#: _NEAR (1 + _PER_ROOT sqrt(n)) of the impurity. Impurities and bounds this near as a share are compared exactly.
_PER_ROOT, _UNSURE = 1e-3, 1e-9
#: 2**exponent and its inverse are floats up to this exponent.
_MOST_EXPONENT = 1000
#: In nodes of at most this many rows some feature often has the greatest possible gain, which ends the search. With so
#: few rows the rounding error of a score (29 units of 2^-53, for targets between 1/2 and 1) is below half of _TIED.
_TINY = 8
#: Columns of the statistics of a node.
WEIGHT, MEAN, SD = range(3)


@kernel
def write_mean_statistics(target: Any, rows: Any, scaled: Any, partials: Any, statistics: Any) -> None:
    """Write weight, mean and standard deviation of rows that are in the order of the target.

    `scaled` and `partials` are work arrays.
    """
    n = len(rows)
    first, last = target[rows[0]], target[rows[n - 1]]
    statistics[WEIGHT], statistics[MEAN], statistics[SD] = n, first, 0.0
    if first == last:
        return
    exponent = frexp(max(abs(first), abs(last)))[1]
    is_plain = abs(exponent) <= _MOST_EXPONENT
    factor = ldexp(1.0, -exponent) if is_plain else 1.0
    for index in range(np.uint64(n)):
        value = target[np.uint64(rows[index])]
        scaled[index] = value * factor if is_plain else ldexp(value, -exponent)
    mean = rounded_sum(scaled[:n], partials) / n
    for index in range(np.uint64(n)):
        scaled[index] = (scaled[index] - mean) * (scaled[index] - mean)
    sd = sqrt(rounded_sum(scaled[:n], partials) / n)
    statistics[MEAN], statistics[SD] = ldexp(mean, exponent), ldexp(sd, exponent)


@kernel
def write_figures(scoring: Any, lists: Any, nodes: Any, workspace: Any, number: int, start: int, stop: int) -> None:
    """Write the statistics of a node of the rows from `start` to `stop`; its sums, where figures are exact."""
    rows, statistics = lists.rows[start:stop], nodes.statistics[number]
    if scoring.is_exact:
        write_exact_sums(lists.target, rows, statistics, nodes.sums[number])
    else:
        write_mean_statistics(lists.target, rows, workspace.sums[start:stop], workspace.partials, statistics)


@kernel
def is_regression_leaf(stopping: Any, target: Any, rows: Any, depth: int) -> bool:
    """Return whether a node is a leaf by its depth, its size or its only target value, before any search."""
    n = len(rows)
    return depth == stopping.max_depth or n < stopping.min_samples_split or target[rows[0]] == target[rows[n - 1]]


@kernel
def search_regression_node(
    scoring: Any, stopping: Any, lists: Any, columns: Any, counts: Any, nodes: Any, workspace: Any, position: int
) -> bool:
    """Find the candidates near the best in the node at a position of the stack; False where the reference must.

    Features are searched in the order of ties. A node below `min_impurity` has no candidates.
    """
    start, stop = workspace.stack[position, START], workspace.stack[position, STOP]
    rows, n, search_state = lists.rows[start:stop], float(stop - start), workspace.search_state
    scale = target_scale(lists.target, rows, nodes.statistics[workspace.stack[position, NODE], SD], scoring.is_exact)
    search_state[:] = 0.0
    least_impurity = ldexp(stopping.min_impurity, 2 * scale.exponent)
    if scoring.is_exact and abs(scale.impurity - least_impurity) <= _UNSURE * scale.impurity:
        return False
    if scale.impurity < least_impurity:
        return True
    if abs(scale.exponent) > _MOST_EXPONENT:
        return False
    search_state[COMPARISON], search_state[SLACK] = scale.comparison, _NEAR * scale.impurity
    if scoring.is_exact:
        search_state[SLACK] *= 1.0 + _PER_ROOT * sqrt(n)
    else:
        search_state[TOLERANCE] = _TIED * scale.impurity
    is_tiny = len(rows) <= _TINY and workspace.is_complete
    greatest = greatest_split(lists.target, rows, scale, search_state[SLACK]) if is_tiny else NO_SPLIT
    for feature in range(len(workspace.storage_of)):
        if is_tiny and search_state[N_KEPT] and is_greatest(workspace.kept[0], greatest, search_state):
            break  # no other feature can be better by more than the tolerance
        line = workspace.storage_of[feature]
        if line >= 0:
            if workspace.may_vary[position, line]:
                base = line * lists.stride + start
                workspace.may_vary[position, line] = scan_regression_list(
                    workspace.kept, workspace.candidate, search_state, scoring, scale, lists.target, lists.entries,
                    base, stop - start, workspace.sums, start, feature,
                )  # fmt: skip
            continue
        column = -1 - line
        n_present = count_present_codes(columns, counts, column, rows, lists.target, scale)
        split_kind = columns.split_kind[column]
        if not search_regression_codes(
            workspace.kept, workspace.candidate, search_state, scoring, counts, n, n_present, feature, split_kind
        ):
            return False
    return True


@kernel
def mark_regression_node(
    scoring: Any, stopping: Any, lists: Any, columns: Any, counts: Any, nodes: Any, workspace: Any, position: int
) -> int:
    """Mark the child of each row of the node at a position of the stack, by the first kept candidate of a search.

    Returns the size of the first child, 0 where the node is a leaf, -1 where the reference must decide.
    """
    start, stop = workspace.stack[position, START], workspace.stack[position, STOP]
    search_state, best = workspace.search_state, workspace.kept[0]
    last = int(search_state[N_KEPT]) - 1
    if search_state[UNCERTAIN_GAIN] > 0 and (
        last < 0 or search_state[UNCERTAIN_GAIN] >= _least_rival(search_state, workspace)
    ):
        return -1
    sd = nodes.statistics[workspace.stack[position, NODE], SD]
    scale = target_scale(lists.target, lists.rows[start:stop], sd, scoring.is_exact)
    least_gain = ldexp(stopping.min_gain, 2 * scale.exponent)
    if scoring.is_exact and last >= 0 and abs(best[GAIN] - least_gain) <= search_state[SLACK] + _UNSURE * best[GAIN]:
        return -1
    if last < 0 or best[GAIN] < least_gain:
        return 0
    return mark_regression_split(lists, columns, counts, workspace, best, start, stop, scoring.row_mask)


@kernel
def _least_rival(search_state: Any, workspace: Any) -> float:
    """Return the least gain that a candidate needs to be a rival of the kept ones."""
    if search_state[COMPARISON] != BY_TOLERANCE:
        return search_state[BEST_GAIN] - search_state[SLACK]
    return workspace.kept[int(search_state[N_KEPT]) - 1, GAIN] - search_state[TOLERANCE]


@kernel
def mark_regression_split(
    lists: Any, columns: Any, counts: Any, workspace: Any, best: Any, start: int, stop: int, mask: int
) -> int:
    """Mark the child of each row of a node by its best split; return the size of the first child."""
    kind, missing_child = int(best[KIND]), int(best[MISSING_CHILD])
    line = workspace.storage_of[int(best[FEATURE])]
    if line >= 0:
        base, n_first = line * lists.stride + start, int(best[N_FIRST])
        return mark_by_list(lists.entries, base, stop - start, n_first, missing_child, lists.child_of_row, mask)
    column = -1 - line
    for code in range(columns.n_codes[column]):
        if kind == SUBSETS:
            counts.sides[code] = counts.kept_sides[int(best[SLOT]), code]
        else:
            counts.sides[code] = 0 if kind == MISSING_TEST or code <= int(best[LOW]) else 1
    return mark_by_codes(columns, column, lists.rows[start:stop], counts.sides, missing_child, lists.child_of_row)


@kernel
def divide_regression_node(
    scoring: Any, stopping: Any, lists: Any, columns: Any, counts: Any, nodes: Any, workspace: Any, n_left: int
) -> None:
    """Split the node on top of the stack, whose rows are marked, by its best split."""
    counters, stack, best = workspace.counters, workspace.stack, workspace.kept[0]
    position = counters[N_WAITING] - 1
    node, start, stop = stack[position, NODE], stack[position, START], stack[position, STOP]
    depth, middle = stack[position, DEPTH] + 1, start + n_left
    n_codes, slot = 0, 0
    if best[KIND] == SUBSETS:
        n_codes, slot = columns.n_codes[-1 - workspace.storage_of[int(best[FEATURE])]], int(best[SLOT])
    child = record_split(nodes, counters, workspace.side_pool, node, best, counts.kept_sides[slot], n_codes)
    partition_row_list(lists.rows, start, stop, n_left, lists.child_of_row, lists.spare)
    for number, begin, end in ((child, start, middle), (child + 1, middle, stop)):
        nodes.kind[number] = NONE
        write_figures(scoring, lists, nodes, workspace, number, begin, end)
    counters[N_WAITING] = position
    is_left_leaf = is_regression_leaf(stopping, lists.target, lists.rows[start:middle], depth)
    is_right_leaf = is_regression_leaf(stopping, lists.target, lists.rows[middle:stop], depth)
    if is_left_leaf and is_right_leaf:
        return
    _partition_varying_lists(scoring, lists, workspace, position, start, stop, n_left)
    top = position
    for is_larger in (True, False):
        is_left = (n_left * 2 > stop - start) == is_larger
        if is_left_leaf if is_left else is_right_leaf:
            continue
        if top > position:
            copy_into(workspace.may_vary[position], workspace.may_vary[top])
        push_node(stack, top, (child, start, middle) if is_left else (child + 1, middle, stop), depth)
        top += 1
    counters[N_WAITING] = top


@kernel
def _partition_varying_lists(
    scoring: Any, lists: Any, workspace: Any, position: int, start: int, stop: int, n_left: int
) -> None:
    """Partition the lists that are not constant in a node."""
    n, mask, child_of_row = stop - start, scoring.row_mask, lists.child_of_row
    for line in range(len(lists.features)):
        base, variety = line * lists.stride + start, workspace.may_vary[position, line]
        if variety == DISTINCT:
            partition_distinct_list(lists.entries, base, n, n_left, child_of_row, lists.spare, start, mask)
        elif variety:
            partition_list(lists.entries, base, n, n_left, child_of_row, lists.spare, start, mask)


@kernel
def grow_regression(
    scoring: Any, stopping: Any, lists: Any, columns: Any, counts: Any, nodes: Any, workspace: Any, limit: int
) -> int:
    """Grow until no node waits, `limit` cells were searched, or the reference is needed; return how the loop ended."""
    counters, stack = workspace.counters, workspace.stack
    counters[CELLS_DONE] = 0
    while counters[N_WAITING] > 0:
        if counters[CELLS_DONE] > limit:
            return PAUSED
        position = counters[N_WAITING] - 1
        n_rows = stack[position, STOP] - stack[position, START]
        counters[CELLS_DONE] += n_rows * len(workspace.storage_of) + NODE_CELLS
        if counters[N_SIDE_BYTES] + counts.kept_sides.shape[1] > len(workspace.side_pool):
            return FULL
        is_searched = search_regression_node(scoring, stopping, lists, columns, counts, nodes, workspace, position)
        n_left = -1
        if is_searched:
            n_left = mark_regression_node(scoring, stopping, lists, columns, counts, nodes, workspace, position)
        if n_left < 0:
            return NEEDS_REFERENCE
        if n_left == 0:
            counters[N_WAITING] = position
        else:
            divide_regression_node(scoring, stopping, lists, columns, counts, nodes, workspace, n_left)
    return DONE


REGRESSION_KERNELS = LoopKernels(search_regression_node, mark_regression_node, divide_regression_node, grow_regression)
