"""`Reviews`: the verdicts on files of rules, together, as the command line reports them."""

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from treerules._internal.notebook import Shown
from treerules.errors import OptionError
from treerules.proof.check import Verdict
from treerules.proof.check_list import ListVerdict
from treerules.proof.review import Review
from treerules.rules.parsed import ParsedRules

_WANTED = "a list of files, each as (name, [review, ...])"


def _as_files(files: Any) -> tuple[tuple[str, tuple[Review, ...]], ...]:
    if not _is_list(files):
        raise OptionError("files", files, _WANTED)
    for file in files:
        if not (_is_list(file) and len(file) == 2 and isinstance(file[0], str) and _is_list(file[1])):
            raise OptionError("files", file, _WANTED)
        for review in file[1]:
            if not isinstance(review, Review):
                raise OptionError("files", review, "reviews, as review(rules) returns them")
    return tuple((name, tuple(reviews)) for name, reviews in files)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


@frozen(repr=False)
class Reviews(Shown):
    """The reviews of files: for each its name, empty where it has none, and a review of each of its parts.

    Raises:
        OptionError: `files` is not a list of such pairs.
    """

    files: tuple[tuple[str, tuple[Review, ...]], ...] = field(converter=_as_files)

    def __repr__(self) -> str:
        return f"<Reviews files={len(self.files)} reviews={len(self.parts)} ok={bool(self)}>"

    def __bool__(self) -> bool:
        return all(bool(review) for _, review in self.parts)

    @property
    def parts(self) -> list[tuple[str, Review]]:
        """Each review with the name of its file."""
        return [(file, review) for file, reviews in self.files for review in reviews]


def reviews_of(result: Verdict | ListVerdict | Review | Reviews) -> Reviews:
    """Return a verdict or a review as the reviews of one file without a name.

    Raises:
        OptionError: a verdict does not hold its rules, or holds others.
    """
    if isinstance(result, Reviews):
        return result
    if isinstance(result, Review):
        return Reviews([("", [result])])
    if result.rules is None:
        wanted = "a verdict that holds its rules, as check returns it; or Review(ParsedRules(rules), verdict)"
        raise OptionError("verdict", result, wanted)
    rules = result.rules if isinstance(result.rules, ParsedRules) else ParsedRules(result.rules)
    return Reviews([("", [Review(rules, result)])])
