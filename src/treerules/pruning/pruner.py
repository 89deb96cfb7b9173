"""A pruning method as a record: its name, its options as data, and its function.

The values that an option accepts are one of these records, which `prune`, the command line and the tests read.

    NumberRange    a number within bounds        TableRows      a table
    OneOf          one of several names          ColumnOf       the name of a column of such a table
    Switch         True or False                 NodeNumbers    the number of a node, or several
"""

from collections.abc import Callable, Iterable
from math import inf
from typing import Any, TypeAlias

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.trees.tree import Tree


@frozen
class NumberRange:
    """A finite number from `least` to `most`, both included; with `exclusive` it must be greater than `least`."""

    least: float = 0.0
    most: float = inf
    exclusive: bool = False


@frozen
class OneOf:
    """One of several names."""

    names: tuple[str, ...] = field(converter=as_tuple)


@frozen
class Switch:
    """True or False."""


@frozen
class TableRows:
    """A table of rows."""

    #: whether it must hold the rows from which the tree was learned; else other rows
    training: bool


@frozen
class ColumnOf:
    """The name of a column of a table that another option of the method takes."""

    #: the name of that other option
    table: str


@frozen
class NodeNumbers:
    """The number of a node, or several numbers. Nodes are numbered in preorder; the root is 0."""


OptionValues: TypeAlias = NumberRange | OneOf | Switch | TableRows | ColumnOf | NodeNumbers


@frozen(kw_only=True)
class Option:
    """An option of a pruning method: a keyword argument of its function, and an option of `treerules prune`."""

    name: str
    values: OptionValues
    #: its meaning, in a few words without a full stop
    help: str = ""
    #: the default in words, which the help states in brackets; "" states none
    default: str = ""
    #: whether the method cannot do without it
    required: bool = False
    #: a value as Python code, which the error shows where a required option is absent
    example: str = ""
    #: the option of `treerules prune` that sets it; None where there is none
    flag: str | None = None
    #: whether giving it on the command line selects its method, so that --method is not needed
    implies_method: bool = False


@frozen
class Pruner:
    """A pruning method: `prune(tree, **options)` returns a tree with as many leaves or fewer."""

    name: str
    options: tuple[Option, ...] = field(converter=as_tuple)
    prune: Callable[..., Tree]

    @property
    def option_names(self) -> tuple[str, ...]:
        """The names of the options."""
        return tuple(option.name for option in self.options)


def as_node_numbers(nodes: Any) -> Any:
    """Return several numbers of nodes as a tuple, and a single number unchanged; neither is checked."""
    return tuple(nodes) if isinstance(nodes, Iterable) else nodes
