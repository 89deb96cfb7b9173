"""The columns that a model reads, and the tests of its nodes as tests of the columns that a caller has."""

from collections.abc import Container, Mapping, Sequence
from math import inf, nextafter
from typing import Any, NamedTuple, Protocol, TypeAlias

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.interval import Intervals, union_of, valid_interval
from treerules.data.schema import Feature, Kind
from treerules.data.value_set import ValueSet
from treerules.errors import ModelFileError
from treerules.trees.node_parts import CategoryTest, RoutedTest, ThresholdTest
from treerules.trees.value_set_test import ValueSetTest

#: The greatest number of sides that the splits of a model hold, one for each category of each split: of some 40 bytes.
MOST_SIDES = 1 << 25
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


def left_intervals(test: ColumnTest) -> Intervals:
    """Return the doubles of a column of the model that a test sends to the first child."""
    if isinstance(test, NodeTest):
        return () if test.threshold == -inf else (valid_interval(None, test.threshold),)
    if isinstance(test, IntervalTest):
        return test.values.intervals
    return union_of(valid_interval(nextafter(code, -inf), code) for code in sorted(test.first))


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

    @property
    def codes(self) -> Mapping[int, Sequence[Any]]:
        """For the columns of categories that the caller has as such, by their positions, the category of each code."""

    @property
    def table_format(self) -> str:
        """The table that the model reads: "dense", or the format of a sparse one, "csr" or "csc"."""

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

    @property
    def table_format(self) -> str:
        """The caller has a data frame, or an array."""
        return "dense"

    def routed(self, tests: Sequence[ColumnTest]) -> list[RoutedTest | int]:
        """Return each test as one of the features, or the child that every value of the column goes to."""
        codes = {column: self._codes(column) for column in self.codes}
        found: dict[ColumnTest, RoutedTest | int] = {}
        n_sides = 0
        for test in tests:
            if test not in found:
                n_sides += len(codes[test.column]) if isinstance(test, MemberTest) else 0
                if n_sides > MOST_SIDES:
                    problem = f"its splits of categories have more than {MOST_SIDES} categories, counted for each split"
                    raise ModelFileError(problem, "fit fewer trees, or with fewer categories in a column")
                found[test] = self._routed(test, codes)
        return [found[test] for test in tests]

    def _codes(self, column: int) -> list[float]:
        """Return the code of each category of a feature."""
        code_of = {category: float(code) for code, category in enumerate(self.codes[column])}
        return [code_of.get(category, -1.0) for category in self.features[column].categories]

    def _routed(self, test: ColumnTest, codes: Mapping[int, Sequence[float]]) -> RoutedTest | int:
        feature = self.features[test.column]
        if isinstance(test, MemberTest):
            first, second, other = test.first, test.second, test.unseen
            sides = [0 if code in first else 1 if code in second else other for code in codes[test.column]]
            return routed_categories(test.column, sides, test.missing, other if feature.is_open else None)
        return _routed_numbers(test, feature)


def _routed_numbers(test: NodeTest | IntervalTest, feature: Feature) -> RoutedTest:
    if isinstance(test, NodeTest):
        return RoutedTest(ThresholdTest(test.column, test.threshold), test.missing)
    return RoutedTest(ValueSetTest(test.column, evolve(test.values, feature=feature)), test.missing)


def routed_numbers(position: int, feature: Feature, left: Intervals, missing: int) -> RoutedTest | int:
    """Return the test of numbers, given those of the first child, or the child of all values where there is one."""
    test = interval_test(position, left, missing)
    if isinstance(test, NodeTest) and test.threshold == (inf if missing == 0 else -inf):
        return missing
    return _routed_numbers(test, feature)


def routed_categories(position: int, sides: Sequence[int], missing: int, unseen: int | None) -> RoutedTest | int:
    """Return the test of categories, given the child of each, or the child of all values where there is one."""
    if {*sides, missing if unseen is None else unseen} == {missing}:
        return missing
    groups = [[place for place, child in enumerate(sides) if child == side] for side in (0, 1)]
    return RoutedTest(CategoryTest(position, groups), missing, unseen)
