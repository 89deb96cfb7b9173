"""Trees as drawings: lines for a terminal, Mermaid, DOT (Graphviz) and HTML.

类别: 否 6, 是 9
├─ 有自己的房子 = 否: 否 6, 是 3
│  ├─ 有工作 = 否 -> 否: 6 (rule 1)
│  └─ 有工作 = 是 -> 是: 3 (rule 2)
└─ 有自己的房子 = 是 -> 是: 6 (rule 3)

Each node shows the condition that leads to it and its training figures; a leaf also its prediction and the number of
its rule. With a `depth` the nodes below it are counted.
"""

from collections.abc import Callable
from itertools import islice
from typing import Any

from treerules.rendering.headings import heading
from treerules.rendering.text_contexts import GraphContext, GraphNode, HtmlNode, HtmlTreeContext, LinesContext
from treerules.rendering.text_tables import escape_unprintable
from treerules.report.drawn_nodes import DrawnNode, drawn_nodes
from treerules.report.report import Page, Report, ReportOption
from treerules.report.writers import MOST_ROWS
from treerules.trees.tree import Tree

#: Longer labels of graphs are cut: Graphviz takes no more than 16 kB.
_LONGEST = 1_000


def _lines(tree: Tree, lang: str, depth: int | None) -> Page:
    """Return a line for each node, joined to its parent by lines."""
    lines, stems = [], [""]  # the vertical lines before the children of each node on the path
    for node in drawn_nodes(tree, depth):
        del stems[node.depth + 1 :]
        stem = stems[node.depth]
        lines.append((stem[:-3] + ("└─ " if node.is_last else "├─ ") if node.depth else "") + _line(node, lang))
        stems.append((stem[:-3] + ("   " if node.is_last else "│  ") if node.depth else "") + "│  ")
    return Page("graph/tree.txt.j2", LinesContext(lines))


def _line(node: DrawnNode, lang: str) -> str:
    text = " -> ".join(part for part in (node.edge, node.label) if part)
    return escape_unprintable(f"{text}: {node.counts}{_remark(node, lang)}")


def _remark(node: DrawnNode, lang: str) -> str:
    """Return the rule of a leaf, or the number of nodes below that are not drawn."""
    if node.source is not None:
        return f" ({heading('rule {number}, from rule {source}', lang, number=node.rule, source=node.source)})"
    if node.rule:
        return f" ({heading('rule {number}', lang, number=node.rule)})"
    return f" ({heading('{n} more nodes', lang, n=node.hidden)})" if node.hidden else ""


# ---- graphs


def _graph(template: str, escaped: Callable[[str], str]) -> Callable[..., Page]:
    """Return the function that gives a tree as a graph, with labels escaped for its language."""

    def page(tree: Tree, lang: str, depth: int | None) -> Page:
        nodes = [
            GraphNode(
                node.number,
                node.parent,
                escaped(_cut(node.edge)),
                [escaped(_cut(line)) for line in (node.label, node.counts + _remark(node, lang)) if line],
                node.rule > 0,
            )
            for node in drawn_nodes(tree, depth)
        ]
        return Page(template, GraphContext(nodes))

    return page


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _mermaid_text(text: str) -> str:
    """Return text that Mermaid shows as it is: every character that may have a meaning as its number."""
    return "".join(c if c.isalnum() or c in " _.,=+/" else f"#{ord(c)};" for c in escape_unprintable(text))


def _dot_text(text: str) -> str:
    """Return text that Graphviz shows as it is; it reads backslashes and HTML entities in labels."""
    return escape_unprintable(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


# ---- HTML


def _html(tree: Tree, lang: str, depth: int | None) -> Page:
    """Return an indented line for each of the first nodes, and the number of the others."""
    drawn = drawn_nodes(tree, depth)
    nodes = [
        HtmlNode(
            node.depth,
            escape_unprintable(node.edge),
            escape_unprintable(node.label),
            escape_unprintable(node.counts + _remark(node, lang)),
        )
        for node in islice(drawn, MOST_ROWS)
    ]
    n_more = sum(1 for _ in drawn)
    more = heading("{n} more nodes", lang, n=n_more) if n_more else ""
    return Page("html/tree.html.j2", HtmlTreeContext(nodes, more))


def _is_depth(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


TREE = Report(
    Tree,
    {
        "text": _lines,
        "mermaid": _graph("graph/tree.mmd.j2", _mermaid_text),
        "dot": _graph("graph/tree.dot.j2", _dot_text),
        "html": _html,
    },
    options=[ReportOption("depth", None, _is_depth, "a whole number from 0, or None")],
)
