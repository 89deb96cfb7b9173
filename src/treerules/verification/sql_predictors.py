"""Predictors of SQL: a file on a database that is opened here, on rows of ours or a table of the user's, and `Sql`."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from attrs import evolve

from treerules._internal.atomic_files import read_bytes
from treerules.data.schema import Feature, Kind, Schema
from treerules.emit.sql.identifiers import fold_identifier
from treerules.errors import FileError, OptionError
from treerules.sql.language import Language
from treerules.verification.connections import Connection, Sql, connection_of, open_database
from treerules.verification.predictors import Predictor
from treerules.verification.process_runner import MOST_BYTES
from treerules.verification.sql_runner import SqlRunner, explained
from treerules.verification.sql_statements import SqlStatement, dialect_of, is_of_dbt, statement_of
from treerules.verification.user_table import table_predictor, user_table


@contextmanager
def sql_file_predictor(
    path: Path,
    schema: Schema,
    *,
    dialect: str | None,
    database: str | None,
    rename: Mapping[str, str] | None,
    time_limit: float,
    table: str | None,
    most: int | None,
) -> Iterator[Predictor]:
    """Open a database and return the predictor of an SQL file, which may read `most` rows of a table of the user's.

    Raises:
        FileError: the file cannot be read or run, or the database refuses it.
        OptionError: there is no such database, or the table has no rows.
        UnknownNameError: there is no such dialect, or no such table.
        ColumnError, CellError: the table lacks a column of the schema, or has other values.
    """
    if table is not None and database is None:
        raise OptionError("database", None, "the database that holds the table, such as sqlite:PATH")
    try:
        text = read_bytes(path, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(str(path), "is not text in UTF-8", "give the SQL that was emitted") from error
    if is_of_dbt(text):
        remedy = "run `dbt compile` and verify the SQL in target/compiled, or what `emit sql --kind select` writes"
        raise FileError(str(path), "is a template of dbt, which dbt makes SQL of", remedy)
    database_to_open = open_database(dialect or dialect_of(text), database, time_limit, is_given=dialect is not None)
    with explained(str(path), "the database"), database_to_open as connection:
        statement = statement_of(text, str(path), connection.dialect)
        if statement.is_called and statement.kind not in connection.creating:
            problem = f"{connection.dialect.spelling.name} has no CREATE {statement.kind}"
            raise FileError(str(path), problem, "give SQL of its own")
        for filling in statement.setup:
            connection.run(filling)
        runner = _runner(str(path), connection, statement, schema, rename)
        predictor = _predictor(str(path), runner)
        if table is not None:
            own_table = user_table(runner, table, schema, rename or {})
            predictor = table_predictor(predictor, own_table, schema, most)
        yield predictor


def sql_predictor(sql: Sql, schema: Schema) -> Predictor:
    """Return the predictor of SQL on a connection of the user's.

    Raises:
        FileError: it holds several statements, or reads other than one table.
        OptionError: it creates a macro or a function; or nothing tells its dialect.
        UnknownNameError: there is no such dialect.
    """
    connection = connection_of(sql)
    statement = statement_of(sql.text, "the SQL", connection.dialect)
    if statement.is_called or statement.setup:
        created = statement.kind if statement.is_called else "TABLE"
        raise OptionError("Sql.text", f"CREATE {created}", "an expression, or a statement that reads one table")
    return _predictor("the SQL", _runner("the SQL", connection, statement, schema, sql.rename))


def _predictor(name: str, runner: SqlRunner) -> Predictor:
    return Predictor(
        name,
        runner.answers,
        runner.connection.engine,
        loose=True,
        keeps_order=runner.connection.fill is None or runner.number is not None,
        accepts=runner.accepts,
        call=runner.call,
    )


def _name_in(statement: SqlStatement, name: str) -> str:
    """Return a name as a statement writes it: in other letters where it has no such name but one that is alike."""
    alike = {name} if name in statement.names else {n for n in statement.names if n.lower() == name.lower()}
    return alike.pop() if len(alike) == 1 else name


def _runner(
    origin: str, connection: Connection, statement: SqlStatement, schema: Schema, rename: Mapping[str, str] | None
) -> SqlRunner:
    names = dict(rename or {})
    features = [
        evolve(feature, name=_name_in(statement, names.get(feature.name, feature.name))) for feature in schema.features
    ]
    return SqlRunner(
        origin,
        connection,
        statement,
        _columns(connection.dialect.spelling, statement, features),
        {own.name: feature.name for own, feature in zip(features, schema.features, strict=True)},
        "prediction" if "prediction" in schema.indices else names.get("prediction", "prediction"),
        None if schema.target is None else schema.predicted,
    )


def _columns(language: Language, statement: SqlStatement, features: Sequence[Feature]) -> list[Feature]:
    """Return the features that a statement names, and its keys; at least one column, since a table has one."""
    columns = [feature for feature in features if feature.name in statement.names]
    names = {fold_identifier(language, feature.name) for feature in columns}
    other_names = {name.lower() for name in statement.names} - {name.lower() for name in names}
    columns += [feature for feature in features if feature.name.lower() in other_names]
    names |= {fold_identifier(language, feature.name) for feature in columns}
    for key in statement.keys or (() if columns else ("id",)):
        if fold_identifier(language, key) not in names:
            names.add(fold_identifier(language, key))
            columns.append(Feature(key, Kind.INTEGER))
    return columns
