"""Conjunctions of conditions on several columns: the values that each column may take."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

from toolz import dissoc, groupby, unique

from treerules.data.value_set import ValueSet

#: The values of each column that a conjunction names; a column that it does not name may have any value.
Conjunction = Mapping[str, ValueSet]


def intersect(first: Conjunction, second: Conjunction) -> Conjunction | None:
    """Return the conjunction of both; None if no row satisfies it."""
    conjunction = dict(first)
    for name, values in second.items():
        common = conjunction[name] & values if name in conjunction else values
        if common.is_empty:
            return None
        conjunction[name] = common
    return conjunction


def intersect_all(conjunctions: Sequence[Conjunction]) -> list[Conjunction]:
    """Return the conjunction of all, a list of one; none if no row satisfies it.

    Neighbours are taken together: one after another, n times `x <> i` would copy n * n intervals.
    """
    remaining: list[Conjunction] = [*conjunctions] or [{}]
    while len(remaining) > 1:
        pairs = [intersect(one, other) for one, other in zip(remaining[::2], remaining[1::2], strict=False)]
        common = [conjunction for conjunction in pairs if conjunction is not None]
        if len(common) < len(pairs):
            return []
        remaining = common + remaining[len(remaining) // 2 * 2 :]
    return remaining


def merge_conjunctions(conjunctions: Sequence[Conjunction]) -> list[Conjunction]:
    """Return an equivalent list of conjunctions in which conjunctions that differ in one column only are merged.

    >>> from treerules.data.schema import Feature
    >>> n = Feature("n", "integer")
    >>> merge_conjunctions([{"n": ValueSet.of_values(n, [1])}, {"n": ValueSet.of_values(n, [2, 3])}])
    [{'n': <ValueSet 'n' (0, 3]>}]
    """
    remaining, n_before = list(conjunctions), -1
    while len(remaining) != n_before and len(remaining) > 1:
        n_before = len(remaining)
        for name in unique(name for conjunction in remaining for name in conjunction):
            remaining = _merge_on(name, remaining)
    return remaining


def _merge_on(name: str, conjunctions: Sequence[Conjunction]) -> list[Conjunction]:
    """Return the conjunctions, merging those that are equal except in one column."""
    alike = groupby(lambda conjunction: frozenset(dissoc(conjunction, name).items()), conjunctions)
    return [_union_on(name, group) for group in alike.values()]


def _union_on(name: str, conjunctions: Sequence[Conjunction]) -> Conjunction:
    """Return the union of conjunctions that are equal except in one column."""
    first = conjunctions[0]
    if all(name in conjunction for conjunction in conjunctions):
        values = reduce(or_, (conjunction[name] for conjunction in conjunctions))
        if not values.is_everything:
            return {**first, name: values}
    return {other: values for other, values in first.items() if other != name}
