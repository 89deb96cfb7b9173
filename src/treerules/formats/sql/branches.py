"""The branches of a CASE and of the CASEs nested in its outcomes: its rules before the columns are inferred."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import define, frozen

from treerules.formats.sql.case_parts import Branch, Case
from treerules.formats.sql.condition_reader import ConditionReader
from treerules.formats.sql.outcomes import Outcome
from treerules.formats.sql.predicate_terms import And, Constant, NotReadError, Term
from treerules.formats.sql.sql_text import Slice, SqlText
from treerules.rules.parsed import UnparsedPart
from treerules.sql.literals import NULL

_TOO_DEEP = "it is nested too deep"


@define
class BranchEntry:
    """A branch of a CASE: WHEN or ELSE, with its condition and its outcome."""

    #: the name of the branch, such as "WHEN 2" or "2.ELSE"
    name: str
    #: the position of its first token
    token: int
    #: the branch whose outcome is the CASE of this branch
    around: "BranchEntry | None"
    #: the position of the condition in the text; None for ELSE
    condition: Slice | None
    #: the condition; TRUE for ELSE, None if it could not be parsed
    term: Term | None
    #: None if the outcome is a CASE, whose branches follow, or if the branch `falls`
    outcome: Outcome | None = None
    unparsed: UnparsedPart | None = None
    #: whether this is a last ELSE NULL, which is not a rule: a CASE without ELSE gives NULL too
    falls: bool = False


@frozen
class _Nesting:
    """A CASE to be read: the branch that contains it, and the prefix of the names of its branches."""

    case: Case
    around: BranchEntry | None
    prefix: str
    #: whether a row that none of its branches takes is taken by no other branch either
    is_last: bool


def entries_of(
    source: SqlText, reader: ConditionReader, case: Case, cases: Mapping[int, Case]
) -> tuple[list[BranchEntry], set[int]]:
    """Return the branches of a CASE and its nested CASEs in order, and the positions where these CASEs start.

    An outcome that is a CASE is expanded: its branches follow, each restricted by the condition of the branch around
    it.
    """
    entries: list[BranchEntry] = []
    case_starts = {case.start}
    stack: list[Iterator[BranchEntry | _Nesting]] = [_branches(_Nesting(case, None, "", True), source, reader, cases)]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
        elif isinstance(step, _Nesting):
            case_starts.add(step.case.start)
            stack.append(_branches(step, source, reader, cases))
        else:
            entries.append(step)
    return entries, case_starts


def nested_terms(entries: Iterable[BranchEntry]) -> Iterator[Term]:
    """Yield each condition of a nested CASE with those of the branches around it, of which all must hold."""
    yield from (And(parts) for entry in entries if len(parts := terms_around(entry)) > 1)


def terms_around(entry: BranchEntry) -> list[Term]:
    """Return the condition of a branch and those of the branches around it, but for those that could not be parsed."""
    terms = list[Term]()
    around: BranchEntry | None = entry
    while around is not None:
        terms += [] if around.term is None else [around.term]
        around = around.around
    return terms


def _branches(
    nesting: _Nesting, source: SqlText, reader: ConditionReader, cases: Mapping[int, Case]
) -> Iterator[BranchEntry | _Nesting]:
    case, prefix = nesting.case, nesting.prefix
    operand, refusal = _operand(case, source), source.dialect.spelling.refusal
    for number, branch in enumerate(case.branches, 1):
        if refusal and source.source(branch.outcome) == refusal:  # the engine ends with an error for such rows
            continue
        is_else = branch.condition is None
        word = "ELSE" if is_else else str(number)
        name = f"{prefix}{word}" if prefix or is_else else f"WHEN {word}"
        entry = _entry(name, branch, nesting.around, operand, source, reader)
        nested = cases.get(source.inner(branch.outcome).start)
        if nested is not None and nested.stop == source.inner(branch.outcome).stop:
            yield entry
            if entry.unparsed is None:
                yield _Nesting(nested, entry, f"{name}.", nesting.is_last and is_else)
        else:
            outcome = _outcome(branch.outcome, source, reader)
            entry.falls = is_else and nesting.is_last and outcome.value == NULL
            entry.outcome = None if entry.falls else outcome
            yield entry
    if not case.has_else and not nesting.is_last:
        yield BranchEntry(f"{prefix}ELSE", case.stop - 1, nesting.around, None, Constant(True), Outcome(NULL, "NULL"))


def _operand(case: Case, source: SqlText) -> Any:
    """Return the operand of CASE x WHEN, or None, or why it cannot be parsed, which each WHEN reports."""
    if case.operand is None:
        return None
    try:
        return source.parsed(case.operand)
    except NotReadError as error:
        return error.problem
    except RecursionError:
        return _TOO_DEEP


def _entry(
    name: str, branch: Branch, around: BranchEntry | None, operand: Any, source: SqlText, reader: ConditionReader
) -> BranchEntry:
    entry = BranchEntry(name, branch.position, around, branch.condition, Constant(True))
    if branch.condition is None:
        return entry
    try:
        _require_readable_numbers(branch.condition, source)
        entry.term = _term(branch.condition, operand, source, reader)
    except NotReadError as error:
        entry.term, entry.unparsed = None, unparsed_part(source, branch.condition, error.problem)
    except RecursionError:
        entry.term, entry.unparsed = None, unparsed_part(source, branch.condition, _TOO_DEEP)
    return entry


def _require_readable_numbers(condition: Slice, source: SqlText) -> None:
    """Raise NotReadError for a hexadecimal number that the dialect refuses: of more digits, or -2^63 with its sign."""
    most = source.dialect.reading.hexadecimal_digits
    tokens = source.tokens[condition.start : condition.stop]
    for before, token in zip([None, *tokens], tokens, strict=False):
        if most is None or token.kind != "number" or token.text[:2].lower() != "0x":
            continue
        if len(token.text[2:].lstrip("0")) > most:
            raise NotReadError(f"{token.text} has more than {most} digits, which {source.dialect.name} refuses")
        if before is not None and before.text == "-" and int(token.text, 16) == 1 << 4 * most - 1:
            raise NotReadError(f"-{token.text} is too large, and {source.dialect.name} refuses it")


def _term(condition: Slice, operand: Any, source: SqlText, reader: ConditionReader) -> Term:
    node = source.parsed(condition)
    if operand is None:
        return reader.term(node)
    if isinstance(operand, str):
        raise NotReadError(operand)
    return reader.equality(_grouped(operand), _grouped(node))


def _grouped(node: Any) -> Any:
    """Return an expression in parentheses, so that operators next to it apply to the whole expression."""
    from sqlglot import exp

    return exp.Paren(this=node.copy())


def _outcome(part: Slice, source: SqlText, reader: ConditionReader) -> Outcome:
    if source.has_statement(part):  # a CASE statement of a procedure
        return Outcome(None, source.source(part))
    try:
        node = source.parsed(part)
        value = reader.value(node)
        return Outcome(value, reader.sql(node))
    except (NotReadError, RecursionError):
        return Outcome(None, source.source(part))


def unparsed_part(source: SqlText, part: Slice, problem: str) -> UnparsedPart:
    """Return a condition as a part that could not be parsed."""
    line, column = source.line_and_column(part.start)
    return UnparsedPart(line, column, source.source(part), problem)
