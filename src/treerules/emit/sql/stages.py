"""The queries of an ensemble, one inside the other: each adds some trees to the margins.

    WITH treerules_sum_1 AS MATERIALIZED (
      SELECT "id", "age", 0.25e0 + CASE ... END + CASE ... END AS "treerules_margin" FROM data
    ),
    treerules_sum_2 AS MATERIALIZED (
      SELECT "id", "treerules_margin" + CASE ... END + CASE ... END AS "treerules_margin" FROM treerules_sum_1
    )

The order of the additions is that of the ensemble: SQL adds from the left. One chain of all trees would be deeper than
parsers allow.
"""

from collections.abc import Iterable, Sequence

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr

#: The number of trees that a stage adds.
TREES_A_STAGE = 50


@short_repr
@frozen
class StageSum:
    """A margin in a stage: its quoted name, and the finished lines of its expression."""

    name: str
    lines: tuple[str, ...] = field(converter=as_tuple)


@short_repr
@frozen
class Stage:
    """A query that adds some trees to the margins: its quoted name, what it reads, the columns that it passes on."""

    name: str
    source: str
    columns: tuple[str, ...] = field(converter=as_tuple)
    sums: tuple[StageSum, ...] = field(converter=as_tuple)


def sum_lines(first: str, addends: Iterable[Sequence[str]], single: str | None) -> list[str]:
    """Return the lines of a sum, added from the left.

    Args:
        first: the first addend.
        addends: the finished lines of the others.
        single: the type to which each sum is rounded; None for sums that are not rounded.
    """
    addends = list(addends)
    if single is None:
        return [first, *(line for addend in addends for line in (f"+ {addend[0]}", *addend[1:]))]
    lines = ["CAST(" * len(addends) + first]
    for addend in addends:
        lines += [f"+ {addend[0]}", *addend[1:]]
        lines[-1] += f" AS {single})"
    return lines


def finished_lines(lines: Sequence[str], steps: Sequence[str], single: str | None) -> list[str]:
    """Return the lines of a sum on which further operations follow, such as `/ 100e0`."""
    for step in steps:
        lines = [f"({lines[0]}", *lines[1:]]
        lines[-1] += f") {step}"
        lines = cast_lines(lines, single)
    return list(lines)


def cast_lines(lines: Sequence[str], kind: str | None) -> list[str]:
    """Return the lines of an expression cast to a type; None leaves it as it is."""
    if kind is None:
        return list(lines)
    lines = [f"CAST({lines[0]}", *lines[1:]]
    lines[-1] += f" AS {kind})"
    return lines
