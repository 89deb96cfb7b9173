"""Class weights, priors and costs: the factors by which class counts are multiplied, and the label of least cost.

counts           case weights of the classes in a node, as leaves store them
factors          class weight times prior over share: the factors of counts in shares and risks
altered          factors times the cost of the class's errors: the factors in the scores of splits (Breiman 1984, 4.4)
costs            expected cost of a label = sum over classes of factor x count x cost
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple, as_tuples
from treerules.data.schema import Schema
from treerules.errors import OptionError, UnknownNameError
from treerules.recipes.recipe import Recipe
from treerules.trees.node_parts import ClassPrediction
from treerules.trees.nodes import Leaf, Split
from treerules.trees.tree import Tree

#: Labels tie within this share of the node's weight or cost; the first class wins.
TOLERANCE = 1e-12
#: Factors that differ from 1 by less are rounded shares of plain counts.
ROUNDING = 1e-9


@frozen
class ClassWeighting:
    """The class weights of one problem. By default all factors are 1 and there are no costs."""

    classes: tuple[Any, ...] = field(converter=as_tuple)
    #: the factor of each class; by default 1 (an int, so that counts stay integers)
    factors: tuple[float, ...] = field(converter=as_tuple)
    #: the factor of each class in the scores of splits
    altered: tuple[float, ...] = field(converter=as_tuple)
    #: the cost of each prediction, shape (true classes, predicted classes); empty where each error costs 1
    costs: tuple[tuple[float, ...], ...] = field(default=(), converter=as_tuples)

    @property
    def is_plain(self) -> bool:
        """Whether splits are scored by unweighted counts."""
        return all(factor == 1 for factor in self.altered)

    @cached_property
    def _are_ones(self) -> bool:
        """Whether all factors are 1."""
        return all(factor == 1 for factor in self.factors)

    def weigh_counts(self, counts: Sequence[float]) -> Sequence[float]:
        """Return counts times the factor of their class."""
        if self._are_ones:
            return counts
        return [count * factor for count, factor in zip(counts, self.factors, strict=True)]

    def cost(self, weights: Sequence[float], label: int) -> float:
        """Return the summed cost of predicting a label (by position) for rows with these weighed counts."""
        if self.costs:
            return sum(weight * row[label] for weight, row in zip(weights, self.costs, strict=True))
        return sum(weights[:label]) + sum(weights[label + 1 :])  # total - weight would lose digits

    def _winner(self, weights: Sequence[float]) -> int:
        """Return the position of the label of least expected cost, the first on ties; the node must have rows."""
        if not self.costs:
            most = max(weights) - TOLERANCE * sum(weights)
            return next(position for position, weight in enumerate(weights) if weight >= most)
        costs = [self.cost(weights, label) for label in range(len(weights))]
        least = min(costs) + TOLERANCE * max(costs)
        return next(position for position, cost in enumerate(costs) if cost <= least)

    def label(self, counts: Sequence[float]) -> ClassPrediction:
        """Return the prediction of a node: the label of least expected cost, and the weighed share of each class."""
        weights = self.weigh_counts(counts)
        total = sum(weights)
        return ClassPrediction(self.classes[self._winner(weights)], [weight / total for weight in weights])

    def label_of_shares(self, shares: Sequence[float]) -> ClassPrediction:
        """Return the prediction of a node whose weighed classes have these shares: the label of least expected cost."""
        return ClassPrediction(self.classes[self._winner(shares)], shares)

    def cost_column(self, label: int) -> list[float]:
        """Return the cost of a label, given by its position, for one row of each class, times the class's factor."""
        ones = [0.0 if position == label else 1.0 for position in range(len(self.classes))]
        return list(self.weigh_counts([row[label] for row in self.costs] if self.costs else ones))


