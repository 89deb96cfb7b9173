"""What a check finds of rules as somebody wrote them: by the names and places that the file has."""

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules.data.domain import Domain
from treerules.errors import OptionError
from treerules.proof.check import Gap, Overlap, SubsumedRule, Verdict, check
from treerules.proof.check_list import ListVerdict, check_list
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, domain_for, rules_of


@frozen(repr=False)
class Review(Shown):
    """Rules as they were written, and the verdict on them.

    `names` lists what can never decide or is undecided only where that is so of all that the file calls by one name:
    `WHEN a OR b` may be two rules, of which one decides.

    Raises:
        OptionError: the verdict is one on other rules.
    """

    written: ParsedRules
    verdict: Verdict | ListVerdict
    #: of a list that ends with a rule for whatever is left: what comes to it
    otherwise: tuple[Gap, ...] = field(default=(), converter=as_tuple)

    def __attrs_post_init__(self) -> None:
        rules, verdict = rules_of(self.written), self.verdict
        if not isinstance(verdict, Verdict if isinstance(rules, RuleSet) else ListVerdict):
            raise OptionError("verdict", verdict, "what check says of a rule set, or check_list of a rule list")
        if not _numbers(verdict) <= self.by_number.keys():
            raise OptionError("verdict", verdict, "the verdict on these rules: it names others")

    def __repr__(self) -> str:
        return f"<Review rules={len(self.written.rules)} unread={len(self.written.unread)} {self.verdict!r}>"

    @cached_property
    def by_number(self) -> dict[int, Rule]:
        """The rules by their numbers."""
        return {rule.number: rule for rule in self.written.rules.rules}

    @cached_property
    def _parts(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number in self.by_number:
            found.setdefault(self.written.name(number), []).append(number)
        return found

    def __bool__(self) -> bool:
        if self.written.unread:
            return False
        if isinstance(self.verdict, Verdict):
            return bool(self.verdict)
        return self.verdict.complete is True and not self.never() and not self.undecided()

    def never(self) -> tuple[SubsumedRule, ...]:
        """Return what of a list can never decide, one for each name, under the first number of the name."""
        if isinstance(self.verdict, Verdict):
            return ()
        found: dict[str, list[SubsumedRule]] = {}
        for shadowed in self.verdict.never:
            found.setdefault(self.written.name(shadowed.number), []).append(shadowed)
        whole = [parts for name, parts in found.items() if len(parts) == len(self.parts(name))]
        return tuple(evolve(parts[0], by=self._others(parts)) for parts in whole)

    def spare(self) -> tuple[SubsumedRule, ...]:
        """Return the parts of a list's rules that can never decide, where another part of the same rule does."""
        if isinstance(self.verdict, Verdict):
            return ()
        whole = {self.written.name(shadowed.number) for shadowed in self.never()}
        parts = [shadowed for shadowed in self.verdict.never if self.written.name(shadowed.number) not in whole]
        return tuple(evolve(part, by=self._others([part])) for part in parts)

    def undecided(self) -> tuple[int, ...]:
        """Return what of a list may never decide, for all that the budget told."""
        if isinstance(self.verdict, Verdict):
            return ()
        never = {shadowed.number for shadowed in self.verdict.never}
        open_ = set(self.verdict.undecided)
        names = dict.fromkeys(self.written.name(number) for number in self.verdict.undecided)
        parts = [self.parts(name) for name in names]
        return tuple(numbers[0] for numbers in parts if all(n in never or n in open_ for n in numbers))

    def overlaps(self) -> tuple[Overlap, ...]:
        """Return the overlaps, the first one of each two names."""
        found: dict[tuple[str, str], Overlap] = {}
        for overlap in self.verdict.overlaps:
            found.setdefault((self.written.name(overlap.first), self.written.name(overlap.second)), overlap)
        return tuple(found.values())

    def parts(self, name: str) -> list[int]:
        """Return the numbers of the rules that the file calls by one name."""
        return list(self._parts.get(name, ()))

    def _others(self, parts: Sequence[SubsumedRule]) -> list[int]:
        """Return what takes the rows of a rule that several make up, but those themselves."""
        own = self.written.name(parts[0].number)
        return self._first_of_names([n for part in parts for n in part.by if self.written.name(n) != own])

    def _first_of_names(self, numbers: Sequence[int]) -> list[int]:
        return list({self.written.name(number): number for number in sorted(set(numbers), reverse=True)}.values())[::-1]


def _numbers(verdict: Verdict | ListVerdict) -> set[int]:
    """Return the numbers of the rules that a verdict names."""
    pairs = [(overlap.first, overlap.second) for overlap in verdict.overlaps]
    if isinstance(verdict, Verdict):
        pairs += [(pair.first, pair.second) for pair in verdict.redundant]
        alone, covered = verdict.unreachable, verdict.shadowed
    else:
        alone, covered = verdict.undecided, verdict.never
    return {*alone, *chain.from_iterable(pairs), *(n for one in covered for n in (one.number, *one.by))}


def review(written: Source, *, domain: Domain | None = None, limit: int = 10, budget: int | None = None) -> Review:
    """Return the verdict on rules as they were written: of a rule list, by `check_list`; of a rule set, by `check`.

    What was not read is told beside it. The domain is what the file declares, unless one is given.

    A list may end with a rule for whatever is left, such as ELSE: what comes to it is told, and not that it overlaps
    with every other rule.

    Raises:
        OptionError: these are no rules, the limit or the budget is no whole number, or the domain does not fit.
        UnknownNameError: the domain names a column that the rules' schema does not have.
    """
    declared, rules = domain_for(written, domain), rules_of(written)
    written = written if isinstance(written, ParsedRules) else ParsedRules(rules)
    given: dict[str, Any] = {"domain": declared, "limit": limit, **({} if budget is None else {"budget": budget})}
    if isinstance(rules, RuleSet):
        return Review(written, check(rules, **given))
    whole = check_list(rules, **given)
    if len(rules) < 2 or rules.rules[-1].conditions:
        return Review(written, whole)
    asked = check_list(RuleList(rules.schema, rules.rules[:-1]), **given)
    cut = [*("otherwise" if name == "gaps" else name for name in asked.cut_off if name in ("gaps", "overlaps"))]
    cut += [name for name in whole.cut_off if name != "overlaps"]
    return Review(written, evolve(whole, overlaps=asked.overlaps, cut_off=cut), asked.gaps)
