"""NaN where no comparison with it is true, as in BigQuery: rules take it as missing, but `IS NULL` is false of it.

Each comparison with NaN is false there, so that a condition without negations is true of NaN only if it is true without
those comparisons; under NOT, and in `x <> 5`, they may make it true.
"""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from treerules.data.schema import Kind
from treerules.formats.sql.branches import BranchEntry, terms_around
from treerules.formats.sql.column_inference import CaseColumns
from treerules.formats.sql.column_usage import questions_in
from treerules.formats.sql.predicate_terms import And, ColumnQuestion, Not, Or, Term, TruthTest
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Condition
from treerules.sql.dialects import dialect_to_read


@frozen
class NanUse:
    """What a WHEN asks of columns that may hold NaN."""

    #: the conditions of which all must hold
    parts: frozenset[Term]
    #: the columns that it asks about
    asked: frozenset[str]
    #: the columns of which a comparison that is false may make it true
    negated: frozenset[str]


def nan_uses(entries: Iterable[BranchEntry], columns: CaseColumns) -> dict[str, NanUse]:
    """Return what each WHEN asks of columns that may hold NaN, with those around it; {} where NaN has an order."""
    if columns.dialect.nan != "unordered":
        return {}
    uses = {}
    for entry in entries:
        whole = And(terms_around(entry))
        uses[entry.name] = NanUse(
            frozenset(_parts_of(whole)), _names(questions_in(whole), columns), _names(_negated_in(whole), columns)
        )
    return uses


def _names(questions: Iterable[ColumnQuestion], columns: CaseColumns) -> frozenset[str]:
    keys = {(question.column.table, question.column.name) for question in questions}
    names = {columns.names[key] for key in keys if key in columns.names}
    return frozenset(name for name in names if columns.features[name].kind is Kind.NUMBER)


def _parts_of(term: Term) -> set[Term]:
    parts, pending = set[Term](), list[Term]([term])
    while pending:
        part = pending.pop()
        if isinstance(part, And):
            pending.extend(part.parts)
        else:
            parts.add(part)
    return parts


def _negated_in(term: Term) -> Iterable[ColumnQuestion]:
    """Yield the questions that may make a condition true where they are false; a number that is a condition is one."""
    pending: list[tuple[Term, bool]] = [(term, False)]
    while pending:
        part, is_negated = pending.pop()
        if isinstance(part, ColumnQuestion):
            if is_negated or part.relation == "alone":
                yield part
        elif isinstance(part, Not):
            pending.append((part.part, not is_negated))
        elif isinstance(part, TruthTest):
            if part.truth is True:
                pending.append((part.part, is_negated))
            else:
                yield from questions_in(part.part)
        elif isinstance(part, (And, Or)):
            pending.extend((each, is_negated) for each in part.parts)


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
    """Return whether a rule, the first, may take a row with NaN, though the others take all rows that it has without.

    Where there are no others, no row meets the rule.
    """
    if not may_hold_nan(parsed) or parsed.sql is None:
        return False
    uses: Mapping[str, NanUse] = parsed.sql.nan_uses
    names = [parsed.name(number) for number in numbers]
    if not uses.keys() >= set(names):
        return True
    own, others = uses[names[0]], [uses[name] for name in names[1:]]
    if not others:
        return bool(own.negated) and not _is_contradiction(own)
    if any(other.parts <= own.parts for other in others):
        return False
    rules = [dict(rule.conditions) for rule in parsed.rules.rules if parsed.name(rule.number) == names[0]]
    compared = {name for name in own.asked - own.negated if all(_compares(rule.get(name)) for rule in rules)}
    return any(other.asked - compared for other in others)


def _compares(condition: Condition | None) -> bool:
    """Return whether a condition of a rule is only met where a comparison is true."""
    return condition is not None and not condition.missing


def _is_contradiction(use: NanUse) -> bool:
    """Return whether a condition and its negation must hold."""
    return any(isinstance(part, Not) and _parts_of(part.part) <= use.parts for part in use.parts)
