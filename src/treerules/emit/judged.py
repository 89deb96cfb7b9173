"""Are these reviews, each with a verdict on its own rules? What is told of a verdict looks its rules up by number."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from treerules.check import Gap, Overlap, Region, Row, Verdict
from treerules.errors import OptionError, counted
from treerules.lists import ListVerdict
from treerules.reviewing import Review
from treerules.rules import RuleList, RuleSet


def require_reviews(files: Any) -> None:
    """Raise unless these are files, each with its name and its reviews, and each verdict is on the rules beside it.

    Raises:
        OptionError: they are not.
    """
    wanted = "a list of files, each as (name, [review, ...])"
    if not _is_list(files):
        raise OptionError("files", files, wanted)
    for file in files:
        if not (_is_list(file) and len(file) == 2 and isinstance(file[0], str) and _is_list(file[1])):
            raise OptionError("a file", file, wanted)
        for review in file[1]:
            if not isinstance(review, Review):
                raise OptionError("a review", review, "a Review, as review(written) returns it")
            _require_own(review)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _require_own(review: Review) -> None:
    """Raise unless a review's verdict can be one on its rules: of their type, with their numbers and columns."""
    verdict, rules = review.verdict, review.written.rules
    pairs = ((RuleSet, Verdict, "check"), (RuleList, ListVerdict, "check_list"))
    for kind, of_kind, by in pairs:
        if isinstance(rules, kind) and not isinstance(verdict, of_kind):
            raise OptionError("verdict", verdict, f"what {by}(rules) returns for a {kind.__name__}")
    known = {rule.number for rule in rules.rules}
    other = next((number for number in _numbers(verdict) if number not in known), None)
    told = "the verdict on these rules"
    if other is not None:
        raise OptionError("verdict", verdict, f"{told}: they are {counted(len(known), 'rule')} without a rule {other}")
    named = chain.from_iterable(_columns(review))
    strange = next((name for name in named if name not in rules.schema.indices), None)
    if strange is not None:
        raise OptionError("verdict", verdict, f"{told}: they have no column {strange!r}")


def _numbers(verdict: Verdict | ListVerdict) -> Iterator[int]:
    """Return the numbers of rules that a verdict names."""
    for overlap in verdict.overlaps:
        yield from (overlap.first, overlap.second)
    covered = verdict.shadowed if isinstance(verdict, Verdict) else verdict.never
    for found in covered:
        yield from (found.number, *found.by)
    if isinstance(verdict, Verdict):
        yield from verdict.unreachable
        for pair in verdict.redundant:
            yield from (pair.first, pair.second)
    else:
        yield from verdict.undecided


def _columns(review: Review) -> Iterator[Row | list[str]]:
    """Return the columns that a verdict names, finding by finding."""
    verdict = review.verdict
    gaps = (*verdict.gaps, *review.otherwise)
    shown: list[Gap | Overlap] = [*verdict.overlaps, *gaps]
    regions: list[Region] = [found.region for found in shown]
    regions += [gap.rule.conditions for gap in gaps if gap.rule is not None]
    regions += [pair.region for pair in verdict.redundant] if isinstance(verdict, Verdict) else []
    yield from (found.row for found in shown)
    yield from ([name for name, _ in region] for region in regions)
