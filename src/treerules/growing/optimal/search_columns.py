"""The columns of the search: ranks, of which each threshold is one split that a tree may have.

feature                                   columns                          a threshold divides
ordered, boolean, ordinal                 1                                values below | values above
  with missing values                     2, missing values first or last  missing and below | above, below | ...
category                                  1 for each category              the others | the category
  with missing values                     2 for each category, and 1       with or without missing values; missing alone

So the side of missing values is searched together with the threshold (facts of the search: such a column twice).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.column import Column
from treerules.data.schema import Kind
from treerules.errors import DataError

#: The greatest number of cells, which take about 8 bytes each.
_MOST_CELLS = 50_000_000


@frozen
class SearchColumn:
    """A column of the search: the feature that it is made of, and how."""

    #: the position of the feature in the schema
    feature: int
    #: the position of the category that the column tells from the others; None where values are in their order
    category: int | None = None
    #: where missing values are: "first" or "last", "with" or "without" the category, "alone"; "" where there are none
    missing: str = ""


def search_columns(columns: tuple[Column, ...]) -> tuple[tuple[SearchColumn, ...], Any]:
    """Return the columns of the search and their ranks, int32, shape (columns, rows).

    Columns of one rank, and those whose ranks divide the rows as those of an earlier one, are left out.

    Raises:
        DataError: there are too many columns for the memory.
    """
    chosen, ranks = [], []
    seen = set()
    for index, column in enumerate(columns):
        for search_column, line in _columns_of(index, column):
            key = _key(line)
            if len(line) and line.min() < line.max() and key not in seen:
                seen.add(key)
                chosen.append(search_column)
                ranks.append(line)
    n_rows = len(columns[0].data)
    if len(chosen) * n_rows > _MOST_CELLS:
        raise DataError(
            f"optimal() would search {len(chosen)} columns of {n_rows} rows, one for each category and each order",
            "leave out columns of many categories, as max_categories=20 does, --max-categories 20, or take fewer rows",
        )
    return tuple(chosen), np.array(ranks, dtype=np.int32).reshape(len(chosen), n_rows)


def _key(ranks: Any) -> bytes:
    """Return what is equal for columns of the same splits: the ranks, of two-valued ones from the first row's on."""
    if ranks.max(initial=0) == 1 and ranks[0]:
        ranks = 1 - ranks
    return bytes(ranks.tobytes())


def _columns_of(index: int, column: Column) -> Iterator[tuple[SearchColumn, Any]]:
    has_missing = bool(column.n_missing)
    if column.feature.kind is Kind.CATEGORY:
        for category in np.unique(column.data[~column.missing]).tolist():
            inside = (column.data == category) & ~column.missing
            yield SearchColumn(index, category, "without" if has_missing else ""), inside.astype(np.int32)
            if has_missing:
                yield SearchColumn(index, category, "with"), (inside | column.missing).astype(np.int32)
        if has_missing:
            yield SearchColumn(index, missing="alone"), column.missing.astype(np.int32)
        return
    values, codes = np.unique(column.data[~column.missing], return_inverse=True)
    if not has_missing:
        yield SearchColumn(index), codes.astype(np.int32)
        return
    for name, first, rank_of_missing in (("first", 1, 0), ("last", 0, len(values))):
        ranks = np.full(len(column.data), rank_of_missing, dtype=np.int32)
        ranks[~column.missing] = codes + first
        yield SearchColumn(index, missing=name), ranks
