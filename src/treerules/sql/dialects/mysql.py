"""MySQL."""

from datetime import datetime

from treerules._internal.sql_quotes import quote_doubling
from treerules.sql.dialect import Dialect
from treerules.sql.dialects.ansi import ANSI
from treerules.sql.language import Language, iso_text
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading


def _mysql_text(text: str) -> str:
    r"""Return text in quotes that reads back whether or not backslashes escape (NO_BACKSLASH_ESCAPES).

    What holds a backslash is put together around CHAR(92), which is one in either mode.
    """
    if "\\" not in text:
        return quote_doubling(text)
    parts = ", CHAR(92 USING utf8mb4), ".join(quote_doubling(part) for part in text.split("\\"))
    return f"CONCAT({parts})"


def _unzoned(moment: datetime) -> str:
    """Return a moment in UTC without its zone, for engines whose columns have none."""
    return f"TIMESTAMP '{iso_text(moment.replace(tzinfo=None))}'"


MYSQL = Dialect(
    Language(
        name="mysql",
        # TRIM takes out one text; $ would match before a line end, too
        trim="REGEXP_REPLACE({}, '^[ \\t]+|[ \\t]+(?![^x]|x)', '')",
        below="{} < {}",
        at_least="{} >= {}",
        about="MySQL 8",
        quotes=("`", "`"),
        longest_name=64,
        wide_names=False,  # names are utf8mb3
        no_names_with="\0",
        no_names_like=r"[ \t-\r]\Z",  # names do not end in a blank
        text=_mysql_text,
        timestamp=_unzoned,  # DATETIME has no zone: a zoned column is taken to hold UTC
        # the default collations take A for a, and a text for itself with a blank at its end
        text_column="CONVERT({} USING utf8mb4) COLLATE utf8mb4_0900_bin",
        deepest_case=400,  # MariaDB's thread stack is overrun at 600
        longest_statement=16 * 2**20,
        size_setting="max_allowed_packet",
        types={
            **ANSI.spelling.types,
            "number": "DOUBLE",
            "text": "VARCHAR(4000)",
            "timestamp": "DATETIME(6)",
            "timestamp_utc": "DATETIME(6)",
        },
        text_in_rows="TEXT",  # a row of several VARCHAR(4000) is too long
        replacing={"view": "CREATE OR REPLACE VIEW"},
        dbt_adapter="mysql",
    ),
    Reading(
        grammar="mysql",
        like_folds="collation",
        exact_sums=True,
        assigned_variables=True,
        lexical=LexicalRules(
            name_quotes="`",
            text_quotes="'\"",
            backslash_escapes=True,
            prefixes="nbx",
            line_comments=("--", "#"),
            dashes_need_blank=True,
            comments_pass_returns=True,
            nested_comments=False,
            digit_names=True,
        ),
        numeric_truth=True,
        sized_texts=True,
        true_is_one=True,
    ),
    drivers=("pymysql", "MySQLdb", "mysql"),
    cast_types={"integer": "SIGNED", "boolean": "SIGNED", "text": "CHAR"},
)
