"""The columns that a model reads, and the tests of its nodes as tests of the columns that a caller has."""

from collections.abc import Container, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature
from treerules.trees.node_parts import RoutedTest, ThresholdTest


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
    #: the child of all other values, of NaN too: 0 or 1
    missing: int

    def side(self, value: float | None) -> int:
        """Return the child of a value of the column; None, which the steps refuse, goes where NaN goes."""
        sides: tuple[tuple[Container[float | None], int], ...] = ((self.first, 0), (self.second, 1))
        return next((side for codes, side in sides if value in codes), self.missing)


#: The test of a node, of a column of the model.
ColumnTest: TypeAlias = NodeTest | MemberTest


class Inputs(Protocol):
    """What stands between the caller's columns and those of a model."""

    @property
    def features(self) -> Sequence[Feature]:
        """The features that the model reads, in the order of the caller's columns."""

    def routed(self, tests: Sequence[ColumnTest]) -> list[RoutedTest | int]:
        """Return each test as one of the features, or the child that every value of the column goes to."""


@short_repr
@frozen
class NumberInputs:
    """Columns of numbers that a model reads as they are.

    Args:
        features: the features, one for each column of the model.
    """

    features: tuple[Feature, ...] = field(converter=as_tuple)

    def routed(self, tests: Sequence[ColumnTest]) -> list[RoutedTest | int]:
        """Return each test of a threshold as it is; there are no others, since codes come from an encoder."""
        return [
            RoutedTest(ThresholdTest(test.column, test.threshold), test.missing)
            for test in tests
            if isinstance(test, NodeTest)
        ]
