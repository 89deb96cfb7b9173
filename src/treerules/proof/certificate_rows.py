"""The rows of a certificate, rebuilt from the table: ranks, whole costs, hashes. The learner's code is not used."""

from collections.abc import Sequence
from math import ceil, inf
from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.casting import align_column
from treerules.data.column import Column, take_rows, take_rows_of_columns
from treerules.data.sample_weights import are_whole, case_weights
from treerules.data.schema import UNSEEN, Kind, Schema
from treerules.data.table import Table
from treerules.errors import DataError, counted
from treerules.proof.certificate import ProofColumn, RowHashes
from treerules.recipes.recipe import Recipe
from treerules.trees.class_weighting import class_weighting
from treerules.trees.provenance import hash_of

#: Sums of costs below this are exact in doubles.
_MOST_COST = 2.0**53
#: Costs below this sum at a power of ten that makes all of them whole must be exact.
_MOST_EXACT_COST = 2.0**51
#: Products and scaled costs are off by at most this share.
_ROUNDING_OF_PRODUCTS = 2.0**-50


@frozen(eq=False)
class CertifiedRows:
    """The rows of a table that a claim is about, in whole costs."""

    columns: tuple[ProofColumn, ...]
    #: the rank of each row in each column, shape (columns, rows)
    ranks: Any
    #: the cost of each label, int64, shape (rows, labels)
    costs: Any
    #: what least numbers of rows count of each row: 1, or the weight where a row of weight k is k rows; shape (rows,)
    row_sizes: Any
    hashes: RowHashes
    #: the aligned columns of the features, to evaluate a tree
    features: tuple[Column, ...]
    #: by how many units rounding may change the cost of a tree; 0 where all costs and the price of a leaf are exact
    rounding: int
    #: the least cost of an error above 0, times the scale
    least_error: float
    #: whether costs are rounded although another scale makes all of them exact
    is_needless: bool


def certified_rows(table: Table, schema: Schema, recipe: Recipe, weight: Any, scale: float) -> CertifiedRows:
    """Return the rows of a table that have a target and a weight above 0.

    Args:
        table: the table, with a column for each feature and for the target.
        schema: the features and the target.
        recipe: its class weights, priors and costs.
        weight: the sample weights: a column's name, one number per row, or None (all 1).
        scale: the factor by which costs are multiplied.

    Raises:
        UnknownNameError: the table lacks a column.
        ColumnError: a column has another kind.
        DataError: no row has a target, or a row has a class that the schema lacks.
    """
    goal = schema.target
    assert goal is not None
    weights = np.ones(table.n_rows) if weight is None else case_weights(table, weight)
    target = align_column(goal, table.column(goal.name))
    rows = np.flatnonzero(~target.missing & (weights > 0))
    if not len(rows):
        raise DataError(f"the table has no row with a value of {goal.name!r}", "give the rows of the certificate")
    target, weights = take_rows(target, rows), weights[rows]
    if (target.data == UNSEEN).any():
        n = int((target.data == UNSEEN).sum())
        raise DataError(f"{counted(n, 'row')} of classes that the certificate lacks", "give its rows")
    aligned = [align_column(feature, table.column(feature.name)) for feature in schema.features]
    features = tuple(take_rows_of_columns(aligned, rows))
    for column in features:
        if not column.feature.is_ordered and (column.data == UNSEEN).any():
            raise DataError(f"column {column.feature.name!r} has values that the certificate lacks", "give its rows")
    labels = target.data.astype(np.int64)
    own_weights = None if bool((weights == 1).all()) else weights
    columns, ranks = proof_columns(features)
    costs = _costs(labels, weights, schema, recipe)
    whole = np.rint(costs * scale)
    if not whole.max(axis=1).sum() < _MOST_COST:
        raise DataError("costs at the scale of the certificate are too large to be exact", "make the certificate anew")
    price = _leaf_price(recipe)
    rounding = _rounding(costs, whole, price, recipe, scale)
    return CertifiedRows(
        columns,
        ranks,
        whole.astype(np.int64),
        weights if schema.counted == "rows" and are_whole(weights) else np.ones(len(weights)),
        _hashes(features, labels, own_weights),
        features,
        rounding,
        float(costs[costs > 0].min(initial=inf)) * scale,
        rounding > 0 and _has_exact_scale(costs, price),
    )


