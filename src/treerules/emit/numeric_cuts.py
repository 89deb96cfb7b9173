"""A tree as a graph of numeric cuts, `number <= threshold`, for the lookup layout, which walks arrays.

Features of every kind become numbers:

    colour in {red, green}       position of colour <= 1.5   a category is its position in the schema
    day <= 2024-03-01            days of day <= 19783.0      a date counts days from 1970, a timestamp microseconds
    x <= 5, missing goes left    -x <= -5.000000000000001    NULL and NaN fail every cut; so the cut tests for x > 5

Several cuts may lead to one node, so this is a graph and not a tree.
"""

from collections.abc import Sequence
from math import inf, nextafter
from typing import Literal, NamedTuple

from attrs import frozen

from treerules.data.schema import FIRST_DAY, Feature, Schema, ordinate
from treerules.trees.node_parts import CategoryTest, OrderedTest, fold_thresholds
from treerules.trees.nodes import Leaf, Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import fold

#: From this integer on, not every integer is a double.
_FIRST_INEXACT = 2**53


class CutOperand(NamedTuple):
    """What a cut compares: a feature as a number, or its negative.

    `value` is the double nearest to the number, and grows with it. `rest` is the number minus that double: an integer
    beyond 2^53 needs both.
    """

    feature: int
    part: Literal["value", "rest"] = "value"
    negated: bool = False


@frozen
class NumericCut:
    """A node of the graph. Rows with `operand <= threshold` go on to `met`, all others to `failed`.

    Both are the position of a cut, or the negative number of an end; an end is a leaf, or several leaves that share a
    number. `n` is the number of training rows at the node.
    """

    operand: CutOperand
    threshold: float
    met: int
    failed: int
    n: float


@frozen
class CutGraph:
    """Cuts, each before those that it leads to. All rows start at `start`: a position, or the negative of an end."""

    cuts: tuple[NumericCut, ...]
    start: int


def cut_graph(tree: Tree, ends: Sequence[int] | None = None) -> CutGraph:
    """Return a tree as a graph of cuts.

    Args:
        tree: the tree.
        ends: the number of the end of each leaf, in the order of the leaves; 1, 2, ... by default. If leaves share a
            number, cuts that only separate them are left out.

    >>> from treerules import cart, learn, Table
    >>> graph = cut_graph(learn(Table.from_columns({"x": [1.0, 2.0], "y": ["a", "b"]}), target="y", recipe=cart()))
    >>> [(cut.operand, cut.threshold, cut.met, cut.failed) for cut in graph.cuts]
    [(CutOperand(feature=0, part='value', negated=True), -1.5000000000000002, -2, -1)]
    """
    builder = _Builder(tree.schema)
    number = tree.n_leaves + 1

    def leaf(node: Leaf) -> tuple[int, float]:
        nonlocal number
        number -= 1  # `fold` goes from the last leaf to the first
        return -(number if ends is None else ends[number - 1]), node.n

    def split(node: Split, children: tuple[tuple[int, float], ...]) -> tuple[int, float]:
        n = sum(n for _, n in children)
        return builder.split(node, [target for target, _ in children], n), n

    start, _ = fold(tree.root, leaf, split)
    return _sorted_graph(builder.cuts, start)


def _sorted_graph(cuts: list[NumericCut], start: int) -> CutGraph:
    """Return the cuts that rows can reach from the start, each before those that it leads to.

    They are sorted by level, the length of the longest path from the start. In `cuts`, a cut leads to earlier ones.
    """
    levels = [-1] * len(cuts)
    if start >= 0:
        levels[start] = 0
    for position in reversed(range(len(cuts))):
        for target in (cuts[position].met, cuts[position].failed) if levels[position] >= 0 else ():
            if target >= 0:
                levels[target] = max(levels[target], levels[position] + 1)
    reached = (position for position, level in enumerate(levels) if level >= 0)
    order = sorted(reached, key=lambda position: (levels[position], -position))
    new_positions = {old: new for new, old in enumerate(order)}

    def renumber(target: int) -> int:
        return new_positions[target] if target >= 0 else target

    renumbered = (
        NumericCut(cut.operand, cut.threshold, renumber(cut.met), renumber(cut.failed), cut.n)
        for cut in (cuts[old] for old in order)
    )
    return CutGraph(tuple(renumbered), renumber(start))


