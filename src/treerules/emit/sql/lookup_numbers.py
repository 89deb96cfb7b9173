"""Features as numbers, and arrays of numbers and values, as DuckDB's SQL of the lookup layout."""

import re
from collections.abc import Sequence

from treerules.data.schema import Feature, Kind
from treerules.emit.numeric_cuts import CutOperand
from treerules.emit.predicates import column_reference, read_cell
from treerules.sql.language import Language

#: Text of more categories than this is looked up as an ENUM: slower for a few categories, but no slower for many.
_MANY_CATEGORIES = 100
_NUMERAL = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


def number_array(sql_type: str, numbers: Sequence[float]) -> str:
    """Return a constant array of numbers. It is written as text, which DuckDB plans fast."""
    return f"CAST('[{', '.join(map(repr, numbers))}]' AS {sql_type}[])"


def value_list(literals: Sequence[str]) -> str:
    """Return a constant list of literals. Numbers are written as one text, which DuckDB plans faster."""
    if not all(_NUMERAL.fullmatch(literal) for literal in literals):
        return f"[{', '.join(literals)}]"
    if any("e" in literal for literal in literals):
        return f"CAST('[{', '.join(literals)}]' AS DOUBLE[])"
    kind = "INTEGER" if all(abs(int(literal)) < 2**31 for literal in literals) else "BIGINT"
    return f"CAST('[{', '.join(literals)}]' AS {kind}[])"


def operand_number(language: Language, feature: Feature, operand: CutOperand) -> str:
    """Return a feature as a double that cuts compare; NULL or NaN where it is missing."""
    pattern = language.text_column if feature.scalar == "text" else "{}"
    column = read_cell(language, feature, column_reference(language, feature, operand.feature), pattern)
    if not feature.is_ordered:
        return f"CAST({_category_position(language, feature, column)} AS DOUBLE)"
    if feature.scalar == "date":
        return f"CAST({column} - DATE '1970-01-01' AS DOUBLE)"
    if feature.kind is Kind.TIMESTAMP:
        return _microseconds(language, feature, column, operand)
    return f"CAST({column} AS DOUBLE)" if operand.part == "value" else _rest(column)


def _rest(integer: str) -> str:
    """Return an integer minus the double nearest to it. That double may be 2^63, which is not a BIGINT."""
    return f"CAST(CAST({integer} AS HUGEINT) - CAST(CAST({integer} AS DOUBLE) AS HUGEINT) AS DOUBLE)"


def _microseconds(language: Language, feature: Feature, column: str, operand: CutOperand) -> str:
    """Return the microseconds since 1970; for DuckDB's infinite timestamps, where `epoch_us` is NULL, infinity."""
    sql_type = language.types[feature.scalar]
    timestamp = f"CAST({column} AS {sql_type})"
    if operand.part == "rest":
        return _rest(f"epoch_us({timestamp})")
    lowest, highest = (language.literal(sign * float("inf")) for sign in (-1, 1))
    infinite = f"CASE WHEN {timestamp} < CAST('1970-01-01' AS {sql_type}) THEN {lowest} ELSE {highest} END"
    return f"CASE WHEN isinf({timestamp}) THEN {infinite} ELSE CAST(epoch_us({timestamp}) AS DOUBLE) END"


def _category_position(language: Language, feature: Feature, column: str) -> str:
    """Return the position of a category in the schema; for unseen values the next one, for missing ones NULL."""
    if feature.kind is Kind.BOOLEAN:
        return f"CAST({column} AS BOOLEAN)"
    is_known = (language.number_test(feature.name) if feature.scalar == "number" else None) or language.known
    unseen = len(feature.categories)
    literals = [language.comparison_literal(category) for category in feature.categories]
    if feature.scalar == "text" and unseen > _MANY_CATEGORIES:
        position = f"CAST(enum_code(TRY_CAST({column} AS ENUM({', '.join(literals)}))) AS INTEGER)"
        return f"CASE WHEN {is_known.format(column)} THEN COALESCE({position}, {unseen}) END"
    branches = "".join(f" WHEN {literal} THEN {position}" for position, literal in enumerate(literals))
    otherwise = f"CASE WHEN {is_known.format(column)} THEN {unseen} END"
    return f"CASE {column}{branches} ELSE {otherwise} END" if branches else otherwise
