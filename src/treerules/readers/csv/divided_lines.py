"""Lines of CSV divided into cells, and the delimiter that divides them evenly."""

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

DELIMITERS = (",", ";", "\t", "|")


@contextmanager
def unlimited_cells() -> Iterator[None]:
    """Let Python's csv read cells of any length."""
    before = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def parsed_rows(lines: Sequence[str], delimiter: str, quote: str) -> list[list[str]]:
    """Return the rows of some lines, up to one that is not CSV."""
    with unlimited_cells():
        rows = csv.reader(lines, delimiter=delimiter, quotechar=quote, skipinitialspace=True)
        parsed: list[list[str]] = []
        with suppress(csv.Error):  # reported when the rows are read
            parsed.extend(row for row in rows if row)
        return parsed


def detect_delimiter(lines: Sequence[str], quote: str, n_columns: int | None) -> str:
    """Return the delimiter that divides all rows into equally many cells, else the one that occurs most in the header.

    Ties go to the comma, semicolon, tab and bar, in this order.
    """
    best, merit = ",", (False, False, 1)
    for delimiter in DELIMITERS:
        counts = [len(row) for row in parsed_rows(lines, delimiter, quote)]
        is_even = len(set(counts)) == 1 and counts[0] > 1
        candidate = (is_even and counts[0] == n_columns, is_even, counts[0] if counts else 0)
        if candidate > merit:
            best, merit = delimiter, candidate
    return best
