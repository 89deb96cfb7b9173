"""Predictions and split tests, and the checks that they fit a schema."""

from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import Any, TypeVar, cast

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple, as_tuples
from treerules._internal.short_repr import short_repr
from treerules.data.schema import SCALARS, Feature, Kind, Schema, is_threshold
from treerules.errors import CellError, InvalidTreeError, listed
from treerules.trees.value_set_test import ValueSetTest, check_value_set


@short_repr
@frozen
class ClassPrediction:
    """The prediction of a leaf of a classification: a class, and the probability of each class of the schema.

    Args:
        value: the class.
        probabilities: the probability of each class, in the order of the schema's classes.
    """

    value: Any
    probabilities: tuple[float, ...] = field(converter=as_tuple)


@short_repr
@frozen
class MeanPrediction:
    """The prediction of a leaf of a regression: the mean and the standard deviation (population) of its rows.

    Args:
        value: the mean, in the unit of the target.
        sd: the standard deviation, in the unit of the target.
    """

    value: float
    sd: float = 0.0


Prediction = ClassPrediction | MeanPrediction


def certain_prediction(schema: Schema, value: Any) -> Prediction:
    """Return the prediction of a value with certainty: probability 1, or standard deviation 0.

    Raises:
        InvalidTreeError: the target has no such class, or the mean is not a finite number.
    """
    converted = _convert_prediction(schema, value)
    if schema.is_regression:
        if converted is None or not isfinite(converted):
            raise InvalidTreeError(f"{value!r} is not a finite number, as a regression predicts")
        return MeanPrediction(converted)
    if converted not in schema.classes:
        raise InvalidTreeError(f"{value!r} is not a class of the target, whose classes are {listed(schema.classes)}")
    return ClassPrediction(converted, [float(converted == label) for label in schema.classes])


def _convert_prediction(schema: Schema, value: Any) -> Any:
    """Return a value converted to the type of the schema's predictions; None where that is not possible."""
    try:
        return SCALARS[schema.predicted].convert(value, "")
    except (TypeError, OverflowError, CellError):
        return None


#: The greatest training figure of a node.
MOST = 2**63 - 1


@short_repr
@frozen
class ThresholdTest:
    """The test `feature <= threshold`: rows that pass go to the first child, others to the second, as in CART.

    Args:
        feature: the position of the feature in the schema, from 0.
        threshold: the greatest value that passes, of the feature's type.
    """

    feature: int
    threshold: Any

    @property
    def arity(self) -> int:
        """The number of children."""
        return 2

    @property
    def thresholds(self) -> tuple[Any, ...]:
        """The bounds at which the child changes, ascending: one."""
        return (self.threshold,)

    @property
    def lowest_child(self) -> int:
        """The child of the least values."""
        return 0


@short_repr
@frozen
class CategoryTest:
    """A test of a category: the child is the group that holds it, one group for each child.

    Groups hold ascending positions into the feature's categories. They are disjoint and together hold every category,
    so the test alone routes every known value.

    Args:
        feature: the position of the feature in the schema, from 0.
        groups: for each child the positions of its categories among the feature's categories, from 0.
    """

    feature: int
    groups: tuple[tuple[int, ...], ...] = field(converter=as_tuples)

    @property
    def arity(self) -> int:
        """The number of children."""
        return len(self.groups)


#: A test of a number, an integer, a date or a timestamp: its two children take turns between `thresholds`.
OrderedTest = ThresholdTest | ValueSetTest
Test = ThresholdTest | ValueSetTest | CategoryTest
B = TypeVar("B")
T = TypeVar("T")


def fold_thresholds(test: OrderedTest, children: Sequence[T], cut: Callable[[Any, T, T], T]) -> T:
    """Return what stands for a test where only single thresholds can be written.

    Neighbouring thresholds are joined by halves, so that a value passes few of them.

    Args:
        test: the test.
        children: what stands for its two children.
        cut: returns what stands for the test `value <= threshold`, given the threshold, and what stands for the values
            that pass, and for those that do not.

    Examples:
        >>> from treerules import Feature, Interval, ValueSet
        >>> test = ValueSetTest(0, ValueSet(Feature("n", "integer"), [Interval(None, 1), Interval(5, 7)]))
        >>> fold_thresholds(test, ["in", "out"], lambda threshold, low, high: f"({low} {threshold} {high})")
        '((in 1 out) 5 (in 7 out))'
    """
    thresholds, lowest = test.thresholds, test.lowest_child
    return fold_bounds(thresholds, [children[(place + lowest) % 2] for place in range(len(thresholds) + 1)], cut)


def fold_bounds(bounds: Sequence[B], runs: Sequence[T], cut: Callable[[B, T, T], T]) -> T:
    """Return what stands for runs of values where only `value <= bound` can be written: one for each bound.

    `runs` is what stands for the values up to each bound, and for those above the last; `cut` is that of
    `fold_thresholds`.
    """

    def halve(first: int, last: int) -> T:
        if first == last:
            return runs[first]
        middle = (first + last) // 2
        low = halve(first, middle)
        return cut(bounds[middle], low, halve(middle + 1, last))

    return halve(0, len(bounds))


