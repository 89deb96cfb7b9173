"""`gains_plot`: the gain of each feature as bars, and of each ordered feature the gain of all its cuts as a curve."""

from collections.abc import Callable, Iterator, Sequence
from math import isfinite

from treerules.data.schema import Feature, at_ordinate, ordinate
from treerules.evaluation.gain_records import FeatureGain, FeatureGains
from treerules.rendering.headings import heading
from treerules.rendering.svg_contexts import SvgGroup, SvgShape
from treerules.report.report import Page
from treerules.report.svg.axes import (
    TICK_ROOM,
    Scale,
    bottom_axis,
    left_axis,
    left_room,
    plot_heading,
    plot_text,
    points_path,
)
from treerules.report.svg.bar_plot import BARS_WIDTH, ROW_HEIGHT, Bar, bars
from treerules.report.svg.palette import MARK_COLOUR, PLAIN_COLOUR
from treerules.report.svg.shapes import dot, group, label, line, path, picture
from treerules.rules.wording import word

_MARGIN, _CURVE_HEIGHT = 16.0, 120.0
#: The height of a plot of a curve: heading, axes and the gap to the next.
_PLOT_HEIGHT = 34.0 + _CURVE_HEIGHT + TICK_ROOM + 44.0


def gains_plot(gains: FeatureGains, features: Sequence[FeatureGain], lang: str) -> Page:
    """Return the page of the plot of some features, in their order."""
    measure = heading("decrease" if gains.is_regression else "gain", lang)
    shown_bars = [_bar(gain, gains) for gain in features]
    target = word(gains.target.name)
    title = heading("Gains of the features for {target}", lang, target=target)
    groups = [
        group([plot_heading(f"{target}: {measure}", _MARGIN, _MARGIN + 12, BARS_WIDTH)]),
        group(bars(shown_bars, _MARGIN, _MARGIN + 24)),
    ]
    bottom = _MARGIN + 24 + len(shown_bars) * ROW_HEIGHT + 24
    for gain in features:
        if len(gain.curve) > 1:
            groups.append(_curve(gain, measure, lang, bottom))
            bottom += _PLOT_HEIGHT
    description = "; ".join(f"{bar.name} {bar.text}" for bar in shown_bars[:5])
    return picture(BARS_WIDTH + 2 * _MARGIN, bottom, title, description, groups)


def _bar(gain: FeatureGain, gains: FeatureGains) -> Bar:
    value = gain.decrease if gains.is_regression else gain.gain
    if value is not None and not isfinite(value):
        value = None
    return Bar(word(gain.feature.name), value, "-" if value is None else plot_text(value), is_marked=gain.chosen)


def _curve(gain: FeatureGain, measure: str, lang: str, top: float) -> SvgGroup:
    """Return the plot of the gains of a feature's cuts, of which the best is marked."""
    return group(_curve_shapes(gain, measure, lang, top), word(gain.feature.name))


def _curve_shapes(gain: FeatureGain, measure: str, lang: str, top: float) -> Iterator[SvgShape]:
    most = max(cut.gain for cut in gain.curve)
    left = _MARGIN + left_room(0.0, most)
    start, end = top + 34, top + 34 + _CURVE_HEIGHT
    cuts = Scale(gain.curve[0].at, gain.curve[-1].at, left + 10, _MARGIN + BARS_WIDTH - 10)
    figures = Scale(0.0, most, end, start)
    yield plot_heading(word(gain.feature.name), _MARGIN, top, BARS_WIDTH)
    yield from left_axis(figures, left, _MARGIN + BARS_WIDTH, measure)
    yield from bottom_axis(cuts, end, start, heading("cut", lang), tick_text(gain.feature))
    yield path(
        points_path([(cuts.at(cut.at), figures.at(cut.gain)) for cut in gain.curve]), stroke=PLAIN_COLOUR, width=1.5
    )
    best = gain.gain if gain.decrease is None else gain.decrease
    if gain.cut is not None and best is not None:
        x, y = cuts.at(ordinate(gain.cut)), figures.at(best)
        yield line(x, y, x, end, stroke=MARK_COLOUR, dash="4 3")
        yield dot(x, y, fill=MARK_COLOUR)
        is_right = x < (cuts.start + cuts.end) / 2
        text = f"<= {word(gain.cut, gain.feature.form)}"
        yield label(x + (8 if is_right else -8), y - 5, text, anchor="start" if is_right else "end", bold=True)


def tick_text(feature: Feature) -> Callable[[float], str]:
    """Return the function that spells a point of an axis: a date or a timestamp of such a column, else a figure."""
    if feature.scalar not in ("date", "timestamp", "timestamp_utc"):
        return plot_text
    return lambda value: word(at_ordinate(feature.scalar, value), feature.form)
