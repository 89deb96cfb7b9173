"""The finished tree as arrays."""

import numpy as np

from treerules.growing.array_tree import CUT, LEAF, MULTIWAY, SUBSETS, ArrayTree
from treerules.growing.compiled.growth import Growth
from treerules.growing.compiled.node_arrays import Nodes
from treerules.growing.compiled.node_figures import write_figures
from treerules.growing.compiled.node_search import N_NODES


def to_array_tree(growth: Growth) -> ArrayTree:
    """Return the tree as arrays; the values around cuts are given by rows of the problem."""
    n = int(growth.loop.counters[N_NODES])
    nodes = Nodes(*(values[:n] for values in growth.nodes))
    if growth.problem.weighing is None:
        write_figures(growth.problem, growth.scoring, growth.loop.rows, nodes)
    low, high = nodes.low.copy(), nodes.high.copy()
    feature = np.where(nodes.kind == LEAF, 0, nodes.feature)
    for index, rows_of_codes in enumerate(growth.columns.rows_of_codes):
        if rows_of_codes is not None:
            cuts = np.flatnonzero((nodes.kind == CUT) & (feature == index))
            low[cuts], high[cuts] = rows_of_codes[low[cuts]], rows_of_codes[high[cuts]]
    sides = []
    for index, node in enumerate(np.flatnonzero(nodes.kind == SUBSETS).tolist()):
        start = int(nodes.sides_start[node])
        n_codes = len(growth.problem.columns[int(feature[node])].feature.categories)
        sides.append(growth.loop.side_pool[start : start + n_codes].astype(np.uint8))
        low[node] = index
    has_many = bool((nodes.kind == MULTIWAY).any())
    return ArrayTree(
        kind=nodes.kind,
        feature=feature,
        first_child=nodes.first_child,
        missing_child=nodes.missing_child,
        largest_child=nodes.largest_child,
        statistics=nodes.statistics,
        low=low,
        high=high,
        sides=sides,
        n_children=nodes.n_children if has_many else None,
        category=nodes.category if has_many else None,
        has_child_of_each=growth.recipe.quinlan,
        bounds=nodes.bounds if growth.scoring.has_directions else None,
    )
