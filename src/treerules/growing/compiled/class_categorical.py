"""The best split of one feature of few values: its held codes, cut in their order or divided in two."""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.best_split import CUT, HIGH, LOW, MISSING_TEST, SUBSETS, copied, slack_of
from treerules.growing.compiled.class_numeric import LEARNED, bar_of, is_whole, offered
from treerules.growing.compiled.gini_scan import best_of_held, is_enough

#: How a feature of few values is divided: in its order, one category against the rest, or two subsets of categories.
IN_ORDER, ONE_AGAINST_REST, SUBSET = range(3)
#: Subsets of so many categories are tried one by one, by the reference.
MOST_EXHAUSTIVE = 10


@kernel
def searched(
    best: Any,
    room: Any,
    terms: Any,
    counts: Any,
    n: float,
    totals: Any,
    missing: Any,
    n_held: int,
    feature: int,
    how: int,
) -> bool:
    """Let all divisions of a feature's held codes challenge the champion; False where the reference must search it."""
    n_missing, known, nothing = 0.0, counts.known, counts.left
    for at in range(len(totals)):
        known[at] = totals[at] - missing[at]
        n_missing += missing[at]
    if n_held > 1:
        if how == IN_ORDER:
            _cut(best, room, terms, counts, n, known, missing, n_held, feature)
        elif how == ONE_AGAINST_REST or n_held == 2:
            _one_against_rest(best, room, terms, counts, n, known, missing, n_held, feature)
        elif not _by_means(best, room, terms, counts, n, known, missing, n_held, feature):
            return False
    if n_missing > 0 and n_held > 0 and terms.policy == LEARNED:
        nothing[:] = 0.0
        if offered(best, room, terms, n, known, totals, nothing, feature, MISSING_TEST) == 1:
            best[LOW] = best[HIGH] = -1.0
    return True


@kernel
def _cut(
    best: Any, room: Any, terms: Any, counts: Any, n: float, known: Any, missing: Any, n_held: int, feature: int
) -> None:
    left, held, by_held, bar = counts.left, counts.held, counts.by_held, bar_of(best, n, terms.criterion)
    left[:] = 0.0
    if is_whole(terms, n, total(missing)):
        _copied_whole(counts, known)
        slack = slack_of(n, terms.criterion)
        cut = best_of_held(by_held, n_held, counts.whole, counts.seen, bar, slack, terms.least)
        for at in range(cut + 1):
            for place in range(len(known)):
                left[place] += by_held[at, place]
        if cut >= 0 and offered(best, room, terms, n, left, known, missing, feature, CUT) == 1:
            best[LOW], best[HIGH] = held[cut], held[cut + 1]
        return
    for at in range(n_held - 1):
        for place in range(len(known)):
            left[place] += by_held[at, place]
        if offered(best, room, terms, n, left, known, missing, feature, CUT) == 1:
            best[LOW], best[HIGH] = held[at], held[at + 1]


@kernel
def _copied_whole(counts: Any, known: Any) -> None:
    for place in range(len(known)):
        counts.whole[place] = np.int64(known[place])


@kernel
def ordered(means: Any, order: Any, n: int) -> None:
    """Write the places of the first means in ascending order, equal ones as they stand."""
    for at in range(n):
        place = at
        while place > 0 and means[order[place - 1]] > means[at]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = at


@kernel
def total(numbers: Any) -> float:
    """Return the sum of some numbers."""
    found = 0.0
    for number in numbers:
        found += number
    return found


@kernel
def _one_against_rest(
    best: Any, room: Any, terms: Any, counts: Any, n: float, known: Any, missing: Any, n_held: int, feature: int
) -> None:
    left, sides, by_held, bar = counts.left, counts.sides, counts.by_held, bar_of(best, n, terms.criterion)
    is_quick = is_whole(terms, n, total(missing))
    _copied_whole(counts, known)
    for alone in range(1 if n_held == 2 else n_held):
        if is_quick and not is_enough(by_held[alone], counts.whole, bar):
            continue
        for place in range(len(known)):
            count = by_held[alone, place]
            left[place] = count if alone == 0 else known[place] - count  # the side of the first category comes first
        result = offered(best, room, terms, n, left, known, missing, feature, SUBSETS)
        if result:
            for at in range(n_held):
                sides[counts.held[at]] = (at != alone) if alone == 0 else (at == alone)
            _settled(best, room, terms, counts, n_held, result)
            bar = bar_of(best, n, terms.criterion)


