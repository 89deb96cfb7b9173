"""Decision trees as frozen values, and the only code that walks them.

    Split(test, children, missing, unseen)          fold      children's results -> the node's result, bottom-up
      |           |                                 unfold    a seed -> a tree: learning is one unfold
     Leaf       Split ...                           descend   what a path inherits, top-down: rules, layouts, ids

Every walker keeps its own stack, so a tree may be deeper than Python's recursion limit. The values are in `nodes`.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, TypeVar, cast

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules.data.schema import Schema
from treerules.errors import InvalidTreeError, shortened
from treerules.trees.node_parts import Prediction, check_figures, check_test
from treerules.trees.nodes import Leaf, Node, Split, fold, from_preorder, preorder, shape
from treerules.trees.provenance import Origin

__all__ = (
    "Leaf",
    "Node",
    "Split",
    "Tree",
    "descend",
    "fold",
    "from_preorder",
    "leaves",
    "numbered",
    "paths",
    "preorder",
    "settle",
    "shape",
    "unfold",
)

A = TypeVar("A")
S = TypeVar("S")


# ---- the walkers


def unfold(
    seed: S,
    step: Callable[[S], Leaf | tuple[Callable[[tuple[Node, ...]], Node], Sequence[S]]],
    *,
    priority: Callable[[S], Any] | None = None,
) -> Node:
    """Return the tree that grows from a seed.

    `step` turns a seed into a leaf, or into a function that joins children to a node and the seeds of those children.
    Seeds are taken depth first; with `priority`, the one of least priority first (best-first growth). The order does
    not change the tree unless `step` does.
    """
    joins: list[tuple[Any, list[int]]] = []
    waiting: list[Any] = []

    def wait(seed: S, place: int) -> None:
        if priority is None:
            waiting.append((seed, place))
        else:
            heappush(waiting, (priority(seed), place, seed))

    joins.append((None, []))
    wait(seed, 0)
    while waiting:
        if priority is None:
            seed, place = waiting.pop()
        else:
            _, place, seed = heappop(waiting)
        grown = step(seed)
        if isinstance(grown, Leaf):
            joins[place] = (grown, [])
            continue
        join, seeds = grown
        places = list(range(len(joins), len(joins) + len(seeds)))
        joins[place] = (join, places)
        joins.extend((None, []) for _ in places)
        for child_place, child in reversed(list(zip(places, seeds, strict=True))):
            wait(child, child_place)
    nodes: list[Any] = [None] * len(joins)
    for place in reversed(range(len(joins))):  # children always come after their parent
        join, places = joins[place]
        nodes[place] = join(tuple(nodes[child] for child in places)) if places else join
    return cast(Node, nodes[0])


def settle(
    seed: S, step: Callable[[S], Leaf | tuple[Callable[[tuple[Node, ...]], Node | tuple[S]], Sequence[S]]]
) -> Node:
    """Return the tree that grows from a seed as by `unfold`, depth first; but a join may think better of it.

    A join that returns a seed, as a tuple of one, has it grown in the node's place, before anything above is joined.
    """
    frames: list[tuple[Any, list[S], list[Node]]] = []  # a join, the seeds that wait (last first), the children made
    grown: Any = step(seed)
    while True:
        if not isinstance(grown, Leaf) and isinstance(grown, tuple):
            join, seeds = grown
            frames.append((join, list(reversed(seeds)), []))
            grown = step(frames[-1][1].pop())
            continue
        if not frames:
            return cast(Node, grown)
        join, waiting, made = frames[-1]
        made.append(grown)
        if waiting:
            grown = step(waiting.pop())
            continue
        frames.pop()
        joined = join(tuple(made))
        grown = step(joined[0]) if isinstance(joined, tuple) else joined


def descend(
    root: Node,
    context: A,
    step: Callable[[Split, A], Sequence[A]],
    *,
    order: Callable[[Split], Sequence[int]] | None = None,
) -> Iterator[tuple[Node, A]]:
    """Yield every node with what it inherits: `step` hands a split's context on to each child.

    Nodes come in preorder; with `order`, a split's children in the order of the positions that it gives.
    """
    stack: list[tuple[Node, A]] = [(root, context)]
    while stack:
        node, inherited = stack.pop()
        yield node, inherited
        if isinstance(node, Split):
            below = list(zip(node.children, step(node, inherited), strict=True))
            stack.extend(reversed(below if order is None else [below[side] for side in order(node)]))


# ---- made of them


def leaves(root: Node) -> Iterator[Leaf]:
    """Yield the leaves in order; a rule's number is its leaf's place here, from 1."""
    return (node for node in preorder(root) if isinstance(node, Leaf))


def numbered(root: Node) -> list[tuple[Node, tuple[int, ...]]]:
    """Return the nodes in preorder, each with the numbers of its children."""
    nodes = list(preorder(root))
    sizes, found = [1] * len(nodes), []
    for number in reversed(range(len(nodes))):
        node, below = nodes[number], []
        for _ in node.children if isinstance(node, Split) else ():
            below.append(number + sizes[number])
            sizes[number] += sizes[below[-1]]
        found.append((node, tuple(below)))
    return found[::-1]


def paths(root: Node) -> Iterator[tuple[Leaf, tuple[tuple[Split, int], ...]]]:
    """Yield every leaf with its path from the root: the splits and the child taken at each."""

    def step(split: Split, path: tuple[tuple[Split, int], ...]) -> list[tuple[tuple[Split, int], ...]]:
        return [(*path, (split, side)) for side in range(len(split.children))]

    start: tuple[tuple[Split, int], ...] = ()
    return ((node, path) for node, path in descend(root, start, step) if isinstance(node, Leaf))


# ---- a tree with its schema


@frozen(repr=False)
class Tree(Shown):
    """A decision tree: total, so every row of its schema's domain reaches exactly one leaf.

    `recipe` says how it was learned, `notes` what was inferred and left out, `origin` from what; notes and origin take
    no part in equality.

    Raises:
        InvalidTreeError: a test, routing or prediction does not fit the schema.
    """

    schema: Schema
    root: Node
    recipe: Any = None
    notes: tuple[str, ...] = field(default=(), converter=as_tuple, eq=False)
    origin: Origin | None = field(default=None, eq=False)

    def __attrs_post_init__(self) -> None:
        if self.schema.target is None:
            raise InvalidTreeError("the schema of a tree names no target")
        check_figures(self._checked_nodes(), self.schema)

    def _checked_nodes(self) -> Iterator[tuple[Prediction, tuple[float, ...]]]:
        """Yield what each node predicts, with its figures; tests are checked on the way."""
        for node in preorder(self.root):
            if isinstance(node, Split):
                check_test(node.test, node.unseen, self.schema)
            leaf = node.as_leaf if isinstance(node, Split) else cast(Leaf, node)
            if leaf is not None:
                yield leaf.prediction, leaf.counts

    @classmethod
    def _of_known(cls, schema: Schema, root: Node, recipe: Any, notes: tuple[str, ...]) -> "Tree":
        """Return the tree of nodes that are known to fit the schema, without a look at each."""
        tree = object.__new__(cls)
        for name, value in (("schema", schema), ("root", root), ("recipe", recipe), ("notes", notes), ("origin", None)):
            object.__setattr__(tree, name, value)
        return tree

    def __repr__(self) -> str:
        name = self.schema.target.name if self.schema.target else ""
        return f"<Tree {shortened(name)} leaves={self.n_leaves} depth={self.depth}>"

    @cached_property
    def _shape(self) -> tuple[int, int]:
        return shape(self.root)

    @property
    def n_leaves(self) -> int:
        """The number of leaves, |T|."""
        return self._shape[0]

    @property
    def depth(self) -> int:
        """The number of edges on the longest path; 0 for a lone leaf."""
        return self._shape[1]
