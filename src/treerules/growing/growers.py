"""Growing a tree: one unfold, whose step makes a node of the rows that reach it."""

from collections.abc import Callable
from functools import cache
from typing import Any, cast

import numpy as np

from treerules._internal.jit import GROWTH, MULTIWAY_GROWTH, PARALLEL_GROWTH, is_used, load
from treerules.growing.array_tree import Flat, is_covered, root_of
from treerules.growing.array_tree_multiway import is_covered_multiway
from treerules.growing.encoding import Encoded, encoded
from treerules.growing.levelwise.level_growth import grown_by_levels, is_level_wise
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import Choice, Grower, Seed
from treerules.growing.reference.leaves import UNBOUNDED
from treerules.growing.reference.row_partition import divided
from treerules.growing.reference.split_tests import n_children
from treerules.growing.validation import Validation
from treerules.recipes.recipe import Recipe
from treerules.trees.nodes import garbage_uncollected
from treerules.trees.tree import Leaf, Node, Tree, unfold

Progress = Callable[[int, int], None]
#: Trees of fewer rows are grown node by node: levels would have too few nodes to be worth their calls.
_MANY = 64


def grow(
    problem: Problem,
    recipe: Recipe,
    progress: Progress | None = None,
    validation: Validation | None = None,
    compiled: bool | None = None,
    threads: int = 1,
) -> Tree:
    """Return the tree that a recipe learns from a problem; `progress` hears (rows in leaves, all rows).

    `compiled` is what `compiled.is_used` takes: the kernels grow the same tree, where they cover the recipe, and the
    same on any number of threads.
    """
    flat = grown_flat(problem, recipe, progress, validation, compiled, threads)
    root = _grown_nodes(problem, recipe, progress, validation, compiled) if flat is None else root_of(flat, problem)
    return Tree._of_known(problem.schema, root, recipe, problem.notes)


def grown_flat(
    problem: Problem,
    recipe: Recipe,
    progress: Progress | None = None,
    validation: Validation | None = None,
    compiled: bool | None = None,
    threads: int = 1,
    listing: Any = None,
) -> Flat | None:
    """Return the tree that `grow` makes as arrays; None where it is grown as nodes.

    A `listing` is that of the problem, where the kernels cover the recipe and it is made already; it is used up.
    """
    cells = len(problem.target) * len(problem.columns)
    reference = _grower_when_asked(problem, recipe, validation)
    covers = is_covered(problem, recipe, validation)
    if covers and (listing is not None or is_used(GROWTH, cells, compiled)):
        if threads > 1:
            parallel = load(PARALLEL_GROWTH)
            return cast(Flat, parallel.grown_by_team(problem, recipe, reference, threads, progress))
        driver = load(GROWTH)
        return cast(Flat, driver.grown(problem, recipe, reference, progress, listing))
    if len(problem.target) >= _MANY and is_level_wise(problem, recipe, validation):
        return grown_by_levels(problem, recipe, reference(), progress)
    return None


def _grown_nodes(
    problem: Problem, recipe: Recipe, progress: Progress | None, validation: Validation | None, compiled: bool | None
) -> Node:
    """Return the root of a tree that is not grown as arrays: by the kernels for many children, or by the reference."""
    cells = len(problem.target) * len(problem.columns)
    reference = _grower_when_asked(problem, recipe, validation)
    several = is_covered_multiway(problem, recipe, validation)
    if several and is_used(MULTIWAY_GROWTH, cells, compiled):
        multiway = load(MULTIWAY_GROWTH)
        return cast(Node, multiway.grown_multiway(problem, recipe, reference, progress))
    return _node_by_node(problem, recipe, reference(), progress, validation)


def _node_by_node(
    problem: Problem, recipe: Recipe, grower: Grower, progress: Progress | None, validation: Validation | None
) -> Node:
    """Return the root of the tree that the reference grows."""
    data = grower.data
    total = float(len(problem.target)) if problem.weights is None else float(problem.weights.sum())
    settled, n_leaves, n_rows = 0.0, 1, len(problem.target)

    def stop(leaf: Leaf) -> Leaf:
        nonlocal settled
        settled += leaf.n
        if progress is not None:
            progress(round(settled / total * n_rows), n_rows)
        return leaf

    def step(seed: Seed) -> Leaf | tuple[Callable[[tuple[Node, ...]], Node], list[Seed]]:
        nonlocal n_leaves
        choice = choices.pop(id(seed), None) or grower.choice(seed)
        if choice.split is None or choice.test is None:
            return stop(choice.leaf)
        more = n_children(choice.split, choice.test) - 1
        if recipe.max_leaves is not None and n_leaves + more > recipe.max_leaves:
            return stop(choice.leaf)
        n_leaves += more
        return divided(grower, seed, choice)

    choices: dict[int, Choice] = {}  # of the seeds that wait

    def most_first(seed: Seed) -> Any:
        choice = choices[id(seed)] = grower.choice(seed)
        return -choice.decrease

    start = np.arange(n_rows, dtype=np.int32)
    judges = None if validation is None else np.arange(len(validation.target))
    with garbage_uncollected():
        priority = None if recipe.max_leaves is None else most_first
        seed = Seed(start, data.presorted, data.weights, 0, None, UNBOUNDED, judges)
        return unfold(seed, step, priority=priority)


def _grower_when_asked(problem: Problem, recipe: Recipe, validation: Validation | None) -> Callable[[], Grower]:
    """Return what makes the reference's grower when it is first asked: encoding a large problem takes its time."""
    return cache(lambda: _grower(encoded(problem, recipe), problem, recipe, validation))


def _grower(data: Encoded, problem: Problem, recipe: Recipe, validation: Validation | None) -> Grower:
    n_rows, indices = len(problem.target), problem.schema.indices
    preferred = [indices[name] for name in recipe.prefer if name in indices]
    order = [*preferred, *(index for index in range(len(indices)) if index not in preferred)]
    first = [0] * len(order)
    for place, index in enumerate(order):
        first[index] = place
    directions = {indices[name]: sign for name, sign in recipe.monotone if name in indices} or None
    child = np.zeros(n_rows, dtype=np.int8 if recipe.is_binary else np.int32)
    weight = np.zeros(n_rows) if recipe.missing == "fraction" else np.empty(0)
    return Grower(data, problem.schema, recipe, validation, first, directions, child, weight)
