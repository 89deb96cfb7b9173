"""What a condition that somebody wrote means: which values of its column it takes, exactly.

x < 5, x <= 5, 3 < x     known values that compare so; none is missing or unseen
x = a, x in {a, b}       these categories alone        x != a, x not in {a}    any other value, unseen ones too
x is known               any value, unseen ones too    x is unseen             a value that is no known category
or missing, or unseen    these too                     several on one column   what all of them take
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple

from treerules.data.domain import next_value
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Kind
from treerules.errors import listed
from treerules.formats.rules_text.feature_columns import Columns, Use
from treerules.formats.rules_text.grammar import Asked
from treerules.formats.rules_text.lexer import Source, Token, shown, text_of
from treerules.formats.rules_text.word_literals import category_of, look, range_of, value_of
from treerules.rules.conditions import among, both, compared, places_of
from treerules.rules.rule import Condition

NOTHING = Condition(None)
#: Signs as they read with their two sides exchanged.
_TURNED = {"LESS": "MORE", "MORE": "LESS", "MOST": "LEAST", "LEAST": "MOST", "EQUAL": "EQUAL", "UNEQUAL": "UNEQUAL"}
_ORDERING = {"LESS", "MORE", "MOST", "LEAST"}


class Part(NamedTuple):
    """One thing that is asked of a column: a sign of the grammar, or `in` or `not in`, and the words beside it."""

    sign: str
    words: tuple[Token, ...]


class Question(NamedTuple):
    """What is asked of one column: all its parts hold, or the value is missing or unseen where those are added."""

    column: Token
    parts: tuple[Part, ...]
    missing: Token | None
    unseen: Token | None


def question_of(source: Source, asked: Asked, columns: Columns) -> Question:
    """Return which column is asked, and what.

    Raises:
        ParseError: the signs of a range point two ways, or `or` adds something about another column.
    """
    column, parts = _READ[asked.said](source, asked, columns)
    name = text_of(source, column)
    if column.type == "PLAIN" and look(column) != "text" and not columns.knows(name):
        problem = f"{shown(column)} stands where the name of a column belongs"
        raise source.error(column.start_pos, problem, "put a name that looks like a value in double quotes")
    added: dict[str, Token] = {}
    for other, state in asked.also:
        if other is not None and text_of(source, other) != name:
            problem = f"this condition is about column {shown(column)}, and what follows OR is about {shown(other)}"
            raise source.error(other.start_pos, problem, "write a rule of its own for the other case")
        added[state.type] = state
    return Question(column, tuple(parts), added.get("MISSING"), added.get("UNSEEN"))


def _compared(source: Source, asked: Asked, columns: Columns) -> tuple[Token, list[Part]]:
    (left, right), (sign,) = asked.words, asked.signs
    if columns.knows(text_of(source, left)):
        turned = False
    elif columns.knows(text_of(source, right)):
        turned = True
    else:
        turned = look(left) != "text" and look(right) == "text"
    column, value = (right, left) if turned else (left, right)
    return column, [Part(_TURNED[sign.type] if turned else sign.type, (value,))]


def _between(source: Source, asked: Asked, columns: Columns) -> tuple[Token, list[Part]]:
    (low, column, high), (first, second) = asked.words, asked.signs
    if {first.type, second.type} - {"LESS", "MOST"} and {first.type, second.type} - {"MORE", "LEAST"}:
        problem = f"{shown(first)} and {shown(second)} do not point the same way"
        raise source.error(second.start_pos, problem, "write a range as 30 < x <= 50")
    return column, [Part(_TURNED[first.type], (low,)), Part(second.type, (high,))]


def _among(source: Source, asked: Asked, columns: Columns) -> tuple[Token, list[Part]]:
    column, *values = asked.words
    return column, [Part("IN" if asked.signs[0].type == "IN" else "NOT_IN", tuple(values))]


def _within(source: Source, asked: Asked, columns: Columns) -> tuple[Token, list[Part]]:
    column, word = asked.words
    ends, signs = range_of(word), [sign.type for sign in asked.signs]
    if ends is None:
        remedy = "write values in braces, {a, b}, or a range, 3..5, (3..5], [3..5)"
        raise source.error(word.start_pos, f"{shown(word)} is neither a set nor a range", remedy)
    low, high = ends
    parts = [Part("MORE" if "LPAR" in signs else "LEAST", (low,)), Part("LESS" if "RPAR" in signs else "MOST", (high,))]
    return column, parts


def _state(source: Source, asked: Asked, columns: Columns) -> tuple[Token, list[Part]]:
    state = asked.signs[-1]
    if len(asked.signs) == 1:
        return asked.words[0], [Part(state.type, (state,))]
    if state.type != "MISSING":
        remedy = "say what it is: is missing, is known, is unseen, or not in {a, b}"
        raise source.error(state.start_pos, f"`is not {state.lower()}` is not clear about missing values", remedy)
    return asked.words[0], [Part("KNOWN", (state,))]


_READ = {"compared": _compared, "between": _between, "among": _among, "within": _within, "state": _state}
_STATES = ("MISSING", "UNSEEN", "KNOWN", "NOTHING")


def uses_of(source: Source, questions: Iterable[Question], columns: Columns) -> dict[str, Use]:
    """Return how the rules ask each column whose kind or categories nobody declared.

    Raises:
        ParseError: a column that nobody declared is called almost like one that somebody did.
    """
    found: dict[str, Use] = {}
    for question in questions:
        name = text_of(source, question.column)
        if name in columns.features:
            continue
        if name not in found:
            found[name] = Use(question.column.start_pos)
        for sign, words in question.parts:
            if sign not in _STATES:
                found[name].words.extend(words)
            if sign in _ORDERING:
                found[name].ordering.extend(words)
    columns.require_spelled(found)
    return found


def condition_of(source: Source, question: Question, feature: Feature) -> Condition:
    """Return what a question takes.

    Raises:
        ParseError: a word is no value of the column, or the column does not know what is asked.
    """
    found = reduce(
        lambda left, right: both(feature, left, right), (_meant(source, part, feature) for part in question.parts)
    )
    if question.unseen is not None:
        found = _with_unseen(source, question.unseen, feature, found)
    return Condition(found.values, found.missing or question.missing is not None, found.unseen)


def _meant(source: Source, part: Part, feature: Feature) -> Condition:
    sign, words = part
    if sign in _STATES:
        return _of_state(source, sign, words[0], feature)
    if feature.is_ordered:
        values = [value_of(source, word, feature.scalar, feature.name) for word in words]
        return Condition(_interval(source, sign, words, values, feature))
    places = {feature.positions[category_of(source, word, feature)] for word in words}
    if sign in _ORDERING:
        return _of_level(source, sign, words[0], places.pop(), feature)
    if sign in ("EQUAL", "IN"):
        return among(feature, places, False)
    return among(feature, set(range(len(feature.categories))) - places, feature.is_open)


def _of_state(source: Source, state: str, word: Token, feature: Feature) -> Condition:
    if state == "UNSEEN":
        return _with_unseen(source, word, feature, NOTHING)
    if state == "KNOWN":
        known = range(len(feature.categories))
        return Condition(Interval()) if feature.is_ordered else among(feature, known, feature.is_open)
    return Condition(None, state == "MISSING")


def _of_level(source: Source, sign: str, word: Token, place: int, feature: Feature) -> Condition:
    if feature.kind is not Kind.ORDINAL:
        problem = f"column {feature.name!r} of kind {feature.kind} has no order"
        remedy = "ask with = or in, or declare its order at the top: column NAME: ordinal S < M < L"
        raise source.error(word.start_pos, problem, remedy)
    first, last = {
        "LESS": (0, place),
        "MOST": (0, place + 1),
        "MORE": (place + 1, len(feature.categories)),
        "LEAST": (place, len(feature.categories)),
    }[sign]
    return among(feature, range(first, last), False)


def _with_unseen(source: Source, word: Token, feature: Feature, condition: Condition) -> Condition:
    if not feature.is_open:
        problem = f"column {feature.name!r} of kind {feature.kind} has no unseen values"
        raise source.error(word.start_pos, problem, "ask for missing ones with `is missing`, or leave it out")
    return among(feature, places_of(feature, condition.values), True, condition.missing)


def _interval(
    source: Source, sign: str, words: Sequence[Token], values: list[Any], feature: Feature
) -> Interval | None:
    """Return the values of an ordered column that a comparison takes; None for none."""
    if sign in ("IN", "NOT_IN") and not values:
        return None if sign == "IN" else Interval()
    if sign in ("EQUAL", "IN"):
        return _neighbours(source, words, values, feature)
    if sign in ("UNEQUAL", "NOT_IN"):
        return _others(source, words, values, feature)
    return compared(feature, sign, values[0])


def _neighbours(source: Source, words: Sequence[Token], values: list[Any], feature: Feature) -> Interval:
    """Return the interval that holds these values and no others."""
    ordered = sorted(set(values))
    for value, after in pairwise(ordered):
        if next_value(feature, value) != after:
            raise source.error(
                words[0].start_pos,
                f"column {feature.name!r} is ordered, and other values lie between {listed(ordered[:4])}",
                "write a rule for each, or declare at the top: column NAME: category",
            )
    return Interval(next_value(feature, ordered[0], up=False), ordered[-1])


def _others(source: Source, words: Sequence[Token], values: list[Any], feature: Feature) -> Interval | None:
    """Return the interval of all other values, which is one at an end of the column's domain alone."""
    taken = _neighbours(source, words, values, feature)
    if taken.above is None:
        return compared(feature, "MORE", taken.upto)
    if taken.upto == feature.highest:
        return Interval(None, taken.above)
    raise source.error(
        words[0].start_pos,
        f"column {feature.name!r} is ordered, and what is left are two intervals",
        "write a rule for x < value and one for x > value, or declare at the top: column NAME: category",
    )
