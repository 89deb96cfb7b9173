"""Correctly rounded sums, equal to those of math.fsum."""

from math import ldexp
from typing import Any

import numpy as np

from treerules._internal.jit import kernel

#: Fewer values than this are summed by `exact_sum`.
_FEW = 8
#: The bits of a double; values are at most 2**_SIZE.
_BITS, _SIZE = 53, 2


@kernel
def rounded_sum(values: Any, partials: Any) -> float:
    """Return the correctly rounded sum of values of magnitude at most 4.

    Each value is split at two fixed bits into three parts (Rump, Ogita and Oishi 2008). The first parts are
    multiples of one power of two, so few and small that they are added without error, in any order; so are the
    second parts; the third parts are tiny. Where their possible error could change the rounding, `exact_sum` is
    used. `partials` is a work array.
    """
    n = len(values)
    if n == 2:
        return values[0] + values[1]
    if n < _FEW:
        return exact_sum(values, partials)
    bits = 0
    while n >> bits:
        bits += 1
    first = ldexp(1.0, bits + _SIZE)
    second = ldexp(first, bits - _BITS)
    leading, middle, trailing = 0.0, 0.0, 0.0
    for index in range(np.uint64(n)):
        value = values[index]
        part = (first + value) - first
        value -= part
        leading += part
        part = (second + value) - second
        middle += part
        trailing += value - part
    high = leading + middle
    low = middle - (high - leading) if abs(leading) >= abs(middle) else leading - (high - middle)
    low += trailing
    # a third part is at most 2^-53 of `second`; each of n additions has an error of at most 2^-53 of n third parts
    error = ldexp(abs(low), 3 - _BITS) + ldexp(second, 2 * bits + 1 - 2 * _BITS)
    lower, upper = high + (low - error), high + (low + error)
    return lower if lower == upper else exact_sum(values, partials)


@kernel
def exact_sum(values: Any, partials: Any) -> float:
    """Return the correctly rounded sum, by the algorithm of math.fsum (Shewchuk 1997)."""
    n = 0
    for value in values:
        x, n_kept = value, 0
        for index in range(n):
            y = partials[index]
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                partials[n_kept] = low
                n_kept += 1
            x = high
        partials[n_kept] = x
        n = n_kept + 1
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
        y = low * 2.0  # ties are decided by the remaining partials
        x = high + y
        if y == x - high:
            high = x
    return high
