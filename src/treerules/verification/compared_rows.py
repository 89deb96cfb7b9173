"""The rows on which two predictors are compared: those of the caller, or boundary rows of the models among them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from treerules.data.domain import ColumnDomain, Domain, domain_of, unseen_value
from treerules.data.frames import is_frame
from treerules.data.new_values import new_value
from treerules.data.schema import Feature, Schema
from treerules.data.table import Table
from treerules.data.table_data import is_2d_array, table_of
from treerules.errors import OptionError
from treerules.rules.boundary_rows import boundary_rows
from treerules.trees.ensemble import TreeModel
from treerules.trees.predict import predict
from treerules.verification.predictors import Model

#: A Table, a data frame, a list of dicts, a dict of columns, or dicts.
GivenRows: TypeAlias = Any


def given_rows(argument: str, rows: GivenRows, schema: Schema | None) -> list[dict[str, Any]]:
    """Return rows of the caller with all their keys, the values of features as the schema holds them.

    Raises:
        OptionError: the argument is neither a table nor rows.
        CellError: a value is not of its feature's kind.
    """
    rows = _dicts(argument, rows)
    return rows if schema is None else [{**row, **_features_of(row, schema)} for row in rows]


def data_rows(data: GivenRows, schema: Schema | None, models: Sequence[Model]) -> list[dict[str, Any]]:
    """Return rows of data, their features alone, as the schema holds them.

    Raises:
        OptionError: the argument `data` is neither a table nor rows.
        CellError, ColumnError: the data does not fit the models.
    """
    if not _is_plain_rows(data):
        data = table_of(data, argument="data")
        for model in models:
            if isinstance(model, TreeModel):
                predict(model, data)  # raises where the table lacks a column that the tree asks for
    rows = _dicts("data", data)
    return rows if schema is None else [_features_of(row, schema) for row in rows]


def array_as_table(argument: str, rows: GivenRows | None, columns: Sequence[str] | None) -> GivenRows | None:
    """Return rows of the caller; a 2-D array as a table with these names of columns.

    Raises:
        OptionError: the names are missing or do not fit the array.
    """
    return table_of(rows, columns=columns, argument=argument) if is_2d_array(rows) else rows


def _dicts(argument: str, rows: Any) -> list[dict[str, Any]]:
    if _is_plain_rows(rows):
        listed = list(rows)
        if not all(isinstance(row, Mapping) for row in listed):
            raise OptionError(argument, rows, "a Table, a data frame, a dict of columns, or dicts")
        return list(map(dict, listed))
    return list(table_of(rows, argument=argument).rows())


def _is_plain_rows(rows: object) -> bool:
    is_table = isinstance(rows, (str, bytes, Mapping, Table)) or is_2d_array(rows) or is_frame(rows)
    return isinstance(rows, Iterable) and not is_table


def _features_of(row: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    return {feature.name: new_value(feature, row[feature.name]) for feature in schema.features if feature.name in row}


def boundary_rows_of(
    models: Sequence[Model], schema: Schema, domain: Domain | None, most: int | None, *, has_every_key: bool
) -> Iterator[dict[str, Any]]:
    """Yield boundary rows of each model, as many as `boundary_rows` makes for `most`, moved into the domain.

    On demand they have a key for every feature.
    """
    for model in models:
        rows = boundary_rows(model, most)
        yield from rows_within(rows, schema, domain) if domain or has_every_key else rows


def rows_within(rows: Iterable[Mapping[str, Any]], schema: Schema, domain: Domain | None) -> Iterator[dict[str, Any]]:
    """Yield rows with each value moved into the domain; no rows where a column has no value in it.

    The rows have every feature, since a function of the user's may need each key.
    """
    limits = {feature.name: domain_of(feature, domain) for feature in schema.features}
    if all(f.is_ordered or f.categories or limits[f.name].missing or limits[f.name].unseen for f in schema.features):
        for row in rows:
            yield {f.name: _within(f, row.get(f.name), limits[f.name]) for f in schema.features}


def _within(feature: Feature, value: Any, declared: ColumnDomain) -> Any:
    """Return a value, or the one nearest to it in the domain."""
    converted = new_value(feature, value)
    if converted is None and declared.missing:
        return value
    if feature.is_ordered:
        return declared.lowest if converted is None else min(max(converted, declared.lowest), declared.highest)
    is_category = converted is not None and feature.position(converted) is not None
    if is_category or (converted is not None and declared.unseen):
        return value
    return feature.categories[0] if feature.categories else unseen_value(feature) if declared.unseen else None
