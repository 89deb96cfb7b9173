"""Evaluations: the metrics, the confusion matrix, precision and recall of each class.

CSV    a row for each metric and each cell of the confusion matrix: figure (the name of the metric), class, predicted,
       value; only the cells of the matrix name what was predicted
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

#: The metrics of each task: the heading, and the field of Evaluation.
_CLASSIFICATION_METRICS = (
    ("accuracy", "accuracy"),
    ("balanced accuracy", "balanced_accuracy"),
    ("log loss (nats)", "log_loss"),
    ("Brier score", "brier"),
    ("AUC", "auc"),
)
_REGRESSION_METRICS = (("RMSE", "rmse"), ("MAE", "mae"), ("R2", "r2"))
#: The metrics of each label: the heading, and the field of LabelFigures.
_LABEL_METRICS = (("n", "n"), ("precision", "precision"), ("recall", "recall"), ("F1", "f1"))


def _parts(evaluation: Evaluation, lang: str) -> list[Part]:
    """Return the summary, the table of metrics and, for a classification, the confusion matrix and the labels."""
    parts: list[Part] = [_summary(evaluation, lang), _metrics_table(evaluation, lang)]
    if evaluation.is_regression:
        return parts
    return [*parts, _confusion_table(evaluation, lang), _labels_table(evaluation, lang)]


def _summary(evaluation: Evaluation, lang: str) -> str:
    """Return the line that names the target and the number of rows."""
    rows = row_count(evaluation.n, lang)
    if evaluation.weight != evaluation.n:
        rows = heading("{rows}, weight {weight}", lang, rows=rows, weight=figure_text(evaluation.weight))
    return f"{word(evaluation.target.name)}: {rows}"


def _metrics_table(evaluation: Evaluation, lang: str) -> TextTable:
    rows = [[heading(name, lang), figure_text(value)] for name, value in _metrics(evaluation)]
    return TextTable([heading("figure", lang), heading("value", lang)], rows, [False, True])


def _metrics(evaluation: Evaluation) -> list[tuple[str, float | None]]:
    """Return the heading and the value of each metric of the task."""
    return [(name, getattr(evaluation, key)) for name, key in _metric_fields(evaluation)]


def _metric_fields(evaluation: Evaluation) -> tuple[tuple[str, str], ...]:
    """Return the heading and the field of each metric of the task."""
    return _REGRESSION_METRICS if evaluation.is_regression else _CLASSIFICATION_METRICS


def _confusion_table(evaluation: Evaluation, lang: str) -> TextTable:
    """Return the confusion matrix: a row for each true label, a column for each class of the tree.

    There are more rows than columns if the table has labels that the tree does not know.
    """
    form = evaluation.target.form
    classes = [word(label, form) for label in evaluation.classes]
    rows = [
        [word(label, form), *map(figure_text, counts)]
        for label, counts in zip(evaluation.labels, evaluation.confusion, strict=True)
    ]
    right_aligned = [False, *(True for _ in classes)]
    return TextTable([heading("true \\ predicted", lang), *classes], rows, right_aligned)


def _labels_table(evaluation: Evaluation, lang: str) -> TextTable:
    """Return a table with a row for each label: n, precision, recall, F1."""
    form = evaluation.target.form
    rows = [
        [word(figures.label, form), *(figure_text(getattr(figures, key)) for _, key in _LABEL_METRICS)]
        for figures in evaluation.by_label
    ]
    names = [heading("class", lang), *(heading(name, lang) for name, _ in _LABEL_METRICS)]
    return TextTable(names, rows, [False, *(True for _ in _LABEL_METRICS)])


def _long_table(evaluation: Evaluation, lang: str) -> TextTable:
    """Return the table for CSV, with a row for each metric and each cell of the confusion matrix.

    The columns are the name of the metric, the class and the prediction that it is about, and its exact value.
    """
    overall: list[tuple[str, float | None]] = [("n", evaluation.n), ("weight", evaluation.weight)]
    rows = [[heading(name, lang), "", "", exact_text(value)] for name, value in [*overall, *_metrics(evaluation)]]
    form = evaluation.target.form
    for figures, counts in zip(evaluation.by_label, evaluation.confusion, strict=True):
        label = word(figures.label, form)
        rows += [[heading(name, lang), label, "", exact_text(getattr(figures, key))] for name, key in _LABEL_METRICS]
        rows += [
            [heading("confusion", lang), label, word(predicted, form), exact_text(count)]
            for predicted, count in zip(evaluation.classes, counts, strict=True)
        ]
    return TextTable([heading(name, lang) for name in ("figure", "class", "predicted", "value")], rows)


def _record(evaluation: Evaluation, lang: str) -> dict[str, Any]:
    """Return the JSON record; an infinite log loss is the text "inf"."""
    record = {
        "format": "treerules.evaluation",
        "version": 1,
        "target": evaluation.target.name,
        "n": evaluation.n,
        "weight": evaluation.weight,
        **{key: json_number(getattr(evaluation, key)) for _, key in _metric_fields(evaluation)},
    }
    if evaluation.is_regression:
        return record
    labels = [
        {"label": json_number(figures.label), **{key: getattr(figures, key) for _, key in _LABEL_METRICS}}
        for figures in evaluation.by_label
    ]
    classes = [json_number(label) for label in evaluation.classes]
    return {**record, "classes": classes, "labels": labels, "confusion": evaluation.confusion}


EVALUATION = tables_report(Evaluation, parts=_parts, table=_long_table, record=_record)
