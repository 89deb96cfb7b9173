"""Axis whose parts are sets of atoms without an order, the bits of an integer.

Values that every condition takes together or leaves together are one atom.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import combinations
from typing import Any, Self

import numpy as np
from attrs import evolve, frozen

from treerules.data.schema import Feature
from treerules.regions.ordered_axis import Cost, Part

#: Number of ways, about, to divide categories in two that are tried.
_MOST_SIDES = 32


@frozen
class Atom:
    """Categories or steps, by position, and whether unseen and missing values belong to the same atom."""

    positions: tuple[int, ...]
    unseen: bool
    missing: bool


@frozen(eq=False)
class AtomAxis:
    """A feature, and the part of it that each box takes. Bit n of a part says that it holds atom n.

    Boxes that take the same part are of one kind. `boxes`, `some` and `others` are integer arrays of positions.
    """

    feature: Feature
    #: ordered by the first value of each: categories or steps by position, then unseen, then missing
    atoms: tuple[Atom, ...]
    #: a value of each atom; None is missing
    values: tuple[Any, ...]
    #: booleans of shape (kinds, atoms): which atoms each kind of box takes
    takes: Any
    #: integers of shape (boxes,): the kind of each box
    kinds: Any

    def of_parts(self, parts: Sequence[Part]) -> Self:
        """Return the axis with other boxes, which take these parts."""
        kinds = {part: kind for kind, part in enumerate(dict.fromkeys(parts))}
        takes = np.zeros((len(kinds), len(self.atoms)), dtype=bool)
        for part, kind in kinds.items():
            takes[kind, self.atoms_of(part)] = True
        return evolve(self, takes=takes, kinds=np.array([kinds[part] for part in parts], dtype=np.int64))

    def select(self, boxes: Any) -> Self:
        """Return the axis with some of its boxes."""
        return evolve(self, kinds=self.kinds[boxes])

    def with_atom_of_each_box(self, atoms: Any) -> Self:
        """Return the axis with other boxes, which take one atom each, or none if it is `len(self.atoms)`."""
        n_atoms = len(self.atoms)
        present = np.flatnonzero(np.bincount(atoms, minlength=n_atoms + 1))
        kind_of = np.zeros(n_atoms + 1, dtype=np.int64)
        kind_of[present] = np.arange(len(present))
        return evolve(self, takes=present[:, None] == np.arange(n_atoms), kinds=kind_of[atoms])

    # ---- parts

    @property
    def whole(self) -> Part:
        """The part of all atoms."""
        return (1 << len(self.atoms)) - 1

    def size(self, part: Part) -> int:
        """Return the number of atoms of a part."""
        return int(part).bit_count()

    def intersection(self, part: Part, other: Part) -> Part | None:
        """Return the atoms of both parts, None if there are none."""
        return part & other or None

    def difference(self, part: Part, other: Part) -> list[Part]:
        """Return the atoms of a part that are not in another, as parts that do not overlap."""
        return [part & ~other] if part & ~other else []

    def union(self, part: Part, other: Part) -> Part | None:
        """Return the atoms of either part."""
        return part | other

    def atoms_of(self, part: Part) -> Any:
        """Return the positions of a part's atoms, ascending."""
        n = len(self.atoms)
        bits = np.frombuffer(part.to_bytes(n // 8 + 1, "little"), dtype=np.uint8)
        return np.flatnonzero(np.unpackbits(bits, bitorder="little")[:n])

    def atom(self, part: Part, index: int) -> Part:
        """Return one atom of a part, as a part."""
        return 1 << int(self.atoms_of(part)[index])

    def value(self, part: Part) -> Any:
        """Return a value of the first atom of a part that is not empty."""
        return self.values[(part & -part).bit_length() - 1]

    def plain_value(self, part: Part) -> Any:
        """Return a value of a part that is not empty: missing if everything is taken, else that of its first atom."""
        return None if part == self.whole and any(atom.missing for atom in self.atoms) else self.value(part)

    # ---- boxes

    @cached_property
    def words(self) -> tuple[Any, ...]:
        """The rows of `takes` as integers: an array of shape (kinds,) for each 64 atoms."""
        return _words(self.takes)

    def part(self, box: int) -> Part:
        """Return the part that a box takes."""
        packed = np.packbits(self.takes[self.kinds[box]], bitorder="little")
        return int.from_bytes(packed.tobytes(), "little")

    @property
    def codes(self) -> Any:
        """Integers of shape (boxes,), equal where boxes take the same part."""
        return self.kinds

    def sizes(self, boxes: Any, part: Part) -> Any:
        """Return the number of atoms of a part that each box takes."""
        return np.count_nonzero(self.takes[:, self.atoms_of(part)], axis=1)[self.kinds[boxes]]

    def intersects(self, boxes: Any, part: Part) -> Any:
        """Return, for each box, whether it takes an atom of a part."""
        return self.takes[:, self.atoms_of(part)].any(axis=1)[self.kinds[boxes]]

    def share_atoms(self, some: Any, axis: "AtomAxis", others: Any) -> Any:
        """Return whether boxes share an atom with others of the same axis: pair by pair; as a matrix for a column."""
        kinds, other_kinds = self.kinds[some], axis.kinds[others]
        return _any(word[kinds] & other[other_kinds] for word, other in zip(self.words, axis.words, strict=True))

    def lies_within(self, some: Any, axis: "AtomAxis", others: Any) -> Any:
        """Return, pair by pair, whether every atom of a box is one of the other, of the same axis."""
        kinds, other_kinds = self.kinds[some], axis.kinds[others]
        return ~_any(word[kinds] & ~other[other_kinds] for word, other in zip(self.words, axis.words, strict=True))

    def takes_corner(self, boxes: Any, others: Any, *, last: bool) -> Any:
        """Return, pair by pair, whether other boxes take the first atom of boxes, or the last."""
        n = len(self.atoms)
        corner = n - 1 - np.argmax(self.takes[:, ::-1], axis=1) if last else np.argmax(self.takes, axis=1)
        return self.takes[self.kinds[others], corner[self.kinds[boxes]]]

    def atom_weights(self, boxes: Any, weights: Sequence[int], part: Part) -> list[int]:
        """Return, for each atom of a part, the sum of the weights (exact integers) of the boxes that take it."""
        atoms = self.atoms_of(part)
        of_kinds: dict[int, int] = {}
        for kind, weight in zip(self.kinds[boxes].tolist(), weights, strict=True):
            of_kinds[kind] = of_kinds.get(kind, 0) + weight
        sums = [0] * len(atoms)
        for kind, weight in of_kinds.items():
            for index in np.flatnonzero(self.takes[kind, atoms]).tolist():
                sums[index] += weight
        return sums

    def taken_atoms(self, boxes: Any) -> Any:
        """Return, for each atom, whether one of these boxes takes it."""
        return self.takes[np.unique(self.kinds[boxes])].any(axis=0)

    def expand(self, part: Part, taken: Any) -> Part:
        """Return the largest part that holds a part and otherwise only atoms that are not taken."""
        return part | sum(1 << atom for atom in np.flatnonzero(~taken).tolist())

    def is_next_to(self, boxes: Any, part: Part) -> Any:
        """Return which boxes, of some that share no atom with a part, lie next to it: all, as atoms have no order."""
        return np.ones(len(boxes), dtype=bool)

    def joinable_pairs(self, boxes: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the pairs of boxes whose parts have a union: all."""
        return combinations(boxes, 2)

    # ---- cuts

    def best_halves(
        self, samples: Sequence[tuple["AtomAxis", Any]], part: Part, cost: Cost
    ) -> tuple[float, tuple[Part, Part]] | None:
        """Return the least cost of two halves of a part, what some box takes and the rest, and these halves.

        Args:
            samples: pairs of this axis with the boxes of a space, and positions of some of them.
            part: what is cut; the boxes all take some of it.
            cost: the cost of one half, from the number of boxes of each sample in it.
        """
        atoms = self.atoms_of(part)
        patterns = []
        for axis, boxes in samples:
            kinds, counts = np.unique(axis.kinds[boxes], return_counts=True)
            patterns.append((axis.takes[np.ix_(kinds, atoms)], counts))
        sides = np.concatenate([takes[:: max(1, len(takes) // _MOST_SIDES)] for takes, _ in patterns])
        sides = sides[sides.any(axis=1) & ~sides.all(axis=1)]
        if not len(sides):
            return None
        sides = np.concatenate([sides, (np.arange(len(atoms)) < len(atoms) // 2)[None]])
        coded = [(_words(takes), counts) for takes, counts in patterns]
        costs = sum(cost([counts @ _matrix(words, half) for words, counts in coded]) for half in (sides, ~sides))
        at = int(np.argmin(costs))
        chosen = sum(1 << atom for atom in atoms[sides[at]].tolist())
        return float(costs[at]), (chosen, part & ~chosen)

    def cuts(self, part: Part, taken: Sequence[Part]) -> Iterator[tuple[tuple[int, int], tuple[Part, Part]]]:
        """Yield ways to cut a part, one of the parts of it from the rest: the number of parts in each, and the two."""
        sides = list(dict.fromkeys(taken))
        for side in sides[:: max(1, len(sides) // _MOST_SIDES)]:
            rest = part & ~side
            n = sum(1 for other in taken if other & side), sum(1 for other in taken if other & rest)
            yield n, (side, rest)


def grouped(takes: Any, can_come: Sequence[int], kinds: Any) -> tuple[list[list[int]], Any, Any]:
    """Return the values of each atom, which atoms each kind of box takes, and the kind of each box.

    Args:
        takes: booleans: a row for each condition, a column for each value.
        can_come: the values of the domain, by column; atoms are in the order of their first value.
        kinds: the row of each box.
    """
    groups: dict[bytes, list[int]] = {}
    for value in can_come:
        groups.setdefault(takes[:, value].tobytes(), []).append(value)
    by_atom = takes[:, [group[0] for group in groups.values()]]
    distinct: dict[bytes, int] = {}
    kind_of = np.array([distinct.setdefault(row.tobytes(), len(distinct)) for row in by_atom])
    _, first_rows = np.unique(kind_of, return_index=True)
    return list(groups.values()), by_atom[first_rows], kind_of[kinds]


def _words(takes: Any) -> tuple[Any, ...]:
    """Return rows of booleans as integers: an array for each 64 columns."""
    n_rows, n = takes.shape
    padded = np.zeros((n_rows, 64 * (n // 64 + 1)), dtype=bool)
    padded[:, :n] = takes
    return tuple(np.packbits(padded, axis=1).view(np.uint64).T.copy())


def _any(words: Iterable[Any]) -> Any:
    return reduce(np.bitwise_or, words) != 0


def _matrix(words: Sequence[Any], sides: Any) -> Any:
    """Return booleans of shape (rows of the words, sides): whether they share an atom."""
    return _any(a[:, None] & b for a, b in zip(words, _words(sides), strict=True))
