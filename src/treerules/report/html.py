"""Trees, rules and gains as HTML for notebooks. Every text is escaped by the templates."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from treerules.evaluation.gain_records import FeatureGains
from treerules.rendering.headings import heading
from treerules.rendering.templates import rendered
from treerules.rendering.text_tables import TextTable, printable
from treerules.report.feature_gains_report import gains_tables, summary
from treerules.report.rule_text import rules_table
from treerules.report.tree_drawing import MOST_NODES, drawn
from treerules.rules.rule_set import RuleSet
from treerules.trees.tree import Tree, preorder


def tree_html(tree: Tree) -> str:
    """Return a tree as HTML: a line a node, indented; the first 500 nodes."""
    shown = list(islice(drawn(tree), MOST_NODES))
    rows = [
        {
            "depth": node.depth,
            "edge": printable(node.edge),
            "label": printable(node.label),
            "counts": printable(node.counts),
            "rule": node.rule,
        }
        for node in shown
    ]
    left_out = sum(1 for _ in preorder(tree.root)) - len(shown)
    more = heading("{n} more nodes", n=left_out) if left_out else ""
    return rendered("html/tree.html.j2", nodes=rows, more=more)


def rules_html(rules: RuleSet) -> str:
    """Return rules as an HTML table; the first 500."""
    table = rules_table(rules)
    left_out = len(table.rows) - MOST_NODES
    more = f"{left_out} more rules" if left_out > 0 else ""
    return rendered("html/tables.html.j2", tables=[_table(table)], summary=_summary(rules), more=more)


def _summary(rules: RuleSet) -> str:
    """Return the line below a table of rules, which does not depend on what the class is called."""
    target = rules.schema.target.name if rules.schema.target else ""
    return f"<RuleSet {target!r} rules={len(rules)}>"


def gains_html(gains: FeatureGains) -> str:
    """Return gains as two HTML tables."""
    tables = [_table(table) for table in gains_tables(gains)]
    return rendered("html/tables.html.j2", tables=tables, summary=summary(gains), more="")


def _table(table: TextTable) -> dict[str, Any]:
    rows: Sequence[tuple[str, ...]] = table.rows[:MOST_NODES]
    marked = table.marked or (False,) * len(table.rows)
    return {
        "headings": [printable(cell) for cell in table.headings],
        "rows": [
            {"cells": [printable(cell) for cell in row], "marked": is_marked}
            for row, is_marked in zip(rows, marked, strict=False)
        ],
        "right": table.right,
    }
