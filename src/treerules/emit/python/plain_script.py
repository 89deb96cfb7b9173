"""The lines of a plain Python module that read a CSV file and print the predictions.

They refuse what a plain reading could take for another value: rows that do not fit the header, cells with blanks or
quotes around them, and numbers that `float` reads and treerules does not, such as 1_000 and full-width digits.
`--style full` reads such files as `treerules predict` does.
"""

from collections.abc import Sequence

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.column_names import is_numbered
from treerules.data.schema import Schema
from treerules.data.value_format import value_text
from treerules.emit.python.plain_loading import LoadedColumn, reader_statements
from treerules.emit.python.python_literals import assignment, python_literal


@short_repr
@frozen
class PlainScript:
    """The code of a plain module that runs as a script. Public API."""

    #: lines that set `readers`, the function that reads cells of each column, where COLUMNS does not have all, and
    #: `labels`, the texts of the classes, where `print` does not give them
    constants: tuple[str, ...] = field(converter=as_tuple)
    #: the lines that read the file into `rows`
    reading: tuple[str, ...] = field(converter=as_tuple)
    #: the loop over these rows, up to the line that prints
    loop: tuple[str, ...] = field(converter=as_tuple)
    #: the expression that is printed for each row
    printed: str
    #: whether some cells are read by Decimal
    has_decimals: bool


#: What errors say of cells that a plain module does not read.
_OTHER_FORMS = "; --style full reads more forms"


def plain_script(schema: Schema, columns: Sequence[LoadedColumn], *, other_forms: str = _OTHER_FORMS) -> PlainScript:
    """Return the code that reads a file and prints predictions; `columns` are those that the rules test.

    `other_forms` ends the error of a cell that is not read.
    """
    readers = reader_statements(columns)
    statements = [*readers, *_label_statements(schema)]
    return PlainScript(
        constants=[line for statement in statements for line in statement.split("\n")],
        reading=_reading_lines(schema, columns),
        loop=_loop_lines("readers" if readers else "COLUMNS", other_forms) if columns else ["for row in rows:"],
        printed=_printed_text(schema, columns),
        has_decimals=any("Decimal" in statement for statement in readers),
    )


def _reading_lines(schema: Schema, columns: Sequence[LoadedColumn]) -> list[str]:
    """Return the lines below `with open(...) as file:`; `columns` are those that the rules test."""
    if not columns:
        return ["_, *rows = filter(None, csv.reader(file, strict=True))"]
    headless = all(is_numbered(column.feature.name) for column in columns)
    lines = ["names, *rows = filter(None, csv.reader(file, strict=True))"]
    if headless:  # the columns of a file without a header are c1, c2, ..., unless the first line has such a name
        lines += [
            f"if not {{*names}} & {_set_text(schema)}:",
            "    rows.insert(0, names)",
            '    names = [f"c{at}" for at in range(1, len(names) + 1)]',
        ]
    return lines


def _loop_lines(readers: str, other_forms: str) -> list[str]:
    """Return the loop that makes `row` of each line; `readers` is the name of the functions that read cells."""
    return [
        "for line in rows:",
        '    cells = [dict(zip(map(str.strip, names), line)).get(c, " ") for c in COLUMNS]',
        "    if len(line) != len({*names}) or any(map(odd.search, {*cells} - missing)):",
        f'        raise ValueError(f"{{line}} is not plain{other_forms}")',
        f"    row = {{c: {readers}[c](x) for c, x in zip(COLUMNS, cells) if x not in missing}}",
    ]


def _printed_text(schema: Schema, columns: Sequence[LoadedColumn]) -> str:
    """Return the expression that is printed for each row."""
    predicted = "predict(row)" if columns else "predict({})"
    return f"labels[{predicted}]" if _label_statements(schema) else predicted


def _set_text(schema: Schema) -> str:
    """Return the expression of the names of the features with conditions and of the target."""
    return f"{{*COLUMNS, {python_literal(schema.target.name)}}}" if schema.target else "{*COLUMNS}"


def _label_statements(schema: Schema) -> list[str]:
    """Return the statement that sets `labels`, the text of each class; none where `print` gives the same text."""
    texts = {value: value_text(value, schema.target.form) for value in schema.classes} if schema.target else {}
    quoted = {value: _cell(text) for value, text in texts.items()}
    if all(str(value) == text for value, text in quoted.items()):
        return []
    return [assignment("labels", quoted)]


def _cell(text: str) -> str:
    """Return a text as the one cell of a row of CSV."""
    is_special = not text or any(character in text for character in ',"\r\n')
    return '"' + text.replace('"', '""') + '"' if is_special else text
