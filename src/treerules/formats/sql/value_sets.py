"""Sets of a column's values, with missing among them or not, and boxes of such sets: what a conjunction takes.

The values on a line are what lies between cuts, a cut being just above a value; those of other columns are named, or
all but those named. So a set needs no bounds, and its complement is exact.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple


@frozen
class Line:
    """Values on a line: the lowest is in it or not, and at each cut, just above that value, this turns over."""

    starts: bool
    cuts: tuple[Any, ...] = field(default=(), converter=as_tuple)

    def flipped(self) -> "Line":
        """Return all others."""
        return Line(not self.starts, self.cuts)

    def joined(self, other: "Line") -> "Line":
        """Return what is in either."""
        cuts, now = list[Any](), [self.starts, other.starts]
        starts = last = any(now)
        turning = dict.fromkeys(self.cuts, 1)
        for cut in other.cuts:
            turning[cut] = turning.get(cut, 0) + 2
        for cut in sorted(turning):
            now = [now[0] ^ bool(turning[cut] & 1), now[1] ^ bool(turning[cut] & 2)]
            if any(now) is not last:
                last = not last
                cuts.append(cut)
        return Line(starts, cuts)

    def spans(self) -> list[tuple[Any, Any]]:
        """Return the parts (above, upto], None at the ends."""
        ends = [*([None] if self.starts else []), *self.cuts]
        ends += [None] if len(ends) % 2 else []
        return list(zip(ends[::2], ends[1::2], strict=True))


@frozen
class Names:
    """The values that are named, or all others; `both` are the only values there are, of a boolean column."""

    named: frozenset[Any]
    others: bool = False
    is_closed: bool = False

    def flipped(self) -> "Names":
        """Return all others."""
        return _names(self.named, not self.others, self.is_closed)

    def joined(self, other: "Names") -> "Names":
        """Return what is in either."""
        if self.others and other.others:
            return _names(self.named & other.named, True, self.is_closed)
        if self.others or other.others:
            left, taken = (self, other) if self.others else (other, self)
            return _names(left.named - taken.named, True, self.is_closed)
        return _names(self.named | other.named, False, self.is_closed)


def _names(named: frozenset[Any], others: bool, is_closed: bool) -> Names:
    """Return values by the one spelling there is of them: of booleans all are the others of none."""
    if is_closed and others and named:
        named, others = frozenset({False, True}) - named, False
    if is_closed and not others and len(named) == 2:
        named, others = frozenset(), True
    return Names(named, others, is_closed)


def names(values: Iterable[Any], *, is_closed: bool = False) -> Names:
    """Return the set of those values."""
    return _names(frozenset(values), False, is_closed)


@frozen
class Cells:
    """Some known values of a column, and whether missing ones too."""

    known: Line | Names
    missing: bool = False

    def flipped(self) -> "Cells":
        """Return all others."""
        return Cells(self.known.flipped(), not self.missing)

    def joined(self, other: "Cells") -> "Cells":
        """Return what is in either."""
        return Cells(self.known.joined(other.known), self.missing or other.missing)  # type: ignore[arg-type]

    def met(self, other: "Cells") -> "Cells":
        """Return what is in both."""
        return self.flipped().joined(other.flipped()).flipped()

    @property
    def is_none(self) -> bool:
        """Whether nothing is in it."""
        known = self.known
        if isinstance(known, Line):
            return not (self.missing or known.starts or known.cuts)
        return not (self.missing or known.others or known.named)

    @property
    def is_all(self) -> bool:
        """Whether everything is in it."""
        return self.flipped().is_none


#: What a conjunction takes: the columns that are asked, in the order of the schema; others may be anything.
Box = Mapping[str, Cells]


def met(first: Box, second: Box) -> Box | None:
    """Return what both boxes take; None where that is nothing."""
    found = dict(first)
    for name, cells in second.items():
        both = found[name].met(cells) if name in found else cells
        if both.is_none:
            return None
        found[name] = both
    return found


def merged(boxes: list[Box]) -> list[Box]:
    """Return boxes that take the same together: those that differ in one column alone are one.

    >>> one, two = Cells(names(["a"])), Cells(names(["b"]))
    >>> len(merged([{"x": one, "y": one}, {"x": two, "y": one}])), len(merged([{"x": one}, {"y": one}]))
    (1, 2)
    """
    before = -1
    while len(boxes) != before and len(boxes) > 1:
        before = len(boxes)
        for name in dict.fromkeys(name for box in boxes for name in box):
            boxes = _merged_on(name, boxes)
    return boxes


def _merged_on(name: str, boxes: list[Box]) -> list[Box]:
    groups: dict[frozenset[Any], Any] = {}
    rests: dict[frozenset[Any], Box] = {}
    for box in boxes:
        rest = frozenset((other, cells) for other, cells in box.items() if other != name)
        before = groups.get(rest, box.get(name))
        cells = box.get(name)
        groups[rest] = None if before is None or cells is None else before.joined(cells)
        rests.setdefault(rest, box)
    return [_with(rests[rest], name, cells) for rest, cells in groups.items()]


def _with(box: Box, name: str, cells: Cells | None) -> Box:
    found = dict(box)
    if cells is None or cells.is_all:
        found.pop(name, None)
    else:
        found[name] = cells
    return found
