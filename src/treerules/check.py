"""Is a rule set exclusive and complete? Decided from the rules alone, over the whole domain of their schema.

    exclusive   no row fires two rules                 otherwise `overlaps` holds a row that does
    complete    every row fires one                    otherwise `gaps` holds a row that fires none

The domain: a number is every float64 but NaN, an integer int64, dates and timestamps the years 1 to 9999; categories
and ordinals meet the schema's and unseen ones; anything may be missing. Nothing is sampled.
"""

from typing import Any

from attrs import field, frozen

from treerules._attrs import as_tuple
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


def check(rules: RuleSet, *, budget: int = 300_000) -> Verdict:
    """Return whether the rules are mutually exclusive and complete, with a witness row for each no.

    Each witness was put to the rules again before it is reported. Overlapping rules are cut into boxes to be
    counted: `budget` bounds the steps of that, some 30,000 a second; past it, `complete` is None.
    """
    from treerules.regions import find_gap, find_overlap

    overlap = find_overlap(rules)
    gap, decided = find_gap(rules, exclusive=overlap is None, budget=budget)
    overlaps = [] if overlap is None else [_overlap(rules, overlap)]
    gaps = [] if gap is None else [_gap(rules, gap)]
    return Verdict(not overlaps, not gaps if decided else None, overlaps, gaps)


def _overlap(rules: RuleSet, row: Row) -> Overlap:
    fired = rules.firing(row)
    if len(fired) < 2:
        raise AssertionError(f"the witness {row!r} of an overlap fires {len(fired)} rules")
    return Overlap(fired[0].number, fired[1].number, row)


def _gap(rules: RuleSet, row: Row) -> Gap:
    fired = rules.firing(row)
    if fired:
        raise AssertionError(f"the witness {row!r} of a gap fires rule {fired[0].number}")
    return Gap(row)
