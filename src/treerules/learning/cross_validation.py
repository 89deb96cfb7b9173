"""Cost complexity chosen by cross-validation: the cp table of rpart (Breiman 1984, section 3.4)."""

from collections.abc import Collection, Sequence
from typing import Any, Literal

from attrs import evolve, field, frozen

from treerules._internal.arguments import require_callables_or_none, require_flags, require_type, require_whole_number
from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.notes import one_of, with_arguments
from treerules._internal.short_repr import short_repr
from treerules.data.table import Table, Types
from treerules.data.table_data import TableLike, table_of
from treerules.errors import DataError, OptionError, UnknownNameError
from treerules.growing.feature_choice import no_choice_beside_tree
from treerules.growing.kernel_choice import kernels_wanted
from treerules.growing.problem import Problem, problem_of
from treerules.growing.problem_from_tree import problem_from_tree
from treerules.learning.fold_columns import FoldColumns
from treerules.learning.folds import Folds, folds_of
from treerules.learning.grow_and_prune import fit
from treerules.learning.held_out_losses import Progress, held_out_losses, sums_of
from treerules.learning.problem_arrays import alphas_of, arrays_of_problem, weight_of
from treerules.pruning.cost_complexity import alphas_between, steps_of
from treerules.pruning.pruners import prune
from treerules.recipes.algorithms import cart
from treerules.recipes.auto import growth_recipe
from treerules.recipes.recipe import Recipe
from treerules.trees.provenance import hash_of
from treerules.trees.tree import Tree
from treerules.trees.tree_arrays import TreeArrays

Rule = Literal["min", "1se"]
Complexity = Literal["breiman", "rpart"]
COMPLEXITIES = ("breiman", "rpart")
RULES = ("min", "1se")
#: The number of folds that are expected where labels say it.
_USUAL_FOLDS = 10
_CART = cart()


@short_repr
@frozen
class CpRow:
    """One subtree of the path: it is the best one for every cp from its own to that of the row before."""

    #: alpha, as a share of the root's risk
    cp: float
    #: alpha in units of the risk: the argument of `prune(tree, "cost_complexity", alpha=...)`
    alpha: float
    #: leaves less one (with splits in two: the number of splits)
    n_splits: int
    #: training risk, as a share of the root's
    relative_error: float
    #: risk on the held-out rows, as a share of the root's training risk, and its standard error
    xerror: float
    xstd: float


@frozen(repr=False)
class CrossValidation(Shown):
    """A cp table, from the root alone to the whole tree, and the tree."""

    rows: tuple[CpRow, ...] = field(converter=as_tuple)
    tree: Tree
    n_folds: int
    #: the root's training risk: misclassified weight (or cost), or the sum of squared errors
    root_risk: float

    def __repr__(self) -> str:
        return f"<CrossValidation rows={len(self.rows)} folds={self.n_folds}>"

    def row(self, rule: Rule = "1se") -> CpRow:
        """Return the row of least xerror, or for "1se" that of the smallest tree within one standard error of it.

        Of equal xerrors the smallest tree wins.

        Raises:
            UnknownNameError: `rule` is neither "min" nor "1se".
        """
        if rule not in RULES:
            raise UnknownNameError("rule", str(rule), RULES)
        best = min(self.rows, key=lambda row: row.xerror)
        most = best.xerror + (best.xstd if rule == "1se" else 0.0)
        return next(row for row in self.rows if row.xerror <= most + 1e-12 * abs(most))

    def chosen(self, rule: Rule = "1se") -> Tree:
        """Return the tree of the row that a rule chooses."""
        return prune_at(self.tree, self.row(rule).alpha)


def prune_at(tree: Tree, alpha: float) -> Tree:
    """Return a tree pruned by cost complexity, with the pruning step in its origin."""
    return prune(tree, "cost_complexity", alpha=alpha)


