"""`tidy_layout`: the positions of the nodes of a drawn tree.

The algorithm is that of Reingold and Tilford, extended to nodes of any width and height by van der Ploeg, "Drawing
non-layered tidy trees in linear time", Software: Practice and Experience 44 (2014). The subtrees of a node are placed
from the left to the right, each as close to those before it as their outlines allow; a parent stands in the middle
above its children. Where a large subtree keeps two smaller ones apart, those between them are spread evenly.

A node's own offset moves it and all nodes below it. An outline is followed from a node to its first or last child; from
a leaf it goes on by a thread, a link to a lower node of another subtree, so that each outline is walked only once.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Size(NamedTuple):
    """The room that a node takes, with the gap to its neighbours and to the nodes below it."""

    width: float
    height: float


class Position(NamedTuple):
    """The middle of the upper edge of a node; the root's is (0, 0), and y grows downwards."""

    x: float
    y: float


class _Lowest(NamedTuple):
    """The lowest point of one of the siblings to the left; `next` is one further to the left that reaches lower."""

    y: float
    sibling: int
    next: "_Lowest | None"


def tidy_layout(parents: Sequence[int | None], sizes: Sequence[Size]) -> tuple[Position, ...]:
    """Return where each node of a tree is drawn.

    Args:
        parents: the number of the parent of each node, in preorder; None for the root, which is the first.
        sizes: the size of each node.

    Returns:
        A position for each node. No two nodes overlap, and a node lies below its parent.

    Examples:
        >>> tidy_layout([None, 0, 0], [Size(10, 5), Size(10, 5), Size(30, 5)])
        (Position(x=0.0, y=0.0), Position(x=-15.0, y=5.0), Position(x=5.0, y=5.0))
    """
    layout = _Layout(parents, sizes)
    for node in reversed(range(len(sizes))):
        layout.place_children(node)
    return layout.positions()


