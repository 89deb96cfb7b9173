"""The runner of SQL: a statement on a connection, with other rows instead of the table that it reads.

a database that is opened here     the rows stand in a temporary table
a connection of the user's         the rows stand in the statement, as literals, some at a time
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.schema import Feature, Kind
from treerules.emit.sql.identifiers import fold_identifier
from treerules.errors import FileError, TreeRulesError, UnsupportedError, counted
from treerules.verification.connections import Connection, cell_of, statement_error
from treerules.verification.predictors import Row, Rows
from treerules.verification.sql_statements import SqlStatement

_ROWS, _RESULT = "treerules_verify_rows", "treerules_verify_result"
#: The column that numbers the rows where the statement passes no key through.
NUMBER = "treerules_row"
#: A statement with literals has at most this number of rows and of characters.
_MOST_LITERAL_ROWS, _MOST_CHARACTERS = 100, 200_000
#: A longer query is not shown: its row is.
_MOST_SHOWN = 5_000


@frozen(eq=False, slots=False)
class SqlRunner:
    """A statement that is run on rows of a schema."""

    #: what errors call it: a path, or "the SQL"
    origin: str
    connection: Connection
    statement: SqlStatement
    #: the columns that the statement names, under their names in the database
    columns: tuple[Feature, ...] = field(converter=as_tuple)
    #: the name of each column in the model, by its name in the database; the keys that a query passes through have none
    sources: Mapping[str, str]
    #: the column of answers, in the database
    answer: str
    #: the scalar of the answers; None where no target is known
    scalar: str | None

    @cached_property
    def number(self) -> str | None:
        """The column that numbers the rows; None where the result has no such column."""
        language = self.connection.dialect.spelling
        names = {fold_identifier(language, name) for name in self.sources}
        is_ours = self.statement.kind == "expression" or self.statement.is_called
        keys = (NUMBER,) if is_ours else self.statement.keys
        return next((key for key in keys if fold_identifier(language, key) not in names), None)

    def accepts(self, row: Row) -> bool:
        """Whether the database can hold a row: no NUL, no lone surrogate, and no infinity where it has none."""
        texts = [value for value in row.values() if isinstance(value, str)]
        if any("\0" in text or any("\ud800" <= c <= "\udfff" for c in text) for text in texts):
            return False
        if self.connection.fill is not None:
            return True
        try:
            return bool(self.literals(row, 0))
        except UnsupportedError:
            return False

    def call(self, row: Row) -> str:
        """Return the query that answers one row, or where that is long the row as a SELECT of literals."""
        literals = self.literals(row)
        query = self.statement.query(f"({literals})", self.statement.created)
        return query if len(query) <= _MOST_SHOWN else literals

    def literals(self, row: Row, number: int | None = None) -> str:
        """Return a row as a SELECT of literals. `number` is what the keys are, and the column that numbers the rows."""
        language = self.connection.dialect.spelling
        values = [row.get(self.sources[f.name]) if f.name in self.sources else number for f in self.columns]
        cells = [
            f"{language.typed_literal(value, f.scalar)} AS {language.identifier(f.name)}"
            for f, value in zip(self.columns, values, strict=True)
        ]
        if number is not None and self.number == NUMBER:
            cells.append(f"{language.typed_literal(number, 'integer')} AS {language.identifier(NUMBER)}")
        return "SELECT " + ", ".join(cells)

    # ---- answers

    def answers(self, rows: Rows) -> list[Any]:
        """Return the answers to rows.

        Raises:
            FileError: the database refuses the statement, or it gives another number of rows or no column of answers.
        """
        with explained(self.origin, self.connection.engine):
            if self.connection.fill is not None:
                table = self.connection.temporary + _ROWS
                self._fill(table, rows)
                return self.answers_of(table, len(rows))
            batches = self._literal_batches(rows)
            return [answer for batch in batches for answer in self._answers_in_order(*self._run_on(batch), len(batch))]

    def answers_of(self, source: str, n_rows: int) -> list[Any]:
        """Return the answers to the rows of a table, or of a query in parentheses.

        Raises:
            FileError: as `answers` says.
        """
        with explained(self.origin, self.connection.engine):
            return self._answers_in_order(*self._run_on_source(source), n_rows)

    def _answers_in_order(self, names: Sequence[str], cells: Sequence[tuple[Any, ...]], n_rows: int) -> list[Any]:
        if len(cells) != n_rows:
            problem = f"it answers {counted(n_rows, 'row')} with {counted(len(cells), 'row')}"
            raise FileError(self.origin, problem, "give a query that answers each row once")
        lowered = [name.lower() for name in names]
        answer = answer_column(lowered, self.answer, self.origin)
        if self.number is not None and self.number.lower() in lowered:
            number = lowered.index(self.number.lower())
            cells = sorted(cells, key=lambda row: int(row[number]))
        return [row[answer] for row in cells]

    def _query(self, source: str, created: str = "") -> str:
        """Return the query that reads a source of rows, with the column that numbers them."""
        language = self.connection.dialect.spelling
        number = f"{language.identifier(NUMBER)}, " if self.number == NUMBER else ""
        return self.statement.query(source, created, number)

    def _fetched(self, query: str) -> str:
        """Return a query with its answers as text where the connection's package cannot give them otherwise."""
        if self.scalar not in self.connection.as_text:
            return query
        language = self.connection.dialect.spelling
        name = language.identifier(self.answer)
        number = "" if self.number is None else f"{language.identifier(self.number)}, "
        return f"SELECT {number}CAST({name} AS {language.types['text']}) AS {name} FROM (\n{query}\n) AS answers"

    # ---- rows as literals

    def _literal_batches(self, rows: Rows) -> Iterator[list[str]]:
        """Yield the rows as SELECTs of literals; each alone where nothing numbers the answers."""
        most = 1 if self.number is None else _MOST_LITERAL_ROWS
        batch: list[str] = []
        n_characters = 0
        for row in rows:
            text = self.literals(row, len(batch))
            if batch and (len(batch) == most or n_characters + len(text) > _MOST_CHARACTERS):
                yield batch
                batch, n_characters, text = [], 0, self.literals(row, 0)
            batch.append(text)
            n_characters += len(text)
        if batch:
            yield batch

    def _run_on(self, batch: Sequence[str]) -> tuple[list[str], list[tuple[Any, ...]]]:
        return self.connection.run(self._fetched(self._query(f"({' UNION ALL '.join(batch)})")))

    # ---- rows in a temporary table

    def _run_on_source(self, source: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        connection, kind = self.connection, self.statement.kind
        result = connection.temporary + _RESULT
        if self.statement.is_called:
            connection.run(connection.creating[kind].format(_RESULT) + self.statement.pieces[0])
        query = self._query(source, result)
        if kind in ("TABLE", "VIEW"):
            connection.run(f"CREATE TEMPORARY {kind} {_RESULT} AS\n{query}")
            query = f"SELECT * FROM {result}"
        result_rows = connection.run(self._fetched(query))
        if kind not in ("expression", "query"):
            connection.run(f"DROP {kind} {result}")
        return result_rows

    def _fill(self, table: str, rows: Rows) -> None:
        """Create the temporary table of the rows."""
        connection, language = self.connection, self.connection.dialect.spelling
        columns = [*self.columns, *([Feature(NUMBER, Kind.INTEGER)] if self.number == NUMBER else [])]
        types = [language.types[_stored_as(feature, rows)] for feature in columns]
        fields = ", ".join(f"{language.identifier(f.name)} {t}" for f, t in zip(columns, types, strict=True))
        connection.run(f"DROP TABLE IF EXISTS {table}")
        connection.run(f"CREATE TEMPORARY TABLE {_ROWS} ({fields})")
        sources = [self.sources.get(feature.name) for feature in columns]
        cells = [range(len(rows)) if name is None else [cell_of(row.get(name)) for row in rows] for name in sources]
        assert connection.fill is not None
        connection.fill(table, types, cells)


def _stored_as(feature: Feature, rows: Rows) -> str:
    """Return the type of a column of rows: integers are numbers where some row has another number."""
    if feature.scalar != "integer" or all(isinstance(row.get(feature.name), int | None) for row in rows):
        return feature.scalar
    return "number"


def answer_column(names: Sequence[str], wanted: str, path: str) -> int:
    """Return the position of the column of answers among those of a result, whose names are in lower case.

    Raises:
        FileError: no column has that name, and there are several.
    """
    if wanted.lower() in names:
        return names.index(wanted.lower())
    if len(names) != 1:
        problem = f"the query gives {counted(len(names), 'column')}, none of them named {wanted}"
        raise FileError(path, problem, f"name the column of answers: AS {wanted}")
    return 0


@contextmanager
def explained(path: str, engine: str) -> Iterator[None]:
    """Turn the error of a database into one of ours; an interruption passes."""
    try:
        yield
    except (TreeRulesError, KeyboardInterrupt):
        raise
    except Exception as error:
        module = type(error).__module__.partition(".")[0]
        is_theirs = module in ("duckdb", "_duckdb", "psycopg") or isinstance(error, (sqlite3.Error, TimeoutError))
        if not is_theirs or "nterrupted" in str(error):
            raise
        raise statement_error(path, engine, error) from error
