"""Fetching of columns from DuckDB: types are guessed from the first rows and verified while all are fetched.

A column whose guess fails for some row is inferred again from all rows.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import evolve, field, frozen
from toolz import concat, merge, partition_all

from treerules._internal.conversion import parse_number
from treerules._internal.field_converters import as_tuple
from treerules._internal.sql_quotes import quote_doubling
from treerules.data.column import Column
from treerules.data.find_number_form import NO_MARKS, NumberMarks
from treerules.data.schema import MISSING, UNSEEN, Feature, Kind, Schema, kind_of_scalar
from treerules.data.table import Types
from treerules.data.text_forms import may_be_formed
from treerules.data.value_format import is_read_by_form, plain_text, value_text
from treerules.errors import counted
from treerules.readers.csv.cell_types import FIRST, cell_type_of, value_format_of
from treerules.readers.csv.wide_tables import MANY, categories_of_many, types_of_many

Progress = Callable[[int, int], None]

#: The number of rows for the first guess.
SAMPLE = 20_000
#: A text column with more distinct values than this, one per row, is fetched only if the caller names it.
MOST_UNFETCHED = 100_000
#: Of many columns, those with at most this many categories are looked up in a list; others need a type of their own.
_MOST_LISTED = 256
#: The number of columns that are fetched from a table at once.
_MOST_AT_ONCE = 500
#: The number of columns that a note names.
_MOST_NAMED = 20


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


def fetch_columns(
    cells: TextCells,
    *,
    types: Types,
    schema: Schema | None,
    extra_columns: Collection[str],
    progress: Progress | None = None,
) -> "tuple[list[Column], list[str]] | None":
    """Return the columns of the cells, and remarks on their forms: all, or those of a schema and the extra ones.

    The result is None if there are no rows.

    Raises:
        ColumnError: a column does not fit `types` or `schema`.
    """
    report_progress = progress or (lambda done, total: None)
    connection, steps = cells.connection, 3
    report_progress(0, steps)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE cells AS SELECT * FROM {cells.scan} LIMIT {SAMPLE}")
    n_rows = _query_count(connection, "SELECT count(*) FROM cells")
    if not n_rows:
        return None
    is_all = n_rows < SAMPLE
    wanted_names = [name for name in cells.names if schema is None or name in schema.indices or name in extra_columns]
    wanted_names = wanted_names or list(cells.names[:1])  # to count the rows
    all_of = {*extra_columns, *types, *(schema.indices if schema is not None else ())}

    complete = frozenset() if is_all else _columns_without_missing(connection, cells.names, wanted_names)

    def plans(names: Sequence[str], by_all: bool) -> dict[str, FetchPlan]:
        undeclared = [name for name in names if name not in types and (schema is None or name not in schema.indices)]
        known = _plans_of_many(cells, undeclared) if by_all and len(undeclared) >= MANY else {}
        return {
            name: known.get(name)
            or _column_plan(
                *(cells, name, types, schema),
                is_all=by_all,
                is_asked=name in all_of,
                is_complete=not by_all and name in complete,
            )
            for name in names
        }

    guessed = plans(wanted_names, is_all)
    report_progress(1, steps)
    fetched = {name: plan for name, plan in guessed.items() if plan.expression}
    arrays, wrong = fetch_arrays(connection, "cells" if is_all else cells.scan, cells.names, fetched)
    n_rows = len(next(iter(arrays.values()))[0]) if arrays else n_rows if is_all else _row_count(cells)
    wrong = [] if is_all else [*wrong, *(name for name in guessed if name not in fetched)]
    report_progress(2, steps)
    if wrong:
        fields = ", ".join(f"c{cells.names.index(name)}" for name in wrong)
        connection.execute(f"CREATE OR REPLACE TEMP TABLE cells AS SELECT {fields} FROM {cells.scan}")
        new_plans = plans(wrong, True)
        guessed.update(new_plans)
        arrays.update(
            fetch_arrays(
                connection, "cells", cells.names, {n: plan for n, plan in new_plans.items() if plan.expression}
            )[0]
        )
    report_progress(3, steps)
    columns = [column_of_arrays(guessed[name].feature, arrays.get(name), n_rows) for name in wanted_names]
    notes = [guessed[name].note for name in wanted_names if guessed[name].note]
    return [_as_model_column(schema, column) for column in columns] if schema is not None else columns, notes


def reading_note(name: str, columns: "Sequence[Column]") -> str:
    """Return the note on the kinds that were read."""
    kinds = ", ".join(f"{column.feature.name} {column.feature.kind}" for column in columns[:_MOST_NAMED])
    if len(columns) > _MOST_NAMED:
        kinds += f", and {len(columns) - _MOST_NAMED:,} more"
    n_rows = len(columns[0].data) if columns else 0
    return f"read {counted(n_rows, 'row')} of {name}: {kinds}"


def _query_count(connection: Any, sql: str) -> int:
    return int(connection.execute(sql).fetchone()[0])


def _columns_without_missing(connection: Any, names: Sequence[str], column_names: Sequence[str]) -> frozenset[str]:
    """Return the columns without a missing cell in the table `cells`."""
    counts = ", ".join(f"count(*) = count(c{names.index(name)})" for name in column_names)
    flags = connection.execute(f"SELECT {counts} FROM cells").fetchone()
    return frozenset(name for name, is_complete in zip(column_names, flags, strict=True) if is_complete)


def _row_count(cells: TextCells) -> int:
    return _query_count(cells.connection, f"SELECT count(*) FROM {cells.scan}")


# ---- plans


def _column_plan(
    cells: TextCells, name: str, types: Types, schema: Schema | None, *, is_all: bool, is_asked: bool, is_complete: bool
) -> FetchPlan:
    """Return the plan for a column, inferred from the rows in the table `cells`: all rows, or the first ones."""
    connection, cell = cells.connection, f"c{cells.names.index(name)}"
    known_feature = schema.feature(name) if schema is not None and name in schema.indices else None
    reading = cell_type_of(connection, cell, name, types, known_feature, is_all, cells.marks)
    if reading.scalar == "text":
        plan = text_plan(connection, name, cell, is_all=is_all, is_asked=is_asked, is_complete=is_complete)
        return evolve(plan, note=reading.note)
    form = known_feature.form if known_feature is not None else value_format_of(connection, cell, reading)
    feature = Feature(name, kind_of_scalar(reading.scalar), (), reading.scalar, form)
    converted = f"({reading.converted.format(c=cell)})"
    if is_all:
        return FetchPlan(feature, converted, note=reading.note)
    if cells.is_exact and reading.suspicion and name not in types and known_feature is None:
        doubtful = reading.suspicion.format(c=cell)
        if not reading.has_nan or is_complete:
            return FetchPlan(feature, converted, doubtful, reading.has_nan)
        return FetchPlan(
            feature, f"coalesce({converted}, CASE WHEN {cell} IS NOT NULL THEN 'nan'::DOUBLE END)", doubtful
        )
    rule = reading.is_declared if name in types or known_feature is not None else reading.is_inferred
    violation = f"{cell} IS NOT NULL AND ({converted} IS NULL OR NOT ({rule.format(c=cell)}))"
    return FetchPlan(feature, converted, violation, note=reading.note)


def _plans_of_many(cells: TextCells, names: Sequence[str]) -> dict[str, FetchPlan]:
    """Return the plans for those of many columns that need no statement of their own, by the table `cells` of all rows.

    These are the numbers, and the texts of few categories.
    """
    position_by_name = {name: position for position, name in enumerate(cells.names)}
    cell_by_name = {name: f"c{position_by_name[name]}" for name in names}
    readings = types_of_many(cells.connection, list(cell_by_name.values()))
    texts = [cell for cell, reading in readings.items() if reading.scalar == "text"]
    categories = categories_of_many(cells.connection, texts)
    plans = {}
    for name, cell in cell_by_name.items():
        reading = readings[cell]
        is_read_alone = may_be_formed(categories.get(cell, ())[:FIRST]) or (
            reading.scalar == "number" and cells.marks.decimals == (",",)
        )
        if is_read_alone:
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


# ---- fetching


def fetch_arrays(
    connection: Any, source: str, names: Sequence[str], plans: Mapping[str, FetchPlan]
) -> tuple[dict[str, tuple[Any, Any]], list[str]]:
    """Return the cells and missing masks of the columns, and the names of columns that contradict their plan.

    Of a `source` that is the table `cells`, some columns are fetched at a time: to plan a query of thousands of columns
    takes DuckDB time that grows with their square.
    """
    n_at_once = _MOST_AT_ONCE if source == "cells" else max(1, len(plans))
    parts = [_fetch_arrays(connection, source, names, dict(part)) for part in partition_all(n_at_once, plans.items())]
    return merge({}, *(arrays for arrays, _ in parts)), list(concat(wrong for _, wrong in parts))


def _fetch_arrays(
    connection: Any, source: str, names: Sequence[str], plans: Mapping[str, FetchPlan]
) -> tuple[dict[str, tuple[Any, Any]], list[str]]:
    """Return what `fetch_arrays` does, by one query."""
    cell_by_name = {name: f"c{position}" for position, name in enumerate(names)}
    selected = [f"{plan.expression} AS {cell_by_name[name]}" for name, plan in plans.items()]
    doubtful = {name: f"({plan.violation})" for name, plan in plans.items() if plan.violation}
    if doubtful:
        selected.append(f"({' OR '.join(doubtful.values())}) AS odd")
    fetched = connection.execute(f"SELECT {', '.join(selected)} FROM {source}").fetchnumpy()
    arrays = {name: _fill_missing(plan.feature, fetched[cell_by_name[name]]) for name, plan in plans.items()}
    wrong = [name for name, plan in plans.items() if _contradicts(plan, *arrays[name])]
    if doubtful and fetched["odd"].any():
        any_doubtful = connection.execute(
            f"SELECT {', '.join(f'bool_or({odd})' for odd in doubtful.values())} FROM {source}"
        )
        wrong += [name for name, is_odd in zip(doubtful, any_doubtful.fetchone(), strict=True) if is_odd]
    return arrays, list(dict.fromkeys(wrong))


def _fill_missing(feature: Feature, cells: Any) -> tuple[Any, Any]:
    """Return the data of a column, changed in place where possible, and the mask of missing cells."""
    dtype, hole = ("int64", 0) if feature.is_ordered else ("int32", MISSING)
    dtype, hole = ("float64", 0) if feature.kind is Kind.NUMBER else (dtype, hole)
    missing = np.ma.getmaskarray(cells)
    data = np.ma.getdata(cells)
    if missing.any():
        np.copyto(data, hole, where=missing)
    return data.astype(dtype, copy=False), missing


def _contradicts(plan: FetchPlan, data: Any, missing: Any) -> bool:
    """Return whether some cell contradicts the plan: it is missing, not a category, or not finite."""
    if plan.is_complete and missing.any():
        return True
    if plan.feature.kind is Kind.CATEGORY:
        return bool(np.any(data == UNSEEN))
    return plan.feature.kind is Kind.NUMBER and not np.all(np.isfinite(data))


def column_of_arrays(feature: Feature, cells: Any, n_rows: int) -> "Column":
    """Return the column of fetched cells, reusing its arrays; None: a column whose text was left in its file."""
    if cells is None:
        return Column(feature, np.zeros(n_rows, dtype=np.int32), np.zeros(n_rows, dtype=bool), fetched=False)
    data, missing = cells
    if feature.kind is Kind.NUMBER:
        data += 0.0  # -0.0 is 0.0
        np.copyto(data, np.nan, where=missing)
        missing = np.isnan(data)
    return Column(feature, data, missing)


def _as_model_column(schema: Schema, column: "Column") -> "Column":
    """Convert a text column to the categories of the model's feature; text that is not a category becomes unseen."""
    feature = schema.features[schema.indices[column.feature.name]] if column.feature.name in schema.indices else None
    if feature is None or not feature.is_open or feature.scalar == "text":
        return column

    form = feature.form
    shown = "" if is_read_by_form(feature.scalar, form) else form
    position_by_text = {value_text(category, shown): position for position, category in enumerate(feature.categories)}
    texts = (plain_text(text, feature.scalar, form) or text for text in column.feature.categories)
    if shown != form and feature.scalar == "number":  # $5.50 is the category 5.5
        texts = (str(parse_number(text)) for text in texts)
    codes = [position_by_text.get(text, UNSEEN) for text in texts]
    return Column(feature, np.array([*codes, MISSING], dtype=np.int32)[column.data], column.missing)
