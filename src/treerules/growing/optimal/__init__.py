"""Optimal trees: of all trees of at most a depth, the one of least cost, with a proved lower bound.

table ──▶ Problem ──▶ SearchTask ──search──▶ SearchResult ──found_tree──▶ ArrayTree ──▶ Tree     (optimal_growth)
            search_columns: ranks     │
            whole_costs: integers     ├── division, gaps: any depth; depth_one in numpy, depth_two_kernel in numba
            search_rows: arrays       ├── bit_search, bits_kernel: columns of two values
                                      └── first_tree: which of several trees of least cost

The search is that of ConTree (Brița et al. 2025) in its bounds, not in its order: thresholds of a column lie in gaps,
each gap has a lower bound from the costs at its ends, and the gap of the least bound is divided next (`gaps`).
"""
