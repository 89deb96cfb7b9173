"""The candidates of one node, found with numpy on whole columns and cut down to those near the best.

    cuts         every ordered feature at once, from presorted rows: running sums at each change of code
    divisions    a feature's categories: two subsets, one against the rest, or a child for each

An offer is (approximate gains times n, a function that makes a Candidate of one of them).
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
from attrs import frozen

from treerules.learn.encoded import Encoded
from treerules.learn.problem import MOST_EXHAUSTIVE
from treerules.learn.recipe import Recipe

#: A candidate is near the best when its approximate gain is this close, relative to what the node could gain.
_SLACK = 1e-11
#: Columns are searched together while a block of them has at most this many cells.
_BLOCK = 1 << 15

Score = float | Fraction


@frozen(eq=False)
class Bag:
    """The rows of one node, in the order of the target, and for each cut feature in the order of its codes."""

    rows: Any
    order: Any
    #: what a regression's target is centred on: its value at the middle row, since a shift of all leaves that exact
    centre: float
    #: the power of two that the centred target is multiplied by, which is exact, so that squares stay in range
    exponent: int
    #: the classes that are in this node; empty for a regression
    classes: Any
    #: under the recipe's criterion; of a regression, the variance of the centred and scaled target
    impurity: float


@frozen
class Candidate:
    """A way to split one node.

    `sizes` and `sums` are those of the children over the rows whose value is known: class counts, or the sum of the
    centred target. `sides` are the positions of categories that reach each child, or the two codes around a cut.
    """

    feature: int
    is_cut: bool
    sides: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    sums: tuple[tuple[float, ...], ...]
    score: Score = 0.0

    def scored(self, score: Score) -> "Candidate":
        """Return the candidate with a score. (Ten times as fast as attrs.evolve, and called for each.)"""
        return Candidate(self.feature, self.is_cut, self.sides, self.sizes, self.sums, score)


Offer = tuple[Any, Callable[[int], Candidate]]


def candidates_near_best(data: Encoded, bag: Bag, recipe: Recipe) -> Iterator[Candidate]:
    """Yield the candidates near the greatest gain; for the gain ratio, near the greatest gain of their feature."""
    slack = _SLACK * _scale(data, bag)
    offers = [offer for offer in (*_cuts(data, bag, recipe, slack), *_divisions(data, bag, recipe)) if len(offer[0])]
    if not offers:
        return
    best = 0.0 if _by_ratio(recipe) else max(0.0, *(gains.max() for gains, _ in offers))
    for gains, candidate in offers:
        for place in (gains >= best - slack).nonzero()[0].tolist():
            yield candidate(place)


def _by_ratio(recipe: Recipe) -> bool:
    """Whether every feature needs a finalist of its own."""
    return recipe.criterion == "gain_ratio"


def _scale(data: Encoded, bag: Bag) -> float:
    n = len(bag.rows)
    return n * bag.impurity if data.is_regression else n * max(1.0, float(np.log2(n)))


# ---- purity: n times what a group takes away from the impurity; larger is purer


def _purity(data: Encoded, recipe: Recipe, sums: Any, sizes: Any) -> Any:
    """Return the purity of groups given their sums (one array a class, or the target's alone) and their sizes."""
    if data.is_regression or recipe.criterion == "gini":
        return _total(np.square(each) for each in sums) / sizes
    return _total(_x_log_x(each) for each in sums) - _x_log_x(sizes)


def _total(arrays: Iterable[Any]) -> Any:
    return reduce(np.add, arrays)


def _x_log_x(x: Any) -> Any:
    return x * np.log2(np.where(x > 0, x, 1.0))


def _gains(data: Encoded, recipe: Recipe, left: Any, n_left: Any, total: Any, n: Any) -> Any:
    """Return n times the gain of divisions in two, given the sums of their first sides and of both."""
    right = [whole - part for whole, part in zip(total, left, strict=True)]
    both = _purity(data, recipe, left, n_left) + _purity(data, recipe, right, n - n_left)
    return both - _purity(data, recipe, total, n)


def _target(data: Encoded, bag: Bag, rows: Any) -> Any:
    target = data.target.take(rows, mode="clip")
    return np.ldexp(target - bag.centre, bag.exponent) if data.is_regression else target


# ---- cuts


def _cuts(data: Encoded, bag: Bag, recipe: Recipe, slack: float) -> Iterator[Offer]:
    width = max(1, _BLOCK // len(bag.rows))
    for start in range(0, len(data.cut), width):
        yield _cuts_of_block(data, bag, recipe, slice(start, min(start + width, len(data.cut))), slack)


def _cuts_of_block(data: Encoded, bag: Bag, recipe: Recipe, block: slice, slack: float) -> Offer:
    """Offer the cuts of some features, a row each: after every row whose code differs from the next one's."""
    rows = bag.order[block]
    n_rows, n_values = rows.shape[1], data.n_values[block, None]
    codes = data.cut_codes.take(rows + data.offsets[block], mode="clip")
    n_known = (codes < n_values).sum(axis=1, keepdims=True)  # missing values come last
    after = np.arange(1, n_rows)
    fits = (codes[:, 1:] != codes[:, :-1]) & (codes[:, 1:] < n_values)
    if recipe.min_samples_leaf > 1:
        fits &= (after >= recipe.min_samples_leaf) & (n_known - after >= recipe.min_samples_leaf)
    running = _running_sums(data, bag, rows)
    last = np.arange(len(rows)), np.maximum(n_known[:, 0] - 1, 0)
    total = [sums[last][:, None] for sums in running]
    left, n = [sums[:, :-1] for sums in running], np.maximum(n_known, after + 1.0)  # anything where no cut fits
    gains = np.where(fits, _gains(data, recipe, left, after.astype(np.float64), total, n), -np.inf)
    best = gains.max(axis=1, keepdims=True, initial=-np.inf) if _by_ratio(recipe) else gains.max(initial=-np.inf)
    which, place = np.nonzero((gains >= best - slack) & fits)
    features, known = data.cut[block][which].tolist(), n_known[which, 0].tolist()
    first = list(zip(*(sums[which, place].tolist() for sums in running), strict=True))
    whole = list(zip(*(sums[which, 0].tolist() for sums in total), strict=True))
    after_rows = (place + 1).tolist()
    kept = _first_of_each(zip(features if _by_ratio(recipe) else known, known, after_rows, first, whole, strict=True))

    def candidate(index: int) -> Candidate:
        at = kept[index]
        row, n_left = which[at], after_rows[at]
        return Candidate(
            features[at],
            True,
            ((int(codes[row, n_left - 1]),), (int(codes[row, n_left]),)),
            (n_left, known[at] - n_left),
            (first[at], tuple(b - a for a, b in zip(first[at], whole[at], strict=True))),
        )

    return gains[which[kept], place[kept]], candidate


def _first_of_each(alike: Iterable[Any]) -> list[int]:
    """Return the places of what differs from all before: of cuts that divide a node alike only the first can win."""
    seen: dict[Any, int] = {}
    for index, key in enumerate(alike):
        seen.setdefault(key, index)
    return list(seen.values())


def _running_sums(data: Encoded, bag: Bag, rows: Any) -> list[Any]:
    """Return, for each class or the target, the sums over the first rows of each feature's order."""
    target = _target(data, bag, rows)
    if data.is_regression:
        return [np.cumsum(target, axis=1)]
    later = [np.cumsum((target == c).astype(np.float64), axis=1) for c in bag.classes[1:]]
    return [np.arange(1.0, rows.shape[1] + 1) - _total(later), *later]


# ---- divisions


def _divisions(data: Encoded, bag: Bag, recipe: Recipe) -> Iterator[Offer]:
    for index, feature in enumerate(data.grouped):
        codes = data.group_codes[index][bag.rows]
        sizes, sums = _by_category(data, bag, codes)
        held = np.flatnonzero(sizes)
        if len(held) < 2:
            continue
        divide = _each if not recipe.is_binary else _in_two
        yield divide(data, recipe, feature, held, sizes[held].astype(np.float64), sums[:, held])


def _by_category(data: Encoded, bag: Bag, codes: Any) -> tuple[Any, Any]:
    known = codes >= 0
    target = _target(data, bag, bag.rows)[known]
    codes = codes[known]
    sizes = np.bincount(codes, minlength=1)
    if data.is_regression:
        return sizes, np.bincount(codes, weights=target, minlength=len(sizes))[None]
    table = np.bincount(codes.astype(np.int64) * data.n_classes + target, minlength=len(sizes) * data.n_classes)
    return sizes, table.reshape(len(sizes), -1).T[bag.classes].astype(np.float64)


def _each(data: Encoded, recipe: Recipe, feature: int, held: Any, sizes: Any, sums: Any) -> Offer:
    """Offer a child for each category; at least two of them must be large enough."""
    if np.count_nonzero(sizes >= recipe.min_samples_leaf) < 2:
        return np.empty(0), _nothing
    total, n = sums.sum(axis=1, keepdims=True), sizes.sum(keepdims=True)
    gain = _purity(data, recipe, sums, sizes).sum() - _purity(data, recipe, total, n)
    sides = tuple((position,) for position in held.tolist())
    whole = Candidate(
        feature, False, sides, tuple(sizes.astype(int).tolist()), tuple(tuple(column) for column in sums.T.tolist())
    )
    return gain, lambda _: whole


def _nothing(index: int) -> Candidate:
    raise IndexError(index)


def _in_two(data: Encoded, recipe: Recipe, feature: int, held: Any, sizes: Any, sums: Any) -> Offer:
    """Offer divisions into two sides; of each the side that holds the first category comes first."""
    n_left, left, taken = _sides_of(data, recipe, sizes, sums)
    n, total, least = sizes.sum(), sums.sum(axis=1, keepdims=True), recipe.min_samples_leaf
    kept = ((n_left >= least) & (n - n_left >= least)).nonzero()[0]
    gains = _gains(data, recipe, left[:, kept], n_left[kept], total, n)

    def candidate(index: int) -> Candidate:
        side = taken(int(kept[index]))
        side = side if side[0] else ~side
        return Candidate(
            feature,
            False,
            (tuple(held[side].tolist()), tuple(held[~side].tolist())),
            (int(sizes[side].sum()), int(sizes[~side].sum())),
            (tuple(sums[:, side].sum(axis=1).tolist()), tuple(sums[:, ~side].sum(axis=1).tolist())),
        )

    return gains, candidate


#: For every division the size and the sums of one side, and which categories a division's side takes.
Sides = tuple[Any, Any, Callable[[int], Any]]


def _sides_of(data: Encoded, recipe: Recipe, sizes: Any, sums: Any) -> Sides:
    few_classes = data.is_regression or len(sums) <= 2
    if recipe.categories == "one_against_rest":
        return _one_against_rest(sizes, sums)
    if few_classes and (recipe.min_samples_leaf == 1 or len(sizes) > MOST_EXHAUSTIVE):
        return _in_order(sizes, sums)
    return _all_subsets(sizes, sums) if len(sizes) <= MOST_EXHAUSTIVE else _one_against_rest(sizes, sums)


def _one_against_rest(sizes: Any, sums: Any) -> Sides:
    places = np.arange(len(sizes))
    return sizes, sums, lambda index: places == index


def _in_order(sizes: Any, sums: Any) -> Sides:
    """Cut the categories by class share or mean, between unequal ones (Breiman 1984, theorem 4.5)."""
    means = sums[-1] / sizes
    order = np.argsort(means, kind="stable")
    ends = (means[order][1:] != means[order][:-1]).nonzero()[0]
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    n_left, left = np.cumsum(sizes[order])[ends], np.cumsum(sums[:, order], axis=1)[:, ends]
    return n_left, left, lambda index: rank <= ends[index]


def _all_subsets(sizes: Any, sums: Any) -> Sides:
    takes = ((np.arange(1, 1 << (len(sizes) - 1))[:, None] >> np.arange(len(sizes))) & 1).astype(np.float64)
    return takes @ sizes, sums @ takes.T, lambda index: takes[index] > 0
