"""Parsed comparisons of a column with literals, before anything is known about the column."""

from collections.abc import Iterable
from typing import NamedTuple

from treerules.formats.notation.lexer import Token


class Range(NamedTuple):
    """The values between two literals, of which either may be None; both are the same token for a single value."""

    low: Token | None
    high: Token | None
    takes_low: bool
    takes_high: bool
    start: int

    @property
    def single_value(self) -> Token | None:
        """The literal of a range that is one value."""
        return self.low if self.low is self.high else None


class State(NamedTuple):
    """Values that have a name: ANY, MISSING, KNOWN, UNSEEN, NOTHING."""

    name: str
    start: int


class Excluding(NamedTuple):
    """The values that none of some comparisons takes; a missing value where `takes_missing`."""

    comparisons: "tuple[Range | State, ...]"
    takes_missing: bool
    start: int


Comparison = Range | State | Excluding


def equal_to(literal: Token) -> Range:
    """Return the comparison that takes one value."""
    return Range(literal, literal, True, True, literal.start)


def compared_with(sign: str, literal: Token, start: int) -> Comparison:
    """Return the comparison of a column with a literal, by the type of the sign between them.

    >>> compared_with("LT", Token("WORD", "5", 2), 0).takes_high
    False
    """
    if sign in ("LT", "LE"):
        return Range(None, literal, False, sign == "LE", start)
    if sign in ("GT", "GE"):
        return Range(literal, None, sign == "GE", False, start)
    single = Range(literal, literal, True, True, start)
    return single if sign == "EQ" else Excluding((single,), False, start)


def literals_of(comparisons: Iterable[Comparison]) -> list[Token]:
    """Return the literals of comparisons, in their order."""
    literals = list[Token]()
    for comparison in comparisons:
        if isinstance(comparison, Range):
            ends = (comparison.low, None if comparison.single_value else comparison.high)
            literals += [end for end in ends if end is not None]
        elif isinstance(comparison, Excluding):
            literals += literals_of(comparison.comparisons)
    return literals
