"""Rows at which one fault of emitted code shows: where a value took the other side of a test, the answer would differ.

    x <= 5 ? A : B     at x = 5, at the value next above it, and missing: a row that A and B answer differently
    rule 7             in the rule, at both ends of every condition; and just outside each condition, where the rule
                       that fires instead answers differently

Such a row is searched by walking both sides of the test at once, in the region of the split: depth first, so that some
pair of leaves is met after a few steps, and within a number of steps, since sides may answer alike everywhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from attrs import field, frozen

from treerules._internal.spread import spread
from treerules.rules.probe_values import ProbeValues
from treerules.rules.region_values import other_categories, other_children, region_choices, tested_values, values_beside
from treerules.rules.tree_regions import Below, Dividing, Region, Values, below_by_node, divider_of, node_regions
from treerules.trees.node_parts import child_of
from treerules.trees.nodes import Leaf, Node, Split
from treerules.trees.tree import Tree

Row = dict[str, Any]

#: The pairs of nodes that the search for one row visits.
_STEPS = 300
#: The values outside rules that are tried: of large trees, which nobody emits as a list of rules, not all are.
_MOST_OUTSIDE = 10_000


@frozen(eq=False)
class TreeRows:
    """The rows of a tree, made as they are asked for."""

    tree: Tree
    #: the test values of each column that is tested, in the order of the schema
    columns: Mapping[str, ProbeValues]
    _divide: Dividing = field(init=False)
    _regions: Sequence[tuple[Node, Region]] = field(init=False)
    _leaf_regions: Sequence[tuple[Node, Region]] = field(init=False)
    _below: Mapping[int, Below] = field(init=False)
    _turns: Iterator[int] = field(init=False, factory=count)

    @_divide.default
    def _divider(self) -> Dividing:
        return divider_of(self.tree.schema)

    @_regions.default
    def _all_regions(self) -> list[tuple[Node, Region]]:
        return list(node_regions(self.tree, self._divide))

    @_leaf_regions.default
    def _regions_of_leaves(self) -> list[tuple[Node, Region]]:
        return [(node, region) for node, region in self._regions if isinstance(node, Leaf)]

    @_below.default
    def _leaves_below(self) -> dict[int, Below]:
        return below_by_node(self.tree)

    # ---- of splits

    def at_splits(self) -> Iterator[Row]:
        """Yield rows at which the sides of each test answer differently: at cuts, at categories, unseen, missing."""
        splits = [(node, region) for node, region in self._regions if isinstance(node, Split)]
        for place in spread(len(splits)):
            yield from self._at_split(*splits[place])

    def _at_split(self, split: Split, region: Region) -> Iterator[Row]:
        index = split.test.feature
        feature = self.tree.schema.features[index]
        found: dict[frozenset[int], dict[int, Any]] = {}  # the last row that tells two children apart
        for value in tested_values(split, feature, region.get(index)):
            own = child_of(split.test, feature, value, split.missing, split.unseen)
            for other in other_children(split, own):
                sides, both = (split.children[own], split.children[other]), frozenset((own, other))
                cells = {**found[both], index: value} if both in found else None
                if cells is None or not self._differ(*sides, cells):
                    cells = self._cells_between(*sides, region, index, value)
                if cells is not None:
                    found[both] = cells
                    yield from self._rows(cells, index)

    # ---- of rules

    def in_rules(self) -> Iterator[Row]:
        """Yield rows of each rule: its conditions at their ends, at their categories, missing and unseen."""
        for place in spread(len(self._leaf_regions)):
            _, region = self._leaf_regions[place]
            choices = {index: self._choices(index, values) for index, values in region.items()}
            for turn in range(max(map(len, choices.values()), default=1)):
                yield self._row({index: some[turn % len(some)] for index, some in choices.items()})

    def outside_rules(self) -> Iterator[Row]:
        """Yield rows just outside one condition of a rule, where a later rule fires and answers differently."""
        n_values = 0
        for outside_values in (values_beside, other_categories):
            for place in spread(len(self._leaf_regions)):
                leaf, region = self._leaf_regions[place]
                for index, values in region.items():
                    outside = list(outside_values(self.tree.schema.features[index], values))
                    yield from self._outside_rule(leaf, region, index, outside)
                    n_values += len(outside)
                if n_values > _MOST_OUTSIDE:
                    break

    def _outside_rule(self, leaf: Node, region: Region, index: int, values: Sequence[Any]) -> Iterator[Row]:
        found: dict[int, Any] | None = None
        for value in values:
            cells = None if found is None else {**found, index: value}
            if cells is None or not self._differ(leaf, self.tree.root, cells, self._below[id(leaf)].last):
                cells = self._cells_between(leaf, self.tree.root, region, index, value, self._below[id(leaf)].last)
            if cells is not None:
                found = cells
                yield from self._rows(cells, index)

    # ---- the search

    def _cells_between(
        self,
        one: Node,
        two: Node,
        region: Region,
        index: int,
        value: Any,
        after: int = -1,
    ) -> dict[int, Any] | None:
        """Return values by feature, `value` among them, that two nodes answer differently; None where none was found.

        The leaf of the second comes after the one numbered `after`.
        """
        stack = [(one, two, region)]
        for _ in range(_STEPS):
            if not stack:
                return None
            first, second, part = stack.pop()
            answers, others = self._below[id(first)].answers, self._below[id(second)].answers
            if self._below[id(second)].last <= after or (len(answers) == 1 and answers == others):
                continue
            if isinstance(first, Split):
                stack += [(child, second, rest) for child, rest in self._children(first, part, index, value)]
            elif isinstance(second, Split):
                stack += [(first, child, rest) for child, rest in self._children(second, part, index, value)]
            else:
                turn = next(self._turns)
                choices = {other: self._choices(other, values) for other, values in part.items() if other != index}
                return {**{other: some[turn % len(some)] for other, some in choices.items()}, index: value}
        return None

    def _children(self, split: Split, region: Region, index: int, value: Any) -> list[tuple[Node, Region]]:
        """Return the children that rows of a region with one known value reach, leaves last."""
        if split.test.feature == index:
            feature = self.tree.schema.features[index]
            return [(split.children[child_of(split.test, feature, value, split.missing, split.unseen)], region)]
        parts = [(split.children[child], part) for child, part in self._divide(split, region)]
        return sorted(parts, key=lambda part: isinstance(part[0], Leaf))

    def _differ(self, one: Node, two: Node, cells: Mapping[int, Any], after: int = -1) -> bool:
        """Return whether two nodes answer some values differently, the second by a leaf after the one numbered `after`.

        A feature without a value is missing.
        """
        first, second = self._reached(one, cells), self._reached(two, cells)
        return bool(first.answers != second.answers and second.last > after)

    def _reached(self, node: Node, cells: Mapping[int, Any]) -> Below:
        while isinstance(node, Split):
            value, feature = cells.get(node.test.feature), self.tree.schema.features[node.test.feature]
            node = node.children[child_of(node.test, feature, value, node.missing, node.unseen)]
        return self._below[id(node)]

    # ---- rows

    def _choices(self, index: int, values: Values) -> list[Any]:
        column = self.columns[self.tree.schema.features[index].name]
        return list(region_choices(column, values))

    def _rows(self, cells: Mapping[int, Any], index: int) -> Iterator[Row]:
        """Yield the row of some values, with that of the feature `index`; a missing one in each way to say it."""
        row, name = self._row(cells), self.tree.schema.features[index].name
        for value in (None, *self.columns[name].missing) if cells[index] is None else (cells[index],):
            yield {**row, name: value}

    def _row(self, cells: Mapping[int, Any]) -> Row:
        """Return a row by name, with values from turn to turn where none is given; a missing value has no key."""
        row, turn = {}, next(self._turns)
        for place, (name, column) in enumerate(self.columns.items()):
            index = self.tree.schema.indices[name]
            value = cells[index] if index in cells else column.defaults[(turn + place) % len(column.defaults)]
            if value is not None:
                row[name] = value
        return row
