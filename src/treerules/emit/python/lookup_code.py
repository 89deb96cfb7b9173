"""The parts of a plain Python module of the style "lookup": trees as a table of nodes, and the codes of a row."""

from collections.abc import Sequence

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.emit.lookup_nodes import LookupNodes
from treerules.emit.python.plain_loading import LoadedColumn
from treerules.emit.python.python_literals import INDENT, WIDTH, assignment, code_width

#: The import of what counts bounds below a value.
BISECT = "from bisect import bisect_left"
#: Names that the code of a table of nodes uses, besides those of the bounds and categories of columns.
LOOKUP_NAMES = (
    *("NODES", "LEAVES", "OUTPUTS", "ROOTS", "bisect_left"),
    *("bounds", "bound", "categories", "code", "codes", "failed", "first", "found", "met", "node", "order", "place"),
    *("last", "leaves", "root"),
)


@short_repr
@frozen
class LookupParts:
    """The table of nodes of a plain module. Public API. All texts are finished code.

    Args:
        constants: the statements that set the bounds and categories of columns.
        codes: the statement that sets `codes`, the codes of a row.
        table: the nodes, one a line: the position of a code, a bound, and the next node, or a leaf below 0, of codes up
            to the bound and above it.
        leaves: what each leaf adds, one a line; "" for rules.
        roots: the statement that sets ROOTS, the first node of each tree.
        has_bounds: whether some column is compared with bounds.
        has_categories: whether some column has categories.
    """

    constants: tuple[str, ...] = field(converter=as_tuple)
    codes: tuple[str, ...] = field(converter=as_tuple)
    table: str
    leaves: str
    roots: str
    has_bounds: bool
    has_categories: bool


def lookup_parts(
    nodes: LookupNodes, columns: Sequence[LoadedColumn], vectors: Sequence[Sequence[float]] = ()
) -> LookupParts:
    """Return the parts of a module, given the loaded columns of the nodes' features, and what the leaves add."""
    constants, entries = [], []
    for column, table, bounds in zip(columns, nodes.table_names, nodes.bounds, strict=True):
        if column.feature.is_ordered:
            constants.append(assignment(table, bounds))
            entries.append(f"*order({column.variable}, {table})")
        else:
            constants.append(assignment(table, {value: at for at, value in enumerate(bounds)}))
            entries.append(f"place({column.variable}, {table})")
    return LookupParts(
        constants=constants,
        codes=_tuple_lines("codes = ", entries),
        table="\n".join(" ".join(map(str, node)) for node in nodes.nodes),
        leaves="\n".join(" ".join(map(repr, vector)) for vector in vectors),
        roots=assignment("ROOTS", nodes.roots),
        has_bounds=nodes.has_bounds,
        has_categories=nodes.has_categories,
    )


def _tuple_lines(start: str, entries: Sequence[str]) -> list[str]:
    """Return the lines of a tuple: on one line where it fits."""
    if len(entries) == 1 and entries[0].startswith("*"):
        return [start + entries[0].removeprefix("*")]
    flat = f"{start}({', '.join(entries)}{',' if len(entries) == 1 else ''})"
    if code_width(INDENT + flat) <= WIDTH:
        return [flat]
    return [f"{start}(", *(f"{INDENT}{entry}," for entry in entries), ")"]
