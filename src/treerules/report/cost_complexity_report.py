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
from treerules.rules.wording import figure_text


def _parts(path: CostComplexityPath, lang: str) -> list[Part]:
    return [_table(path, lang, figure_text)]


def _exact_table(path: CostComplexityPath, lang: str) -> TextTable:
    return _table(path, lang, repr)


def _table(path: CostComplexityPath, lang: str, shown: Callable[[Any], str]) -> TextTable:
    rows = [[shown(step.alpha), str(step.n_leaves), shown(step.risk)] for step in path.steps]
    return TextTable([heading(name, lang) for name in ("alpha", "leaves", "risk")], rows, [True, True, True])


def _record(path: CostComplexityPath, lang: str) -> dict[str, Any]:
    target = path.tree.schema.target
    return {
        "format": "treerules.cost_complexity_path",
        "version": 1,
        "target": target.name if target else None,
        "risk": path.risk,
        "steps": [{"alpha": step.alpha, "leaves": step.n_leaves, "risk": step.risk} for step in path.steps],
    }


COST_COMPLEXITY_PATH = tables_report(CostComplexityPath, parts=_parts, table=_exact_table, record=_record)
