"""A clean copy of a CSV file: UTF-8, commas, double quotes, LF. Malformed lines raise an error with their number.

DuckDB reads clean files itself. This module reads all others and explains what is wrong with a file.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO

import numpy as np
from attrs import evolve, frozen

from treerules.data.column_names import is_numbered
from treerules.errors import FileError, counted
from treerules.readers.csv.divided_lines import unlimited_cells
from treerules.readers.csv.sniff import (
    USUAL_ENCODING,
    CsvFormat,
    decoding_error,
    decoding_note,
    open_bytes,
    other_encodings,
)
from treerules.readers.text_bounds import MOST_CHARACTERS, too_long


def write_clean_copy(
    path: Path, csv_format: CsvFormat, folder: Path, encoding: str | None = None, most: int = MOST_CHARACTERS
) -> tuple[Path, CsvFormat, int]:
    """Write a clean copy to a folder, without a header line; return its path, the format, and a bound on its rows.

    The bound is the greatest number of bytes of a row. A row of the file has at most `most` characters.

    A file that starts as UTF-8 but cannot be decoded as such is read again in another encoding, unless the caller gave
    it.

    Raises:
        FileError: a line has more or fewer cells than there are columns, or is not CSV; a row is too long; or no
            encoding fits.
    """
    copy = folder / "clean.csv"
    first = csv_format
    for name in _encodings(path, csv_format.encoding, is_given=bool(encoding)):
        if name != first.encoding:
            csv_format = evolve(first, encoding=name, notes=[*first.notes, decoding_note(path, name)])
        try:
            with open_bytes(path) as source, copy.open("w", encoding="utf-8", newline="") as target:
                text = io.TextIOWrapper(source, encoding=name, newline="")
                lines = _RememberedLines(path, text, most)
                with unlimited_cells():
                    csv.writer(target, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(
                        _data_rows(path, lines, csv_format)
                    )
                text.detach()
        except UnicodeError:
            continue
        return copy, csv_format, lines.longest + 3 * len(csv_format.names)
    raise decoding_error(path, encoding or (None if first.encoding == USUAL_ENCODING else first.encoding))


def _encodings(path: Path, encoding: str, *, is_given: bool) -> Iterator[str]:
    """Yield the encoding that the start of a file has, then those that it can have if a later byte is not in it."""
    yield encoding
    if encoding == USUAL_ENCODING and not is_given:
        with open_bytes(path) as source:
            others = other_encodings(iter(lambda: source.read(_CHUNK), b""))
        yield from others


def _data_rows(path: Path, lines: "_RememberedLines", csv_format: CsvFormat) -> Iterator[list[str]]:
    """Yield the rows of data.

    Raises:
        FileError: a row is ragged or not CSV; the error shows its line and text.
    """
    skip, hint = csv_format.skip, csv_format.title_hint
    _ = list(islice(lines, skip))
    rows = csv.reader(lines, **csv_format.reader_options)
    is_header = csv_format.has_header
    if csv_format.has_preface:
        next(rows)
    while True:
        start = skip + rows.line_num + 1
        lines.forget()
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise _line_error(path, start, f"cannot be read as CSV: {error}", lines.kept) from error
        if row is None:
            return
        if not row:
            continue
        if is_header:
            is_header = False
        elif len(row) != len(csv_format.names):
            counted_by = "the first line has" if all(map(is_numbered, csv_format.names)) else "the names given are"
            where = "the header has" if csv_format.has_header else counted_by
            problem = f"has {counted(len(row), 'cell')} where {where} {len(csv_format.names)}"
            raise _line_error(path, start, problem, lines.kept, hint)
        else:
            yield row


class _RememberedLines:
    """Lines for csv.reader, which remembers those of the row that is being read, and a bound on the longest row.

    The bound is that of its bytes where quotes are doubled; the line ends of rows are in it.
    """

    def __init__(self, path: Path, text: IO[str], most: int) -> None:
        self.path, self.text, self.kept, self.longest = path, text, list[str](), 0
        self.most, self.n_left, self.n_lines = most, most, 0

    def forget(self) -> None:
        """Begin the next row."""
        if 8 * sum(map(len, self.kept)) > self.longest:  # at most 4 bytes a character, and quotes doubled
            self.longest = max(self.longest, sum(len(line.encode()) + line.count('"') for line in self.kept))
        self.kept.clear()
        self.n_left = self.most

    def __iter__(self) -> "_RememberedLines":
        return self

    def __next__(self) -> str:
        line = self.text.readline(self.n_left + 1)
        if not line:
            raise StopIteration
        self.n_left, self.n_lines = self.n_left - len(line), self.n_lines + 1
        if self.n_left < 0:
            piece = f"the row that begins in line {self.n_lines - len(self.kept)} has"
            raise too_long(self.path, piece, self.most, "close its quotes")
        self.kept.append(line)
        return line


def _line_error(path: Path, line: int, problem: str, lines: Sequence[str], hint: str = "") -> FileError:
    text = "".join(lines[:3]).rstrip("\r\n")
    return FileError(str(path), f"line {line} {problem}: {text!r:.200}", hint or "correct that line")


#: Longer lines are read from a clean copy.
_LONGEST_LINE = 1_000_000


#: Bytes of a file that are looked at at once.
_CHUNK = 1 << 20


@frozen
class Suspicions:
    """Suspicions about the bytes of a file; there may be false positives."""

    #: whether DuckDB may read digits as a number that are text here: 1_000, or 007 after a blank
    odd_digits: bool
    #: whether DuckDB may miss an error in a row: an extra empty cell, a blank between quote and delimiter, a last line
    #: longer than its buffer, or a line that is too long
    odd_rows: bool


def inspect_bytes(path: Path, csv_format: CsvFormat, most: int = MOST_CHARACTERS) -> Suspicions:
    """Scan all bytes of a file quickly for cells that DuckDB may misread.

    Each suspicion costs a slower check or a clean copy, as does a row that can have more than `most` characters.
    """
    tail, digits, rows, length = b"\n\n\n", False, False, 0
    with open_bytes(path) as file:
        while block := file.read(1 << 18):
            text = tail + block
            digits = digits or _has_odd_digits(text)
            last_end = block.rfind(b"\n")
            length = length + len(block) if last_end < 0 else len(block) - last_end - 1
            rows = rows or length > min(most, _LONGEST_LINE) or _has_odd_rows(text, csv_format)
            tail = _last_line(text)
    return Suspicions(digits, rows or _has_odd_rows(tail + b"\n", csv_format))


def _last_line(text: bytes) -> bytes:
    """Return the text from the last line end on, at most 64 kB and at least three bytes."""
    return text[max(min(text.rfind(b"\n"), len(text) - 3), len(text) - (1 << 16)) :]


def _has_odd_rows(text: bytes, csv_format: CsvFormat) -> bool:
    """Return whether a line that ends in a delimiter has more or fewer cells than there are columns."""
    delimiter, quote = csv_format.delimiter.encode(), csv_format.quote.encode()
    is_quoted = quote in text  # single bytes are found ten times as fast as two
    if is_quoted and re.search(re.escape(quote) + b" +(?:" + re.escape(delimiter) + b"|\r?\n)", text):
        return True
    n_delimiters = len(csv_format.names) - 1
    quoted = [
        line for line in _lines_ending_with(text, delimiter) if quote in line or line.count(delimiter) != n_delimiters
    ]
    if is_quoted and delimiter + quote * 2 in text:
        quoted += _lines_ending_with(text, delimiter + quote * 2)
    rows = csv.reader(
        (line.decode("latin-1") for line in quoted), delimiter=csv_format.delimiter, quotechar=csv_format.quote
    )
    try:
        return any(len(row) != len(csv_format.names) for row in rows)
    except csv.Error:
        return True


def _lines_ending_with(text: bytes, end: bytes) -> list[bytes]:
    """Return the lines, after the first line end, that end with `end`."""
    data = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero(data == ord("\n"))
    last_bytes = data[np.maximum(ends - 1, 0)]
    if b"\r" in text:
        last_bytes = np.where(last_bytes == ord("\r"), data[np.maximum(ends - 2, 0)], last_bytes)
    candidates = [index for index in np.flatnonzero(last_bytes == end[-1]).tolist() if index > 0]
    lines = [text[ends[index - 1] + 1 : ends[index]].rstrip(b"\r") for index in candidates]
    return [line for line in lines if line.endswith(end)]


def _has_odd_digits(text: bytes) -> bool:
    is_blank = any(mark in text for mark in (b" ", b"\t", b"\v", b"\f")) or (b'"' in text and b'"\n0' in text)
    if not is_blank and b"_" not in text:
        return False
    data = np.frombuffer(text, dtype=np.uint8)
    digit = data - 48 < 10
    if np.any((data[1:-1] == ord("_")) & digit[:-2] & digit[2:]):
        return True
    zeros = (data[2:-1] == 48) & digit[3:] & (data[1:-2] <= 32)
    return any(text[index] in b" ,;|\t\r\n\"'" for index in np.flatnonzero(zeros).tolist())
