"""PostgreSQL."""

from treerules._internal.sql_quotes import quote_doubling
from treerules.sql.dialect import Dialect
from treerules.sql.dialects._common import with_zone_type
from treerules.sql.dialects.ansi import ANSI
from treerules.sql.language import Language, quote_doubling_backslashes
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading
from treerules.sql.reserved_words import POSTGRES_WORDS


def _postgres_text(text: str) -> str:
    r"""Return text that reads back whatever standard_conforming_strings is: E'...' where there is a backslash."""
    return "E" + quote_doubling_backslashes(text) if "\\" in text else quote_doubling(text)


POSTGRES = Dialect(
    Language(
        name="postgres",
        trim="BTRIM({}, ' ' || CHR(9))",
        below="{} < {}",
        at_least="{} >= {}",
        about="PostgreSQL (run in the tests)",
        lookup="expression",
        # with jit on, as by default, LLVM compiles a CASE for seconds at 1,000 leaves, and minutes at 2,500
        large_case='SET jit = off before a query of this CASE, or emit kind="function" or the layout "lookup"',
        large_sum="SET jit = off before this query",
        stage_words="AS MATERIALIZED",
        single="CAST({} AS REAL)",
        adds_singles=True,
        element="(CAST(ARRAY[{}] AS FLOAT8[]))[{}]",
        most_branches=1000,
        text=_postgres_text,
        folding="none",
        longest_name=63,  # longer ones are cut off, and may then name another column
        name_unit="bytes",
        timestamp=with_zone_type,
        # a bare 0.3e0 is NUMERIC, and a NUMERIC column would be compared with it in more digits than a double has
        number=lambda value: f"float8 '{repr(value).removesuffix('.0')}'",
        infinity="float8 '{}Infinity'",
        is_number="{} <= float8 'Infinity'",  # NaN is above infinity
        # a column may have a nondeterministic collation, or be of the type citext or an enum, which take none
        text_column='{}::TEXT COLLATE "C"',
        deepest_case=1500,  # bison's memory is exhausted at 2000
        types={**ANSI.spelling.types, "text": "TEXT", "timestamp": "TIMESTAMP", "timestamp_utc": "TIMESTAMPTZ"},
        replacing={"view": "CREATE OR REPLACE VIEW", "function": "CREATE OR REPLACE FUNCTION"},
        dbt_adapter="postgres",
    ),
    Reading(
        grammar="postgres",
        like_folds="none",
        exact_sums=True,
        calendar=("Extract", "DateTrunc", "TimestampTrunc"),
        lexical=LexicalRules(prefixes="nbx", escaping_prefixes="e", dollar_texts="tagged"),
        unquoted="lower",
        nan_is_highest=True,
        plain_days=True,
    ),
    kinds=("function",),
    drivers=("psycopg", "psycopg2", "pg8000"),
    aliases=("postgresql", "pg", "psql"),
    reserved=POSTGRES_WORDS,
)
