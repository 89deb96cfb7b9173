"""The routing tables of the trees of an ensemble over the same columns, and the sums of the leaves that rows reach.

Rows are routed in blocks: the cells of a block are converted to comparable integers once, for all trees. The blocks are
summed here by numpy and in `ensemble_kernel` by numba; both add in the same order, so they give the same sums.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules._internal.jit import ENSEMBLES, is_used, load_kernels
from treerules.data.column import Column
from treerules.data.schema import Schema
from treerules.trees.node_parts import ClassPrediction, Prediction
from treerules.trees.routing import (
    BLOCK,
    check_codes,
    compile_routing,
    fill_cells,
    route_block,
    to_ordered_bits,
)
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves, tested_indices

#: The CPU seconds that compiled code saves per test of a row.
_SAVED_PER_TEST = 5e-9


@frozen(eq=False)
class EnsembleRouting:
    """The routing tables of trees (see `RoutingTable`), all over the same features, one behind the other."""

    #: the features that some split of some tree tests, ascending
    features: tuple[int, ...]
    #: for each of them, as in each table: the bits that make its cells comparable, and whether they are categories
    sign_mask: Any
    category_mask: Any
    #: the arrays of the tables, and where each tree's begins, shape (trees + 1,)
    array: Any
    starts: Any
    #: the root of each tree, as in its own table, shape (trees,)
    roots: Any
    #: what leaves add, in the type of the sums, shape (leaves of all trees, numbers), and where each tree's begin
    vectors: Any
    vector_starts: Any
    #: for each tree the column of the sums that it is added to; -1 where leaves hold a number for each column
    outputs: Any


def compile_ensemble(schema: Schema, trees: Sequence[Tree], outputs: Sequence[int], sum_type: str) -> EnsembleRouting:
    """Return the routing tables of trees over one schema, and the numbers of their leaves in the type of the sums."""
    features = tested_indices(trees)
    tables = [compile_routing(tree.root, (schema, features)) for tree in trees]
    vectors = [[leaf_vector(leaf.prediction) for leaf in leaves(tree.root)] for tree in trees]
    return EnsembleRouting(
        features,
        tables[0].sign_mask,
        tables[0].category_mask,
        np.concatenate([table.array for table in tables]),
        _starts([len(table.array) for table in tables]),
        np.array([table.root for table in tables]),
        np.array([vector for of_tree in vectors for vector in of_tree], dtype=sum_type),
        _starts([len(of_tree) for of_tree in vectors]),
        np.array(outputs or [-1] * len(trees)),
    )


def _starts(lengths: Sequence[int]) -> Any:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


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
        routing: the tables of the trees.
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
    add_block_of = _adder(routing, n_rows, compiled)
    shape = max(len(columns), 1), min(BLOCK, n_rows)
    cells, missing = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=bool)
    for start in range(0, n_rows, BLOCK):
        rows = slice(start, min(start + BLOCK, n_rows))
        for position, column in enumerate(columns):
            fill_cells(column, rows, cells[position], missing[position])
            to_ordered_bits(cells[position], routing.sign_mask[position])
        parts = routing.array, routing.starts, routing.roots, routing.category_mask, cells, missing
        add_block_of(*parts, routing.vectors, routing.vector_starts, routing.outputs, sums[rows])
        if progress is not None:
            progress(rows.stop, n_rows)


def _adder(routing: EnsembleRouting, n_rows: int, compiled: bool | None) -> Callable[..., None]:
    """Return the function that adds a block: the compiled one where it is worth loading."""
    n_tests = n_rows * sum(int(n).bit_length() for n in np.diff(routing.vector_starts))
    if not is_used(ENSEMBLES, n_tests * _SAVED_PER_TEST, compiled):
        return add_block
    return cast(Callable[..., None], load_kernels(ENSEMBLES).add_block_compiled)


def add_block(
    array: Any,
    starts: Any,
    roots: Any,
    category_mask: Any,
    cells: Any,
    missing: Any,
    vectors: Any,
    vector_starts: Any,
    outputs: Any,
    sums: Any,
) -> None:
    """Add the leaves of each tree to the sums of a block of rows, whose cells are comparable integers."""
    codes, unchanged = np.empty(len(sums), dtype=np.int64), np.zeros_like(category_mask)
    for tree, output in enumerate(outputs.tolist()):
        table = array[starts[tree] : starts[tree + 1]]
        if roots[tree] < 0:  # a lone leaf
            codes.fill(roots[tree])
        else:
            route_block(table, int(roots[tree]), category_mask, unchanged, cells, missing, codes)
        added = vectors.take(codes + vector_starts[tree + 1], axis=0)
        if output < 0:
            sums += added
        else:
            sums[:, output] += added[:, 0]
