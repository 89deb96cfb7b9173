"""Growing trees of a child for each category: nodes are divided until nothing waits, and become frozen values."""

from collections.abc import Callable
from math import log
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from treerules._internal.jit import kernel
from treerules.growing.array_tree import LEAF, MULTIWAY, ArrayTree
from treerules.growing.array_tree_nodes import to_nodes
from treerules.growing.compiled.multiway_search import NOTHING, UNKNOWN, Room, Tables, Terms, chosen, held_of_rows
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext, PendingNode
from treerules.growing.reference.scoring import BELOW_AVERAGE, MANY_VALUES
from treerules.recipes.recipe import Recipe
from treerules.trees.nodes import Node

#: How growing ends: nothing waits; enough work was done for now; the reference must decide the node at hand.
DONE, PAUSED, ASKS = range(3)
#: What `State.figures` holds: how many nodes wait, the number of the next new node, and cells looked at.
TOP, NEXT, WORK = range(3)
#: What the stack holds of a node: its number, its first row and the row after its last, its depth.
NODE, START, STOP, DEPTH = range(4)
#: What a node costs in cells; the kernels look at so many before Python sees to signals and progress.
_OVERHEAD, _CELLS = 64, 20_000_000
#: Nodes of at least so many rows are counted in one pass over all features.
_MANY = 16


class Nodes(NamedTuple):
    """The tree as arrays by node number, children in the order of their codes; no node is empty."""

    #: -1: a leaf
    feature: Any
    #: the first child and the one after the last, by number; the place of the largest among them
    child: Any
    end: Any
    largest: Any
    #: the code that a node has in its parent's feature
    code: Any
    counts: Any


class State(NamedTuple):
    """What waits, and the rows, which are ascending within each node and so in the order of the classes."""

    figures: Any
    stack: Any
    #: by place on the stack, whether each feature may vary in the node
    varies: Any
    rows: Any


# ---- dividing


@kernel
def _is_leaf(terms: Any, totals: Any, n: int, depth: int) -> bool:
    """Whether a node is a leaf whatever its features say."""
    if depth == terms.max_depth or n < terms.min_samples_split:
        return True
    n_classes = 0
    for total in totals:
        n_classes += total > 0
    return n_classes < 2


@kernel
def divide(terms: Any, tables: Any, room: Any, nodes: Any, state: Any, line: int) -> None:
    """Divide the node on top of the stack by a feature; children that are no leaves wait in its place."""
    figures, stack, varies = state.figures, state.stack, state.varies
    at = figures[TOP] - 1
    node, start, stop, depth = stack[at, NODE], stack[at, START], stack[at, STOP], stack[at, DEPTH] + 1
    rows, first = state.rows[start:stop], figures[NEXT]
    n_children = _write_children(tables, room, nodes, node, first, rows, line)
    nodes.feature[node], nodes.child[node], nodes.end[node] = line, first, first + n_children
    figures[TOP], figures[NEXT] = at, first + n_children
    begin, is_any_left = start, False
    for child in range(n_children):
        size = nodes.counts[first + child].sum()
        if not _is_leaf(terms, nodes.counts[first + child], size, depth):
            top = figures[TOP]
            stack[top, NODE], stack[top, START], stack[top, STOP] = first + child, begin, begin + size
            stack[top, DEPTH] = depth
            for other in range(len(varies[at])):
                varies[top, other] = varies[at, other]
            figures[TOP] += 1
            is_any_left = True
        room.ends[child] = begin - start
        begin += size
    if is_any_left:
        _part(tables, room, rows, line)


@kernel
def _write_children(tables: Any, room: Any, nodes: Any, node: int, first: int, rows: Any, line: int) -> int:
    """Write a node's children, which have consecutive numbers from `first`, and the largest; return how many."""
    begin, missing, counts, found = tables.begins[line], tables.missing[line], room.counts, nodes.counts
    held_of_rows(tables, room, line, rows, found[node])
    n_children, largest, most = 0, 0, 0
    for cell in range(begin, missing):
        if room.sizes[cell] == 0:
            continue
        if room.sizes[cell] > most:
            largest, most = n_children, room.sizes[cell]
        room.sizes[cell], room.child_of[cell] = 0, n_children
        child = first + n_children
        nodes.feature[child], nodes.code[child] = NOTHING, cell - begin
        for place in range(len(counts)):
            found[child, place] = counts[place, cell]
            counts[place, cell] = 0
        n_children += 1
    room.sizes[missing], room.child_of[missing], nodes.largest[node] = 0, largest, largest
    for place in range(len(counts)):
        found[first + largest, place] += counts[place, missing]
        counts[place, missing] = 0
    return n_children


