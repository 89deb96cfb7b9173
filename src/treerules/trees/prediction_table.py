"""The predictions for a whole table as columns, and those as CSV, text, JSON or a Parquet file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.atomic_files import write_whole
from treerules._internal.field_converters import as_tuple
from treerules.data.column import Column
from treerules.data.schema import Feature, Kind
from treerules.data.table import Table
from treerules.data.value_format import spelled
from treerules.errors import DataError, FileError, OptionError, UnknownNameError
from treerules.readers.duckdb_connection import connected, explained, literal, quoted
from treerules.rendering.text_tables import TextTable, finite, table_text
from treerules.trees.predict import Progress, apply
from treerules.trees.tree import Tree, leaves

FORMATS = ("csv", "text", "md", "json")


@frozen(eq=False)
class Predictions:
    """Columns of equal length: keys, `prediction`, `p_` and each class, `rule`."""

    columns: "tuple[Column, ...]" = field(converter=as_tuple)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names."""
        return tuple(column.feature.name for column in self.columns)


def predict_table(
    tree: Tree,
    table: Table,
    *,
    proba: bool = False,
    rule: bool = False,
    keys: Sequence[str] = (),
    progress: Progress | None = None,
) -> Predictions:
    """Return what a tree predicts for each row, beside the table's columns named by `keys`.

    `proba` adds a column `p_` and its name for each class, with its share where the row's leaf was learned; `rule`
    adds the number of the rule that fires.

    Raises:
        OptionError: probabilities are asked of a regression, or two columns would have one name.
        UnknownNameError, ColumnError: the table lacks a key, or a column that the tree asks for.
    """
    if proba and tree.schema.is_regression:
        raise OptionError("proba", proba, "it to a classification; a regression has no classes")
    numbers = apply(tree, table, progress=progress)
    known = np.zeros(len(numbers), dtype=bool)
    found = [*(table.column(key) for key in keys), _prediction(tree, numbers, known)]
    if proba:
        shares = np.array([leaf.prediction.probabilities for leaf in leaves(tree.root)])  # type: ignore[union-attr]
        names = [f"p_{spelled(label, _target(tree).form)}" for label in tree.schema.classes]
        found += [
            Column(Feature(name, Kind.NUMBER), shares[:, place][numbers - 1], known) for place, name in enumerate(names)
        ]
    if rule:
        found.append(Column(Feature("rule", Kind.INTEGER), numbers, known))
    made = Predictions(found)
    twice = next((name for place, name in enumerate(made.names) if name in made.names[:place]), None)
    if twice is not None:
        raise OptionError("keys", twice, "keys that are not named like a column of the result, or rename it")
    return made


def _target(tree: Tree) -> Feature:
    assert tree.schema.target is not None
    return tree.schema.target


def _prediction(tree: Tree, numbers: Any, known: Any) -> "Column":
    values = [leaf.prediction.value for leaf in leaves(tree.root)]
    target = _target(tree)
    if tree.schema.is_regression:
        return Column(Feature("prediction", Kind.NUMBER), np.array(values, dtype=np.float64)[numbers - 1], known)
    feature = Feature("prediction", target.kind, target.categories, target.scalar, target.form)
    codes = np.array([target.positions[value] for value in values], dtype=np.int32)
    return Column(feature, codes[numbers - 1], known)


# ---- as text


def predictions_text(predictions: Predictions, format: str = "csv") -> str:
    """Return predictions as CSV, aligned text, Markdown or JSON.

    Floats read back exactly; values have the form in which they came, but in JSON dates are ISO. The JSON is
    {"format": "treerules.predictions", "version": 1, "rows": [{column: value}]}.

    Raises:
        UnknownNameError: there is no such format.
    """
    if format not in FORMATS:
        raise UnknownNameError("format", format, FORMATS)
    if format == "json":
        rows = zip(*(_plain(column) for column in predictions.columns), strict=True)
        content = {
            "format": "treerules.predictions",
            "version": 1,
            "rows": [dict(zip(predictions.names, row, strict=True)) for row in rows],
        }
        return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False, default=str) + "\n"
    rows = zip(*(_texts(column) for column in predictions.columns), strict=True)
    right = [column.feature.is_ordered for column in predictions.columns]
    return table_text(TextTable(predictions.names, rows, right), format)


def _texts(column: "Column") -> list[str]:
    form = column.feature.form
    return ["" if value is None else _text(value, form) for value in _values(column)]


def _text(value: Any, form: str) -> str:
    return value if isinstance(value, str) else repr(value) if isinstance(value, float) else spelled(value, form)


def _plain(column: "Column") -> list[Any]:
    return [finite(value) for value in _values(column)]


def _values(column: "Column") -> list[Any]:
    """Return the cells as Python values, None where missing."""
    feature = column.feature
    if feature.kind in (Kind.NUMBER, Kind.INTEGER):
        cells = column.data.tolist()
        if not column.missing.any():
            found: list[Any] = cells
            return found
        return [None if is_missing else cell for cell, is_missing in zip(cells, column.missing.tolist(), strict=True)]
    if feature.is_ordered:
        return [column.value(row) for row in range(len(column.data))]
    categories = [*feature.categories, "(unseen)", None]  # codes -2 and -1
    return [categories[code] for code in column.data.tolist()]


# ---- as Parquet


def write_parquet(predictions: Predictions, path: str | Path) -> None:
    """Write predictions to a Parquet file, typed; the old file stays as it was unless all is written.

    Raises:
        DataError: two names differ in case alone, which DuckDB takes for one.
        FileError: the file cannot be written.
        MissingExtraError: DuckDB is not installed.
    """
    folded = [name.casefold() for name in predictions.names]
    twice = next((name for place, name in enumerate(predictions.names) if folded[place] in folded[:place]), None)
    if twice is not None:
        raise DataError(f"the column {twice!r} has the name of another in other case", "write CSV, or rename it")
    arrays = {f"c{place}": _array(column) for place, column in enumerate(predictions.columns)}
    arrays |= {f"m{place}": column.missing for place, column in enumerate(predictions.columns)}
    kinds = [_SQL_TYPES[column.feature.scalar] for column in predictions.columns]
    selected = ", ".join(
        f"CASE WHEN m{place} THEN NULL ELSE CAST(c{place} AS {kind}) END AS {quoted(name)}"
        for place, (name, kind) in enumerate(zip(predictions.names, kinds, strict=True))
    )

    def write(target: Path) -> None:
        remedy = "check the folder, its space, and the names of columns and classes"
        with explained(lambda said: FileError(str(path), said, remedy)), connected() as connection:
            connection.register("arrays", arrays)
            connection.execute(f"COPY (SELECT {selected} FROM arrays) TO {literal(str(target))} (FORMAT parquet)")

    write_whole({Path(path): write})


_SQL_TYPES = {
    "number": "DOUBLE",
    "integer": "BIGINT",
    "boolean": "BOOLEAN",
    "text": "VARCHAR",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "timestamp_utc": "TIMESTAMPTZ",
}


def _array(column: "Column") -> Any:
    """Return the cells as an array that DuckDB reads: numbers, booleans, moments as text, text."""
    feature = column.feature
    if feature.kind in (Kind.NUMBER, Kind.INTEGER, Kind.BOOLEAN):
        return column.data if feature.kind is not Kind.BOOLEAN else column.data == 1
    texts = [None if value is None else value if isinstance(value, str) else str(value) for value in _values(column)]
    return np.array(texts, dtype=object)
