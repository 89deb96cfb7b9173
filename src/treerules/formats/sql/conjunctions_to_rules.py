"""Conjunctions as the conditions of rules: a column of several intervals makes several rules."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from treerules.data.schema import Schema
from treerules.data.value_set import ValueSet
from treerules.formats.sql.conjunctions import Conjunction
from treerules.formats.sql.predicate_terms import NotReadError
from treerules.rules.conditions import to_conditions
from treerules.rules.rule import Condition, Members

#: A condition that would make more rules is not read.
MOST_RULES = 25_000

#: The conditions of one rule, each with the name of its column.
Antecedent = tuple[tuple[str, Condition], ...]


def antecedents_of(conjunctions: Sequence[Conjunction], schema: Schema) -> Iterator[Antecedent]:
    """Yield the conditions of each rule that conjunctions make, columns in the order of the schema."""
    for conjunction in conjunctions:
        names = sorted(conjunction, key=schema.index)
        choices = [_conditions(conjunction[name]) for name in names]
        for conditions in product(*choices):
            yield tuple(zip(names, conditions, strict=True))


def require_few(conjunctions: Sequence[Conjunction]) -> None:
    """Raise if conjunctions would make too many rules.

    Raises:
        NotReadError: the conjunctions make more than MOST_RULES rules.
    """
    n = sum(prod(len(values.intervals) or 1 for values in conjunction.values()) for conjunction in conjunctions)
    if n > MOST_RULES:
        raise NotReadError(f"it makes {n} rules with one interval per column, more than {MOST_RULES}")


def impossible_antecedent(schema: Schema) -> Antecedent | None:
    """Return conditions that no row satisfies; None if the schema has no columns."""
    return ((schema.features[0].name, Condition(None)),) if schema.features else None


def _conditions(values: ValueSet) -> list[Condition]:
    """Return conditions whose union is a set.

    A set with unseen values lists the categories that it takes, not those that it excludes.
    """
    if values.unseen:
        return [Condition(Members(values.members), values.missing, True)]
    return to_conditions(values)
