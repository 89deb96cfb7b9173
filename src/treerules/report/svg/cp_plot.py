"""`cp_plot`: a cross-validation, the error of each subtree with its standard error, as rpart's plotcp draws it.

The subtrees stand side by side, the smallest at the left. A dashed line is one standard error above the least error:
the smallest tree below it is that of the rule 1se.
"""

from collections.abc import Iterator

from treerules.learning.cross_validation import CpRow, CrossValidation
from treerules.rendering.headings import heading
from treerules.rendering.svg_contexts import SvgShape
from treerules.report.report import Page
from treerules.report.svg.axes import Scale, left_axis, left_room, points_path
from treerules.report.svg.legend import LINE_HEIGHT
from treerules.report.svg.palette import MARK_COLOUR, PLAIN_COLOUR
from treerules.report.svg.shapes import LABEL_SIZE, dot, group, label, line, path, picture
from treerules.report.svg.text_width import text_width
from treerules.rules.wording import figure_text, word

#: What is drawn: its name, its colour, and the pattern of its line.
_CURVES = (
    ("cross-validated error and its standard error", PLAIN_COLOUR, ""),
    ("training error", "currentColor", ""),
    ("one standard error above the least", MARK_COLOUR, "6 4"),
)
_WIDTH, _HEIGHT, _MARGIN, _TOP = 600.0, 260.0, 16.0, 40.0


def cp_plot(validation: CrossValidation, lang: str) -> Page:
    """Return the page of the plot."""
    rows = validation.rows
    most = max(max(row.xerror + row.xstd, row.relative_error) for row in rows)
    left = _MARGIN + left_room(0.0, most)
    errors = Scale(0.0, most, _TOP + _HEIGHT, _TOP)
    sizes = Scale(0.0, max(len(rows) - 1, 1), left + 14, left + _WIDTH - 14)
    target = validation.tree.schema.target
    best, chosen = validation.row("min"), validation.row("1se")
    name = word(target.name) if target else "value"
    title = heading("Cross-validation of trees for {target}", lang, target=name)
    description = heading(
        "The least error is {error} with {leaves} leaves; the smallest tree within one standard error has {chosen}.",
        lang,
        error=figure_text(best.xerror),
        leaves=best.n_splits + 1,
        chosen=chosen.n_splits + 1,
    )
    groups = [
        group(left_axis(errors, left, left + _WIDTH, heading("error, as a share of the root's", lang))),
        group(_leaf_axis(rows, sizes, lang)),
        group(_curves(validation, sizes, errors, left, lang)),
    ]
    below = _TOP + _HEIGHT + 66
    bottom = below + (len(_CURVES) - 1) * LINE_HEIGHT + _MARGIN
    return picture(left + _WIDTH + _MARGIN, bottom, title, description, [*groups, group(_legend(left, below, lang))])


def _leaf_axis(rows: tuple[CpRow, ...], sizes: Scale, lang: str) -> Iterator[SvgShape]:
    """Yield the number of leaves below each subtree, where there is room for it."""
    bottom, right = _TOP + _HEIGHT, 0.0
    yield line(sizes.start - 14, bottom, sizes.end + 14, bottom)
    for index, row in enumerate(rows):
        x, text = sizes.at(index), f"{row.n_splits + 1}"
        half = text_width(text, LABEL_SIZE) / 2
        if x - half > right + 6:
            yield label(x, bottom + 16, text, anchor="middle")
            right = x + half
    yield label((sizes.start + sizes.end) / 2, bottom + 36, heading("leaves", lang), anchor="middle")


def _curves(validation: CrossValidation, sizes: Scale, errors: Scale, left: float, lang: str) -> Iterator[SvgShape]:
    rows, best, chosen = validation.rows, validation.row("min"), validation.row("1se")
    limit = errors.at(best.xerror + best.xstd)
    yield line(left, limit, left + _WIDTH, limit, stroke=MARK_COLOUR, dash="6 4")
    for index, row in enumerate(rows):
        x = sizes.at(index)
        yield line(x, errors.at(row.xerror - row.xstd), x, errors.at(row.xerror + row.xstd), stroke=PLAIN_COLOUR)
    training = [(sizes.at(index), errors.at(row.relative_error)) for index, row in enumerate(rows)]
    held_out = [(sizes.at(index), errors.at(row.xerror)) for index, row in enumerate(rows)]
    yield path(points_path(training), opacity=0.5)
    yield path(points_path(held_out), stroke=PLAIN_COLOUR, width=1.5)
    for row, (x, y) in zip(rows, held_out, strict=True):
        yield dot(x, y, fill=MARK_COLOUR if row is chosen else PLAIN_COLOUR, radius=6 if row is chosen else 3)


def _legend(left: float, y: float, lang: str) -> Iterator[SvgShape]:
    """Yield the names of the curves, one below the other."""
    for index, (text, colour, dash) in enumerate(_CURVES):
        middle = y + index * LINE_HEIGHT
        yield line(left, middle - 4, left + 22, middle - 4, stroke=colour, dash=dash)
        yield label(left + 28, middle, heading(text, lang))
