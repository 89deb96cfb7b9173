"""Saying something on stderr, wherever and however it is open. Needs no extra, so that it can say which is missing."""

import sys
from contextlib import suppress


def say(text: str) -> None:
    """Write text to stderr, escaping what its encoding lacks; a closed stderr is silently so."""
    if sys.stderr is not None:
        encoding = sys.stderr.encoding or "utf-8"
        with suppress(OSError, ValueError):
            sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding))
            sys.stderr.flush()
