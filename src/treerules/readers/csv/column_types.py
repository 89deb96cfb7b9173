"""The type of a column of text cells: that of a model, a declared one, or the first that all its cells fit."""

from collections.abc import Sequence
from contextlib import suppress

from attrs import evolve

from treerules._internal.notes import Note
from treerules._internal.sql_quotes import quote_doubling
from treerules.data.find_number_form import NO_MARKS
from treerules.data.number_form import parsed_number_form
from treerules.data.schema import OPEN, Feature, Kind, Schema
from treerules.data.table import Types, declared_form, declared_kind
from treerules.data.text_forms import (
    TextForm,
    form_of_declared,
    form_of_most,
    marked_form,
    may_be_formed,
    parsed_text,
    text_form,
)
from treerules.data.value_format import form_of_shapes, is_read_by_form, value_text
from treerules.errors import ColumnError
from treerules.readers.csv.cell_types import (
    ANY_BOOLEAN,
    CELL_TYPES,
    MOMENTS,
    SPELLED_ONE_WAY,
    TEXT,
    CellType,
    type_of_scalar,
)
from treerules.readers.csv.misfits import Misfits, TextColumn, misfits

#: The number of rows that decide which types are tried on all rows.
_SAMPLE = 1000
#: The number of text cells that decide whether all are tried in other forms.
FIRST = 20
_OF_NUMBERS = ("1234.5", "say how the file writes them: decimal=, --decimal, or thousands=, --thousands")
_OF_MOMENTS = ("%Y-%m-%d", "write them as 2024-03-21")
#: By scalar the usual form, and what to do where the form of a file can be read in two ways.
_WITH_FORMS = {"number": _OF_NUMBERS, "integer": _OF_NUMBERS, "date": _OF_MOMENTS, "timestamp": _OF_MOMENTS}
#: The share of cells that can be read from which a column of text is told; of a column that the user named.
MOST, _MANY = 0.9, 0.5


def kind_of(name: str, types: Types, schema: Schema | None) -> Kind | None:
    """Return the kind of a column in the model's schema, or the declared kind; None if neither is given."""
    if schema is not None and name in schema.indices:
        return schema.feature(name).kind
    return declared_kind(name, types[name])[0] if name in types else None


def cell_type_of(column: TextColumn, types: Types, feature: Feature | None) -> CellType:
    """Return the type of a column's cells: of the model's feature, declared, or inferred from the cells.

    If the table `cells` does not hold all rows, the type inferred from its first cells is a guess, or open. Cells that
    cannot be read become missing in that table where the user says so.

    Raises:
        ColumnError: some cells do not fit the declared type; the error shows three.
    """
    if feature is not None:
        return _type_of_feature(evolve(column, is_of_model=True), feature)
    kind, levels = declared_kind(column.name, types[column.name]) if column.name in types else (None, ())
    if kind is None:
        return _inferred(column)
    if kind in OPEN:
        note = _check_levels(column, levels) if kind is Kind.ORDINAL else ""
        return evolve(_infer_from_sample(column, SPELLED_ONE_WAY)[0], note=note)
    form = declared_form(types[column.name])
    has_zones = kind is Kind.TIMESTAMP and not form and _has_zones(column)
    scalar = "timestamp_utc" if has_zones else str(kind)
    if not form and (scalar in ("number", "integer") or not has_zones):
        form = _form_of_declared(column, scalar)
    return _declared_type(column, scalar, form)


def moment_type(column: TextColumn) -> CellType:
    """Return how a column of text from a source without dates is read: as dates or timestamps if all are, else text."""
    return _infer_from_sample(column, tuple(r for r in CELL_TYPES if r.scalar in (*MOMENTS, "text")))[0]


def value_format_of(column: TextColumn, reading: CellType) -> str:
    """Return the form that the cells of a column share, "" for the usual one."""
    if reading.shape is None:
        return reading.form
    shapes = column.query(f"DISTINCT {reading.shape.format(c=column.cell)}", "TRUE")
    return form_of_shapes(reading.scalar, [text for (text,) in shapes if text is not None])


# ---- the type of a feature, or a declared one


def _type_of_feature(column: TextColumn, feature: Feature) -> CellType:
    if feature.kind is Kind.ORDINAL and column.is_made_missing is not False:
        shown = "" if is_read_by_form(feature.scalar, feature.form) else feature.form
        return evolve(TEXT, note=_check_levels(column, [value_text(level, shown) for level in feature.categories]))
    if feature.is_open:
        return TEXT
    is_number = feature.scalar in ("number", "integer")
    form = marked_form(feature.form, column.marks) if is_number else feature.form
    form = form if is_read_by_form(feature.scalar, form) else ""
    strict = evolve(column, is_made_missing=False)
    try:
        return _known_type(strict, feature, form)
    except ColumnError as error:
        try:
            return _of_other_form(strict, feature, form, error)
        except ColumnError:
            if column.is_made_missing is False:
                raise
            return _known_type(column, feature, form)


