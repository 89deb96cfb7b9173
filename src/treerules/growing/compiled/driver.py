"""Growth of a tree with the kernels: allocation, the nodes that the reference decides, and the finished tree."""

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.growing.array_tree import CUT, LEAF, MISSING_TEST, SUBSETS, ArrayTree
from treerules.growing.compiled import best_split
from treerules.growing.compiled.class_loop import CLASS_KERNELS
from treerules.growing.compiled.exact_gains import CENTRE, SQUARES_HIGH, SQUARES_LOW, SUM
from treerules.growing.compiled.growth_loop import (
    DEPTH,
    DONE,
    FULL,
    N_WAITING,
    NEEDS_REFERENCE,
    NEXT_NODE,
    NODE,
    START,
    STOP,
    LoopKernels,
    NodeArrays,
    ScoringParams,
    StoppingParams,
)
from treerules.growing.compiled.histograms import count_bits, count_codes
from treerules.growing.compiled.presort import PresortedColumns, presort_problem
from treerules.growing.compiled.regression_loop import (
    MEAN,
    REGRESSION_KERNELS,
    SD,
    WEIGHT,
    is_regression_leaf,
    write_figures,
)
from treerules.growing.compiled.workspace import (
    allocate_class_workspace,
    allocate_nodes,
    allocate_regression_workspace,
    scoring_params,
    stopping_params,
)
from treerules.growing.exact_figures import rounded_figures
from treerules.growing.exact_target import ExactTarget
from treerules.growing.problem import Problem
from treerules.growing.reference.decide import GrowthContext, PendingNode
from treerules.growing.reference.node_data import Candidate
from treerules.growing.reference.row_partition import child_of_rows
from treerules.growing.reference.split_tests import missing_child_of
from treerules.recipes.recipe import Recipe

#: The number of cells that a kernel searches, in about 0.1 s, before it returns for Python to handle signals.
_CELLS = 20_000_000


@frozen(eq=False)
class KernelGrowth:
    """The growth of one tree."""

    problem: Problem
    #: returns the context of the reference, which is built at the first call
    reference: Callable[[], GrowthContext]
    presorted: PresortedColumns
    scoring: ScoringParams
    stopping: StoppingParams
    #: work arrays of a search: ClassCounts or RegressionCounts
    counts: Any
    nodes: NodeArrays
    #: the stack of nodes: ClassWorkspace or RegressionWorkspace
    workspace: Any

    @property
    def is_regression(self) -> bool:
        """Whether the target is a number."""
        return self.problem.weighing is None

    @property
    def kernel_arguments(self) -> tuple[Any, ...]:
        """The first arguments of the kernels."""
        lists, columns = self.presorted.lists, self.presorted.columns
        return self.scoring, self.stopping, lists, columns, self.counts, self.nodes, self.workspace

    @property
    def kernels(self) -> LoopKernels:
        """The kernels of the target."""
        return REGRESSION_KERNELS if self.is_regression else CLASS_KERNELS

    def run(self, cells: int) -> int:
        """Grow until the tree is done, `cells` cells are searched, or Python is needed; return how the loop ended."""
        return int(self.kernels.grow(*self.kernel_arguments, cells))


def grow_with_kernels(
    problem: Problem,
    recipe: Recipe,
    reference: Callable[[], GrowthContext],
    progress: Any = None,
    presorted: PresortedColumns | None = None,
) -> ArrayTree:
    """Return the tree that the kernels grow, as arrays.

    Args:
        problem: The learning problem; `kernel_refusal` must be None.
        recipe: The recipe.
        reference: Returns the context of the reference.
        progress: Called as progress(rows in leaves, all rows).
        presorted: The presorted columns of the problem, which growing overwrites; None: they are made.
    """
    n = len(problem.target)
    if progress is not None:
        progress(0, n)  # sorting a large table takes time
    growth = start_growth(problem, recipe, reference, presorted or presort_problem(problem, recipe))
    while (status := growth.run(_CELLS)) != DONE:
        if status == NEEDS_REFERENCE:
            decide_by_reference(growth)
        elif status == FULL:
            growth = with_larger_pool(growth)
        if progress is not None:
            waiting = growth.workspace.stack[: growth.workspace.counters[N_WAITING]]
            progress(n - int((waiting[:, STOP] - waiting[:, START]).sum()), n)
    if progress is not None:
        progress(n, n)
    return array_tree_of(growth)


