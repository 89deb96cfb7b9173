"""Apache Spark."""

from treerules.sql.dialect import Dialect
from treerules.sql.language import Language, iso_text, quote_escaping
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading


def _spark_text(text: str) -> str:
    r"""Return text in quotes, those within as \': '' is nothing between two literals before Spark 4.

    ${name} would be replaced by a setting or a variable of the environment before the statement is parsed.
    """
    return quote_escaping(text).replace("${", "\\u0024{")


SPARK = Dialect(
    Language(
        name="spark",
        trim="TRIM(BOTH ' \\t' FROM {})",
        below="{} < {}",
        at_least="{} >= {}",
        about="Apache Spark (run in the tests)",
        quotes=("`", "`"),
        text=_spark_text,
        no_names_like=r"\$\{",  # replaced by a setting before the statement is parsed, and not to be escaped
        timestamp=lambda moment: f"{'TIMESTAMP' if moment.tzinfo else 'TIMESTAMP_NTZ'} '{iso_text(moment)}'",
        text_column="CAST({} AS STRING)",  # a column of Spark 4 may have a collation that ignores case
        infinity="CAST('{}Infinity' AS DOUBLE)",
        single="CAST({} AS FLOAT)",
        adds_singles=True,
        element="element_at(array({}), {})",
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
        replacing={"view": "CREATE OR REPLACE VIEW"},
        dbt_adapter="spark",
    ),
    Reading(
        grammar="spark",
        like_folds="none",
        calendar=("Extract", "Year", "DateTrunc", "TimestampTrunc"),
        lexical=LexicalRules(
            name_quotes="`",
            text_quotes="'\"",
            doubled_quotes=False,
            backslash_escapes=True,
            prefixes="nx",
            raw_prefixes="r",
            digit_names=True,
        ),
        nan_is_highest=True,
    ),
    aliases=("sparksql", "spark sql", "pyspark"),
)
