"""Example values of a column, or between two bounds, that are quick to read."""

from datetime import date
from math import floor, inf, isfinite, nextafter
from typing import Any

from treerules.data.domain import ColumnDomain, next_value, unseen_value
from treerules.data.schema import Feature, at_ordinate, ordinate

#: A number of more characters is replaced by a shorter one.
_LONG = 8


def simple_value(feature: Feature, domain: ColumnDomain) -> Any:
    """Return 0, or the first day of 1970, if it is in the domain of an ordered feature; else the lowest value."""
    value = at_ordinate(feature.scalar, ordinate(date(1970, 1, 1)) if feature.scalar == "date" else 0)
    return value if domain.lowest <= value <= domain.highest else domain.lowest


def default_value(feature: Feature, domain: ColumnDomain) -> Any:
    """Return a value of the domain: None (missing) if the domain allows it, else the simplest value."""
    if domain.missing:
        return None
    if feature.is_ordered:
        return simple_value(feature, domain)
    return feature.categories[0] if feature.categories else unseen_value(feature)


def has_no_values(feature: Feature, domain: ColumnDomain) -> bool:
    """Return whether the domain of a feature is empty: no categories, no unseen and no missing values."""
    return not (feature.is_ordered or feature.categories or domain.unseen or domain.missing)


def value_between(feature: Feature, domain: ColumnDomain, above: Any, upto: Any) -> Any:
    """Return a value above one bound and at most another; a bound of None is the end of the domain.

    Some value must lie between the bounds.

    >>> x, everything = Feature("x", "number"), ColumnDomain(-inf, inf)
    >>> [value_between(x, everything, *ends) for ends in ((20.0, 24.999999999999996), (None, 30.5), (7.0, None))]
    [24.0, 30.5, 8.0]
    """
    if above is None and upto is None:
        return simple_value(feature, domain)
    if upto is not None:
        lowest = domain.lowest if above is None else above
        return _short(lowest, upto) if isinstance(upto, float) and upto != domain.lowest else upto
    if isinstance(above, float):
        beyond = above + 1.0 if above + 1.0 > above else nextafter(above, inf)
        return min(_short(above, beyond), domain.highest)
    return next_value(feature, above)


def _short(above: float, upto: float) -> float:
    """Return the number of fewest digits above one number and at most another; the latter itself if it is short."""
    if len(repr(upto)) <= _LONG or not isfinite(upto):
        return upto + 0.0
    for digits in range(17):
        scaled = upto * 10.0**digits
        value = floor(scaled) / 10.0**digits if isfinite(scaled) else upto
        if above < value <= upto:
            return value + 0.0
    return upto
