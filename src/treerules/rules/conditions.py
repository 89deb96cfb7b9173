"""Conditions from sets of values and back, spelled as the rules of a tree spell them."""

from typing import Any

from treerules.data.interval import Interval, canonical, is_highest
from treerules.data.schema import Feature
from treerules.data.value_set import ValueSet, valid_set
from treerules.rules.rule import Condition, Members, values_of_intervals


def to_value_set(feature: Feature, condition: Condition | None, *, is_checked: bool = False) -> ValueSet:
    """Return the set of values that meet a condition; every value where there is no condition.

    `is_checked` says that the condition is known to fit the feature, as those of rules over a schema do.

    >>> to_value_set(Feature("x", "number"), Condition(Interval(None, 5.0), missing=True))
    <ValueSet 'x' (.., 5.0], missing>
    """
    if condition is None:
        return ValueSet.everything(feature)
    values = condition.values
    intervals = condition.intervals
    categories = values.of(feature.categories) if isinstance(values, Members) else ()
    if is_checked:
        known = intervals if not intervals or not is_highest(intervals[-1].above) else intervals[:-1]
        return valid_set(feature, known, frozenset(categories), condition.missing, condition.unseen)
    return ValueSet(feature, intervals, categories, condition.missing, condition.unseen)


def to_conditions(values: ValueSet) -> list[Condition]:
    """Return conditions of one interval that take a set of values together, no value twice; none for the empty set.

    Each interval is a condition of its own, in ascending order; the first one takes the missing value. So rules that
    people wrote with `or` become rules of one interval each.

    >>> to_conditions(~ValueSet.of_values(Feature("n", "integer"), [3]))  # doctest: +NORMALIZE_WHITESPACE
    [Condition(values=Interval(above=None, upto=2), missing=True, unseen=False),
     Condition(values=Interval(above=3, upto=None), missing=False, unseen=False)]
    """
    if not values.feature.is_ordered and (values.has_known or values.unseen):
        return [_category_condition(values)]
    if not values.intervals:
        return [Condition(None, values.missing)] if values.missing else []
    first, *others = values.intervals
    return [Condition(first, values.missing), *(Condition(interval) for interval in others)]


def to_condition(values: ValueSet) -> Condition:
    """Return the one condition that takes a set of values.

    >>> to_condition(ValueSet.from_comparison(Feature("n", "integer"), "!=", 3))  # doctest: +NORMALIZE_WHITESPACE
    Condition(values=(Interval(above=None, upto=2), Interval(above=3, upto=None)), missing=False, unseen=False)
    """
    if not values.feature.is_ordered and (values.has_known or values.unseen):
        return _category_condition(values)
    return Condition(values_of_intervals(values.intervals), values.missing)


def _category_condition(values: ValueSet) -> Condition:
    """Return the condition on categories; where it takes unseen values, it names the categories that it leaves out."""
    taken, missing = values.members, values.missing
    if not taken:
        return Condition(None, missing, values.unseen)
    if values.unseen:
        left_out = [category for category in values.feature.categories if category not in values.categories]
        return Condition(Members(left_out, complement=True), missing, True)
    return Condition(Members(taken), missing)


def rebase_condition(condition: Condition, own: Feature, feature: Feature) -> Condition | None:
    """Return a condition on a feature as one on the same feature with other categories; None if every value meets it.

    A category that `own` does not name is unseen to the condition. The result names the categories that it takes, and
    has no bound that bounds nothing.

    >>> colours = Feature("colour", "category", ("blue", "red"))
    >>> rebase_condition(Condition(Members(["red"], complement=True), unseen=True), colours,
    ...                  Feature("colour", "category", ("blue", "green", "red")))
    Condition(values=Members(values=('blue', 'green'), complement=False), missing=False, unseen=True)
    """
    values = condition.values
    if feature.is_ordered:
        intervals = condition.intervals
        if intervals and is_highest(intervals[-1].above):
            intervals = intervals[:-1]
        known = values_of_intervals(canonical(intervals))
        is_everything = known == Interval() and condition.missing
        return None if is_everything else Condition(known, condition.missing)
    taken = set(values.of(own.categories)) if isinstance(values, Members) else set()
    names = [
        category
        for category in feature.categories
        if (category in taken if category in own.positions else condition.unseen)
    ]
    is_everything = len(names) == len(feature.categories) and condition.missing and condition.unseen is feature.is_open
    return None if is_everything else Condition(Members(names) if names else None, condition.missing, condition.unseen)


def bounds_of(interval: Interval) -> tuple[Any, Any]:
    """Return the bounds of an interval, `(above, upto]`.

    >>> bounds_of(Interval(2, 5))
    (2, 5)
    """
    return interval.above, interval.upto


def all_bounds(condition: Condition) -> tuple[Any, ...]:
    """Return the bounds of the intervals of a condition, ascending.

    >>> all_bounds(Condition([Interval(None, 5), Interval(7, 9)])), all_bounds(Condition(Members(["a"])))
    ((5, 7, 9), ())
    """
    ends = (end for interval in condition.intervals for end in (interval.above, interval.upto))
    return tuple(end for end in ends if end is not None)


def everything_of(feature: Feature) -> Condition:
    """Return the condition that every value meets."""
    return Condition(Interval() if feature.is_ordered else Members((), True), True, feature.is_open)
