"""From parsed conditions of rule text to the values that they take.

x < 5 AND x >= 3         several conditions on one column take what all of them take
x = a or missing         OR adds missing and unseen values to one condition
"""

from collections.abc import Iterable
from functools import reduce
from operator import and_
from typing import NamedTuple

from treerules.data.schema import Feature
from treerules.data.value_set import ValueSet
from treerules.errors import listed
from treerules.formats.notation.comparison_values import values_of
from treerules.formats.notation.comparisons import (
    Comparison,
    Excluding,
    Range,
    State,
    compared_with,
    equal_to,
    literals_of,
)
from treerules.formats.notation.lexer import Token, shown
from treerules.formats.notation.literals import look, range_ends, text_of, value_of
from treerules.formats.rules_text.document import Document
from treerules.formats.rules_text.feature_columns import Columns, Usage
from treerules.formats.rules_text.grammar import WrittenCondition

#: The sign that says the same with the two sides exchanged.
_MIRRORED = {"LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE", "EQ": "EQ", "NE": "NE"}


class ColumnCondition(NamedTuple):
    """A condition on one column: of each group at least one comparison holds, or the value is in one of the states."""

    column: Token
    groups: tuple[tuple[Comparison, ...], ...]
    states: tuple[State, ...]


def column_condition(source: Document, written: WrittenCondition, columns: Columns) -> ColumnCondition:
    """Return the column of a condition, and its comparisons with the column on their left side.

    Raises:
        ParseError: the signs of a range point two ways, or OR adds something about another column.
    """
    column, groups = _READERS[written.form](source, written, columns)
    name = text_of(source, column)
    if column.type == "WORD" and look(source, column) != "text" and not columns.has(name):
        problem = f"{shown(column)} stands where the name of a column belongs"
        raise source.error(problem, "put a name that looks like a value in double quotes", column.start)
    for other, _ in written.states:
        if other is not None and text_of(source, other) != name:
            problem = f"this condition is about column {shown(column)}, and what follows OR is about {shown(other)}"
            raise source.error(problem, "write a rule of its own for the other case", other.start)
    states = tuple(State(token.type, token.start) for _, token in written.states)
    return ColumnCondition(column, tuple(groups), states)


_Groups = list[tuple[Comparison, ...]]


def _compared(source: Document, written: WrittenCondition, columns: Columns) -> tuple[Token, _Groups]:
    (left, right), (sign,) = written.words, written.signs
    if columns.has(text_of(source, left)):
        is_mirrored = False
    elif columns.has(text_of(source, right)):
        is_mirrored = True
    else:
        is_mirrored = look(source, left) != "text" and look(source, right) == "text"
    if is_mirrored:
        return right, [(compared_with(_MIRRORED[sign.type], left, left.start),)]
    return left, [(compared_with(sign.type, right, right.start),)]


def _between(source: Document, written: WrittenCondition, columns: Columns) -> tuple[Token, _Groups]:
    (low, column, high), (first, second) = written.words, written.signs
    if {first.type, second.type} - {"LT", "LE"} and {first.type, second.type} - {"GT", "GE"}:
        problem = f"{shown(first)} and {shown(second)} do not point the same way"
        raise source.error(problem, "write a range as 30 < x <= 50", second.start)
    outer = compared_with(_MIRRORED[first.type], low, low.start)
    return column, [(outer,), (compared_with(second.type, high, high.start),)]


def _among(source: Document, written: WrittenCondition, columns: Columns) -> tuple[Token, _Groups]:
    column, *words = written.words
    members = tuple(equal_to(word) for word in words)
    return column, [members if written.signs[0].type == "IN" else (Excluding(members, False, column.start),)]


def _within(source: Document, written: WrittenCondition, columns: Columns) -> tuple[Token, _Groups]:
    column, word = written.words
    ends, brackets = range_ends(word), [sign.type for sign in written.signs]
    if ends is None:
        remedy = "write values in braces, {a, b}, or a range, 3..5, (3..5], [3..5)"
        raise source.error(f"{shown(word)} is neither a set nor a range", remedy, word.start)
    low, high = ends
    lower = compared_with("GT" if "LPAR" in brackets else "GE", low, low.start)
    return column, [(lower,), (compared_with("LT" if "RPAR" in brackets else "LE", high, high.start),)]


def _state(source: Document, written: WrittenCondition, columns: Columns) -> tuple[Token, _Groups]:
    state = written.signs[-1]
    is_negated = len(written.signs) > 1
    if is_negated and state.type != "MISSING":
        remedy = "say what it is: is missing, is known, is unseen, or not in {a, b}"
        raise source.error(f"`is not {state.text.lower()}` is not clear about missing values", remedy, state.start)
    return written.words[0], [(State("KNOWN" if is_negated else state.type, state.start),)]


_READERS = {"compared": _compared, "between": _between, "among": _among, "within": _within, "state": _state}


def usages_of(source: Document, conditions: Iterable[ColumnCondition], columns: Columns) -> dict[str, Usage]:
    """Return how the rules use each column whose kind or categories are not declared.

    Raises:
        ParseError: an undeclared column has almost the name of a declared one.
    """
    usages: dict[str, Usage] = {}
    for condition in conditions:
        name = text_of(source, condition.column)
        if name in columns.features:
            continue
        usage = usages.setdefault(name, Usage(condition.column.start))
        for comparison in (comparison for group in condition.groups for comparison in group):
            literals = literals_of([comparison])
            usage.literals.extend(literals)
            if isinstance(comparison, Range) and comparison.single_value is None:
                usage.ordered.extend(literals)
    columns.require_spelled(usages)
    return usages


def taken_values(source: Document, condition: ColumnCondition, feature: Feature) -> ValueSet:
    """Return the values that a condition takes.

    Raises:
        ParseError: a word is no value of the column, the column's kind has no such comparison, or the values are
            several intervals, which one condition cannot hold.
    """
    values = reduce(and_, (values_of(source, group, feature) for group in condition.groups))
    if len(values.intervals) > 1:
        raise _several_intervals(source, condition, feature)
    return values | values_of(source, condition.states, feature) if condition.states else values


def _several_intervals(source: Document, condition: ColumnCondition, feature: Feature) -> Exception:
    literals = [literal for group in condition.groups for literal in literals_of(group)]
    declaring = "or declare at the top: column NAME: category"
    if any(isinstance(comparison, Excluding) for group in condition.groups for comparison in group):
        problem = f"column {feature.name!r} is ordered, and what is left are several intervals"
        return source.error(
            problem, f"write a rule for x < value and one for x > value, {declaring}", literals[0].start
        )
    values = sorted({value_of(source, literal, feature.scalar, feature.name) for literal in literals})
    problem = f"column {feature.name!r} is ordered, and other values lie between {listed(values[:4])}"
    return source.error(problem, f"write a rule for each, {declaring}", literals[0].start)
