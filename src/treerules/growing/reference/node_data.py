"""Data of one node, and the candidates: the possible splits of a node."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.encoding import EncodedProblem
from treerules.growing.reference.statistics import NodeScorer, NodeStatistics
from treerules.recipes.recipe import Recipe

Score = float | Fraction
#: The statistics of one group: (weight, class weights), or (weight, (weighted sum of the centred target,)).
Group = tuple[float, tuple[float, ...]]


@frozen(eq=False)
class NodeData:
    """Data of one node: row indices sorted by target, row indices presorted by feature, and scoring parameters."""

    #: row indices in the order of the target, shape (rows,)
    rows: Any
    #: row indices by code and target, shape (features of many values, rows)
    order: Any
    #: the weight of each row of `rows`, shape (rows,); None where all weights are 1
    weights: Any
    #: the weight of every row of the problem by its index; only the entries of `rows` hold for this node
    weight_of_row: Any
    #: the share of each row of the problem that is in the node; None where least numbers of rows count weight
    share_of_row: Any
    #: for a regression: the target of the middle row, which is subtracted from all targets (an exact shift); an
    #: integer where figures are exact
    centre: float
    #: for a regression: centred targets are multiplied by 2**exponent (exact), so that squares stay in range; 0 where
    #: figures are exact
    exponent: int
    #: positions of the classes that occur in the node, ascending; empty for a regression
    classes: Any
    #: the impurity under the recipe's criterion; for a regression the variance of the centred and scaled target, a
    #: fraction where figures are exact.
    #: A criterion without impurity: the score of the split that separates the classes
    impurity: Fraction | float
    #: the statistics of all rows of the node
    totals: Group
    scorer: NodeScorer
    #: the least and the greatest prediction allowed (share of the second class, or centred and scaled mean)
    bounds: tuple[float, float]
    #: monotone features: 1 or -1 by feature index; None where no feature is monotone
    directions: dict[int, int] | None
    #: whether sums of exact figures may exceed the whole numbers that doubles hold: Python integers are added then
    is_wide: bool = False
    #: the weighted sum of squares of the centred target, where figures are exact; it bounds rounding errors of gains
    squares: float = 0.0

    @property
    def shares(self) -> Any:
        """The share of each row of `rows` that is in the node; None where least numbers of rows count weight."""
        return None if self.share_of_row is None else self.share_of_row.take(self.rows)

    @property
    def size(self) -> float:
        """What least numbers of rows count: the rows of the node, or their weight."""
        return self.totals[0] if self.shares is None else float(self.shares.sum())

    @property
    def weighed_n(self) -> float:
        """The weight of all rows of the node in scores: each class times its factor."""
        n, sums = self.totals
        factors = self.scorer.factors
        return n if factors is None else sum(factor * of_class for factor, of_class in zip(factors, sums, strict=True))

    def target(self, data: EncodedProblem, rows: Any) -> Any:
        """Return the target of rows in the node's own terms: positions in `classes`, or centred and scaled values."""
        target = data.target.take(rows, mode="clip")
        if data.exact is not None:
            return target.astype(object) - int(self.centre) if self.is_wide else (target - self.centre).astype(float)
        if data.is_regression:
            return np.ldexp(target - self.centre, self.exponent)
        if len(self.classes) == data.n_classes:
            return target
        position_of = np.zeros(data.n_classes, dtype=data.target.dtype)
        position_of[self.classes] = np.arange(len(self.classes))
        return position_of.take(target)


@frozen
class Candidate:
    """A possible split of one node.

    `groups` are the statistics of the children over the rows whose value is known, `missing` those of the other
    rows. `sides` holds, for each child, the positions of its categories; for a cut, the codes just below and just
    above it. A missing test separates known values (first child) from missing ones (second child).
    """

    feature: int
    is_cut: bool
    sides: tuple[tuple[int, ...], ...]
    groups: tuple[Group, ...]
    missing: Group
    #: the number of cuts of the feature that were possible: C4.5 subtracts log2 of it from the gain
    n_cuts: int = 1
    is_missing_test: bool = False
    score: Score = 0.0
    #: the child that missing values go to; len(groups): a child of their own; None: all children, by their weights
    missing_child: int | None = None
    #: the rows of each group and of the missing values; () where least numbers of rows count weight
    row_counts: tuple[float, ...] = ()

    def with_score(self, score: Score, missing_child: int | None) -> "Candidate":
        """Return a copy with a score and the child that missing values go to."""
        return Candidate(  # ten times as fast as attrs.evolve; called once per candidate
            self.feature,
            self.is_cut,
            self.sides,
            self.groups,
            self.missing,
            self.n_cuts,
            self.is_missing_test,
            score,
            missing_child,
            self.row_counts,
        )

    @property
    def sizes(self) -> tuple[float, ...]:
        """The weight of each child's rows with a known value."""
        return tuple(n for n, _ in self.groups)

    @property
    def largest_child(self) -> int:
        """The child of greatest weight among the rows with a known value; the first one on ties."""
        if self.is_missing_test:
            return 0
        threshold = max(self.sizes)
        threshold -= 1e-12 * sum(self.sizes)
        return next(child for child, size in enumerate(self.sizes) if size >= threshold)

    @property
    def tie_key(self) -> tuple[Any, ...]:
        """Sort key among candidates of one feature with equal scores: the least one wins."""
        return (self.is_missing_test, self.sides[0])

    def child_groups(self) -> list[Group]:
        """Return the statistics of the children, rows with a missing value included."""
        if not self.missing[0]:
            return list(self.groups)
        if self.missing_child is None:
            n_known = sum(self.sizes)
            return [sum_of_groups(group, share_of_group(self.missing, group[0] / n_known)) for group in self.groups]
        if self.missing_child == len(self.groups):
            return [*self.groups, self.missing]
        return add_missing(self.groups, self.missing, self.missing_child)


def sum_of_groups(one: Group, other: Group) -> Group:
    """Return the statistics of two groups together."""
    return one[0] + other[0], tuple(a + b for a, b in zip(one[1], other[1], strict=True))


def add_missing(groups: Sequence[Group], missing: Group, child: int) -> list[Group]:
    """Return the statistics of the children where rows with a missing value go to one of them."""
    return [sum_of_groups(group, missing) if index == child else group for index, group in enumerate(groups)]


def share_of_group(group: Group, share: float) -> Group:
    """Return the statistics of a group, multiplied by a share."""
    return group[0] * share, tuple(value * share for value in group[1])


@frozen(eq=False)
class CandidateBatch:
    """Candidates found together, with approximate gains."""

    #: n times the approximate gain of each candidate, shape (candidates,)
    gains: Any
    #: the feature index of each candidate, shape (candidates,)
    features: Any
    #: builds the candidate with a given index
    candidate_at: Callable[[int], Candidate]


def missing_test_candidate(
    feature: int, is_cut: bool, codes: tuple[int, ...], known: Group, missing: Group
) -> Candidate:
    """Return the candidate that separates known values from missing ones; `codes` are the codes of the first side."""
    return Candidate(feature, is_cut, (codes, ()), (known, missing), (0, (0,) * len(missing[1])), is_missing_test=True)


def missing_test_gains(node: NodeData, recipe: Recipe, known: NodeStatistics, missing: NodeStatistics) -> Any:
    """Return n times the gain of separating known from missing values, cell by cell; -inf where it is not allowed."""
    fits = (known.size >= recipe.least) & (missing.size >= recipe.least)
    fits = fits & (missing.n > 0) & (known.n > 0)
    return np.where(fits, node.scorer.gain((known, missing), known + missing, fits), -np.inf)
