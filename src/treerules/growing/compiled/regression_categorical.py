"""The best split of one feature of few values for the mean of a node."""

from typing import Any

import numpy as np

from treerules._internal.jit import kernel
from treerules.growing.compiled.best_split import CUT, HIGH, LOW, SUBSETS
from treerules.growing.compiled.class_categorical import IN_ORDER, MOST_EXHAUSTIVE, ONE_AGAINST_REST, ordered
from treerules.growing.compiled.class_numeric import LEARNED
from treerules.growing.compiled.regression_numeric import KEPT, SLOT, apart, offered


@kernel
def held(tables: Any, counts: Any, line: int, rows: Any, target: Any, view: Any) -> int:
    """Gather the codes of a feature that some row holds, with their figures; return how many."""
    missing = counts.missing
    n_codes, cells, codes, by_held = tables.n_codes[line], counts.cells, counts.held, counts.by_held
    n_held = 0
    for code in range(n_codes + 1) if len(rows) > n_codes else range(0):
        cells[code, 0] = cells[code, 1] = 0.0
    for at in range(len(rows) if len(rows) <= n_codes else 0):
        code = np.int64(tables.codes[rows[at], line])
        cells[code, 0] = cells[code, 1] = 0.0
    cells[n_codes, 0] = cells[n_codes, 1] = 0.0
    for at in range(len(rows)):
        row = rows[at]
        code = np.int64(tables.codes[row, line])
        if cells[code, 0] == 0.0 and code < n_codes and len(rows) <= n_codes:
            place = n_held
            while place > 0 and codes[place - 1] > code:
                codes[place] = codes[place - 1]
                place -= 1
            codes[place] = code
            n_held += 1
        cells[code, 0] += 1.0
        cells[code, 1] += (target[row] - view.centre) * view.factor
    if len(rows) > n_codes:
        for code in range(n_codes):
            if cells[code, 0] > 0.0:
                codes[n_held] = code
                n_held += 1
    for at in range(n_held):
        by_held[at, 0], by_held[at, 1] = cells[codes[at], 0], cells[codes[at], 1]
    missing[0], missing[1] = cells[n_codes, 0], cells[n_codes, 1]
    return n_held


@kernel
def searched(
    kept: Any, room: Any, marks: Any, terms: Any, counts: Any, n: float, n_held: int, feature: int, how: int
) -> bool:
    """Let the divisions of a feature of few values be candidates; False where the reference must search it."""
    known, missing, by_held = counts.known, counts.missing, counts.by_held
    order, means = counts.order, counts.means
    for at in range(n_held):
        order[at] = at
    if how != IN_ORDER and how != ONE_AGAINST_REST:
        smallest = missing[0] if terms.policy == LEARNED and missing[0] > 0 else n
        for at in range(n_held):
            smallest = min(smallest, by_held[at, 0])
            means[at] = by_held[at, 1] / by_held[at, 0]
        if n_held > 1 and smallest < terms.least and n_held <= MOST_EXHAUSTIVE:
            return False
        ordered(means, order, n_held)
    known[:] = 0.0
    for at in range(n_held):
        known[0] += by_held[order[at], 0]
        known[1] += by_held[order[at], 1]
    if n_held > 1:
        _divisions(kept, room, marks, terms, counts, n, n_held, feature, how, order, means)
    if missing[0] > 0 and n_held > 0 and terms.policy == LEARNED:
        apart(kept, room, marks, terms, n, known[0], known[1], missing[0], missing[1], feature, 0)
    return True


@kernel
def _divisions(
    kept: Any,
    room: Any,
    marks: Any,
    terms: Any,
    counts: Any,
    n: float,
    n_held: int,
    feature: int,
    how: int,
    order: Any,
    means: Any,
) -> None:
    by_held, codes, known, missing = counts.by_held, counts.held, counts.known, counts.missing
    n_left, of_left = 0.0, 0.0
    for at in range(n_held if how == ONE_AGAINST_REST and n_held > 2 else n_held - 1):
        if how == ONE_AGAINST_REST:
            n_left, of_left = by_held[at, 0], by_held[at, 1]
            is_first = at == 0
        else:
            n_left, of_left = n_left + by_held[order[at], 0], of_left + by_held[order[at], 1]
            if how != IN_ORDER and means[order[at]] == means[order[at + 1]]:
                continue
            is_first = False  # whether the first category is among those taken
            for earlier in range(at + 1):
                is_first = is_first or order[earlier] == 0
        kind = CUT if how == IN_ORDER else SUBSETS
        if not offered(
            kept, room, marks, terms, n, n_left, of_left, known[0], known[1], missing[0], missing[1], feature, kind,
            is_first or how == IN_ORDER,
        ):  # fmt: skip
            continue
        last = int(marks[KEPT]) - 1
        kept[last, LOW] = codes[at] if how == IN_ORDER else -1.0
        kept[last, HIGH] = codes[at + 1] if how == IN_ORDER else -1.0
        if how == IN_ORDER:
            continue
        sides = counts.kept_sides[int(kept[last, SLOT])]
        sides[:] = 2
        for later in range(n_held):
            in_taken = later == at if how == ONE_AGAINST_REST else later <= at
            sides[codes[later if how == ONE_AGAINST_REST else order[later]]] = 0 if in_taken == is_first else 1
