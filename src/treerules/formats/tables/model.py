"""A decision table as read from a file: cells with their positions, columns, rows."""

import re

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.errors import ParseError
from treerules.formats.notation.syntax import FEEL, TABLE_CELL, Syntax

#: The pattern of one character of a cell's text in the file, by its syntax: quotes are doubled, entities resolved.
_CHARACTERS = {
    "": re.compile(r".", re.DOTALL),
    "csv": re.compile(r'""|.', re.DOTALL),
    "md": re.compile(r"\\[!-/:-@\[-`{-~]|.", re.DOTALL),
    "xml": re.compile(r"&[^;&<]*;|.", re.DOTALL),
}

#: A longer line is not shown in an error: some files have all on one line.
_MOST_SHOWN = 1000


@frozen
class TableCell:
    """The text of a cell, and its position: line and column from 1, and the line of the file."""

    text: str
    line: int = 1
    column: int = 1
    source: str = ""
    file: str = ""
    #: the encoding of the text in the file: "" (plain), csv (in quotes), md or xml
    file_syntax: str = ""

    @property
    def syntax(self) -> Syntax:
        """The syntax of the cell: FEEL in DMN."""
        return FEEL if self.file_syntax == "xml" else TABLE_CELL

    def error(self, problem: str, remedy: str, position: int = 0) -> ParseError:
        """Return the error for a position of the text, from 0."""
        column = self.column - 1
        if "\n" in self.text[:position]:
            return ParseError(problem, remedy, self.line + self.text.count("\n", 0, position), 1, "", self.file)
        for _ in range(position):
            character = _CHARACTERS[self.file_syntax].match(self.source, column)
            column = character.end() if character else column
        line = self.source if len(self.source) <= _MOST_SHOWN else ""
        return ParseError(problem, remedy, self.line, column + 1, line, self.file)


@frozen
class TableColumn:
    """A column: its name, the cell that heads it, the scalar and the values that its file declares."""

    name: str
    cell: TableCell
    #: a key of SCALARS, "timestamps" (with or without a zone, as in the cells), or "" if nothing is declared
    scalar: str = ""
    allowed: TableCell | None = None


@frozen
class TableRow:
    """A row: the number of its rule, a cell for each column, and the cell of the predicted value."""

    number: int
    cells: tuple[TableCell, ...] = field(converter=as_tuple)
    outcome: TableCell
    #: the name of the rule in the file, if it is not "rule N"
    name: str = ""
    #: the first line of the row
    line: int = field(kw_only=True)

    @line.default
    def _(self) -> int:
        return self.outcome.line


@frozen
class DecisionTable:
    """A decision table: its columns, its target, its rows. In a list the first row that fires decides."""

    columns: tuple[TableColumn, ...] = field(converter=as_tuple)
    target: TableColumn
    rows: tuple[TableRow, ...] = field(converter=as_tuple)
    is_list: bool = False
    title: str = ""
