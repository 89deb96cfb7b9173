"""A whole rule text, with the positions of its lines for error messages."""

import re
from bisect import bisect_right

from attrs import field, frozen

from treerules._internal.unicode import is_shown
from treerules.errors import ParseError
from treerules.formats.notation.syntax import RULE_TEXT, Syntax

_LINE_END = re.compile(r"\r\n|\r|\n")
#: A longer line is not shown in an error.
_WIDEST = 160


@frozen
class Document:
    """A text of rules, and the name of its file for messages."""

    text: str
    file: str = ""
    syntax: Syntax = field(default=RULE_TEXT, init=False)
    line_starts: list[int] = field(init=False, eq=False, repr=False)

    @line_starts.default
    def _(self) -> list[int]:
        return [0, *(end.end() for end in _LINE_END.finditer(self.text))]

    def line_and_column(self, position: int) -> tuple[int, int]:
        """Return the line and the column of a position, both from 1."""
        line = bisect_right(self.line_starts, position)
        return line, position - self.line_starts[line - 1] + 1

    def error(self, problem: str, remedy: str, position: int = 0) -> ParseError:
        """Return the error for a position; it shows the line unless that is very long."""
        line, column = self.line_and_column(position)
        start = self.line_starts[line - 1]
        text = _LINE_END.split(self.text[start : start + max(_WIDEST, column) + 1], maxsplit=1)[0]
        visible = "".join(c if is_shown(c) or c == "\t" else "\ufffd" for c in text) if column <= _WIDEST else ""
        return ParseError(problem, remedy, line, column, visible, self.file)
