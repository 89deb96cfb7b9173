"""What a node becomes: a leaf, or a split that its rows choose, and the validation rows where there are any."""

from fractions import Fraction
from math import copysign, frexp, inf, ldexp
from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules.data.schema import Schema
from treerules.growing.encoding import Encoded
from treerules.growing.reference.leaves import UNBOUNDED, Bounds, impurity_of, leaf_of_rows, prediction_of
from treerules.growing.reference.node_data import Bag, Candidate
from treerules.growing.reference.scoring import best_split, gain_of, scaled
from treerules.growing.reference.split_tests import missing_child, n_children, test_of, unseen_child
from treerules.growing.reference.statistics import scale_of
from treerules.growing.validation import Validation
from treerules.recipes.recipe import Recipe
from treerules.trees.node_parts import MeanPrediction, Prediction, Test
from treerules.trees.tree import Leaf


@frozen(eq=False)
class Seed:
    """The rows that reach a node, its depth, and the leaf of its parent (which an empty node copies)."""

    rows: Any
    order: Any
    #: the weight of each row; None where all are 1
    weights: Any
    depth: int
    parent: Leaf | None
    bounds: Bounds = UNBOUNDED
    #: the rows of the validation table that reach the node
    judges: Any = None


@frozen(eq=False)
class Choice:
    """What a seed would become: a leaf, or a split of it; found when its turn in best-first growth is asked for."""

    leaf: Leaf
    split: Candidate | None
    test: Test | None
    #: how much the split takes away from the tree's impurity: rows times the node's gain
    decrease: Fraction | float
    #: what the children predict, where growth must know it: of an empty one, what the node does
    predictions: tuple[Prediction, ...] = ()
    #: the validation rows of each child
    judges: tuple[Any, ...] = ()


@frozen(eq=False)
class GrowthContext:
    """All that stays the same from node to node."""

    data: Encoded
    schema: Schema
    recipe: Recipe
    validation: Validation | None
    #: the place of each feature among those that win ties
    first: list[int]
    #: the direction of each monotone feature; None where nothing is
    directions: dict[int, int] | None
    #: of each row of the node at hand: its child, its weight
    child: Any
    weight: Any

    # ---- choosing

    def choice(self, seed: Seed) -> Choice:
        """Return what a seed becomes, as far as its own rows decide."""
        data, recipe = self.data, self.recipe
        if len(seed.rows) == 0:
            return Choice(Leaf(cast(Leaf, seed.parent).prediction, [0] * max(1, data.n_classes)), None, None, 0)
        leaf = leaf_of_rows(data, seed.rows, seed.weights, seed.bounds)
        is_pure = bool(data.target[seed.rows[0]] == data.target[seed.rows[-1]])  # they stand in its order
        if is_pure or leaf.n < recipe.least_to_split or seed.depth == recipe.max_depth:
            return Choice(leaf, None, None, 0)
        bag = self._bag(seed, leaf)
        is_mixed = bag.impurity >= scaled(recipe.min_impurity, data, bag)
        best = best_split(data, bag, recipe, self.first) if is_mixed else None
        if best is None:
            return Choice(leaf, None, None, 0)
        test = test_of(data, best, self.schema, recipe)
        decrease = Fraction(leaf.n) * gain_of(data, bag, best, recipe) if recipe.max_leaves is not None else 0
        if self.directions is None and self.validation is None:
            return Choice(leaf, best, test, decrease)
        predictions = self._predictions(seed, bag, best, test, leaf)
        judges = self._judges(seed, best, test)
        if self.validation is not None and not _is_better(self.validation, seed, leaf, judges, predictions):
            return Choice(leaf, None, None, 0)
        return Choice(leaf, best, test, decrease, predictions, judges)

    def _bag(self, seed: Seed, leaf: Leaf) -> Bag:
        data = self.data
        weight_of = data.weights
        if seed.weights is not None and self.recipe.missing == "fraction":
            self.weight[seed.rows] = seed.weights
            weight_of = self.weight
        if not data.is_regression:
            classes = np.flatnonzero(leaf.counts)
            whole = leaf.n, tuple(leaf.counts[c] for c in classes.tolist())
            centre, exponent, impurity, bounds = 0.0, 0, impurity_of(data, leaf, self.recipe), seed.bounds
        else:
            classes = np.empty(0, dtype=np.int64)
            low, centre, high = (float(data.target[seed.rows[at]]) for at in (0, len(seed.rows) // 2, -1))
            exponent = -frexp(high - low)[1]
            free = leaf if seed.bounds == UNBOUNDED else leaf_of_rows(data, seed.rows, seed.weights, UNBOUNDED)
            sd = ldexp(cast(MeanPrediction, free.prediction).sd, exponent - data.exponent)
            impurity, whole = sd * sd, (leaf.n, (0.0,))
            low, high = (_multiplied(bound, -data.exponent) for bound in seed.bounds)
            bounds = _multiplied(low - centre, exponent), _multiplied(high - centre, exponent)
        scale = scale_of(data, self.recipe, classes)
        return Bag(
            seed.rows,
            seed.order,
            seed.weights,
            weight_of,
            centre,
            exponent,
            classes,
            impurity,
            whole,
            scale,
            bounds,
            self.directions,
        )

    def _predictions(self, seed: Seed, bag: Bag, best: Candidate, test: Test, leaf: Leaf) -> tuple[Prediction, ...]:
        found = [leaf.prediction] * n_children(best, test)
        groups = best.children()
        for place, group in enumerate(groups):
            if group[0] > 0:
                child = place if place < len(best.groups) else missing_child(best, test)
                found[child] = prediction_of(self.data, bag.classes, group, bag.centre, bag.exponent, seed.bounds)
        return tuple(found)

    def _judges(self, seed: Seed, best: Candidate, test: Test) -> tuple[Any, ...]:
        n, missing = n_children(best, test), missing_child(best, test)
        if self.validation is None:
            return (None,) * n
        unseen = unseen_child(best, self.schema)
        return tuple(self.validation.divided(seed.judges, test, missing, unseen, n))


def _multiplied(bound: float, exponent: int) -> float:
    """Return a bound times a power of two, infinite where that overflows."""
    try:
        return ldexp(bound, exponent)
    except OverflowError:
        return copysign(inf, bound)


def _is_better(
    validation: Validation, seed: Seed, leaf: Leaf, judges: tuple[Any, ...], predictions: tuple[Prediction, ...]
) -> bool:
    """Whether the validation rows are better predicted by the children than by the node."""
    after = sum(validation.error(rows, what) for rows, what in zip(judges, predictions, strict=True))
    before = validation.error(seed.judges, leaf.prediction)
    return after < before - 1e-12 * before
