"""The lexer: it finds the texts, names and words that sqlglot's tokenizers find, in each dialect."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.errors import SqlglotError

from profiles import examples
from treerules.sql.dialect import UNNAMED
from treerules.sql.dialects import DIALECTS
from treerules.sql.lexer import LexicalRules, tokens_of

#: Pieces of which texts are put together: what opens, closes and escapes, and what stands between.
PIECES = (
    *("'", "''", '"', '""', "`", "``", "[", "]", "\\", "\\\\", " $$ ", " $a$ ", " -- ", "#", "//", "/*", "*/", "{#"),
    *("#}", "'''", '"""', " q'[", "]'", " q'x", " N'", " e'", " r'", " E'\\'", "\n", "\r", " ", "\t", ",", "."),
    *(" CASE ", " when ", " END ", "a", "_b", "é", "a_b", " GROUP BY ", "1 ", "1.5 ", "1e5 ", "2e-3 ", "->", "->>"),
    *("<", ">", "=", "(", ")", ":", "it's", "'a'", ' "b"', "-1 ", "{{ x }}"),
)
WORDS = ("CASE", "WHEN", "THEN", "ELSE", "END")


def grammar_of(name: str) -> str:
    """Return sqlglot's name of a dialect."""
    return DIALECTS[name].reading.grammar if name else ""


def rules_of(name: str) -> LexicalRules:
    """Return the lexical rules of a dialect."""
    return (DIALECTS[name] if name else UNNAMED).reading.lexical


def spans_by_sqlglot(text: str, name: str) -> list[tuple[str, int, int]] | None:
    """Return the texts, names and CASE words that sqlglot finds; None where a quote or comment is not closed."""
    try:
        tokens = Grammar.get_or_raise(grammar_of(name)).tokenize(text)
    except SqlglotError:
        return None
    found = []
    for token in tokens:
        kind = token.token_type.name
        if kind.endswith("STRING") and text[token.start : token.end + 1][-1:] in "'\"$":
            found.append(("text", token.start, token.end + 1))
        elif kind == "IDENTIFIER":
            found.append(("name", token.start, token.end + 1))
        elif kind in WORDS:
            found.append(("word", token.start, token.end + 1))
    return found


def spans_by_lexer(text: str, name: str) -> list[tuple[str, int, int]] | None:
    """Return the texts, names and CASE words that the lexer finds; None where a quote or comment is not closed."""
    tokens = list(tokens_of(text, rules_of(name)))
    if any(token.kind == "unclosed" for token in tokens):
        return None
    return [
        (token.kind, token.start, token.end)
        for token in tokens
        if token.kind in ("text", "name") or token.word in WORDS
    ]


@pytest.mark.parametrize("name", ["", *DIALECTS])
def test_the_lexer_finds_what_sqlglot_finds(name: str) -> None:
    """Of drawn pieces put together: the same texts, names and words at the same places, or a quote that is open."""

    @settings(max_examples=examples(400))
    @given(st.lists(st.sampled_from(PIECES), max_size=12).map(lambda pieces: "(" + "".join(pieces)))
    def run(text: str) -> None:
        if not rules_of(name).dollar_texts:  # where $ has other meanings in grammars
            text = text.replace("$", "")
        assert spans_by_lexer(text, name) == spans_by_sqlglot(text, name)

    run()
