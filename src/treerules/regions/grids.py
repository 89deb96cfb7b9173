"""Rules and rows as boxes on common axes, one a column: exact, over a declared domain, without a void part.

    Steps    an ordered column: step k holds what is above end k - 1 and up to end k, and each end is a value that may
             come, so no step is empty; beside them stands missing
    Atoms    categories, unseen and missing, those together that every box takes or leaves together

A box takes a range of steps, or a set of atoms, on each axis. A row is a box that holds one value on each.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.column import Column
from treerules.data.domain import ColumnDomain, Domain, domain_of, unseen_value
from treerules.data.interval import Interval
from treerules.data.sample_values import free_value, value_between
from treerules.data.schema import Feature, Schema, ordinate
from treerules.rules.conditions import everything_of
from treerules.rules.rule import Condition, Members

#: What a rule asks: pairs of a column's name and a condition.
Asked = Sequence[tuple[str, Condition]]


@frozen(eq=False)
class Ranges:
    """The parts of boxes on `Steps`: from step lo to before hi, and whether missing belongs to it."""

    lo: Any
    hi: Any
    missing: Any


@frozen(eq=False)
class Sets:
    """The parts of boxes on `Atoms`: a row a box, a column an atom; or, of rows, the one atom of each (-1 is none)."""

    takes: Any = None
    codes: Any = None

    def of(self, boxes: Any, n_atoms: int) -> Any:
        """Return which atoms these boxes take."""
        if self.codes is None:
            return self.takes[boxes]
        return self.codes[boxes][:, None] == np.arange(n_atoms)


@frozen(eq=False)
class Steps:
    """An ordered column. A part is (first step, end of steps, whether missing belongs to it)."""

    feature: Feature
    domain: ColumnDomain
    ends: tuple[Any, ...]

    @property
    def whole(self) -> Any:
        """The part that is everything."""
        return 0, len(self.ends), self.domain.missing

    def size(self, part: Any) -> int:
        """Return how many steps and missing ones a part has."""
        return int(part[1] - part[0]) + int(part[2])

    def coded(self, conditions: Sequence[Condition]) -> Ranges:
        """Return the parts that conditions take."""
        parts = [self._part(condition) for condition in conditions]
        lo, hi, missing = (np.array(each) for each in zip(*parts, strict=True)) if parts else np.zeros((3, 0), int)
        return Ranges(lo, hi, missing.astype(bool))

    def _part(self, condition: Condition) -> tuple[int, int, bool]:
        values, missing = condition.values, condition.missing and self.domain.missing
        if not isinstance(values, Interval):
            return 0, 0, missing
        lo = 0 if values.above is None else bisect_right(self.ends, values.above)
        hi = len(self.ends) if values.upto is None else bisect_right(self.ends, values.upto)
        return (lo, hi, missing) if lo < hi else (0, 0, missing)

    def picked(self, parts: Ranges, places: Any) -> Ranges:
        """Return the parts of the conditions at these places, one a box."""
        return Ranges(parts.lo[places], parts.hi[places], parts.missing[places])

    def rows(self, column: Column) -> Ranges:
        """Return the cells of an aligned column; one outside the domain takes nothing."""
        ends = np.array([ordinate(end) for end in self.ends], dtype=column.data.dtype)
        lo = np.searchsorted(ends, column.data, side="left")
        inside = ~column.missing & (lo < len(ends)) & (column.data >= ordinate(self.domain.lowest))
        lo = np.where(inside, lo, 0)
        return Ranges(lo, lo + inside, column.missing & self.domain.missing)

    def taking(self, parts: Ranges) -> Any:
        """Return which of the parts hold anything."""
        return (parts.lo < parts.hi) | parts.missing

    def part(self, parts: Ranges, box: int) -> Any:
        """Return the part of one box."""
        return int(parts.lo[box]), int(parts.hi[box]), bool(parts.missing[box])

    def common(self, one: Any, other: Any) -> Any:
        """Return what two parts share."""
        lo, hi = max(one[0], other[0]), min(one[1], other[1])
        return (lo, hi, one[2] and other[2]) if lo < hi else (0, 0, one[2] and other[2])

    def united(self, one: Any, other: Any) -> Any:
        """Return two parts as one, None where they do not touch."""
        if one[0] == one[1] or other[0] == other[1]:
            values = other if one[0] == one[1] else one
            return values[0], values[1], one[2] or other[2]
        lower, upper = sorted((one, other))
        return (lower[0], upper[1], one[2] or other[2]) if lower[1] == upper[0] else None

    def condition(self, part: Any) -> Condition | None:
        """Return a part as a condition, None where it is everything."""
        lo, hi, missing = part
        if part == self.whole:
            return None
        above = None if lo == 0 else self.ends[lo - 1]
        upto = None if hi == len(self.ends) else self.ends[hi - 1]
        return Condition(Interval(above, upto) if lo < hi else None, missing)

    def value(self, part: Any) -> Any:
        """Return a value of a part that is not empty: a plain one where there is a choice."""
        lo, hi, missing = part
        if (part == self.whole and missing) or lo >= hi:
            return None
        above, upto = self.ends[lo - 1] if lo else None, self.ends[hi - 1] if hi < len(self.ends) else None
        return value_between(self.feature, self.domain, above, upto)


@frozen(eq=False)
class Atoms:
    """A column of categories. A part is the bits of its atoms."""

    feature: Feature
    domain: ColumnDomain
    #: the atom of each category, then of unseen and of missing; -1 is what cannot come
    atoms: Any
    n: int

    @property
    def whole(self) -> Any:
        """The part that is everything."""
        return (1 << self.n) - 1

    def size(self, part: Any) -> int:
        """Return how many atoms a part has."""
        return int(part).bit_count()

    def coded(self, conditions: Sequence[Condition]) -> Sets:
        """Return the parts that conditions take."""
        raw = _taken(self.feature, conditions)
        _, first = np.unique(self.atoms, return_index=True)
        return Sets(raw[:, first[-self.n :]] if self.n else raw[:, :0])

    def picked(self, parts: Sets, places: Any) -> Sets:
        """Return the parts of the conditions at these places, one a box."""
        return Sets(parts.takes[places])

    def rows(self, column: Column) -> Sets:
        """Return the cells of an aligned column; one outside the domain takes nothing."""
        codes = self.atoms[column.data]  # unseen is -2, missing -1: the last two
        return Sets(codes=np.where(column.missing, self.atoms[-1], codes))

    def taking(self, parts: Sets) -> Any:
        """Return which of the parts hold anything."""
        return parts.codes >= 0 if parts.codes is not None else parts.takes.any(axis=1)

    def part(self, parts: Sets, box: int) -> Any:
        """Return the part of one box."""
        return sum(1 << place for place in np.flatnonzero(parts.of(np.array([box]), self.n)[0]).tolist())

    def common(self, one: Any, other: Any) -> Any:
        """Return what two parts share."""
        return one & other

    def united(self, one: Any, other: Any) -> Any:
        """Return two parts as one."""
        return one | other

    def _has(self, part: int, place: int) -> bool:
        atom = int(self.atoms[place])
        return atom >= 0 and bool(part >> atom & 1)

    def condition(self, part: Any) -> Condition | None:
        """Return a part as a condition, None where it is everything."""
        if part == self.whole:
            return None
        names = [name for place, name in enumerate(self.feature.categories) if self._has(part, place)]
        return Condition(Members(names) if names else None, self._has(part, -1), self._has(part, -2))

    def value(self, part: Any) -> Any:
        """Return a value of a part that is not empty: a plain one where there is a choice."""
        if part == self.whole and self._has(part, -1):
            return None
        known = (name for place, name in enumerate(self.feature.categories) if self._has(part, place))
        return next(known, unseen_value(self.feature) if self._has(part, -2) else None)


Axis = Steps | Atoms


def _taken(feature: Feature, conditions: Sequence[Condition]) -> Any:
    """Return which category, unseen and missing each condition takes."""
    n, positions = len(feature.categories), feature.positions
    takes = np.zeros((len(conditions), n + 2), dtype=bool)
    for row, condition in zip(takes, conditions, strict=True):
        values = condition.values
        if isinstance(values, Members):
            row[:n] = values.complement
            row[[positions[value] for value in values.values]] = not values.complement
        row[n], row[n + 1] = condition.unseen, condition.missing
    return takes


@frozen(eq=False)
class Grid:
    """The axes of some boxes, and the schema and domain that they are over."""

    schema: Schema
    domain: Domain | None
    axes: tuple[Axis, ...]

    def boxes(self, asked: Sequence[Asked]) -> "Boxes":
        """Return what each of these takes; the grid must have been made of them."""
        by_name = [dict(conditions) for conditions in asked]
        parts = []
        for axis in self.axes:
            everything = everything_of(axis.feature)
            found = [conditions.get(axis.feature.name, everything) for conditions in by_name]
            places: dict[int, int] = {}
            at = np.array([places.setdefault(id(condition), len(places)) for condition in found], dtype=np.int64)
            distinct = list({id(condition): condition for condition in found}.values())
            parts.append(axis.picked(axis.coded(distinct), at))  # type: ignore[arg-type]
        return Boxes(self, tuple(parts), len(by_name))

    def rows(self, columns: Mapping[str, Column], n_rows: int) -> "Boxes":
        """Return the rows of columns as boxes, the columns aligned to the schema's features."""
        return Boxes(self, tuple(axis.rows(columns[axis.feature.name]) for axis in self.axes), n_rows)

    def conditions(self, parts: Sequence[Any]) -> tuple[tuple[str, Condition], ...]:
        """Return parts, one an axis, as conditions on the columns that are bound at all."""
        found = [(axis.feature.name, axis.condition(part)) for axis, part in zip(self.axes, parts, strict=True)]
        return tuple((name, condition) for name, condition in found if condition is not None)

    def row(self, parts: Sequence[Any]) -> dict[str, Any]:
        """Return a row in parts that are not empty; a column that is free is missing where it may be."""
        values = {axis.feature.name: axis.value(part) for axis, part in zip(self.axes, parts, strict=True)}
        free = [feature for feature in self.schema.features if feature.name not in values]
        values |= {feature.name: free_value(feature, domain_of(feature, self.domain)) for feature in free}
        return {feature.name: values[feature.name] for feature in self.schema.features}


