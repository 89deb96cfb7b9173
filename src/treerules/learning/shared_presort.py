"""The sorted columns of a problem, shared by folds and by recipes that cut features in the same way."""

from typing import Any

from treerules._internal.jit import GROWTH, PRESORT, SUBSET, is_used, load_kernels
from treerules.growing.encoding import is_cut_in_order
from treerules.growing.kernel_refusals import kernel_refusal
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: Listings by what they depend on, of one table, target and column of weights.
Known = dict[Any, Any]


def listing_for(problem: Problem, recipe: Recipe, n_folds: int, known: Known) -> Any:
    """Return the listing from which those of the folds are made, taken from the known ones or put among them; None
    where the kernels do not grow the trees, or where all folds together are not worth loading them."""
    cells = len(problem.target) * len(problem.columns) * n_folds
    if recipe.confidence is not None or kernel_refusal(problem, recipe, None) is not None:
        return None
    if not is_used(GROWTH, cells):
        return None
    presort = load_kernels(PRESORT)
    is_cut = (is_cut_in_order(feature, recipe) for feature in problem.schema.features)
    key = recipe.categories, presort.most_counted(problem, recipe), *is_cut
    if key not in known:
        known[key] = presort.presort_problem(problem, recipe)
    return known[key]


def listing_without(listing: Any, rows: Any) -> Any:
    """Return the listing of the rows that are kept; None of None."""
    if listing is None:
        return None
    return load_kernels(SUBSET).subset_of_presorted(listing, rows)
