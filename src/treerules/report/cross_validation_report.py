"""Cross-validations: the cp table, a row for each subtree; the rows that the rules min and 1se choose are marked.

Errors are shares of the root's risk, as in rpart. JSON: {"format": "treerules.cp_table", "version": 1, "target",
"folds", "root_risk", "rows": [{"cp", "alpha", "n_splits", "relative_error", "xerror", "xstd", "chosen": [of "min",
"1se"]}]}.
"""

from collections.abc import Callable, Sequence
from typing import Any

from treerules.learning.cross_validation import RULES, CpRow, CrossValidation
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable
from treerules.report.report import Page, Part, tables_report
from treerules.report.svg.cp_plot import cp_plot
from treerules.report.table_limits import TOP, first_and_marked, more_line, shown_count
from treerules.rules.wording import figure_text

#: The headings, and the fields of CpRow.
_FIGURES = (
    ("cp", "cp"),
    ("alpha", "alpha"),
    ("splits", "n_splits"),
    ("relative error", "relative_error"),
    ("xerror", "xerror"),
    ("xstd", "xstd"),
)


def _parts(validation: CrossValidation, lang: str, top: int | None) -> list[Part]:
    chosen = [bool(_choices(validation, row)) for row in validation.rows]
    rows = list(first_and_marked(validation.rows, shown_count(top, len(chosen)), chosen))
    more = more_line(len(chosen) - len(rows), lang)
    return [_summary(validation, lang), _table(validation, rows, lang, figure_text), *more]


def _summary(validation: CrossValidation, lang: str) -> str:
    """Return the line that names the target, the folds and the root's risk."""
    return heading(
        "{target}: {folds} folds, root risk {risk}",
        lang,
        target=_target(validation),
        folds=validation.n_folds,
        risk=figure_text(validation.root_risk),
    )


def _exact_table(validation: CrossValidation, lang: str, top: int | None) -> TextTable:
    return _table(validation, validation.rows[: top or None], lang, repr)


def _table(
    validation: CrossValidation, rows_shown: Sequence[CpRow], lang: str, shown: Callable[[Any], str]
) -> TextTable:
    rows = [
        [*(shown(getattr(row, key)) for _, key in _FIGURES), " ".join(_choices(validation, row))] for row in rows_shown
    ]
    names = [heading(name, lang) for name, _ in _FIGURES]
    right = [*(True for _ in _FIGURES), False]
    return TextTable([*names, heading("choice", lang)], rows, right, [bool(row[-1]) for row in rows])


def _choices(validation: CrossValidation, row: CpRow) -> list[str]:
    return [rule for rule in RULES if validation.row(rule) == row]  # type: ignore[arg-type]


def _target(validation: CrossValidation) -> str:
    return validation.tree.schema.target.name if validation.tree.schema.target else ""


def _record(validation: CrossValidation, lang: str, top: int | None) -> dict[str, Any]:
    return {
        "format": "treerules.cp_table",
        "version": 1,
        "target": _target(validation),
        "folds": validation.n_folds,
        "root_risk": validation.root_risk,
        "rows": [_row_record(validation, row) for row in validation.rows[: top or None]],
    }


def _row_record(validation: CrossValidation, row: CpRow) -> dict[str, Any]:
    return {
        "cp": row.cp,
        "alpha": row.alpha,
        "n_splits": row.n_splits,
        "relative_error": row.relative_error,
        "xerror": row.xerror,
        "xstd": row.xstd,
        "chosen": _choices(validation, row),
    }


def _picture(validation: CrossValidation, lang: str, top: int | None) -> Page:
    return cp_plot(validation, lang)


CROSS_VALIDATION = tables_report(
    CrossValidation, parts=_parts, table=_exact_table, record=_record, options=[TOP], svg=_picture
)
