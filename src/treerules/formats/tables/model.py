"""A decision table as it stands in a file: cells with their places, columns, rows."""

import re

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.errors import ParseError
from treerules.formats.notation.syntax import FEEL, TABLE_CELL, Syntax

#: What stands for one character of a cell's text, by how its file writes text.
_UNITS = {
    "": re.compile(r".", re.DOTALL),
    "csv": re.compile(r'""|.', re.DOTALL),
    "md": re.compile(r"\\[!-/:-@\[-`{-~]|.", re.DOTALL),
    "xml": re.compile(r"&[^;&<]*;|.", re.DOTALL),
}

_MOST_SHOWN = 1000


@frozen
class TableCell:
    """The text of a cell, and where it begins: line and column from 1, and that line as it stands in the file."""

    text: str
    line: int = 1
    column: int = 1
    source: str = ""
    file: str = ""
    #: how the file writes text: "", csv, md or xml
    file_syntax: str = ""

    @property
    def syntax(self) -> Syntax:
        """The syntax of the cell: FEEL in DMN."""
        return FEEL if self.file_syntax == "xml" else TABLE_CELL

    def error(self, problem: str, remedy: str, position: int = 0) -> ParseError:
        """Return the error of what stands at a position of the text, from 0."""
        column = self.column - 1
        if "\n" in self.text[:position]:
            return ParseError(problem, remedy, self.line + self.text.count("\n", 0, position), 1, "", self.file)
        for _ in range(position):
            unit = _UNITS[self.file_syntax].match(self.source, column)
            column = unit.end() if unit else column
        # a file that has all on one line is not shown
        shown = self.source if len(self.source) <= _MOST_SHOWN else ""
        return ParseError(problem, remedy, self.line, column + 1, shown, self.file)


@frozen
class TableColumn:
    """A column: its name, the cell that heads it, the type that its file declares, and the values that it declares."""

    name: str
    cell: TableCell
    #: a key of SCALARS, "timestamps" (with a zone or without, as the cells say), or "" where nothing is declared
    scalar: str = ""
    allowed: TableCell | None = None


@frozen
class TableRow:
    """A row: the rule's number, a cell for each column, what follows."""

    number: int
    cells: tuple[TableCell, ...] = field(converter=as_tuple)
    outcome: TableCell
    #: what the file calls the rule, where that is not "rule N"
    name: str = ""
    #: where the row begins
    line: int = field(kw_only=True)

    @line.default
    def _(self) -> int:
        return self.outcome.line


@frozen
class DecisionTable:
    """A decision table: its columns, its target, its rows. In an ordered one the first row that fires decides."""

    columns: tuple[TableColumn, ...] = field(converter=as_tuple)
    target: TableColumn
    rows: tuple[TableRow, ...] = field(converter=as_tuple)
    is_list: bool = False
    title: str = ""
