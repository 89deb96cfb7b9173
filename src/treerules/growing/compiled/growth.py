"""The growth of one tree with the kernels: its columns, work arrays and nodes."""

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.growing.compiled.byte_counts import ByteTables
from treerules.growing.compiled.candidates import Search
from treerules.growing.compiled.code_counts import CodeArrays
from treerules.growing.compiled.columns import KernelColumns
from treerules.growing.compiled.node_arrays import Nodes
from treerules.growing.compiled.node_figures import SD
from treerules.growing.compiled.node_loop import begin_growth
from treerules.growing.compiled.node_search import Loop
from treerules.growing.compiled.scoring import Scoring, Stopping
from treerules.growing.compiled.workspace import (
    byte_tables_of,
    code_arrays_of,
    loop_of,
    nodes_of,
    scoring_of,
    search_of,
)
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
    columns: KernelColumns
    scoring: Scoring
    stopping: Stopping
    tables: ByteTables
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
            self.tables,
            self.arrays,
            self.search,
            self.nodes,
            self.loop,
        )


def start_growth(
    problem: Problem, recipe: Recipe, reference: Callable[[], GrowthContext], columns: KernelColumns
) -> Growth:
    """Return the growth of a tree whose root is on the stack, unless it is a leaf."""
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
        byte_tables_of(columns.codes, n, scoring.n_sums),
        code_arrays_of(most, scoring.n_sums),
        search_of(n, len(problem.columns), most, scoring.n_sums),
        nodes_of(n, n_classes or SD + 1, scoring.has_directions),
        loop_of(problem, recipe, columns, most),
        {},
    )
    begin_growth(scoring, stopping, growth.nodes, growth.loop, n)
    return growth


def with_own_arrays(growth: Growth) -> Growth:
    """Return the same growth with work arrays of its own, for a thread; columns, rows and nodes are shared."""
    problem, codes, n_sums = growth.problem, growth.columns.codes, growth.scoring.n_sums
    n, most = len(problem.target), len(growth.arrays.present) - 1
    loop = loop_of(problem, growth.recipe, growth.columns, most)
    return evolve(
        growth,
        scoring=growth.scoring._replace(scale=growth.scoring.scale.copy()),
        tables=byte_tables_of(codes, n, n_sums),
        arrays=code_arrays_of(most, n_sums),
        search=search_of(n, len(problem.columns), most, n_sums),
        loop=loop._replace(rows=growth.loop.rows, target=growth.loop.target),
    )


def with_larger_pool(growth: Growth) -> Growth:
    """Return a growth with a larger pool of sides."""
    pool = growth.loop.side_pool
    larger = np.zeros(2 * len(pool) + growth.search.sides.shape[1], dtype=pool.dtype)
    larger[: len(pool)] = pool
    return evolve(growth, loop=growth.loop._replace(side_pool=larger))
