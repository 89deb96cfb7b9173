"""The feature that divides a node into a child for each category: counted, and chosen by approximate gains.

Gains are sums of x log2 x of whole numbers x. Near ties are told from real ones by a second logarithm: any function
with L(ab) = L(a) + L(b) takes equal values on equal gains, since the logarithms of primes are independent over the
rational numbers; one that is drawn at random on the primes takes unequal values on unequal gains, but for a chance
of 2**-64. What is neither equal nor clearly different is asked of the reference.
"""

from typing import Any, NamedTuple

import numpy as np

from treerules._internal.jit import kernel

#: What is chosen where no feature is: the node is a leaf; the reference must choose.
NOTHING, UNKNOWN = -1, -2
#: Gains closer than this share of the rows times the logarithm may be equal, or be ordered otherwise.
_NEAR = 1e-11
#: Bounds are reached beyond rounding where a figure is not within this share of them.
_CLOSE = 1e-9
#: Nodes of less impurity: there the reference's own rounding comes near its tolerance, so that equal gains may differ.
_NEARLY_PURE = 0.01


class Terms(NamedTuple):
    """What splits of all nodes are scored by, and where nodes are leaves."""

    by_ratio: bool
    #: only features of average gain compete
    averages: bool
    #: C4.5 as published: the average is over all features that count, and gains may be so far below it
    quinlan: bool
    below_average: float
    #: the rows that two children must have
    least: float
    #: -1: unbounded
    max_depth: int
    min_samples_split: float
    min_gain: float
    min_impurity: float
    #: nodes of at least so many rows are counted in one pass over all features
    many: int
    #: x log2 x of all counts, and x times the second logarithm of x
    x_log_x: Any
    marks: Any


class Tables(NamedTuple):
    """The features. Each has so many cells side by side: one a category, and the last for missing values."""

    #: shape (rows, features): the number of a value's cell
    cells: Any
    #: where the cells of each feature begin, and the one for missing values
    begins: Any
    missing: Any
    #: whether a feature counts for the average gain
    counts: Any


class Room(NamedTuple):
    """Room to work in."""

    #: shape (classes, cells), and how much there is in each cell: all 0 between two uses
    counts: Any
    sizes: Any
    #: the cells of one feature that some row is in; the child of each cell, where each child begins
    held: Any
    child_of: Any
    ends: Any
    #: the features that vary in a node
    varying: Any
    #: by feature: n times its gain (-inf where it does not fit), its split information, the rows of known value
    gains: Any
    widths: Any
    known: Any
    #: the same by the second logarithm, the split information times its rows
    gain_marks: Any
    width_marks: Any
    spare: Any


# ---- counting


@kernel
def _counted(tables: Any, room: Any, n_varying: int, rows: Any, totals: Any) -> None:
    """Count the rows of a large node by class in the cells of all features that vary."""
    varying, at = room.varying[:n_varying], 0
    for place in range(len(totals)):
        counts = room.counts[place]
        for _ in range(totals[place]):
            cells = tables.cells[rows[at]]
            at += 1
            for line in varying:
                counts[cells[line]] += 1


@kernel
def _held_of_counts(tables: Any, room: Any, line: int) -> int:
    """Gather the cells of a feature that some row is in, of those counted; return how many."""
    n_held, counts, sizes, held = 0, room.counts, room.sizes, room.held
    for cell in range(tables.begins[line], tables.missing[line] + 1):
        size = 0
        for place in range(len(counts)):
            size += counts[place, cell]
        sizes[cell] = size
        held[n_held] = cell
        n_held += size > 0
    return n_held


@kernel
def held_of_rows(tables: Any, room: Any, line: int, rows: Any, totals: Any) -> int:
    """Count the rows of a node by class in the cells of a feature; gather those, as they come, and return how many."""
    n_held, at, cells, counts, sizes, held = 0, 0, tables.cells, room.counts, room.sizes, room.held
    for place in range(len(totals)):
        for _ in range(totals[place]):
            cell = cells[rows[at], line]
            at += 1
            if sizes[cell] == 0:
                held[n_held] = cell
                n_held += 1
            sizes[cell] += 1
            counts[place, cell] += 1
    return n_held


@kernel
def _score(terms: Any, room: Any, line: int, n_held: int, missing: int, totals: Any) -> None:
    """Write what a feature gains by the counts in its cells that are held, which become 0; `missing` is one of them."""
    x_log_x, marks, counts, sizes = terms.x_log_x, terms.marks, room.counts, room.sizes
    gain, mark, known = 0.0, 0, 0
    for place in range(len(totals)):
        some = totals[place] - counts[place, missing]
        gain, mark, known = gain - x_log_x[some], mark - marks[some], known + some
        counts[place, missing] = 0
    sizes[missing] = 0
    spread, spread_mark, n_children, n_large = 0.0, 0, 0, 0
    for at in range(n_held):
        cell = room.held[at]
        size = sizes[cell]
        sizes[cell] = 0
        for place in range(len(totals)):
            count = counts[place, cell]
            counts[place, cell] = 0
            gain += x_log_x[count]
            mark += marks[count]
        spread += x_log_x[size]
        spread_mark += marks[size]
        n_children += size > 0
        n_large += size >= terms.least
    room.gains[line], room.known[line] = -np.inf, known
    if n_children > 1 and n_large > 1:
        room.gains[line], room.gain_marks[line] = gain + x_log_x[known] - spread, mark + marks[known] - spread_mark
        room.widths[line], room.width_marks[line] = (x_log_x[known] - spread) / known, marks[known] - spread_mark


