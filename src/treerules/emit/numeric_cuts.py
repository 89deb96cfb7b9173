"""A tree as cuts of numbers alone, for layouts that walk arrays: `number <= threshold`, whatever the kind of a column.

    colour in {red, green}       place of colour <= 1.5      a category is its place in the schema
    day <= 2024-03-01            days of day <= 19783.0      a day is its distance from 1970, a moment too
    x <= 5, missing goes left    -x <= -5.000000000000001    then the other child: what is no number fails every cut

A number that is missing, or NaN, fails every cut. Several cuts may lead to one node, so this is a graph, not a tree.
"""

from collections.abc import Sequence
from math import inf, nextafter
from typing import Literal, NamedTuple

from attrs import frozen

from treerules.data.schema import FIRST_DAY, Feature, Schema, ordinate
from treerules.trees.node_parts import ThresholdTest
from treerules.trees.nodes import fold
from treerules.trees.tree import Leaf, Split, Tree

#: From here on not every integer is a double.
_EXACT = 2**53


class Asked(NamedTuple):
    """What is cut: a feature as a number, negated or not.

    The `value` is the double nearest to it, which grows with it; the `rest` is what the value lacks of a great integer.
    """

    feature: int
    part: Literal["value", "rest"] = "value"
    negated: bool = False


@frozen
class Cut:
    """Rows with `asked <= threshold` go on to `met`, all others to `failed`.

    Both are the place of a cut, or minus the number of an end: of a leaf, unless leaves share one. `n` are the training
    rows of the node in the tree.
    """

    asked: Asked
    threshold: float
    met: int
    failed: int
    n: float


@frozen
class Cuts:
    """Cuts, each before those that it leads to, and where rows start: at a place, or minus the number of an end."""

    cuts: tuple[Cut, ...]
    start: int


def cuts_of(tree: Tree, ends: Sequence[int] | None = None) -> Cuts:
    """Return the cuts of a tree.

    `ends` are the numbers that stand for the leaves, in their order, instead of 1, 2, ...: where leaves share one, a
    cut that would only tell them apart is left out.

    >>> from treerules import Table, learn
    >>> found = cuts_of(learn(Table.from_columns({"x": [1.0, 2.0], "y": ["a", "b"]}), target="y"))
    >>> [(cut.asked, cut.threshold, cut.met, cut.failed) for cut in found.cuts]
    [(Asked(feature=0, part='value', negated=True), -1.5000000000000002, -2, -1)]
    """
    builder = _Builder(tree.schema)
    number = tree.n_leaves + 1

    def leaf(node: Leaf) -> tuple[int, float]:
        nonlocal number
        number -= 1  # the fold goes backwards
        return -(number if ends is None else ends[number - 1]), node.n

    def split(node: Split, below: tuple[tuple[int, float], ...]) -> tuple[int, float]:
        n = sum(n for _, n in below)
        return builder.split(node, [place for place, _ in below], n), n

    start, _ = fold(tree.root, leaf, split)
    return _in_order(builder.cuts, start)


def _in_order(cuts: list[Cut], start: int) -> Cuts:
    """Return the cuts that are met from the start, near ones first, each before those that it leads to.

    A cut's level is the longest way to it; a cut that was made later leads to earlier ones alone.
    """
    levels = [-1] * len(cuts)
    if start >= 0:
        levels[start] = 0
    for place in reversed(range(len(cuts))):
        for below in (cuts[place].met, cuts[place].failed) if levels[place] >= 0 else ():
            if below >= 0:
                levels[below] = max(levels[below], levels[place] + 1)
    order = sorted((place for place, level in enumerate(levels) if level >= 0), key=lambda p: (levels[p], -p))
    places = {old: new for new, old in enumerate(order)}

    def moved(place: int) -> int:
        return places[place] if place >= 0 else place

    found = (cuts[old] for old in order)
    return Cuts(tuple(Cut(c.asked, c.threshold, moved(c.met), moved(c.failed), c.n) for c in found), moved(start))


class _Builder:
    """Makes the cuts of one split after another, children first."""

    def __init__(self, schema: Schema) -> None:
        self.features = schema.features
        self.cuts: list[Cut] = []

    def split(self, node: Split, below: Sequence[int], n: float) -> int:
        """Return the place of the first cut of a split whose children stand at these places."""
        index, missing = node.test.feature, below[node.missing]
        if isinstance(node.test, ThresholdTest):
            if node.missing == node.test.arity:
                known = self._ordered(index, node.test.threshold, below, False, n)
                return self._cut(Asked(index), inf, known, missing, False, n)
            return self._ordered(index, node.test.threshold, below, node.missing == 0, n)
        sides = {position: side for side, group in enumerate(node.test.groups) for position in group}
        places = [below[sides[position]] for position in range(len(sides))]
        if node.unseen is not None:
            places.append(below[node.unseen])
        return self._placed(index, places, missing, n)

    def _cut(self, asked: Asked, threshold: float, first: int, second: int, missing_first: bool, n: float) -> int:
        """Return a cut at a threshold, the side of missing values said; none where it would change nothing."""
        if first == second or (missing_first and threshold == inf):
            return first
        if missing_first:  # what is missing fails: so ask whether a value is above, as -x <= the next below -threshold
            return self._add(Cut(asked._replace(negated=True), nextafter(-threshold, -inf), second, first, n))
        return self._add(Cut(asked, threshold, first, second, n))

    def _add(self, cut: Cut) -> int:
        self.cuts.append(cut)
        return len(self.cuts) - 1

    def _ordered(self, index: int, threshold: object, below: Sequence[int], missing_first: bool, n: float) -> int:
        """Return the cut of an ordered column; great integers are asked by value first, then by what it lacks."""
        first, second = below[0], below[1]
        place = place_of(self.features[index], threshold)
        if isinstance(place, float) or abs(place) < _EXACT:
            return self._cut(Asked(index), float(place), first, second, missing_first, n)
        value = float(place)
        rest = self._cut(Asked(index, "rest"), float(place - int(value)), first, second, missing_first, n)
        upto = self._cut(Asked(index), value, rest, second, missing_first, n)
        return self._cut(Asked(index), nextafter(value, -inf), first, upto, missing_first, n)

    def _placed(self, index: int, places: Sequence[int], missing: int, n: float) -> int:
        """Return the first cut of categories: where each goes, unseen ones last, and missing ones.

        Neighbours that go to one child are a run, and runs are halved until one is left.
        """
        runs = [(p, child) for p, child in enumerate(places) if p + 1 == len(places) or places[p + 1] != child]
        missing_first = runs[0][1] == missing
        known = self._runs(index, runs, missing_first, n)
        if missing_first or runs[-1][1] == missing:
            return known
        return self._cut(Asked(index), inf, known, missing, False, n)

    def _runs(self, index: int, runs: Sequence[tuple[int, int]], missing_first: bool, n: float) -> int:
        if len(runs) == 1:
            return runs[0][1]
        half = len(runs) // 2
        first = self._runs(index, runs[:half], missing_first, n)
        second = self._runs(index, runs[half:], missing_first, n)
        return self._cut(Asked(index), runs[half - 1][0] + 0.5, first, second, missing_first, n)


def place_of(feature: Feature, threshold: object) -> float | int:
    """Return a threshold as a number: days from 1970 of a date, microseconds of a moment, otherwise itself.

    >>> from datetime import date
    >>> from treerules import Feature
    >>> place_of(Feature("day", "date"), date(1970, 1, 2))
    1
    """
    place: float | int = ordinate(threshold)
    return place - FIRST_DAY if feature.scalar == "date" else place
