"""The columns that a model reads, and the tests of its nodes as tests of the columns that a caller has."""

from collections.abc import Container, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple, Protocol, TypeAlias

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.interval import Intervals
from treerules.data.schema import Feature, Kind
from treerules.data.value_set import ValueSet
from treerules.trees.node_parts import CategoryTest, RoutedTest, ThresholdTest
from treerules.trees.value_set_test import ValueSetTest

#: A feature of doubles, for sets of them.
DOUBLE = Feature("number", Kind.NUMBER)


class NodeTest(NamedTuple):
    """The test of a node, of a column of the model: doubles, NaN where a value is missing."""

    #: the position of the column
    column: int
    #: the greatest double that goes to the first child
    threshold: float
    #: the child of NaN: 0 or 1
    missing: int

    def side(self, value: float | None) -> int:
        """Return the child of a value of the column; None, which the steps refuse, goes where NaN goes."""
        if value is None or value != value:
            return self.missing
        return 0 if value <= self.threshold else 1


class MemberTest(NamedTuple):
    """The test of a node, of a column of the model that holds the codes of categories, NaN where a value is missing."""

    #: the position of the column
    column: int
    #: the codes that go to the first child, and those that go to the second
    first: frozenset[float]
    second: frozenset[float]
    #: the child of NaN: 0 or 1
    missing: int
    #: the child of all other codes: 0 or 1
    unseen: int

    def side(self, value: float | None) -> int:
        """Return the child of a value of the column; None, which the steps refuse, goes where NaN goes."""
        sides: tuple[tuple[Container[float | None], int], ...] = ((self.first, 0), (self.second, 1))
        other = self.missing if value is None or value != value else self.unseen
        return next((side for codes, side in sides if value in codes), other)


class IntervalTest(NamedTuple):
    """The test of a node, of a column of the model: doubles, NaN where a value is missing."""

    #: the position of the column
    column: int
    #: the doubles that go to the first child, of the feature `DOUBLE`
    values: ValueSet
    #: the child of NaN: 0 or 1
    missing: int

    def side(self, value: float | None) -> int:
        """Return the child of a value of the column; None, which the steps refuse, goes where NaN goes."""
        if value is None or value != value:
            return self.missing
        return 0 if value in self.values else 1


#: The test of a node, of a column of the model.
ColumnTest: TypeAlias = NodeTest | MemberTest | IntervalTest


def interval_test(column: int, intervals: Intervals, missing: int) -> NodeTest | IntervalTest:
    """Return the test whose first child takes the doubles of a union of intervals, as a threshold where it is one."""
    values = ValueSet(DOUBLE, intervals)
    bounds = values.bounds
    if not bounds:
        return NodeTest(column, inf if intervals else -inf, missing)
    if len(bounds) == 1 and -inf in values:
        return NodeTest(column, bounds[0], missing)
    return IntervalTest(column, values, missing)


class Inputs(Protocol):
    """What stands between the caller's columns and those of a model."""

    @property
    def features(self) -> Sequence[Feature]:
        """The features that the model reads, in the order of the caller's columns."""

    def routed(self, tests: Sequence[ColumnTest]) -> list[RoutedTest | int]:
        """Return each test as one of the features, or the child that every value of the column goes to."""


@short_repr
@frozen
class OwnInputs:
    """Columns that a model reads as they are: numbers, and categories, for which it has codes.

    Args:
        features: the features, one for each column of the model.
        codes: for the columns of categories the category of each code, from 0.
    """

    features: tuple[Feature, ...] = field(converter=as_tuple)
    codes: Mapping[int, Sequence[Any]] = field(factory=dict)

    def routed(self, tests: Sequence[ColumnTest]) -> list[RoutedTest | int]:
        """Return each test as one of the features, or the child that every value of the column goes to."""
        found: dict[ColumnTest, RoutedTest | int] = {}
        for test in tests:
            if test not in found:
                found[test] = self._routed(test)
        return [found[test] for test in tests]

    def _routed(self, test: ColumnTest) -> RoutedTest | int:
        feature = self.features[test.column]
        if isinstance(test, MemberTest):
            code_of = {category: float(code) for code, category in enumerate(self.codes[test.column])}
            codes = [code_of.get(category, -1.0) for category in feature.categories]
            unseen = test.unseen if feature.is_open else None
            return routed_categories(test.column, [test.side(code) for code in codes], test.missing, unseen)
        if isinstance(test, NodeTest):
            return RoutedTest(ThresholdTest(test.column, test.threshold), test.missing)
        return RoutedTest(ValueSetTest(test.column, evolve(test.values, feature=feature)), test.missing)


def routed_categories(position: int, sides: Sequence[int], missing: int, unseen: int | None) -> RoutedTest | int:
    """Return the test of categories, given the child of each, or the child of all values where there is one."""
    if {*sides, missing if unseen is None else unseen} == {missing}:
        return missing
    groups = [[place for place, child in enumerate(sides) if child == side] for side in (0, 1)]
    return RoutedTest(CategoryTest(position, groups), missing, unseen)
