"""From text to what it says of rules and columns, word by word, before anything is known about the columns."""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer

from treerules.errors import WrittenError, did_you_mean
from treerules.parse.tokens import DECLARING, KEYWORDS, SIGNS, Source, shown, tokens


class Asked(NamedTuple):
    """What is asked of one column: how it is said, the words and signs in their order, and what `or` adds."""

    said: str
    words: tuple[Token, ...]
    signs: tuple[Token, ...]
    also: tuple[tuple[Token | None, Token], ...] = ()

    @property
    def key(self) -> Any:
        """What two askings have in common that mean the same; only their places differ."""
        return self.said, self.words, tuple(s.type for s in self.signs), tuple((w, s.type) for w, s in self.also)


class Said(NamedTuple):
    """A rule: where it begins, its first word, its number, what it asks, what it calls the target, what follows."""

    place: Token
    word: Token
    number: Token | None
    asked: list[Asked]
    target: Token | None
    value: Token


class Kinded(NamedTuple):
    """What is declared of a column's kind: the type of its categories, and these (None: those that are met)."""

    kind: Token
    scalar: Token | None = None
    categories: tuple[Token, ...] | None = None
    bounds: tuple[Token, ...] = ()


class Declared(NamedTuple):
    """A declaration of a column or of the target; `options` are bounds and single words."""

    place: Token
    name: Token
    kind: Kinded | None
    options: tuple[tuple[Token, ...], ...] = ()


class Text(NamedTuple):
    """All that a text says."""

    columns: list[Declared]
    targets: list[Declared]
    ordered: Token | None
    rules: list[Said]


class _Reader(Transformer[Token, Text]):
    """What each rule of the grammar makes of its parts."""

    def start(self, parts: list[Any]) -> Text:
        """Sort declarations and rules."""
        declared = [part for part in parts if isinstance(part, Declared)]
        return Text(
            [part for part in declared if part.place.type == "COLUMN"],
            [part for part in declared if part.place.type == "TARGET"],
            next((part for part in parts if isinstance(part, Token)), None),
            [part for part in parts if isinstance(part, Said)],
        )

    def column(self, parts: list[Any]) -> Declared:
        """Read `column name: kind, option`."""
        kind = parts[2] if isinstance(parts[2], Kinded) else None
        return Declared(parts[0], parts[1], kind, tuple(parts[2 if kind is None else 3 :]))

    def target(self, parts: list[Any]) -> Declared:
        """Read `target name: kind`."""
        return Declared(*parts)

    def ordered(self, parts: list[Any]) -> Any:
        """Read `ordered`."""
        return parts[0]

    def ordered_kind(self, parts: list[Any]) -> Kinded:
        """Read `integer 0..120`."""
        return Kinded(parts[0], bounds=parts[1] or ())

    def boolean_kind(self, parts: list[Any]) -> Kinded:
        """Read `boolean`."""
        return Kinded(parts[0])

    def category_kind(self, parts: list[Any]) -> Kinded:
        """Read `category of text {a, b}`."""
        return Kinded(parts[0], parts[2], parts[3])

    def ordinal_kind(self, parts: list[Any]) -> Kinded:
        """Read `ordinal a < b`."""
        return Kinded(parts[0], parts[2], tuple(part for part in parts[3:] if part.type != "LESS"))

    def scalar(self, parts: list[Any]) -> Any:
        """Read the type of categories."""
        return parts[0]

    def bounds(self, parts: list[Any]) -> Any:
        """Read `0..120` or `>= 0`."""
        return tuple(parts)

    def option(self, parts: list[Any]) -> Any:
        """Read bounds, `never missing`, `open`, `closed`."""
        return parts[0] if isinstance(parts[0], tuple) else tuple(parts)

    def rule(self, parts: list[Any]) -> Said:
        """Read a whole rule."""
        number, word = parts[:2]
        asked = parts[2] if word.type == "IF" else []
        if isinstance(asked, Asked):
            asked = [asked]
        target, _, value = parts[4:7] if word.type == "IF" else parts[2:5]
        return Said(number or word, word, number, asked, target, value)

    def figures(self, parts: list[Any]) -> None:
        """Leave figures aside: they are rounded, and of other rows."""

    def all_of(self, parts: list[Any]) -> list[Asked]:
        """Read conditions joined by AND, in one list."""
        found = list[Asked]()
        for part in parts:
            if isinstance(part, list):
                found.extend(part)
            elif isinstance(part, Asked):
                found.append(part)
        return found

    def any_of(self, parts: list[Any]) -> Asked:
        """Read what `or missing` adds to a condition."""
        first: Asked = parts[0]
        return first._replace(also=tuple(part for part in parts[1:] if type(part) is tuple))

    def also(self, parts: list[Any]) -> tuple[Token | None, Token]:
        """Read `missing` or `x is missing` behind `or`."""
        return (None if len(parts) == 1 else parts[0]), parts[-1]

    def compared(self, parts: list[Any]) -> Asked:
        """Read `x < 5`."""
        return Asked("compared", (parts[0], parts[2]), (parts[1],))

    def between(self, parts: list[Any]) -> Asked:
        """Read `3 < x <= 5`."""
        return Asked("between", tuple(parts[::2]), tuple(parts[1::2]))

    def among(self, parts: list[Any]) -> Asked:
        """Read `x in {a, b}`."""
        return Asked("among", (parts[0], *parts[3]), (parts[1] or parts[2],))

    def within(self, parts: list[Any]) -> Asked:
        """Read `x in 3..5` or `x in (3..5]`."""
        bounds = next(part for part in parts[2:] if part.type == "PLAIN")
        return Asked("within", (parts[0], bounds), tuple(part for part in parts[1:] if part is not bounds))

    def state(self, parts: list[Any]) -> Asked:
        """Read `x is missing`."""
        return Asked("state", (parts[0],), (parts[-1],) if parts[2] is None else (parts[2], parts[-1]))

    def set(self, parts: list[Any]) -> tuple[Token, ...]:
        """Read `{a, b}`."""
        return tuple(parts)


