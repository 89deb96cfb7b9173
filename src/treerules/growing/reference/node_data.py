"""The rows of one node, and the ways to split them."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.encoding import Encoded
from treerules.growing.reference.statistics import Moments, Scale
from treerules.recipes.recipe import Recipe

Score = float | Fraction
#: The case weight of a group, and its class counts or the weighted sum of its centred target.
Group = tuple[float, tuple[float, ...]]


@frozen(eq=False)
class Bag:
    """The rows of one node, in the order of the target, and for each feature of many values in that of its codes."""

    rows: Any
    order: Any
    #: the weight of each row, and of every row of the table by its number (right for this node's); None where all are 1
    weights: Any
    weight_of: Any
    #: what a regression's target is centred on: its value at the middle row, since a shift of all leaves that exact
    centre: float
    #: the power of two that the centred target is multiplied by, which is exact, so that squares stay in range
    exponent: int
    #: the classes that are in this node; empty for a regression
    classes: Any
    #: under the recipe's criterion; of a regression, the variance of the centred and scaled target. Where a criterion
    #: has none, the score of the split that separates the classes
    impurity: float
    #: the case weight and the sums of all rows
    whole: Group
    scale: Scale
    #: the least and greatest value that a prediction may take (share of the second class, or centred and scaled mean)
    bounds: tuple[float, float]
    #: the direction of each constrained feature; None where nothing is constrained
    directions: dict[int, int] | None

    def target(self, data: Encoded, rows: Any) -> Any:
        """Return the target of rows as the node sees it: places among its classes, or centred and scaled values."""
        target = data.target.take(rows, mode="clip")
        if data.is_regression:
            return np.ldexp(target - self.centre, self.exponent)
        if len(self.classes) == data.n_classes:
            return target
        place = np.zeros(data.n_classes, dtype=data.target.dtype)
        place[self.classes] = np.arange(len(self.classes))
        return place.take(target)


@frozen
class Candidate:
    """A way to split one node.

    `groups` are those of the children over the rows whose value is known, `missing` that of the others. `sides` are
    the positions of categories that reach each child, or the two codes around a cut. `is_apart`: the known values
    against the missing ones, which are the second child.
    """

    feature: int
    is_cut: bool
    sides: tuple[tuple[int, ...], ...]
    groups: tuple[Group, ...]
    missing: Group
    #: how many cuts the feature has: C4.5 lets them pay for the choice
    tries: int = 1
    is_apart: bool = False
    score: Score = 0.0
    #: the child that missing values go to (of its own: the place after the last); None: to all, by their weight
    to: int | None = None

    def scored(self, score: Score, to: int | None) -> "Candidate":
        """Return the candidate with its score, and where its missing values go."""
        return Candidate(  # ten times as fast as attrs.evolve, and called for each
            self.feature, self.is_cut, self.sides, self.groups, self.missing, self.tries, self.is_apart, score, to
        )

    @property
    def sizes(self) -> tuple[float, ...]:
        """The case weight of each child's rows of known value."""
        return tuple(n for n, _ in self.groups)

    @property
    def largest(self) -> int:
        """The child of greatest case weight among rows of known value, the first on ties."""
        if self.is_apart:
            return 0
        most = max(self.sizes)
        most -= 1e-12 * sum(self.sizes)
        return next(child for child, size in enumerate(self.sizes) if size >= most)

    @property
    def rank(self) -> tuple[Any, ...]:
        """What decides between equal scores of one feature."""
        return (self.is_apart, self.sides[0])

    def children(self) -> list[Group]:
        """Return the groups of the children with the missing rows where they go."""
        if not self.missing[0]:
            return list(self.groups)
        if self.to is None:
            known = sum(self.sizes)
            return [joined(group, part_of(self.missing, group[0] / known)) for group in self.groups]
        if self.to == len(self.groups):
            return [*self.groups, self.missing]
        return [joined(g, self.missing) if child == self.to else g for child, g in enumerate(self.groups)]


def joined(one: Group, other: Group) -> Group:
    """Return the moments of two groups together."""
    return one[0] + other[0], tuple(a + b for a, b in zip(one[1], other[1], strict=True))


def part_of(group: Group, share: float) -> Group:
    """Return the moments of a share of a group."""
    return group[0] * share, tuple(each * share for each in group[1])


@frozen(eq=False)
class Offer:
    """Approximate gains times n, the feature of each, and a function that makes a Candidate of one of them."""

    gains: Any
    features: Any
    candidate: Callable[[int], Candidate]


def apart(feature: int, is_cut: bool, held: tuple[int, ...], known: Group, missing: Group) -> Candidate:
    """Return the candidate that tells known values from missing ones."""
    return Candidate(feature, is_cut, (held, ()), (known, missing), (0, (0,) * len(missing[1])), is_apart=True)


def offers_apart(bag: Bag, recipe: Recipe, known: Moments, missing: Moments) -> Any:
    """Return n times the gain of telling known values from missing ones, cell by cell."""
    fits = (known.n >= recipe.least) & (missing.n >= recipe.least)
    fits = fits & (missing.n > 0) & (known.n > 0)
    return np.where(fits, bag.scale.gain((known, missing), known + missing, fits), -np.inf)
