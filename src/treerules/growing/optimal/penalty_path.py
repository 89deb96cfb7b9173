"""The trees that are optimal for some leaf penalty: the vertices of the lower convex hull of (leaves, cost).

    cost
      | o            1 leaf                     penalty at which two neighbours cost the same:
      |   o          3 leaves                   (cost of the smaller - cost of the larger) / (difference of leaves)
      |        o     7 leaves

Two known vertices are compared at the penalty at which they cost the same. A tree that costs less there is a vertex
between them; where there is none, they are neighbours.
"""

from collections.abc import Callable
from itertools import pairwise

from attrs import frozen

from treerules.growing.optimal.depth_one import leaf_cost
from treerules.growing.optimal.optimal_growth import FoundTree, SearchedProblem


@frozen
class PathVertex:
    """A tree that is optimal for penalties from `least` to `greatest`, in units without a multiple."""

    n_leaves: int
    #: the cost without the price of leaves
    cost: int
    least: float = 0.0
    greatest: float = float("inf")


def penalty_path(searched: SearchedProblem, seconds: Callable[[], float]) -> list[PathVertex]:
    """Return the trees that are optimal for some leaf penalty, the smallest first.

    Args:
        searched: the problem.
        seconds: returns the seconds after which the next search ends.
    """
    whole = searched.task(0)
    root = PathVertex(1, leaf_cost(whole.rows, whole) + whole.base)
    depth = searched.recipe.max_depth or 0
    largest = _vertex_at(searched, 1, 2**depth + 1, seconds)  # the fewest leaves of least cost
    if largest.n_leaves == 1 or largest.cost >= root.cost:
        return [root]
    vertices = [root, *_between(searched, root, largest, seconds), largest]
    bounds = [
        (smaller.cost - larger.cost) / (larger.n_leaves - smaller.n_leaves) for smaller, larger in pairwise(vertices)
    ]
    greatest, least = [float("inf"), *bounds], [*bounds, 0.0]
    return [
        PathVertex(vertex.n_leaves, vertex.cost, *ends) for vertex, *ends in zip(vertices, least, greatest, strict=True)
    ]


def _vertex_at(searched: SearchedProblem, penalty: int, multiple: int, seconds: Callable[[], float]) -> PathVertex:
    multiple = 1 if searched.problem.weighing is None else multiple
    found = searched.search(searched.task(penalty, multiple), seconds=seconds())
    return PathVertex(found.n_leaves, found.error_cost // multiple)


def _between(
    searched: SearchedProblem, smaller: PathVertex, larger: PathVertex, seconds: Callable[[], float]
) -> list[PathVertex]:
    """Return the vertices between two, the smallest first."""
    n_more = larger.n_leaves - smaller.n_leaves
    if n_more < 2:
        return []
    saved = smaller.cost - larger.cost
    if searched.problem.weighing is None:
        penalty, multiple = saved // n_more, 1
    else:
        penalty, multiple = saved, n_more
    vertex = _vertex_at(searched, penalty, multiple, seconds)
    is_less = multiple * (vertex.cost - smaller.cost) + penalty * (vertex.n_leaves - smaller.n_leaves) < 0
    if not is_less or not smaller.n_leaves < vertex.n_leaves < larger.n_leaves:
        return []
    return [
        *_between(searched, smaller, vertex, seconds),
        vertex,
        *_between(searched, vertex, larger, seconds),
    ]


def trees_at(searched: SearchedProblem, penalties: list[float], seconds: Callable[[], float]) -> list[FoundTree]:
    """Return the optimal tree at each penalty, in units without a multiple; they descend.

    Where two penalties have trees of equal cost and leaves, so have all between them.
    """
    multiple = 1 if searched.problem.weighing is None else _FINE
    found: dict[int, FoundTree] = {}

    def search(position: int) -> FoundTree:
        if position not in found:
            task = searched.task(round(penalties[position] * multiple), multiple)
            found[position] = searched.search(task, seconds=seconds())
        return found[position]

    def fill(first: int, last: int) -> None:
        ends = search(first), search(last)
        if last - first < 2:
            return
        if ends[0].n_leaves == ends[1].n_leaves and ends[0].error_cost == ends[1].error_cost:
            found.update(dict.fromkeys(range(first + 1, last), ends[1]))
            return
        middle = (first + last) // 2
        fill(first, middle)
        fill(middle, last)

    fill(0, len(penalties) - 1)
    return [found[position] for position in range(len(penalties))]


#: Penalties of folds are rounded to this share of a unit.
_FINE = 64