class _Fed(Lexer):
    """Takes the tokens as they come."""

    def __init__(self, conf: Any) -> None:
        pass

    def lex(self, data: Iterable[Token]) -> Iterator[Token]:  # type: ignore[override]
        """Return the tokens."""
        return iter(data)


@cache
def _parser() -> Lark:
    grammar = (files("treerules") / "parse" / "rules.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=_Fed, transformer=_Reader(), maybe_placeholders=True)


def parsed(source: Source) -> Text:
    """Return what a text says.

    Raises:
        WrittenError: it does not follow the grammar.
    """
    try:
        return _parser().parse(tokens(source))  # type: ignore[arg-type, return-value]
    except UnexpectedToken as error:
        raise _unexpected(source, error.token, set(error.expected)) from None


#: What people call what the parser waits for, in the order in which it is named.
_CALLED = {
    **{sign: f"{text}" for text, sign in reversed(SIGNS.items()) if text.isascii()},
    **{kind: word.upper() for word, kind in KEYWORDS.items()},
    **{kind: word for word, kind in DECLARING.items()},
    "PLAIN": "a bare word",
    "STRING": "a name or value",
    "RULE_NUMBER": "a rule",
    "FIRST_MATCH_WINS": "first match wins",
    "$END": "the end",
}
_COMPARING = {"EQUAL", "UNEQUAL", "LESS", "MOST", "MORE", "LEAST", "IN", "IS"}
_VALUES = {"PLAIN", "STRING", *DECLARING.values()}
_KINDS = {"NUMBER", "INTEGER", "DATE", "TIMESTAMP", "BOOLEAN", "CATEGORY", "ORDINAL"}


def _expectations(expected: set[str]) -> str:
    """Return what may stand at a place, in words."""
    said = list[str]()
    for group, words in (
        (_VALUES, "a name or value"),
        (_COMPARING, "a comparison (= != < <= > >= in is)"),
        (_KINDS, "a kind (number, integer, boolean, category, ordinal, date, timestamp)"),
        ({"IF", "RULE_NUMBER"}, "a rule"),
    ):
        if group <= expected:
            expected = expected - group - ({"NOT"} if group is _COMPARING else set())
            expected -= {"TIMESTAMP_UTC"} if group is _KINDS else set()
            expected -= {"ALWAYS", "OTHERWISE"} if "IF" in group else set()
            said.append(words)
    said += [words for kind, words in _CALLED.items() if kind in expected]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} or {said[-1]}"


def _unexpected(source: Source, token: Token, expected: set[str]) -> WrittenError:
    found, place = f"{shown(token)} stands here", token.start_pos
    if token.type == "$END":
        found, place = "the text ends here", len(source.text.rstrip())
    problem = f"{found}, where {_expectations(expected)} belongs"
    return source.error(place, problem, _remedy(source, token, expected))


def _remedy(source: Source, token: Token, expected: set[str]) -> str:
    """Return what to do about a word that does not belong where it stands."""
    value_wanted, is_value = expected >= _VALUES, token.type in _VALUES
    if is_value and expected >= {"MISSING", "UNSEEN"}:
        return "only missing and unseen follow OR: write a rule of its own for the other case, or in {a, b} for values"
    if is_value and expected >= _COMPARING - {"IN", "IS"}:
        return "put a name or value that holds blanks in double quotes; NOT stands in `not in` and `is not` alone"
    if value_wanted and token.type in KEYWORDS.values():
        return "put a name or value that is a word of the rules in double quotes; missing values are asked by `is missing`"
    if token.type in ("COLUMN", "TARGET", "ORDERED", "FIRST_MATCH_WINS") and expected >= {"IF", "$END"}:
        return "declarations stand before the first rule"
    if "IF" in expected and is_value:
        close = did_you_mean(token, ("if", "always", "otherwise", "column", "target", "ordered"))
        return f"{close}a rule is written IF age < 30 AND city in {{A, B}} THEN yes"
    if is_value and not value_wanted and expected & {"THEN", "COMMA", "RBRACE", "$END", "IF"}:
        return "put a name or value that holds blanks in double quotes"
    if token.type == "OR":
        return "OR adds `missing` or `unseen` to one condition; for any other case write a rule of its own"
    return "a rule is written IF age < 30 AND city in {A, B} THEN yes"