def _of_other_form(column: TextColumn, feature: Feature, form: str, error: ColumnError) -> CellType:
    """Return the reading of cells in another form than that of the model's file, with a note.

    Raises:
        ColumnError: the user named a form, no other one fits, or several do.
    """
    scalar = feature.scalar
    if column.marks != NO_MARKS or scalar not in _WITH_FORMS:
        raise error
    cells, (usual, ways) = _distinct(column), _WITH_FORMS[scalar]
    try:
        other = form_of_declared(column.name, scalar, cells, column.marks)
    except ColumnError as doubt:
        raise ColumnError(column.name, doubt.problem, ways, doubt.examples) from None
    if other == form or _unit(other) != _unit(form):
        raise error
    try:
        reading = _known_type(column, feature, other)
    except ColumnError:
        raise error from None
    text = "column {place!r}: read {example!r} as {value}, in the form {form}; that of the model is {known}"
    example = max(cells, key=len)
    parts = {"value": parsed_text(example, scalar, other), "form": other or usual, "known": form or usual}
    return evolve(reading, note=Note("other_form", text, column.name, example=example, **parts))


def _unit(form: str) -> tuple[str, str]:
    number_form = parsed_number_form(form)
    return ("", "") if number_form is None else number_form.removed


def _known_type(column: TextColumn, feature: Feature, form: str) -> CellType:
    """Return the reading of a model's feature; a column of integers may hold other numbers of 64 bits in new rows."""
    if feature.kind is not Kind.INTEGER:
        return _declared_type(column, feature.scalar, form)
    with suppress(ColumnError):
        return _declared_type(evolve(column, is_made_missing=False), feature.scalar, form)
    reading = _declared_type(column, "number", form)
    beyond = f"abs({reading.converted.format(c=column.cell)}) >= 9.223372036854775808e18"
    return _declared_type(column, feature.scalar, form) if column.query("1", beyond, "LIMIT 1") else reading


def _declared_type(column: TextColumn, scalar: str, form: str = "") -> CellType:
    """Return the reading of a type that was declared; every known cell must convert, or becomes missing.

    Raises:
        ColumnError: some cells cannot be converted; the error shows three.
    """
    reading = type_of_scalar(scalar)
    reading = reading.of_form(form) if form else reading
    if column.is_made_missing is not False and not column.is_all:
        return evolve(reading, is_open=True)
    odd = misfits(column, reading.fits(column.cell, is_declared=True), scalar, form)
    return evolve(reading, note=_resolve(odd), is_open=bool(odd.n) and not column.is_all)


def _resolve(odd: Misfits) -> str:
    """Make cells missing that cannot be read, where the user says so; return the note that says so.

    Raises:
        ColumnError: the user does not.
    """
    if not odd.n or not odd.column.is_all:
        return ""
    if odd.column.is_made_missing is False:
        raise odd.error()
    return odd.make_missing()


def _check_levels(column: TextColumn, levels: Sequence[str]) -> str:
    """Make cells missing that are not levels of an ordinal; return the note that says so.

    Raises:
        ColumnError: the user does not say so.
    """
    listed = ", ".join(map(quote_doubling, levels))
    return _resolve(misfits(column, f"{column.cell} IN ({listed})", "ordinal", "<".join(levels)))


def _form_of_declared(column: TextColumn, scalar: str) -> str:
    """Return the form of cells that were declared to be of a scalar without saying how they are written.

    It is the usual one unless more cells are of another.

    Raises:
        ColumnError: several forms fit, and read different values.
    """
    if scalar not in ("number", "integer", "date", "timestamp"):
        return ""
    usual = misfits(column, type_of_scalar(scalar).fits(column.cell, is_declared=True), scalar)
    has_commas = column.marks.decimals == (",",) or column.marks.is_point_open
    if not has_commas and not usual.n:
        return ""
    form = form_of_declared(column.name, scalar, _distinct(column), column.marks)
    if not form or has_commas:
        return form
    formed = type_of_scalar(scalar).of_form(form)
    return form if misfits(column, formed.fits(column.cell, is_declared=True), scalar).n < usual.n else ""