def cross_validate(
    table: TableLike,
    *,
    target: str | None = None,
    tree: Tree | None = None,
    recipe: Recipe | None = None,
    folds: Any = 10,
    cp: float = 0.0,
    complexity: Complexity = "breiman",
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
) -> CrossValidation:
    """Return the table of complexity parameters (cp) of a tree, with errors estimated by cross-validation.

    The cost-complexity path of the whole tree gives the rows (Breiman 1984, section 3.4). As in rpart, each is judged
    by trees that are learned without one fold and pruned at the geometric mean of its cp and the next greater one, on
    the rows of that fold. Class weights and priors are those of the whole table. Three things differ from rpart: a
    held-out value that equals a threshold goes to the first child (`x <= t`, in rpart `x < t`), costs are not
    transposed for held-out rows, and the path is Breiman's unless `complexity` is "rpart"
    (docs/en/explanations/differences.md).

    The trees of the folds are learned by the recipe of the tree: that of `auto()` chooses the size in each fold too, so
    that the last row is the error of what `learn` does, as its estimate is.

    Args:
        table: a Table, a data frame (pandas, polars, Arrow), a list of dicts, a dict of columns or a 2-D array, with
            the target, the features and, where columns hold them, the weights and the folds.
        target: the name of the target column; None with `tree`.
        tree: a Tree that was learned from the table, instead of `target`; its recipe, target, features and column of
            weights are used.
        recipe: the Recipe to learn by; None is `cart()`. Only with `target`.
        folds: a number of folds, assigned at random within each class or each interval of a regression's target
            (stratified), or by the column of groups or times by which the size of `tree` was chosen; the name of a
            column of fold labels, which is then not a feature; or an array of labels, shape (rows,).
        cp: the cp of the last row, a share of the root's risk, from 0 to below 1. Splits of smaller cp are pruned
            first.
        complexity: "breiman" is the weakest link, so that each row is the smallest of the best subtrees for its cp;
            "rpart" is the approximation of R's rpart, which leaves some of these subtrees out.
        seed: an integer of at least 0, for the random folds.
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
        processes: the number of processes that learn folds in parallel. Processes are spawned, so a script with more
            than one needs `if __name__ == "__main__":`.
        progress: a function that is called with (folds done, all folds), or None.

    Returns:
        A CrossValidation: its `rows` from the root alone to the whole tree, and `chosen()`, the pruned tree.

    Raises:
        OptionError, UnknownNameError: an argument has an invalid value, or a process died; as `learn` does.
        DataError: the rows are not those of the tree, or have no fold; squared errors exceed the range of floats; as
            `learn` does.

    Examples:
        >>> from treerules import Table
        >>> table = Table.from_columns({"x": [1, 2, 3, 4, 6, 7], "y": ["a", "a", "a", "b", "b", "b"]})
        >>> result = cross_validate(table, target="y", folds=3)
        >>> [(row.n_splits, row.xerror) for row in result.rows]
        [(0, 1.0), (1, 0.3333333333333333)]
        >>> result.chosen()
        <Tree 'y' leaves=2 depth=1>
    """
    table = table_of(table, columns=columns, types=types)
    require_type("target", target, str | None, with_arguments("the name of a column, or None with {tree}", "tree"))
    require_type("tree", tree, Tree | None, with_arguments("a Tree, or None with {target}", "target"))
    require_type("recipe", recipe, Recipe | None, "a Recipe: id3(), c45() or cart()")
    require_flags(drop_missing_target=drop_missing_target)
    require_callables_or_none(progress=progress)
    require_whole_number("seed", seed, 0)
    if isinstance(cp, bool) or not isinstance(cp, (int, float)) or not 0 <= cp < 1:
        raise OptionError("cp", cp, "a number from 0, below 1")
    if not isinstance(complexity, str) or complexity not in COMPLEXITIES:
        raise UnknownNameError("complexity", str(complexity), COMPLEXITIES)
    choices = {"task": task, "features": features, "drop": drop, "drop_missing_target": drop_missing_target}
    choices |= {"folds": folds, "keep": keep, "max_categories": max_categories}
    problem, whole = _whole(table, target, tree, recipe, weight, choices)
    of_weight, factor = problem, problem.rows_per_weight
    problem = problem.normalised()
    dealt = _dealt(table, problem, tree, folds, seed)
    arrays = arrays_of_problem(whole, of_weight).times(factor, is_regression=problem.schema.is_regression)
    root_risk = arrays.risks[0]
    least = cp * root_risk if complexity == "rpart" else None
    steps = _steps(arrays, cp * root_risk, alphas_of(arrays, least))
    alphas = alphas_between([alpha for alpha, _, _ in steps])[::-1]
    recipe = whole.recipe
    if recipe.optimal_search is not None:
        recipe = growth_recipe(recipe, is_regression=problem.schema.is_regression, size=problem.size)
    parts = held_out_losses(dealt, recipe, alphas, least=least, processes=processes, progress=progress)
    share = sum(weight_of(dealt.problem, rest) for _, rest in dealt.parts()) / weight_of(problem)
    sums, errors = (values[::-1] / share for values in sums_of(problem, parts, len(alphas)))
    scale = root_risk if root_risk > 0 else 1.0
    rows = [
        CpRow(alpha / scale, alpha / factor, leaves - 1, risk / scale, x / scale, error / scale)
        for (alpha, leaves, risk), x, error in zip(steps, sums.tolist(), errors.tolist(), strict=True)
    ]
    if cp:
        rows[-1] = evolve(rows[-1], cp=float(cp))
    return CrossValidation(rows, whole, len(parts), root_risk / factor)


