"""The threshold of a cut between two neighbouring values, in the form that the recipe asks for.

All growers take it from here.

    between       17.4 and 17.5      38 and 45      2**53 - 1 and 2**53
    midpoint      17.45              41             the first
    short         17.4               40             the first
    data          a value of the column, the greatest up to the midpoint

`a <= threshold < b` holds for the neighbours a < b in every form, so that the form changes no partition of the rows.
Midpoints of numbers are computed with the decimals that people read, the shortest that denote the two doubles: in
binary arithmetic that between 17.4 and 17.5 is 17.450000000000003.
"""

from collections.abc import Iterator
from math import isfinite
from typing import Any

import numpy as np

from treerules.data.schema import Feature, Kind, at_ordinate

#: A value that exceeds a midpoint by less than this counts as below it, as in J48.
_MIDPOINT_TOLERANCE = 1e-6
#: The units of short thresholds of timestamps, in microseconds: day, hour, minute, second, millisecond.
_UNITS_OF_TIME = (86_400_000_000, 3_600_000_000, 60_000_000, 1_000_000, 1_000)
#: Decimals of at most 15 digits denote different doubles; sums of two numbers and ten times a number stay exact too.
_MOST_SCALED = 1e14
#: The numbers of decimal places for which many midpoints are computed at once.
_PLACES = range(8)
_POWERS_OF_TEN = 10 ** np.arange(1, 19, dtype=np.int64)


def threshold_between(feature: Feature, form: str, below: Any, above: Any, values: Any) -> Any:
    """Return the threshold of a cut between two neighbouring values of a feature, below <= threshold < above.

    "midpoint" is the decimal midpoint, rounded down for integers, dates, timestamps and positions of categories; where
    it rounds to `above`, or a value is infinite, it is `below`. "short" is the number or integer of fewest significant
    digits, the nearest to the midpoint among those, the lower one on ties; the nearest whole day of a timestamp, or
    hour, minute, second, millisecond; otherwise the midpoint. "data" is the greatest value of the feature that is not
    above the midpoint.

    Args:
        feature: the feature that is cut.
        form: "midpoint", "short" or "data".
        below: the value below the cut as a Python number: days, microseconds, or the position of a category.
        above: the value above the cut, greater than `below`.
        values: all values of the feature, ascending; only "data" uses them.

    Returns:
        A value of the feature; the position of a category, if it is not ordered by value.

    >>> number = Feature("x", "number")
    >>> threshold_between(number, "midpoint", 17.4, 17.5, ()), threshold_between(number, "short", 17.32, 17.6, ())
    (17.45, 17.5)
    """
    if form == "data":
        threshold = _value_up_to(_midpoint(feature, below, above), below, above, values)
    elif form == "short":
        threshold = _short(feature, below, above)
    else:
        threshold = _midpoint(feature, below, above)
    return at_ordinate(feature.scalar, threshold) if feature.is_ordered else threshold


def thresholds_between(feature: Feature, form: str, below: Any, above: Any, values: Any) -> list[Any]:
    """Return the threshold of each cut between below[i] < above[i], as `threshold_between` does; shapes (cuts,)."""
    if form == "midpoint" and feature.kind is not Kind.NUMBER:
        middle: Any = (below & above) + ((below ^ above) >> 1)  # the floor of the mean, which does not overflow
        if feature.kind in (Kind.DATE, Kind.TIMESTAMP):
            return [at_ordinate(feature.scalar, number) for number in middle.tolist()]
        return middle.tolist()  # type: ignore[no-any-return]
    thresholds: list[Any] = [None] * len(below)
    if feature.kind is Kind.NUMBER and form != "data":
        numbers: Any = _of_few_places(below, above, form == "short")
        if form == "midpoint":
            numbers = np.where(np.isnan(numbers), _sure_midpoints(below, above), numbers)
        thresholds = [None if number != number else number for number in numbers.tolist()]
    for i, threshold in enumerate(thresholds):
        if threshold is None:
            thresholds[i] = threshold_between(feature, form, below[i].item(), above[i].item(), values)
    return thresholds


