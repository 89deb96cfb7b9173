"""Cross-validations and grids as text, Markdown, CSV and JSON."""

from pathlib import Path
from typing import Any

from treerules.learning.cross_validation import RULES, CpRow, CrossValidation
from treerules.learning.recipe_comparison import RecipeComparison
from treerules.recipes.recipe_record import recipe_text
from treerules.rendering.headings import heading
from treerules.rendering.output_formats import json_text, require_format
from treerules.rendering.text_tables import TextTable, table_text
from treerules.rules.wording import figure_text

_CP_FIGURES = (
    ("cp", "cp"),
    ("alpha", "alpha"),
    ("splits", "n_splits"),
    ("relative error", "relative_error"),
    ("xerror", "xerror"),
    ("xstd", "xstd"),
)
_GRID_FIGURES = (
    ("error", "error"),
    ("standard error", "standard_error"),
    ("training error", "training_error"),
    ("leaves", "n_leaves"),
    ("depth", "depth"),
)


def cross_validation_text(
    found: CrossValidation, *, format: str = "text", lang: str = "en", templates: str | Path | None = None
) -> str:
    """Return a cp table as people read it, a row a subtree; the rows that the rules min and 1se choose say so.

    Errors are shares of the root's risk, as in rpart. Figures have four significant digits, in CSV and JSON they are
    exact. `lang` is that of headings: en or zh.

    The JSON is {"format": "treerules.cp_table", "version": 1, "target", "folds", "root_risk", "rows": [{"cp", "alpha",
    "n_splits", "relative_error", "xerror", "xstd", "chosen": [of "min", "1se"]}]}.

    Raises:
        UnknownNameError: there is no such format, or no such language.
    """
    require_format(format, lang)
    if format == "json":
        rows = [_cp_record(found, row) for row in found.rows]
        return json_text(
            {
                "format": "treerules.cp_table",
                "version": 1,
                "target": _target(found),
                "folds": found.n_folds,
                "root_risk": found.root_risk,
                "rows": rows,
            }
        )
    table = table_text(cp_table(found, lang, is_exact=format == "csv"), format, templates)
    return table if format == "csv" else f"{cp_summary(found, lang)}\n\n{table}"


def _cp_record(found: CrossValidation, row: CpRow) -> dict[str, Any]:
    return {
        "cp": row.cp,
        "alpha": row.alpha,
        "n_splits": row.n_splits,
        "relative_error": row.relative_error,
        "xerror": row.xerror,
        "xstd": row.xstd,
        "chosen": _choices(found, row),
    }


def cp_summary(found: CrossValidation, lang: str = "en") -> str:
    """Return the line that says what was cross-validated."""
    return heading(
        "{target}: {folds} folds, root risk {risk}",
        lang,
        target=_target(found),
        folds=found.n_folds,
        risk=figure_text(found.root_risk),
    )


def cp_table(found: CrossValidation, lang: str = "en", *, is_exact: bool = False) -> TextTable:
    """Return the cp table, the rows that a rule chooses marked."""
    show = repr if is_exact else figure_text
    rows = [
        [*(show(getattr(row, key)) for _, key in _CP_FIGURES), " ".join(_choices(found, row))] for row in found.rows
    ]
    names = [heading(name, lang) for name, _ in _CP_FIGURES]
    right = [*(True for _ in _CP_FIGURES), False]
    return TextTable([*names, heading("choice", lang)], rows, right, [bool(row[-1]) for row in rows])


def _choices(found: CrossValidation, row: CpRow) -> list[str]:
    return [rule for rule in RULES if found.row(rule) == row]  # type: ignore[arg-type]


def _target(found: CrossValidation) -> str:
    return found.tree.schema.target.name if found.tree.schema.target else ""


def grid_text(
    found: RecipeComparison, *, format: str = "text", lang: str = "en", templates: str | Path | None = None
) -> str:
    """Return a comparison of recipes as people read it, a row each; the best is marked.

    The JSON is {"format": "treerules.grid", "version": 1, "folds", "rows": [{"name", "recipe", "error",
    "standard_error", "training_error", "n_leaves", "depth"}]}. All else as in `cross_validation_text`.

    Raises:
        UnknownNameError: there is no such format, or no such language.
    """
    require_format(format, lang)
    if format == "json":
        rows = [
            {
                "name": row.name,
                "recipe": recipe_text(row.recipe),
                **{key: getattr(row, key) for _, key in _GRID_FIGURES},
            }
            for row in found.rows
        ]
        return json_text({"format": "treerules.grid", "version": 1, "folds": found.n_folds, "rows": rows})
    show = repr if format == "csv" else figure_text
    cells = [[row.name, *(show(getattr(row, key)) for _, key in _GRID_FIGURES)] for row in found.rows]
    names = [heading("recipe", lang), *(heading(name, lang) for name, _ in _GRID_FIGURES)]
    marked = [row == found.best for row in found.rows]
    return table_text(TextTable(names, cells, [False, *(True for _ in _GRID_FIGURES)], marked), format, templates)
