"""Evaluations and importances as text, Markdown, CSV and JSON."""

from pathlib import Path
from typing import Any

from treerules.criteria import word_of
from treerules.evaluation.evaluation import Evaluation
from treerules.evaluation.importances import Importance, Importances
from treerules.rendering.headings import heading
from treerules.rendering.output_formats import json_text, require_format
from treerules.rendering.text_tables import TextTable, finite, table_text
from treerules.rules.wording import figure_text, word

#: The figures of each task: the heading, and the field of Evaluation.
_OF_CLASSES = (
    ("accuracy", "accuracy"),
    ("balanced accuracy", "balanced_accuracy"),
    ("log loss", "log_loss"),
    ("Brier score", "brier"),
    ("AUC", "auc"),
)
_OF_MEANS = (("RMSE", "rmse"), ("MAE", "mae"), ("R2", "r2"))
_OF_LABELS = (("n", "n"), ("precision", "precision"), ("recall", "recall"), ("F1", "f1"))
#: What the measures of importances by permutation are called.
_MEASURES = {"r2": "R2"}


# ---- evaluations


def evaluation_text(
    evaluation: Evaluation, *, format: str = "text", lang: str = "en", templates: str | Path | None = None
) -> str:
    """Return an evaluation as people read it: the figures, the confusion matrix, precision and recall of each label.

    Figures have four significant digits, in CSV and JSON they are exact; one that there is not is - in text, empty in
    CSV, null in JSON. The CSV has the columns figure, class, predicted, value, a row for each figure: those of a label
    name their class, those of the confusion matrix also what was predicted. `lang` is that of headings: en or zh.

    The JSON is {"format": "treerules.evaluation", "version": 1, "target", "n", "weight", "accuracy",
    "balanced_accuracy", "log_loss", "brier", "auc", "classes", "labels": [{"label", "n", "precision", "recall", "f1"}],
    "confusion": a row for each label, with the weight of each predicted class}; of a regression {"format", "version",
    "target", "n", "weight", "rmse", "mae", "r2"}.

    Raises:
        UnknownNameError: there is no such format, or no such language.
    """
    require_format(format, lang)
    if format == "json":
        return json_text(_evaluation_record(evaluation))
    if format == "csv":
        return table_text(_long_table(evaluation, lang), "csv")
    tables = [table_text(table, format, templates) for table in evaluation_tables(evaluation, lang)]
    return "\n".join([evaluation_summary(evaluation, lang) + "\n", *tables])


def evaluation_summary(evaluation: Evaluation, lang: str = "en") -> str:
    """Return the line that says what was judged."""
    rows = heading("{n} row" if evaluation.n == 1 else "{n} rows", lang, n=evaluation.n)
    if evaluation.weight != evaluation.n:
        rows = heading("{rows}, weight {weight}", lang, rows=rows, weight=figure_text(evaluation.weight))
    return f"{word(evaluation.target.name)}: {rows}"


def evaluation_tables(evaluation: Evaluation, lang: str = "en") -> list[TextTable]:
    """Return the table of figures and, of a classification, the confusion matrix and the table of labels."""
    figures = [[heading(name, lang), figure_text(value)] for name, value in _figures(evaluation)]
    first = TextTable([heading("figure", lang), heading("value", lang)], figures, [False, True])
    if evaluation.is_regression:
        return [first]
    form = evaluation.target.form
    classes, labels = ([word(label, form) for label in some] for some in (evaluation.classes, evaluation.labels))
    rows = [[label, *map(figure_text, counts)] for label, counts in zip(labels, evaluation.confusion, strict=True)]
    right = [False, *(True for _ in classes)]
    confusion = TextTable([heading("true \\ predicted", lang), *classes], rows, right)
    by_label = [
        [label, *(figure_text(getattr(found, key)) for _, key in _OF_LABELS)]
        for label, found in zip(labels, evaluation.by_label, strict=True)
    ]
    names = [heading("class", lang), *(heading(name, lang) for name, _ in _OF_LABELS)]
    return [first, confusion, TextTable(names, by_label, [False, *(True for _ in _OF_LABELS)])]


def _figures(evaluation: Evaluation) -> list[tuple[str, float | None]]:
    names = _OF_MEANS if evaluation.is_regression else _OF_CLASSES
    return [(name, getattr(evaluation, key)) for name, key in names]


