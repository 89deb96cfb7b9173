"""The division of a node among the children of its split: rows, lists, codes, and the stack."""

from typing import Any

import numpy as np

from treerules._internal.jit import inlined_kernel, inner_kernel
from treerules.criteria.table import SQUARES_KERNEL
from treerules.growing.array_tree import LEAF, MISSING_TEST, MULTIWAY, SUBSETS
from treerules.growing.compiled.arithmetic import copy_into
from treerules.growing.compiled.byte_counts import keep_tables
from treerules.growing.compiled.candidates import (
    FEATURE,
    HIGH,
    KIND,
    LARGEST_CHILD,
    LOW,
    MISSING_CHILD,
    N_FIRST,
    SLOT,
)
from treerules.growing.compiled.code_counts import code_at
from treerules.growing.compiled.list_entries import CONSTANT, DISTINCT
from treerules.growing.compiled.loop_state import DEPTH, NODE, START, STOP
from treerules.growing.compiled.node_search import N_NODES, N_SIDES, N_WAITING
from treerules.growing.compiled.sorted_lists import NEW_VALUE_BIT
from treerules.growing.compiled.stable_partition import (
    mark_by_list,
    partition_distinct_list,
    partition_list,
    partition_row_list,
)


@inlined_kernel
def is_leaf(scoring: Any, stopping: Any, loop: Any, counts: Any, start: int, stop: int, depth: int) -> bool:
    """Return whether a node is a leaf before any search."""
    n, n_weighed = 0.0, 0
    for label in range(scoring.n_weights):
        n += counts[label]
        n_weighed += counts[label] > 0 and scoring.factors[label] > 0
    size = float(stop - start) if scoring.counts_rows else n
    is_pure = loop.target[loop.rows[start]] == loop.target[loop.rows[stop - 1]]
    is_decided = is_pure or (n_weighed < 2 and scoring.criterion != SQUARES_KERNEL)
    return bool(is_decided or size < stopping.min_samples_split or depth == stopping.max_depth)


@inlined_kernel
def count_rows(scoring: Any, loop: Any, counts: Any, start: int, stop: int) -> None:
    """Write the class weights of some rows, added in their order; of a regression the weight alone."""
    counts[:] = 0.0
    if scoring.criterion == SQUARES_KERNEL and not scoring.has_weights:
        counts[0] = stop - start
        return
    label, total = np.int64(0), 0.0  # rows are in the order of their classes
    for index in range(start, stop):
        row = np.uint64(loop.rows[index])
        if scoring.criterion != SQUARES_KERNEL and loop.target[row] != label:
            counts[label] = total
            label, total = np.int64(loop.target[row]), 0.0
        total += scoring.weights[row] if scoring.has_weights else 1.0
    counts[label] = total


@inlined_kernel
def mark_rows(lists: Any, codes: Any, search: Any, loop: Any, record: Any, start: int, stop: int) -> int:
    """Mark the child of each row of a node by the record of its split; return the number of children."""
    kind, missing_child = int(record[KIND]), int(record[MISSING_CHILD])
    storage, n_children = loop.storage[int(record[FEATURE])], 2
    if storage >= 0:
        end, entries = int(record[N_FIRST]), lists.entries[storage]
        mark_by_list(entries, start, stop - start, end, missing_child, loop.child_of_row, lists.row_mask)
        return n_children
    column = -1 - storage
    n_codes, children = codes.n_codes[column], loop.child_of_code
    sides = search.sides[int(record[SLOT])]
    if kind == MULTIWAY:
        n_children = 0
    for code in range(n_codes):
        if kind == MULTIWAY:
            children[code] = sides[code] - 1
            n_children = max(n_children, sides[code])
        elif kind == SUBSETS:
            children[code] = sides[code]
        else:
            children[code] = 0 if kind == MISSING_TEST or code <= int(record[LOW]) else 1
    children[n_codes] = missing_child
    for index in range(start, stop):
        row = loop.rows[index]
        child = children[code_at(codes, column, row)]
        if kind == MULTIWAY:
            loop.child_of_many[row] = child
        else:
            loop.child_of_row[row] = child
    return n_children


