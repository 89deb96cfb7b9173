"""Predictions as a Parquet file, written by DuckDB."""

from pathlib import Path
from typing import Any

import numpy as np
from toolz import countby

from treerules._internal.arguments import require_path
from treerules._internal.atomic_files import write_whole
from treerules._internal.sql_quotes import quote_doubling, quote_identifier
from treerules.data.column import Column
from treerules.data.schema import Kind
from treerules.errors import DataError, FileError, OptionError
from treerules.readers.duckdb_connection import open_connection, translate_errors
from treerules.report.predictions_report import cell_values
from treerules.trees.prediction_table import Predictions

#: DuckDB's type for each scalar type of a column.
_SQL_TYPES = {
    "number": "DOUBLE",
    "integer": "BIGINT",
    "boolean": "BOOLEAN",
    "text": "VARCHAR",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "timestamp_utc": "TIMESTAMPTZ",
}


def write_parquet(predictions: Predictions, path: str | Path) -> None:
    """Write predictions to a Parquet file with typed columns.

    The file is replaced only when all is written: after an error the old file is as it was.

    Args:
        predictions: What `predict_table` returns.
        path: The file to write.

    Raises:
        OptionError: These are not predictions, or the path is not a path.
        DataError: Two names differ only in case, which DuckDB takes for one name.
        FileError: The file cannot be written.
        MissingExtraError: DuckDB is not installed.
    """
    if not isinstance(predictions, Predictions):
        raise OptionError("predictions", predictions, "predictions, as predict_table returns them")
    require_path(path)
    _refuse_names_alike(predictions)
    arrays = {f"c{index}": _array(column) for index, column in enumerate(predictions.columns)}
    arrays |= {f"m{index}": column.missing for index, column in enumerate(predictions.columns)}
    types = [_SQL_TYPES[column.feature.scalar] for column in predictions.columns]
    selected = ", ".join(
        f"CASE WHEN m{index} THEN NULL ELSE CAST(c{index} AS {type_}) END AS {quote_identifier(name)}"
        for index, (name, type_) in enumerate(zip(predictions.names, types, strict=True))
    )

    def write(target: Path) -> None:
        remedy = "check the folder, its space, and the names of columns and classes"
        with translate_errors(lambda problem: FileError(str(path), problem, remedy)), open_connection() as connection:
            connection.register("arrays", arrays)
            connection.execute(
                f"COPY (SELECT {selected} FROM arrays) TO {quote_doubling(str(target))} (FORMAT parquet)"
            )

    write_whole({Path(path): write})


def _refuse_names_alike(predictions: Predictions) -> None:
    """Raise DataError where two names are the same to DuckDB."""
    counts = countby(str.casefold, predictions.names)
    alike = [name for name in predictions.names if counts[name.casefold()] > 1]
    if alike:
        raise DataError(f"the column {alike[-1]!r} has the name of another in other case", "write CSV, or rename it")


def _array(column: Column) -> Any:
    """Return the cells as an array that DuckDB reads: numbers, booleans, or text, also of dates and timestamps."""
    feature = column.feature
    if feature.kind in (Kind.NUMBER, Kind.INTEGER, Kind.BOOLEAN):
        return column.data if feature.kind is not Kind.BOOLEAN else column.data == 1
    texts = [
        None if value is None else value if isinstance(value, str) else str(value) for value in cell_values(column)
    ]
    return np.array(texts, dtype=object)
