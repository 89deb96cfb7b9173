"""Parse XML into plain elements with their positions.

A document type is refused, so that no entity can be declared or expanded, and the nesting is limited: the memory and
time that a file takes are proportional to its size.
"""

import re
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from attrs import define, field

from treerules.errors import ParseError
from treerules.formats.tables.model import TableCell

#: The greatest depth of nested elements.
MOST_DEPTH = 100
_LINE_END = re.compile(r"\r\n|\n|\r")
_ENCODING_DECLARATION = re.compile(r"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
#: The encodings that are read, in lower case.
_ENCODINGS = ("utf-8", "utf-16", "us-ascii", "iso-8859-1", "gbk", "gb2312", "gb18030", "windows-1252")
#: What expat writes between the namespace and the name of an element; no name holds it.
_SEPARATOR = " "


@define(eq=False)
class XmlElement:
    """An element: its name without prefix, its namespace, its children and texts, and its position."""

    name: str
    namespace: str
    attributes: dict[str, str]
    line: int
    column: int
    #: all lines of the document, shared
    lines: list[str]
    file: str
    children: "list[XmlElement]" = field(factory=list)
    texts: list[str] = field(factory=list)
    #: line and column of the first character of its own text that is not blank; None where all are
    text_start: tuple[int, int] | None = None

    def children_named(self, *names: str) -> "Iterator[XmlElement]":
        """Yield the children that have one of these names and the namespace of this element."""
        return (child for child in self.children if child.name in names and child.namespace == self.namespace)

    def first_child(self, name: str) -> "XmlElement | None":
        """Return the first child of that name, or None."""
        return next(self.children_named(name), None)

    def attribute(self, name: str) -> str:
        """Return the value of an attribute, "" where the element does not have it."""
        return self.attributes.get(name, "")

    @property
    def own_text_cell(self) -> TableCell:
        """The characters of the element itself as a cell, without the blanks around them.

        An element without text gives an empty cell at its position.
        """
        return self._cell("".join(self.texts).strip(), *(self.text_start or (self.line, self.column)))

    @property
    def text_cell(self) -> TableCell:
        """The text of the child `<text>`, in which DMN writes expressions, as a cell; empty without that child."""
        child = self.first_child("text")
        return child.own_text_cell if child is not None else self._cell("", self.line, self.column)

    def _cell(self, text: str, line: int, column: int) -> TableCell:
        return TableCell(text, line, column, _line(self.lines, line), self.file, "xml")

    def error(self, problem: str, remedy: str) -> ParseError:
        """Return the error for the position of this element."""
        return self._cell("", self.line, self.column).error(problem, remedy)


def parse_xml(text: str | bytes, file: str = "") -> list[XmlElement]:
    """Return the elements of an XML document in document order, the root first.

    Raises:
        ParseError: the text is not XML, has a document type, or nests too deeply.
    """
    return _ElementBuilder(_decoded(text, file), file).elements()


def _decoded(text: str | bytes, file: str) -> str:
    """Return a document as text, without its byte order mark.

    Bytes are decoded as UTF-16 if they begin with its mark, else by the declared encoding, else as UTF-8.

    Raises:
        ParseError: the encoding is none of `_ENCODINGS`, or the bytes are not text in it.
    """
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
        name = "utf-16"
    else:
        declaration = _ENCODING_DECLARATION.match(text[:200].decode("latin-1").removeprefix("\xef\xbb\xbf"))
        name = declaration.group(1).lower() if declaration else "utf-8"
    try:
        if name not in _ENCODINGS:
            raise LookupError(name)
        return text.decode(name).removeprefix("\ufeff")
    except (UnicodeError, LookupError):
        raise ParseError(f"the file is not text in {name}", "save it in UTF-8", 1, 1, "", file) from None


class _ElementBuilder:
    """The handlers that expat calls, which build the elements of one document."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.lines = _LINE_END.split(text)
        #: the elements that are open, the innermost last
        self.stack = list[XmlElement]()
        #: all elements so far, in document order
        self.elements_so_far = list[XmlElement]()
        # the decoded text is passed to expat in UTF-8, whatever encoding the document declares
        self.parser = expat.ParserCreate("utf-8", _SEPARATOR)
        self.parser.buffer_text = False  # in a buffer, texts would lose their positions
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype

    def elements(self) -> list[XmlElement]:
        """Parse the document and return its elements in document order."""
        try:
            self.parser.Parse(self.text.encode("utf-8"), True)
        except expat.ExpatError as error:
            raise self.error(
                f"this is not XML ({expat.ErrorString(error.code)})",
                "correct it, or export it again",
                max(error.lineno, 1),
                error.offset + 1,
            ) from None
        except UnicodeEncodeError:
            raise self.error("the text holds half a character", "save it in UTF-8") from None
        return self.elements_so_far

    def position(self) -> tuple[int, int]:
        """Return the line and column at which expat is parsing, both from 1."""
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def error(self, problem: str, remedy: str, line: int = 1, column: int = 1) -> ParseError:
        """Return the error for a position of the document."""
        return TableCell("", line, column, _line(self.lines, line), self.file, "xml").error(problem, remedy)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        if len(self.stack) == MOST_DEPTH:
            raise self.error(f"more than {MOST_DEPTH} elements nest", "write a flat table", *self.position())
        namespace, _, local_name = name.rpartition(_SEPARATOR)
        element = XmlElement(local_name, namespace, attributes, *self.position(), self.lines, self.file)
        if self.stack:
            self.stack[-1].children.append(element)
        self.elements_so_far.append(element)
        self.stack.append(element)

    def end(self, name: str) -> None:
        """End an element."""
        self.stack.pop()

    def characters(self, text: str) -> None:
        """Add text to the innermost element."""
        element = self.stack[-1]
        element.texts.append(text)
        if element.text_start is None and text.strip():
            line, column = self.position()
            element.text_start = (line, column + len(text) - len(text.lstrip()))

    def doctype(self, *_: Any) -> None:
        """Raise ParseError, since a document type can declare entities."""
        raise self.error("a document type is declared", "leave <!DOCTYPE ...> out", *self.position())


def _line(lines: list[str], number: int) -> str:
    """Return a line by its number from 1; "" for a number after the last line."""
    return lines[number - 1] if 0 < number <= len(lines) else ""
