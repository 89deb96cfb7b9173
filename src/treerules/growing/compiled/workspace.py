"""The parameters and the work arrays of the kernels."""

from math import log
from typing import Any

import numpy as np

from treerules.criteria.table import ENTROPY_KERNEL, GINI_KERNEL, general_kernel_of
from treerules.data.sample_weights import are_whole
from treerules.growing.compiled.byte_counts import SPARE_TABLES, WORDS, ByteTables
from treerules.growing.compiled.candidates import GROUPS, MOST_KEPT, N_STATES, Search
from treerules.growing.compiled.code_counts import CodeArrays, Codes
from treerules.growing.compiled.columns import MOST_CELLS, KernelColumns
from treerules.growing.compiled.node_arrays import Nodes
from treerules.growing.compiled.node_search import Loop
from treerules.growing.compiled.scoring import Scoring, Stopping
from treerules.growing.encoding import is_cut_in_order
from treerules.growing.principal_axis import MOST_AXES
from treerules.growing.problem import Problem
from treerules.growing.reference.leaves import UNBOUNDED
from treerules.growing.reference.scoring import MANY_VALUES
from treerules.recipes.recipe import Recipe

#: The first size of the pool of sides.
_POOL = 1 << 12


def scoring_of(problem: Problem, recipe: Recipe, columns: KernelColumns) -> tuple[Scoring, Stopping]:
    """Return the scoring parameters and the stopping rules of a recipe, in the units of the kernels."""
    is_regression, exact = problem.weighing is None, problem.exact
    criterion = recipe.scoring_of(is_regression)
    code = general_kernel_of(criterion)
    assert code is not None
    names = [column.feature.name for column in problem.columns]
    costs, directions = dict(recipe.feature_cost), dict(recipe.monotone)
    divisors = np.array([float(costs.get(name, 1.0)) for name in names]) if costs else np.ones(len(names))
    signs = np.array([directions.get(name, 0) for name in names] if directions else [0] * len(names), dtype=np.int64)
    weights = problem.weights if exact is None or exact.weights is None else exact.weights.astype(np.float64)
    is_whole = exact is not None if is_regression else are_whole(weights)
    is_plain = problem.weighing is not None and problem.weighing.is_plain
    has_terms = code == ENTROPY_KERNEL and weights is None and is_plain
    scoring = Scoring(
        criterion=code,
        factors=np.ones(1) if problem.weighing is None else np.array(problem.weighing.altered, dtype=np.float64),
        n_sums=2 if is_regression else len(problem.schema.classes),
        n_weights=1 if is_regression else len(problem.schema.classes),
        least=float(recipe.least),
        has_missing=any(column.n_missing for column in problem.columns),
        is_learned=recipe.missing == "learned",
        has_divisor=criterion.divisor is not None,
        weights=np.ones(1) if weights is None else weights,
        has_weights=weights is not None,
        counts_rows=weights is None or problem.counts_rows,
        is_plain=weights is None and is_plain and not recipe.quinlan,
        terms=_terms(len(problem.target)) if has_terms else np.zeros(1),
        has_terms=has_terms,
        is_rounded=not is_whole,
        values=_values_of(problem),
        most_added=_most_added(problem, weights),
        scale=np.array([0.0, 1.0, -np.inf, np.inf]),
        costs=divisors,
        has_costs=bool(costs) and bool((divisors != 1).any()),
        least_cost=float(divisors.min(initial=1.0)) if costs else 1.0,
        directions=signs,
        has_directions=bool(directions) and bool(signs.any()),
        is_published=recipe.quinlan,
        cut_values=_cut_values(problem, columns, recipe),
        label_factors=np.ones(2) if problem.weighing is None else np.array(problem.weighing.factors, dtype=np.float64),
    )
    unit = log(2) if recipe.base == "e" and code == ENTROPY_KERNEL else 1.0
    has_whole_classes = code == GINI_KERNEL and is_plain and is_whole
    stopping = Stopping(
        max_depth=-1 if recipe.max_depth is None else recipe.max_depth,
        min_samples_split=float(recipe.least_to_split),
        min_gain=recipe.min_gain / (1.0 if scoring.has_divisor else unit),
        min_impurity=recipe.min_impurity / unit,
        has_average=recipe.average_gain,
        is_averaged=_is_averaged(problem, recipe),
        is_cut=np.array([recipe.quinlan and is_cut_in_order(column.feature, recipe) for column in problem.columns]),
        has_exact_nodes=code == GINI_KERNEL and is_plain and not is_whole,
        is_exact=has_whole_classes or (is_regression and exact is not None),
        unit=1.0 if exact is None else float(exact.unit),
    )
    return scoring, stopping


def _most_added(problem: Problem, weights: Any) -> float:
    """Return the greatest weight of a row, times the greatest factor of a class."""
    factor = 1.0 if problem.weighing is None else max(problem.weighing.altered)
    return float(factor) * (1.0 if weights is None else float(weights.max()))


def _terms(n: int) -> Any:
    """Return c log2 c for each c from 0 to n."""
    counts = np.arange(n + 1.0)
    return counts * np.log2(np.maximum(counts, 1.0))


def _is_averaged(problem: Problem, recipe: Recipe) -> Any:
    """Return whether the gain of each feature counts in the average gain.

    In C4.5 as published features of many categories do not, unless all have many.
    """
    if not recipe.quinlan:
        return np.ones(len(problem.columns), dtype=bool)
    most = MANY_VALUES * problem.size
    few = [
        is_cut_in_order(column.feature, recipe) or len(column.feature.categories) < most for column in problem.columns
    ]
    return np.array(few) | (not any(few))


