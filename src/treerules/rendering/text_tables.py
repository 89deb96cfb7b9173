"""Tables as text: aligned columns, Markdown, CSV. Chinese characters are two columns wide."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple, as_tuples
from treerules.rendering.templates import rendered
from treerules.rendering.text_contexts import LinesContext, TableContext


@frozen
class TextTable:
    """Headings and rows of finished text: which columns are set to the right, and which rows stand out."""

    headings: tuple[str, ...] = field(converter=as_tuple)
    rows: tuple[tuple[str, ...], ...] = field(converter=as_tuples)
    right: tuple[bool, ...] = field(default=(), converter=as_tuple)
    marked: tuple[bool, ...] = field(default=(), converter=as_tuple)


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    >>> width("信贷 ab"), width("e\\u0301")
    (7, 1)
    """
    return sum(_width(c) for c in text)


def _width(c: str) -> int:
    if c.isascii():
        return 1
    if unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def printable(text: str) -> str:
    """Return a text on one line, with what cannot be printed escaped."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def table_text(table: TextTable, format: str = "text", templates: Any = None) -> str:
    """Return a table as aligned text, Markdown or CSV."""
    if format == "csv":
        return csv_text([table.headings, *table.rows])
    right = table.right or (False,) * len(table.headings)
    if format == "md":
        escaped = [[escaped_markdown(cell) for cell in row] for row in (table.headings, *table.rows)]
        return rendered("text/table.md.j2", templates, TableContext(escaped[0], escaped[1:], right))
    cells = [[printable(cell) for cell in row] for row in (table.headings, *table.rows)]
    widths = [max(width(cell) for cell in column) for column in zip(*cells, strict=True)]
    lines = [_padded(row, widths, right) for row in cells]
    return rendered("text/table.txt.j2", templates, LinesContext(lines))


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as CSV that ends lines with LF; a cell with CR is quoted too, which Python's csv forgets then."""
    out = io.StringIO()
    usual, careful = (csv.writer(out, lineterminator="\n", quoting=q) for q in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    for row in rows:
        (careful if any("\r" in cell for cell in row) else usual).writerow(row)
    return out.getvalue()


def exact_text(value: float | None) -> str:
    """Return a figure so that it reads back exactly; empty where there is none."""
    return "" if value is None else repr(value)


def finite(value: Any) -> Any:
    """Return a value for JSON, which has no infinities: those become "inf" and "-inf"."""
    return str(value) if isinstance(value, float) and abs(value) == float("inf") else value


def _padded(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, size, is_right in zip(row, widths, right, strict=True):
        blanks = " " * (size - width(cell))
        padded.append(blanks + cell if is_right else cell + blanks)
    return "  ".join(padded).rstrip()


def escaped_markdown(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return "".join("\\" + c if c in "\\|*_`<>[]#&~" else c for c in printable(text))
