"""Growth of a tree level by level with numpy: many small nodes cost no more calls than one large node.

The gains of all nodes are computed together (`level_gains`), and splits are decided as the reference does
(`level_decision`). Where rounding errors leave a decision open, the reference decides the node.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import frozen

from treerules.criteria.table import GINI_KERNEL, kernel_of
from treerules.growing.array_tree import ABSENT, CUT, LEAF, MISSING_TEST, SUBSETS, ArrayTree
from treerules.growing.encoding import EncodedProblem, is_cut_in_order
from treerules.growing.levelwise.level_decision import LevelSplits, decide_level
from treerules.growing.levelwise.level_nodes import level_statistics
from treerules.growing.levelwise.level_rows import Level, SearchPlan, child_level, root_level, search_plan, split_level
from treerules.growing.levelwise.level_scoring import level_scoring
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext, PendingNode
from treerules.growing.reference.row_partition import child_of_rows
from treerules.growing.reference.split_tests import missing_child_of
from treerules.growing.refusals import binary_criterion_refusal, common_reasons, first_reason, is_too_wide
from treerules.recipes.recipe import Recipe

#: Children are grouped by their number of classes, up to each of these, so that sums of a class cover few other nodes.
_FEW_CLASSES = np.array([2, 4])


def level_refusal(problem: Problem, recipe: Recipe, validation: Any) -> str | None:
    """Return why a tree cannot be grown level by level; None where it can.

    Supported are cuts, one category against the rest, and subsets of categories for two classes where a leaf may
    hold one row; by Gini, entropy or squared error; equally weighted rows; missing values that go where they help,
    of categories under Gini alone; all stopping rules but `max_leaves`.
    """
    is_ordered_by_means = problem.weighing is not None and len(problem.schema.classes) <= 2 and recipe.least <= 1
    has_only_cuts = is_ordered_by_means or all(is_cut_in_order(feature, recipe) for feature in problem.schema.features)
    unscored = binary_criterion_refusal(recipe.scoring_of(problem.weighing is None))
    has_supported_categories = recipe.categories == "one_against_rest" or (
        recipe.categories == "subset" and has_only_cuts
    )
    return first_reason(
        [
            *common_reasons(problem, recipe, validation),
            (recipe.quinlan, "C4.5 as published is asked for"),
            (not has_supported_categories, "categories are split in a way that it does not support"),
            (unscored is not None, unscored or ""),
            (
                not _supports_missing(problem, recipe),
                "missing values are treated in a way that it does not support",
            ),
            (recipe.average_gain, "only features of average gain compete"),
            (is_too_wide(problem), "sums of the target need more than 62 bits"),
        ]
    )


def _supports_missing(problem: Problem, recipe: Recipe) -> bool:
    """Return whether no value is missing, or level-wise growth finds where the missing ones go.

    With the missing values as one more category the best subsets are still found in the order of means; the proof that
    no other subset is as good holds for Gini.
    """
    features = [column.feature for column in problem.columns if column.n_missing]
    has_only_cuts = all(is_cut_in_order(feature, recipe) for feature in features)
    is_found = has_only_cuts or (recipe.categories == "subset" and kernel_of(recipe.scoring) == GINI_KERNEL)
    return not features or (recipe.missing == "learned" and is_found)


@frozen(eq=False)
class _Growth:
    """The tree that is grown: arrays with room for all nodes, in the order of their numbers (see `ArrayTree`)."""

    context: GrowthContext
    plan: SearchPlan
    kind: Any
    feature: Any
    low: Any
    high: Any
    largest_child: Any
    missing_child: Any
    first_child: Any
    statistics: Any
    sides: list[Any]
    n_nodes: list[int]

    @property
    def data(self) -> EncodedProblem:
        """The encoded problem."""
        return self.context.data

    @property
    def recipe(self) -> Recipe:
        """The recipe."""
        return self.context.recipe


def grow_by_levels(
    problem: Problem, recipe: Recipe, context: GrowthContext, progress: Callable[[int, int], None] | None = None
) -> ArrayTree:
    """Return the tree that the reference grows, as arrays. `level_refusal` must be None.

    `progress(done, total)` is called with the number of rows already in leaves.
    """
    n = len(problem.target)
    growth = _growth(context, n, len(problem.schema.classes) or 3)
    levels = _root_levels(growth)
    n_pending = sum(len(level.rows) for level in levels)
    while levels:
        level = levels.pop()
        n_pending -= len(level.rows)
        children = _grow_level(growth, level)
        if len(children.node):
            n_pending += len(children.rows)
            levels.extend(list(split_level(children, growth.plan))[::-1])
        if progress is not None:
            progress(n - n_pending, n)
    if progress is not None and growth.n_nodes[0] == 1:
        progress(n, n)
    n_nodes = growth.n_nodes[0]
    return ArrayTree(
        kind=growth.kind[:n_nodes],
        feature=growth.feature[:n_nodes],
        first_child=growth.first_child[:n_nodes],
        missing_child=growth.missing_child[:n_nodes],
        largest_child=growth.largest_child[:n_nodes],
        statistics=growth.statistics[:n_nodes],
        low=growth.low[:n_nodes],
        high=growth.high[:n_nodes],
        sides=growth.sides,
    )


def _growth(context: GrowthContext, n_rows: int, n_statistics: int) -> _Growth:
    """Return arrays with room for the nodes of any tree of this many rows; unused entries take no memory."""
    n = 2 * n_rows + 1
    kind, largest, missing = (np.zeros(n, dtype=np.int8) for _ in range(3))
    low, high, child = (np.zeros(n, dtype=np.int64) for _ in range(3))
    feature, statistics = np.zeros(n, dtype=np.int32), np.zeros((n, n_statistics))
    plan = search_plan(context.data, context.recipe)
    return _Growth(context, plan, kind, feature, low, high, largest, missing, child, statistics, [], [1])


def _root_levels(growth: _Growth) -> list[Level]:
    """Write the root, and return its level; no level where the root is a leaf."""
    level = root_level(growth.data, growth.plan)
    root = level_statistics(growth.data, growth.recipe, level.rows, level.subset.target, level.size, level.depth)
    growth.statistics[:1] = root.statistics
    return [level] if root.is_splittable[0] else []


def _grow_level(growth: _Growth, level: Level) -> Level:
    """Split the nodes of a level, and return the level of the children that may be split again."""
    statistics = growth.statistics[level.node]
    scoring = level_scoring(level, growth.data, growth.recipe, statistics)
    splits = decide_level(level, growth.plan, growth.data, scoring, growth.recipe)
    for position in np.flatnonzero(splits.needs_reference).tolist():
        _decide_by_reference(growth, level, position, splits)
    split = np.flatnonzero(splits.kind != LEAF)
    child_of_row = splits.side.take(level.rows)
    rows = np.concatenate([level.rows[child_of_row == child] for child in (0, 1)])
    n_second = np.add.reduceat(child_of_row == 1, level.start, dtype=np.intp)[split]
    sizes = np.array([level.size[split] - n_second, n_second])
    numbers = growth.n_nodes[0] + 2 * np.arange(len(split)) + np.array([[0], [1]])
    growth.n_nodes[0] += 2 * len(split)
    _record_splits(growth, level, splits, split, numbers, sizes)
    number, size, depth = numbers.ravel(), sizes.ravel(), np.tile(level.depth[split] + 1, 2)
    groups = np.full(len(size), -1)
    if len(split):
        part = level.subset
        children = level_statistics(growth.data, growth.recipe, part.rows[rows], part.target[rows], size, depth)
        growth.statistics[number] = children.statistics
        groups[children.is_splittable] = _groups_of_children(growth, children.statistics)[children.is_splittable]
        splits.side[rows] = np.repeat(groups, size).astype(np.uint8)
    return child_level(level, splits.side, number, depth, size, groups)


def _groups_of_children(growth: _Growth, statistics: Any) -> Any:
    """Return the group of each child: those of many classes first, then all first children before the second ones."""
    is_second = np.arange(len(statistics)) >= len(statistics) // 2
    if growth.data.n_classes <= 2:
        return is_second.astype(np.intp)
    return 2 * ((statistics > 0).sum(axis=1)[:, None] <= _FEW_CLASSES).sum(axis=1) + is_second


def _record_splits(
    growth: _Growth, level: Level, splits: LevelSplits, positions: Any, child_numbers: Any, child_sizes: Any
) -> None:
    """Write the splits of a level into the tree.

    `positions` are those of the nodes that are split, shape (splits,); `child_numbers` and `child_sizes` have shape
    (2, splits).
    """
    nodes, kind, feature = level.node[positions], splits.kind[positions], growth.plan.feature_of[splits.line[positions]]
    known_sizes, is_missing_second = child_sizes, None
    if growth.plan.has_missing:
        n_missing = _missing_by_side(growth.plan, level, splits)[:, positions]
        known_sizes, is_missing_second = child_sizes - n_missing, n_missing[1] > 0
        kind = np.where(is_missing_second & (known_sizes[1] == 0), MISSING_TEST, kind)
    is_second_largest = known_sizes[1] > known_sizes[0]
    growth.kind[nodes], growth.feature[nodes] = kind, feature
    growth.low[nodes] = level.subset.rows[splits.low[positions]]
    growth.high[nodes] = level.subset.rows[splits.high[positions]]
    growth.first_child[nodes] = child_numbers[0]
    growth.largest_child[nodes] = growth.missing_child[nodes] = is_second_largest
    if is_missing_second is not None:
        growth.missing_child[nodes] = np.where(n_missing.any(axis=0), is_missing_second, is_second_largest)
    for position, index in zip(positions[kind == SUBSETS].tolist(), feature[kind == SUBSETS].tolist(), strict=True):
        growth.low[level.node[position]] = len(growth.sides)
        growth.sides.append(splits.sides[position][: growth.data.n_codes[index]])


def _missing_by_side(plan: SearchPlan, level: Level, splits: LevelSplits) -> Any:
    """Return the number of rows of each node on each side whose value of the node's feature is missing, (2, nodes)."""
    line = np.where(splits.kind == LEAF, 0, splits.line)
    node_of_row = np.repeat(np.arange(len(level.size)), level.size)
    codes = level.subset.codes.ravel().take(line[node_of_row] * np.intp(len(level.subset.rows)) + level.rows)
    is_missing = codes == plan.missing_code[line][node_of_row]
    side = splits.side.take(level.rows)
    return np.array([np.add.reduceat(is_missing & (side == child), level.start, dtype=np.intp) for child in (0, 1)])


