"""Cost-complexity paths: a row for each subtree.

JSON: {"format": "treerules.cost_complexity_path", "version": 1, "target", "risk", "steps": [{"alpha", "leaves",
"risk"}]}.
"""

from collections.abc import Callable
from typing import Any

from treerules.pruning.cost_complexity import CostComplexityPath
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable
from treerules.report.report import Part, tables_report
from treerules.report.table_limits import TOP, more_line, shown_count
from treerules.rules.wording import figure_text


def _parts(path: CostComplexityPath, lang: str, top: int | None) -> list[Part]:
    n = shown_count(top, len(path.steps))
    return [_table(path, n, lang, figure_text), *more_line(len(path.steps) - n, lang)]


def _exact_table(path: CostComplexityPath, lang: str, top: int | None) -> TextTable:
    return _table(path, top or len(path.steps), lang, repr)


def _table(path: CostComplexityPath, n: int, lang: str, shown: Callable[[Any], str]) -> TextTable:
    rows = [[shown(step.alpha), str(step.n_leaves), shown(step.risk)] for step in path.steps[:n]]
    return TextTable([heading(name, lang) for name in ("alpha", "leaves", "risk")], rows, [True, True, True])


def _record(path: CostComplexityPath, lang: str, top: int | None) -> dict[str, Any]:
    target = path.tree.schema.target
    return {
        "format": "treerules.cost_complexity_path",
        "version": 1,
        "target": target.name if target else None,
        "risk": path.risk,
        "steps": [
            {"alpha": step.alpha, "leaves": step.n_leaves, "risk": step.risk} for step in path.steps[: top or None]
        ],
    }


COST_COMPLEXITY_PATH = tables_report(
    CostComplexityPath, parts=_parts, table=_exact_table, record=_record, options=[TOP]
)
