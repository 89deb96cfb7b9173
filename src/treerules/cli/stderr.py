"""Writing to stderr. It needs no extra, so that it can report which one is missing."""

import sys
from contextlib import suppress


def write_stderr(text: str) -> None:
    """Write text to stderr, with characters that its encoding lacks escaped; nothing where stderr is closed."""
    if sys.stderr is not None:
        encoding = sys.stderr.encoding or "utf-8"
        with suppress(OSError, ValueError):
            sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding))
            sys.stderr.flush()
