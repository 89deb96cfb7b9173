"""The best cut of one feature by Gini, from integer sums of squares.

The gain of a cut grows with (a n_right + b n_left) / (n_left n_right), where a and b are the sums of squares of the
class counts of its sides. All are integers, so cuts of nearly equal gain are compared exactly. Only the best cut, the
first one on ties, competes with the best split of the node.
"""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.best_split import product_128

#: The bit of a list entry that says that the entry begins a new value.
NEW_VALUE_BIT = 31
#: With at most this many rows numerators fit into 64 bits; with at most _MOST_SHORT their products do, too.
MOST_INTEGER_ROWS, _MOST_SHORT = 1 << 21, 1 << 13
#: The number of rows that are scanned, or skipped, at a time; four times as many are skipped in lists of _LONG rows.
_BLOCK, _LONG = 16, 1 << 12


@kernel
def _is_greater(numerator: int, denominator: int, other_numerator: int, other_denominator: int, n: int) -> bool:
    """Return whether one fraction is greater than another; both belong to nodes of n rows."""
    if n <= _MOST_SHORT:
        return numerator * other_denominator > other_numerator * denominator
    high, low = product_128(numerator, other_denominator)
    other_high, other_low = product_128(other_numerator, denominator)
    return high > other_high or (high == other_high and low > other_low)


@kernel
def _skip_rows(
    entries: Any, n_left: int, last: int, count: int, n: int, total_ones: int, class_of: Any, bar: float
) -> Any:
    """Skip blocks of rows that cannot hold a cut above the bar.

    d changes by a known step for each class, so its bounds within a block are known. Returns the number of rows
    before the next block that may hold such a cut, how many of them are of class 1, and whether a skipped row begins
    a new value.
    """
    marks, size = np.uint32(0), _BLOCK if n < _LONG else 4 * _BLOCK
    while n_left + size <= last:
        block, following = entries[n_left : n_left + size], entries[n_left + 1 : n_left + size + 1]
        ones_of_block, mark = np.uint32(0), np.uint32(0)
        for index in range(size):
            ones_of_block = np.uint32(ones_of_block + ((block[index] >> class_of) & np.uint32(1)))
            mark = np.uint32(mark | following[index])
        n_ones, stop = np.int64(ones_of_block), n_left + size
        high = n * count - n_left * total_ones + n_ones * (n - total_ones)
        low = n * count - n_left * total_ones - (size - n_ones) * total_ones
        farthest, least_divisor = float(max(high, -low)), float(min((n_left + 1) * (n - n_left - 1), stop * (n - stop)))
        if farthest * farthest > bar * least_divisor:
            break
        n_left, count, marks = stop, count + n_ones, np.uint32(marks | mark)
    return n_left, count, marks >= np.uint32(1 << NEW_VALUE_BIT)


@kernel
def best_cut_of_two(
    entries: Any, base: int, n: int, ones: int, shift: int, bar: float, slack: float, least: float
) -> Any:
    """Return the best cut of a list for two classes: (position, number of rows of class 1 up to it, is constant).

    The list has n entries with known values, `ones` of them of class 1, sorted by value. The position is that of the
    last entry before the cut, -1 where no cut gains at least the bar. n times the gain is 2 d^2 / (n n_left
    n_right), where d = n count - n_left ones is an integer.
    """
    segment, best, best_count, is_constant = entries[base : base + n], -1, 0, True
    best_score, best_numerator, best_denominator = 0.0, 0, 1
    half = float(n) / 2.0
    bar, slack = max(0.0, bar) * half, slack * half
    n_left, stop, count, distance, last, class_of = 0, 0, 0, 0, n - 1, np.uint32(shift)
    entry, square, divisor = np.uint32(segment[0]), 0.0, 0.0
    while True:
        if n_left == stop:
            if n_left == last:
                return best, best_count, is_constant
            n_left, count, varies = _skip_rows(segment, n_left, last, count, n, ones, class_of, bar)
            is_constant &= not varies
            stop, distance, entry = min(n_left + _BLOCK, last), n * count - n_left * ones, np.uint32(segment[n_left])
        passes = False
        while n_left < stop and not passes:
            n_left += 1
            is_one = np.int64((entry >> class_of) & np.uint32(1))
            entry = np.uint32(segment[np.uint64(n_left)])
            count += is_one
            distance += (n & -is_one) - ones
            is_new = entry >= np.uint32(1 << NEW_VALUE_BIT)
            is_constant &= not is_new
            square, divisor = float(distance) * float(distance), float(n_left * (n - n_left))
            passes = is_new & (square > bar * divisor)  # no branch: new values are hard to predict
        n_right, ones_right = n - n_left, ones - count
        if not passes or n_left < least or n_right < least:
            continue
        by_left = count * count + (n_left - count) * (n_left - count)
        by_right = ones_right * ones_right + (n_right - ones_right) * (n_right - ones_right)
        score, numerator, denominator = square / divisor, by_left * n_right + by_right * n_left, n_left * n_right
        if (
            best < 0
            or score > best_score + slack
            or _is_greater(numerator, denominator, best_numerator, best_denominator, n)
        ):
            best, best_count, best_score = n_left - 1, count, score
            best_numerator, best_denominator = numerator, denominator
            bar = max(bar, score - slack)


