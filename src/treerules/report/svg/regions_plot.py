"""`regions_plot`: how a tree divides the plane of two features, a rectangle for each rule.

The partition plot of Breiman et al., "Classification and Regression Trees" (1984), and of Hastie, Tibshirani and
Friedman, "The Elements of Statistical Learning", figure 9.2. Missing values have no place in it.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from treerules.data.interval import Interval
from treerules.data.schema import Feature, ordinate
from treerules.errors import OptionError
from treerules.rendering.headings import heading
from treerules.rendering.svg_contexts import SvgShape
from treerules.report.report import Page
from treerules.report.svg.axes import Scale, bottom_axis, left_axis, left_room
from treerules.report.svg.gains_plot import tick_text
from treerules.report.svg.legend import class_legend
from treerules.report.svg.palette import PLAIN_COLOUR, STRONG, class_colour, value_opacity
from treerules.report.svg.shapes import LABEL_SIZE, group, label, outline, picture, rectangle
from treerules.report.svg.text_width import text_width
from treerules.rules.compile import compile_rules
from treerules.rules.conditions import bounds_of
from treerules.rules.phrasing import Phrasing
from treerules.rules.rule import Rule
from treerules.rules.wording import consequent_text, word
from treerules.trees.tree import Tree
from treerules.trees.walkers import tested_indices

_WIDTH, _HEIGHT, _MARGIN, _TOP = 560.0, 380.0, 16.0, 40.0
#: What is drawn beyond the outermost cuts, as a share of the distance between them.
_BEYOND = 0.15


def regions_plot(tree: Tree, names: Sequence[str], lang: str, phrasing: Phrasing) -> Page:
    """Return the page of the plot over two features.

    Raises:
        OptionError: the tree does not have these features, they are not ordered, or it tests others too.
    """
    across, up = _features(tree, names)
    rules = compile_rules(tree).rules
    x_low, x_high = _range(rules, across)
    y_low, y_high = _range(rules, up)
    left = _MARGIN + left_room(y_low, y_high, tick_text(up))
    scales = Scale(x_low, x_high, left, left + _WIDTH), Scale(y_low, y_high, _TOP + _HEIGHT, _TOP)
    target = word(tree.schema.target.name) if tree.schema.target else "value"
    pair = {"target": target, "x": word(across.name), "y": word(up.name)}
    colour_of = _colours(tree, rules)
    groups = []
    for rule in rules:
        text, number = consequent_text(tree.schema, rule.value, phrasing), rule.number
        sides = _intervals(rule, across), _intervals(rule, up)
        shapes = _rectangles(sides, scales, text, colour_of(rule.value))
        groups.append(group(shapes, f"{heading('rule {number}', lang, number=number)}: {text}"))
    axes = [
        *left_axis(scales[1], left, left + _WIDTH, pair["y"], tick_text(up)),
        *bottom_axis(scales[0], _TOP + _HEIGHT, _TOP, pair["x"], tick_text(across)),
    ]
    groups.append(group(axes))
    below = _TOP + _HEIGHT + 48
    if not tree.schema.is_regression:
        classes = [consequent_text(tree.schema, value) for value in tree.schema.classes]
        legend = class_legend(classes, lang, left, below, _WIDTH)
        groups.append(group(legend.shapes))
        below += legend.height
    title = heading("Regions of {target} over {x} and {y}", lang, **pair)
    description = heading("{n} rules", lang, n=len(rules))
    return picture(left + _WIDTH + _MARGIN, below + _MARGIN, title, description, groups)


def _features(tree: Tree, names: Sequence[str]) -> tuple[Feature, Feature]:
    """Return the two features of these names."""
    by_name = {feature.name: feature for feature in tree.schema.features}
    tested = [tree.schema.features[index].name for index in tested_indices([tree])]
    others = [name for name in tested if name not in names]
    ordered = [name for name, feature in by_name.items() if feature.is_ordered]
    if any(name not in ordered for name in names):
        listed = ", ".join(map(word, ordered)) or "none"
        wanted = f"two features that are numbers, dates or timestamps; this tree has {listed}"
        raise OptionError("regions", tuple(names), wanted)
    if others:
        listed = ", ".join(map(word, others))
        wanted = f"the only features that the tree tests; it tests {listed} too: learn a tree from these two alone"
        raise OptionError("regions", tuple(names), wanted)
    return by_name[names[0]], by_name[names[1]]


def _range(rules: Sequence[Rule], feature: Feature) -> tuple[float, float]:
    """Return the ends of an axis, somewhat beyond the outermost cuts."""
    bounds = [
        float(ordinate(bound))
        for rule in rules
        for interval in _intervals(rule, feature)
        for bound in bounds_of(interval)
        if bound is not None
    ]
    low, high = min(bounds, default=0.0), max(bounds, default=0.0)
    beyond = (high / 2 - low / 2) * 2 * _BEYOND or max(abs(high) * _BEYOND, 1.0)
    return low - beyond, high + beyond


def _intervals(rule: Rule, feature: Feature) -> Sequence[Interval]:
    condition = dict(rule.conditions).get(feature.name)
    return (Interval(),) if condition is None else condition.intervals


def _rectangles(
    sides: tuple[Sequence[Interval], Sequence[Interval]],
    scales: tuple[Scale, Scale],
    text: str,
    colour: tuple[str, float],
) -> Iterator[SvgShape]:
    """Yield the rectangles of a rule, with its prediction where there is room for it."""
    fill, opacity = colour
    for across, up in product(*sides):
        left, right = _ends(across, scales[0])
        bottom, top = _ends(up, scales[1])
        width, height = right - left, bottom - top
        yield rectangle(left, top, width, height, fill=fill, opacity=opacity / 2)
        yield outline(left, top, width, height, stroke=fill, stroke_width=1)
        if width > text_width(text, LABEL_SIZE) + 4 and height > LABEL_SIZE + 6:
            yield label(left + width / 2, top + height / 2 + 4, text, anchor="middle")


def _ends(interval: Interval, scale: Scale) -> tuple[float, float]:
    """Return the pixels of the ends of an interval; it may go on beyond the axis."""
    above, upto = bounds_of(interval)
    low = scale.start if above is None else scale.at(float(ordinate(above)))
    high = scale.end if upto is None else scale.at(float(ordinate(upto)))
    return low, high


def _colours(tree: Tree, rules: Sequence[Rule]) -> Callable[[Any], tuple[str, float]]:
    """Return the function that gives the colour of a prediction, and how strong it is."""
    if not tree.schema.is_regression:
        return lambda value: (class_colour(tree.schema.classes.index(value)), STRONG)
    lowest, highest = (choose(rule.value for rule in rules) for choose in (min, max))
    return lambda value: (PLAIN_COLOUR, value_opacity(value, lowest, highest))
