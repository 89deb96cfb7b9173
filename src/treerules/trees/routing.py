"""Routing of whole columns: by the test of one split, or by a routing table from the root to the leaves.

Rows are routed in blocks, here by numpy and in `routing_kernel` by numba; both give the same answers.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules._internal.jit import ROUTES, is_used, load_kernels
from treerules.data.column import Column
from treerules.data.schema import UNSEEN, Kind, ordinate
from treerules.errors import ColumnError
from treerules.trees.node_parts import CategoryTest, Test, ThresholdTest, fold_thresholds
from treerules.trees.nodes import Leaf, Node, Split
from treerules.trees.value_set_test import ValueSetTest
from treerules.trees.walkers import fold

#: The number of rows that are routed at once: their cells stay in the processor's cache.
BLOCK = 8_192
#: The CPU seconds that compiled code saves per test of a row.
_SAVED_PER_TEST = 2e-8
#: The greatest int64: every bit but the sign is set.
INT64_MAX = 2**63 - 1


def sides_of(test: Test, column: Column, *, missing: int, unseen: int | None) -> Any:
    """Return the child that a test sends each row of its feature's column to (int64)."""
    if isinstance(test, ThresholdTest):
        sides = (column.data > ordinate(test.threshold)).astype(np.int64)
    elif isinstance(test, ValueSetTest):
        ends = np.array(list(map(ordinate, test.thresholds)), dtype=column.data.dtype)
        sides = (np.searchsorted(ends, column.data) + test.lowest_child) % 2
    else:
        n = sum(len(group) for group in test.groups)
        child = np.full(n + 2, 0 if unseen is None else unseen, dtype=np.int64)  # unseen is -2, missing -1
        for side, group in enumerate(test.groups):
            child[list(group)] = side
        sides = child[column.data]
    sides[column.missing] = missing
    return sides


# ---- the routing table


@frozen(eq=False)
class RoutingTable:
    """A tree as one array of integers (int64). The split at position p is

        p         p + 1       p + 2    p + 3     p + 4 ...
        feature   threshold   unseen   missing   a child for each answer

    where `feature` is a position in `features`. The outcome of a threshold test is 0, or 1 if the cell is above it; the
    outcome of a test of categories is the position of the category. A missing cell has the outcome -1, an unseen one
    -2; thresholds have the same child for both. A child is the position of a split, or below 0 the code of a leaf: -1
    is the last leaf, -2 the one before. A code and the length of `leaf_values` add up to the number of the rule.
    """

    array: Any
    #: the position of the root's split, or the code of a lone leaf
    root: int
    #: the features that some split tests, ascending
    features: tuple[int, ...]
    #: for each of them -1 where it has categories, else 0, shape (features,)
    category_mask: Any
    #: for each of them `INT64_MAX` where it is a number, else 0 (see `to_ordered_bits`), shape (features,)
    sign_mask: Any
    #: the prediction of each leaf, by the number of its rule; there is no rule 0
    leaf_values: Any


def compile_routing(root: Node) -> RoutingTable:
    """Return the routing table of a tree's root."""
    array: list[int] = []
    values: list[Any] = []
    splits: list[int] = []
    thresholds: dict[int, float] = {}  # of numbers, by their positions; all are converted at once
    kinds: dict[int, type] = {}

    def leaf(node: Leaf) -> int:
        values.append(node.prediction.value)  # fold visits the last leaf first
        return -len(values)

    def split(node: Split, children: tuple[int, ...]) -> int:
        test, position, missing = node.test, len(array), children[node.missing]
        if isinstance(test, CategoryTest):
            splits.append(position)
            kinds[test.feature] = CategoryTest
            answers = _child_of_each_category(test, children)
            array.extend((test.feature, INT64_MAX, children[node.unseen or 0], missing, *answers))
            return position
        feature = test.feature

        def cut(threshold: Any, at_most: int, above: int) -> int:
            """Write an entry; a union of intervals has one for each of its bounds, which lead to the same children."""
            position, kinds[feature] = len(array), type(threshold)
            splits.append(position)
            if isinstance(threshold, float):
                thresholds[position + 1], threshold = threshold, 0
            array.extend((feature, ordinate(threshold), missing, missing, at_most, above))
            return position

        return fold_thresholds(test, children, cut)

    start = fold(root, leaf, split)
    features = sorted(kinds)
    table = np.array(array, dtype=np.int64)
    table[splits] = np.searchsorted(features, table[splits])
    bits = (np.array(list(thresholds.values())) + 0.0).view(np.int64)  # -0.0 is 0.0
    to_ordered_bits(bits, INT64_MAX)
    table[list(thresholds)] = bits
    category_mask = np.array([-1 if kinds[feature] is CategoryTest else 0 for feature in features], dtype=np.int64)
    sign_mask = np.array([INT64_MAX if kinds[feature] is float else 0 for feature in features], dtype=np.int64)
    leaf_values = np.array([None, *reversed(values)], dtype=object)
    return RoutingTable(table, start, tuple(features), category_mask, sign_mask, leaf_values)


