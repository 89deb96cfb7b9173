"""The information gain of every cut of every node of a level, times the rows of the node, in bits.

Let a node have n rows, t of each class, and the first side of a split m rows, l of the class. n times the gain is

    sum of (x(l) + x(t - l)) over the classes - x(m) - x(n - m) + x(n) - sum of x(t),    x(c) = c log2 c.

Cumulative counts of all classes but one of each node, looked up in one table of x, serve all nodes of a list.
"""

from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.levelwise.level_rows import Level


@frozen(eq=False)
class EntropyTables:
    """The tables for computing the entropy gains of a level. Positions in a list are contiguous for each node."""

    #: c log2 c of all counts
    x_log_x: Any
    #: for each class but the last: whether each row of the subset is of the class; and, for each position up to the
    #: last node with the class, the number of its rows before the node and in the node
    classes: tuple[tuple[Any, Any, Any], ...]
    #: the number of rows of the node up to each position, and the number of rows of its last class
    left: Any
    rest: Any
    #: the part of the gain that does not depend on the classes of the sides, for each position
    fixed: Any
    #: for each node: its impurity x(n) - sum of x(t), and a bound on the rounding error of its gains
    impurity: Any
    error: Any


def entropy_tables(level: Level, class_position: Any, totals: Any, ends: Any) -> EntropyTables:
    """Return the tables for computing the entropy gains of a level.

    Args:
        level: The level.
        class_position: The position of each row's class among the classes of its node, shape (rows,).
        totals: The counts by that position, shape (classes, nodes).
        ends: For each class position but the last, the number of rows up to the last node with more classes.
    """
    size = level.size
    x_log_x = np.arange(int(size.max()) + 1, dtype=np.float64)
    x_log_x[2:] *= np.log2(x_log_x[2:])
    x_log_x[:2] = 0.0
    n = np.repeat(size, size)
    left, rest, classes = np.arange(1, len(n) + 1) - np.repeat(level.start, size), n.copy(), []
    for position, n_rows in enumerate(ends):
        is_of_class = np.zeros(len(level.subset.rows), dtype=np.intp)
        is_of_class[level.rows] = class_position == position
        n_in_node = np.repeat(totals[position], size)[:n_rows]
        classes.append(
            (is_of_class, np.repeat(np.cumsum(totals[position]) - totals[position], size)[:n_rows], n_in_node)
        )
        rest[:n_rows] -= n_in_node
    impurity = x_log_x[size] - x_log_x[totals].sum(axis=0)
    fixed = np.repeat(impurity, size) - x_log_x[left] - x_log_x[n - left]
    error = 2.0**-52 * (8 * len(totals) + 24) * (x_log_x[size] + 1)
    return EntropyTables(x_log_x, tuple(classes), left, rest, fixed, impurity, error)


def list_gains(tables: EntropyTables, order: Any) -> Any:
    """Return n times the gain of a cut after each position of some lists, shape (lists, rows)."""
    x_log_x, rest = tables.x_log_x, np.repeat(tables.left[None], len(order), axis=0)
    gains = np.repeat(tables.fixed[None], len(order), axis=0)
    for is_of_class, n_before, n_in_node in tables.classes:
        n_rows = len(n_before)
        n_left = np.cumsum(is_of_class.take(order[:, :n_rows]), axis=1)
        n_left -= n_before
        rest[:, :n_rows] -= n_left
        gains[:, :n_rows] += x_log_x.take(n_left)
        gains[:, :n_rows] += x_log_x.take(n_in_node - n_left)
    gains += x_log_x.take(rest)
    gains += x_log_x.take(tables.rest - rest)
    return gains


def side_gains(tables: EntropyTables, by_class: Any, totals: Any, left: Any, size: Any) -> Any:
    """Return n times the gain of first sides of `left` rows, `by_class` of each class; shapes (..., nodes)."""
    x_log_x = tables.x_log_x
    gains = tables.impurity - x_log_x.take(left) - x_log_x.take(size - left)
    for counts, total in zip(by_class, totals, strict=True):
        gains += x_log_x.take(counts) + x_log_x.take(total - counts)
    return gains
