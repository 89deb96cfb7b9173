"""The values that parsed conditions of rule text take.

x < 5 AND x >= 3         several conditions on one column take their common values
x <= 1 or x > 5          OR adds other values to one condition
x = a or missing         ... also missing and unseen ones
"""

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import chain
from operator import and_
from typing import NamedTuple

from treerules.data.schema import Feature
from treerules.data.value_set import ValueSet
from treerules.formats.notation.comparison_values import compared_values
from treerules.formats.notation.comparisons import (
    Excluding,
    LiteralRange,
    ParsedComparison,
    ValueState,
    compared_with,
    equal_to,
    literals_of,
)
from treerules.formats.notation.lexer import RuleToken, token_repr
from treerules.formats.notation.literals import literal_scalar, range_ends, token_text
from treerules.formats.rules_text.document import Document
from treerules.formats.rules_text.feature_columns import ColumnUsage, DeclaredColumns
from treerules.formats.rules_text.grammar import WrittenCondition

#: The equivalent sign with the two sides exchanged.
_MIRRORED = {"LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE", "EQ": "EQ", "NE": "NE"}


class ColumnCondition(NamedTuple):
    """A condition on one column: at least one comparison of each group holds, or the value is in one of the states.

    `alternatives` are conditions on the same column of which one may hold instead.
    """

    column: RuleToken
    groups: tuple[tuple[ParsedComparison, ...], ...]
    states: tuple[ValueState, ...]
    alternatives: tuple["ColumnCondition", ...] = ()

    @property
    def comparisons(self) -> Iterator[ParsedComparison]:
        """The comparisons of all groups, also of the alternatives."""
        for part in (self, *self.alternatives):
            yield from chain.from_iterable(part.groups)


def on_column(source: Document, condition: WrittenCondition, columns: DeclaredColumns) -> ColumnCondition:
    """Return the column of a condition, and its comparisons with the column on their left side.

    Raises:
        ParseError: the signs of a range have opposite directions, or OR adds a state of another column.
    """
    column, groups = _READERS[condition.form](source, condition, columns)
    name = token_text(source, column)
    if column.type == "WORD" and literal_scalar(source, column) != "text" and not columns.has(name):
        problem = f"{token_repr(column)} stands where the name of a column belongs"
        raise source.error(problem, "put a name that looks like a value in double quotes", column.start)
    alternatives = tuple(on_column(source, other, columns) for other in condition.alternatives)
    for other in (*(word for word, _ in condition.states), *(part.column for part in alternatives)):
        if other is not None and token_text(source, other) != name:
            problem = (
                f"this condition is about column {token_repr(column)}, and what follows OR is about {token_repr(other)}"
            )
            raise source.error(problem, "write a rule of its own for the other case", other.start)
    states = tuple(ValueState(token.type, token.start) for _, token in condition.states)
    return ColumnCondition(column, tuple(groups), states, alternatives)


_Groups = list[tuple[ParsedComparison, ...]]


def _compared(source: Document, condition: WrittenCondition, columns: DeclaredColumns) -> tuple[RuleToken, _Groups]:
    (first, second), (sign,) = condition.words, condition.signs
    if columns.has(token_text(source, first)):
        is_mirrored = False
    elif columns.has(token_text(source, second)):
        is_mirrored = True
    else:
        is_mirrored = literal_scalar(source, first) != "text" and literal_scalar(source, second) == "text"
    if is_mirrored:
        return second, [(compared_with(_MIRRORED[sign.type], first, first.start),)]
    return first, [(compared_with(sign.type, second, second.start),)]


def _between(source: Document, condition: WrittenCondition, columns: DeclaredColumns) -> tuple[RuleToken, _Groups]:
    (low, column, high), (first, second) = condition.words, condition.signs
    if {first.type, second.type} - {"LT", "LE"} and {first.type, second.type} - {"GT", "GE"}:
        problem = f"{token_repr(first)} and {token_repr(second)} do not point the same way"
        raise source.error(problem, "write a range as 30 < x <= 50", second.start)
    outer = compared_with(_MIRRORED[first.type], low, low.start)
    return column, [(outer,), (compared_with(second.type, high, high.start),)]


def _among(source: Document, condition: WrittenCondition, columns: DeclaredColumns) -> tuple[RuleToken, _Groups]:
    column, *words = condition.words
    members = tuple(equal_to(word) for word in words)
    return column, [members if condition.signs[0].type == "IN" else (Excluding(members, False, column.start),)]


def _within(source: Document, condition: WrittenCondition, columns: DeclaredColumns) -> tuple[RuleToken, _Groups]:
    column, word = condition.words
    ends, brackets = range_ends(word), [sign.type for sign in condition.signs]
    if ends is None:
        remedy = "write values in braces, {a, b}, or a range, 3..5, (3..5], [3..5)"
        raise source.error(f"{token_repr(word)} is neither a set nor a range", remedy, word.start)
    low, high = ends
    lower = compared_with("GT" if "LPAR" in brackets else "GE", low, low.start)
    return column, [(lower,), (compared_with("LT" if "RPAR" in brackets else "LE", high, high.start),)]


def _state(source: Document, condition: WrittenCondition, columns: DeclaredColumns) -> tuple[RuleToken, _Groups]:
    state = condition.signs[-1]
    is_negated = len(condition.signs) > 1
    if is_negated and state.type != "MISSING":
        remedy = "say what it is: is missing, is known, is unseen, or not in {a, b}"
        raise source.error(f"`is not {state.text.lower()}` is not clear about missing values", remedy, state.start)
    return condition.words[0], [(ValueState("KNOWN" if is_negated else state.type, state.start),)]


_READERS = {"compared": _compared, "between": _between, "among": _among, "within": _within, "state": _state}


def usages_of(
    source: Document, conditions: Iterable[ColumnCondition], columns: DeclaredColumns
) -> dict[str, ColumnUsage]:
    """Return how the rules use each column whose kind or categories are not declared.

    Raises:
        ParseError: the name of an undeclared column is similar to that of a declared one.
    """
    usages: dict[str, ColumnUsage] = {}
    for condition in conditions:
        name = token_text(source, condition.column)
        if name in columns.features:
            continue
        usage = usages.setdefault(name, ColumnUsage(condition.column.start))
        for comparison in condition.comparisons:
            literals = literals_of([comparison])
            usage.literals.extend(literals)
            if isinstance(comparison, LiteralRange) and comparison.single_value is None:
                usage.ordered.extend(literals)
    columns.require_spelled(usages)
    return usages


def condition_values(source: Document, condition: ColumnCondition, feature: Feature) -> ValueSet:
    """Return the values that a condition takes.

    Raises:
        ParseError: a word is not a value of the column, or the column's kind has no such comparison.
    """
    values = reduce(and_, (compared_values(source, group, feature) for group in condition.groups))
    for alternative in condition.alternatives:
        values |= condition_values(source, alternative, feature)
    return values | compared_values(source, condition.states, feature) if condition.states else values
