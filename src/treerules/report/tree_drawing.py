"""Trees as drawings: lines for a terminal, Mermaid and DOT text. A flat list of nodes; templates hold the layout.

类别: 否 6, 是 9
├─ 有自己的房子 = 否: 否 6, 是 3
│  ├─ 有工作 = 否 -> 否: 6 (rule 1)
│  └─ 有工作 = 是 -> 是: 3 (rule 2)
└─ 有自己的房子 = 是 -> 是: 6 (rule 3)
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

from treerules.data.schema import Schema
from treerules.errors import OptionError, UnknownNameError
from treerules.rendering.headings import heading, require_lang
from treerules.rendering.templates import rendered
from treerules.rendering.text_contexts import GraphContext, GraphNode, LinesContext
from treerules.rendering.text_tables import printable
from treerules.rules.compile import asker
from treerules.rules.wording import condition_text, consequent_text, figure_text, word
from treerules.trees.nodes import fold
from treerules.trees.tree import Leaf, Node, Split, Tree, descend, preorder

#: In a drawing of this many nodes more are not drawn, but counted; a browser could not show them.
MOST_NODES = 500


#: Longer labels of graphs are cut.
_LONGEST = 1_000


@frozen
class Drawn:
    """A node as it is drawn."""

    number: int
    #: the number of the node above; None of the root
    parent: int | None
    depth: int
    #: whether it is the last child of the node above
    is_last: bool
    #: what leads here, empty at the root
    edge: str
    #: what the node says: the target at the root, the prediction of a leaf; empty elsewhere
    label: str
    counts: str
    #: the number of the rule of a leaf; 0 elsewhere
    rule: int
    #: how many nodes below are not drawn
    hidden: int = 0
    #: the number of the rule that a leaf comes from, in a tree that was made of rules
    source: int | None = None


def drawn(tree: Tree, depth: int | None = None) -> Iterator[Drawn]:
    """Yield the nodes of a tree in preorder, down to a depth; what lies below is counted.

    Raises:
        OptionError: the depth is no whole number from 0.
    """
    if depth is not None and (not isinstance(depth, int) or isinstance(depth, bool) or depth < 0):
        raise OptionError("depth", depth, "a whole number from 0, or None")
    schema, ask = tree.schema, asker(tree.schema)
    rules, number = 0, -1
    counts = _counts(tree)
    numbers: list[int] = []  # of the nodes on the path

    def below(split: Split, place: tuple[int, bool, str]) -> list[tuple[int, bool, str]]:
        level = place[0] + 1
        if depth is not None and level > depth:
            return [(level, False, "")] * len(split.children)
        feature, last = schema.features[split.test.feature], len(split.children) - 1
        return [(level, side == last, condition_text(feature, condition)) for side, condition in enumerate(ask(split))]

    for node, (level, is_last, edge) in descend(tree.root, (0, True, ""), below):
        number += 1
        rules += isinstance(node, Leaf)
        del numbers[level:]
        parent = numbers[-1] if numbers else None
        numbers.append(number)
        if depth is not None and level > depth:
            continue
        is_cut = isinstance(node, Split) and level == depth
        label = _label(schema, node, is_root=parent is None)
        hidden = _n_nodes(node) - 1 if is_cut else 0
        rule = rules if isinstance(node, Leaf) else 0
        source = node.rule if isinstance(node, Leaf) else None
        yield Drawn(number, parent, level, is_last, edge, label, counts[number], rule, hidden, source)


def _n_nodes(node: Node) -> int:
    return sum(1 for _ in preorder(node))


def _label(schema: Schema, node: Node, *, is_root: bool) -> str:
    if isinstance(node, Leaf):
        return consequent_text(schema, node.prediction.value)
    return word(schema.target.name) if is_root and schema.target else ""


def _counts(tree: Tree) -> list[str]:
    """Return the training figures of each node in preorder: class counts where not 0, or the number of rows."""
    found: list[Any] = []  # in the order of fold, which is the reverse of preorder

    def of_leaf(leaf: Leaf) -> Any:
        found.append(leaf.counts)
        return leaf.counts

    def of_split(split: Split, below: tuple[Any, ...]) -> Any:
        found.append(split.as_leaf.counts if split.as_leaf else tuple(map(sum, zip(*below, strict=True))))
        return found[-1]

    fold(tree.root, of_leaf, of_split)
    return [_counts_text(tree.schema, counts) for counts in reversed(found)]


def _counts_text(schema: Schema, counts: tuple[float, ...]) -> str:
    if schema.is_regression:
        return figure_text(counts[0])
    held = [(label, n) for label, n in zip(schema.classes, counts, strict=True) if n]
    return ", ".join(f"{consequent_text(schema, label)} {figure_text(n)}" for label, n in held) or "0"


# ---- formats


def tree_text(
    tree: Tree, *, format: str = "text", depth: int | None = None, lang: str = "en", templates: str | Path | None = None
) -> str:
    """Return a drawing of a tree down to a depth: text for a terminal, Mermaid, or DOT (Graphviz).

    Each node shows what leads to it and its training figures, a leaf also what it predicts and its rule's number. A
    node that is not drawn is counted.

    Raises:
        UnknownNameError: there is no such format, or no such language.
        OptionError: the depth is no whole number from 0.
    """
    if format not in DRAWINGS:
        raise UnknownNameError("drawing", format, tuple(DRAWINGS))
    require_lang(lang)
    return DRAWINGS[format](list(drawn(tree, depth)), lang, templates)


def _text(nodes: list[Drawn], lang: str, templates: Any) -> str:
    lines, stems = [], [""]  # what stands before the children of each node on the path
    for node in nodes:
        del stems[node.depth + 1 :]
        stem = stems[node.depth]
        lines.append((stem[:-3] + ("└─ " if node.is_last else "├─ ") if node.depth else "") + _line(node, lang))
        stems.append((stem[:-3] + ("   " if node.is_last else "│  ") if node.depth else "") + "│  ")
    return rendered("graph/tree.txt.j2", templates, LinesContext(lines))


def _line(node: Drawn, lang: str) -> str:
    said = " -> ".join(part for part in (node.edge, node.label) if part)
    return printable(f"{said}: {node.counts}{_remark(node, lang)}")


def _remark(node: Drawn, lang: str) -> str:
    if node.source is not None:
        return f" ({heading('rule {number}, from rule {source}', lang, number=node.rule, source=node.source)})"
    if node.rule:
        return f" ({heading('rule {number}', lang, number=node.rule)})"
    return f" ({heading('{n} more nodes', lang, n=node.hidden)})" if node.hidden else ""


def _graph(name: str, escape: Callable[[str], str]) -> Callable[[list[Drawn], str, Any], str]:
    def text(nodes: list[Drawn], lang: str, templates: Any) -> str:
        rows = [
            GraphNode(
                node.number,
                node.parent,
                escape(_short(node.edge)),
                [escape(_short(line)) for line in (node.label, node.counts + _remark(node, lang)) if line],
                node.rule > 0,
            )
            for node in nodes
        ]
        return rendered(name, templates, GraphContext(rows))

    return text


def _short(text: str) -> str:
    """Return a text that fits a box: Graphviz takes no more than 16 kB."""
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _mermaid(text: str) -> str:
    """Return text that Mermaid shows as it is: every character that could mean something as its number."""
    return "".join(c if c.isalnum() or c in " _.,=+/" else f"#{ord(c)};" for c in printable(text))


def _dot(text: str) -> str:
    """Return text that Graphviz shows as it is, which reads backslashes and the entities of HTML in labels."""
    return printable(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


DRAWINGS: dict[str, Callable[[list[Drawn], str, Any], str]] = {
    "text": _text,
    "mermaid": _graph("graph/tree.mmd.j2", _mermaid),
    "dot": _graph("graph/tree.dot.j2", _dot),
}
