"""Upper limits of the errors of a leaf, as C4.5 estimates them (Quinlan 1993, section 4.2).

A leaf of n rows and e errors at confidence CF has the upper limit U_CF(e, n), the error rate at which e errors or fewer
have the probability CF; its extra errors are n U_CF(e, n) - e.

    quinlan     C4.5 release 8: exact where e = 0, a line from there to e = 1, then a normal approximation whose
                coefficient is read from a table
    j48         Weka's J48: the same with the normal distribution itself, a wider correction, and no 0.67 at the end
    binomial    the exact limit, also for fractional n and e (Clopper and Pearson 1934, one-sided)
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from math import exp, expm1, lgamma, log, log1p, sqrt
from statistics import NormalDist

from treerules.errors import OptionError, UnknownNameError

_QUINLAN = (
    (0.0, 4.0), (0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65), (0.10, 1.28), (0.20, 0.84), (0.40, 0.25),
    (1.0, 0.0),
)  # fmt: skip
_TINY = 1e-300


def extra_errors(n: float, errors: float, confidence: float = 0.25, limit: str = "quinlan") -> float:
    """Return the number of errors to add to the training errors of a leaf of weight n; 0 if n is 0.

    >>> round(1 * extra_errors(6, 0) / 6, 3), round(extra_errors(9, 0) / 9, 3), extra_errors(1, 0)  # Quinlan, p. 41
    (0.206, 0.143, 0.75)

    Raises:
        UnknownNameError: `limit` is not a key of LIMITS.
        OptionError: the confidence is not above 0 and at most 0.5.
    """
    check_limit(confidence, limit)
    if n <= 0:
        return 0.0
    return LIMITS[limit](n, min(max(errors, 0.0), n), confidence)


def check_limit(confidence: float, limit: str) -> None:
    """Raise UnknownNameError or OptionError unless these are a confidence and the name of a limit."""
    if limit not in LIMITS:
        raise UnknownNameError("upper limit of errors", str(limit), LIMITS)
    number = isinstance(confidence, (int, float)) and not isinstance(confidence, bool)
    if not number or not 0 < confidence <= 0.5:
        raise OptionError("confidence", confidence, "a number above 0, at most 0.5, such as C4.5's 0.25")


def _quinlan(n: float, errors: float, confidence: float) -> float:
    if errors < 1e-6:
        return _of_none(n, confidence)
    if errors < 0.9999:
        none = _of_none(n, confidence)
        return none + errors * (_quinlan(n, 1.0, confidence) - none)
    if errors + 0.5 >= n:
        return 0.67 * (n - errors)
    square = _coefficient(confidence) ** 2
    n_errors = errors + 0.5
    rate = (n_errors + square / 2 + sqrt(square * (n_errors * (1 - n_errors / n) + square / 4))) / (n + square)
    return n * rate - errors


def _coefficient(confidence: float) -> float:
    """Return the normal deviate of a confidence, interpolated linearly between Quinlan's nine points."""
    (low, above), (high, below) = next(pair for pair in pairwise(_QUINLAN) if confidence <= pair[1][0])
    return above + (below - above) * (confidence - low) / (high - low)


def _j48(n: float, errors: float, confidence: float) -> float:
    if errors < 1:
        none = _of_none(n, confidence)
        return none if errors == 0 else none + errors * (_j48(n, 1.0, confidence) - none)
    if errors + 0.5 >= n:
        return max(n - errors, 0.0)
    z = NormalDist().inv_cdf(1 - confidence)
    rate = (errors + 0.5) / n
    spread = z * sqrt(rate / n - rate * rate / n + z * z / (4 * n * n))
    return (rate + z * z / (2 * n) + spread) / (1 + z * z / n) * n - errors


def _of_none(n: float, confidence: float) -> float:
    """Return the extra errors of a leaf without training errors: (1 - p) ** n = confidence."""
    return -n * expm1(log(confidence) / n)


@lru_cache(maxsize=10_000)
def _binomial(n: float, errors: float, confidence: float) -> float:
    """Return the extra errors at the rate p where at most `errors` errors have the probability `confidence`.

    That probability is 1 - I_p(e + 1, n - e), which decreases in p: solved by Newton's method, with bisection where a
    step leaves the bracket.
    """
    if errors >= n:
        return 0.0
    a, b, low, high = errors + 1, n - errors, 0.0, 1.0
    p, before = min(max((errors + _quinlan(n, errors, confidence)) / n, 1e-9), 1 - 1e-9), 0.0
    while low < p < high and abs(p - before) > 1e-15 * p:
        excess = incomplete_beta(a, b, p) - (1 - confidence)
        low, high = (low, p) if excess > 0 else (p, high)
        density = _front(a, b, p) / (p * (1 - p))
        before, p = p, p - excess / density if density > 0 else low
        if not low < p < high:
            p = (low + high) / 2
    return max(n * p - errors, 0.0)


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b) for a, b > 0 and 0 <= x <= 1.

    Computed by its continued fraction (Abramowitz and Stegun 26.5.8), for x or 1 - x, whichever converges faster.
    """
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x < (a + 1) / (a + b + 2):
        return _front(a, b, x) * _fraction(a, b, x) / a
    return 1 - _front(a, b, x) * _fraction(b, a, 1 - x) / b


def _front(a: float, b: float, x: float) -> float:
    """Return x**a (1 - x)**b / B(a, b)."""
    return exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of I_x(a, b), from the front by Lentz's method."""
    c, d = 1.0, 1 / _off_zero(1 - (a + b) * x / (a + 1))
    value, m, changing = d, 0, True
    while changing:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        factors = []
        for term in (even, odd):
            c, d = _off_zero(1 + term / c), 1 / _off_zero(1 + term * d)
            factors.append(c * d)
        value *= factors[0] * factors[1]
        changing = abs(factors[1] - 1) > 1e-15 and m < 100_000
    return value


def _off_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


#: The upper limits by name: functions of n, errors and confidence that give the extra errors.
LIMITS: dict[str, Callable[[float, float, float], float]] = {
    "quinlan": _quinlan,
    "j48": _j48,
    "binomial": _binomial,
}
