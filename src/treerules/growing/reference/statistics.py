"""Statistics of groups of a node's rows, as arrays, and the gain of a split computed from them.

The statistics of a group are its weight n (number of rows, or sum of their case weights) and its sums: the weight of
each class, or for a regression the weighted sum of the centred target. All arrays of one NodeStatistics have one
shape; each cell is one group, usually one alternative (a cut position, a category).
"""

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules.criteria import Base, Criterion
from treerules.growing.encoding import EncodedProblem
from treerules.recipes.recipe import Recipe


@frozen(eq=False)
class NodeStatistics:
    """The weight and the sums of groups, one group per cell.

    `n` may have one line that holds for all lines of the sums (broadcasting).
    """

    n: Any
    sums: tuple[Any, ...]
    #: the number of rows, where least numbers of rows count them; None where they count `n`
    rows: Any = None

    @property
    def size(self) -> Any:
        """What least numbers of rows count of each group."""
        return self.n if self.rows is None else self.rows

    def map(self, function: Callable[[Any], Any]) -> "NodeStatistics":
        """Return the statistics to which a function turns each array."""
        rows = None if self.rows is None else function(self.rows)
        return NodeStatistics(function(self.n), tuple(map(function, self.sums)), rows)

    def merge(self, function: Callable[[Any, Any], Any], other: "NodeStatistics") -> "NodeStatistics":
        """Return the statistics to which a function turns each array and that of `other`."""
        rows = None if self.rows is None else function(self.rows, other.rows)
        return NodeStatistics(function(self.n, other.n), tuple(map(function, self.sums, other.sums)), rows)

    def __add__(self, other: "NodeStatistics") -> "NodeStatistics":
        return self.merge(operator.add, other)

    def __sub__(self, other: "NodeStatistics") -> "NodeStatistics":
        return self.merge(operator.sub, other)

    def __getitem__(self, cells: Any) -> "NodeStatistics":
        return self.map(operator.itemgetter(cells))

    @property
    def total(self) -> "NodeStatistics":
        """The statistics of all groups together, shape (1,)."""
        return self.map(operator.methodcaller("sum", keepdims=True))

    @property
    def as_numbers(self) -> tuple[float, tuple[float, ...]]:
        """The statistics of the only cell as Python numbers: (n, sums)."""
        return self.n.item(), tuple(np.asarray(values).item() for values in self.sums)


@frozen(eq=False)
class NodeScorer:
    """The criterion of a node with the factor of each class that occurs in the node."""

    criterion: Criterion
    base: Base
    is_regression: bool
    #: the factor of each class in the node (altered priors); None where all factors are 1
    factors: tuple[float, ...] | None

    def score_term(self, group: NodeStatistics) -> Any:
        """Return n * (maximum - impurity) of each group, up to a constant of the criterion; 0 for an empty group.

        Larger values are purer groups. The terms of the children minus the term of the node are n times the gain.
        """
        assert self.criterion.purity is not None
        if self.factors is None:
            sums = group.sums if group.sums[0].dtype != object else tuple(s.astype(np.float64) for s in group.sums)
            return self.criterion.purity(sums, group.n)
        sums = self._weighted_sums(group)
        return self.criterion.purity(sums, _total(sums))

    def _weighted_sums(self, group: NodeStatistics) -> tuple[Any, ...]:
        """Return the sums of each group, multiplied by the class factors."""
        if self.factors is None:
            return group.sums
        return tuple(values * factor for values, factor in zip(group.sums, self.factors, strict=True))

    def gain(self, children: Sequence[NodeStatistics], node: NodeStatistics, fits: Any = True) -> Any:
        """Return n times the gain of splits of a node.

        `children` are the statistics of all branches of the splits, `node` those of the node. Where `fits` is false
        the value has no meaning.
        """
        if self.criterion.purity is None:
            return self._scaled_scores(children, fits)
        return _total(self.score_term(child) for child in children) - self.score_term(node)

    def _scaled_scores(self, children: Sequence[NodeStatistics], fits: Any) -> Any:
        """Return n times the score of splits for a criterion that is not a decrease of impurity."""
        sums = [self._weighted_sums(child) for child in children]
        n = _total(map(_total, sums))
        shape = np.broadcast_shapes(*(values.shape for child in sums for values in child), n.shape, np.shape(fits))
        selected = np.broadcast_to(fits, shape)
        counts = np.array([[np.broadcast_to(values, shape)[selected] for values in child] for child in sums])
        scores = np.zeros(shape)
        if counts.size:
            scores[selected] = self.criterion.scores_of(counts, self.base) * np.broadcast_to(n, shape)[selected]
        return scores

    def binary_gains(
        self,
        left: NodeStatistics,
        known: NodeStatistics,
        missing: NodeStatistics | None,
        policy: str,
        least: Any,
        fits: Any = True,
    ) -> Any:
        """Return n times the gain of binary splits of the rows whose value is known.

        The value is -inf where `fits` is false or a child would be smaller than `least`. `missing` holds the
        statistics of the rows whose value is missing (None: there are none); `policy` is `Recipe.missing`, which
        says where those rows go. Under "learned" the better of the two children takes them.
        """
        right = known - left
        if missing is None or policy not in ("learned", "branch"):
            fits = fits & ((left.size >= least) & (right.size >= least))
            return np.where(fits, self.gain((left, right), known, fits), -np.inf)
        node = known + missing
        if policy == "branch":
            fits = fits & (left.size >= least) & (right.size >= least)
            return np.where(fits, self.gain((left, right, missing), node, fits), -np.inf)
        left_filled, right_filled = left + missing, right + missing
        fits_left = fits & (left_filled.size >= least) & (right.size >= least)
        fits_right = fits & (left.size >= least) & (right_filled.size >= least)
        gains_left = np.where(fits_left, self.gain((left_filled, right), node, fits_left), -np.inf)
        gains_right = np.where(fits_right, self.gain((left, right_filled), node, fits_right), -np.inf)
        return np.maximum(gains_left, gains_right)

    def multiway_gain(
        self, groups: NodeStatistics, missing: NodeStatistics | None, policy: str, takes_missing: Any
    ) -> Any:
        """Return n times the gain of a split with one child per group, as an array of shape (1,).

        `takes_missing` says of each child whether the missing values may go there, if `policy` is "learned".
        """
        known = groups.total
        if self.criterion.purity is None:
            return self._multiway_score(groups, known, missing, policy, takes_missing)
        terms = self.score_term(groups)
        if missing is None or policy not in ("learned", "branch"):
            return terms.sum(keepdims=True) - self.score_term(known)
        if policy == "branch":
            return terms.sum(keepdims=True) + self.score_term(missing) - self.score_term(known + missing)
        totals = terms.sum() - terms + self.score_term(groups + missing)
        best_total = totals[takes_missing].max(keepdims=True)
        return best_total - self.score_term(known + missing)

    def _multiway_score(
        self,
        groups: NodeStatistics,
        known: NodeStatistics,
        missing: NodeStatistics | None,
        policy: str,
        takes_missing: Any,
    ) -> Any:
        """Return n times the score of a split with one child per group, for a criterion without score terms."""
        children = [groups[index : index + 1] for index in range(len(groups.n))]
        if missing is None or policy not in ("learned", "branch"):
            return self.gain(children, known)
        if policy == "branch":
            return self.gain([*children, missing], known + missing)
        filled = (
            [child + missing if index == target else child for index, child in enumerate(children)]
            for target in np.flatnonzero(takes_missing).tolist()
        )
        return reduce(np.maximum, [self.gain(variant, known + missing) for variant in filled])


