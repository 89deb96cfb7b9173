"""The standard's SQL, and the dialects that the tests run on real engines. Each deviation says why."""

from datetime import datetime

from attrs import evolve

from treerules.sql.language import Language, backslashed, doubled, escaped, exponential, iso


def _unzoned(moment: datetime) -> str:
    """Return a moment in UTC without its zone, for engines whose columns have none."""
    return f"TIMESTAMP '{iso(moment.replace(tzinfo=None))}'"


def _mysql_text(text: str) -> str:
    r"""Return text in quotes that reads back whether or not backslashes escape (NO_BACKSLASH_ESCAPES).

    What holds a backslash is put together around CHAR(92), which is one in either mode.
    """
    if "\\" not in text:
        return doubled(text)
    parts = ", CHAR(92 USING utf8mb4), ".join(doubled(part) for part in text.split("\\"))
    return f"CONCAT({parts})"


def _postgres_text(text: str) -> str:
    r"""Return text that reads back whatever standard_conforming_strings is: E'...' where there is a backslash."""
    return "E" + backslashed(text) if "\\" in text else doubled(text)


def _spark_text(text: str) -> str:
    r"""Return text in quotes, those within as \': '' is nothing between two literals before Spark 4.

    ${name} would be replaced by a setting or a variable of the environment before the statement is parsed.
    """
    return escaped(text).replace("${", "\\u0024{")


ANSI = Language(
    name="ansi",
    about="the standard's SQL",
    types={
        "number": "DOUBLE PRECISION",
        "integer": "BIGINT",
        "boolean": "BOOLEAN",
        "text": "VARCHAR(4000)",
        "date": "DATE",
        "timestamp": "TIMESTAMP(6)",
        "timestamp_utc": "TIMESTAMP(6) WITH TIME ZONE",
    },
    dbt_adapter="default",
)

DUCKDB = Language(
    name="duckdb",
    about="DuckDB (run in the tests)",
    has_lookup=True,
    folding="ascii",  # É and é are two columns
    timestamp=lambda moment: f"{'TIMESTAMPTZ' if moment.tzinfo else 'TIMESTAMP'} '{iso(moment)}'",
    infinity="CAST('{}Infinity' AS DOUBLE)",
    is_number="{} <= CAST('Infinity' AS DOUBLE)",  # NaN is above infinity, so this asks both in one comparison
    deepest_case=900,  # max_expression_depth is 1000
    types={
        **ANSI.types,
        "number": "DOUBLE",
        "text": "VARCHAR",
        "timestamp": "TIMESTAMP",
        "timestamp_utc": "TIMESTAMPTZ",
    },
    dbt_adapter="duckdb",
)

SQLITE = Language(
    name="sqlite",
    about="SQLite (run in the tests)",
    quotes=("`", "`"),  # in double quotes a name that is no column would be a string; in backticks it is an error
    folding="ascii",
    empty_names=True,
    date=lambda day: f"'{day.isoformat()}'",  # there are no dates: ISO text sorts as they do
    timestamp=lambda moment: f"'{iso(moment)}'",
    true="1",  # TRUE is a column of that name, if there is one
    false="0",
    always="1",
    never="0",
    infinity="{}9e999",  # CAST('Infinity' AS REAL) would be 0; NaN is stored as NULL
    deepest_case=16,  # the parser's stack overflows at 18
    types={
        "number": "REAL",
        "integer": "INTEGER",
        "boolean": "BOOLEAN",
        "text": "TEXT",
        "date": "TEXT",
        "timestamp": "TEXT",
        "timestamp_utc": "TEXT",
    },
    dbt_adapter="sqlite",
)

POSTGRES = Language(
    name="postgres",
    about="PostgreSQL (run in the tests)",
    text=_postgres_text,
    folding="none",
    longest_name=63,  # longer ones are cut off, and may then name another column
    name_unit="bytes",
    timestamp=DUCKDB.timestamp,
    # a bare 0.3e0 is NUMERIC, and a NUMERIC column would be compared with it in more digits than a double has
    number=lambda value: f"float8 '{exponential(value)}'",
    infinity="float8 '{}Infinity'",
    is_number="{} <= float8 'Infinity'",  # NaN is above infinity
    deepest_case=1500,  # bison's memory is exhausted at 2000
    types={**ANSI.types, "text": "TEXT", "timestamp": "TIMESTAMP", "timestamp_utc": "TIMESTAMPTZ"},
    dbt_adapter="postgres",
)

