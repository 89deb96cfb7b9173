"""The split of each node of a level, as the reference decides it, and the nodes that only the reference can decide."""

from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.array_tree import ABSENT, CUT, LEAF, SUBSETS
from treerules.growing.encoding import EncodedProblem
from treerules.growing.levelwise.level_gains import (
    best_scores,
    clear_missing_alone,
    list_divisors,
    list_scores,
    table_scores,
)
from treerules.growing.levelwise.level_rows import IN_LEAF, UP_TO_VALUE, CountedLines, Level, SearchPlan
from treerules.growing.levelwise.level_scoring import LevelScoring
from treerules.recipes.recipe import Recipe


@frozen(eq=False)
class LevelSplits:
    """The splits of a level's nodes. Arrays have one entry per node, or per row of the level's subset."""

    #: LEAF, CUT or SUBSETS; a cut, or two subsets, may separate the missing values from all others
    kind: Any
    #: the line of the feature (see `SearchPlan`)
    line: Any
    #: for cuts, rows of the subset that hold the values just below and just above
    low: Any
    high: Any
    #: for splits by subsets, by position of the node: the child of each code, ABSENT where no row has it
    sides: dict[int, Any]
    #: the child of each row, IN_LEAF in nodes that are not split
    side: Any
    #: whether only the reference can decide the node
    needs_reference: Any


@frozen(eq=False)
class ScoreBounds:
    """Bounds on scores by node: scores of at least `low` may tie with the best, those of at least `high` do."""

    low: Any
    high: Any


def decide_level(
    level: Level, plan: SearchPlan, data: EncodedProblem, scoring: LevelScoring, recipe: Recipe
) -> LevelSplits:
    """Return the splits of the nodes of a level."""
    best = best_scores(level, plan, scoring)
    best_score = best.max(axis=0)
    error = scoring.error + scoring.relative_error * best_score
    bounds = ScoreBounds(best_score - scoring.tolerance - 2 * error, best_score - scoring.tolerance + 2 * error)
    may_tie = best >= bounds.low
    line = may_tie.argmax(axis=0)
    nodes = np.arange(len(level.size))
    is_certain = (best[line, nodes] >= bounds.high) | (may_tie.sum(axis=0) == 1)
    if plan.has_missing:  # the lowest cut wins, whichever side its missing values go to
        following = np.minimum(line + 1, len(best) - 1)
        is_certain &= ~(may_tie[following, nodes] & plan.is_missing_first[following])
    has_gain = best_score > scoring.tolerance - 2 * error
    is_certain &= best_score > 2 * scoring.tolerance + 4 * error
    is_certain |= ~has_gain
    splits = LevelSplits(
        kind=np.where(has_gain, np.where(plan.is_cut[line], CUT, SUBSETS), LEAF).astype(np.int8),
        line=line,
        low=np.zeros(len(nodes), dtype=np.intp),
        high=np.zeros(len(nodes), dtype=np.intp),
        sides={},
        side=np.full(len(level.subset.rows), IN_LEAF, dtype=np.uint8),
        needs_reference=~is_certain,
    )
    _apply_min_gain(level, scoring, recipe, data, best_score, error, splits)
    splits.kind[splits.needs_reference] = LEAF
    is_list = plan.list_of[line] >= 0
    if (is_list & (splits.kind == CUT)).any():
        _split_by_lists(level, plan, scoring, bounds, splits)
    if (~is_list & (splits.kind != LEAF)).any():
        _split_by_counts(level, plan, scoring, bounds, splits)
        _split_by_categories(level, plan, scoring, bounds, splits)
    splits.kind[splits.needs_reference] = LEAF
    splits.side[level.rows[np.repeat(splits.kind == LEAF, level.size)]] = IN_LEAF
    return splits


def _apply_min_gain(
    level: Level,
    scoring: LevelScoring,
    recipe: Recipe,
    data: EncodedProblem,
    best_score: Any,
    error: Any,
    splits: LevelSplits,
) -> None:
    """Make leaves of the nodes whose best split gains less than `min_gain`."""
    if not recipe.min_gain:
        return
    least = recipe.min_gain
    unit = scoring.unit
    if data.is_regression and data.exact is None:
        exponent = target_exponent(level, data)
        with np.errstate(over="ignore"):
            unit = unit * np.ldexp(1.0, 2 * exponent)
    required = least * unit
    is_near = np.abs(best_score - required) <= 1e-9 * required + 4 * error + scoring.tolerance
    splits.kind[best_score < required] = LEAF
    splits.needs_reference[is_near & (best_score > 0)] = True


