"""`importance_plot`: the importances of features as bars, the most important first."""

from treerules.evaluation.importances import Importances
from treerules.rendering.headings import heading
from treerules.report.report import Page
from treerules.report.svg.bar_plot import BARS_WIDTH, ROW_HEIGHT, Bar, bars
from treerules.report.svg.legend import text_block
from treerules.report.svg.shapes import group, picture
from treerules.report.table_limits import shown_count
from treerules.rules.wording import figure_text, word

_MARGIN = 16.0


def importance_plot(importances: Importances, lang: str, top: int | None, summary: str) -> Page:
    """Return the page of the plot; `summary` says how importance was measured."""
    ranked = importances.ranked[: shown_count(top, len(importances.ranked))]
    shown_bars = [
        Bar(word(importance.feature), importance.value, figure_text(importance.value)) for importance in ranked
    ]
    summary_lines = text_block([summary], _MARGIN, _MARGIN, BARS_WIDTH)
    start = _MARGIN + summary_lines.height + 8
    title = heading("Importances of the features for {target}", lang, target=word(importances.target.name))
    description = "; ".join(f"{bar.name} {bar.text}" for bar in shown_bars[:5])
    height = start + len(shown_bars) * ROW_HEIGHT + _MARGIN
    groups = [group(summary_lines.shapes), group(bars(shown_bars, _MARGIN, start))]
    return picture(BARS_WIDTH + 2 * _MARGIN, height, title, description, groups)
