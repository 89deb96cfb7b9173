"""The values that a declared domain excludes, and the words of the domain: "revenue in 0..10, never missing"."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from treerules.data.domain import Domain, domain_of, narrowing, next_value
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.rendering.headings import heading
from treerules.rules.rule import Condition, values_of_intervals
from treerules.rules.wording import word


@frozen
class OutsideValues:
    """Values of a column that its declared domain excludes, and the condition that takes them."""

    feature: Feature
    #: "missing", "below {bound}", "above {bound}" or "unseen"
    text: str
    condition: Condition
    bound: Any = None

    def words(self, lang: str) -> list[str]:
        """Return the values in words: ["below 0"]; the missing values of numbers are NaN too."""
        is_number = self.feature.is_ordered and self.feature.scalar == "number"
        nan = ["NaN"] if self.condition.missing and is_number else []
        return [heading(self.text, lang, bound=_bound_text(self.feature, self.bound)), *nan]


def outside_values(feature: Feature, domain: Domain) -> Iterator[OutsideValues]:
    """Yield the values of a column outside a domain: missing, unseen, too low and too high ones."""
    declared, kind = domain_of(feature, domain), domain_of(feature, None)
    if not declared.missing:
        yield OutsideValues(feature, "missing", Condition(None, missing=True))
    if kind.unseen and not declared.unseen:
        yield OutsideValues(feature, "unseen", Condition(None, False, True))
    if declared.lowest != kind.lowest:
        below = Interval(None, next_value(feature, declared.lowest, up=False))
        yield OutsideValues(feature, "below {bound}", Condition(below), declared.lowest)
    if declared.highest != kind.highest:
        yield OutsideValues(feature, "above {bound}", Condition(Interval(declared.highest)), declared.highest)


def outside_conditions(schema: Schema, domain: Domain) -> dict[str, Condition]:
    """Return the condition that takes all values outside a domain, for each column where there are any."""
    conditions = {}
    for name in narrowing(schema, domain):
        parts = [values.condition for values in outside_values(schema.feature(name), domain)]
        intervals = tuple(interval for part in parts for interval in part.intervals)
        flags = (any(part.missing for part in parts), any(part.unseen for part in parts))
        conditions[name] = Condition(values_of_intervals(intervals) if intervals else None, *flags)
    return conditions


def domain_words(schema: Schema, domain: Domain, lang: str = "en") -> str:
    """Return a declared domain in words; "" where it excludes no value.

    >>> from treerules import ColumnDomain
    >>> domain_words(Schema([Feature("x", "number")], None), {"x": ColumnDomain(0, 10, missing=False)})
    'x in 0..10, never missing'
    """
    parts = [column_words(schema.feature(name), domain, lang) for name in narrowing(schema, domain)]
    return heading("; ", lang).join(parts)


def column_words(feature: Feature, domain: Domain, lang: str = "en") -> str:
    """Return what is declared of a column in words."""
    declared, kind = domain_of(feature, domain), domain_of(feature, None)
    lowest = None if declared.lowest == kind.lowest else _bound_text(feature, declared.lowest)
    highest = None if declared.highest == kind.highest else _bound_text(feature, declared.highest)
    words = [_range_text(lowest, highest, lang)] if lowest or highest else []
    words += [heading("never unseen", lang)] if kind.unseen and not declared.unseen else []
    words += [] if declared.missing else [heading("never missing", lang)]
    return f"{word(feature.name)} {heading(', ', lang).join(words)}"


def _range_text(lowest: str | None, highest: str | None, lang: str) -> str:
    if lowest and highest:
        return heading("in {lowest}..{highest}", lang, lowest=lowest, highest=highest)
    return f">= {lowest}" if lowest else f"<= {highest}"


def _bound_text(feature: Feature, bound: Any) -> str:
    return word(bound + 0.0 if isinstance(bound, float) else bound, feature.form)
