"""DuckDB."""

from treerules.sql.dialect import Dialect
from treerules.sql.dialects._common import with_zone_type
from treerules.sql.dialects.ansi import ANSI
from treerules.sql.language import Language
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading
from treerules.sql.reserved_words import DUCKDB_WORDS

DUCKDB = Dialect(
    Language(
        name="duckdb",
        trim="TRIM({}, ' ' || CHR(9))",
        stage_words="AS MATERIALIZED",
        single="CAST({} AS FLOAT)",
        adds_singles=True,
        element="([{}])[{}]",
        below="{} < {}",
        at_least="{} >= {}",
        about="DuckDB (run in the tests)",
        lookup="query",
        folding="ascii",  # É and é are two columns
        timestamp=with_zone_type,
        infinity="CAST('{}Infinity' AS DOUBLE)",
        is_number="{} <= CAST('Infinity' AS DOUBLE)",  # NaN is above infinity, so this asks both in one comparison
        text_column='{}::TEXT COLLATE "C"',  # a column may have a collation, or be an ENUM, which takes none
        deepest_case=900,  # max_expression_depth is 1000
        types={
            **ANSI.spelling.types,
            "number": "DOUBLE",
            "text": "VARCHAR",
            "timestamp": "TIMESTAMP",
            "timestamp_utc": "TIMESTAMPTZ",
        },
        replacing={
            "view": "CREATE OR REPLACE VIEW",
            "table": "CREATE OR REPLACE TABLE",
            "macro": "CREATE OR REPLACE MACRO",
        },
        dbt_adapter="duckdb",
    ),
    Reading(
        grammar="duckdb",
        padded_texts=False,
        like_folds="none",
        exact_sums=True,
        calendar=("DateTrunc", "TimestampTrunc"),  # the year of infinity is NULL
        lexical=LexicalRules(escaping_prefixes="e", dollar_texts="tagged"),
        nan_is_highest=True,
        reads_overflow=True,
        loose_arrows=True,
    ),
    kinds=("macro",),
    drivers=("duckdb", "_duckdb"),
    reserved=DUCKDB_WORDS,
)
