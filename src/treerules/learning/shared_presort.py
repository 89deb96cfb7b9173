"""The sorted columns of a problem, shared by folds and by recipes that cut features in the same way."""

from typing import Any

from treerules._internal.jit import COLUMNS, COLUMNS_OF_ROWS, GROWTH, is_used, load_kernels
from treerules.growing.encoding import is_cut_in_order
from treerules.growing.kernel_choice import seconds_saved
from treerules.growing.kernel_refusals import kernel_refusal
from treerules.growing.problem import Problem
from treerules.recipes.recipe import Recipe

#: Presorted columns of one table, target and column of weights, by the options that they depend on.
PresortedByKey = dict[Any, Any]


def presort_for_folds(problem: Problem, recipe: Recipe, n_folds: int, presorted: PresortedByKey) -> Any:
    """Return the presorted columns from which those of the folds are taken.

    They are looked up in `presorted`, or added to it. None if the kernels do not grow the trees, or save less time in
    all folds together than loading or compiling them takes.
    """
    is_grown = recipe.confidence is None and recipe.optimal_search is None
    if not is_grown or kernel_refusal(problem, recipe, None) is not None:
        return None
    if not is_used(GROWTH, seconds_saved(problem, recipe, n_folds)):
        return None
    columns = load_kernels(COLUMNS)
    is_cut = (is_cut_in_order(feature, recipe) for feature in problem.schema.features)
    key = recipe.categories, recipe.quinlan, columns.most_coded(len(problem.target), recipe), *is_cut
    if key not in presorted:
        presorted[key] = columns.kernel_columns(problem, recipe)
    return presorted[key]


def presorted_part(listing: Any, rows: Any, problem: Problem) -> Any:
    """Return the presorted columns restricted to some rows of a problem; None if `listing` is None."""
    if listing is None:
        return None
    width = (len(problem.schema.classes) or 2) + 1
    return load_kernels(COLUMNS_OF_ROWS).columns_of_rows(listing, rows, width)
