"""The sixteen SQL dialects, by name."""

from treerules.sql.dialects import engines, warehouses
from treerules.sql.language import Language

_RUN = (engines.DUCKDB, engines.SQLITE, engines.POSTGRES, engines.MARIADB, engines.SPARK, engines.CLICKHOUSE)
_READ = (warehouses.DATABRICKS, warehouses.BIGQUERY, warehouses.SNOWFLAKE, warehouses.REDSHIFT, warehouses.TRINO)
_LANGUAGES: tuple[Language, ...] = (
    *(engines.ANSI, *_RUN, engines.DATAFUSION, engines.MYSQL),
    *(*_READ, warehouses.TSQL, warehouses.ORACLE),
)

DIALECTS = {language.name: language for language in _LANGUAGES}
