"""What threads that share a node do: divide some of its lists, and let what each has found challenge the others'."""

from typing import Any

from treerules._internal.jit import kernel
from treerules.growing.compiled.best_split import ASK, GAIN, KIND, NONE, SUBSETS, challenged, copied, slack_of
from treerules.growing.compiled.regression_numeric import KEPT, SLACK, SLOT, TOLERANCE, UNKNOWN, kept_if_near
from treerules.growing.compiled.stable_partition import parted


@kernel
def parted_lists(lists: Any, lines: Any, start: int, n: int, n_left: int, spare: Any, mask: int) -> None:
    """Divide some lists of a node, `n` rows from `start` on; `spare` is nobody else's."""
    for line in lines:
        parted(lists.entries, line * lists.stride + start, n, n_left, lists.side, spare, start, mask)


@kernel
def joined(best: Any, one: Any, terms: Any, n: float) -> bool:
    """Let the champion of some features challenge that of others in a node of `n` rows; whether it wins.

    Where either is not sure of itself and they are close, the winner is not either.
    """
    if one[KIND] == NONE:
        return False
    if best[KIND] == NONE:
        copied(one, best)
        return True
    asks = max(one[ASK], best[ASK])
    is_close = abs(one[GAIN] - best[GAIN]) <= slack_of(n, terms.criterion)
    wins = challenged(best, one, terms.first, n, terms.n_sums, terms.criterion) == 1
    if is_close:
        best[ASK] = max(best[ASK], asks)
    return wins


@kernel
def joined_means(state: Any, counts: Any, kept: Any, marks: Any, sides: Any) -> None:
    """Let the candidates of the features that come next be candidates of the node: as if they had been searched here.

    What fell short of the best of theirs falls short of the best of all, so no candidate that matters is not among
    those that were kept.
    """
    if marks[TOLERANCE] > 0:
        state.marks[TOLERANCE], state.marks[SLACK] = marks[TOLERANCE], marks[SLACK]
    for at in range(int(marks[KEPT])):
        if kept_if_near(state.kept, kept[at], state.marks) and kept[at, KIND] == SUBSETS:
            last = int(state.marks[KEPT]) - 1
            copied(sides[int(kept[at, SLOT])], counts.kept_sides[int(state.kept[last, SLOT])])
    state.marks[UNKNOWN] = max(state.marks[UNKNOWN], marks[UNKNOWN])
