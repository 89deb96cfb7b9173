"""A table of the user's that SQL reads where it stands, in its own types and collations.

    SELECT ... FROM (SELECT "age", "city", treerules_row AS "id", treerules_row FROM (
      SELECT "age", "city", ROW_NUMBER() OVER (ORDER BY ...) AS treerules_row FROM "people") AS treerules_rows
    WHERE treerules_row BETWEEN 1 AND 100000) AS data

Rows are numbered in the order of their cells: rows of one order have equal cells, and so one answer.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from treerules._internal.sql_quotes import quote_doubling
from treerules.data.new_values import new_value
from treerules.data.schema import Schema
from treerules.emit.sql.identifiers import dotted_name, fold_identifier
from treerules.errors import CellError, ColumnError, FileError, OptionError, UnknownNameError, listed
from treerules.rendering.headings import translated_text
from treerules.verification.answers import as_answer
from treerules.verification.predictors import Predictor
from treerules.verification.sql_runner import NUMBER, SqlRunner, explained

#: By the dialect: the query of the tables of a database, and that of the columns of one with their types.
_CATALOGUES = {
    "sqlite": (
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
        "SELECT name, type FROM pragma_table_xinfo({last})",
    ),
    "duckdb": (
        "SELECT table_name FROM information_schema.tables WHERE table_catalog = current_database()",
        "SELECT column_name, data_type FROM duckdb_columns() WHERE database_name = current_database()"
        " AND lower({name}) IN (lower(table_name), lower(schema_name || '.' || table_name))",
    ),
    "postgres": (
        "SELECT table_name FROM information_schema.tables WHERE table_schema = ANY(current_schemas(false))",
        "SELECT attname, CASE typtype WHEN 'e' THEN 'ENUM' ELSE format_type(COALESCE(NULLIF(typbasetype, 0), atttypid),"
        " atttypmod) END FROM pg_attribute JOIN pg_type t ON t.oid = atttypid"
        " WHERE attrelid = to_regclass({quoted}) AND attnum > 0 AND NOT attisdropped",
    ),
}
_NUMBER_TYPES = r"(UNSIGNED |U)?(TINY|SMALL|MEDIUM|BIG|HUGE)? ?INT(?!ERVAL)|DEC|NUM|REAL|FLOA|DOUB"
_TEXT_TYPES = r"(N|VAR|NVAR|BP)?CHAR|TEXT|STRING|CLOB|CITEXT|NAME\b"
_MOMENT_TYPES = {
    "date": r"DATE(?!TIME)",
    "timestamp": r"DATETIME|TIMESTAMP(?!TZ)(?!.* WITH )",
    "timestamp_utc": r"TIMESTAMP(TZ|.* WITH )",
}
#: The beginnings of the types in which a scalar is stored.
_STORED = {"number": _NUMBER_TYPES, "integer": _NUMBER_TYPES, "boolean": "BOOL", "text": f"{_TEXT_TYPES}|ENUM"}
_TYPES: Mapping[str, Mapping[str, str]] = {
    "duckdb": {**_STORED, **_MOMENT_TYPES},
    # a REAL is compared in its own digits
    "postgres": {**_STORED, **_MOMENT_TYPES, "number": _NUMBER_TYPES.replace("|REAL", "")},
    "sqlite": {
        **_STORED,
        "boolean": f"BOOL|{_NUMBER_TYPES}",
        **dict.fromkeys(_MOMENT_TYPES, f"{_TEXT_TYPES}|DATE|TIME"),
    },
}
#: Texts that some collation takes for 'a'.
_LIKE_A = ("A", "á", "a ")


class NumberedRow(dict[str, Any]):
    """A row, with its number in the table."""

    number = 0


@frozen
class UserTable:
    """A table as a statement reads it."""

    runner: SqlRunner
    #: its name in quotes
    quoted: str
    #: by the name of a feature: the quoted name of its column, and the type
    columns: Mapping[str, tuple[str, str]]
    #: the quoted names of all columns that the statement may read
    read: tuple[str, ...]

    def source(self, first: int, last: int | None) -> str:
        """Return the rows from a number to another, or to the end, in place of a table."""
        spelling, number = self.runner.connection.dialect.spelling, NUMBER
        keys = {spelling.identifier(f.name) for f in self.runner.columns if f.name not in self.runner.sources}
        names = [name for name in self.read if name not in keys]
        order = ", ".join(spelling.text_column.format(name) for name in names)
        numbered = f"ROW_NUMBER() OVER ({f'ORDER BY {order}' if order else ''}) AS {number}"
        read = [*names, *(f"{number} AS {key}" for key in sorted(keys)), number]
        bound = f">= {first}" if last is None else f"BETWEEN {first} AND {last}"
        inner = f"SELECT {', '.join([*names, numbered])} FROM {self.quoted}"
        return f"(SELECT {', '.join(read)} FROM ({inner}) AS treerules_rows WHERE {number} {bound})"

    def rows(self, schema: Schema, most: int | None) -> list[NumberedRow]:
        """Return the rows as the model reads them, at most some.

        Raises:
            CellError: a cell is not of its feature's kind.
            OptionError: there are no rows.
        """
        connection = self.runner.connection
        features = [feature for feature in schema.features if feature.name in self.columns]
        text = connection.dialect.spelling.types["text"]
        names = [self.columns[f.name][0] for f in features]
        read = [
            f"CAST({name} AS {text})" if f.scalar in connection.as_text else name
            for name, f in zip(names, features, strict=True)
        ]
        query = f"SELECT {', '.join([NUMBER, *read])} FROM {self.source(1, most)} AS data ORDER BY {NUMBER}"
        rows = []
        for number, *cells in connection.run(query)[1]:
            cells = [as_answer(f.scalar, cell, loose=True) for f, cell in zip(features, cells, strict=True)]
            row = NumberedRow({f.name: new_value(f, cell) for f, cell in zip(features, cells, strict=True)})
            row.number = number
            rows.append(row)
        if not rows:
            raise OptionError("table", self.quoted, "a table with rows")
        return rows

    def notes(self, schema: Schema) -> Iterator[str]:
        """Yield what differs between the columns and what the SQL needs: types, and collations of texts."""
        dialect = self.runner.connection.dialect
        text = "".join(self.runner.statement.pieces)
        for feature in schema.features:
            quoted, kind = self.columns[feature.name]
            if not re.match(_TYPES[dialect.name][feature.scalar], kind, re.IGNORECASE):
                has = "column {column} of the table has the type {type}; the SQL needs {wanted}"
                type_, wanted = kind or "''", dialect.spelling.types[feature.scalar]
                yield translated_text(has, column=quoted, type=type_, wanted=wanted)
            is_compared = feature.scalar == "text" and dialect.spelling.text_column.format(quoted) not in text
            if is_compared and (other := self._taken_for_a(quoted, kind)):
                takes = "column {column} of the table takes {other} for 'a'; the SQL needs a binary collation"
                yield translated_text(takes, column=quoted, other=other)

    def _taken_for_a(self, quoted: str, kind: str) -> str:
        """Return the texts that the collation of a column takes for 'a'; "" for none."""
        if not re.match(_TEXT_TYPES, kind, re.IGNORECASE):  # an ENUM holds its own texts alone
            return ""
        tests = ", ".join(f"x = {quote_doubling(text)}" for text in _LIKE_A)
        typed = f"SELECT {quoted} AS x FROM {self.quoted} WHERE 1 = 0 UNION ALL SELECT 'a'"
        ((*are_equal,),) = self.runner.connection.run(f"SELECT {tests} FROM ({typed}) AS treerules_text")[1]
        return ", ".join(repr(text) for text, is_equal in zip(_LIKE_A, are_equal, strict=True) if is_equal)


def user_table(runner: SqlRunner, name: str, schema: Schema, names: Mapping[str, str]) -> UserTable:
    """Return a table by its name; `names` are those of columns by the features of the schema.

    Raises:
        UnknownNameError: there is no such table.
        ColumnError: it lacks the column of a feature.
    """
    connection = runner.connection
    spelling = connection.dialect.spelling
    list_tables, list_columns = _CATALOGUES[connection.dialect.name]
    tables = sorted(str(row[0]) for row in connection.run(list_tables)[1])
    quoted = dotted_name(spelling, "table", [name] if name in tables else name)
    texts = {"name": name, "last": name if name in tables else name.rpartition(".")[2], "quoted": quoted}
    columns = connection.run(list_columns.format(**{key: quote_doubling(text) for key, text in texts.items()}))[1]
    if not columns:
        raise UnknownNameError("table", name, tuple(tables), argument="table")
    by_name = {fold_identifier(spelling, column): (column, kind or "") for column, kind in columns}
    found = {}
    for feature in schema.features:
        wanted = names.get(feature.name, feature.name)
        if fold_identifier(spelling, wanted) not in by_name:
            remedy = f"it has {listed([column for column, _ in columns])}; rename it (rename=, --rename)"
            raise ColumnError(wanted, "the model tests", remedy, is_lacking=True)
        column, kind = by_name[fold_identifier(spelling, wanted)]
        found[feature.name] = (spelling.identifier(column), kind)
    read = [name for name, _ in found.values()]
    others = [spelling.identifier(name) for name, _ in columns if name in runner.statement.names]
    return UserTable(runner, quoted, found, tuple(dict.fromkeys([*read, *others])))


def table_predictor(predictor: Predictor, table: UserTable, schema: Schema, most: int | None) -> Predictor:
    """Return the predictor of a statement on the rows of a table, which it has."""
    runner, notes = table.runner, tuple(table.notes(schema))

    def answers(rows: Sequence[Any]) -> list[Any]:
        try:
            return runner.answers_of(table.source(rows[0].number, rows[-1].number), len(rows))
        except FileError as error:
            raise (evolve(error, remedy="; ".join(notes)) if notes else error) from error

    def call(row: Any) -> str:
        return runner.statement.query(table.source(row.number, row.number), runner.statement.created)

    with explained(runner.origin, runner.connection.engine):
        try:
            rows = table.rows(schema, most)
        except CellError as error:
            raise CellError("; ".join([error.problem, *notes])) from error
    engine = f"{predictor.engine}, table {table.quoted}"
    return evolve(
        predictor, answers=answers, engine=engine, accepts=lambda row: True, call=call, rows=rows, notes=notes
    )
