"""The words around the CASE of a statement: what it creates or drops, the quote of a body, advice above it."""

from collections.abc import Sequence
from itertools import chain, count

from treerules.emit.sql.result_columns import Output
from treerules.emit.sql.statement_kinds import SqlKind
from treerules.sql.language import Language


def create_words(language: Language, kind: SqlKind, *, replace: bool) -> str:
    """Return how a statement begins: CREATE VIEW, CREATE OR REPLACE VIEW; "" for a kind that creates nothing."""
    usual = f"CREATE {kind.name.upper()}" if kind.creates else ""
    return language.replacing.get(kind.name, usual) if replace else usual


def drop_statement(language: Language, kind: SqlKind, created: str, *, replace: bool) -> str:
    """Return the statement that drops what is replaced; "" where nothing is, or where CREATE replaces it."""
    if not replace or kind.name in language.replacing:
        return ""
    return f"DROP {kind.name.upper()} IF EXISTS {created}"


def body_quote(outputs: Sequence[Output]) -> str:
    """Return a quote of Postgres that is in no line of the outputs: $rules$, $rules1$, ..."""
    quotes = chain(["$rules$"], (f"$rules{n}$" for n in count(1)))
    return next(quote for quote in quotes if not any(quote in line for output in outputs for line in output.lines))


def with_advice(language: Language, text: str, *, is_run_badly: bool) -> str:
    """Return a text with lines behind its first that say what to do before it is run, if anything."""
    first, *rest = text.split("\n", 1)
    advice = [language.large_case] if language.large_case and is_run_badly else []
    advice += [remedy for sign, remedy in language.cautions if any(sign in part for part in rest)]
    return "\n".join([first, *(f"-- {line}" for line in advice), *rest])
