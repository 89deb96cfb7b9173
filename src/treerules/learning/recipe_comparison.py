"""Recipes side by side: the cross-validated error of each, on the same folds."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules.data.table import Table
from treerules.errors import OptionError
from treerules.growing.problem import problem_of
from treerules.learning.folds import fold_numbers
from treerules.learning.grow_and_prune import made
from treerules.learning.held_out_losses import Progress, held_out, risk_of_problem, sums_of
from treerules.learning.shared_presort import Known
from treerules.recipes.recipe import Recipe
from treerules.trees.nodes import as_leaf
from treerules.trees.walkers import leaves


@frozen
class RecipeResult:
    """One recipe: its mean loss on the rows held out with its standard error, and the tree of all rows."""

    name: str
    recipe: Recipe
    #: misclassified share (or mean cost), or the mean squared error
    error: float
    standard_error: float
    #: the error of the tree of all rows on those rows
    training_error: float
    n_leaves: int
    depth: int


@frozen(repr=False)
class RecipeComparison(Shown):
    """The rows of a comparison, in the order in which the recipes were given."""

    rows: tuple[RecipeResult, ...] = field(converter=as_tuple)
    n_folds: int

    def __repr__(self) -> str:
        return f"<RecipeComparison recipes={len(self.rows)} folds={self.n_folds}>"

    @property
    def best(self) -> RecipeResult:
        """The row of least error, the first on ties."""
        return min(self.rows, key=lambda row: row.error)


def compare_recipes(
    table: Table,
    recipes: Mapping[str, Recipe] | Iterable[Recipe],
    *,
    target: str,
    folds: Any = 10,
    seed: int = 0,
    task: Any = None,
    features: Collection[str] | None = None,
    drop: Collection[str] = (),
    drop_missing_target: bool = False,
    weight: Any = None,
    processes: int = 1,
    progress: "Progress | None" = None,
) -> RecipeComparison:
    """Return the cross-validated error of each recipe, with its standard error, all on the same folds.

    The trees are those that the recipes make, not pruned further. Recipes without names have those of their algorithm
    and their number. All else as in `cross_validate`; `progress` is called with (folds done, folds of all recipes).

    Raises:
        OptionError: there is no recipe.
        as `cross_validate` does.
    """
    named = _named(recipes)
    choices: Any = {"task": task, "features": features, "drop": drop, "drop_missing_target": drop_missing_target}
    rows, n_folds = [], 0
    known: Known = {}
    for place, (name, recipe) in enumerate(named.items()):
        problem = problem_of(table, target=target, recipe=recipe, weight=weight, folds=folds, **choices)
        numbers = fold_numbers(table, problem, folds, seed)
        n_folds = int(numbers.max()) + 1
        done = place * n_folds

        def tell(fold: int, _: int, done: int = done, n_folds: int = n_folds) -> None:
            if progress is not None:
                progress(done + fold, len(named) * n_folds)

        tree = made(problem, recipe)
        risk = risk_of_problem(problem, as_leaf(tree.root))
        parts = held_out(problem, recipe, numbers, whole=True, processes=processes, progress=tell, known=known)
        (total,), (error,) = sums_of(problem, parts, 1)
        n = float(len(problem.target)) if problem.weights is None else float(problem.weights.sum())
        training = sum(risk(leaf) for leaf in leaves(tree.root)) / n
        rows.append(RecipeResult(name, recipe, float(total) / n, float(error) / n, training, tree.n_leaves, tree.depth))
    return RecipeComparison(rows, n_folds)


def _named(recipes: Mapping[str, Recipe] | Iterable[Recipe]) -> dict[str, Recipe]:
    if isinstance(recipes, Recipe):
        raise OptionError("recipes", recipes, "several: a mapping from names to recipes, or a list of them")
    if not isinstance(recipes, Mapping):
        recipes = list(recipes)
        known = all(isinstance(recipe, Recipe) for recipe in recipes)
        recipes = {f"{recipe.name} {place}": recipe for place, recipe in enumerate(recipes, 1)} if known else {}
    if not recipes or not all(isinstance(recipe, Recipe) for recipe in recipes.values()):
        raise OptionError("recipes", recipes, "at least one Recipe: id3(), c45() or cart()")
    return dict(recipes)
