"""PostgreSQL."""

from treerules._internal.sql_quotes import quote_doubling
from treerules.sql.dialect import Dialect
from treerules.sql.dialects._common import with_zone_type
from treerules.sql.dialects.ansi import ANSI
from treerules.sql.language import Language, exponent_number, quote_doubling_backslashes
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading


def _postgres_text(text: str) -> str:
    r"""Return text that reads back whatever standard_conforming_strings is: E'...' where there is a backslash."""
    return "E" + quote_doubling_backslashes(text) if "\\" in text else quote_doubling(text)


POSTGRES = Dialect(
    Language(
        name="postgres",
        about="PostgreSQL (run in the tests)",
        text=_postgres_text,
        folding="none",
        longest_name=63,  # longer ones are cut off, and may then name another column
        name_unit="bytes",
        timestamp=with_zone_type,
        # a bare 0.3e0 is NUMERIC, and a NUMERIC column would be compared with it in more digits than a double has
        number=lambda value: f"float8 '{exponent_number(value)}'",
        infinity="float8 '{}Infinity'",
        is_number="{} <= float8 'Infinity'",  # NaN is above infinity
        deepest_case=1500,  # bison's memory is exhausted at 2000
        types={**ANSI.spelling.types, "text": "TEXT", "timestamp": "TIMESTAMP", "timestamp_utc": "TIMESTAMPTZ"},
        dbt_adapter="postgres",
    ),
    Reading(
        grammar="postgres",
        lexical=LexicalRules(prefixes="nbx", escaping_prefixes="e", dollar_texts="tagged"),
        unquoted="lower",
        nan_is_highest=True,
        plain_days=True,
    ),
    kinds=("function",),
    drivers=("psycopg", "psycopg2", "pg8000"),
)