def _cut_values(problem: Problem, columns: KernelColumns, recipe: Recipe) -> Any:
    """Return the values of each list by row, for C4.5 as published; one entry for others, which do not need them."""
    n = len(problem.target)
    if not recipe.quinlan:
        return np.zeros((1, 1))
    values = np.zeros((len(columns.lists.entries), n))
    for feature, line in enumerate(columns.storage.tolist()):
        data = problem.columns[feature].data
        if line >= 0:
            values[line] = data if data.dtype.kind == "f" else np.unique(data, return_inverse=True)[1]
    return values


def _values_of(problem: Problem) -> Any:
    """Return the target of a regression as doubles: whole multiples of its unit where it has one."""
    if problem.weighing is not None:
        return np.zeros(1)
    return problem.target if problem.exact is None else problem.exact.multiples.astype(np.float64)


def code_arrays_of(most: int, n_sums: int) -> CodeArrays:
    """Return the work arrays of the search of one coded feature.

    Args:
        most: The greatest number of codes.
        n_sums: The number of statistics of a group.
    """
    present, group_of, stamp, order = np.zeros((4, most + 1), dtype=np.int64)
    groups = np.zeros((most + 1, n_sums + 1))
    weighted, deviations = (np.zeros((most + 1, n_sums)) for _ in range(2))
    shares, sizes = (np.zeros(most + 1) for _ in range(2))
    matrix, vectors = (np.zeros((MOST_AXES, MOST_AXES)) for _ in range(2))
    axis = np.zeros(n_sums)
    return CodeArrays(
        groups, present, group_of, stamp, shares, order, weighted, sizes, deviations, matrix, vectors, axis
    )


def byte_tables_of(codes: Codes, n_rows: int, n_sums: int) -> ByteTables:
    """Return the tables of the codes that are bytes.

    Args:
        codes: The coded columns.
        n_rows: The number of rows.
        n_sums: The number of statistics of a group.
    """
    n_columns = codes.of_bytes.shape[1]
    cells = int(codes.offsets[-1]) * (n_sums + 1)
    n_kept = min(n_rows.bit_length() + 2, max(0, MOST_CELLS // cells - SPARE_TABLES)) if n_columns else 0
    return ByteTables(
        tables=np.zeros((n_kept + SPARE_TABLES, int(codes.offsets[-1]), n_sums + 1)),
        is_kept=np.zeros(n_kept + SPARE_TABLES, dtype=np.uint8),
        present_bits=np.zeros((n_columns, WORDS), dtype=np.uint64),
        active=np.zeros(n_columns + 1, dtype=np.int64),
        is_active=np.zeros(n_columns, dtype=np.uint8),
    )


def search_of(n_rows: int, n_features: int, most: int, n_sums: int) -> Search:
    """Return the work arrays of the search of a node."""
    length = GROUPS + 2 * n_sums
    statistics = np.zeros((7, n_sums + 1))
    return Search(
        np.zeros(N_STATES),
        np.zeros((MOST_KEPT + 1, length)),
        np.zeros(length),
        np.zeros((n_features, length)),
        np.zeros((2 * MOST_KEPT + n_features + 1, most), dtype=np.int32),
        np.zeros(n_features),
        np.empty(n_rows),
        np.empty(n_rows),
        np.empty(max(n_rows, 4 * n_sums), dtype=np.int64),
        *statistics,
    )


def nodes_of(n_rows: int, n_columns: int, has_bounds: bool) -> Nodes:
    """Return space for the nodes of any tree of this many rows; unused entries take no memory.

    Args:
        n_rows: The number of rows.
        n_columns: The number of columns of the statistics of nodes.
        has_bounds: Whether features are monotone.
    """
    n = 2 * n_rows + 1
    names = [name for name in Nodes._fields if name not in ("kind", "bounds", "statistics")]
    arrays = dict(zip(names, np.empty((len(names), n), dtype=np.int64), strict=True))
    bounds = np.full((n if has_bounds else 1, 2), UNBOUNDED)
    return Nodes(kind=np.empty(n, dtype=np.int8), bounds=bounds, statistics=np.empty((n, n_columns)), **arrays)


def loop_of(problem: Problem, recipe: Recipe, columns: KernelColumns, most: int) -> Loop:
    """Return the stack, the rows in their order, and work arrays of the loop."""
    n, n_features = len(problem.target), len(problem.columns)
    names = [column.feature.name for column in problem.columns] if recipe.prefer else []
    preferred = [names.index(name) for name in recipe.prefer if name in names]
    order = [*preferred, *(index for index in range(n_features) if index not in preferred)]
    # the largest child waits below the others, so nodes have at most half as many rows at each level of the stack
    height = min(n + 2, (n.bit_length() + 1) * (1 if recipe.is_binary else most) + 3)
    begin, position, last_value, is_open, child_of_code = np.zeros((5, most + 3), dtype=np.int64)
    return Loop(
        counters=np.zeros(7, dtype=np.int64),
        stack=np.zeros((height, 4), dtype=np.int64),
        varies=np.zeros((height, n_features), dtype=np.uint8),
        rows=np.arange(n, dtype=np.int32),
        target=_ranks(problem).astype(np.int32),
        child_of_row=np.zeros(n, dtype=np.uint8),
        child_of_many=np.zeros(1 if recipe.is_binary else n, dtype=np.int32),
        spare=np.empty(n, dtype=np.uint32),
        begin=begin,
        position=position,
        last_value=last_value,
        is_open=is_open,
        child_of_code=child_of_code,
        side_pool=np.zeros(_POOL + most, dtype=np.int32),
        order=np.array(order, dtype=np.int64),
        storage=columns.storage,
    )


def _ranks(problem: Problem) -> Any:
    """Return the class of each row, or the rank of its target among the distinct ones."""
    target = problem.target
    return target if problem.weighing is not None else np.append(0, np.cumsum(target[1:] != target[:-1]))
