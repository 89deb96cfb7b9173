"""The exact set of a column's values that comparisons take, in rule text and in cells.

< 5, <= 5, (3..5]        known values that compare so; never missing or unseen ones
= a, in {a, b}           these values alone            != a, not in {a, b}    any other value, unseen ones too
known                    any value, unseen ones too    unseen                 a value that is not a known category
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from treerules.data.interval import Interval
from treerules.data.schema import Feature, Kind
from treerules.data.value_set import ValueSet
from treerules.formats.notation.comparisons import Excluding, LiteralRange, ParsedComparison, ValueState
from treerules.formats.notation.lexer import RuleToken, SourceText
from treerules.formats.notation.literals import literal_category, literal_value, parsed_literal


def compared_values(
    source: SourceText, comparisons: Iterable[ParsedComparison], feature: Feature, *, is_closed: bool = False
) -> ValueSet:
    """Return the values that at least one of the comparisons takes. `is_closed`: the domain has no unseen values.

    Raises:
        ParseError: a literal is not a value of the column, or a comparison does not fit the column's kind.
    """
    singles, other_comparisons = list[RuleToken](), list[ParsedComparison]()
    for comparison in comparisons:
        single = comparison.single_value if isinstance(comparison, LiteralRange) else None
        if single is None:
            other_comparisons.append(comparison)
        else:
            singles.append(single)
    value_sets = [_values(source, comparison, feature, is_closed) for comparison in other_comparisons]
    if singles:  # all at once, since repeated unions of a long list are slow
        operand = _operand if feature.is_ordered else literal_category
        value_sets.append(ValueSet.of_values(feature, [operand(source, single, feature) for single in singles]))
    return value_sets[0] if len(value_sets) == 1 else _union(feature, value_sets)


def _union(feature: Feature, sets: Sequence[ValueSet]) -> ValueSet:
    """Return the union of many sets at once, which `|` would sort again for each."""
    return ValueSet(
        feature,
        [interval for values in sets for interval in values.intervals],
        frozenset[Any]().union(*(values.categories for values in sets)),
        any(values.missing for values in sets),
        any(values.unseen for values in sets),
    )


def _values(source: SourceText, comparison: ParsedComparison, feature: Feature, is_closed: bool) -> ValueSet:
    if isinstance(comparison, ValueState):
        return _of_state(source, comparison, feature)
    if isinstance(comparison, Excluding):
        excluded = compared_values(source, comparison.comparisons, feature, is_closed=is_closed)
        missing = ValueSet(feature, missing=not comparison.takes_missing)
        return ValueSet.everything(feature) - missing - excluded
    if feature.is_ordered:
        return _of_interval(source, comparison, feature)
    return _of_categories(source, comparison, feature, is_closed)


def _of_state(source: SourceText, state: ValueState, feature: Feature) -> ValueSet:
    missing = ValueSet(feature, missing=True)
    if state.name == "ANY":
        return ValueSet.everything(feature)
    if state.name == "KNOWN":
        return ~missing
    if state.name == "UNSEEN" and not feature.is_open:
        problem = f"column {feature.name!r} of kind {feature.kind} has no unseen values"
        raise source.error(problem, "leave it out: every value of this column is known", state.start)
    return missing if state.name == "MISSING" else ValueSet(feature, unseen=state.name == "UNSEEN")


def _of_interval(source: SourceText, interval: LiteralRange, feature: Feature) -> ValueSet:
    low, high = (None if end is None else _operand(source, end, feature) for end in (interval.low, interval.high))
    _require_ascending(source, interval, low, high)
    if low is None:
        return _upto(source, interval, high, feature)
    above = ValueSet.from_comparison(feature, ">=" if interval.takes_low else ">", low)
    return above if high is None else above & _upto(source, interval, high, feature)


def _upto(source: SourceText, interval: LiteralRange, high: Any, feature: Feature) -> ValueSet:
    """Return the values up to an end. Rule text keeps the bound of `x <= inf`, to distinguish it from `x is known`."""
    if interval.takes_high and source.syntax.is_strict:
        return ValueSet(feature, (Interval(None, high),))
    return ValueSet.from_comparison(feature, "<=" if interval.takes_high else "<", high)


def _operand(source: SourceText, literal: RuleToken, feature: Feature) -> Any:
    """Return the value that an ordered column is compared with. In cells, an integer is compared with any number."""
    is_any_number = feature.scalar == "integer" and not source.syntax.is_strict
    if not is_any_number or parsed_literal(source, literal, "number") is None:
        return literal_value(source, literal, feature.scalar, feature.name)
    try:
        return Decimal(literal.text)
    except ArithmeticError:
        remedy = f"write {source.syntax.examples['integer']}"
        raise source.error(f"{literal.text!r} has too large an exponent", remedy, literal.start) from None


def _of_categories(source: SourceText, interval: LiteralRange, feature: Feature, is_closed: bool) -> ValueSet:
    """Return the categories between two ends, in the order of the schema."""
    is_closed_scale = (
        source.syntax.orders_closed_categories and feature.scalar != "text" and (is_closed or not feature.is_open)
    )
    if feature.kind is not Kind.ORDINAL and not is_closed_scale:
        problem = f"the values of column {feature.name!r} have no order ({feature.kind} of {feature.scalar})"
        start = next(end.start for end in (interval.low, interval.high) if end is not None)
        raise source.error(problem, source.syntax.give_order, start if source.syntax.is_strict else interval.start)
    low, high = (
        None if end is None else feature.positions[literal_category(source, end, feature)]
        for end in (interval.low, interval.high)
    )
    _require_ascending(source, interval, low, high)
    first = 0 if low is None else low + (not interval.takes_low)
    stop = len(feature.categories) if high is None else high + interval.takes_high
    return ValueSet.of_values(feature, feature.categories[first:stop])


def _require_ascending(source: SourceText, interval: LiteralRange, low: Any, high: Any) -> None:
    if interval.low is not None and interval.high is not None and low > high:
        problem = f"the interval begins at {interval.low.text}, above its end {interval.high.text}"
        raise source.error(problem, "write the lower end first", interval.start)
