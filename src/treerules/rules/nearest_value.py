"""The values of a set that are nearest to a value, and how large and in which direction a change of one value is."""

from collections.abc import Sequence
from math import inf
from sys import float_info
from typing import Any

from treerules.data.domain import ColumnDomain, unseen_value
from treerules.data.known_values import extremes_of
from treerules.data.sample_values import simple_value
from treerules.data.schema import Feature, Kind, ordinate
from treerules.data.value_set import ValueSet


def nearest_values(values: ValueSet, domain: ColumnDomain, value: Any) -> list[Any]:
    """Return the values of a set that are nearest to one that is not in it; none where the domain has none of the set.

    These are the nearest value of each interval, the nearest level of an ordinal, or the first category. Where no known
    value may come it is an unseen one, and where that may not come either, the missing value (None).
    """
    feature = values.feature
    known = _nearest_known(values, domain, value)
    if known:
        return known
    if values.unseen and domain.unseen:
        return [unseen_value(feature)]
    return [None] if values.missing and domain.missing else []


def _nearest_known(values: ValueSet, domain: ColumnDomain, value: Any) -> list[Any]:
    feature = values.feature
    if not feature.is_ordered:
        position = feature.positions.get(value)
        if feature.kind is Kind.ORDINAL and position is not None:
            return sorted(values.members, key=lambda level: abs(feature.positions[level] - position))[:1]
        return list(values.members[:1])
    target = simple_value(feature, domain) if value is None else value
    extremes = [ends for interval in values.intervals if (ends := extremes_of(feature, interval)) is not None]
    limits = [(max(least, domain.lowest), min(greatest, domain.highest)) for least, greatest in extremes]
    return [min(max(target, least), greatest) for least, greatest in limits if least <= greatest]


def change_unit(bounds: Sequence[Any], value: Any) -> float:
    """Return the unit of changes of a column: how far its least and greatest bound lie apart, its value among them."""
    places = [_half_ordinate(end) for end in (*bounds, *([] if value is None else [value]))]
    return max(places) - min(places) if places else 0


def change_size(feature: Feature, before: Any, after: Any, unit: float) -> float:
    """Return the size of a change: of ordered values and levels their distance, from 0 to 1, of categories 1.

    A change to or from an unseen value is 2, to or from a missing one 3, so that changes to known values come first.
    """
    if before is None or after is None:
        return 3.0
    if feature.is_ordered:
        return abs(_half_ordinate(after) - _half_ordinate(before)) / unit if unit else 1.0
    positions = feature.positions.get(before), feature.positions.get(after)
    if None in positions:
        return 2.0
    if feature.kind is Kind.ORDINAL and positions[0] is not None and positions[1] is not None:
        return abs(positions[0] - positions[1]) / max(1, len(feature.categories) - 1)
    return 1.0


def change_order(feature: Feature, before: Any, after: Any) -> tuple[bool, Any]:
    """Return a sort key for changes of one column: increases before decreases, then by exact distance."""
    if before is None or after is None or not feature.is_ordered:
        return False, 0
    return after < before, ordinate(after) if after > before else -ordinate(after)


def _half_ordinate(value: Any) -> Any:
    """Return where a value lies on its line; of numbers the half, so that no distance overflows."""
    place = ordinate(value)
    if not isinstance(place, float):
        return place
    return min(max(place, -float_info.max), float_info.max) / 2 if abs(place) == inf else place / 2
