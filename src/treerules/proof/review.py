"""Review of rules of a file: the verdict, with the names and lines of the rules in the file."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from attrs import evolve, field, frozen
from toolz import concat, groupby, unique

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules.data.domain import Domain
from treerules.errors import OptionError
from treerules.proof.check import Gap, Overlap, SubsumedRule, Verdict, check
from treerules.proof.check_list import LIST_BUDGET, ListVerdict, list_verdict
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, domain_for, rules_of


@frozen(repr=False)
class Review(Shown):
    """The rules of a file and the verdict on them. It is true if the whole file was read and the verdict is true.

    One rule of a file may have become several: `WHEN a OR b` is two. Such a rule never decides, or is undecided, only
    if this holds for all its parts.

    Attributes:
        parsed: the rules, with their names, lines and the parts of the file that were not read.
        verdict: the verdict of `check` or of `check_list` on them.
        otherwise: of a list that ends with a rule without conditions: the regions that fire that rule alone.

    Raises:
        OptionError: the verdict is on other rules.
    """

    parsed: ParsedRules
    verdict: Verdict | ListVerdict
    otherwise: tuple[Gap, ...] = field(default=(), converter=as_tuple)

    def __attrs_post_init__(self) -> None:
        rules, verdict = rules_of(self.parsed), self.verdict
        if not isinstance(verdict, Verdict if isinstance(rules, RuleSet) else ListVerdict):
            raise OptionError("verdict", verdict, "what check returns for a rule set, or check_list for a rule list")
        if not _numbers(verdict) <= self.by_number.keys():
            raise OptionError("verdict", verdict, "the verdict on these rules; it names others")

    def __repr__(self) -> str:
        return f"<Review rules={len(self.parsed.rules)} unparsed={len(self.parsed.unparsed)} {self.verdict!r}>"

    @property
    def is_unread(self) -> bool:
        """Whether no rule was read, so that nothing is known of them."""
        return bool(self.parsed.unparsed) and not self.parsed.rules.rules

    @cached_property
    def by_number(self) -> dict[int, Rule]:
        """The rules by their numbers."""
        return {rule.number: rule for rule in self.parsed.rules.rules}

    @cached_property
    def _parts(self) -> dict[str, list[int]]:
        parts: dict[str, list[int]] = groupby(self.parsed.name, self.by_number)
        return parts

    def __bool__(self) -> bool:
        if self.parsed.unparsed:
            return False
        if isinstance(self.verdict, Verdict):
            return bool(self.verdict)
        return self.verdict.complete is True and not self.subsumed() and not self.undecided()

    def subsumed(self) -> tuple[SubsumedRule, ...]:
        """Return the rules of a list that never decide: one for each name, under the first number of the name."""
        if isinstance(self.verdict, Verdict):
            return ()
        by_name = groupby(lambda part: self.parsed.name(part.number), self.verdict.subsumed)
        subsumed_parts = [parts for name, parts in by_name.items() if len(parts) == len(self.parts(name))]
        return tuple(evolve(parts[0], by=self._others(parts)) for parts in subsumed_parts)

    def partly_subsumed(self) -> tuple[SubsumedRule, ...]:
        """Return the parts of a list's rules that never decide, where another part of the same rule does."""
        if isinstance(self.verdict, Verdict):
            return ()
        subsumed_names = {self.parsed.name(rule.number) for rule in self.subsumed()}
        parts = [part for part in self.verdict.subsumed if self.parsed.name(part.number) not in subsumed_names]
        return tuple(evolve(part, by=self._others([part])) for part in parts)

    def undecided(self) -> tuple[int, ...]:
        """Return the rules of a list left undecided when the budget ran out, by first number."""
        if isinstance(self.verdict, Verdict):
            return ()
        undecided = set(self.verdict.undecided)
        not_deciding = undecided | {part.number for part in self.verdict.subsumed}
        parts = [self.parts(name) for name in unique(map(self.parsed.name, self.verdict.undecided))]
        return tuple(numbers[0] for numbers in parts if not_deciding.issuperset(numbers))

    def overlaps(self) -> tuple[Overlap, ...]:
        """Return the overlaps, the first one of each pair of names."""
        return tuple(unique(self.verdict.overlaps, key=self._names))

    def _names(self, overlap: Overlap) -> tuple[str, str]:
        return self.parsed.name(overlap.first), self.parsed.name(overlap.second)

    def parts(self, name: str) -> list[int]:
        """Return the numbers of the rules that have one name in the file."""
        return list(self._parts.get(name, ()))

    def _others(self, parts: Sequence[SubsumedRule]) -> list[int]:
        """Return the rules of other names that cover parts of one rule: the first of each name, by the last of it."""
        own = self.parsed.name(parts[0].number)
        covering = {number for part in parts for number in part.by if self.parsed.name(number) != own}
        by_name = groupby(self.parsed.name, sorted(covering, reverse=True))
        return [numbers[-1] for numbers in by_name.values()][::-1]