def _long_table(evaluation: Evaluation, lang: str) -> TextTable:
    """Return a row for each figure: its name, the class and the prediction that it is about, its exact value."""
    whole: list[tuple[str, float | None]] = [("n", evaluation.n), ("weight", evaluation.weight), *_figures(evaluation)]
    rows = [[heading(name, lang), "", "", _exact(value)] for name, value in whole]
    form = evaluation.target.form
    for found, counts in zip(evaluation.by_label, evaluation.confusion, strict=True):
        label = word(found.label, form)
        rows += [[heading(name, lang), label, "", _exact(getattr(found, key))] for name, key in _OF_LABELS]
        rows += [
            [heading("confusion", lang), label, word(predicted, form), _exact(count)]
            for predicted, count in zip(evaluation.classes, counts, strict=True)
        ]
    return TextTable([heading(name, lang) for name in ("figure", "class", "predicted", "value")], rows)


def _evaluation_record(evaluation: Evaluation) -> dict[str, Any]:
    names = _OF_MEANS if evaluation.is_regression else _OF_CLASSES
    record = {
        "format": "treerules.evaluation",
        "version": 1,
        "target": evaluation.target.name,
        "n": evaluation.n,
        "weight": evaluation.weight,
        **{key: finite(getattr(evaluation, key)) for _, key in names},
    }
    if evaluation.is_regression:
        return record
    labels = [
        {"label": finite(found.label), **{key: getattr(found, key) for _, key in _OF_LABELS}}
        for found in evaluation.by_label
    ]
    classes = [finite(label) for label in evaluation.classes]
    return {**record, "classes": classes, "labels": labels, "confusion": evaluation.confusion}


# ---- importances


def importances_text(
    importances: Importances, *, format: str = "text", lang: str = "en", templates: str | Path | None = None
) -> str:
    """Return importances as people read them, a row for each feature, the most important first.

    Figures have four significant digits, in CSV and JSON they are exact. `lang` is that of headings: en or zh.

    The JSON is {"format": "treerules.importances", "version": 1, "target", "method": "impurity" or "permutation",
    "measure", "score", "repeats", "seed", "features": [{"feature", "value", "splits", "decrease", "sd", "drops"}]};
    null is what the other method has, and `drops` is empty by impurity.

    Raises:
        UnknownNameError: there is no such format, or no such language.
    """
    require_format(format, lang)
    if format == "json":
        return json_text(_importances_record(importances))
    if format == "csv":
        return table_text(importances_table(importances, lang, exact=True), "csv")
    table = table_text(importances_table(importances, lang), format, templates)
    return f"{importances_summary(importances, lang)}\n\n{table}"


def importances_summary(importances: Importances, lang: str = "en") -> str:
    """Return the line that says what the importances are of."""
    criterion = importances.criterion
    measure = heading(_MEASURES.get(importances.measure, importances.measure), lang)
    if criterion is not None:
        measure = word_of(criterion.measure, lang)
        text = "score of splits ({measure})" if criterion.impurity is None else "decrease of impurity ({measure})"
        said = heading(text, lang, measure=measure)
    else:
        text = "drop of {measure} {score} by shuffling {n}x (seed {seed})"
        score = figure_text(importances.score)
        said = heading(text, lang, measure=measure, score=score, n=importances.repeats, seed=importances.seed)
    return f"{word(importances.target.name)}: {said}"


def importances_table(importances: Importances, lang: str = "en", *, exact: bool = False) -> TextTable:
    """Return a row for each feature, the most important first; `exact` is for machines."""
    second = ("decrease", "decrease") if importances.method == "impurity" else ("sd", "sd")
    columns = (("importance", "value"), second, ("splits", "n_splits"))
    shown = _exact if exact else figure_text
    rows = [[word(found.feature), *(shown(getattr(found, key)) for _, key in columns)] for found in importances.ranked]
    names = [heading(name, lang) for name in ("feature", *(name for name, _ in columns))]
    return TextTable(names, rows, [False, *(True for _ in columns)])


def _importances_record(importances: Importances) -> dict[str, Any]:
    return {
        "format": "treerules.importances",
        "version": 1,
        "target": importances.target.name,
        "method": importances.method,
        "measure": importances.measure,
        "score": finite(importances.score),
        "repeats": importances.repeats,
        "seed": importances.seed,
        "features": [_importance_record(found) for found in importances.ranked],
    }


def _importance_record(found: Importance) -> dict[str, Any]:
    return {
        "feature": found.feature,
        "value": finite(found.value),
        "splits": found.n_splits,
        "decrease": finite(found.decrease),
        "sd": finite(found.sd),
        "drops": [finite(drop) for drop in found.drops],
    }


# ---- both


def _exact(value: float | None) -> str:
    return "" if value is None else repr(value)
