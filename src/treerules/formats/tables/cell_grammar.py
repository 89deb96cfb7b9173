"""The one language of a decision table's cells, in CSV, Markdown and (as `feel`) DMN.

    - or nothing             anything: missing and unseen values too
    30   =30   青年   "a, b"   that value; text in quotes where it is no plain word
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

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.formats.tables.cell_lexer import CellProblem, Token, tokens


@frozen
class Within:
    """The values between two ends, of which either may be missing; both are the same token for a single value."""

    low: Token | None
    high: Token | None
    takes_low: bool
    takes_high: bool
    offset: int

    @property
    def point(self) -> Token | None:
        """The single value that this is, if it is one."""
        return self.low if self.low is self.high else None


@frozen
class Named:
    """Values that have a name: any, missing, known, unseen, nothing."""

    name: str
    offset: int


@frozen
class Excluding:
    """The values that meet none of some tests; `takes_missing` where a missing value does."""

    tests: "tuple[Within | Named, ...]" = field(converter=as_tuple)
    takes_missing: bool
    offset: int


Test = Within | Named | Excluding

_FEEL_NUMBER = re.compile(r"-?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_THOUSANDS = re.compile(r"(?<![0-9.])[0-9]{1,3}[,，][0-9]{3}(?![0-9])")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|“[^”]*”', re.DOTALL)
_DASHES = ("-", "–", "—", "－")
_NAMES = {"missing": "missing", "null": "missing", "known": "known", "unseen": "unseen", "nothing": "nothing"}
_HOW = "write such as <=30, (30..50], 青年, 中年, not(青年), missing, or - for anything"
_HOW_FEEL = 'write such as <= 30, (30..50], "a", "b", not("a"), null, or - for anything'
_FEEL_FORM = "such expressions are not read: write literals, comparisons, intervals, lists or not(...)"


def tests_of(text: str, *, feel: bool = False) -> tuple[Test, ...]:
    """Return the tests of which a cell asks that one holds; one that is `any` stands alone.

    Raises:
        CellProblem: the cell says nothing that can be read.

    >>> [type(test).__name__ for test in tests_of("<=30, (50..60] or missing")]
    ['Within', 'Within', 'Named']
    """
    if not text.strip() or text.strip() in (_DASHES[:1] if feel else _DASHES):
        return (Named("any", 0),)
    thousands = None if feel else _THOUSANDS.search(_QUOTED.sub(lambda quoted: "-" * len(quoted.group()), text))
    if thousands:
        problem = f"{thousands.group()!r} may be one number or two"
        raise CellProblem(problem, "write 3000 for one, and 3, 000 with a blank for two", thousands.start())
    reader = _Reader(tokens(text, feel=feel), feel)
    found = reader.tests()
    reader.take("end")
    return found


def literal_of(text: str, *, feel: bool = False) -> Token:
    """Return the one value that a cell holds. In CSV and Markdown, text that opens no quote is taken as it stands.

    Raises:
        CellProblem: there is no value, or more than one.
    """
    said = text.strip()
    start = text.index(said) if said else 0
    if not feel and said and said[0] not in '"“':
        return Token("word", said, start, start + len(said))
    reader = _Reader(tokens(text, feel=feel), feel)
    found = reader.literal()
    reader.take("end")
    return found


class _Reader:
    """Reads tokens one by one. It lives in one call."""

    def __init__(self, found: list[Token], feel: bool) -> None:
        self.found, self.place, self.feel = found, 0, feel
        self.how = _HOW_FEEL if feel else _HOW

    @property
    def next(self) -> Token:
        return self.found[self.place]

    def moved(self) -> Token:
        token = self.next
        self.place += token.kind != "end"
        return token

    def is_sign(self, *signs: str) -> bool:
        return self.next.kind == "sign" and self.next.text in signs

    def take(self, *wanted: str) -> Token:
        if (self.next.kind == "end" and "end" in wanted) or self.is_sign(*wanted):
            return self.moved()
        said = "a comma, or the end of the cell" if wanted == ("end",) else " or ".join(wanted)
        found = "the cell ends" if self.next.kind == "end" else f"{self.next.text!r} stands"
        raise CellProblem(f"{found} where {said} should", _FEEL_FORM if self.feel else self.how, self.next.offset)

    def tests(self, inside: bool = False) -> tuple[Test, ...]:
        found = [self.test(inside)]
        while self.is_sign(",", "or"):
            self.moved()
            found.append(self.test(inside))
        return tuple(found)

    def test(self, inside: bool) -> Test:
        token = self.next
        if token.kind == "word" and token.text.lower() == "not":
            return self.excluding(inside)
        if self.is_sign("(", "[", "]"):
            return self.range()
        if self.is_sign("<", "<=", ">", ">="):
            self.moved()
            value, equal = self.literal(), token.text.endswith("=")
            if token.text[0] == "<":
                return Within(None, value, False, equal, token.offset)
            return Within(value, None, equal, False, token.offset)
        if self.is_sign("=", "!="):
            return self.equal(token)
        named = _NAMES.get(token.text.lower() if not self.feel else token.text) if token.kind == "word" else None
        if named and (not self.feel or token.text == "null"):
            self.moved()
            return Named(named, token.offset)
        value = self.literal()
        return Within(value, value, True, True, token.offset)

    def equal(self, token: Token) -> Test:
        self.moved()
        if token.text == "!=" and self.feel:
            remedy = "write not(...), which takes null too, or not(..., null), which does not"
            raise CellProblem("a unary test has no !=", remedy, token.offset)
        value = self.literal()
        within = Within(value, value, True, True, token.offset)
        return within if token.text == "=" else Excluding((within,), False, token.offset)

    def excluding(self, inside: bool) -> Excluding:
        token = self.moved()
        if inside:
            raise CellProblem("a not(...) stands in another", "write what it means", token.offset)
        self.take("(")
        found = [test for test in self.tests(inside=True) if not isinstance(test, Excluding)]
        self.take(")")
        says_null = any(isinstance(test, Named) and test.name == "missing" for test in found)
        if self.feel and not says_null and any(isinstance(test, Within) and test.point is None for test in found):
            remedy = "write not(..., null), which does not, or what is taken, with null or without"
            raise CellProblem("engines disagree whether this takes null", remedy, token.offset)
        return Excluding(found, self.feel and not says_null, token.offset)

    def range(self) -> Within:
        opened = self.take("(", "[", "]")
        low = self.literal()
        self.take("..")
        high = self.literal()
        closed = self.take(")", "]", "[")
        # a range of one value is no point: its two ends are two tokens
        return Within(low, high, opened.text == "[", closed.text == "]", opened.offset)

    def literal(self) -> Token:
        token = self.next
        if token.kind in ("end", "sign"):
            found = "the cell ends" if token.kind == "end" else f"{token.text!r} stands"
            raise CellProblem(f"{found} where a value should", self.how, token.offset)
        if token.kind == "word" and self.feel:
            _require_feel(token, self.found[self.place + 1])
            self.moved()
            return evolve(token, kind="literal")
        said = token.text.lower()
        if token.kind == "word" and (said in ("not", *_NAMES) or said.startswith(("not ", "is "))):
            remedy = "write not(...) with brackets, missing alone, and text that reads so in quotes"
            raise CellProblem(f"{token.text!r} stands where a value should", remedy, token.offset)
        return self.moved()


def _require_feel(token: Token, after: Token) -> None:
    """Raise unless a word is a literal of FEEL: a number or a boolean; null is no value to compare with."""
    said = token.text
    if said in ("true", "false") or _FEEL_NUMBER.fullmatch(said):
        return
    what = "calls the function" if after.kind == "sign" and after.text == "(" else "refers to"
    if not said.replace("_", "a").replace(" ", "").isalnum():
        what = "computes"
    raise CellProblem(f"the cell {what} {said!r}", f"{_FEEL_FORM}, and text in quotes", token.offset)
