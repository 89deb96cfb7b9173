"""The grammar of rule text, a method for each production, read top down with one token of look-ahead.

docs/en/reference/rule_text.md holds the whole grammar; the tests parse every text by both.
"""

from typing import Any, NamedTuple

from treerules.errors import ParseError
from treerules.formats.notation.lexer import RuleToken, SourceText
from treerules.formats.notation.literals import range_ends
from treerules.formats.notation.parser import TokenParser
from treerules.formats.notation.syntax import KINDS, ORDERING, STATES, VALUES
from treerules.formats.rules_text.syntax_errors import misnamed, unexpected_token

_SIGNS = frozenset(("EQ", "NE", *ORDERING))
_SCALARS = ("TEXT", "NUMBER", "INTEGER", "BOOLEAN", "DATE", "TIMESTAMP", "TIMESTAMP_UTC")
_KINDS = frozenset((*KINDS, "TIMESTAMP_UTC"))
_LINE_STARTS = frozenset(("MISSING", "UNSEEN", "OTHER"))
_DECLARING = frozenset(("COLUMN", "TARGET", "ORDERED", "FIRST_MATCH_WINS"))
_OPENINGS = frozenset(("IF", "ALWAYS", "OTHERWISE"))
_ORDERED_KINDS = frozenset(("NUMBER", "INTEGER", "DATE", "TIMESTAMP", "TIMESTAMP_UTC"))


class WrittenCondition(NamedTuple):
    """A condition on one column: its form, its words and signs in their order, and the states and others that OR adds.

    `form` is compared, between, among, within or state. Which side of a comparison is the column depends on the names
    of columns, which are known later.
    """

    form: str
    words: tuple[RuleToken, ...]
    signs: tuple[RuleToken, ...]
    states: tuple[tuple[RuleToken | None, RuleToken], ...] = ()
    alternatives: tuple["WrittenCondition", ...] = ()

    @property
    def key(self) -> Any:
        """The key of the condition without its position: equal for conditions of equal text."""
        added = [(word and word.text, state.type) for word, state in self.states]
        others = [alternative.key for alternative in self.alternatives]
        return self.form, *(word.text for word in self.words), *(sign.type for sign in self.signs), *added, *others


class WrittenRule(NamedTuple):
    """A rule: its first token, its keyword, its number, its conditions, the name of the target, the value."""

    start: RuleToken
    keyword: RuleToken
    number: RuleToken | None
    conditions: list[WrittenCondition]
    target: RuleToken | None
    value: RuleToken


class Bounds(NamedTuple):
    """Declared bounds of a column: both ends included, None for an open end."""

    low: RuleToken | None
    high: RuleToken | None
    #: the last word of the bounds, for messages
    word: RuleToken


class DeclaredKind(NamedTuple):
    """A declared kind: the type of its categories, these (None: those that the rules name), its bounds."""

    kind: RuleToken
    scalar: RuleToken | None = None
    categories: tuple[RuleToken, ...] | None = None
    bounds: Bounds | None = None


class Declaration(NamedTuple):
    """A declaration of a column or of the target. An option is bounds, or a token NEVER, OPEN or CLOSED."""

    start: RuleToken
    name: RuleToken
    kind: DeclaredKind | None
    options: tuple[Bounds | RuleToken, ...] = ()


class WrittenLine(NamedTuple):
    """A line below rules: where rows go with values that the conditions leave out.

    `missing or unseen x: as x <= 5` and `missing x: rules 2, 5 (of those with a condition on x)`; or
    `other x: up to 0.5 as x = 0, above as x = 1`.
    """

    #: MISSING, UNSEEN, or OTHER
    states: tuple[RuleToken, ...]
    column: RuleToken
    #: the first words, which are `as`, `rule`, `rules` or `up to`
    words: tuple[RuleToken, ...]
    #: the numbers of rules, or the greatest value that goes with the first condition
    numbers: tuple[RuleToken, ...] = ()
    conditions: tuple[WrittenCondition, ...] = ()


class ParsedText(NamedTuple):
    """All declarations and rules of a text; `ordered` is the token that declares a rule list."""

    columns: list[Declaration]
    targets: list[Declaration]
    ordered: RuleToken | None
    rules: list[WrittenRule]
    lines: list[WrittenLine]


def parse_text(source: SourceText) -> ParsedText:
    """Return the declarations and rules of a text.

    Raises:
        ParseError: the text does not follow the grammar.
    """
    return _RuleTextParser(source).text()


