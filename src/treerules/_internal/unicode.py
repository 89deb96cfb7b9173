"""Printable characters, the same set on every Python version, whose Unicode tables differ.

They are those that Unicode 3.2 has, which every Python carries, and the pictures that are in wide use since.
"""

import re
from unicodedata import ucd_3_2_0

_PICTURES = re.compile("[\U0001f300-\U0001f64f\U0001f680-\U0001f6c5\U0001f900-\U0001f9ff]")


def is_shown(character: str) -> bool:
    """Whether a character is printed as it is: no control, no mark of direction, no blank but the plain one.

    >>> is_shown("是"), is_shown("\\u202e"), is_shown(" "), is_shown("\\u3000")
    (True, False, True, False)
    """
    if character.isascii():
        return character.isprintable()
    return ucd_3_2_0.category(character)[0] not in "CZ" or bool(_PICTURES.match(character))


def is_of_words(character: str) -> bool:
    """Whether a character is a letter or a digit of any script."""
    return character.isalnum() if character.isascii() else ucd_3_2_0.category(character)[0] in "LN"


def escape_hidden_characters(text: str) -> str:
    """Return text with its non-printable characters escaped as in Python; ASCII stays as it is.

    >>> escape_hidden_characters("是\\u202e")
    '是\\\\u202e'
    """
    if text.isascii():
        return text
    return "".join(c if c.isascii() or is_shown(c) else c.encode("ascii", "backslashreplace").decode() for c in text)
