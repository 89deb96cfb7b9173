"""The shapes of pictures: `rectangle`, `line`, `path`, `label`; and `picture`, what is drawn of them.

Coordinates are pixels, and have one digit after the point. Colours are attributes, never styles: a page that has a
Content-Security-Policy shows them.
"""

from collections.abc import Iterable

from treerules.rendering.svg_contexts import SvgContext, SvgGroup, SvgPicture, SvgShape
from treerules.rendering.text_tables import escape_unprintable
from treerules.report.report import Page

#: The size of the font of labels, and of headings of nodes, in pixels.
LABEL_SIZE, HEADING_SIZE = 11.0, 13.0


def coordinate(value: float) -> str:
    """Return a coordinate as text.

    >>> coordinate(12.0), coordinate(0.26), coordinate(-0.01)
    ('12', '0.3', '0')
    """
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def rectangle(
    x: float, y: float, width: float, height: float, *, fill: str, opacity: float = 1.0, radius: float = 0.0
) -> SvgShape:
    """Return a filled rectangle; `x` and `y` are those of its upper left corner."""
    attributes = {"x": coordinate(x), "y": coordinate(y), "width": coordinate(width), "height": coordinate(height)}
    rounded = {"rx": coordinate(radius)} if radius else {}
    return SvgShape("rect", {**attributes, **rounded, "fill": fill, **_opacity("fill-opacity", opacity)})


def outline(
    x: float, y: float, width: float, height: float, *, stroke: str, stroke_width: float, radius: float = 0.0
) -> SvgShape:
    """Return a rectangle that is not filled."""
    shape = rectangle(x, y, width, height, fill="none", radius=radius)
    return SvgShape("rect", {**shape.attributes, "stroke": stroke, "stroke-width": coordinate(stroke_width)})


def path(commands: str, *, stroke: str = "currentColor", width: float = 1.0, opacity: float = 1.0) -> SvgShape:
    """Return a line along a path of SVG commands, not filled."""
    drawn = {"fill": "none", "stroke": stroke, "stroke-width": coordinate(width)}
    return SvgShape("path", {"d": commands, **drawn, **_opacity("stroke-opacity", opacity)})


def line(
    x1: float, y1: float, x2: float, y2: float, *, stroke: str = "currentColor", opacity: float = 1.0, dash: str = ""
) -> SvgShape:
    """Return a straight line of one pixel; `dash` is a pattern of SVG."""
    ends = {"x1": coordinate(x1), "y1": coordinate(y1), "x2": coordinate(x2), "y2": coordinate(y2)}
    dashed = {"stroke-dasharray": dash} if dash else {}
    return SvgShape("line", {**ends, "stroke": stroke, **_opacity("stroke-opacity", opacity), **dashed})


def dot(x: float, y: float, *, fill: str, radius: float = 4.0) -> SvgShape:
    """Return a filled circle."""
    return SvgShape("circle", {"cx": coordinate(x), "cy": coordinate(y), "r": coordinate(radius), "fill": fill})


def label(
    x: float, y: float, text: str, *, size: float = LABEL_SIZE, anchor: str = "start", bold: bool = False
) -> SvgShape:
    """Return a line of text; `y` is that of its baseline, `anchor` says whether `x` is its start, middle or end."""
    aligned = {} if anchor == "start" else {"text-anchor": anchor}
    weight = {"font-weight": "bold"} if bold else {}
    attributes = {"x": coordinate(x), "y": coordinate(y), "font-size": coordinate(size)}
    return SvgShape("text", {**attributes, **aligned, **weight}, escape_unprintable(text))


def group(shapes: Iterable[SvgShape], title: str = "") -> SvgGroup:
    """Return shapes that belong together."""
    return SvgGroup(escape_unprintable(title), shapes)


def picture(width: float, height: float, title: str, description: str, groups: Iterable[SvgGroup]) -> Page:
    """Return the page of a picture of some size, which says what it shows."""
    texts = escape_unprintable(title), escape_unprintable(description)
    drawn = SvgPicture(coordinate(width), coordinate(height), *texts, groups)
    return Page("svg/picture.svg.j2", SvgContext(drawn))


def _opacity(name: str, opacity: float) -> dict[str, str]:
    return {} if opacity == 1.0 else {name: f"{opacity:.2f}"}
