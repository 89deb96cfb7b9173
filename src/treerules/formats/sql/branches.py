"""The branches of one CASE, those of a CASE in the place of an outcome among them: its rules before they are rules."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import define, frozen

from treerules.formats.sql.condition_reader import ConditionReader
from treerules.formats.sql.find_case import Branch, Case, Slice, SqlText
from treerules.formats.sql.outcomes import Outcome
from treerules.formats.sql.predicate_terms import Constant, NotReadError, Term
from treerules.rules.parsed import UnparsedPart
from treerules.sql.literals import NULL

_TOO_DEEP = "it is nested too deep"


@define
class BranchEntry:
    """A branch: its name, the place of its word, the branch around it, what it asks (ELSE asks TRUE), what it gives.

    `outcome` is None where a CASE stands for it, whose branches follow, and where it `falls`: an ELSE NULL at the end
    is no rule, since NULL is what a CASE gives that nothing takes.
    """

    name: str
    token: int
    around: "BranchEntry | None"
    condition: Slice | None
    term: Term | None
    outcome: Outcome | None = None
    unread: UnparsedPart | None = None
    falls: bool = False


@frozen
class _Place:
    """A CASE to be read: within which branch, and what its branches are called."""

    case: Case
    around: BranchEntry | None
    prefix: str
    #: whether what falls through all of it falls through everything
    is_last: bool


def entries_of(
    source: SqlText, reader: ConditionReader, case: Case, cases: Mapping[int, Case]
) -> tuple[list[BranchEntry], set[int]]:
    """Return the branches of a CASE in their order, and the CASEs, by their first tokens, that they are made of.

    An outcome that is a CASE is unfolded: its branches are those of a CASE around them, under its condition.
    """
    found: list[BranchEntry] = []
    used = {case.start}
    stack: list[Iterator[BranchEntry | _Place]] = [_branches(_Place(case, None, "", True), source, reader, cases)]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
        elif isinstance(step, _Place):
            used.add(step.case.start)
            stack.append(_branches(step, source, reader, cases))
        else:
            found.append(step)
    return found, used


def _branches(
    place: _Place, source: SqlText, reader: ConditionReader, cases: Mapping[int, Case]
) -> Iterator[BranchEntry | _Place]:
    case, prefix = place.case, place.prefix
    operand = _operand(case, source)
    for number, branch in enumerate(case.branches, 1):
        is_else = branch.condition is None
        word = "ELSE" if is_else else str(number)
        name = f"{prefix}{word}" if prefix or is_else else f"WHEN {word}"
        entry = _entry(name, branch, place.around, operand, source, reader)
        nested = cases.get(source.inner(branch.outcome).start)
        if nested is not None and nested.stop == source.inner(branch.outcome).stop:
            yield entry
            if entry.unread is None:
                yield _Place(nested, entry, f"{name}.", place.is_last and is_else)
        else:
            outcome = _outcome(branch.outcome, source, reader)
            entry.falls = is_else and place.is_last and outcome.value == NULL
            entry.outcome = None if entry.falls else outcome
            yield entry
    if not case.has_else and not place.is_last:
        yield BranchEntry(f"{prefix}ELSE", case.stop - 1, place.around, None, Constant(True), Outcome(NULL, "NULL"))


def _operand(case: Case, source: SqlText) -> Any:
    """Return what CASE x WHEN compares, None where there is none; what cannot be parsed is told with each WHEN."""
    if case.operand is None:
        return None
    try:
        return source.parsed(case.operand)
    except RecursionError:
        return _TOO_DEEP


def _entry(
    name: str, branch: Branch, around: BranchEntry | None, operand: Any, source: SqlText, reader: ConditionReader
) -> BranchEntry:
    entry = BranchEntry(name, branch.place, around, branch.condition, Constant(True))
    if branch.condition is None:
        return entry
    try:
        entry.term = _term(branch.condition, operand, source, reader)
    except NotReadError as error:
        entry.term, entry.unread = None, unread(source, branch.condition, error.problem)
    except RecursionError:
        entry.term, entry.unread = None, unread(source, branch.condition, _TOO_DEEP)
    return entry


def _term(condition: Slice, operand: Any, source: SqlText, reader: ConditionReader) -> Term:
    node = source.parsed(condition)
    if operand is None:
        return reader.term(node)
    if operand == _TOO_DEEP:
        raise NotReadError(_TOO_DEEP)
    return reader.equality(_grouped(operand), _grouped(node))


def _grouped(node: Any) -> Any:
    """Return an expression in parentheses, since nothing beside it can tear it apart."""
    from sqlglot import exp

    return exp.Paren(this=node.copy())


def _outcome(part: Slice, source: SqlText, reader: ConditionReader) -> Outcome:
    tokens = source.tokens[part.start : part.stop]
    if any(token.word == ";" for token in tokens):  # a statement of a procedure
        return Outcome(None, source.source(part))
    try:
        node = source.parsed(part)
        value = reader.value(node)
        return Outcome(value, reader.sql(node))
    except RecursionError:
        return Outcome(None, source.source(part))


def unread(source: SqlText, part: Slice, problem: str) -> UnparsedPart:
    """Return that a condition could not be read."""
    line, column = source.place(part.start)
    return UnparsedPart(line, column, source.source(part), problem)
