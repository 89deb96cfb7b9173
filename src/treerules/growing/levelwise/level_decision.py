"""Which split each node of a level gets, as the reference decides, and which nodes only the reference can decide."""

from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.array_tree import CUT, LEAF, SUBSETS
from treerules.growing.encoding import EncodedProblem
from treerules.growing.levelwise.level_gains import Terms, below_places, best_of_features, list_scores, table_scores
from treerules.growing.levelwise.level_rows import STAYS, UPTO, Counted, Level, Plan
from treerules.recipes.recipe import Recipe

#: The side of a category that no row of the node has (as in `array_tree`).
ABSENT = 2


@frozen(eq=False)
class Division:
    """The splits of a level's nodes; arrays have one place a node, or a row of the part."""

    kind: Any
    feature: Any
    #: of cuts, rows of the part that hold the values next to it
    low: Any
    high: Any
    #: the child of each category by the places of divided nodes, ABSENT where no row has it
    sides: dict[int, Any]
    #: the child of each row, STAYS in nodes that are not split
    side: Any
    #: the nodes that only the reference can decide
    asks: Any


@frozen(eq=False)
class Bounds:
    """A score of at least `low` may tie with the best of its node, one of at least `high` does."""

    low: Any
    high: Any


def division_of(level: Level, plan: Plan, data: EncodedProblem, terms: Terms, recipe: Recipe) -> Division:
    """Return how the nodes of a level are split."""
    best = best_of_features(level, plan, terms)
    most = best.max(axis=0)
    error = terms.error * most if terms.is_relative else terms.error
    bounds = Bounds(most - terms.tolerance - 2 * error, most - terms.tolerance + 2 * error)
    may_tie = best >= bounds.low
    feature = may_tie.argmax(axis=0)
    nodes = np.arange(len(level.size))
    is_sure = (best[feature, nodes] >= bounds.high) | (may_tie.sum(axis=0) == 1)
    gains = most > terms.tolerance - 2 * error
    is_sure &= most > 2 * terms.tolerance + 4 * error
    is_sure |= ~gains
    found = Division(
        kind=np.where(gains, np.where(plan.is_cut[feature], CUT, SUBSETS), LEAF).astype(np.int8),
        feature=feature,
        low=np.zeros(len(nodes), dtype=np.intp),
        high=np.zeros(len(nodes), dtype=np.intp),
        sides={},
        side=np.full(len(level.part.rows), STAYS, dtype=np.uint8),
        asks=~is_sure,
    )
    _bounded(level, terms, recipe, data, most, error, found)
    found.kind[found.asks] = LEAF
    is_list = plan.line_of[feature] >= 0
    if (is_list & (found.kind == CUT)).any():
        _cut_lists(level, plan, terms, bounds, found)
    if (~is_list & (found.kind != LEAF)).any():
        _cut_tables(level, plan, terms, bounds, found)
        _divide(level, plan, terms, bounds, found)
    found.kind[found.asks] = LEAF
    found.side[level.rows[np.repeat(found.kind == LEAF, level.size)]] = STAYS
    return found


def _bounded(
    level: Level, terms: Terms, recipe: Recipe, data: EncodedProblem, most: Any, error: Any, found: Division
) -> None:
    """Make leaves of the nodes whose best split gains too little for the recipe."""
    if not recipe.min_gain:
        return
    least = recipe.min_gain
    unit = terms.unit
    if data.is_regression:
        exponent = exponent_of(level, data)
        with np.errstate(over="ignore"):
            unit = unit * np.ldexp(1.0, 2 * exponent)
    asked = least * unit
    near = np.abs(most - asked) <= 1e-9 * asked + 4 * error + terms.tolerance
    found.kind[most < asked] = LEAF
    found.asks[near & (most > 0)] = True


def exponent_of(level: Level, data: EncodedProblem) -> Any:
    """Return the power of two that a regression's target is scaled by in each node, as the reference scales it."""
    start = level.start
    low, high = (level.part.target[level.rows[at]] for at in (start, start + level.size - 1))
    return -np.frexp(high - low)[1] - data.exponent


def _first_places(is_high_enough: Any, node_of_place: Any, nodes: int) -> tuple[Any, Any]:
    """Return the first place of each node where something holds, -1 where none, and at how many places it does."""
    places = np.flatnonzero(is_high_enough)
    owner = node_of_place[places]
    found = np.full(nodes, -1)
    found[owner[::-1]] = places[::-1]
    return found, np.bincount(owner, minlength=nodes)


def _cut_lists(level: Level, plan: Plan, terms: Terms, bounds: Bounds, found: Division) -> None:
    """Cut the nodes whose feature is a list: the places of all of them are one line."""
    n, nodes = len(level.rows), len(level.size)
    chosen = (found.kind == CUT) & (plan.line_of[found.feature] >= 0)
    node_of_place = np.repeat(np.arange(nodes), level.size)
    line = np.where(chosen, plan.line_of[found.feature], 0)
    order = level.order.ravel().take(np.repeat(line * n, level.size) + np.arange(n))
    features = plan.lines[line][node_of_place]
    scores = list_scores(level.part, order[None], features[None], terms, below_places(level, terms))[0]
    is_near = scores >= np.where(chosen, bounds.low, np.inf)[node_of_place]
    place, times = _first_places(is_near, node_of_place, nodes)
    at = place[chosen]
    found.asks[chosen] |= (scores[at] < bounds.high[chosen]) & (times[chosen] > 1)
    found.low[chosen], found.high[chosen] = order[at], order[at + 1]
    taken = chosen[node_of_place]
    found.side[order[taken]] = (np.arange(n) > place[node_of_place])[taken]


