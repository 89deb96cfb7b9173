"""Many small nodes at once: their rows, in one array for all of them, and in the order of each feature."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.encoding import EncodedProblem
from treerules.recipes.recipe import Recipe

#: Columns of at most so many values are counted by value in every node; those of more are lists of rows in their order.
MOST_COUNTED = 6
#: A level of more rows is grown in parts, each with its own row numbers: what is at work fits into the caches.
_PART = 1 << 15
#: So is one whose tables of categories would have more cells.
_CELLS = 1 << 20


#: What first sides hold: the values up to one, one alone, or those of the least means.
UPTO, ALONE, MEANS = range(3)


@frozen(eq=False)
class Plan:
    """How each feature is searched; lines are the features that are lists, those of many values first."""

    lines: Any
    #: whether rows of a line may have equal values
    is_tied: Any
    #: the line of each feature, -1 of one that is counted
    line_of: Any
    #: whether each feature is cut in its order, and how the others are divided
    is_cut: Any
    kind: int
    n_codes: Any


@frozen(eq=False)
class Counted:
    """Features of few values that are counted together, how many they have at most, and what first sides hold."""

    features: Any
    width: int
    kind: int


@frozen(eq=False)
class Part:
    """Some rows of the problem, numbered anew; all arrays are by those numbers."""

    #: the row of the problem
    rows: Any
    target: Any
    #: shape (features, rows)
    codes: Any


@frozen(eq=False)
class Level:
    """Nodes that are grown together: the rows of one after those of the other."""

    part: Part
    #: the place of each node in the tree, its depth, and how many rows it has
    node: Any
    depth: Any
    size: Any
    #: the rows in the order of the target, shape (rows,), and in that of each line, shape (lines, rows)
    rows: Any
    order: Any

    @property
    def start(self) -> Any:
        """Where the rows of each node begin."""
        return np.cumsum(self.size) - self.size


def plan_of(data: EncodedProblem, recipe: Recipe) -> Plan:
    """Return how the features of a problem are searched."""
    is_cut, n_codes = np.array(data.is_cut, dtype=bool), data.n_codes
    is_many = np.zeros(len(n_codes), dtype=bool)
    is_many[data.sorted_features] = True
    more = np.flatnonzero(is_cut & ~is_many & (n_codes > MOST_COUNTED))
    lines = np.concatenate([data.sorted_features, more])
    line_of = np.full(len(n_codes), -1)
    line_of[lines] = np.arange(len(lines))
    kind = ALONE if recipe.categories == "one_against_rest" else MEANS
    return Plan(lines, n_codes[lines] < len(data.target), line_of, is_cut, kind, n_codes)


def searched(plan: Plan, few: int) -> tuple[list[Counted], Any]:
    """Return the features that are counted in groups, and the lines that are searched as lists.

    Lines of at most `few` values are counted as well: that is cheaper while nodes are large.
    """
    is_counted = (plan.line_of < 0) | (plan.n_codes <= few)
    groups = []
    for kind in (UPTO, plan.kind):
        features = np.flatnonzero(is_counted & (plan.is_cut == (kind == UPTO)) & (plan.n_codes > 1))
        features = features[np.argsort(plan.n_codes[features], kind="stable")]
        while len(features):
            alike = plan.n_codes[features] <= 2 * plan.n_codes[features[0]]
            group = features[alike]
            groups.append(Counted(np.sort(group), int(plan.n_codes[group].max()), kind))
            features = features[~alike]
    return groups, np.flatnonzero(~is_counted[plan.lines])


def _numbers(n: int) -> Any:
    """Return the type of row numbers: what numpy takes fastest, of many rows what takes half the memory."""
    return np.intp if n <= _PART else np.int32


def root_level(data: EncodedProblem, plan: Plan) -> Level:
    """Return the level that holds the root alone."""
    n, n_sorted = len(data.target), len(data.sorted_features)
    order = np.empty((len(plan.lines), n), dtype=_numbers(n))
    order[:n_sorted] = data.presorted
    for line in range(n_sorted, len(plan.lines)):
        order[line] = np.argsort(data.codes[plan.lines[line]].astype(np.uint8), kind="stable")
    rows, zero = np.arange(n), np.zeros(1, dtype=np.intp)
    return Level(Part(rows, data.target, data.codes), zero, zero, np.array([n]), rows, order)


def parted(level: Level, plan: Plan) -> Iterator[Level]:
    """Yield the level, or nodes of it at a time, where it has too many rows or nodes."""
    n = len(level.rows)
    most = max(1, _CELLS // max(1, int(plan.n_codes[~plan.is_cut].max(initial=1))))
    if len(level.node) == 1 or (n <= _PART and len(level.node) <= most):
        yield level
        return
    number = np.empty(len(level.part.rows), dtype=np.int32)
    number[level.rows] = np.arange(n)
    ends = np.cumsum(level.size)
    first = 0
    while first < len(ends):
        start = int(ends[first] - level.size[first])
        stop = max(first + 1, min(first + most, int(np.searchsorted(ends, start + _PART, side="right"))))
        yield _part(level, number, slice(first, stop), slice(start, int(ends[stop - 1])))
        first = stop


def _part(level: Level, number: Any, nodes: slice, span: slice) -> Level:
    chosen, part = level.rows[span], level.part
    own = Part(part.rows[chosen], part.target[chosen], part.codes.take(chosen, axis=1))
    order = number.take(level.order[:, span]).astype(_numbers(len(chosen)), copy=False)
    order -= span.start
    return Level(own, level.node[nodes], level.depth[nodes], level.size[nodes], np.arange(len(chosen)), order)


#: What the side of a row is whose node grows no more.
STAYS = 255


def children_of(level: Level, group: Any, nodes: Any, depth: Any, size: Any, groups: Any) -> Level:
    """Return the level of children, by ascending group; those of a group are sides of one kind, as their parents stand.

    `group` has the group of each row of the part; the others are of the children, in the same order within a group.
    """
    n_groups = int(groups.max(initial=-1)) + 1
    at = np.argsort(groups, kind="stable")[int((groups < 0).sum()) :]
    n_rows = np.bincount(group.take(level.rows), minlength=n_groups)[:n_groups]
    rows = np.empty(n_rows.sum(), dtype=np.intp)
    order = np.empty((len(level.order), len(rows)), dtype=level.order.dtype)
    for old, new in ((level.rows, rows), *zip(level.order, order, strict=True)):
        group_of, start = group.take(old), 0
        for which, n in enumerate(n_rows.tolist()):
            new[start : start + n] = old.take(np.flatnonzero(group_of == which))
            start += n
    return Level(level.part, nodes[at], depth[at], size[at], rows, order)
