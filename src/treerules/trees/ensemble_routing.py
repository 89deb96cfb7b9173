"""The nodes of the trees of an ensemble over the same columns, and the sums of the leaves that rows reach.

Rows are routed in blocks: the cells of a block are converted to codes once, for all trees (see `ensemble_nodes`). The
blocks are summed here by numpy and in `ensemble_kernel` by numba; both add tree by tree, so they give the same sums.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.jit import ENSEMBLES, is_used, load_kernels
from treerules.data.column import Column
from treerules.data.schema import Kind, Schema
from treerules.trees.cell_codes import ABOVE_ALL, AS_IT_IS, LEAF, LOW
from treerules.trees.ensemble_nodes import EnsembleNodes, compile_nodes
from treerules.trees.node_parts import ClassPrediction, Prediction
from treerules.trees.routing import BLOCK, INT64_MAX, check_codes, fill_cells, to_ordered_bits
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves

#: The CPU seconds that compiled code saves per test of a row.
_SAVED_PER_TEST = 5e-9
#: Rows in a leaf are left out where at most this share of the rows is not in one.
_WORTH_LISTING = 0.7
#: Lines of codes are longer than a block by so many, lest the cells of a row compete for one place in the cache.
_SKEW = 16


@frozen(eq=False)
class EnsembleRouting:
    """The nodes of trees over the same features, and what their leaves add."""

    nodes: EnsembleNodes
    #: what leaves add, in the type of the sums, shape (leaves of all trees, numbers)
    vectors: Any
    #: for each tree the column of the sums that it is added to; -1 where leaves hold a number for each column
    outputs: Any

    @property
    def features(self) -> tuple[int, ...]:
        """The features that some split of some tree tests, ascending."""
        return self.nodes.features


def compile_ensemble(schema: Schema, trees: Sequence[Tree], outputs: Sequence[int], sum_type: str) -> EnsembleRouting:
    """Return the nodes of trees over one schema, and the numbers of their leaves in the type of the sums."""
    vectors = [leaf_vector(leaf.prediction) for tree in trees for leaf in leaves(tree.root)]
    return EnsembleRouting(
        compile_nodes(schema, trees),
        np.array(vectors, dtype=sum_type),
        np.array(outputs or [-1] * len(trees)),
    )


def leaf_vector(prediction: Prediction) -> tuple[float, ...]:
    """Return what a leaf of an ensemble adds: its mean, or the probability of each class."""
    return prediction.probabilities if isinstance(prediction, ClassPrediction) else (prediction.value,)


def add_leaves(
    routing: EnsembleRouting,
    columns: Sequence[Column],
    sums: Any,
    *,
    progress: Callable[[int, int], None] | None = None,
    compiled: bool | None = None,
) -> None:
    """Add to the sums of each row the numbers of the leaves that it reaches, tree by tree.

    Args:
        routing: the nodes of the trees.
        columns: the columns of the routing's features, in its order.
        sums: the sums, shape (rows, outputs), in the type of the routing's vectors; they are changed.
        progress: called with (rows done, all rows) after each block.
        compiled: the argument of `jit.is_used`.

    Raises:
        ColumnError: a column holds a code that is not a category.
    """
    n_rows = len(sums)
    for column in columns:
        check_codes(column)
    nodes = routing.nodes
    rank, add_block_of = _functions(routing, n_rows, compiled)
    width = min(BLOCK, n_rows)
    codes = np.zeros((max(len(nodes.lines), 1), width + _SKEW), dtype=np.int32)
    room = np.empty(width, dtype=np.int64), np.empty(width, dtype=bool), np.empty(width, dtype=np.int64)
    for start in range(0, n_rows, BLOCK):
        rows = slice(start, min(start + BLOCK, n_rows))
        _fill_codes(nodes, columns, rows, rank, room, codes)
        add_block_of(codes, sums[rows])
        if progress is not None:
            progress(rows.stop, n_rows)


def _functions(routing: EnsembleRouting, n_rows: int, compiled: bool | None) -> tuple[Callable[..., None], ...]:
    """Return the functions that rank cells and add a block: the compiled ones where they are worth loading."""
    nodes = routing.nodes
    if not is_used(ENSEMBLES, n_rows * int(nodes.depths.sum()) * _SAVED_PER_TEST, compiled):
        return _rank, partial(_add_block, routing, nodes.child.astype(np.intp))  # `take` takes intp
    kernels = load_kernels(ENSEMBLES)
    of_nodes = nodes.line, nodes.threshold, nodes.child, nodes.roots, nodes.depths, nodes.oblivious
    return kernels.rank_compiled, partial(kernels.add_block_compiled, *of_nodes, routing.vectors, routing.outputs)


# ---- codes


def _fill_codes(
    nodes: EnsembleNodes, columns: Sequence[Column], rows: slice, rank: Callable[..., None], room: Any, codes: Any
) -> None:
    """Write the lines of codes of some rows."""
    n = rows.stop - rows.start
    cells, missing, below = (array[:n] for array in room)
    filled = -1  # the position of the feature whose cells are there
    for line, (place, kind) in zip(codes, nodes.lines, strict=False):
        column, written = columns[place], line[:n]
        if filled != place:
            fill_cells(column, rows, cells, missing)
            filled = place
            if column.feature.kind is Kind.NUMBER:
                to_ordered_bits(cells, INT64_MAX)
        if kind == AS_IT_IS:
            written[:] = -missing.view(np.int8) if column.feature.is_ordered else cells
            continue
        rank(cells, nodes.bounds[place], below, written)
        if column.n_missing:
            written[missing] = -1 if kind == LOW else ABOVE_ALL


def _rank(cells: Any, bounds: Any, _: Any, codes: Any) -> None:
    """Write the number of bounds below each cell."""
    codes[:] = np.searchsorted(bounds, cells)


# ---- sums


def _add_block(routing: EnsembleRouting, child: Any, codes: Any, sums: Any) -> None:
    """Add the leaves of each tree to the sums of a block of rows, whose cells are codes."""
    nodes = routing.nodes
    starts = nodes.line * np.intp(codes.shape[1])  # of each node the position of its line among all codes
    shapes = zip(nodes.roots.tolist(), nodes.least_depths.tolist(), nodes.oblivious.tolist(), strict=True)
    for (root, least_depth, is_oblivious), output in zip(shapes, routing.outputs.tolist(), strict=True):
        if is_oblivious:
            leaf = _oblivious_leaf(nodes, root, least_depth, codes, len(sums))
        else:
            leaf = _walk((starts, nodes.threshold, child), root, least_depth, codes, len(sums))
        added = routing.vectors.take(leaf, axis=0)
        if output < 0:
            sums += added
        else:
            sums[:, output] += added[:, 0]


def _oblivious_leaf(nodes: EnsembleNodes, root: int, depth: int, codes: Any, n_rows: int) -> Any:
    """Return the number of each row's leaf in an oblivious tree: its answers to the levels are binary digits."""
    digits = np.zeros(n_rows, dtype=np.int32)
    for level in range(root, root + depth):
        digits <<= 1
        digits |= codes[nodes.line[level], :n_rows] > nodes.threshold[level]
    return digits + nodes.child[root]


def _walk(nodes: tuple[Any, Any, Any], root: int, least_depth: int, codes: Any, n_rows: int) -> Any:
    """Return the number of each row's leaf in another tree: all rows pass a node before any passes the next."""
    (starts, threshold, child), flat, rows = nodes, codes.reshape(-1), np.arange(n_rows)
    leaf, at, level = np.empty(n_rows, dtype=np.intp), np.full(n_rows, root), 0
    while len(rows):
        bound = threshold.take(at)
        if level >= least_depth and np.count_nonzero(bound < LEAF) <= _WORTH_LISTING * len(rows):
            leaf[rows] = bound  # of rows that are not in a leaf for now
            unfinished = np.flatnonzero(bound < LEAF)
            rows, at, bound = rows.take(unfinished), at.take(unfinished), bound.take(unfinished)
        cells = starts.take(at)
        cells += rows
        at = child.take(at)
        at += flat.take(cells) > bound
        level += 1
    leaf -= LEAF
    return leaf
