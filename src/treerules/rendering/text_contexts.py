"""The contexts of the templates of text, Markdown, HTML and graphs: finished lines and cells. They are public API."""

from collections.abc import Mapping

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple, as_tuples
from treerules.rendering.svg_contexts import SvgPicture


@frozen
class LinesContext:
    """The context of text/table.txt and graph/tree.txt: finished lines."""

    lines: tuple[str, ...] = field(converter=as_tuple)


@frozen
class TableContext:
    """The context of text/table.md: escaped cells, and which columns are aligned to the right."""

    headings: tuple[str, ...] = field(converter=as_tuple)
    rows: tuple[tuple[str, ...], ...] = field(converter=as_tuples)
    right: tuple[bool, ...] = field(converter=as_tuple)


@frozen
class Sentence:
    """A rule: its number, its sentence, and its figures by their names."""

    number: int
    sentence: str
    figures: Mapping[str, str]


@frozen
class SentencesContext:
    """The context of text/rules.txt: the rules, and the lines below them on missing and unseen values."""

    rules: tuple[Sentence, ...] = field(converter=as_tuple)
    remarks: tuple[str, ...] = field(default=(), converter=as_tuple)


@frozen
class GraphNode:
    """A node of a graph: its number, its parent's (None at the root), the condition that leads to it, its lines."""

    number: int
    parent: int | None
    edge: str
    lines: tuple[str, ...] = field(converter=as_tuple)
    is_leaf: bool


@frozen
class GraphContext:
    """The context of graph/tree.dot and graph/tree.mmd: the nodes, and remarks on missing and unseen values."""

    nodes: tuple[GraphNode, ...] = field(converter=as_tuple)
    remarks: tuple[str, ...] = field(default=(), converter=as_tuple)


@frozen
class HtmlTable:
    """A table: cells, which columns are aligned to the right, which rows are bold, and a remark on omitted rows."""

    headings: tuple[str, ...] = field(converter=as_tuple)
    rows: tuple[tuple[str, ...], ...] = field(converter=as_tuples)
    right: tuple[bool, ...] = field(converter=as_tuple)
    marked: tuple[bool, ...] = field(converter=as_tuple)
    more: str


@frozen
class HtmlPart:
    """A part of a report: a heading, a paragraph of lines, or a table; the other two are empty."""

    heading: str = ""
    lines: tuple[str, ...] = field(default=(), converter=as_tuple)
    table: HtmlTable | None = None


@frozen
class HtmlReportContext:
    """The context of html/report.html: the parts in reading order."""

    parts: tuple[HtmlPart, ...] = field(converter=as_tuple)


@frozen
class HtmlNode:
    """A node of a tree as an entry of nested lists."""

    #: the edges between the root and it
    depth: int
    #: the condition that leads to it, its label and its counts; the label may be empty
    edge: str
    label: str
    counts: str
    #: whether the next node is its child
    has_children: bool
    #: of a node without children the number of lists that end with it
    n_closed: int


@frozen
class HtmlDocumentContext:
    """The context of html/document.html: a document around a fragment of HTML, which stands in it as it is."""

    #: the language: en or zh
    lang: str
    title: str
    #: the Content-Security-Policy, with the hashes of the styles
    policy: str
    #: the style of the document; the fragment has its own
    style: str
    body: str


@frozen
class HtmlTreeContext:
    """The context of html/tree.html: a picture, the nodes as a list, remarks on omitted nodes and missing values."""

    #: the picture, which svg/picture.svg prints
    picture: SvgPicture
    #: the heading of the list
    list_heading: str
    #: the nodes in preorder
    nodes: tuple[HtmlNode, ...] = field(converter=as_tuple)
    more: str
    remarks: tuple[str, ...] = field(default=(), converter=as_tuple)
