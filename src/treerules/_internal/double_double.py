"""Arrays of numbers as unevaluated sums of two doubles, with about 106 bits (Dekker 1971; Joldes et al. 2017)."""

from typing import Any

import numpy as np
from attrs import frozen

#: Divides a double into two of at most 26 bits (Veltkamp 1968).
_SPLITTER = 2.0**27 + 1


@frozen(eq=False)
class DoubleDouble:
    """An array of numbers high + low, where high is the nearest double; the magnitudes are from 2**-400 to 2**400."""

    high: Any
    low: Any

    @classmethod
    def of_integers(cls, integers: Any) -> "DoubleDouble":
        """Return int64 numbers, exactly."""
        upper = integers >> 32 << 32
        return cls(*_quick_two_sum(upper.astype(np.float64), (integers - upper).astype(np.float64)))

    def scaled(self, exponent: int) -> "DoubleDouble":
        """Return the numbers times 2**exponent."""
        return DoubleDouble(np.ldexp(self.high, exponent), np.ldexp(self.low, exponent))

    def __neg__(self) -> "DoubleDouble":
        return DoubleDouble(-self.high, -self.low)

    def __add__(self, other: "DoubleDouble") -> "DoubleDouble":
        """Return the sums; relative error below 2**-103, also where the terms have opposite signs."""
        high, low = _two_sum(self.high, other.high)
        more, rest = _two_sum(self.low, other.low)
        high, low = _quick_two_sum(high, low + more)
        return DoubleDouble(*_quick_two_sum(high, low + rest))

    def __sub__(self, other: "DoubleDouble") -> "DoubleDouble":
        return self + -other

    def __mul__(self, other: "DoubleDouble") -> "DoubleDouble":
        """Return the products; relative error below 2**-101."""
        high, low = _two_product(self.high, other.high)
        return DoubleDouble(*_quick_two_sum(high, low + (self.high * other.low + self.low * other.high)))

    def times(self, doubles: Any) -> "DoubleDouble":
        """Return the products with doubles; relative error below 2**-103."""
        high, low = _two_product(self.high, doubles)
        return DoubleDouble(*_quick_two_sum(high, low + self.low * doubles))

    def over(self, doubles: Any) -> "DoubleDouble":
        """Return the quotients by doubles; relative error below 2**-103."""
        quotient = self.high / doubles
        high, low = _two_product(quotient, doubles)
        rest = ((self.high - high) - low) + self.low
        return DoubleDouble(*_quick_two_sum(quotient, rest / doubles))

    def root(self) -> "DoubleDouble":
        """Return the square roots, 0 of a negative number; relative error below 2**-102."""
        is_positive = self.high > 0
        first = np.sqrt(np.where(is_positive, self.high, 1.0))
        high, low = _two_product(first, first)
        rest = ((self.high - high) - low) + self.low
        root, more = _quick_two_sum(first, rest / (2 * first))
        return DoubleDouble(np.where(is_positive, root, 0.0), np.where(is_positive, more, 0.0))


def is_decided(value: DoubleDouble, error_bits: int) -> Any:
    """Return whether the nearest double of a number is `value.high`, if its relative error is below 2**error_bits."""
    error = np.ldexp(np.abs(value.high), error_bits)
    return (value.high + (value.low - error) == value.high) & (value.high + (value.low + error) == value.high)


def _two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the sums of doubles and their rounding errors (Knuth)."""
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)


def _quick_two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the sums of doubles and their rounding errors, where |a| >= |b| or a is 0."""
    total = a + b
    return total, b - (total - a)


def _two_product(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the products of doubles and their rounding errors (Dekker)."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(a: Any) -> tuple[Any, Any]:
    spread = _SPLITTER * a
    high = spread - (spread - a)
    return high, a - high
