"""A learning problem as arrays of small integers, made once: every split of every node is searched in these."""

from typing import Any

import numpy as np
from attrs import frozen

from treerules.data.schema import Feature, Kind, at_ordinate
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe
from treerules.trees.class_weighting import Weighing

#: A column of at most so many values (a byte, with a missing one) is counted by value in every node; others are sorted
#: once.
FEW_VALUES = 255
#: Values so little above a midpoint count as below it (J48).
_NEARLY = 1e-6
#: So many cells of a block of such columns may be empty.
_EMPTY = 1024


@frozen(eq=False)
class Encoded:
    """Rows by number, in the order of the target. Features are counted as in the schema.

    A cut feature has the rank of each value as its code, others the position of the category; a missing value has the
    code after the last, `n_codes`. `presorted` holds, for each feature of many values, the rows by code and then by
    target; `sorted` and `tabulated` are the features of many and of few values.
    """

    n_classes: int
    #: class positions, or the target of a regression times 2**-exponent
    target: Any
    #: 0, unless differences of the target would overflow
    exponent: int
    #: the case weight of each row; None where all are 1
    weights: Any
    #: how classes weigh; None of a regression
    weighing: Weighing | None
    codes: Any
    n_codes: Any
    #: whether a feature is cut in its order, and the distinct values of such a one
    is_cut: tuple[bool, ...]
    values: tuple[Any, ...]
    #: what the gains of each feature are divided by; None where nothing is
    costs: Any
    sorted: Any
    presorted: Any
    #: the codes of those features, a line each, and where each line begins
    sorted_codes: Any
    offsets: Any
    tabulated: tuple["Block", ...]

    @property
    def is_regression(self) -> bool:
        """Whether the target is a number."""
        return self.n_classes == 0


@frozen(eq=False)
class Block:
    """Features of few values that are counted together: their codes lie between 0 and `width` - 1, missing ones too."""

    features: Any
    width: int
    #: the codes of the features, a row each, plus `width` times the number of the row
    codes: Any
    n_codes: Any
    #: whether each is cut in its order
    is_cut: Any


def encoded(problem: Problem, recipe: Recipe) -> Encoded:
    """Return the arrays of a problem; the recipe decides what is cut in its order."""
    schema, n = problem.schema, len(problem.target)
    is_cut = [is_cut_in_order(feature, recipe) for feature in schema.features]
    codes, values = np.empty((len(is_cut), n), dtype=np.int32), []
    for index, column in enumerate(problem.columns):
        if is_cut[index]:
            codes[index], distinct = _ranks(column.data, column.missing)
        else:
            distinct = np.arange(len(column.feature.categories))
            codes[index] = np.where(column.missing, len(distinct), column.data)
        values.append(distinct)
    n_codes = np.array([len(distinct) for distinct in values], dtype=np.int64)
    many = [index for index, cuts in enumerate(is_cut) if cuts and n_codes[index] > FEW_VALUES]
    presorted = np.empty((len(many), n), dtype=np.int32)
    for row, index in enumerate(many):
        presorted[row] = _stable_order(codes[index], int(n_codes[index]))
    target, exponent = (
        _scaled(problem.target) if schema.is_regression else (problem.target.astype(_smallest(len(schema.classes))), 0)
    )
    return Encoded(
        n_classes=len(schema.classes),
        target=target,
        exponent=exponent,
        weights=problem.weights,
        weighing=problem.weighing,
        codes=codes,
        n_codes=n_codes,
        is_cut=tuple(is_cut),
        values=tuple(values),
        costs=_costs(problem, recipe),
        sorted=np.array(many, dtype=np.int64),
        presorted=presorted,
        sorted_codes=codes[many],
        offsets=(np.arange(len(many)) * n)[:, None],
        tabulated=tuple(_blocks(codes, n_codes, is_cut, [i for i in range(len(is_cut)) if i not in many])),
    )


def _costs(problem: Problem, recipe: Recipe) -> Any:
    if not recipe.feature_cost:
        return None
    by_name = dict(recipe.feature_cost)
    return np.array([float(by_name.get(feature.name, 1.0)) for feature in problem.schema.features])


def is_cut_in_order(feature: Feature, recipe: Recipe) -> bool:
    """Return whether a feature is cut in its order, not divided by categories."""
    if feature.kind is Kind.BOOLEAN:
        return recipe.is_binary
    return feature.is_ordered or (feature.kind is Kind.ORDINAL and recipe.thresholds)


def _blocks(codes: Any, n_codes: Any, is_cut: list[bool], features: list[int]) -> list[Block]:
    """Return the features of few values in few blocks, of which at most half is empty, or little."""
    groups: list[list[int]] = []
    filled = 0
    for index in sorted(features, key=lambda index: (n_codes[index], index)):
        width = int(n_codes[index]) + 1
        if not groups or (len(groups[-1]) + 1) * width > 2 * (filled + width) + _EMPTY:
            groups.append([])
            filled = 0
        groups[-1].append(index)
        filled += width
    blocks = []
    for group in groups:
        members = np.array(sorted(group))
        width = int(n_codes[members].max()) + 1
        offsets = (np.arange(len(members)) * width)[:, None]
        shifted = (codes[members] + offsets).astype(np.int32)
        blocks.append(Block(members, width, shifted, n_codes[members], np.array(is_cut)[members]))
    return blocks


def _smallest(n_classes: int) -> Any:
    return np.int8 if n_classes <= 127 else np.int32


def _ranks(data: Any, missing: Any) -> tuple[Any, Any]:
    values, codes = np.unique(data[~missing], return_inverse=True)
    ranks = np.full(len(data), len(values), dtype=np.int32)
    ranks[~missing] = codes
    return ranks, values


def _stable_order(codes: Any, n_values: int) -> Any:
    """Return the rows by code, equal codes as they stand; numpy sorts 16 bits in linear time."""
    if n_values == len(codes):  # a permutation: invert it
        order = np.empty(len(codes), dtype=np.int32)
        order[codes] = np.arange(len(codes), dtype=np.int32)
        return order
    return np.argsort(codes.astype(np.uint16) if n_values < 1 << 16 else codes, kind="stable")


def _scaled(target: Any) -> tuple[Any, int]:
    """Return the target, divided by 16 where the difference of two values could overflow."""
    exponent = 4 if np.abs(target).max() > 2.0**1020 else 0
    return np.ldexp(target, -exponent), exponent


def threshold_between(feature: Feature, values: Any, low: int, high: int, *, at_data: bool = False) -> Any:
    """Return where a feature is cut between two codes a < b that are neighbours in a node: a <= threshold < b, always.

    The midpoint, for integers, dates and positions the floor of it; a itself where no float lies between, the
    midpoint overflows, or a or b is infinite. `at_data`: the greatest of all `values` that is not above it (C4.5).
    """
    a, b = values[low].item(), values[high].item()
    if feature.kind is not Kind.NUMBER:
        middle: Any = a + (b - a) // 2
    else:
        middle = (a + b) / 2
        middle = middle if a <= middle < b and middle not in (float("-inf"), float("inf")) else a
    if at_data:
        is_whole = isinstance(middle, int)  # large integers would lose their ones
        end = np.searchsorted(values, middle if is_whole else middle + _NEARLY, side="right" if is_whole else "left")
        middle = values[min(max(int(end), low + 1), high) - 1].item()
    return at_ordinate(feature.scalar, middle) if feature.is_ordered else middle
