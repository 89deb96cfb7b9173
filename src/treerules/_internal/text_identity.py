"""Texts that may be one text: for a collation that ignores case, or since a template puts something into them."""

import re
import unicodedata

_PLACEHOLDER = re.compile(r"\$\{|\$\(|%\(\w+\)s|\{\w*\}|<%|\$\$?\w+\$?|\{\{|&&\w+|\\")


def loose_text(text: str) -> str:
    """Return what texts that may be equal have in common.

    >>> loose_text("É ") == loose_text("e")
    True
    """
    letters = unicodedata.normalize("NFKD", text.rstrip(" ").casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold()


def is_placeholder(text: str) -> bool:
    """Return whether a text may hold a placeholder of a template, so that it may be any text.

    >>> [is_placeholder(text) for text in ("${env}", "%(env)s", "{env}", "env")]
    [True, True, True, False]
    """
    return _PLACEHOLDER.search(text) is not None