def start_growth(
    problem: Problem, recipe: Recipe, reference: Callable[[], GrowthContext], presorted: PresortedColumns
) -> KernelGrowth:
    """Return the growth of a tree whose root is on the stack."""
    scoring, stopping = scoring_params(problem, recipe, presorted), stopping_params(problem, recipe)
    arrays = allocate_workspace(problem, presorted)
    growth = KernelGrowth(
        problem, reference, presorted, scoring, stopping, arrays[0], allocate_nodes(problem), arrays[1]
    )
    _write_root(growth)
    return growth


def allocate_workspace(problem: Problem, presorted: PresortedColumns) -> Any:
    """Return the work arrays of a search, and those of the loop."""
    n, n_classes = len(problem.target), len(problem.schema.classes)
    return (
        allocate_class_workspace(presorted, n, n_classes) if n_classes else allocate_regression_workspace(presorted, n)
    )


def _write_root(growth: KernelGrowth) -> None:
    """Write the root, and put it on the stack unless it is a leaf."""
    lists, columns, workspace, nodes = growth.presorted.lists, growth.presorted.columns, growth.workspace, growth.nodes
    n = len(growth.problem.target)
    nodes.kind[0], workspace.counters[NEXT_NODE] = 0, 1
    if growth.is_regression:
        write_figures(growth.scoring, lists, nodes, workspace, 0, 0, n)
        is_leaf = is_regression_leaf(growth.stopping, lists.target, lists.rows, 0)
    else:
        nodes.statistics[0] = np.bincount(growth.problem.target, minlength=growth.scoring.n_classes)
        is_pure = np.count_nonzero(nodes.statistics[0]) < 2
        is_leaf = is_pure or growth.stopping.max_depth == 0 or n < growth.stopping.min_samples_split
        if n >= growth.stopping.least_kept and len(lists.rows):
            count_codes(columns, workspace.code_counts[0], lists.rows, lists.classes)
            count_bits(columns, workspace.bit_counts[0], lists.rows, lists.classes)
    if not is_leaf:
        workspace.counters[N_WAITING] = 1
        workspace.stack[0] = (0, 0, n, 0)


def with_larger_pool(growth: KernelGrowth) -> KernelGrowth:
    """Return a growth with a larger pool of sides."""
    workspace, most_codes = growth.workspace, len(growth.counts.sides)
    pool = np.empty(2 * len(workspace.side_pool) + most_codes, dtype=np.uint8)
    pool[: len(workspace.side_pool)] = workspace.side_pool
    return evolve(growth, workspace=workspace._replace(side_pool=pool))


def decide_by_reference(growth: KernelGrowth) -> None:
    """Let the reference decide the node on top of the stack, and split it accordingly."""
    context, workspace, lists = growth.reference(), growth.workspace, growth.presorted.lists
    position = int(workspace.counters[N_WAITING]) - 1
    node, start, stop, depth = (int(workspace.stack[position, column]) for column in (NODE, START, STOP, DEPTH))
    data = context.data
    if len(lists.rows):
        rows = lists.rows[start:stop].copy()
    else:
        line = int(workspace.may_vary[position].argmax())
        rows = np.sort(
            lists.entries[line * lists.stride + start : line * lists.stride + stop]
            & np.uint32(growth.presorted.row_mask)
        ).astype(np.int32)
    order = np.empty((len(data.sorted_features), len(rows)), dtype=np.int32)
    for line, feature in enumerate(data.sorted_features.tolist()):
        order[line] = rows[np.argsort(data.codes[feature, rows], kind="stable")]
    decision = context.decide(PendingNode(rows, order, None, depth, None))
    best, test = decision.candidate, decision.test
    if best is None or test is None:
        workspace.counters[N_WAITING] = position
        growth.nodes.kind[node] = 0
        return
    missing_child = missing_child_of(best, test)
    child = child_of_rows(data, rows, best, test, missing_child)
    lists.child_of_row[rows] = child
    _write_record(growth, best, missing_child, rows, child)
    growth.kernels.divide(*growth.kernel_arguments, int(np.count_nonzero(child == 0)))


