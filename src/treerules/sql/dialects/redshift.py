"""Amazon Redshift, after its documentation: Postgres 8, with the names and text of its own."""

from attrs import evolve

from treerules.sql.dialect import Dialect
from treerules.sql.dialects._common import cast
from treerules.sql.dialects.postgres import POSTGRES
from treerules.sql.language import quote_doubling_backslashes
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading

REDSHIFT = Dialect(
    evolve(
        POSTGRES.spelling,
        name="redshift",
        trim="BTRIM({}, ' ' || CHR(9))",
        about="Amazon Redshift",
        lookup=None,  # it has neither arrays nor jit
        large_case="",
        folding="unicode",  # quoted names fold too, unless enable_case_sensitive_identifier is on
        longest_name=127,
        text=quote_doubling_backslashes,
        text_column="{}",
        number=lambda value: cast(
            "DOUBLE PRECISION", repr(value).removesuffix(".0")
        ),  # a bare literal is NUMERIC, as in Postgres
        infinity="CAST('{}Infinity' AS DOUBLE PRECISION)",
        is_number="{} <= CAST('Infinity' AS DOUBLE PRECISION)",
        deepest_case=None,
        longest_statement=16 * 10**6,
        types={**POSTGRES.spelling.types, "text": "VARCHAR(65535)"},
        dbt_adapter="redshift",
    ),
    Reading(
        grammar="redshift",
        like_folds="none",
        exact_sums=True,
        calendar=("Extract", "DateTrunc", "TimestampTrunc"),
        lexical=LexicalRules(backslash_escapes=True, escaping_prefixes="e", dollar_texts="tagged"),
        nan_is_highest=True,
    ),
    drivers=("redshift_connector",),
)
