"""The least cost of all trees of a depth, by trying each of them. Rows are tuples of Python values."""

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any

from treerules import Kind, Recipe, Table

#: A function of row numbers: the cost of a leaf for them, without its price.
LeafCost = Callable[[Sequence[int]], float]


def least_cost(table: Table, recipe: Recipe, *, penalty: float, weights: Sequence[float], leaf_cost: LeafCost) -> float:
    """Return the least cost of all trees of at most the recipe's depth; inf where no leaf may be so light."""
    columns = [list(column_values(table, column.feature.name)) for column in table.columns[:-1]]
    kinds = [column.feature.kind for column in table.columns[:-1]]
    orders = [list(column.feature.categories) for column in table.columns[:-1]]
    cache: dict[tuple[tuple[int, ...], int], float] = {}

    def least(rows: tuple[int, ...], depth: int) -> float:
        if (rows, depth) not in cache:
            is_heavy = sum(weights[row] for row in rows) >= recipe.least
            best = leaf_cost(rows) + penalty if is_heavy else inf
            if depth:
                for column, kind, order in zip(columns, kinds, orders, strict=True):
                    for first, second in divisions(rows, column, kind, order):
                        best = min(best, least(first, depth - 1) + least(second, depth - 1))
            cache[rows, depth] = best
        return cache[rows, depth]

    assert recipe.max_depth is not None
    return least(tuple(range(table.n_rows)), recipe.max_depth)


def column_values(table: Table, name: str) -> Iterator[Any]:
    """Yield the values of a column; None is missing."""
    column = table.column(name)
    for row in range(table.n_rows):
        yield column.value(row)


def divisions(
    rows: Sequence[int], values: Sequence[Any], kind: Kind, order: Sequence[Any]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the two sides of each split of some rows by a feature: thresholds, or a category against the rest.

    Missing values go to either side, or apart from all others.
    """
    known = [row for row in rows if values[row] is not None]
    missing = tuple(row for row in rows if values[row] is None)
    distinct = sorted({values[row] for row in known}, key=order.index if kind is Kind.ORDINAL else None)
    if kind is Kind.CATEGORY:
        groups = [{value} for value in distinct]
    else:
        groups = [set(distinct[:n]) for n in range(1, len(distinct))]
    for group in groups:
        inside = tuple(row for row in known if values[row] in group)
        outside = tuple(row for row in known if values[row] not in group)
        for sides in ((inside + missing, outside), (inside, outside + missing)):
            if all(sides):
                yield tuple(sorted(sides[0])), tuple(sorted(sides[1]))
    if missing and known:
        yield missing, tuple(known)
