"""How many rows a table for people has: the option `top`, and the line that counts the others."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from treerules._internal.notes import or_none
from treerules.rendering.headings import heading
from treerules.report.report import ReportOption

_T = TypeVar("_T")
#: Tables for people have at most so many rows, unless another number is asked for.
MOST_SHOWN = 30


def _is_top(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


TOP = ReportOption("top", None, _is_top, or_none("a whole number from 0 (0 for all)", str(MOST_SHOWN)))


def shown_count(top: int | None, n: int) -> int:
    """Return how many of n rows are shown; `top` is the option, 0 for all of them."""
    return n if top == 0 else min(n, MOST_SHOWN if top is None else top)


def first_and_marked(rows: Sequence[_T], most: int, is_marked: Sequence[bool]) -> Iterator[_T]:
    """Yield the first rows, and those that are marked, in their order."""
    for index, (row, marked) in enumerate(zip(rows, is_marked, strict=True)):
        if index < most or marked:
            yield row


def more_line(n: int, lang: str) -> list[str]:
    """Return the line that counts n rows that are not shown; none where all are."""
    return [heading("… {n} more (--top 0 prints all)", lang, n=f"{n:,}")] if n > 0 else []
