"""What stands below a picture: the colours of the classes, and lines of text."""

from collections.abc import Sequence
from typing import NamedTuple

from treerules.rendering.headings import heading
from treerules.rendering.svg_contexts import SvgShape
from treerules.report.svg.palette import class_colour
from treerules.report.svg.shapes import LABEL_SIZE, label, rectangle
from treerules.report.svg.text_width import cut_to, lines_within, text_width

LINE_HEIGHT = 15.0
#: The side of a square of colour; a legend names so many classes.
_SQUARE, _MOST_CLASSES = 10.0, 40
_WIDEST = 160.0


class Block(NamedTuple):
    """Shapes that stand below each other, and the height that they take."""

    shapes: tuple[SvgShape, ...]
    height: float


def class_legend(classes: Sequence[str], lang: str, x: float, y: float, width: float) -> Block:
    """Return squares of the colours of classes, with their names, in lines of a width."""
    shapes: list[SvgShape] = []
    left, top = x, y
    for position, name in enumerate([*classes[:_MOST_CLASSES], _more(len(classes) - _MOST_CLASSES, lang)]):
        text = cut_to(name, _WIDEST, LABEL_SIZE)
        taken = _SQUARE + 6 + text_width(text, LABEL_SIZE) + 14 if name else 0.0
        if left > x and left + taken > x + width:
            left, top = x, top + LINE_HEIGHT
        if name and position < min(len(classes), _MOST_CLASSES):
            colour = class_colour(position)
            shapes.append(rectangle(left, top + 1, _SQUARE, _SQUARE, fill=colour, radius=2))
        if name:
            shapes.append(label(left + _SQUARE + 6, top + _SQUARE, text))
        left += taken
    return Block(tuple(shapes), top + LINE_HEIGHT - y)


def _more(n: int, lang: str) -> str:
    return heading("… {n} more", lang, n=f"{n:,}") if n > 0 else ""


def text_block(lines: Sequence[str], x: float, y: float, width: float) -> Block:
    """Return lines of text, lines_within at a width."""
    shown = [part for text in lines for part in lines_within(text, width, LABEL_SIZE)]
    shapes = (label(x, y + LABEL_SIZE + index * LINE_HEIGHT, text) for index, text in enumerate(shown))
    return Block(tuple(shapes), len(shown) * LINE_HEIGHT)
