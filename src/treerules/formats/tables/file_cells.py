"""Divide decision tables in CSV and Markdown into cells, each with its line and column."""

import csv
import io
import re
from collections.abc import Iterator, Sequence

from treerules.errors import ParseError
from treerules.formats.tables.model import TableCell

_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_LINE_END = re.compile(r"\r\n|\n|\r")


def csv_rows(text: str, file: str) -> Iterator[list[TableCell]]:
    """Yield the rows of a CSV text; commas separate its fields, else semicolons or tabs.

    Raises:
        ParseError: the text is not CSV.
    """
    lines = _LINE_END.split(text)
    delimiter = next((mark for mark in ",;\t" if mark in lines[0]), ",")
    if delimiter == ";":
        _refuse_doubtful_marks(lines, file)
    # `strict` refuses text after a closing quote
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True)
    line = 1
    try:
        for values in reader:
            yield _csv_cells(values, line, lines[line - 1], file)
            line = reader.line_num + 1
    except csv.Error as error:
        remedy = "put text with commas or quotes in quotes, and double the quotes in it"
        raise ParseError(f"the row is not CSV ({error})", remedy, line, 1, lines[line - 1], file) from None


#: A number of which a point or a comma may be the decimal mark or stand between thousands, or between two numbers.
_ALONE = r"(?<![0-9,])(?<![0-9]\.){}(?![0-9,]|\.[0-9])"
_DOUBTFUL = re.compile(_ALONE.format(r"(?:[1-9][0-9]{0,2}\.[0-9]{3}|[0-9]+,[0-9]+)"))
_DECIMAL = re.compile(_ALONE.format(r"[0-9]*\.[0-9]+"))


def _refuse_doubtful_marks(lines: Sequence[str], file: str) -> None:
    """Raise ParseError for a table with semicolons, as people write it whose decimal mark is a comma, where its numbers
    do not show what a point or a comma is: 1.500 where all points have three digits behind them, or 0,5.
    """
    body = [_QUOTED.sub(lambda quoted: "-" * len(quoted.group()), line) for line in lines[1:]]
    numbers = [number for line in body for number in _DECIMAL.findall(line)]
    has_points = any(not _DOUBTFUL.fullmatch(number) for number in numbers)
    for line, masked in enumerate(body, 2):
        for match in _DOUBTFUL.finditer(masked):
            number = match[0]
            whole, mark, rest = re.split("([.,])", number)
            if mark == "." and has_points:
                continue
            problem, remedy = "may be one number or two", f"write {whole}.{rest} for one, and {whole}, {rest} for two"
            if mark == ".":
                problem, remedy = f"may be {float(number)!r} or {whole}{rest}", f"write {number}0 or {whole}{rest}"
            raise ParseError(f"{number!r} {problem}", remedy, line, match.start() + 1, lines[line - 1], file)


def _csv_cells(values: Sequence[str], line: int, source: str, file: str) -> list[TableCell]:
    """Return the cells of a row, each with the column at which its text begins."""
    cells, start = list[TableCell](), 0
    for value in values:
        while start < len(source) and source[start] == " ":
            start += 1
        is_quoted = source[start : start + 1] == '"'
        width = len(value.replace('"', '""')) if is_quoted else len(value)
        text_start = start + is_quoted
        cells.append(TableCell(value, line, text_start + 1, source, file, "csv" if is_quoted else ""))
        start = text_start + width + is_quoted + 1
    return cells


_MARKDOWN_CELL = re.compile(r"((?:\\.|[^|])*)(?:\||$)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_DELIMITER_ROW = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")


def markdown_rows(text: str, file: str) -> list[list[TableCell]]:
    """Return the rows of the one table in a Markdown text, its heading first.

    Raises:
        ParseError: there is no table, or a second one.
    """
    lines = _LINE_END.split(text)
    headings = list(_markdown_headings(lines))
    if not headings:
        remedy = "write | age | band | with |---|---| below, and a row for each rule"
        raise ParseError("there is no table", remedy, 1, 1, lines[0], file)
    if len(headings) > 1:
        second = headings[1]
        raise ParseError("a second table begins", "put each table in a file", second + 1, 1, lines[second], file)
    (heading,) = headings
    body = range(heading + 2, _table_end(lines, heading))
    return [_markdown_cells(lines[index], index + 1, file) for index in (heading, *body)]


def _markdown_headings(lines: Sequence[str]) -> Iterator[int]:
    """Yield the index of the heading of each table, outside of fenced code."""
    is_fenced, index = False, 0
    while index < len(lines):
        is_fenced ^= _FENCE.match(lines[index]) is not None
        has_bars = not is_fenced and index + 1 < len(lines) and "|" in lines[index] and "|" in lines[index + 1]
        if has_bars and _DELIMITER_ROW.fullmatch(lines[index + 1]):
            yield index
            index = _table_end(lines, index)
        else:
            index += 1


def _table_end(lines: Sequence[str], heading: int) -> int:
    """Return the index of the first line after a table: one without a bar."""
    body = range(heading + 2, len(lines))
    return next((index for index in body if "|" not in lines[index]), len(lines))


def _markdown_cells(source: str, line: int, file: str) -> list[TableCell]:
    row = source.rstrip()
    start = len(source) - len(source.lstrip())
    start += source[start : start + 1] == "|"
    matches = list(_MARKDOWN_CELL.finditer(row, start))
    while len(matches) > 1 and matches[-1].start() >= len(row):  # after the last bar
        matches.pop()
    return [_markdown_cell(match, line, source, file) for match in matches]


def _markdown_cell(match: re.Match[str], line: int, source: str, file: str) -> TableCell:
    """Return a cell without the blanks around it, its backticks and its escapes."""
    text = match.group(1).strip()
    column = match.start() + match.group(1).index(text) + 1
    if len(text) > 1 and text[0] == text[-1] == "`" and "`" not in text[1:-1]:
        return TableCell(text[1:-1].replace("\\|", "|"), line, column + 1, source, file, "md")
    return TableCell(_ESCAPED.sub(r"\1", text), line, column, source, file, "md")
