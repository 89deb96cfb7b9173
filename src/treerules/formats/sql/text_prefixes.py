"""LIKE with a prefix: `x LIKE 'ab%'` asks whether a text begins with 'ab'.

The prefixes and the literals of a column divide its texts. Those that begin with 'ab', but with no longer prefix, and
are no literal, are one value: the category 'ab%'. So `x LIKE 'a%'` takes the values 'a%', 'ab%' and 'abc' where these
are what the column is compared with. The name of such a category is one of its texts: the row that shows a gap may have
it. But other rows have other texts, so that such rules cannot predict.
"""

from collections.abc import Callable, Collection, Iterable, Mapping

from attrs import define, field

from treerules._internal.text_identity import is_placeholder
from treerules.formats.sql.column_usage import leaves_in
from treerules.formats.sql.predicate_terms import (
    And,
    ColumnQuestion,
    Not,
    Or,
    PrefixQuestion,
    Term,
    TruthTest,
)
from treerules.rules.prefixes import Prefixes
from treerules.sql.dialect import Dialect
from treerules.sql.jinja import has_stand_in
from treerules.sql.literals import NULL, SqlLiteral

#: What stands for an unseen text in the row of a gap.
_UNSEEN = "unseen"
#: With these a pattern is not a mere prefix in some dialect.
_SPECIAL = frozenset("%_\\[]^")


def prefix_of(pattern: SqlLiteral | None, dialect: Dialect, *, is_whole: bool = False) -> str:
    """Return the prefix that a pattern of LIKE asks for; "" if it asks for something else, or in its own way.

    `is_whole` says that the text is the prefix, as that of STARTS_WITH is.
    """
    if pattern is None or pattern.kind != "text" or dialect.reading.like_folds == "collation":
        return ""
    text = str(pattern.value)
    prefix = text.removesuffix("%")
    if (
        (prefix == text) is not is_whole
        or not _SPECIAL.isdisjoint(prefix)
        or prefix.endswith(" ")
        or has_stand_in(prefix)
        or is_placeholder(prefix)
    ):
        return ""
    return "" if _UNSEEN.startswith(prefix) or prefix.startswith(_UNSEEN) else prefix


@define
class _Texts:
    """The prefixes and the literals that the columns of one name are compared with."""

    prefixes: set[str] = field(factory=set)
    literals: set[str] = field(factory=set)
    #: whether they are only compared with texts, by = or LIKE
    is_plain: bool = True

    def take(self, question: ColumnQuestion | PrefixQuestion) -> None:
        """Add a question."""
        if isinstance(question, PrefixQuestion):
            self.prefixes.add(question.prefix)
        elif question.relation != "null":
            values = [value for value in question.values if value != NULL]
            is_equality = question.relation in ("in", "same") and not question.as_double
            self.is_plain = self.is_plain and is_equality and all(map(_is_text, values))
            self.literals.update(str(value.value) for value in values)


def _is_text(value: SqlLiteral) -> bool:
    return value.kind == "text" and not has_stand_in(value.value)


def understood_prefixes(
    terms: Iterable[Term | None], dialect: Dialect, declared: Collection[str]
) -> dict[str, Prefixes]:
    """Return the prefixes of each column whose prefixes are understood, by the name of the column in its terms.

    Columns of one name in several tables may be one column, and are divided alike. A declared column has the
    categories that are declared, and its prefixes stay conditions that are not understood.
    """
    texts: dict[str, _Texts] = {}
    folded = {name.rpartition(".")[2].casefold() for name in declared}
    for term in terms:
        for question in leaves_in(term) if term is not None else ():
            of_column = texts.setdefault(question.column.name, _Texts())
            of_column.take(question)
            is_declared = not question.column.is_opaque and question.column.shown.casefold() in folded
            of_column.is_plain = of_column.is_plain and not is_declared
    ignores_case = dialect.reading.like_folds != "none"
    asked = {name: of for name, of in texts.items() if of.prefixes and of.is_plain}
    found = {name: Prefixes(sorted(of.prefixes), ignores_case) for name, of in asked.items()}
    return {name: prefixes for name, prefixes in found.items() if prefixes.tell(asked[name].literals)}


def without_prefixes(terms: Iterable[Term | None], prefixes: Mapping[str, Prefixes]) -> list[Term | None]:
    """Return conditions in which LIKE asks for the values that begin with its prefix.

    Args:
        terms: the conditions.
        prefixes: the prefixes of each column whose prefixes are understood, by its name in the terms.
    """
    terms = list(terms)
    values: dict[str, dict[str, SqlLiteral]] = {}
    for term in terms:
        for question in leaves_in(term) if term is not None else ():
            if question.column.name in prefixes and isinstance(question, ColumnQuestion):
                found = values.setdefault(question.column.name, {})
                found.update((str(value.value), value) for value in question.values if value != NULL)
    for name, of_column in prefixes.items():
        patterns = {text: SqlLiteral("text", text, f"{text!r}") for text in of_column.categories}
        values.setdefault(name, {}).update(patterns)

    def asked(question: PrefixQuestion) -> Term:
        if question.column.name not in prefixes:
            return question.instead
        within = [value for text, value in values[question.column.name].items() if text.startswith(question.prefix)]
        return ColumnQuestion(question.column, "in", within)

    return [None if term is None else _replaced(term, asked) for term in terms]


def _replaced(term: Term, asked: Callable[[PrefixQuestion], Term]) -> Term:
    if isinstance(term, PrefixQuestion):
        return asked(term)
    if isinstance(term, Not):
        return Not(_replaced(term.part, asked))
    if isinstance(term, TruthTest):
        return TruthTest(_replaced(term.part, asked), term.truth)
    if isinstance(term, (And, Or)):
        return type(term)([_replaced(part, asked) for part in term.parts])
    return term
