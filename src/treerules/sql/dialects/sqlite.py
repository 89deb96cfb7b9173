"""SQLite."""

from treerules.sql.dialect import Dialect
from treerules.sql.language import Language, iso_text
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading

SQLITE = Dialect(
    Language(
        name="sqlite",
        about="SQLite (run in the tests)",
        quotes=("`", "`"),  # in double quotes a name that is no column would be a string; in backticks it is an error
        folding="ascii",
        empty_names=True,
        date=lambda day: f"'{day.isoformat()}'",  # there are no dates: ISO text sorts as they do
        timestamp=lambda moment: f"'{iso_text(moment)}'",
        true="1",  # TRUE is a column of that name, if there is one
        false="0",
        always="1",
        never="0",
        infinity="{}9e999",  # CAST('Infinity' AS REAL) would be 0; NaN is stored as NULL
        deepest_case=16,  # the parser's stack overflows at 18
        types={
            "number": "REAL",
            "integer": "INTEGER",
            "boolean": "BOOLEAN",
            "text": "TEXT",
            "date": "TEXT",
            "timestamp": "TEXT",
            "timestamp_utc": "TEXT",
        },
        dbt_adapter="sqlite",
    ),
    Reading(
        grammar="sqlite",
        lexical=LexicalRules(name_quotes='"[`', prefixes="nx", comments_pass_returns=True, nested_comments=False),
        numeric_truth=True,
        reads_overflow=True,
    ),
    drivers=("sqlite3",),
)
