"""Is a rule set exclusive and complete? Decided from the rules alone, over the whole domain of their schema.

    exclusive   no row fires two rules                 otherwise `overlaps` holds a row that does
    complete    every row fires one                    otherwise `gaps` holds a row that fires none

The domain, unless declared otherwise: a number is every float64 but NaN, an integer int64, dates and timestamps the
years 1 to 9999; categories and ordinals meet the schema's and unseen ones; anything may be missing. Nothing is sampled.
"""

from collections.abc import Sequence
from heapq import nsmallest
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules.data.domain import Domain, require_domain
from treerules.data.schema import Schema
from treerules.errors import OptionError
from treerules.proof.suggest_rule import closing
from treerules.regions.coverage import analyse_coverage
from treerules.regions.covered_rules import find_subsumed
from treerules.regions.merge import find_mergeable
from treerules.regions.space import space_of
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Condition, Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, domain_for, rule_set_of

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
class SubsumedRule:
    """A rule, by number, of which each row fires another rule too, and those rules."""

    number: int
    by: tuple[int, ...] = field(converter=as_tuple)


@frozen
class Mergeable:
    """Two rules, by number, that predict the same and are one rule together: its conditions."""

    first: int
    second: int
    region: Region = field(converter=as_tuple)


@frozen(repr=False)
class Verdict(Shown):
    """What `check` found. `complete` is None where overlapping rules were too many to decide within the budget."""

    exclusive: bool
    complete: bool | None
    overlaps: tuple[Overlap, ...] = field(default=(), converter=as_tuple)
    gaps: tuple[Gap, ...] = field(default=(), converter=as_tuple)
    #: rules that only fire where another does
    shadowed: tuple[SubsumedRule, ...] = field(default=(), converter=as_tuple)
    #: rules that no row of the domain fires
    unreachable: tuple[int, ...] = field(default=(), converter=as_tuple)
    #: pairs of rules that could be one
    redundant: tuple[Mergeable, ...] = field(default=(), converter=as_tuple)
    #: which of these lists were cut off at the limit
    cut_off: tuple[str, ...] = field(default=(), converter=as_tuple)
    #: the rules that were checked, with their names where a file gives them; None in a verdict that was built by hand
    rules: RuleSet | ParsedRules | None = field(default=None, eq=False, repr=False)

    def __repr__(self) -> str:
        counts = "".join(f" {name}={len(getattr(self, name))}" for name in _LISTS if getattr(self, name))
        return f"<Verdict exclusive={self.exclusive} complete={self.complete}{counts}>"

    def __bool__(self) -> bool:
        return self.exclusive and self.complete is True


#: The lists of a verdict that end at the limit.
_LISTS = ("overlaps", "gaps", "shadowed", "unreachable", "redundant")


