"""The recipe of optimal trees: of all trees of at most a depth, the one of least cost."""

from collections.abc import Mapping
from typing import Any, Literal

from attrs import evolve

from treerules.errors import OptionError
from treerules.recipes.algorithms import ClassWeight, Costs, Thresholds, cart
from treerules.recipes.optimal_search import OptimalSearch
from treerules.recipes.recipe import Recipe
from treerules.recipes.size_choice import SizeChoice

_MOST_RULES, _FOLDS = 32, 10


def optimal(
    *,
    max_depth: int = 3,
    leaf_penalty: float | Literal["cv"] = "cv",
    time_limit: float | None = 60,
    gap: float = 0,
    max_rules: int | None = None,
    folds: int | None = None,
    reduction_per_rule: float | None = None,
    thresholds: Thresholds = "short",
    min_samples_leaf: float = 1,
    class_weight: ClassWeight = {},  # noqa: B006 (copied)
    priors: Mapping[Any, float] = {},
    costs: Costs = {},  # noqa: B006
) -> Recipe:
    """Return the recipe of optimal trees: no tree of at most a depth costs less on the training rows.

    The cost of a tree is the number of its errors, or what weights and costs make of them, plus `leaf_penalty` for each
    leaf; of a regression the squared error. All thresholds of numbers, integers, dates, timestamps and ordinals are
    searched, each category against the rest, and the side of missing values (Brița et al. 2025). `tree.bounds` holds
    the cost and the lower bound that is proved. Depth 3 takes from less than a second to some minutes; each further
    level multiplies the time. numba (the extra [fast]) makes the search about fifty times as fast, with the same tree.

    A tree of least training error fits noise too. So by default the penalty is chosen by cross-validation, as `auto`
    chooses the size of its tree: by the same folds, the same price of a rule, and with the same correction of the
    error. It has 60 % of the time limit; where that is too little, or at Ctrl-C, the penalty is 1 % of the cost of a
    leaf alone, and a note says so.

    Args:
        max_depth: the greatest depth of a leaf, from 0 to 5.
        leaf_penalty: the price of a leaf, in the unit of the cost: with 2, a further leaf must save more than two
            errors; of weighted rows, errors of a weight above 2, so scale it as you scale the weights. "cv" chooses it
            by cross-validation, whatever the scale of the weights.
        time_limit: the seconds after which the best tree so far is returned, with its lower bound; None is no limit.
        gap: the search ends where the tree costs at most this share more than the lower bound, from 0 to below 1.
        max_rules: with "cv", the greatest number of rules; None is 32.
        folds: with "cv", the number of folds of the cross-validation, from 2; None is 10.
        reduction_per_rule: with "cv", the share of the remaining error that a further rule takes away, as for `auto`.
        thresholds: where numbers are cut between two neighbouring values, as for `cart`.
        min_samples_leaf: the least number of rows of a leaf. More than 1 makes the search slower.
        class_weight: as for `cart`.
        priors: as for `cart`.
        costs: as for `cart`.

    Returns:
        A Recipe, for `learn(recipe=...)`.

    Raises:
        OptionError: an argument has an invalid value.

    Examples:
        >>> optimal(max_depth=2, leaf_penalty=5).optimal_search
        OptimalSearch(leaf_penalty=5, time_limit=60, gap=0)
    """
    is_chosen = isinstance(leaf_penalty, str) and leaf_penalty == "cv"
    if not is_chosen:
        for name, value in (("max_rules", max_rules), ("folds", folds), ("reduction_per_rule", reduction_per_rule)):
            if value is not None:
                raise OptionError(name, value, "None with a leaf_penalty other than 'cv'")
    search = OptimalSearch(None if is_chosen else leaf_penalty, time_limit, gap)
    if not is_chosen and search.leaf_penalty is None:
        raise OptionError("leaf_penalty", leaf_penalty, "a number from 0, or 'cv': chosen by cross-validation")
    choice = SizeChoice(
        _FOLDS if folds is None else folds, _MOST_RULES if max_rules is None else max_rules, reduction_per_rule
    )
    recipe = cart(
        categories="one_against_rest",
        thresholds=thresholds,
        max_depth=max_depth,
        min_samples_leaf=min_samples_leaf,
        class_weight=class_weight,
        priors=priors,
        costs=costs,
    )
    return evolve(recipe, name="optimal", optimal_search=search, size_choice=choice if is_chosen else None)
