"""Read decision tables in CSV and Markdown: a column for each feature, a row for each rule, the last column the target.

    rule, 年龄,        income,       贷款
    1,    "青年, 中年", >3000,        批准
    2,    "青年, 中年", <=3000,       拒绝
    3,    老年,        -,            复核

`cell_parser` describes the syntax of cells. The first column may hold the numbers of rules; its heading gives their
meaning: `rule`, `U` or `UNIQUE` for a rule set, `F` or `FIRST` for a rule list, in which the first row that fires
decides. Without it the rows are a rule set, numbered from 1. A column whose heading begins with `#` holds notes and is
ignored. A heading in quotes is always a name. If a schema names its target, that column may be in any position.
"""

import re
from collections.abc import Sequence

from treerules.data.domain import Domain
from treerules.data.schema import Schema
from treerules.errors import ParseError, counted
from treerules.formats.arguments import require_readable
from treerules.formats.notation.literals import resolve_escapes
from treerules.formats.tables.file_cells import csv_rows, markdown_rows
from treerules.formats.tables.model import DecisionTable, TableCell, TableColumn, TableRow
from treerules.formats.tables.to_rules import rules_from_table
from treerules.rules.parsed import ParsedRules

#: Headings of the first column, in lower case; True if the rows are a rule list.
RULE_LIST_HEADINGS = {"rule": False, "u": False, "unique": False, "f": True, "first": True}
#: Hit policies of DMN under which several rows together give the result.
_UNREADABLE_POLICIES = ("P", "PRIORITY", "A", "ANY", "C", "COLLECT", "R", "RULE ORDER", "O", "OUTPUT ORDER")


def rules_from_csv(
    text: str, *, schema: Schema | None = None, domain: Domain | None = None, file: str = ""
) -> ParsedRules:
    """Read the rules of a decision table in CSV.

    Args:
        text: The table. Its fields are separated by commas, semicolons or tabs, detected from the first line.
        schema: The known features and target; it may hold only some columns of the table. Other kinds are inferred from
            the literals of the cells.
        domain: The domains of columns, by their names.
        file: The name of the file for error messages; "" names none.

    Returns:
        A rule set, or a rule list if the first column is headed `F` or `FIRST`, with the line of each rule. A row with
        several intervals in a cell becomes several rules.

    Raises:
        ParseError: the table does not follow the format; with line, column and a caret.
        UnknownNameError: the domain names a column that the table and the schema do not have.
        OptionError: an argument is of the wrong type, or a bound of the domain does not fit its column.

    Examples:
        >>> parsed = rules_from_csv("age,band\\n<=30,young\\n>30,old\\n")
        >>> parsed.rules, parsed.rules.firing({"age": 31.0})[0].value, parsed.lines
        (<RuleSet 'band' rules=2>, 'old', {1: 2, 2: 3})
    """
    require_readable(text, schema, domain, file)
    rows = csv_rows(text.removeprefix("\ufeff"), file)
    return _rules([row for row in rows if any(cell.text.strip() for cell in row)], schema, domain, file)


def rules_from_markdown(
    text: str, *, schema: Schema | None = None, domain: Domain | None = None, file: str = ""
) -> ParsedRules:
    """Read the rules of the one decision table in a Markdown text.

    Args:
        text: The text; text around the table, and fenced code, is ignored. So are backslashes before punctuation and
            backticks around a cell.
        schema: The known features and target, as in `rules_from_csv`.
        domain: The domains of columns, by their names.
        file: The name of the file for error messages; "" names none.

    Returns:
        The rules, as `rules_from_csv` returns them.

    Raises:
        ParseError: there is no table, or more than one, or it does not follow the format.
        UnknownNameError: the domain names a column that the table and the schema do not have.
        OptionError: an argument is of the wrong type, or a bound of the domain does not fit its column.

    Examples:
        >>> rules_from_markdown("| age | band |\\n|---|---|\\n| <=30 | young |\\n| >30 | old |\\n").rules
        <RuleSet 'band' rules=2>
    """
    require_readable(text, schema, domain, file)
    return _rules(markdown_rows(text.removeprefix("\ufeff"), file), schema, domain, file)


