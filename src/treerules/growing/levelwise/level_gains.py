"""The gain of every cut of every node of a level, from cumulative sums along sorted lists or from counts by value.

Let a node have n rows, t of them of some class, and the first side of a split m rows, l of them of the class. The
decrease of Gini is proportional to

    (l n - t m)^2 / (m (n - m)),  summed over the classes.

l n - t m is the sum over the first side of a deviation of each row: n - t if it is of the class, else -t. The
deviations of a node's rows add up to 0, so one cumulative sum serves all nodes of a list. For a regression the
deviation is that from the node's mean. All deviations are integers, so sums are exact.
"""

from typing import Any

import numpy as np

from treerules.growing.levelwise.entropy_gains import list_gains, side_gains
from treerules.growing.levelwise.level_rows import (
    UP_TO_MEAN,
    UP_TO_VALUE,
    CountedLines,
    Level,
    RowSubset,
    SearchPlan,
    counted_and_listed,
)
from treerules.growing.levelwise.level_scoring import (
    LevelScoring,
)

#: Features of lists with more values are never counted, however large nodes are.
_MOST_VALUES_COUNTED = 1 << 12
#: The number of cells that are computed together.
_CELLS_AT_ONCE = 1 << 16


def best_scores(level: Level, plan: SearchPlan, scoring: LevelScoring) -> Any:
    """Return the greatest score of each line in each node, shape (lines, nodes); 0 where no split is allowed."""
    n, n_nodes = len(level.rows), len(level.size)
    best = np.zeros((len(plan.n_codes), n_nodes))
    n_classes = 1 if scoring.class_counts is None else len(scoring.class_counts)
    counted, listed = counted_and_listed(plan, min(_MOST_VALUES_COUNTED, n // (4 * n_nodes * n_classes)))
    divisors, width = list_divisors(level, scoring), max(1, _CELLS_AT_ONCE // n)
    for first in range(0, len(listed), width):
        block = listed[first : first + width]
        lines = plan.list_lines[block]
        codes = lines[:, None] if plan.has_ties[block].any() else None
        scores = list_scores(level.subset, level.order[block], codes, scoring, divisors, plan)
        starts = (level.start + (np.arange(len(scores)) * n)[:, None]).ravel()
        best[lines] = np.maximum.reduceat(scores.ravel(), starts).reshape(-1, n_nodes)
    node_of_row = np.repeat(np.arange(n_nodes), level.size)
    for group in counted:
        width = max(1, 2 * _CELLS_AT_ONCE // max(n, n_nodes * group.width * n_classes))
        for first in range(0, len(group.lines), width):
            lines = group.lines[first : first + width]
            codes = level.subset.codes[lines].take(level.rows, axis=1)
            scores, count, _ = table_scores(level, codes, node_of_row, group, scoring)
            clear_missing_alone(scores, count, plan.is_missing_first[lines][:, None])
            best[lines] = scores.max(axis=0)
    for line in np.flatnonzero(plan.is_missing_first).tolist():  # the same as the line before where none is missing
        best[line] *= np.logical_or.reduceat(level.subset.codes[line].take(level.rows) == 0, level.start)
    return best


def clear_missing_alone(scores: Any, count: Any, is_missing_first: Any) -> None:
    """Set the scores of splits of missing values from all others to 0 where they come first: the line before has them.

    `is_missing_first` has shape (lines, 1) or (1, nodes), the others are those of `table_scores`.
    """
    if is_missing_first.any():
        scores[is_missing_first & (np.cumsum(count, axis=0) == count[0])] = 0.0


def list_divisors(level: Level, scoring: LevelScoring) -> Any:
    """Return the divisor m (n - m) after each list position, shape (rows,); infinite where a child is too small."""
    left = np.arange(1, len(level.rows) + 1) - np.repeat(level.start, level.size)
    return _divisors(left, np.repeat(level.size, level.size), scoring)


def _divisors(left: Any, size: Any, scoring: LevelScoring) -> Any:
    """Return the divisors of first sides of `left` rows in nodes of `size` rows."""
    right = size - left
    fits = (left >= scoring.least) & (right >= scoring.least) & (left > 0) & (right > 0)
    product = left.astype(np.float64) * right
    product *= scoring.size_factor
    product[~fits] = np.inf
    return product


def list_scores(part: RowSubset, order: Any, lines: Any, scoring: LevelScoring, divisors: Any, plan: SearchPlan) -> Any:
    """Return the score of a cut after each position of some lists, shape (lists, rows); 0 where no cut is allowed.

    `order` are the rows of each list. `lines` are the lines of the lists, which broadcast to the shape of `order`,
    where equal values may be neighbours, else None. Missing values that come first are not separated from the others:
    the line before has this split.
    """
    if scoring.entropy is not None:
        scores = list_gains(scoring.entropy, order)
        scores[:, np.isinf(divisors)] = 0.0
    else:
        scores = _sums_of_squares(scoring, order)
        scores /= divisors
    if lines is not None:
        codes = part.codes.ravel().take(order + lines * np.intp(len(part.rows)))
        scores[:, :-1] *= codes[:, 1:] != codes[:, :-1]
        is_missing_first = plan.is_missing_first[lines]
        if is_missing_first.any():
            scores[is_missing_first & (codes == 0)] = 0.0
    return scores


def _sums_of_squares(scoring: LevelScoring, order: Any) -> Any:
    """Return the sum over the classes of the squared deviations of first sides; the last class balances the others."""
    total = _cumulative_along(scoring.deviations[0][0], order).astype(np.float64, copy=False)
    if not scoring.adds_last_class:
        return np.square(total, out=total)
    squares = np.square(total)
    for deviation, n_rows in scoring.deviations[1:]:
        sums = _cumulative_along(deviation, order[:, :n_rows])
        total[:, :n_rows] += sums
        squares[:, :n_rows] += np.square(sums, out=sums)
    squares += np.square(total, out=total)
    return squares


def _cumulative_along(deviation: Any, order: Any) -> Any:
    """Return the cumulative sums of the deviations along lists; those of a node start at 0."""
    return np.cumsum(deviation.take(order)).reshape(order.shape)


def table_scores(
    level: Level, codes: Any, node_of_row: Any, group: CountedLines, scoring: LevelScoring
) -> tuple[Any, Any, Any]:
    """Return the scores of first sides (0: not allowed), the counts of values, and the values by their means.

    All arrays have shape (values, lines, nodes); the last is None unless categories are ordered by their means.

    Args:
        level: The level.
        codes: The codes of some lines, shape (lines, rows), in the order of the level's rows.
        node_of_row: The position in the level of the node of each row.
        group: The lines, which are counted together.
        scoring: How splits are scored.
    """
    n_lines, n_nodes = len(codes), len(level.size)
    shape = group.width, n_lines, n_nodes
    keys = codes * np.intp(n_lines * n_nodes)
    keys += node_of_row
    keys += (np.arange(n_lines) * n_nodes)[:, None]
    n_cells = group.width * n_lines * n_nodes
    if scoring.class_counts is None:
        count = np.bincount(keys.ravel(), minlength=n_cells).reshape(shape)
        deviations = np.broadcast_to(scoring.deviations[0][0].take(level.rows), keys.shape)
        scores = np.square(
            _cumulative_counts(np.bincount(keys.ravel(), deviations.ravel(), n_cells).reshape(shape), group)
        )
        left = _cumulative_counts(count.copy(), group)
    else:
        keys += scoring.class_position * np.intp(n_cells)
        by_class = np.bincount(keys.ravel(), minlength=len(scoring.class_counts) * n_cells).reshape(-1, *shape)
        count = by_class.sum(axis=0)
        if group.first_side == UP_TO_MEAN:
            scores, order = _scores_by_mean(level, by_class, count, scoring)
            return scores, count, order
        left = _cumulative_counts(count.copy(), group)
        if scoring.entropy is not None:
            by_class = np.stack([_cumulative_counts(counts, group) for counts in by_class])
            return _gains_that_fit(scoring, by_class, left, level.size), count, None
        scores = np.zeros(shape)
        for counts, total in zip(
            by_class if scoring.adds_last_class else by_class[:1], scoring.class_counts, strict=False
        ):
            deviation = _cumulative_counts(counts, group) * level.size - total * left
            scores += np.square(deviation.astype(np.float64))
    scores /= _divisors(left, level.size, scoring)
    return scores, count, None


def _scores_by_mean(level: Level, by_class: Any, count: Any, scoring: LevelScoring) -> tuple[Any, Any]:
    """Return the scores of cuts in the order of the second class's shares, and that order; equal shares stay together.

    The best subset of categories for two classes is among these cuts (Breiman et al. 1984, theorem 4.5).
    """
    share = np.where(count > 0, by_class[1] / np.maximum(count, 1), np.inf)
    order = np.argsort(share, axis=0, kind="stable")
    share, first = np.take_along_axis(share, order, axis=0), np.take_along_axis(by_class[0], order, axis=0)
    left = np.cumsum(np.take_along_axis(count, order, axis=0), axis=0)
    first = np.cumsum(first, axis=0)
    if scoring.entropy is not None:
        scores = _gains_that_fit(scoring, np.stack([first, left - first]), left, level.size)
    else:
        deviation = first * level.size - scoring.class_counts[0] * left
        scores = np.square(deviation.astype(np.float64)) / _divisors(left, level.size, scoring)
    scores[:-1] *= share[1:] != share[:-1]
    return scores, order


def _gains_that_fit(scoring: LevelScoring, by_class: Any, left: Any, size: Any) -> Any:
    """Return the entropy gains of first sides; 0 where a child is too small."""
    assert scoring.entropy is not None
    gains = side_gains(scoring.entropy, by_class, scoring.class_counts, left, size)
    gains[np.isinf(_divisors(left, size, scoring))] = 0.0
    return gains


def _cumulative_counts(cells: Any, group: CountedLines) -> Any:
    """Return the sums of first sides from the sums of each value, shape (values, ...)."""
    return np.cumsum(cells, axis=0, out=cells) if group.first_side == UP_TO_VALUE else cells
