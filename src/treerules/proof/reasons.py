"""The values of an explained row, and the conditions that they meet."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.data.new_values import new_value
from treerules.data.schema import Feature, Schema
from treerules.errors import OptionError
from treerules.regions.space import Row
from treerules.rules.rule import Condition, Rule


@short_repr
@frozen
class Reason:
    """A condition of the rule that fires, and the row's value of its column; None is missing."""

    column: str
    value: Any
    condition: Condition


def reasons_of(rule: Rule, row: Row) -> Iterator[Reason]:
    """Yield the conditions of a rule with the values of a row."""
    return (Reason(name, row[name], condition) for name, condition in rule.conditions)


def row_values(schema: Schema, row: object) -> dict[str, Any]:
    """Return the value of a row for each feature, converted as the feature does; None is missing.

    Raises:
        OptionError: `row` is not a mapping.
        CellError: a value is of the wrong kind.
    """
    if not isinstance(row, Mapping):
        raise OptionError("row", row, "a mapping from columns' names to values")
    return {feature.name: _value(feature, row.get(feature.name)) for feature in schema.features}


def _value(feature: Feature, value: Any) -> Any:
    return new_value(feature, value) if feature.is_ordered else feature.convert(value)
