"""What splits are scored by: the moments of groups of rows, as arrays, and how much a division gains.

A group's moments are its case weight n and its sums: the case weight of each class, or of a regression the weighted
sum of the centred target. The arrays of one group have one shape; cells are alternatives (cuts of features, sides).
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules.criteria import Base, Criterion
from treerules.growing.encoding import Encoded
from treerules.recipes.recipe import Recipe


@frozen(eq=False)
class Moments:
    """The case weight and the sums of groups, cell by cell; n may have one line for all lines of the sums."""

    n: Any
    sums: tuple[Any, ...]

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(self.n + other.n, tuple(a + b for a, b in zip(self.sums, other.sums, strict=True)))

    def __sub__(self, other: "Moments") -> "Moments":
        return Moments(self.n - other.n, tuple(a - b for a, b in zip(self.sums, other.sums, strict=True)))

    def __getitem__(self, cells: Any) -> "Moments":
        return Moments(self.n[cells], tuple(each[cells] for each in self.sums))

    @property
    def at(self) -> tuple[float, tuple[float, ...]]:
        """The moments of the only cell as Python numbers."""
        return self.n.item(), tuple(each.item() for each in self.sums)


@frozen(eq=False)
class Scale:
    """How a node's moments are scored: by a criterion, with the factor of each class that is there."""

    criterion: Criterion
    base: Base
    is_regression: bool
    #: of the classes in the node; None where all are 1
    factors: tuple[float, ...] | None

    def purity(self, group: Moments) -> Any:
        """Return n times what each group takes away from the impurity: larger is purer; 0 of an empty group."""
        assert self.criterion.purity is not None
        if self.factors is None:
            return self.criterion.purity(group.sums, group.n)
        sums = self._weighed(group)
        return self.criterion.purity(sums, _total(sums))

    def _weighed(self, group: Moments) -> tuple[Any, ...]:
        if self.factors is None:
            return group.sums
        return tuple(each * factor for each, factor in zip(group.sums, self.factors, strict=True))

    def gain(self, children: Sequence[Moments], node: Moments, fits: Any = True) -> Any:
        """Return n times the gain of splits of a node; `children` are all sides of them. Where they do not fit it may
        be anything.
        """
        if self.criterion.purity is None:
            return self._scores(children, fits)
        return _total(self.purity(child) for child in children) - self.purity(node)

    def _scores(self, children: Sequence[Moments], fits: Any) -> Any:
        """Return n times the score, split by split, of a criterion that is no difference of impurities."""
        n = _total(child.n for child in children)
        sums = [self._weighed(child) for child in children]
        shape = np.broadcast_shapes(*(each.shape for child in sums for each in child), n.shape, np.shape(fits))
        cells = np.broadcast_to(fits, shape)
        counts = np.array([[np.broadcast_to(each, shape)[cells] for each in child] for child in sums])
        found = np.zeros(shape)
        if counts.size:
            found[cells] = self.criterion.scores_of(counts, self.base) * np.broadcast_to(n, shape)[cells]
        return found

    def gains(
        self, left: Moments, known: Moments, missing: Moments | None, policy: str, least: Any, fits: Any = True
    ) -> Any:
        """Return n times the gain of divisions in two of the known rows, -inf where one does not fit, or a child would
        be too small.

        `missing` is None where there is none; else the policy says what becomes of those rows.
        """
        right = known - left
        if missing is None or policy not in ("learned", "branch"):
            fits = fits & ((left.n >= least) & (right.n >= least))
            return np.where(fits, self.gain((left, right), known, fits), -np.inf)
        node = known + missing
        if policy == "branch":
            fits = fits & (left.n >= least) & (right.n >= least)
            return np.where(fits, self.gain((left, right, missing), node, fits), -np.inf)
        first, second = left + missing, right + missing
        fits_first = fits & (first.n >= least) & (right.n >= least)
        fits_second = fits & (left.n >= least) & (second.n >= least)
        one = np.where(fits_first, self.gain((first, right), node, fits_first), -np.inf)
        two = np.where(fits_second, self.gain((left, second), node, fits_second), -np.inf)
        return np.maximum(one, two)

    def gain_of_each(self, groups: Moments, missing: Moments | None, policy: str) -> Any:
        """Return n times the gain of a child for each group, as an array of one."""
        known = Moments(groups.n.sum(keepdims=True), tuple(each.sum(keepdims=True) for each in groups.sums))
        if self.criterion.purity is None:
            return self._score_of_each(groups, known, missing, policy)
        alone = self.purity(groups)
        if missing is None or policy not in ("learned", "branch"):
            return alone.sum(keepdims=True) - self.purity(known)
        if policy == "branch":
            return alone.sum(keepdims=True) + self.purity(missing) - self.purity(known + missing)
        best = (alone.sum() - alone + self.purity(groups + missing)).max(keepdims=True)
        return best - self.purity(known + missing)

    def _score_of_each(self, groups: Moments, known: Moments, missing: Moments | None, policy: str) -> Any:
        children = [groups[place : place + 1] for place in range(len(groups.n))]
        if missing is None or policy not in ("learned", "branch"):
            return self.gain(children, known)
        if policy == "branch":
            return self.gain([*children, missing], known + missing)
        filled = (
            [child + missing if place == to else child for place, child in enumerate(children)]
            for to in range(len(children))
        )
        return reduce(np.maximum, [self.gain(each, known + missing) for each in filled])