def _cut_tables(level: Level, plan: Plan, terms: Terms, bounds: Bounds, found: Division) -> None:
    """Cut the nodes whose feature is counted."""
    chosen = (found.kind == CUT) & (plan.line_of[found.feature] < 0)
    if not chosen.any():
        return
    tables = _tables(level, plan, terms, bounds, found, chosen)
    codes, node_of_row = tables.codes, tables.node_of_row
    place = tables.is_near.argmax(axis=0)
    tables.ask_where_tied(place, tables.is_near.sum(axis=0), chosen, bounds, found)
    taken, is_second = chosen[node_of_row], codes > place[node_of_row]
    found.side[level.rows[taken]] = is_second[taken]
    after = np.minimum.reduceat(np.where(is_second, codes, np.iinfo(np.int32).max), level.start)
    for rows, wanted in ((found.low, place), (found.high, after)):
        fits = taken & (codes == wanted[node_of_row])
        rows[node_of_row[fits]] = level.rows[fits]


def _divide(level: Level, plan: Plan, terms: Terms, bounds: Bounds, found: Division) -> None:
    """Divide the nodes whose feature is of categories; the side of the first category comes first.

    Of equal divisions that wins whose first side, as a tuple of categories, comes first.
    """
    chosen = found.kind == SUBSETS
    if not chosen.any():
        return
    tables = _tables(level, plan, terms, bounds, found, chosen)
    is_held, n_near = tables.count > 0, tables.is_near.sum(axis=0)
    nodes, width = np.arange(len(chosen)), len(is_held)
    first = is_held.argmax(axis=0)
    if tables.order is None:  # the first category alone comes first, then the rest without the last one
        place = width - 1 - tables.is_near[::-1].argmax(axis=0)
        place = np.where(tables.is_near[first, nodes], first, place)
        is_one = np.arange(width)[:, None] == place
        n_near = np.where(is_held.sum(axis=0) > 2, n_near, 1)  # of two categories each is the rest
    else:
        rank = np.empty_like(tables.order)
        np.put_along_axis(rank, tables.order, np.arange(width)[:, None], axis=0)
        place = tables.is_near.argmax(axis=0)
        for node in np.flatnonzero(chosen & (n_near > 1)).tolist():
            place[node] = _first_subset(tables.is_near[:, node], rank[:, node], is_held[:, node])
        is_one = rank <= place
    tables.ask_where_tied(place, n_near, chosen, bounds, found)
    is_second = is_one ^ is_one[first, nodes]
    taken = chosen[tables.node_of_row]
    side = is_second.ravel().take(tables.codes * np.intp(len(nodes)) + tables.node_of_row)
    found.side[level.rows[taken]] = side[taken]
    for node in np.flatnonzero(chosen).tolist():
        n_codes = int(plan.n_codes[found.feature[node]])
        sides = np.where(is_held[:n_codes, node], is_second[:n_codes, node], ABSENT)
        found.sides[node] = sides.astype(np.uint8)


def _first_subset(is_near: Any, rank: Any, is_held: Any) -> int:
    """Return the place whose first side comes first as a tuple of categories."""
    codes = np.flatnonzero(is_held)
    sides = []
    for place in np.flatnonzero(is_near).tolist():
        is_one = rank[codes] <= place
        sides.append((codes[is_one == is_one[0]].tolist(), place))
    return int(min(sides)[1])


@frozen(eq=False)
class _Tables:
    """One line of codes, each row's by the feature of its node, and what is counted of it; shape (values, nodes)."""

    codes: Any
    node_of_row: Any
    scores: Any
    count: Any
    order: Any
    is_near: Any

    def ask_where_tied(self, place: Any, n_near: Any, chosen: Any, bounds: Bounds, found: Division) -> None:
        """Let the reference decide where others may or may not tie with the place that wins."""
        is_low = self.scores[place, np.arange(len(place))] < bounds.high
        found.asks[chosen & is_low & (n_near > 1)] = True


def _tables(level: Level, plan: Plan, terms: Terms, bounds: Bounds, found: Division, chosen: Any) -> _Tables:
    """Return the tables of chosen nodes, which all are cut, or all divided."""
    node_of_row = np.repeat(np.arange(len(level.size)), level.size)
    feature = np.where(chosen, found.feature, 0)[node_of_row]
    codes = level.part.codes.ravel().take(feature * np.intp(len(level.part.rows)) + level.rows)
    codes[~chosen[node_of_row]] = 0
    features = found.feature[chosen]
    kind = UPTO if plan.is_cut[features[0]] else plan.kind
    group = Counted(features, int(plan.n_codes[features].max()), kind)
    scores, count, order = (
        None if each is None else each[:, 0] for each in table_scores(level, codes[None], node_of_row, group, terms)
    )
    is_near = scores >= np.where(chosen, bounds.low, np.inf)
    if order is None:
        is_near &= count > 0  # type: ignore[operator]  # counted where nothing is ordered
    return _Tables(codes, node_of_row, scores, count, order, is_near)
