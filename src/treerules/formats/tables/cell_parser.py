"""The language of a decision table's cells, in CSV, Markdown and (as FEEL) DMN.

    - or nothing             anything: missing and unseen values too
    30   =30   青年   "a, b"   that value; text in quotes unless it is a plain word
    !=30                     any other known value, unseen ones too (not in DMN)
    <=30  <30  >30  >=30     compared
    (30..50]  [30..50)  ]30..50[    between two ends; a square bracket that opens inwards takes its end
    青年, 中年   青年 or 中年     one of several; each may be any of these
    not(青年, 中年)            none of these: any other known value, unseen ones too
    missing or null, known, unseen, nothing     a missing value; any but that; a value that the schema does not name;
                             no value at all (in DMN there is null alone)

In CSV and Markdown a missing value meets a cell only where the cell is `-`, empty, or says `missing`: not(...) does not
take it. In FEEL, the language of DMN, `not("a")` takes null, and `not("a", null)` does not; engines disagree whether
`not(<5)` takes it, so that is refused.
"""

import re

from treerules.errors import ParseError
from treerules.formats.notation.comparisons import (
    Excluding,
    LiteralRange,
    ParsedComparison,
    ValueState,
    compared_with,
    equal_to,
)
from treerules.formats.notation.expectations import in_words
from treerules.formats.notation.lexer import RuleToken, SourceText, token_repr
from treerules.formats.notation.parser import TokenParser
from treerules.formats.notation.syntax import FEEL, ORDERING, STATES

