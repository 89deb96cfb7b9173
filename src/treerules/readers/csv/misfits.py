"""Cells of a column that are not of its type: how many rows have one, three of them with their lines, and what to say.

Rows are counted, not distinct values: one `-` among a thousand ratings of 1 to 5 is one cell of a thousand.
"""

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from treerules._internal.notes import Note
from treerules.data.find_number_form import NO_MARKS, NumberMarks
from treerules.errors import ColumnError, shortened
from treerules.readers.csv.divided_lines import unlimited_cells
from treerules.readers.csv.sniff import CsvFormat, open_bytes
from treerules.rendering.headings import joined_texts, translated_text

#: The number of cells that a message shows.
_SHOWN = 3
_NOUNS = {
    "boolean": "truth values (true, false)",
    "integer": "whole numbers",
    "number": "numbers",
    "date": "dates",
    "timestamp": "timestamps",
    "timestamp_utc": "timestamps with a zone",
    "ordinal": "levels of the order",
}

#: The numbers of the lines in which some rows of data begin, given the positions of the rows.
LinesOf = Callable[[Sequence[int]], Sequence[int]]


@frozen(eq=False)
class TextColumn:
    """A column of text cells: `cell` of the table `cells` in DuckDB, in which missing cells are NULL."""

    connection: Any
    cell: str
    name: str
    #: whether the table has all rows, and not the first ones alone
    is_all: bool = True
    #: what the user says of all numbers
    marks: NumberMarks = NO_MARKS
    #: whether cells that cannot be read become missing; None: where nine of ten can be read
    is_made_missing: bool | None = False
    #: None where the source has no lines
    lines_of: LinesOf | None = None
    #: whether a model says of which type the cells are
    is_of_model: bool = False

    def query(self, fields: str, condition: str, rest: str = "") -> list[tuple[Any, ...]]:
        """Return fields of the known cells that meet a condition."""
        where = f"{self.cell} IS NOT NULL AND ({condition})"
        rows: list[tuple[Any, ...]] = self.connection.execute(f"SELECT {fields} FROM cells WHERE {where} {rest}")
        return rows.fetchall()  # type: ignore[attr-defined, no-any-return]


@frozen(eq=False)
class Misfits:
    """The known cells of a column that are not of a type."""

    column: TextColumn
    #: SQL that is true of the cells of the type
    fits: str
    n: int
    n_known: int
    #: what the cells are not, such as "numbers"
    noun: str

    @property
    def share(self) -> float:
        """The share of the known cells that are of the type."""
        return 1 - self.n / max(self.n_known, 1)

    def counted(self) -> str:
        """Return the number of cells, what they are not, and three of them with their lines."""
        rows = self.column.query(f"rowid, {self.column.cell}", f"NOT ({self.fits})", f"ORDER BY rowid LIMIT {_SHOWN}")
        positions = [row for row, _ in rows]
        place, lines_of = ("row", None) if self.column.lines_of is None else ("line", self.column.lines_of)
        numbers = [row + 1 for row in positions] if lines_of is None else lines_of(positions)
        template = f"{{cell}} in {place} {{number}}"
        pairs = zip(rows, numbers, strict=True)
        cells = joined_texts([translated_text(template, cell=shortened(cell), number=n) for (_, cell), n in pairs])
        n_more = self.n - len(rows)
        cells = translated_text("{cells} and {n:,} more", cells=cells, n=n_more) if n_more else cells
        text = "{n:,} of {known:,} cells cannot be read as {noun}: {cells}"
        return translated_text(text, n=self.n, known=self.n_known, noun=self.noun, cells=cells)

    def make_missing(self) -> Note:
        """Make the cells missing; return the note that says so."""
        note = Note("made_missing", "column {place!r}: made missing: {cells}", self.column.name, cells=self.counted())
        cell = self.column.cell
        self.column.connection.execute(f"UPDATE cells SET {cell} = NULL WHERE {cell} IS NOT NULL AND NOT ({self.fits})")
        return note

    def error(self) -> ColumnError:
        """Return the error for a column that was declared to be of the type."""
        option = _option(self.column.name)
        remedy = f"correct these cells, declare another type, or make them missing: {option}"
        if self.column.is_of_model:
            remedy = f"correct these cells; a model that is learned with {option} reads them as missing"
        return ColumnError(self.column.name, f"does not fit its type: {self.counted()}", remedy)

    def doubt(self) -> Note:
        """Return the note on a column that is text because of these cells."""
        name, fact = self.column.name, "column {place!r} is read as text: {cells}"
        remedy = (
            "correct these cells, name them by missing=, --missing, or make them missing: {option}; "
            "to keep the text: types=, --types {place}=category"
        )
        return Note("unreadable_cells", fact, name, remedy, cells=self.counted(), option=_option(name))


def misfits(column: TextColumn, fits: str, scalar: str, form: str = "") -> Misfits:
    """Return the known cells of a column for which an SQL condition is not true."""
    noun = translated_text(_NOUNS[scalar])
    noun = translated_text("{noun} in the form {form}", noun=noun, form=form) if form else noun
    ((n, n_known),) = column.query(f"count(*) FILTER (NOT ({fits})), count(*)", "TRUE")
    return Misfits(column, fits, n, n_known, noun)


def _option(name: str) -> str:
    return f"unreadable=, --unreadable {name}=missing"


def lines_of_rows(path: Path, csv_format: CsvFormat, positions: Sequence[int]) -> list[int]:
    """Return the numbers of the lines of a file in which some rows of data begin."""
    wanted, last = set(positions), max(positions, default=-1)
    lines: dict[int, int] = {}
    with open_bytes(path) as source, unlimited_cells():
        text = io.TextIOWrapper(source, encoding=csv_format.encoding, newline="")
        for _ in range(csv_format.skip):
            text.readline()
        rows = csv.reader(text, **{**csv_format.reader_options, "strict": False})
        position, start = -int(csv_format.has_header) - int(csv_format.has_preface), 1
        for row in rows:
            if row and position in wanted:
                lines[position] = csv_format.skip + start
            if row and position >= last:
                break
            position, start = position + bool(row), rows.line_num + 1
        text.detach()
    return [lines[position] for position in positions]
