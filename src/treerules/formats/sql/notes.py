"""Notes on how SQL was understood: particulars of the dialect, inferred kinds, and parts that were left out."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from treerules.data.domain import next_value
from treerules.data.schema import Kind
from treerules.errors import counted, listed
from treerules.formats.sql.branches import BranchEntry
from treerules.formats.sql.column_inference import CaseColumns
from treerules.sql.dialect import Dialect
from treerules.sql.literals import SqlLiteral


def notes_of(
    dialect: Dialect, columns: CaseColumns, entries: Sequence[BranchEntry], *, has_empty_text: bool
) -> list[str]:
    """Return a sentence for each assumption behind the rules; `has_empty_text` is whether the SQL compares with ''."""
    empty = [f"to {dialect.name} '' is NULL, so no comparison with it is true"] if has_empty_text else []
    return [
        *_of_names(columns),
        *_of_numbers(dialect, columns),
        *_of_text(dialect, columns),
        *(empty if dialect.empty_text_is_null else []),
        *_of_dates(dialect, columns),
        *_of_branches(entries),
    ]


def _of_names(columns: CaseColumns) -> Iterator[str]:
    for names in columns.split:
        yield f"{listed(names)} are taken for {len(names)} columns; where they are one, write each alike"


def _of_numbers(dialect: Dialect, columns: CaseColumns) -> Iterator[str]:
    numbers = [name for name, feature in columns.features.items() if feature.kind is Kind.NUMBER]
    whole = [
        name
        for name in numbers
        if name not in columns.declared and all(is_integral(value) for value in columns.usages[name].values)
    ]
    if whole:
        yield f"{listed(whole)} may have numbers between the whole ones that are named; declare integer what has none"
    if not numbers:
        return
    if dialect.nan == "highest":
        yield (
            f"{dialect.name} puts NaN above infinity: in {listed(numbers)} it goes where the greatest numbers go, "
            "unless infinity is named; the rules take NaN for missing"
        )
    elif dialect.nan == "unordered":
        yield f"in {listed(numbers)} a NaN, of which {dialect.name} finds each comparison false, was not looked at"


def _of_text(dialect: Dialect, columns: CaseColumns) -> Iterator[str]:
    loose = [
        (name, feature)
        for name, feature in columns.features.items()
        if feature.scalar == "text" and feature.categories and dialect.loose_text and not columns.usages[name].exactly
    ]
    for name, feature in loose:
        first: dict[str, str] = {}
        for category in feature.categories:
            other = first.setdefault(category.rstrip(" ").casefold(), category)
            if other != category:
                pair = f"{other!r} and {category!r} of {name!r}"
                yield f"by default {dialect.name} takes {pair} for one; here they are two"
    if loose:
        yield (
            f"by default {dialect.name} finds text equal whatever its case and the blanks at its end; here "
            f"{listed([name for name, _ in loose])} must be what is named, to the letter"
        )


def _of_dates(dialect: Dialect, columns: CaseColumns) -> Iterator[str]:
    for name, feature in columns.features.items():
        values, is_declared = columns.usages[name].values, name in columns.declared
        if feature.kind not in (Kind.DATE, Kind.TIMESTAMP) or not values:
            continue
        if not is_declared and all(value.kind == "text" for value in values):
            yield f"{name!r} is taken as a {feature.kind}, since it is compared with text that spells such; declare it"
        elif not is_declared and feature.kind is Kind.DATE:
            yield (
                f"{name!r} is taken for a date, since it is compared with dates; declare timestamp where it is one, "
                "which may lie between two days"
            )
        if feature.kind is Kind.TIMESTAMP and dialect.reading.finer_moments and _are_adjacent(columns, name):
            yield f"{name!r} is taken for microseconds; what {dialect.name} holds between two was not looked at"


def _are_adjacent(columns: CaseColumns, name: str) -> bool:
    """Return whether two moments that a column is compared with are one microsecond apart."""
    feature, moments = columns.features[name], {moment for _, moment in columns.literals(name)}
    return any(moment == feature.highest or next_value(feature, moment) in moments for moment in moments)


def _of_branches(entries: Sequence[BranchEntry]) -> Iterator[str]:
    opaque: dict[str, str] = {}
    for entry in entries:
        if entry.falls:
            yield f"{entry.name} gives NULL, which is what CASE gives without it: what no WHEN takes is a gap"
        if entry.outcome is not None and entry.outcome.value is None:
            opaque.setdefault(entry.outcome.sql, entry.name)
    for sql, name in opaque.items():
        yield f"{name} gives {_short(sql)}, which is no literal: its text stands for it"
    n_errors = sum(entry.unparsed is not None for entry in entries)
    if n_errors:
        yield (
            f"{counted(n_errors, 'WHEN')} could not be read: a row of a gap or an overlap may be theirs instead; what "
            "never decides does not, for certain"
        )


def is_integral(value: SqlLiteral) -> bool:
    """Whether a number is an integer."""
    return isinstance(value.value, Decimal) and value.value == value.value.to_integral_value()


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 80 else flat[:77] + "..."
