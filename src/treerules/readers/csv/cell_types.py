"""Types of CSV cells: SQL that recognises and converts them, and inference of the type of a column.

The first that all known cells fit:

    boolean      only true and false, in one case style (true, True or TRUE)
    integer      0, -7, +12 within 64 bits; 007 is text, -07 is not; blanks around are nothing
    number       decimal or scientific, inf; 1_000 is text; blanks around are nothing
    date         2024-03-21 or 2024/3/21
    timestamp    2024-03-21 20:21:09.5, T between; all with a zone (Z, +08:00) or all without: then a date is midnight
    category     anything else: text

A declared category or ordinal keeps the spelling of its cells: they are integers or booleans only where these are
spelled in one way, else text, so that 1.10 and 1.1 stay two categories.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from treerules.data.find_number_form import NO_MARKS, NumberMarks
from treerules.data.schema import OPEN, Feature, Kind, Schema
from treerules.data.table import Types, declared_form, declared_kind
from treerules.data.text_forms import form_of_declared, marked_form, may_be_formed, text_form
from treerules.data.value_format import form_of_shapes, is_read_by_form
from treerules.errors import ColumnError
from treerules.readers.csv.form_sql import in_form_sql, plain_cell_sql

#: The number of rows that decide which types are tried on all rows.
_SAMPLE = 1000
#: The number of text cells that decide whether all are tried in other forms.
FIRST = 20


@frozen
class CellType:
    """How cells of one scalar type are recognised and converted in SQL; {c} is the cell."""

    scalar: str
    #: SQL that is true of the cells that are of this type
    is_inferred: str
    #: the same where the type was declared: 007 is an integer then
    is_declared: str
    #: SQL that converts a cell, NULL where it cannot
    converted: str
    #: SQL for the shape of a cell, from which the column's form is inferred
    shape: str | None = None
    #: SQL of a faster test than `is_inferred`: true of every converted cell that fails it, and of few others
    suspicion: str | None = None
    #: whether a known cell that cannot be converted becomes NaN, so that no separate check is needed
    has_nan: bool = False
    #: the form of the cells, where it is not inferred from `shape`
    form: str = ""
    #: a remark on what was recognised
    note: str = ""

    def of_form(self, form: str, note: str = "") -> "CellType":
        """Return the reading of cells that are written in a form which says how they are read."""
        plain = plain_cell_sql(form)

        def of_plain(sql: str) -> str:
            escaped = sql.format(c="\0").replace("{", "{{").replace("}", "}}")
            return escaped.replace("\0", f"({plain})")

        return evolve(
            self,
            is_inferred=f"{in_form_sql(form)} AND {of_plain(self.is_inferred)}",
            is_declared=of_plain(self.is_declared),
            converted=of_plain(self.converted),
            shape=None,
            suspicion=None,
            form=form,
            note=note,
        )


def _matches(pattern: str) -> str:
    return f"regexp_full_match({{c}}, '{pattern}')"


def _within(converted: str, least: int, most: int) -> str:
    return f"CASE WHEN {converted} BETWEEN {least} AND {most} THEN {converted} END"


_ISO_DAY = "[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}"
_TIME = r"[ T]([01][0-9]|2[0-3]):[0-9]{{2}}(:[0-9]{{2}}(\.[0-9]{{1,6}})?)?"
_DAYS = _matches("[0-9]{{4}}(-[0-9]{{2}}-[0-9]{{2}}|/[0-9]{{1,2}}/[0-9]{{1,2}})")
_SEPARATOR = "CASE WHEN length({c}) > 10 THEN trim(substr({c}, 11, 1)) END"
_MOMENT = _matches(f"{_ISO_DAY}({_TIME})?")
_ZONED = _matches(_ISO_DAY + _TIME + "(Z|[+-](0[0-9]|1[0-5])(:[0-5][0-9])?)")
#: The years 1 to 9999 in microseconds
_MOMENTS = (-62135596800000000, 253402300799999999)


def _microseconds(sql_type: str) -> str:
    return _within(f"epoch_us(TRY_CAST({{c}} AS {sql_type}))", *_MOMENTS)


_ANY_BOOLEAN = "lower({c}) IN ('true', 'false')"
_BOOLEAN = "CASE WHEN lower({c}) = 'true' THEN 1 WHEN lower({c}) = 'false' THEN 0 END"
_BLANK = r"[ \t\n\v\f\r]*"
_INTEGER = _matches(_BLANK + "(0|[1-9][0-9]*|[+-][0-9]+)" + _BLANK)


def _number(digits: str) -> str:
    return _matches(f"{_BLANK}({digits}([eE][+-]?[0-9]+)?|[+-]?[iI]nf(inity)?){_BLANK}")


TEXT = CellType("text", "TRUE", "TRUE", "{c}")
CELL_TYPES = (
    CellType("boolean", "{c} IN ('true', 'false')", _ANY_BOOLEAN, _BOOLEAN, "{c}"),
    CellType("boolean", "{c} IN ('True', 'False')", _ANY_BOOLEAN, _BOOLEAN, "{c}"),
    CellType("boolean", "{c} IN ('TRUE', 'FALSE')", _ANY_BOOLEAN, _BOOLEAN, "{c}"),
    CellType(
        "integer",
        _INTEGER,
        _INTEGER,
        "TRY_CAST({c} AS BIGINT)",
        suspicion="CAST(TRY_CAST({c} AS BIGINT) AS VARCHAR) IS DISTINCT FROM {c}",
    ),
    CellType(
        "number",
        _number("((0|[1-9][0-9]*|[+-][0-9]+)(\\.[0-9]*)?|[+-]?\\.[0-9]+)"),
        _number("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)"),
        "TRY_CAST({c} AS DOUBLE)",
        suspicion="{c} >= '00' AND {c} < '0:'",  # : comes after 9
        has_nan=True,
    ),
    CellType(
        "date",
        _DAYS,
        _DAYS,
        _within("TRY_CAST(replace({c}, '/', '-') AS DATE) - DATE '0001-01-01' + 1", 1, 3652059),
        "regexp_replace({c}, '[0-9]', '0', 'g')",
    ),
    CellType("timestamp", _MOMENT, _MOMENT, _microseconds("TIMESTAMP"), _SEPARATOR),
    CellType(
        "timestamp_utc",
        _ZONED,
        _ZONED,
        _microseconds("TIMESTAMPTZ"),
        "substr({c}, 11, 1) || regexp_extract({c}, '(Z|[+-][0-9:]+)$')",
    ),
    TEXT,
)
#: A declared integer may be spelled 007 or 7.0.
_DECLARED_INTEGER = CellType(
    "integer",
    _INTEGER,
    _matches(_BLANK + r"[+-]?[0-9]+(\.0*)?" + _BLANK),
    r"TRY_CAST(regexp_replace({c}, '\.0*\s*$', '') AS BIGINT)",
)
MOMENTS = ("date", "timestamp", "timestamp_utc")
#: The types of a declared category besides text: values with only one spelling.
_PLAIN_INTEGER = _matches("0|-?[1-9][0-9]*")
_SPELLED_ONE_WAY = (
    *(evolve(reading, is_declared=reading.is_inferred) for reading in CELL_TYPES[:3]),
    CellType("integer", _PLAIN_INTEGER, _PLAIN_INTEGER, "TRY_CAST({c} AS BIGINT)"),
    TEXT,
)


def kind_of(name: str, types: Types, schema: Schema | None) -> Kind | None:
    """Return the kind of a column in the model's schema, or the declared kind; None if neither is given."""
    if schema is not None and name in schema.indices:
        return schema.feature(name).kind
    return declared_kind(name, types[name])[0] if name in types else None


