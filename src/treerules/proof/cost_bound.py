"""Whether no tree of some rows costs less than a bound: from the marks of a certificate, or computed afresh.

Nothing here is taken on trust: a leaf is compared with the bound, bounds of depth 1 and 2 are computed from the rows,
greater depths have the cuts of a proof, and every cut of every column must be excluded.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import frozen

from treerules.proof.bounded_rows import BoundedRows
from treerules.proof.certificate import BoundProof, ProvedCut
from treerules.proof.stump_costs import IMPOSSIBLE, stump_costs
from treerules.rendering.headings import translated_text

#: The number of cuts that are evaluated at once.
_BLOCK = 32


def find_cheaper(rows: BoundedRows, depth: int, bound: int, proof: BoundProof | None) -> str | None:
    """Return why it is not shown that no tree of at most a depth costs less than a bound; None where it is.

    Args:
        rows: the rows.
        depth: the greatest depth of the trees.
        bound: the bound.
        proof: the cuts that show it, for depths from 3.
    """
    if bound <= rows.penalty:  # every tree has a leaf
        return None
    if rows.weights.sum() >= rows.least_weight:
        leaf = rows.penalty + (int(rows.costs.sum(axis=0).min()) if rows.n_rows else 0)
        if leaf < bound:
            return translated_text("a leaf costs {cost}", cost=leaf)
    if depth == 0 or rows.n_rows < 2 or bound <= 2 * rows.penalty:
        return None
    if depth == 1:
        cost = int(stump_costs(rows, np.ones((1, rows.n_rows), dtype=bool))[0][0])
        return _cheaper(1, cost) if cost < bound else None
    if depth == 2:
        return _find_cheaper_of_two(rows, bound)
    if proof is None:
        return translated_text("a bound of depth {depth} has no proof", depth=depth)
    return _find_unproved(rows, depth, bound, proof)


# ---- cuts and their bounds


@frozen(eq=False)
class _Cuts:
    """The cuts of a column, and lower bounds of the costs on both sides; both are changed while cuts are evaluated."""

    column: int
    #: the rank above each cut, ascending
    rank: Any
    #: the greatest cost of all rows below each cut, and of all rows
    weight: Any
    total: int
    costs_below: Any
    costs_above: Any
    #: the lower bound of each cut itself
    own: Any
    #: a lower bound of the cost of all rows, of one level less
    whole: int

    def open(self, bound: int) -> Any:
        """Return the positions of the cuts that are not excluded.

        The cost below a cut is at least that below each cut before it, and that below a later one less the weight
        between. All rows are below a cut after the last one, and above one before the first.
        """
        weight = self.weight
        below = np.maximum.accumulate(self.costs_below)
        later = np.maximum.accumulate(np.append(self.costs_below - weight, self.whole - self.total)[::-1])[::-1]
        above = np.maximum.accumulate(self.costs_above[::-1])[::-1]
        earlier = np.maximum.accumulate(np.append(self.whole, self.costs_above + weight))
        cost = np.maximum(below, later[:-1] + weight) + np.maximum(above, earlier[1:] - weight)
        return np.flatnonzero(np.maximum(cost, self.own) < bound)


def _cuts(rows: BoundedRows, whole: int) -> Iterator[_Cuts]:
    """Yield the cuts of each column that a tree may have."""
    greatest = rows.costs.max(axis=1)
    for column, ranks in enumerate(rows.ranks):
        order = rows.orders[column]
        in_order = ranks[order]
        position = np.flatnonzero(in_order[1:] != in_order[:-1]) + 1
        if len(position):
            weight = np.cumsum(greatest[order])
            heavy = np.cumsum(rows.weights[order])
            lightest = np.minimum(heavy, heavy[-1] - heavy)[position - 1]
            own = np.where(lightest < rows.least_weight, IMPOSSIBLE, 0)
            below, above = np.full((2, len(position)), rows.penalty, dtype=np.int64)
            total = int(weight[-1])
            yield _Cuts(column, in_order[position], weight[position - 1], total, below, above, own, whole)


def _find_unproved(rows: BoundedRows, depth: int, bound: int, proof: BoundProof) -> str | None:
    """Return which cut the marks of a proof do not exclude, or which of their bounds does not hold."""
    relaxed = rows.relaxed()
    problem = find_cheaper(relaxed, depth - 1, proof.shallow, proof.proof_of_shallow)
    if problem is not None:
        return translated_text(
            "the bound {bound} of depth {depth}: {problem}", bound=proof.shallow, depth=depth - 1, problem=problem
        )
    by_column: dict[int, list[ProvedCut]] = {}
    for cut in proof.cuts:
        by_column.setdefault(cut.column, []).append(cut)
    for cuts in _cuts(rows, proof.shallow):
        for cut in by_column.get(cuts.column, ()):
            problem = _place(rows, depth, cut, cuts)
            if problem is not None:
                return problem
        is_open = cuts.open(bound)
        if len(is_open):
            text = _cut_text(rows, cuts.column, int(cuts.rank[is_open[0]]))
            return translated_text("{cut} is not excluded", cut=text)
    return None


def _place(rows: BoundedRows, depth: int, cut: ProvedCut, cuts: _Cuts) -> str | None:
    """Check the bounds of a mark, and write them to its cut; return why they do not hold."""
    position = int(np.searchsorted(cuts.rank, cut.cut))
    if position == len(cuts.rank) or cuts.rank[position] != cut.cut:
        return translated_text("{cut} divides no rows", cut=_cut_text(rows, cut.column, cut.cut))
    is_below = rows.ranks[cut.column] < cut.cut
    sides = rows.part(is_below), rows.part(~is_below)
    claims = (
        (sides[0].relaxed(), cut.cost_below, cut.proof_below),
        (sides[1].relaxed(), cut.cost_above, cut.proof_above),
        (sides[0], cut.own_below, cut.proof_own_below),
        (sides[1], cut.own_above, cut.proof_own_above),
    )
    for side, claimed, proof in claims:
        problem = find_cheaper(side, depth - 1, claimed, proof)
        if problem is not None:
            text = _cut_text(rows, cut.column, cut.cut)
            return translated_text(
                "the bound {bound} beside {cut}: {problem}", bound=claimed, cut=text, problem=problem
            )
    cuts.costs_below[position] = max(cuts.costs_below[position], cut.cost_below)
    cuts.costs_above[position] = max(cuts.costs_above[position], cut.cost_above)
    own = max(cut.cost_below, cut.own_below) + max(cut.cost_above, cut.own_above)
    cuts.own[position] = max(cuts.own[position], min(own, IMPOSSIBLE))
    return None


def _cheaper(depth: int, cost: int) -> str:
    return translated_text("a tree of depth {depth} costs {cost}", depth=depth, cost=cost)


def _cut_text(rows: BoundedRows, column: int, rank: int) -> str:
    name = rows.columns[column]
    category = "" if name.category is None else f" = {name.category}"
    return translated_text(
        "the cut of {column} below its value {number}", column=f"{name.feature}{category}", number=rank + 1
    )


# ---- depths 1 and 2, computed afresh


def _find_cheaper_of_two(rows: BoundedRows, bound: int) -> str | None:
    """Return the cost of a tree of depth 2 that costs less than a bound; None where there is none.

    Cuts are evaluated, in the middle of those that are left, until all are excluded.
    """
    everything = np.ones((1, rows.n_rows), dtype=bool)
    whole = int(stump_costs(rows.relaxed(), everything)[0][0])
    columns = list(_cuts(rows, whole))
    while True:
        chosen = [(cuts, position) for cuts in columns for position in _middles(cuts.open(bound))]
        if not chosen:
            return None
        for start in range(0, len(chosen), _BLOCK):
            block = chosen[start : start + _BLOCK]
            is_below = np.stack([rows.ranks[cuts.column] < cuts.rank[position] for cuts, position in block])
            below, above = stump_costs(rows.relaxed(), is_below)
            own = np.stack(stump_costs(rows, is_below)) if rows.least_weight else np.stack([below, above])
            costs = own.sum(axis=0)
            if costs.min() < bound:
                return _cheaper(2, int(costs.min()))
            for (cuts, position), *figures in zip(block, below, above, costs, strict=True):
                cuts.costs_below[position], cuts.costs_above[position], cuts.own[position] = figures


def _middles(positions: Any) -> list[int]:
    """Return the middle of each run of consecutive positions."""
    runs = np.split(positions, np.flatnonzero(np.diff(positions) > 1) + 1)
    return [int(run[len(run) // 2]) for run in runs if len(run)]
