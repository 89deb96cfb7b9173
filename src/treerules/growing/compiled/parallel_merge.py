"""Kernels of threads that share a node: partition of some of its lists, and the merge of the threads' best splits."""

from typing import Any

from treerules._internal.jit import kernel
from treerules.growing.array_tree import SUBSETS
from treerules.growing.compiled.best_split import GAIN, KIND, NONE, UNCERTAIN, copy_into, rounding_slack, update_best
from treerules.growing.compiled.regression_candidates import (
    COMPARISON,
    N_KEPT,
    SLACK,
    SLOT,
    TOLERANCE,
    UNCERTAIN_GAIN,
    keep_if_near_best,
)
from treerules.growing.compiled.stable_partition import partition_list


@kernel
def partition_lists(lists: Any, list_indices: Any, start: int, n: int, n_left: int, spare: Any, mask: int) -> None:
    """Partition some lists of a node, n rows from `start` on; no other thread uses `spare`."""
    for index in list_indices:
        partition_list(lists.entries, index * lists.stride + start, n, n_left, lists.child_of_row, spare, start, mask)


@kernel
def merge_best(best: Any, candidate: Any, scoring: Any, n: float) -> bool:
    """Let the best split of some features compete with that of others, in a node of n rows; return whether it wins.

    Where one of them is uncertain and their gains are close, the winner is uncertain.
    """
    if candidate[KIND] == NONE:
        return False
    if best[KIND] == NONE:
        copy_into(candidate, best)
        return True
    uncertain = max(candidate[UNCERTAIN], best[UNCERTAIN])
    is_close = abs(candidate[GAIN] - best[GAIN]) <= rounding_slack(n, scoring.criterion)
    wins = update_best(best, candidate, scoring.tie_order, n, scoring.n_classes, scoring.criterion) == 1
    if is_close:
        best[UNCERTAIN] = max(best[UNCERTAIN], uncertain)
    return wins


@kernel
def merge_regression(workspace: Any, counts: Any, kept: Any, search_state: Any, sides: Any) -> None:
    """Let the kept candidates of later features be candidates of the node, as if these features were searched here.

    A candidate that is not near the best of its own features is not near the best of all, so none is lost.
    """
    if search_state[SLACK] > 0:
        for index in (TOLERANCE, SLACK, COMPARISON):
            workspace.search_state[index] = search_state[index]
    for index in range(int(search_state[N_KEPT])):
        if keep_if_near_best(workspace.kept, kept[index], workspace.search_state) and kept[index, KIND] == SUBSETS:
            last = int(workspace.search_state[N_KEPT]) - 1
            copy_into(sides[int(kept[index, SLOT])], counts.kept_sides[int(workspace.kept[last, SLOT])])
    workspace.search_state[UNCERTAIN_GAIN] = max(workspace.search_state[UNCERTAIN_GAIN], search_state[UNCERTAIN_GAIN])