def scale_of(data: Encoded, recipe: Recipe, classes: Any) -> Scale:
    """Return how the moments of a node are scored that holds these classes."""
    plain = data.weighing is None or data.weighing.is_plain
    factors = None if plain or data.weighing is None else tuple(data.weighing.altered[c] for c in classes.tolist())
    return Scale(recipe.scoring_of(data.is_regression), cast(Base, recipe.base), data.is_regression, factors)


def _total(arrays: Iterable[Any]) -> Any:
    return reduce(np.add, arrays)


def gathered(data: Encoded, target: Any, codes: Any, weights: Any, width: int, k: int) -> Moments:
    """Return the moments of the rows of each code, a line for each line of `codes`, which hold 0 to width - 1.

    Codes of later lines go on counting: line i begins at i times width. `target` is a node's own (`Bag.target`), of k
    classes.
    """
    shape = (len(codes), width)
    length = len(codes) * width
    weighed = None if weights is None else np.broadcast_to(weights, codes.shape).ravel()
    if data.is_regression:
        flat = codes.ravel()
        n = np.bincount(flat, weights=weighed, minlength=length).astype(np.float64)
        products = np.broadcast_to(target if weights is None else target * weights, codes.shape).ravel()
        return Moments(n.reshape(shape), (np.bincount(flat, weights=products, minlength=length).reshape(shape),))
    pairs = (codes * np.int64(k) + target).ravel()
    table = np.bincount(pairs, weights=weighed, minlength=length * k).astype(np.float64)
    sums = tuple(np.ascontiguousarray(each) for each in np.moveaxis(table.reshape(*shape, k), 2, 0))
    return Moments(_total(sums), sums)


def running(data: Encoded, target: Any, weights: Any, k: int) -> Moments:
    """Return the moments of the first rows of each line, one more with each cell; lines are rows of `target`."""
    if data.is_regression:
        if weights is None:
            return Moments(np.arange(1.0, target.shape[1] + 1)[None], (np.cumsum(target, axis=1),))
        return Moments(np.cumsum(weights, axis=1), (np.cumsum(target * weights, axis=1),))
    if weights is not None:
        sums = [np.cumsum(np.where(target == place, weights, 0.0), axis=1) for place in range(k)]
        return Moments(_total(sums), tuple(sums))
    n = np.arange(1.0, target.shape[1] + 1)[None]  # one line for all
    if k == 1:
        return Moments(n, (np.broadcast_to(n, target.shape),))
    later = [np.cumsum((target == place).astype(np.float64), axis=1) for place in range(1, k)]
    return Moments(n, (n - _total(later), *later))