def cell_type_of(
    connection: Any,
    cell: str,
    name: str,
    types: Types,
    feature: Feature | None,
    is_all: bool = True,
    marks: NumberMarks = NO_MARKS,
) -> CellType:
    """Return the type of a column's cells: of the model's feature, declared, or inferred from the cells.

    If the table `cells` does not hold all rows, the type inferred from its first cells is a guess. `marks` is what the
    user says of all numbers.

    Raises:
        ColumnError: some cells do not fit the declared type; the error shows three.
    """
    if feature is not None:
        return TEXT if feature.is_open else _known_type(connection, cell, name, feature, _known(feature, marks))
    kind = declared_kind(name, types[name])[0] if name in types else None
    if kind is None:
        readings = [reading for reading in CELL_TYPES if reading.scalar != "number" or marks.decimals != (",",)]
        reading, first = _infer_from_sample(connection, cell, readings, is_all)
        is_formed = reading.scalar == "text" and may_be_formed(first)
        return _formed_type(connection, cell, name, marks) if is_formed else reading
    if kind in OPEN:
        return _infer_type(connection, cell, _SPELLED_ONE_WAY)
    form = declared_form(types[name])
    has_zones = kind is Kind.TIMESTAMP and not form and _has_zones(connection, cell)
    scalar = "timestamp_utc" if has_zones else str(kind)
    if not form and (scalar in ("number", "integer") or not has_zones):
        form = _form_of_declared(connection, cell, name, scalar, marks)
    return _declared_type(connection, cell, name, scalar, form)


