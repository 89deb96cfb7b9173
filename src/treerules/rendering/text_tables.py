"""Tables as text: aligned columns, Markdown, CSV. Chinese characters are two columns wide."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple, as_tuples
from treerules._internal.short_repr import short_repr
from treerules.rendering.templates import render_template
from treerules.rendering.text_contexts import LinesContext, TableContext


@short_repr
@frozen
class TextTable:
    """A table of finished texts: which columns are aligned to the right, and which rows are marked."""

    headings: tuple[str, ...] = field(converter=as_tuple)
    rows: tuple[tuple[str, ...], ...] = field(converter=as_tuples)
    right: tuple[bool, ...] = field(default=(), converter=as_tuple)
    marked: tuple[bool, ...] = field(default=(), converter=as_tuple)


def display_width(text: str) -> int:
    """Return the number of columns of a terminal that a text takes.

    >>> display_width("信贷 ab"), display_width("e\\u0301")
    (7, 1)
    """
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def escape_unprintable(text: str) -> str:
    """Return a text on one line, with unprintable characters escaped."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def table_text(table: TextTable, format: str = "text", templates: Any = None) -> str:
    """Return a table as aligned text, Markdown or CSV."""
    if format == "csv":
        return csv_text([table.headings, *table.rows])
    right = table.right or (False,) * len(table.headings)
    if format == "md":
        escaped = [[escape_markdown(cell) for cell in row] for row in (table.headings, *table.rows)]
        return render_template("text/table.md.j2", templates, TableContext(escaped[0], escaped[1:], right))
    cells = [[escape_unprintable(cell) for cell in row] for row in (table.headings, *table.rows)]
    widths = [max(display_width(cell) for cell in column) for column in zip(*cells, strict=True)]
    lines = [_aligned_line(row, widths, right) for row in cells]
    return render_template("text/table.txt.j2", templates, LinesContext(lines))


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as CSV with LF at line ends; a cell with CR is quoted, which Python's csv does not do then."""
    out = io.StringIO()
    minimal, quoting_all = (
        csv.writer(out, lineterminator="\n", quoting=quoting) for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)
    )
    for row in rows:
        (quoting_all if any("\r" in cell for cell in row) else minimal).writerow(row)
    return out.getvalue()


def exact_text(value: float | None) -> str:
    """Return a figure so that it reads back exactly; an empty text for None."""
    return "" if value is None else repr(value)


def json_number(value: Any) -> Any:
    """Return a value for JSON, which has no infinities: they become "inf" and "-inf"."""
    return str(value) if isinstance(value, float) and abs(value) == float("inf") else value


def _aligned_line(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = []
    for cell, width, is_right in zip(row, widths, right, strict=True):
        blanks = " " * (width - display_width(cell))
        cells.append(blanks + cell if is_right else cell + blanks)
    return "  ".join(cells).rstrip()


def escape_markdown(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return "".join("\\" + c if c in "\\|*_`<>[]#&~" else c for c in escape_unprintable(text))
