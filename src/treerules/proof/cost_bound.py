"""Whether no tree of some rows costs less than a bound: from the marks of a certificate, or computed afresh.

Nothing here is taken on trust: a leaf is compared with the bound, bounds of depth 1 and 2 are computed from the rows,
greater depths have the cuts of a proof, and every cut of every column must be excluded.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.proof.certificate import BoundProof, ProofColumn, ProvedCut

#: The number of cuts that are evaluated at once.
_BLOCK = 32
#: What a side that is too light for a leaf costs.
_IMPOSSIBLE = 1 << 60


@frozen(eq=False)
class BoundedRows:
    """Rows, the costs of their labels, and the rules of the trees that are compared."""

    columns: tuple[ProofColumn, ...]
    #: shape (columns, rows)
    ranks: Any
    #: int64, at least 0, shape (rows, labels)
    costs: Any
    #: shape (rows,)
    weights: Any
    #: the price of a leaf
    penalty: int
    #: the least weight of a leaf; 0 where it does not matter
    least_weight: float

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.costs)

    def part(self, is_inside: Any) -> "BoundedRows":
        """Return some of the rows."""
        return evolve(
            self, ranks=self.ranks[:, is_inside], costs=self.costs[is_inside], weights=self.weights[is_inside]
        )

    def relaxed(self) -> "BoundedRows":
        """Return the same rows where leaves may be as light as they like."""
        return evolve(self, least_weight=0.0)


def joined(rows: BoundedRows) -> tuple[BoundedRows, int]:
    """Return the rows without what no tree changes, and the cost that no tree avoids.

    Equal rows are one row, of their summed costs. Its least cost is taken out. Where leaves have no least weight, a row
    whose labels cost the same is left out. Of columns that divide the rows in the same way the first is kept.
    """
    _, first, group = np.unique(rows.ranks, axis=1, return_index=True, return_inverse=True)
    group = group.ravel()
    costs = np.zeros((len(first), rows.costs.shape[1]), dtype=np.int64)
    np.add.at(costs, group, rows.costs)
    weights = np.bincount(group, rows.weights, minlength=len(first))
    least = costs.min(axis=1)
    costs -= least[:, None]
    rows = evolve(rows, ranks=rows.ranks[:, first], costs=costs, weights=weights)
    is_kept: dict[bytes, int] = {}
    for number, line in enumerate(rows.ranks):
        flipped = 1 - line if line.max(initial=0) == 1 and line[0] else line
        is_kept.setdefault(flipped.tobytes(), number)
    kept = sorted(is_kept.values())
    rows = evolve(rows, columns=tuple(rows.columns[number] for number in kept), ranks=rows.ranks[kept])
    return (rows.part(costs.any(axis=1)) if not rows.least_weight else rows), int(least.sum())


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
            return f"a leaf costs {leaf}"
    if depth == 0 or rows.n_rows < 2 or bound <= 2 * rows.penalty:
        return None
    if depth == 1:
        cost = int(_stump_costs(rows, np.ones((1, rows.n_rows), dtype=bool))[0][0])
        return f"a tree of depth 1 costs {cost}" if cost < bound else None
    if depth == 2:
        return _find_cheaper_of_two(rows, bound)
    if proof is None:
        return f"a bound of depth {depth} has no proof"
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
    below: Any
    above: Any
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
        below = np.maximum.accumulate(self.below)
        later = np.maximum.accumulate(np.append(self.below - weight, self.whole - self.total)[::-1])[::-1]
        above = np.maximum.accumulate(self.above[::-1])[::-1]
        earlier = np.maximum.accumulate(np.append(self.whole, self.above + weight))
        cost = np.maximum(below, later[:-1] + weight) + np.maximum(above, earlier[1:] - weight)
        return np.flatnonzero(np.maximum(cost, self.own) < bound)


def _cuts(rows: BoundedRows, whole: int) -> Iterator[_Cuts]:
    """Yield the cuts of each column that a tree may have."""
    greatest = rows.costs.max(axis=1)
    for column, ranks in enumerate(rows.ranks):
        order = np.argsort(ranks, kind="stable")
        in_order = ranks[order]
        position = np.flatnonzero(in_order[1:] != in_order[:-1]) + 1
        if len(position):
            weight = np.cumsum(greatest[order])
            heavy = np.cumsum(rows.weights[order])
            lightest = np.minimum(heavy, heavy[-1] - heavy)[position - 1]
            own = np.where(lightest < rows.least_weight, _IMPOSSIBLE, 0)
            below, above = np.full((2, len(position)), rows.penalty, dtype=np.int64)
            total = int(weight[-1])
            yield _Cuts(column, in_order[position], weight[position - 1], total, below, above, own, whole)


def _find_unproved(rows: BoundedRows, depth: int, bound: int, proof: BoundProof) -> str | None:
    """Return which cut the marks of a proof do not exclude, or which of their bounds does not hold."""
    relaxed = rows.relaxed()
    problem = find_cheaper(relaxed, depth - 1, proof.shallow, proof.proof_of_shallow)
    if problem is not None:
        return f"the bound {proof.shallow} of depth {depth - 1}: {problem}"
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
            return f"{_cut_text(rows, cuts.column, int(cuts.rank[is_open[0]]))} is not excluded"
    return None


def _place(rows: BoundedRows, depth: int, cut: ProvedCut, cuts: _Cuts) -> str | None:
    """Check the bounds of a mark, and write them to its cut; return why they do not hold."""
    position = int(np.searchsorted(cuts.rank, cut.cut))
    if position == len(cuts.rank) or cuts.rank[position] != cut.cut:
        return f"{_cut_text(rows, cut.column, cut.cut)} divides no rows"
    is_below = rows.ranks[cut.column] < cut.cut
    sides = rows.part(is_below), rows.part(~is_below)
    claims = (
        (sides[0].relaxed(), cut.below, cut.proof_below),
        (sides[1].relaxed(), cut.above, cut.proof_above),
        (sides[0], cut.own_below, cut.proof_own_below),
        (sides[1], cut.own_above, cut.proof_own_above),
    )
    for side, claimed, proof in claims:
        problem = find_cheaper(side, depth - 1, claimed, proof)
        if problem is not None:
            return f"the bound {claimed} beside {_cut_text(rows, cut.column, cut.cut)}: {problem}"
    cuts.below[position] = max(cuts.below[position], cut.below)
    cuts.above[position] = max(cuts.above[position], cut.above)
    own = max(cut.below, cut.own_below) + max(cut.above, cut.own_above)
    cuts.own[position] = max(cuts.own[position], own)
    return None


def _cut_text(rows: BoundedRows, column: int, rank: int) -> str:
    name = rows.columns[column]
    category = "" if name.category is None else f" = {name.category}"
    return f"the cut of {name.feature}{category} below its value {rank + 1}"


# ---- depths 1 and 2, computed afresh


def _find_cheaper_of_two(rows: BoundedRows, bound: int) -> str | None:
    """Return the cost of a tree of depth 2 that costs less than a bound; None where there is none.

    Cuts are evaluated, in the middle of those that are left, until all are excluded.
    """
    everything = np.ones((1, rows.n_rows), dtype=bool)
    whole = int(_stump_costs(rows.relaxed(), everything)[0][0])
    columns = list(_cuts(rows, whole))
    while True:
        chosen = [(cuts, position) for cuts in columns for position in _middles(cuts.open(bound))]
        if not chosen:
            return None
        for start in range(0, len(chosen), _BLOCK):
            block = chosen[start : start + _BLOCK]
            is_below = np.stack([rows.ranks[cuts.column] < cuts.rank[position] for cuts, position in block])
            below, above = _stump_costs(rows.relaxed(), is_below)
            own = np.stack(_stump_costs(rows, is_below)) if rows.least_weight else np.stack([below, above])
            costs = own.sum(axis=0)
            if costs.min() < bound:
                return f"a tree of depth 2 costs {int(costs.min())}"
            for (cuts, position), *figures in zip(block, below, above, costs, strict=True):
                cuts.below[position], cuts.above[position], cuts.own[position] = figures


def _middles(positions: Any) -> list[int]:
    """Return the middle of each run of consecutive positions."""
    runs = np.split(positions, np.flatnonzero(np.diff(positions) > 1) + 1)
    return [int(run[len(run) // 2]) for run in runs if len(run)]


def _stump_costs(rows: BoundedRows, is_below: Any) -> tuple[Any, Any]:
    """Return the least costs of trees of depth 1 of the rows in each set, and of the rows outside it.

    Args:
        rows: the rows.
        is_below: the rows of each set, shape (sets, rows).

    Returns:
        Two arrays of shape (sets,).
    """
    sums = is_below @ rows.costs, ~is_below @ rows.costs
    weights = is_below @ rows.weights, ~is_below @ rows.weights
    best = [
        np.where(weight >= rows.least_weight, total.min(axis=1) + rows.penalty, _IMPOSSIBLE)
        for total, weight in zip(sums, weights, strict=True)
    ]
    for ranks in rows.ranks:
        order = np.argsort(ranks, kind="stable")
        in_order = ranks[order]
        position = np.flatnonzero(in_order[1:] != in_order[:-1])
        if not len(position):
            continue
        sets = is_below[:, order]
        for side, inside in enumerate((sets, ~sets)):
            costs = np.where(inside[:, :, None], rows.costs[order], 0).cumsum(axis=1)[:, position]
            split = costs.min(axis=2) + (sums[side][:, None] - costs).min(axis=2)
            if rows.least_weight:
                weight = np.where(inside, rows.weights[order], 0.0).cumsum(axis=1)[:, position]
                lightest = np.minimum(weight, weights[side][:, None] - weight)
                split = np.where(lightest < rows.least_weight, _IMPOSSIBLE, split)
            best[side] = np.minimum(best[side], split.min(axis=1) + 2 * rows.penalty)
    return best[0], best[1]
