"""The common parts of the growth loops of classifications and regressions: statuses, stack, tree, record of a split.

A node waits on a stack until it is searched. The smaller child of a split is searched first, so the stack stays short.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from attrs import frozen

from treerules._internal.jit import kernel
from treerules.growing.array_tree import SUBSETS
from treerules.growing.compiled.best_split import FEATURE, HIGH, KIND, LARGEST_CHILD, LOW, MISSING_CHILD
from treerules.growing.compiled.gini_scan import NEW_VALUE_BIT as NEW_VALUE_BIT

#: The status of a loop that returns: no node waits; its share of work is done; the reference must decide the node on
#: top of the stack; the pool of sides is full.
DONE, PAUSED, NEEDS_REFERENCE, FULL = range(4)
#: Positions in `counters`: the number of nodes on the stack, the number of the next new node, the number of bytes in
#: the pool of sides, the number of cells (rows times features) searched.
N_WAITING, NEXT_NODE, N_SIDE_BYTES, CELLS_DONE = range(4)
#: Columns of the stack: the number of a node, its first row, the row after its last, its depth.
NODE, START, STOP, DEPTH = range(4)
#: The cost of a node in cells, whatever its size.
NODE_CELLS = 64


class StoppingParams(NamedTuple):
    """The stopping rules."""

    #: -1: unbounded
    max_depth: int
    min_samples_split: float
    #: in bits for entropy; for a regression in units of the target's variance
    min_gain: float
    min_impurity: float
    #: nodes of a classification with at least this many rows keep the counts of their coded columns
    least_kept: int


class NodeArrays(NamedTuple):
    """The tree as arrays by node number, as in `ArrayTree`, except for the sides of categories."""

    kind: Any
    feature: Any
    low: Any
    high: Any
    missing_child: Any
    largest_child: Any
    #: the number of the first child; that of the second is greater by 1
    first_child: Any
    #: where the sides of the split's categories begin in the pool; -1: it has none
    sides_start: Any
    #: class counts, or weight, mean and standard deviation
    statistics: Any
    #: of a regression with exact figures, int64: see `exact_gains`; mean and standard deviation are rough then
    sums: Any


@frozen
class LoopKernels:
    """The kernels of one kind of target."""

    #: searches the node at a position of the stack; False where the reference must
    search: Callable[..., Any]
    #: marks the child of each row; returns the size of the first child, 0 (a leaf) or -1 (the reference must decide)
    mark: Callable[..., Any]
    #: splits the node on top of the stack
    divide: Callable[..., Any]
    #: repeats the three until the loop ends
    grow: Callable[..., Any]


@kernel
def push_node(stack: Any, position: int, node: Any, depth: int) -> None:
    """Write a node (its number, its first row, the row after its last) at a position of the stack."""
    stack[position, NODE], stack[position, START], stack[position, STOP] = node[0], node[1], node[2]
    stack[position, DEPTH] = depth


@kernel
def record_split(nodes: Any, counters: Any, pool: Any, node: int, best: Any, sides: Any, n_codes: int) -> int:
    """Write a split into the tree, with the sides of its categories; return the number of the first child."""
    child = counters[NEXT_NODE]
    counters[NEXT_NODE] += 2
    nodes.kind[node], nodes.feature[node], nodes.first_child[node] = int(best[KIND]), int(best[FEATURE]), child
    nodes.low[node], nodes.high[node] = int(best[LOW]), int(best[HIGH])
    nodes.missing_child[node], nodes.largest_child[node] = int(best[MISSING_CHILD]), int(best[LARGEST_CHILD])
    nodes.sides_start[node] = -1
    if best[KIND] == SUBSETS:
        start = counters[N_SIDE_BYTES]
        nodes.sides_start[node] = start
        for code in range(n_codes):
            pool[start + code] = sides[code]
        counters[N_SIDE_BYTES] = start + n_codes
    return child


#: The treatment of rows with missing values in scores: ignored, or sent to the child where they help most.
LARGER, LEARNED = range(2)


class ScoringParams(NamedTuple):
    """The scoring parameters of all nodes of a tree."""

    #: the position of each feature in the order of ties, shape (features,)
    tie_order: Any
    #: GINI or ENTROPY; regressions do not use it
    criterion: int
    #: LARGER or LEARNED
    missing_policy: int
    #: the least number of rows of a child
    least: float
    #: 0 for a regression
    n_classes: int
    #: x log2 x of all counts up to the number of rows, where the criterion is ENTROPY
    x_log2_x: Any
    #: the parts of a list entry: the mask of its row, the shift and the mask of its class
    row_mask: int
    class_shift: int
    class_mask: int
    #: whether the target of a regression is whole numbers, from which all figures are exact
    is_exact: bool
