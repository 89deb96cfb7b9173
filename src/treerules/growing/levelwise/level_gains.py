"""How much every cut of every node of a level gains: by sums along lists, or of cells of tables, of all at once.

In a node of n rows, t of them of a class, a first side of m rows, l of the class, gains in proportion to

    (l n - t m)^2 / (m (n - m)),  summed over the classes:

so each row carries n - t where it is of the class and -t where not, and what the rows of a node carry sums up to 0. One
running sum serves all nodes of all lines, one after the other. The same holds of a regression, whose rows carry how far
they are from the node's mean. All sums are exact, in whole numbers.
"""

from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules.criteria import ENTROPY_KERNEL, LOGARITHMS, Base, kernel_of
from treerules.growing.encoding import EncodedProblem
from treerules.growing.levelwise.entropy_gains import Entropies, entropies_of, list_gains, side_gains
from treerules.growing.levelwise.level_rows import MEANS, UPTO, Counted, Level, Part, Plan, searched
from treerules.recipes.recipe import Recipe

#: In nodes of at most so many rows unequal gains of classes are unequal as floats: their quotients of whole numbers,
#: n^4 / 8 over n^2 / 4 at most, differ by more than half a unit in the last place.
MOST_EXACT = 700
#: How far the gains of classes may be off, relatively, in larger nodes.
_OFF = 1e-13
#: Scores tie within this share of a node's impurity (as in `splits`).
_TOLERANCE = 1e-12
#: Half a unit in the last place of 1.
_UNIT = 2.0**-53
#: Lists of more values are not counted instead, however large nodes are.
_WIDEST = 1 << 12
#: Cells that are at work together.
_CELLS = 1 << 16


@frozen(eq=False)
class Terms:
    """What the nodes of a level are scored by; arrays have one place a node, or a row of the part."""

    #: what each row carries, for all classes but the last, and how many of the level's rows are to be looked at: none
    #: after them is in a node of more classes
    carried: tuple[tuple[Any, int], ...]
    #: the place of each row's class among those of its node, and the counts of those, shape (classes, nodes)
    place: Any
    counts: Any
    #: whether the last class counts as well
    is_closed: bool
    #: what the products of sizes are multiplied by
    factor: float
    least: float
    #: scores tie within the tolerance, and are off by the error at most
    tolerance: Any
    error: Any
    #: whether the error is a share of the score
    is_relative: bool
    #: scores are those of `splits` times this
    unit: Any
    #: where gains are those of entropy, which need no carried sums
    entropies: Entropies | None = None


def terms_of(level: Level, data: EncodedProblem, recipe: Recipe, figures: Any) -> Terms:
    """Return what a level is scored by; figures are those of its nodes."""
    if data.is_regression:
        return _terms_of_means(level, data, recipe, figures)
    return _terms_of_classes(level, recipe, figures)


def _terms_of_classes(level: Level, recipe: Recipe, counts: Any) -> Terms:
    target, size = level.part.target.take(level.rows), level.size
    is_there = counts > 0
    n_classes = is_there.sum(axis=1)
    most = int(n_classes.max())
    place = (np.cumsum(is_there, axis=1) - 1)[np.repeat(np.arange(len(size)), size), target]
    ranked = np.argsort(~is_there, axis=1, kind="stable")[:, :most]  # the classes of each node
    totals = np.take_along_axis(counts, ranked, axis=1).T
    ends = [int(size[: np.flatnonzero(n_classes > c + 1)[-1] + 1].sum()) for c in range(most - 1)]
    if kernel_of(recipe.scoring) == ENTROPY_KERNEL:
        return _terms_of_entropies(level, recipe, place, totals.astype(np.intp), ends)
    n_of_row, carried = np.repeat(size, size), []
    for c, end in enumerate(ends):
        here = np.zeros(len(level.part.rows))
        here[level.rows] = np.where(place == c, n_of_row, 0) - np.repeat(totals[c], size)
        carried.append((here, end))
    error = np.where(size > MOST_EXACT, _OFF, 0.0)
    zero, squared = np.zeros(len(size)), np.square(size.astype(np.float64))
    closed, factor = most > 2, 1.0 if most > 2 else 0.5
    return Terms(tuple(carried), place, totals, closed, factor, recipe.least, zero, error, True, squared)


