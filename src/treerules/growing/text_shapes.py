"""What the texts of a column look like: e-mail addresses, web addresses, hashes, telephone numbers, sentences."""

import re
from collections.abc import Sequence
from statistics import median

#: So many texts of a column are looked at, spread evenly over their order.
_LOOKED_AT = 200
_SHAPES = {
    "e-mail": re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+"),
    "url": re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.)\S+", re.IGNORECASE),
    "hash": re.compile(
        r"\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?|(?=\D*\d)(?=[0-9]*[a-f])(?:[0-9a-f]{2}){8,}", re.IGNORECASE
    ),
    "phone": re.compile(r"(?=(?:\D*\d){7,15}\D*$)(?=[+(0]|\d{3,4}[-. /]\d)[+(]?\d[\d ()./-]*(?: ?(?:x|ext\.?) ?\d+)?"),
}
#: Shorter texts are names and labels, not sentences. A text of Chinese or Japanese has fewer characters and no blanks.
_LENGTH, _WORDS, _LENGTH_WITHOUT_BLANKS = 40, 6, 25
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")


def _some(texts: Sequence[str]) -> Sequence[str]:
    return texts[:: -(-len(texts) // _LOOKED_AT)] if texts else texts


def holds_texts_of_shape(name: str, texts: Sequence[str]) -> bool:
    """Return whether nine of ten texts have the shape of that name.

    >>> holds_texts_of_shape("e-mail", ["ann@example.org", "bob@example.org"]), holds_texts_of_shape("url", ["a b"])
    (True, False)
    """
    some = _some(texts)
    n_matches = sum(_SHAPES[name].fullmatch(text.strip()) is not None for text in some)
    return bool(some) and n_matches * 10 >= 9 * len(some)


def is_free_text(texts: Sequence[str]) -> bool:
    """Return whether half of the texts or more are sentences.

    >>> is_free_text(["The parcel came too late, and the box was open."]), is_free_text(["Lenox Hill West"])
    (True, False)
    """
    some = _some(texts)
    if not some:
        return False
    is_ideographic = sum(_IDEOGRAPH.search(text) is not None for text in some) * 2 > len(some)
    length = median(map(len, some))
    if is_ideographic:
        return length >= _LENGTH_WITHOUT_BLANKS
    return length >= _LENGTH and median(len(text.split()) for text in some) >= _WORDS
