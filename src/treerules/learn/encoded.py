"""A learning problem as arrays of small integers, made once: every split of every node is searched in these."""

from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from treerules.learn.problem import Problem
from treerules.learn.recipe import Recipe
from treerules.schema import Feature, Kind, at_ordinate


@frozen(eq=False)
class Encoded:
    """Rows by number, in the order of the target. `cut` and `grouped` are the places of the features in the schema.

    Cut features have the rank of each value as its code, missing values the rank after the last; grouped ones have
    the position of the category, -1 when missing. `presorted` holds, for each cut feature, the rows by code and then
    by target.
    """

    n_classes: int
    #: class positions, or the target of a regression times 2**-exponent
    target: Any
    #: 0, unless differences of the target would overflow
    exponent: int
    cut: Any
    cut_codes: Any
    presorted: Any
    n_values: Any
    values: tuple[Any, ...]
    grouped: tuple[int, ...]
    group_codes: Any

    @cached_property
    def offsets(self) -> Any:
        """Where the codes of each cut feature begin, a row each."""
        return (np.arange(len(self.cut)) * len(self.target))[:, None]

    @property
    def is_regression(self) -> bool:
        """Whether the target is a number."""
        return self.n_classes == 0


def encoded(problem: Problem, recipe: Recipe) -> Encoded:
    """Return the arrays of a problem; the recipe decides whether ordinals are cut or grouped."""
    schema, n = problem.schema, len(problem.target)
    is_cut = [f.is_ordered or (f.kind is Kind.ORDINAL and recipe.thresholds) for f in schema.features]
    cut = [index for index, cuts in enumerate(is_cut) if cuts]
    grouped = tuple(index for index, cuts in enumerate(is_cut) if not cuts)
    codes, presorted = np.empty((len(cut), n), dtype=np.int32), np.empty((len(cut), n), dtype=np.int32)
    values = []
    for row, index in enumerate(cut):
        codes[row], distinct = _ranks(problem.columns[index].data, problem.columns[index].missing)
        presorted[row] = _stable_order(codes[row], len(distinct))
        values.append(distinct)
    target, exponent = (
        _scaled(problem.target) if schema.is_regression else (problem.target.astype(_smallest(len(schema.classes))), 0)
    )
    return Encoded(
        n_classes=len(schema.classes),
        target=target,
        exponent=exponent,
        cut=np.array(cut, dtype=np.int64),
        cut_codes=codes,
        presorted=presorted,
        n_values=np.array([len(distinct) for distinct in values], dtype=np.int64),
        values=tuple(values),
        grouped=grouped,
        group_codes=np.array([problem.columns[index].data for index in grouped], dtype=np.int32).reshape(-1, n),
    )


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


def threshold_between(feature: Feature, values: Any, low: int, high: int) -> Any:
    """Return where a feature is cut between two neighbouring codes a < b: a <= threshold < b, always.

    The midpoint, for integers, dates and positions the floor of it; a itself where no float lies between, the
    midpoint overflows, or a or b is infinite.
    """
    a, b = values[low].item(), values[high].item()
    if feature.kind is not Kind.NUMBER:
        middle = a + (b - a) // 2
        return middle if feature.kind is Kind.ORDINAL else at_ordinate(feature.scalar, middle)
    middle = (a + b) / 2
    return middle if a <= middle < b and middle not in (float("-inf"), float("inf")) else a