_LITERALS = frozenset(("WORD", "STRING", "DATE_CALL", "TIMESTAMP_CALL", "AT"))
_SEPARATORS = ("COMMA", "OR")
_FEEL_LITERAL = re.compile(r"true|false|-?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_THOUSANDS = re.compile(r"(?<![0-9.])[0-9]{1,3}[,，][0-9]{3}(?![0-9])")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|“[^”]*”', re.DOTALL)
_DASHES = ("-", "–", "—", "－")
_FORMS = "write such as <=30, (30..50], 青年, 中年, not(青年), missing, or - for anything"
_FEEL_FORMS = 'write such as <= 30, (30..50], "a", "b", not("a"), null, or - for anything'
_NO_EXPRESSIONS = "such expressions are not read: write literals, comparisons, intervals, lists or not(...)"


def comparisons_of(cell: SourceText) -> tuple[ParsedComparison, ...]:
    """Return the comparisons of a cell, at least one of which must hold; ANY is the only one if present.

    Raises:
        ParseError: the cell does not follow the grammar.
    """
    text, is_feel = cell.text, cell.syntax is FEEL
    if not text.strip() or text.strip() in (_DASHES[:1] if is_feel else _DASHES):
        return (ValueState("ANY", 0),)
    thousands = None if is_feel else _THOUSANDS.search(_QUOTED.sub(lambda quoted: "-" * len(quoted.group()), text))
    if thousands:
        remedy = "write 3000 for one, and 3, 000 with a blank for two"
        raise cell.error(f"{thousands.group()!r} may be one number or two", remedy, thousands.start())
    parser = _CellParser(cell)
    comparisons = parser.comparisons()
    parser.expect(("END",))
    return comparisons


def literal_of(cell: SourceText) -> RuleToken:
    """Return the one literal of a cell. In CSV and Markdown, text that does not start with a quote is a literal.

    Raises:
        ParseError: the cell has no literal, or more than one.
    """
    text = cell.text.strip()
    if cell.syntax is not FEEL and text and text[0] not in '"“':
        return RuleToken("WORD", text, cell.text.index(text))
    parser = _CellParser(cell)
    literal = parser.literal()
    parser.expect(("END",))
    return literal


class _CellParser(TokenParser):
    """The grammar of cells: a list of comparisons, each may be not(...) of a list."""

    def __init__(self, cell: SourceText) -> None:
        super().__init__(cell)
        self.is_feel = cell.syntax is FEEL

    def comparisons(self, inside: bool = False) -> tuple[ParsedComparison, ...]:
        """Read comparisons with commas or `or` between them. `inside`: within not(...)."""
        comparisons = [self.comparison(inside)]
        while self.accept(_SEPARATORS[:1] if self.is_feel else _SEPARATORS):
            comparisons.append(self.comparison(inside))
        return tuple(comparisons)

    def comparison(self, inside: bool) -> ParsedComparison:
        """Read one comparison: a sign and a literal, an interval, a state, a literal, or not(...)."""
        start = self.next.start
        if self.next.type == "NOT":
            return self.excluding(inside)
        if self.next.type in ("LPAR", "LBRACKET", "RBRACKET"):
            return self.interval()
        if sign := self.accept(("EQ", "NE", *ORDERING)):
            if sign.type == "NE" and self.is_feel:
                remedy = "write not(...), which takes null too, or not(..., null), which does not"
                raise self.source.error("a unary test has no !=", remedy, start)
            return compared_with(sign.type, self.literal(), start)
        if state := self.accept(STATES):
            return ValueState(state.type, start)
        return equal_to(self.literal())

    def excluding(self, inside: bool) -> Excluding:
        """Read not(...)."""
        start = self.advance().start
        if inside:
            raise self.source.error("not(...) is nested in another not(...)", "write the values that it takes", start)
        self.expect(("LPAR",))
        excluded = [test for test in self.comparisons(inside=True) if not isinstance(test, Excluding)]
        self.expect(("RPAR",))
        has_null = any(isinstance(test, ValueState) and test.name == "MISSING" for test in excluded)
        if (
            self.is_feel
            and not has_null
            and any(isinstance(test, LiteralRange) and not test.single_value for test in excluded)
        ):
            remedy = "write not(..., null), which does not, or what is taken, with null or without"
            raise self.source.error("engines disagree whether this takes null", remedy, start)
        return Excluding(tuple(excluded), self.is_feel and not has_null, start)

    def interval(self) -> LiteralRange:
        """Read an interval such as (30..50]."""
        opening = self.advance()
        low = self.literal()
        self.expect(("DOTS",))
        high = self.literal()
        closing = self.expect(("RPAR", "RBRACKET", "LBRACKET"))
        return LiteralRange(low, high, opening.type == "LBRACKET", closing.type == "RBRACKET", opening.start)

    def literal(self) -> RuleToken:
        """Return the next literal. A range such as 3..5 holds two literals, so it is not a single value."""
        if self.next.type not in _LITERALS:
            self.expected.add("LITERAL")
            self.fail()
        literal = self.advance()
        word = literal.text.lower()
        if literal.type != "WORD":
            return literal
        if self.is_feel:
            self.require_feel_literal(literal)
        elif word.startswith(("not ", "is ")):
            remedy = "write not(...) with brackets, missing alone, and text that reads so in quotes"
            raise self.source.error(f"{token_repr(literal)} stands where a value should", remedy, literal.start)
        return literal

    def require_feel_literal(self, word: RuleToken) -> None:
        """Raise unless a word is a number or a boolean; null cannot be compared with."""
        if _FEEL_LITERAL.fullmatch(word.text):
            return
        verb = "calls the function" if self.next.type == "LPAR" else "refers to"
        if not word.text.replace("_", "a").replace(" ", "").isalnum():
            verb = "computes"
        raise self.source.error(
            f"the cell {verb} {token_repr(word)}", f"{_NO_EXPRESSIONS}, and text in quotes", word.start
        )

    def unexpected(self, token: RuleToken, expected: set[str]) -> ParseError:
        """Return the error for a token that has none of the expected types."""
        subject = "the cell ends here" if token.type == "END" else f"{token_repr(token)} stands here"
        if "LITERAL" in expected:
            wanted = "a value"
        else:
            wanted = "a comma, or the end of the cell" if "END" in expected else in_words(expected)
        remedy = _FORMS if not self.is_feel else _FEEL_FORMS if "LITERAL" in expected else _NO_EXPRESSIONS
        return self.source.error(f"{subject}, where {wanted} belongs", remedy, token.start)