def _decide_by_reference(growth: _Growth, level: Level, position: int, splits: LevelSplits) -> None:
    """Let the reference decide the node at a position of the level."""
    data = growth.data
    stop = int(level.size[: position + 1].sum())
    span = slice(stop - int(level.size[position]), stop)
    rows_of_subset = level.rows[span]
    rows = level.subset.rows[rows_of_subset].astype(np.int32)
    order = level.subset.rows[level.order[: len(data.sorted_features), span]].astype(np.int32)
    decision = growth.context.decide(PendingNode(rows, order, None, int(level.depth[position]), None))
    best, test = decision.candidate, decision.test
    if best is None or test is None:
        return
    splits.kind[position], splits.line[position] = (
        CUT if best.is_cut else SUBSETS,
        growth.plan.first_line_of[best.feature],
    )
    splits.side[rows_of_subset] = child_of_rows(data, rows, best, test, missing_child_of(best, test))
    codes = data.codes[best.feature, rows]
    if best.is_missing_test:
        return
    if best.is_cut:
        splits.low[position], splits.high[position] = (
            rows_of_subset[int(np.argmax(codes == side[0]))] for side in best.sides
        )
        return
    sides = np.full(int(data.n_codes[best.feature]), ABSENT, dtype=np.uint8)
    for side, group in enumerate(best.sides):
        sides[list(group)] = side
    splits.sides[position] = sides
