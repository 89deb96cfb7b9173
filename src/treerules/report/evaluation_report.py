"""Evaluations: the metrics, the confusion matrix, precision and recall of each class.

CSV    a row for each figure: figure, class, predicted, value; those of the confusion matrix also name what was
       predicted
JSON   {"format": "treerules.evaluation", "version": 1, "target", "n", "weight", "accuracy", "balanced_accuracy",
       "log_loss", "brier", "auc", "classes", "labels": [{"label", "n", "precision", "recall", "f1"}], "confusion": a
       row for each label, with the weight of each predicted class}; for a regression {"format", "version", "target",
       "n", "weight", "rmse", "mae", "r2"}
"""

from typing import Any

from treerules.evaluation.evaluation import Evaluation
from treerules.rendering.headings import heading, row_count
from treerules.rendering.text_tables import TextTable, exact_text, json_number
from treerules.report.report import Part, tables_report
from treerules.rules.wording import figure_text, word

#: The figures of each task: the heading, and the field of Evaluation.
_CLASSIFICATION_FIGURES = (
    ("accuracy", "accuracy"),
    ("balanced accuracy", "balanced_accuracy"),
    ("log loss", "log_loss"),
    ("Brier score", "brier"),
    ("AUC", "auc"),
)
_REGRESSION_FIGURES = (("RMSE", "rmse"), ("MAE", "mae"), ("R2", "r2"))
#: The figures of each label: the heading, and the field of LabelFigures.
_LABEL_FIGURES = (("n", "n"), ("precision", "precision"), ("recall", "recall"), ("F1", "f1"))


def _parts(evaluation: Evaluation, lang: str) -> list[Part]:
    """Return the summary, the table of figures and, for a classification, the confusion matrix and the labels."""
    parts: list[Part] = [_summary(evaluation, lang), _figures_table(evaluation, lang)]
    return parts if evaluation.is_regression else [*parts, _confusion(evaluation, lang), _labels(evaluation, lang)]


def _summary(evaluation: Evaluation, lang: str) -> str:
    """Return the line that names the target and the number of rows."""
    rows = row_count(evaluation.n, lang)
    if evaluation.weight != evaluation.n:
        rows = heading("{rows}, weight {weight}", lang, rows=rows, weight=figure_text(evaluation.weight))
    return f"{word(evaluation.target.name)}: {rows}"


def _figures_table(evaluation: Evaluation, lang: str) -> TextTable:
    rows = [[heading(name, lang), figure_text(value)] for name, value in _figures(evaluation)]
    return TextTable([heading("figure", lang), heading("value", lang)], rows, [False, True])


def _figures(evaluation: Evaluation) -> list[tuple[str, float | None]]:
    names = _REGRESSION_FIGURES if evaluation.is_regression else _CLASSIFICATION_FIGURES
    return [(name, getattr(evaluation, key)) for name, key in names]


def _confusion(evaluation: Evaluation, lang: str) -> TextTable:
    """Return the confusion matrix: a row for each label, a column for each predicted class."""
    form = evaluation.target.form
    classes = [word(label, form) for label in evaluation.classes]
    rows = [
        [word(label, form), *map(figure_text, counts)]
        for label, counts in zip(evaluation.labels, evaluation.confusion, strict=True)
    ]
    right = [False, *(True for _ in classes)]
    return TextTable([heading("true \\ predicted", lang), *classes], rows, right)


def _labels(evaluation: Evaluation, lang: str) -> TextTable:
    """Return a row for each label: n, precision, recall, F1."""
    form = evaluation.target.form
    rows = [
        [word(figures.label, form), *(figure_text(getattr(figures, key)) for _, key in _LABEL_FIGURES)]
        for figures in evaluation.by_label
    ]
    names = [heading("class", lang), *(heading(name, lang) for name, _ in _LABEL_FIGURES)]
    return TextTable(names, rows, [False, *(True for _ in _LABEL_FIGURES)])


def _long_table(evaluation: Evaluation, lang: str) -> TextTable:
    """Return a row for each figure: its name, the class and the prediction that it is about, its exact value."""
    overall: list[tuple[str, float | None]] = [("n", evaluation.n), ("weight", evaluation.weight)]
    rows = [[heading(name, lang), "", "", exact_text(value)] for name, value in [*overall, *_figures(evaluation)]]
    form = evaluation.target.form
    for figures, counts in zip(evaluation.by_label, evaluation.confusion, strict=True):
        label = word(figures.label, form)
        rows += [[heading(name, lang), label, "", exact_text(getattr(figures, key))] for name, key in _LABEL_FIGURES]
        rows += [
            [heading("confusion", lang), label, word(predicted, form), exact_text(count)]
            for predicted, count in zip(evaluation.classes, counts, strict=True)
        ]
    return TextTable([heading(name, lang) for name in ("figure", "class", "predicted", "value")], rows)


def _record(evaluation: Evaluation, lang: str) -> dict[str, Any]:
    names = _REGRESSION_FIGURES if evaluation.is_regression else _CLASSIFICATION_FIGURES
    record = {
        "format": "treerules.evaluation",
        "version": 1,
        "target": evaluation.target.name,
        "n": evaluation.n,
        "weight": evaluation.weight,
        **{key: json_number(getattr(evaluation, key)) for _, key in names},
    }
    if evaluation.is_regression:
        return record
    labels = [
        {"label": json_number(figures.label), **{key: getattr(figures, key) for _, key in _LABEL_FIGURES}}
        for figures in evaluation.by_label
    ]
    classes = [json_number(label) for label in evaluation.classes]
    return {**record, "classes": classes, "labels": labels, "confusion": evaluation.confusion}


EVALUATION = tables_report(Evaluation, parts=_parts, table=_long_table, record=_record)
