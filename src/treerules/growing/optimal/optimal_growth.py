"""Learning an optimal tree from a problem: by one leaf penalty, or by several one after another."""

from collections.abc import Callable
from functools import cached_property
from math import ceil, floor
from typing import Any

from attrs import evolve, frozen

from treerules._internal.interrupts import on_interrupt
from treerules._internal.jit import OPTIMAL, OPTIMAL_CLASSES, OPTIMAL_MEANS, is_used
from treerules._internal.notes import Note
from treerules.data.sample_weights import integer_if_whole
from treerules.growing.array_tree_nodes import to_nodes
from treerules.growing.encoding import EncodedProblem, encode_problem
from treerules.growing.optimal.division import cuts_of
from treerules.growing.optimal.found_tree import array_tree, with_stumps
from treerules.growing.optimal.search import Search
from treerules.growing.optimal.search_columns import SearchColumn, search_columns
from treerules.growing.optimal.search_result import Branching, Proof
from treerules.growing.optimal.search_rows import MOST_UNITS, SearchTask, classification_task, regression_task
from treerules.growing.optimal.whole_costs import WholeCosts, costs_of_rows, whole_costs
from treerules.growing.problem import Problem
from treerules.growing.task import Progress
from treerules.recipes.recipe import Recipe
from treerules.trees.cost_bounds import CostBounds, cost_text
from treerules.trees.tree import Tree

#: CPU seconds of a tree of depth 1 in numpy: by its number, kernels are loaded or not.
_SECONDS_OF_STUMP = 1e-4
#: The least gap of a tree that is not called optimal: more than the tolerance of `CostBounds`.
_OPEN_GAP = 2e-9


@frozen
class FoundTree:
    """The splits that a search found by a leaf penalty; costs are in units of the task."""

    branching: Branching | None
    n_leaves: int
    #: the cost with the price of all leaves, and the bound that no tree falls below
    cost: int
    lower: int
    task: SearchTask
    #: for a certificate
    proof: Proof | None = None

    @property
    def error_cost(self) -> int:
        """The cost without the price of leaves."""
        return self.cost - self.task.penalty * self.n_leaves


@frozen(eq=False, slots=False)
class SearchedProblem:
    """A problem in the form that searches take, made once for all penalties."""

    problem: Problem
    recipe: Recipe
    #: the argument of `learn`
    compiled: bool | None = None
    #: returns whether the work that the searches are part of is to end
    is_ended: Callable[[], bool] = bool

    @cached_property
    def _columns_and_ranks(self) -> tuple[tuple[SearchColumn, ...], Any]:
        return search_columns(self.problem.columns)

    @property
    def columns(self) -> tuple[SearchColumn, ...]:
        """The columns of the search."""
        return self._columns_and_ranks[0]

    @cached_property
    def _data(self) -> EncodedProblem:
        return encode_problem(self.problem, self.recipe)

    @cached_property
    def costs(self) -> WholeCosts:
        """The costs of a classification as whole numbers."""
        search = self.recipe.optimal_search
        assert search is not None
        return whole_costs(self.problem, self._worthwhile(search.leaf_penalty or 0.0))

    def _worthwhile(self, penalty: float) -> float:
        """Return a penalty, at most one beyond all costs: no second leaf pays with either."""
        problem = self.problem
        assert problem.weighing is not None
        all_costs = costs_of_rows(problem.target, problem.weights, problem.weighing).max(axis=1).sum()
        return min(penalty, float(all_costs) + 1)

    def task(self, penalty: int, multiple: int = 1) -> SearchTask:
        """Return the search by a penalty in units, where costs are multiplied by a whole number.

        Raises:
            DataError: squared errors exceed the range of floats.
        """
        problem, least = self.problem, self.recipe.least
        _, ranks = self._columns_and_ranks
        if problem.weighing is None:
            return evolve(self._regression, penalty=penalty)
        costs = self.costs if multiple == 1 else whole_costs(problem, 0.0, multiple)
        unit = 1 / costs.scale
        sizes = problem.row_sizes
        return classification_task(ranks, costs.costs, sizes, penalty=penalty, least_weight=least, unit=unit)

    @cached_property
    def _regression(self) -> SearchTask:
        problem = self.problem
        _, ranks = self._columns_and_ranks
        weights, sizes, least = problem.weights, problem.row_sizes, self.recipe.least
        return regression_task(ranks, problem.target, weights, sizes, penalty=0.0, least_weight=least)

    def penalty_in_units(self, penalty: float) -> int:
        """Return a leaf penalty in the units of `task`."""
        if self.problem.weighing is None:
            return min(round(penalty / self._regression.unit), MOST_UNITS)  # more never pays either
        return round(self._worthwhile(penalty) * self.costs.scale)

    def search(
        self,
        task: SearchTask,
        *,
        seconds: float = float("inf"),
        gap: float = 0.0,
        progress: Progress | None = None,
        keeps_marks: bool = False,
    ) -> FoundTree:
        """Return the best tree that is found within some seconds."""
        depth = self.recipe.max_depth
        assert depth is not None
        report, compiled = _progress_in_costs(task, progress), self._uses_kernels(task, depth)
        search = Search(task, seconds, report, keeps_marks, compiled, self.is_ended)
        with on_interrupt(search.interrupt):
            result = search.run(depth, gap)
        cost, branching = result.cost, None
        if depth:
            cost, branching = with_stumps(result.branching, task.rows, task)
        n_leaves = 1 if branching is None else branching.n_leaves
        lower = min(max(result.lower, task.penalty), cost)
        return FoundTree(branching, n_leaves, cost + task.base, lower + task.base, task, result.proof)

    def _uses_kernels(self, task: SearchTask, depth: int) -> bool:
        n_cuts = sum(len(ranks) for ranks, _, _ in cuts_of(task.rows, 0)) if task.rows.n_rows else 0
        if task.is_regression and task.rows.has_least_weight and self.problem.counts_rows:
            return False  # the kernels of regressions count weight
        saved = _SECONDS_OF_STUMP * float(n_cuts) ** max(depth - 1, 0)
        kernel = OPTIMAL_MEANS if task.is_regression else OPTIMAL_CLASSES
        return is_used(OPTIMAL, saved, self.compiled, kernel)

    def tree(self, found: FoundTree, notes: tuple[str, ...]) -> Tree:
        """Return a tree that was found, with its bounds; `notes` are added to those of the problem."""
        columns, ranks = self._columns_and_ranks
        arrays = array_tree(found.branching, columns, ranks, self.problem, self._data)
        root = to_nodes(arrays, self.problem, self.recipe)
        all_notes = (*self.problem.notes, *notes)
        return Tree._unchecked(self.problem.schema, root, self.recipe, all_notes, bounds=self.bounds(found))

    def bounds(self, found: FoundTree) -> CostBounds:
        """Return the cost of a tree that was found, and what is proved about all trees."""
        unit, depth, search = found.task.unit, self.recipe.max_depth, self.recipe.optimal_search
        assert depth is not None and search is not None
        penalty = found.task.penalty * unit if search.leaf_penalty is None else search.leaf_penalty
        cost = integer_if_whole(found.error_cost * unit + penalty * found.n_leaves)
        lower = cost if found.lower >= found.cost else min(cost, integer_if_whole(found.lower * unit))
        rounding = 0.0 if self.problem.weighing is None else self.costs.error_bound
        if rounding and not self.costs.is_below_one_error:  # no tree is called optimal
            cost = cost + rounding
            lower = max(min(lower - rounding, cost * (1 - _OPEN_GAP)), 0.0)
        return CostBounds(cost, lower, integer_if_whole(float(penalty)), depth, rounding)