def class_weighting(recipe: "Recipe | None", schema: Schema, counts: Sequence[float]) -> ClassWeighting:
    """Return the class weighting of a recipe, given the class counts of the whole table.

    Raises:
        UnknownNameError: an argument of the recipe names a class that the target does not have.
        OptionError: priors do not name every class.
    """
    classes = schema.classes
    plain = [1] * len(classes)
    if recipe is None or not (recipe.class_weight or recipe.priors or recipe.costs):
        return ClassWeighting(classes, plain, plain)
    factors = _class_weights(recipe.class_weight, schema, counts)
    if recipe.priors:
        priors = _by_class("priors", dict(recipe.priors), schema)
        if len(priors) < len(classes):
            raise OptionError("priors", dict(recipe.priors), f"one for each class: {', '.join(map(str, classes))}")
        prior_sum, n = sum(priors.values()), sum(counts)
        factors = [
            factor * priors[position] / prior_sum * n / count if count else factor
            for position, (factor, count) in enumerate(zip(factors, counts, strict=True))
        ]
    if not recipe.costs:
        return ClassWeighting(classes, factors, factors)
    costs = [[0.0 if row == column else 1.0 for column in range(len(classes))] for row in range(len(classes))]
    costs_by_classes = {(true, predicted): cost for true, predicted, cost in recipe.costs}
    for true, predicted, cost in recipe.costs:
        (row,) = _by_class("costs", {true: 0}, schema, costs_by_classes)
        (column,) = _by_class("costs", {predicted: 0}, schema, costs_by_classes)
        costs[row][column] = float(cost)
    altered = [factor * sum(row) for factor, row in zip(factors, costs, strict=True)]
    before = sum(factor * count for factor, count in zip(factors, counts, strict=True))
    after = sum(factor * count for factor, count in zip(altered, counts, strict=True))
    if after <= 0:
        raise OptionError("costs", list(recipe.costs), "a cost above 0 for some class of the table")
    return ClassWeighting(classes, factors, [factor * before / after for factor in altered], costs)


def class_weighting_of_tree(tree: "Tree") -> ClassWeighting:
    """Return the class weighting of a tree, by its recipe and the counts of its root.

    Of a tree without a recipe, as other libraries learn them, it is what makes the shares of the root of its counts.
    """
    root = cast(Leaf | None, tree.root.as_leaf if isinstance(tree.root, Split) else tree.root)
    counts = [1] * len(tree.schema.classes) if root is None else root.counts
    weighing = class_weighting(tree.recipe, tree.schema, counts)
    shares = getattr(None if root is None else root.prediction, "probabilities", ())
    if tree.recipe is not None or not (all(shares) and all(counts)):
        return weighing
    factors = [share * sum(counts) / count for share, count in zip(shares, counts, strict=False)]
    is_plain = all(abs(factor - 1) <= ROUNDING for factor in factors)
    return weighing if is_plain else evolve(weighing, factors=factors, altered=factors)


def _class_weights(class_weight: Any, schema: Schema, counts: Sequence[float]) -> list[float]:
    if class_weight == "balanced":
        n_present = sum(count > 0 for count in counts)
        return [sum(counts) / (n_present * count) if count else 1 for count in counts]
    by_class = _by_class("class_weight", dict(class_weight), schema)
    return [by_class.get(position, 1) for position in range(len(schema.classes))]


def _by_class(option: str, value_by_class: Mapping[Any, float], schema: Schema, passed: Any = None) -> dict[int, float]:
    """Return the values of an argument by the position of the class; a class may be named by its text.

    `passed` is the value of the argument in errors, where it is another one than `value_by_class`.
    """
    passed = dict(value_by_class) if passed is None else passed
    target = schema.target
    names = {str(name): position for position, name in enumerate(schema.classes)}
    value_by_position = {}
    for name, value in value_by_class.items():
        position = target.position(name) if target is not None and type(name) is type(schema.classes[0]) else None
        position = names.get(str(name)) if position is None else position
        if position is None:
            what = f"class of {target.name!r}" if target else "class"
            raise UnknownNameError(what, str(name), names, argument=option, passed=passed)
        if position in value_by_position:
            raise OptionError(option, passed, f"class {name!r} once")
        value_by_position[position] = value
    return value_by_position
