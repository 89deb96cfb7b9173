"""The divisions of one node's categories: a child for each, two subsets, one against the rest, or greedy groups."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from attrs import evolve

from treerules.criteria.scores import x_log_x
from treerules.growing.encoding import Block
from treerules.growing.problem import MOST_EXHAUSTIVE
from treerules.growing.reference.node_data import Bag, Candidate, Group, Offer, apart, offers_apart
from treerules.growing.reference.statistics import Moments
from treerules.recipes.recipe import Recipe


def division_offers(
    bag: Bag, recipe: Recipe, block: Block, counted: Moments, missing: Moments, lines: Any
) -> Iterator[Offer]:
    """Yield what some lines of a counted block offer: categories that no cut of an order divides best."""
    for line in lines.nonzero()[0].tolist():
        feature, n_codes = int(block.features[line]), int(block.n_codes[line])
        by_category = counted[line, :n_codes]
        some = missing[line] if missing.n[line, 0] > 0 else None
        places = by_category.n.nonzero()[0]
        if len(places) > 1:
            every = recipe.quinlan and recipe.categories == "multiway"
            of_held, children = (by_category, np.arange(n_codes)) if every else (by_category[places], places)
            divide = {"multiway": _each, "grouped": _grouped}.get(recipe.categories, _in_two)
            yield divide(bag, recipe, feature, children, of_held, some)
        if some is not None and len(places) and recipe.missing in ("learned", "branch"):
            known = _sum(by_category)
            alone = apart(feature, False, tuple(places.tolist()), known.at, some.at)
            yield _only(offers_apart(bag, recipe, known, some), alone)


def _only(gain: Any, candidate: Candidate) -> Offer:
    return Offer(gain, np.array([candidate.feature]), lambda _: candidate)


def _sum(groups: Moments) -> Moments:
    return Moments(groups.n.sum(keepdims=True), tuple(each.sum(keepdims=True) for each in groups.sums))


def _group(missing: Moments | None, groups: Moments) -> Group:
    return (0, (0,) * len(groups.sums)) if missing is None else missing.at


def _each(bag: Bag, recipe: Recipe, feature: int, places: Any, groups: Moments, missing: Moments | None) -> Offer:
    """Offer a child for each category; at least two of them must be large enough."""
    if np.count_nonzero(groups.n >= recipe.least) < 2:
        return Offer(np.empty(0), np.empty(0, dtype=np.int64), _nothing)
    gain = bag.scale.gain_of_each(groups, missing, recipe.missing)
    rows = zip(*(each.tolist() for each in groups.sums), strict=True)
    children = tuple(zip(groups.n.tolist(), rows, strict=True))
    sides = tuple((position,) for position in places.tolist())
    return _only(gain, Candidate(feature, False, sides, children, _group(missing, groups)))


def _nothing(index: int) -> Candidate:
    raise IndexError(index)


def _in_two(bag: Bag, recipe: Recipe, feature: int, places: Any, groups: Moments, missing: Moments | None) -> Offer:
    """Offer divisions into two sides; of each the side that holds the first category comes first."""
    left, taken = _sides_of(bag, groups)
    gains = bag.scale.gains(left, _sum(groups), missing, recipe.missing, recipe.least)
    kept = (gains > -np.inf).nonzero()[0]

    def candidate(index: int) -> Candidate:
        side = taken(int(kept[index]))
        side = side if side[0] else ~side
        children = tuple(_sum(groups[chosen]).at for chosen in (side, ~side))
        sides = tuple(places[side].tolist()), tuple(places[~side].tolist())
        return Candidate(feature, False, sides, children, _group(missing, groups))

    return Offer(gains[kept], np.full(len(kept), feature), candidate)


#: For every division the moments of one side, and which categories a division's side takes.
Sides = tuple[Moments, Callable[[int], Any]]


def _sides_of(bag: Bag, groups: Moments) -> Sides:
    if len(groups.n) <= MOST_EXHAUSTIVE:
        return _all_subsets(groups)
    return _in_order(groups, _component(bag, groups))


def _weighed(bag: Bag, groups: Moments) -> Any:
    factors = np.ones(len(groups.sums)) if bag.scale.factors is None else np.array(bag.scale.factors)
    return np.stack(groups.sums) * factors[:, None]


def _component(bag: Bag, groups: Moments) -> Any:
    """Return the place of each category's class shares on their first principal component.

    Coppersmith, Hong and Hosking (1999), section 4: the covariance of the shares, each weighted by its category.
    Places are rounded, so that categories of equal shares are equal.
    """
    weighed = _weighed(bag, groups)
    sizes = weighed.sum(axis=0)
    shares = weighed / np.where(sizes > 0, sizes, 1.0)
    centred = shares - (shares * sizes).sum(axis=1, keepdims=True) / max(sizes.sum(), _EQUAL)
    _, vectors = np.linalg.eigh((centred * sizes) @ centred.T)
    axis = vectors[:, -1]
    return np.round(axis @ centred, 12)


def _in_order(groups: Moments, means: Any) -> Sides:
    """Cut the categories in the order of some means, between unequal ones."""
    order = np.argsort(means, kind="stable")
    ends = (means[order][1:] != means[order][:-1]).nonzero()[0]
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    sums = tuple(np.cumsum(each[order])[ends] for each in groups.sums)
    return Moments(np.cumsum(groups.n[order])[ends], sums), lambda index: rank <= ends[index]


def _all_subsets(groups: Moments) -> Sides:
    n = len(groups.n)
    takes = ((np.arange(1, 1 << (n - 1))[:, None] >> np.arange(n)) & 1).astype(np.float64)
    return Moments(takes @ groups.n, tuple(takes @ each for each in groups.sums)), lambda index: takes[index] > 0


def _grouped(bag: Bag, recipe: Recipe, feature: int, places: Any, groups: Moments, missing: Moments | None) -> Offer:
    """Offer the groups that merging two of them at a time finds, while the gain ratio rises (Quinlan 1993, ch. 7).

    Merging ends with two groups. Of equal mergers the first pair wins.
    """
    total, purity = _sum(groups), bag.scale.purity
    members, whole = [[place] for place in places.tolist()], purity(total)[0]
    apart = missing is not None and recipe.missing not in ("larger", "error")
    rest = missing.n[0] if missing is not None and apart else 0.0
    n = total.n[0] + rest

    def ratios(alone: Any, spread: Any) -> Any:
        """Return gain ratios times a constant, given the sums of purities and of x log x of sizes."""
        width = x_log_x(n) - spread - x_log_x(rest)
        return (alone - whole) / np.where(width > _LEAST_WIDTH * n, width, np.inf)

    alone, spread = purity(groups), x_log_x(groups.n)
    best = float(ratios(alone.sum(), spread.sum()))
    gained, widened = _of_pairs(bag, groups)  # what merging two groups changes
    live = np.triu(np.ones(gained.shape, dtype=bool), k=1)  # the pairs of groups that are still there
    for _ in range(len(members) - 2):
        alone, spread = purity(groups), x_log_x(groups.n)
        found = np.where(live, ratios(alone.sum() + gained, spread.sum() + widened), -np.inf)
        place = int(np.argmax(found >= found.max() - _EQUAL * abs(found.max())))
        a, b = divmod(place, len(places))
        is_offered = np.count_nonzero(groups.n >= recipe.least) >= 2
        if is_offered and found[a, b] <= best + _EQUAL * abs(best):
            break
        best = float(found[a, b])
        groups = _merged(groups, a, b)
        members[a], members[b] = sorted(members[a] + members[b]), []
        for changes, new in zip((gained, widened), _of_pairs(bag, groups, a), strict=True):
            changes[a, a + 1 :], changes[:a, a] = new[a + 1 :], new[:a]
        live[b], live[:, b] = False, False
    order = sorted((place for place, member in enumerate(members) if member), key=members.__getitem__)
    groups = groups[np.array(order)]
    return _each_group(bag, recipe, feature, [members[place] for place in order], groups, missing)


#: Gain ratios tie within this share of them; a split information is 0 within this share of the rows.
_EQUAL, _LEAST_WIDTH = 1e-12, 1e-12


def _of_pairs(bag: Bag, groups: Moments, one: int | None = None) -> tuple[Any, Any]:
    """Return what merging two groups adds to the sum of purities, and to that of x log x of sizes.

    Shape (groups, groups); of `one` alone with each, a line.
    """
    alone, spread = bag.scale.purity(groups), x_log_x(groups.n)
    first = groups[:, None] if one is None else groups[one : one + 1]
    both = first + groups[None] if one is None else first + groups
    gained = bag.scale.purity(both) - alone - (alone[:, None] if one is None else alone[one])
    widened = x_log_x(both.n) - spread - (spread[:, None] if one is None else spread[one])
    return gained, widened


def _merged(groups: Moments, a: int, b: int) -> Moments:
    """Return the groups with the second joined to the first; an empty one stays in its place."""

    def join(values: Any) -> Any:
        values = values.copy()
        values[a] += values[b]
        values[b] = 0.0
        return values

    return Moments(join(groups.n), tuple(join(each) for each in groups.sums))


def _each_group(
    bag: Bag, recipe: Recipe, feature: int, members: list[list[int]], groups: Moments, missing: Moments | None
) -> Offer:
    offer = _each(bag, recipe, feature, np.arange(len(members)), groups, missing)
    if not len(offer.gains):
        return offer
    sides = tuple(tuple(member) for member in members)
    return _only(offer.gains, evolve(offer.candidate(0), sides=sides))