def target_exponent(level: Level, data: EncodedProblem) -> Any:
    """Return the power of two by which the reference scales the target of a regression in each node, shape (nodes,)."""
    start = level.start
    low, high = (level.subset.target[level.rows[position]] for position in (start, start + level.size - 1))
    return -np.frexp(high - low)[1] - data.exponent


def _first_positions(holds: Any, node_of_position: Any, n_nodes: int) -> tuple[Any, Any]:
    """Return the first position in each node where a condition holds (-1: nowhere), and their number in each node."""
    positions = np.flatnonzero(holds)
    owners = node_of_position[positions]
    first = np.full(n_nodes, -1)
    first[owners[::-1]] = positions[::-1]
    return first, np.bincount(owners, minlength=n_nodes)


def _split_by_lists(
    level: Level, plan: SearchPlan, scoring: LevelScoring, bounds: ScoreBounds, splits: LevelSplits
) -> None:
    """Split the nodes whose line has a sorted list, all of them along one list put together from theirs."""
    n, n_nodes = len(level.rows), len(level.size)
    is_chosen = (splits.kind == CUT) & (plan.list_of[splits.line] >= 0)
    node_of_position = np.repeat(np.arange(n_nodes), level.size)
    lists = np.where(is_chosen, plan.list_of[splits.line], 0)
    order = level.order.ravel().take(np.repeat(lists * n, level.size) + np.arange(n))
    lines = plan.list_lines[lists][node_of_position]
    scores = list_scores(level.subset, order[None], lines[None], scoring, list_divisors(level, scoring), plan)[0]
    is_near = scores >= np.where(is_chosen, bounds.low, np.inf)[node_of_position]
    first, n_near = _first_positions(is_near, node_of_position, n_nodes)
    positions = first[is_chosen]
    splits.needs_reference[is_chosen] |= (scores[positions] < bounds.high[is_chosen]) & (n_near[is_chosen] > 1)
    splits.low[is_chosen], splits.high[is_chosen] = order[positions], order[positions + 1]
    is_in_chosen = is_chosen[node_of_position]
    splits.side[order[is_in_chosen]] = (np.arange(n) > first[node_of_position])[is_in_chosen]


def _split_by_counts(
    level: Level, plan: SearchPlan, scoring: LevelScoring, bounds: ScoreBounds, splits: LevelSplits
) -> None:
    """Cut the nodes whose line is counted."""
    is_chosen = (splits.kind == CUT) & (plan.list_of[splits.line] < 0)
    if not is_chosen.any():
        return
    counted = _counted_scores(level, plan, scoring, bounds, splits, is_chosen)
    codes, node_of_row = counted.codes, counted.node_of_row
    last = counted.is_near.argmax(axis=0)
    counted.mark_unclear_ties(last, counted.is_near.sum(axis=0), is_chosen, bounds, splits)
    is_in_chosen, is_second = is_chosen[node_of_row], codes > last[node_of_row]
    splits.side[level.rows[is_in_chosen]] = is_second[is_in_chosen]
    next_code = np.minimum.reduceat(np.where(is_second, codes, np.iinfo(np.int32).max), level.start)
    for rows, code in ((splits.low, last), (splits.high, next_code)):
        fits = is_in_chosen & (codes == code[node_of_row])
        rows[node_of_row[fits]] = level.rows[fits]


