"""Which texts before and behind digits are a sign of money, a percent sign or a unit, and which are part of a name.

A unit is a word behind a blank (12 kg, 36 months), or right behind the digits a word with small letters (12kg, 5km/h)
or one of the list (16GB). 3月, 5th, 12A and Q1 are no numbers with a unit, but names of months, places and flats.
"""

import re
import unicodedata

from treerules.data.number_form import BLANKS

_CODES = frozenset(
    """
    USD EUR GBP CHF JPY CNY RMB INR HKD TWD AUD CAD NZD SGD KRW SEK NOK DKK PLN CZK HUF RUB TRY BRL MXN ZAR ILS THB
    IDR MYR PHP VND AED SAR Rs Rs. Fr Fr. kr kr. zł Kč Ft
    """.split()  # noqa: SIM905
)
#: Money that is written with thousands commas: three digits behind a comma are no fraction.
_COMMA_MONEY = frozenset("$ US$ USD £ GBP ¥ ￥ JPY CNY RMB ₹ INR Rs Rs.".split())  # noqa: SIM905
_SIGNS = frozenset(("%", "％", "‰", "°", "°C", "°F"))
_SINGLE = frozenset("mgshdlLtWV")
_CAPITALS = frozenset("GB MB KB TB HP KM KG CC CM MM ML AH KW KWH RPM DB".split())  # noqa: SIM905
_IDEOGRAPHIC = frozenset(
    """
    元 万元 亿元 円 圆 원 人 岁 歳 米 平米 平方米 公里 千米 厘米 毫米 克 千克 公斤 斤 吨 升 毫升 分钟 小时 秒 天
    个 次 度 倍 个月
    """.split()  # noqa: SIM905
)
_NO_UNITS = frozenset("st nd rd th am pm a.m a.m. p.m p.m. ad bc ce bce inf nan".split())  # noqa: SIM905
_LETTER = r"[^\W\d_]"
_WORD = re.compile(rf"(?:{_LETTER}|[°²³µ])+(?:[/·.](?:{_LETTER}|[°²³µ])+)*\.?")
_FIRST_IDEOGRAPH = "\u2e80"


def is_money(text: str) -> bool:
    """Return whether text is a sign of money.

    >>> [is_money(text) for text in ("$", "US$", "€", "CHF", "Q", "No.")]
    [True, True, True, True, False, False]
    """
    has_sign = text != "" and unicodedata.category(text[-1]) == "Sc"
    return text in _CODES or (has_sign and (text[:-1] == "" or (text[:-1].isalpha() and len(text) <= 4)))


def has_thousands_commas(prefix: str, suffix: str) -> bool:
    """Return whether the money of these signs is written with commas between thousands, as $1,660 is."""
    return bool({prefix.strip(BLANKS), suffix.strip(BLANKS)} & _COMMA_MONEY)


def is_prefix(text: str) -> bool:
    """Return whether text can stand before the digits of a number: nothing, or a sign of money."""
    return text == "" or is_money(text.strip(BLANKS))


def is_suffix(text: str) -> bool:
    """Return whether text can stand behind the digits of a number: nothing, money, a percent sign or a unit.

    >>> [is_suffix(text) for text in ("%", "kg", " kg", "km/h", " MB", "元", "月", "th", "A", " GmbH & Co")]
    [True, True, True, True, True, True, False, False, False, False]
    """
    word = text.strip(BLANKS)
    if text == "" or word in _SIGNS or is_money(word):
        return True
    if any(letter >= _FIRST_IDEOGRAPH for letter in word):
        return word in _IDEOGRAPHIC
    if not _WORD.fullmatch(word) or word.lower() in _NO_UNITS:
        return False
    if len(word) == 1:
        return word in _SINGLE
    return word != text or word in _CAPITALS or any(letter.islower() for letter in word)
