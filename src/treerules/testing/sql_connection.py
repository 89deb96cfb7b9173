"""SQL on a connection of the user's own, any of DB-API 2: rows go in as literals, so nothing is made there."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from types import MappingProxyType
from typing import Any

from attrs import evolve, frozen

from treerules.data.schema import Feature, Kind, Schema
from treerules.errors import DataError, OptionError, UnsupportedError
from treerules.sql.dialects import DIALECTS, emitted_dialect
from treerules.verification.databases import DATABASES, Database
from treerules.verification.sql_runner import SqlRunner, place_of, prepared
from treerules.verification.sql_statements import dialect_of, statement_of

Rows = Sequence[Mapping[str, Any]]

#: So many rows are asked for in one statement, which has so many characters at most.
_AT_ONCE, _LONGEST = 100, 200_000
_KEY = "treerules_row"
#: The dialect of a connection, by the package that it comes from.
_DIALECTS = {driver: name for name, dialect in DIALECTS.items() for driver in dialect.drivers}


@frozen
class Sql:
    """SQL text on an open connection of any DB-API 2 package, to be compared by `assert_equivalent`.

    The text is an expression, or a statement that reads one table, as `to_sql` emits them; that table need not be
    there, since rows of literals are put in its place. Only SELECT is run. The `dialect` is by default that which the
    text's first line names, or that of the connection's package. `rename` is what the text was emitted with.
    """

    text: str
    connection: Any
    dialect: str | None = None
    rename: Mapping[str, str] = MappingProxyType({})

    @property
    def engine(self) -> str:
        """The package of the connection."""
        return type(self.connection).__module__.partition(".")[0]

    @property
    def spoken(self) -> str:
        """The dialect of the connection.

        Raises:
            UnknownNameError: there is no such dialect.
            OptionError: nothing says which it is.
        """
        found = self.dialect or dialect_of(self.text) or _DIALECTS.get(self.engine)
        if found is None:
            raise OptionError("dialect", None, f"the dialect of the connection: {', '.join(DIALECTS)}")
        emitted_dialect(found)  # an unknown one is refused
        return found


def runner_on(sql: Sql, schema: Schema) -> SqlRunner:
    """Return what runs SQL on rows of a schema.

    Raises:
        OptionError: it creates a macro or a function; or nothing says which dialect it is.
        FileError: it holds several statements, or reads other than one table.
        UnknownNameError: there is no such dialect.
    """
    statement = statement_of(sql.text, "the SQL")
    if statement.is_called:
        raise OptionError("sql", statement.kind, "an expression, or a statement that reads one table")
    database = _database(sql.spoken)

    def answers(rows: Rows) -> list[Any]:
        return [answer for batch in _batches(runner, rows) for answer in _ask(sql, runner, batch, schema.predicted)]

    runner = prepared(sql.engine, answers, statement, database, schema, sql.rename)
    if statement.kind == "expression":
        runner = evolve(runner, columns=[*runner.columns, Feature(_KEY, Kind.INTEGER)])
    return runner


def _database(dialect: str) -> Database:
    if dialect in DATABASES:
        return DATABASES[dialect]
    language, casts = DIALECTS[dialect].spelling, DIALECTS[dialect].cast_types
    return Database(evolve(language, types={**language.types, **casts}), "", _unopened)


def _unopened(path: str, time_limit: float) -> Any:
    raise AssertionError("the connection is the user's own")


def holds(runner: SqlRunner, row: Mapping[str, Any]) -> bool:
    """Whether the database can hold a row: there are no infinities in some, and no odd characters in any."""
    try:
        return runner.holds(row) and bool(runner.literal(row, 0))
    except UnsupportedError:
        return False


def _batches(runner: SqlRunner, rows: Rows) -> Iterator[Sequence[str]]:
    """Yield the rows as SELECTs of literals, some at a time; each alone where nothing would number the answers."""
    key = _key(runner)
    most = _AT_ONCE if key else 1
    batch: list[str] = []
    for row in rows:
        text = runner.literal(row, len(batch))
        if batch and (len(batch) == most or sum(map(len, batch)) + len(text) > _LONGEST):
            yield batch
            batch, text = [], runner.literal(row, 0)
        batch.append(text)
    if batch:
        yield batch


def _key(runner: SqlRunner) -> str | None:
    """Return the column that numbers the answers; a query of the user's may have none."""
    return _KEY if runner.statement.kind == "expression" else next(iter(runner.statement.keys), None)


def _ask(sql: Sql, runner: SqlRunner, batch: Sequence[str], scalar: str) -> list[Any]:
    source, key = f"({' UNION ALL '.join(batch)})", _key(runner)
    if runner.statement.kind == "expression":
        name = runner.database.language.identifier(_KEY)
        query = f"SELECT {name}, (\n{runner.statement.pieces[0]}\n) AS prediction\nFROM {source} AS data"
    else:
        query = runner.statement.reading(source)
    names, found = _run(sql, _in_text(runner, query, scalar))
    if len(found) != len(batch):
        raise DataError(f"the SQL answers {len(batch)} rows with {len(found)}", "give SQL that answers each row once")
    at = place_of(names, runner.answer, "the SQL")
    if key is not None:
        place = [name.lower() for name in names].index(key.lower())
        found = sorted(found, key=lambda row: int(row[place]))
    return [row[at] for row in found]


def _in_text(runner: SqlRunner, query: str, scalar: str) -> str:
    """Return the query with its answers as text where the connection's package cannot give them otherwise."""
    database = runner.database
    if scalar not in database.as_text:
        return query
    return database.as_text[scalar].format(database.language.identifier(runner.answer), query)


def _run(sql: Sql, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    execute: Callable[[Any], Any]
    try:
        with closing(sql.connection.cursor()) as cursor:
            execute = cursor.execute
            execute(query)
            return [column[0] for column in cursor.description], [tuple(row) for row in cursor.fetchall()]
    except Exception as error:
        said = " ".join(str(error).split())[:300]
        raise DataError(f"{sql.engine} refuses the SQL: {said}", "mend it, or name its dialect") from error
