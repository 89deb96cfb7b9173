"""Drawn domains of any columns, and whether a row lies in one, by plain comparison."""

from random import Random
from typing import Any

from strategies_random import POOLS
from treerules import ColumnDomain, Feature, Schema


def a_declared_domain(random: Random, schema: Schema) -> dict[str, ColumnDomain]:
    """Return a domain that declares some columns of any kinds, with bounds from the corners of the kind."""
    return {feature.name: _a_column(random, feature) for feature in schema.features if random.random() < 0.8}


def _a_column(random: Random, feature: Feature) -> ColumnDomain:
    bounds = sorted(random.choices(POOLS[feature.scalar], k=2)) if feature.is_ordered else [None, None]
    lowest, highest = (None if random.random() < 0.2 else bound for bound in bounds)
    return ColumnDomain(lowest, highest, missing=random.random() < 0.5, unseen=random.random() < 0.5)


def lies_within(schema: Schema, domain: dict[str, ColumnDomain], row: dict[str, Any]) -> bool:
    """Return whether a row lies in a domain; an absent key is missing, as NaN is."""
    return all(
        _fits(feature, domain.get(feature.name, ColumnDomain()), row.get(feature.name)) for feature in schema.features
    )


def _fits(feature: Feature, declared: ColumnDomain, value: Any) -> bool:
    if value is None or value != value:
        return declared.missing
    if feature.is_ordered:
        low, high = declared.lowest, declared.highest
        return (low is None or value >= low) and (high is None or value <= high)
    return value in feature.categories or declared.unseen or not feature.is_open
