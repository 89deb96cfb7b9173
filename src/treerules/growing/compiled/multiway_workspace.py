"""The arguments of the multiway kernels: parameters, columns and work arrays."""

from math import log
from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.multiway_arrays import (
    MultiwayBuffers,
    MultiwayColumns,
    MultiwayParams,
)
from treerules.growing.problem import Problem
from treerules.growing.reference.scoring import BELOW_AVERAGE, MANY_VALUES
from treerules.recipes.recipe import Recipe

#: Nodes of at least this many rows are counted in one pass over all features.
_LEAST_LARGE = 16


def multiway_params(problem: Problem, recipe: Recipe) -> MultiwayParams:
    """Return the scoring parameters and the stopping rules, in the units of the kernels."""
    n_rows = len(problem.target)
    unit = log(2) if recipe.base == "e" else 1.0  # kernels count in bits
    by_ratio = recipe.scoring.divisor is not None
    x_log2_x = np.arange(n_rows + 1, dtype=np.float64)
    x_log2_x[1:] *= np.log2(x_log2_x[1:])
    logarithms = np.zeros(n_rows + 1, dtype=np.int64)
    add_logarithms(logarithms, np.random.default_rng(0).integers(-(1 << 63), (1 << 63) - 1, n_rows + 1))
    return MultiwayParams(
        by_ratio=by_ratio,
        averages=recipe.average_gain,
        quinlan=recipe.quinlan,
        below_average=BELOW_AVERAGE / unit if recipe.quinlan else 0.0,
        least=recipe.least,
        max_depth=-1 if recipe.max_depth is None else recipe.max_depth,
        min_samples_split=recipe.least_to_split,
        min_gain=recipe.min_gain if by_ratio else recipe.min_gain / unit,
        min_impurity=recipe.min_impurity / unit,
        many=_LEAST_LARGE,
        x_log2_x=x_log2_x,
        second_logarithms=logarithms * np.arange(n_rows + 1),
    )


@kernel
def add_logarithms(logarithms: Any, of_primes: Any) -> None:
    """Write a function with L(ab) = L(a) + L(b) into an array of zeros, from its values on the primes."""
    n = len(logarithms)
    for prime in range(2, n):
        if logarithms[prime] != 0:
            continue
        power = prime
        while power < n:
            for multiple in range(power, n, power):
                logarithms[multiple] += of_primes[prime]
            power *= prime


def multiway_columns(problem: Problem, recipe: Recipe) -> MultiwayColumns:
    """Return the features as cells."""
    n_codes = np.array([len(column.feature.categories) for column in problem.columns])
    ends = np.cumsum(n_codes + 1)
    begins = ends - n_codes - 1
    cells = np.empty((len(problem.target), len(n_codes)), dtype=np.uint16)
    for line, column in enumerate(problem.columns):
        codes = np.where(column.missing, n_codes[line], column.data) if column.n_missing else column.data
        np.add(codes, begins[line], out=cells[:, line], casting="unsafe")
    is_small = n_codes < MANY_VALUES * len(problem.target)
    return MultiwayColumns(cells, begins, ends - 1, is_small | (not recipe.quinlan or not is_small.any()))


def allocate_buffers(columns: MultiwayColumns, n_rows: int, n_classes: int) -> MultiwayBuffers:
    """Return the work arrays."""
    n_cells, n_features = int(columns.missing[-1]) + 1, len(columns.first_cell)
    return MultiwayBuffers(
        counts=np.zeros((n_classes, n_cells), dtype=np.int32),
        sizes=np.zeros(n_cells, dtype=np.int32),
        present=np.zeros(n_cells, dtype=np.int64),
        child_of_cell=np.zeros(n_cells, dtype=np.int64),
        child_starts=np.zeros(n_cells, dtype=np.int64),
        varying=np.zeros(n_features + 1, dtype=np.int64),
        gains=np.zeros(n_features),
        split_informations=np.zeros(n_features),
        known=np.zeros(n_features, dtype=np.int64),
        second_gains=np.zeros(n_features, dtype=np.int64),
        second_informations=np.zeros(n_features, dtype=np.int64),
        spare=np.empty(n_rows, dtype=np.int32),
    )