@frozen(eq=False)
class Boxes:
    """Some boxes on a grid: the parts of all of them, axis by axis."""

    grid: Grid
    parts: tuple[Any, ...]
    n: int

    def of(self, box: int) -> tuple[Any, ...]:
        """Return the parts of one box."""
        pairs = zip(self.grid.axes, self.parts, strict=True)
        return tuple(axis.part(parts, box) for axis, parts in pairs)

    def taking(self) -> Any:
        """Return which boxes hold anything."""
        found = np.ones(self.n, dtype=bool)
        for axis, parts in zip(self.grid.axes, self.parts, strict=True):
            found &= axis.taking(parts)
        return found


def grid_of(schema: Schema, asked: Iterable[Asked], domain: Domain | None = None) -> Grid:
    """Return the grid on which all of these are boxes: an axis for each column that some of them ask about."""
    conditions: dict[str, dict[int, Condition]] = {}
    for some in asked:
        for name, condition in some:
            conditions.setdefault(name, {}).setdefault(id(condition), condition)
    features = [feature for feature in schema.features if feature.name in conditions]
    return Grid(schema, domain, tuple(_axis(f, list(conditions[f.name].values()), domain) for f in features))


def _axis(feature: Feature, conditions: Sequence[Condition], domain: Domain | None) -> Axis:
    allowed = domain_of(feature, domain)
    if feature.is_ordered:
        intervals = [condition.values for condition in conditions]
        named = {b for i in intervals if isinstance(i, Interval) for b in (i.above, i.upto) if b is not None}
        inner = sorted(bound for bound in named if allowed.lowest <= bound < allowed.highest)
        return Steps(feature, allowed, (*inner, allowed.highest))
    can_come = [True] * len(feature.categories) + [allowed.unseen, allowed.missing]
    takes = _taken(feature, conditions)
    atoms = np.full(len(can_come), -1)
    kinds: dict[bytes, int] = {}
    for place in np.flatnonzero(can_come).tolist():
        atoms[place] = kinds.setdefault(takes[:, place].tobytes(), len(kinds))
    return Atoms(feature, allowed, atoms, len(kinds))
