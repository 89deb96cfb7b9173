"""Gains of the features at one node, as textbooks tabulate them before a split."""

from collections.abc import Collection, Sequence
from typing import Any

from attrs import evolve

from treerules._internal.arguments import require_flags, require_type, require_whole_number
from treerules._internal.notes import one_of, with_arguments
from treerules.data.casting import align_column
from treerules.data.column import mask_unseen, take_rows
from treerules.data.sample_weights import are_whole, case_weights
from treerules.data.table import Table, Types
from treerules.data.table_data import TableLike, table_of
from treerules.errors import DataError, OptionError
from treerules.evaluation.gain_figures import feature_gain, gains_without_features
from treerules.evaluation.gain_records import FeatureGain, FeatureGains
from treerules.growing.feature_choice import no_choice_beside_tree
from treerules.growing.growers import grow
from treerules.growing.problem import Problem, problem_of
from treerules.learning.learn import Task
from treerules.recipes.algorithms import cart
from treerules.recipes.recipe import Recipe
from treerules.trees.ensemble import one_tree_of
from treerules.trees.nodes import Split
from treerules.trees.predict import feature_tested_at, rows_at
from treerules.trees.tree import Tree


def feature_gains(
    table: TableLike,
    *,
    target: str | None = None,
    tree: Tree | None = None,
    node: int = 0,
    recipe: Recipe | None = None,
    task: Task | None = None,
    features: Collection[str] | None = None,
    drop: Collection[str] = (),
    keep: Collection[str] = (),
    max_categories: int | None = None,
    drop_missing_target: bool = False,
    weight: Any = None,
    types: Types | None = None,
    columns: Sequence[str] | None = None,
) -> FeatureGains:
    """Return the gains of each feature: on all rows, or on those that reach a node of a tree.

    This is the table of textbooks for the choice of a split. Each category is a separate branch; an ordered feature is
    cut where the gain is greatest. The feature that the recipe chooses, or that the tree tests at the node, is marked.

    Args:
        table: a Table, a data frame (pandas, polars, Arrow), a list of dicts, a dict of columns or a 2-D array, with
            the target and the features.
        target: the name of the target column; None with `tree`.
        tree: a Tree, instead of `target`; its features, target and recipe are used.
        node: the number of a node of the tree, in preorder from 0, the root; only with `tree`.
        recipe: how to choose a feature; None is that of the tree, or `cart(categories="one_against_rest")` as in Li
            Hang, examples 5.2 to 5.4.
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
            is 0 or a number from 1e-12 to 1e12. A row of weight 2 counts as two rows, one of weight 0 not at all.
            Where some weights are not whole numbers, `min_samples_leaf` counts rows. None: each row counts once.
        types: the kinds of columns by name, such as {"grade": "category", "size": "ordinal:S<M<L"}, or None. The values
            keep their type: text that was read as numbers is declared where it is read, as in `read(path, types=...)`.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.

    Returns:
        A FeatureGains: a FeatureGain for each feature, in the schema's order.

    Raises:
        OptionError: both or none of `target` and `tree` are given, the tree has no such node, or another argument is
            invalid.
        DataError: no row reaches the node; or as `learn` does.
        UnknownNameError, ColumnError: as `learn` does.

    Examples:
        >>> from treerules import Table
        >>> table = Table.from_columns({"有工作": ["否", "否", "是"], "类别": ["否", "否", "是"]})
        >>> feature_gains(table, target="类别").feature("有工作").gain
        0.9182958340544896
    """
    table = table_of(table, columns=columns, types=types)
    require_type("target", target, str | None, with_arguments("the name of a column, or None with {tree}", "tree"))
    require_type(
        "tree", tree, Tree | None, one_tree_of(tree, with_arguments("a Tree, or None with {target}", "target"))
    )
    require_type("recipe", recipe, Recipe | None, "a Recipe: id3(), c45() or cart()")
    require_flags(drop_missing_target=drop_missing_target)
    require_whole_number("node", node, 0)
    if (target is None) is (tree is None):
        raise OptionError("target", target, one_of("target", "tree"))
    if tree is None:
        recipe = recipe or cart(categories="one_against_rest")
        assert target is not None
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
        )
        return _gains(problem, recipe, _choice(problem, recipe))
    no_choice_beside_tree(features, drop, task, keep, max_categories)
    return _at_node(table, tree, node, recipe, weight)


def _at_node(table: Table, tree: Tree, node: int, recipe: Recipe | None, weight: Any) -> FeatureGains:
    goal = tree.schema.target
    assert goal is not None
    rows = rows_at(tree, table, node)
    if not len(rows):
        raise DataError(f"no row of the table reaches node {node}", "give the rows that the tree was learned from")
    tested_features = [*tree.schema.features, goal]
    columns = [
        mask_unseen(take_rows(align_column(feature, table.column(feature.name)), rows)) for feature in tested_features
    ]
    recipe = _plain(recipe or tree.recipe or cart(categories="one_against_rest"))
    weights = None if weight is None else case_weights(table, weight)
    problem = problem_of(
        Table(columns),
        target=goal.name,
        recipe=recipe,
        task="regression" if tree.schema.is_regression else "classification",
        features=[feature.name for feature in tree.schema.features],
        drop_missing_target=True,
        weight=None if weights is None else weights[rows],
        counts_rows=tree.schema.counted == "weight" or not are_whole(weights),
    )
    return _gains(problem, recipe, feature_tested_at(tree, node))


def _plain(recipe: Recipe) -> Recipe:
    """Return a recipe without the options that name classes and features, some of which a node may lack."""
    return evolve(recipe, class_weight=(), priors=(), costs=(), monotone=(), feature_cost=(), prefer=())


def _choice(problem: "Problem", recipe: Recipe) -> int | None:
    """Return the feature by which a recipe splits the root; None if it makes a leaf."""
    max_depth = 1 if recipe.max_depth is None else min(1, recipe.max_depth)
    root = grow(problem, evolve(recipe, max_depth=max_depth)).root
    return root.test.feature if isinstance(root, Split) else None


def _gains(problem: "Problem", recipe: Recipe, choice: int | None) -> FeatureGains:
    features = [feature_gain(problem, recipe, index) for index in range(len(problem.columns))]
    marked_features: Sequence[FeatureGain] = [
        evolve(gain, chosen=index == choice) for index, gain in enumerate(features)
    ]
    return evolve(gains_without_features(problem, recipe), features=marked_features, notes=problem.notes)
