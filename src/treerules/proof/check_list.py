"""Check of a rule list, in which the first rule that fires decides: unreachable rules, overlaps, and gaps.

    1 age <= 30 -> low      2 age <= 20 -> none      3 age <= 50 -> high

Rule 2 never decides, since rule 1 takes its rows; the order of rules 1 and 3 matters; no rule takes rows with an age
above 50 or a missing age.
"""

from attrs import field, frozen

from treerules._internal.field_converters import as_dict, as_tuple
from treerules._internal.first_values import first_values
from treerules._internal.notebook import Shown
from treerules.data.domain import Domain, narrowing
from treerules.proof.check import Gap, Overlap, SubsumedRule, cut_off_lists, gaps_of, require_search
from treerules.proof.rule_order import find_order_dependent, find_unreachable
from treerules.regions.coverage import analyse_coverage
from treerules.regions.space import space_of
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleList
from treerules.rules.sources import Source, domain_for, rule_list_of


@frozen(repr=False)
class ListVerdict(Shown):
    """The result of `check_list`. It is true if every row fires a rule and every rule decides for some row.

    Attributes:
        complete: whether every row fires a rule; None if that was not decided within the budget.
        subsumed: rules that never decide, with the earlier rules that take their rows; these are empty if no row of the
            domain satisfies the rule.
        overlaps: pairs of rules with different predictions that fire for one row, for which the first decides.
        gaps: regions that fire no rule; they do not overlap.
        undecided: the numbers of the rules for which the budget did not suffice to find whether they ever decide.
        cut_off: those of "overlaps" and "gaps" that have, or may have, more findings than are listed.
        by_budget: those of "cut_off" whose search the budget ended, not the limit.
        rules: the rules that were checked, with their names if they are from a file; None in a verdict built by hand.
        domain: the values that columns were assumed to have, as in a Verdict.
    """

    complete: bool | None
    subsumed: tuple[SubsumedRule, ...] = field(default=(), converter=as_tuple)
    overlaps: tuple[Overlap, ...] = field(default=(), converter=as_tuple)
    gaps: tuple[Gap, ...] = field(default=(), converter=as_tuple)
    undecided: tuple[int, ...] = field(default=(), converter=as_tuple)
    cut_off: tuple[str, ...] = field(default=(), converter=as_tuple)
    by_budget: tuple[str, ...] = field(default=(), converter=as_tuple, kw_only=True)
    rules: RuleList | ParsedRules | None = field(default=None, eq=False, repr=False)
    domain: Domain = field(factory=dict, converter=as_dict, eq=False, repr=False)

    def __repr__(self) -> str:
        lists = ("subsumed", "overlaps", "gaps", "undecided")
        counts = "".join(f" {name}={len(getattr(self, name))}" for name in lists if getattr(self, name))
        return f"<ListVerdict complete={self.complete}{counts}>"

    def __bool__(self) -> bool:
        return self.complete is True and not self.subsumed and not self.undecided


#: The default budget: some ten seconds.
LIST_BUDGET = 300_000


def check_list(
    rules: Source, *, domain: Domain | None = None, limit: int = 10, budget: int = LIST_BUDGET
) -> ListVerdict:
    """Return the rules of a list that never decide, the pairs whose order matters, and the gaps, with witnesses.

    The result is exact, not sampled. Each witness is verified against the rules before it is reported.

    Args:
        rules: a rule list, or a parsed file of one.
        domain: the values that columns can take, by column name. By default those that the rules declare; where they
            declare nothing, every value of the column's kind, missing and unseen ones too.
        limit: the greatest number of overlaps, and of gaps, from 1.
        budget: the greatest number of steps, from 0: a third for each of the three searches (gaps, rules that never
            decide, overlaps). The default is some ten seconds; a greater budget decides more.

    Returns:
        The verdict.

    Raises:
        DataError: a part of the file was not read.
        OptionError: `rules` is not a rule list, `limit` or `budget` is not a valid number, or `domain` does not fit the
            rules.
        UnknownNameError: `domain` names a column that the schema does not have.

    Examples:
        >>> from treerules import Condition, Feature, Interval, Rule, RuleFigures, RuleList, Schema
        >>> from treerules.trees import MeanPrediction
        >>> young, younger = (Condition(Interval(None, age)) for age in (30, 20))
        >>> rules = [Rule(number, [("age", condition)], MeanPrediction(float(number)), RuleFigures(0, 0.0))
        ...          for number, condition in ((1, young), (2, younger))]
        >>> verdict = check_list(RuleList(Schema([Feature("age", "integer")], Feature("y", "number")), rules))
        >>> verdict.complete, verdict.subsumed
        (False, (SubsumedRule(number=2, by=(1,)),))
    """
    return list_verdict(rules, domain, limit, budget)


def list_verdict(
    source: Source,
    domain: Domain | None,
    limit: int,
    budget: int,
    *,
    has_unreachable: bool = True,
    has_overlaps: bool = True,
    has_closing: bool = True,
) -> ListVerdict:
    """Return the verdict of `check_list`, or those parts of it that are wanted.

    Args:
        source: as in `check_list`.
        domain: as in `check_list`.
        limit: as in `check_list`.
        budget: as in `check_list`.
        has_unreachable: whether rules that never decide are searched for.
        has_overlaps: whether pairs whose order decides are.
        has_closing: whether gaps have the rules that would close them.
    """
    domain = domain_for(source, domain)
    rules = rule_list_of(source, "use check")
    require_search(rules.schema, domain, limit, budget)
    space = space_of(rules, domain)
    share = -(-budget // 3)
    gaps = analyse_coverage(space, limit, share).gaps
    unreachable, undecided = find_unreachable(rules, space, share) if has_unreachable else ([], [])
    pairs = find_order_dependent(rules, space, share) if has_overlaps else iter(())
    dependent = list(first_values(pairs, limit + 1))
    overlaps = [overlap for overlap in dependent if overlap is not None]
    cut_off, by_budget = cut_off_lists(
        {"overlaps": len(overlaps) > limit, "gaps": gaps.more},
        {"overlaps": None in dependent, "gaps": gaps.out_of_budget},
    )
    return ListVerdict(
        complete=gaps.complete,
        subsumed=unreachable,
        overlaps=overlaps[:limit],
        gaps=gaps_of(rules, space, gaps.boxes, has_closing=has_closing),
        undecided=undecided,
        cut_off=cut_off,
        by_budget=by_budget,
        rules=source if isinstance(source, ParsedRules) else rules,
        domain=narrowing(rules.schema, domain),
    )