def moment_type(connection: Any, cell: str) -> CellType:
    """Return how a column of text from a source without dates is read: as dates or timestamps if all are, else text."""
    return _infer_type(connection, cell, tuple(r for r in CELL_TYPES if r.scalar in (*MOMENTS, "text")))


def value_format_of(connection: Any, cell: str, reading: CellType) -> str:
    """Return the form that the cells of a column share, "" for the usual one."""
    if reading.shape is None:
        return reading.form
    shape = reading.shape.format(c=cell)
    shapes = connection.execute(f"SELECT DISTINCT {shape} FROM cells WHERE {cell} IS NOT NULL").fetchall()
    return form_of_shapes(reading.scalar, [text for (text,) in shapes if text is not None])


def _known(feature: Feature, marks: NumberMarks) -> str:
    """Return the form in which the cells of a model's feature are read; "" for the usual one."""
    form = marked_form(feature.form, marks) if feature.scalar in ("number", "integer") else feature.form
    return form if is_read_by_form(feature.scalar, form) else ""


def _formed_type(connection: Any, cell: str, name: str, marks: NumberMarks) -> CellType:
    """Return the type of text cells that are numbers or moments in a form of their own, else text."""
    distinct = f"SELECT DISTINCT {cell} FROM cells WHERE {cell} IS NOT NULL ORDER BY 1"
    cells = [text for (text,) in connection.execute(distinct).fetchall()]
    found = text_form(name, cells, marks)
    if found.scalar == "text":
        return evolve(TEXT, note=found.note)
    return next(reading for reading in CELL_TYPES if reading.scalar == found.scalar).of_form(found.form, found.note)


def _form_of_declared(connection: Any, cell: str, name: str, scalar: str, marks: NumberMarks) -> str:
    """Return the form of cells that were declared to be of a scalar without saying how they are written.

    Raises:
        ColumnError: several forms fit, and read different values.
    """
    reading = next(reading for reading in (_DECLARED_INTEGER, *CELL_TYPES) if reading.scalar == scalar)
    if scalar not in ("number", "integer", "date", "timestamp"):
        return ""
    if marks.decimals != (",",) and not _misfits(connection, cell, reading):
        return ""
    cells = [text for (text,) in connection.execute(f"SELECT DISTINCT {cell} FROM cells ORDER BY 1").fetchall() if text]
    return form_of_declared(name, scalar, cells, marks)


