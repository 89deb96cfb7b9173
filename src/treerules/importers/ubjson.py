"""Universal Binary JSON (UBJSON, draft 12), as XGBoost writes it: bytes to dicts, lists, numbers and text.

value   marker, then its bytes, numbers with the highest byte first:  i U I l L d D  integers and floats
                                                                      S C            text, a character
                                                                      T F Z          true, false, null
[       values up to ], or "#" and how many, or "$", their marker, "#" and how many
{       pairs of a name (a length and text) and a value, up to }, or counted as in a list
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from treerules.errors import ModelFileError

#: The numbers by their markers: the type of numpy with the highest byte first.
_NUMBERS: Mapping[bytes, str] = {
    b"i": ">i1",
    b"U": ">u1",
    b"I": ">i2",
    b"l": ">i4",
    b"L": ">i8",
    b"d": ">f4",
    b"D": ">f8",
}
_CONSTANTS: Mapping[bytes, Any] = {b"T": True, b"F": False, b"Z": None}
#: Documents of models are less deep; deeper ones are damaged.
_MOST_DEPTH = 64


def parse_ubjson(content: bytes) -> Any:
    """Return the value that a document holds; 32-bit floats become the doubles that they equal.

    Args:
        content: the bytes of the document.

    Returns:
        A dict, a list, a number, text, a truth value or None.

    Raises:
        ModelFileError: it is cut off, too deep, or no UBJSON.

    Examples:
        >>> parse_ubjson(b"{i\\x01a[$d#i\\x02?\\x80\\x00\\x00@\\x00\\x00\\x00}")
        {'a': [1.0, 2.0]}
    """
    reader = _Reader(content)
    try:
        return reader.value(reader.take(1), 0)
    except UnicodeDecodeError as error:
        raise ModelFileError(f"byte {reader.position}: {error}", _REMEDY) from error


class _Reader:
    """The position up to which a document is read."""

    def __init__(self, content: bytes) -> None:
        self.content, self.position = content, 0

    def take(self, n: int) -> bytes:
        """Return the next bytes."""
        end = self.position + n
        if n < 0 or end > len(self.content):
            raise ModelFileError(f"it ends in byte {len(self.content)}, where {n} bytes more are announced", _REMEDY)
        found = self.content[self.position : end]
        self.position = end
        return found

    def peek(self) -> bytes:
        """Return the next byte, which is read again."""
        return self.content[self.position : self.position + 1]

    def value(self, marker: bytes, depth: int) -> Any:
        """Return the value that follows its marker."""
        if depth > _MOST_DEPTH:
            raise ModelFileError(f"byte {self.position}: lists are nested more than {_MOST_DEPTH} deep", _REMEDY)
        if marker in _NUMBERS:
            return self._numbers(marker, 1)[0]
        if marker in _CONSTANTS:
            return _CONSTANTS[marker]
        if marker == b"S":
            return self._text()
        if marker == b"C":
            return self.take(1).decode("ascii")
        if marker == b"[":
            return self._list(depth)
        if marker == b"{":
            return self._pairs(depth)
        raise ModelFileError(f"byte {self.position}: {marker!r} begins no value", _REMEDY)

    def _numbers(self, marker: bytes, n: int) -> list[Any]:
        kind = np.dtype(_NUMBERS[marker])
        if n < 0:
            raise ModelFileError(f"byte {self.position}: a list has {n} values", _REMEDY)
        values: list[Any] = np.frombuffer(self.take(n * kind.itemsize), dtype=kind).tolist()
        return values

    def _length(self) -> int:
        marker = self.take(1)
        if marker not in _NUMBERS or marker in b"dD":
            raise ModelFileError(f"byte {self.position}: {marker!r} begins no length", _REMEDY)
        return int(self._numbers(marker, 1)[0])

    def _text(self) -> str:
        return self.take(self._length()).decode("utf-8")

    def _list(self, depth: int) -> list[Any]:
        marker, n = self._announced()
        if marker in _NUMBERS:
            assert n is not None
            return self._numbers(marker, n)
        return list(self._items(marker, n, b"]", lambda kind: self.value(kind, depth + 1)))

    def _pairs(self, depth: int) -> dict[str, Any]:
        marker, n = self._announced()
        pairs = self._items(marker, n, b"}", lambda kind: self.value(kind, depth + 1), has_names=True)
        return dict(pairs)

    def _announced(self) -> tuple[bytes, int | None]:
        """Return the marker of all values, empty where each has its own, and how many there are, where that is said."""
        marker = b""
        if self.peek() == b"$":
            self.take(1)
            marker = self.take(1)
            if marker in _CONSTANTS:  # whose values take no bytes, so that a short file could announce any number
                raise ModelFileError(f"byte {self.position}: a list of constants, which no model has", _REMEDY)
        if self.peek() != b"#":
            if marker:
                raise ModelFileError(f"byte {self.position}: values have a type but no number", _REMEDY)
            return marker, None
        self.take(1)
        n = self._length()
        if not 0 <= n <= len(self.content):  # a value takes a byte at least
            raise ModelFileError(f"byte {self.position}: {n} values are announced", _REMEDY)
        return marker, n

    def _items(
        self, marker: bytes, n: int | None, end: bytes, read: Callable[[bytes], Any], *, has_names: bool = False
    ) -> Iterator[Any]:
        while n != 0:
            if n is None and self.peek() == end:
                self.take(1)
                return
            name = self._text() if has_names else None
            value = read(marker or self.take(1))
            yield (name, value) if has_names else value
            n = None if n is None else n - 1


_REMEDY = "save the model again"
