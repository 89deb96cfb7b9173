"""Snowflake, after its documentation."""

from treerules.sql.dialect import Dialect
from treerules.sql.dialects._common import cast
from treerules.sql.dialects.ansi import ANSI
from treerules.sql.language import Language, iso_text, quote_doubling_backslashes
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading

SNOWFLAKE = Dialect(
    Language(
        name="snowflake",
        trim="TRIM({}, ' \\t')",
        below="{} < {}",
        at_least="{} >= {}",
        about="Snowflake",
        folding="none",
        longest_name=255,
        text=quote_doubling_backslashes,
        timestamp=lambda moment: cast("TIMESTAMP_TZ" if moment.tzinfo else "TIMESTAMP_NTZ", iso_text(moment)),
        number=lambda value: cast("DOUBLE", repr(value).removesuffix(".0")),  # a bare literal is a NUMBER of 38 digits
        infinity="CAST('{}inf' AS DOUBLE)",
        is_number="{} <= CAST('inf' AS DOUBLE)",  # NaN is above infinity
        longest_statement=2**20,
        types={
            **ANSI.spelling.types,
            "number": "DOUBLE",
            "text": "VARCHAR",
            "timestamp": "TIMESTAMP_NTZ",
            "timestamp_utc": "TIMESTAMP_TZ",
        },
        replacing={"view": "CREATE OR REPLACE VIEW", "table": "CREATE OR REPLACE TABLE"},
        dbt_adapter="snowflake",
    ),
    Reading(
        grammar="snowflake",
        like_folds="none",
        exact_sums=True,
        calendar=("Extract", "Year", "DateTrunc", "TimestampTrunc"),
        lexical=LexicalRules(
            backslash_escapes=True,
            prefixes="nx",
            dollar_texts="plain",
            line_comments=("--", "//"),
            nested_comments=False,
        ),
        unquoted="upper",
        nan_is_highest=True,
        finer_moments=True,
    ),
    drivers=("snowflake",),
)
