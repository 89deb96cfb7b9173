"""Importances: a row for each feature, the most important first.

JSON: {"format": "treerules.importances", "version": 1, "target", "method": "impurity" or "permutation", "measure",
"score", "repeats", "seed", "features": [{"feature", "value", "splits", "decrease", "sd", "drops"}]}. What only the
other method has is null; `drops` is empty for impurity.
"""

from collections.abc import Callable, Sequence
from typing import Any

from treerules.criteria.criterion import word_of
from treerules.evaluation.importances import Importance, Importances
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable, exact_text, json_number
from treerules.report.report import Page, Part, tables_report
from treerules.report.svg.importance_plot import importance_plot
from treerules.report.table_limits import TOP, more_line, shown_count
from treerules.rules.wording import figure_text, word

#: The headings of measures that differ from their names.
_MEASURES = {"r2": "R2"}


def _parts(importances: Importances, lang: str, top: int | None) -> list[Part]:
    ranked = importances.ranked[: shown_count(top, len(importances.ranked))]
    more = more_line(len(importances.ranked) - len(ranked), lang)
    return [_summary(importances, lang), _table(importances, ranked, lang, figure_text), *more]


def _summary(importances: Importances, lang: str) -> str:
    """Return the line that names the target and how importance was measured."""
    criterion = importances.criterion
    measure = heading(_MEASURES.get(importances.measure, importances.measure), lang)
    if criterion is not None:
        measure = word_of(criterion.measure, lang)
        text = "score of splits ({measure})" if criterion.impurity is None else "decrease of impurity ({measure})"
        method = heading(text, lang, measure=measure)
    else:
        text = "drop of {measure} {score} by shuffling {n}x (seed {seed})"
        score = figure_text(importances.score)
        method = heading(text, lang, measure=measure, score=score, n=importances.repeats, seed=importances.seed)
    return f"{word(importances.target.name)}: {method}"


def _exact_table(importances: Importances, lang: str, top: int | None) -> TextTable:
    return _table(importances, importances.ranked[: top or None], lang, exact_text)


def _table(
    importances: Importances, features: Sequence[Importance], lang: str, shown: Callable[[float | None], str]
) -> TextTable:
    """Return a row for each of some features, its figures as `shown` spells them."""
    second = ("decrease", "decrease") if importances.method == "impurity" else ("sd", "sd")
    columns = (("importance", "value"), second, ("splits", "n_splits"))
    rows = [
        [word(importance.feature), *(shown(getattr(importance, key)) for _, key in columns)] for importance in features
    ]
    names = [heading(name, lang) for name in ("feature", *(name for name, _ in columns))]
    return TextTable(names, rows, [False, *(True for _ in columns)])


def _record(importances: Importances, lang: str, top: int | None) -> dict[str, Any]:
    return {
        "format": "treerules.importances",
        "version": 1,
        "target": importances.target.name,
        "method": importances.method,
        "measure": importances.measure,
        "score": json_number(importances.score),
        "repeats": importances.repeats,
        "seed": importances.seed,
        "features": [_feature_record(importance) for importance in importances.ranked[: top or None]],
    }


def _feature_record(importance: Importance) -> dict[str, Any]:
    return {
        "feature": importance.feature,
        "value": json_number(importance.value),
        "splits": importance.n_splits,
        "decrease": json_number(importance.decrease),
        "sd": json_number(importance.sd),
        "drops": [json_number(drop) for drop in importance.drops],
    }


def _picture(importances: Importances, lang: str, top: int | None) -> Page:
    return importance_plot(importances, lang, top, _summary(importances, lang))


IMPORTANCES = tables_report(Importances, parts=_parts, table=_exact_table, record=_record, options=[TOP], svg=_picture)
