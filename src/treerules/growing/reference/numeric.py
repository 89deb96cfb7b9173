"""The cuts of one node's ordered features, found with numpy: by counting few values, or along presorted rows.

    few values     counts of all codes of many features at once, summed from the first code on
    many values    sums along the rows in the order of the feature; a cut lies where the code changes

Both end in the same lines: a feature each, with the moments left of every place, and the places where a cut fits.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.encoding import Block, Encoded
from treerules.growing.problem import MOST_EXHAUSTIVE
from treerules.growing.reference.node_data import Bag, Candidate, Group, Offer, apart, offers_apart
from treerules.growing.reference.statistics import Moments, gathered, running
from treerules.recipes.recipe import Recipe

#: Columns of many values are searched together while a block of them has at most this many cells.
_CELLS = 1 << 15
#: C4.5 cuts between values at least so far apart.
_APART = 1e-5
#: C4.5 asks for at most so many rows on each side of a cut.
_MOST_ASKED = 25


@frozen(eq=False)
class Lines:
    """Features in lines, places in columns: what a cut after each place takes to its first side, and what is there.

    Categories are lines too, in the order of their means (Breiman 1984, theorem 4.5) or each for itself.
    """

    features: Any
    first: Moments
    #: shape (lines, 1)
    known: Moments
    missing: Moments | None
    #: whether rows lie on both sides of a cut after the place
    is_between: Any
    #: of counted features: the places whose code some row has, and the codes in the order of the places
    held: Any = None
    order: Any = None
    #: of features of many values: the code at each place
    codes: Any = None

    def around(self, line: int, places: Any) -> tuple[Any, Any]:
        """Return the codes next to the cuts after some places of an ordered feature."""
        if self.codes is not None:
            return self.codes[line, places], self.codes[line, places + 1]
        held = self.held[line].nonzero()[0]
        return places, held[np.searchsorted(held, places, side="right")]


def lines_of_block(
    data: Encoded, bag: Bag, recipe: Recipe, block: Block, counted: Moments, missing: Moments, chosen: Any
) -> Lines | None:
    """Return the chosen features of a counted block as lines that are cut, in their order or that of their means."""
    features, is_cut, places = block.features, block.is_cut, np.arange(block.width)
    if not chosen.any():
        return None
    if not chosen.all():
        features, is_cut, counted, missing = features[chosen], is_cut[chosen], counted[chosen], missing[chosen]
    held, order = counted.n > 0, None
    is_between = held
    if recipe.categories != "one_against_rest" and not is_cut.all():
        rank = np.where(is_cut[:, None], places, np.where(held, _means(data, bag, counted), np.inf))
        order = np.argsort(rank, axis=1, kind="stable")
        cells = order + (np.arange(len(order)) * block.width)[:, None]  # faster than np.take_along_axis
        rank, held = rank.take(cells), held.take(cells)
        counted = Moments(counted.n.take(cells), tuple(each.take(cells) for each in counted.sums))
        is_between = held.copy()
        if recipe.missing != "branch":  # there a division tells missing values apart, even one of equal means
            is_between[:, :-1] &= rank[:, 1:] != rank[:, :-1]
    first = Moments(np.cumsum(counted.n, axis=1), tuple(np.cumsum(each, axis=1) for each in counted.sums))
    known = first[:, -1:]
    if recipe.categories == "one_against_rest" and not is_cut.all():
        alone = [np.where(is_cut[:, None], *both) for both in zip(first.sums, counted.sums, strict=True)]
        first = Moments(np.where(is_cut[:, None], first.n, counted.n), tuple(alone))
    some = missing if missing.n.any() else None
    return Lines(features, first, known, some, is_between & (first.n < known.n), held, order)


def in_order(data: Encoded, bag: Bag, recipe: Recipe, block: Block, counted: Moments, missing: Moments) -> Any:
    """Return which features of a block are divided by cutting an order: of themselves, or of their categories' means.

    The best subset is a cut in the order of the means where there are two classes or a regression, the criterion allows
    it (`Criterion.orders_categories`), and each category alone is large enough; so must be the missing values where
    they may go to either side, since they are one category more. With too many categories to try all subsets it has to
    do.
    """
    if recipe.categories not in ("subset", "one_against_rest") or block.is_cut.all():
        return block.is_cut
    if recipe.categories == "one_against_rest":
        return np.ones(len(block.features), dtype=bool)
    if not (data.is_regression or (len(bag.classes) <= 2 and bag.scale.criterion.orders_categories)):
        return block.is_cut
    smallest = np.where(counted.n > 0, counted.n, np.inf).min(axis=1)
    if recipe.missing == "learned":
        smallest = np.minimum(smallest, np.where(missing.n > 0, missing.n, np.inf)[:, 0])
    return block.is_cut | (smallest >= recipe.least) | ((counted.n > 0).sum(axis=1) > MOST_EXHAUSTIVE)


def _means(data: Encoded, bag: Bag, counted: Moments) -> Any:
    """Return the mean of each cell, or the weighed share of the last class."""
    if data.is_regression:
        return counted.sums[0] / np.where(counted.n > 0, counted.n, 1.0)
    factors = bag.scale.factors or (1,) * len(counted.sums)
    weighed = [each * factor for each, factor in zip(counted.sums, factors, strict=True)]
    total = sum(weighed)
    return weighed[-1] / np.where(total > 0, total, 1.0)


def sorted_lines(data: Encoded, bag: Bag) -> Iterator[Lines]:
    """Yield the features of many values as lines, some at a time."""
    width = max(1, _CELLS // max(1, len(bag.rows)))
    for start in range(0, len(data.sorted), width):
        yield _sorted(data, bag, slice(start, min(start + width, len(data.sorted))))


def _sorted(data: Encoded, bag: Bag, block: slice) -> Lines:
    rows, features = bag.order[block], data.sorted[block]
    codes = data.sorted_codes.take(rows + data.offsets[block], mode="clip")
    n_codes = data.n_codes[features, None]
    weights = None if bag.weights is None else bag.weight_of.take(rows)
    sums = running(data, bag.target(data, rows), weights, len(bag.classes))
    is_between = codes[:, :-1] != codes[:, 1:]
    known, missing = sums[:, -1:], None
    if (codes[:, -1:] == n_codes).any():  # missing values come last
        is_between &= codes[:, 1:] < n_codes
        n_known = (codes < n_codes).sum(axis=1)
        sums = Moments(np.broadcast_to(sums.n, codes.shape), sums.sums)
        last = np.arange(len(features)), np.maximum(n_known - 1, 0)
        known = _where(n_known[:, None] > 0, sums[last][:, None])
        missing = _where(n_known[:, None] < rows.shape[1], sums[:, -1:] - known)
    return Lines(features, sums[:, :-1], known, missing, is_between, codes=codes)


def _where(fits: Any, moments: Moments) -> Moments:
    return Moments(np.where(fits, moments.n, 0.0), tuple(np.where(fits, each, 0.0) for each in moments.sums))


def cut_offers(data: Encoded, bag: Bag, recipe: Recipe, lines: Lines, slack: float) -> Iterator[Offer]:
    """Yield what the lines offer: the cuts near the best, and known values against missing ones."""
    gains, tries = _gains_of(data, bag, recipe, lines)
    has_divisor = bag.scale.criterion.divisor is not None
    by_feature = has_divisor or bool(recipe.feature_cost or recipe.prefer)
    best = gains.max(axis=1, keepdims=True, initial=-np.inf) if by_feature else gains.max(initial=-np.inf)
    which, place = np.nonzero(gains >= np.where(best > -np.inf, best - slack, np.inf))
    features, missing = lines.features[which].tolist(), _groups(lines.missing, which, len(lines.first.sums))
    left, known = _cells(lines.first, which, place), _cells(lines.known, which, np.zeros_like(which))
    # the first sides of one category against the rest do not come in their order: so of those all are kept
    places = place.tolist() if recipe.categories == "one_against_rest" else known
    alike = zip(features if by_feature else known, places, left, known, missing, strict=True)
    kept = _first_of_each(alike)
    of_line = tries[which].tolist()

    def candidate(index: int) -> Candidate:
        at = kept[index]
        (n, sums), (n_all, sums_all) = left[at], known[at]
        right = n_all - n, tuple(b - a for a, b in zip(sums, sums_all, strict=True))
        feature, line = features[at], int(which[at])
        if data.is_cut[feature]:
            low, high = lines.around(line, place[at])
            return Candidate(feature, True, ((int(low),), (int(high),)), (left[at], right), missing[at], of_line[at])
        one, other = _sides(recipe, lines, line, int(place[at]))
        groups = (left[at], right) if one < other else (right, left[at])
        return Candidate(feature, False, (min(one, other), max(one, other)), groups, missing[at])

    yield Offer(gains[which[kept], place[kept]], lines.features[which[kept]], candidate)
    if lines.missing is not None and recipe.missing in ("learned", "branch"):
        gains_apart = offers_apart(bag, recipe, lines.known, lines.missing)[:, 0]
        yield Offer(gains_apart, lines.features, lambda line: _apart(data, lines, line))


def _sides(recipe: Recipe, lines: Lines, line: int, place: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the categories on both sides of a cut after a place of their order; or one, and the rest."""
    held = lines.held[line].nonzero()[0]  # places
    alone = recipe.categories == "one_against_rest"
    is_first = held == place if alone else held <= place
    codes = held if lines.order is None else lines.order[line][held]
    return tuple(np.sort(codes[is_first]).tolist()), tuple(np.sort(codes[~is_first]).tolist())


