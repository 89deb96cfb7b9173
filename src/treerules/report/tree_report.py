"""Trees as drawings: lines for a terminal, Mermaid, DOT (Graphviz), HTML and SVG (`svg/`).

类别: 否 6, 是 9
├─ 有自己的房子 = 否: 否 6, 是 3
│  ├─ 有工作 = 否 -> 否: 否 6 (rule 1)
│  └─ 有工作 = 是 -> 是: 是 3 (rule 2)
└─ 有自己的房子 = 是 -> 是: 是 6 (rule 3)

missing or unseen 有工作: as 有工作 = 否
missing or unseen 有自己的房子: as 有自己的房子 = 否

Each node shows the condition that leads to it and its training figures; a leaf also its prediction and the number of
its rule. With a `depth` the nodes below it are counted. In Mermaid and DOT the last lines are comments.
"""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from treerules._internal.notes import or_none
from treerules.errors import OptionError
from treerules.proof.assumption import assuming_line, assumption_of
from treerules.rendering.headings import heading
from treerules.rendering.text_contexts import GraphContext, GraphNode, HtmlNode, HtmlTreeContext, LinesContext
from treerules.rendering.text_tables import escape_unprintable
from treerules.report.drawn_nodes import DrawnNode, drawn_nodes
from treerules.report.phrasing_options import PHRASING_OPTIONS
from treerules.report.report import Page, Report, ReportOption
from treerules.report.svg.regions_plot import regions_plot
from treerules.report.svg.tree_picture import tree_picture
from treerules.report.unsaid_lines import unsaid_lines
from treerules.report.writers import MOST_ROWS
from treerules.rules.compile import compile_rules
from treerules.rules.phrasing import Phrasing, phrasing_for
from treerules.trees.nodes import Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import descend

#: Longer labels of graphs are cut: Graphviz takes no more than 16 kB.
_LONGEST = 1_000


def _phrasing_and_lines(
    tree: Tree, lang: str, depth: int | None, options: Mapping[str, Any]
) -> tuple[Phrasing, list[str]]:
    """Return how conditions are phrased, and the lines on missing and unseen values and on what is assumed of them."""
    phrasing = phrasing_for(None if tree.origin is None else tree.origin.values, lang, **options)
    if phrasing.training is None and not tree.domain:
        return phrasing, []
    rules = compile_rules(tree)
    line = assuming_line(assumption_of(rules, tree.domain, lang), lang)
    return phrasing, [*unsaid_lines(rules, phrasing, lang, _tested_columns(tree, depth)), *([line] if line else [])]


def _tested_columns(tree: Tree, depth: int | None) -> set[str]:
    """Return the names of the columns that splits above a depth test."""
    levels = descend(tree.root, 0, lambda split, level: [level + 1] * len(split.children))
    tested = {
        node.test.feature for node, level in levels if isinstance(node, Split) and (depth is None or level < depth)
    }
    return {tree.schema.features[index].name for index in tested}


def _lines(tree: Tree, lang: str, depth: int | None, **options: Any) -> Page:
    """Return the page of a drawing in text, one line for each node."""
    phrasing, remarks = _phrasing_and_lines(tree, lang, depth, options)
    lines, prefixes = [], [""]  # by depth, what is to the left of the joints of the nodes on the path
    for node in drawn_nodes(tree, depth, phrasing):
        joint, below = _joint(node)
        del prefixes[node.depth + 1 :]
        prefix = prefixes[node.depth]
        lines.append(prefix + joint + _line(node, lang))
        prefixes.append(prefix + below)
    below_tree = ["", *map(escape_unprintable, remarks)] if remarks else []
    return Page("graph/tree.txt.j2", LinesContext([*lines, *below_tree]))


def _joint(node: DrawnNode) -> tuple[str, str]:
    """Return what joins a node to its parent: on its own line, and on the lines of the nodes below it."""
    if not node.depth:
        return "", ""
    return ("└─ ", "   ") if node.is_last else ("├─ ", "│  ")


def _line(node: DrawnNode, lang: str) -> str:
    text = " -> ".join(part for part in (node.edge, node.label) if part)
    return escape_unprintable(f"{text}: {node.counts}{_remark(node, lang)}")


def _remark(node: DrawnNode, lang: str) -> str:
    """Return the rule of a leaf, or the number of nodes below that are not drawn, with a leading blank; "" if neither
    applies.
    """
    if node.source is not None:
        return f" ({heading('rule {number}, from rule {source}', lang, number=node.rule, source=node.source)})"
    if node.rule:
        return f" ({heading('rule {number}', lang, number=node.rule)})"
    return f" ({heading('{n} more nodes', lang, n=node.hidden)})" if node.hidden else ""


