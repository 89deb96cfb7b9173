"""Learning again what a tree says of itself: the same data make the same tree."""

from typing import Any

from attrs import evolve

from treerules.criteria import Criterion
from treerules.data.table import Table
from treerules.errors import DataError, OptionError
from treerules.growing.problem_from_tree import problem_from_tree
from treerules.growing.task import Progress
from treerules.learning.grow_and_prune import learned
from treerules.pruning.replay import prune_again
from treerules.recipes.recipe import Recipe
from treerules.trees.tree import Tree


def relearn(
    tree: Tree,
    table: Table,
    *,
    validation: Table | None = None,
    weight: Any = None,
    anew: bool = False,
    criterion: Criterion | None = None,
    progress: Progress | None = None,
) -> Tree:
    """Return the tree that a tree's own recipe learns from a table, pruned as it was; from the same data, the same.

    The features are the tree's; the order of rows is nothing. `weight` is needed where the tree's case weights were no
    column, `validation` where it was learned with such a table. With `anew` the data may be others. `criterion` is the
    record of a user's criterion, which a model file does not hold.

    Raises:
        DataError: the data are not those that the tree was learned from, or what made the tree is not known.
        ColumnError: the table lacks a column, or has one of the wrong kind.
        OptionError: the tree was read from a model file, its criterion is a user's, and `criterion` is not its record.
    """
    if criterion is not None:
        tree = _with_criterion(tree, criterion)
    origin = tree.origin
    if origin is None or not isinstance(tree.recipe, Recipe):
        raise DataError("the tree does not say how it was learned", "learn it anew")
    if (origin.weight == "") is (weight is None):
        asked = (
            "needs the case weights it was learned with"
            if weight is None
            else "was learned without an array of weights"
        )
        raise DataError(f"the tree {asked}", "give weight= the array" if weight is None else "leave weight out")
    if (origin.validation is None) is not (validation is None):
        asked = (
            "was learned with a validation table" if validation is None else "was learned without a validation table"
        )
        raise DataError(f"the tree {asked}", "give the same here")
    weights = origin.weight if weight is None else weight
    problem = problem_from_tree(tree, table, weights)
    found = learned(problem, tree.recipe, progress, validation, weights)
    assert found.origin is not None
    same = (found.origin.data, found.origin.validation) == (origin.data, origin.validation)
    if not same and not anew:
        raise DataError(
            f"the data differ: the tree was learned from {origin.n_rows} other rows ({origin.data[:12]}), "
            f"here are {found.origin.n_rows} ({found.origin.data[:12]})",
            "give the same rows, or learn from these by the same recipe: anew=True, --anew",
        )
    found = prune_again(found, origin.pruned)
    return evolve(found, notes=tree.notes) if same else found


def _with_criterion(tree: Tree, criterion: Any) -> Tree:
    """Return the tree with a recipe that holds the record of its criterion."""
    named = tree.recipe.criterion if isinstance(tree.recipe, Recipe) else None
    if not isinstance(criterion, Criterion) or criterion.name != named:
        raise OptionError("criterion", criterion, f"the Criterion that the tree was learned by: {named}")
    return evolve(tree, recipe=evolve(tree.recipe, criterion=criterion))