def is_reserved(heading: str) -> bool:
    """Return whether a heading without quotes has another meaning than the name of a column."""
    is_policy = heading.casefold() in RULE_LIST_HEADINGS or heading in _UNREADABLE_POLICIES
    return is_policy or heading.startswith("#")


def _rules(rows: Sequence[Sequence[TableCell]], schema: Schema | None, domain: Domain | None, file: str) -> ParsedRules:
    if not rows:
        raise ParseError("the file is empty", "write a header row, and one row for each rule", 1, 1, "", file)
    head, *body = rows
    if len(head) == 1:
        remedy = "separate the columns with commas, semicolons or tabs (with bars in Markdown), the target last"
        raise head[0].error("the table has one column", remedy)
    for row in body:
        if len(row) != len(head):
            problem = f"the row has {counted(len(row), 'cell')}, but the table has {counted(len(head), 'column')}"
            raise row[0].error(problem, "write a cell for each column, and put cells that hold commas in quotes")
    return rules_from_table(_table(head, body, schema), schema=schema, domain=domain)


def _table(head: Sequence[TableCell], body: Sequence[Sequence[TableCell]], schema: Schema | None) -> DecisionTable:
    heading = head[0].text.strip()
    is_list = RULE_LIST_HEADINGS.get(heading.casefold())
    if heading in _UNREADABLE_POLICIES:
        remedy = (
            "write U (one row fires at most) or F (the first that fires decides); put the name of a column in quotes"
        )
        raise head[0].error(f"the hit policy {heading} is not read", remedy)
    indices = [index for index, cell in enumerate(head) if not cell.text.lstrip().startswith("#")]
    indices = indices[is_list is not None :]
    columns = [_column(head[index]) for index in indices]
    _require_names(head[0], columns)
    names = [column.name for column in columns]
    target_name = schema.target.name if schema is not None and schema.target is not None else None
    target = names.index(target_name) if target_name in names else len(names) - 1
    numbers = range(1, len(body) + 1) if is_list is None else _numbers([row[0] for row in body])
    rows = []
    for number, row in zip(numbers, body, strict=True):
        cells = [row[index] for index in indices]
        outcome = cells.pop(target)
        rows.append(TableRow(number, cells, outcome))
    target_column = columns.pop(target)
    return DecisionTable(columns, target_column, rows, bool(is_list))


def _require_names(first: TableCell, columns: Sequence[TableColumn]) -> None:
    if not columns:
        raise first.error("the table has no column to predict", "write the target as the last column")
    names = set[str]()
    for column in columns:
        if column.name in names:
            raise column.cell.error(f"column {column.name!r} stands twice", "write both cells of a row as one")
        names.add(column.name)


def _column(cell: TableCell) -> TableColumn:
    name = cell.text.strip()
    if len(name) > 1 and name[0] == name[-1] == '"':
        return TableColumn(resolve_escapes(cell, name[1:-1], cell.text.index(name) + 1), cell)
    if not name:
        raise cell.error("a column has no name", "write one, or # for a column of notes")
    return TableColumn(name, cell)


def _numbers(cells: Sequence[TableCell]) -> list[int]:
    """Return the numbers in the first column, which must be distinct."""
    lines = dict[int, int]()
    for cell in cells:
        digits = cell.text.strip()
        if not re.fullmatch("[0-9]{1,9}", digits):
            remedy = "write a whole number such as 1; where the first column is a feature, put its name in quotes"
            raise cell.error(f"{digits!r} is not the number of a rule", remedy)
        number = int(digits)
        if number in lines:
            raise cell.error(f"rule {number} stands on line {lines[number]} already", "number each rule once")
        lines[number] = cell.line
    return list(lines)
