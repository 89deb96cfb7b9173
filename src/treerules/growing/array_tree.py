"""A tree as arrays, as the fast growers make it; compiled kernels hold the kinds of nodes as constants."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

#: A leaf; a cut of an ordered feature; a test that separates known values from missing ones; two subsets of the
#: categories; one child per category.
LEAF, CUT, MISSING_TEST, SUBSETS, MULTIWAY = range(5)
N_KINDS = 5
#: The value of `ArrayTree.sides` for a category that no row of the node has.
ABSENT = 2


@frozen(eq=False)
class ArrayTree:
    """A tree as arrays, one entry per node: the root is node 0, and every child comes after its parent.

    The children of a node have consecutive numbers. In a binary tree each split has two children. In a multiway tree
    it has one child for each category that some row of the node has; the categories without rows are added when the
    tree is converted to nodes.
    """

    #: LEAF, CUT, MISSING_TEST, SUBSETS or MULTIWAY, shape (nodes,)
    kind: Any
    #: the feature index of each split
    feature: Any
    #: the number of the first child of each split
    first_child: Any
    #: the positions, among the children, of the child of missing values and of the child of most rows
    missing_child: Any
    largest_child: Any
    #: class counts, shape (nodes, classes); for a regression weight, mean and standard deviation, shape (nodes, 3)
    statistics: Any
    #: of a CUT: rows of the problem that hold the values just below and just above it; of SUBSETS, `low` is the
    #: position in `sides`
    low: Any = None
    high: Any = None
    #: for each split by subsets, the child of each category (2: no row of the node has it), shape (categories,)
    sides: Sequence[Any] = ()
    #: multiway trees: the number of children of each split; the category that leads to each node
    n_children: Any = None
    category: Any = None
    #: the least and the greatest prediction of each node that monotone features allow, shape (nodes, 2)
    bounds: Any = None
    #: multiway trees: whether each category without rows gets a child of its own; otherwise they share one
    has_child_of_each: bool = False

    @property
    def is_multiway(self) -> bool:
        """Whether splits have one child per category."""
        return self.category is not None
