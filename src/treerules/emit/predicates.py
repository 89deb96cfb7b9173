"""Conditions as a language asks them: true exactly of the rows that meet the condition, elsewhere false or unknown."""

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

from attrs import frozen

from treerules.data.interval import Interval
from treerules.data.schema import Feature
from treerules.rules.rule import Condition, listed
from treerules.sql.language import Language


def asker_in(language: Language, feature: Feature, index: int) -> Callable[[Condition], str]:
    """Return the function that spells the conditions on a feature; `index` is its place in the schema.

    Raises:
        UnsupportedError: the language cannot hold the feature's name, or a value.
    """
    column = column_of(language, feature, reference(language, feature, index))

    def question(condition: Condition) -> str:
        if not feature.is_ordered:
            return _set_question(language, feature, column, condition)
        ask = _line_question if language.missing_is == "null" else _nan_question
        return ask(language, column, condition)

    return question


def reference(language: Language, feature: Feature, index: int) -> str:
    """Return how a language refers to a feature's column."""
    needs_quotes = "{quoted}" in language.column
    quoted = language.identifier(feature.name) if needs_quotes else ""
    return language.column.format(quoted=quoted, text=language.literal(feature.name), index=index)


@frozen
class Column:
    """A column as questions name it, what holds of its known values, and what of missing ones (NULL, and NaN)."""

    text: str
    known: str
    missing: str
    #: what holds of NULL alone, since some predicates are true of NaN already
    null: str
    #: what holds of numbers alone where the column may hold NaN, which counts as missing
    is_number: str | None = None


def column_of(language: Language, feature: Feature, text: str) -> Column:
    """Return how questions name a feature's column; `text` is how the language refers to it."""
    known, missing = language.known.format(text), language.missing.format(text)
    if language.missing_is == "nan" and feature.is_ordered:
        return Column(text, language.equal.format(text, text), language.differs.format(text, text), missing)
    if feature.scalar == "text":
        return Column(language.text_column.format(text), known, missing, missing)
    if feature.scalar != "number":
        return Column(text, known, missing, missing)
    text = (language.number_column if feature.is_ordered else language.number_member).format(text)
    if language.is_number is None:
        return Column(text, known, missing, missing)
    is_number = language.is_number.format(text)
    none = f"{missing}{language.either}{language.no.format(is_number)}"
    return Column(text, is_number, none, missing, is_number)


# ---- ordered columns


def _bound(language: Language, value: Any) -> str | None:
    return None if value is None else language.literal(value)


def _line_question(language: Language, column: Column, condition: Condition) -> str:
    """Return a comparison where missing is NULL. Engines order NaN differently, so only `<=` is asked of it."""
    asked = bounded(language, condition)
    if asked.values is None:
        return f"({column.missing})" if asked.missing else language.never
    interval = cast(Interval, asked.values)
    above, upto = _bound(language, interval.above), _bound(language, interval.upto)
    if above is None and upto is None:
        return language.always if asked.missing else column.known
    if upto is None:
        if asked.missing:
            at_most = language.no.format(language.at_most.format(column.text, above))
            return f"({at_most}{language.either}{column.null})"
        return language.above.format(column.text, above) + _and_number(language, column)
    inside = language.at_most.format(column.text, upto)
    if above is not None:
        inside = f"{language.above.format(column.text, above)}{language.both}{inside}"
    return f"({inside}{language.either}{column.missing})" if asked.missing else inside


def bounded(language: Language, condition: Condition) -> Condition:
    """Return the condition as it is where there are no infinities: bounds at them hold of all values, or of none."""
    values = condition.values
    if language.infinity is not None or not isinstance(values, Interval):
        return condition
    infinite = float("inf")
    if values.upto == -infinite or values.above == infinite:
        return Condition(None, condition.missing)
    above = None if values.above == -infinite else values.above
    upto = None if values.upto == infinite else values.upto
    return Condition(Interval(above, upto), condition.missing)


def _nan_question(language: Language, column: Column, condition: Condition) -> str:
    """Return a comparison where missing is NaN: `not x > b` is true of it and `x <= b` is not."""
    if condition.values is None:
        return column.missing if condition.missing else language.never
    v, interval = column.text, cast(Interval, condition.values)
    above, upto = _bound(language, interval.above), _bound(language, interval.upto)
    if above is None and upto is None:
        return language.always if condition.missing else column.known
    inside = [language.above.format(v, above)] if above is not None else []
    outside = [language.at_most.format(v, above)] if above is not None else []
    if upto is not None:
        inside.append(language.at_most.format(v, upto))
        outside.append(language.above.format(v, upto))
    return language.no.format(language.either.join(outside)) if condition.missing else language.both.join(inside)


# ---- categories


def _set_question(language: Language, feature: Feature, column: Column, condition: Condition) -> str:
    """Return a membership: what names the categories takes those alone, what names the others takes unseen ones too."""
    named, left = listed(feature, condition)
    named = [category for category in named if not never_stored(language, category)]
    if not named and left:
        return language.always if condition.missing else column.known
    if not named:
        return f"({column.missing})" if condition.missing else language.never
    if not left:
        among = _among(language, column.text, named)
        return f"({among}{language.either}{column.missing})" if condition.missing else among
    others = _not_among(language, column.text, named)
    if language.missing_is == "nan":  # a missing value is among none
        return others if condition.missing else f"{others}{language.both}{column.known}"
    if condition.missing:
        return f"({others}{language.either}{column.null})"
    return others + _and_number(language, column)


def never_stored(language: Language, category: Any) -> bool:
    """Whether no cell can be the category: text of no characters in Oracle, infinity in MySQL."""
    if category == "":
        return language.empty_text_is_missing
    return language.infinity is None and isinstance(category, float) and math.isinf(category)


def _and_number(language: Language, column: Column) -> str:
    return "" if column.is_number is None else f"{language.both}{column.is_number}"


def _among(language: Language, column: str, categories: Sequence[Any]) -> str:
    literals = [language.compared(category) for category in categories]
    if len(literals) == 1:
        return language.equal.format(column, literals[0])
    if language.among is not None and len(literals) >= language.fewest_among:
        return language.among.format(column, ", ".join(literals))
    return f"({language.either.join(language.equal.format(column, literal) for literal in literals)})"


def _not_among(language: Language, column: str, categories: Sequence[Any]) -> str:
    literals = [language.compared(category) for category in categories]
    if len(literals) == 1:
        return language.differs.format(column, literals[0])
    if language.not_among is not None and len(literals) >= language.fewest_among:
        return language.not_among.format(column, ", ".join(literals))
    return language.both.join(language.differs.format(column, literal) for literal in literals)
