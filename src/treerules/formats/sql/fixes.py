"""Fixes of SQL: a WHEN that never decides is removed, and the last WHEN of a complete CASE becomes ELSE.

    CASE WHEN a > 5 THEN 'x' WHEN a > 9 THEN 'y' WHEN a <= 5 OR a IS NULL THEN 'z' END
    CASE WHEN a > 5 THEN 'x' ELSE 'z' END

Only the text of such a branch changes. A branch stays where removing it could change a type or hide an error: where
not all outcomes are literals of one type, which in some dialects has the length of the longest text, or where its
condition is more than comparisons of columns with literals.
Each CASE that was changed is read again and proved equal to the former one; where it has expressions that are not
understood, its other branches must read as before.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.domain import Domain
from treerules.data.schema import Schema
from treerules.errors import TreeRulesError
from treerules.formats.sql.case_reader import rules_from_sql
from treerules.formats.sql.unordered_nan import may_hold_nan
from treerules.proof.diff import diff
from treerules.proof.prefix_categories import with_prefixes_of_both
from treerules.proof.review import review
from treerules.rules.parsed import BranchPlace, ParsedRules
from treerules.rules.wording import rule_text
from treerules.sql.dialect import Dialect
from treerules.sql.dialects import dialect_to_read
from treerules.sql.lexer import SqlToken, tokens_of


@frozen
class Fix:
    """A change of one branch of a CASE.

    Attributes:
        line: the line of the branch, from 1.
        branch: the name of the branch, such as "WHEN 3".
        becomes: "" if it was removed, "ELSE" if it became the ELSE.
    """

    line: int
    branch: str
    becomes: str


@frozen
class FixedSql:
    """SQL whose branches that never decide are removed.

    Attributes:
        text: the text after all fixes.
        fixes: what was changed, in the order of the text.
    """

    text: str
    fixes: tuple[Fix, ...] = field(converter=as_tuple)


@frozen
class _Edit:
    """A fix, and the text that takes the place of `text[start:stop]`."""

    fix: Fix
    start: int
    stop: int
    replacement: str = ""


#: Says whether a branch of a CASE, by its name, may be changed.
Wanted = Callable[[ParsedRules, str], bool]


def fixed_sql(
    text: str,
    *,
    dialect: str | None = None,
    schema: Schema | None = None,
    domain: Domain | None = None,
    file: str = "",
    wanted: Wanted = lambda parsed, branch: True,
) -> FixedSql:
    """Remove the WHENs that never decide, and make the last WHEN of a CASE that is proved complete its ELSE.

    Args:
        text: any SQL, as for `rules_from_sql`.
        dialect: the dialect, as for `rules_from_sql`.
        schema: the kinds and categories of columns.
        domain: the values that columns have.
        file: the name of the text in errors.
        wanted: says whether a branch may be changed.

    Returns:
        The text and what was changed.

    Raises:
        TreeRulesError: as of `rules_from_sql`.

    Examples:
        >>> fixed = fixed_sql("SELECT CASE WHEN a > 5 THEN 1 WHEN a > 9 THEN 2 WHEN a <= 5 OR a IS NULL THEN 3 END")
        >>> fixed.text
        'SELECT CASE WHEN a > 5 THEN 1 ELSE 3 END'
        >>> [(fix.branch, fix.becomes) for fix in fixed.fixes]
        [('WHEN 2', ''), ('WHEN 3', 'ELSE')]
    """
    text = text.removeprefix("\ufeff")

    def read(text: str) -> tuple[ParsedRules, ...]:
        return rules_from_sql(text, dialect=dialect, schema=schema, domain=domain, file=file)

    record, parts = dialect_to_read(dialect), read(text)
    edits = [_edits(text, part, record, wanted) for part in parts]
    while any(edits):
        changed = _applied(text, [edit for of_part in edits for edit in of_part])
        wrong = _unequal(parts, edits, read, changed)
        if not wrong:
            return FixedSql(changed, [edit.fix for of_part in edits for edit in of_part])
        edits = [[] if number in wrong else of_part for number, of_part in enumerate(edits)]
    return FixedSql(text, ())


def _unequal(
    parts: Sequence[ParsedRules],
    edits: Sequence[Sequence[_Edit]],
    read: Callable[[str], tuple[ParsedRules, ...]],
    changed: str,
) -> set[int]:
    """Return the positions of the parts that are not proved equal to those of a changed text; all if it is not read."""
    every = set(range(len(parts)))
    try:
        others = read(changed)
    except TreeRulesError:
        return every
    if len(others) != len(parts):
        return every
    return {number for number in every if edits[number] and not _is_equal(parts[number], others[number], edits[number])}


def _is_equal(part: ParsedRules, other: ParsedRules, edits: Sequence[_Edit]) -> bool:
    """Return whether two parts are proved equal, or where expressions forbid that, alike but for the edits."""
    try:
        part, other = (evolve(some, sql=None) for some in with_prefixes_of_both(part, other))
        if diff(part, other).equal is True:
            return True
    except TreeRulesError:
        pass
    edited = {edit.fix.branch for edit in edits}
    has_new_else = any(edit.fix.becomes for edit in edits)
    said, others = (
        [(rule_text(some.rules.schema, rule), some.name(rule.number)) for rule in some.rules.rules]
        for some in (part, other)
    )
    kept = [text for text, name in said if name not in edited]
    return kept == [text for text, name in others if not (has_new_else and name == "ELSE")] and not other.unparsed


def _applied(text: str, edits: Sequence[_Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: -edit.start):
        text = text[: edit.start] + edit.replacement + text[edit.stop :]
    return text


# ---- the branches to change


def _edits(text: str, part: ParsedRules, dialect: Dialect, wanted: Wanted) -> list[_Edit]:
    """Return the changes of one CASE; none where a part of it was not read."""
    if part.sql is None or part.unparsed or not part.rules.rules or may_hold_nan(part):
        return []
    places = part.sql.branches
    verdict = review(part, limit=1)
    dead = {part.name(rule.number) for rule in verdict.subsumed()}
    kinds = {name: _literal_kind(_tokens(text[at.outcome : at.stop], dialect)) for name, at in places.items()}
    texts = {name: text[at.outcome : at.stop] for name, at in places.items()}
    kept = [name for name in places if name != "ELSE"]
    edits: list[_Edit] = []
    for name in [name for name in kept if name in dead]:
        is_free = _keeps_type(kinds, name) and (not dialect.reading.sized_texts or _keeps_length(texts, name))
        is_free = is_free and _is_plain(text, places[name], dialect) and wanted(part, name)
        if is_free and len(kept) > 1:
            kept.remove(name)
            del kinds[name], texts[name]
            edits.append(_removal(text, name, places[name]))
    if "ELSE" not in places and verdict.verdict.complete is True and len(kept) > 1:
        place = places[kept[-1]]
        if wanted(part, kept[-1]) and _is_plain(text, place, dialect) and not _has_comment(text, place, dialect):
            word = "else" if text[place.start : place.start + 4].islower() else "ELSE"
            fix = Fix(_line(text, place.start), kept[-1], "ELSE")
            edits.append(_Edit(fix, place.start, place.outcome, f"{word} "))
    return sorted(edits, key=lambda edit: edit.start)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _removal(text: str, name: str, place: BranchPlace) -> _Edit:
    """Return the removal of a branch: of its lines, if nothing else stands on them, else with the blanks before it."""
    fix, start, stop = Fix(_line(text, place.start), name, ""), place.start, place.stop
    line_start = text.rfind("\n", 0, start) + 1
    rest = _REST_OF_LINE.match(text, stop)
    if rest is not None and not text[line_start:start].strip():
        return _Edit(fix, line_start, rest.end())
    return _Edit(fix, len(text[:start].rstrip()), stop)


#: Blanks, and the end of a line; a comment behind a branch is about the branch.
_REST_OF_LINE = re.compile(r"[ \t]*(?:--[^\n]*)?(?:\r?\n)")


def _is_plain(text: str, place: BranchPlace, dialect: Dialect) -> bool:
    """Return whether a condition compares columns with literals and does nothing else, so that it raises no error."""
    tokens = _tokens(text[place.start : place.outcome], dialect)
    return all(_is_plain_token(*three) for three in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False))


def _is_plain_token(before: SqlToken | None, token: SqlToken, after: SqlToken | None) -> bool:
    if token.kind == "symbol":
        is_sign = token.text == "-" and before is not None and before.word in _BEFORE_SIGN
        return token.text in "()<>=!,." or is_sign
    if token.kind not in ("word", "name", "text", "number"):
        return False  # such as Jinja
    is_called = token.is_name and after is not None and after.text == "(" and token.word not in _BEFORE_PARENTHESES
    return not is_called


#: The words and symbols that a number with a sign may follow; behind others the sign would subtract.
_BEFORE_SIGN = ("<", ">", "=", "(", ",", "AND", "BETWEEN")
#: The words that an opening parenthesis may follow without being the name of a function.
_BEFORE_PARENTHESES = ("WHEN", "AND", "OR", "NOT", "IN", "BETWEEN")


def _has_comment(text: str, place: BranchPlace, dialect: Dialect) -> bool:
    """Return whether a comment stands in a condition: text between its tokens that is not blank."""
    piece, end = text[place.start : place.outcome], 0
    for token in _tokens(piece, dialect):
        if piece[end : token.start].strip():
            return True
        end = token.end
    return bool(piece[end:].strip())


def _keeps_type(kinds: Mapping[str, str | None], branch: str) -> bool:
    """Return whether the type of a CASE stays without a branch: all outcomes are literals of one type, or NULL."""
    others = {kind for name, kind in kinds.items() if name != branch} - {"null"}
    return len(others) == 1 and None not in others and kinds[branch] in {"null", *others}


def _keeps_length(texts: Mapping[str, str], branch: str) -> bool:
    """Return whether another text is surely as long, so that a type with the greatest length stays."""
    others = [len(_ESCAPED.sub("", text)) for name, text in texts.items() if name != branch and _is_quoted(text)]
    return not _is_quoted(texts[branch]) or max(others, default=0) >= len(texts[branch])


def _is_quoted(text: str) -> bool:
    return text.endswith(("'", '"'))


#: What may be one character, or none, of a text.
_ESCAPED = re.compile(r"''|\\.?")


def _literal_kind(tokens: Sequence[SqlToken]) -> str | None:
    """Return the type of a literal, with the digits of a decimal and the size of an integer; None of anything else."""
    texts = [token.text for token in tokens if token.text not in ("-", "+")]
    if len(texts) != 1 or len(tokens) > 2:
        return None
    token = tokens[-1]
    if token.kind == "text":
        return f"text {token.text[:1]}"
    if token.kind == "word":
        return {"TRUE": "boolean", "FALSE": "boolean", "NULL": "null"}.get(token.word)
    if token.kind != "number":
        return None
    whole, _, rest = token.text.partition(".")
    if not token.text.isdigit():
        return f"decimal {len(whole)} {len(rest)}" if whole.isdigit() and rest.isdigit() else None
    return next((f"integer {size}" for size in (31, 63) if int(whole) < 2**size), None)


def _tokens(text: str, dialect: Dialect) -> list[SqlToken]:
    return list(tokens_of(text.strip(), dialect.reading.lexical))
