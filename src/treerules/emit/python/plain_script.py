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
from treerules.emit.python.cell_choices import word_sets
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
#: The statement that reads a file; `line_num` of it is the number of the line.
_READ = "file = csv.reader(file, strict=True)"


def plain_script(schema: Schema, columns: Sequence[LoadedColumn], *, other_forms: str = _OTHER_FORMS) -> PlainScript:
    """Return the code that reads a file and prints predictions; `columns` are those that the rules test.

    `other_forms` ends the error of a cell that is not read.
    """
    readers = reader_statements(columns)
    words = word_sets({column.name: column.feature for column in columns})
    trim = any(column.feature.reading.trim for column in columns)
    name = "readers" if readers else "COLUMNS"
    tried = _unreadable_statements(columns, name)
    loop = _loop_lines("read(c, x)" if tried else f"{name}[c](x)", other_forms, has_words=bool(words), trim=trim)
    statements = [*readers, *_label_statements(schema), *words, *tried]
    return PlainScript(
        constants=[line for statement in statements for line in statement.split("\n")],
        reading=_reading_lines(schema, columns),
        loop=loop if columns else ["for at, line in rows:"],
        printed=_printed_text(schema, columns),
        has_decimals=any("Decimal" in statement for statement in readers),
    )


def _reading_lines(schema: Schema, columns: Sequence[LoadedColumn]) -> list[str]:
    """Return the lines below `with open(...) as file:`; `columns` are those that the rules test."""
    if not columns:
        return [_READ, "_, *rows = [(file.line_num, line) for line in file if line]"]
    headless = all(is_numbered(column.feature.name) for column in columns)
    lines = [_READ, "(at, head), *rows = [(file.line_num, line) for line in file if line]"]
    if headless:  # the columns of a file without a header are c1, c2, ..., unless the first line has such a name
        lines += [
            f"if not {{*head}} & {_set_text(schema)}:",
            "    rows.insert(0, (at, head))",
            '    head = [f"c{at}" for at in range(1, len(head) + 1)]',
        ]
    return lines


def _unreadable_statements(columns: Sequence[LoadedColumn], readers: str) -> list[str]:
    """Return the statements that set `read`, by which cells that cannot be read are missing; none where none are."""
    loads = [
        f"    {column.name}: lambda row: {column.loading.call.format(name=column.name)},"
        for column in columns
        if column.feature.reading.unreadable and not column.feature.is_open
    ]
    read = f"""
def read(c, x):
    try:  # cells of a column in `loads` that cannot be read are missing
        got = {readers}[c](x)
        return got if c not in loads or loads[c]({{c: got}}) is not None else None
    except (ArithmeticError, TypeError, ValueError):
        if c not in loads:
            raise"""
    return ["loads = {", *loads, "}", read] if loads else []


def _loop_lines(read: str, other_forms: str, *, has_words: bool, trim: bool) -> list[str]:
    """Return the loop that makes `row` of each line; `read` is the expression that reads the cell `x` of column `c`."""
    if has_words:
        found = '[dict(zip(map(str.strip, head), line)).get(c, "\\n") for c in COLUMNS]'
        return [
            "for at, line in rows:",
            f"    cells = {found}",
            *(['    cells = [x.strip(" \\t") for x in cells]'] if trim else []),
            "    known = {c: x for c, x in zip(COLUMNS, cells) if x not in words.get(c, missing)}",
            "    if len(line) != len({*head}) or any(map(odd.search, known.values())):",
            f'        raise ValueError(f"{{line}} is not plain{other_forms}")',
            f"    row = {{c: {read} for c, x in known.items()}}",
        ]
    return [
        "for at, line in rows:",
        '    cells = [dict(zip(map(str.strip, head), line)).get(c, " ") for c in COLUMNS]',
        "    if len(line) != len({*head}) or any(map(odd.search, {*cells} - missing)):",
        f'        raise ValueError(f"{{line}} is not plain{other_forms}")',
        f"    row = {{c: {read} for c, x in zip(COLUMNS, cells) if x not in missing}}",
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
