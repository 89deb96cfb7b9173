"""How much each feature tells about the target at one node: the table that the books print before they split."""

from collections.abc import Collection, Sequence
from typing import Any

from attrs import evolve

from treerules.data.casting import aligned
from treerules.data.column import known_alone, taken
from treerules.data.sample_weights import case_weights
from treerules.data.table import Table
from treerules.errors import DataError, OptionError
from treerules.evaluation.gain_figures import feature_gain, whole
from treerules.evaluation.gain_records import FeatureGain, FeatureGains
from treerules.growing.feature_choice import no_choice_beside_tree
from treerules.growing.growers import grow
from treerules.growing.problem import Problem, problem_of
from treerules.learning.learn import Task
from treerules.recipes.algorithms import cart
from treerules.recipes.recipe import Recipe
from treerules.trees.nodes import Split
from treerules.trees.predict import asked_at, rows_at
from treerules.trees.tree import Tree


def feature_gains(
    table: Table,
    *,
    target: str | None = None,
    tree: Tree | None = None,
    node: int = 0,
    recipe: Recipe | None = None,
    task: Task | None = None,
    features: Collection[str] | None = None,
    drop: Collection[str] = (),
    drop_missing_target: bool = False,
    weight: Any = None,
) -> FeatureGains:
    """Return what each feature tells about the target: on all rows, or on those that reach a node of a tree.

    With a `target` the features are those that `learn` would use, and the feature that the recipe would choose is
    marked; the recipe is CART by default, with categories one against the rest as in Li Hang's examples 5.2 to 5.4.
    With a `tree` they are the tree's, target and recipe too, and the feature that the tree asks for at `node` (number
    in preorder, the root is 0) is marked.

    `weight` names a column of sample weights (numbers from 0), which is no feature then, or is an array of them. A row
    of weight 2 counts as two rows in every figure.

    >>> table = Table.from_columns({"有工作": ["否", "否", "是"], "类别": ["否", "否", "是"]})
    >>> feature_gains(table, target="类别").feature("有工作").gain
    0.9182958340544896

    Raises:
        OptionError: both or none of target and tree are given, or the tree has no such node.
        UnknownNameError, DataError, ColumnError: as `learn` does; DataError also where no row reaches the node.
    """
    for option, value, kind, wanted in (
        ("table", table, Table, "a Table, such as Table.from_rows(...)"),
        ("tree", tree, Tree | None, "a Tree, or None"),
        ("recipe", recipe, Recipe | None, "a Recipe: id3(), c45() or cart()"),
    ):
        if not isinstance(value, kind):
            raise OptionError(option, value, wanted)
    if (target is None) is (tree is None):
        raise OptionError("target", target, "a target or a tree, one of them")
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
            drop_missing_target=drop_missing_target,
            weight=weight,
        )
        return _gains(problem, recipe, _choice(problem, recipe))
    no_choice_beside_tree(features, drop, task)
    return _at_node(table, tree, node, recipe, weight)


def _at_node(table: Table, tree: Tree, node: int, recipe: Recipe | None, weight: Any) -> FeatureGains:
    goal = tree.schema.target
    assert goal is not None
    rows = rows_at(tree, table, node)
    if not len(rows):
        raise DataError(f"no row of the table reaches node {node}", "give the rows that the tree was learned from")
    used = [*tree.schema.features, goal]
    columns = [known_alone(taken(aligned(feature, table.column(feature.name)), rows)) for feature in used]
    recipe = _plain(recipe or tree.recipe or cart(categories="one_against_rest"))
    problem = problem_of(
        Table(columns),
        target=goal.name,
        recipe=recipe,
        task="regression" if tree.schema.is_regression else "classification",
        features=[feature.name for feature in tree.schema.features],
        drop_missing_target=True,
        weight=None if weight is None else case_weights(table, weight)[rows],
    )
    return _gains(problem, recipe, asked_at(tree, node))


def _plain(recipe: Recipe) -> Recipe:
    """Return a recipe without the choices that name classes and features, of which a node need not have all."""
    return evolve(recipe, class_weight=(), priors=(), costs=(), monotone=(), feature_cost=(), prefer=())


def _choice(problem: "Problem", recipe: Recipe) -> int | None:
    """Return the feature that a recipe splits by; None where it makes a leaf."""
    root = grow(problem, evolve(recipe, max_depth=1)).root
    return root.test.feature if isinstance(root, Split) else None


def _gains(problem: "Problem", recipe: Recipe, choice: int | None) -> FeatureGains:
    features = [feature_gain(problem, recipe, index) for index in range(len(problem.columns))]
    marked: Sequence[FeatureGain] = [evolve(gain, chosen=index == choice) for index, gain in enumerate(features)]
    return evolve(whole(problem, recipe), features=marked, notes=problem.notes)
