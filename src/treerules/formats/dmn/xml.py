"""XML as plain elements with their places. A document type is refused, so no entity can be declared, let alone expand.

Elements hold little and nest little, so that no file can take more memory or time than its size says.
"""

import re
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from attrs import define, field

from treerules.errors import ParseError
from treerules.formats.tables.model import TableCell

#: Elements that stand in one another, at most.
MOST_DEPTH = 100
_LINE_END = re.compile(r"\r\n|\n|\r")
_DECLARED = re.compile(r"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_ENCODINGS = ("utf-8", "utf-16", "us-ascii", "iso-8859-1")


@define(eq=False)
class XmlElement:
    """An element: its name without prefix, its namespace, what it holds, and where its text begins."""

    name: str
    namespace: str
    attributes: dict[str, str]
    line: int
    column: int
    #: all lines of the document, shared
    lines: list[str]
    file: str
    children: "list[XmlElement]" = field(factory=list)
    parts: list[str] = field(factory=list)
    #: line and column of the first character of its text that is no blank
    begin: tuple[int, int] | None = None

    def each(self, *names: str) -> "Iterator[XmlElement]":
        """Yield the children of these names, in its own namespace."""
        return (child for child in self.children if child.name in names and child.namespace == self.namespace)

    def first(self, name: str) -> "XmlElement | None":
        """Return the first child of that name, None where there is none."""
        return next(self.each(name), None)

    def get(self, name: str) -> str:
        """Return an attribute, "" where it is not given."""
        return self.attributes.get(name, "")

    @property
    def cell(self) -> TableCell:
        """The text of the element; of one without text, where it begins."""
        return self._cell("".join(self.parts).strip(), *(self.begin or (self.line, self.column)))

    @property
    def text(self) -> str:
        """The text of the child `text`, without the blanks around it; "" where there is none."""
        inner = self.first("text")
        return inner.cell.text if inner is not None else ""

    @property
    def text_cell(self) -> TableCell:
        """The text of the child `text` as a cell."""
        inner = self.first("text")
        return inner.cell if inner is not None else self._cell("", self.line, self.column)

    def _cell(self, text: str, line: int, column: int) -> TableCell:
        return TableCell(text, line, column, _line(self.lines, line), self.file, "xml")

    def error(self, problem: str, remedy: str) -> ParseError:
        """Return the error of this element."""
        return self._cell("", self.line, self.column).error(problem, remedy)


def parse_xml(text: str | bytes, file: str = "") -> list[XmlElement]:
    """Return the elements of an XML document in its order, the root first.

    Raises:
        ParseError: it is no XML, has a document type, or nests too deeply.
    """
    said = _decoded(text, file)
    return _Building(said, file).elements()


def _decoded(text: str | bytes, file: str) -> str:
    """Return a document as text: UTF-16 by its mark, else as it declares, else UTF-8."""
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    found = _DECLARED.match(text[:200].decode("latin-1").removeprefix("\xef\xbb\xbf"))
    name = "utf-16" if text[:2] in (b"\xff\xfe", b"\xfe\xff") else found.group(1).lower() if found else "utf-8"
    try:
        if name not in _ENCODINGS and name not in ("gbk", "gb2312", "gb18030", "windows-1252"):
            raise LookupError(name)
        return text.decode(name).removeprefix("\ufeff")
    except (UnicodeError, LookupError):
        raise ParseError(f"the file is no text in {name}", "save it in UTF-8", 1, 1, "", file) from None


class _Building:
    """Elements as expat meets them. It lives in one call."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.lines = _LINE_END.split(text)
        self.stack, self.made = list[XmlElement](), list[XmlElement]()
        # text was decoded already, whatever the document says of itself
        self.parser = expat.ParserCreate("utf-8", " ")
        self.parser.buffer_text = False
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype

    def elements(self) -> list[XmlElement]:
        try:
            self.parser.Parse(self.text.encode("utf-8"), True)
        except expat.ExpatError as error:
            raise self.problem(
                f"this is no XML ({expat.ErrorString(error.code)})",
                "mend it, or export it again",
                max(error.lineno, 1),
                error.offset + 1,
            ) from None
        except UnicodeEncodeError:
            raise self.problem("the text holds half a character", "save it in UTF-8") from None
        return self.made

    def place(self) -> tuple[int, int]:
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def problem(self, problem: str, remedy: str, line: int = 1, column: int = 1) -> ParseError:
        return TableCell("", line, column, _line(self.lines, line), self.file, "xml").error(problem, remedy)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.stack) == MOST_DEPTH:
            raise self.problem(f"more than {MOST_DEPTH} elements nest", "write a flat table", *self.place())
        namespace, _, own = name.rpartition(" ")
        element = XmlElement(own, namespace, attributes, *self.place(), self.lines, self.file)
        if self.stack:
            self.stack[-1].children.append(element)
        self.made.append(element)
        self.stack.append(element)

    def end(self, name: str) -> None:
        self.stack.pop()

    def characters(self, text: str) -> None:
        element = self.stack[-1]
        element.parts.append(text)
        if element.begin is None and text.strip():
            line, column = self.place()
            element.begin = (line, column + len(text) - len(text.lstrip()))

    def doctype(self, *_: Any) -> None:
        raise self.problem("a document type is declared", "leave <!DOCTYPE ...> out", *self.place())


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1] if 0 < number <= len(lines) else ""