def _split_by_categories(
    level: Level, plan: SearchPlan, scoring: LevelScoring, bounds: ScoreBounds, splits: LevelSplits
) -> None:
    """Split the nodes whose feature has categories; the side of the first category is the first child.

    Ties go to the split whose first side, as a tuple of categories, is the least.
    """
    is_chosen = splits.kind == SUBSETS
    if not is_chosen.any():
        return
    counted = _counted_scores(level, plan, scoring, bounds, splits, is_chosen)
    is_present, n_near = counted.count > 0, counted.is_near.sum(axis=0)
    nodes, width = np.arange(len(is_chosen)), len(is_present)
    first = is_present.argmax(axis=0)
    if counted.order is None:  # one against the rest: the first category alone, otherwise the last one, comes first
        position = width - 1 - counted.is_near[::-1].argmax(axis=0)
        position = np.where(counted.is_near[first, nodes], first, position)
        is_on_side = np.arange(width)[:, None] == position
        n_near = np.where(is_present.sum(axis=0) > 2, n_near, 1)  # with two categories both splits are the same
    else:
        rank = np.empty_like(counted.order)
        np.put_along_axis(rank, counted.order, np.arange(width)[:, None], axis=0)
        position = counted.is_near.argmax(axis=0)
        for node in np.flatnonzero(is_chosen & (n_near > 1)).tolist():
            position[node] = _first_subset(counted.is_near[:, node], rank[:, node], is_present[:, node])
        is_on_side = rank <= position
    counted.mark_unclear_ties(position, n_near, is_chosen, bounds, splits)
    if plan.has_missing:  # of categories alone the first side is the least, whichever side missing values go to
        missing_code = np.where(is_chosen, plan.missing_code[splits.line], -1)
        splits.needs_reference[is_chosen & (n_near > 1) & (missing_code >= 0) & is_present[missing_code, nodes]] = True
    is_second = is_on_side ^ is_on_side[first, nodes]
    is_in_chosen = is_chosen[counted.node_of_row]
    side = is_second.ravel().take(counted.codes * np.intp(len(nodes)) + counted.node_of_row)
    splits.side[level.rows[is_in_chosen]] = side[is_in_chosen]
    for node in np.flatnonzero(is_chosen).tolist():
        n_codes = int(plan.n_codes[splits.line[node]])
        sides = np.where(is_present[:n_codes, node], is_second[:n_codes, node], ABSENT)
        splits.sides[node] = sides.astype(np.uint8)


def _first_subset(is_near: Any, rank: Any, is_present: Any) -> int:
    """Return the position whose first side is the least as a tuple of categories."""
    codes = np.flatnonzero(is_present)
    sides = []
    for position in np.flatnonzero(is_near).tolist():
        is_on_side = rank[codes] <= position
        sides.append((codes[is_on_side == is_on_side[0]].tolist(), position))
    return int(min(sides)[1])


@frozen(eq=False)
class _CountedScores:
    """The scores and counts of the values of each node's feature, shape (values, nodes), and each row's code."""

    codes: Any
    node_of_row: Any
    scores: Any
    count: Any
    order: Any
    is_near: Any

    def mark_unclear_ties(
        self, position: Any, n_near: Any, is_chosen: Any, bounds: ScoreBounds, splits: LevelSplits
    ) -> None:
        """Let the reference decide nodes where another position may or may not tie with the one that wins."""
        is_low = self.scores[position, np.arange(len(position))] < bounds.high
        splits.needs_reference[is_chosen & is_low & (n_near > 1)] = True


def _counted_scores(
    level: Level, plan: SearchPlan, scoring: LevelScoring, bounds: ScoreBounds, splits: LevelSplits, is_chosen: Any
) -> _CountedScores:
    """Return the scores of the chosen nodes, which are all cut or all split by categories."""
    node_of_row = np.repeat(np.arange(len(level.size)), level.size)
    line = np.where(is_chosen, splits.line, 0)[node_of_row]
    codes = level.subset.codes.ravel().take(line * np.intp(len(level.subset.rows)) + level.rows)
    codes[~is_chosen[node_of_row]] = 0
    lines = splits.line[is_chosen]
    first_side = UP_TO_VALUE if plan.is_cut[lines[0]] else plan.category_side
    group = CountedLines(lines, int(plan.n_codes[lines].max()), first_side)
    scores, count, order = (
        None if values is None else values[:, 0]
        for values in table_scores(level, codes[None], node_of_row, group, scoring)
    )
    clear_missing_alone(scores, count, plan.is_missing_first[splits.line])
    is_near = scores >= np.where(is_chosen, bounds.low, np.inf)
    if order is None:
        is_near &= count > 0  # type: ignore[operator]  # counts are there where values are not ordered by means
    return _CountedScores(codes, node_of_row, scores, count, order, is_near)
