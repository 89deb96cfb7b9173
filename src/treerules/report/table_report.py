"""Tables: the number of rows, the columns with their kinds, and the first rows."""

from treerules.data.column import Column
from treerules.data.table import Table
from treerules.rendering.headings import heading, kind_name, row_count
from treerules.rendering.text_tables import TextTable
from treerules.report.report import Part, Report
from treerules.rules.wording import word

#: So many rows and columns are shown, and so many characters of a cell.
_MOST_ROWS, _MOST_COLUMNS, _MOST_CHARACTERS = 10, 30, 80


def _parts(table: Table, lang: str) -> list[Part]:
    columns = table.columns[:_MOST_COLUMNS]
    names = [word(column.feature.name) for column in columns]
    rows = [[_cell(column, row) for column in columns] for row in range(min(table.n_rows, _MOST_ROWS))]
    right = [column.feature.is_ordered for column in columns]
    parts: list[Part] = [_summary(table, lang), _columns(columns, lang)]
    if rows:
        parts.append(TextTable(names, rows, right))
    n_rows, n_columns = table.n_rows - len(rows), len(table.columns) - len(columns)
    more = [
        heading("{n} more row" if n == 1 else text, lang, n=f"{n:,}")
        for n, text in ((n_rows, "{n} more rows"), (n_columns, "{n} more columns"))
        if n
    ]
    return [*parts, *more]


def _summary(table: Table, lang: str) -> str:
    n = len(table.columns)
    columns = heading("{n} column" if n == 1 else "{n} columns", lang, n=f"{n:,}")
    return f"{row_count(table.n_rows, lang)}, {columns}"


def _columns(columns: tuple[Column, ...], lang: str) -> TextTable:
    """Return the kind of each column, and its numbers of missing cells and of categories."""
    rows = [
        [
            word(column.feature.name),
            kind_name(str(column.feature.kind), lang),
            str(column.n_missing),
            str(len(column.feature.categories)) if column.feature.categories else "",
        ]
        for column in columns
    ]
    names = [heading(name, lang) for name in ("column", "kind", "missing", "categories")]
    return TextTable(names, rows, [False, False, True, True])


def _cell(column: Column, row: int) -> str:
    """Return a cell as text, cut; "-" where it is missing, and "…" where its text was left in its file."""
    if not column.fetched:
        return "…"
    value = column.value(row)
    text = "-" if value is None else word(value, column.feature.form)
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"


TABLE = Report(Table, {"text": _parts, "md": _parts, "html": _parts})