class _Layout:
    """The state of one call: lists by the number of a node, which the steps of the algorithm fill and change."""

    def __init__(self, parents: Sequence[int | None], sizes: Sequence[Size]) -> None:
        n = len(sizes)
        self.parents = parents
        self.half_widths = [size.width / 2 for size in sizes]
        self.children: list[list[int]] = [[] for _ in range(n)]
        self.tops = [0.0] * n
        for node, parent in enumerate(parents):
            if parent is not None:
                self.children[parent].append(node)
                self.tops[node] = self.tops[parent] + sizes[parent].height
        self.bottoms = [top + size.height for top, size in zip(self.tops, sizes, strict=True)]
        #: the offset of a subtree to that of its parent, and that of a node alone
        self.offsets = [0.0] * n
        self.own_offsets = [0.0] * n
        #: what spreads the siblings between two: the offsets change from one sibling to the next
        self.shifts = [0.0] * n
        self.changes = [0.0] * n
        #: the lowest nodes of a subtree at its left and its right side, and the sums of the offsets down to them
        self.left_ends, self.right_ends = list(range(n)), list(range(n))
        self.left_sums, self.right_sums = [0.0] * n, [0.0] * n
        self.left_threads: list[int | None] = [None] * n
        self.right_threads: list[int | None] = [None] * n

    def positions(self) -> tuple[Position, ...]:
        """Return the positions, of which the offsets add up from the root."""
        sums = [0.0] * len(self.offsets)
        for node, parent in enumerate(self.parents):
            above = sums[parent] if parent is not None else -self.offsets[0] - self.own_offsets[0]
            sums[node] = above + self.offsets[node]
        middles = (total + own for total, own in zip(sums, self.own_offsets, strict=True))
        return tuple(Position(x, y) for x, y in zip(middles, self.tops, strict=True))

    def place_children(self, node: int) -> None:
        """Place the subtrees of a node's children side by side, and the node above them."""
        children = self.children[node]
        if not children:
            return
        lowest = _Lowest(self.bottoms[self.left_ends[children[0]]], 0, None)
        for position in range(1, len(children)):
            bottom = self.bottoms[self.right_ends[children[position]]]
            self._separate(children, position, lowest)
            lowest = _with_lowest(bottom, position, lowest)
        self._spread(children)
        self._place_above(node, children[0], children[-1])

    def _separate(self, children: Sequence[int], position: int, lowest: _Lowest | None) -> None:
        """Move the subtree of a child to the right until it is clear of those of the siblings before it."""
        right: int | None = children[position - 1]  # on the right outline of the siblings before the child
        left: int | None = children[position]  # on the left outline of the child
        right_sum, left_sum = self.offsets[children[position - 1]], self.offsets[children[position]]
        is_first = True
        while right is not None and left is not None:
            if lowest is not None and self.bottoms[right] > lowest.y:
                lowest = lowest.next
            overlap = right_sum + self.own_offsets[right] + self.half_widths[right]
            overlap -= left_sum + self.own_offsets[left] - self.half_widths[left]
            if overlap > 0 or is_first:
                left_sum += overlap
                self._move(children, position, lowest.sibling if lowest else position - 1, overlap)
            is_first = False
            right_bottom, left_bottom = self.bottoms[right], self.bottoms[left]
            if right_bottom <= left_bottom:
                right = self.children[right][-1] if self.children[right] else self.right_threads[right]
                right_sum += 0.0 if right is None else self.offsets[right]
            if right_bottom >= left_bottom:
                left = self.children[left][0] if self.children[left] else self.left_threads[left]
                left_sum += 0.0 if left is None else self.offsets[left]
        if left is not None:
            self._thread_left(children[0], children[position], left, left_sum)
        elif right is not None:
            self._thread_right(children[position - 1], children[position], right, right_sum)

    def _move(self, children: Sequence[int], position: int, sibling: int, distance: float) -> None:
        """Move the subtree of a child, and spread the siblings between it and the one that it is kept off."""
        child, n = children[position], position - sibling
        self.offsets[child] += distance
        self.left_sums[child] += distance
        self.right_sums[child] += distance
        if n > 1:
            self.shifts[children[sibling + 1]] += distance / n
            self.shifts[child] -= distance / n
            self.changes[child] -= distance - distance / n

    def _thread_left(self, first: int, child: int, lower: int, total: float) -> None:
        """Let the left outline of the siblings go on in the subtree of a child that reaches lower."""
        end = self.left_ends[first]
        self.left_threads[end] = lower
        difference = total - self.offsets[lower] - self.left_sums[first]
        self.offsets[end] += difference
        self.own_offsets[end] -= difference
        self.left_ends[first], self.left_sums[first] = self.left_ends[child], self.left_sums[child]

    def _thread_right(self, sibling: int, child: int, lower: int, total: float) -> None:
        """Let the right outline of a child go on in the subtrees of the siblings, which reach lower."""
        end = self.right_ends[child]
        self.right_threads[end] = lower
        difference = total - self.offsets[lower] - self.right_sums[child]
        self.offsets[end] += difference
        self.own_offsets[end] -= difference
        self.right_ends[child], self.right_sums[child] = self.right_ends[sibling], self.right_sums[sibling]

    def _spread(self, children: Sequence[int]) -> None:
        shift = change = 0.0
        for child in children:
            shift += self.shifts[child]
            change += shift + self.changes[child]
            self.offsets[child] += change

    def _place_above(self, node: int, first: int, last: int) -> None:
        """Place a node in the middle above its first and its last child."""
        left = self.offsets[first] + self.own_offsets[first] - self.half_widths[first]
        right = self.offsets[last] + self.own_offsets[last] + self.half_widths[last]
        self.own_offsets[node] = (left + right) / 2
        self.left_ends[node], self.left_sums[node] = self.left_ends[first], self.left_sums[first]
        self.right_ends[node], self.right_sums[node] = self.right_ends[last], self.right_sums[last]


def _with_lowest(bottom: float, sibling: int, lowest: _Lowest | None) -> _Lowest:
    """Return the list of lowest points with one more, without those that it hides."""
    while lowest is not None and bottom >= lowest.y:
        lowest = lowest.next
    return _Lowest(bottom, sibling, lowest)
