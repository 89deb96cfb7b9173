"""Rules as values: conditions on columns, what follows from them, and how they fared."""

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.interval import Interval
from treerules.data.schema import Feature
from treerules.errors import InvalidTreeError
from treerules.trees.node_parts import Prediction


@frozen
class Members:
    """Some of the schema's categories, in its order; with `complement`, all of the schema's categories but these."""

    values: tuple[Any, ...] = field(converter=as_tuple)
    complement: bool = False

    def __contains__(self, value: Any) -> bool:
        return (value in self.values) is not self.complement

    def of(self, categories: Sequence[Any], *, taken: bool = True) -> list[Any]:
        """Return the categories that are taken, or those that are left, in the schema's order."""
        if taken is self.complement:
            named = set(self.values)
            return [category for category in categories if category not in named]
        return list(self.values)


@frozen
class Condition:
    """What one feature must be: among the `values` (None is no value at all), or `missing`, or `unseen`.

    Unseen means a value that is none of the schema's categories.
    """

    values: Interval | Members | None
    missing: bool = False
    unseen: bool = False

    def holds(self, feature: Feature, value: Any) -> bool:
        """Whether a converted value of the feature meets the condition; None is missing."""
        if value is None:
            return self.missing
        if feature.is_open and feature.position(value) is None:
            return self.unseen
        return self.values is not None and value in self.values


def named_categories(feature: Feature, condition: Condition) -> tuple[list[Any], bool]:
    """Return the categories to name for a condition, and whether they are those that it does not take.

    Where unseen values are taken, the others are named, since unseen ones have no names.
    """
    values = condition.values if isinstance(condition.values, Members) else Members(())
    return values.of(feature.categories, taken=not condition.unseen), condition.unseen


@frozen
class RuleFigures:
    """How a rule fared on the training rows. With n = 0 coverage is 0 and the others are None.

    n: rows that satisfy the antecedent (weighted). coverage: their share of all rows. support: the share of all rows
    that satisfy antecedent and consequent (Agrawal). confidence: support / coverage. lift: confidence / share of the
    predicted class among all rows. The last three are None for a regression.
    """

    n: float
    coverage: float
    support: float | None = None
    confidence: float | None = None
    lift: float | None = None


FIGURES = ("n", "coverage", "support", "confidence", "lift")


@frozen
class Rule:
    """A conjunction of conditions, at most one a feature, in the order in which the tree asks; what follows; figures.

    `number` is the leaf's place in the tree, from 1.

    Raises:
        InvalidTreeError: two conditions are on one column, or one is no pair.
    """

    number: int
    conditions: tuple[tuple[str, Condition], ...] = field(converter=as_tuple)
    prediction: Prediction
    figures: RuleFigures

    def __attrs_post_init__(self) -> None:
        try:
            n_columns = len(dict(self.conditions))
        except (TypeError, ValueError) as error:
            problem = f"rule {self.number} has a condition that is no pair of a column's name and what it must be"
            raise InvalidTreeError(problem) from error
        if n_columns < len(self.conditions):
            raise InvalidTreeError(f"rule {self.number} has two conditions on one column")

    @property
    def value(self) -> Any:
        """What the rule predicts: a class, or the mean."""
        return self.prediction.value