def _apart(data: Encoded, lines: Lines, line: int) -> Candidate:
    feature = int(lines.features[line])
    assert lines.missing is not None
    known, missing = lines.known[line, 0].at, lines.missing[line, 0].at
    if data.is_cut[feature]:
        return apart(feature, True, (int(data.n_codes[feature]) - 1,), known, missing)
    held = lines.held[line].nonzero()[0]
    codes = held if lines.order is None else lines.order[line][held]
    return apart(feature, False, tuple(np.sort(codes).tolist()), known, missing)


def _gains_of(data: Encoded, bag: Bag, recipe: Recipe, lines: Lines) -> tuple[Any, Any]:
    """Return n times the gain of each cut, -inf where none fits, and how many fit in each line."""
    least: Any = recipe.least
    fits = lines.is_between
    if recipe.quinlan:
        asked = 0.1 * lines.known.n / max(1, data.n_classes)
        asked = np.clip(asked, recipe.least, max(_MOST_ASKED, recipe.least))
        is_cut = np.array([data.is_cut[feature] for feature in lines.features.tolist()])[:, None]
        least = np.where(is_cut, asked, recipe.least)
        fits = fits & _far_apart(data, lines)
    if bag.directions is not None:
        fits = fits & _monotone(data, bag, lines)
    gains = bag.scale.gains(lines.first, lines.known, lines.missing, recipe.missing, least, fits)
    return gains, (gains > -np.inf).sum(axis=1) if recipe.quinlan else np.ones(len(gains), dtype=np.int64)


