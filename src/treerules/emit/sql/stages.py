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


def sum_lines(first: str, addends: Iterable[Sequence[str]], single: str | None, *, is_typed: bool) -> list[str]:
    """Return the lines of a sum, added from the left.

    Args:
        first: the first addend.
        addends: the finished lines of the others.
        single: the pattern that rounds a number to float32; None for sums of doubles.
        is_typed: whether the engine adds two numbers of 32 bits as such: then each addend is made one. Else each sum
            is rounded.
    """
    addends = list(addends)
    if single is not None and is_typed:
        first, single, addends = single.format(first), None, [wrapped_lines(addend, single) for addend in addends]
    before, after = ("", "") if single is None else single.split("{}")
    lines = [before * len(addends) + first]
    for addend in addends:
        lines += [f"+ {addend[0]}", *addend[1:]]
        lines[-1] += after
    return lines


def finished_lines(lines: Sequence[str], steps: Sequence[str], single: str | None) -> list[str]:
    """Return the lines of a sum on which further operations follow, such as `/ 100e0`."""
    for step in steps:
        lines = [f"({lines[0]}", *lines[1:]]
        lines[-1] += f") {step}"
        lines = wrapped_lines(lines, single)
    return list(lines)


def wrapped_lines(lines: Sequence[str], pattern: str | None) -> list[str]:
    """Return the lines of an expression in a pattern, such as a cast; None leaves it as it is."""
    if pattern is None:
        return list(lines)
    before, after = pattern.split("{}")
    lines = [before + lines[0], *lines[1:]]
    lines[-1] += after
    return lines