class _RuleTextParser(TokenParser):
    """The grammar of rule text. Parentheses are counted, so that their depth has no limit."""

    def text(self) -> ParsedText:
        """Read a text: declaration* [rule+ line*]."""
        columns, targets, ordered = list[Declaration](), list[Declaration](), list[RuleToken]()
        while token := self.accept(_DECLARING):
            if token.type == "COLUMN":
                columns.append(self.column(token))
            elif token.type == "TARGET":
                targets.append(self.target(token))
            else:
                ordered.append(token)
        rules, lines = list[WrittenRule](), list[WrittenLine]()
        while not (rules and self.next.type in _LINE_STARTS) and not self.accept(("END",)):
            rules.append(self.rule())
        while self.next.type != "END":
            lines.append(self.line())
        return ParsedText(columns, targets, ordered[0] if ordered else None, rules, lines)

    def line(self) -> WrittenLine:
        """Read a line below rules: states word ":" (AS condition | RULES numbers | UP TO number AS condition ...)."""
        states = [self.expect(_LINE_STARTS)]
        if states[0].type == "MISSING" and self.accept(("OR",)):
            states.append(self.expect(("UNSEEN",)))
        column = self.expect(VALUES)
        self.expect(("COLON",))
        word = self.expect(VALUES)
        if states[0].type == "OTHER":
            words = [word, self.expect(VALUES)]
            limit, *_ = self.expect(("WORD",)), self.expect(VALUES)
            first = self.comparison()
            self.expect(("COMMA",))
            self.expect(VALUES)
            self.expect(VALUES)
            return WrittenLine(tuple(states), column, tuple(words), (limit,), (first, self.comparison()))
        if word.text.lower() not in ("rule", "rules"):
            return WrittenLine(tuple(states), column, (word,), conditions=(self.condition(),))
        numbers = [self.expect(("WORD",))]
        while self.accept(("COMMA",)):
            numbers.append(self.expect(("WORD",)))
        self.expect(("LPAR",))
        self.expect(("OF",))
        while not self.accept(("RPAR",)):
            self.expect(VALUES)
        return WrittenLine(tuple(states), column, (word,), tuple(numbers))

    def rule(self) -> WrittenRule:
        """Read a rule: [RULE_NUMBER] (IF conditions THEN | ALWAYS | OTHERWISE) [word "="] word [FIGURES]."""
        number = self.accept(("RULE_NUMBER",))
        keyword = self.expect(_OPENINGS)
        conditions = self.conditions() if keyword.type == "IF" else []
        target, value = None, self.expect(VALUES)
        if self.accept(("EQ",)):
            target, value = value, self.expect(VALUES)
        self.accept(("FIGURES",))  # they are rounded, and belong to other rows
        return WrittenRule(number or keyword, keyword, number, conditions, target, value)

    def conditions(self) -> list[WrittenCondition]:
        """Read conditions: term (AND term)* THEN, where a term is a condition, or terms with AND in parentheses."""
        conditions, depth = list[WrittenCondition](), 0
        while True:
            while self.accept(("LPAR",)):
                depth += 1
            conditions.append(self.condition())
            while depth and self.accept(("RPAR",)):
                depth -= 1
            if self.accept(("AND",)):
                continue
            if self.next.type in ("THEN", "RPAR"):  # the condition ends here, so nothing else is expected
                self.expected.clear()
            self.expect(("RPAR",) if depth else ("THEN",))
            return conditions

    def condition(self) -> WrittenCondition:
        """Read a condition: comparison (OR (comparison | state))*."""
        condition = self.comparison()
        if self.next.type != "OR":
            self.expected.add("OR")
            return condition
        states, alternatives = list[tuple[RuleToken | None, RuleToken]](), list[WrittenCondition]()
        while self.accept(("OR",)):
            if state := self.accept(("MISSING", "UNSEEN")):
                states.append((None, state))
                continue
            other = self.comparison()
            if other.form == "state" and [sign.type for sign in other.signs] in (["MISSING"], ["UNSEEN"]):
                states.append((other.words[0], other.signs[0]))
            else:
                alternatives.append(other)
        return condition._replace(states=tuple(states), alternatives=tuple(alternatives))

    def comparison(self) -> WrittenCondition:
        """Read a comparison: word sign word [sign word] | word [NOT] IN set | word IN range | word IS [NOT] state."""
        word = self.expect(VALUES)
        if first := self.accept(_SIGNS):
            second = self.expect(VALUES)
            if sign := self.accept(_SIGNS):
                return WrittenCondition("between", (word, second, self.expect(VALUES)), (first, sign))
            return WrittenCondition("compared", (word, second), (first,))
        if negation := self.accept(("NOT",)):
            self.expect(("IN",))
            return WrittenCondition("among", (word, *self.members()), (negation,))
        if sign := self.accept(("IN",)):
            return self.among_or_within(word, sign)
        self.expect(("IS",))
        negation = self.accept(("NOT",))
        state = self.expect(STATES)
        return WrittenCondition("state", (word,), (state,) if negation is None else (negation, state))

    def among_or_within(self, word: RuleToken, sign: RuleToken) -> WrittenCondition:
        """Read a set, 3..5 or (3..5], which follows IN."""
        if self.next.type == "LBRACE":
            return WrittenCondition("among", (word, *self.members()), (sign,))
        self.expected.add("LBRACE")
        if opening := self.accept(("LPAR", "LBRACKET")):
            bounds = self.expect(("WORD",))
            return WrittenCondition("within", (word, bounds), (sign, opening, self.expect(("RPAR", "RBRACKET"))))
        return WrittenCondition("within", (word, self.expect(("WORD",))), (sign,))

    def members(self) -> list[RuleToken]:
        """Read a set: words with commas between them in braces, or empty braces."""
        self.expect(("LBRACE",))
        if self.accept(("RBRACE",)):
            return []
        words = [self.expect(VALUES)]
        while self.accept(("COMMA",)):
            words.append(self.expect(VALUES))
        self.expect(("RBRACE",))
        return words

    def column(self, start: RuleToken) -> Declaration:
        """Read the declaration of a column: COLUMN word ":" (kind | option) ("," option)*."""
        name = self.expect(VALUES)
        self.expect(("COLON",))
        kind = self.kind(is_column=True)
        options = [] if kind is not None else [self.option(is_first=True)]
        while self.accept(("COMMA",)):
            options.append(self.option(is_first=False))
        return Declaration(start, name, kind, tuple(options))

    def target(self, start: RuleToken) -> Declaration:
        """Read the declaration of the target: TARGET word [":" kind]."""
        name = self.expect(VALUES)
        has_kind = self.accept(("COLON",)) is not None
        kind = self.kind(is_column=False) if has_kind else None
        if has_kind and kind is None:
            self.fail()
        return Declaration(start, name, kind)

    def option(self, *, is_first: bool) -> Bounds | RuleToken:
        """Read an option: bounds | NEVER MISSING | OPEN | CLOSED."""
        if bounds := self.bounds(kinds=is_first):
            return bounds
        option = self.expect(("NEVER", "OPEN", "CLOSED"))
        if option.type == "NEVER":
            self.expect(("MISSING",))
        return option

    def bounds(self, *, kinds: bool, is_column: bool = True) -> Bounds | None:
        """Read 0..120, or <= or >= and a word; None if neither follows. `kinds`: whether a kind is allowed here."""
        if sign := self.accept(("LE", "GE")):
            word = self.expect(("WORD",))
            return Bounds(None, word, word) if sign.type == "LE" else Bounds(word, None, word)
        lone = self.accept(("WORD",))
        if lone is None:
            return None
        ends = range_ends(lone)
        if ends is None and is_column:
            raise misnamed(self.source, lone, kinds=kinds)
        return Bounds(*(ends or (lone, lone)), lone)

    def kind(self, *, is_column: bool) -> DeclaredKind | None:
        """Read a kind: ordered [bounds] | BOOLEAN | CATEGORY [OF scalar] [set] | ORDINAL [OF scalar] levels."""
        kind = self.accept(_KINDS)
        if kind is None or kind.type == "BOOLEAN":
            return kind and DeclaredKind(kind)
        if kind.type in _ORDERED_KINDS:
            return DeclaredKind(kind, bounds=self.bounds(kinds=False, is_column=is_column))
        of = self.accept(("OF",))
        if of and kind.type == "ORDINAL" and self.next.type not in (*_SCALARS, "WORD", "STRING"):
            return DeclaredKind(kind, None, self.levels(of))  # a level may be named "of"
        scalar = self.expect(_SCALARS) if of else None
        if kind.type == "ORDINAL":
            return DeclaredKind(kind, scalar, self.levels())
        has_set = self.next.type == "LBRACE"
        self.expected.add("LBRACE")
        return DeclaredKind(kind, scalar, tuple(self.members()) if has_set else None)

    def levels(self, first: RuleToken | None = None) -> tuple[RuleToken, ...]:
        """Read levels: words with < between them, or empty braces. `first`: the first one, where it has been read."""
        if first is None and self.accept(("LBRACE",)):
            self.expect(("RBRACE",))
            return ()
        levels = [first or self.expect(VALUES)]
        while self.accept(("LT",)):
            levels.append(self.expect(VALUES))
        return tuple(levels)

    def unexpected(self, token: RuleToken, expected: set[str]) -> ParseError:
        """Return the error for a token that has none of the expected types."""
        return unexpected_token(self.source, token, expected)
