"""What the templates of text, Markdown and graphs are given: finished lines and cells. It is public API."""

from collections.abc import Mapping

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple, as_tuples


@frozen
class LinesContext:
    """Of text/table.txt and graph/tree.txt: finished lines."""

    lines: tuple[str, ...] = field(converter=as_tuple)


@frozen
class TableContext:
    """Of text/table.md: cells, escaped, and which columns are set to the right."""

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
    """Of text/rules.txt."""

    rules: tuple[Sentence, ...] = field(converter=as_tuple)


@frozen
class GraphNode:
    """A node of a graph: its number, its parent's (None of the root), the text that leads to it, its lines of text."""

    number: int
    parent: int | None
    edge: str
    lines: tuple[str, ...] = field(converter=as_tuple)
    is_leaf: bool


@frozen
class GraphContext:
    """Of graph/tree.dot and graph/tree.mmd."""

    nodes: tuple[GraphNode, ...] = field(converter=as_tuple)
