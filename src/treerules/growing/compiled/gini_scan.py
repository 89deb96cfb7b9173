"""Where one feature cuts best by Gini's impurity, told from whole sums of squares.

A cut is as good as (a n_right + b n_left) / (n_left n_right), where a and b are the sums of squares of its sides'
counts. All are whole numbers, so two cuts of one feature that are alike but for rounding are compared exactly; only the
best one, the first among equals, need challenge the champion.
"""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.best_split import product

#: The highest bit of an entry of a list: whether it begins a new value.
NEW = 31
#: Numerators of so many rows fit into 64 bits; and so do their products with denominators.
MOST_WHOLE, _MOST_SHORT = 1 << 21, 1 << 13
#: So many rows are looked at before it is asked again whether some can be passed over; more of long lists.
_BLOCK, _LONG = 16, 1 << 12


@kernel
def _is_more(numerator: int, denominator: int, than: int, than_denominator: int, n: int) -> bool:
    """Whether one fraction of `n` rows is greater than another."""
    if n <= _MOST_SHORT:
        return numerator * than_denominator > than * denominator
    high, low = product(numerator, than_denominator)
    their_high, their_low = product(than, denominator)
    return high > their_high or (high == their_high and low > their_low)


@kernel
def _passed_over(lot: Any, n_left: int, last: int, count: int, n: int, ones: int, class_of: Any, bar: float) -> Any:
    """Return how many rows lie before the next block that might hold a good cut, how many of them are of class 1, and
    whether a new value begins in what was passed over: as d moves by class alone, its bounds in a block are known."""
    marks, size = np.uint32(0), _BLOCK if n < _LONG else 4 * _BLOCK
    while n_left + size <= last:
        block, following = lot[n_left : n_left + size], lot[n_left + 1 : n_left + size + 1]
        more, mark = np.uint32(0), np.uint32(0)
        for each in range(size):
            more = np.uint32(more + ((block[each] >> class_of) & np.uint32(1)))
            mark = np.uint32(mark | following[each])
        found, until = np.int64(more), n_left + size
        high = n * count - n_left * ones + found * (n - ones)
        low = n * count - n_left * ones - (size - found) * ones
        far, both = float(max(high, -low)), float(min((n_left + 1) * (n - n_left - 1), until * (n - until)))
        if far * far > bar * both:
            break
        n_left, count, marks = until, count + found, np.uint32(marks | mark)
    return n_left, count, marks >= np.uint32(1 << NEW)


@kernel
def best_of_two(entries: Any, base: int, n: int, ones: int, shift: int, bar: float, slack: float, least: float) -> Any:
    """Return where a list of two classes is cut best, how many of class 1 come before, and whether it is constant.

    The list has `n` known values, `ones` of which are of class 1. The place is the last one before the cut, -1 where
    none gains the `bar`. n times the gain is 2 d^2 / (n n_left n_right), where d = n count - n_left ones is whole.
    """
    lot, best, best_count, is_constant = entries[base : base + n], -1, 0, True
    top, best_numerator, best_denominator = 0.0, 0, 1
    half = float(n) / 2.0
    bar, slack = max(0.0, bar) * half, slack * half
    n_left, until, count, distance, last, class_of = 0, 0, 0, 0, n - 1, np.uint32(shift)
    entry, square, both = np.uint32(lot[0]), 0.0, 0.0
    while True:
        if n_left == until:
            if n_left == last:
                return best, best_count, is_constant
            n_left, count, varies = _passed_over(lot, n_left, last, count, n, ones, class_of, bar)
            is_constant &= not varies
            until, distance, entry = min(n_left + _BLOCK, last), n * count - n_left * ones, np.uint32(lot[n_left])
        passes = False
        while n_left < until and not passes:
            n_left += 1
            is_one = np.int64((entry >> class_of) & np.uint32(1))
            entry = np.uint32(lot[np.uint64(n_left)])
            count += is_one
            distance += (n & -is_one) - ones
            is_new = entry >= np.uint32(1 << NEW)
            is_constant &= not is_new
            square, both = float(distance) * float(distance), float(n_left * (n - n_left))
            passes = is_new & (square > bar * both)  # whether a value is new is hard to foresee: no branch
        n_right, rest = n - n_left, ones - count
        if not passes or n_left < least or n_right < least:
            continue
        by_left = count * count + (n_left - count) * (n_left - count)
        by_right = rest * rest + (n_right - rest) * (n_right - rest)
        score, numerator, denominator = square / both, by_left * n_right + by_right * n_left, n_left * n_right
        if best < 0 or score > top + slack or _is_more(numerator, denominator, best_numerator, best_denominator, n):
            best, best_count, top = n_left - 1, count, score
            best_numerator, best_denominator = numerator, denominator
            bar = max(bar, score - slack)


