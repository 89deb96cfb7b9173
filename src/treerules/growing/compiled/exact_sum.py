"""Correctly rounded sums, those of math.fsum."""

from math import ldexp
from typing import Any

import numpy as np

from treerules._internal.jit import kernel

#: Fewer values than this are summed one by one.
_FEW = 8
#: A double has 53 bits; no value is greater than 2^2.
_BITS, _SIZE = 53, 2


@kernel
def rounded_sum(values: Any, partials: Any) -> float:
    """Return the correctly rounded sum of values of size at most 4.

    Each value is cut at the same two bits in three parts (Rump, Ogita and Oishi 2008). The first parts are multiples of
    one power of two, so few and small that they add up without error, in any order; so are the second ones; the third
    ones are nearly nothing. Where what may be wrong with their sum could change the rounding, `exact_sum` decides.
    """
    n = len(values)
    if n == 2:
        return values[0] + values[1]
    if n < _FEW:
        return exact_sum(values, partials)
    places = 0
    while n >> places:
        places += 1
    first = ldexp(1.0, places + _SIZE)
    second = ldexp(first, places - _BITS)
    whole, half, rest = 0.0, 0.0, 0.0
    for at in range(np.uint64(n)):
        value = values[at]
        part = (first + value) - first
        value -= part
        whole += part
        part = (second + value) - second
        half += part
        rest += value - part
    high = whole + half
    low = half - (high - whole) if abs(whole) >= abs(half) else whole - (high - half)
    low += rest
    # a third part is at most 2^-53 of `second`, and each of n additions errs by at most 2^-53 of n of them
    doubt = ldexp(abs(low), 3 - _BITS) + ldexp(second, 2 * places + 1 - 2 * _BITS)
    least, most = high + (low - doubt), high + (low + doubt)
    return least if least == most else exact_sum(values, partials)


@kernel
def exact_sum(values: Any, partials: Any) -> float:
    """Return the correctly rounded sum, as math.fsum does (Shewchuk 1997)."""
    n = 0
    for value in values:
        x, kept = value, 0
        for at in range(n):
            y = partials[at]
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                partials[kept] = low
                kept += 1
            x = high
        partials[kept] = x
        n = kept + 1
    if n == 0:
        return 0.0
    n -= 1
    high, low = partials[n], 0.0
    while n > 0:
        x = high
        n -= 1
        y = partials[n]
        high = x + y
        low = y - (high - x)
        if low != 0.0:
            break
    if n > 0 and ((low < 0.0 and partials[n - 1] < 0.0) or (low > 0.0 and partials[n - 1] > 0.0)):
        y = low * 2.0  # half-way cases go by what lies below
        x = high + y
        if y == x - high:
            high = x
    return high
