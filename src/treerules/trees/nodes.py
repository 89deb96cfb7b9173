"""The nodes of a tree as frozen values. Compared, hashed, pickled and copied over `preorder`; `tree` walks them."""

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import Any, Self, TypeVar, cast

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.errors import InvalidTreeError
from treerules.trees.node_parts import Prediction, Test

A = TypeVar("A")


class Node:
    """A leaf or a split. Compared, hashed, pickled and copied over `preorder`, since recursion dies at depth 250."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return self is other or all(a == b for a, b in zip_longest(_rows(self), _rows(other)))

    def __hash__(self) -> int:
        return hash(tuple(_rows(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        return from_preorder, (tuple(_rows(self)),)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __repr__(self) -> str:
        leaves, depth = shape(self)
        return f"<{type(self).__name__} leaves={leaves} depth={depth}>"


@frozen(eq=False, repr=False)
class Leaf(Node):
    """The end of a path: what is predicted there, and what was seen there.

    `counts` are the training figures: weighted counts of the classes in the schema's order, or (n,) for a regression.
    They stand apart from the prediction, since an empty leaf predicts what its parent would. `rule` is the number of
    the rule that the leaf comes from, in a tree that was made of rules.
    """

    prediction: Prediction
    counts: tuple[float, ...] = field(converter=as_tuple)
    rule: int | None = None

    def __attrs_post_init__(self) -> None:
        if self.rule is not None and type(self.rule) is not int:
            raise InvalidTreeError(f"a leaf comes from rule {self.rule!r}")

    @property
    def n(self) -> float:
        """The (weighted) number of training rows."""
        return sum(self.counts)


@frozen(eq=False, repr=False)
class Split(Node):
    """A question and its children; `missing` and `unseen` are the children that such rows go to.

    Missing values may have a child of their own, the last, for which the test has no answer. `unseen` is None for the
    features that cannot meet a value outside their categories. `collapsed` is the leaf that
    this node would be if it were cut off here: its label and figures.
    """

    test: Test
    children: tuple[Node, ...] = field(converter=as_tuple)
    missing: int = 0
    unseen: int | None = None
    as_leaf: Leaf | None = None

    def __attrs_post_init__(self) -> None:
        arity = self.test.arity
        n = len(self.children)
        if arity < 2 or n != n_children(arity, self.missing):
            raise InvalidTreeError(f"a test with {arity} answers has {n} children, missing values in {self.missing!r}")
        for child in self.children:
            if not isinstance(child, Node):
                raise InvalidTreeError("a child is not a node")
        missing, unseen = self.missing, self.unseen
        if type(missing) is not int or not 0 <= missing < n:
            raise InvalidTreeError(f"rows are sent to child {missing!r} of {arity}")
        if unseen is not None and (type(unseen) is not int or not 0 <= unseen < arity):
            raise InvalidTreeError(f"rows are sent to child {unseen!r} of {arity}")


def n_children(arity: int, missing: int) -> int:
    """Return how many children a split has whose test has so many answers: one more where missing values have one."""
    return arity + (missing == arity)


# ---- in preorder


def preorder(root: Node) -> Iterator[Node]:
    """Yield the nodes, each before its children, the first child first; a node's number is its place here, from 0."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, Split):
            stack.extend(reversed(node.children))


def _rows(root: Node) -> Iterator[tuple[Any, ...]]:
    for node in preorder(root):
        if isinstance(node, Split):
            collapsed = node.as_leaf
            figures = None if collapsed is None else (collapsed.prediction, collapsed.counts)
            yield node.test, node.missing, node.unseen, figures
        else:
            leaf = cast(Leaf, node)
            yield (leaf.prediction, leaf.counts) if leaf.rule is None else (leaf.prediction, leaf.counts, leaf.rule)


def from_preorder(rows: Iterable[tuple[Any, ...]]) -> Node:
    """Return the tree whose nodes, in preorder, have these rows: (prediction, counts) or (prediction, counts, rule) of
    a leaf, (test, missing, unseen, None or (prediction, counts)) of a split.

    Raises:
        InvalidTreeError: rows are left over, or some are wanting.
    """
    done: list[Node] = []
    for row in reversed(tuple(rows)):
        if len(row) < 4:
            done.append(Leaf(*row))
            continue
        test, missing, unseen, figures = row
        n = n_children(test.arity, missing)
        children = tuple(done[: -n - 1 : -1])
        del done[-n:]
        done.append(Split(test, children, missing, unseen, None if figures is None else Leaf(*figures)))
    if len(done) != 1:
        raise InvalidTreeError(f"the rows of a tree make {len(done)} trees")
    return done[0]


def fold(root: Node, leaf: Callable[[Leaf], A], split: Callable[[Split, tuple[A, ...]], A]) -> A:
    """Return the result of the root, where a node's result is made of its children's.

        fold(Leaf)            = leaf(Leaf)
        fold(Split, children) = split(Split, (fold(child) for each child))

    >>> from treerules.trees.node_parts import MeanPrediction
    >>> fold(Leaf(MeanPrediction(1.0), (1,)), leaf=lambda leaf: 1, split=lambda split, leaves: sum(leaves))
    1
    """
    done: list[A] = []
    for node in reversed(tuple(preorder(root))):
        if isinstance(node, Split):
            arity = len(node.children)
            results = tuple(reversed(done[-arity:]))
            del done[-arity:]
            done.append(split(node, results))
        else:
            done.append(leaf(cast(Leaf, node)))
    return done[0]


def shape(root: Node) -> tuple[int, int]:
    """Return the number of leaves and the depth: edges on the longest path, 0 for a lone leaf."""
    return fold(
        root,
        leaf=lambda _: (1, 0),
        split=lambda _, below: (sum(n for n, _ in below), 1 + max(depth for _, depth in below)),
    )
