"""The winning candidate of the kernels as the reference's, with exact statistics: it need not be searched again."""

from typing import Any

import numpy as np

from treerules.growing.array_tree import ABSENT, CUT, MISSING_TEST
from treerules.growing.compiled.candidates import FEATURE, HIGH, KIND, LOW, SLOT
from treerules.growing.compiled.growth import Growth
from treerules.growing.compiled.scoring import CENTRE
from treerules.growing.encoding import EncodedProblem
from treerules.growing.reference.node_data import Candidate, Group, missing_test_candidate

#: Cuts need no codes that are present.
_NONE = np.empty(0, dtype=np.int64)


def has_exact_statistics(growth: Growth) -> bool:
    """Return whether the statistics of candidates are the reference's to the last bit, and all that it needs."""
    scoring = growth.scoring
    counts_other_than_weight = scoring.has_weights and scoring.counts_rows
    return not (scoring.is_rounded or counts_other_than_weight or scoring.is_published or not growth.recipe.is_binary)


def winning_candidate(growth: Growth, data: EncodedProblem, rows: Any, winner: int) -> Candidate:
    """Return the kept candidate of an index as the reference's; `rows` are those of the node."""
    record = growth.search.kept[winner]
    feature, kind = int(record[FEATURE]), int(record[KIND])
    codes, n_codes, is_cut = data.codes[feature, rows], int(data.n_codes[feature]), bool(data.is_cut[feature])
    is_known = codes < n_codes
    unknown = _group(growth, rows[~is_known])
    present = _NONE if is_cut else np.flatnonzero(np.bincount(codes[is_known], minlength=n_codes))
    if kind == MISSING_TEST:
        of_known = (n_codes - 1,) if is_cut else tuple(present.tolist())
        return missing_test_candidate(feature, is_cut, of_known, _group(growth, rows[is_known]), unknown)
    if kind == CUT:
        low, high = data.codes[feature, _rows_around(growth, feature, int(record[LOW]), int(record[HIGH]))].tolist()
        is_first = codes <= low
        sides: tuple[tuple[int, ...], ...] = ((low,), (high,))
    else:
        side_of = np.append(growth.search.sides[int(record[SLOT])][:n_codes], ABSENT)
        is_first = side_of[codes] == 0
        sides = tuple(tuple(present[side_of[present] == side].tolist()) for side in (0, 1))
    groups = _group(growth, rows[is_first]), _group(growth, rows[is_known & ~is_first])
    return Candidate(feature, is_cut, sides, groups, unknown)


def _rows_around(growth: Growth, feature: int, low: int, high: int) -> list[int]:
    """Return rows that hold the values below and above a cut; coded features are cut between codes."""
    rows_of_codes = growth.columns.rows_of_codes[feature]
    return [low, high] if rows_of_codes is None else [int(rows_of_codes[low]), int(rows_of_codes[high])]


def _group(growth: Growth, rows: Any) -> Group:
    """Return the statistics of some rows of the node that was just searched, in the form of the reference."""
    scoring, totals = growth.scoring, growth.search.totals
    weights = scoring.weights[rows] if scoring.has_weights else np.ones(len(rows))
    n = float(weights.sum())
    if growth.problem.weighing is None:
        return n, (float((weights * (scoring.values[rows] - scoring.scale[CENTRE])).sum()),)
    counts = np.bincount(growth.problem.target[rows], weights=weights, minlength=scoring.n_sums)
    return n, tuple(counts[totals[: scoring.n_sums] > 0].tolist())
