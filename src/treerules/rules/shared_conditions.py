"""Conditions by identity, so that each is formatted once: the rules of a tree share conditions as their paths do."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.rules.rule import Condition


def by_identity(values: Iterable[Any]) -> dict[int, Any]:
    """Return values by their `id`, each object once."""
    return {id(value): value for value in values}


class Constraint(NamedTuple):
    """A condition with its feature and the `repr` of its bounds, from which every language formats it."""

    feature: Feature
    condition: Condition
    #: the `repr` of the lower bound of an interval; None where it has none
    lower: str | None
    #: the `repr` of the upper bound of an interval; None where it has none
    upper: str | None


def constraints_of(
    schema: Schema,
    conjunctions: Iterable[Iterable[tuple[str, Condition]]],
    known: Mapping[int, Constraint] | None = None,
) -> Mapping[int, Constraint]:
    """Return the constraint of each condition, by the identity of its pair (name of the column, condition).

    A bound that several conditions share is formatted once, since the `repr` of numbers takes most of the time. `known`
    are the constraints of some conjunctions; they are returned if they are those of these conjunctions.
    """
    features = {feature.name: feature for feature in schema.features}
    pairs = by_identity(pair for conjunction in conjunctions for pair in conjunction)
    if known is not None and pairs.keys() == known.keys():
        return known
    intervals = [c.values for _, c in pairs.values() if isinstance(c.values, Interval)]
    bounds = by_identity(bound for interval in intervals for bound in (interval.above, interval.upto))
    texts = {key: None if bound is None else repr(bound) for key, bound in bounds.items()}
    constraints = {}
    for key, (name, condition) in pairs.items():
        values = condition.values
        if isinstance(values, Interval):
            constraints[key] = Constraint(features[name], condition, texts[id(values.above)], texts[id(values.upto)])
        else:
            constraints[key] = Constraint(features[name], condition, None, None)
    return constraints
