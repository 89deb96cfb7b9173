"""The sixteen SQL dialects, by name."""

from treerules.emit import engines, warehouses
from treerules.emit.languages import Language

_RUN = (engines.DUCKDB, engines.SQLITE, engines.POSTGRES, engines.MARIADB, engines.SPARK, engines.CLICKHOUSE)
_READ = (warehouses.DATABRICKS, warehouses.BIGQUERY, warehouses.SNOWFLAKE, warehouses.REDSHIFT, warehouses.TRINO)
_LANGUAGES: tuple[Language, ...] = (
    *(engines.ANSI, *_RUN, engines.DATAFUSION, engines.MYSQL),
    *(*_READ, warehouses.TSQL, warehouses.ORACLE),
)

DIALECTS = {language.name: language for language in _LANGUAGES}