@kernel
def _counted(lot: Any, n_left: int, over: int, known: Any, seen: Any, class_of: Any, classes: Any) -> Any:
    """Count the classes of the rows that are passed over; return the sums of squares of both sides, and whether a new
    value begins among those that follow."""
    marks, by_left, by_right, n_sums = np.uint32(0), 0, 0, np.uint64(len(known))
    block, following = lot[n_left : n_left + over], lot[n_left + 1 : n_left + over + 1]
    for each in range(over):
        place = np.uint64((block[each] >> class_of) & classes)
        seen[place + n_sums * np.uint64(each & 1)] += 1  # by turns: a count that follows itself must wait
        marks = np.uint32(marks | following[each])
    for place in range(len(known)):
        seen[place] += seen[place + len(known)]
        seen[place + len(known)] = 0
        by_left += seen[place] * seen[place]
        by_right += (known[place] - seen[place]) * (known[place] - seen[place])
    return by_left, by_right, marks >= np.uint32(1 << NEW)


@kernel
def best_of_many(
    entries: Any, base: int, n: int, known: Any, seen: Any,
    shift: int, mask: int, bar: float, slack: float, least: float,
) -> Any:  # fmt: skip
    """Return where a list of any classes is cut best, and whether it is constant: as `best_of_two`.

    `known` are the counts of the classes, whole numbers; `seen` is room for twice as many. No row that goes from the
    right to the left adds more than 2 to the sum of both sides, so rows are only counted while that is too little.
    """
    lot, best, is_constant = entries[base : base + n], -1, True
    top, best_numerator, best_denominator = 0.0, 0, 1
    by_left, by_right = 0, 0
    for place in range(len(known)):
        by_right += known[place] * known[place]
        seen[place] = seen[place + len(known)] = 0
    bar += float(by_right) / float(n)
    n_left, until, last, class_of, classes = 0, 0, n - 1, np.uint32(shift), np.uint32(mask)
    entry = np.uint32(lot[0])
    while True:
        if n_left == until:
            if n_left == last:
                return best, is_constant
            score = (float(by_left) / float(n_left) if n_left else 0.0) + float(by_right) / float(n - n_left)
            over = min(max(0, int((bar - score) * 0.5 - 1.0)), last - n_left) if bar > score else 0
            if over >= _BLOCK:
                by_left, by_right, varies = _counted(lot, n_left, over, known, seen, class_of, classes)
                is_constant &= not varies
                n_left += over
                entry = np.uint32(lot[n_left])
            until = min(n_left + _BLOCK, last)
        passes = False
        while n_left < until and not passes:
            n_left += 1
            place = np.uint64((entry >> class_of) & classes)
            entry = np.uint32(lot[np.uint64(n_left)])
            one = seen[place]
            seen[place] = one + 1
            by_left += 2 * one + 1
            by_right -= 2 * (known[place] - one) - 1
            is_new = entry >= np.uint32(1 << NEW)
            is_constant &= not is_new
            left, right = float(n_left), float(n - n_left)
            passes = is_new & (float(by_left) * right + float(by_right) * left > bar * (left * right))
        n_right = n - n_left
        if not passes or n_left < least or n_right < least:
            continue
        score = float(by_left) / float(n_left) + float(by_right) / float(n_right)
        numerator, denominator = by_left * n_right + by_right * n_left, n_left * n_right
        if best < 0 or score > top + slack or _is_more(numerator, denominator, best_numerator, best_denominator, n):
            best, top = n_left - 1, score
            best_numerator, best_denominator = numerator, denominator
            bar = max(bar, score - slack)


@kernel
def best_of_held(by_held: Any, n_held: int, known: Any, seen: Any, bar: float, slack: float, least: float) -> int:
    """Return after which of the held codes they are cut best, -1 where no cut gains the bar: as `best_of_many`."""
    best, top, best_numerator, best_denominator = -1, 0.0, 0, 1
    by_left, by_right, n, n_left = 0, 0, 0, 0
    for place in range(len(known)):
        by_right += known[place] * known[place]
        n += known[place]
        seen[place] = 0
    bar += float(by_right) / float(n)
    for at in range(n_held - 1):
        for place in range(len(known)):
            count, one = by_held[at, place], seen[place]
            by_left += count * (2 * one + count)
            by_right -= count * (2 * (known[place] - one) - count)
            n_left += count
            seen[place] = one + count
        left, right = float(n_left), float(n - n_left)
        if not float(by_left) * right + float(by_right) * left > bar * (left * right):
            continue
        if left < least or right < least:
            continue
        score, n_right = float(by_left) / left + float(by_right) / right, n - n_left
        numerator, denominator = by_left * n_right + by_right * n_left, n_left * n_right
        if best < 0 or score > top + slack or _is_more(numerator, denominator, best_numerator, best_denominator, n):
            best, top = at, score
            best_numerator, best_denominator = numerator, denominator
            bar = max(bar, score - slack)
    return best


@kernel
def is_enough(counts: Any, known: Any, bar: float) -> bool:
    """Whether some counts against the rest of the known ones gain the bar, or nearly."""
    by_one, by_rest, by_all, n_one, n_all = 0, 0, 0, 0, 0
    for place in range(len(known)):
        one, every = np.int64(counts[place]), known[place]
        by_one += one * one
        by_rest += (every - one) * (every - one)
        by_all += every * every
        n_one, n_all = n_one + one, n_all + every
    one_rows, rest = float(n_one), float(n_all - n_one)
    return float(by_one) * rest + float(by_rest) * one_rows > (bar + float(by_all) / float(n_all)) * (one_rows * rest)
