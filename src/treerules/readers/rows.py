"""Columns of single Python values to a table: their kinds are decided here."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from treerules._internal.arguments import require_columns
from treerules.data.column import Column, declared_column
from treerules.data.column_names import names_as_asked
from treerules.data.read_columns import read_texts
from treerules.data.schema import MISSING, OPEN, Feature, Kind, Schema, kind_of_scalar
from treerules.data.table import Table, Types, with_types
from treerules.errors import ColumnError, DataError
from treerules.readers.choices import Choices
from treerules.readers.csv.column_types import cell_type_of, kind_of, moment_type, value_format_of
from treerules.readers.csv.fetch import reading_note
from treerules.readers.csv.misfits import TextColumn
from treerules.readers.duckdb_connection import open_connection, translate_errors

#: The number of rows that are fetched from a connection at once.
BATCH = 10_000


def table_of_values(
    columns: Mapping[str, Sequence[Any]],
    name: str,
    types: Types,
    schema: Schema | None,
    extra_columns: Collection[str],
    *,
    has_moments: bool,
    choices: Choices,
    drop: Collection[str] = (),
) -> Table:
    """Return the table of columns of Python values: all columns, or those of a schema and the extra ones.

    `has_moments` says whether the source has date types, so that text is not parsed as dates. Columns in `drop` are
    left out before kinds are inferred.
    """
    asked = [*types, *extra_columns, *(() if schema is None else schema.indices)]
    columns = dict(zip(names_as_asked(list(columns), asked), columns.values(), strict=True))
    require_columns(columns, types=types, extra_columns=extra_columns, drop=drop)
    choices.require_columns(columns)
    columns = {column: values for column, values in columns.items() if column not in drop}
    types = {column: kind for column, kind in types.items() if column in columns}
    if not columns:
        raise DataError(f"{name} has no columns", "give its rows at least one value")
    names = [column for column in columns if schema is None or column in schema.indices or column in extra_columns]
    names = names or list(columns)[:1]
    cells = {n: read_texts(columns[n], choices.reading(n)) for n in names}
    table = Table([declared_column(n, values, kind_of(n, types, schema)) for n, values in cells.items()])
    parsed_columns = [_parsed_moments(column, types, schema, has_moments) for column in table.columns]
    parsed_columns = choices.read(parsed_columns, types)
    notes = [reading_note(name, parsed_columns), *choices.notes]
    return with_types(Table(parsed_columns, notes), types)


_LIKE_A_MOMENT = re.compile(r"[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}").match


def _parsed_moments(column: Column, types: Types, schema: Schema | None, has_moments: bool) -> Column:
    """Parse a text column as the declared kind, the model's kind, or dates or timestamps; else return it unchanged."""
    name, feature = column.feature.name, column.feature
    if feature.kind is not Kind.CATEGORY or feature.scalar != "text" or not feature.categories:
        return column
    known_feature = schema.feature(name) if schema is not None and name in schema.indices else None
    declared = kind_of(name, types, schema)
    if declared in OPEN or (declared is None and (has_moments or not all(map(_LIKE_A_MOMENT, feature.categories)))):
        return column

    texts = {"c0": np.array([*feature.categories, None], dtype=object)[column.data]}
    ours = translate_errors(
        lambda message: ColumnError(name, f"cannot be read as {declared}: {message}", "correct these cells")
    )
    with ours, open_connection() as connection:
        connection.register("texts", texts)
        connection.execute("CREATE TEMP TABLE cells AS SELECT c0 FROM texts")
        text = TextColumn(connection, "c0", name)
        reading = moment_type(text) if declared is None else cell_type_of(text, types, known_feature)
        if reading.scalar == "text":
            return column
        form = value_format_of(text, reading)
        converted = connection.execute(f"SELECT {reading.converted.format(c='c0')} AS c0 FROM cells").fetchnumpy()["c0"]
    kind = kind_of_scalar(reading.scalar)
    dtype, hole = {Kind.NUMBER: ("float64", np.nan), Kind.BOOLEAN: ("int32", MISSING)}.get(kind, ("int64", 0))
    data = np.where(column.missing, hole, np.ma.getdata(converted)).astype(dtype)
    return Column(Feature(name, kind, (), reading.scalar, form), data, column.missing)
