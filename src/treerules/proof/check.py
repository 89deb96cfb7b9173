"""Check of a rule set: whether it is exclusive and complete, decided from the rules over the whole domain.

    exclusive   no row fires two rules                 otherwise `overlaps` holds a row that does
    complete    every row fires one                    otherwise `gaps` holds a row that fires none

The domain, unless it is declared: a number is every float64 but NaN, an integer int64, dates and timestamps the years 1
to 9999; categories and ordinals may be the schema's or unseen; any value may be missing. Nothing is sampled.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from typing import Any

from attrs import field, frozen

from treerules._internal.arguments import require_whole_number
from treerules._internal.field_converters import as_dict, as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.data.domain import Domain, narrowing, require_domain
from treerules.data.schema import Schema
from treerules.proof.suggest_rule import suggest_rule
from treerules.regions.coverage import analyse_coverage
from treerules.regions.covered_rules import find_subsumed
from treerules.regions.merge import find_mergeable
from treerules.regions.space import Box, Space, space_of
from treerules.regions.space import Region as Region
from treerules.regions.space import Row as Row
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, domain_for, rule_set_of


@short_repr
@frozen
class Overlap:
    """Two rules, by number, a row that fires both, and the region that they share."""

    first: int
    second: int
    row: Row
    region: Region = field(default=(), converter=as_tuple)


@short_repr
@frozen
class Gap:
    """A row that fires no rule, a region around it that fires none, and the rule that would close it.

    The rule has the prediction of the neighbouring rule that touches most of the region; None if there are no rules.
    """

    row: Row
    region: Region = field(default=(), converter=as_tuple)
    rule: Rule | None = None


@short_repr
@frozen
class SubsumedRule:
    """A rule, by number, that is covered by other rules: every row that fires it also fires one of `by`."""

    number: int
    by: tuple[int, ...] = field(converter=as_tuple)


@short_repr
@frozen
class Mergeable:
    """Two rules, by number, that predict the same value, and the conditions of the rule equivalent to both."""

    first: int
    second: int
    region: Region = field(converter=as_tuple)


@frozen(repr=False)
class Verdict(Shown):
    """The result of `check`: whether the rules are exclusive and complete, and findings. It is true if they are both.

    Attributes:
        exclusive: whether no row fires two rules.
        complete: whether every row fires a rule; None if that was not decided within the budget.
        overlaps: pairs of rules that share rows, ordered by their numbers.
        gaps: regions that fire no rule. They do not overlap; each is as large as possible without overlapping earlier
            ones.
        subsumed: rules that are covered by other rules.
        unreachable: the numbers of the rules that no row of the domain fires.
        redundant: pairs of rules that could be one.
        cut_off: the names of the lists above that have, or may have, more findings than are listed.
        by_budget: those of "cut_off" whose search the budget ended, not the limit.
        rules: the rules that were checked, with their names if they are from a file; None in a verdict built by hand.
        domain: the values that columns were assumed to have, for each column where some value of its kind is left out;
            empty where nothing was assumed. It takes no part in equality.
    """

    exclusive: bool
    complete: bool | None
    overlaps: tuple[Overlap, ...] = field(default=(), converter=as_tuple)
    gaps: tuple[Gap, ...] = field(default=(), converter=as_tuple)
    subsumed: tuple[SubsumedRule, ...] = field(default=(), converter=as_tuple)
    unreachable: tuple[int, ...] = field(default=(), converter=as_tuple)
    redundant: tuple[Mergeable, ...] = field(default=(), converter=as_tuple)
    cut_off: tuple[str, ...] = field(default=(), converter=as_tuple)
    by_budget: tuple[str, ...] = field(default=(), converter=as_tuple, kw_only=True)
    rules: RuleSet | ParsedRules | None = field(default=None, eq=False, repr=False)
    domain: Domain = field(factory=dict, converter=as_dict, eq=False, repr=False)

    def __repr__(self) -> str:
        lists = ("overlaps", "gaps", "subsumed", "unreachable", "redundant")
        counts = "".join(f" {name}={len(getattr(self, name))}" for name in lists if getattr(self, name))
        return f"<Verdict exclusive={self.exclusive} complete={self.complete}{counts}>"

    @property
    def whole_domain(self) -> bool:
        """Whether every value of each column's kind was considered, missing and unseen values included."""
        return not self.domain

    def __bool__(self) -> bool:
        return self.exclusive and self.complete is True


