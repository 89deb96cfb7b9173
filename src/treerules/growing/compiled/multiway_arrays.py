"""The arguments of the multiway kernels: parameters, columns, nodes and work arrays."""

from typing import Any, NamedTuple

#: Results instead of a feature: the node is a leaf; the reference must choose.
NO_FEATURE, UNKNOWN = -1, -2


class MultiwayParams(NamedTuple):
    """The scoring parameters and the stopping rules."""

    #: whether features are compared by gain ratio, not by gain
    by_ratio: bool
    #: whether only features of at least average gain compete
    averages: bool
    #: C4.5 as published: the average is over all features that count, and gains may be this far below it
    quinlan: bool
    below_average: float
    #: at least two children must have this many rows
    least: float
    #: -1: unbounded
    max_depth: int
    min_samples_split: float
    min_gain: float
    min_impurity: float
    #: nodes of at least this many rows are counted in one pass over all features
    many: int
    #: by count x: x log2 x, and x times the second logarithm of x
    x_log2_x: Any
    second_logarithms: Any


class MultiwayColumns(NamedTuple):
    """The features as cells: one cell per category and a last one for missing values, feature by feature."""

    #: the number of each value's cell, shape (rows, features)
    cells: Any
    #: the first cell of each feature, and its cell of missing values
    first_cell: Any
    missing: Any
    #: whether a feature counts for the average gain
    counts: Any


class MultiwayBuffers(NamedTuple):
    """Work arrays."""

    #: the class counts of each cell, shape (classes, cells), and its size; all 0 between two uses
    counts: Any
    sizes: Any
    #: the cells of one feature that have rows; the child of each cell; the position where each child's rows begin
    present: Any
    child_of_cell: Any
    child_starts: Any
    #: the features that vary in a node
    varying: Any
    #: by feature: n times its gain (-inf: not allowed), its split information, the number of rows with a known value
    gains: Any
    split_informations: Any
    known: Any
    #: the same by the second logarithm; the split information times the rows
    second_gains: Any
    second_informations: Any
    spare: Any


class MultiwayNodes(NamedTuple):
    """The tree as arrays by node number, children in the order of their categories; no node is empty."""

    #: -1: a leaf
    feature: Any
    #: the number of the first child, and that after the last child
    first_child: Any
    end: Any
    #: the position of the largest child among the children
    largest: Any
    #: the category of the parent's feature that leads to the node
    category: Any
    #: class counts, shape (nodes, classes)
    counts: Any


class MultiwayWorkspace(NamedTuple):
    """The stack, and the rows of each node, which are ascending and so in the order of the classes."""

    counters: Any
    stack: Any
    #: by position on the stack: whether each feature may vary in the node
    may_vary: Any
    rows: Any
