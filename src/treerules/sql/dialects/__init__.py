"""The SQL dialects, by name. A new one is a file with a record, and its row here."""

from typing import Any

from treerules.errors import UnknownNameError
from treerules.sql.dialect import UNNAMED, Dialect
from treerules.sql.dialects.ansi import ANSI
from treerules.sql.dialects.bigquery import BIGQUERY
from treerules.sql.dialects.clickhouse import CLICKHOUSE
from treerules.sql.dialects.databricks import DATABRICKS
from treerules.sql.dialects.datafusion import DATAFUSION
from treerules.sql.dialects.duckdb import DUCKDB
from treerules.sql.dialects.mariadb import MARIADB
from treerules.sql.dialects.mysql import MYSQL
from treerules.sql.dialects.oracle import ORACLE
from treerules.sql.dialects.postgres import POSTGRES
from treerules.sql.dialects.redshift import REDSHIFT
from treerules.sql.dialects.snowflake import SNOWFLAKE
from treerules.sql.dialects.spark import SPARK
from treerules.sql.dialects.sqlite import SQLITE
from treerules.sql.dialects.trino import TRINO
from treerules.sql.dialects.tsql import TSQL

#: The records, with relatives side by side, in the order in which the errors of readers list them.
_RECORDS = (
    ANSI,
    DUCKDB,
    SQLITE,
    POSTGRES,
    MYSQL,
    MARIADB,
    SPARK,
    DATABRICKS,
    CLICKHOUSE,
    DATAFUSION,
    BIGQUERY,
    SNOWFLAKE,
    REDSHIFT,
    TRINO,
    TSQL,
    ORACLE,
)

#: The dialects by name: the standard, those that the tests run on their engines, and the others.
DIALECTS: dict[str, Dialect] = {
    record.name: record for record in sorted(_RECORDS, key=lambda record: not (record is ANSI or record.is_run))
}


#: The names of dialects, by their aliases.
ALIASES: dict[str, str] = {alias: record.name for record in _RECORDS for alias in record.aliases}


def dialect_named(name: Any) -> str | None:
    """Return the name of a dialect, a key of DIALECTS, from that name or an alias in any case; None for another one.

    >>> dialect_named("PostgreSQL"), dialect_named("mssql"), dialect_named("duck")
    ('postgres', 'tsql', None)
    """
    key = name.strip().lower() if isinstance(name, str) else ""
    key = ALIASES.get(key, key)
    return key if key in DIALECTS else None


def dialect_to_emit(name: str) -> Dialect:
    """Return a dialect in which SQL is emitted, by its name or an alias in any case.

    Raises:
        UnknownNameError: there is no such dialect.
    """
    known = dialect_named(name)
    if known is None:
        raise UnknownNameError("dialect", name, tuple(DIALECTS))
    return DIALECTS[known]


def dialect_to_read(name: str | None) -> Dialect:
    """Return the dialect in which SQL is read, by its name or an alias in any case; UNNAMED for None or "".

    Raises:
        UnknownNameError: there is no such dialect.
    """
    if name is None or (isinstance(name, str) and not name):
        return UNNAMED
    known = dialect_named(name)
    if known is None:
        raise UnknownNameError("dialect", str(name), tuple([record.name for record in _RECORDS]))
    return DIALECTS[known]