@kernel
def _settled(best: Any, room: Any, terms: Any, counts: Any, n_held: int, result: int) -> None:
    """Keep the sides of a champion's categories; of two that gain the same, those whose first side comes first."""
    held, sides, best_sides = counts.held, counts.sides, counts.best_sides
    if result == 2:
        at = 0
        while at < n_held and sides[held[at]] == best_sides[held[at]]:
            at += 1
        if at == n_held:
            return
        is_ours = sides[held[at]] == 0  # the first category in which the first sides differ is in one of them
        is_last = True
        for later in range(at + 1, n_held):
            side = best_sides[held[later]] if is_ours else sides[held[later]]
            is_last = is_last and side != 0
        if is_ours == is_last:
            return  # the other's first side has a later one here, or ends, and a shorter tuple comes first
        copied(room[0], best)
    best[LOW] = best[HIGH] = -1.0
    best_sides[:] = 2
    for at in range(n_held):
        best_sides[held[at]] = sides[held[at]]


@kernel
def _by_means(
    best: Any, room: Any, terms: Any, counts: Any, n: float, known: Any, missing: Any, n_held: int, feature: int
) -> bool:
    """Cut the categories in the order of the last class's share, which finds the best subsets of two classes."""
    last, n_classes, smallest, n_missing = 0, 0, n, 0.0
    for place in range(len(known)):
        n_missing += missing[place]
        if known[place] + missing[place] > 0:
            last, n_classes = place, n_classes + 1
    means, order = counts.means, counts.order
    for at in range(n_held):
        size = 0.0
        for place in range(len(known)):
            size += counts.by_held[at, place]
        smallest = min(smallest, size)
        means[at] = counts.by_held[at, last] / size
    if terms.policy == LEARNED and n_missing > 0:
        smallest = min(smallest, n_missing)
    if n_classes > 2 or (smallest < terms.least and n_held <= MOST_EXHAUSTIVE):
        return False
    ordered(means, order, n_held)
    taken, left, sides = counts.taken, counts.left, counts.sides
    taken[:] = 0.0
    for at in range(n_held):
        sides[counts.held[at]] = 0
    for at in range(n_held - 1):
        for place in range(len(known)):
            taken[place] += counts.by_held[order[at], place]
        if means[order[at]] == means[order[at + 1]]:
            continue
        first = False  # whether the first category is among those taken
        for earlier in range(at + 1):
            first = first or order[earlier] == 0
        for place in range(len(known)):
            left[place] = taken[place] if first else known[place] - taken[place]
        result = offered(best, room, terms, n, left, known, missing, feature, SUBSETS)
        if result:
            for later in range(n_held):
                sides[counts.held[order[later]]] = (later > at) == first
            _settled(best, room, terms, counts, n_held, result)
    return True


@kernel
def searched_bit(
    best: Any,
    room: Any,
    terms: Any,
    counts: Any,
    n: float,
    totals: Any,
    ones: Any,
    is_flipped: int,
    feature: int,
    how: int,
) -> bool:
    """Let the only division of a feature of two values challenge the champion; False where it does not vary."""
    left, nothing = counts.left, counts.missing
    n_ones, n_sums = 0, len(totals)
    for at in range(n_sums):
        n_ones += ones[at]
    if n_ones == 0 or n_ones == n:
        return False
    nothing[:] = 0.0
    if is_whole(terms, n, 0.0):
        _copied_whole(counts, totals)
        if not is_enough(ones, counts.whole, bar_of(best, n, terms.criterion)):
            return True
    for at in range(n_sums):
        left[at] = ones[at] if is_flipped else totals[at] - ones[at]
    kind = CUT if how == IN_ORDER else SUBSETS
    if offered(best, room, terms, n, left, totals, nothing, feature, kind) == 1:
        best[LOW], best[HIGH] = 0.0, 1.0
        if kind == SUBSETS:
            counts.best_sides[:] = 2
            counts.best_sides[0], counts.best_sides[1] = 0, 1
    return True
