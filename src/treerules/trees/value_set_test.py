"""The test of a union of intervals, as trees of other libraries may have it.

LightGBM, missing is zero:  x <= 0.5, but 0 goes right       (.., -5e-324] and (0.0, 0.5] go to the first child
"""

from bisect import bisect_left
from functools import cached_property
from typing import Any

from attrs import evolve, frozen

from treerules._internal.arguments import require_type
from treerules._internal.short_repr import short_repr
from treerules.data.interval import WHOLE_LINE, canonical
from treerules.data.schema import Feature
from treerules.data.value_set import ValueSet
from treerules.errors import InvalidTreeError


@short_repr
@frozen
class ValueSetTest:
    """The test `feature in values`: known values in the set go to the first child, all others to the second.

    It is for models from elsewhere, which may test a union of intervals. Growers write a `ThresholdTest`.

    Args:
        feature: the position of the feature in the schema, from 0.
        values: known values of that feature, a number, an integer, a date or a timestamp: some, but not all. Missing
            values go where the Split says.

    Raises:
        OptionError: `values` is no ValueSet.

    Examples:
        >>> from treerules import Feature, Interval, ValueSet
        >>> test = ValueSetTest(0, ValueSet(Feature("x", "number"), [Interval(None, -1.0), Interval(0.0, 0.2)]))
        >>> [test.child_of(value) for value in (-1.0, 0.0, 0.2, 0.7)]
        [0, 1, 0, 1]
    """

    feature: int
    values: ValueSet

    def __attrs_post_init__(self) -> None:
        require_type("values", self.values, ValueSet, "a ValueSet")
        if (intervals := canonical(self.values.intervals)) is not self.values.intervals:
            object.__setattr__(self, "values", evolve(self.values, intervals=intervals))

    @property
    def arity(self) -> int:
        """The number of children."""
        return 2

    @cached_property
    def thresholds(self) -> tuple[Any, ...]:
        """The bounds at which the child changes, ascending."""
        return self.values.bounds

    @cached_property
    def lowest_child(self) -> int:
        """The child of the least values."""
        return 0 if self.values.feature.lowest in self.values else 1

    def child_of(self, value: Any) -> int:
        """Return the child of a known value."""
        return (bisect_left(self.thresholds, value) + self.lowest_child) % 2


def check_value_set(values: ValueSet, feature: Feature) -> None:
    """Raise InvalidTreeError unless a test of these values fits their feature."""
    problem = f"the test {values!r} of column {feature.name!r} of kind {feature.kind}"
    if values.feature != feature or not feature.is_ordered:
        raise InvalidTreeError(f"{problem} is of another feature, or of one without thresholds")
    if values.missing or not values.intervals or canonical(values.intervals) == WHOLE_LINE:
        raise InvalidTreeError(f"{problem} must hold some known values, but not all, and not the missing one")
