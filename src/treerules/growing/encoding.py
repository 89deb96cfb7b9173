"""A learning problem as arrays of small integers, made once per tree: the search for splits works on these."""

from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.column import Column
from treerules.data.schema import Feature, Kind
from treerules.growing.exact_target import ExactTarget
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe
from treerules.trees.class_weighting import ClassWeighting

#: A feature of at most this many values (their codes and that of missing values fit into a byte) is counted by value
#: in every node; other features are sorted once.
FEW_VALUES = 255
#: A block of features of few values may have at least this many cells without a code.
_EMPTY_CELLS = 1024


@frozen(eq=False)
class EncodedProblem:
    """A problem in integer codes. Rows are numbered in the order of the target, features as in the schema.

    The code of a value is its rank among the feature's values, for a feature that is cut in its order, or the
    position of its category. Missing values have the code `n_codes`, after all others.
    """

    #: 0 for a regression
    n_classes: int
    #: class positions; of a regression the multiples of `exact`, or the target times 2**-exponent, shape (rows,)
    target: Any
    #: 0, unless differences of the target would overflow
    exponent: int
    #: the weight of each row, in the unit of weights where figures are exact, shape (rows,); None where all are 1
    weights: Any
    #: whether least numbers of rows count rows, and not weight
    counts_rows: bool
    #: class weights, priors and costs; None for a regression
    weighing: ClassWeighting | None
    #: int32, shape (features, rows)
    codes: Any
    #: the number of codes of each feature, without that of missing values
    n_codes: Any
    #: for each feature: whether it is cut in its order, and its distinct values, ascending (categories: positions)
    is_cut: tuple[bool, ...]
    values: tuple[Any, ...]
    #: the number by which the gains of each feature are divided; None where features have no costs
    costs: Any
    #: the indices of the features of many values, and their rows by code, then by target, shape (lines, rows)
    sorted_features: Any
    presorted: Any
    #: the codes of those features, shape (lines, rows), and the flat position of each line, shape (lines, 1)
    sorted_codes: Any
    offsets: Any
    #: the features of few values
    blocks: tuple["Block", ...]
    #: the target of a regression as whole numbers, from which figures are exact; None where it has no unit
    exact: ExactTarget | None = None

    @property
    def is_regression(self) -> bool:
        """Whether the target is a number."""
        return self.n_classes == 0


@frozen(eq=False)
class Block:
    """Features of few values that are counted together; all codes, missing values included, are below `width`."""

    #: feature indices, shape (lines,)
    features: Any
    width: int
    #: the codes of the features plus `width` times the line, int32, shape (lines, rows)
    codes: Any
    #: the number of codes of each feature, and whether it is cut in its order, shape (lines,)
    n_codes: Any
    is_cut: Any


def encode_problem(problem: Problem, recipe: Recipe) -> EncodedProblem:
    """Return a problem in integer codes; the recipe decides which features are cut in their order."""
    schema, n = problem.schema, len(problem.target)
    is_cut = [is_cut_in_order(feature, recipe) for feature in schema.features]
    codes, values = np.empty((len(is_cut), n), dtype=np.int32), []
    for index, column in enumerate(problem.columns):
        if is_cut[index]:
            codes[index], distinct = _ranks(column)
        else:
            distinct = np.arange(len(column.feature.categories))
            codes[index] = np.where(column.missing, len(distinct), column.data)
        values.append(distinct)
    n_codes = np.array([len(distinct) for distinct in values], dtype=np.int64)
    sorted_features = [index for index, cut in enumerate(is_cut) if cut and n_codes[index] > FEW_VALUES]
    presorted = np.empty((len(sorted_features), n), dtype=np.int32)
    for line, index in enumerate(sorted_features):
        presorted[line] = _order_with_missing(problem.columns[index])
    target, exponent, weights, exact = problem.target, 0, problem.weights, problem.exact
    if exact is not None:
        target, weights = exact.multiples, None if weights is None else exact.weights.astype(np.float64)
    elif schema.is_regression:
        target, exponent = _scaled_target(target)
    else:
        target = target.astype(np.int8 if len(schema.classes) <= 127 else np.int32)
    return EncodedProblem(
        n_classes=len(schema.classes),
        target=target,
        exponent=exponent,
        weights=weights,
        counts_rows=problem.counts_rows,
        weighing=problem.weighing,
        codes=codes,
        n_codes=n_codes,
        is_cut=tuple(is_cut),
        values=tuple(values),
        costs=_costs(problem, recipe),
        sorted_features=np.array(sorted_features, dtype=np.int64),
        presorted=presorted,
        sorted_codes=codes[sorted_features],
        offsets=(np.arange(len(sorted_features)) * n)[:, None],
        blocks=tuple(_blocks(codes, n_codes, is_cut, [i for i in range(len(is_cut)) if i not in sorted_features])),
        exact=exact,
    )


def _costs(problem: Problem, recipe: Recipe) -> Any:
    """Return the cost of each feature, shape (features,); None where features have no costs."""
    if not recipe.feature_cost:
        return None
    by_name = dict(recipe.feature_cost)
    return np.array([float(by_name.get(feature.name, 1.0)) for feature in problem.schema.features])


def is_cut_in_order(feature: Feature, recipe: Recipe) -> bool:
    """Return whether a feature is cut in its order, and not split by its categories."""
    if feature.kind is Kind.BOOLEAN:
        return recipe.is_binary
    return feature.is_ordered or (feature.kind is Kind.ORDINAL and recipe.has_cuts)


def _blocks(codes: Any, n_codes: Any, is_cut: list[bool], features: list[int]) -> list[Block]:
    """Return the features of few values in blocks whose cells are at most half empty, apart from `_EMPTY_CELLS`."""
    groups: list[list[int]] = []
    n_used = 0
    for index in sorted(features, key=lambda index: (n_codes[index], index)):
        width = int(n_codes[index]) + 1
        if not groups or (len(groups[-1]) + 1) * width > 2 * (n_used + width) + _EMPTY_CELLS:
            groups.append([])
            n_used = 0
        groups[-1].append(index)
        n_used += width
    blocks = []
    for group in groups:
        members = np.array(sorted(group))
        width = int(n_codes[members].max()) + 1
        offsets = (np.arange(len(members)) * width)[:, None]
        shifted = (codes[members] + offsets).astype(np.int32)
        blocks.append(Block(members, width, shifted, n_codes[members], np.array(is_cut)[members]))
    return blocks


def _ranks(column: Column) -> tuple[Any, Any]:
    """Return the rank of each value (missing values: the number of values), and the distinct values, ascending."""
    rows, is_new = column.order.rows, column.order.is_new
    distinct = column.data.take(rows[is_new])
    ranks = np.full(len(column.data), len(distinct), dtype=np.int32)
    ranks[rows] = np.cumsum(is_new) - 1
    return ranks, distinct


def _order_with_missing(column: Column) -> Any:
    """Return the rows in ascending order of their values, missing ones last, equal ones in their order."""
    rows = column.order.rows
    return np.concatenate([rows, np.flatnonzero(column.missing)]) if column.n_missing else rows


def _scaled_target(target: Any) -> tuple[Any, int]:
    """Return target times 2**-exponent and the exponent: 4 where differences of values could overflow, else 0."""
    exponent = 4 if np.abs(target).max() > 2.0**1020 else 0
    return np.ldexp(target, -exponent), exponent
