"""The parts of a plain JavaScript module of the style "lookup": trees as a table of nodes, and the codes of a row."""

from collections.abc import Mapping, Sequence
from textwrap import wrap

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature
from treerules.emit.javascript_language import JAVASCRIPT
from treerules.emit.javascript_statements import broken
from treerules.emit.lookup_nodes import LookupNodes

#: Names that the code of a table of nodes uses, besides those of the bounds and categories of columns.
LOOKUP_NAMES = ("NODES", "ROOTS", "LEAVES", "codes", "leafOf", "order", "place", "root", "Map")


@short_repr
@frozen
class JavascriptLookup:
    """The table of nodes of a plain module. Public API. All texts are finished code.

    Args:
        constants: the statements that set the bounds and categories of columns.
        codes: the entries of the codes of a row, one for each column.
        table: the lines of the nodes, four numbers each: the position of a code, a bound, and the next node, or a leaf
            below 0, of codes up to the bound and above it.
        leaves: the lines of what each leaf adds; none for rules.
        roots: the statement that sets ROOTS, the first node of each tree.
        has_bounds: whether some column is compared with bounds.
        has_categories: whether some column has categories.
    """

    constants: tuple[str, ...] = field(converter=as_tuple)
    codes: tuple[str, ...] = field(converter=as_tuple)
    table: tuple[str, ...] = field(converter=as_tuple)
    leaves: tuple[str, ...] = field(converter=as_tuple)
    roots: str
    has_bounds: bool
    has_categories: bool


def javascript_lookup(
    nodes: LookupNodes, variables: Mapping[Feature, str], leaves: Sequence[str] = ()
) -> JavascriptLookup:
    """Return the parts of a module, given the variables of the nodes' features, and what the leaves add as literals."""
    constants, codes = [], []
    for feature, table, bounds in zip(nodes.features, nodes.table_names, nodes.bounds, strict=True):
        literals = list(map(JAVASCRIPT.literal, bounds))
        if feature.is_ordered:
            constants.append(broken(f"const {table} = [", literals, "];"))
            codes.append(f"...order({variables[feature]}, {table}),")
        else:
            pairs = [f"[{literal}, {at}]" for at, literal in enumerate(literals)]
            constants.append(broken(f"const {table} = new Map([", pairs, "]);"))
            codes.append(f"place({variables[feature]}, {table}),")
    return JavascriptLookup(
        constants=constants,
        codes=codes,
        table=_filled([f"{','.join(map(str, node))}," for node in nodes.nodes]),
        leaves=_filled([f"{leaf}," for leaf in leaves]),
        roots=broken("const ROOTS = [", map(str, nodes.roots), "];"),
        has_bounds=nodes.has_bounds,
        has_categories=nodes.has_categories,
    )


def _filled(entries: Sequence[str]) -> list[str]:
    """Return the lines of entries, as many on each as fit."""
    return wrap(" ".join(entries), 100, break_long_words=False, break_on_hyphens=False)
