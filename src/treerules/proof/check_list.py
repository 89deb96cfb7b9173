"""A rule list, of which the first rule that fires decides: what never decides, what leans on the order, what is left.

    1 age <= 30 -> low      2 age <= 20 -> none      3 age <= 50 -> high

Rule 2 never decides, since rule 1 takes its rows; rules 1 and 3 are told apart by the order alone; and above 50, and
where the age is missing, nothing is said.
"""

from itertools import islice

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules.data.domain import Domain
from treerules.proof.check import Gap, Overlap, SubsumedRule, gaps_found, require_search
from treerules.proof.rule_order import never_deciding, order_matters
from treerules.regions.coverage import analyse_coverage
from treerules.regions.space import space_of
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleList
from treerules.rules.sources import Source, domain_for, rule_list_of


@frozen(repr=False)
class ListVerdict(Shown):
    """What `check_list` found. `complete` is None where rules were too many to decide within the budget."""

    complete: bool | None
    #: rules that can never decide, and the earlier rules that take their rows: none where no row of the domain meets it
    never: tuple[SubsumedRule, ...] = field(default=(), converter=as_tuple)
    #: rules of which the first decides for a row where the second, which predicts another value, holds too
    overlaps: tuple[Overlap, ...] = field(default=(), converter=as_tuple)
    gaps: tuple[Gap, ...] = field(default=(), converter=as_tuple)
    #: rules of which the budget left open whether they ever decide
    undecided: tuple[int, ...] = field(default=(), converter=as_tuple)
    #: which of these lists were cut off at the limit, or past the budget
    cut_off: tuple[str, ...] = field(default=(), converter=as_tuple)
    #: the rules that were checked, with their names where a file gives them; None in a verdict that was built by hand
    rules: RuleList | ParsedRules | None = field(default=None, eq=False, repr=False)

    def __repr__(self) -> str:
        names = ("never", "overlaps", "gaps", "undecided")
        counts = "".join(f" {name}={len(getattr(self, name))}" for name in names if getattr(self, name))
        return f"<ListVerdict complete={self.complete}{counts}>"

    def __bool__(self) -> bool:
        return self.complete is True and not self.never and not self.undecided


def check_list(rules: Source, *, domain: Domain | None = None, limit: int = 10, budget: int = 300_000) -> ListVerdict:
    """Return which rules of a list never decide, which lean on the order, and what no rule takes, with witness rows.

    What columns can take is declared by `domain`, or else by the file of rules; where nothing is, all may come.
    `overlaps` and `gaps` hold `limit` findings at most, `never` and `undecided` all. `budget` bounds the steps of each
    question, some 10,000 a second.

    >>> from treerules import Condition, Feature, RuleFigures, Interval, MeanPrediction, Rule, RuleList, Schema
    >>> young, younger = (Condition(Interval(None, age)) for age in (30, 20))
    >>> no_figures = RuleFigures(0, 0.0)
    >>> asked = [Rule(n, [("age", c)], MeanPrediction(float(n)), no_figures) for n, c in ((1, young), (2, younger))]
    >>> verdict = check_list(RuleList(Schema([Feature("age", "integer")], Feature("y", "number")), asked))
    >>> verdict.complete, verdict.never
    (False, (SubsumedRule(number=2, by=(1,)),))

    Raises:
        DataError: a part of their file was not read.
        OptionError: these are no rules of a list; the limit or the budget is no whole number; or
            the domain does not fit the rules.
        UnknownNameError: the domain names a column that the schema does not have.
    """
    source, domain = rules, domain_for(rules, domain)
    rules = rule_list_of(source, "use check")
    require_search(rules.schema, domain, limit, budget)
    space = space_of(rules, domain)
    gaps = analyse_coverage(space, limit, budget).gaps
    never, undecided = never_deciding(rules, space, budget)
    told = list(islice(order_matters(rules, space, budget), limit + 1))
    overlaps = [overlap for overlap in told if overlap is not None]
    cut = {"overlaps": len(told) > limit or None in told, "gaps": gaps.more}
    return ListVerdict(
        not gaps.boxes if gaps.decided else None,
        never,
        overlaps[:limit],
        gaps_found(rules, space, gaps.boxes),
        undecided,
        [name for name, is_cut in cut.items() if is_cut],
        source if isinstance(source, ParsedRules) else rules,
    )
