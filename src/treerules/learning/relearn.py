"""Learning a tree again from its own recipe: the same data give the same tree."""

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from treerules._internal.arguments import require_callables_or_none, require_flags
from treerules.criteria import Criterion
from treerules.data.table_data import TableLike, table_of
from treerules.errors import DataError, OptionError
from treerules.growing.problem_from_tree import problem_from_tree
from treerules.growing.task import Progress
from treerules.learning.fold_columns import FoldColumns
from treerules.learning.grow_and_prune import fit
from treerules.pruning.replay import replay_pruning
from treerules.recipes.recipe import Recipe
from treerules.trees.ensemble import require_tree
from treerules.trees.tree import Tree


def relearn(
    tree: Tree,
    table: TableLike,
    *,
    validation: TableLike | None = None,
    weight: Any = None,
    anew: bool = False,
    criterion: Criterion | None = None,
    columns: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Tree:
    """Return the tree that the recipe of a tree learns from a table, pruned by the same steps.

    The same rows, in any order, give the same tree. The features are those of the tree.

    Args:
        tree: a Tree returned by `learn` or loaded from a model file.
        table: a Table, a data frame, a list of dicts, a dict of columns or a 2-D array, with the columns of the tree.
        validation: other rows, of what `table` takes; required if the tree was learned with one, otherwise not allowed.
        weight: an array of sample weights, shape (rows,); required if the tree's weights were an array, otherwise not
            allowed. A column of weights is found by its name.
        anew: True allows other rows than those that the tree was learned from.
        criterion: the record of a user's criterion, if the tree was loaded from a model file, which holds only its
            name; otherwise None.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.
        progress: a function that is called with (rows in leaves, all rows), or None.

    Returns:
        A Tree.

    Raises:
        DataError: the rows are not those that the tree was learned from, the tree lacks its recipe or its origin, or
            a step of its pruning cannot be made again: it took a table, or named nodes of a tree of other rows.
        ColumnError: the table lacks a column, or has one of the wrong kind.
        OptionError: an argument has an invalid value, or `criterion` is required.

    Examples:
        >>> from treerules import Table, learn
        >>> table = Table.from_columns({"x": [1, 2, 3, 5], "y": ["a", "a", "b", "b"]})
        >>> tree = learn(table, target="y")
        >>> relearn(tree, table) == tree
        True
    """
    require_tree("tree", tree)
    table = table_of(table, columns=columns)
    validation = None if validation is None else table_of(validation, columns=columns, argument="validation")
    require_flags(anew=anew)
    require_callables_or_none(progress=progress)
    if criterion is not None:
        tree = _with_criterion(tree, criterion)
    origin = tree.origin
    if origin is None or not isinstance(tree.recipe, Recipe):
        raise DataError("the tree lacks its recipe or its origin", "learn it anew")
    if (origin.weight == "") is (weight is None):
        problem_text = (
            "needs the case weights it was learned with"
            if weight is None
            else "was learned without an array of weights"
        )
        raise DataError(f"the tree {problem_text}", "give weight= the array" if weight is None else "leave weight out")
    if (origin.validation is None) is not (validation is None):
        problem_text = (
            "was learned with a validation table" if validation is None else "was learned without a validation table"
        )
        raise DataError(f"the tree {problem_text}", "give the same here")
    weights = origin.weight if weight is None else weight
    problem = problem_from_tree(tree, table, weights, anew=True)
    fold_columns = FoldColumns(origin.groups, origin.time)
    relearned = fit(problem, tree.recipe, progress, validation, weights, table=table, fold_columns=fold_columns)
    assert relearned.origin is not None
    is_same = (relearned.origin.data, relearned.origin.validation) == (origin.data, origin.validation)
    if not is_same and not anew:
        raise DataError(
            f"the data differ: the tree was learned from {origin.n_rows} other rows ({origin.data[:12]}), "
            f"here are {relearned.origin.n_rows} ({relearned.origin.data[:12]})",
            "give the same rows, or learn from these by the same recipe: anew=True, --anew",
        )
    relearned = replay_pruning(relearned, origin.pruned, is_same=is_same)
    return evolve(relearned, notes=tree.notes) if is_same else relearned


def _with_criterion(tree: Tree, criterion: Any) -> Tree:
    """Return the tree with a recipe that holds the record of its criterion."""
    named = tree.recipe.criterion if isinstance(tree.recipe, Recipe) else None
    if not isinstance(criterion, Criterion) or criterion.name != named:
        raise OptionError("criterion", criterion, f"the Criterion that the tree was learned by: {named}")
    return evolve(tree, recipe=evolve(tree.recipe, criterion=criterion))