def _leaf_price(recipe: Recipe) -> float:
    search = recipe.optimal_search
    return 0.0 if search is None or search.leaf_penalty is None else float(search.leaf_penalty)


def _rounding(costs: Any, whole: Any, price: float, recipe: Recipe, scale: float) -> int:
    """Return by how many units rounding may change the cost of a tree."""
    if not price * scale < _MOST_COST:
        return int(_MOST_COST)
    units = round(price * scale)
    if bool((whole / scale == costs).all()) and units / scale == price:
        return 0
    n_leaves = min(len(costs), 2 ** min(recipe.max_depth or 0, 60))
    of_rows = np.abs(whole - costs * scale).max(axis=1).sum()
    total = whole.max(axis=1).sum() + n_leaves * units
    bound = of_rows + n_leaves * abs(units - price * scale) + total * _ROUNDING_OF_PRODUCTS
    return ceil(float(min(bound, _MOST_COST)))


def _has_exact_scale(costs: Any, price: float) -> bool:
    """Whether a power of ten makes all costs and the price of a leaf whole, of sums that are exact."""
    distinct = np.append(np.unique(costs), price)
    total = float(costs.max(axis=1).sum()) + 64 * price
    scales = (10.0**digits for digits in range(23) if total * 10.0**digits < _MOST_EXACT_COST)
    return any(bool((np.rint(distinct * scale) / scale == distinct).all()) for scale in scales)


def _costs(labels: Any, weights: Any, schema: Schema, recipe: Recipe) -> Any:
    """Return the cost of each label for each row."""
    counts = np.bincount(labels, weights=weights, minlength=len(schema.classes)).tolist()
    weighing = class_weighting(recipe, schema, counts)
    by_label = np.array([weighing.cost_column(label) for label in range(len(schema.classes))], dtype=np.float64)
    return by_label.T[labels] * weights[:, None]


def _hashes(features: Sequence[Column], labels: Any, weights: Any) -> RowHashes:
    def of_array(values: Any) -> str:
        return hash_of((), values)

    return RowHashes(
        hash_of(features, labels, weights),
        of_array(labels),
        None if weights is None else of_array(weights),
        [(column.feature.name, hash_of([column])) for column in features],
    )


def proof_columns(features: Sequence[Column]) -> tuple[tuple[ProofColumn, ...], Any]:
    """Return the columns of all splits that a tree may have, and their ranks, shape (columns, rows).

    A threshold of a column divides the rows of lower ranks from the others:

        ordered features, booleans, ordinals     their values; where some are missing, twice: below and above all others
        categories                               each category against the rest, missing values on either side; and
                                                 missing values against the rest
    """
    columns, lines = [], []
    for column in features:
        for place, (category, line) in _lines_of(column):
            columns.append(ProofColumn(column.feature.name, category, place))
            lines.append(line)
    n_rows = len(features[0].data)
    return tuple(columns), np.array(lines, dtype=np.int64).reshape(len(lines), n_rows)


def _lines_of(column: Column) -> list[tuple[str, tuple[Any, Any]]]:
    missing, has_missing = column.missing, bool(column.n_missing)
    if column.feature.kind is Kind.CATEGORY:
        lines: list[tuple[str, tuple[Any, Any]]] = []
        for position, category in enumerate(column.feature.categories):
            inside = (column.data == position) & ~missing
            if inside.any():
                lines.append(("without" if has_missing else "", (category, inside)))
                lines.extend([("with", (category, inside | missing))] if has_missing else [])
        return [*lines, ("alone", (None, missing))] if has_missing else lines
    values = np.unique(column.data[~missing])
    ranks = np.searchsorted(values, column.data)
    if not has_missing:
        return [("", (None, ranks))]
    return [("first", (None, np.where(missing, 0, ranks + 1))), ("last", (None, np.where(missing, len(values), ranks)))]
