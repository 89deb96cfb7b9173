"""Apache DataFusion."""

from datetime import datetime

from treerules.sql.dialect import Dialect
from treerules.sql.dialects.duckdb import DUCKDB
from treerules.sql.language import Language, iso_text
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading


def _arrow_cast(moment: datetime) -> str:
    """Return a moment by DataFusion's own cast: a literal of TIMESTAMP has nanoseconds, which end in 2262."""
    zone = 'Some("+00:00")' if moment.tzinfo else "None"
    return f"arrow_cast('{iso_text(moment)}', 'Timestamp(Microsecond, {zone})')"


DATAFUSION = Dialect(
    Language(
        name="datafusion",
        trim="BTRIM({}, ' ' || CHR(9))",
        below="{} < {}",
        at_least="{} >= {}",
        about="Apache DataFusion (run in the tests)",
        folding="none",
        timestamp=_arrow_cast,
        infinity="CAST('{}Infinity' AS DOUBLE)",
        is_number="{} <= CAST('Infinity' AS DOUBLE)",  # NaN is above infinity
        # beside a DECIMAL column the double would be made a DECIMAL: infinity fails, and the others lose or gain digits
        number_column="CAST({} AS DOUBLE)",
        number_member="CAST({} AS DOUBLE)",
        replacing={"view": "CREATE OR REPLACE VIEW", "table": "CREATE OR REPLACE TABLE"},
        single="CAST({} AS REAL)",
        adds_singles=True,
        deepest_case=20,  # the parser's recursion ends at 44
        types={**DUCKDB.spelling.types, "timestamp_utc": "TIMESTAMP WITH TIME ZONE"},
    ),
    Reading(
        grammar="postgres",
        like_folds="none",
        lexical=LexicalRules(prefixes="nbx", escaping_prefixes="e", dollar_texts="tagged"),
        unquoted="lower",
        nan_is_highest=True,
        reads_overflow=True,
    ),
)