def check(rules: Source, *, domain: Domain | None = None, limit: int = 10, budget: int = 300_000) -> Verdict:
    """Return whether rules are exclusive and complete, with a witness for each overlap and gap.

    The result is exact, not sampled. Each witness is verified against the rules before it is reported.

    Args:
        rules: a rule set, a tree, or a parsed file of a rule set.
        domain: the values that columns can take, by column name. By default those that the rules declare, else every
            value of the column's kind, including missing and unseen ones.
        limit: the greatest number of findings in each list of the verdict, from 1.
        budget: the greatest number of steps for subtracting overlapping rules from the space, from 0; the default is
            some ten seconds, a greater budget decides more. A tenth of it is kept to try single rows after a
            subtraction that did not end. If it is exceeded, `complete` is None unless a gap was found, and rules whose
            subsumption was not decided are left out.

    Returns:
        The verdict.

    Raises:
        DataError: a part of the file was not read.
        OptionError: `rules` is not a rule set or tree, `limit` or `budget` is not a valid number, or `domain` does not
            fit the rules.
        UnknownNameError: `domain` names a column that the schema does not have.

    Examples:
        >>> from treerules import Condition, Feature, Interval, Rule, RuleFigures, Schema
        >>> from treerules.trees import MeanPrediction
        >>> young = Rule(1, [("age", Condition(Interval(None, 30)))], MeanPrediction(1.0), RuleFigures(0, 0.0))
        >>> verdict = check(RuleSet(Schema([Feature("age", "integer")], Feature("y", "number")), [young]))
        >>> verdict.exclusive, verdict.complete, verdict.gaps[0].row
        (True, False, {'age': 31})
    """
    source, domain = rules, domain_for(rules, domain)
    rules = rule_set_of(source, "use check_list")
    require_search(rules.schema, domain, limit, budget)
    space = space_of(rules, domain)
    coverage = analyse_coverage(space, limit, budget)
    mergeable = find_mergeable(space, [rule.value for rule in rules.rules], limit + 1)
    subsumed, has_all_subsumed = find_subsumed(space, coverage.pairs, limit, budget)
    numbers = [rule.number for rule in rules.rules]
    beyond_limit = {
        "overlaps": len(coverage.pairs) > limit,
        "gaps": coverage.gaps.more,
        "subsumed": len(subsumed) == limit and not has_all_subsumed,
        "unreachable": len(space.empty) > limit,
        "redundant": len(mergeable) > limit,
    }
    beyond_budget = {
        "overlaps": not coverage.has_all_pairs,
        "gaps": coverage.gaps.out_of_budget,
        "subsumed": not (has_all_subsumed and coverage.has_all_pairs),
    }
    cut_off, by_budget = cut_off_lists(beyond_limit, beyond_budget)
    return Verdict(
        exclusive=not len(coverage.pairs),
        complete=coverage.gaps.complete,
        overlaps=_overlaps(rules, space, first_by_number(coverage.pairs.tolist(), numbers, limit)),
        gaps=gaps_of(rules, space, coverage.gaps.boxes),
        subsumed=_subsumed(numbers, subsumed),
        unreachable=sorted(numbers[position] for position in space.empty.tolist())[:limit],
        redundant=[_mergeable(rules, space, *pair) for pair in first_by_number(mergeable, numbers, limit)],
        cut_off=cut_off,
        by_budget=by_budget,
        rules=source if isinstance(source, ParsedRules) else rules,
        domain=narrowing(rules.schema, domain),
    )


def require_search(schema: Schema, domain: Domain | None, limit: int, budget: int) -> None:
    """Raise OptionError or UnknownNameError unless the options of a search are valid."""
    require_domain(schema, domain)
    require_whole_number("limit", limit, 1)
    require_whole_number("budget", budget, 0)


def cut_off_lists(
    beyond_limit: Mapping[str, bool], beyond_budget: Mapping[str, bool]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lists that the limit or the budget cut off, and those of them that the budget alone did."""
    cut_off = tuple(name for name, is_cut in beyond_limit.items() if is_cut or beyond_budget.get(name, False))
    return cut_off, tuple(name for name in cut_off if not beyond_limit[name])


def first_by_number(pairs: Iterable[tuple[int, int]], numbers: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """Return the first `limit` pairs of positions in the order of the rules' numbers, the lower number first."""
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    rank = {position: turn for turn, position in enumerate(order)}
    first = nsmallest(limit, (sorted((rank[one], rank[other])) for one, other in pairs))
    return [(order[one], order[other]) for one, other in first]


def _overlaps(rules: RuleSet, space: Space, pairs: Iterable[tuple[int, int]]) -> Iterator[Overlap]:
    """Yield the overlaps of pairs of rules, by position."""
    for one, other in pairs:
        box: Any = space.intersection(space.box(one), space.box(other))
        yield overlap_of(rules, space, one, other, box, space.row(box))


def overlap_of(rules: RuleSet | RuleList, space: Space, one: int, other: int, box: Box, row: Row) -> Overlap:
    """Return the overlap of two rules, by position, with a row of the box that they share; the row is verified."""
    first, second = rules.rules[one].number, rules.rules[other].number
    firing = [rule.number for rule in rules._firing_of_values(row)]
    if not {first, second} <= set(firing):
        raise AssertionError(f"the witness {row!r} of rules {first} and {second} fires the rules {firing}")
    return Overlap(first, second, row, space.region(box))


def gaps_of(rules: RuleSet | RuleList, space: Space, boxes: Iterable[Box], *, has_closing: bool = True) -> list[Gap]:
    """Return uncovered boxes as gaps; the rules that would close them, if they are wanted, get the next numbers."""
    gaps, last_number = [], max((rule.number for rule in rules.rules), default=0)
    for turn, box in enumerate(boxes, start=1):
        row = space.row(box)
        if firing := rules._firing_of_values(row):
            raise AssertionError(f"the witness {row!r} of a gap fires rule {firing[0].number}")
        closing = suggest_rule(space, rules.rules, box, last_number + turn) if has_closing else None
        gaps.append(Gap(row, space.region(box), closing))
    return gaps


def _subsumed(numbers: Sequence[int], subsumed: Iterable[tuple[int, Sequence[int]]]) -> list[SubsumedRule]:
    """Return subsumed rules, given by position with those that cover them, in the order of their numbers."""
    by_position = [SubsumedRule(numbers[rule], sorted(numbers[other] for other in others)) for rule, others in subsumed]
    return sorted(by_position, key=lambda rule: rule.number)


def _mergeable(rules: RuleSet, space: Space, one: int, other: int) -> Mergeable:
    """Return two rules, by position, with the conditions of the rule equivalent to both."""
    sides = zip(space.axes, space.box(one), space.box(other), strict=True)
    union = tuple(axis.union(part, other_part) for axis, part, other_part in sides)
    return Mergeable(rules.rules[one].number, rules.rules[other].number, space.region(union))