class _Builder:
    """Builds the cuts of one split after another, children first.

    A target is the position of a cut, or the negative number of an end. `n` is the number of training rows at a node.
    """

    def __init__(self, schema: Schema) -> None:
        self.features = schema.features
        self.cuts: list[NumericCut] = []

    def split(self, node: Split, targets: Sequence[int], n: float) -> int:
        """Add the cuts of a split, and return the position of the first; `targets` are those of its children."""
        index, missing = node.test.feature, targets[node.missing]
        if not isinstance(node.test, CategoryTest):
            return self._ordered_cuts(node.test, targets, node.missing, n)
        sides = {position: side for side, group in enumerate(node.test.groups) for position in group}
        category_targets = [targets[sides[position]] for position in range(len(sides))]
        if node.unseen is not None:
            category_targets.append(targets[node.unseen])
        return self._category_cuts(index, category_targets, missing, n)

    def _ordered_cuts(self, test: OrderedTest, targets: Sequence[int], missing: int, n: float) -> int:
        """Add the cuts of a test of an ordered feature.

        Missing values can only go with the lowest values or with the highest, else they are told apart first.
        """
        index, lowest = test.feature, test.lowest_child
        highest = (lowest + len(test.thresholds)) % 2
        missing_first = missing == lowest

        def cut(threshold: object, first: int, second: int) -> int:
            return self._threshold_cut(index, threshold, (first, second), missing_first, n)

        known_target = fold_thresholds(test, targets, cut)
        if missing in (lowest, highest):
            return known_target
        return self._cut(CutOperand(index), inf, known_target, targets[missing], False, n)

    def _cut(
        self, operand: CutOperand, threshold: float, first: int, second: int, missing_first: bool, n: float
    ) -> int:
        """Add a cut that sends numbers up to the threshold to `first` and others to `second`, and return its position.

        Missing values go to `first` if `missing_first`. A cut without effect is not added.
        """
        if first == second or (missing_first and threshold == inf):
            return first
        if missing_first:  # missing values fail every cut, so the cut tests for greater numbers: -x <= next below -t
            negative = operand._replace(negated=True)
            return self._add(NumericCut(negative, nextafter(-threshold, -inf), second, first, n))
        return self._add(NumericCut(operand, threshold, first, second, n))

    def _add(self, cut: NumericCut) -> int:
        self.cuts.append(cut)
        return len(self.cuts) - 1

    def _threshold_cut(
        self, index: int, threshold: object, targets: Sequence[int], missing_first: bool, n: float
    ) -> int:
        """Add the cut of an ordered feature. Integers beyond 2^53 are compared by value first, then by the rest."""
        first, second = targets[0], targets[1]
        number = threshold_number(self.features[index], threshold)
        if isinstance(number, float) or abs(number) < _FIRST_INEXACT:
            return self._cut(CutOperand(index), float(number), first, second, missing_first, n)
        value = float(number)
        rest = self._cut(CutOperand(index, "rest"), float(number - int(value)), first, second, missing_first, n)
        upto = self._cut(CutOperand(index), value, rest, second, missing_first, n)
        return self._cut(CutOperand(index), nextafter(value, -inf), first, upto, missing_first, n)

    def _category_cuts(self, index: int, targets: Sequence[int], missing: int, n: float) -> int:
        """Add the cuts of categories; `targets` are those of the categories, then that of unseen values.

        Neighbouring categories of one target are a run, and runs are halved until one is left.
        """
        last = len(targets) - 1
        runs = [(at, target) for at, target in enumerate(targets) if at == last or targets[at + 1] != target]
        missing_first = runs[0][1] == missing
        known_target = self._halve(index, runs, missing_first, n)
        if missing_first or runs[-1][1] == missing:
            return known_target
        return self._cut(CutOperand(index), inf, known_target, missing, False, n)

    def _halve(self, index: int, runs: Sequence[tuple[int, int]], missing_first: bool, n: float) -> int:
        """Add the cuts between runs; each run is the position of its last category, and its target."""
        if len(runs) == 1:
            return runs[0][1]
        half = len(runs) // 2
        first = self._halve(index, runs[:half], missing_first, n)
        second = self._halve(index, runs[half:], missing_first, n)
        return self._cut(CutOperand(index), runs[half - 1][0] + 0.5, first, second, missing_first, n)


def threshold_number(feature: Feature, threshold: object) -> float | int:
    """Return a threshold as a number: days from 1970 of a date, microseconds of a timestamp, otherwise itself.

    >>> from datetime import date
    >>> from treerules import Feature
    >>> threshold_number(Feature("day", "date"), date(1970, 1, 2))
    1
    """
    number: float | int = ordinate(threshold)
    return number - FIRST_DAY if feature.scalar == "date" else number
