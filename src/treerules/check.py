"""Is a rule set exclusive and complete? Decided from the rules alone, over the whole domain of their schema.

    exclusive   no row fires two rules                 otherwise `overlaps` holds a row that does
    complete    every row fires one                    otherwise `gaps` holds a row that fires none

The domain: a number is every float64 but NaN, an integer int64, dates and timestamps the years 1 to 9999; categories
and ordinals meet the schema's and unseen ones; anything may be missing. Nothing is sampled.
"""

from typing import Any

from attrs import field, frozen

from treerules._attrs import as_tuple
from treerules.domains import Domain
from treerules.rules import Condition, Rule, RuleSet

Row = dict[str, Any]


#: A part of the space of rows: conditions on columns, as a rule holds them; a column that is not named may be anything.
Region = tuple[tuple[str, Condition], ...]


@frozen
class Overlap:
    """Two rules, by number, a row that fires both, and all that they share."""

    first: int
    second: int
    row: Row
    region: Region = field(default=(), converter=as_tuple)


@frozen
class Gap:
    """A row that fires no rule, the region around it that fires none, and the rule that would close it.

    The rule predicts what the rule beside the region does that touches most of it; None where there are no rules.
    """

    row: Row
    region: Region = field(default=(), converter=as_tuple)
    rule: Rule | None = None


@frozen
class Shadowed:
    """A rule, by number, of which each row fires another rule too, and those rules."""

    number: int
    by: tuple[int, ...] = field(converter=as_tuple)


@frozen
class Mergeable:
    """Two rules, by number, that predict the same and are one rule together: its conditions."""

    first: int
    second: int
    region: Region = field(converter=as_tuple)


@frozen
class Verdict:
    """What `check` found. `complete` is None where overlapping rules were too many to decide within the budget."""

    exclusive: bool
    complete: bool | None
    overlaps: tuple[Overlap, ...] = field(default=(), converter=as_tuple)
    gaps: tuple[Gap, ...] = field(default=(), converter=as_tuple)
    #: rules that only fire where another does
    shadowed: tuple[Shadowed, ...] = field(default=(), converter=as_tuple)
    #: rules that no row of the domain fires
    unreachable: tuple[int, ...] = field(default=(), converter=as_tuple)
    #: pairs of rules that could be one
    redundant: tuple[Mergeable, ...] = field(default=(), converter=as_tuple)
    #: which of these lists were cut off at the limit
    cut_off: tuple[str, ...] = field(default=(), converter=as_tuple)

    def __bool__(self) -> bool:
        return self.exclusive and self.complete is True


def check(rules: RuleSet, *, domain: Domain | None = None, limit: int = 10, budget: int = 300_000) -> Verdict:
    """Return whether the rules are mutually exclusive and complete, with a witness row for each no."""
    from treerules.boxes import Budget
    from treerules.regions import swept
    from treerules.spaces import space_of

    space = space_of(rules.schema, rules.rules, domain)
    (pairs, _), gaps = swept(space, limit, Budget(budget))
    overlaps = []
    for one, other in pairs[:limit].tolist():
        box: Any = space.common(space.box(one), space.box(other))
        first, second = rules.rules[one], rules.rules[other]
        overlaps.append(Overlap(first.number, second.number, space.row(box), space.region(box)))
    found = [Gap(space.row(box), space.region(box)) for box in gaps.boxes]
    return Verdict(not len(pairs), not found if gaps.decided else None, overlaps, found)
