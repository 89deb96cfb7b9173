"""Evaluation of a tree on a table by the metrics of `metrics`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.arguments import require_callables_or_none
from treerules._internal.field_converters import as_tuple, as_tuples
from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature
from treerules.data.table import Table, Types
from treerules.data.table_data import TableLike, table_of
from treerules.errors import shortened
from treerules.learning import metrics
from treerules.trees.ensemble import Ensemble, TreeModel
from treerules.trees.ensemble_routing import leaf_vector
from treerules.trees.ground_truth import ground_truth
from treerules.trees.margins import margins_of, predictions_of, probabilities_of
from treerules.trees.predict import apply
from treerules.trees.tested_columns import Progress
from treerules.trees.tree import Tree, target_of
from treerules.trees.walkers import leaves


@short_repr
@frozen
class LabelFigures:
    """Precision, recall and F1 of one label. A figure is None where it would be 0 / 0."""

    label: Any
    #: the (weighted) number of its rows
    n: float
    #: the share of correct rows among those with this prediction; None without such rows
    precision: float | None
    #: the share of its rows that are predicted correctly; None where it has no rows
    recall: float | None
    #: the harmonic mean of both, 0 where no row is correct; None where it has no rows and is never predicted
    f1: float | None


@frozen(repr=False)
class Evaluation(Shown):
    """The metrics of a tree on a table. Those of the other task are None, or empty tuples."""

    target: Feature
    #: the number of rows, and the sum of their weights (n without weights)
    n: int
    weight: float
    #: the classes of the tree; `labels` are these, then other labels of the table
    classes: tuple[Any, ...] = field(default=(), converter=as_tuple)
    labels: tuple[Any, ...] = field(default=(), converter=as_tuple)
    #: (weighted) counts, shape (labels, classes): true labels by predicted classes
    confusion: tuple[tuple[float, ...], ...] = field(default=(), converter=as_tuples)
    accuracy: float | None = None
    balanced_accuracy: float | None = None
    log_loss: float | None = None
    brier: float | None = None
    #: None if the rows cannot be ranked: see `metrics.roc_auc`
    auc: float | None = None
    #: in the order of `labels`
    by_label: tuple[LabelFigures, ...] = field(default=(), converter=as_tuple)
    rmse: float | None = None
    mae: float | None = None
    #: None for a single row
    r2: float | None = None
    notes: tuple[str, ...] = field(default=(), converter=as_tuple, eq=False)

    def __repr__(self) -> str:
        name, value = ("R2", self.r2) if self.is_regression else ("accuracy", self.accuracy)
        return f"<Evaluation {shortened(self.target.name)} n={self.n} {name}={value}>"

    @property
    def is_regression(self) -> bool:
        """Whether the target is predicted as a number."""
        return self.rmse is not None


def evaluate(
    tree: TreeModel,
    table: TableLike,
    *,
    weight: Any = None,
    types: Types | None = None,
    columns: Sequence[str] | None = None,
    drop_missing_target: bool = False,
    progress: Progress | None = None,
) -> Evaluation:
    """Return how well a tree or an ensemble predicts the rows of a table.

    A label that the tree does not know always counts as an error: it has its own row in the confusion matrix, recall 0,
    and probability 0 in every leaf.

    Args:
        tree: the Tree, or the Ensemble, to evaluate.
        table: a Table, a data frame (pandas, polars, Arrow), a list of dicts, a dict of columns or a 2-D array, with
            the features that the tree tests and a column with the name of its target.
        weight: the name of a column of sample weights, or an array of shape (rows,). A weight is 0 or a number from
            1e-12 to 1e12; a row of weight 2 counts as two rows. None: each row counts once.
        types: the kinds of columns by name, such as {"grade": "category", "size": "ordinal:S<M<L"}, or None. The values
            keep their type: text that was read as numbers is declared where it is read, as in `read(path, types=...)`.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.
        drop_missing_target: True leaves out rows without a value of the target; False refuses them.
        progress: a function that is called with (rows in leaves, all rows), or None.

    Returns:
        An Evaluation: accuracy, confusion matrix, log loss, Brier score, AUC and figures of each label; of a regression
        RMSE, MAE and R2.

    Raises:
        OptionError: `tree` is no Tree or Ensemble, or `table` is no table.
        DataError: rows lack a value of the target, or no row has one.
        UnknownNameError: no column has the name that `weight` gives.
        ColumnError: the table lacks the target or a column that the tree tests, a column is of the wrong kind, a target
            is infinite, or weights are missing, negative, infinite or all 0.

    Examples:
        >>> from treerules import Table, learn
        >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> evaluate(learn(table, target="y"), table)
        <Evaluation 'y' n=4 accuracy=1.0>
    """
    require_callables_or_none(progress=progress)
    table = table_of(table, columns=columns, types=types)
    truth = ground_truth(tree, table, weight=weight, drop_missing_target=drop_missing_target)
    answers = _answers(tree, table, progress)
    positions = truth.of(answers.positions)
    target = target_of(tree)
    n = len(truth.values)
    common: Any = {"target": target, "n": n, "weight": n if truth.weight is None else float(truth.weight.sum())}
    if tree.schema.is_regression:
        pairs = (truth.values, answers.values[positions], truth.weight)
        means: Any = {"rmse": metrics.rmse(*pairs), "mae": metrics.mae(*pairs), "r2": metrics.r2(*pairs)}
        return Evaluation(**common, **means, notes=truth.notes)
    labels, n_classes = truth.labels, len(tree.schema.classes)
    n_columns = min(len(labels), n_classes + 1)  # labels that the tree does not know share one column
    counts = metrics.counts_of_pairs(
        positions, np.minimum(truth.values, n_classes), truth.weight, (len(answers.values), n_columns)
    )
    confusion = metrics.counts_of_pairs(truth.values, answers.values[positions], truth.weight, (len(labels), n_classes))
    figures = zip(labels, metrics.label_figures(confusion), strict=True)
    return Evaluation(
        **common,
        classes=tree.schema.classes,
        labels=labels,
        confusion=confusion.tolist(),
        accuracy=metrics.accuracy(confusion),
        balanced_accuracy=metrics.balanced_accuracy(confusion),
        log_loss=metrics.log_loss(counts, answers.shares),
        brier=metrics.brier(counts, answers.shares),
        auc=metrics.roc_auc(counts, answers.shares),
        by_label=[LabelFigures(label, *values) for label, values in figures],
        notes=truth.notes,
    )


@frozen(eq=False)
class _Answers:
    """The different answers of a model: of a tree those of its leaves, of an ensemble one for each row."""

    #: the position of each row's answer
    positions: Any
    #: the position of the class of each answer (int64), or its mean (float64)
    values: Any
    #: the probability of each class, shape (answers, classes); None for a regression
    shares: Any


def _answers(model: TreeModel, table: Table, progress: Progress | None) -> _Answers:
    has_classes = not model.schema.is_regression
    if isinstance(model, Ensemble):
        margins = margins_of(model, table, progress=progress)
        shares = probabilities_of(model, margins) if has_classes else None
        return _Answers(np.arange(table.n_rows), predictions_of(model, margins), shares)
    positions = apply(model, table, progress=progress) - 1
    shares = np.array([leaf_vector(leaf.prediction) for leaf in leaves(model.root)]) if has_classes else None
    return _Answers(positions, leaf_values(model), shares)


def leaf_values(tree: Tree) -> Any:
    """Return the prediction of each leaf, in order: the position of its class (int64), or its mean (float64)."""
    values = [leaf.prediction.value for leaf in leaves(tree.root)]
    target = target_of(tree)
    return np.array(values if tree.schema.is_regression else [target.positions[value] for value in values])