# ---- choosing


@kernel
def _by_gain(room: Any, slack: float, is_sure: bool) -> int:
    """Return the first feature of the greatest gain."""
    gains, marks = room.gains, room.gain_marks
    best, first = 0, NOTHING
    for line in range(len(gains)):
        best = line if gains[line] > gains[best] else best
    for line in range(len(gains)):
        if gains[line] == -np.inf:
            continue
        if gains[best] <= slack:
            if marks[line] != 0:
                return UNKNOWN
        elif gains[line] >= gains[best] - slack:
            if line != best and not (is_sure and marks[line] == marks[best]):
                return UNKNOWN
            first = line if first == NOTHING else first
    return first


@kernel
def _is_unclear(room: Any, slack: float) -> bool:
    """Whether some gain might be just nothing, or just more."""
    for line in range(len(room.gains)):
        if room.gains[line] != -np.inf and room.gains[line] <= slack and room.gain_marks[line] != 0:
            return True
    return False


@kernel
def _leave_above_average(terms: Any, tables: Any, room: Any, slack: float, n: int, is_sure: bool) -> bool:
    """Leave only features of average gain in the competition; False where the reference must say which those are."""
    gains, marks = room.gains, room.gain_marks
    total, total_mark, n_counted = 0.0, 0, 0
    for line in range(len(gains)):
        if gains[line] == -np.inf or not (gains[line] > slack or terms.quinlan):
            continue
        if tables.counts[line]:
            total, total_mark, n_counted = total + gains[line], total_mark + marks[line], n_counted + 1
    average = total / max(1, n_counted) - terms.below_average * n
    for line in range(len(gains)):
        if gains[line] <= slack:
            continue
        if abs(gains[line] - average) <= slack:
            is_equal = terms.below_average == 0 and marks[line] * n_counted == total_mark
            if not (is_sure and is_equal):
                return False
        elif gains[line] < average:
            gains[line] = -np.inf
    return True


@kernel
def _by_ratio(room: Any, slack: float, is_sure: bool) -> int:
    """Return the first feature of the greatest gain ratio among those that gain something."""
    gains, widths, marks = room.gains, room.widths, room.gain_marks
    best, best_ratio = NOTHING, 0.0
    for line in range(len(gains)):
        if gains[line] > slack and gains[line] / widths[line] > best_ratio:
            best, best_ratio = line, gains[line] / widths[line]
    first = NOTHING
    for line in range(len(gains)):
        if gains[line] <= slack:
            continue
        if (best_ratio - gains[line] / widths[line]) * min(widths[line], widths[best]) > slack:
            continue
        mine = marks[line] * room.known[line] * room.width_marks[best]
        theirs = marks[best] * room.known[best] * room.width_marks[line]
        if line != best and not (is_sure and mine == theirs):
            return UNKNOWN
        first = line if first == NOTHING else first
    return first


@kernel
def _reaches(value: float, bound: float) -> int:
    """Whether a figure reaches a bound: 1, 0, or 2 where rounding might decide."""
    if bound > 0 and abs(value - bound) <= _CLOSE * max(bound, value):
        return 2
    return int(value >= bound)


@kernel
def _vary(room: Any, varies: Any) -> int:
    """Gather the features that vary in a node; the others gain nothing."""
    n_varying = 0
    for line in range(len(varies)):
        room.varying[n_varying] = line
        n_varying += varies[line]
        room.gains[line] = -np.inf
    return n_varying


@kernel
def chosen(terms: Any, tables: Any, room: Any, rows: Any, totals: Any, varies: Any) -> int:
    """Return the feature that a node's rows are divided by. Features that do not vary in it are marked as such."""
    n, impurity = len(rows), terms.x_log_x[len(rows)]
    for total in totals:
        impurity -= terms.x_log_x[total]
    is_mixed = _reaches(impurity / n, terms.min_impurity)
    if is_mixed != 1:
        return UNKNOWN if is_mixed == 2 else NOTHING
    n_varying = _vary(room, varies)
    if n >= terms.many:
        _counted(tables, room, n_varying, rows, totals)
    for line in room.varying[:n_varying]:
        if n >= terms.many:
            n_held = _held_of_counts(tables, room, line)
        else:
            n_held = held_of_rows(tables, room, line, rows, totals)
        varies[line] = n_held > 1
        _score(terms, room, line, n_held, tables.missing[line], totals)
    slack, is_sure = _NEAR * max(float(n), terms.x_log_x[n]), impurity >= _NEARLY_PURE * n
    best: int = _best(terms, tables, room, slack, n, is_sure)
    if best < 0 or terms.min_gain == 0:
        return best
    score = room.gains[best] / n
    is_worth = _reaches(score / room.widths[best] if terms.by_ratio else score, terms.min_gain)
    if is_worth == 2:
        return UNKNOWN
    return best if is_worth else NOTHING


@kernel
def _best(terms: Any, tables: Any, room: Any, slack: float, n: int, is_sure: bool) -> int:
    """Return the feature of the best score."""
    if not terms.by_ratio:
        best: int = _by_gain(room, slack, is_sure)
        return best
    is_clear = not _is_unclear(room, slack)
    if is_clear and terms.averages:
        is_clear = _leave_above_average(terms, tables, room, slack, n, is_sure)
    return _by_ratio(room, slack, is_sure) if is_clear else UNKNOWN