def _far_apart(data: Encoded, lines: Lines) -> Any:
    """Return where the values around a cut are so far apart that C4.5 tells them apart; whole numbers always are."""
    found = np.ones(lines.is_between.shape, dtype=bool)
    for line, feature in enumerate(lines.features.tolist()):
        values, places = data.values[feature], lines.is_between[line].nonzero()[0]
        if values.dtype.kind == "f":
            low, high = lines.around(line, places)
            found[line, places] = values[low] + _APART < values[high]
    return found


def _monotone(data: Encoded, bag: Bag, lines: Lines) -> Any:
    """Return where the predictions of both sides of a monotone feature's cut lie within bounds and in its direction.

    Other features are cut where they like: their children's predictions are clipped (as in scikit-learn).
    """
    assert bag.directions is not None
    left = _value_of(data, lines.first)
    right = _value_of(data, lines.known - lines.first)
    lowest, highest = bag.bounds
    direction = np.array([bag.directions.get(feature, 0) for feature in lines.features.tolist()])[:, None]
    within = (np.minimum(left, right) >= lowest) & (np.maximum(left, right) <= highest)
    return (direction == 0) | (within & ((right - left) * direction >= 0))


def _value_of(data: Encoded, group: Moments) -> Any:
    """Return what groups predict: the weighed share of the second of two classes, or the mean as the node sees it."""
    if data.is_regression:
        return group.sums[0] / np.where(group.n > 0, group.n, 1.0)
    factors = (1, 1) if data.weighing is None else data.weighing.factors
    first, second = (each * factor for each, factor in zip(group.sums, factors, strict=True))
    return second / np.where(first + second > 0, first + second, 1.0)


def _cells(moments: Moments, which: Any, place: Any) -> list[Group]:
    sums = zip(*(each[which, place].tolist() for each in moments.sums), strict=True)
    n = np.broadcast_to(moments.n, moments.sums[0].shape)
    return list(zip(n[which, place].tolist(), sums, strict=True))


def _groups(moments: Moments | None, which: Any, n_sums: int) -> list[Group]:
    if moments is None:
        return [(0, (0,) * n_sums)] * len(which)
    return _cells(moments, which, np.zeros_like(which))


def _first_of_each(alike: Iterable[Any]) -> list[int]:
    """Return the places of what differs from all before: of cuts that divide a node alike only the first can win."""
    seen: dict[Any, int] = {}
    for index, key in enumerate(alike):
        seen.setdefault(key, index)
    return list(seen.values())


def counted_block(data: Encoded, bag: Bag, block: Block) -> tuple[Moments, Moments]:
    """Return the moments of every known code of a block's features, a line each, and those of the missing values."""
    codes = block.codes.take(bag.rows, axis=1)
    counted = gathered(data, bag.target(data, bag.rows), codes, bag.weights, block.width, len(bag.classes))
    at = np.arange(len(block.features)), block.n_codes
    missing = counted[at][:, None]
    for each in (counted.n, *counted.sums):
        each[at] = 0.0
    return counted, missing
