"""Running an SQL file on rows of our own, in a temporary table of a database."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from treerules._attrs import as_tuple
from treerules.errors import FileError, TreeRulesError, UnsupportedError, counted
from treerules.files import read_bytes
from treerules.schema import Feature, Kind, Schema
from treerules.verify.databases import Connection, Database, cell_of, database_of
from treerules.verify.modules import MOST_BYTES, Rows, Runner
from treerules.verify.statements import Statement, dialect_of, statement_of

_ROWS, _RESULT = "treerules_verify_rows", "treerules_verify_result"


@frozen(eq=False)
class SqlRunner(Runner):
    """What runs an SQL file, and the file and database that it runs."""

    statement: Statement = field(kw_only=True)
    database: Database = field(kw_only=True)
    #: the columns that the statement names, and the keys that it passes through
    columns: tuple[Feature, ...] = field(kw_only=True, converter=as_tuple)

    def holds(self, row: Mapping[str, Any]) -> bool:
        """Whether databases can hold a row's texts: none with a NUL or a lone surrogate."""
        return not any(
            isinstance(value, str) and ("\0" in value or any("\ud800" <= c <= "\udfff" for c in value))
            for value in row.values()
        )

    def query(self, row: Mapping[str, Any]) -> str:
        """Return the query that answers one row, with its values as literals."""
        return self.statement.reading(f"({self.literal(row)})")

    def literal(self, row: Mapping[str, Any]) -> str:
        """Return a row as a SELECT of literals."""
        literal, identifier = self.database.literal, self.database.identifier
        cells = [f"{literal(row.get(f.name), f.scalar)} AS {identifier(f.name)}" for f in self.columns]
        return "SELECT " + ", ".join(cells)


@contextmanager
def sql_runner(
    path: Path, schema: Schema, *, dialect: str | None, database: str | None, time_limit: float
) -> Iterator[SqlRunner]:
    """Give what runs an SQL file on rows of a schema.

    Raises:
        FileError: it cannot be read, or the database refuses it.
        UnsupportedError: it is no expression, query or statement that can be run on rows of ours.
        OptionError: there is no such database.
    """
    try:
        text = read_bytes(path, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(str(path), "is not text in UTF-8", "give the SQL that was emitted") from error
    dialect = dialect or dialect_of(text)
    engine, rest = database_of(dialect, database)
    statement = statement_of(text, dialect or engine.name)
    columns = _columns(engine, statement, schema)
    with _explained(path, engine.name), engine.opened(rest, time_limit) as connection:

        def answers(rows: Rows) -> list[Any]:
            with _explained(path, connection.engine):
                found = _answers(connection, runner, schema, rows)
            if len(found) != len(rows):
                problem = f"it answers {counted(len(rows), 'row')} with {counted(len(found), 'row')}"
                raise UnsupportedError(f"verify of {engine.name}", problem, "give a query that answers each row once")
            return found

        runner = SqlRunner(
            connection.engine, answers, loose=True, statement=statement, database=engine, columns=columns
        )
        yield runner


def _columns(engine: Database, statement: Statement, schema: Schema) -> list[Feature]:
    """Return the features that a statement names, and its keys; at least one column, since a table has one."""

    def folded(name: str) -> str:
        return name.lower() if engine.folds_case else name

    exact = [feature for feature in schema.features if feature.name in statement.names]
    taken = {folded(feature.name) for feature in exact}
    loosely = {name.lower() for name in statement.names} - {name.lower() for name in taken}
    columns = exact + [feature for feature in schema.features if feature.name.lower() in loosely]
    taken |= {folded(feature.name) for feature in columns}
    for key in (*statement.keys, "treerules_verify_row"):
        if folded(key) not in taken:
            taken.add(folded(key))
            columns.append(Feature(key, Kind.INTEGER))
    return columns


def _answers(connection: Connection, runner: SqlRunner, schema: Schema, rows: Rows) -> list[Any]:
    engine, statement = runner.database, runner.statement
    types = [engine.types[feature.scalar] for feature in runner.columns]
    fields = zip(runner.columns, types, strict=True)
    table, result = engine.temporary + _ROWS, engine.temporary + _RESULT
    connection.run(f"DROP TABLE IF EXISTS {table}")
    connection.run(
        f"CREATE TEMPORARY TABLE {_ROWS} ({', '.join(f'{engine.identifier(f.name)} {kind}' for f, kind in fields)})"
    )
    connection.fill(table, types, [_cells(feature, schema, rows) for feature in runner.columns])
    query = statement.reading(table)
    if statement.kind not in ("expression", "query"):
        connection.run(f"CREATE TEMPORARY {statement.kind} {_RESULT} AS\n{query}")
        query = f"SELECT * FROM {result}"
    if schema.target is not None and schema.target.scalar in ("date", "timestamp", "timestamp_utc"):
        # as text, since DuckDB's Python needs a package more for moments with a zone
        query = f"SELECT CAST(prediction AS {engine.types['text']}) AS prediction FROM (\n{query}\n) AS answers"
    names, found = connection.run(query)
    if statement.kind not in ("expression", "query"):
        connection.run(f"DROP {statement.kind} {result}")
    place = _prediction(names, engine.name)
    return [row[place] for row in found]


def _cells(feature: Feature, schema: Schema, rows: Rows) -> Sequence[Any]:
    if feature.name not in schema.indices:
        return range(len(rows))
    return [cell_of(row.get(feature.name)) for row in rows]


def _prediction(names: Sequence[str], engine: str) -> int:
    folded = [name.lower() for name in names]
    if "prediction" in folded:
        return folded.index("prediction")
    if len(names) != 1:
        problem = f"the query gives {counted(len(names), 'column')}, none of them named prediction"
        raise UnsupportedError(f"verify of {engine}", problem, "name the column of answers: AS prediction")
    return 0


@contextmanager
def _explained(path: Path, engine: str) -> Iterator[None]:
    """Turn what a database refuses into an error of ours; an interruption passes."""
    try:
        yield
    except (TreeRulesError, KeyboardInterrupt):
        raise
    except Exception as error:
        module = type(error).__module__.partition(".")[0]
        is_theirs = module in ("duckdb", "_duckdb", "psycopg") or isinstance(error, (sqlite3.Error, TimeoutError))
        if not is_theirs or "nterrupted" in str(error):
            raise
        said = " ".join(str(error).split("\n\n")[0].split())[:300]
        raise FileError(str(path), f"{engine} refuses it: {said}", "mend it, or name its dialect") from error


def one_by_one(runner: Runner) -> Runner:
    """Return the runner that asks for each row alone."""

    def answers(rows: Rows) -> list[Any]:
        return [runner.answers([row])[0] for row in rows]

    return evolve(runner, answers=answers)
