"""Learning: `learn` grows a tree from a table by a recipe."""

from collections.abc import Collection, Sequence
from typing import Any, Literal

from treerules._internal.arguments import require_callables_or_none, require_type
from treerules._internal.notes import or_none
from treerules.data.table import Types
from treerules.data.table_data import TableLike, table_of
from treerules.errors import OptionError
from treerules.growing.problem import problem_of
from treerules.growing.task import Progress
from treerules.learning.fold_columns import FoldColumns
from treerules.learning.grow_and_prune import fit
from treerules.learning.relearn import relearn
from treerules.recipes.algorithms import c45, cart, id3
from treerules.recipes.auto import auto
from treerules.recipes.optimal import optimal
from treerules.recipes.recipe import Recipe
from treerules.trees.tree import Tree

__all__ = ("Recipe", "auto", "c45", "cart", "id3", "learn", "optimal", "relearn")

Task = Literal["classification", "regression"]

_AUTO = auto()


def learn(
    table: TableLike,
    *,
    target: str,
    recipe: Recipe = _AUTO,
    task: Task | None = None,
    features: Collection[str] | None = None,
    drop: Collection[str] = (),
    keep: Collection[str] = (),
    max_categories: int | None = None,
    drop_missing_target: bool = False,
    weight: Any = None,
    groups: str | None = None,
    time: str | None = None,
    target_step: float | None = None,
    types: Types | None = None,
    columns: Sequence[str] | None = None,
    validation: TableLike | None = None,
    compiled: bool | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tree:
    """Return the tree that a recipe learns from a table.

    Ties: of the splits within 1e-12 of the node's impurity of the best (Gini: exactly equal) the feature first in
    `recipe.prefer` wins, then the first feature, then the lowest threshold or the first categories. Of equally frequent
    classes the first is predicted. The order of the rows does not change the tree.

    Args:
        table: a Table, a data frame (pandas, polars, Arrow), a list of dicts, a dict of columns or a 2-D array, with
            the target, the features and, where a column holds them, the weights.
        target: the name of the target column. A number, or an integer with more than 10 distinct values, is a
            regression; everything else is a classification.
        recipe: the Recipe to learn by: `auto()`, which chooses the size of the tree by cross-validation; `cart()`,
            `c45()`, `id3()`, which do not; `optimal()`, which searches the tree of least cost; or one of your own.
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
        groups: the name of a column of groups, such as patients (then not a feature), or None. Rows of a group lie in
            one fold when the size of the tree is chosen.
        time: the name of a column of times (then not a feature), or None. When the size is chosen, later rows test
            trees that are learned from earlier ones. Not with `groups`.
        target_step: the power of two, such as 2**-20, to whose multiples the target of a regression is rounded before
            it is learned; a note says how many values changed. None does not round it. The tree keeps the step for
            `relearn` and `cross_validate(table, tree=...)`; with a recipe in place of a tree nothing is rounded.
            Figures of a target that is whole multiples of a unit (integers, decimals of at most six places, a step)
            are exact, correctly rounded.
        types: the kinds of columns by name, such as {"grade": "category", "size": "ordinal:S<M<L"}, or None. The values
            keep their type: text that was read as numbers is declared where it is read, as in `read(path, types=...)`.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.
        validation: other rows, of what `table` takes, or None. A split that does not raise the accuracy on them (for a
            regression, lower the squared error) is not made (Zhou Zhihua, Machine Learning, section 4.3.1). A column
            named by `weight` weighs them too.
        compiled: whether numba (the extra [fast]) may grow the tree: the same tree, faster. None uses it where
            that saves more time than loading it takes, or compiling where that was not done before.
        threads: the number of threads on which compiled code grows binary splits; None is one.
        progress: a function that is called with (rows in leaves, all rows), or None; of `optimal()` with a leaf penalty
            with (lower bound, cost of the best tree).

    Returns:
        A Tree. Its `notes` say what was inferred and left out, its `origin` which data it was learned from.

    Raises:
        UnknownNameError: a named column or class does not exist.
        DataError: there are no rows, no features, or rows without a target.
        ColumnError: a column is of a kind that the recipe cannot use, or weights are missing, negative or infinite.
        OptionError: an argument has an invalid value or does not fit the task.

    Examples:
        >>> from treerules import Table, id3
        >>> table = Table.from_columns({"有工作": ["否", "否", "是"], "类别": ["否", "否", "是"]})
        >>> learn(table, target="类别", recipe=id3())
        <Tree '类别' leaves=2 depth=1>

        A limit such as `max_depth` is a choice of the recipe:

        >>> from treerules import cart
        >>> numbers = Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "b", "a", "b"]})
        >>> learn(numbers, target="y", recipe=cart(max_depth=1))
        <Tree 'y' leaves=2 depth=1>
    """
    table = table_of(table, columns=columns, types=types)
    validation = None if validation is None else table_of(validation, columns=columns, argument="validation")
    _check(target, recipe, compiled, threads)
    fold_columns = FoldColumns(groups, time)
    fold_columns.check(recipe)
    require_callables_or_none(progress=progress)
    problem = problem_of(
        table,
        target=target,
        recipe=recipe,
        task=task,
        features=features,
        drop=drop,
        keep=keep,
        max_categories=max_categories,
        drop_missing_target=drop_missing_target,
        weight=weight,
        groups=groups,
        time=time,
        target_step=target_step,
    )
    return fit(problem, recipe, progress, validation, weight, compiled, threads or 1, table, fold_columns)


def _check(target: Any, recipe: Any, compiled: Any, threads: Any) -> None:
    require_type("target", target, str, "the name of a column")
    require_type("recipe", recipe, Recipe, "a Recipe: auto(), id3(), c45(), cart() or optimal()")
    require_type("compiled", compiled, bool | None, or_none("True, False", "by the size of the table"))
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or threads < 1):
        raise OptionError("threads", threads, or_none("a whole number from 1", "one"))
