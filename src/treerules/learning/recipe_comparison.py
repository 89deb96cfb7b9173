"""Comparison of recipes: the cross-validated error of each on the same folds."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import sqrt
from typing import Any

from attrs import field, frozen

from treerules._internal.arguments import require_callables_or_none, require_whole_number
from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.data.table import Types
from treerules.data.table_data import TableLike, table_of
from treerules.errors import OptionError
from treerules.growing.problem import problem_of
from treerules.learning.folds import folds_of
from treerules.learning.grow_and_prune import grow_and_prune
from treerules.learning.held_out_losses import Progress, held_out_losses, sums_of
from treerules.learning.problem_arrays import risk_of_problem
from treerules.learning.shared_presort import PresortedByKey
from treerules.recipes.recipe import Recipe
from treerules.trees.nodes import as_leaf
from treerules.trees.walkers import leaves


@short_repr
@frozen
class RecipeResult:
    """One recipe: its mean loss on the held-out rows with its standard error, and the tree learned from all rows."""

    name: str
    recipe: Recipe
    #: misclassified share (or mean cost), or the mean squared error
    error: float
    standard_error: float
    #: the training error of that tree
    training_error: float
    n_leaves: int
    depth: int


@frozen(repr=False)
class RecipeComparison(Shown):
    """The rows of a comparison, in the order of the recipes."""

    rows: tuple[RecipeResult, ...] = field(converter=as_tuple)
    n_folds: int

    def __repr__(self) -> str:
        return f"<RecipeComparison recipes={len(self.rows)} folds={self.n_folds}>"

    @property
    def best(self) -> RecipeResult:
        """The row of least error, the first on ties."""
        return min(self.rows, key=lambda row: row.error)


def compare_recipes(
    table: TableLike,
    recipes: Mapping[str, Recipe] | Iterable[Recipe],
    *,
    target: str,
    folds: Any = 10,
    seed: int = 0,
    task: Any = None,
    features: Collection[str] | None = None,
    drop: Collection[str] = (),
    keep: Collection[str] = (),
    max_categories: int | None = None,
    drop_missing_target: bool = False,
    weight: Any = None,
    types: Types | None = None,
    columns: Sequence[str] | None = None,
    processes: int = 1,
    progress: "Progress | None" = None,
) -> RecipeComparison:
    """Return the cross-validated error of each recipe, with its standard error, all on the same folds.

    The trees are as the recipes learn them; they are not pruned further.

    Args:
        table: a Table, a data frame (pandas, polars, Arrow), a list of dicts, a dict of columns or a 2-D array, with
            the target, the features and, where columns hold them, the weights and the folds.
        recipes: a mapping from names to recipes, or several recipes, which are named by their algorithm and their
            position from 1.
        target: the name of the target column.
        folds: a number of folds, assigned at random within each class or each interval of a regression's target
            (stratified); the name of a column of fold labels, which is then not a feature; or an array of labels, shape
            (rows,).
        seed: a whole number from 0 for the random folds.
        task: "classification" or "regression" where the kind of the target does not decide it; None infers it.
        features: the names of the columns to learn from; all of them are used, in the order of the table. None uses
            every column but the target, the weights and those in `drop`, and leaves out columns that cannot generalise:
            the same value in every row, a copy of another column, text that differs in every row or nearly, row
            numbers such as consecutive integers, identifiers, long texts. The notes of the result say so. Columns of
            declared kind are kept, and so is the last remaining feature.
        drop: the names of columns that are not features; only without `features`.
        keep: the names of columns that are never left out; only without `features`.
        max_categories: the greatest number of categories of a category column; columns of more are left out, unless
            `keep` names them. None is no bound. Only without `features`.
        drop_missing_target: True leaves out rows without a value of the target; False refuses them.
        weight: the name of a column of sample weights (then not a feature), or an array of shape (rows,). A weight
            is 0 or a number from 1e-12 to 1e12. A row of weight 2 counts as two rows, a row of weight 0 is ignored.
            Where some weights are not whole numbers, `min_samples_leaf` and `min_samples_split` count rows. None: each
            row counts once.
        types: the kinds of columns by name, such as {"grade": "category", "size": "ordinal:S<M<L"}, or None. The values
            keep their type: text that was read as numbers is declared where it is read, as in `read(path, types=...)`.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.
        processes: the number of processes that learn folds in parallel, as in `cross_validate`.
        progress: a function that is called with (folds done, folds of all recipes), or None.

    Returns:
        A RecipeComparison: a RecipeResult for each recipe, in the order given, and `best`.

    Raises:
        OptionError: `recipes` is empty, or another argument has an invalid value.
        UnknownNameError, DataError, ColumnError: as `learn` and `cross_validate` do.

    Examples:
        >>> from treerules import Table, cart
        >>> table = Table.from_columns({"x": [1, 2, 3, 4, 6, 7], "y": ["a", "a", "a", "b", "b", "b"]})
        >>> recipes = {"stump": cart(max_depth=1), "leaf": cart(max_depth=0)}
        >>> result = compare_recipes(table, recipes, target="y", folds=3)
        >>> [(row.name, row.error) for row in result.rows]
        [('stump', 0.16666666666666666), ('leaf', 0.5)]
    """
    table = table_of(table, columns=columns, types=types)
    require_whole_number("seed", seed, 0)
    require_callables_or_none(progress=progress)
    named = _named(recipes)
    choices: Any = {"task": task, "features": features, "drop": drop, "drop_missing_target": drop_missing_target}
    choices |= {"keep": keep, "max_categories": max_categories}
    rows, n_folds = [], 0
    presorted: PresortedByKey = {}
    for index, (name, recipe) in enumerate(named.items()):
        problem = problem_of(table, target=target, recipe=recipe, weight=weight, folds=folds, **choices)
        dealt = folds_of(table, problem.normalised(), folds, seed).times(1 / problem.rows_per_weight)
        n_folds = dealt.n
        done = index * n_folds

        def tell(fold: int, _: int, done: int = done, n_folds: int = n_folds) -> None:
            if progress is not None:
                progress(done + fold, len(named) * n_folds)

        tree = grow_and_prune(problem, recipe)
        risk = risk_of_problem(problem, as_leaf(tree.root))
        parts = held_out_losses(dealt, recipe, whole=True, processes=processes, progress=tell, presorted=presorted)
        (total,), (error,) = sums_of(problem, parts, 1)
        n = float(len(problem.target)) if problem.weights is None else float(problem.weights.sum())
        training = sum(risk(leaf) for leaf in leaves(tree.root)) / n
        deviation = float(error) / n / sqrt(problem.rows_per_weight)
        rows.append(RecipeResult(name, recipe, float(total) / n, deviation, training, tree.n_leaves, tree.depth))
    return RecipeComparison(rows, n_folds)


def _named(recipes: Mapping[str, Recipe] | Iterable[Recipe]) -> dict[str, Recipe]:
    if isinstance(recipes, Recipe):
        raise OptionError("recipes", recipes, "several: a mapping from names to recipes, or a list of them")
    if not isinstance(recipes, Iterable):
        raise OptionError("recipes", recipes, "a mapping from names to recipes, or several recipes")
    recipes = recipes if isinstance(recipes, Mapping) else list(recipes)
    values = list(recipes.values()) if isinstance(recipes, Mapping) else recipes
    if not values or not all(isinstance(recipe, Recipe) for recipe in values):
        raise OptionError("recipes", recipes, "at least one Recipe: id3(), c45() or cart()")
    if isinstance(recipes, Mapping):
        return dict(recipes)
    return {f"{recipe.name} {number}": recipe for number, recipe in enumerate(recipes, 1)}
