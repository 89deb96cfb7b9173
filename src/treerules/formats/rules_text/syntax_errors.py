"""Messages for rule text that does not follow the grammar: the token found, the tokens expected, and the remedy."""

import re

from treerules.errors import ParseError, did_you_mean
from treerules.formats.notation.expectations import in_words
from treerules.formats.notation.lexer import RuleToken, SourceText, token_repr
from treerules.formats.notation.literals import did_you_mean_quickly
from treerules.formats.notation.syntax import KEYWORDS, KINDS, ORDERING, VALUES

_KINDS = [kind.lower() for kind in KINDS]
_OPTIONS = ["never missing", "open", "closed"]


def misnamed(source: SourceText, word: RuleToken, *, kinds: bool, options: bool = True) -> ParseError:
    """Return the error for a word in a declaration that is neither an option nor (if allowed there) a kind."""
    name = word.text.strip('"')
    hint = did_you_mean_quickly(name, [*(_KINDS if kinds else ()), *(_OPTIONS if options else ())])
    if options and not hint and "'never'" in did_you_mean_quickly(name, [*_KINDS, "never"]):
        hint = f"did you mean {_OPTIONS[0]!r}? "
    choices = [f"a kind ({', '.join(_KINDS)})"] if kinds else []
    choices += ["bounds such as 0..120, never missing, open or closed"] if options else []
    is_kind = kinds and ".." not in word.text and not re.match("[-+.]?[0-9]", word.text)
    problem = f"no kind is named {token_repr(word)}" if is_kind else f"{token_repr(word)} is not an option of a column"
    return source.error(problem, f"{hint}write {', '.join(choices)}", word.start)


def unexpected_token(source: SourceText, token: RuleToken, expected: set[str]) -> ParseError:
    """Return the error for a token of an unexpected type."""
    if expected >= {"NUMBER", "ORDINAL"} and token.type in VALUES and not expected >= VALUES:
        return misnamed(source, token, kinds=True, options="NEVER" in expected)
    subject = "the text ends here" if token.type == "END" else f"{token_repr(token)} stands here"
    meant = next((word for word in ("AND", "THEN", "OR") if word in expected and _is_misspelled(token, word)), "")
    if meant:
        return source.error(f"unexpected {token_repr(token)}", f"did you mean {meant}?", token.start)
    return source.error(f"{subject}, where {in_words(expected)} belongs", _remedy(token, expected), token.start)


def _is_misspelled(token: RuleToken, word: str) -> bool:
    """Return whether a bare word has the letters of a keyword, in another order or with one too few or too many."""
    text = token.text.upper()
    has_letters = text[:1] == word[0] and set(text) <= set(word)
    return token.type == "WORD" and has_letters and abs(len(text) - len(word)) < 2


_RULE = "a rule is written IF age < 30 AND city in {A, B} THEN yes"
_QUOTE = "put a name or value that holds blanks in double quotes"
_SAME_COLUMN = "OR adds values of one column, x < 1 or x > 5 or missing; for any other case write a rule of its own"
_DECLARED = "a column is declared as in column age: integer 0..120, never missing"
_DECLARATIONS_FIRST = "declarations stand before the first rule"
_DECLARATIONS = {"COLUMN", "TARGET", "ORDERED", "FIRST_MATCH_WINS"}
_JOINING = {"IF", "THEN", "AND", "OR", "ALWAYS", "OTHERWISE"}
_COMPARISONS = {"EQ", "NE", *ORDERING, "IN", "IS"}
#: The remedies for unexpected tokens: the types of the token (empty: any), types that must be among the expected ones,
#: and the text. The first that fits is used.
_REMEDIES: tuple[tuple[set[str], set[str], str], ...] = (
    (set(), {"MISSING", "NOTHING"}, "`is` asks for missing, known, unseen or nothing; values are compared: x = red"),
    (set(), {"MISSING", "UNSEEN"}, _SAME_COLUMN),
    ({"OR"}, set(), _SAME_COLUMN),
    ({"NOT"}, set(), "NOT stands in `not in` and `is not missing` alone: ask for the opposite"),
    (
        _JOINING,
        set(VALUES),
        "something is left out before it; a name or value that is such a word stands in double quotes",
    ),
    (set(KEYWORDS), set(VALUES), "ask with `is missing`; a name or value that is such a word is put in quotes"),
    (_JOINING, {"RBRACE"}, "close the braces that are open with }"),
    (_JOINING, {"RPAR"}, "close the parenthesis that is open with )"),
    ({"COLON"}, set(VALUES), "a declaration is written column NAME: kind, or target NAME: kind"),
    ({"COMMA"}, {"AND"}, "join conditions with AND; values stand in braces: in {a, b}"),
    (_DECLARATIONS, {"RULE_NUMBER", "EQ"}, _DECLARATIONS_FIRST),
    (_DECLARATIONS, {"RULE_NUMBER", "FIGURES"}, _DECLARATIONS_FIRST),
    (set(), {"COMMA", "COLUMN"}, _DECLARED),
    (set(), {"NEVER"}, _DECLARED),
    (set(VALUES), _COMPARISONS - {"IN"}, _QUOTE),
    (set(VALUES), {"THEN"}, _QUOTE),
    (set(VALUES), {"RBRACE"}, _QUOTE),
    (set(VALUES), {"FIGURES"}, _QUOTE),
)


def _remedy(token: RuleToken, expected: set[str]) -> str:
    fitting = (text for types, least, text in _REMEDIES if (not types or token.type in types) and least <= expected)
    remedy = next(fitting, None)
    if remedy is None and "IF" in expected and token.type in VALUES:
        return did_you_mean(token.text, ("if", "always", "otherwise", "column", "target", "ordered")) + _RULE
    return remedy or _RULE
