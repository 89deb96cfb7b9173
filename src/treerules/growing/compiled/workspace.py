"""The arguments of the kernels besides columns: scoring and stopping parameters, arrays for nodes, and work arrays."""

from math import log

import numpy as np

from treerules.criteria.table import kernel_of
from treerules.growing.compiled import best_split
from treerules.growing.compiled.class_loop import ClassWorkspace
from treerules.growing.compiled.class_numeric import MISSING_BIT
from treerules.growing.compiled.exact_gains import SUM_TWO
from treerules.growing.compiled.growth_loop import LARGER, LEARNED, NodeArrays, ScoringParams, StoppingParams
from treerules.growing.compiled.histograms import ClassCounts
from treerules.growing.compiled.presort import PresortedColumns
from treerules.growing.compiled.regression_arrays import MOST_KEPT, RegressionCounts, RegressionWorkspace
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: Nodes of at least this many rows keep the class counts of their coded columns.
_LEAST_KEPT = 512
#: The first size of the pool of sides, in bytes; the greatest number of partial sums in `exact_sum`.
_POOL, _PARTIALS = 1 << 16, 64


def _criterion_code(problem: Problem, recipe: Recipe) -> int:
    """Return the kernels' code of the criterion."""
    code = kernel_of(recipe.scoring_of(problem.weighing is None))
    assert code is not None
    return code


def scoring_params(problem: Problem, recipe: Recipe, presorted: PresortedColumns) -> ScoringParams:
    """Return the scoring parameters."""
    code = _criterion_code(problem, recipe)
    needs_table = code == best_split.ENTROPY
    table = np.zeros(len(problem.target) + 1 if needs_table else 2)
    if needs_table:
        table[2:] = np.arange(2, len(table))
        table[2:] *= np.log2(table[2:])
    return ScoringParams(
        tie_order=np.arange(len(problem.columns)),
        criterion=code,
        missing_policy=LEARNED if recipe.missing == "learned" else LARGER,
        least=float(recipe.least),
        n_classes=len(problem.schema.classes),
        x_log2_x=table,
        row_mask=presorted.row_mask,
        class_shift=presorted.class_shift,
        class_mask=presorted.class_mask,
        is_exact=problem.exact is not None,
    )


def stopping_params(problem: Problem, recipe: Recipe) -> StoppingParams:
    """Return the stopping rules in the units of the kernels."""
    in_nats = recipe.base == "e" and _criterion_code(problem, recipe) == best_split.ENTROPY
    unit = log(2) if in_nats else 1.0  # kernels compute entropy in bits
    if problem.exact is not None:
        unit = float(problem.exact.unit**2)  # and variances of multiples
    return StoppingParams(
        max_depth=-1 if recipe.max_depth is None else recipe.max_depth,
        min_samples_split=float(recipe.least_to_split),
        min_gain=recipe.min_gain / unit,
        min_impurity=recipe.min_impurity / unit,
        least_kept=_LEAST_KEPT,
    )


def allocate_nodes(problem: Problem) -> NodeArrays:
    """Return space for the nodes of any tree of a problem; unused entries take no memory."""
    n = 2 * len(problem.target) + 1
    kind, missing_child, largest_child = (np.empty(n, dtype=np.int8) for _ in range(3))
    low, high, first_child, sides_start = (np.empty(n, dtype=np.int64) for _ in range(4))
    return NodeArrays(
        kind=kind,
        feature=np.empty(n, dtype=np.int32),
        low=low,
        high=high,
        missing_child=missing_child,
        largest_child=largest_child,
        first_child=first_child,
        sides_start=sides_start,
        statistics=np.empty((n, len(problem.schema.classes) or 3)),
        sums=np.empty((n, 0 if problem.exact is None else 4), dtype=np.int64),
    )


def _stack_size(n_rows: int) -> int:
    """Return the greatest number of nodes on the stack: the larger child waits, so rows halve with each position."""
    return n_rows.bit_length() + 3


def allocate_class_workspace(
    presorted: PresortedColumns, n_rows: int, n_classes: int
) -> tuple[ClassCounts, ClassWorkspace]:
    """Return the work arrays of a classification."""
    return _class_counts(presorted, n_classes), _class_workspace(presorted, n_rows, n_classes)


