"""The nodes of one level: their rows in one array, and the same rows in the order of each feature."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.encoding import EncodedProblem
from treerules.recipes.recipe import Recipe

#: Features of at most this many values are counted by value in every node; for others, rows are kept in sorted lists.
MOST_COUNTED = 6
#: A level of more rows is split into smaller levels with row numbers of their own, so that arrays fit into the caches.
_MOST_ROWS = 1 << 15
#: So is a level whose counts by category would have more cells.
_MOST_CELLS = 1 << 20


#: The values of the first side of a split: those up to a value, one value only, or those up to a mean.
UP_TO_VALUE, ONE_VALUE, UP_TO_MEAN = range(3)


@frozen(eq=False)
class SearchPlan:
    """The lines that are searched, and how: along a sorted list of rows, or by counting values.

    A feature is one line, in the order of the features. Where values of a feature that is cut in its order are missing,
    it is two lines that follow each other: in the first, missing values come after all others, in the second before
    them. So each cut sends them to one side or the other, and the last cut of the first line separates them.
    """

    #: the feature of each line, and the first line of each feature
    feature_of: Any
    first_line_of: Any
    #: int32, shape (lines, rows)
    codes: Any
    #: the lines with sorted lists, those of features of many values first, shape (lists,)
    list_lines: Any
    #: whether rows of a list may have equal values, shape (lists,)
    has_ties: Any
    #: the list of each line, -1: the line is counted, shape (lines,)
    list_of: Any
    #: whether each line is cut in its order, shape (lines,)
    is_cut: Any
    #: the values of the first side for the other lines: ONE_VALUE or UP_TO_MEAN
    category_side: int
    #: the number of codes of each line, with that of missing values, shape (lines,)
    n_codes: Any
    #: the code of missing values in each line; -1: no value of the feature is missing, shape (lines,)
    missing_code: Any

    @property
    def has_missing(self) -> bool:
        """Whether any value is missing."""
        return bool((self.missing_code >= 0).any())

    @property
    def is_missing_first(self) -> Any:
        """Whether the missing values of each line come before all others, shape (lines,)."""
        return self.missing_code == 0


@frozen(eq=False)
class CountedLines:
    """Lines of few values that are counted together, each with at most `width` values."""

    lines: Any
    width: int
    #: UP_TO_VALUE, ONE_VALUE or UP_TO_MEAN
    first_side: int


@frozen(eq=False)
class RowSubset:
    """Some rows of the problem, numbered from 0; all arrays are indexed by these numbers."""

    #: the row index in the problem, shape (rows,)
    rows: Any
    #: shape (rows,)
    target: Any
    #: shape (lines, rows)
    codes: Any


@frozen(eq=False)
class Level:
    """Nodes that are split together; the rows of each node follow those of the node before."""

    subset: RowSubset
    #: the number of each node in the tree, its depth and its number of rows, shape (nodes,)
    node: Any
    depth: Any
    size: Any
    #: row numbers of the subset, within each node by target, shape (rows,), and by the code of each list's line,
    #: shape (lists, rows)
    rows: Any
    order: Any

    @property
    def start(self) -> Any:
        """The position of the first row of each node, shape (nodes,)."""
        return np.cumsum(self.size) - self.size


def search_plan(data: EncodedProblem, recipe: Recipe) -> SearchPlan:
    """Return the lines of a problem and their search methods."""
    is_cut, has_many_values = np.array(data.is_cut, dtype=bool), np.zeros(len(data.n_codes), dtype=bool)
    has_many_values[data.sorted_features] = True
    has_missing = (data.codes == data.n_codes[:, None]).any(axis=1)
    n_lines = 1 + (has_missing & is_cut)
    feature_of, first_line_of = np.repeat(np.arange(len(is_cut)), n_lines), np.cumsum(n_lines) - n_lines
    is_second = np.ones(len(feature_of), dtype=bool)
    is_second[first_line_of] = False
    n_codes = (data.n_codes + has_missing)[feature_of]
    missing_code = np.where(has_missing, data.n_codes, -1)[feature_of]
    missing_code[is_second] = 0
    codes, is_cut, has_many_values = data.codes, is_cut[feature_of], has_many_values[feature_of]
    if is_second.any():
        codes = codes[feature_of]
        codes[is_second] = (codes[is_second] + 1) % n_codes[is_second][:, None]
    other_lists = np.flatnonzero(is_cut & (n_codes > MOST_COUNTED) & ~(has_many_values & ~is_second))
    list_lines = np.concatenate([first_line_of[data.sorted_features], other_lists])
    list_of = np.full(len(feature_of), -1)
    list_of[list_lines] = np.arange(len(list_lines))
    return SearchPlan(
        feature_of=feature_of,
        first_line_of=first_line_of,
        codes=codes,
        list_lines=list_lines,
        has_ties=(n_codes < len(data.target))[list_lines] | is_second[list_lines],
        list_of=list_of,
        is_cut=is_cut,
        category_side=ONE_VALUE if recipe.categories == "one_against_rest" else UP_TO_MEAN,
        n_codes=n_codes,
        missing_code=missing_code,
    )


def counted_and_listed(plan: SearchPlan, few: int) -> tuple[list[CountedLines], Any]:
    """Return the lines that are counted, in groups of similar numbers of values, and the lists that are searched.

    Lists of at most `few` values are counted as well, which is faster while nodes are large.
    """
    is_counted = (plan.list_of < 0) | (plan.n_codes <= few)
    groups = []
    for kind in (UP_TO_VALUE, plan.category_side):
        lines = np.flatnonzero(is_counted & (plan.is_cut == (kind == UP_TO_VALUE)) & (plan.n_codes > 1))
        lines = lines[np.argsort(plan.n_codes[lines], kind="stable")]
        while len(lines):
            is_similar = plan.n_codes[lines] <= 2 * plan.n_codes[lines[0]]
            group = lines[is_similar]
            groups.append(CountedLines(np.sort(group), int(plan.n_codes[group].max()), kind))
            lines = lines[~is_similar]
    return groups, np.flatnonzero(~is_counted[plan.list_lines])


def _row_type(n_rows: int) -> Any:
    """Return the type of row numbers: numpy indexes fastest with intp; for many rows int32 takes half the memory."""
    return np.intp if n_rows <= _MOST_ROWS else np.int32


def root_level(data: EncodedProblem, plan: SearchPlan) -> Level:
    """Return the level of the root alone."""
    n, n_sorted = len(data.target), len(data.sorted_features)
    order = np.empty((len(plan.list_lines), n), dtype=_row_type(n))
    order[:n_sorted] = data.presorted
    for index in range(n_sorted, len(plan.list_lines)):
        codes, n_codes = plan.codes[plan.list_lines[index]], int(plan.n_codes[plan.list_lines[index]])
        narrow = np.uint8 if n_codes <= 1 << 8 else np.uint16 if n_codes <= 1 << 16 else np.int32
        order[index] = np.argsort(codes.astype(narrow), kind="stable")  # numpy sorts narrow integers in linear time
    rows, zero = np.arange(n), np.zeros(1, dtype=np.intp)
    return Level(RowSubset(rows, data.target, plan.codes), zero, zero, np.array([n]), rows, order)


def split_level(level: Level, plan: SearchPlan) -> Iterator[Level]:
    """Yield the level, or smaller levels of some of its nodes where it has too many rows or nodes."""
    n = len(level.rows)
    most_nodes = max(1, _MOST_CELLS // max(1, int(plan.n_codes[~plan.is_cut].max(initial=1))))
    if len(level.node) == 1 or (n <= _MOST_ROWS and len(level.node) <= most_nodes):
        yield level
        return
    number_in_level = np.empty(len(level.subset.rows), dtype=np.int32)
    number_in_level[level.rows] = np.arange(n)
    ends = np.cumsum(level.size)
    first = 0
    while first < len(ends):
        start = int(ends[first] - level.size[first])
        stop = max(first + 1, min(first + most_nodes, int(np.searchsorted(ends, start + _MOST_ROWS, side="right"))))
        yield _sublevel(level, number_in_level, slice(first, stop), slice(start, int(ends[stop - 1])))
        first = stop


def _sublevel(level: Level, number_in_level: Any, nodes: slice, span: slice) -> Level:
    """Return the level of some nodes; `span` are the positions of their rows."""
    rows, subset = level.rows[span], level.subset
    own_subset = RowSubset(subset.rows[rows], subset.target[rows], subset.codes.take(rows, axis=1))
    order = number_in_level.take(level.order[:, span]).astype(_row_type(len(rows)), copy=False)
    order -= span.start
    return Level(own_subset, level.node[nodes], level.depth[nodes], level.size[nodes], np.arange(len(rows)), order)


#: The side of a row whose node is a leaf.
IN_LEAF = 255


def child_level(level: Level, group_of_row: Any, numbers: Any, depth: Any, size: Any, group_of_child: Any) -> Level:
    """Return the level of the children, sorted by group; the children of a group keep the order of their parents.

    Args:
        level: The level of the parents.
        group_of_row: The group of each row of the subset (IN_LEAF: none).
        numbers: The number of each child in the tree.
        depth: The depth of each child.
        size: The number of rows of each child.
        group_of_child: The group of each child (-1: a leaf). Children of a group are all first ones, or all second.
    """
    n_groups = int(group_of_child.max(initial=-1)) + 1
    children = np.argsort(group_of_child, kind="stable")[int((group_of_child < 0).sum()) :]
    n_rows = np.bincount(group_of_row.take(level.rows), minlength=n_groups)[:n_groups]
    rows = np.empty(n_rows.sum(), dtype=np.intp)
    order = np.empty((len(level.order), len(rows)), dtype=level.order.dtype)
    for parent_order, child_order in ((level.rows, rows), *zip(level.order, order, strict=True)):
        groups, start = group_of_row.take(parent_order), 0
        for group, n in enumerate(n_rows.tolist()):
            child_order[start : start + n] = parent_order.take(np.flatnonzero(groups == group))
            start += n
    return Level(level.subset, numbers[children], depth[children], size[children], rows, order)
