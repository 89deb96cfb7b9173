"""The parameters and the work arrays of the kernels."""

from math import log

import numpy as np

from treerules.criteria.table import GINI_KERNEL, general_kernel_of
from treerules.data.sample_weights import are_whole
from treerules.growing.general.candidates import GROUPS, MOST_KEPT, Scoring, Search
from treerules.growing.general.code_counts import CodeArrays
from treerules.growing.general.columns import GeneralColumns
from treerules.growing.general.node_loop import Nodes
from treerules.growing.general.node_search import Loop, Stopping
from treerules.growing.principal_axis import MOST_AXES
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: The first size of the pool of sides.
_POOL = 1 << 12


def scoring_of(problem: Problem, recipe: Recipe) -> tuple[Scoring, Stopping]:
    """Return the scoring parameters and the stopping rules of a recipe, in the units of the kernels."""
    assert problem.weighing is not None
    criterion, n_classes = recipe.scoring_of(False), len(problem.schema.classes)
    code, weights = general_kernel_of(criterion), problem.weights
    assert code is not None
    scoring = Scoring(
        criterion=code,
        factors=np.array(problem.weighing.altered, dtype=np.float64),
        n_classes=n_classes,
        least=float(recipe.least),
        is_learned=recipe.missing == "learned",
        has_divisor=criterion.divisor is not None,
        weights=np.ones(1) if weights is None else weights,
        has_weights=weights is not None,
        counts_rows=weights is None or problem.counts_rows,
    )
    in_nats = recipe.base == "e" and code != GINI_KERNEL
    unit = log(2) if in_nats else 1.0
    stopping = Stopping(
        max_depth=-1 if recipe.max_depth is None else recipe.max_depth,
        min_samples_split=float(recipe.least_to_split),
        min_gain=recipe.min_gain / (1.0 if scoring.has_divisor else unit),
        min_impurity=recipe.min_impurity / unit,
        is_exact=code == GINI_KERNEL and problem.weighing.is_plain and are_whole(weights),
    )
    return scoring, stopping


def code_arrays_of(most: int, n_classes: int) -> CodeArrays:
    """Return the work arrays of the search of one coded feature; `most` is the greatest number of codes."""
    integers = (np.zeros(most + 1, dtype=np.int64) for _ in range(4))
    present, group_of, stamp, order = integers
    groups = np.zeros((most + 1, n_classes + 1))
    weighted, deviations = (np.zeros((most + 1, n_classes)) for _ in range(2))
    shares, sizes = (np.zeros(most + 1) for _ in range(2))
    matrix, vectors = (np.zeros((MOST_AXES, MOST_AXES)) for _ in range(2))
    axis = np.zeros(n_classes)
    return CodeArrays(
        groups, present, group_of, stamp, shares, order, weighted, sizes, deviations, matrix, vectors, axis
    )


def search_of(n_features: int, most: int, n_classes: int) -> Search:
    """Return the work arrays of the search of a node."""
    length = GROUPS + 2 * n_classes
    statistics = [np.zeros(n_classes + 1) for _ in range(7)]
    return Search(
        np.zeros(7),
        np.zeros((MOST_KEPT + 1, length)),
        np.zeros(length),
        np.zeros((n_features, length)),
        np.zeros((2 * MOST_KEPT + n_features, most), dtype=np.int32),
        np.zeros(n_features),
        *statistics,
    )


def nodes_of(n_rows: int, n_classes: int) -> Nodes:
    """Return space for the nodes of any tree of this many rows; unused entries take no memory."""
    n = 2 * n_rows + 1
    feature, low, high, missing, largest, first, n_children, category, sides = np.zeros((9, n), dtype=np.int64)
    kind, statistics = np.zeros(n, dtype=np.int8), np.zeros((n, n_classes))
    return Nodes(kind, feature, low, high, missing, largest, first, n_children, category, sides, statistics)


def loop_of(problem: Problem, recipe: Recipe, columns: GeneralColumns, most: int) -> Loop:
    """Return the stack, the rows in their order, and work arrays of the loop."""
    n, n_features = len(problem.target), len(problem.columns)
    names = [column.feature.name for column in problem.columns]
    preferred = [names.index(name) for name in recipe.prefer if name in names]
    order = [*preferred, *(index for index in range(n_features) if index not in preferred)]
    begin, position, last_value, is_open, child_of_code = (np.zeros(most + 3, dtype=np.int64) for _ in range(5))
    return Loop(
        counters=np.zeros(5, dtype=np.int64),
        stack=np.zeros((n + 2, 4), dtype=np.int64),
        varies=np.zeros((n + 2, n_features), dtype=np.uint8),
        rows=np.arange(n, dtype=np.int32),
        target=problem.target.astype(np.int32),
        child_of_row=np.zeros(n, dtype=np.int32),
        spare=np.zeros(n, dtype=np.int64),
        begin=begin,
        position=position,
        last_value=last_value,
        is_open=is_open,
        child_of_code=child_of_code,
        side_pool=np.zeros(_POOL + most, dtype=np.int32),
        order=np.array(order, dtype=np.int64),
        storage=columns.storage,
    )
