"""Comparisons of recipes: a row for each recipe; the best is marked.

JSON: {"format": "treerules.grid", "version": 1, "folds", "rows": [{"name", "recipe", "error", "standard_error",
"training_error", "n_leaves", "depth"}]}.
"""

from collections.abc import Callable
from typing import Any

from treerules.learning.recipe_comparison import RecipeComparison
from treerules.recipes.recipe_record import recipe_text
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable
from treerules.report.report import Part, tables_report
from treerules.rules.wording import figure_text

#: The headings, and the fields of RecipeResult.
_FIGURES = (
    ("error", "error"),
    ("standard error", "standard_error"),
    ("training error", "training_error"),
    ("leaves", "n_leaves"),
    ("depth", "depth"),
)


def _parts(comparison: RecipeComparison, lang: str) -> list[Part]:
    return [_table(comparison, lang, figure_text)]


def _exact_table(comparison: RecipeComparison, lang: str) -> TextTable:
    return _table(comparison, lang, repr)


def _table(comparison: RecipeComparison, lang: str, shown: Callable[[Any], str]) -> TextTable:
    cells = [[row.name, *(shown(getattr(row, key)) for _, key in _FIGURES)] for row in comparison.rows]
    names = [heading("recipe", lang), *(heading(name, lang) for name, _ in _FIGURES)]
    marked = [row == comparison.best for row in comparison.rows]
    return TextTable(names, cells, [False, *(True for _ in _FIGURES)], marked)


def _record(comparison: RecipeComparison, lang: str) -> dict[str, Any]:
    rows = [
        {"name": row.name, "recipe": recipe_text(row.recipe), **{key: getattr(row, key) for _, key in _FIGURES}}
        for row in comparison.rows
    ]
    return {"format": "treerules.grid", "version": 1, "folds": comparison.n_folds, "rows": rows}


RECIPE_COMPARISON = tables_report(RecipeComparison, parts=_parts, table=_exact_table, record=_record)
