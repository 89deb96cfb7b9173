"""Notes on the values of text columns: categories that differ in case or blanks alone, and rows of totals."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from toolz import groupby

from treerules._internal.notes import Note
from treerules._internal.sql_quotes import quote_identifier
from treerules.data.column import Column
from treerules.data.schema import Kind
from treerules.errors import shortened
from treerules.readers.csv.misfits import LinesOf
from treerules.rendering.headings import translated_text

#: Columns of more categories are not examined, and so many groups of them are shown.
_MOST_CATEGORIES, _MOST_GROUPS = 10_000, 3
#: Rows at the end of a file that may be totals, and their words.
_LAST = 3
_TOTALS = frozenset(
    ("total", "totals", "grand total", "sum", "subtotal", "summe", "gesamt", "合计", "总计", "总和", "小计")
)


def text_columns(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of text that were fetched."""
    return [
        column
        for column in columns
        if column.feature.kind is Kind.CATEGORY and column.feature.scalar == "text" and column.fetched
    ]


def total_notes(columns: Sequence[Column], lines_of: LinesOf) -> list[str]:
    """Return a note on each of the last rows that looks like a total, with its line."""
    found: dict[int, tuple[str, str]] = {}
    for column in text_columns(columns):
        first = max(0, len(column.data) - _LAST)
        for row in range(first, len(column.data)):
            text = column.value(row)
            is_total = text is not None and text.strip(" :：").casefold() in _TOTALS
            if is_total and not np.any(column.data[:first] == column.data[row]):
                found.setdefault(row, (column.feature.name, text))
    lines = lines_of(sorted(found)) if found else []
    fact = "line {line} looks like a total and no row: {text!r} in column {place!r}"
    return [
        Note("total", fact, name, "take it out of the file", line=line, text=text)
        for line, (_, (name, text)) in zip(lines, sorted(found.items()), strict=True)
    ]


def near_equal_notes(columns: Sequence[Column], path: Path, encoding: str) -> list[str]:
    """Return the notes on categories that are equal but for case and blanks, with the numbers of their rows."""
    few = [column for column in text_columns(columns) if len(column.feature.categories) <= _MOST_CATEGORIES]
    return [note for column in few if (note := _near_equal(column, path, encoding)) is not None]


def _near_equal(column: Column, path: Path, encoding: str) -> Note | None:
    """Return the note on categories of a column that are equal but for case and blanks, with their rows and a query."""
    groups = groupby(lambda text: " ".join(text.split()).casefold(), column.feature.categories)
    alike = [texts for texts in groups.values() if len(texts) > 1]
    if not alike:
        return None
    counts = np.bincount(column.data[column.data >= 0], minlength=len(column.feature.categories))
    count_of = dict(zip(column.feature.categories, counts.tolist(), strict=True))
    alike.sort(key=lambda texts: -sum(map(count_of.__getitem__, texts)))
    shown = "; ".join(
        ", ".join(f"{shortened(text)} ({count_of[text]:,})" for text in texts) for texts in alike[:_MOST_GROUPS]
    )
    if len(alike) > _MOST_GROUPS:
        shown = translated_text("{groups} and {n:,} more such groups", groups=shown, n=len(alike) - _MOST_GROUPS)
    name, source = quote_identifier(column.feature.name), quote_identifier(str(path))
    query = f"SELECT * REPLACE (lower(trim({name})) AS {name}) FROM {source}"
    fact = "column {place!r} has categories that differ in case or blanks alone (rows in brackets): {groups}"
    remedy = "if they are one: read_query, --query '{query}'"
    if not encoding.startswith("utf"):  # DuckDB reads no other
        remedy = "if they are one, save the file in UTF-8: read_query, --query '{query}'"
    return Note("near_equal", fact, column.feature.name, remedy, groups=shown, query=query)