def _terms_of_entropies(level: Level, recipe: Recipe, place: Any, totals: Any, ends: list[int]) -> Terms:
    entropies = entropies_of(level, place, totals, ends)
    unit = level.size / LOGARITHMS[cast(Base, recipe.base)](2.0)
    tolerance = _TOLERANCE * entropies.impurity
    return Terms((), place, totals, True, 1.0, recipe.least, tolerance, entropies.error, False, unit, entropies)


def _terms_of_means(level: Level, data: EncodedProblem, recipe: Recipe, figures: Any) -> Terms:
    size, start = level.size, level.start
    target = level.part.target.take(level.rows)
    low, centre, high = (target[at] for at in (start, start + size // 2, start + size - 1))
    exponent = -np.frexp(high - low)[1]
    off = np.ldexp(target - np.repeat(centre, size), np.repeat(exponent, size))  # between -1 and 1
    bits = 61 - np.frexp(size)[1]
    whole = np.rint(np.ldexp(off, np.repeat(bits, size))).astype(np.int64)
    total = np.add.reduceat(whole, start)
    mean = total // size
    whole -= np.repeat(mean, size)
    whole -= np.arange(len(whole)) - np.repeat(start, size) < np.repeat(total - mean * size, size)  # to sum up to 0
    here = np.zeros(len(level.part.rows), dtype=np.int64)
    here[level.rows] = whole
    sd = np.ldexp(figures[:, 2], exponent - data.exponent)
    spread = np.add.reduceat(np.abs(off), start)
    error = _UNIT * (16 * spread + 16) + np.ldexp(4.0, -bits)  # of theirs, by order of summation; of ours, by the bits
    unit = np.ldexp(1.0, 2 * bits)
    tolerance = _TOLERANCE * sd * sd * unit
    return Terms(((here, len(whole)),), None, None, False, 1.0, recipe.least, tolerance, error * unit, False, unit)


def best_of_features(level: Level, plan: Plan, terms: Terms) -> Any:
    """Return the greatest score of each feature in each node, shape (features, nodes); 0 where none fits."""
    n, nodes = len(level.rows), len(level.size)
    best = np.zeros((len(plan.n_codes), nodes))
    classes = 1 if terms.counts is None else len(terms.counts)
    counted, listed = searched(plan, min(_WIDEST, n // (4 * nodes * classes)))
    below, width = below_places(level, terms), max(1, _CELLS // n)
    for first in range(0, len(listed), width):
        block = listed[first : first + width]
        features = plan.lines[block]
        codes = features[:, None] if plan.is_tied[block].any() else None
        scores = list_scores(level.part, level.order[block], codes, terms, below)
        starts = (level.start + (np.arange(len(scores)) * n)[:, None]).ravel()
        best[features] = np.maximum.reduceat(scores.ravel(), starts).reshape(-1, nodes)
    node_of_row = np.repeat(np.arange(nodes), level.size)
    for group in counted:
        width = max(1, 2 * _CELLS // max(n, nodes * group.width * classes))
        for first in range(0, len(group.features), width):
            features = group.features[first : first + width]
            codes = level.part.codes[features].take(level.rows, axis=1)
            best[features] = table_scores(level, codes, node_of_row, group, terms)[0].max(axis=0)
    return best


def below_places(level: Level, terms: Terms) -> Any:
    """Return what scores along lists are divided by: the product of both sizes, infinite where one is too small."""
    left = np.arange(1, len(level.rows) + 1) - np.repeat(level.start, level.size)
    return _below(left, np.repeat(level.size, level.size), terms)


def _below(left: Any, size: Any, terms: Terms) -> Any:
    right = size - left
    fits = (left >= terms.least) & (right >= terms.least) & (left > 0) & (right > 0)
    product = left.astype(np.float64) * right
    product *= terms.factor
    product[~fits] = np.inf
    return product


def list_scores(part: Part, order: Any, features: Any, terms: Terms, below: Any) -> Any:
    """Return the score of a cut after each place of some lists, 0 where none fits.

    `features` are those of the places, where a list's neighbours may be equal.
    """
    if terms.entropies is not None:
        scores = list_gains(terms.entropies, order)
        scores[:, np.isinf(below)] = 0.0
    else:
        scores = _squared(terms, order)
        scores /= below
    if features is not None:
        codes = part.codes.ravel().take(order + features * np.intp(len(part.rows)))
        scores[:, :-1] *= codes[:, 1:] != codes[:, :-1]
    return scores


def _squared(terms: Terms, order: Any) -> Any:
    """Return the sum over the classes of the squares of what first sides carry: the last class balances the others."""
    total = _along(terms.carried[0][0], order).astype(np.float64, copy=False)
    if not terms.is_closed:
        return np.square(total, out=total)
    found = np.square(total)
    for here, n_rows in terms.carried[1:]:
        more = _along(here, order[:, :n_rows])
        total[:, :n_rows] += more
        found[:, :n_rows] += np.square(more, out=more)
    found += np.square(total, out=total)
    return found


def _along(here: Any, order: Any) -> Any:
    return np.cumsum(here.take(order)).reshape(order.shape)


def table_scores(level: Level, codes: Any, node_of_row: Any, group: Counted, terms: Terms) -> tuple[Any, Any, Any]:
    """Return the scores of first sides, 0 where none fits; how many rows have each value; the values by their means.

    Arrays have the shape (values, lines, nodes). `codes` has a line for each feature, in the level's order.
    """
    lines, nodes = len(codes), len(level.size)
    shape = group.width, lines, nodes
    keys = codes * np.intp(lines * nodes)
    keys += node_of_row
    keys += (np.arange(lines) * nodes)[:, None]
    cells = group.width * lines * nodes
    if terms.counts is None:
        count = np.bincount(keys.ravel(), minlength=cells).reshape(shape)
        carried = np.broadcast_to(terms.carried[0][0].take(level.rows), keys.shape)
        scores = np.square(_running(np.bincount(keys.ravel(), carried.ravel(), cells).reshape(shape), group))
        left = _running(count.copy(), group)
    else:
        keys += terms.place * np.intp(cells)
        by_class = np.bincount(keys.ravel(), minlength=len(terms.counts) * cells).reshape(-1, *shape)
        count = by_class.sum(axis=0)
        if group.kind == MEANS:
            scores, order = _by_means(level, by_class, count, terms)
            return scores, count, order
        left = _running(count.copy(), group)
        if terms.entropies is not None:
            by_class = np.stack([_running(one, group) for one in by_class])
            return _gains_that_fit(terms, by_class, left, level.size), count, None
        scores = np.zeros(shape)
        for one, total in zip(by_class if terms.is_closed else by_class[:1], terms.counts, strict=False):
            off = _running(one, group) * level.size - total * left
            scores += np.square(off.astype(np.float64))
    scores /= _below(left, level.size, terms)
    return scores, count, None


def _by_means(level: Level, by_class: Any, count: Any, terms: Terms) -> tuple[Any, Any]:
    """Return the scores of the values up to each in the order of the second class's shares, and that order.

    The best subset for two classes is among them (Breiman 1984, theorem 4.5); values of equal shares stay together.
    """
    share = np.where(count > 0, by_class[1] / np.maximum(count, 1), np.inf)
    order = np.argsort(share, axis=0, kind="stable")
    share, first = np.take_along_axis(share, order, axis=0), np.take_along_axis(by_class[0], order, axis=0)
    left = np.cumsum(np.take_along_axis(count, order, axis=0), axis=0)
    first = np.cumsum(first, axis=0)
    if terms.entropies is not None:
        scores = _gains_that_fit(terms, np.stack([first, left - first]), left, level.size)
    else:
        off = first * level.size - terms.counts[0] * left
        scores = np.square(off.astype(np.float64)) / _below(left, level.size, terms)
    scores[:-1] *= share[1:] != share[:-1]
    return scores, order


def _gains_that_fit(terms: Terms, by_class: Any, left: Any, size: Any) -> Any:
    assert terms.entropies is not None
    gains = side_gains(terms.entropies, by_class, terms.counts, left, size)
    gains[np.isinf(_below(left, size, terms))] = 0.0
    return gains


def _running(cells: Any, group: Counted) -> Any:
    return np.cumsum(cells, axis=0, out=cells) if group.kind == UPTO else cells
