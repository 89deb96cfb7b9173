"""The columns that a model reads, and the tests of its nodes as tests of the columns that a caller has."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature
from treerules.trees.node_parts import Test, ThresholdTest


class NodeTest(NamedTuple):
    """The test of a node, of a column of the model: doubles, NaN where a value is missing."""

    #: the position of the column
    column: int
    #: the greatest double that goes to the first child; not used where `codes` are given
    threshold: float
    #: the child of NaN: 0 or 1
    missing: int
    #: the whole numbers that go to the first child, of a test of categories; None for a threshold
    codes: frozenset[int] | None = None

    def side(self, value: float | None) -> int:
        """Return the child of a value of the column; None, which the model refuses, goes where NaN goes."""
        if value is None or value != value:
            return self.missing
        passes = value <= self.threshold if self.codes is None else value in self.codes
        return 0 if passes else 1


class RoutedTest(NamedTuple):
    """The test of a node, of a feature of the caller: a split without its children."""

    test: Test
    missing: int
    unseen: int | None = None


class Inputs(Protocol):
    """What stands between the caller's columns and those of a model."""

    @property
    def features(self) -> Sequence[Feature]:
        """The features that the model reads, in the order of the caller's columns."""

    def routed(self, tests: Sequence[NodeTest]) -> list[RoutedTest | int]:
        """Return each test as one of the features, or the child that every value of the column goes to."""


@short_repr
@frozen
class NumberInputs:
    """Columns of numbers that a model reads as they are.

    Args:
        features: the features, one for each column of the model.
    """

    features: tuple[Feature, ...] = field(converter=as_tuple)

    def routed(self, tests: Sequence[NodeTest]) -> list[RoutedTest | int]:
        """Return each test of a threshold as it is."""
        return [RoutedTest(ThresholdTest(test.column, test.threshold), test.missing) for test in tests]


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN or the NA of pandas."""
    if value is None:
        return True
    try:
        return not bool(value == value)
    except TypeError:  # a comparison of NA has no truth value
        return True
