"""`tree_picture`: a drawing of a tree in SVG.

Each node is a box, with the condition that leads to it above it. An edge is as wide as its share of the rows; a leaf
has the colour of its class, of a regression the stronger the greater its number. Below the tree stand the names of the
colours, an overview of a large tree, and where missing and unseen values go.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treerules.rendering.headings import heading
from treerules.rendering.svg_contexts import SvgGroup, SvgShape
from treerules.report.report import Page
from treerules.report.svg.icicle import ICICLE_WIDTH, icicle
from treerules.report.svg.legend import LINE_HEIGHT, Block, class_legend, text_block
from treerules.report.svg.palette import FAINT, MARK_COLOUR, class_colour
from treerules.report.svg.shapes import (
    HEADING_SIZE,
    LABEL_SIZE,
    coordinate,
    group,
    label,
    outline,
    path,
    picture,
    rectangle,
)
from treerules.report.svg.text_width import text_width
from treerules.report.svg.tidy_layout import Position, Size, tidy_layout
from treerules.report.svg.tree_boxes import BAR_HEIGHT, MOST_LEAVES, TreeBox, default_depth, tree_boxes
from treerules.rules.phrasing import Phrasing
from treerules.rules.wording import consequent_text, word
from treerules.trees.tree import Tree

#: Around the picture, between neighbours, and between parts of the picture.
_MARGIN, _GAP, _PART_GAP = 12.0, 14.0, 16.0
#: Between a box and the conditions below it, and the room of such a condition.
_EDGE_HEIGHT, _CONDITION_HEIGHT = 26.0, LINE_HEIGHT + 3.0
#: The width of an edge that all rows pass, and the least width of a picture.
_WIDEST_EDGE, _NARROWEST = 14.0, 320.0


def tree_picture(
    tree: Tree, lang: str, depth: int | None, phrasing: Phrasing, remarks: Sequence[str], row: Mapping[str, Any] | None
) -> Page:
    """Return the page of a drawing of a tree; `remarks` are lines below it, and the path of a row is marked."""
    boxes = tree_boxes(tree, lang, default_depth(tree) if depth is None else depth, phrasing, row)
    positions, width, bottom = _places(boxes, ICICLE_WIDTH if tree.n_leaves > MOST_LEAVES else _NARROWEST)
    groups = [group(_edges(boxes, positions)), *map(_node, boxes, positions)]
    for block in _blocks(tree, lang, remarks, width, bottom):
        groups.append(group(block.shapes))
        bottom += _PART_GAP + block.height
    title = heading("Decision tree for {target}", lang, target=_target(tree))
    return picture(width + 2 * _MARGIN, bottom + _MARGIN, title, _description(tree, boxes, lang), groups)


def _target(tree: Tree) -> str:
    return word(tree.schema.target.name) if tree.schema.target else "value"


def _description(tree: Tree, boxes: Sequence[TreeBox], lang: str) -> str:
    """Return what the picture shows, in a sentence or two."""
    text = "{n} rules, depth {depth}. The first question: {question}"
    sentence = heading(text, lang, n=f"{tree.n_leaves:,}", depth=tree.depth, question=boxes[0].heading)
    n_folded = sum(box.is_folded for box in boxes)
    return " ".join([sentence, *([heading("{n} parts are folded.", lang, n=n_folded)] if n_folded else [])])


# ---- layout


def _places(boxes: Sequence[TreeBox], narrowest: float) -> tuple[list[Position], float, float]:
    """Return the position of each box with its condition, the width of all, and their lowest point."""
    indices = {box.number: index for index, box in enumerate(boxes)}
    parents = [None if box.parent is None else indices[box.parent] for box in boxes]
    sizes = [_size(box) for box in boxes]
    laid_out = tidy_layout(parents, sizes)
    left = min(position.x - size.width / 2 for position, size in zip(laid_out, sizes, strict=True))
    right = max(position.x + size.width / 2 for position, size in zip(laid_out, sizes, strict=True))
    width = max(right - left, narrowest)
    shift = _MARGIN + (width - left - right) / 2
    positions = [Position(position.x + shift, position.y + _MARGIN) for position in laid_out]
    return (
        positions,
        width,
        max(_top(box, position) + box.height for box, position in zip(boxes, positions, strict=True)),
    )


def _size(box: TreeBox) -> Size:
    """Return the room of a box, with the condition above it and the edges below it."""
    above = 0.0 if box.parent is None else _CONDITION_HEIGHT
    return Size(max(box.width, text_width(box.edge, LABEL_SIZE)) + _GAP, above + box.height + _EDGE_HEIGHT)


def _top(box: TreeBox, position: Position) -> float:
    return position.y + (0.0 if box.parent is None else _CONDITION_HEIGHT)


# ---- nodes and edges


def _edges(boxes: Sequence[TreeBox], positions: Sequence[Position]) -> Iterator[SvgShape]:
    """Yield a curve from each box down to the conditions below it; those of the marked path come last, on top."""
    by_number = {box.number: (box, position) for box, position in zip(boxes, positions, strict=True)}
    for box, position in sorted(zip(boxes, positions, strict=True), key=lambda pair: pair[0].is_marked):
        if box.parent is None:
            continue
        parent, above = by_number[box.parent]
        bottom = _top(parent, above) + parent.height
        middle = (bottom + position.y) / 2
        curve = f"M{coordinate(above.x)} {coordinate(bottom)}C" + " ".join(
            f"{coordinate(x)} {coordinate(y)}"
            for x, y in ((above.x, middle), (position.x, middle), (position.x, position.y))
        )
        width = max(1.0, box.share * _WIDEST_EDGE)
        stroke, opacity = (MARK_COLOUR, 1.0) if box.is_marked else ("currentColor", 0.25)
        yield path(curve, stroke=stroke, width=width, opacity=opacity)


def _node(box: TreeBox, position: Position) -> SvgGroup:
    """Return the shapes of a node: its condition, its box, the bar of its classes, and its texts."""
    top, left = _top(box, position), position.x - box.width / 2
    condition = [label(position.x, top - 6, box.edge, anchor="middle")] if box.edge else []
    fill, opacity = (box.colour, box.opacity / 2) if box.is_leaf else ("currentColor", 0.04)
    stroke = MARK_COLOUR if box.is_marked else "currentColor" if not box.is_leaf else box.colour
    radius = 8.0 if box.is_leaf else 2.0
    baseline = top + 6 + HEADING_SIZE * 0.85
    texts = [label(position.x, baseline, box.heading, size=HEADING_SIZE, anchor="middle", bold=True)]
    below = top + 6 + HEADING_SIZE + 2
    bar: list[SvgShape] = []
    if box.counts:
        bar = list(_bar(box, left + 8, below, box.width - 16))
        below += BAR_HEIGHT + 2
    texts += [
        label(position.x, below + 11 + index * LINE_HEIGHT, text, anchor="middle")
        for index, text in enumerate(box.lines)
    ]
    return group(
        [
            *condition,
            rectangle(left, top, box.width, box.height, fill=fill, opacity=opacity, radius=radius),
            outline(
                left, top, box.width, box.height, radius=radius, stroke=stroke, stroke_width=3 if box.is_marked else 1
            ),
            *bar,
            *texts,
        ],
        box.title,
    )


def _bar(box: TreeBox, x: float, y: float, width: float) -> Iterator[SvgShape]:
    """Yield a rectangle for each class, as wide as its share of the node's rows; classes of no rows have none."""
    total = sum(box.counts)
    yield rectangle(x, y, width, BAR_HEIGHT, fill="currentColor", opacity=FAINT / 2)
    for position, n in enumerate(box.counts):
        if n:
            yield rectangle(x, y, width * n / total, BAR_HEIGHT, fill=class_colour(position))
            x += width * n / total


# ---- below the tree


def _blocks(tree: Tree, lang: str, remarks: Sequence[str], width: float, bottom: float) -> Iterator[Block]:
    """Yield what stands below the tree, each below the one before: colours, overview, remarks."""
    schema = tree.schema
    if not schema.is_regression:
        classes = [consequent_text(schema, value) for value in schema.classes]
        block = class_legend(classes, lang, _MARGIN, bottom + _PART_GAP, width)
        bottom += _PART_GAP + block.height
        yield block
    if tree.n_leaves > MOST_LEAVES:
        text = heading("all {n} leaves, each as wide as its share of the rows:", lang, n=f"{tree.n_leaves:,}")
        caption = text_block([text], _MARGIN, bottom + _PART_GAP, width)
        strip = icicle(tree, _MARGIN, bottom + _PART_GAP + caption.height + 4)
        block = Block((*caption.shapes, *strip.shapes), caption.height + 4 + strip.height)
        bottom += _PART_GAP + block.height
        yield block
    if remarks:
        yield text_block(remarks, _MARGIN, bottom + _PART_GAP, width)