def _progress_in_costs(task: SearchTask, progress: Progress | None) -> Callable[[int, int], None] | None:
    """Return the function that is called with bounds in units, and tells whole costs."""
    if progress is None:
        return None
    base, unit = task.base, task.unit
    return lambda lower, cost: progress(floor((lower + base) * unit), ceil((cost + base) * unit))


def grow_optimal(
    problem: Problem, recipe: Recipe, progress: Progress | None = None, compiled: bool | None = None
) -> Tree:
    """Return the best tree of a recipe with a leaf penalty; its `bounds` say what is proved.

    Raises:
        DataError: squared errors exceed the range of floats.
    """
    search = recipe.optimal_search
    assert search is not None and search.leaf_penalty is not None
    seconds = float("inf") if search.time_limit is None else search.time_limit
    searched = SearchedProblem(problem, recipe, compiled)
    task = searched.task(searched.penalty_in_units(search.leaf_penalty))
    found = searched.search(task, seconds=seconds, gap=search.gap, progress=progress)
    bounds = searched.bounds(found)
    return searched.tree(found, (*_large_penalty(bounds, found, problem), bounds_note(bounds, recipe)))


def _large_penalty(bounds: CostBounds, found: FoundTree, problem: Problem) -> list[Note]:
    """Return the note on a penalty that no split can earn, where the weight of the rows may be the reason."""
    errors, penalty = bounds.cost - bounds.leaf_penalty, bounds.leaf_penalty
    if problem.weights is None or found.n_leaves > 1 or errors > penalty:
        return []
    text = "a leaf costs {penalty}, all errors of one leaf {errors}: no split is worth it; leaf_penalty counts weight"
    return [Note("large_penalty", text, penalty=f"{penalty:.12g}", errors=f"{errors:.12g}")]


def bounds_note(bounds: CostBounds, recipe: Recipe) -> Note:
    """Return the note on what is proved about a tree's cost."""
    least = f", of leaves of at least {recipe.min_samples_leaf:.12g} rows," if recipe.min_samples_leaf > 1 else ""
    what = f"tree of depth {bounds.max_depth} or less{least}"
    penalty = f", with {bounds.leaf_penalty:.12g} for each leaf" if bounds.leaf_penalty else ""
    text = (
        "proved optimal: no {what} costs less than {cost}{penalty}"
        if bounds.is_optimal
        else "not proved optimal: this tree costs {cost}{penalty}; no {what} costs less than {lower}, a gap of "
        "{gap:.1%}"
    )
    figures = {"cost": cost_text(bounds.cost), "lower": cost_text(bounds.lower), "gap": bounds.gap}
    return Note("bounds", text, what=what, penalty=penalty, **figures)
