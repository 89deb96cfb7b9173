"""The margins of an ensemble for rows, and the predictions and probabilities that follow from them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from treerules._internal.arguments import require_type
from treerules._internal.notes import or_none
from treerules.data.table import Table
from treerules.data.table_data import TableLike, table_data
from treerules.data.value_format import value_text
from treerules.trees.ensemble import Ensemble, StepOperator
from treerules.trees.ensemble_routing import add_leaves, leaf_vector
from treerules.trees.leaf_of_row import find_leaf, is_row
from treerules.trees.links import LINKS
from treerules.trees.tested_columns import Progress, routed_columns
from treerules.trees.tree import target_of

#: What the argument `compiled` accepts.
COMPILED = or_none("True, False", "by the number of rows")


def predict_margin(
    ensemble: Ensemble,
    table: TableLike,
    *,
    columns: Sequence[str] | None = None,
    progress: Progress | None = None,
    compiled: bool | None = None,
) -> Any:
    """Return the margins of an ensemble: the sums of the leaves that rows reach, added as its library adds them.

    Args:
        ensemble: the Ensemble to predict with.
        table: a table or a row, as in `predict`.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.
        progress: a function that is called with (rows done, all rows), or None.
        compiled: whether numba (the extra [fast]) adds; the answers are the same. None uses it where it is loaded, or
            where there is much to add.

    Returns:
        An array, shape (rows,) where there is one margin, else (rows, classes), of the type in which the ensemble adds.
        For a data frame a series `margin` of its library, or a frame with a column `margin_CLASS` for each class, with
        its index. For a row a number, or a tuple of numbers.

    Raises:
        OptionError: `ensemble` is no Ensemble, or `table` is neither a table nor a row, or `compiled` is no bool.
        ColumnError, CellError: as `predict` does.

    Examples:
        >>> from sklearn.ensemble import GradientBoostingRegressor
        >>> from treerules.importers import import_model
        >>> fitted = GradientBoostingRegressor(n_estimators=2, learning_rate=0.5).fit([[1], [2], [4]], [1.0, 1.0, 4.0])
        >>> predict_margin(import_model(fitted), {"x0": 1}), predict_margin(import_model(fitted), {"x0": 4})
        (1.25, 3.5)
    """
    require_type("ensemble", ensemble, Ensemble, "an Ensemble")
    require_type("compiled", compiled, bool | None, COMPILED)
    if is_row(table):
        margins = margins_of_row(ensemble, table)
        return margins[0].tolist()[0] if ensemble.use != "classes" else tuple(margins[0].tolist())
    data = table_data(table, columns=columns)
    margins = margins_of(ensemble, data.table, progress=progress, compiled=compiled)
    if ensemble.use != "classes":
        return data.series("margin", margins[:, 0])
    if data.kind is None:
        return margins
    return data.kind.data_frame(dict(zip(margin_names(ensemble), margins.T, strict=True)))


def margin_names(ensemble: Ensemble) -> list[str]:
    """Return the names of the columns of margins: `margin`, or `margin_CLASS` for each class."""
    if ensemble.use != "classes":
        return ["margin"]
    return [f"margin_{value_text(label, target_of(ensemble).form)}" for label in ensemble.schema.classes]


def margins_of(
    ensemble: Ensemble, table: Table, *, progress: Progress | None = None, compiled: bool | None = None
) -> Any:
    """Return the margins of the rows of a table, shape (rows, outputs)."""
    columns = routed_columns(ensemble, table)
    sums = _initial_sums(ensemble, table.n_rows)
    with np.errstate(over="ignore", invalid="ignore"):  # sums may be infinite, as those of the library
        add_leaves(ensemble._routing, columns, sums, progress=progress, compiled=compiled)
        return _finished_margins(ensemble, sums)


def margins_of_row(ensemble: Ensemble, row: Mapping[str, Any]) -> Any:
    """Return the margins of one row, shape (1, outputs)."""
    sums = _initial_sums(ensemble, 1)
    with np.errstate(over="ignore", invalid="ignore"):
        for tree, output in zip(ensemble.trees, ensemble.outputs or [None] * len(ensemble.trees), strict=True):
            vector = np.array(leaf_vector(find_leaf(tree, row).prediction), dtype=ensemble.sum_type)
            if output is None:
                sums[0] += vector
            else:
                sums[0, output] += vector[0]
        return _finished_margins(ensemble, sums)


def _initial_sums(ensemble: Ensemble, n_rows: int) -> Any:
    return np.tile(np.array(ensemble.start, dtype=ensemble.sum_type), (n_rows, 1))


_OPERATORS: Mapping[StepOperator, np.ufunc] = {"*": np.multiply, "/": np.divide, "+": np.add}


def _finished_margins(ensemble: Ensemble, sums: Any) -> Any:
    for operator, numbers in ensemble.steps:
        _OPERATORS[operator](sums, np.array(numbers, dtype=sums.dtype), out=sums)
    return sums


def predictions_of(ensemble: Ensemble, margins: Any) -> Any:
    """Return the predictions of margins: means (float64), or the positions of classes (int64)."""
    if ensemble.use == "mean":
        return LINKS[ensemble.link].answers(margins, ensemble.slope)[:, 0].astype(np.float64)
    if ensemble.use == "cut":
        return (margins[:, 0] >= margins.dtype.type(ensemble.cut)).astype(np.int64)
    if ensemble.label_by == "probabilities":
        return probabilities_of(ensemble, margins).argmax(axis=1)
    return margins.argmax(axis=1)


def probabilities_of(ensemble: Ensemble, margins: Any) -> Any:
    """Return the probabilities of the classes, float64, shape (rows, classes).

    The link function is computed in the type of the sums.
    """
    return LINKS[ensemble.link].answers(margins, ensemble.slope).astype(np.float64)