@short_repr
@frozen
class RoutedTest:
    """The test of a split, and the children of missing and unseen values: a split without its children.

    Args:
        test: the test.
        missing: the position of the child of missing values, from 0.
        unseen: the position of the child of unseen values; None where the feature has none.
    """

    test: Test
    missing: int
    unseen: int | None = None


def child_of(test: Test, feature: Feature, value: Any, missing: int, unseen: int | None) -> int:
    """Return the child that a converted value goes to; None is missing."""
    if value is None:
        return missing
    if isinstance(test, ThresholdTest):
        return 0 if value <= test.threshold else 1
    if isinstance(test, ValueSetTest):
        return test.child_of(value)
    position = feature.position(value)
    if position is None:
        return cast(int, unseen)
    return next(side for side, group in enumerate(test.groups) if position in group)


def is_cut(test: Test, feature: Feature) -> bool:
    """Return whether an ordinal's groups are a cut of its order: two runs, the lower first."""
    return (
        feature.kind is Kind.ORDINAL
        and isinstance(test, CategoryTest)
        and len(test.groups) == 2
        and [*test.groups[0], *test.groups[1]] == list(range(len(feature.categories)))
    )


def check_test(test: Test, unseen: int | None, schema: Schema) -> None:
    """Raise InvalidTreeError unless a split's test and its child for unseen values fit the schema."""
    if type(test.feature) is not int or not 0 <= test.feature < len(schema.features):
        raise InvalidTreeError(f"a test asks for feature {test.feature!r} of {len(schema.features)}")
    feature = schema.features[test.feature]
    if isinstance(test, ThresholdTest):
        if not is_threshold(test.threshold, feature):
            raise InvalidTreeError(f"column {feature.name!r} of kind {feature.kind} is cut at {test.threshold!r}")
    elif isinstance(test, ValueSetTest):
        check_value_set(test.values, feature)
    else:
        _check_groups(test.groups, feature)
    if (unseen is not None) is not feature.is_open:
        raise InvalidTreeError(f"unseen values of column {feature.name!r} ({feature.kind}) go to {unseen!r}")


def _check_groups(groups: tuple[tuple[int, ...], ...], feature: Feature) -> None:
    positions = sorted(position for group in groups for position in group)
    if any(list(group) != sorted(group) for group in groups):
        raise InvalidTreeError(f"a group of column {feature.name!r} is not in ascending order")
    if feature.is_ordered or positions != list(range(len(feature.categories))):
        raise InvalidTreeError(f"the groups of column {feature.name!r} do not hold each of its categories once")


def check_figures(figures: Iterable[tuple[Prediction, tuple[float, ...]]], schema: Schema) -> None:
    """Raise InvalidTreeError unless each node's prediction and training figures fit the schema's target."""
    n_classes = len(schema.classes) or 1
    fits = prediction_check(schema)
    checked_ids: set[int] = set()  # many nodes share one prediction object
    for prediction, counts in figures:
        if len(counts) != n_classes or not ({int, float}.issuperset(map(type, counts)) and _lie_within(counts, MOST)):
            raise InvalidTreeError(f"a leaf has the counts {counts!r} for {n_classes} classes")
        if id(prediction) not in checked_ids:
            if not fits(prediction):
                raise InvalidTreeError(f"a leaf predicts {prediction!r}, which does not fit the target")
            checked_ids.add(id(prediction))


def prediction_check(schema: Schema) -> Callable[[Prediction], bool]:
    """Return a predicate: whether a prediction fits a schema with a target."""
    return _is_mean if schema.is_regression else _label_check(schema)


def _lie_within(numbers: tuple[float, ...], most: float) -> bool:
    """Return whether all numbers are between 0 and `most`; `min` may skip a NaN, but the sum is then NaN."""
    return 0 <= min(numbers) <= max(numbers) <= most and sum(numbers) >= 0


def _is_mean(prediction: Prediction) -> bool:
    return isinstance(prediction, MeanPrediction) and _is_finite(prediction.value) and _is_finite(prediction.sd)


def _label_check(schema: Schema) -> Callable[[Prediction], bool]:
    """Return a predicate: whether a prediction names a class of the schema and has a probability for each class."""
    target, classes, n = cast(Feature, schema.target), frozenset(schema.classes), len(schema.classes)
    scalar = SCALARS[target.scalar].type

    def fits(prediction: Prediction) -> bool:
        if not isinstance(prediction, ClassPrediction):
            return False
        value, shares = prediction.value, prediction.probabilities
        is_class = type(value) is scalar and value in classes
        return is_class and len(shares) == n and {float}.issuperset(map(type, shares)) and _lie_within(shares, 1)

    return fits


def _is_finite(value: Any) -> bool:
    return type(value) is float and isfinite(value)