def node_scorer(data: EncodedProblem, recipe: Recipe, classes: Any) -> NodeScorer:
    """Return the scorer of a node; `classes` are the positions of the classes that occur in it."""
    plain = data.weighing is None or data.weighing.is_plain
    factors = None if plain or data.weighing is None else tuple(data.weighing.altered[c] for c in classes.tolist())
    return NodeScorer(recipe.scoring_of(data.is_regression), cast(Base, recipe.base), data.is_regression, factors)


def _total(arrays: Iterable[Any]) -> Any:
    """Return the elementwise sum of arrays."""
    return reduce(np.add, arrays)


def group_statistics(
    data: EncodedProblem, target: Any, codes: Any, weights: Any, shares: Any, width: int, n_classes: int
) -> NodeStatistics:
    """Return the statistics of the rows of each code, one line per line of `codes`.

    `codes` has shape (lines, rows). Line i holds codes from i * width to (i + 1) * width - 1. `target` has shape
    (rows,) and is the node's own (`NodeData.target`). The result has shape (lines, width).
    """
    shape = (len(codes), width)
    length = len(codes) * width
    rows = None
    if shares is not None:
        flat_shares = np.broadcast_to(shares, codes.shape).ravel()
        rows = np.bincount(codes.ravel(), weights=flat_shares, minlength=length).reshape(shape)
    flat_weights = None if weights is None else np.broadcast_to(weights, codes.shape).ravel()
    if data.is_regression:
        flat = codes.ravel()
        n = np.bincount(flat, weights=flat_weights, minlength=length).astype(np.float64)
        products = np.broadcast_to(_products(target, weights), codes.shape).ravel()
        if products.dtype == object:
            sum_of_targets = np.zeros(length, dtype=object)
            np.add.at(sum_of_targets, flat, products)
        else:
            sum_of_targets = np.bincount(flat, weights=products, minlength=length)
        return NodeStatistics(n.reshape(shape), (sum_of_targets.reshape(shape),), rows)
    pairs = (codes * np.int64(n_classes) + target).ravel()
    counts = np.bincount(pairs, weights=flat_weights, minlength=length * n_classes).astype(np.float64)
    sums = tuple(np.ascontiguousarray(of_class) for of_class in np.moveaxis(counts.reshape(*shape, n_classes), 2, 0))
    return NodeStatistics(_total(sums), sums, rows)


def _products(target: Any, weights: Any) -> Any:
    """Return weighted targets; those of Python integers are exact."""
    if weights is None:
        return target
    return target * (weights.astype(np.int64).astype(object) if target.dtype == object else weights)


def cumulative_statistics(
    data: EncodedProblem, target: Any, weights: Any, shares: Any, n_classes: int
) -> NodeStatistics:
    """Return the statistics of the first j + 1 rows of each line, for every j.

    `target` has shape (lines, rows), each line in the order of its feature; `weights` and
    `shares` have the same shape or are None.
    """
    rows = None if shares is None else np.cumsum(shares, axis=1)
    if data.is_regression:
        if weights is None:
            return NodeStatistics(np.arange(1.0, target.shape[1] + 1)[None], (np.cumsum(target, axis=1),))
        return NodeStatistics(np.cumsum(weights, axis=1), (np.cumsum(_products(target, weights), axis=1),), rows)
    if weights is not None:
        sums = [np.cumsum(np.where(target == position, weights, 0.0), axis=1) for position in range(n_classes)]
        return NodeStatistics(_total(sums), tuple(sums), rows)
    n = np.arange(1.0, target.shape[1] + 1)[None]  # one line that broadcasts to all
    if n_classes == 1:
        return NodeStatistics(n, (np.broadcast_to(n, target.shape),))
    other_classes = [np.cumsum((target == position).astype(np.float64), axis=1) for position in range(1, n_classes)]
    return NodeStatistics(n, (n - _total(other_classes), *other_classes))
