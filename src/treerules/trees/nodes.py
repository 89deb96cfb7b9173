"""The nodes of a tree as frozen values, compared, hashed, pickled and copied over their preorder."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any, Protocol, Self, TypeAlias, cast, runtime_checkable

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.errors import DataError, InvalidTreeError, OptionError
from treerules.trees.node_parts import Prediction, Test


class Node:
    """A leaf or a split.

    Nodes are compared, hashed, pickled and copied without recursion, so a tree may be deeper than Python's limit.
    """

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
        n_leaves, depth = shape(self)
        return f"<{type(self).__name__} leaves={n_leaves} depth={depth}>"


@frozen(eq=False, repr=False)
class Leaf(Node):
    """The end of a path: its prediction, and the training rows that reached it.

    The prediction is stored besides the counts, since a leaf without rows has the prediction of its parent.

    Args:
        prediction: a ClassPrediction, or the MeanPrediction of a regression.
        counts: the (weighted) numbers of training rows of each class, in the schema's order; (n,) for a regression.
        rule: the number of the rule in a tree that was made from rules; None in others.

    Raises:
        InvalidTreeError: `rule` is not an integer.
    """

    #: a ClassPrediction, or the MeanPrediction of a regression
    prediction: Prediction
    #: the (weighted) counts of the classes in the schema's order; (n,) for a regression
    counts: tuple[float, ...] = field(converter=as_tuple)
    #: in a tree made from rules, the number of the rule
    rule: int | None = None

    def __attrs_post_init__(self) -> None:
        if self.rule is not None and type(self.rule) is not int:
            raise InvalidTreeError(f"a leaf has the rule number {self.rule!r}, which is not an integer")

    @property
    def n(self) -> float:
        """The (weighted) number of training rows."""
        return sum(self.counts)


@frozen(eq=False, repr=False)
class Split(Node):
    """A test of one feature, and a child for each outcome.

    Args:
        test: a ThresholdTest, a ValueSetTest or a CategoryTest.
        children: a node for each outcome of the test, and a last one for missing values if these have their own child.
        missing: the position in `children` to which missing values go, from 0.
        unseen: the position to which values go that are no category of the schema; None for features without such
            values.
        as_leaf: the Leaf that the split would be if it were pruned; None where it is not known.

    Raises:
        OptionError: the test is neither a ThresholdTest nor a ValueSetTest nor a CategoryTest.
        InvalidTreeError: the children do not fit the test, or rows are sent to a child that does not exist.
    """

    #: a ThresholdTest, a ValueSetTest or a CategoryTest
    test: Test
    #: a node for each outcome of the test, and a last one for missing values if these have their own child
    children: tuple[Node, ...] = field(converter=as_tuple)
    #: the position of the child of missing values
    missing: int = 0
    #: the position of the child of unseen categories; None for features without unseen values
    unseen: int | None = None
    #: the leaf that the split would be if it were pruned; pruning and importances need it
    as_leaf: Leaf | None = None

    def __attrs_post_init__(self) -> None:
        try:
            arity = self.test.arity
        except AttributeError:
            raise OptionError("test", self.test, "a ThresholdTest, a ValueSetTest or a CategoryTest") from None
        n = len(self.children)
        if arity < 2 or n != n_children(arity, self.missing):
            raise InvalidTreeError(f"a test with {arity} answers has {n} children, missing values in {self.missing!r}")
        for child in self.children:
            if not isinstance(child, Node):
                raise InvalidTreeError("a child is not a node")
        missing, unseen = self.missing, self.unseen
        if type(missing) is not int or not 0 <= missing < n:
            raise InvalidTreeError(f"rows are sent to child {missing!r} of {arity}")
        if unseen is not None and (type(unseen) is not int or not 0 <= unseen < n):
            raise InvalidTreeError(f"rows are sent to child {unseen!r} of {arity}")


@runtime_checkable
class HasRoot(Protocol):
    """A value with a root: a Tree."""

    @property
    def root(self) -> Node:
        """The root."""
        ...


#: The argument of the walkers: a Tree, or a node with all nodes below it.
TreeLike: TypeAlias = Node | HasRoot


def root_of(tree: TreeLike) -> Node:
    """Return the root of a tree; a node is returned unchanged.

    Raises:
        OptionError: the value is neither a Tree nor a Node.
    """
    if isinstance(tree, Node):
        return tree
    root = getattr(tree, "root", None)
    if not isinstance(root, Node):
        raise OptionError("tree", tree, "a Tree or a Node")
    return root


def n_children(arity: int, missing: int) -> int:
    """Return the number of children of a split: one for each outcome, and possibly one for missing values.

    `arity` is the number of outcomes of the test, `missing` the position of the child of missing values.
    """
    return arity + (missing == arity)


def as_leaf(node: Node) -> Leaf:
    """Return the leaf that replaces a split when it is pruned; a leaf is returned unchanged.

    Raises:
        DataError: the split was built without that leaf.
    """
    leaf = node.as_leaf if isinstance(node, Split) else cast(Leaf, node)
    if leaf is None:
        raise DataError(
            "a split of the tree does not hold the leaf that it would be if it were pruned",
            "use a tree that learn() returned, or build each Split with as_leaf=",
        )
    return leaf


# ---- in preorder


def nodes_from(root: Node) -> Iterator[Node]:
    """Yield a node and all nodes below it, each before its children, the first child first."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, Split):
            stack.extend(reversed(node.children))


def _rows(root: Node) -> Iterator[tuple[Any, ...]]:
    for node in nodes_from(root):
        if isinstance(node, Split):
            leaf = node.as_leaf
            yield node.test, node.missing, node.unseen, None if leaf is None else (leaf.prediction, leaf.counts)
        else:
            leaf = cast(Leaf, node)
            yield (leaf.prediction, leaf.counts) if leaf.rule is None else (leaf.prediction, leaf.counts, leaf.rule)


def from_preorder(rows: Iterable[tuple[Any, ...]]) -> Node:
    """Return the tree whose nodes, in preorder, have these rows.

    The row of a leaf is (prediction, counts) or (prediction, counts, rule); that of a split is (test, missing, unseen,
    None or (prediction, counts)).

    Raises:
        InvalidTreeError: there are too many rows, or too few.
    """
    built: list[Node] = []
    for row in reversed(tuple(rows)):
        if len(row) < 4:
            built.append(Leaf(*row))
            continue
        test, missing, unseen, figures = row
        n = n_children(test.arity, missing)
        children = tuple(built[: -n - 1 : -1])
        del built[-n:]
        built.append(Split(test, children, missing, unseen, None if figures is None else Leaf(*figures)))
    if len(built) != 1:
        raise InvalidTreeError(f"the rows of a tree make {len(built)} trees")
    return built[0]


def shape(root: Node) -> tuple[int, int]:
    """Return the number of leaves and the depth: the edges on the longest path, 0 for a lone leaf."""
    n_leaves, deepest = 0, 0
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        if isinstance(node, Split):
            stack.extend((child, depth + 1) for child in node.children)
        else:
            n_leaves, deepest = n_leaves + 1, max(deepest, depth)
    return n_leaves, deepest
