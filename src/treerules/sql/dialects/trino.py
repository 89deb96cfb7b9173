"""Trino and Athena, after their documentation."""

from treerules.sql.dialect import Dialect
from treerules.sql.dialects.duckdb import DUCKDB
from treerules.sql.language import Language
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading

TRINO = Dialect(
    Language(
        name="trino",
        trim="TRIM(BOTH ' ' || CHR(9) FROM {})",
        below="{} < {}",
        at_least="{} >= {}",
        about="Trino and Athena",
        infinity="{}infinity()",
        is_number="{} <= infinity()",  # NaN compares as in IEEE 754
        longest_statement=1_000_000,
        size_setting="query.max-length",
        types={**DUCKDB.spelling.types, "timestamp": "TIMESTAMP(6)", "timestamp_utc": "TIMESTAMP(6) WITH TIME ZONE"},
        replacing={"view": "CREATE OR REPLACE VIEW"},
        dbt_adapter="trino",
    ),
    Reading(
        grammar="trino",
        like_folds="none",
        exact_sums=True,
        calendar=("Extract", "Year", "DateTrunc", "TimestampTrunc"),
        lexical=LexicalRules(prefixes="nx", nested_comments=False),
        finer_moments=True,
    ),
    drivers=("trino",),
    aliases=("athena", "presto"),
)
