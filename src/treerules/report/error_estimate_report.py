"""Estimated errors: on new rows by cross-validation, on the training rows, and without a tree.

CSV    a row for each size that was compared: rules, error, standard error
JSON   {"format": "treerules.error_estimate", "version": 1, "measure", "chosen_by", "folds", "training_error", "error",
       "standard_error", "baseline_error", "balanced_accuracy", "log_loss", "auc", "rules", "sizes": [{"rules", "error",
       "standard_error"}], "reason": why the standard error is wide, only where it is}
"""

from collections.abc import Callable
from math import sqrt
from typing import Any

from treerules.evaluation.evaluation import Evaluation
from treerules.learning.size_note import figure_with_error
from treerules.pruning.common import risk_of
from treerules.rendering.headings import heading, row_count
from treerules.rendering.text_tables import TextTable, exact_text
from treerules.report.report import Part, tables_report
from treerules.rules.wording import figure_text
from treerules.trees.error_estimate import ErrorEstimate
from treerules.trees.nodes import Leaf, as_leaf
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves

#: Where the most frequent class has a greater share than this, predicting it always looks good: more figures are shown.
_RARE = 0.8
#: What is said of an interval that is wide.
_REASONS = {
    "unstable growth": "wide, since the trees of the folds differ",
    "heavy tails": "wide, since few rows make most of the error",
}


def _parts(estimate: ErrorEstimate, lang: str) -> list[Part]:
    return ["\n".join(estimate_lines(estimate, lang))]


def estimate_lines(estimate: ErrorEstimate, lang: str) -> list[str]:
    """Return the lines that say how well a tree predicts new rows, its training rows, and what no tree would do."""
    folds = heading("{folds}-fold cross-validation, corrected", lang, folds=estimate.n_folds)
    if estimate.reason:
        folds = f"{folds}; {heading(_REASONS[estimate.reason], lang)}"
    if estimate.is_regression:
        return _lines_of_regression(estimate, folds, lang)
    loss = heading("mean cost" if estimate.measure == "cost" else "error", lang)
    error = figure_with_error(estimate.error, estimate.standard_error)
    lines = [
        f"{heading('{loss} on new rows', lang, loss=loss)}: {error} ({folds})",
        f"{heading('{loss} on the training rows', lang, loss=loss)}: {figure_text(estimate.training_error)}; "
        f"{heading('always the most frequent class', lang)}: {figure_text(estimate.baseline_error)}",
    ]
    if is_imbalanced(estimate):
        lines.append(f"{heading('on new rows', lang)}: {class_figures(estimate, lang)}")
    return lines


def training_lines(tree: Tree, lang: str) -> list[str]:
    """Return the line that says how well a tree predicts its training rows, where new rows were not tried."""
    lost, root = _training_loss(tree), as_leaf(tree.root)
    own, alone, n = sum(map(lost, leaves(tree.root))), lost(root), root.n or 1.0
    if tree.schema.is_regression:
        name, fit = heading("R2 on the training rows", lang), 1 - own / alone if alone > 0 else 1.0
        baseline = f"{heading('always the mean', lang)}: RMSE {figure_text(sqrt(alone / n))}"
    else:
        loss = heading("mean cost" if tree.recipe is not None and tree.recipe.costs else "error", lang)
        name, fit = heading("{loss} on the training rows", lang, loss=loss), own / n
        baseline = f"{heading('always the most frequent class', lang)}: {figure_text(alone / n)}"
    return [f"{name}: {figure_text(fit)}; {baseline} ({heading('no estimate for new rows', lang)})"]


def _training_loss(tree: Tree) -> Callable[[Leaf], float]:
    """Return what a leaf costs: squared errors, costs where the recipe has some, else rows of another class."""
    if tree.schema.is_regression or (tree.recipe is not None and tree.recipe.costs):
        return risk_of(tree)
    classes = tree.schema.classes
    return lambda leaf: leaf.n - leaf.counts[classes.index(leaf.prediction.value)]


