"""What a page shows of rows of data: how well the model predicts them, the cp table, and importances.

Each part is HTML or SVG as `render` writes it, with a heading. Only figures stand in it, no row.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from treerules.data.table import Table
from treerules.errors import TreeRulesError
from treerules.evaluation.evaluation import evaluate
from treerules.evaluation.importances import permutation_importances
from treerules.learning.cross_validation import cross_validate
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import escape_unprintable
from treerules.report.cross_validation_report import CROSS_VALIDATION
from treerules.report.evaluation_report import EVALUATION
from treerules.report.importances_report import IMPORTANCES
from treerules.report.render_report import render_report
from treerules.report.report import Report
from treerules.trees.ensemble import Ensemble
from treerules.trees.tree import Tree

#: A heading, a fragment of HTML or SVG, and where it could not be made the reason.
DataPart = tuple[str, str, str]


def data_parts(model: Tree | Ensemble, table: Table, lang: str, templates: str | Path | None) -> Iterator[DataPart]:
    """Yield the parts on a table.

    A tree that was not learned has no cp table, and the reason stands in its place. An ensemble has the first part.

    Raises:
        DataError, ColumnError: the table lacks the target or a column that the tree tests.
    """
    evaluation = evaluate(model, table)
    html = render_report(EVALUATION, evaluation, format="html", lang=lang, templates=templates)
    yield heading("Predictions of the rows of data", lang), _without_style(html), ""

    if isinstance(model, Ensemble):
        return
    tree = model

    def part(name: str, report: Report, compute: Callable[[], Any]) -> DataPart:
        try:
            result = compute()
        except TreeRulesError as error:
            return heading(name, lang), "", escape_unprintable(str(error))
        return heading(name, lang), render_report(report, result, format="svg", lang=lang, templates=templates), ""

    yield part("Cross-validation", CROSS_VALIDATION, lambda: cross_validate(table, tree=tree))
    yield part("Importances", IMPORTANCES, lambda: permutation_importances(tree, table))


def _without_style(html: str) -> str:
    """Return the HTML of a result without its style, for a page that has one for all."""
    return re.sub(r"<style>.*?</style>\n", "", html, flags=re.DOTALL)