def _write_record(growth: KernelGrowth, best: Candidate, missing_child: int, rows: Any, child_of_rows: Any) -> None:
    """Write a candidate of the reference as the record of the best split."""
    record = growth.workspace.kept[0] if growth.is_regression else growth.workspace.best
    record[:] = 0.0
    record[best_split.FEATURE] = best.feature
    record[best_split.MISSING_CHILD] = missing_child
    record[best_split.LARGEST_CHILD] = best.largest_child
    record[best_split.KIND] = MISSING_TEST if best.is_missing_test else CUT if best.is_cut else SUBSETS
    if not growth.is_regression:
        target, n_classes = growth.problem.target[rows], growth.scoring.n_classes
        for side in (0, 1):
            begin = best_split.SUMS + side * n_classes
            record[begin : begin + n_classes] = np.bincount(target[child_of_rows == side], minlength=n_classes)
    if best.is_missing_test:
        return
    if best.is_cut:
        codes = growth.reference().data.codes[best.feature, rows]
        low, high = (int(np.argmax(codes == side[0])) for side in best.sides)
        is_list = best.feature in growth.presorted.lists.features
        record[best_split.LOW], record[best_split.HIGH] = (
            (rows[low], rows[high]) if is_list else (codes[low], codes[high])
        )
        return
    sides = growth.counts.kept_sides[0] if growth.is_regression else growth.counts.best_sides
    sides[:] = 2
    for side, group in enumerate(best.sides):
        sides[list(group)] = side


def write_exact_figures(statistics: Any, sums: Any, exact: ExactTarget) -> None:
    """Write the correctly rounded means and standard deviations of nodes, from their sums."""
    varying = np.flatnonzero(statistics[:, SD] > 0)
    n, (centre, total, high, low) = (
        statistics[varying, WEIGHT],
        sums[varying].T[[CENTRE, SUM, SQUARES_HIGH, SQUARES_LOW]],
    )
    statistics[:, MEAN] = statistics[:, MEAN] * exact.unit.numerator / exact.unit.denominator
    statistics[varying, MEAN], statistics[varying, SD] = rounded_figures(n, centre, total, (high, low), exact.unit)


def array_tree_of(growth: KernelGrowth) -> ArrayTree:
    """Return the tree as arrays; the values around cuts are given by rows of the problem."""
    nodes, n = growth.nodes, int(growth.workspace.counters[NEXT_NODE])
    statistics = nodes.statistics[:n]
    if growth.problem.exact is not None:
        write_exact_figures(statistics, nodes.sums[:n], growth.problem.exact)
    kind, feature = nodes.kind[:n], nodes.feature[:n]
    low, high = nodes.low[:n].copy(), nodes.high[:n].copy()
    feature[kind == LEAF] = 0
    sides = []
    for index, rows_of_codes in enumerate(growth.presorted.rows_of_codes):
        if rows_of_codes is not None:
            cuts = np.flatnonzero((kind == CUT) & (feature == index))
            low[cuts], high[cuts] = rows_of_codes[low[cuts]], rows_of_codes[high[cuts]]
    for index, node in enumerate(np.flatnonzero(kind == SUBSETS).tolist()):
        n_codes = len(growth.problem.columns[int(feature[node])].feature.categories)
        start = int(nodes.sides_start[node])
        sides.append(growth.workspace.side_pool[start : start + n_codes])
        low[node] = index
    return ArrayTree(
        kind=kind,
        feature=feature,
        first_child=nodes.first_child[:n],
        missing_child=nodes.missing_child[:n],
        largest_child=nodes.largest_child[:n],
        statistics=statistics,
        low=low,
        high=high,
        sides=sides,
    )
