"""Entries of a JSON array, read one at a time, so that memory holds one entry and not the text of the whole file."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from treerules.errors import FileError
from treerules.readers.text_bounds import too_long

#: Characters that are read at once.
_AT_ONCE = 1 << 16
#: A syntax error nearer than this to the end of what was read can be that of a word or number that was cut.
_LONGEST_WORD = 16
_BLANKS = re.compile(r"[ \t\r\n]*").match
_DECODER = json.JSONDecoder()


def array_entries(path: Path, text: IO[str], most: int, *, n_at_once: int = _AT_ONCE) -> Iterator[Any]:
    """Yield the entries of a JSON array.

    `most` is the most characters of an entry, `n_at_once` the number of characters that are read at once.

    Raises:
        FileError: the text is not one JSON array, or an entry is too long.
    """
    window = _Window(text, most, n_at_once)
    number = 0
    try:
        window.take("[")
        is_end = window.next_character() == "]" and bool(window.take("]"))
        while not is_end:
            number += 1
            yield window.take_value()
            is_end = window.take(",]") == "]"
        if window.next_character():
            raise ValueError("more text behind the array")
    except _TooLongError:
        raise too_long(path, f"entry {number} has", most, "divide it") from None
    except (ValueError, RecursionError) as error:
        problem = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        shown = f"{window.rest[:100]!r}"
        raise FileError(str(path), f"entry {number} is not JSON ({problem}): {shown}", "correct the file") from error


class _TooLongError(Exception):
    """An entry has more characters than it may have."""


class _Window:
    """The characters of a text that were read and not yet taken."""

    def __init__(self, text: IO[str], most: int, n_at_once: int) -> None:
        self.text, self.most, self.n_at_once = text, most, n_at_once
        self.content, self.position = "", 0

    @property
    def rest(self) -> str:
        return self.content[self.position :]

    def read_on(self) -> bool:
        """Read about as much again as there is; return whether there was more."""
        rest = self.rest
        added = self.text.read(max(self.n_at_once, min(len(rest), self.most + 1 - len(rest))))
        if added:
            self.content, self.position = rest + added, 0
        return bool(added)

    def next_character(self) -> str:
        """Return the next character that is no blank, which is not taken; "" at the end."""
        while True:
            blanks = _BLANKS(self.content, self.position)
            self.position = blanks.end() if blanks else self.position
            if self.position < len(self.content) or not self.read_on():
                return self.content[self.position : self.position + 1]

    def take(self, expected: str) -> str:
        """Take the next character, which must be one of those expected."""
        found = self.next_character()
        if not found or found not in expected:
            raise ValueError(f"expected {' or '.join(expected)}")
        self.position += 1
        return found

    def take_value(self) -> Any:
        """Take the next value of JSON."""
        self.next_character()
        while True:
            try:
                value, end = _DECODER.raw_decode(self.content, self.position)
            except json.JSONDecodeError as error:
                is_cut = error.msg.startswith("Unterminated string") or error.pos > len(self.content) - _LONGEST_WORD
                if len(self.content) - self.position > self.most and is_cut:
                    raise _TooLongError from None
                if not is_cut or not self.read_on():
                    raise
            else:
                if end - self.position > self.most:
                    raise _TooLongError
                if end < len(self.content) or not self.read_on():
                    self.position = end
                    return value
