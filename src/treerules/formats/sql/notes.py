"""Notes on how SQL was understood: particulars of the dialect, inferred kinds, and parts that were left out."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from treerules._internal.notes import Note
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
_ONE_EXPRESSION = (
    "taken as a column: {expressions}; what is proved holds whatever the values are, but a gap or an overlap that "
    "needs them is only possible"
)
_EXPRESSIONS = (
    "taken as columns: {expressions}; what is proved holds whatever the values are, but a gap or an overlap that "
    "needs them is only possible"
)
_ONLY_INTEGERS = (
    "{names}: only integers are named, but other numbers may occur; declare the kind integer if they do not"
)
_ONLY_DAYS = (
    "{place!r}: only days are named, but timestamps may lie between two days; declare the kind date if none does"
)
_NAN_IS_HIGHEST = (
    "{dialect} orders NaN above infinity: in {names} it is treated like the greatest numbers, unless infinity is "
    "named; the rules treat NaN as missing"
)
_LOOSE_TEXT = (
    "by default {dialect} ignores case and trailing blanks when it compares text; the rules compare {names} exactly"
)
_NOT_READ = (
    "{whens} could not be read: a row of a gap or an overlap may belong to them; a rule that is reported as never "
    "deciding never decides in any case"
)


def notes_of(
    dialect: Dialect,
    columns: CaseColumns,
    entries: Sequence[BranchEntry],
    prefixes: Mapping[str, Prefixes],
    *,
    has_empty_text: bool,
) -> list[Note]:
    """Return a note on each assumption behind the rules; `has_empty_text` is whether the SQL compares with ''."""
    text = "in {dialect} '' is NULL, so no comparison with it is true"
    empty = [Note("empty_text_is_null", text, dialect=dialect.name)]
    return [
        *_of_names(columns),
        *_of_expressions(columns),
        *_of_prefixes(columns, prefixes),
        *_of_numbers(dialect, columns),
        *_of_text(dialect, columns),
        *(empty if has_empty_text and dialect.empty_text_is_null else []),
        *_of_dates(dialect, columns),
        *_of_branches(entries),
    ]


def _of_names(columns: CaseColumns) -> Iterator[Note]:
    for names in columns.split:
        text = "{names} are read as {n} columns; if they are one, write its name in one way"
        yield Note("names_of_one_column", text, names=listed(names), n=len(names))


def _of_expressions(columns: CaseColumns) -> Iterator[Note]:
    names, rest = columns.opaque[:_MOST_NAMES], len(columns.opaque) - _MOST_NAMES
    if names:
        shown = "; ".join([*map(_short, names), *([f"and {rest} more"] if rest > 0 else [])])
        yield Note("expressions", _ONE_EXPRESSION if len(columns.opaque) == 1 else _EXPRESSIONS, expressions=shown)


def _of_prefixes(columns: CaseColumns, prefixes: Mapping[str, Prefixes]) -> Iterator[Note]:
    for name in (name for name in columns.usages if name in prefixes):
        first = prefixes[name].categories[0]
        text = "{place} = {first} stands for the texts that begin with {prefix!r} and are no other value"
        yield Note("prefix", text, name, first=first, prefix=first[:-1])


def _of_numbers(dialect: Dialect, columns: CaseColumns) -> Iterator[Note]:
    numbers = [name for name, feature in columns.features.items() if feature.kind is Kind.NUMBER]
    integers = [
        name
        for name in numbers
        if name not in columns.declared
        and name not in columns.opaque
        and all(is_integral(value) for value in columns.usages[name].values)
    ]
    if integers:
        yield Note("only_integers", _ONLY_INTEGERS, names=listed(integers))
    if not numbers:
        return
    if dialect.nan == "highest":
        yield Note("nan_is_highest", _NAN_IS_HIGHEST, dialect=dialect.name, names=listed(numbers))
    elif dialect.nan == "unordered":
        text = "{dialect} finds every comparison with NaN false; NaN in {names} was not checked"
        yield Note("nan_is_unordered", text, dialect=dialect.name, names=listed(numbers))


def _of_text(dialect: Dialect, columns: CaseColumns) -> Iterator[Note]:
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
                text = "by default {dialect} treats {one!r} and {other!r} of {place!r} as equal; the rules do not"
                yield Note("equal_texts", text, name, dialect=dialect.name, one=other, other=category)
    if loose:
        yield Note("loose_text", _LOOSE_TEXT, dialect=dialect.name, names=listed([name for name, _ in loose]))


def _of_dates(dialect: Dialect, columns: CaseColumns) -> Iterator[Note]:
    for name, feature in columns.features.items():
        values, is_declared = columns.usages[name].values, name in {*columns.declared, *columns.opaque}
        if feature.kind not in (Kind.DATE, Kind.TIMESTAMP) or not values:
            continue
        if not is_declared and feature.kind is Kind.TIMESTAMP and all(map(_is_day, values)):
            yield Note("only_days", _ONLY_DAYS, name)
        elif not is_declared and all(value.kind == "text" for value in values):
            read_as = f"{{place!r}} is read as a {feature.kind}"
            text = f"{read_as}, since it is compared with text of that form; declare its kind"
            yield Note(f"read_as_{feature.kind}", text, name)
        if feature.kind is Kind.TIMESTAMP and dialect.reading.finer_moments and _are_adjacent(columns, name):
            text = "{place!r} is read in microseconds; the finer values of {dialect} were not checked"
            yield Note("finer_moments", text, name, dialect=dialect.name)


def _are_adjacent(columns: CaseColumns, name: str) -> bool:
    """Return whether two moments that a column is compared with are one microsecond apart."""
    feature, moments = columns.features[name], {moment for _, moment in columns.literals(name)}
    return any(moment == feature.highest or next_value(feature, moment) in moments for moment in moments)


def _of_branches(entries: Sequence[BranchEntry]) -> Iterator[Note]:
    opaque: dict[str, str] = {}
    for entry in entries:
        if entry.falls:
            text = "{place} gives NULL, as CASE does without it: rows that no WHEN takes are a gap"
            yield Note("gives_null", text, entry.name)
        if entry.outcome is not None and entry.outcome.value is None:
            opaque.setdefault(entry.outcome.sql, entry.name)
    for sql, name in opaque.items():
        text = "{place} gives {sql}, which is not a literal: the rules predict its text"
        yield Note("no_literal", text, name, sql=_short(sql))
    n_errors = sum(entry.unparsed is not None for entry in entries)
    if n_errors:
        yield Note("not_read", _NOT_READ, whens=counted(n_errors, "WHEN"))


def is_integral(value: SqlLiteral) -> bool:
    """Return whether a number is an integer."""
    return isinstance(value.value, Decimal) and value.value == value.value.to_integral_value()


def _is_day(value: SqlLiteral) -> bool:
    return value.kind == "date" or (value.kind == "text" and parse_iso_day(value.value) is not None)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 80 else flat[:77] + "..."
