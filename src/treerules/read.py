"""CSV files to tables, through DuckDB: kinds are decided with SQL aggregates, cells arrive as numbers and codes."""

import csv
import re
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treerules.errors import FileError, MissingExtraError, UnknownNameError, counted
from treerules.readings import Reading, reading_of
from treerules.schema import MISSING, UNSEEN, Feature, Kind, Schema, kind_of_scalar, spelled
from treerules.table import Table, Types, with_types

if TYPE_CHECKING:
    from treerules.columns import Column

#: Cells that are read as missing.
MISSING_CELLS = ("", "NA", "NaN", "null", "?")
#: A text column that is different in each of more rows than this is not fetched, unless it is asked for.
MOST_UNFETCHED = 100_000


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
        readings = {
            name: reading_of(connection, f"c{names.index(name)}", name, types, schema.feature(name) if schema else None)
            for name in wanted
        }
        all_of = {*keep, *types, *(schema.indices if schema is not None else ())}
        columns = _columns(connection, names, readings, all_of, n_rows)
    if schema is not None:
        columns = [_as_known(schema.feature(column.feature.name), column) for column in columns]
    kinds = ", ".join(f"{column.feature.name} {column.feature.kind}" for column in columns)
    return with_types(Table(columns, [f"read {counted(n_rows, 'row')} of {path.name}: {kinds}"]), types)


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


def _as_known(feature: Feature, column: "Column") -> "Column":
    """Return a text column as a model's column of integer categories, or others: what spells none of them is unseen."""
    if not feature.is_open or feature.scalar == "text":
        return column
    import numpy as np

    from treerules.columns import Column

    known = {spelled(category): position for position, category in enumerate(feature.categories)}
    codes = [known.get(text, UNSEEN) for text in column.feature.categories]
    return Column(feature, np.array([*codes, MISSING], dtype=np.int32)[column.data], column.missing)


def _unfetched(feature: Feature, n_rows: int) -> "Column":
    import numpy as np

    from treerules.columns import Column

    return Column(feature, np.zeros(n_rows, dtype=np.int32), np.zeros(n_rows, dtype=bool), fetched=False)
