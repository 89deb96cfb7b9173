"""The growth of one tree with the kernels: its columns, work arrays and nodes."""

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.growing.array_tree import LEAF
from treerules.growing.general.candidates import Search
from treerules.growing.general.code_counts import CodeArrays
from treerules.growing.general.columns import GeneralColumns, general_columns
from treerules.growing.general.node_figures import SD
from treerules.growing.general.node_loop import Nodes, count_rows, is_leaf
from treerules.growing.general.node_search import N_NODES, N_WAITING, Loop
from treerules.growing.general.scoring import Scoring, Stopping
from treerules.growing.general.workspace import code_arrays_of, loop_of, nodes_of, scoring_of, search_of
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext
from treerules.recipes.recipe import Recipe


@frozen(eq=False)
class Growth:
    """The growth of one tree."""

    problem: Problem
    recipe: Recipe
    #: returns the context of the reference, which is built at the first call
    reference: Callable[[], GrowthContext]
    columns: GeneralColumns
    scoring: Scoring
    stopping: Stopping
    arrays: CodeArrays
    search: Search
    nodes: Nodes
    loop: Loop
    #: contexts of the reference with some of the features, by their indices
    contexts: dict[tuple[int, ...], GrowthContext]

    @property
    def kernel_arguments(self) -> tuple[Any, ...]:
        """The arguments of the loop."""
        columns = self.columns
        return (
            self.scoring,
            self.stopping,
            columns.lists,
            columns.codes,
            self.arrays,
            self.search,
            self.nodes,
            self.loop,
        )


def start_growth(problem: Problem, recipe: Recipe, reference: Callable[[], GrowthContext]) -> Growth:
    """Return the growth of a tree whose root is on the stack, unless it is a leaf."""
    columns = general_columns(problem, recipe)
    n_classes = len(problem.schema.classes)
    scoring, stopping = scoring_of(problem, recipe, columns)
    n, most = len(problem.target), max([2, *columns.codes.n_codes.tolist()])
    growth = Growth(
        problem,
        recipe,
        reference,
        columns,
        scoring,
        stopping,
        code_arrays_of(most, scoring.n_sums),
        search_of(n, len(problem.columns), most, scoring.n_sums),
        nodes_of(n, n_classes or SD + 1, scoring.has_directions),
        loop_of(problem, recipe, columns, most),
        {},
    )
    count_rows(scoring, growth.loop, growth.nodes.statistics[0], 0, n)
    growth.nodes.kind[0], growth.nodes.stop[0], growth.loop.counters[N_NODES] = LEAF, n, 1
    if not is_leaf(scoring, stopping, growth.loop, growth.nodes.statistics[0], 0, n, 0):
        growth.loop.counters[N_WAITING] = 1
        growth.loop.stack[0] = (0, 0, n, 0)
        growth.loop.varies[0] = 1
    return growth


def with_larger_pool(growth: Growth) -> Growth:
    """Return a growth with a larger pool of sides."""
    pool = growth.loop.side_pool
    larger = np.zeros(2 * len(pool) + growth.search.sides.shape[1], dtype=pool.dtype)
    larger[: len(pool)] = pool
    return evolve(growth, loop=growth.loop._replace(side_pool=larger))
