"""Fetching of columns from DuckDB: types are guessed from the first rows and verified while all are fetched.

A column whose guess fails for some row is inferred again from all rows.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve
from toolz import concat, merge, partition_all

from treerules._internal.conversion import parse_number
from treerules._internal.notes import Note
from treerules.data.column import Column
from treerules.data.schema import MISSING, UNSEEN, Feature, Kind, Schema
from treerules.data.table import Types
from treerules.data.value_format import is_read_by_form, plain_text, value_text
from treerules.errors import counted
from treerules.readers.csv.column_plans import FetchPlan, TextCells, column_plan, columns_of_open_points, plans_of_many
from treerules.readers.csv.wide_tables import MANY

Progress = Callable[[int, int], None]

#: The number of rows for the first guess.
SAMPLE = 20_000
#: The number of columns that are fetched from a table at once.
_MOST_AT_ONCE = 500
#: The number of columns that a note names.
_MOST_NAMED = 20
#: The note on a column of a model in which a point may stand between thousands.
_AS_MODEL = "column {place!r}: each point stands before three digits, and is the decimal mark, as for the model"
_IF_NOT = "if 1.500 is 1500 in this file: decimal=',', --decimal ,"


def fetch_columns(
    cells: TextCells,
    *,
    types: Types,
    schema: Schema | None,
    extra_columns: Collection[str],
    progress: Progress | None = None,
) -> "tuple[list[Column], list[str], list[str]] | None":
    """Return the columns of the cells, all or those of a schema and the extra ones, and remarks on them.

    The first remarks are on their forms, the second ones on cells that could not be read.

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
    asked = frozenset((*extra_columns, *types, *(schema.indices if schema is not None else ())))
    complete = frozenset() if is_all else _columns_without_missing(connection, cells.names, wanted_names)
    plans = partial(_plans, cells, types, schema, asked, complete)
    guessed = plans(wanted_names, is_all)
    unknown = {name: plan for name, plan in guessed.items() if schema is None or name not in schema.indices}
    open_points = columns_of_open_points(cells, unknown, types)
    guessed |= plans(open_points, is_all, open_points)
    read_as_model = [] if schema is None else columns_of_open_points(cells, guessed, types)
    report_progress(1, steps)
    fetched = {name: plan for name, plan in guessed.items() if plan.expression}
    arrays, wrong = fetch_arrays(connection, "cells" if is_all else cells.scan, cells.names, fetched)
    n_rows = len(next(iter(arrays.values()))[0]) if arrays else n_rows if is_all else _row_count(cells)
    wrong = [] if is_all else [*wrong, *(name for name in guessed if name not in fetched)]
    report_progress(2, steps)
    if wrong:
        fields = ", ".join(f"c{cells.names.index(name)}" for name in wrong)
        connection.execute(f"CREATE OR REPLACE TEMP TABLE cells AS SELECT {fields} FROM {cells.scan}")
        new_plans = plans(wrong, True, open_points)
        guessed.update(new_plans)
        arrays.update(
            fetch_arrays(
                connection, "cells", cells.names, {n: plan for n, plan in new_plans.items() if plan.expression}
            )[0]
        )
    report_progress(3, steps)
    columns = [column_of_arrays(guessed[name].feature, arrays.get(name), n_rows) for name in wanted_names]
    columns = columns if schema is None else [_as_model_column(schema, column) for column in columns]
    notes = [guessed[name].note for name in wanted_names if guessed[name].note]
    notes += [Note("open_point", _AS_MODEL, name, _IF_NOT) for name in read_as_model if name not in open_points]
    return columns, notes, [guessed[name].doubt for name in wanted_names if guessed[name].doubt]


def _plans(
    cells: TextCells,
    types: Types,
    schema: Schema | None,
    asked: Collection[str],
    complete: Collection[str],
    names: Sequence[str],
    is_all: bool,
    open_points: Collection[str] = (),
) -> dict[str, FetchPlan]:
    """Return the plans for some columns; in those of `open_points` a point may stand between thousands."""
    undeclared = [name for name in names if name not in types and (schema is None or name not in schema.indices)]
    undeclared = [name for name in undeclared if name not in open_points]
    known = plans_of_many(cells, undeclared) if is_all and len(undeclared) >= MANY else {}
    with_open_points = evolve(cells, marks=evolve(cells.marks, is_point_open=True))
    return {
        name: known.get(name)
        or column_plan(
            *(with_open_points if name in open_points else cells, name, types, schema),
            is_all=is_all,
            is_asked=name in asked,
            is_complete=not is_all and name in complete,
        )
        for name in names
    }


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
