"""The boxes of a drawn tree: what stands in each, how large it is, and how much of a large tree is drawn.

A box has a heading (the column that a split asks, or the prediction of a leaf), a bar of the classes, and lines with
figures. The condition that leads to a node stands above its box.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from attrs import frozen

from treerules.data.schema import Schema
from treerules.proof.explain import explain
from treerules.rendering.headings import heading
from treerules.report.drawn_nodes import DrawnNode, drawn_nodes
from treerules.report.svg.node_colours import leaf_or_none, node_colours
from treerules.report.svg.shapes import HEADING_SIZE, LABEL_SIZE
from treerules.report.svg.text_width import cut_to, text_width
from treerules.rules.phrasing import Phrasing
from treerules.rules.wording import figure_text, word
from treerules.trees.node_parts import MeanPrediction
from treerules.trees.nodes import Leaf, Split, shape
from treerules.trees.tree import Tree
from treerules.trees.walkers import descend

#: Trees of more leaves are drawn down to the depth at which so many boxes stand, unless a depth is given.
MOST_LEAVES, MOST_BOXES = 100, 64
#: Texts of a box are cut at so many pixels; a box is at least so wide.
_WIDEST, _NARROWEST = 200.0, 64.0
_PADDING = 9.0
LINE_HEIGHT, BAR_HEIGHT = 15.0, 7.0


@frozen
class TreeBox:
    """A node as it is drawn: finished texts, cut to its width, and what its colours need."""

    number: int
    parent: int | None
    #: the condition that leads here, which stands above the box; empty at the root
    edge: str
    heading: str
    lines: tuple[str, ...]
    #: the class counts; empty for a regression
    counts: tuple[float, ...]
    #: the colour of what it predicts, and how strong it is
    colour: str
    opacity: float
    #: the share of the rows of the root
    share: float
    is_leaf: bool
    is_folded: bool
    is_marked: bool
    #: all texts, not cut
    title: str
    width: float
    height: float


def default_depth(tree: Tree) -> int | None:
    """Return the depth down to which a tree is drawn: None for the whole."""
    if tree.n_leaves <= MOST_LEAVES:
        return None
    levels = Counter(
        level for _, level in descend(tree.root, 0, lambda split, level: [level + 1] * len(split.children))
    )
    depth, n_boxes = 1, 1 + levels[1]
    while levels[depth + 1] and n_boxes + levels[depth + 1] <= MOST_BOXES:
        depth += 1
        n_boxes += levels[depth]
    return depth


def tree_boxes(
    tree: Tree, lang: str, depth: int | None, phrasing: Phrasing, row: Mapping[str, Any] | None
) -> list[TreeBox]:
    """Return the boxes of a tree in preorder, down to a depth; those that a row reaches are marked."""
    splits, rule = _reached(tree, row)
    drawn = list(drawn_nodes(tree, depth, phrasing))
    total = sum(drawn[0].figures)
    colour_of = node_colours(tree)
    tested_columns = {
        node.number: _column_name(tree.schema, node.node) for node in drawn if isinstance(node.node, Split)
    }
    return [
        _box(
            tree.schema,
            node,
            lang,
            phrasing,
            total,
            parent_column="" if node.parent is None else tested_columns[node.parent],
            is_marked=node.number in splits or node.rule == rule,
            colour=colour_of(node.node, node.figures),
        )
        for node in drawn
    ]


def _column_name(schema: Schema, split: Split) -> str:
    return word(schema.features[split.test.feature].name)


def _reached(tree: Tree, row: Mapping[str, Any] | None) -> tuple[Collection[int], int | None]:
    """Return the numbers of the splits that a row passes, and of the rule that it reaches."""
    if row is None:
        return (), None
    explanation = explain(tree, row, budget=0)
    assert explanation.rule is not None  # a tree is total
    return {step.node for step in explanation.path}, explanation.rule.number


def _box(
    schema: Schema,
    drawn: DrawnNode,
    lang: str,
    phrasing: Phrasing,
    total: float,
    *,
    parent_column: str,
    is_marked: bool,
    colour: tuple[str, float],
) -> TreeBox:
    """Return the box of a node; `parent_column` is the name of the column that its parent asks."""
    lines = [*_figures(schema, drawn, lang, phrasing), *_note(drawn, lang)]
    title = _heading(schema, drawn)
    edge = _without_name(drawn.edge, parent_column)
    shown = [cut_to(line, _WIDEST, LABEL_SIZE) for line in lines]
    shown_title, shown_edge = cut_to(title, _WIDEST, HEADING_SIZE), cut_to(edge, _WIDEST, LABEL_SIZE)
    widest = max(text_width(shown_title, HEADING_SIZE), *(text_width(line, LABEL_SIZE) for line in shown))
    n = sum(drawn.figures)
    return TreeBox(
        number=drawn.number,
        parent=drawn.parent,
        edge=shown_edge,
        heading=shown_title,
        lines=tuple(shown),
        counts=() if schema.is_regression else drawn.figures,
        colour=colour[0],
        opacity=colour[1],
        share=n / total if total else 0.0,
        is_leaf=isinstance(drawn.node, Leaf),
        is_folded=drawn.hidden > 0,
        is_marked=is_marked,
        title="; ".join(part for part in (drawn.edge, title, drawn.counts, *_note(drawn, lang)) if part),
        width=max(_NARROWEST, widest + 2 * _PADDING),
        height=_height(schema, len(lines)),
    )


def _height(schema: Schema, n_lines: int) -> float:
    bar = 0.0 if schema.is_regression else BAR_HEIGHT + 4.0
    return 6.0 + HEADING_SIZE + bar + n_lines * LINE_HEIGHT + 6.0


def _heading(schema: Schema, drawn: DrawnNode) -> str:
    """Return the question of a split, or the prediction of a leaf."""
    return f"{_column_name(schema, drawn.node)}?" if isinstance(drawn.node, Split) else drawn.label


def _without_name(condition: str, name: str) -> str:
    """Return a condition without the name of its column, which stands in the box above.

    >>> _without_name("(age <= 5 or missing)", "age"), _without_name("3 < age <= 5", "age")
    ('<= 5 or missing', '3 < age <= 5')
    """
    inner = condition[1:-1] if condition.startswith(f"({name} ") else condition
    return inner.removeprefix(f"{name} ")


def _figures(schema: Schema, drawn: DrawnNode, lang: str, phrasing: Phrasing) -> list[str]:
    """Return the class counts if they are short, else the number of rows; of a regression mean, deviation and rows."""
    n = phrasing.words.size(schema.counted, figure_text(sum(drawn.figures)))
    if not schema.is_regression:
        is_short = text_width(drawn.counts, LABEL_SIZE) <= _WIDEST * 0.75
        return [drawn.counts if is_short else n]
    leaf = leaf_or_none(drawn.node)
    if leaf is None or not isinstance(leaf.prediction, MeanPrediction):
        return [n]
    sd = phrasing.words.deviation.format(sd=figure_text(leaf.prediction.sd, phrasing.figure_digits))
    if leaf is drawn.node:
        return [f"{sd}, {n}"]
    return [f"{heading('mean', lang)} {figure_text(leaf.prediction.value, phrasing.figure_digits)}, {sd}", n]


def _note(drawn: DrawnNode, lang: str) -> list[str]:
    """Return the number of the rule of a leaf, or how many leaves are folded below a split."""
    if drawn.rule:
        return [heading("rule {number}", lang, number=drawn.rule)]
    if drawn.hidden:
        return [heading("… {n} leaves", lang, n=f"{shape(drawn.node)[0]:,}")]
    return []
