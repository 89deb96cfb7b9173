"""The tree that a search found: from its cuts to frozen nodes."""

from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.schema import Kind
from treerules.growing.array_tree import ABSENT, CUT, LEAF, MISSING_TEST, SUBSETS, ArrayTree
from treerules.growing.encoding import EncodedProblem
from treerules.growing.optimal.depth_one import best_stump
from treerules.growing.optimal.search_columns import SearchColumn
from treerules.growing.optimal.search_result import Branching
from treerules.growing.optimal.search_rows import SearchRows, SearchTask
from treerules.growing.problem import Problem
from treerules.growing.reference.leaves import UNBOUNDED, leaf_from_rows
from treerules.trees.node_parts import MeanPrediction


def with_stumps(branching: Branching | None, rows: SearchRows, task: SearchTask) -> tuple[int, Branching | None]:
    """Return the cost of a tree and its splits down to the last ones: a search leaves out trees of depth 1."""
    if branching is None:
        stump = best_stump(rows, task)
        return stump.cost, Branching(stump.column, stump.cut) if stump.column >= 0 else None
    column, cut = branching.column, branching.cut
    below, above = (rows.on_side(column, cut, is_below) for is_below in (True, False))
    (cost_below, low), (cost_above, high) = (
        with_stumps(branching.low, below, task),
        with_stumps(branching.high, above, task),
    )
    return cost_below + cost_above, Branching(column, cut, low, high)


@frozen
class _Split:
    """A split of an array tree."""

    kind: int
    feature: int
    missing_child: int
    #: the rows below the cut and those above it, swapped where the first child is the one above
    parts: tuple[Any, Any]
    #: rows that hold the values on both sides of a cut
    low: int = 0
    high: int = 0
    sides: Any = None


def array_tree(
    branching: Branching | None, columns: tuple[SearchColumn, ...], ranks: Any, problem: Problem, data: EncodedProblem
) -> ArrayTree:
    """Return the array tree of the splits that were found, with the figures of its nodes.

    Args:
        branching: the splits, down to the last ones; None is a leaf.
        columns: the columns of the search.
        ranks: their ranks, shape (columns, rows of the problem).
        problem: the problem.
        data: the same problem in codes.
    """
    nodes: list[tuple[Branching | None, Any]] = [(branching, np.arange(len(problem.target), dtype=np.int32))]
    lines: list[tuple[int, ...]] = []
    figures: list[tuple[float, ...]] = []
    sides: list[Any] = []
    for node, rows in nodes:  # grows while it is walked: the children of a node follow all nodes before them
        figures.append(_figures(data, rows))
        if node is None:
            lines.append((LEAF, 0, 0, 0, 0, 0, 0))
            continue
        split = _split(columns[node.column], ranks[node.column], node.cut, rows, problem)
        is_swapped = ranks[node.column][split.parts[0][0]] >= node.cut
        below_split = (node.high, node.low) if is_swapped else (node.low, node.high)
        weights = [_weight(problem, part) for part in split.parts]
        largest = int(weights[1] > weights[0])
        missing = largest if split.missing_child < 0 else split.missing_child
        low = split.low
        if split.sides is not None:
            low = len(sides)
            sides.append(split.sides)
        lines.append((split.kind, split.feature, len(nodes), missing, largest, low, split.high))
        nodes.extend(zip(below_split, split.parts, strict=True))
    kind, feature, first_child, missing_child, largest_child, low_rows, high_rows = np.array(lines, dtype=np.int64).T
    return ArrayTree(
        kind, feature, first_child, missing_child, largest_child, np.array(figures), low_rows, high_rows, sides
    )


def _weight(problem: Problem, rows: Any) -> float:
    return float(len(rows)) if problem.weights is None else float(problem.weights[rows].sum())


def _figures(data: EncodedProblem, rows: Any) -> tuple[float, ...]:
    """Return class counts; of a regression weight, mean and standard deviation."""
    leaf = leaf_from_rows(data, rows, None if data.weights is None else data.weights[rows], UNBOUNDED)
    if isinstance(leaf.prediction, MeanPrediction):
        return leaf.counts[0], leaf.prediction.value, leaf.prediction.sd
    return leaf.counts


def _split(search_column: SearchColumn, ranks: Any, cut: int, rows: Any, problem: Problem) -> _Split:
    """Return the split of some rows at a cut; -1 is the missing child where no row of the node lacks a value."""
    column = problem.columns[search_column.feature]
    is_below, is_missing = ranks[rows] < cut, column.missing[rows]
    below, above = rows[is_below], rows[~is_below]
    missing_below = bool(is_missing[is_below].any())
    has_missing = bool(is_missing.any())
    is_apart = has_missing and (bool(is_missing[is_below].all()) or bool(is_missing[~is_below].all()))
    if is_apart:  # known values go to the first child
        known_first = not bool(is_missing[is_below].all())
        children = (below, above) if known_first else (above, below)
        return _Split(MISSING_TEST, search_column.feature, 1, children)
    if column.feature.kind is Kind.CATEGORY:
        return _subsets(search_column, below, above, column, missing_below if has_missing else None)
    low = _extreme(below, column, np.argmax)
    high = _extreme(above, column, np.argmin)
    missing_child = (0 if missing_below else 1) if has_missing else -1
    return _Split(CUT, search_column.feature, missing_child, (below, above), low, high)


def _extreme(rows: Any, column: Any, position: Any) -> int:
    """Return the row that holds the greatest, or the least, known value."""
    known = rows[~column.missing[rows]]
    return int(known[position(column.data[known])])


def _subsets(search_column: SearchColumn, below: Any, above: Any, column: Any, missing_below: bool | None) -> _Split:
    """Return the split of a category from the others; the first child holds the first category of the rows."""
    sides = np.full(len(column.feature.categories), ABSENT, dtype=np.int8)
    for side, rows in enumerate((below, above)):
        sides[column.data[rows[~column.missing[rows]]]] = side
    is_swapped = sides[np.flatnonzero(sides != ABSENT)[0]] == 1
    if is_swapped:
        sides = np.where(sides == ABSENT, ABSENT, 1 - sides).astype(np.int8)
    missing_child = -1 if missing_below is None else int(not missing_below) ^ int(is_swapped)
    children = (above, below) if is_swapped else (below, above)
    return _Split(SUBSETS, search_column.feature, missing_child, children, sides=sides)
