"""Where one feature cuts best by Gini's impurity, told from whole sums of squares.

A cut is as good as (a n_right + b n_left) / (n_left n_right), where a and b are the sums of squares of its sides'
counts. All are whole numbers, so two cuts of one feature that are alike but for rounding are compared exactly; only the
best one, the first among equals, need challenge the champion.
"""

from typing import Any

import numpy as np

from treerules.compiled import kernel
from treerules.learn.kernels.champion import product

#: The highest bit of an entry of a list: whether it begins a new value.
NEW = 31
#: Numerators of so many rows fit into 64 bits; and so do their products with denominators.
MOST_WHOLE, _MOST_SHORT = 1 << 21, 1 << 13


@kernel
def _is_more(numerator: int, denominator: int, than: int, than_denominator: int, n: int) -> bool:
    """Whether one fraction of `n` rows is greater than another."""
    if n <= _MOST_SHORT:
        return numerator * than_denominator > than * denominator
    high, low = product(numerator, than_denominator)
    their_high, their_low = product(than, denominator)
    return high > their_high or (high == their_high and low > their_low)


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
    at, count, distance, last, class_of = -1, 0, 0, n - 1, np.uint32(shift)
    entry, square, both = np.uint32(lot[0]), 0.0, 0.0
    while True:
        passes = False
        while at + 1 < last and not passes:
            at += 1
            is_one = np.int64((entry >> class_of) & np.uint32(1))
            entry = np.uint32(lot[np.uint64(at + 1)])
            count += is_one
            distance += (n & -is_one) - ones
            is_new = entry >= np.uint32(1 << NEW)
            is_constant &= not is_new
            square, both = float(distance) * float(distance), float((at + 1) * (last - at))
            passes = is_new & (square > bar * both)  # whether a value is new is hard to foresee: no branch
        if not passes:
            return best, best_count, is_constant
        n_left, n_right, rest = at + 1, last - at, ones - count
        if n_left < least or n_right < least:
            continue
        by_left = count * count + (n_left - count) * (n_left - count)
        by_right = rest * rest + (n_right - rest) * (n_right - rest)
        score, numerator, denominator = square / both, by_left * n_right + by_right * n_left, n_left * n_right
        if best < 0 or score > top + slack or _is_more(numerator, denominator, best_numerator, best_denominator, n):
            best, best_count, top = at, count, score
            best_numerator, best_denominator = numerator, denominator
            bar = max(bar, score - slack)


@kernel
def best_of_many(
    entries: Any,
    base: int,
    n: int,
    known: Any,
    seen: Any,
    shift: int,
    mask: int,
    bar: float,
    slack: float,
    least: float,
) -> Any:
    """Return where a list of any classes is cut best, and whether it is constant: as `best_of_two`.

    `known` are the counts of the classes, whole numbers; `seen` is room for as many.
    """
    lot, best, is_constant = entries[base : base + n], -1, True
    top, best_numerator, best_denominator = 0.0, 0, 1
    by_left, by_right = 0, 0
    for place in range(len(known)):
        by_right += known[place] * known[place]
        seen[place] = 0
    bar += float(by_right) / float(n)
    at, last, class_of, classes = -1, n - 1, np.uint32(shift), np.uint32(mask)
    entry = np.uint32(lot[0])
    while True:
        passes = False
        while at + 1 < last and not passes:
            at += 1
            place = (entry >> class_of) & classes
            entry = np.uint32(lot[np.uint64(at + 1)])
            one = seen[place]
            seen[place] = one + 1
            by_left += 2 * one + 1
            by_right -= 2 * (known[place] - one) - 1
            is_new = entry >= np.uint32(1 << NEW)
            is_constant &= not is_new
            left, right = float(at + 1), float(last - at)
            passes = is_new & (float(by_left) * right + float(by_right) * left > bar * (left * right))
        if not passes:
            return best, is_constant
        n_left, n_right = at + 1, last - at
        if n_left < least or n_right < least:
            continue
        score = float(by_left) / float(n_left) + float(by_right) / float(n_right)
        numerator, denominator = by_left * n_right + by_right * n_left, n_left * n_right
        if best < 0 or score > top + slack or _is_more(numerator, denominator, best_numerator, best_denominator, n):
            best, top = at, score
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
