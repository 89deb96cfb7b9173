"""Typed columns as engines store them, and as Arrow tables."""

from typing import Any, NamedTuple

Answers = list[list[tuple[Any, ...]]]


class Stored(NamedTuple):
    """A column of a table: `type` is a scalar of the library, or float32 or decimal for a number stored so.

    A decimal has 38 digits, 19 of them behind the point.
    """

    name: str
    type: str
    cells: list[Any]


def quoted(name: str, quote: str = '"') -> str:
    """Return a name in quotes."""
    return quote + name.replace(quote, quote * 2) + quote


def by_key(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return rows in the order of their first cell, without it."""
    return [tuple(row[1:]) for row in sorted(rows, key=lambda row: row[0])]


def rows_of(columns: list[Stored]) -> list[tuple[Any, ...]]:
    """Return the rows of columns, a number before each."""
    return list(zip(range(len(columns[0].cells)), *(column.cells for column in columns), strict=True))


def arrow(columns: list[Stored]) -> Any:
    """Return the columns as an Arrow table, a column rid of their rows' numbers before them."""
    import pyarrow as pa

    types = {
        "number": pa.float64(),
        "float32": pa.float32(),
        "decimal": pa.decimal128(38, 19),
        "integer": pa.int64(),
        "boolean": pa.bool_(),
        "text": pa.string(),
        "date": pa.date32(),
        "timestamp": pa.timestamp("us"),
        "timestamp_utc": pa.timestamp("us", "UTC"),
    }
    arrays = [pa.array(column.cells, types[column.type]) for column in columns]
    rid = pa.array(range(len(columns[0].cells)), pa.int64())
    return pa.Table.from_arrays([rid, *arrays], ["rid", *(column.name for column in columns)])
