"""How the columns of a text are fetched from DuckDB: an SQL expression for each, and what contradicts it."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.sql_quotes import quote_doubling
from treerules.data.find_number_form import NO_MARKS, NumberMarks
from treerules.data.number_form import parsed_number_form
from treerules.data.schema import UNSEEN, Feature, Kind, Schema, kind_of_scalar
from treerules.data.table import Types
from treerules.data.text_forms import may_be_formed
from treerules.readers.csv.column_types import FIRST, MOST, cell_type_of, value_format_of
from treerules.readers.csv.misfits import LinesOf, TextColumn
from treerules.readers.csv.wide_tables import categories_of_many, types_of_many
from treerules.readers.reader_arguments import Unreadable, is_made_missing

#: A text column with more distinct values than this, one per row, is fetched only if the caller names it.
MOST_UNFETCHED = 100_000
#: Of many columns, those with at most this many categories are looked up in a list; others need a type of their own.
_MOST_LISTED = 256


@frozen(eq=False)
class TextCells:
    """Rows of text: `scan` is SQL that gives them as c0, c1, ..., missing cells as NULL."""

    connection: Any
    scan: str
    names: tuple[str, ...] = field(converter=as_tuple)
    #: whether every cell that DuckDB converts to a number is a number
    is_exact: bool = False
    #: what the user says of all numbers
    marks: NumberMarks = NO_MARKS
    #: the columns whose cells become missing where they cannot be read
    unreadable: Unreadable = None
    lines_of: LinesOf | None = None
    #: the character between cells
    delimiter: str = ","

    def column(self, name: str, *, is_all: bool) -> TextColumn:
        """Return a column of the table `cells`, which has all rows, or the first ones."""
        made_missing = is_made_missing(self.unreadable, name)
        cell = f"c{self.names.index(name)}"
        return TextColumn(self.connection, cell, name, is_all, self.marks, made_missing, self.lines_of)


@frozen(eq=False)
class FetchPlan:
    """How one column is fetched."""

    feature: Feature
    #: SQL that converts a cell; None where the column is not fetched
    expression: str | None
    #: SQL that is true of the cells that contradict the plan; None where the fetched values show it
    violation: str | None = None
    #: whether a missing cell contradicts the plan: the first rows had none, so the plan does not detect missing cells
    is_complete: bool = False
    #: a remark on the form of the cells
    note: str = ""
    #: the form of the cells, where the feature does not hold it
    form: str = ""
    #: a remark on cells that could not be read, for which the column is text
    doubt: str = ""


def column_plan(
    cells: TextCells, name: str, types: Types, schema: Schema | None, *, is_all: bool, is_asked: bool, is_complete: bool
) -> FetchPlan:
    """Return the plan for a column, inferred from the rows in the table `cells`: all rows, or the first ones."""
    column = cells.column(name, is_all=is_all)
    cell = column.cell
    known_feature = schema.feature(name) if schema is not None and name in schema.indices else None
    reading = cell_type_of(column, types, known_feature)
    if reading.is_open:
        return FetchPlan(Feature(name, Kind.CATEGORY), None)
    if reading.scalar == "text":
        plan = text_plan(cells.connection, name, cell, is_all=is_all, is_asked=is_asked, is_complete=is_complete)
        return evolve(plan, note=reading.note, doubt=reading.doubt)
    form = known_feature.form if known_feature is not None else value_format_of(column, reading)
    feature = Feature(name, kind_of_scalar(reading.scalar), (), reading.scalar, form)
    converted = f"({reading.converted.format(c=cell)})"
    if is_all:
        return FetchPlan(feature, converted, note=reading.note, form=reading.form)
    if cells.is_exact and reading.suspicion and name not in types and known_feature is None:
        doubtful = reading.suspicion.format(c=cell)
        if not reading.has_nan or is_complete:
            return FetchPlan(feature, converted, doubtful, reading.has_nan)
        return FetchPlan(
            feature, f"coalesce({converted}, CASE WHEN {cell} IS NOT NULL THEN 'nan'::DOUBLE END)", doubtful
        )
    rule = reading.is_declared if name in types or known_feature is not None else reading.is_inferred
    violation = f"{cell} IS NOT NULL AND ({converted} IS NULL OR NOT ({rule.format(c=cell)}))"
    return FetchPlan(feature, converted, violation, note=reading.note, form=reading.form)


def plans_of_many(cells: TextCells, names: Sequence[str]) -> dict[str, FetchPlan]:
    """Return the plans for those of many columns that need no statement of their own, by the table `cells` of all rows.

    These are the numbers, and the texts of few categories.
    """
    position_by_name = {name: position for position, name in enumerate(cells.names)}
    cell_by_name = {name: f"c{position_by_name[name]}" for name in names}
    readings = types_of_many(cells.connection, list(cell_by_name.values()))
    texts = [cell for cell, (reading, _) in readings.items() if reading.scalar == "text"]
    categories = categories_of_many(cells.connection, texts)
    plans = {}
    for name, cell in cell_by_name.items():
        reading, share = readings[cell]
        has_commas = reading.scalar == "number" and cells.marks.decimals == (",",)
        is_mixed = cell in categories and (share > MOST - 1e-9 or is_made_missing(cells.unreadable, name))
        if is_mixed or has_commas or may_be_formed(categories.get(cell, ())[:FIRST]):
            continue
        if cell in categories and len(categories[cell]) <= _MOST_LISTED:
            feature = Feature(name, Kind.CATEGORY, categories[cell])
            listed = ", ".join(quote_doubling(text) for text in categories[cell])
            plans[name] = FetchPlan(feature, f"CAST(list_position([{listed}]::VARCHAR[], {cell}) - 1 AS SMALLINT)")
        elif reading.shape is None and reading.scalar != "text":
            feature = Feature(name, kind_of_scalar(reading.scalar), (), reading.scalar)
            plans[name] = FetchPlan(feature, f"({reading.converted.format(c=cell)})")
    return plans


def text_plan(
    connection: Any, name: str, cell: str, *, is_all: bool, is_asked: bool, is_complete: bool = False
) -> FetchPlan:
    """Return the plan for a column of text: positions into its distinct values, which are sorted by code point."""
    distinct = f"SELECT DISTINCT {cell} FROM cells WHERE {cell} IS NOT NULL"
    n_rows, n_known = connection.execute(f"SELECT count(*), count(DISTINCT {cell}) FROM cells").fetchone()
    if n_rows == n_known and not (is_all and (is_asked or n_rows <= MOST_UNFETCHED)):
        return FetchPlan(Feature(name, Kind.CATEGORY), None)  # fetched from all rows, or left in the file
    categories = [text for (text,) in connection.execute(f"{distinct} ORDER BY 1").fetchall()]
    values = f"{distinct} ORDER BY 1" if categories else "''"
    connection.execute(f"DROP TYPE IF EXISTS e{cell}; CREATE TYPE e{cell} AS ENUM ({values})")
    width = "SMALLINT" if len(categories) < 2**15 else "INTEGER"
    code = f"CAST(enum_code(TRY_CAST({cell} AS e{cell})) AS {width})"
    feature = Feature(name, Kind.CATEGORY, categories)
    if is_all or is_complete:
        return FetchPlan(feature, code, is_complete=is_complete)
    return FetchPlan(feature, f"coalesce({code}, CASE WHEN {cell} IS NOT NULL THEN {UNSEEN} END)")


_POINT = "contains({c}, '.')"
_GROUPED = "regexp_full_match({c}, '[ \\t]*[+-]?[1-9][0-9]{{0,2}}\\.[0-9]{{3}}[ \\t]*')"


def columns_of_open_points(cells: TextCells, plans: Mapping[str, FetchPlan], types: Types) -> list[str]:
    """Return the columns of numbers in which a point may stand between thousands: 1.500 in each cell with a point.

    That is so beside a column with decimal commas, and where semicolons divide the cells, as people write files whose
    decimal mark is a comma, unless another column shows that it is the point.
    """
    forms = [parsed_number_form(plan.form or plan.feature.form) for plan in plans.values()]
    has_commas = any(form is not None and form.decimal == "," for form in forms)
    if len(cells.marks.decimals) == 1 or not (has_commas or cells.delimiter == ";"):
        return []
    usual = [
        name
        for name, plan in plans.items()
        if plan.feature.scalar == "number" and not plan.feature.form and types.get(name) in (None, "number")
    ]
    counts = {}
    for name in usual:
        cell = f"c{cells.names.index(name)}"
        point, grouped = _POINT.format(c=cell), _GROUPED.format(c=cell)
        query = f"SELECT count(*) FILTER ({point}), count(*) FILTER ({point} AND NOT {grouped}) FROM cells"
        counts[name] = cells.connection.execute(query).fetchone()
    if not has_commas and any(n_decimals for _, n_decimals in counts.values()):
        return []
    return [name for name, (n_points, n_decimals) in counts.items() if n_points and not n_decimals]
