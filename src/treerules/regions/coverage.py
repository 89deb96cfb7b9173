"""What rules share and what they leave: one sweep over their space, and what it leaves as conditions, each with a row.

`partition` divides the space, `uncovered` finds what no rule takes.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.domain import Domain, require_domain
from treerules.regions.partition import cells, distinct_pairs, met
from treerules.regions.space import Region, Row, Space, space_of
from treerules.regions.subtract import Budget
from treerules.regions.uncovered import Gaps, gaps_of
from treerules.rules.rule_set import RuleList, RuleSet


@frozen
class GapRegions:
    """Regions that no rule takes, each with a row; they do not overlap. Iterating gives the pairs.

    Where none is found, `decided` says that there is none; `more` says that there are more, or may be.
    """

    found: tuple[tuple[Region, Row], ...] = field(converter=as_tuple)
    decided: bool
    more: bool

    def __iter__(self) -> Iterator[tuple[Region, Row]]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


def gap_regions(
    rules: RuleSet | RuleList, domain: Domain | None = None, limit: int = 10, budget: int = 300_000
) -> GapRegions:
    """Return at most so many regions that no rule takes, each as large as it can be beside the ones before.

    Raises:
        OptionError: the domain does not fit the rules.
        UnknownNameError: the domain names a column that the schema does not have.
    """
    require_domain(rules.schema, domain)
    space = space_of(rules.schema, rules.rules, domain)
    found = swept(space, limit, budget).gaps
    return GapRegions([(space.region(box), space.row(box)) for box in found.boxes], found.decided, found.more)


@frozen(eq=False)
class Swept:
    """What one sweep over a space finds: the pairs of rules that meet, sorted, whether all, and what no rule takes."""

    pairs: Any
    has_all_pairs: bool
    gaps: Gaps


def swept(space: Space, limit: int, budget: int) -> Swept:
    """Return what a space's rules share and leave. About so many pairs are looked for as the budget has steps."""
    chunks: list[Any] = []
    parted, n_pairs = [], 0
    for cell in cells(space):
        n = len(chunks)
        for chunk in met(space, cell.rules, cell.rules) if n_pairs <= budget else ():
            chunks.append(chunk)
            n_pairs += len(chunk)
            if n_pairs > budget:
                break
        crossing = np.unique(np.concatenate(chunks[n:])).tolist() if len(chunks) > n else []
        parted.append((cell, crossing if n_pairs <= budget or len(cell.rules) < 2 else cell.rules))
    return Swept(distinct_pairs(chunks), n_pairs <= budget, gaps_of(space, parted, limit, Budget(budget)))
