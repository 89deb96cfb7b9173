"""Texts that a collation may take for one: 'a' and 'A', 'e' and 'é', 'a' and 'a ', by default in MySQL and T-SQL.

Where conditions only ask whether a column is one of some texts, what is proved holds in any case: a value that is two
of them meets more conditions than the rules know, never fewer. Negations turn this round, and `x = 'a' AND x = 'A'`
asks for both.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

from toolz import groupby

from treerules.formats.sql.column_usage import Usage, questions_in
from treerules.formats.sql.predicate_terms import And, Not, Or, Term, TruthTest


def loose_text(text: str) -> str:
    """Return what texts that may be equal have in common.

    >>> loose_text("É ") == loose_text("e")
    True
    """
    letters = unicodedata.normalize("NFKD", text.rstrip(" ").casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold()


def alike_texts(texts: Iterable[str]) -> tuple[str, str] | None:
    """Return the first two texts that may be equal; None if there are none."""
    groups = groupby(loose_text, dict.fromkeys(texts)).values()
    return next(((group[0], group[1]) for group in groups if len(group) > 1), None)


def doubtful_texts(
    usages: Mapping[str, Usage], names: Mapping[tuple[str, str], str], terms: Iterable[Term]
) -> dict[str, str]:
    """Return why comparisons of columns with texts cannot be read, by the names of the columns: a negation of one text
    says nothing of another text that may be equal."""
    asked = {names[key] for key in _asked_otherwise(terms) if key in names}
    doubtful = {}
    for name in asked:
        texts = [str(value.value) for value in usages[name].values if value.kind == "text"]
        pair = None if usages[name].exactly or usages[name].column.is_opaque else alike_texts(texts)
        if pair is not None:
            doubtful[name] = f"is compared with {pair[0]!r} and {pair[1]!r}, which may be equal"
    return doubtful


def _asked_otherwise(terms: Iterable[Term]) -> set[tuple[str, str]]:
    """Return the table and the name of each column that a negation asks about, or that one AND asks about twice."""
    found: set[tuple[str, str]] = set()
    pending = list(terms)
    while pending:
        part = pending.pop()
        if isinstance(part, Not) or (isinstance(part, TruthTest) and part.truth is not True):
            found |= _compared(part)
        elif isinstance(part, TruthTest):
            pending.append(part.part)
        elif isinstance(part, (And, Or)):
            pending.extend(part.parts)
            if isinstance(part, And):
                asked = Counter(key for each in part.parts for key in _compared(each))
                found |= {key for key, n in asked.items() if n > 1}
    return found


def _compared(term: Term) -> set[tuple[str, str]]:
    """Return the columns that a term compares with values."""
    return {(question.column.table, question.column.name) for question in questions_in(term) if question.values}