@kernel
def _count_skipped(
    segment: Any, n_left: int, n_skipped: int, known: Any, left_integers: Any, class_of: Any, classes: Any
) -> Any:
    """Count the classes of skipped rows; return the sums of squares of both sides, and whether a value begins."""
    marks, squares_left, squares_right, n_classes = np.uint32(0), 0, 0, np.uint64(len(known))
    block, following = segment[n_left : n_left + n_skipped], segment[n_left + 1 : n_left + n_skipped + 1]
    for index in range(n_skipped):
        label = np.uint64((block[index] >> class_of) & classes)
        # two counters in turn: repeated increments of one counter would stall
        left_integers[label + n_classes * np.uint64(index & 1)] += 1
        marks = np.uint32(marks | following[index])
    for label in range(len(known)):
        left_integers[label] += left_integers[label + len(known)]
        left_integers[label + len(known)] = 0
        squares_left += left_integers[label] * left_integers[label]
        squares_right += (known[label] - left_integers[label]) * (known[label] - left_integers[label])
    return squares_left, squares_right, marks >= np.uint32(1 << NEW_VALUE_BIT)


@kernel
def best_cut_of_many(
    entries: Any, base: int, n: int, known: Any, left_integers: Any,
    shift: int, mask: int, bar: float, slack: float, least: float,
) -> Any:  # fmt: skip
    """Return the best cut of a sorted list for any number of classes: (position, is constant), as `best_cut_of_two`.

    `known` are the class counts, integers; `left_integers` is a work array of twice their length. A row that moves
    from the right to the left adds at most 2 to the score, so rows are only counted while the bar is out of reach.
    """
    segment, best, is_constant = entries[base : base + n], -1, True
    best_score, best_numerator, best_denominator = 0.0, 0, 1
    squares_left, squares_right = 0, 0
    for label in range(len(known)):
        squares_right += known[label] * known[label]
        left_integers[label] = left_integers[label + len(known)] = 0
    bar += float(squares_right) / float(n)
    n_left, stop, last, class_of, classes = 0, 0, n - 1, np.uint32(shift), np.uint32(mask)
    entry = np.uint32(segment[0])
    while True:
        if n_left == stop:
            if n_left == last:
                return best, is_constant
            score = (float(squares_left) / float(n_left) if n_left else 0.0) + float(squares_right) / float(n - n_left)
            n_skipped = min(max(0, int((bar - score) * 0.5 - 1.0)), last - n_left) if bar > score else 0
            if n_skipped >= _BLOCK:
                squares_left, squares_right, varies = _count_skipped(
                    segment, n_left, n_skipped, known, left_integers, class_of, classes
                )
                is_constant &= not varies
                n_left += n_skipped
                entry = np.uint32(segment[n_left])
            stop = min(n_left + _BLOCK, last)
        passes = False
        while n_left < stop and not passes:
            n_left += 1
            label = np.uint64((entry >> class_of) & classes)
            entry = np.uint32(segment[np.uint64(n_left)])
            n_left_of_class = left_integers[label]
            left_integers[label] = n_left_of_class + 1
            squares_left += 2 * n_left_of_class + 1
            squares_right -= 2 * (known[label] - n_left_of_class) - 1
            is_new = entry >= np.uint32(1 << NEW_VALUE_BIT)
            is_constant &= not is_new
            left, right = float(n_left), float(n - n_left)
            passes = is_new & (float(squares_left) * right + float(squares_right) * left > bar * (left * right))
        n_right = n - n_left
        if not passes or n_left < least or n_right < least:
            continue
        score = float(squares_left) / float(n_left) + float(squares_right) / float(n_right)
        numerator, denominator = squares_left * n_right + squares_right * n_left, n_left * n_right
        if (
            best < 0
            or score > best_score + slack
            or _is_greater(numerator, denominator, best_numerator, best_denominator, n)
        ):
            best, best_score = n_left - 1, score
            best_numerator, best_denominator = numerator, denominator
            bar = max(bar, score - slack)


@kernel
def best_cut_of_codes(
    counts_of_present: Any, n_present: int, known: Any, left_integers: Any, bar: float, slack: float, least: float
) -> int:
    """Return the present code after which a cut is best, as an index; -1 where no cut gains at least the bar."""
    best, best_score, best_numerator, best_denominator = -1, 0.0, 0, 1
    squares_left, squares_right, n, n_left = 0, 0, 0, 0
    for label in range(len(known)):
        squares_right += known[label] * known[label]
        n += known[label]
        left_integers[label] = 0
    bar += float(squares_right) / float(n)
    for index in range(n_present - 1):
        for label in range(len(known)):
            count, n_left_of_class = counts_of_present[index, label], left_integers[label]
            squares_left += count * (2 * n_left_of_class + count)
            squares_right -= count * (2 * (known[label] - n_left_of_class) - count)
            n_left += count
            left_integers[label] = n_left_of_class + count
        left, right = float(n_left), float(n - n_left)
        if not float(squares_left) * right + float(squares_right) * left > bar * (left * right):
            continue
        if left < least or right < least:
            continue
        score, n_right = float(squares_left) / left + float(squares_right) / right, n - n_left
        numerator, denominator = squares_left * n_right + squares_right * n_left, n_left * n_right
        if (
            best < 0
            or score > best_score + slack
            or _is_greater(numerator, denominator, best_numerator, best_denominator, n)
        ):
            best, best_score = index, score
            best_numerator, best_denominator = numerator, denominator
            bar = max(bar, score - slack)
    return best


@kernel
def passes_alone(counts: Any, known: Any, bar: float) -> bool:
    """Return whether the split of some counts against the rest of the known ones gains at least the bar."""
    squares_one, squares_rest, squares_all, n_one, n_all = 0, 0, 0, 0, 0
    for label in range(len(known)):
        count, total = np.int64(counts[label]), known[label]
        squares_one += count * count
        squares_rest += (total - count) * (total - count)
        squares_all += total * total
        n_one, n_all = n_one + count, n_all + total
    one_rows, rest = float(n_one), float(n_all - n_one)
    return float(squares_one) * rest + float(squares_rest) * one_rows > (bar + float(squares_all) / float(n_all)) * (
        one_rows * rest
    )
