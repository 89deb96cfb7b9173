"""Conditions as tests in a language. A test is true of exactly the rows that meet the condition.

Of all other rows it is false or, in SQL, unknown (NULL).
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from treerules.data.cell_reading import AS_USUAL
from treerules.data.interval import WHOLE_LINE, Interval, Intervals, complement_of
from treerules.data.schema import Feature
from treerules.errors import UnsupportedError
from treerules.rules.bounds import shorter_next
from treerules.rules.conditions import all_bounds
from treerules.rules.rule import Condition, named_categories, values_of_intervals
from treerules.sql.language import Language


def condition_writer(language: Language, feature: Feature, index: int) -> Callable[[Condition], str]:
    """Return the function that writes conditions on a feature as tests.

    Args:
        language: the language of the tests.
        feature: the feature, under the name that it has in the emitted text.
        index: its position in the schema, from 0.

    Raises:
        UnsupportedError: the language cannot hold the feature's name, or a value.
    """
    reference = column_reference(language, feature, index)
    usual = column_terms(language, feature, reference)
    of_large = column_terms(language, feature, language.large_number.format(reference))

    def write(condition: Condition) -> str:
        column = of_large if feature.scalar == "number" and _names_large(feature, condition) else usual
        if not feature.is_ordered:
            return _category_test(language, feature, column, condition)
        if language.missing_is == "null":
            return _interval_test_null(language, feature, column, condition)
        return _interval_test_nan(language, feature, column, condition)

    return write


def _names_large(feature: Feature, condition: Condition) -> bool:
    """Return whether a condition on numbers, or a word, names one from 2^53 on, where not every integer is a double."""
    numbers = all_bounds(condition) if feature.is_ordered else named_categories(feature, condition)[0]
    words = feature.reading.values("number", feature.form)
    return any(math.isfinite(number) and abs(number) >= 2**53 for number in (*numbers, *words))


def column_reference(language: Language, feature: Feature, index: int) -> str:
    """Return how a language refers to a feature's column; `index` is its position in the schema, from 0."""
    needs_quotes = "{quoted}" in language.column
    quoted = language.identifier(feature.name) if needs_quotes else ""
    return language.column.format(quoted=quoted, text=language.literal(feature.name), index=index)


def read_cell(language: Language, feature: Feature, text: str, pattern: str = "{}") -> str:
    """Return a cell in the pattern of its type, as the model reads it: trimmed, and missing where it is a word.

    Raises:
        UnsupportedError: the language has no pattern for that.
    """
    reading = feature.reading
    if reading.trim and feature.scalar == "text":
        if language.trim is None:
            raise _refused(language, feature, "no pattern to remove blanks at both ends", "trim")
        text = language.trim.format(text)
    null_if = language.null_if or ("NULLIF({}, {})" if language.missing == "{} IS NULL" else None)
    text = pattern.format(text)
    for word in reading.values(feature.scalar, feature.form):
        if null_if is None:
            raise _refused(language, feature, f"no pattern for a word for missing values, {word!r}", "null_if")
        if word != "" or not language.empty_text_is_missing:
            text = null_if.format(text, language.comparison_literal(word))
    return text


def _refused(language: Language, feature: Feature, problem: str, field: str) -> UnsupportedError:
    """Return the error for a language that cannot read a column as the model does."""
    return UnsupportedError(language.name, f"it has {problem}, as column {feature.name!r} is read", f"give {field}=")


@frozen
class ColumnTerms:
    """A column as tests refer to it, and the tests for known and for missing values. NULL and NaN are missing."""

    text: str
    known: str
    missing: str
    #: the test for NULL only: `NOT (x <= 1)` is already true of NaN
    null: str
    #: the test for numbers but NaN, where the column may hold NaN; otherwise None
    is_number: str | None = None


def column_terms(language: Language, feature: Feature, text: str) -> ColumnTerms:
    """Return how tests refer to a feature's column; `text` is the column as the language refers to it."""
    number_pattern = language.number_column if feature.is_ordered else language.number_member
    typed = {"text": language.text_column, "number": number_pattern}
    cell = read_cell(language, feature, text, typed.get(feature.scalar, "{}"))
    asked = text if feature.reading == AS_USUAL else cell
    is_known, is_missing = language.known.format(asked), language.missing.format(asked)
    if language.missing_is == "nan" and feature.is_ordered:
        return ColumnTerms(cell, language.equal.format(cell, cell), language.differs.format(cell, cell), is_missing)
    if feature.scalar != "number":
        return ColumnTerms(cell, is_known, is_missing, is_missing)
    text = cell
    pattern = language.number_test(feature.name)
    if pattern is None:
        return ColumnTerms(text, is_known, is_missing, is_missing)
    is_number = pattern.format(text)
    is_null_or_nan = f"{is_missing}{language.either}{language.no.format(is_number)}"
    return ColumnTerms(text, is_number, is_null_or_nan, is_missing, is_number)


# ---- ordered features


def at_most_test(language: Language, feature: Feature, column: str, value: Any) -> str:
    """Return the test "column <= value", or "column < the next number" where that is shorter."""
    after = _next_to_write(language, feature, value)
    if after is None or language.below is None:
        return language.at_most.format(column, language.literal(value))
    return language.below.format(column, language.literal(after))


def _next_to_write(language: Language, feature: Feature, value: Any) -> float | None:
    """Return the number next above a value, if that is shorter and the language has it; else None."""
    after = shorter_next(feature, value)
    return None if after is None or (after == math.inf and language.infinity is None) else after


def above_test(language: Language, feature: Feature, column: str, value: Any) -> str:
    """Return the test "column > value", or "column >= the next number" where that is shorter."""
    after = _next_to_write(language, feature, value)
    if after is None or language.at_least is None:
        return language.above.format(column, language.literal(value))
    return language.at_least.format(column, language.literal(after))