def check(rules: Source, *, domain: Domain | None = None, limit: int = 10, budget: int = 300_000) -> Verdict:
    """Return whether the rules are mutually exclusive and complete, with a witness row for each no.

    What columns can take is declared by `domain`, or else by the file of rules; where nothing is, all may come. Each
    list of the verdict holds `limit` findings at most, and `cut_off` names those that have more, or may have. Gaps do
    not overlap, each is as large as it can be beside those before it. Each witness was put to the rules again before it
    is reported.

    `budget` bounds the steps in which overlapping rules are taken out of the space, some 10,000 a second. Past it
    `complete` is None where no gap was found, and rules that are not decided to be shadowed are left out.

    >>> from treerules import Condition, Feature, RuleFigures, Interval, MeanPrediction, Rule, Schema
    >>> young = Rule(1, [("age", Condition(Interval(None, 30)))], MeanPrediction(1.0), RuleFigures(0, 0.0))
    >>> verdict = check(RuleSet(Schema([Feature("age", "integer")], Feature("y", "number")), [young]))
    >>> verdict.exclusive, verdict.complete, verdict.gaps[0].row
    (True, False, {'age': 31})

    Raises:
        DataError: a part of their file was not read.
        OptionError: these are no rules of a set; the limit or the budget is no whole number; or
            the domain does not fit the rules.
        UnknownNameError: the domain names a column that the schema does not have.
    """
    source, domain = rules, domain_for(rules, domain)
    rules = rule_set_of(source, "use check_list")
    require_search(rules.schema, domain, limit, budget)
    space = space_of(rules, domain)
    numbers = [rule.number for rule in rules.rules]
    coverage = analyse_coverage(space, limit, budget)
    empty = sorted(numbers[place] for place in space.empty.tolist())
    alike = find_mergeable(space, [rule.value for rule in rules.rules], limit + 1)
    covered, all_covered = find_subsumed(space, coverage.pairs, limit, budget)
    cut = (
        len(coverage.pairs) > limit or not coverage.has_all_pairs,
        coverage.gaps.more,
        not (all_covered and coverage.has_all_pairs),
        len(empty) > limit,
        len(alike) > limit,
    )
    return Verdict(
        not len(coverage.pairs),
        not coverage.gaps.boxes if coverage.gaps.decided else None,
        overlaps_of(rules, space, by_number(coverage.pairs.tolist(), numbers, limit)),
        gaps_found(rules, space, coverage.gaps.boxes),
        sorted(
            (SubsumedRule(numbers[at], sorted(numbers[by] for by in others)) for at, others in covered), key=_number
        ),
        empty[:limit],
        [_mergeable(rules, space, *pair) for pair in by_number(alike, numbers, limit)],
        [name for name, is_cut in zip(_LISTS, cut, strict=True) if is_cut],
        source if isinstance(source, ParsedRules) else rules,
    )


def require_search(schema: Schema, domain: Domain | None, limit: int, budget: int) -> None:
    """Raise OptionError, or UnknownNameError, unless a search can be asked for so."""
    require_domain(schema, domain)
    if type(limit) is not int or limit < 1:
        raise OptionError("limit", limit, "a whole number from 1")
    require_budget(budget)


def require_budget(budget: int) -> None:
    """Raise OptionError unless steps can be counted down from it."""
    if type(budget) is not int or budget < 0:
        raise OptionError("budget", budget, "a whole number from 0")


def _number(found: SubsumedRule) -> int:
    return found.number


def by_number(pairs: Any, numbers: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """Return the first pairs of positions in the order of the rules' numbers, the lower number first."""
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    rank = {place: turn for turn, place in enumerate(order)}
    turned = nsmallest(limit, (sorted((rank[one], rank[other])) for one, other in pairs))
    return [(order[one], order[other]) for one, other in turned]


def overlaps_of(rules: RuleSet | RuleList, space: Any, pairs: list[tuple[int, int]]) -> list[Overlap]:
    """Return what pairs of rules share, by position."""
    found = []
    for one, other in pairs:
        box = space.intersection(space.box(one), space.box(other))
        found.append(overlap_at(rules, space, one, other, box, space.row(box)))
    return found


def overlap_at(rules: RuleSet | RuleList, space: Any, one: int, other: int, box: Any, row: Row) -> Overlap:
    """Return the overlap of two rules, by position, with a row of the box that they share."""
    first, second = rules.rules[one].number, rules.rules[other].number
    fired = [rule.number for rule in rules.firing(row)]
    if not {first, second} <= set(fired):
        raise AssertionError(f"the witness {row!r} of rules {first} and {second} fires the rules {fired}")
    return Overlap(first, second, row, space.region(box))


def gaps_found(rules: RuleSet | RuleList, space: Any, boxes: Any) -> list[Gap]:
    """Return the gaps of boxes that no rule takes, with the rules that would close them, numbered on."""
    found, number = [], max((rule.number for rule in rules.rules), default=0)
    for turn, box in enumerate(boxes, start=1):
        row = space.row(box)
        if fired := rules.firing(row):
            raise AssertionError(f"the witness {row!r} of a gap fires rule {fired[0].number}")
        found.append(Gap(row, space.region(box), closing(space, rules.rules, box, number + turn)))
    return found


def _mergeable(rules: RuleSet, space: Any, one: int, other: int) -> Mergeable:
    pairs = zip(space.axes, space.box(one), space.box(other), strict=True)
    box = tuple(axis.union(part, also) for axis, part, also in pairs)
    return Mergeable(rules.rules[one].number, rules.rules[other].number, space.region(box))
