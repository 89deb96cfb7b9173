"""Conditions by identity, so that each is formatted once: the rules of a tree share conditions as their paths do."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.rules.bounds import Bound, bound_of
from treerules.rules.rule import Condition


def by_identity(values: Iterable[Any]) -> dict[int, Any]:
    """Return values by their `id`, each object once."""
    return {id(value): value for value in values}


class Constraint(NamedTuple):
    """A condition with its feature and its bounds as text, from which every language formats it."""

    feature: Feature
    condition: Condition
    #: the lower bound of an interval; None where it has none
    lower: Bound | None
    #: the upper bound of an interval; None where it has none
    upper: Bound | None
    #: of several intervals each as a constraint of its own, without missing values; else none
    intervals: tuple["Constraint", ...] = ()


def constraint_writer(feature: Feature) -> Callable[[Condition], Constraint]:
    """Return a function from a condition on a feature to its constraint. It formats each bound once."""
    written: dict[int, Bound] = {}  # by the identity of bounds, which live as long as their conditions

    def bound(value: Any) -> Bound:
        found = written[id(value)] = bound_of(feature, value)
        return found

    def write(condition: Condition) -> Constraint:
        values = condition.values
        if isinstance(values, tuple):
            return Constraint(feature, condition, None, None, tuple(write(Condition(value)) for value in values))
        if not isinstance(values, Interval):
            return Constraint(feature, condition, None, None)
        above, upto = values.above, values.upto
        lower = None if above is None else written.get(id(above)) or bound(above)
        upper = None if upto is None else written.get(id(upto)) or bound(upto)
        return Constraint(feature, condition, lower, upper)

    return write


ConstraintWriters = Mapping[str, Callable[[Condition], Constraint]]


def constraint_writers(schema: Schema) -> ConstraintWriters:
    """Return the `constraint_writer` of each feature, by its name. They format each bound once."""
    return {feature.name: constraint_writer(feature) for feature in schema.features}


def constraints_of(
    schema: Schema,
    conjunctions: Iterable[Iterable[tuple[str, Condition]]],
    known: Mapping[int, Constraint] | None = None,
    writers: ConstraintWriters | None = None,
) -> Mapping[int, Constraint]:
    """Return the constraint of each condition, by the identity of its pair (name of the column, condition).

    A bound that several conditions share is formatted once. `known` are the constraints of some conjunctions; they are
    returned if they are those of these conjunctions. `writers` have formatted some of the bounds already.
    """
    pairs = by_identity(pair for conjunction in conjunctions for pair in conjunction)
    if known is not None and pairs.keys() == known.keys():
        return known
    writers = writers or constraint_writers(schema)
    return {key: writers[name](condition) for key, (name, condition) in pairs.items()}
