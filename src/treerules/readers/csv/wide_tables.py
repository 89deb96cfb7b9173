"""Types and categories of many columns at once: in a table of thousands of columns a statement for each of them costs
more than the cells do.

The cells are put one below the other, with the name of their column, and grouped by it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from toolz import partition_all

from treerules.readers.csv.cell_types import ANY_BOOLEAN, CELL_TYPES, TEXT, CellType

#: From this number of columns on, they are examined together.
MANY = 100
#: The number of cells that are put below each other at once.
_MOST_CELLS = 2_000_000


def types_of_many(connection: Any, cells: Sequence[str]) -> dict[str, tuple[CellType, float]]:
    """Return the type of each column of the table `cells`: the first of CELL_TYPES that all its known cells fit.

    With it stands the share of its known cells that are of the commonest type but text, or truth values of any style.
    """
    shares = ", ".join(f"avg(CAST({_fits(reading)} AS INTEGER))" for reading in (ANY_BOOLEAN, *CELL_TYPES))
    types = dict.fromkeys(cells, (TEXT, 0.0))  # that of a column without a known cell
    for _ in _put_below_each_other(connection, cells):
        for name, truths, *found in connection.execute(
            f"SELECT name, {shares} FROM long_cells GROUP BY name"
        ).fetchall():
            fitting = next(reading for reading, share in zip(CELL_TYPES, found, strict=True) if share == 1)
            types[name] = fitting, max(truths, *found[:-1])
    return types


def categories_of_many(connection: Any, cells: Sequence[str]) -> dict[str, list[str]]:
    """Return the distinct values of each column of the table `cells`, sorted by code point."""
    categories: dict[str, list[str]] = {name: [] for name in cells}
    distinct = "SELECT name, list(DISTINCT cell ORDER BY cell) FROM long_cells GROUP BY name"
    for _ in _put_below_each_other(connection, cells):
        categories.update(connection.execute(distinct).fetchall())
    return categories


def _put_below_each_other(connection: Any, cells: Sequence[str]) -> Iterator[None]:
    """Make a table `long_cells` of the known cells and the names of their columns, some columns at a time."""
    (n_rows,) = connection.execute("SELECT count(*) FROM cells").fetchone()
    for names in partition_all(max(1, _MOST_CELLS // max(n_rows, 1)), cells):
        fields = ", ".join(names)
        rows = f"UNPIVOT (SELECT {fields} FROM cells) ON {fields} INTO NAME name VALUE cell"
        connection.execute(f"CREATE OR REPLACE TEMP TABLE long_cells AS {rows}")
        yield
    connection.execute("DROP TABLE IF EXISTS long_cells")


def _fits(reading: CellType) -> str:
    """Return SQL that is true of the cells that are of a type; only those are converted."""
    is_inferred, converted = reading.is_inferred.format(c="cell"), reading.converted.format(c="cell")
    return f"CASE WHEN {is_inferred} THEN ({converted}) IS NOT NULL ELSE FALSE END"
