"""Texts that may be one value: 'a' and 'A' for a collation, '1' and '01' for a column of numbers, 'a' and '${b}'.

The collations of MySQL and T-SQL take 'a' and 'A', 'e' and 'é', 'a' and 'a ' for one by default. The type of a column
is not known: as a number, a date, an interval or a truth value it has several spellings. What a placeholder such as
${b} stands for is not known either.

Where conditions only ask whether a column is one of some texts, what is proved holds in any case: a value that is two
of them meets more conditions than the rules know, never fewer. Negations turn this round, and `x = 'a' AND x = 'A'`
asks for both.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, floor, isfinite
from typing import Any

from treerules._internal.conversion import parse_number
from treerules._internal.text_identity import is_placeholder, loose_text
from treerules.data.schema import Feature, Kind
from treerules.formats.sql.column_usage import Usage, questions_in
from treerules.formats.sql.predicate_terms import And, Not, Or, Term, TruthTest
from treerules.sql.dialect import Dialect

_INTERVAL = re.compile(r"(?=.*\d)(?=.*[a-z:])[-+@\d.:\sa-z]+")
_ISO_INTERVAL = re.compile(r"[-+]?p(?=t|[-+]?[\d.]+[ymwd])[-+\dymwdths.:]+")
_UNIT = re.compile(
    r"us|ms|s|m|h|d|w|y|(?:micro|milli)?sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?"
    r"|mons?|months?|quarters?|y(?:ea)?rs?|decades?|centur(?:y|ies)|ago|am|pm"
)
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b", re.IGNORECASE)
_DATE = re.compile(r"\s*\d+[-/. ]\d+[-/. ]\d+(?:[ T].*)?\s*", re.DOTALL)
_MOMENTS = frozenset(["now", "today", "tomorrow", "yesterday", "epoch", "infinity", "-infinity", "inf", "-inf"])
#: What dates of other forms share: January 1, 2020 and 01/01/2020 may be any day.
_OTHER_MOMENT = ("moment", "")
_UUID = re.compile(r"\{?(?:[0-9a-f]{4}-?){8}\}?", re.IGNORECASE)
_ADDRESS = re.compile(r"[0-9a-f]*[.:][0-9a-f.:]+(?:/\d+)?|\d+/\d+", re.IGNORECASE)
_TRUTHS = ((True, ("true", "yes", "on")), (False, ("false", "no", "off")))
_DAY = re.compile(r"(\d{4})-(?=\d)(\d{1,2})-(\d{1,2})", re.ASCII)
#: A day with a time and without a zone, of which a column of days takes the day.
_STAMP = re.compile(r"(\d{4})-(\d{2})-(\d{2})[ t][\d:.]+", re.ASCII)
_SPELLED = (("address", _ADDRESS), ("structure", re.compile(r"[{\[(].*", re.DOTALL)))


def alike_texts(texts: Iterable[str], dialect: Dialect, type: str = "") -> list[list[str]]:
    """Return the groups of texts that may be equal in a column of some type; a text may be in several.

    Args:
        texts: the texts.
        dialect: the dialect, which compares them.
        type: what the column certainly holds, as in `ColumnName.type`.
    """
    texts = list(dict.fromkeys(texts))
    if any(map(is_placeholder, texts)):
        return [texts] if len(texts) > 1 else []
    groups: dict[tuple[str, Any], list[str]] = {}
    for text in texts:
        for key in dict.fromkeys(_keys(text, dialect, type)):
            groups.setdefault(key, []).append(text)
    if _OTHER_MOMENT in groups:
        groups[_OTHER_MOMENT] += [text for key, group in groups.items() if key[0] == "day" for text in group]
    return [group for group in groups.values() if len(group) > 1]


def _keys(text: str, dialect: Dialect, type: str) -> Iterator[tuple[str, Any]]:
    """Yield what a text shares with each text that may be equal to it."""
    plain = text.rstrip(" ") if dialect.reading.padded_texts else text
    yield "text", loose_text(text) if dialect.loose_text else plain
    if type == "text":
        return
    word = text.strip().casefold()
    number = parse_number(word.replace("_", ""))
    if type == "spelled" or (type == "number" and number is None):  # the difference of two timestamps
        yield "spelled", ""
    if number is not None:
        yield from _number_keys(number, "." in word or "e" in word)
        yield from [("truth", bool(number))] if number in (0, 1) else []
    elif word and word != "o":
        yield from (("truth", truth) for truth, words in _TRUTHS if any(each.startswith(word) for each in words))
    if not dialect.reading.moments_are_text:  # where they are, texts are converted to numbers only
        yield from _spelled_keys(word, number is not None)


def _spelled_keys(word: str, is_number: bool) -> Iterator[tuple[str, Any]]:
    """Yield what the text of a moment, an interval, a UUID, an address or a structure shares with others."""
    moments = list(_moment_keys(word))
    yield from moments
    if not is_number and not moments:
        yield from [("interval", "")] if _is_interval(word) else []
        yield from ((name, "") for name, pattern in _SPELLED if pattern.fullmatch(word))
    if _UUID.fullmatch(word):
        yield "uuid", re.sub("[{}-]", "", word)


def _number_keys(number: float, is_fraction: bool) -> Iterator[tuple[str, Any]]:
    """Yield the number; a column of integers, or of few digits, may round fractions, so that all are alike."""
    if not is_fraction:
        yield "number", float(number)
        return
    yield "number", "fraction"
    yield from ((("number", float(floor(number))), ("number", float(ceil(number)))) if isfinite(number) else ())


def _is_interval(word: str) -> bool:
    is_plain = _INTERVAL.fullmatch(word) is not None and all(map(_UNIT.fullmatch, re.findall("[a-z]+", word)))
    return is_plain or _ISO_INTERVAL.fullmatch(word) is not None


def _moment_keys(word: str) -> Iterator[tuple[str, Any]]:
    """Yield the day of a text such as 2024-03-21 or 20240321; other dates may all be alike."""
    day = _DAY.fullmatch(word if "-" in word else f"{word[:4]}-{word[4:6]}-{word[6:]}") or _STAMP.fullmatch(word)
    if day is not None:
        yield "day", (int(day[1]), int(day[2]), int(day[3]))
    elif word in _MOMENTS or _DATE.fullmatch(word) or (_MONTH.search(word) and any(map(str.isdigit, word))):
        yield _OTHER_MOMENT


def doubtful_texts(
    usages: Mapping[str, Usage],
    names: Mapping[tuple[str, str], str],
    features: Mapping[str, Feature],
    terms: Iterable[Term],
    dialect: Dialect,
) -> dict[str, str]:
    """Return why comparisons of columns with texts cannot be read, by the names of the columns: a negation of one text
    says nothing of another text that may be equal."""
    asked = {names[key] for key in _asked_otherwise(terms) if key in names}
    doubtful = {}
    for name in asked:
        if features[name].kind is not Kind.CATEGORY:
            continue
        texts = [str(value.value) for value in usages[name].values if value.kind == "text"]
        if len(usages[name].ways) > 1:
            doubtful[name] = "is compared by a binary collation and by its own, which may differ"
            continue
        groups = [] if usages[name].exactly or usages[name].column.is_opaque else alike_texts(texts, dialect)
        if groups:
            doubtful[name] = may_be_equal(groups[0])
    return doubtful


def may_be_equal(group: Sequence[str]) -> str:
    """Return why comparisons with texts that may be equal cannot be read."""
    return f"is compared with {group[0]!r} and {group[1]!r}, which may be equal"


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
