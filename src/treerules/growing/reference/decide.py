"""The decision at one node: a leaf, or a split that its rows choose and the validation rows, if any, accept."""

from fractions import Fraction
from math import copysign, frexp, inf, ldexp
from typing import Any, cast

import numpy as np
from attrs import frozen

from treerules.data.schema import Schema
from treerules.growing.encoding import EncodedProblem
from treerules.growing.reference.leaves import (
    UNBOUNDED,
    Bounds,
    exact_scale,
    group_prediction,
    leaf_from_rows,
    node_impurity,
)
from treerules.growing.reference.node_data import Candidate, Group, NodeData
from treerules.growing.reference.scoring import best_split, comparable_gain, is_below
from treerules.growing.reference.split_tests import missing_child_of, n_children_of, test_of_candidate, unseen_child_of
from treerules.growing.reference.statistics import node_scorer
from treerules.growing.validation import Validation
from treerules.recipes.recipe import Recipe
from treerules.trees.node_parts import MeanPrediction, Prediction, Test
from treerules.trees.nodes import Leaf


@frozen(eq=False)
class PendingNode:
    """A node waiting to be grown: its rows, and the values inherited from its parent."""

    #: row indices in the order of the target, and by code for each feature of many values (see `NodeData`)
    rows: Any
    order: Any
    #: the weight of each row of `rows`; None where all weights are 1
    weights: Any
    depth: int
    #: the parent as a leaf, which a node without rows copies; None for the root
    parent: Leaf | None
    bounds: Bounds = UNBOUNDED
    #: the rows of the validation table that reach the node
    validation_rows: Any = None


@frozen(eq=False)
class SplitDecision:
    """The decision at a node: a leaf, or a split of it."""

    leaf: Leaf
    #: the split and its test; None for a leaf
    candidate: Candidate | None
    test: Test | None
    #: the decrease of the tree's impurity, weight times gain; computed only for best-first growth
    decrease: Fraction | float
    #: the children's predictions, for monotone features and validation; a child without rows predicts as the node
    predictions: tuple[Prediction, ...] = ()
    #: the validation rows of each child
    validation_rows: tuple[Any, ...] = ()