def _infer_type(connection: Any, cell: str, readings: Sequence[CellType], is_all: bool = True) -> CellType:
    return _infer_from_sample(connection, cell, readings, is_all)[0]


def _infer_from_sample(
    connection: Any, cell: str, readings: Sequence[CellType], is_all: bool
) -> tuple[CellType, list[str]]:
    """Return the first of the types that all known cells fit, and the first of these cells."""
    sample = f"(SELECT {cell} FROM cells WHERE {cell} IS NOT NULL LIMIT {_SAMPLE})"
    n_known, first, *fitting = _fitting_counts(connection, sample, cell, readings)
    if not n_known:
        return TEXT, []
    likely = [reading for reading, n in zip(readings, fitting, strict=True) if n == n_known]
    return next(reading for reading in likely if not is_all or _fits_all(connection, cell, reading)), first


def _fits_all(connection: Any, cell: str, reading: CellType) -> bool:
    """Return whether all known cells are of the reading's type."""
    odd = f"{cell} IS NOT NULL AND NOT ({_fits(reading, reading.is_inferred, cell)})"
    return connection.execute(f"SELECT 1 FROM cells WHERE {odd} LIMIT 1").fetchone() is None


def _fitting_counts(connection: Any, source: str, cell: str, readings: Sequence[CellType]) -> tuple[Any, ...]:
    """Return the number of known cells, the first of them, and for each reading how many it recognises."""
    counts = "".join(f", count(*) FILTER ({reading.is_inferred.format(c=cell)})" for reading in readings)
    n_fitting: tuple[Any, ...] = connection.execute(
        f"SELECT count(*), list({cell})[1:{FIRST}]{counts} FROM {source} WHERE {cell} IS NOT NULL"
    ).fetchone()
    return n_fitting


def _fits(reading: CellType, rule: str, cell: str) -> str:
    return f"({rule.format(c=cell)}) AND ({reading.converted.format(c=cell)}) IS NOT NULL"


def _has_zones(connection: Any, cell: str) -> bool:
    zoned = next(reading for reading in CELL_TYPES if reading.scalar == "timestamp_utc")
    return _fits_all(connection, cell, zoned)


def _known_type(connection: Any, cell: str, name: str, feature: Feature, form: str) -> CellType:
    """Return the reading of a model's feature; a column of integers may hold other numbers of 64 bits in new rows."""
    with suppress(ColumnError):
        return _declared_type(connection, cell, name, feature.scalar, form)
    reading = _declared_type(connection, cell, name, "number" if feature.kind is Kind.INTEGER else feature.scalar, form)
    within = f"{cell} IS NULL OR abs({reading.converted.format(c=cell)}) < 9.223372036854775808e18"
    is_within = connection.execute(f"SELECT bool_and({within}) FROM cells").fetchone()[0]
    return reading if is_within else _declared_type(connection, cell, name, feature.scalar, form)


def _declared_type(connection: Any, cell: str, name: str, scalar: str, form: str = "") -> CellType:
    """Return the reading of a type that was declared; every known cell must convert.

    Raises:
        ColumnError: some cells cannot be converted; the error shows three.
    """
    reading = next(reading for reading in (_DECLARED_INTEGER, *CELL_TYPES) if reading.scalar == scalar)
    reading = reading.of_form(form) if form else reading
    misfits = _misfits(connection, cell, reading)
    if misfits:
        problem = f"has cells that are not of type {scalar}{f' in the form {form}' if form else ''}"
        raise ColumnError(name, problem, "correct these cells, or declare another type", misfits)
    return reading


def _misfits(connection: Any, cell: str, reading: CellType) -> list[str]:
    """Return up to three known cells that a declared type cannot read."""
    fits = _fits(reading, reading.is_declared, cell)
    found = connection.execute(f"SELECT {cell} FROM cells WHERE {cell} IS NOT NULL AND NOT ({fits}) LIMIT 3")
    return [text for (text,) in found.fetchall()]
