"""CSV files to tables, through DuckDB: kinds are inferred with SQL aggregates, cells arrive as numbers and codes.

Inference, the first that all known cells fit:

    boolean      only true and false, in one case style (true, True or TRUE)
    integer      0, -7, +12 within 64 bits; 007 is text
    number       decimal or scientific, inf; 1_000 is text
    date         2024-03-21 or 2024/3/21
    timestamp    2024-03-21 20:21:09.5, T between; all with a zone (Z, +08:00) or all without
    category     anything else: text
"""

import csv
import re
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from treerules.errors import ColumnError, FileError, MissingExtraError, UnknownNameError
from treerules.schema import MISSING, OPEN, Feature, Kind, Schema, kind_of_scalar
from treerules.table import Table, Types, declared_kind, with_types

if TYPE_CHECKING:
    from treerules.columns import Column

#: Cells that are read as missing.
MISSING_CELLS = ("", "NA", "NaN", "null", "?")
#: A text column that is different in each of more rows than this is not fetched, unless it is asked for.
MOST_UNFETCHED = 100_000
#: So many rows decide which kinds are tried on all of them.
_SAMPLE = 1000


@frozen
class Reading:
    """How cells of one scalar type are recognised and converted in SQL; {c} is the cell."""

    scalar: str
    #: SQL that is true of the cells that are of this type
    recognised: str
    #: the same where the type was declared: 007 is an integer then
    accepted: str
    #: SQL that converts a cell, NULL where it cannot
    converted: str


def _matches(pattern: str) -> str:
    return f"regexp_full_match({{c}}, '{pattern}')"


def _within(converted: str, least: int, most: int) -> str:
    return f"CASE WHEN {converted} BETWEEN {least} AND {most} THEN {converted} END"


