"""Optimal trees: of all trees of at most a depth, the one of least cost, with a proved lower bound.

table ──▶ Problem ──search_rows──▶ SearchRows ──search──▶ Splits ──optimal_tree──▶ Tree
            columns of ranks, whole costs       │
            (search_columns, whole_costs)       └── depth 2: depth_two (numpy), depth_two_kernel (numba)

The search is that of ConTree (Brița et al. 2025) in its bounds, not in its order: thresholds of a column lie in gaps,
each gap has a lower bound from the costs at its ends, and the gap of the least bound is divided next (`gaps`).
"""
