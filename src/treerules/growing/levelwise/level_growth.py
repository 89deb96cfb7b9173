"""Growing a tree in numpy alone, level by level: many small nodes cost no more calls than one large node does.

The gains of all nodes are found together (`level_gains`), and the splits decided exactly as the reference does
(`level_decision`); where that takes more than floats can tell, the reference decides the node.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import frozen

from treerules.growing.array_tree import CUT, LEAF, SUBSETS, ArrayTree
from treerules.growing.encoding import EncodedProblem, is_cut_in_order
from treerules.growing.levelwise.level_decision import ABSENT, Division, division_of
from treerules.growing.levelwise.level_gains import terms_of
from treerules.growing.levelwise.level_nodes import nodes_of
from treerules.growing.levelwise.level_rows import Level, Plan, children_of, parted, plan_of, root_level
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext, PendingNode
from treerules.growing.reference.row_partition import child_of_rows
from treerules.growing.reference.split_tests import missing_child_of
from treerules.growing.refusals import binary_criterion_refusal, common_reasons, first_reason
from treerules.recipes.recipe import Recipe

#: Nodes of so many classes stand together, so that those of more need not wait for those of fewer.
_FEW_CLASSES = np.array([2, 4])


def level_refusal(problem: Problem, recipe: Recipe, validation: Any) -> str | None:
    """Return why a tree cannot be grown level by level; None where it can.

    It can be by cuts, by one category against the rest, and by subsets for two classes where a leaf may hold one row;
    by Gini, entropy or squares; of rows that weigh the same and have no missing value; with all stops but that of
    leaves.
    """
    in_means = problem.weighing is not None and len(problem.schema.classes) <= 2 and recipe.least <= 1
    in_order = in_means or all(is_cut_in_order(each, recipe) for each in problem.schema.features)
    unscored = binary_criterion_refusal(recipe.scoring_of(problem.weighing is None))
    is_simple = recipe.categories == "one_against_rest" or (recipe.categories == "subset" and in_order)
    return first_reason(
        [
            *common_reasons(problem, recipe, validation),
            (recipe.quinlan, "C4.5 as published is asked for"),
            (not is_simple, "categories are divided in a way that levels do not know"),
            (any(column.missing.any() for column in problem.columns), "values are missing"),
            (unscored is not None, unscored or ""),
            (recipe.average_gain, "the average gain bounds the choice"),
        ]
    )


@frozen(eq=False)
class _Growth:
    """One tree that grows: arrays with room for each node, and how many there are."""

    grower: GrowthContext
    plan: Plan
    kind: Any
    feature: Any
    low: Any
    high: Any
    largest: Any
    child: Any
    figures: Any
    sides: list[Any]
    count: list[int]

    @property
    def data(self) -> EncodedProblem:
        return self.grower.data

    @property
    def recipe(self) -> Recipe:
        return self.grower.recipe


def grown_by_levels(
    problem: Problem, recipe: Recipe, grower: GrowthContext, progress: Callable[[int, int], None] | None = None
) -> ArrayTree:
    """Return the tree that the reference grows, where `level_refusal` is None."""
    n = len(problem.target)
    growth = _growth(grower, n, len(problem.schema.classes) or 3)
    waiting = _root(growth)
    n_waiting = sum(len(level.rows) for level in waiting)
    while waiting:
        level = waiting.pop()
        n_waiting -= len(level.rows)
        children = _step(growth, level)
        if len(children.node):
            n_waiting += len(children.rows)
            waiting.extend(list(parted(children, growth.plan))[::-1])
        if progress is not None:
            progress(n - n_waiting, n)
    if progress is not None and growth.count[0] == 1:
        progress(n, n)
    count = growth.count[0]
    low, high, largest = growth.low[:count], growth.high[:count], growth.largest[:count]
    return ArrayTree(
        kind=growth.kind[:count],
        feature=growth.feature[:count],
        first_child=growth.child[:count],
        missing_child=largest,
        largest_child=largest,
        statistics=growth.figures[:count],
        low=low,
        high=high,
        sides=growth.sides,
    )


def _growth(grower: GrowthContext, n_rows: int, n_figures: int) -> _Growth:
    """Return room for the nodes of any tree of so many rows; what is not used takes no memory."""
    n = 2 * n_rows + 1
    kind, largest = (np.zeros(n, dtype=np.int8) for _ in range(2))
    low, high, child = (np.zeros(n, dtype=np.int64) for _ in range(3))
    feature, figures = np.zeros(n, dtype=np.int32), np.zeros((n, n_figures))
    return _Growth(
        grower, plan_of(grower.data, grower.recipe), kind, feature, low, high, largest, child, figures, [], [1]
    )


def _root(growth: _Growth) -> list[Level]:
    """Return the level of the root, if it may be split."""
    level = root_level(growth.data, growth.plan)
    root = nodes_of(growth.data, growth.recipe, level.rows, level.part.target, level.size, level.depth)
    growth.figures[:1] = root.figures
    return [level] if root.is_open[0] else []


def _step(growth: _Growth, level: Level) -> Level:
    """Split the nodes of a level, and return that of the children that may be split again."""
    figures = growth.figures[level.node]
    terms = terms_of(level, growth.data, growth.recipe, figures)
    found = division_of(level, growth.plan, growth.data, terms, growth.recipe)
    for place in np.flatnonzero(found.asks).tolist():
        _ask(growth, level, place, found)
    split = np.flatnonzero(found.kind != LEAF)
    side = found.side.take(level.rows)
    rows = np.concatenate([level.rows[side == child] for child in (0, 1)])
    n_second = np.add.reduceat(side == 1, level.start, dtype=np.intp)[split]
    sizes = np.array([level.size[split] - n_second, n_second])
    numbers = growth.count[0] + 2 * np.arange(len(split)) + np.array([[0], [1]])
    growth.count[0] += 2 * len(split)
    _write(growth, level, found, split, numbers, sizes)
    number, size, depth = numbers.ravel(), sizes.ravel(), np.tile(level.depth[split] + 1, 2)
    groups = np.full(len(size), -1)
    if len(split):
        part = level.part
        children = nodes_of(growth.data, growth.recipe, part.rows[rows], part.target[rows], size, depth)
        growth.figures[number] = children.figures
        groups[children.is_open] = _groups_of(growth, children.figures)[children.is_open]
        found.side[rows] = np.repeat(groups, size).astype(np.uint8)
    return children_of(level, found.side, number, depth, size, groups)


def _groups_of(growth: _Growth, figures: Any) -> Any:
    """Return the group of each child: those of many classes first, then all first children before the second ones."""
    side = np.arange(len(figures)) >= len(figures) // 2
    if growth.data.n_classes <= 2:
        return side.astype(np.intp)
    return 2 * ((figures > 0).sum(axis=1)[:, None] <= _FEW_CLASSES).sum(axis=1) + side


def _write(growth: _Growth, level: Level, found: Division, split: Any, numbers: Any, sizes: Any) -> None:
    at, kind = level.node[split], found.kind[split]
    growth.kind[at], growth.feature[at] = kind, found.feature[split]
    growth.low[at], growth.high[at] = level.part.rows[found.low[split]], level.part.rows[found.high[split]]
    growth.child[at] = numbers[0]
    growth.largest[at] = sizes[1] > sizes[0]
    for place in split[kind == SUBSETS].tolist():
        growth.low[level.node[place]] = len(growth.sides)
        growth.sides.append(found.sides[place])


def _ask(growth: _Growth, level: Level, place: int, found: Division) -> None:
    """Let the reference decide a node."""
    data = growth.data
    stop = int(level.size[: place + 1].sum())
    span = slice(stop - int(level.size[place]), stop)
    own = level.rows[span]
    rows = level.part.rows[own].astype(np.int32)
    order = level.part.rows[level.order[: len(data.sorted_features), span]].astype(np.int32)
    decision = growth.grower.decide(PendingNode(rows, order, None, int(level.depth[place]), None))
    best, test = decision.candidate, decision.test
    if best is None or test is None:
        return
    found.kind[place], found.feature[place] = CUT if best.is_cut else SUBSETS, best.feature
    found.side[own] = child_of_rows(data, rows, best, test, missing_child_of(best, test))
    codes = data.codes[best.feature, rows]
    if best.is_cut:
        found.low[place], found.high[place] = (own[int(np.argmax(codes == side[0]))] for side in best.sides)
        return
    sides = np.full(int(data.n_codes[best.feature]), ABSENT, dtype=np.uint8)
    for side, group in enumerate(best.sides):
        sides[list(group)] = side
    found.sides[place] = sides
