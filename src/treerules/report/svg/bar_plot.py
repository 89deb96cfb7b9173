"""`bars`: a bar for each named figure, the name at its left and the figure at its right."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from treerules.rendering.svg_contexts import SvgShape
from treerules.report.svg.axes import Scale
from treerules.report.svg.palette import MARK_COLOUR, PLAIN_COLOUR
from treerules.report.svg.shapes import LABEL_SIZE, label, line, rectangle
from treerules.report.svg.text_width import cut_to, text_width

ROW_HEIGHT, BARS_WIDTH = 22.0, 600.0
_WIDEST_NAME = 200.0


@frozen
class Bar:
    """A figure with its name, and how the figure is spelled; None where it does not exist."""

    name: str
    value: float | None
    text: str
    is_marked: bool = False


def bars(shown_bars: Sequence[Bar], x: float, y: float) -> Iterator[SvgShape]:
    """Yield the bars from the first to the last, with a line at zero."""
    names = [cut_to(bar.name, _WIDEST_NAME, LABEL_SIZE) for bar in shown_bars]
    room = max((text_width(name, LABEL_SIZE) for name in names), default=0.0) + 8
    figures = max((text_width(bar.text, LABEL_SIZE) for bar in shown_bars), default=0.0) + 8
    values = [bar.value for bar in shown_bars if bar.value is not None]
    scale = Scale(min(0.0, *values, 0.0), max(0.0, *values, 0.0), x + room, x + BARS_WIDTH - figures)
    zero = scale.at(0.0)
    for index, (bar, name) in enumerate(zip(shown_bars, names, strict=True)):
        top = y + index * ROW_HEIGHT
        yield label(x + room - 8, top + 14, name, anchor="end", bold=bar.is_marked)
        end = zero if bar.value is None else scale.at(bar.value)
        colour = MARK_COLOUR if bar.is_marked else PLAIN_COLOUR
        yield rectangle(min(zero, end), top + 3, abs(end - zero), ROW_HEIGHT - 6, fill=colour)
        yield label(max(zero, end) + 6, top + 14, bar.text)
    yield line(zero, y, zero, y + len(shown_bars) * ROW_HEIGHT, opacity=0.5)