def _dealt(table: Table, problem: Problem, tree: Tree | None, folds: Any, seed: int) -> Folds:
    """Return the folds: a number of them is dealt by the column of groups or times by which the tree was chosen."""
    origin = None if tree is None else tree.origin
    if origin is not None and isinstance(folds, int) and not isinstance(folds, bool) and folds > 1:
        by_column = FoldColumns(origin.groups, origin.time).dealt(table, problem, folds)
        if by_column is not None:
            return by_column
    return folds_of(table, problem, folds, seed)


def _whole(
    table: Table, target: str | None, tree: Tree | None, recipe: Recipe | None, weight: Any, choices: dict[str, Any]
) -> tuple["Problem", Tree]:
    """Return the problem that is cross-validated, and the tree of all its rows."""
    if (target is None) is (tree is None):
        raise OptionError("target", target, one_of("target", "tree"))
    if target is not None:
        recipe = recipe or _CART
        problem = problem_of(table, target=target, recipe=recipe, weight=weight, **choices)
        n_trees = 1 + (choices["folds"] if isinstance(choices["folds"], int) else _USUAL_FOLDS)
        return problem, fit(problem, recipe, weight=weight, compiled=kernels_wanted(problem, recipe, n_trees))
    assert tree is not None
    no_choice_beside_tree(*(choices[name] for name in ("features", "drop", "task", "keep", "max_categories")))
    if not isinstance(tree.recipe, Recipe) or recipe is not None:
        raise OptionError("recipe", recipe, with_arguments("None with {tree}, which has its own recipe", "tree"))
    if weight is None and tree.origin is not None:
        weight = tree.origin.weight or None
    problem = problem_from_tree(tree, table, weight)
    if tree.origin is not None and hash_of(problem.columns, problem.target, problem.weights) != tree.origin.data:
        raise DataError("the data differ from those that the tree was learned from", "give its training rows")
    return problem, tree


def _steps(arrays: TreeArrays, least: float, alphas: list[float]) -> list[tuple[float, int, float]]:
    """Return (alpha, leaves, risk) of the subtrees on the path, from the root alone down to the least alpha."""
    steps = [(step.alpha, step.n_leaves, step.risk) for step in steps_of(arrays.risks, arrays.children, alphas)]
    kept = [step for step in steps if step[0] > least * (1 + 1e-12)]
    at_cp = [step for step in steps if step[0] <= least * (1 + 1e-12)][-1:]
    steps_from_root = [*((least, leaves, risk) for _, leaves, risk in at_cp), *kept][::-1]
    return [
        (steps_from_root[0][0], 1, arrays.risks[0]),
        *steps_from_root[1:],
    ]  # summing from below would round