_TIME = r"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[ T][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}(\.[0-9]{{1,6}})?)?"
_DAYS = _matches("[0-9]{{4}}(-[0-9]{{2}}-[0-9]{{2}}|/[0-9]{{1,2}}/[0-9]{{1,2}})")
_ZONED = _matches(_TIME + "(Z|[+-][0-9]{{2}}(:[0-9]{{2}})?)")
#: The years 1 to 9999 in microseconds
_MOMENTS = (-62135596800000000, 253402300799999999)
_BOOLEANS = "lower({c}) IN ('true', 'false')"
_BOOLEAN = "CASE WHEN lower({c}) = 'true' THEN 1 WHEN lower({c}) = 'false' THEN 0 END"
_READINGS = (
    Reading("boolean", "{c} IN ('true', 'false')", _BOOLEANS, _BOOLEAN),
    Reading("boolean", "{c} IN ('True', 'False')", _BOOLEANS, _BOOLEAN),
    Reading("boolean", "{c} IN ('TRUE', 'FALSE')", _BOOLEANS, _BOOLEAN),
    Reading(
        "integer",
        _matches("[+-]?(0|[1-9][0-9]*)"),
        _matches(r"[+-]?[0-9]+(\.0*)?"),
        r"TRY_CAST(regexp_replace({c}, '\.0*$', '') AS BIGINT)",
    ),
    Reading(
        "number",
        _matches(r"[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?[iI]nf(inity)?"),
        _matches(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?[iI]nf(inity)?"),
        "TRY_CAST({c} AS DOUBLE) + 0e0",
    ),
    Reading(
        "date", _DAYS, _DAYS, _within("TRY_CAST(replace({c}, '/', '-') AS DATE) - DATE '0001-01-01' + 1", 1, 3652059)
    ),
    Reading("timestamp", _matches(_TIME), _matches(_TIME), _within("epoch_us(TRY_CAST({c} AS TIMESTAMP))", *_MOMENTS)),
    Reading("timestamp_utc", _ZONED, _ZONED, _within("epoch_us(TRY_CAST({c} AS TIMESTAMPTZ))", *_MOMENTS)),
    Reading("text", "TRUE", "TRUE", "{c}"),
)


def read_csv(
    path: str | Path,
    *,
    types: Types | None = None,
    schema: Schema | None = None,
    keep: Collection[str] = (),
) -> Table:
    """Return the table of a CSV file: UTF-8, a header line, commas, double quotes.

    `types` declares kinds, as in {"zip": "category", "size": "ordinal:S<M<L"}; `schema` reads the columns of a model
    as the model knows them, and no others. The cells "", NA, NaN, null and ? are missing. The text of a column that
    differs in each of more than 100,000 rows stays in the file, unless `keep` or `schema` names it.

    Raises:
        FileError: the file cannot be read, is not UTF-8, or has no rows, duplicate names or ragged lines.
        ColumnError: a column is not what `types` or `schema` says.
        MissingExtraError: DuckDB is not installed.
    """
    path, types = Path(path), dict(types or {})
    names = _header(path)
    for name in types:
        if name not in names:
            raise UnknownNameError("column", name, names)
    wanted = names if schema is None else [name for name in names if name in schema.indices]
    with _cells(path, names) as connection:
        n_rows = connection.execute("SELECT count(*) FROM cells").fetchone()[0]
        if not n_rows:
            raise FileError(str(path), "has a header and no rows", "give it at least one row")
        readings = {name: _reading(connection, names.index(name), name, types, schema) for name in wanted}
        all_of = {*keep, *types, *(schema.indices if schema is not None else ())}
        columns = _columns(connection, names, readings, all_of, n_rows)
    kinds = ", ".join(f"{column.feature.name} {column.feature.kind}" for column in columns)
    return with_types(Table(columns, [f"read {n_rows} rows of {path.name}: {kinds}"]), types)


def _header(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            names = next(csv.reader(file, strict=True), [])
    except UnicodeDecodeError as error:
        raise FileError(str(path), f"is not UTF-8 ({error.reason})", "convert it to UTF-8") from error
    except csv.Error as error:
        raise FileError(str(path), f"has a header that is no CSV ({error})", "mend the first line") from error
    except OSError as error:
        raise FileError(str(path), error.strerror or str(error), "check the path and its permissions") from error
    if not names:
        problem = "begins with a blank line" if path.stat().st_size else "is empty"
        raise FileError(str(path), problem, "give it a header line and rows")
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise FileError(str(path), f"has two columns named {twice!r}", "rename one in the header line")
    return names


@contextmanager
def _cells(path: Path, names: Sequence[str]) -> Iterator[Any]:
    """Give a connection whose table `cells` holds the file as text, c0, c1, ...; missing cells are NULL."""
    try:
        import duckdb
    except ImportError as error:
        raise MissingExtraError("duckdb", "cli") from error

    missing = ", ".join(f"'{text}'" for text in MISSING_CELLS)
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(names)))
    cells = ", ".join(f"CASE WHEN c{i} IN ({missing}) THEN NULL ELSE c{i} END AS c{i}" for i in range(len(names)))
    with duckdb.connect() as connection, tempfile.TemporaryDirectory() as folder:
        source = path.resolve()
        if set("*?[") & set(str(source)):  # DuckDB would take the name for a pattern
            source = Path(folder) / "cells.csv"
            source.symlink_to(path.resolve())
        try:
            connection.execute(
                f"CREATE TEMP TABLE cells AS SELECT {cells} FROM read_csv(?, auto_detect = false, header = true, "
                f"delim = ',', quote = '\"', escape = '\"', strict_mode = true, hive_partitioning = false, "
                f"compression = 'none', columns = {{{columns}}})",
                [str(source)],
            )
        except duckdb.Error as error:
            raise _explained(path, len(names), str(error)) from error
        yield connection


def _explained(path: Path, n_columns: int, message: str) -> FileError:
    """Return the error that says in our words what DuckDB found wrong with a file."""
    line, text = (re.search(p, message) for p in (r"on Line: (\d+)", r"Original Line: (.*)"))
    where = f"line {line[1]}" if line else "a line"
    if "nicode" in message:
        return FileError(str(path), f"{where} is not UTF-8", "convert the file to UTF-8")
    found = re.search(r"Found: (\d+)", message)
    if found:
        problem = f"{where} has {found[1]} cells where the header has {n_columns}"
    else:
        problem = f"{where} cannot be read as CSV: {message.splitlines()[0]}"
    return FileError(str(path), problem + (f": {text[1]!r:.200}" if text else ""), "mend that line")


# ---- kinds


def _reading(connection: Any, place: int, name: str, types: Types, schema: Schema | None) -> Reading:
    cell = f"c{place}"
    if schema is not None:
        return _required(connection, cell, name, schema.feature(name).scalar)
    kind = declared_kind(name, types[name])[0] if name in types else None
    if kind is None or kind in OPEN:
        return _inferred(connection, cell)
    scalar = "timestamp_utc" if kind is Kind.TIMESTAMP and _has_zones(connection, cell) else str(kind)
    return _required(connection, cell, name, scalar)


