"""Parsed comparisons of a column with literals, before anything is known about the column."""

from collections.abc import Iterable
from typing import NamedTuple

from treerules.formats.notation.lexer import RuleToken


class LiteralRange(NamedTuple):
    """The values between two literals; either may be None, and for a single value both are the same token."""

    low: RuleToken | None
    high: RuleToken | None
    takes_low: bool
    takes_high: bool
    start: int

    @property
    def single_value(self) -> RuleToken | None:
        """The literal of a range that is one value."""
        return self.low if self.low is self.high else None


class ValueState(NamedTuple):
    """A named set of values: ANY, MISSING, KNOWN, UNSEEN, NOTHING."""

    name: str
    start: int


class Excluding(NamedTuple):
    """The values that none of some comparisons takes, and the missing value if `takes_missing`."""

    comparisons: "tuple[LiteralRange | ValueState, ...]"
    takes_missing: bool
    start: int


ParsedComparison = LiteralRange | ValueState | Excluding


def equal_to(literal: RuleToken) -> LiteralRange:
    """Return the comparison that takes one value."""
    return LiteralRange(literal, literal, True, True, literal.start)


def compared_with(sign: str, literal: RuleToken, start: int) -> ParsedComparison:
    """Return the comparison of a column with a literal, by the type of the sign between them.

    >>> compared_with("LT", RuleToken("WORD", "5", 2), 0).takes_high
    False
    """
    if sign in ("LT", "LE"):
        return LiteralRange(None, literal, False, sign == "LE", start)
    if sign in ("GT", "GE"):
        return LiteralRange(literal, None, sign == "GE", False, start)
    single = LiteralRange(literal, literal, True, True, start)
    return single if sign == "EQ" else Excluding((single,), False, start)


def literals_of(comparisons: Iterable[ParsedComparison]) -> list[RuleToken]:
    """Return the literals of comparisons, in their order."""
    literals = list[RuleToken]()
    for comparison in comparisons:
        if isinstance(comparison, LiteralRange):
            ends = (comparison.low, None if comparison.single_value else comparison.high)
            literals += [end for end in ends if end is not None]
        elif isinstance(comparison, Excluding):
            literals += literals_of(comparison.comparisons)
    return literals
