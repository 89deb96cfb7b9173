"""The headings of reports in English and Chinese. A new language is one more row of `_WORDS`."""

from collections.abc import Mapping

from treerules.errors import UnknownNameError
from treerules.rendering.chinese_headings import CHINESE_HEADINGS
from treerules.rendering.chinese_sampled_diff import CHINESE_SAMPLED_DIFF

_WORDS: Mapping[str, Mapping[str, str]] = {"en": {}, "zh": {**CHINESE_HEADINGS, **CHINESE_SAMPLED_DIFF}}
LANGS = tuple(_WORDS)


def heading(text: str, lang: str = "en", **parts: object) -> str:
    """Return a heading in a language, with its {parts} filled in.

    A heading without a translation stays in English.

    >>> heading("gain", "zh"), heading("{n} rows", "zh", n=15), heading("{n} rows", n=15)
    ('信息增益', '15 行', '15 rows')
    """
    translated = _WORDS[lang].get(text, text)
    return translated.format(**parts) if parts else translated


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
