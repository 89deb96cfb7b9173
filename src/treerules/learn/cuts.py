"""The cuts of one node's ordered features, found with numpy: by counting few values, or along presorted rows.

    few values     counts of all codes of many features at once, summed from the first code on
    many values    sums along the rows in the order of the feature; a cut lies where the code changes

Both end in the same lines: a feature each, with the moments left of every place, and the places where a cut fits.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from attrs import frozen

from treerules.learn.candidate import Bag, Candidate, Group, Offer, apart, offers_apart
from treerules.learn.encoded import Block, Encoded
from treerules.learn.moments import Moments, gathered, running
from treerules.learn.recipe import Recipe

#: Columns of many values are searched together while a block of them has at most this many cells.
_CELLS = 1 << 15
#: C4.5 cuts between values at least so far apart.
_APART = 1e-5
#: C4.5 asks for at most so many rows on each side of a cut.
_MOST_ASKED = 25


@frozen(eq=False)
class Lines:
    """Features in lines, places in columns: what lies left of a cut after each place, and around it."""

    features: Any
    left: Moments
    #: shape (lines, 1)
    known: Moments
    missing: Moments | None
    #: whether rows lie on both sides of a cut after the place, and their codes next to it
    is_between: Any
    low: Any
    high: Any


def lines_of_block(data: Encoded, bag: Bag, block: Block, counted: Moments) -> Lines | None:
    """Return the cut features of a counted block as lines; None where it has none."""
    chosen = [line for line, feature in enumerate(block.features.tolist()) if data.is_cut[feature]]
    if not chosen:
        return None
    counted = counted if len(chosen) == len(block.features) else counted[chosen]
    n_codes = block.n_codes[chosen]
    places = np.arange(block.width)
    is_known = places < n_codes[:, None]
    at = (np.arange(len(chosen)), n_codes)
    missing = counted[at][:, None]
    counted = Moments(np.where(is_known, counted.n, 0.0), tuple(np.where(is_known, s, 0.0) for s in counted.sums))
    left = Moments(np.cumsum(counted.n, axis=1), tuple(np.cumsum(each, axis=1) for each in counted.sums))
    held = counted.n > 0
    following = np.where(held, places, block.width)[:, ::-1]
    following = np.minimum.accumulate(following, axis=1)[:, ::-1]  # the first held code from each place on
    high = np.concatenate([following[:, 1:], np.full((len(chosen), 1), block.width)], axis=1)
    is_between = held & (high < block.width)
    return Lines(
        block.features[chosen],
        left,
        left[:, -1:],
        missing if bool(missing.n.any()) else None,
        is_between,
        np.broadcast_to(places, held.shape),
        high,
    )


def sorted_lines(data: Encoded, bag: Bag) -> Iterator[Lines]:
    """Yield the features of many values as lines, some at a time."""
    width = max(1, _CELLS // max(1, len(bag.rows)))
    for start in range(0, len(data.sorted), width):
        yield _sorted(data, bag, slice(start, min(start + width, len(data.sorted))))


def _sorted(data: Encoded, bag: Bag, block: slice) -> Lines:
    rows, features = bag.order[block], data.sorted[block]
    codes = np.stack([data.codes[feature].take(line) for feature, line in zip(features, rows, strict=True)])
    n_codes = data.n_codes[features, None]
    n_known = (codes < n_codes).sum(axis=1)  # rows; missing values come last
    weights = None if bag.weights is None else bag.weight_of.take(rows)
    sums = running(data, bag.target(data, rows), weights, len(bag.classes))
    lines = np.arange(len(features))
    known = _where(n_known[:, None] > 0, sums[lines, np.maximum(n_known - 1, 0)][:, None])
    missing = None
    if (n_known < rows.shape[1]).any():
        missing = _where(n_known[:, None] < rows.shape[1], sums[:, -1:] - known)
    low, high = codes[:, :-1], codes[:, 1:]
    return Lines(features, sums[:, :-1], known, missing, (low != high) & (high < n_codes), low, high)


def _where(fits: Any, moments: Moments) -> Moments:
    return Moments(np.where(fits, moments.n, 0.0), tuple(np.where(fits, each, 0.0) for each in moments.sums))


def cut_offers(data: Encoded, bag: Bag, recipe: Recipe, lines: Lines, slack: float) -> Iterator[Offer]:
    """Yield what the lines offer: the cuts near the best, and known values against missing ones."""
    gains, tries = _gains_of(data, bag, recipe, lines)
    by_feature = recipe.criterion == "gain_ratio" or bool(recipe.feature_cost or recipe.prefer)
    best = gains.max(axis=1, keepdims=True, initial=-np.inf) if by_feature else gains.max(initial=-np.inf)
    which, place = np.nonzero((gains >= best - slack) & (gains > -np.inf))
    features, missing = lines.features[which].tolist(), _groups(lines.missing, which, len(lines.left.sums))
    left, known = _cells(lines.left, which, place), _cells(lines.known, which, np.zeros_like(which))
    low, high = lines.low[which, place].tolist(), lines.high[which, place].tolist()
    alike = zip(features if by_feature else known, left, known, missing, strict=True)
    kept = first_of_each(alike)
    of_line = tries[which].tolist()

    def candidate(index: int) -> Candidate:
        at = kept[index]
        (n, sums), (n_all, sums_all) = left[at], known[at]
        right = n_all - n, tuple(b - a for a, b in zip(sums, sums_all, strict=True))
        sides = (low[at],), (high[at],)
        return Candidate(features[at], True, sides, (left[at], right), missing[at], of_line[at])

    yield Offer(gains[which[kept], place[kept]], lines.features[which[kept]], candidate)
    if lines.missing is not None and recipe.missing in ("learned", "branch"):
        gains_apart = offers_apart(bag, recipe, lines.known, lines.missing)[:, 0]
        yield Offer(gains_apart, lines.features, lambda line: _apart(data, lines, line))


def _apart(data: Encoded, lines: Lines, line: int) -> Candidate:
    feature = int(lines.features[line])
    last = (int(data.n_codes[feature]) - 1,)
    assert lines.missing is not None
    return apart(feature, True, last, lines.known[line, 0].at, lines.missing[line, 0].at)


def _gains_of(data: Encoded, bag: Bag, recipe: Recipe, lines: Lines) -> tuple[Any, Any]:
    """Return n times the gain of each cut, -inf where none fits, and how many fit in each line."""
    least: Any = recipe.least
    fits = lines.is_between
    if recipe.quinlan:
        asked = 0.1 * lines.known.n / max(1, data.n_classes)
        least = np.clip(asked, recipe.least, max(_MOST_ASKED, recipe.least))
        fits = fits & _far_apart(data, lines)
    if bag.directions is not None:
        fits = fits & _monotone(data, bag, lines)
    gains = np.where(fits, bag.scale.gains(lines.left, lines.known, lines.missing, recipe.missing, least), -np.inf)
    return gains, (gains > -np.inf).sum(axis=1)


def _far_apart(data: Encoded, lines: Lines) -> Any:
    found = np.zeros(lines.low.shape, dtype=bool)
    for line, feature in enumerate(lines.features.tolist()):
        values = data.values[feature]
        if len(values):
            last = len(values) - 1
            low, high = (values[np.minimum(codes[line], last)] for codes in (lines.low, lines.high))
            found[line] = high - low > _APART
    return found


def _monotone(data: Encoded, bag: Bag, lines: Lines) -> Any:
    """Return where the predictions of both sides lie within bounds, and in the direction asked for."""
    assert bag.directions is not None
    left = value_of(data, lines.left)
    right = value_of(data, lines.known - lines.left)
    lowest, highest = bag.bounds
    direction = np.array([bag.directions.get(feature, 0) for feature in lines.features.tolist()])[:, None]
    within = (np.minimum(left, right) >= lowest) & (np.maximum(left, right) <= highest)
    return within & ((right - left) * direction >= 0)


def value_of(data: Encoded, group: Moments) -> Any:
    """Return what groups predict: the weighed share of the second of two classes, or the mean as the node sees it."""
    if data.is_regression:
        return group.sums[0] / np.where(group.n > 0, group.n, 1.0)
    factors = (1, 1) if data.weighing is None else data.weighing.factors
    first, second = (each * factor for each, factor in zip(group.sums, factors, strict=True))
    return second / np.where(first + second > 0, first + second, 1.0)


def _cells(moments: Moments, which: Any, place: Any) -> list[Group]:
    sums = zip(*(each[which, place].tolist() for each in moments.sums), strict=True)
    return list(zip(moments.n[which, place].tolist(), sums, strict=True))


def _groups(moments: Moments | None, which: Any, n_sums: int) -> list[Group]:
    if moments is None:
        return [(0, (0,) * n_sums)] * len(which)
    return _cells(moments, which, np.zeros_like(which))


def first_of_each(alike: Iterable[Any]) -> list[int]:
    """Return the places of what differs from all before: of cuts that divide a node alike only the first can win."""
    seen: dict[Any, int] = {}
    for index, key in enumerate(alike):
        seen.setdefault(key, index)
    return list(seen.values())


def counted_block(data: Encoded, bag: Bag, block: Block) -> Moments:
    """Return the moments of every code of a block's features, a line each."""
    codes = block.codes.take(bag.rows, axis=1)
    return gathered(data, bag.target(data, bag.rows), codes, bag.weights, block.width, len(bag.classes))
