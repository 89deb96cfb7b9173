"""Google BigQuery, after its documentation."""

from treerules.sql.dialect import Dialect
from treerules.sql.language import Language, iso_text, quote_escaping
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading

BIGQUERY = Dialect(
    Language(
        name="bigquery",
        trim="TRIM({}, ' \\t')",
        below="{} < {}",
        at_least="{} >= {}",
        about="Google BigQuery",
        quotes=("`", "`"),
        longest_name=300,
        no_names_with='!"$()*,./;?@[\\]^`{}~\0\n\r',  # flexible column names leave these out
        text=lambda text: quote_escaping(text).replace("\n", "\\n").replace("\r", "\\r"),
        timestamp=lambda moment: f"{'TIMESTAMP' if moment.tzinfo else 'DATETIME'} '{iso_text(moment)}'",
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
        replacing={"view": "CREATE OR REPLACE VIEW", "table": "CREATE OR REPLACE TABLE"},
        dbt_adapter="bigquery",
    ),
    Reading(
        grammar="bigquery",
        padded_texts=False,
        like_folds="none",
        exact_sums=True,
        calendar=("Extract", "DateTrunc", "TimestampTrunc"),
        lexical=LexicalRules(
            name_quotes="`",
            text_quotes="'\"",
            doubled_quotes=False,
            backslash_escapes=True,
            backslash_in_names=True,
            prefixes="nbr",
            triple_quotes=True,
            line_comments=("--", "#"),
            nested_comments=False,
        ),
        timestamp_is_utc=True,
    ),
    aliases=("bq", "googlesql"),
)
