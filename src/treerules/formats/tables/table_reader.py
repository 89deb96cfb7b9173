"""Decision tables in CSV and Markdown: a column a feature, a row a rule, the last column the target.

    rule, 年龄,        income,       贷款
    1,    "青年, 中年", >3000,        批准
    2,    "青年, 中年", <=3000,       拒绝
    3,    老年,        -,            复核

`cell_parser` has the language of cells. The first column may hold the rules' numbers; its heading says what rows are:
`rule`, `U` or `UNIQUE` a rule set, `F` or `FIRST` a rule list, of which the first row that fires decides. Without it
the rows are a rule set, numbered from 1. A column whose heading begins with `#` holds notes and is passed over. A
heading in quotes is a name as it stands. Where a schema names its target, that column may stand anywhere.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence

from treerules.data.domain import Domain
from treerules.data.schema import Schema
from treerules.errors import ParseError, counted
from treerules.formats.arguments import require_readable
from treerules.formats.notation.literals import resolve_escapes
from treerules.formats.tables.model import DecisionTable, TableCell, TableColumn, TableRow
from treerules.formats.tables.to_rules import rules_from_table
from treerules.rules.parsed import ParsedRules

#: What the heading of the first column says of the rows: whether they are a rule list.
RULE_LIST_HEADINGS = {"rule": False, "u": False, "unique": False, "f": True, "first": True}
_REFUSED = ("P", "PRIORITY", "A", "ANY", "C", "COLLECT", "R", "RULE ORDER", "O", "OUTPUT ORDER")


def rules_from_csv(
    text: str, *, schema: Schema | None = None, domain: Domain | None = None, file: str = ""
) -> ParsedRules:
    """Return the rules of a decision table in CSV, whose fields a comma parts, else a semicolon or a tab.

    `schema` and `domain` declare columns beforehand, maybe only some; `file` is named in errors.

    Raises:
        ParseError: the table cannot be read; the error says where and what to do.
        UnknownNameError, OptionError: the domain does not fit the columns, or something given is of another type.

    >>> written = rules_from_csv("age,band\\n<=30,young\\n>30,old\\n")
    >>> written.rules, written.rules.firing({"age": 31.0})[0].value, written.lines
    (<RuleSet 'band' rules=2>, 'old', {1: 2, 2: 3})
    """
    require_readable(text, schema, domain, file)
    rows = list(_csv_rows(text.removeprefix("\ufeff"), file))
    return _written([row for row in rows if any(cell.text.strip() for cell in row)], schema, domain, file)


def rules_from_markdown(
    text: str, *, schema: Schema | None = None, domain: Domain | None = None, file: str = ""
) -> ParsedRules:
    """Return the rules of the one decision table in a Markdown text; other text around it is passed over.

    A backslash before punctuation is passed over, and so are backticks around a cell. `schema` and `domain` declare
    columns beforehand, maybe only some; `file` is named in errors.

    Raises:
        ParseError: there is no table, or more than one, or it cannot be read.
        UnknownNameError, OptionError: the domain does not fit the columns, or something given is of another type.

    >>> rules_from_markdown("| age | band |\\n|---|---|\\n| <=30 | young |\\n| >30 | old |\\n").rules
    <RuleSet 'band' rules=2>
    """
    require_readable(text, schema, domain, file)
    return _written(_markdown_rows(text.removeprefix("\ufeff"), file), schema, domain, file)


def is_reserved(heading: str) -> bool:
    """Whether a heading says something else than a column's name, unless it stands in quotes."""
    return heading.casefold() in RULE_LIST_HEADINGS or heading in _REFUSED or heading.startswith("#")


def _csv_rows(text: str, file: str) -> Iterator[list[TableCell]]:
    lines = _LINE_END.split(text)
    delimiter = next((mark for mark in ",;\t" if mark in lines[0]), ",")
    # `strict` refuses text behind a closing quote
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True)
    line = 1
    try:
        for values in reader:
            yield _csv_cells(values, line, lines[line - 1], file)
            line = reader.line_num + 1
    except csv.Error as error:
        remedy = "put text with commas or quotes in quotes, and double the quotes in it"
        raise ParseError(f"the row is no CSV ({error})", remedy, line, 1, lines[line - 1], file) from None


def _csv_cells(values: Sequence[str], line: int, source: str, file: str) -> list[TableCell]:
    """Return the cells of a row, each with the column at which its text begins."""
    cells, place = list[TableCell](), 0
    for value in values:
        while place < len(source) and source[place] == " ":
            place += 1
        quoted = source[place : place + 1] == '"'
        body = value.replace('"', '""') if quoted else value
        begin = place + quoted
        cells.append(TableCell(value, line, begin + 1, source, file, "csv" if quoted else ""))
        place = begin + len(body) + quoted + 1
    return cells


_LINE_END = re.compile(r"\r\n|\n|\r")
_PARTS = re.compile(r"((?:\\.|[^|])*)(?:\||$)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_RULE_OF_HEADING = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")


