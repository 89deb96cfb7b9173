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
from treerules.growing.problem_from_tree import problem_from_tree
from treerules.learning.cross_validation import cross_validate
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import escape_unprintable
from treerules.report.cross_validation_report import CROSS_VALIDATION
from treerules.report.evaluation_report import EVALUATION
from treerules.report.importances_report import IMPORTANCES
from treerules.report.render_report import render_report
from treerules.report.report import Report
from treerules.trees.ensemble import Ensemble
from treerules.trees.provenance import hash_of
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
    name = "Predictions of the training rows" if _is_training(model, table) else "Predictions of the rows of data"
    yield heading(name, lang), _without_style(html), ""

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


def _is_training(model: Tree | Ensemble, table: Table) -> bool:
    """Return whether a table holds the rows that a tree was learned from."""
    if not isinstance(model, Tree) or model.origin is None or model.recipe is None or model.origin.weight == "":
        return False
    try:
        problem = problem_from_tree(model, table, model.origin.weight)
    except TreeRulesError:  # the table lacks a column of the model, or holds other classes
        return False
    return hash_of(problem.columns, problem.target, problem.weights) == model.origin.data


def _without_style(html: str) -> str:
    """Return the HTML of a result without its style, for a page that has one for all."""
    return re.sub(r"<style>.*?</style>\n", "", html, flags=re.DOTALL)
