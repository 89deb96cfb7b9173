"""What rules ask, spelled once: the rules of one tree share the conditions that their paths share."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.rules.rule import Condition


def by_identity(values: Iterable[Any]) -> dict[int, Any]:
    """Return values by their identity. Rules of one tree share what their paths share: it need be spelled but once."""
    return {id(value): value for value in values}


class Constraint(NamedTuple):
    """A condition beside its feature and the `repr` of its bounds, from which every language spells it."""

    feature: Feature
    condition: Condition
    lower: str | None
    upper: str | None


def constraints_of(
    schema: Schema,
    conjunctions: Iterable[Iterable[tuple[str, Condition]]],
    known: Mapping[int, Constraint] | None = None,
) -> Mapping[int, Constraint]:
    """Return each condition of conjunctions, by the identity of the pair of its column's name and itself.

    A bound that several conditions share is spelled once: numbers are the slowest to spell. Where all are `known`
    already, those are returned.
    """
    features = {feature.name: feature for feature in schema.features}
    pairs = by_identity(pair for conjunction in conjunctions for pair in conjunction)
    if known is not None and pairs.keys() == known.keys():
        return known
    intervals = [c.values for _, c in pairs.values() if isinstance(c.values, Interval)]
    bounds = by_identity(bound for interval in intervals for bound in (interval.above, interval.upto))
    texts = {key: None if bound is None else repr(bound) for key, bound in bounds.items()}
    found = {}
    for key, (name, condition) in pairs.items():
        values = condition.values
        if isinstance(values, Interval):
            found[key] = Constraint(features[name], condition, texts[id(values.above)], texts[id(values.upto)])
        else:
            found[key] = Constraint(features[name], condition, None, None)
    return found
