"""Reading of typed sources through DuckDB: Parquet files and queries. Columns keep their types."""

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve

from treerules._internal.arguments import require_columns, require_path, require_type
from treerules._internal.atomic_files import require_file
from treerules._internal.memory_errors import within_memory
from treerules._internal.sql_quotes import quote_doubling
from treerules.data.cell_reading import MissingWords
from treerules.data.column import Column
from treerules.data.schema import OPEN, Feature, Kind, Schema, kind_of_scalar
from treerules.data.table import Table, Types, with_types
from treerules.errors import ColumnError, DataError, FileError
from treerules.readers.choices import Choices, cell_sql
from treerules.readers.csv.column_plans import FetchPlan, text_plan
from treerules.readers.csv.column_types import cell_type_of, kind_of, value_format_of
from treerules.readers.csv.fetch import Progress, column_of_arrays, fetch_arrays, reading_note
from treerules.readers.csv.misfits import TextColumn
from treerules.readers.duckdb_connection import open_connection, translate_errors
from treerules.readers.reader_arguments import check_reader_arguments
from treerules.readers.text_bounds import FETCH_LESS, READ_LESS

_DAY = "CASE WHEN {c} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN {c} - DATE '0001-01-01' + 1 END"
_NANOSECONDS = "(epoch_ns({c}) - ((epoch_ns({c}) % 1000) + 1000) % 1000) // 1000"  # rounded down
_MOMENT = "CASE WHEN epoch_us({t}) BETWEEN -62135596800000000 AND 253402300799999999 THEN epoch_us({t}) END"
#: The scalar of a DuckDB type, and SQL that converts a cell; the first that the type's name begins with.
_TYPES = (
    ("BOOLEAN", "boolean", "CAST({c} AS INTEGER)"),
    *((name, "integer", "TRY_CAST({c} AS BIGINT)") for name in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")),
    *((name, "integer", "TRY_CAST({c} AS BIGINT)") for name in ("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")),
    *((name, "integer", "TRY_CAST({c} AS BIGINT)") for name in ("HUGEINT", "UHUGEINT", "BIGNUM")),
    *((name, "number", "CAST({c} AS DOUBLE)") for name in ("FLOAT", "DOUBLE", "DECIMAL")),
    ("DATE", "date", _DAY),
    ("TIMESTAMPTZ_NS", "timestamp_utc", _NANOSECONDS),
    ("TIMESTAMP_NS WITH TIME ZONE", "timestamp_utc", _NANOSECONDS),
    ("TIMESTAMP_NS", "timestamp", _NANOSECONDS),
    ("TIMESTAMP WITH TIME ZONE", "timestamp_utc", _MOMENT.format(t="{c}")),
    ("TIMESTAMP", "timestamp", _MOMENT.format(t="CAST({c} AS TIMESTAMP)")),
    *((name, "text", "{c}") for name in ("VARCHAR", "ENUM", "UUID", '"NULL"')),
)


def read_parquet(
    path: str | Path,
    *,
    types: Types | None = None,
    schema: Schema | None = None,
    extra_columns: Collection[str] = (),
    missing: MissingWords | None = None,
    trim: bool | None = None,
    progress: Progress | None = None,
) -> Table:
    """Read a Parquet file. A text column is read as text, unless `types` or `schema` gives another kind.

    Args:
        path: the path of the file.
        types: the kinds of columns by name, such as {"zip": "category", "size": "ordinal:S<M<L"}; the kinds of the
            others are inferred.
        schema: the schema of a model. Its columns are read with the model's kinds and categories, and no others.
        extra_columns: names of columns to read in addition to those of `schema`.
        missing: words that are missing values, of all columns or by column, as in `read`.
        trim: whether blanks and tabs at both ends of text are removed.
        progress: called with (steps done, number of steps).

    Returns:
        The table.

    Raises:
        FileError: the file cannot be read, or is not a Parquet file.
        ColumnError: a column has a type that no kind can hold, or does not fit `types` or `schema`.
        UnknownNameError: `types` or `extra_columns` names a column that the file does not have.
        MissingExtraError: DuckDB is not installed.
    """
    check_reader_arguments(path=path, types=types, schema=schema, extra_columns=extra_columns, progress=progress)
    choices = Choices(missing, trim, schema)
    path = Path(path)
    require_file(path)
    source = f"read_parquet({_path_literal(path)}, hive_partitioning = false)"
    own_errors = translate_errors(
        lambda message: FileError(str(path), f"cannot be read: {message}", "check that it is Parquet")
    )
    with own_errors, within_memory(path, READ_LESS), open_connection() as connection:
        fields_query = f"SELECT name, num_children FROM parquet_schema({_path_literal(path)})"
        fields = connection.execute(fields_query).fetchall()[1:]  # DuckDB renames columns that differ in case alone
        names = [] if any(n_children for _, n_children in fields) else [name for name, _ in fields]
        return _table(connection, source, path.name, types or {}, choices, extra_columns, progress, names)


def read_query(
    query: str,
    *,
    database: str | Path | None = None,
    types: Types | None = None,
    schema: Schema | None = None,
    extra_columns: Collection[str] = (),
    missing: MissingWords | None = None,
    trim: bool | None = None,
    progress: Progress | None = None,
) -> Table:
    """Read the result of a DuckDB query, such as "SELECT * FROM 'people.parquet' WHERE age > 17".

    Args:
        query: a SELECT statement in DuckDB's dialect.
        database: the path of a DuckDB file, which is opened read-only; None: an empty database in memory.
        types: the kinds of columns by name, such as {"zip": "category", "size": "ordinal:S<M<L"}; the kinds of the
            others are inferred.
        schema: the schema of a model. Its columns are read with the model's kinds and categories, and no others.
        extra_columns: names of columns to read in addition to those of `schema`.
        missing: words that are missing values, of all columns or by column, as in `read`.
        trim: whether blanks and tabs at both ends of text are removed.
        progress: called with (steps done, number of steps).

    Returns:
        The table. A note warns if the query reads CSV files, whose kinds DuckDB decides.

    Raises:
        DataError: the query fails or returns no rows.
        FileError: there is no such database file.
        ColumnError: a column has a type that no kind can hold, or does not fit `types` or `schema`.
        UnknownNameError: `types` or `extra_columns` names a column that the result does not have.
        MissingExtraError: DuckDB is not installed.
    """
    require_type("query", query, str, "a query, as text")
    check_reader_arguments(
        database=database, types=types, schema=schema, extra_columns=extra_columns, progress=progress
    )
    choices = Choices(missing, trim, schema)
    if database is not None:
        require_path(database, "database")
        require_file(database)
    source = f"({query.strip().rstrip(';')}\n)"
    own_errors = translate_errors(lambda message: DataError(f"the query fails: {message}", "correct the query"))
    bound = within_memory("the result of the query", FETCH_LESS)
    with own_errors, bound, open_connection(None if database is None else Path(database)) as connection:
        result = _table(connection, source, "the query", types or {}, choices, extra_columns, progress)
    if re.search(r"\.(csv|tsv|txt)\b|read_csv", query, re.IGNORECASE):
        doubt = "the query reads CSV, whose kinds DuckDB decided by rules of its own; read_csv has others"
        return evolve(result, notes=[*result.notes, doubt])
    return result


def _path_literal(path: Path) -> str:
    """Return a path as an SQL literal without glob patterns."""
    return quote_doubling("".join(f"[{c}]" if c in "*?[" else c for c in str(path.resolve())))


def _table(
    connection: Any,
    source: str,
    name: str,
    types: Types,
    choices: Choices,
    extra_columns: Collection[str],
    progress: Progress | None,
    names: Sequence[str] = (),
) -> Table:
    report_progress, schema = progress or (lambda done, total: None), choices.schema
    report_progress(0, 3)
    sql_columns = [(row[0], row[1]) for row in connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()]
    if names and len(names) == len(sql_columns):
        sql_columns = [(true, sql_type) for true, (_, sql_type) in zip(names, sql_columns, strict=True)]
    positions = [
        index
        for index, (column, _) in enumerate(sql_columns)
        if schema is None or column in schema.indices or column in extra_columns
    ]
    positions = positions or [0]  # to count the rows
    selection = ", ".join(
        f"{_cell(f'#{position + 1}', *sql_columns[position], choices)} AS c{at}"
        for at, position in enumerate(positions)
    )
    require_columns(dict(sql_columns), types=types, extra_columns=extra_columns)
    choices.require_columns(dict(sql_columns))
    report_progress(1, 3)
    connection.execute(f"CREATE TEMP TABLE cells AS SELECT {selection} FROM {source}")
    connection.execute("USE memory")  # types cannot be created in a read-only database
    n_rows = connection.execute("SELECT count(*) FROM cells").fetchone()[0]
    if not n_rows:
        raise DataError(f"{name} has no rows", "give it at least one row")
    report_progress(2, 3)
    sql_types = dict(sql_columns[position] for position in positions)
    columns = choices.read(_columns(connection, sql_types, types, schema), types)
    report_progress(3, 3)
    return with_types(Table(columns, [reading_note(name, columns), *choices.notes]), types)


def _cell(cell: str, name: str, sql_type: str, choices: Choices) -> str:
    """Return SQL for a cell of a column; text as it is read."""
    reading = choices.reading(name)
    return cell_sql(cell, reading, reading.words) if sql_type == "VARCHAR" else cell


def _columns(connection: Any, sql_types: Mapping[str, str], types: Types, schema: Schema | None) -> "list[Column]":
    names = tuple(sql_types)
    plans = {
        name: _plan(connection, name, f"c{position}", sql_type, types, schema)
        for position, (name, sql_type) in enumerate(sql_types.items())
    }
    arrays, _ = fetch_arrays(connection, "cells", names, plans)
    n_rows = len(next(iter(arrays.values()))[0]) if arrays else 0
    return [column_of_arrays(plan.feature, arrays[name], n_rows) for name, plan in plans.items()]


def _plan(connection: Any, name: str, cell: str, sql_type: str, types: Types, schema: Schema | None) -> FetchPlan:
    scalar, converted = next(
        ((scalar, sql) for start, scalar, sql in _TYPES if sql_type.startswith(start) and not sql_type.endswith("]")),
        (None, ""),
    )
    if scalar is None:
        raise ColumnError(name, f"holds {sql_type} values", "convert it in a query, or leave the column out")
    if scalar == "text":
        return _text(connection, name, cell, sql_type, types, schema)
    converted = converted.format(c=cell)
    stranger = connection.execute(
        f"SELECT CAST({cell} AS VARCHAR) FROM cells WHERE {cell} IS NOT NULL AND ({converted}) IS NULL LIMIT 3"
    ).fetchall()
    if stranger and scalar != "integer":
        remedy = "leave those rows out, or declare the column missing there"
        raise ColumnError(name, "holds moments outside the years 1 to 9999", remedy, [text for (text,) in stranger])
    if stranger:  # beyond 64 bits
        scalar, converted = "number", f"CAST({cell} AS DOUBLE)"
    return FetchPlan(Feature(name, kind_of_scalar(scalar), (), scalar), f"({converted})")


def _text(connection: Any, name: str, cell: str, sql_type: str, types: Types, schema: Schema | None) -> FetchPlan:
    """Return the plan for text: categories, unless `types` or `schema` gives another kind."""
    if sql_type.startswith("ENUM"):
        values = connection.execute(f"SELECT enum_range({cell}) FROM cells LIMIT 1").fetchone()[0]
        order = sorted(range(len(values)), key=lambda position: values[position])
        return _of_enum(name, cell, [values[position] for position in order])
    if sql_type == "UUID":
        connection.execute(f"ALTER TABLE cells ALTER {cell} TYPE VARCHAR")
    declared = kind_of(name, types, schema)
    if sql_type != "VARCHAR" or declared is None or declared in OPEN:
        return text_plan(connection, name, cell, is_all=True, is_asked=True)
    known_feature = schema.feature(name) if schema is not None and name in schema.indices else None
    column = TextColumn(connection, cell, name)
    reading = cell_type_of(column, types, known_feature)
    form = value_format_of(column, reading)
    feature = Feature(name, kind_of_scalar(reading.scalar), (), reading.scalar, form)
    return FetchPlan(feature, f"({reading.converted.format(c=cell)})")


def _of_enum(name: str, cell: str, values: Sequence[str]) -> FetchPlan:
    """Return the plan for an enum; all its categories are kept, even without rows."""
    literals = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    position_sql = f"list_position([{literals}], CAST({cell} AS VARCHAR)) - 1"
    return FetchPlan(Feature(name, Kind.CATEGORY, values), f"CAST({position_sql} AS INTEGER)")
