"""Running an SQL file on rows of our own, in a temporary table of a database."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.atomic_files import read_bytes
from treerules._internal.field_converters import as_tuple
from treerules.data.schema import Feature, Kind, Schema
from treerules.emit.sql.identifiers import folded
from treerules.errors import FileError, TreeRulesError, counted
from treerules.verification.databases import Connection, Database, cell_of, database_of
from treerules.verification.process_runner import MOST_BYTES, Answers, Rows, Runner
from treerules.verification.sql_statements import Statement, dialect_of, statement_of

_ROWS, _RESULT = "treerules_verify_rows", "treerules_verify_result"


@frozen(eq=False)
class SqlRunner(Runner):
    """What runs an SQL file, and the file and database that it runs."""

    statement: Statement = field(kw_only=True)
    database: Database = field(kw_only=True)
    #: the columns that the statement names, under their names in the database, and the keys that it passes through
    columns: tuple[Feature, ...] = field(kw_only=True, converter=as_tuple)
    #: the name of each column in the model, by its name in the database; keys have none
    sources: Mapping[str, str] = field(kw_only=True)
    #: the column of answers, in the database
    answer: str = field(kw_only=True)

    def holds(self, row: Mapping[str, Any]) -> bool:
        """Whether databases can hold a row's texts: none with a NUL or a lone surrogate."""
        return not any(
            isinstance(value, str) and ("\0" in value or any("\ud800" <= c <= "\udfff" for c in value))
            for value in row.values()
        )

    def query(self, row: Mapping[str, Any]) -> str:
        """Return the query that answers one row, with its values as literals."""
        source = f"({self.literal(row)})"
        statement = self.statement
        return statement.call(statement.created, source) if statement.is_called else statement.reading(source)

    def literal(self, row: Mapping[str, Any], key: int | None = None) -> str:
        """Return a row as a SELECT of literals, its keys all alike."""
        literal, identifier = self.database.literal, self.database.language.identifier
        values = [row.get(self.sources[f.name]) if f.name in self.sources else key for f in self.columns]
        cells = [
            f"{literal(value, f.scalar)} AS {identifier(f.name)}" for f, value in zip(self.columns, values, strict=True)
        ]
        return "SELECT " + ", ".join(cells)


@contextmanager
def sql_runner(
    path: Path,
    schema: Schema,
    *,
    dialect: str | None,
    database: str | None,
    rename: Mapping[str, str] | None,
    time_limit: float,
) -> Iterator[SqlRunner]:
    """Give what runs an SQL file on rows of a schema.

    Raises:
        FileError: it cannot be read, is nothing that can be run on rows of ours, or the database refuses it.
        OptionError: there is no such database.
        UnknownNameError: there is no such dialect.
    """
    try:
        text = read_bytes(path, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(str(path), "is not text in UTF-8", "give the SQL that was emitted") from error
    engine, rest = database_of(dialect or dialect_of(text), database)
    statement = statement_of(text, str(path))
    if statement.is_called and statement.kind not in engine.creating:
        raise FileError(str(path), f"{engine.language.name} has no CREATE {statement.kind}", "give SQL of its own")
    with _explained(path, engine.language.name), engine.opened(rest, time_limit) as connection:

        def answers(rows: Rows) -> list[Any]:
            with _explained(path, connection.engine):
                found_names, found = _run(connection, runner, rows, schema.target)
            if len(found) != len(rows):
                problem = f"it answers {counted(len(rows), 'row')} with {counted(len(found), 'row')}"
                raise FileError(str(path), problem, "give a query that answers each row once")
            place = place_of(found_names, runner.answer, str(path))
            return [row[place] for row in found]

        runner = prepared(connection.engine, answers, statement, engine, schema, rename)
        yield runner


def prepared(
    name: str,
    answers: Answers,
    statement: Statement,
    database: Database,
    schema: Schema,
    rename: Mapping[str, str] | None,
) -> SqlRunner:
    """Return what runs a statement on rows of a schema, given what answers them."""
    names = dict(rename or {})
    features = [evolve(feature, name=names.get(feature.name, feature.name)) for feature in schema.features]
    return SqlRunner(
        name,
        answers,
        loose=True,
        statement=statement,
        database=database,
        columns=_columns(database, statement, features),
        sources={known.name: feature.name for known, feature in zip(features, schema.features, strict=True)},
        answer="prediction" if "prediction" in schema.indices else names.get("prediction", "prediction"),
    )


def _columns(engine: Database, statement: Statement, features: Sequence[Feature]) -> list[Feature]:
    """Return the features that a statement names, and its keys; at least one column, since a table has one."""

    columns = [feature for feature in features if feature.name in statement.names]
    taken = {folded(engine.language, feature.name) for feature in columns}
    loosely = {name.lower() for name in statement.names} - {name.lower() for name in taken}
    columns += [feature for feature in features if feature.name.lower() in loosely]
    taken |= {folded(engine.language, feature.name) for feature in columns}
    for key in statement.keys or (() if columns else ("id",)):
        if folded(engine.language, key) not in taken:
            taken.add(folded(engine.language, key))
            columns.append(Feature(key, Kind.INTEGER))
    return columns


def _run(
    connection: Connection, runner: SqlRunner, rows: Rows, target: Feature | None
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the names of what the statement gives for rows, and the cells."""
    engine, statement, kind = runner.database, runner.statement, runner.statement.kind
    language = engine.language
    types = [language.types[feature.scalar] for feature in runner.columns]
    fields = ", ".join(f"{language.identifier(f.name)} {t}" for f, t in zip(runner.columns, types, strict=True))
    table, result = engine.temporary + _ROWS, engine.temporary + _RESULT
    connection.run(f"DROP TABLE IF EXISTS {table}")
    connection.run(f"CREATE TEMPORARY TABLE {_ROWS} ({fields})")
    sources = [runner.sources.get(feature.name) for feature in runner.columns]
    # a key, which is no column of the model, numbers the rows
    cells = [range(len(rows)) if name is None else [cell_of(row.get(name)) for row in rows] for name in sources]
    connection.fill(table, types, cells)
    if statement.is_called:
        connection.run(engine.creating[kind].format(_RESULT) + statement.pieces[0])
        query = statement.call(result, table)
    else:
        query = statement.reading(table)
    if kind in ("TABLE", "VIEW"):
        connection.run(f"CREATE TEMPORARY {kind} {_RESULT} AS\n{query}")
        query = f"SELECT * FROM {result}"
    if target is not None and target.scalar in ("date", "timestamp", "timestamp_utc"):
        # as text, since DuckDB's Python needs a package more for moments with a zone
        name = language.identifier(runner.answer)
        query = f"SELECT CAST({name} AS {language.types['text']}) AS {name} FROM (\n{query}\n) AS answers"
    found = connection.run(query)
    if kind not in ("expression", "query"):
        connection.run(engine.dropping(kind, result))
    return found


def place_of(names: Sequence[str], wanted: str, path: str) -> int:
    """Return the place of the column of answers among those of a result.

    Raises:
        FileError: no column is named so, and there are several.
    """
    lowered = [name.lower() for name in names]
    if wanted.lower() in lowered:
        return lowered.index(wanted.lower())
    if len(names) != 1:
        problem = f"the query gives {counted(len(names), 'column')}, none of them named {wanted}"
        raise FileError(path, problem, f"name the column of answers: AS {wanted}")
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
