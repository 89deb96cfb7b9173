"""Names of the tokens that a parser expects, for messages."""

from treerules.formats.notation.syntax import DECLARATION_WORDS, KEYWORDS, KINDS, ORDERING, SIGNS, VALUES

_COMPARISONS = {"EQ", "NE", *ORDERING, "IN", "IS"}
#: The names of the types of token, in the order in which messages list them.
_NAMES = {
    **{type: f"`{sign}`" for sign, type in reversed(SIGNS.items()) if sign.isascii()},
    **{word: word for word in KEYWORDS},
    **{word: word.lower() for word in DECLARATION_WORDS},
    "WORD": "a bare word",
    "STRING": "a name or value",
    "RULE_NUMBER": "a rule",
    "FIRST_MATCH_WINS": "first match wins",
    "FIGURES": "figures",
    "END": "the end",
}
#: Sets of types with a common name, and further types that the name includes if all of them are expected.
_GROUPS: tuple[tuple[set[str], set[str], str], ...] = (
    (set(VALUES), set(), "a name or value"),
    (_COMPARISONS, {"NOT"}, "a comparison (= != < <= > >= in is)"),
    (set(KINDS), {"TIMESTAMP_UTC"}, f"a kind ({', '.join(map(str.lower, KINDS))})"),
    ({"IF", "RULE_NUMBER"}, {"ALWAYS", "OTHERWISE"}, "a rule"),
)


def in_words(expected: set[str]) -> str:
    """Return the names of the types of token that are allowed at a position.

    >>> in_words({"RPAR", "COMMA"}), in_words({"END"})
    ('`,` or `)`', 'the end')
    """
    names = list[str]()
    for group, covered, name in _GROUPS:
        if group <= expected:
            expected = expected - group - covered
            names.append(name)
    names += [name for type, name in _NAMES.items() if type in expected]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
