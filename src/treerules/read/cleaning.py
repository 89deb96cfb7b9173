"""A clean copy of a CSV file: UTF-8, commas, double quotes, LF. What is no CSV is refused with its line.

DuckDB reads clean files itself; this reads all others, and says in our words what is wrong with a file.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from attrs import evolve

from treerules.errors import FileError, counted
from treerules.read.sniffing import ENCODINGS, Written, any_length, opened, undecodable


def cleaned(path: Path, written: Written, folder: Path, encoding: str | None = None) -> tuple[Path, Written, int]:
    """Return a clean copy in a folder, without a header line, how the file was written after all, its longest row.

    The longest row is bounded in bytes.

    A file that begins as UTF-8 and goes on otherwise is read again as GB18030, unless the encoding was asked for.

    Raises:
        FileError: a line has more or fewer cells than there are columns, or is no CSV; or no encoding fits.
    """
    copy = folder / "clean.csv"
    later = [
        name for name in ENCODINGS if written.encoding == ENCODINGS[0] and name != written.encoding and not encoding
    ]
    for name in (written.encoding, *later):
        written = evolve(written, encoding=name)
        try:
            with opened(path) as source, copy.open("w", encoding="utf-8", newline="") as target:
                text = io.TextIOWrapper(source, encoding=name, newline="")
                lines = _Lines(text)
                with any_length():
                    csv.writer(target, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(
                        _rows(path, lines, written)
                    )
                text.detach()
        except UnicodeError:
            continue
        return copy, written, 8 * lines.longest + 3 * len(written.names)  # 4 bytes a character, quotes doubled
    raise undecodable(path, encoding or (None if written.encoding in ENCODINGS else written.encoding))


def _rows(path: Path, lines: "_Lines", written: Written) -> Iterator[list[str]]:
    """Yield the rows of data.

    Raises:
        FileError: a row is ragged, or no CSV; the error shows its line and text.
    """
    rows = csv.reader(lines, **written.format)
    is_header = written.has_header
    while True:
        start = rows.line_num + 1
        lines.forget()
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise _refused(path, start, f"cannot be read as CSV: {error}", lines.kept) from error
        if row is None:
            return
        if not row:
            continue
        if is_header:
            is_header = False
        elif len(row) != len(written.names):
            where = "the header has" if written.has_header else "the names given are"
            problem = f"has {counted(len(row), 'cell')} where {where} {len(written.names)}"
            raise _refused(path, start, problem, lines.kept)
        else:
            yield row


class _Lines:
    """Lines for csv.reader, which remembers those of the row that is being read, and the length of the longest row."""

    def __init__(self, text: IO[str]) -> None:
        self.text, self.kept, self.longest = text, list[str](), 0

    def forget(self) -> None:
        """Begin the next row."""
        self.longest = max(self.longest, sum(map(len, self.kept)))
        self.kept.clear()

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = next(self.text)
        self.kept.append(line)
        return line


def _refused(path: Path, line: int, problem: str, kept: Sequence[str]) -> FileError:
    text = "".join(kept[:3]).rstrip("\r\n")
    return FileError(str(path), f"line {line} {problem}: {text!r:.200}", "mend that line")


def has_odd_digits(path: Path) -> bool:
    """Whether some digits may be a number to DuckDB and text here: 1_000, or 007 after a blank.

    Looks at the bytes alone; a yes may be wrong, and costs a second look at every number.
    """
    tail = b"\n\n\n"
    with opened(path) as file:
        while block := file.read(1 << 18):
            if _has_odd_digits(tail + block):
                return True
            tail = (tail + block)[-3:]
    return False


def _has_odd_digits(text: bytes) -> bool:
    import numpy as np

    is_blank = any(mark in text for mark in (b" ", b"\t", b"\v", b"\f")) or (b'"' in text and b'"\n0' in text)
    if not is_blank and b"_" not in text:
        return False
    held = np.frombuffer(text, dtype=np.uint8)
    digit = held - 48 < 10
    if np.any((held[1:-1] == ord("_")) & digit[:-2] & digit[2:]):
        return True
    zeros = (held[2:-1] == 48) & digit[3:] & (held[1:-2] <= 32)
    return any(text[at] in b" ,;|\t\r\n\"'" for at in np.flatnonzero(zeros).tolist())
