"""Learning: `learn` grows a tree from a table by a recipe."""

from collections.abc import Collection
from typing import Any, Literal

from treerules.data.table import Table
from treerules.errors import OptionError
from treerules.growing.problem import problem_of
from treerules.growing.task import Progress
from treerules.learning.grow_and_prune import learned
from treerules.learning.relearn import relearn
from treerules.recipes.algorithms import c45, cart, id3
from treerules.recipes.recipe import Recipe
from treerules.trees.tree import Tree

__all__ = ("Recipe", "c45", "cart", "id3", "learn", "relearn")

Task = Literal["classification", "regression"]

_CART = cart()


def learn(
    table: Table,
    *,
    target: str,
    recipe: Recipe = _CART,
    task: Task | None = None,
    features: Collection[str] | None = None,
    drop: Collection[str] = (),
    drop_missing_target: bool = False,
    weight: Any = None,
    validation: Table | None = None,
    compiled: bool | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tree:
    """Return the tree that a recipe learns from a table.

    >>> table = Table.from_columns({"有工作": ["否", "否", "是"], "类别": ["否", "否", "是"]})
    >>> learn(table, target="类别", recipe=id3())
    <Tree '类别' leaves=2 depth=1>

    `task` is inferred: a number is a regression, an integer of more than 10 distinct values too, all else a
    classification. `features` names the columns to learn from, all of which are used. Without it every column is a
    feature but the target, the weights and those that `drop` names; columns that teach nothing are then left out, as
    the tree's notes say: the same in every row, text different in every row, consecutive integers; unless their kind
    was declared, or no feature would remain. `progress` is called with (rows settled, all rows).

    `weight` names a column of case weights (numbers from 0), which is no feature then, or is an array, one a row. A
    row of weight 2 counts as two rows in all figures and bounds, one of weight 0 as none. `validation` is a table of
    other rows: a split that does not raise the accuracy on them (for a regression, lower the squared error) is not
    made (Zhou Zhihua, Machine Learning, 4.3.1); a column named `weight` weighs them too.

    `compiled`: may numba's kernels (the extra [fast]) grow it: the same tree, faster (README, Limits)? None: where they
    are loaded, or from a million cells on; from there on, binary splits are grown on so many `threads` (None: one).

    Ties: of the splits within 1e-12 of the node's impurity of the best (Gini: exactly equal) the feature first in
    `recipe.prefer` wins, then the first feature, then the lowest threshold or the first categories; of equally
    frequent classes the first.

    Raises:
        UnknownNameError: a named column or class is not there.
        DataError: there are no rows, no features, or rows without a target (`drop_missing_target=True` drops them).
        ColumnError: a column is of a kind that the recipe cannot use, or holds what is no weight.
        OptionError: a choice does not fit the task, or `threads` is no whole number from 1.
    """
    _check(table, recipe, validation, compiled, threads)
    problem = problem_of(
        table,
        target=target,
        recipe=recipe,
        task=task,
        features=features,
        drop=drop,
        drop_missing_target=drop_missing_target,
        weight=weight,
    )
    return learned(problem, recipe, progress, validation, weight, compiled, threads or 1)


def _check(table: Any, recipe: Any, validation: Any, compiled: Any, threads: Any) -> None:
    for option, value, kind, wanted in (
        ("table", table, Table, "a Table, such as Table.from_rows(...)"),
        ("recipe", recipe, Recipe, "a Recipe: id3(), c45() or cart()"),
        ("validation", validation, Table | None, "a Table, or None"),
        ("compiled", compiled, bool | None, "True, False, or None: by rule"),
    ):
        if not isinstance(value, kind):
            raise OptionError(option, value, wanted)
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or threads < 1):
        raise OptionError("threads", threads, "a whole number from 1, or None: one")
