"""A pruning method as a record: its name, its options as data, and its function.

An option says what values it takes by one of these records; `prune`, the command line and the tests read them.

    NumberRange    a number within bounds        TableRows      a table
    OneOf          one of some names             ColumnOf       a column of such a table
    Switch         true or false                 NodeNumbers    numbers of nodes
"""

from collections.abc import Callable, Iterable
from math import inf
from typing import Any, TypeAlias

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.trees.tree import Tree


@frozen
class NumberRange:
    """A finite number from `least` (greater than it, where `exclusive`) to `most`."""

    least: float = 0.0
    most: float = inf
    exclusive: bool = False


@frozen
class OneOf:
    """One of these names."""

    names: tuple[str, ...] = field(converter=as_tuple)


@frozen
class Switch:
    """True or false."""


@frozen
class TableRows:
    """A table: the rows that the tree was learned from, or others."""

    training: bool


@frozen
class ColumnOf:
    """The name of a column of the table that another option of the method gives."""

    table: str


@frozen
class NodeNumbers:
    """The number of a node, or several: in preorder, the root's is 0."""


OptionValues: TypeAlias = NumberRange | OneOf | Switch | TableRows | ColumnOf | NodeNumbers


@frozen(kw_only=True)
class Option:
    """An option of a pruning method: a keyword argument of its function, and an option of `treerules prune`."""

    name: str
    values: OptionValues
    #: its meaning, in a few words without a full stop
    help: str = ""
    #: the value without it, in words, where the help states it in brackets
    default: str = ""
    #: whether the method needs it
    required: bool = False
    #: its option of the command line; None where there is none
    flag: str | None = None
    #: whether it makes its method the one on the command line, so that --method is not needed
    implies_method: bool = False


@frozen
class Pruner:
    """A pruning method: `prune(tree, **options)` returns a tree with no more leaves."""

    name: str
    options: tuple[Option, ...] = field(converter=as_tuple)
    prune: Callable[..., Tree]

    @property
    def option_names(self) -> tuple[str, ...]:
        """The names of the options."""
        return tuple(option.name for option in self.options)


def as_numbers(nodes: Any) -> Any:
    """Return the numbers of nodes as a tuple; one number as it is."""
    return tuple(nodes) if isinstance(nodes, Iterable) else nodes
