"""What the kernels are given beside lists and tables: how splits are scored, where nodes end, and room to work in."""

from math import log

import numpy as np

from treerules.criteria import kernel_of
from treerules.growing.compiled import best_split
from treerules.growing.compiled.class_loop import Nodes, State, Stops
from treerules.growing.compiled.class_numeric import LARGER, LEARNED, MISSING, Terms
from treerules.growing.compiled.histograms import Counts
from treerules.growing.compiled.presort import Listing
from treerules.growing.compiled.regression_numeric import MOST_KEPT, MeanCounts, MeanState
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: Nodes of at least so many rows keep their counts by value.
_MANY = 512
#: Sides of categories begin with so many bytes; correctly rounded sums of doubles need at most so many parts.
_POOL, _PARTIALS = 1 << 16, 64


def _kernel(problem: Problem, recipe: Recipe) -> int:
    """Return the code of the criterion."""
    code = kernel_of(recipe.scoring_of(problem.weighing is None))
    assert code is not None
    return code


def terms_of(problem: Problem, recipe: Recipe, listing: Listing) -> Terms:
    """Return what splits of all nodes are scored by."""
    code = _kernel(problem, recipe)
    needs_table = code == best_split.ENTROPY
    table = np.zeros(len(problem.target) + 1 if needs_table else 2)
    if needs_table:
        table[2:] = np.arange(2, len(table))
        table[2:] *= np.log2(table[2:])
    return Terms(
        first=np.arange(len(problem.columns)),
        criterion=code,
        policy=LEARNED if recipe.missing == "learned" else LARGER,
        least=float(recipe.least),
        n_sums=len(problem.schema.classes),
        x_log_x=table,
        row_mask=listing.row_mask,
        class_shift=listing.class_shift,
        class_mask=listing.class_mask,
    )


def stops_of(problem: Problem, recipe: Recipe) -> Stops:
    """Return where nodes are leaves."""
    in_nats = recipe.base == "e" and _kernel(problem, recipe) == best_split.ENTROPY
    unit = log(2) if in_nats else 1.0  # kernels count in bits
    return Stops(
        max_depth=-1 if recipe.max_depth is None else recipe.max_depth,
        min_samples_split=float(recipe.least_to_split),
        min_gain=recipe.min_gain / unit,
        min_impurity=recipe.min_impurity / unit,
        many=_MANY,
    )


def nodes_of(n_rows: int, n_sums: int) -> Nodes:
    """Return room for the nodes of any tree of so many rows; what is not used takes no memory."""
    n = 2 * n_rows + 1
    kind, to, largest = (np.empty(n, dtype=np.int8) for _ in range(3))
    low, high, child, sides = (np.empty(n, dtype=np.int64) for _ in range(4))
    return Nodes(kind, np.empty(n, dtype=np.int32), low, high, to, largest, child, sides, np.empty((n, n_sums)))


def _depth(n_rows: int) -> int:
    """Return how many nodes wait at most: the larger child waits, so the number of rows halves from place to place."""
    return n_rows.bit_length() + 3


def room_of_classes(listing: Listing, n_rows: int, n_classes: int) -> tuple[Counts, State]:
    """Return room to search and to let nodes wait, of a classification."""
    return _counts(listing, n_classes), _state(listing, n_rows, n_classes)


def _counts(listing: Listing, n_classes: int) -> Counts:
    tables = listing.tables
    most = max([2, *tables.n_codes.tolist()])
    return Counts(
        cells=np.zeros((int(tables.offsets[-1]), n_classes), dtype=np.int32),
        ones=np.zeros((64 * tables.bits.shape[1], n_classes), dtype=np.int32),
        active=np.zeros(len(tables.features), dtype=np.int64),
        begins=np.zeros(len(tables.features), dtype=np.int64),
        marks=np.zeros((len(tables.features), most // 64 + 1), dtype=np.uint64),
        held=np.zeros(most, dtype=np.int64),
        by_held=np.zeros((most, n_classes), dtype=np.int64),
        left=np.zeros(n_classes),
        known=np.zeros(n_classes),
        missing=np.zeros(n_classes),
        right=np.zeros(n_classes),
        taken=np.zeros(n_classes),
        whole=np.zeros(n_classes, dtype=np.int64),
        seen=np.zeros(2 * n_classes, dtype=np.int64),
        sides=np.zeros(most, dtype=np.uint8),
        best_sides=np.zeros(most, dtype=np.uint8),
        means=np.zeros(most),
        order=np.zeros(most, dtype=np.int64),
    )


def _state(listing: Listing, n_rows: int, n_classes: int) -> State:
    depth, tables = _depth(n_rows), listing.tables
    n_features = len(listing.lists.features) + len(tables.features) + len(tables.bit_features)
    return State(
        figures=np.zeros(4, dtype=np.int64),
        stack=np.zeros((depth, 4), dtype=np.int64),
        cells=np.zeros((depth, int(tables.offsets[-1]), n_classes), dtype=np.int32),
        ones=np.zeros((depth, 64 * tables.bits.shape[1], n_classes), dtype=np.int32),
        varies=np.ones((depth, n_features), dtype=np.uint8),
        best=np.zeros(best_split.width(n_classes)),
        room=np.zeros((2, best_split.width(n_classes))),
        pool=np.empty(_POOL, dtype=np.uint8),
    )


def room_of_means(listing: Listing, n_rows: int) -> tuple[MeanCounts, MeanState]:
    """Return room to search and to let nodes wait, of a regression."""
    tables, depth, width = listing.tables, _depth(n_rows), best_split.width(1)
    most = max([2, *tables.n_codes.tolist()])
    line_of = np.zeros(len(listing.firsts), dtype=np.int64)
    line_of[listing.lists.features] = np.arange(len(listing.lists.features))
    line_of[tables.features] = -1 - np.arange(len(tables.features))
    counts = MeanCounts(
        cells=np.zeros((most + 1, 2)),
        held=np.zeros(most, dtype=np.int64),
        by_held=np.zeros((most, 2)),
        known=np.zeros(2),
        missing=np.zeros(2),
        sides=np.zeros(most, dtype=np.uint8),
        kept_sides=np.zeros((2 * MOST_KEPT, most), dtype=np.uint8),
        means=np.zeros(most),
        order=np.zeros(most, dtype=np.int64),
    )
    state = MeanState(
        figures=np.zeros(4, dtype=np.int64),
        stack=np.zeros((depth, 4), dtype=np.int64),
        varies=np.ones((depth, len(listing.lists.features)), dtype=np.uint8),
        kept=np.zeros((MOST_KEPT, width)),
        room=np.zeros(width),
        marks=np.zeros(6),
        sums=np.empty(n_rows),
        partials=np.empty(_PARTIALS),
        line_of=line_of,
        pool=np.empty(_POOL, dtype=np.uint8),
        is_whole=_is_whole(listing),
    )
    return counts, state


def _is_whole(listing: Listing) -> bool:
    """Return whether no feature has missing values, which come last in lists and have a code of their own in tables."""
    lists, tables = listing.lists, listing.tables
    ends = lists.entries[lists.stride - 1 :: lists.stride]
    return not ((ends >> MISSING) & 1).any() and not bool((tables.codes == tables.n_codes).any())
