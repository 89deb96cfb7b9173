"""T-SQL, of Microsoft SQL Server, Azure SQL and Fabric, after its documentation."""

import re

from treerules._internal.sql_quotes import quote_doubling
from treerules.sql.dialect import Dialect
from treerules.sql.dialects._common import cast
from treerules.sql.language import Language
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading


def _tsql_text(text: str) -> str:
    """Return text in quotes, after N: without it text passes through the code page.

    A backslash before the end of a line would join the two lines, sqlcmd replaces $(name), and a line GO would end the
    batch: each stands in two texts.
    """
    parts = re.split(r"(?i)(?<=\\)(?=[\r\n])|(?<=\$)(?=\()|(?<=[\r\n])(?=[ \t]*GO\b)", text)
    return " + ".join("N" + quote_doubling(part) for part in parts)


TSQL = Dialect(
    Language(
        name="tsql",
        trim="TRIM(' ' + CHAR(9) FROM {})",
        below="{} < {}",
        at_least="{} >= {}",
        about="Microsoft SQL Server, Azure SQL and Fabric",
        quotes=("[", "]"),  # double quotes are strings where QUOTED_IDENTIFIER is off
        longest_name=128,
        text=_tsql_text,
        date=lambda day: cast("DATE", day.isoformat()),
        timestamp=lambda moment: cast("DATETIMEOFFSET(6)" if moment.tzinfo else "DATETIME2(6)", moment.isoformat()),
        true="CAST(1 AS BIT)",  # there are no boolean literals
        false="CAST(0 AS BIT)",
        always="1 = 1",
        never="1 = 0",
        # collations fold case and widths, and = pads with blanks even under BIN2, hence the end mark
        text_column="({} + N'.') COLLATE Latin1_General_100_BIN2",
        text_end=".",
        deepest_case=10,
        types={
            "number": "FLOAT(53)",
            "integer": "BIGINT",
            "boolean": "BIT",
            "text": "NVARCHAR(4000)",
            "date": "DATE",
            "timestamp": "DATETIME2(6)",
            "timestamp_utc": "DATETIMEOFFSET(6)",
        },
        replacing={"view": "CREATE OR ALTER VIEW"},
        dbt_adapter="sqlserver",
    ),
    Reading(
        grammar="tsql",
        like_folds="collation",
        calendar=("Extract", "Year", "DateTrunc", "TimestampTrunc"),
        lexical=LexicalRules(name_quotes='"[', name_characters="@#"),
        numeric_truth=True,
        finer_moments=True,
        plain_days=True,
        sized_texts=True,
    ),
    drivers=("pyodbc", "pymssql"),
    aliases=("t-sql", "mssql", "sqlserver", "sql server", "azuresql", "fabric"),
)
