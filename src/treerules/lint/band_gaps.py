"""Gaps between bands: the values between `x < 30` and `x > 30`, or between `x < 30` and `x >= 40`."""

from collections import defaultdict
from itertools import product

from attrs import frozen

from treerules.data.interval import Interval
from treerules.data.known_values import side_of
from treerules.proof.check import Region
from treerules.proof.review import Review
from treerules.rules.rule import Rule


@frozen
class BandGap:
    """The column of a gap between bands, its values, and the rules of the band below it and of the band above it."""

    column: str
    between: Interval
    lower: Rule
    upper: Rule


def band_gap(review: Review, region: Region) -> BandGap | None:
    """Return the gap between two bands that a region is; None where it is none.

    A band is an interval of more than one value: between `x = 1` and `x = 2` there is no gap of this kind. The bands
    are those of two WHENs: `x <> 30` leaves 30 out on purpose. Rows with NULL in another column are no such gap.
    """
    if needs_null(region):
        return None
    for name, condition in region:
        if isinstance(condition.values, Interval):
            bands = _bands_beside(review, name, condition.values)
            for lower, upper in product(bands["below"], bands["above"]):
                if review.parsed.name(lower.number) != review.parsed.name(upper.number):
                    return BandGap(name, condition.values, lower, upper)
    return None


def needs_null(region: Region) -> bool:
    """Whether each row of a region is missing the value of some column."""
    return any(condition.values is None and not condition.unseen for _, condition in region)


def _bands_beside(review: Review, column: str, between: Interval) -> dict[str, list[Rule]]:
    """Return the rules whose band of a column touches some values from below, and those from above."""
    rules = review.parsed.rules
    feature = rules.schema.feature(column)
    bands: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules.rules:
        values = dict(rule.conditions)[column].values if column in dict(rule.conditions) else None
        if isinstance(values, Interval):
            bands[side_of(feature, values, between)].append(rule)
    return bands
