"""SQL dialects of warehouses and servers that the tests only parse, after their documentation. Deviations say why."""

import re
from decimal import Decimal

from attrs import evolve

from treerules.sql.dialects.engines import ANSI, DUCKDB, POSTGRES, SPARK
from treerules.sql.language import Language, backslashed, doubled, escaped, iso


def _cast(kind: str, text: str) -> str:
    return f"CAST('{text}' AS {kind})"


def _binary_double(value: float) -> str:
    """Return a double that reads back exactly: a bare literal is a decimal NUMBER.

    It has no decimal point, which the settings of a session may spell otherwise. (2.5d would be shorter, but not all
    that reads SQL knows it.)
    """
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    return _cast("BINARY_DOUBLE", f"{'-' if sign else ''}{''.join(map(str, digits))}e{exponent}")


def _tsql_text(text: str) -> str:
    """Return text in quotes, after N: without it text passes through the code page.

    A backslash before the end of a line would join the two lines, so they stand in two texts.
    """
    parts = re.split(r"(?<=\\)(?=[\r\n])", text)
    return " + ".join("N" + doubled(part) for part in parts)


DATABRICKS = evolve(
    SPARK,
    name="databricks",
    about="Databricks SQL",
    longest_name=255,
    dbt_adapter="databricks",
)

BIGQUERY = Language(
    name="bigquery",
    about="Google BigQuery",
    quotes=("`", "`"),
    longest_name=300,
    no_names_with='!"$()*,./;?@[\\]^`{}~\0\n\r',  # flexible column names leave these out
    text=lambda text: escaped(text).replace("\n", "\\n").replace("\r", "\\r"),
    timestamp=lambda moment: f"{'TIMESTAMP' if moment.tzinfo else 'DATETIME'} '{iso(moment)}'",
    infinity="CAST('{}inf' AS FLOAT64)",
    is_number="{} <= CAST('inf' AS FLOAT64)",  # NaN compares as in IEEE 754
    longest_statement=1024 * 1000,
    types={
        "number": "FLOAT64",
        "integer": "INT64",
        "boolean": "BOOL",
        "text": "STRING",
        "date": "DATE",
        "timestamp": "DATETIME",
        "timestamp_utc": "TIMESTAMP",
    },
    dbt_adapter="bigquery",
)

SNOWFLAKE = Language(
    name="snowflake",
    about="Snowflake",
    folding="none",
    longest_name=255,
    text=backslashed,
    timestamp=lambda moment: _cast("TIMESTAMP_TZ" if moment.tzinfo else "TIMESTAMP_NTZ", iso(moment)),
    number=lambda value: _cast("DOUBLE", repr(value)),  # a bare literal is a NUMBER of 38 digits
    infinity="CAST('{}inf' AS DOUBLE)",
    is_number="{} <= CAST('inf' AS DOUBLE)",  # NaN is above infinity
    longest_statement=2**20,
    types={
        **ANSI.types,
        "number": "DOUBLE",
        "text": "VARCHAR",
        "timestamp": "TIMESTAMP_NTZ",
        "timestamp_utc": "TIMESTAMP_TZ",
    },
    dbt_adapter="snowflake",
)

REDSHIFT = evolve(
    POSTGRES,
    name="redshift",
    about="Amazon Redshift",
    folding="unicode",  # quoted names fold too, unless enable_case_sensitive_identifier is on
    longest_name=127,
    text=backslashed,
    number=lambda value: _cast("DOUBLE PRECISION", repr(value)),  # a bare literal is NUMERIC, as in Postgres
    infinity="CAST('{}Infinity' AS DOUBLE PRECISION)",
    is_number="{} <= CAST('Infinity' AS DOUBLE PRECISION)",
    deepest_case=None,
    longest_statement=16 * 10**6,
    types={**POSTGRES.types, "text": "VARCHAR(65535)"},
    dbt_adapter="redshift",
)

TRINO = Language(
    name="trino",
    about="Trino and Athena",
    infinity="{}infinity()",
    is_number="{} <= infinity()",  # NaN compares as in IEEE 754
    longest_statement=1_000_000,
    size_setting="query.max-length",
    types={**DUCKDB.types, "timestamp": "TIMESTAMP(6)", "timestamp_utc": "TIMESTAMP(6) WITH TIME ZONE"},
    dbt_adapter="trino",
)

TSQL = Language(
    name="tsql",
    about="Microsoft SQL Server, Azure SQL and Fabric",
    quotes=("[", "]"),  # double quotes are strings where QUOTED_IDENTIFIER is off
    longest_name=128,
    text=_tsql_text,
    date=lambda day: _cast("DATE", day.isoformat()),
    timestamp=lambda moment: _cast("DATETIMEOFFSET(6)" if moment.tzinfo else "DATETIME2(6)", moment.isoformat()),
    true="CAST(1 AS BIT)",  # there are no boolean literals
    false="CAST(0 AS BIT)",
    always="1 = 1",
    never="1 = 0",
    # collations fold case and widths, and = pads with blanks even under BIN2, hence the end mark
    text_column="({} + N'.') COLLATE Latin1_General_100_BIN2",
    text_end=".",
    deepest_case=10,
    types={
        "number": "FLOAT(53)",
        "integer": "BIGINT",
        "boolean": "BIT",
        "text": "NVARCHAR(4000)",
        "date": "DATE",
        "timestamp": "DATETIME2(6)",
        "timestamp_utc": "DATETIMEOFFSET(6)",
    },
    dbt_adapter="sqlserver",
)

ORACLE = Language(
    name="oracle",
    about="Oracle Database",
    longest_name=128,
    name_unit="bytes",
    no_names_with='"\0',  # not even doubled
    folding="none",
    number=_binary_double,
    timestamp=lambda moment: f"TIMESTAMP '{iso(moment.replace(tzinfo=None))}{' +00:00' if moment.tzinfo else ''}'",
    true="1",  # BOOLEAN came with 23ai; before, 1 and 0 stand for it
    false="0",
    always="1 = 1",
    never="1 = 0",
    infinity="{}BINARY_DOUBLE_INFINITY",
    is_number="{} <= BINARY_DOUBLE_INFINITY",  # NaN is above infinity
    empty_text_is_missing=True,
    longest_text=4000,
    # a CHAR's = pads with blanks, and so does that of two literals; a VARCHAR2 column's does not
    types={
        "number": "BINARY_DOUBLE",
        "integer": "NUMBER(19)",
        "boolean": "NUMBER(1)",
        "text": "VARCHAR2(4000)",
        "date": "DATE",
        "timestamp": "TIMESTAMP(6)",
        "timestamp_utc": "TIMESTAMP(6) WITH TIME ZONE",
    },
    most_rows=1,  # before 23ai, VALUES takes one
    dbt_adapter="oracle",
)