def _interval_test_null(language: Language, feature: Feature, column: ColumnTerms, condition: Condition) -> str:
    """Return a comparison where a missing value is NULL.

    Engines order NaN differently, so tests ask only `<=` of a column that may hold NaN.
    """
    condition = without_infinities(language, condition)
    if not condition.intervals:
        return f"({column.missing})" if condition.missing else language.never
    if len(condition.intervals) > 1:
        parts = [_interval_test_null(language, feature, column, Condition(part)) for part in condition.intervals]
        return f"({language.either.join([*parts, *([column.missing] if condition.missing else [])])})"
    (interval,) = condition.intervals
    above, upto = interval.above, interval.upto
    if above is None and upto is None:
        return language.always if condition.missing else column.known
    if upto is None:
        if condition.missing:
            is_above = language.no.format(at_most_test(language, feature, column.text, above))
            return f"({is_above}{language.either}{column.null})"
        return above_test(language, feature, column.text, above) + _and_is_number(language, column)
    inside = at_most_test(language, feature, column.text, upto)
    if above is not None:
        inside = f"{above_test(language, feature, column.text, above)}{language.both}{inside}"
    return f"({inside}{language.either}{column.missing})" if condition.missing else inside


def without_infinities(language: Language, condition: Condition) -> Condition:
    """Return an equal condition without infinite bounds, for a language that has no infinities.

    There an infinite bound is satisfied by all values or by none. Other conditions are returned unchanged.
    """
    if language.infinity is not None or not condition.intervals:
        return condition
    finite = [
        Interval(_finite(interval.above), _finite(interval.upto))
        for interval in condition.intervals
        if interval.upto != -math.inf and interval.above != math.inf
    ]
    return Condition(values_of_intervals(tuple(finite)), condition.missing)


def _finite(bound: Any) -> Any:
    return None if bound in (math.inf, -math.inf) else bound


def _interval_test_nan(language: Language, feature: Feature, column: ColumnTerms, condition: Condition) -> str:
    """Return a comparison where a missing value is NaN: `not x > b` is true of it, `x <= b` is false."""
    intervals = condition.intervals
    if not intervals:
        return column.missing if condition.missing else language.never
    if intervals == WHOLE_LINE:
        return language.always if condition.missing else column.known
    if not condition.missing:
        inside = language.either.join(_inside_test(language, feature, column, interval) for interval in intervals)
        return f"({inside})" if len(intervals) > 1 else inside
    outside = [_inside_test(language, feature, column, interval) for interval in _outside(intervals)]
    return language.no.format(language.either.join(outside))


def _outside(intervals: Intervals) -> Intervals:
    """Return the intervals outside a union, also that above the highest value, which is empty."""
    if len(intervals) > 1:
        return complement_of(intervals)
    (interval,) = intervals
    below = (Interval(None, interval.above),) if interval.above is not None else ()
    above = (Interval(interval.upto, None),) if interval.upto is not None else ()
    return below + above


def _inside_test(language: Language, feature: Feature, column: ColumnTerms, interval: Interval) -> str:
    """Return the test that a number lies within an interval, which has one bound or two."""
    above, upto = interval.above, interval.upto
    inside = [above_test(language, feature, column.text, above)] if above is not None else []
    if upto is not None:
        inside.append(at_most_test(language, feature, column.text, upto))
    return language.both.join(inside)


# ---- categories


def _category_test(language: Language, feature: Feature, column: ColumnTerms, condition: Condition) -> str:
    """Return a membership test.

    A condition that takes unseen values too is written by the categories that it excludes.
    """
    categories, is_complement = named_categories(feature, condition)
    categories = [category for category in categories if not is_never_stored(language, category)]
    if not categories and is_complement:
        return language.always if condition.missing else column.known
    if not categories:
        return f"({column.missing})" if condition.missing else language.never
    if not is_complement:
        is_member = _member_test(language, column.text, categories)
        return f"({is_member}{language.either}{column.missing})" if condition.missing else is_member
    is_other = _other_test(language, column.text, categories)
    if language.missing_is == "nan":  # there the test for other categories is true of a missing value
        return is_other if condition.missing else f"{is_other}{language.both}{column.known}"
    if condition.missing:
        return f"({is_other}{language.either}{column.null})"
    return is_other + _and_is_number(language, column)


def is_never_stored(language: Language, category: Any) -> bool:
    """Return whether no cell can hold a category: the empty text in Oracle, infinity in MySQL."""
    if category == "":
        return language.empty_text_is_missing
    return language.infinity is None and isinstance(category, float) and math.isinf(category)


def _and_is_number(language: Language, column: ColumnTerms) -> str:
    return "" if column.is_number is None else f"{language.both}{column.is_number}"


def _member_test(language: Language, column: str, categories: Sequence[Any]) -> str:
    """Return the test that a column holds one of the categories."""
    literals = [language.comparison_literal(category) for category in categories]
    if len(literals) == 1:
        return language.equal.format(column, literals[0])
    if language.among is not None and len(literals) >= language.fewest_among:
        return language.among.format(column, ", ".join(literals))
    return f"({language.either.join(language.equal.format(column, literal) for literal in literals)})"


def _other_test(language: Language, column: str, categories: Sequence[Any]) -> str:
    """Return the test that a column holds none of the categories."""
    literals = [language.comparison_literal(category) for category in categories]
    if len(literals) == 1:
        return language.differs.format(column, literals[0])
    if language.not_among is not None and len(literals) >= language.fewest_among:
        return language.not_among.format(column, ", ".join(literals))
    return language.both.join(language.differs.format(column, literal) for literal in literals)
