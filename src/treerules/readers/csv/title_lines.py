"""Lines above the header of a CSV file: titles, which --skip leaves out, and which a hint names."""

import csv
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from treerules.data.find_number_form import looks_like_a_number
from treerules.errors import FileError
from treerules.readers.csv.divided_lines import detect_delimiter, parsed_rows, unlimited_cells

#: At most so many lines are taken for titles, by so many rows below them.
_MOST_TITLES, _ROWS_BELOW = 10, 20


def without_titles(path: Path, lines: Sequence[str], n_skipped: int) -> list[str]:
    """Return the lines of the start of a file below those that are skipped.

    Raises:
        FileError: there are not so many lines.
    """
    if 0 < n_skipped >= len(lines):
        remedy = f"skip the lines above the header alone: skip=, --skip, less than {len(lines)}"
        raise FileError(str(path), f"has no line {n_skipped + 1}: skip={n_skipped} leaves nothing", remedy)
    return list(lines[n_skipped:])


def check_skipped(path: Path, lines: Sequence[str], n_skipped: int, delimiter: str, quote: str) -> None:
    """Raise FileError where the lines that are skipped end within a quoted cell.

    `lines` are those of the start of the file, the skipped ones too.
    """
    rows, start = csv.reader(lines, delimiter=delimiter, quotechar=quote, skipinitialspace=True), 1
    with unlimited_cells(), suppress(csv.Error):
        for _ in rows:
            if start > n_skipped:
                return
            if rows.line_num > n_skipped:
                problem = f"has a quoted cell from line {start} to line {rows.line_num}, which skip={n_skipped} divides"
                raise FileError(str(path), problem, "skip whole rows: skip=, --skip")
            start = rows.line_num + 1


def n_title_lines(lines: Sequence[str], quote: str, known_delimiter: str | None) -> int:
    """Return the number of lines above the first that looks like a header of all rows below it; 0 where the first does.

    Titles fill at most half of the cells; a header has a name for each column, and no number among them.
    """
    for n in range(1, min(_MOST_TITLES, len(lines) - 2) + 1):
        below = list(islice((line for line in lines[n:] if line.strip()), _ROWS_BELOW))
        if not lines[n].strip() or len(below) < 2:
            continue
        delimiter = known_delimiter or detect_delimiter(below, quote, None)
        head, *rows = parsed_rows(below, delimiter, quote) or [[]]
        names = {name.strip() for name in head} - {""}
        is_header = 1 < len(head) == len(names) and not any(map(looks_like_a_number, names))
        titles = parsed_rows(lines[:n], delimiter, quote)
        is_title = all(2 * sum(bool(cell.strip()) for cell in title) <= len(head) for title in titles)
        if is_header and is_title and rows and all(len(row) == len(head) for row in rows):
            return n
    return 0


def title_hint(n_titles: int) -> str:
    """Return what to do where the first lines look like titles; "" where they do not."""
    if not n_titles:
        return ""
    lines = "the first line looks like a title" if n_titles == 1 else f"the first {n_titles} lines look like titles"
    return f"{lines}: skip={n_titles}, --skip {n_titles}"