@inlined_kernel
def divide(
    scoring: Any, stopping: Any, lists: Any, codes: Any, bytes_of: Any, search: Any, nodes: Any, loop: Any,
    n_children: int,
) -> None:  # fmt: skip
    """Split the node on top of the stack, whose rows are marked, by the first kept candidate."""
    counters, stack, record = loop.counters, loop.stack, search.kept[0]
    top = counters[N_WAITING] - 1
    node, start, stop, depth = stack[top, NODE], stack[top, START], stack[top, STOP], stack[top, DEPTH] + 1
    first = counters[N_NODES]
    counters[N_NODES] = first + n_children
    counters[N_WAITING] = top
    _write_split(codes, search, nodes, loop, record, node, first, n_children)
    is_multiway = int(record[KIND]) == MULTIWAY
    if is_multiway:
        _partition_rows(loop, start, stop, n_children)
    else:
        _partition_pair(loop, start, stop)
    n_open = 0
    for child in range(n_children):
        number, begin, end = first + child, loop.begin[child], loop.begin[child + 1]
        nodes.kind[number], nodes.start[number], nodes.stop[number] = LEAF, begin, end
        if scoring.has_directions:
            copy_into(nodes.bounds[node], nodes.bounds[number])
        count_rows(scoring, loop, nodes.statistics[number], begin, end)
        is_open = not is_leaf(scoring, stopping, loop, nodes.statistics[number], begin, end, depth)
        n_open += is_open
        loop.is_open[child] = is_open
    if n_open == 0:
        return
    for feature in range(len(loop.storage)):
        line, variety = loop.storage[feature], loop.varies[top, feature]
        if line < 0 or variety == CONSTANT:
            continue
        if is_multiway:
            _partition_list(lists, loop, line, start, stop, n_children)
            continue
        entries, n, n_first = lists.entries[line], stop - start, loop.begin[1] - start
        if variety == DISTINCT:
            partition_distinct_list(entries, start, n, n_first, loop.child_of_row, loop.spare, start, lists.row_mask)
        else:
            partition_list(entries, start, n, n_first, loop.child_of_row, loop.spare, start, lists.row_mask)
    largest = 0
    for child in range(1, n_children):
        if loop.begin[child + 1] - loop.begin[child] > loop.begin[largest + 1] - loop.begin[largest]:
            largest = child
    if codes.n_bytes:
        keep_tables(scoring, codes, bytes_of, loop, top, n_children, largest)
    _push_children(loop, top, first, depth, n_children, largest)


@inlined_kernel
def _push_children(loop: Any, top: int, first: int, depth: int, n_children: int, largest: int) -> None:
    """Push the open children of a node, the largest first, so that the stack stays short."""
    begin, place = loop.begin, top
    for index in range(n_children):
        child = largest if index == 0 else (index - 1 if index <= largest else index)
        if not loop.is_open[child]:
            continue
        if place > top:
            for feature in range(loop.varies.shape[1]):
                loop.varies[place, feature] = loop.varies[top, feature]
        loop.stack[place, NODE], loop.stack[place, DEPTH] = first + child, depth
        loop.stack[place, START], loop.stack[place, STOP] = begin[child], begin[child + 1]
        place += 1
    loop.counters[N_WAITING] = place


@inlined_kernel
def _write_split(
    codes: Any, search: Any, nodes: Any, loop: Any, record: Any, node: int, first: int, n_children: int
) -> None:
    """Write a split into the tree, with the sides of its categories and the codes of its children."""
    kind = int(record[KIND])
    nodes.kind[node], nodes.feature[node], nodes.first_child[node] = kind, int(record[FEATURE]), first
    nodes.low[node], nodes.high[node] = int(record[LOW]), int(record[HIGH])
    nodes.missing_child[node], nodes.largest_child[node] = int(record[MISSING_CHILD]), int(record[LARGEST_CHILD])
    nodes.n_children[node] = n_children
    if kind != SUBSETS and kind != MULTIWAY:
        return
    sides, n_codes = search.sides[int(record[SLOT])], codes.n_codes[-1 - loop.storage[int(record[FEATURE])]]
    if kind == MULTIWAY:
        for code in range(n_codes):
            if sides[code] > 0:
                nodes.category[first + sides[code] - 1] = code
        return
    begin = loop.counters[N_SIDES]
    nodes.sides_start[node] = begin
    for code in range(n_codes):
        loop.side_pool[begin + code] = sides[code]
    loop.counters[N_SIDES] = begin + n_codes


@inlined_kernel
def _partition_pair(loop: Any, start: int, stop: int) -> None:
    """Order the rows of a node by their child, of two, and write where each child begins."""
    n_first = stop - start
    for index in range(start, stop):
        n_first -= np.int64(loop.child_of_row[loop.rows[index]])
    loop.begin[0], loop.begin[1], loop.begin[2] = start, start + n_first, stop
    partition_row_list(loop.rows, start, stop, n_first, loop.child_of_row, loop.spare)


@inner_kernel
def _partition_rows(loop: Any, start: int, stop: int, n_children: int) -> None:
    """Order the rows of a node by their child, stably, and write where each child begins."""
    begin, position, rows = loop.begin, loop.position, loop.rows
    for child in range(n_children + 1):
        position[child] = 0
    for index in range(start, stop):
        position[loop.child_of_many[rows[index]]] += 1
    total = start
    for child in range(n_children):
        begin[child], total = total, total + position[child]
        position[child] = begin[child]
    begin[n_children] = stop
    for index in range(start, stop):
        row = rows[index]
        child = loop.child_of_many[row]
        loop.spare[position[child]] = row
        position[child] += 1
    for index in range(start, stop):
        rows[index] = loop.spare[index]


@inner_kernel
def _partition_list(lists: Any, loop: Any, storage: int, start: int, stop: int, n_children: int) -> None:
    """Order the entries of a node in a list by their child, stably; the first of a value in a child begins it."""
    entries, position, last_value, spare = lists.entries[storage], loop.position, loop.last_value, loop.spare
    for child in range(n_children):
        position[child], last_value[child] = loop.begin[child], -1
    mark, value = np.int64(1 << NEW_VALUE_BIT), 0
    for index in range(start, stop):
        entry = np.int64(entries[index])
        value += (entry & mark) != 0
        child = loop.child_of_many[entry & lists.row_mask]
        spare[position[child]] = entry & ~mark if last_value[child] == value else entry | mark
        last_value[child] = value
        position[child] += 1
    for index in range(start, stop):
        entries[index] = np.uint32(spare[index])
