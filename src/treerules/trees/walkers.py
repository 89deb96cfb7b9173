"""The functions that walk trees. Each keeps its own stack, so a tree may be deeper than Python's recursion limit.

    Split(test, children, missing, unseen)          fold      results of the children -> result of the node
      |           |                                 unfold    a seed -> a tree; learning is one unfold
     Leaf       Split ...                           descend   what a path inherits, from the root down

Each takes a Tree, or a node as the root of a subtree.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Any, TypeVar, cast

from treerules._internal.arguments import require_callables, require_callables_or_none
from treerules.trees.nodes import Leaf, Node, Split, TreeLike, nodes_from, root_of

A = TypeVar("A")
S = TypeVar("S")


def preorder(tree: TreeLike) -> Iterator[Node]:
    """Yield the nodes of a tree in preorder: each before its children, the first child first.

    The number of a node is its position here, from 0.

    Args:
        tree: a Tree, or a Node with all nodes below it.

    Returns:
        An iterator of all nodes.

    Raises:
        OptionError: `tree` is neither a Tree nor a Node.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", features=["x"], recipe=cart())
        >>> list(preorder(tree))
        [<Split leaves=2 depth=1>, <Leaf leaves=1 depth=0>, <Leaf leaves=1 depth=0>]
    """
    return nodes_from(root_of(tree))


def tested_indices(trees: Iterable[TreeLike]) -> tuple[int, ...]:
    """Return the indices of the features that some split of some tree tests, ascending."""
    return tuple(sorted({node.test.feature for tree in trees for node in preorder(tree) if isinstance(node, Split)}))


def leaves(tree: TreeLike) -> Iterator[Leaf]:
    """Yield the leaves of a tree from the first to the last; a rule's number is its leaf's position here, from 1.

    Args:
        tree: a Tree, or a Node with all nodes below it.

    Returns:
        An iterator of the leaves.

    Raises:
        OptionError: `tree` is neither a Tree nor a Node.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", features=["x"], recipe=cart())
        >>> [leaf.prediction.value for leaf in leaves(tree)]
        ['a', 'b']
    """
    return (node for node in nodes_from(root_of(tree)) if isinstance(node, Leaf))


def fold(tree: TreeLike, leaf: Callable[[Leaf], A], split: Callable[[Split, tuple[A, ...]], A]) -> A:
    """Return the result of the root: the result of a split is computed from those of its children.

        fold(Leaf)            = leaf(Leaf)
        fold(Split, children) = split(Split, (fold(child) for each child))

    Args:
        tree: a Tree, or a Node with all nodes below it.
        leaf: called with each leaf; returns its result.
        split: called with each split and the tuple of its children's results; returns its result. The last children
            come first.

    Returns:
        The result of the root.

    Raises:
        OptionError: `tree` is neither a Tree nor a Node.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", features=["x"], recipe=cart())
        >>> fold(tree, leaf=lambda leaf: 1, split=lambda split, leaves: sum(leaves))
        2
    """
    require_callables(leaf=leaf, split=split)
    results: list[A] = []
    for node in reversed(tuple(nodes_from(root_of(tree)))):
        if isinstance(node, Split):
            n = len(node.children)
            below = tuple(reversed(results[-n:]))
            del results[-n:]
            results.append(split(node, below))
        else:
            results.append(leaf(cast(Leaf, node)))
    return results[0]


def unfold(
    seed: S,
    step: Callable[[S], Leaf | tuple[Callable[[tuple[Node, ...]], Node], Sequence[S]]],
    *,
    priority: Callable[[S], Any] | None = None,
) -> Node:
    """Return the tree that grows from a seed.

    Args:
        seed: the seed of the root, such as all rows.
        step: called with a seed; returns a leaf, or a pair: a function that joins children to a node, and the seeds of
            the children.
        priority: None grows depth first. A function of a seed grows the seed of least priority first (best-first
            growth), the one that was made first on ties. The order does not change the tree unless `step` depends on
            it.

    Returns:
        The root.

    Raises:
        OptionError: `step` or `priority` is not callable.

    Examples:
        >>> from treerules.trees import MeanPrediction, ThresholdTest
        >>> def step(depth):
        ...     if depth == 0:
        ...         return Leaf(MeanPrediction(0.0), (1,))
        ...     return (lambda children: Split(ThresholdTest(0, depth), children)), (0, depth - 1)
        >>> unfold(3, step)
        <Split leaves=4 depth=3>
    """
    require_callables(step=step)
    require_callables_or_none(priority=priority)
    joins: list[tuple[Any, list[int]]] = [(None, [])]
    waiting: list[Any] = []

    def wait(seed: S, number: int) -> None:
        if priority is None:
            waiting.append((seed, number))
        else:
            heappush(waiting, (priority(seed), number, seed))

    wait(seed, 0)
    while waiting:
        if priority is None:
            seed, number = waiting.pop()
        else:
            _, number, seed = heappop(waiting)
        result = step(seed)
        if isinstance(result, Leaf):
            joins[number] = (result, [])
            continue
        join, seeds = result
        child_numbers = list(range(len(joins), len(joins) + len(seeds)))
        joins[number] = (join, child_numbers)
        joins.extend((None, []) for _ in child_numbers)
        for child_number, child in reversed(list(zip(child_numbers, seeds, strict=True))):
            wait(child, child_number)
    nodes: list[Any] = [None] * len(joins)
    for number in reversed(range(len(joins))):  # children always come after their parent
        join, child_numbers = joins[number]
        nodes[number] = join(tuple(nodes[child] for child in child_numbers)) if child_numbers else join
    return cast(Node, nodes[0])


def unfold_revising(
    seed: S, step: Callable[[S], Leaf | tuple[Callable[[tuple[Node, ...]], Node | tuple[S]], Sequence[S]]]
) -> Node:
    """Return the tree that grows from a seed, depth first, where a join may return a new seed to grow the node again.

    The new seed is returned as a tuple of one; it grows in the place of the node, before anything above is joined.
    """
    frames: list[tuple[Any, list[S], list[Node]]] = []  # a join, the seeds that wait (last first), the children so far
    result: Any = step(seed)
    while True:
        if not isinstance(result, Leaf) and isinstance(result, tuple):
            join, seeds = result
            frames.append((join, list(reversed(seeds)), []))
            result = step(frames[-1][1].pop())
            continue
        if not frames:
            return cast(Node, result)
        join, waiting, children = frames[-1]
        children.append(result)
        if waiting:
            result = step(waiting.pop())
            continue
        frames.pop()
        joined = join(tuple(children))
        result = step(joined[0]) if isinstance(joined, tuple) else joined


def descend(
    tree: TreeLike,
    context: A,
    step: Callable[[Split, A], Sequence[A]],
    *,
    order: Callable[[Split], Sequence[int]] | None = None,
) -> Iterator[tuple[Node, A]]:
    """Yield every node with the context that it inherits from its ancestors.

    Args:
        tree: a Tree, or a Node with all nodes below it.
        context: the context of the root.
        step: called with a split and its context; returns the context of each child.
        order: None visits nodes in preorder. A function of a split returns the positions of its children in the order
            in which they are visited.

    Returns:
        An iterator of pairs (node, context).

    Raises:
        OptionError: `tree` is neither a Tree nor a Node.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", features=["x"], recipe=cart())
        >>> [depth for _, depth in descend(tree, 0, lambda split, depth: [depth + 1] * len(split.children))]
        [0, 1, 1]
    """
    require_callables(step=step)
    require_callables_or_none(order=order)
    return _descend(root_of(tree), context, step, order)


def _descend(root: Node, context: A, step: Callable[[Split, A], Sequence[A]], order: Any) -> Iterator[tuple[Node, A]]:
    stack: list[tuple[Node, A]] = [(root, context)]
    while stack:
        node, inherited = stack.pop()
        yield node, inherited
        if isinstance(node, Split):
            below = list(zip(node.children, step(node, inherited), strict=True))
            stack += below[::-1] if order is None else [below[side] for side in reversed(order(node))]


def leaves_below(tree: TreeLike) -> dict[int, int]:
    """Return the number of leaves below each split, by its `id`."""
    counts: dict[int, int] = {}
    splits = [node for node in nodes_from(root_of(tree)) if isinstance(node, Split)]
    for split in reversed(splits):
        counts[id(split)] = sum([counts.get(id(child), 1) for child in split.children])
    return counts


def with_child_numbers(tree: TreeLike) -> list[tuple[Node, tuple[int, ...]]]:
    """Return the nodes in preorder, each with the numbers of its children."""
    nodes = list(nodes_from(root_of(tree)))
    sizes, numbered = [1] * len(nodes), []
    for number in reversed(range(len(nodes))):
        node, below = nodes[number], []
        for _ in node.children if isinstance(node, Split) else ():
            below.append(number + sizes[number])
            sizes[number] += sizes[below[-1]]
        numbered.append((node, tuple(below)))
    return numbered[::-1]


def paths(tree: TreeLike) -> Iterator[tuple[Leaf, tuple[tuple[Split, int], ...]]]:
    """Yield every leaf with its path from the root.

    Args:
        tree: a Tree, or a Node with all nodes below it.

    Returns:
        An iterator of pairs (leaf, path) from the first leaf to the last. A path is a tuple of pairs: a split, and the
        position of the child that the path takes.

    Raises:
        OptionError: `tree` is neither a Tree nor a Node.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", features=["x"], recipe=cart())
        >>> [[(split.test.threshold, side) for split, side in path] for _, path in paths(tree)]
        [[(1, 0)], [(1, 1)]]
    """

    def step(split: Split, path: tuple[tuple[Split, int], ...]) -> list[tuple[tuple[Split, int], ...]]:
        return [(*path, (split, side)) for side in range(len(split.children))]

    start: tuple[tuple[Split, int], ...] = ()
    return ((node, path) for node, path in descend(tree, start, step) if isinstance(node, Leaf))
