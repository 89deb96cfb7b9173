"""Correctly rounded sums of many floats for many alphas at once. The sums are exact, so the order does not matter.

A float is an integer of 53 bits times a power of two. The bits are summed in two halves, separately for each power, as
integers of 64 bits, which hold 2^36 such halves.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from attrs import frozen

#: The bits of a float, and of its lower half.
_BITS, _LOW = 53, 27


@frozen(eq=False)
class PiecewiseSums:
    """Sums at consecutive positions: by power of two the change at each position, shape (positions + 1, 2)."""

    changes: dict[int, Any]

    def __add__(self, other: "PiecewiseSums") -> "PiecewiseSums":
        changes = dict(self.changes)
        for power, more in other.changes.items():
            changes[power] = changes[power] + more if power in changes else more
        return PiecewiseSums(changes)


def piecewise_sums(n: int, values: Any, times: Any, start: Any, end: Any) -> PiecewiseSums:
    """Return the sums at `n` positions, where each value is added `times` times from position `start` to before `end`.

    Values are finite and not negative.
    """
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
    """Return the sums of all parts at each of `n` positions, each correctly rounded.

    Raises:
        OverflowError: a sum exceeds the range of floats.
    """
    all_sums = PiecewiseSums({})
    for part in parts:
        all_sums = all_sums + part
    least = min(all_sums.changes, default=0)
    sums = [0] * n
    for power, changes in all_sums.changes.items():
        halves = np.cumsum(changes[:-1], axis=0)
        for position in np.flatnonzero(halves.any(axis=1)).tolist():
            high, low = halves[position].tolist()
            sums[position] += ((high << _LOW) + low) << (power - least)
    down = _BITS - least
    return np.array([total / (1 << down) if down >= 0 else float(total << -down) for total in sums])
