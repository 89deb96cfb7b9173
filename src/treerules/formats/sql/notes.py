"""Notes on how SQL was understood: particulars of the dialect, inferred kinds, and parts that were left out."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from treerules._internal.text_identity import loose_text
from treerules.data.domain import next_value
from treerules.data.schema import Kind
from treerules.errors import counted, listed
from treerules.formats.sql.branches import BranchEntry
from treerules.formats.sql.column_inference import CaseColumns
from treerules.rules.prefixes import Prefixes
from treerules.sql.dialect import Dialect
from treerules.sql.literals import SqlLiteral, parse_iso_day

#: The maximum number of expressions that one sentence names.
_MOST_NAMES = 5


def notes_of(
    dialect: Dialect,
    columns: CaseColumns,
    entries: Sequence[BranchEntry],
    prefixes: Mapping[str, Prefixes],
    *,
    has_empty_text: bool,
) -> list[str]:
    """Return a sentence for each assumption behind the rules; `has_empty_text` is whether the SQL compares with ''."""
    empty = [f"in {dialect.name} '' is NULL, so no comparison with it is true"] if has_empty_text else []
    return [
        *_of_names(columns),
        *_of_expressions(columns),
        *_of_prefixes(columns, prefixes),
        *_of_numbers(dialect, columns),
        *_of_text(dialect, columns),
        *(empty if dialect.empty_text_is_null else []),
        *_of_dates(dialect, columns),
        *_of_branches(entries),
    ]


def _of_names(columns: CaseColumns) -> Iterator[str]:
    for names in columns.split:
        yield f"{listed(names)} are read as {len(names)} columns; if they are one, write its name in one way"


def _of_expressions(columns: CaseColumns) -> Iterator[str]:
    names, rest = columns.opaque[:_MOST_NAMES], len(columns.opaque) - _MOST_NAMES
    if names:
        shown = "; ".join([*map(_short, names), *([f"and {rest} more"] if rest > 0 else [])])
        yield (
            f"taken as {'a column' if len(columns.opaque) == 1 else 'columns'}: {shown}; what is proved holds whatever "
            "the values are, but a gap or an overlap that needs them is only possible"
        )


def _of_prefixes(columns: CaseColumns, prefixes: Mapping[str, Prefixes]) -> Iterator[str]:
    for name in (name for name in columns.usages if name in prefixes):
        first = prefixes[name].categories[0]
        yield f"{name} = {first} stands for the texts that begin with {first[:-1]!r} and are no other value"


def _of_numbers(dialect: Dialect, columns: CaseColumns) -> Iterator[str]:
    numbers = [name for name, feature in columns.features.items() if feature.kind is Kind.NUMBER]
    integers = [
        name
        for name in numbers
        if name not in columns.declared
        and name not in columns.opaque
        and all(is_integral(value) for value in columns.usages[name].values)
    ]
    if integers:
        yield (
            f"{listed(integers)}: only integers are named, but other numbers may occur; declare the kind integer "
            "if they do not"
        )
    if not numbers:
        return
    if dialect.nan == "highest":
        yield (
            f"{dialect.name} orders NaN above infinity: in {listed(numbers)} it is treated like the greatest numbers, "
            "unless infinity is named; the rules treat NaN as missing"
        )
    elif dialect.nan == "unordered":
        yield f"{dialect.name} finds every comparison with NaN false; NaN in {listed(numbers)} was not checked"


def _of_text(dialect: Dialect, columns: CaseColumns) -> Iterator[str]:
    loose = [
        (name, feature)
        for name, feature in columns.features.items()
        if feature.scalar == "text" and feature.categories and dialect.loose_text and not columns.usages[name].exactly
    ]
    for name, feature in loose:
        first: dict[str, str] = {}
        for category in feature.categories:
            other = first.setdefault(loose_text(category), category)
            if other != category:
                pair = f"{other!r} and {category!r} of {name!r}"
                yield f"by default {dialect.name} treats {pair} as equal; the rules do not"
    if loose:
        yield (
            f"by default {dialect.name} ignores case and trailing blanks when it compares text; the rules compare "
            f"{listed([name for name, _ in loose])} exactly"
        )


def _of_dates(dialect: Dialect, columns: CaseColumns) -> Iterator[str]:
    for name, feature in columns.features.items():
        values, is_declared = columns.usages[name].values, name in {*columns.declared, *columns.opaque}
        if feature.kind not in (Kind.DATE, Kind.TIMESTAMP) or not values:
            continue
        if not is_declared and feature.kind is Kind.TIMESTAMP and all(map(_is_day, values)):
            yield (
                f"{name!r}: only days are named, but timestamps may lie between two days; declare the kind date "
                "if none does"
            )
        elif not is_declared and all(value.kind == "text" for value in values):
            yield f"{name!r} is read as a {feature.kind}, since it is compared with text of that form; declare its kind"
        if feature.kind is Kind.TIMESTAMP and dialect.reading.finer_moments and _are_adjacent(columns, name):
            yield f"{name!r} is read in microseconds; the finer values of {dialect.name} were not checked"


def _are_adjacent(columns: CaseColumns, name: str) -> bool:
    """Return whether two moments that a column is compared with are one microsecond apart."""
    feature, moments = columns.features[name], {moment for _, moment in columns.literals(name)}
    return any(moment == feature.highest or next_value(feature, moment) in moments for moment in moments)


def _of_branches(entries: Sequence[BranchEntry]) -> Iterator[str]:
    opaque: dict[str, str] = {}
    for entry in entries:
        if entry.falls:
            yield f"{entry.name} gives NULL, as CASE does without it: rows that no WHEN takes are a gap"
        if entry.outcome is not None and entry.outcome.value is None:
            opaque.setdefault(entry.outcome.sql, entry.name)
    for sql, name in opaque.items():
        yield f"{name} gives {_short(sql)}, which is not a literal: the rules predict its text"
    n_errors = sum(entry.unparsed is not None for entry in entries)
    if n_errors:
        yield (
            f"{counted(n_errors, 'WHEN')} could not be read: a row of a gap or an overlap may belong to them; "
            "a rule that is reported as never deciding never decides in any case"
        )


def is_integral(value: SqlLiteral) -> bool:
    """Return whether a number is an integer."""
    return isinstance(value.value, Decimal) and value.value == value.value.to_integral_value()


def _is_day(value: SqlLiteral) -> bool:
    return value.kind == "date" or (value.kind == "text" and parse_iso_day(value.value) is not None)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 80 else flat[:77] + "..."
