"""The lines below printed rules, read: they add to conditions the values that these leave out.

missing or unseen x: as x <= 5                            to each condition on x that takes such a value
missing x: rules 2, 5 (of those with a condition on x)    to the conditions of these rules
other x: up to 0.5 as x = 0, above as x = 1               the numbers up to 0.5 to conditions that take 0, the rest to 1
"""

from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from treerules.data.interval import Interval
from treerules.data.schema import OPEN, Feature
from treerules.data.value_set import ValueSet
from treerules.formats.notation.lexer import token_repr
from treerules.formats.notation.literals import literal_value, token_text
from treerules.formats.rules_text.document import Document
from treerules.formats.rules_text.feature_columns import DeclaredColumns
from treerules.formats.rules_text.grammar import WrittenLine
from treerules.formats.rules_text.semantics import ColumnCondition, condition_values, on_column

_REMEDY = "write `missing x: as x <= 5`, or leave the line out"


@frozen
class Addition:
    """Values that are added to each condition on a column that takes one of others, or to those of some rules."""

    column: str
    added: ValueSet
    #: the values of which a condition takes one; None where rules are named
    beside: ValueSet | None = None
    rules: frozenset[int] = frozenset()

    def to(self, values: ValueSet, number: int) -> ValueSet:
        """Return the values of a condition of a rule on the column, with what is added."""
        fits = number in self.rules if self.beside is None else not (values & self.beside).is_empty
        return values | self.added if fits else values


def conditions_of_lines(
    source: Document, lines: Sequence[WrittenLine], columns: DeclaredColumns, names: Collection[str]
) -> list[tuple[ColumnCondition, ...]]:
    """Return the conditions that each line names; `names` are the columns of the rules' own conditions.

    Raises:
        ParseError: a line is about two columns or one that no rule tests, or begins in other words.
    """
    conditions = []
    for line in lines:
        words = " ".join(word.text.lower() for word in line.words)
        if words not in (("up to",) if line.states[0].type == "OTHER" else ("as", "rule", "rules")):
            raise source.error(f"{token_repr(line.words[0])} stands here", _REMEDY, line.words[0].start)
        if token_text(source, line.column) not in names:
            raise source.error(f"no rule has a condition on {token_repr(line.column)}", _REMEDY, line.column.start)
        conditions.append(tuple(on_column(source, condition, columns) for condition in line.conditions))
        for condition in conditions[-1]:
            if token_text(source, condition.column) != token_text(source, line.column):
                raise source.error("this line is about two columns", _REMEDY, condition.column.start)
    return conditions


def additions(
    source: Document,
    lines: Sequence[WrittenLine],
    conditions: Sequence[Sequence[ColumnCondition]],
    columns: Mapping[str, Feature],
) -> list[Addition]:
    """Return what lines add; those on other numbers come first, since the others name what is printed.

    Raises:
        ParseError: the column has no numbers, or a number is none.
    """
    found: list[Addition] = []
    for line, of_line in zip(lines, conditions, strict=True):
        name = token_text(source, line.column)
        feature = columns[name]
        values = [condition_values(source, condition, feature) for condition in of_line]
        if line.states[0].type == "OTHER":
            if not feature.is_ordered:
                raise source.error(f"{token_repr(line.column)} is no column of numbers", _REMEDY, line.column.start)
            limit = literal_value(source, line.numbers[0], feature.scalar, name)
            parts = ([Interval(None, limit)], [Interval(limit, None)])
            both = zip(values, parts, strict=True)
            found = [*(Addition(name, ValueSet(feature, part), beside) for beside, part in both), *found]
            continue
        states = {state.type for state in line.states}
        added = ValueSet(feature, missing="MISSING" in states, unseen="UNSEEN" in states and feature.kind in OPEN)
        numbers = frozenset(literal_value(source, word, "integer", "rules") for word in line.numbers)
        found.append(Addition(name, added, values[0] if values else None, numbers))
    return found


def completed(values: ValueSet, number: int, column: str, added: Sequence[Addition]) -> ValueSet:
    """Return the values of a condition of a rule, with all that lines add to them."""
    whole = values
    for addition in added:
        if addition.column == column:
            whole |= addition.to(values, number)
    return whole
