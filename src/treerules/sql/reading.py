"""What matters of an SQL dialect to whoever reads it: its grammar, which names are one, what NaN, '' and 1 are."""

from typing import Literal

from attrs import frozen

from treerules.errors import UnknownNameError


@frozen
class SqlDialect:
    """A dialect as it is read; `name` is that of the dialect that is emitted."""

    name: str
    #: sqlglot's name of its grammar
    grammar: str = ""
    #: how a name is folded: whatever its case, unquoted ones to lower or upper case, or not at all
    folding: Literal["any", "lower", "upper", "none"] = "any"
    #: where NaN stands: above infinity, compared with nothing, or nowhere
    nan: Literal["highest", "unordered", "none", "unknown"] = "none"
    #: whether text is compared, by default, whatever its case and the blanks at its end
    loose_text: bool = False
    #: whether '' is NULL
    empty_text_is_null: bool = False
    #: whether 1 and 0 are truth values
    numeric_truth: bool = False
    #: whether a number beyond the doubles, such as 1e999, is infinity; elsewhere it is an error
    reads_overflow: bool = False
    #: whether TIMESTAMP '...' heeds the zone that its text has; elsewhere that is not read
    heeds_zones: bool = False
    #: whether moments without a zone are UTC where the column is of such: those of any literal, of TIMESTAMP alone
    taken_as_utc: Literal["none", "any", "timestamp"] = "none"
    #: whether moments can be finer than a microsecond
    finer_moments: bool = False
    #: whether text such as 20240101 is a day where it meets a date
    plain_days: bool = False
    #: whether NULL among the values of IN, or after WHEN, is a value, or none, by the dialect's own rules
    own_nulls: bool = False
    #: names, of columns or functions without arguments, that are infinity
    infinities: tuple[str, ...] = ()


_ROWS = (
    SqlDialect("", nan="unknown", heeds_zones=True),
    SqlDialect("ansi", "", "upper", heeds_zones=True),
    SqlDialect("duckdb", "duckdb", nan="highest", reads_overflow=True),
    SqlDialect("sqlite", "sqlite", numeric_truth=True, reads_overflow=True),
    SqlDialect("postgres", "postgres", "lower", "highest", plain_days=True),
    SqlDialect("mysql", "mysql", loose_text=True, numeric_truth=True, taken_as_utc="any"),
    SqlDialect("mariadb", "mysql", loose_text=True, numeric_truth=True, taken_as_utc="any"),
    SqlDialect("spark", "spark", nan="highest"),
    SqlDialect("databricks", "databricks", nan="highest"),
    SqlDialect(
        "clickhouse",
        "clickhouse",
        "none",
        "unordered",
        own_nulls=True,
        finer_moments=True,
        infinities=("inf", "infinity"),
    ),
    SqlDialect("datafusion", "postgres", "lower", "highest", reads_overflow=True),
    SqlDialect("bigquery", "bigquery", nan="unordered", taken_as_utc="timestamp"),
    SqlDialect("snowflake", "snowflake", "upper", "highest", finer_moments=True),
    SqlDialect("redshift", "redshift", nan="highest"),
    SqlDialect("trino", "trino", nan="unordered", heeds_zones=True, finer_moments=True, infinities=("infinity",)),
    SqlDialect("tsql", "tsql", loose_text=True, numeric_truth=True, finer_moments=True, plain_days=True),
    SqlDialect(
        "oracle",
        "oracle",
        "upper",
        "highest",
        empty_text_is_null=True,
        numeric_truth=True,
        heeds_zones=True,
        finer_moments=True,
        infinities=("binary_double_infinity", "binary_float_infinity"),
    ),
)
#: The dialects that are read, by name; "" is what nobody named.
SQL_DIALECTS = {row.name: row for row in _ROWS}


def folded(name: str, is_quoted: bool, dialect: SqlDialect) -> str:
    """Return a name as all spellings of it are."""
    if dialect.folding == "any":
        return name.casefold()
    if dialect.folding == "none" or is_quoted:
        return name
    return name.lower() if dialect.folding == "lower" else name.upper()


def sql_dialect(name: str | None) -> SqlDialect:
    """Return how a dialect is read.

    Raises:
        UnknownNameError: there is no such dialect.
    """
    found = SQL_DIALECTS.get("" if name is None else str(name))
    if found is None:
        raise UnknownNameError("dialect", str(name), tuple(filter(None, SQL_DIALECTS)))
    return found
