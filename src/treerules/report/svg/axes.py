"""Axes and scales of plots: `Scale`, `ticks`, and the frame around what is plotted."""

from collections.abc import Callable, Iterator, Sequence
from math import floor, isfinite, log10

from attrs import frozen

from treerules.rendering.svg_contexts import SvgShape
from treerules.report.svg.shapes import HEADING_SIZE, LABEL_SIZE, coordinate, label, line
from treerules.report.svg.text_width import cut_to, text_width
from treerules.rules.wording import figure_text

#: The room of the title of an axis, and of the labels of its ticks.
TITLE_ROOM, TICK_ROOM = 20.0, 18.0
#: What is between ticks of a round step, as multiples of a power of ten.
_STEPS = (1.0, 2.0, 5.0, 10.0)


@frozen
class Scale:
    """A linear scale: the values from `low` to `high` lie between the pixels `start` and `end`.

    >>> Scale(0.0, 10.0, 100.0, 200.0).at(2.5)
    125.0
    """

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the pixel of a value; values beyond the ends are at them."""
        if self.high <= self.low:
            return (self.start + self.end) / 2
        share = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return the round values between two numbers: at most so many multiples of 1, 2 or 5 and a power of ten.

    >>> ticks(0.0, 1.0), ticks(17.0, 43.0), ticks(3.0, 3.0)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [20.0, 25.0, 30.0, 35.0, 40.0], [3.0])
    """
    span = high - low
    if not span > 0 or not isfinite(span):
        return [low] if low == high else [low, high]
    power = floor(log10(span / most))
    step = next(unit * 10.0**power for unit in _STEPS if span / (unit * 10.0**power) <= most)
    first = floor(low / step)
    values = (round(index * step, -power + 1) for index in range(first, first + most + 3))
    return [value + 0.0 for value in values if low <= value <= high] or [low, high]


def plot_text(value: float) -> str:
    """Return a figure with four significant digits; a large one as a power of ten, which is short.

    >>> plot_text(0.25), plot_text(1200.0), plot_text(85191886112041.0)
    ('0.25', '1200', '8.519e+13')
    """
    return figure_text(value) if abs(value) < 1e7 else f"{value:.4g}"


def bottom_axis(
    scale: Scale, y: float, top: float, title: str, tick_text: Callable[[float], str] = plot_text
) -> Iterator[SvgShape]:
    """Yield an axis at the bottom: a line, its ticks with labels, faint lines up to `top`, and its title."""
    yield line(scale.start, y, scale.end, y)
    right = scale.start - 40.0  # the end of the label before
    for value in ticks(scale.low, scale.high):
        x, text = scale.at(value), tick_text(value)
        half = text_width(text, LABEL_SIZE) / 2
        yield line(x, y, x, top, opacity=0.15)
        if x - half > right + 4:
            yield label(x, y + 14, text, anchor="middle")
            right = x + half
    yield label((scale.start + scale.end) / 2, y + TICK_ROOM + 14, title, anchor="middle")


def left_axis(
    scale: Scale, x: float, right: float, title: str, tick_text: Callable[[float], str] = plot_text
) -> Iterator[SvgShape]:
    """Yield an axis at the left: a line, its ticks with labels, faint lines to the right, and its title above it."""
    yield line(x, scale.start, x, scale.end)
    for value in ticks(scale.low, scale.high):
        y = scale.at(value)
        yield line(x, y, right, y, opacity=0.15)
        yield label(x - 6, y + 4, tick_text(value), anchor="end")
    yield label(x - 30, scale.end - 10, title)


def left_room(low: float, high: float, tick_text: Callable[[float], str] = plot_text) -> float:
    """Return the width of the labels of a left axis."""
    return 12.0 + max(text_width(tick_text(value), LABEL_SIZE) for value in ticks(low, high))


def plot_heading(text: str, x: float, y: float, width: float) -> SvgShape:
    """Return the heading of a plot."""
    return label(x, y, cut_to(text, width, HEADING_SIZE), size=HEADING_SIZE, bold=True)


def points_path(points: Sequence[tuple[float, float]]) -> str:
    """Return the commands of a path along points.

    >>> points_path([(1.0, 2.0), (3.0, 4.5)])
    'M1 2L3 4.5'
    """
    return "M" + "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in points)