def is_imbalanced(estimate: ErrorEstimate) -> bool:
    """Return whether the most frequent of several classes has more than 80 % of the rows."""
    return estimate.measure == "error" and 0 < estimate.baseline_error < 1 - _RARE


def class_figures(result: ErrorEstimate | Evaluation, lang: str) -> str:
    """Return the figures that are fair to rare classes, in one line."""
    fields = (("balanced accuracy", "balanced_accuracy"), ("log loss (nats)", "log_loss"), ("AUC", "auc"))
    return ", ".join(f"{heading(name, lang)} {figure_text(getattr(result, key))}" for name, key in fields)


def balanced_line(estimate: ErrorEstimate, lang: str) -> str:
    """Return the line that says what weights would do that make all classes weigh the same."""
    error = figure_with_error(estimate.error, estimate.standard_error)
    figures = f"{heading('error', lang)} {error}, {class_figures(estimate, lang)}"
    return f"{heading('with --class-weight balanced', lang)}: {figures}"


def _lines_of_regression(estimate: ErrorEstimate, folds: str, lang: str) -> list[str]:
    if estimate.r2 is None:
        return [f"{heading('RMSE on new rows', lang)}: {figure_text(sqrt(estimate.error))} ({folds})"]
    scale = estimate.baseline_error
    r2 = figure_with_error(estimate.r2, estimate.standard_error / scale)
    training = 1 - estimate.training_error / scale
    return [
        f"{heading('R2 on new rows', lang)}: {r2}, RMSE {figure_text(sqrt(estimate.error))} ({folds})",
        f"{heading('R2 on the training rows', lang)}: {figure_text(training)}; "
        f"{heading('always the mean', lang)}: RMSE {figure_text(sqrt(scale))}",
    ]


def test_line(name: str, evaluation: Evaluation, lang: str) -> str:
    """Return the line that says how well a tree predicts other rows, such as a file of them."""
    rows = row_count(evaluation.n, lang)
    if evaluation.is_regression:
        figures = f"{figure_text(evaluation.r2)}, RMSE {figure_text(evaluation.rmse)}"
        return f"{heading('R2 on {name}', lang, name=name)}: {figures} ({rows})"
    assert evaluation.accuracy is not None
    error = 1 - evaluation.accuracy
    figures = figure_with_error(error, sqrt(error * (1 - error) / evaluation.weight))
    line = f"{heading('error on {name}', lang, name=name)}: {figures} ({rows})"
    most = max(map(sum, evaluation.confusion)) / evaluation.weight
    return f"{line}, {class_figures(evaluation, lang)}" if most > _RARE else line


def _table(estimate: ErrorEstimate, lang: str) -> TextTable:
    names = [heading(name, lang) for name in ("rules", "error", "standard error")]
    rows = [[str(size.n_rules), exact_text(size.error), exact_text(size.standard_error)] for size in estimate.sizes]
    return TextTable(names, rows, [True, True, True], [size.n_rules == estimate.n_rules for size in estimate.sizes])


def _record(estimate: ErrorEstimate, lang: str) -> dict[str, Any]:
    sizes = [
        {"rules": size.n_rules, "error": size.error, "standard_error": size.standard_error} for size in estimate.sizes
    ]
    return {
        "format": "treerules.error_estimate",
        "version": 1,
        "measure": estimate.measure,
        "chosen_by": estimate.chosen_by,
        "folds": estimate.n_folds,
        "training_error": estimate.training_error,
        "error": estimate.error,
        "standard_error": estimate.standard_error,
        "baseline_error": estimate.baseline_error,
        "balanced_accuracy": estimate.balanced_accuracy,
        "log_loss": estimate.log_loss,
        "auc": estimate.auc,
        "rules": estimate.n_rules,
        "sizes": sizes,
        **({"reason": estimate.reason} if estimate.reason else {}),
    }


ERROR_ESTIMATE = tables_report(ErrorEstimate, parts=_parts, table=_table, record=_record)
