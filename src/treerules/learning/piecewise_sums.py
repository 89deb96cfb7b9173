"""Sums of many floats, for many alphas at once, correctly rounded: exact until the end, so their order is nothing.

A float is a whole number of 53 bits times a power of two. Its bits are summed up in two halves, apart for each power,
as whole numbers of 64 bits, which hold 2^36 such halves.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from attrs import frozen

#: The bits of a float, and of its lower half.
_BITS, _LOW = 53, 27


@frozen(eq=False)
class PiecewiseSums:
    """Sums that change from place to place: by power of two, what comes and goes at each, shape (places + 1, 2)."""

    changes: dict[int, Any]

    def __add__(self, other: "PiecewiseSums") -> "PiecewiseSums":
        changes = dict(self.changes)
        for power, more in other.changes.items():
            changes[power] = changes[power] + more if power in changes else more
        return PiecewiseSums(changes)


def piecewise_sums(n: int, values: Any, times: Any, start: Any, end: Any) -> PiecewiseSums:
    """Return what some finite values from 0 add to the sums of `n` places: each value so many times, from place `start`
    up to but without `end`."""
    used = np.flatnonzero(values)
    values, times, start, end = values[used], times[used], start[used], end[used]
    fractions, powers = np.frexp(values)
    bits = np.ldexp(fractions, _BITS).astype(np.int64)
    halves = np.stack([bits >> _LOW, bits & ((1 << _LOW) - 1)], axis=1) * times[:, None]
    distinct, lines = np.unique(powers, return_inverse=True)
    changes = np.zeros((len(distinct) * (n + 1), 2), dtype=np.int64)
    np.add.at(changes, lines * (n + 1) + start, halves)
    np.subtract.at(changes, lines * (n + 1) + end, halves)
    parts = changes.reshape(len(distinct), n + 1, 2)
    return PiecewiseSums(dict(zip(distinct.tolist(), parts, strict=True)))


def rounded_sums(parts: Iterable[PiecewiseSums], n: int) -> Any:
    """Return the sums of all parts at each of `n` places, each correctly rounded.

    Raises:
        OverflowError: a sum of finite values is no float.
    """
    whole = PiecewiseSums({})
    for part in parts:
        whole = whole + part
    least = min(whole.changes, default=0)
    sums = [0] * n
    for power, changes in whole.changes.items():
        halves = np.cumsum(changes[:-1], axis=0)
        for place in np.flatnonzero(halves.any(axis=1)).tolist():
            high, low = halves[place].tolist()
            sums[place] += ((high << _LOW) + low) << (power - least)
    down = _BITS - least
    return np.array([each / (1 << down) if down >= 0 else float(each << -down) for each in sums])