def _numbers(verdict: Verdict | ListVerdict) -> set[int]:
    """Return the numbers of the rules that a verdict names."""
    pairs = [(overlap.first, overlap.second) for overlap in verdict.overlaps]
    if isinstance(verdict, Verdict):
        pairs += [(pair.first, pair.second) for pair in verdict.redundant]
        alone = verdict.unreachable
    else:
        alone = verdict.undecided
    return {*alone, *concat(pairs), *concat((rule.number, *rule.by) for rule in verdict.subsumed)}


def review(rules: Source, *, domain: Domain | None = None, limit: int = 10, budget: int | None = None) -> Review:
    """Return the verdict on the rules of a file: by `check_list` for a rule list, by `check` for a rule set.

    A list may end with a rule without conditions, such as ELSE. The regions that only this rule takes are reported as
    `otherwise`; its overlaps with the other rules are not reported.

    Args:
        rules: a parsed file of rules, of which some parts may not have been read; or a rule set, a rule list, a tree.
        domain: the values that columns can take, by column name. By default what the file declares; where it declares
            nothing, every value of the column's kind.
        limit: the greatest number of findings in each list of the verdict, from 1.
        budget: the greatest number of steps, as in `check`, from 0; None is the default of `check`.

    Returns:
        The rules with their verdict.

    Raises:
        OptionError: `rules` are not rules, `limit` or `budget` is not a valid number, or `domain` does not fit.
        UnknownNameError: `domain` names a column that the schema does not have.

    Examples:
        >>> from treerules.formats import rules_from_text
        >>> result = review(rules_from_text("IF age <= 30 THEN low"))
        >>> bool(result), result.verdict.gaps[0].row
        (False, {'age': 31.0})
    """
    return reviewed(rules, domain, limit, budget)


def reviewed(
    rules: Source, domain: Domain | None, limit: int, budget: int | None, *, has_closing: bool = True
) -> Review:
    """Return the review of rules as `review` does; `has_closing` is whether gaps have the rules that would close them.

    Of a list whose last rule has no conditions, the other rules are searched for overlaps and for what they leave, and
    all rules for those that never decide.
    """
    declared, rule_set = domain_for(rules, domain), rules_of(rules)
    parsed = rules if isinstance(rules, ParsedRules) else ParsedRules(rule_set)
    if isinstance(rule_set, RuleSet):
        steps: dict[str, Any] = {} if budget is None else {"budget": budget}
        return Review(parsed, check(rule_set, domain=declared, limit=limit, **steps))
    if parsed.unparsed and not rule_set.rules:  # no rule was read, and nothing is known
        return Review(parsed, ListVerdict(complete=None, rules=parsed))
    choices = (declared, limit, LIST_BUDGET if budget is None else budget)
    if len(rule_set) < 2 or rule_set.rules[-1].conditions:
        return Review(parsed, list_verdict(rule_set, *choices, has_closing=has_closing))
    verdict = list_verdict(rule_set, *choices, has_overlaps=False, has_closing=has_closing)
    others = RuleList(rule_set.schema, rule_set.rules[:-1])
    conditional = list_verdict(others, *choices, has_unreachable=False, has_closing=has_closing)
    verdict = evolve(
        verdict,
        overlaps=conditional.overlaps,
        cut_off=_with_otherwise(conditional.cut_off, verdict.cut_off),
        by_budget=_with_otherwise(conditional.by_budget, verdict.by_budget),
    )
    return Review(parsed, verdict, conditional.gaps)


def _with_otherwise(conditional: Sequence[str], whole: Sequence[str]) -> list[str]:
    """Return the names of lists of a review, from those of the verdicts without its last rule and with it."""
    names = ["otherwise" if name == "gaps" else name for name in conditional]
    return names + [name for name in whole if name != "overlaps"]
