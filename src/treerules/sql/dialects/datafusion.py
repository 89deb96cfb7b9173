"""Apache DataFusion."""

from treerules.sql.dialect import Dialect
from treerules.sql.dialects.duckdb import DUCKDB
from treerules.sql.language import Language, iso
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading

DATAFUSION = Dialect(
    Language(
        name="datafusion",
        about="Apache DataFusion (run in the tests)",
        folding="none",
        timestamp=lambda moment: (
            f"arrow_cast('{iso(moment)}', 'Timestamp(Microsecond, {'Some(' + chr(34) + '+00:00' + chr(34) + ')'})')"
            if moment.tzinfo
            else f"arrow_cast('{iso(moment)}', 'Timestamp(Microsecond, None)')"
        ),
        infinity="CAST('{}Infinity' AS DOUBLE)",
        is_number="{} <= CAST('Infinity' AS DOUBLE)",  # NaN is above infinity
        # beside a DECIMAL column the double would be made a DECIMAL: infinity fails, and the others lose or gain digits
        number_column="CAST({} AS DOUBLE)",
        number_member="CAST({} AS DOUBLE)",
        deepest_case=20,  # the parser's recursion ends at 44
        types={**DUCKDB.spelling.types, "timestamp_utc": "TIMESTAMP WITH TIME ZONE"},
    ),
    Reading(
        grammar="postgres",
        lexical=LexicalRules(prefixes="nbx", escaping_prefixes="e", dollar_texts="tagged"),
        unquoted="lower",
        nan_is_highest=True,
        reads_overflow=True,
    ),
)
