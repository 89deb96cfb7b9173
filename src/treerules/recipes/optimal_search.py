"""The options of the search for an optimal tree."""

from math import inf
from typing import Any

from attrs import field, fields, frozen

from treerules._internal.conversion import unwrap_scalar
from treerules._internal.notes import or_none
from treerules._internal.short_repr import short_repr
from treerules.recipes.option_checks import is_number, require


@short_repr
@frozen
class OptimalSearch:
    """The search for the tree of least cost: errors, and for each leaf a price.

    Args:
        leaf_penalty: the price of a leaf, in the unit of the cost: with 2, a further leaf must save more than two
            errors. None: cross-validation chooses it.
        time_limit: the seconds after which the best tree so far is returned; None is no limit.
        gap: the search ends where the tree costs at most this share more than the lower bound, from 0 to below 1.

    Raises:
        OptionError: an argument has an invalid value.
    """

    leaf_penalty: float | None = field(default=0.0, converter=unwrap_scalar)
    time_limit: float | None = field(default=60.0, converter=unwrap_scalar)
    gap: float = field(default=0.0, converter=unwrap_scalar)

    def __attrs_post_init__(self) -> None:
        penalty, limit, gap = self.leaf_penalty, self.time_limit, self.gap
        require("leaf_penalty", penalty, penalty is None or (is_number(penalty) and 0 <= penalty < inf), _PENALTY)
        require("time_limit", limit, limit is None or (is_number(limit) and 0 < limit < inf), _LIMIT)
        require("gap", gap, is_number(gap) and 0 <= gap < 1, "a number from 0, below 1")


_PENALTY = "a number from 0, or 'cv': chosen by cross-validation"
_LIMIT = or_none("a number of seconds above 0", "no limit")


#: The greatest depth of trees that are searched.
MOST_SEARCHED_DEPTH = 5
#: The options of growth, which the search for the tree of least cost has no use for.
_OF_GROWTH = (
    "base",
    "average_gain",
    "quinlan",
    "confidence",
    "max_leaves",
    "min_samples_split",
    "min_gain",
    "min_impurity",
    "monotone",
    "feature_cost",
    "prefer",
)
_FIXED = {"criterion": "gini", "categories": "one_against_rest", "missing": "learned"}


def check_search(recipe: Any) -> None:
    """Raise OptionError where a Recipe with an `optimal_search` has options of growth, or no depth."""
    search, is_cv = recipe.optimal_search, recipe.size_choice is not None
    fits = isinstance(search, OptimalSearch) and is_cv is (search.leaf_penalty is None)
    require("optimal_search", search, fits, "an OptimalSearch, whose leaf_penalty is None beside a size_choice")
    defaults = {option.name: option.default for option in fields(type(recipe)) if option.name in _OF_GROWTH}
    for name, expected in {**_FIXED, **defaults}.items():
        require(name, getattr(recipe, name), getattr(recipe, name) == expected, f"{expected!r} with optimal()")
    has_depth = recipe.max_depth is not None and recipe.max_depth <= MOST_SEARCHED_DEPTH
    require("max_depth", recipe.max_depth, has_depth, f"a whole number from 0 to {MOST_SEARCHED_DEPTH}")
    require("thresholds", recipe.thresholds, recipe.has_cuts, "midpoint, short or data with optimal()")
