"""The standard's SQL. The other files say where their dialect deviates, and why."""

from treerules.sql.dialect import Dialect
from treerules.sql.language import Language
from treerules.sql.reading import Reading

ANSI = Dialect(
    Language(
        name="ansi",
        below="{} < {}",
        at_least="{} >= {}",
        about="the standard's SQL",
        types={
            "number": "DOUBLE PRECISION",
            "integer": "BIGINT",
            "boolean": "BOOLEAN",
            "text": "VARCHAR(4000)",
            "date": "DATE",
            "timestamp": "TIMESTAMP(6)",
            "timestamp_utc": "TIMESTAMP(6) WITH TIME ZONE",
        },
        dbt_adapter="default",
    ),
    # emission is for whatever engine has no dialect here, and some of them fold quoted names
    Reading(unquoted="upper"),
    aliases=("standard",),
)