def _midpoint(feature: Feature, below: Any, above: Any) -> Any:
    if feature.kind is not Kind.NUMBER:
        return below + (above - below) // 2
    if not (isfinite(below) and isfinite(above)):
        return below
    low, high, places = _scaled(below, above)
    middle = _as_float((low + high) // 2, places)
    return middle if below <= middle < above else below


def _short(feature: Feature, below: Any, above: Any) -> Any:
    if feature.kind is Kind.INTEGER:
        return next(_roundest(10 * below, 10 * above, least_unit=10)) // 10
    if feature.kind is Kind.TIMESTAMP:
        return _whole_time(below, above)
    if feature.kind is not Kind.NUMBER or not (isfinite(below) and isfinite(above)):
        return _midpoint(feature, below, above)
    low, high, places = _scaled(below, above)
    numbers = (_as_float(number, places) for number in _roundest(low, high, least_unit=1))
    return next(number for number in numbers if below <= number < above)


def _value_up_to(middle: Any, below: Any, above: Any, values: Any) -> Any:
    """Return the greatest of all values that is not above the midpoint, and at least `below`."""
    if isinstance(middle, int):  # adding a float would round large integers
        n_below = np.searchsorted(values, middle, side="right")
    else:
        n_below = np.searchsorted(values, middle + _MIDPOINT_TOLERANCE, side="left")
    low, high = np.searchsorted(values, below), np.searchsorted(values, above)
    return values[min(max(int(n_below), int(low) + 1), int(high)) - 1].item()


# ---- decimals


def _scaled(below: float, above: float) -> tuple[int, int, int]:
    """Return the shortest decimals of two doubles as integers times 10**-places, such that their mean is whole."""
    (low, low_places), (high, high_places) = _decimal(below), _decimal(above)
    places = max(low_places, high_places)
    return 10 * low * 10 ** (places - low_places), 10 * high * 10 ** (places - high_places), places + 1


def _decimal(value: float) -> tuple[int, int]:
    """Return the shortest decimal of a finite double as an integer and a number of decimal places.

    >>> _decimal(17.4), _decimal(-2.0), _decimal(1e300), _decimal(1.5e-7)
    ((174, 1), (-2, 0), (1, -300), (15, 8))
    """
    digits, _, exponent = repr(value).removesuffix(".0").partition("e")
    whole, _, fraction = digits.partition(".")
    return int(whole + fraction), len(fraction) - int(exponent or 0)


def _as_float(number: int, places: int) -> float:
    """Return the double nearest to number * 10**-places; 0.0 instead of -0.0."""
    return float(f"{number}e{-places}") + 0.0


def _roundest(low: int, high: int, *, least_unit: int) -> Iterator[int]:
    """Yield numbers in [low, high), the fewest significant digits first, of those the nearest to the mean.

    All numbers of one unit below the mean follow the two around it: where doubles are close, the decimal next to the
    mean may denote the upper one.

    Args:
        low: the lower bound, as `high` a multiple of 10.
        high: the upper bound.
        least_unit: 1, or 10, of which all results are multiples.
    """
    middle = (low + high) // 2
    unit = max(10 ** (len(str(abs(middle))) - 1), least_unit)
    while True:
        lower = middle // unit * unit
        near = (lower,) if lower == middle else sorted((lower, lower + unit), key=lambda number: abs(number - middle))
        yield from (number for number in near if low <= number < high)
        yield from range(lower - unit, low - 1, -unit)
        unit //= 10


def _of_few_places(below: Any, above: Any, is_short: bool) -> Any:
    """Return the midpoints, or the short thresholds, of numbers that are decimals of few digits; NaN for all others."""
    thresholds = np.full(len(below), np.nan)
    for places in _PLACES:
        rest = np.flatnonzero(np.isnan(thresholds))
        if not len(rest):
            break
        scale = 10.0**places
        with np.errstate(over="ignore", invalid="ignore"):
            low, high = np.rint(below[rest] * scale), np.rint(above[rest] * scale)
            fits = (low / scale == below[rest]) & (high / scale == above[rest])
            fits &= (np.abs(low) < _MOST_SCALED) & (np.abs(high) < _MOST_SCALED)
        ends = (10 * end[fits].astype(np.int64) for end in (low, high))
        numbers: Any = _roundest_of_each(*ends) if is_short else sum(ends) // 2
        thresholds[rest[fits]] = numbers / 10.0 ** (places + 1)
    return thresholds


def _sure_midpoints(below: Any, above: Any) -> Any:
    """Return the midpoints where binary and decimal arithmetic surely agree; NaN for all others.

    A double below 2**53 differs from its shortest decimal by less than half its spacing. So where the sum of two such
    doubles is exact, half of it is the double nearest to the midpoint of the decimals.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        total = below + above
        is_exact = (total - above == below) & (total - below == above)
        middle = total / 2
        spacing = np.spacing(np.nextafter(np.abs(middle), 0.0))
        is_sure = is_exact & (np.spacing(np.abs(below)) + np.spacing(np.abs(above)) <= 2 * spacing)
        is_sure &= (np.maximum(np.abs(below), np.abs(above)) < 2.0**53) & (np.abs(middle) > 1e-300) & (middle < above)
    return np.where(is_sure, middle, np.nan)


def _roundest_of_each(low: Any, high: Any) -> Any:
    """Return the first number of `_roundest` for each pair of bounds; shapes (pairs,), below 10**15."""
    middle = (low + high) // 2
    roundest = middle.copy()
    units = _POWERS_OF_TEN[np.searchsorted(_POWERS_OF_TEN, np.abs(middle), side="right")] // 10
    rest = np.arange(len(middle))
    while len(rest):
        near = middle[rest] // units[rest] * units[rest]
        upper = near + units[rest]
        is_upper = (upper - middle[rest] < middle[rest] - near) | (near < low[rest])
        near = np.where(is_upper & (upper < high[rest]), upper, near)
        found = (near >= low[rest]) & (near < high[rest])
        roundest[rest[found]] = near[found]
        rest = rest[~found]
        units[rest] //= 10
    return roundest


def _whole_time(below: int, above: int) -> int:
    """Return the coarsest whole unit of time in [below, above), the nearest to the midpoint, the earlier on ties."""
    for unit in _UNITS_OF_TIME:
        earlier = (below + above) // (2 * unit) * unit
        near = sorted((earlier, earlier + unit), key=lambda moment: abs(2 * moment - below - above))
        for moment in near:
            if below <= moment < above:
                return moment
    return below + (above - below) // 2
