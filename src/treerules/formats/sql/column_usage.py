"""The use of a column in the conditions of a CASE, and the kind that it tells where none is declared."""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from typing import Any

from attrs import define, field

from treerules.data.schema import Feature, Kind
from treerules.formats.sql.column_literals import truth_value
from treerules.formats.sql.predicate_terms import (
    And,
    ColumnName,
    ColumnQuestion,
    Not,
    Or,
    PrefixQuestion,
    Term,
    TruthTest,
)
from treerules.formats.sql.text_moments import kind_of_texts
from treerules.sql.dialect import Dialect
from treerules.sql.literals import NULL, SqlLiteral, parse_iso_day, parse_moment

#: The relations that need an order of values.
ORDER = ("<", "<=", ">", ">=")


def leaves_in(term: Term) -> Iterator[ColumnQuestion | PrefixQuestion]:
    """Yield the questions of a condition, in their order, also those on prefixes."""
    pending: list[Term] = [term]
    while pending:
        part = pending.pop()
        if isinstance(part, (ColumnQuestion, PrefixQuestion)):
            yield part
        elif isinstance(part, (Not, TruthTest)):
            pending.append(part.part)
        elif isinstance(part, (And, Or)):
            pending.extend(reversed(part.parts))


def questions_in(term: Term) -> Iterator[ColumnQuestion]:
    """Yield the questions of a condition on values, in their order."""
    return (leaf for leaf in leaves_in(term) if isinstance(leaf, ColumnQuestion))


@define
class Usage:
    """The use of one column: its first spelling, the literals it is compared with, and the relations."""

    column: ColumnName
    values: dict[SqlLiteral, None] = field(factory=dict)
    relations: set[str] = field(factory=set)
    #: whether values are compared by a binary collation: both where some are and others by the column's own
    ways: set[bool] = field(factory=set)
    #: each number, and whether the engine takes it as a double: 0.1 and 1e-1 are one literal of `values`
    numbers: set[tuple[Any, bool]] = field(factory=set)
    #: the values of each question on an expression
    asked: list[set[Any]] = field(factory=list)

    def take(self, question: ColumnQuestion) -> None:
        """Add a question."""
        self.values.update(dict.fromkeys(value for value in question.values if value != NULL))
        self.numbers.update((value.value, value.is_double) for value in question.values if value.kind == "number")
        self.relations.add(question.relation)
        if self.column.is_opaque:
            self.asked.append({value.value for value in question.values})
        self.ways |= {question.exactly} if question.values else set()

    @property
    def exactly(self) -> bool:
        """Whether each value is compared by a binary collation."""
        return False not in self.ways


def inferred_feature(name: str, usage: Usage, dialect: Dialect) -> Feature:
    """Return a column with the kind that its literals and relations tell."""
    values = list(usage.values)
    kinds = {value.kind for value in values}
    is_truth = "alone" in usage.relations or "boolean" in kinds
    is_boolean = is_truth and all(truth_value(value, dialect) is not None for value in values)
    if is_boolean and not _may_be_number(kinds, dialect):
        return Feature(name, Kind.BOOLEAN)
    if "number" in kinds or is_boolean:
        return Feature(name, _number_kind([value.value for value in values if value.kind == "number"]))
    if kinds & {"timestamp", "timestamp_utc"}:
        return Feature(name, Kind.TIMESTAMP, scalar=_moment_scalar(kinds))
    if "date" in kinds:
        return _feature_of_days(name) if usage.relations & set(ORDER) else Feature(name, Kind.DATE)
    if is_truth:
        return Feature(name, Kind.BOOLEAN)
    return _feature_of_texts(name, usage, [value.value for value in values], dialect)


def _may_be_number(kinds: Collection[str], dialect: Dialect) -> bool:
    """Return whether a column that is a condition, or is compared with 1 or TRUE, may hold 2, which is true."""
    reading = dialect.reading
    return (reading.numeric_truth and "number" in kinds) or (reading.true_is_one and "boolean" in kinds)


def _feature_of_texts(name: str, usage: Usage, texts: Sequence[str], dialect: Dialect) -> Feature:
    """Return a column that is compared with texts: of dates or timestamps if it is compared with such ones by order."""
    is_ordered = bool(usage.relations & set(ORDER)) and bool(texts)
    category = Feature(name, Kind.CATEGORY, sorted(set(texts)))
    if not is_ordered:
        return category
    if dialect.reading.moments_are_text:
        known = kind_of_texts(texts)
        return Feature(name, known[0], scalar=known[1]) if known else category
    moments = [parse_moment(text) for text in texts]
    if None in moments:
        return category
    if all(parse_iso_day(text) is not None for text in texts):
        return _feature_of_days(name)
    zoned = {"timestamp_utc" if moment.tzinfo else "timestamp" for moment in moments}
    return Feature(name, Kind.TIMESTAMP, scalar=_moment_scalar(zoned))


def _feature_of_days(name: str) -> Feature:
    """Return a column whose order is asked by days: it may be a timestamp, which lies between two of them."""
    return Feature(name, Kind.TIMESTAMP, scalar="timestamp")


def _moment_scalar(kinds: set[str]) -> str:
    return "timestamp" if "timestamp" in kinds else "timestamp_utc"


def _number_kind(values: Sequence[Any]) -> Kind:
    """Return the kind number, or integer if all values are integers and one of them is not exactly a double."""
    integers = [value for value in values if isinstance(value, Decimal) and value == value.to_integral_value()]
    is_inexact = any(Decimal(float(value)) != value and abs(value) < 2**63 for value in integers)
    return Kind.INTEGER if is_inexact and len(integers) == len(values) else Kind.NUMBER
