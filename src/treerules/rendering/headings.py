"""The headings of reports in English and Chinese. A new language is one more row of `_WORDS`."""

from collections.abc import Mapping, Sequence

from treerules._internal.notes import Note
from treerules.errors import UnknownNameError
from treerules.rendering.chinese_certificates import CHINESE_CERTIFICATES
from treerules.rendering.chinese_domains import CHINESE_DOMAINS
from treerules.rendering.chinese_headings import CHINESE_HEADINGS
from treerules.rendering.chinese_reading_notes import CHINESE_READING_NOTES
from treerules.rendering.chinese_sampled_diff import CHINESE_SAMPLED_DIFF

_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {},
    "zh": {
        **CHINESE_HEADINGS,
        **CHINESE_SAMPLED_DIFF,
        **CHINESE_CERTIFICATES,
        **CHINESE_DOMAINS,
        **CHINESE_READING_NOTES,
    },
}
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


def heading(text: str, lang: str = "en", /, **parts: object) -> str:
    """Return a heading in a language, with its {parts} filled in.

    A heading without a translation stays in English.

    >>> heading("gain", "zh"), heading("{n} rows", "zh", n=15), heading("{n} rows", n=15)
    ('信息增益', '15 行', '15 rows')
    """
    translated = _WORDS[lang].get(text, text)
    return translated.format(**parts) if parts else translated


class TranslatedText(str):
    """An English sentence that can be said in another language.

    Args:
        texts: The sentence in each language.
    """

    texts: Mapping[str, str]

    def __new__(cls, texts: Mapping[str, str]) -> "TranslatedText":
        """Return the sentence in English, which keeps those in other languages."""
        said = super().__new__(cls, texts["en"])
        said.texts = texts
        return said

    def __getnewargs__(self) -> tuple[Mapping[str, str]]:  # type: ignore[override]
        return (self.texts,)


def translated_text(text: str, /, **parts: object) -> TranslatedText:
    """Return a heading with its parts filled in, which can be said in each language; parts can be such texts too."""

    def in_one(lang: str) -> str:
        said = {
            name: in_language(part, lang) if isinstance(part, TranslatedText) else part for name, part in parts.items()
        }
        return heading(text, lang, **said)

    return TranslatedText({lang: in_one(lang) for lang in LANGS})


def in_language(text: str, lang: str) -> str:
    """Return a note or another sentence in a language; a plain text as it is.

    >>> in_language(translated_text("{n} rows", n=15), "zh"), in_language("15 rows", "zh")
    ('15 行', '15 rows')
    """
    if isinstance(text, Note):
        said = {name: in_language(part, lang) for name, part in text.parts.items() if isinstance(part, str)}
        parts = {**text.parts, **said}
        return "; ".join(heading(template, lang, place=text.place, **parts) for template in text.templates if template)
    return text.texts[lang] if isinstance(text, TranslatedText) else text


def joined_texts(texts: Sequence[str], separator: str = ", ") -> TranslatedText:
    """Return texts with a separator between them, in each language.

    >>> in_language(joined_texts(["1", "2"], " or "), "zh")
    '1 或 2'
    """
    return TranslatedText({lang: heading(separator, lang).join(in_language(t, lang) for t in texts) for lang in LANGS})


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