# ---- graphs


def _graph(template: str, escape: Callable[[str], str]) -> Callable[..., Page]:
    """Return the content function that draws a tree with `template`; `escape` makes a label safe in Mermaid or DOT."""

    def page(tree: Tree, lang: str, depth: int | None, **options: Any) -> Page:
        phrasing, remarks = _phrasing_and_lines(tree, lang, depth, options)
        nodes = [
            GraphNode(
                number=node.number,
                parent=node.parent,
                edge=escape(_cut(node.edge)),
                lines=[escape(_cut(line)) for line in (node.label, node.counts + _remark(node, lang)) if line],
                is_leaf=node.rule > 0,
            )
            for node in drawn_nodes(tree, depth, phrasing)
        ]
        comments = [_cut(escape_unprintable(line).replace('"', "'")) for line in remarks]
        return Page(template, GraphContext(nodes, comments))

    return page


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _mermaid_text(text: str) -> str:
    """Return text as Mermaid shows it: characters other than letters, digits and ` _.,=+/` become #CODE;."""
    return "".join(c if c.isalnum() or c in " _.,=+/" else f"#{ord(c)};" for c in escape_unprintable(text))


def _dot_text(text: str) -> str:
    """Return text that Graphviz shows as it is; it reads backslashes and HTML entities in labels."""
    return escape_unprintable(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


# ---- HTML


def _html(tree: Tree, lang: str, depth: int | None, **options: Any) -> Page:
    """Return the page of a picture, the first MOST_ROWS nodes in preorder, and the number of the remaining ones."""
    phrasing, remarks = _phrasing_and_lines(tree, lang, depth, options)
    drawn = drawn_nodes(tree, depth, phrasing)
    shown = list(islice(drawn, MOST_ROWS))
    nodes = [
        HtmlNode(
            depth=node.depth,
            edge=escape_unprintable(node.edge),
            label=escape_unprintable(node.label),
            counts=escape_unprintable(node.counts + _remark(node, lang)),
            has_children=depth_after > node.depth,
            n_closed=max(0, node.depth - depth_after),
        )
        for node, depth_after in zip(shown, [*(node.depth for node in shown[1:]), 0], strict=True)
    ]
    n_more = sum(1 for _ in drawn)  # islice left these
    more = heading("{n} more nodes", lang, n=n_more) if n_more else ""
    picture = tree_picture(tree, lang, depth, phrasing, (), None).context.picture
    list_heading = heading("all nodes as a list", lang)
    return Page(
        "html/tree.html.j2", HtmlTreeContext(picture, list_heading, nodes, more, map(escape_unprintable, remarks))
    )


def _svg(
    tree: Tree,
    lang: str,
    depth: int | None,
    row: Mapping[str, Any] | None,
    regions: tuple[str, str] | None,
    **options: Any,
) -> Page:
    """Return the page of a picture: of the tree, or of the regions of two features.

    Raises:
        OptionError: The tree does not divide the plane of these features.
    """
    phrasing, remarks = _phrasing_and_lines(tree, lang, depth, options)
    if regions is not None:
        return regions_plot(tree, regions, lang, phrasing)
    return tree_picture(tree, lang, depth, phrasing, remarks, row)


def _not_svg(draw: Callable[..., Page]) -> Callable[..., Page]:
    """Return the content function of a format that does not have the options of pictures: it refuses them."""

    def page(tree: Tree, lang: str, depth: int | None, row: Any, regions: Any, **options: Any) -> Page:
        for name, value in (("row", row), ("regions", regions)):
            if value is not None:
                raise OptionError(name, value, "None: it is for the format svg")
        return draw(tree, lang, depth, **options)

    return page


def _is_row(value: Any) -> bool:
    return value is None or isinstance(value, Mapping)


def _is_pair(value: Any) -> bool:
    return value is None or (
        isinstance(value, (tuple, list)) and len(value) == 2 and all(isinstance(name, str) for name in value)
    )


def _is_depth(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


TREE = Report(
    Tree,
    {
        "text": _not_svg(_lines),
        "mermaid": _not_svg(_graph("graph/tree.mmd.j2", _mermaid_text)),
        "dot": _not_svg(_graph("graph/tree.dot.j2", _dot_text)),
        "html": _not_svg(_html),
        "svg": _svg,
    },
    options=[
        ReportOption("depth", None, _is_depth, or_none("a whole number from 0")),
        ReportOption("row", None, _is_row, or_none("a mapping from column names to values")),
        ReportOption("regions", None, _is_pair, or_none("the names of two features")),
        *PHRASING_OPTIONS,
    ],
)
