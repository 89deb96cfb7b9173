"""How much every cut of every node of a level gains by entropy; as `level_gains`, in bits times rows.

In a node of n rows, t of each class, a first side of m rows, l of the class, gains

    sum of (x(l) + x(t - l)) over the classes - x(m) - x(n - m) + x(n) - sum of x(t),    x(c) = c log2 c:

so running counts of all classes but one of each node, taken from one table of x, serve all nodes of all lines.
"""

from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.levelwise.level_rows import Level


@frozen(eq=False)
class Entropies:
    """What the nodes of a level are scored by; arrays have one number a place, a node's places one after another."""

    #: c log2 c of all counts
    x_log_x: Any
    #: for classes but the last: which rows of the part are of them; how many rows before the place's node are, and how
    #: many in it, for the places up to the last whose node has such a class
    classes: tuple[tuple[Any, Any, Any], ...]
    #: the rows up to each place, and those of the class that is left
    left: Any
    rest: Any
    #: what does not depend on the classes of the sides
    fixed: Any
    #: of the nodes: x(n) - sum of x(t), their impurity in these units; and how far gains may be off by rounding
    impurity: Any
    error: Any


def entropies_of(level: Level, place: Any, totals: Any, ends: Any) -> Entropies:
    """Return what a level is scored by. `place` is that of each row's class among those of its node, `totals` has the
    counts of those, shape (classes, nodes), and `ends` the rows up to the last node that has more classes than one.
    """
    size = level.size
    x_log_x = np.arange(int(size.max()) + 1, dtype=np.float64)
    x_log_x[2:] *= np.log2(x_log_x[2:])
    x_log_x[:2] = 0.0
    n = np.repeat(size, size)
    left, rest, classes = np.arange(1, len(n) + 1) - np.repeat(level.start, size), n.copy(), []
    for c, end in enumerate(ends):
        here = np.zeros(len(level.part.rows), dtype=np.intp)
        here[level.rows] = place == c
        of = np.repeat(totals[c], size)[:end]
        classes.append((here, np.repeat(np.cumsum(totals[c]) - totals[c], size)[:end], of))
        rest[:end] -= of
    impurity = x_log_x[size] - x_log_x[totals].sum(axis=0)
    fixed = np.repeat(impurity, size) - x_log_x[left] - x_log_x[n - left]
    error = 2.0**-52 * (8 * len(totals) + 24) * (x_log_x[size] + 1)
    return Entropies(x_log_x, tuple(classes), left, rest, fixed, impurity, error)


def list_gains(terms: Entropies, order: Any) -> Any:
    """Return the gain of a cut after each place of some lists."""
    x_log_x, rest = terms.x_log_x, np.repeat(terms.left[None], len(order), axis=0)
    gains = np.repeat(terms.fixed[None], len(order), axis=0)
    for here, before, of in terms.classes:
        n_rows = len(before)
        here_left = np.cumsum(here.take(order[:, :n_rows]), axis=1)
        here_left -= before
        rest[:, :n_rows] -= here_left
        gains[:, :n_rows] += x_log_x.take(here_left)
        gains[:, :n_rows] += x_log_x.take(of - here_left)
    gains += x_log_x.take(rest)
    gains += x_log_x.take(terms.rest - rest)
    return gains


def side_gains(terms: Entropies, by_class: Any, totals: Any, left: Any, size: Any) -> Any:
    """Return the gain of first sides of `left` rows, of which `by_class` are of each class; shapes (..., nodes)."""
    x_log_x = terms.x_log_x
    gains = terms.impurity - x_log_x.take(left) - x_log_x.take(size - left)
    for one, total in zip(by_class, totals, strict=True):
        gains += x_log_x.take(one) + x_log_x.take(total - one)
    return gains