def _has_zones(column: TextColumn) -> bool:
    """Return whether most known cells are timestamps with a zone."""
    zoned, unzoned = (type_of_scalar(scalar).fits(column.cell) for scalar in ("timestamp_utc", "timestamp"))
    return bool(column.query("1", "TRUE", f"HAVING count(*) FILTER ({zoned}) > count(*) FILTER ({unzoned})"))


def _distinct(column: TextColumn) -> list[str]:
    return [text for (text,) in column.query(f"DISTINCT {column.cell}", "TRUE", "ORDER BY 1")]


# ---- an inferred type


def _inferred(column: TextColumn) -> CellType:
    """Return the first type that all known cells fit, also in a form of their own; else text, with what hinders it."""
    has_points = column.marks.decimals != (",",) and not column.marks.is_point_open
    readings = [reading for reading in CELL_TYPES if reading.scalar != "number" or has_points]
    reading, first, share = _infer_from_sample(column, readings)
    if reading.scalar != "text":
        return reading
    formed = TextForm()
    if may_be_formed(first):
        cells = _distinct(column)
        formed, share = text_form(column.name, cells, column.marks), 1.0
        if formed.scalar != "text":
            return type_of_scalar(formed.scalar).of_form(formed.form, formed.note)
        readings += [type_of_scalar(scalar).of_form(form) for scalar, form in form_of_most(cells, column.marks)]
    is_doubtful = formed.declarations not in ((), ("number",))
    mostly = None if is_doubtful else _mostly(column, readings, share)
    return mostly or evolve(TEXT, doubt=formed.note)


def _mostly(column: TextColumn, readings: Sequence[CellType], share: float) -> CellType | None:
    """Return the type of most cells, where the others become missing; else text with a note on those; None where few
    cells can be read.

    `share` is that of the first cells of which some type can be read.

    Raises:
        ColumnError: the user names the column, and less than half of its cells can be read.
    """
    if not column.is_all and (share >= _MANY or column.is_made_missing):
        return evolve(TEXT, is_open=True)
    if not share and not column.is_made_missing:
        return None
    others = [reading for reading in readings if reading.scalar not in ("text", "boolean")]
    best = _best(column, [ANY_BOOLEAN, *others])
    if best is TEXT and not column.is_made_missing:
        return TEXT
    odd = None if best in (None, TEXT) else misfits(column, best.fits(column.cell), best.scalar, best.form)
    if best is None or odd is None or odd.share < (_MANY if column.is_made_missing else MOST):
        if column.is_made_missing:
            problem = (
                "cannot be read: less than half of its cells are numbers, dates, timestamps or truth values of one form"
            )
            raise ColumnError(column.name, problem, "declare how it is read: types=, --types")
        return None
    if column.is_made_missing is False:
        return evolve(TEXT, doubt=odd.doubt())
    return evolve(best, note=odd.make_missing())


def _best(column: TextColumn, readings: Sequence[CellType]) -> CellType | None:
    """Return the type of the most cells; None for no cell, text for codes, of which some begin with a zero: 007."""
    counts = ", ".join(f"count(*) FILTER ({reading.fits(column.cell)})" for reading in readings)
    n_codes = f"count(*) FILTER (regexp_full_match({column.cell}, '0[0-9]+'))"
    ((n, *n_fitting),) = column.query(f"{n_codes}, {counts}", "TRUE")
    most = max(n_fitting)
    best = readings[n_fitting.index(most)]
    is_code = n and best.scalar in ("number", "integer")
    return None if not most else TEXT if is_code else best


def _infer_from_sample(column: TextColumn, readings: Sequence[CellType]) -> tuple[CellType, list[str], float]:
    """Return the first of the types that all known cells fit, the first of these cells, and the share that is no text.

    The share is that of the first cells which are of the commonest type.
    """
    cell = column.cell
    counts = "".join(f", count(*) FILTER ({reading.is_inferred.format(c=cell)})" for reading in readings)
    sample = f"(SELECT {cell} FROM cells WHERE {cell} IS NOT NULL LIMIT {_SAMPLE})"
    n_known, first, *fitting = column.connection.execute(
        f"SELECT count(*), list({cell})[1:{FIRST}]{counts} FROM {sample}"
    ).fetchone()
    if not n_known:
        return TEXT, [], 0.0
    likely = [reading for reading, n in zip(readings, fitting, strict=True) if n == n_known]
    reading = next(reading for reading in likely if not column.is_all or _fits_all(column, reading))
    return reading, first, max(fitting[:-1]) / n_known


def _fits_all(column: TextColumn, reading: CellType) -> bool:
    """Return whether all known cells are of the reading's type."""
    return not column.query("1", f"NOT ({reading.fits(column.cell)})", "LIMIT 1")