MYSQL = Language(
    name="mysql",
    about="MySQL 8",
    quotes=("`", "`"),
    longest_name=64,
    wide_names=False,  # names are utf8mb3
    no_names_with="\0",
    no_names_like=r"[ \t-\r]\Z",  # names do not end in a blank
    text=_mysql_text,
    timestamp=_unzoned,  # DATETIME has no zone: a zoned column is taken to hold UTC
    # the default collations take A for a, and a text for itself with a blank at its end
    text_column="CONVERT({} USING utf8mb4) COLLATE utf8mb4_0900_bin",
    deepest_case=400,  # MariaDB's thread stack is overrun at 600
    longest_statement=16 * 2**20,
    size_setting="max_allowed_packet",
    types={
        **ANSI.types,
        "number": "DOUBLE",
        "text": "VARCHAR(4000)",
        "timestamp": "DATETIME(6)",
        "timestamp_utc": "DATETIME(6)",
    },
    text_in_rows="TEXT",  # a row of several VARCHAR(4000) is too long
    dbt_adapter="mysql",
)

MARIADB = evolve(
    MYSQL,
    name="mariadb",
    about="MariaDB 10.5 and newer (run in the tests)",
    text_column="CONVERT({} USING utf8mb4) COLLATE utf8mb4_nopad_bin",
    dbt_adapter="mariadb",
)

SPARK = Language(
    name="spark",
    about="Apache Spark (run in the tests)",
    quotes=("`", "`"),
    text=_spark_text,
    no_names_like=r"\$\{",  # replaced by a setting before the statement is parsed, and not to be escaped
    timestamp=lambda moment: f"{'TIMESTAMP' if moment.tzinfo else 'TIMESTAMP_NTZ'} '{iso(moment)}'",
    infinity="CAST('{}Infinity' AS DOUBLE)",
    is_number="{} <= CAST('Infinity' AS DOUBLE)",  # NaN is above infinity
    deepest_case=200,  # parsing fails at 500
    types={
        "number": "DOUBLE",
        "integer": "BIGINT",
        "boolean": "BOOLEAN",
        "text": "STRING",
        "date": "DATE",
        "timestamp": "TIMESTAMP_NTZ",
        "timestamp_utc": "TIMESTAMP",
    },
    dbt_adapter="spark",
)

CLICKHOUSE = Language(
    name="clickhouse",
    about="ClickHouse (run in the tests)",
    quotes=("`", "`"),
    escapes_names=True,
    ending_for_names="SETTINGS prefer_column_name_to_alias = 1",  # else a later CASE asks an earlier one's result
    folding="none",
    text=backslashed,
    date=lambda day: f"CAST('{day.isoformat()}' AS Date32)",
    timestamp=lambda moment: (
        f"CAST('{iso(moment.replace(tzinfo=None))}' AS DateTime64(6{', ' + doubled('UTC') if moment.tzinfo else ''}))"
    ),
    infinity="{}inf",
    is_number="{} <= inf",  # NaN compares as in IEEE 754
    number_member="toFloat64({})",  # IN casts what it names to the column's type, and 1e300 is no DECIMAL
    deepest_case=400,  # max_ast_depth is 1000
    longest_statement=262_144,
    size_setting="max_query_size",
    types={
        "number": "Nullable(Float64)",
        "integer": "Nullable(Int64)",
        "boolean": "Nullable(Bool)",
        "text": "Nullable(String)",
        "date": "Nullable(Date32)",
        "timestamp": "Nullable(DateTime64(6))",
        "timestamp_utc": "Nullable(DateTime64(6, 'UTC'))",
    },
    table_ending=" ENGINE = MergeTree ORDER BY tuple()",  # a table needs an engine
    dbt_adapter="clickhouse",
)

DATAFUSION = Language(
    name="datafusion",
    about="Apache DataFusion (run in the tests)",
    folding="none",
    timestamp=lambda moment: (
        f"arrow_cast('{iso(moment)}', 'Timestamp(Microsecond, {'Some(' + chr(34) + '+00:00' + chr(34) + ')'})')"
        if moment.tzinfo
        else f"arrow_cast('{iso(moment)}', 'Timestamp(Microsecond, None)')"
    ),
    infinity="CAST('{}Infinity' AS DOUBLE)",
    is_number="{} <= CAST('Infinity' AS DOUBLE)",  # NaN is above infinity
    # beside a DECIMAL column the double would be made a DECIMAL: infinity fails, and the others lose or gain digits
    number_column="CAST({} AS DOUBLE)",
    number_member="CAST({} AS DOUBLE)",
    deepest_case=20,  # the parser's recursion ends at 44
    types={**DUCKDB.types, "timestamp_utc": "TIMESTAMP WITH TIME ZONE"},
)
