"""Coverage of a space by rules: which rules overlap, and which regions no rule takes, each with a row."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.domain import Domain, require_domain
from treerules.regions.overlaps import distinct_pairs, pairs_in
from treerules.regions.partition import partition
from treerules.regions.space import Region, Row, Space, space_of
from treerules.regions.subtract import Budget
from treerules.regions.uncovered import Gaps, find_gaps
from treerules.rules.rule_set import RuleList, RuleSet


@frozen
class GapRegions:
    """Regions that no rule takes, each with a row; they do not overlap. Iterating gives the pairs.

    Without any, `decided` says whether it is proved that there are none. `more` says that there are more, or may be.
    """

    regions: tuple[tuple[Region, Row], ...] = field(converter=as_tuple)
    decided: bool
    more: bool

    def __iter__(self) -> Iterator[tuple[Region, Row]]:
        return iter(self.regions)

    def __len__(self) -> int:
        return len(self.regions)


def find_gap_regions(
    rules: RuleSet | RuleList, domain: Domain | None = None, limit: int = 10, budget: int = 300_000
) -> GapRegions:
    """Return at most `limit` regions that no rule takes, each as large as it can be without meeting those before it.

    Raises:
        OptionError: the domain does not fit the rules.
        UnknownNameError: the domain names a column that the schema does not have.
    """
    require_domain(rules.schema, domain)
    space = space_of(rules, domain)
    gaps = analyse_coverage(space, limit, budget).gaps
    return GapRegions([(space.region(box), space.row(box)) for box in gaps.boxes], gaps.decided, gaps.more)


@frozen(eq=False)
class Coverage:
    """The pairs of boxes of a space that overlap, by position and sorted, whether these are all, and the gaps."""

    pairs: Any
    has_all_pairs: bool
    gaps: Gaps


def analyse_coverage(space: Space, limit: int, budget: int) -> Coverage:
    """Return which boxes of a space overlap, and at most `limit` boxes that none of them takes.

    Args:
        space: the boxes.
        limit: the greatest number of gaps.
        budget: the number of steps in which boxes that overlap are subtracted; also the number of pairs, about, that
            are looked for.
    """
    chunks: list[Any] = []
    cells, n_pairs = [], 0
    for cell in partition(space):
        n_before = len(chunks)
        for chunk in pairs_in(cell, space) if n_pairs <= budget else ():
            chunks.append(chunk)
            n_pairs += len(chunk)
            if n_pairs > budget:
                break
        overlapping = np.unique(np.concatenate(chunks[n_before:])).tolist() if len(chunks) > n_before else []
        cells.append((cell, overlapping if n_pairs <= budget or len(cell.boxes) < 2 else cell.boxes))
    return Coverage(distinct_pairs(chunks), n_pairs <= budget, find_gaps(space, cells, limit, Budget(budget)))
