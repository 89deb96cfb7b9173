"""Tables at the width and in the colours of a terminal."""

from collections.abc import Sequence
from typing import Any

from rich.table import Table as RichTable
from rich.text import Text

from treerules.rendering.text_tables import TextTable, display_width, escape_unprintable
from treerules.report.report import Heading, Part

#: The minimum width of a column of text, unless its texts are shorter.
_MIN_WIDTH = 12


def split_table(table: TextTable, columns: int) -> list[TextTable]:
    """Return a table, divided into several tables if its figures do not fit a terminal of `columns` columns.

    Figures are never truncated: the columns of text, which can be folded, are repeated in each part.
    """
    widths = [max(map(display_width, column)) for column in zip(table.headings, *table.rows, strict=True)]
    right = table.right or (False,) * len(widths)
    texts = [index for index, is_right in enumerate(right) if not is_right]
    first_text = min(texts, default=0)
    room = columns - sum(min(widths[index], _MIN_WIDTH) + 2 for index in texts)
    parts: list[list[int]] = [[]]
    room_left = room
    for index in (index for index, is_right in enumerate(right) if is_right and index > first_text):
        if widths[index] + 2 > room_left and parts[-1]:
            parts.append([])
            room_left = room
        parts[-1].append(index)
        room_left -= widths[index] + 2
    before = [index for index in range(first_text) if right[index]]
    return [_with_columns(table, sorted([*before, *texts, *part])) for part in parts]


def _with_columns(table: TextTable, indices: Sequence[int]) -> TextTable:
    """Return a table with some of its columns."""
    return TextTable(
        [table.headings[index] for index in indices],
        [[row[index] for index in indices] for row in table.rows],
        [(table.right or (False,) * len(table.headings))[index] for index in indices],
        table.marked,
    )


def rich_part(part: Part, columns: int) -> RichTable | Text:
    """Return a part of a report for a terminal of `columns` columns."""
    if isinstance(part, Heading):
        return Text(escape_unprintable(part.text), style="bold")
    if isinstance(part, str):
        return Text("\n".join(escape_unprintable(line) for line in part.split("\n")))
    rich_table = RichTable(box=None, pad_edge=False, header_style="bold")
    _add_columns(rich_table, part, columns)
    marked = part.marked or (False,) * len(part.rows)
    for row, is_marked in zip(part.rows, marked, strict=True):
        cells = [Text("\n".join(escape_unprintable(line) for line in cell.split("\n"))) for cell in row]
        rich_table.add_row(*cells, style="bold green" if is_marked else None)
    return rich_table


def _add_columns(rich_table: RichTable, table: TextTable, columns: int) -> None:
    """Add the columns: figures at their width, texts folded into the remaining width."""
    right = table.right or (False,) * len(table.headings)
    cells = zip(table.headings, *table.rows, strict=True)
    widths = [max(display_width(line) for cell in column for line in cell.split("\n")) for column in cells]
    figures = sum(column_width for column_width, is_right in zip(widths, right, strict=True) if is_right)
    room = columns - figures - 2 * (len(widths) - 1)
    min_width = max(2, min(_MIN_WIDTH, room // max(1, right.count(False))))  # even a narrow terminal shows all text
    for name, is_right, column_width in zip(table.headings, right, widths, strict=True):
        options: dict[str, Any] = {"justify": "right", "no_wrap": True, "min_width": column_width}
        if not is_right:
            options = {"overflow": "fold", "min_width": min(column_width, min_width)}
        rich_table.add_column(Text(escape_unprintable(name)), **options)
