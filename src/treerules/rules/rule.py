"""Rules as values: the conditions of a rule, what it predicts, and its figures on the training rows."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.interval import Interval, Intervals, union_of
from treerules.data.schema import Feature
from treerules.errors import InvalidTreeError, OptionError, shortened
from treerules.trees.node_parts import Prediction


def _as_members(values: Any) -> tuple[Any, ...]:
    """Return categories as a tuple; those of a set are sorted, since its order depends on the hash seed."""
    if isinstance(values, str):
        raise OptionError("values", values, "a collection of categories, such as a list")
    if isinstance(values, set | frozenset):
        with suppress(TypeError):  # of mixed types, which no feature has
            return tuple(sorted(values))
    return as_tuple(values)


@short_repr
@frozen
class Members:
    """Some categories of a feature, or all categories but some.

    Args:
        values: categories in the order of the schema. A set is sorted, as the categories of every feature but an
            ordinal are.
        complement: whether the categories are all of the schema's categories except `values`.

    Examples:
        >>> "red" in Members(["red"]), "red" in Members(["red"], complement=True)
        (True, False)
    """

    values: tuple[Any, ...] = field(converter=_as_members)
    complement: bool = False

    def __contains__(self, value: Any) -> bool:
        return (value in self.values) is not self.complement

    def of(self, categories: Sequence[Any], *, taken: bool = True) -> list[Any]:
        """Return the members among the categories of a schema, in its order.

        Args:
            categories: all categories of the feature.
            taken: False to return the categories that are no members instead.
        """
        if taken is self.complement:
            named = set(self.values)
            return [category for category in categories if category not in named]
        return list(self.values)


@short_repr
@frozen
class Condition:
    """The values that a rule takes of one feature: known values, the missing value, unseen values.

    Args:
        values: the known values: an `Interval` for a number, integer, date or timestamp, or several of them in
            ascending order with some value between any two; `Members` for any other kind; None for no known value.
        missing: whether the missing value (None, NaN) meets the condition.
        unseen: whether values that are no category of the schema meet the condition (category and ordinal alone).

    Raises:
        InvalidTreeError: several values are not intervals in ascending order, or touch each other.

    Examples:
        >>> Condition(Interval(None, 30), missing=True).holds(Feature("age", "integer"), None)
        True
        >>> Condition([Interval(None, 30), Interval(65, None)]).holds(Feature("age", "integer"), 40)
        False
    """

    values: Interval | Intervals | Members | None
    missing: bool = False
    unseen: bool = False

    def __attrs_post_init__(self) -> None:
        if isinstance(self.values, (tuple, list)):
            object.__setattr__(self, "values", _as_known_values(self.values))

    @property
    def intervals(self) -> Intervals:
        """The intervals of the known values; none for `Members`."""
        values = self.values
        if isinstance(values, Interval):
            return (values,)
        return values if isinstance(values, tuple) else ()

    def holds(self, feature: Feature, value: Any) -> bool:
        """Return whether a value meets the condition.

        Args:
            feature: the feature that the condition is on.
            value: a value as the feature holds it (see `Feature.convert`); None is missing.
        """
        if value is None:
            return self.missing
        if feature.is_open and feature.position(value) is None:
            return self.unseen
        if isinstance(self.values, tuple):
            return any(value in interval for interval in self.values)
        return self.values is not None and value in self.values


def values_of_intervals(intervals: Intervals) -> Interval | Intervals | None:
    """Return a union of intervals as the values of a condition: one interval stands alone, none is None.

    >>> values_of_intervals((Interval(None, 5),)), values_of_intervals(())
    (Interval(above=None, upto=5), None)
    """
    if len(intervals) > 1:
        return intervals
    return intervals[0] if intervals else None


def _as_known_values(values: Sequence[Any]) -> Interval | Intervals | None:
    intervals = tuple(values)
    are_intervals = all(isinstance(interval, Interval) for interval in intervals)
    if not intervals or not are_intervals or union_of(intervals) != intervals:
        problem = f"the values {shortened(values)} of a condition are not intervals in ascending order, or touch"
        raise InvalidTreeError(problem, "give the intervals of a ValueSet, or None for no known value")
    return values_of_intervals(intervals)


def named_categories(feature: Feature, condition: Condition) -> tuple[list[Any], bool]:
    """Return the categories by which a condition is written, and whether they are those that it excludes.

    A condition that takes unseen values is written by what it excludes, since unseen values have no names.
    """
    values = condition.values if isinstance(condition.values, Members) else Members(())
    return values.of(feature.categories, taken=not condition.unseen), condition.unseen


@short_repr
@frozen
class RuleFigures:
    """The figures of a rule on the training rows. With n = 0 the coverage is 0 and the later figures are None.

    Args:
        n: the number of rows that meet all conditions; with sample weights their sum.
        coverage: n / number of all rows, from 0 to 1.
        support: the share of all rows that meet the conditions and have the predicted class (Agrawal); None for a
            regression.
        confidence: support / coverage; None for a regression.
        lift: confidence / share of the predicted class among all rows; None for a regression.
    """

    n: float
    coverage: float
    support: float | None = None
    confidence: float | None = None
    lift: float | None = None

    @property
    def weight(self) -> float:
        """`n`, by the name that it has where a model counts the weight of rows (`schema.counted`)."""
        return self.n


FIGURES = ("n", "coverage", "support", "confidence", "lift")


@short_repr
@frozen
class Rule:
    """A rule: if all conditions hold, then a prediction.

    Args:
        number: the number of the rule; in a tree the position of its leaf, from 1.
        conditions: pairs of the name of a column and its `Condition`, at most one for each column, in the order of the
            tree's tests. A rule without conditions takes every row.
        prediction: a `ClassPrediction` or a `MeanPrediction`.
        figures: the rule's figures on the training rows.

    Raises:
        InvalidTreeError: two conditions are on one column, or a condition is no such pair.
    """

    number: int
    conditions: tuple[tuple[str, Condition], ...] = field(converter=as_tuple)
    prediction: Prediction
    figures: RuleFigures

    def __attrs_post_init__(self) -> None:
        try:
            n_columns = len(dict(self.conditions))
        except (TypeError, ValueError) as error:
            problem = f"rule {self.number}: each condition must be a pair (name of a column, Condition)"
            raise InvalidTreeError(problem) from error
        if n_columns < len(self.conditions):
            raise InvalidTreeError(f"rule {self.number} has two conditions on one column")

    @property
    def value(self) -> Any:
        """The predicted class, or the predicted mean."""
        return self.prediction.value
