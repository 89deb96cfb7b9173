"""The default recipe: CART, whose size is chosen by cross-validation."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import evolve

from treerules.criteria import Base, Criterion
from treerules.recipes.algorithms import ClassWeight, Costs, Missing, Thresholds, cart
from treerules.recipes.recipe import Recipe
from treerules.recipes.size_choice import SizeChoice

#: The least number of rows of a leaf of a regression, whose mean of fewer rows is poor.
_LEAF_OF_REGRESSION = 5
#: From so many rows on a node of less than one in 1,000 rows is a leaf: splits of fewer cost time, and help no more.
_MANY_ROWS, _SPLITS_OF_MANY = 20_000, 1_000
_MOST_RULES = 32


def auto(
    *,
    max_rules: int | None = None,
    folds: int = 10,
    reduction_per_rule: float | None = None,
    criterion: str | Criterion = "gini",
    categories: Literal["subset", "one_against_rest"] = "subset",
    thresholds: Thresholds = "short",
    base: Base = "2",
    missing: Missing = "learned",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_split: float = 2,
    min_samples_leaf: float = 1,
    min_gain: float = 0.0,
    min_impurity: float = 0.0,
    class_weight: ClassWeight = {},  # noqa: B006
    priors: Mapping[Any, float] = {},
    costs: Costs = {},  # noqa: B006
    monotone: Mapping[str, int] = {},
    feature_cost: Mapping[str, float] = {},
    prefer: Sequence[str] = (),
) -> Recipe:
    """Return the default recipe: CART, of which cross-validation chooses the size (Breiman 1984, chapter 3).

    A tree is grown whole; a leaf of a regression has at least 5 rows, and in a table of 20,000 rows or more a node of
    less than one in 1,000 is not split. Of the subtrees of its cost-complexity path one is chosen by its
    cross-validated error, such that each further rule takes 0.8 % of the remaining error away, from 5,000 rows on
    1.6 %. A classification of 30 rows or more whose tree does not err less than the root alone, by 1.25 standard errors
    of the difference, is chosen by log loss, which sees a region of a rare class that changes no label.
    `tree.estimate` holds the error, corrected for the choosing; `benchmarks/README.md` compares the choice with others.

    Args:
        max_rules: the greatest number of rules; None is 32, or `max_leaves` where that is given.
        folds: the number of folds of the cross-validation, from 2.
        reduction_per_rule: the share of the remaining error that a further rule takes away, from 0 to below 1; less
            gives more rules. None is 0.008, and 0.016 in tables of 5,000 rows or more.
        criterion: as for `cart`.
        categories: as for `cart`.
        thresholds: as for `cart`; short ones are quicker to read.
        base: as for `cart`.
        missing: as for `cart`.
        max_depth: as for `cart`.
        max_leaves: as for `cart`; before the size is chosen.
        min_samples_split: as for `cart`, where it is more than what is said above.
        min_samples_leaf: as for `cart`, where it is more than what is said above.
        min_gain: as for `cart`.
        min_impurity: as for `cart`.
        class_weight: as for `cart`.
        priors: as for `cart`.
        costs: as for `cart`.
        monotone: as for `cart`.
        feature_cost: as for `cart`.
        prefer: as for `cart`.

    Returns:
        A Recipe, for `learn(recipe=...)`.

    Raises:
        OptionError: an argument has an invalid value.

    Examples:
        >>> auto(max_rules=8).size_choice
        SizeChoice(folds=10, max_rules=8, reduction_per_rule=None)
    """
    recipe = cart(
        criterion=criterion,
        categories=categories,
        thresholds=thresholds,
        base=base,
        missing=missing,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_split=min_samples_split,
        min_samples_leaf=min_samples_leaf,
        min_gain=min_gain,
        min_impurity=min_impurity,
        class_weight=class_weight,
        priors=priors,
        costs=costs,
        monotone=monotone,
        feature_cost=feature_cost,
        prefer=prefer,
    )
    most = max_rules if max_rules is not None else _MOST_RULES if max_leaves is None else max_leaves
    return evolve(recipe, name="auto", size_choice=SizeChoice(folds, most, reduction_per_rule))


def growth_recipe(recipe: Recipe, *, is_regression: bool, size: float) -> Recipe:
    """Return the recipe by which a tree is grown before its size is chosen, given the number of all rows."""
    if recipe.size_choice is None:
        return recipe
    if recipe.optimal_search is not None:  # the tree of least training error, whose subtrees are compared
        return evolve(recipe, size_choice=None, optimal_search=evolve(recipe.optimal_search, leaf_penalty=0.0))
    leaf, split = recipe.min_samples_leaf, recipe.min_samples_split
    if is_regression:
        leaf = max(leaf, _LEAF_OF_REGRESSION)
    if size >= _MANY_ROWS:
        split = max(split, size // _SPLITS_OF_MANY)
    return evolve(recipe, size_choice=None, min_samples_leaf=leaf, min_samples_split=split)
