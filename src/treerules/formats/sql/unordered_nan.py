"""NaN where no comparison with it is true, as in BigQuery: rules take it as missing, but `IS NULL` is false of it."""

from collections.abc import Sequence

from treerules.data.schema import Kind
from treerules.rules.parsed import ParsedRules
from treerules.sql.dialects import dialect_to_read

#: What may make a condition true of NaN, of which each comparison is false.
_NEGATIONS = frozenset(["NOT", "!", "FALSE", "UNKNOWN", "DISTINCT", "COALESCE", "IFNULL", "NVL"])


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


def nan_may_decide(parsed: ParsedRules, numbers: Sequence[int]) -> bool:
    """Return whether NaN may be a value of a rule, the first, whose other rows the others take.

    It is no value of a rule that only asks whether comparisons are true, of each column of numbers.
    """
    if parsed.sql is None or not may_hold_nan(parsed):
        return False
    rules = {rule.number: rule for rule in parsed.rules.rules}
    own = dict(rules[numbers[0]].conditions)
    columns = {feature.name for feature in parsed.rules.schema.features if feature.kind is Kind.NUMBER}
    same = any(rules[number].conditions == rules[numbers[0]].conditions for number in numbers[1:])
    if same and not columns & set(own):
        return False
    tokens = parsed.sql.tokens.upper()
    if _NEGATIONS & set(tokens.split()) or "< >" in tokens:
        return True
    return not same and not all(name in own and not own[name].missing for name in columns)