@frozen(eq=False)
class GrowthContext:
    """The data that all nodes share: the encoded problem, the recipe, and work arrays."""

    data: EncodedProblem
    schema: Schema
    recipe: Recipe
    validation: Validation | None
    #: by feature: its position in the order in which ties are decided
    tie_order: list[int]
    #: monotone features: 1 or -1 by feature index; None where no feature is monotone
    directions: dict[int, int] | None
    #: work arrays by row index, valid for the rows of the current node: child, and weight
    child_of_row: Any
    weight_of_row: Any
    #: and the share of the row that is in the node, 1 unless it was divided; None where least numbers count weight
    share_of_row: Any

    def decide(self, pending: PendingNode, candidates: list[Candidate] | None = None) -> SplitDecision:
        """Return the decision at a pending node; `candidates` are those that may win, where the caller knows them."""
        data, recipe = self.data, self.recipe
        if len(pending.rows) == 0:
            empty = Leaf(cast(Leaf, pending.parent).prediction, [0] * max(1, data.n_classes))
            return SplitDecision(empty, None, None, 0)
        leaf = leaf_from_rows(data, pending.rows, pending.weights, pending.bounds)
        is_pure = bool(data.target[pending.rows[0]] == data.target[pending.rows[-1]])  # rows are sorted by target
        if (
            is_pure
            or not _has_two_weighed_classes(data, leaf)
            or self._size(pending, leaf) < recipe.least_to_split
            or pending.depth == recipe.max_depth
        ):
            return SplitDecision(leaf, None, None, 0)
        node = self._node_data(pending, leaf)
        is_impure_enough = not is_below(recipe.min_impurity, node.impurity, data, node)
        best = best_split(data, node, recipe, self.tie_order, candidates) if is_impure_enough else None
        if best is None:
            return SplitDecision(leaf, None, None, 0)
        test = test_of_candidate(data, best, self.schema, recipe)
        decrease = Fraction(leaf.n) * comparable_gain(data, node, best, recipe) if recipe.max_leaves is not None else 0
        if self.directions is None and self.validation is None:
            return SplitDecision(leaf, best, test, decrease)
        predictions = self._predictions(pending, node, best, test, leaf)
        validation_rows = self._validation_rows_of_children(pending, best, test)
        if self.validation is not None and not _is_better(self.validation, pending, leaf, validation_rows, predictions):
            return SplitDecision(leaf, None, None, 0)
        return SplitDecision(leaf, best, test, decrease, predictions, validation_rows)

    def _size(self, pending: PendingNode, leaf: Leaf) -> float:
        """Return what least numbers of rows count of a node; where they count rows, store the rows' shares."""
        if self.share_of_row is None:
            return leaf.n
        shares = pending.weights / self.data.weights[pending.rows]
        self.share_of_row[pending.rows] = shares
        return float(shares.sum())

    def _node_data(self, pending: PendingNode, leaf: Leaf) -> NodeData:
        """Return the data of a pending node; `leaf` is the node as a leaf."""
        data = self.data
        weight_of_row = data.weights
        if pending.weights is not None and self.recipe.missing == "fraction":
            self.weight_of_row[pending.rows] = pending.weights
            weight_of_row = self.weight_of_row
        classes = np.flatnonzero(leaf.counts) if not data.is_regression else np.empty(0, dtype=np.int64)
        is_wide, squares = False, 0.0
        impurity: Fraction | float
        centre: float
        totals: Group = leaf.n, (0.0,)
        if data.exact is not None:
            scale = exact_scale(data, pending.rows, pending.weights, pending.bounds)
            centre, exponent, impurity, bounds, is_wide = scale.centre, 0, scale.variance, scale.bounds, scale.is_wide
            totals, squares = (scale.n, (0.0,)), scale.squares
        elif data.is_regression:
            centre, exponent, impurity, bounds = _regression_scale(data, pending, leaf)
        else:
            centre, exponent, impurity, bounds = 0.0, 0, node_impurity(data, leaf, self.recipe), pending.bounds
            totals = leaf.n, tuple(leaf.counts[position] for position in classes.tolist())
        return NodeData(
            rows=pending.rows,
            order=pending.order,
            weights=pending.weights,
            weight_of_row=weight_of_row,
            share_of_row=self.share_of_row,
            centre=centre,
            exponent=exponent,
            classes=classes,
            impurity=impurity,
            totals=totals,
            scorer=node_scorer(data, self.recipe, classes),
            bounds=bounds,
            directions=self.directions,
            is_wide=is_wide,
            squares=squares,
        )

    def _predictions(
        self, pending: PendingNode, node: NodeData, best: Candidate, test: Test, leaf: Leaf
    ) -> tuple[Prediction, ...]:
        """Return the prediction of each child; a child without rows predicts as the node."""
        predictions = [leaf.prediction] * n_children_of(best, test)
        scale = node.centre, node.exponent
        for index, group in enumerate(best.child_groups()):
            if group[0] > 0:
                child = index if index < len(best.groups) else missing_child_of(best, test)
                predictions[child] = group_prediction(self.data, node.classes, group, *scale, pending.bounds)
        return tuple(predictions)

    def _validation_rows_of_children(self, pending: PendingNode, best: Candidate, test: Test) -> tuple[Any, ...]:
        """Return the validation rows of each child; None for each without a validation table."""
        n, missing = n_children_of(best, test), missing_child_of(best, test)
        if self.validation is None:
            return (None,) * n
        unseen = unseen_child_of(best, self.schema)
        return tuple(self.validation.rows_of_children(pending.validation_rows, test, missing, unseen, n))


def _has_two_weighed_classes(data: EncodedProblem, leaf: Leaf) -> bool:
    """Return whether errors on at least two classes of the node cost anything; True for a regression."""
    if data.weighing is None or data.weighing.is_plain:
        return True
    return sum(n > 0 and factor > 0 for n, factor in zip(leaf.counts, data.weighing.altered, strict=True)) > 1


def _regression_scale(data: EncodedProblem, pending: PendingNode, leaf: Leaf) -> tuple[float, int, float, Bounds]:
    """Return centre, exponent, impurity and bounds of a regression node, as in `NodeData`."""
    rows = pending.rows
    low, centre, high = (float(data.target[rows[position]]) for position in (0, len(rows) // 2, -1))
    exponent = -frexp(high - low)[1]
    unbounded = leaf if pending.bounds == UNBOUNDED else leaf_from_rows(data, rows, pending.weights, UNBOUNDED)
    sd = ldexp(cast(MeanPrediction, unbounded.prediction).sd, exponent - data.exponent)
    low, high = (_times_power_of_two(bound, -data.exponent) for bound in pending.bounds)
    bounds = _times_power_of_two(low - centre, exponent), _times_power_of_two(high - centre, exponent)
    return centre, exponent, sd * sd, bounds


def _times_power_of_two(bound: float, exponent: int) -> float:
    """Return a bound times 2**exponent; infinite where that overflows."""
    try:
        return ldexp(bound, exponent)
    except OverflowError:
        return copysign(inf, bound)


def _is_better(
    validation: Validation,
    pending: PendingNode,
    leaf: Leaf,
    validation_rows: tuple[Any, ...],
    predictions: tuple[Prediction, ...],
) -> bool:
    """Return whether the validation error of the children is below that of the node as a leaf."""
    of_children = sum(map(validation.error, validation_rows, predictions))
    of_node = validation.error(pending.validation_rows, leaf.prediction)
    return of_children < of_node - 1e-12 * of_node