@kernel
def _part(tables: Any, room: Any, rows: Any, line: int) -> None:
    """Group a node's rows by child, in place and stably; `ends` says where each child begins."""
    cells, child_of, ends, spare = tables.cells, room.child_of, room.ends, room.spare
    for at in range(len(rows)):
        row = rows[at]
        child = child_of[cells[row, line]]
        spare[ends[child]] = row
        ends[child] += 1
    for at in range(len(rows)):
        rows[at] = spare[at]


@kernel
def grow(terms: Any, tables: Any, room: Any, nodes: Any, state: Any, limit: int) -> int:
    """Grow until nothing waits, `limit` cells were looked at, or something is asked; return how it ended."""
    figures = state.figures
    figures[WORK] = 0
    while figures[TOP] > 0:
        if figures[WORK] > limit:
            return PAUSED
        at = figures[TOP] - 1
        rows = state.rows[state.stack[at, START] : state.stack[at, STOP]]
        figures[WORK] += (len(rows) + _OVERHEAD) * len(tables.begins)
        line = chosen(terms, tables, room, rows, nodes.counts[state.stack[at, NODE]], state.varies[at])
        if line == UNKNOWN:
            return ASKS
        if line == NOTHING:
            figures[TOP] = at
        else:
            divide(terms, tables, room, nodes, state, line)
    return DONE


# ---- what the kernels are given, and what they ask


@frozen(eq=False)
class _Growth:
    terms: Terms
    tables: Tables
    room: Room
    nodes: Nodes
    state: State


def grown_multiway(
    problem: Problem, recipe: Recipe, reference: Callable[[], GrowthContext], progress: Any = None
) -> Node:
    """Return the root of the tree that a recipe grows; `progress` hears (rows in leaves, all rows).

    `reference` returns the reference's grower, which decides what the kernels cannot; made when it is first asked.
    """
    growth, n = _growth(problem, recipe), len(problem.target)
    while (status := _run(growth)) != DONE:
        if status == ASKS:
            _answer(growth, reference())
        if progress is not None:
            waiting = growth.state.stack[: growth.state.figures[TOP]]
            progress(n - int((waiting[:, STOP] - waiting[:, START]).sum()), n)
    if progress is not None:
        progress(n, n)
    return to_nodes(_array_tree(growth, recipe.quinlan), problem)


def _array_tree(growth: _Growth, has_child_of_each: bool) -> ArrayTree:
    """Return the tree as arrays."""
    nodes = Nodes(*(values[: int(growth.state.figures[NEXT])] for values in growth.nodes))
    return ArrayTree(
        kind=np.where(nodes.feature >= 0, MULTIWAY, LEAF),
        feature=nodes.feature,
        first_child=nodes.child,
        missing_child=nodes.largest,
        largest_child=nodes.largest,
        statistics=nodes.counts,
        n_children=nodes.end - nodes.child,
        category=nodes.code,
        has_child_of_each=has_child_of_each,
    )


def _run(growth: _Growth) -> int:
    return int(grow(growth.terms, growth.tables, growth.room, growth.nodes, growth.state, _CELLS))


def _answer(growth: _Growth, grower: GrowthContext) -> None:
    """Let the reference decide the node on top of the stack."""
    state = growth.state
    _, start, stop, depth = state.stack[state.figures[TOP] - 1].tolist()
    rows = state.rows[start:stop].copy()
    no_order = np.empty((0, len(rows)), dtype=np.int32)
    candidate = grower.decide(PendingNode(rows, no_order, None, depth, None)).candidate
    if candidate is None:
        state.figures[TOP] -= 1
    else:
        divide(growth.terms, growth.tables, growth.room, growth.nodes, state, candidate.feature)