def _markdown_rows(text: str, file: str) -> list[list[TableCell]]:
    lines, tables, fenced = _LINE_END.split(text), list[list[list[TableCell]]](), False
    place = 0
    while place < len(lines):
        fenced ^= _FENCE.match(lines[place]) is not None
        is_table = not fenced and "|" in lines[place] and place + 1 < len(lines)
        if not (is_table and "|" in lines[place + 1] and _RULE_OF_HEADING.fullmatch(lines[place + 1])):
            place += 1
            continue
        if tables:
            raise ParseError("a second table begins", "put each table in a file", place + 1, 1, lines[place], file)
        rows = [_markdown_cells(lines[place], place + 1, file)]
        place += 2
        while place < len(lines) and "|" in lines[place]:
            rows.append(_markdown_cells(lines[place], place + 1, file))
            place += 1
        tables.append(rows)
    if not tables:
        raise ParseError(
            "there is no table", "write | age | band | with |---|---| below, and a row a rule", 1, 1, lines[0], file
        )
    return tables[0]


def _markdown_cells(source: str, line: int, file: str) -> list[TableCell]:
    body = source.rstrip()
    start = len(source) - len(source.lstrip())
    start += source[start : start + 1] == "|"
    parts = list(_PARTS.finditer(body, start))
    while len(parts) > 1 and parts[-1].start() >= len(body):  # behind the last bar
        parts.pop()
    cells = list[TableCell]()
    for part in parts:
        said = part.group(1).strip()
        begin = part.start() + part.group(1).index(said) + 1
        is_code = len(said) > 1 and said[0] == said[-1] == "`" and "`" not in said[1:-1]
        text = said[1:-1].replace("\\|", "|") if is_code else _ESCAPED.sub(r"\1", said)
        cells.append(TableCell(text, line, begin + is_code, source, file, "md"))
    return cells


def _written(
    rows: Sequence[Sequence[TableCell]], schema: Schema | None, domain: Domain | None, file: str
) -> ParsedRules:
    if not rows:
        raise ParseError("the file is empty", "write a row of names, and a row a rule", 1, 1, "", file)
    head, *body = rows
    if len(head) == 1:
        remedy = "part the columns with commas, semicolons or tabs (with bars in Markdown), the target last"
        raise head[0].error("the table has one column", remedy)
    for row in body:
        if len(row) != len(head):
            problem = f"the row has {counted(len(row), 'cell')}, but the table has {counted(len(head), 'column')}"
            raise row[0].error(problem, "write a cell for each column, and put cells that hold commas in quotes")
    return rules_from_table(_grid(head, body, schema), schema=schema, domain=domain)


def _grid(head: Sequence[TableCell], body: Sequence[Sequence[TableCell]], schema: Schema | None) -> DecisionTable:
    policy = RULE_LIST_HEADINGS.get(head[0].text.strip().casefold())
    if head[0].text.strip() in _REFUSED:
        raise head[0].error(
            f"the hit policy {head[0].text.strip()} is not read",
            "write U (one row fires at most) or F (the first that fires decides); put the name of a column in quotes",
        )
    places = [place for place, cell in enumerate(head) if not cell.text.lstrip().startswith("#")]
    places = places[policy is not None :]
    columns = [_heading(head[place]) for place in places]
    _require_names(head[0], columns)
    names = [column.name for column in columns]
    goal = schema.target.name if schema is not None and schema.target is not None else None
    target = names.index(goal) if goal in names else len(names) - 1
    numbers = [place + 1 for place in range(len(body))] if policy is None else _numbers([row[0] for row in body])
    rows = []
    for number, row in zip(numbers, body, strict=True):
        cells = [row[place] for place in places]
        outcome = cells.pop(target)
        rows.append(TableRow(number, cells, outcome))
    goal_column = columns.pop(target)
    return DecisionTable(columns, goal_column, rows, bool(policy))


def _require_names(first: TableCell, columns: Sequence[TableColumn]) -> None:
    if not columns:
        raise first.error("the table has no column to predict", "write the target as the last column")
    seen = set[str]()
    for column in columns:
        if column.name in seen:
            raise column.cell.error(f"column {column.name!r} stands twice", "write both cells of a row as one")
        seen.add(column.name)


def _heading(cell: TableCell) -> TableColumn:
    name = cell.text.strip()
    if len(name) > 1 and name[0] == name[-1] == '"':
        return TableColumn(resolve_escapes(cell, name[1:-1], cell.text.index(name) + 1), cell)
    if not name:
        raise cell.error("a column has no name", "write one, or # for a column of notes")
    return TableColumn(name, cell)


def _numbers(cells: Sequence[TableCell]) -> list[int]:
    seen = dict[int, int]()
    for cell in cells:
        said = cell.text.strip()
        if not re.fullmatch("[0-9]{1,9}", said):
            remedy = "write a whole number such as 1; where the first column is a feature, put its name in quotes"
            raise cell.error(f"{said!r} is no number of a rule", remedy)
        if int(said) in seen:
            raise cell.error(f"rule {said} stands on line {seen[int(said)]} already", "number each rule once")
        seen[int(said)] = cell.line
    return list(seen)
