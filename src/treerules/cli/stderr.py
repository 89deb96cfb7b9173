"""Writing to stderr. It needs no extra and nearly no module, so that it can report what happened before they load."""

import re
import sys
from contextlib import suppress

#: The name of the copy of standard input that a command reads, and the start of the name of its folder.
STANDARD_INPUT, STANDARD_INPUT_FOLDER = "standard input", "treerules-standard-input-"
_COPY = re.compile(rf"[^\s'\"]*{STANDARD_INPUT_FOLDER}[^\s/\\]*[/\\]{STANDARD_INPUT}")


class ClosedPipeError(Exception):
    """The reader of stdout has closed it. (Not a BrokenPipeError, for which click has an exit code of its own.)"""


def write_stderr(text: str) -> None:
    """Write text to stderr, with characters that its encoding lacks escaped; nothing where stderr is closed.

    The path of the copy of standard input is called standard input.
    """
    if sys.stderr is not None:
        text = _COPY.sub(STANDARD_INPUT, text) if STANDARD_INPUT_FOLDER in text else text
        encoding = sys.stderr.encoding or "utf-8"
        with suppress(OSError, ValueError):
            sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding))
            sys.stderr.flush()