def _growth(problem: Problem, recipe: Recipe) -> _Growth:
    n, n_classes = len(problem.target), len(problem.schema.classes)
    tables = _tables(problem, recipe)
    room = _room(tables, n, n_classes)
    nodes = Nodes(
        feature=np.empty(2 * n, dtype=np.int32),
        child=np.empty(2 * n, dtype=np.int32),
        end=np.empty(2 * n, dtype=np.int32),
        largest=np.empty(2 * n, dtype=np.int32),
        code=np.empty(2 * n, dtype=np.uint16),
        counts=np.empty((2 * n, n_classes), dtype=np.int32),
    )
    waiting = n // 2 + 2  # they have two rows each, at least
    state = State(
        figures=np.zeros(3, dtype=np.int64),
        stack=np.empty((waiting, 4), dtype=np.int64),
        varies=np.empty((waiting, len(tables.begins)), dtype=np.uint8),
        rows=np.arange(n, dtype=np.int32),
    )
    growth = _Growth(_terms(problem, recipe), tables, room, nodes, state)
    nodes.feature[0], nodes.counts[0] = NOTHING, np.bincount(problem.target, minlength=n_classes)
    state.figures[NEXT] = 1
    is_pure = np.count_nonzero(nodes.counts[0]) < 2
    if not (is_pure or recipe.max_depth == 0 or n < recipe.least_to_split):
        state.figures[TOP] = 1
        state.stack[0], state.varies[0] = (0, 0, n, 0), 1
    return growth


def _terms(problem: Problem, recipe: Recipe) -> Terms:
    n = len(problem.target)
    unit = log(2) if recipe.base == "e" else 1.0  # kernels count in bits
    by_ratio = recipe.scoring.divisor is not None
    numbers = np.arange(n + 1, dtype=np.float64)
    numbers[1:] *= np.log2(numbers[1:])
    marks = np.zeros(n + 1, dtype=np.int64)
    _add_logarithms(marks, np.random.default_rng(0).integers(-(1 << 63), (1 << 63) - 1, n + 1))
    return Terms(
        by_ratio=by_ratio,
        averages=recipe.average_gain,
        quinlan=recipe.quinlan,
        below_average=BELOW_AVERAGE / unit if recipe.quinlan else 0.0,
        least=recipe.least,
        max_depth=-1 if recipe.max_depth is None else recipe.max_depth,
        min_samples_split=recipe.least_to_split,
        min_gain=recipe.min_gain if by_ratio else recipe.min_gain / unit,
        min_impurity=recipe.min_impurity / unit,
        many=_MANY,
        x_log_x=numbers,
        marks=marks * np.arange(n + 1),
    )


@kernel
def _add_logarithms(found: Any, of_primes: Any) -> None:
    """Write a function of L(ab) = L(a) + L(b) for all numbers of a place, zeros, by what it is on the primes."""
    n = len(found)
    for prime in range(2, n):
        if found[prime] != 0:
            continue
        power = prime
        while power < n:
            for multiple in range(power, n, power):
                found[multiple] += of_primes[prime]
            power *= prime


def _tables(problem: Problem, recipe: Recipe) -> Tables:
    n_codes = np.array([len(column.feature.categories) for column in problem.columns])
    ends = np.cumsum(n_codes + 1)
    begins = ends - n_codes - 1
    cells = np.empty((len(problem.target), len(n_codes)), dtype=np.uint16)
    for line, column in enumerate(problem.columns):
        codes = np.where(column.missing, n_codes[line], column.data) if column.n_missing else column.data
        np.add(codes, begins[line], out=cells[:, line], casting="unsafe")
    is_small = n_codes < MANY_VALUES * len(problem.target)
    return Tables(cells, begins, ends - 1, is_small | (not recipe.quinlan or not is_small.any()))


def _room(tables: Tables, n_rows: int, n_classes: int) -> Room:
    n_cells, n_features = int(tables.missing[-1]) + 1, len(tables.begins)
    return Room(
        counts=np.zeros((n_classes, n_cells), dtype=np.int32),
        sizes=np.zeros(n_cells, dtype=np.int32),
        held=np.zeros(n_cells, dtype=np.int64),
        child_of=np.zeros(n_cells, dtype=np.int64),
        ends=np.zeros(n_cells, dtype=np.int64),
        varying=np.zeros(n_features + 1, dtype=np.int64),
        gains=np.zeros(n_features),
        widths=np.zeros(n_features),
        known=np.zeros(n_features, dtype=np.int64),
        gain_marks=np.zeros(n_features, dtype=np.int64),
        width_marks=np.zeros(n_features, dtype=np.int64),
        spare=np.empty(n_rows, dtype=np.int32),
    )