def _class_counts(presorted: PresortedColumns, n_classes: int) -> ClassCounts:
    """Return the work arrays of the search of one node."""
    columns = presorted.columns
    n_columns, most_codes = len(columns.features), max([2, *columns.n_codes.tolist()])
    return ClassCounts(
        code_counts=np.zeros((int(columns.offsets[-1]), n_classes), dtype=np.int32),
        bit_counts=np.zeros((64 * columns.bits.shape[1], n_classes), dtype=np.int32),
        active=np.zeros(n_columns, dtype=np.int64),
        active_offsets=np.zeros(n_columns, dtype=np.int64),
        present_bits=np.zeros((n_columns, most_codes // 64 + 1), dtype=np.uint64),
        present=np.zeros(most_codes, dtype=np.int64),
        counts_of_present=np.zeros((most_codes, n_classes), dtype=np.int64),
        left=np.zeros(n_classes),
        known=np.zeros(n_classes),
        missing=np.zeros(n_classes),
        right=np.zeros(n_classes),
        counts_of_side=np.zeros(n_classes),
        integer_counts=np.zeros(n_classes, dtype=np.int64),
        left_integers=np.zeros(2 * n_classes, dtype=np.int64),
        sides=np.zeros(most_codes, dtype=np.uint8),
        best_sides=np.zeros(most_codes, dtype=np.uint8),
        means=np.zeros(most_codes),
        order=np.zeros(most_codes, dtype=np.int64),
    )


def _class_workspace(presorted: PresortedColumns, n_rows: int, n_classes: int) -> ClassWorkspace:
    """Return the stack of a classification, with the work arrays of its positions."""
    size, columns = _stack_size(n_rows), presorted.columns
    n_features = len(presorted.lists.features) + len(columns.features) + len(columns.bit_features)
    length = best_split.record_length(n_classes)
    return ClassWorkspace(
        counters=np.zeros(4, dtype=np.int64),
        stack=np.zeros((size, 4), dtype=np.int64),
        code_counts=np.zeros((size, int(columns.offsets[-1]), n_classes), dtype=np.int32),
        bit_counts=np.zeros((size, 64 * columns.bits.shape[1], n_classes), dtype=np.int32),
        may_vary=np.ones((size, n_features), dtype=np.uint8),
        best=np.zeros(length),
        candidates=np.zeros((2, length)),
        side_pool=np.empty(_POOL, dtype=np.uint8),
    )


def allocate_regression_workspace(
    presorted: PresortedColumns, n_rows: int
) -> tuple[RegressionCounts, RegressionWorkspace]:
    """Return the work arrays of a regression."""
    columns, lists = presorted.columns, presorted.lists
    size, length = _stack_size(n_rows), SUM_TWO + 1
    storage_of = np.zeros(len(presorted.rows_of_codes), dtype=np.int64)
    storage_of[lists.features] = np.arange(len(lists.features))
    storage_of[columns.features] = -1 - np.arange(len(columns.features))
    workspace = RegressionWorkspace(
        counters=np.zeros(4, dtype=np.int64),
        stack=np.zeros((size, 4), dtype=np.int64),
        may_vary=np.ones((size, len(lists.features)), dtype=np.uint8),
        kept=np.zeros((MOST_KEPT, length)),
        candidate=np.zeros(length),
        search_state=np.zeros(7),
        sums=np.empty(n_rows),
        partials=np.empty(_PARTIALS),
        storage_of=storage_of,
        side_pool=np.empty(_POOL, dtype=np.uint8),
        is_complete=_is_complete(presorted),
    )
    return _regression_counts(presorted), workspace


def _regression_counts(presorted: PresortedColumns) -> RegressionCounts:
    """Return the work arrays of the search of one coded column."""
    most_codes = max([2, *presorted.columns.n_codes.tolist()])
    return RegressionCounts(
        groups=np.zeros((most_codes + 1, 3)),
        present=np.zeros(most_codes, dtype=np.int64),
        groups_of_present=np.zeros((most_codes, 2)),
        known=np.zeros(2),
        missing=np.zeros(2),
        sides=np.zeros(most_codes, dtype=np.uint8),
        kept_sides=np.zeros((2 * MOST_KEPT, most_codes), dtype=np.uint8),
        means=np.zeros(most_codes),
        order=np.zeros(most_codes, dtype=np.int64),
    )


def _is_complete(presorted: PresortedColumns) -> bool:
    """Return whether no feature has missing values: they are last in lists, and have the last code in columns."""
    lists, columns = presorted.lists, presorted.columns
    last_entries = lists.entries[lists.stride - 1 :: lists.stride]
    return not ((last_entries >> MISSING_BIT) & 1).any() and not bool((columns.codes == columns.n_codes).any())
