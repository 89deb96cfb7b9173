"""NaN where no comparison with it is true, as in BigQuery: rules take it as missing, but `IS NULL` is false of it."""

from treerules.data.schema import Kind
from treerules.rules.parsed import ParsedRules
from treerules.sql.dialects import dialect_to_read


def may_hold_nan(parsed: ParsedRules) -> bool:
    """Return whether a CASE tests a column of numbers in a dialect where no comparison with NaN is true.

    Such a row may then be taken by no WHEN, and reach ELSE, where the rules say that none does.

    >>> from treerules.formats import rules_from_sql
    >>> [may_hold_nan(rules_from_sql("CASE WHEN x > 5 THEN 1 END", dialect=name)[0]) for name in ("bigquery", "duckdb")]
    [True, False]
    """
    if parsed.sql is None or dialect_to_read(parsed.sql.dialect).nan != "unordered":
        return False
    return any(feature.kind is Kind.NUMBER for feature in parsed.rules.schema.features)
