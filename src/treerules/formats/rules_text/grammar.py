"""From text to what it says of rules and columns, word by word, before anything is known about the columns."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from treerules.errors import MissingExtraError, ParseError, did_you_mean
from treerules.formats.rules_text.lexer import (
    DECLARING,
    KEYWORDS,
    SIGNS,
    Source,
    Token,
    is_called,
    misnamed,
    shown,
    tokens,
)

if TYPE_CHECKING:
    from lark import Lark


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


class _Reader:
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
        """Read a whole rule. Figures are left aside: they are rounded, and of other rows."""
        number, word = parts[:2]
        asked = parts[2] if word.type == "IF" else []
        if isinstance(asked, Asked):
            asked = [asked]
        target, _, value = parts[4:7] if word.type == "IF" else parts[2:5]
        return Said(number or word, word, number, asked, target, value)

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


@cache
def _parser() -> "Lark":
    try:
        from lark import Lark
        from lark.lexer import Lexer
    except ImportError as error:
        raise MissingExtraError("lark", "text") from error

    class Fed(Lexer):
        """Takes the tokens as they come."""

        def __init__(self, conf: Any) -> None:
            pass

        def lex(self, data: Iterable[Token]) -> Iterator[Token]:  # type: ignore[override]
            return iter(data)

    grammar = (files("treerules") / "formats" / "rules_text" / "rules.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=Fed, transformer=_Reader())


def parsed(source: Source) -> Text:
    """Return what a text says.

    Raises:
        ParseError: it does not follow the grammar.
        MissingExtraError: lark is not installed.
    """
    parser = _parser()
    from lark.exceptions import UnexpectedToken

    try:
        return parser.parse(tokens(source))  # type: ignore[return-value]
    except UnexpectedToken as error:
        token: Any = error.token
        expected = set(error.accepts or error.expected)
        state: Any = error.interactive_parser
        option = _misnamed_option(state.parser_state.value_stack if state else [], expected)
        if option is not None:
            is_first, word = option
            raise misnamed(source, word, kinds=is_first) from None
        raise _unexpected(source, token, expected) from None


def _misnamed_option(before: Sequence[Any], expected: set[str]) -> tuple[bool, Token] | None:
    """Return the word before a place that reads as bounds and is none, and whether it is the first of a declaration.

    `column x: categry {a, b}` goes wrong at the brace, and `categry` is what is wrong.
    """
    if len(before) < 2 or not {"COMMA", "COLUMN"} <= expected:
        return None
    sign, word = before[-2:]
    is_word = isinstance(word, Token) and word.type == "PLAIN" and is_called(word)
    is_alone = isinstance(sign, Token) and sign.type in ("COLON", "COMMA")
    return (sign.type == "COLON", word) if is_word and is_alone else None


#: What people call what the parser waits for, in the order in which it is named.
_CALLED = {
    **{sign: f"`{text}`" for text, sign in reversed(SIGNS.items()) if text.isascii()},
    **{kind: word.upper() for word, kind in KEYWORDS.items()},
    **{kind: word for word, kind in DECLARING.items()},
    "PLAIN": "a bare word",
    "STRING": "a name or value",
    "RULE_NUMBER": "a rule",
    "FIRST_MATCH_WINS": "first match wins",
    "FIGURES": "figures",
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


def _unexpected(source: Source, token: Token, expected: set[str]) -> ParseError:
    if expected >= {"NUMBER", "ORDINAL"} and token.type in _VALUES and not expected >= _VALUES:
        return misnamed(source, token, kinds=True, options="NEVER" in expected)
    found, place = f"{shown(token)} stands here", token.start_pos
    if token.type == "$END":
        found, place = "the text ends here", len(source.text.rstrip())
    problem = f"{found}, where {_expectations(expected)} belongs"
    return source.error(place, problem, _remedy(source, token, expected))


_RULE = "a rule is written IF age < 30 AND city in {A, B} THEN yes"
_QUOTE = "put a name or value that holds blanks in double quotes"
_DECLARATIONS = {"COLUMN", "TARGET", "ORDERED", "FIRST_MATCH_WINS"}
_JOINING = {"IF", "THEN", "AND", "OR", "ALWAYS", "OTHERWISE"}
#: What to do about a word that does not belong where it stands: what it may be (empty: anything), what belongs there at
#: least, and the remedy. The first that fits is given.
_REMEDIES: tuple[tuple[set[str], set[str], str], ...] = (
    (set(), {"MISSING", "NOTHING"}, "`is` asks for missing, known, unseen or nothing; values are compared: x = red"),
    (set(), {"MISSING", "UNSEEN"}, "only `missing` and `unseen` follow OR; for any other case write a rule of its own"),
    (_COMPARING, {"IS"}, "only `missing` and `unseen` follow OR; for any other case write a rule of its own"),
    ({"OR"}, set(), "OR adds `missing` or `unseen` to one comparison; for any other case write a rule of its own"),
    ({"NOT"}, set(), "NOT stands in `not in` and `is not missing` alone: ask for the opposite"),
    (_JOINING, _VALUES, "something is left out before it; a name or value that is such a word stands in double quotes"),
    (set(KEYWORDS.values()), _VALUES, "ask with `is missing`; a name or value that is such a word is put in quotes"),
    (_JOINING, {"RBRACE"}, "close the braces that are open with }"),
    (_JOINING, {"RPAR"}, "close the parenthesis that is open with )"),
    ({"COLON"}, _VALUES, "a declaration is written column NAME: kind, or target NAME: kind"),
    ({"COMMA"}, {"AND"}, "join conditions with AND; values stand in braces: in {a, b}"),
    (_DECLARATIONS, {"RULE_NUMBER", "EQUAL"}, "declarations stand before the first rule"),
    (_DECLARATIONS, {"RULE_NUMBER", "FIGURES"}, "declarations stand before the first rule"),
    (set(), {"COMMA", "COLUMN"}, "a column is declared as in column age: integer 0..120, never missing"),
    (_VALUES, _COMPARING - {"IN"}, _QUOTE),
    (_VALUES, {"THEN"}, _QUOTE),
    (_VALUES, {"RBRACE"}, _QUOTE),
    (_VALUES, {"FIGURES"}, _QUOTE),
)


def _remedy(source: Source, token: Token, expected: set[str]) -> str:
    fitting = (text for what, least, text in _REMEDIES if (not what or token.type in what) and least <= expected)
    found = next(fitting, None)
    if found is None and "IF" in expected and token.type in _VALUES:
        return did_you_mean(token, ("if", "always", "otherwise", "column", "target", "ordered")) + _RULE
    return found or _RULE