def _child_of_each_category(test: CategoryTest, children: tuple[int, ...]) -> list[int]:
    """Return the child of each category, by its position."""
    by_category = {category: child for group, child in zip(test.groups, children, strict=False) for category in group}
    return [by_category[category] for category in range(len(by_category))]


def to_ordered_bits(bits: Any, sign_mask: int) -> None:
    """Convert float64 bits in int64 to integers of the same order, in place; a mask of 0 leaves integers unchanged.

    The bits are the sign and the magnitude. Read as an integer they descend below 0, so there the magnitude is
    inverted. NaN must be marked by `missing`, and -0.0 precedes 0.0.

    >>> bits = np.array([-np.inf, -1.0, -5e-324, 0.0, 5e-324, np.inf]).view(np.int64)
    >>> to_ordered_bits(bits, INT64_MAX)
    >>> np.diff(bits.astype(object)) > 0
    array([ True,  True,  True,  True,  True])
    """
    if sign_mask:
        bits ^= (bits >> 63) & sign_mask  # >> 63 is -1 below 0, else 0


# ---- routing rows by the table


def route(
    table: RoutingTable,
    columns: Sequence[Column],
    n_rows: int,
    *,
    progress: Callable[[int, int], None] | None = None,
    compiled: bool | None = None,
) -> Any:
    """Return the number of each row's rule (int64, from 1), given the columns of the table's features, in its order.

    `progress` is called with (rows in leaves, all rows) after each block. `compiled` is the argument of `jit.is_used`.

    Raises:
        ColumnError: a column holds a code that is not a category.
    """
    if not columns:
        return np.ones(n_rows, dtype=np.int64)
    for column in columns:
        check_codes(column)
    route_rows = _router(table, n_rows, compiled)
    shape = len(columns), min(BLOCK, n_rows)
    cells, missing = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=bool)
    codes = np.empty(n_rows, dtype=np.int64)
    for start in range(0, n_rows, BLOCK):
        rows = slice(start, min(start + BLOCK, n_rows))
        for position, column in enumerate(columns):
            fill_cells(column, rows, cells[position], missing[position])
        route_rows(table.array, table.root, table.category_mask, table.sign_mask, cells, missing, codes[rows])
        if progress is not None:
            progress(rows.stop, n_rows)
    codes += len(table.leaf_values)
    return codes


def _router(table: RoutingTable, n_rows: int, compiled: bool | None) -> Callable[..., None]:
    """Return the function that routes a block: the compiled one where it is worth loading."""
    n_tests = n_rows * len(table.leaf_values).bit_length()
    if not is_used(ROUTES, n_tests * _SAVED_PER_TEST, compiled):
        return route_block
    return cast(Callable[..., None], load_kernels(ROUTES).route_block_compiled)


def check_codes(column: Column) -> None:
    """Raise ColumnError for a code that is not a category: it would index outside the table."""
    if column.feature.is_ordered:
        return
    data, n = column.data, len(column.feature.categories)
    if len(data) and (np.minimum.reduce(data) < UNSEEN or np.maximum.reduce(data) >= n):
        invalid = data[~column.missing & ((data < UNSEEN) | (data >= n))]  # the data of a missing cell are arbitrary
        if len(invalid):
            name = column.feature.name
            raise ColumnError(name, "holds codes of no category", "make it of values", invalid[:3].tolist())


def fill_cells(column: Column, rows: slice, cells: Any, is_missing: Any) -> None:
    """Write the cells of some rows of a column as integers (numbers as their bits), and their missing mask.

    A missing category is -1, and is not marked.
    """
    data, missing = column.data[rows], column.missing[rows]
    cells[: len(data)] = data.view(np.int64) if column.feature.kind is Kind.NUMBER else data
    if column.feature.is_ordered:
        is_missing[: len(data)] = missing
    elif column.n_missing:
        cells[: len(data)] |= -missing.view(np.int8)  # -1, which is `MISSING`, has all bits


def route_block(
    table: Any, root: int, category_mask: Any, sign_mask: Any, cells: Any, missing: Any, codes: Any
) -> None:
    """Write the code of each row's leaf: all rows pass a split before any passes the next.

    `cells` and `missing` have a line for each feature of the table, at least as long as `codes`. The cells are made
    fit to compare, in place.
    """
    for line, mask in zip(cells, sign_mask, strict=True):
        to_ordered_bits(line, mask)
    width, any_missing, any_categories = cells.shape[1], missing.any(), category_mask.any()
    cells, missing = cells.reshape(-1), missing.reshape(-1)
    rows, positions = np.arange(len(codes)), np.full(len(codes), root)
    while len(rows):
        features = table.take(positions)
        at = features * width + rows
        cell = cells.take(at)
        answer = (cell > table.take(positions + 1)).astype(np.int64)
        if any_categories:
            answer += cell & category_mask.take(features)
        if any_missing:
            answer -= 2 * missing.take(at)  # 0 or 1 becomes -2 or -1, which have the same child
        positions += 4
        positions += answer
        positions = table.take(positions)
        codes[rows] = positions
        unfinished = np.flatnonzero(positions >= 0)
        if len(unfinished) < len(rows):
            rows, positions = rows.take(unfinished), positions.take(unfinished)
