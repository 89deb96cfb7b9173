"""The headings of reports in English and Chinese. A new language is one more row of `_WORDS`."""

from collections.abc import Mapping

from treerules.errors import UnknownNameError
from treerules.rendering.chinese_headings import CHINESE_HEADINGS
from treerules.rendering.chinese_sampled_diff import CHINESE_SAMPLED_DIFF

_WORDS: Mapping[str, Mapping[str, str]] = {"en": {}, "zh": {**CHINESE_HEADINGS, **CHINESE_SAMPLED_DIFF}}
LANGS = tuple(_WORDS)
#: The names of kinds of columns.
_KINDS: Mapping[str, Mapping[str, str]] = {
    "en": {},
    "zh": {
        "number": "数值",
        "integer": "整数",
        "boolean": "布尔值",
        "category": "类别",
        "ordinal": "有序类别",
        "date": "日期",
        "timestamp": "时间戳",
    },
}


def heading(text: str, lang: str = "en", **parts: object) -> str:
    """Return a heading in a language, with its {parts} filled in.

    A heading without a translation stays in English.

    >>> heading("gain", "zh"), heading("{n} rows", "zh", n=15), heading("{n} rows", n=15)
    ('信息增益', '15 行', '15 rows')
    """
    translated = _WORDS[lang].get(text, text)
    return translated.format(**parts) if parts else translated


class Sentence(str):
    """An English sentence that can be said in another language: it keeps the heading that it was made of.

    Args:
        text: The heading, with parts in braces.
        **parts: The parts.
    """

    heading: str
    parts: dict[str, object]

    def __new__(cls, text: str, **parts: object) -> "Sentence":
        """Return the sentence in English, which keeps its heading and parts."""
        sentence = super().__new__(cls, text.format(**parts))
        sentence.heading, sentence.parts = text, parts
        return sentence

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        return (self.heading,), self.parts


def in_language(sentence: str, lang: str) -> str:
    """Return a sentence in a language; a plain text as it is.

    >>> in_language(Sentence("{n} rows", n=15), "zh"), in_language("15 rows", "zh")
    ('15 行', '15 rows')
    """
    return heading(sentence.heading, lang, **sentence.parts) if isinstance(sentence, Sentence) else sentence


def kind_name(kind: str, lang: str) -> str:
    """Return the name of a kind of columns in a language.

    >>> kind_name("integer", "en"), kind_name("integer", "zh")
    ('integer', '整数')
    """
    return _KINDS[lang].get(kind, kind)


def row_count(n: float, lang: str) -> str:
    """Return a number of rows in words.

    >>> row_count(1, "en"), row_count(15, "zh")
    ('1 row', '15 行')
    """
    return heading("{n} row" if n == 1 else "{n} rows", lang, n=n)


def require_lang(lang: str) -> None:
    """Raise UnknownNameError unless there are headings in a language."""
    if not isinstance(lang, str) or lang not in LANGS:
        raise UnknownNameError("language of headings", lang, LANGS)
