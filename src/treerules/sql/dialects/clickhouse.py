"""ClickHouse."""

from treerules._internal.sql_quotes import quote_doubling
from treerules.sql.dialect import Dialect
from treerules.sql.language import Language, iso_text, quote_doubling_backslashes
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading

CLICKHOUSE = Dialect(
    Language(
        name="clickhouse",
        trim="TRIM(BOTH ' \\t' FROM {})",
        below="{} < {}",
        at_least="{} >= {}",
        about="ClickHouse (run in the tests)",
        quotes=("`", "`"),
        escapes_names=True,
        ending_for_names="SETTINGS prefer_column_name_to_alias = 1",  # else a later CASE asks an earlier one's result
        folding="none",
        text=quote_doubling_backslashes,
        number=repr,  # a number with a point is a double
        date=lambda day: f"CAST('{day.isoformat()}' AS Date32)",
        timestamp=lambda moment: (
            f"CAST('{iso_text(moment.replace(tzinfo=None))}' "
            f"AS DateTime64(6{', ' + quote_doubling('UTC') if moment.tzinfo else ''}))"
        ),
        infinity="{}inf",
        single="CAST({} AS Nullable(Float32))",
        element="arrayElement([{}], {})",
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
        replacing={"view": "CREATE OR REPLACE VIEW"},
        dbt_adapter="clickhouse",
    ),
    Reading(
        grammar="clickhouse",
        padded_texts=False,
        like_folds="none",
        calendar=("Extract", "Year"),  # toStartOfMonth of 1950 is 1970-01-01
        lexical=LexicalRules(
            name_quotes='"`',
            backslash_escapes=True,
            backslash_in_names=True,
            dollar_texts="tagged",
            line_comments=("--", "#"),
            comments_pass_returns=True,
            digit_names=True,
        ),
        other_infinities=("infinity",),
        finer_moments=True,
        own_nulls=True,
    ),
    drivers=("chdb", "clickhouse_driver"),
    aliases=("chdb",),
)