def _inferred(connection: Any, cell: str) -> Reading:
    sample = f"(SELECT {cell} FROM cells WHERE {cell} IS NOT NULL LIMIT {_SAMPLE})"
    likely = [reading for reading in _READINGS if _strangers(connection, sample, cell, reading) == 0]
    if connection.execute(f"SELECT count({cell}) FROM cells").fetchone()[0] == 0:
        return _READINGS[-1]
    return next(reading for reading in likely if _strangers(connection, "cells", cell, reading) == 0)


def _strangers(connection: Any, source: str, cell: str, reading: Reading) -> int:
    """Return how many known cells are not of the reading's type."""
    fits = _fits(reading, reading.recognised, cell)
    return int(
        connection.execute(f"SELECT count(*) FROM {source} WHERE {cell} IS NOT NULL AND NOT ({fits})").fetchone()[0]
    )


def _fits(reading: Reading, rule: str, cell: str) -> str:
    return f"({rule.format(c=cell)}) AND ({reading.converted.format(c=cell)}) IS NOT NULL"


def _has_zones(connection: Any, cell: str) -> bool:
    zoned = next(reading for reading in _READINGS if reading.scalar == "timestamp_utc")
    return _strangers(connection, "cells", cell, zoned) == 0


def _required(connection: Any, cell: str, name: str, scalar: str) -> Reading:
    """Return the reading of a type that was declared; every known cell must convert.

    Raises:
        ColumnError: some do not; the error shows three.
    """
    reading = next(reading for reading in _READINGS if reading.scalar == scalar)
    found = connection.execute(
        f"SELECT {cell} FROM cells WHERE {cell} IS NOT NULL AND NOT ({_fits(reading, reading.accepted, cell)}) LIMIT 3"
    ).fetchall()
    if found:
        remedy = "mend these cells, or declare another type"
        raise ColumnError(name, f"has cells that are no {scalar}", remedy, [text for (text,) in found])
    return reading


# ---- columns


def _columns(
    connection: Any, names: Sequence[str], readings: dict[str, Reading], all_of: Collection[str], n_rows: int
) -> "list[Column]":
    selected, features, unfetched = {}, {}, {}
    for name, reading in readings.items():
        cell = f"c{names.index(name)}"
        if reading.scalar != "text":
            features[name] = Feature(name, kind_of_scalar(reading.scalar), (), reading.scalar)
            selected[name] = f"({reading.converted.format(c=cell)}) AS {cell}"
        elif name not in all_of and n_rows > MOST_UNFETCHED and _is_unique(connection, cell, n_rows):
            features[name] = unfetched[name] = Feature(name, Kind.CATEGORY)
        else:
            features[name] = Feature(name, Kind.CATEGORY, _categories(connection, cell))
            selected[name] = f"CAST(enum_code({cell}::e{cell}) AS INTEGER) AS {cell}"
    arrays = connection.execute(f"SELECT {', '.join(selected.values())} FROM cells").fetchnumpy() if selected else {}
    return [
        _unfetched(feature, n_rows) if name in unfetched else _column(feature, arrays[f"c{names.index(name)}"])
        for name, feature in features.items()
    ]


def _is_unique(connection: Any, cell: str, n_rows: int) -> bool:
    distinct = connection.execute(f"SELECT count(DISTINCT {cell}) FROM cells").fetchone()[0]
    return bool(distinct == n_rows)


def _categories(connection: Any, cell: str) -> list[str]:
    """Return a text column's categories, by code point, and make the type e<cell> that gives their positions."""
    values = [
        text
        for (text,) in connection.execute(
            f"SELECT DISTINCT {cell} FROM cells WHERE {cell} IS NOT NULL ORDER BY 1"
        ).fetchall()
    ]
    if values:
        distinct = f"SELECT DISTINCT {cell} FROM cells WHERE {cell} IS NOT NULL ORDER BY 1"
        connection.execute(f"CREATE TYPE e{cell} AS ENUM ({distinct})")
    else:
        connection.execute(f"CREATE TYPE e{cell} AS ENUM ('')")
    return values


def _column(feature: Feature, cells: Any) -> "Column":
    import numpy as np

    from treerules.columns import Column

    missing = np.ma.getmaskarray(cells)
    if feature.kind is Kind.NUMBER:
        return Column(feature, np.ma.filled(cells.astype(np.float64), np.nan), missing)
    if feature.is_ordered:
        return Column(feature, np.ma.filled(cells.astype(np.int64), 0), missing)
    return Column(feature, np.ma.filled(cells.astype(np.int32), MISSING), missing)


def _unfetched(feature: Feature, n_rows: int) -> "Column":
    import numpy as np

    from treerules.columns import Column

    return Column(feature, np.zeros(n_rows, dtype=np.int32), np.zeros(n_rows, dtype=bool), fetched=False)
