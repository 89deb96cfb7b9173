"""Whether the first line of a CSV file is its header, and the names of the columns.

The first line is data only where that is clear; in all other cases it is the header:

1.  Text above a column of numbers, or of dates, is a name: a header.
2.  A number above a column of numbers speaks for data, and so does a date above a column of dates, unless the numbers
    of the first line may be names: years above no years, or an even sequence such as 2019, 2020, 2021 or 0, 1, 2.
    Such cells decide if they are more than the words that never occur again in columns where every other word does.
3.  Without such cells, the first line is data if each of its words occurs again in its column, in a row that is no
    copy of the first line.
"""

import re
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import Any

from attrs import frozen

from treerules.data.cell_reading import USUAL_WORDS
from treerules.data.column_names import is_numbered, matching_name

#: The rows below the first line that are looked at.
_MOST_ROWS = 2000
_CLASSES: tuple[tuple[str, Callable[[str], Any]], ...] = (
    ("date", re.compile(r"[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}([ T][0-9:.]+(Z|[+-][0-9:]+)?)?").fullmatch),
    ("time", re.compile(r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?").fullmatch),
    ("number", re.compile(r"[-+(]?[$€£¥￥]?[-+]?[.,]?[0-9][0-9.,' ]*([eE][-+]?[0-9]+)?[ ]?[%€$)]?").fullmatch),
    ("number", re.compile(r"[-+]?[iI]nf(inity)?").fullmatch),
)
_YEARS = range(1500, 2101)


@frozen
class Header:
    """The decision about a first line."""

    is_header: bool
    #: what the user should know of the decision; "" where there was no doubt
    note: str = ""


def detect_header(
    first: Sequence[str], rows: Sequence[Sequence[str]], missing: Collection[str] = USUAL_WORDS
) -> Header:
    """Decide whether the cells of a first line are names of columns, given the rows below it.

    >>> detect_header(["age", "job"], [["31", "cook"], ["54", "cook"]]).is_header
    True
    >>> detect_header(["39", "cook"], [["31", "cook"], ["54", "clerk"]]).is_header
    False
    """
    absent = {"", *missing}
    cells = [cell.strip() for cell in first]
    below = [[cell.strip() for cell in row] for row in rows[:_MOST_ROWS] if len(row) == len(first)]
    columns = [[row[place] for row in below if row[place] not in absent] for place in range(len(cells))]
    known = [place for place, cell in enumerate(cells) if cell not in absent and columns[place]]
    shapes = {place: _common_shape(columns[place]) for place in known}
    figures = [place for place in known if shapes[place] and _shape(cells[place]) == shapes[place]]
    words = [place for place in known if not shapes[place]]
    may_be_names = _may_be_names([cells[place] for place in figures], [columns[place] for place in figures])
    if len(figures) + len(words) < len(known):
        return Header(True, "" if may_be_names else _header_note(cells, figures))
    rows_apart = [row for row in below if row != cells]
    recurring = [place for place in words if any(row[place] == cells[place] for row in rows_apart)]
    strangers = [place for place in words if place not in recurring and _all_recur(columns[place])]
    by_figures = len(figures) > len(strangers) and not may_be_names
    by_words = bool(words) and len(recurring) == len(words)
    if by_figures or by_words:
        return Header(False, _no_header_note(cells))
    return Header(True, _header_note(cells, figures or (recurring if 2 * len(recurring) >= len(words) else ())))


def header_of(rows: Sequence[Sequence[str]], asked: Collection[str], missing: Collection[str]) -> Header:
    """Decide whether the first of some rows is a header, where a caller asks for columns by name.

    A first line that holds a name that is asked for is the header. It is none where it has no such name and all that
    are asked for are named as the columns of a file without a header are.
    """
    if any(matching_name(name, rows[0]) for name in asked):
        return Header(True)
    if asked and all(map(is_numbered, asked)):
        return Header(False, _no_header_note(rows[0]))
    return detect_header(rows[0], rows[1:], missing or USUAL_WORDS)


def _no_header_note(cells: Sequence[str]) -> str:
    names = "c1" if len(cells) == 1 else f"c1 to c{len(cells)}"
    return f"no header: the first line looks like data, so the columns are {names}; if it is one: header=True, --header"


def column_names(n_columns: int) -> tuple[str, ...]:
    """Return the names of the columns of a file without a header.

    >>> column_names(3)
    ('c1', 'c2', 'c3')
    """
    return tuple(f"c{number}" for number in range(1, n_columns + 1))


def _header_note(cells: Sequence[str], doubtful: Sequence[int]) -> str:
    if not doubtful:
        return ""
    shown = f"though {cells[doubtful[0]]!r} looks like data"
    return f"took the first line as the header, {shown}; if it is data: header=False, --no-header"


def _shape(cell: str) -> str:
    return next((name for name, matches in _CLASSES if matches(cell)), "text")


def _common_shape(column: Sequence[str]) -> str:
    """Return the shape of all cells of a column; "" where they differ or are text."""
    shape = _shape(column[0])
    return shape if shape != "text" and all(_shape(cell) == shape for cell in column) else ""


def _all_recur(column: Sequence[str]) -> bool:
    """Return whether each value of a column occurs at least twice."""
    once, often = set[str](), set[str]()
    for cell in column:
        (often if cell in once else once).add(cell)
    return once == often


def _may_be_names(figures: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Return whether numbers may be names of columns: years above no years, or an even sequence."""
    if not figures or len(set(figures)) < len(figures):
        return False
    if all(map(_is_year, figures)):
        return not any(all(map(_is_year, column)) for column in columns)
    try:
        values = [float(figure) for figure in figures]
    except ValueError:
        return False
    steps = [second - first for first, second in pairwise(values)]
    if len(values) == 1:
        return figures[0] in ("0", "1") and figures[0] not in columns[0]
    is_even = all(abs(step - steps[0]) <= 1e-6 * abs(steps[0]) for step in steps) and steps[0] > 0
    return is_even and (len(values) > 2 or steps[0] == 1)


def _is_year(cell: str) -> bool:
    return len(cell) == 4 and cell.isdecimal() and cell.isascii() and int(cell) in _YEARS
