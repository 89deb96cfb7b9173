"""The SQL dialects, by name. A new one is a file with a record, and its row here."""

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


def dialect_to_emit(name: str) -> Dialect:
    """Return a dialect in which SQL is emitted.

    Raises:
        UnknownNameError: there is no such dialect.
    """
    if not isinstance(name, str) or name not in DIALECTS:
        raise UnknownNameError("dialect", name, tuple(DIALECTS))
    return DIALECTS[name]


def dialect_to_read(name: str | None) -> Dialect:
    """Return the dialect in which SQL is read; UNNAMED for None or "".

    Raises:
        UnknownNameError: there is no such dialect.
    """
    key = "" if name is None else str(name)
    if key and key not in DIALECTS:
        raise UnknownNameError("dialect", key, tuple([record.name for record in _RECORDS]))
    return DIALECTS[key] if key else UNNAMED
