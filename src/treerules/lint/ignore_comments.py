"""Comments that ignore findings: `-- treerules: ignore[TR001, TR203]`, or `-- treerules: ignore` for all.

One that ends the line of a WHEN counts for the findings of this WHEN; one that ends the line of a CASE, for the CASE.
"""

import re
from collections.abc import Iterator, Mapping

from attrs import field, frozen

from treerules.lint.case_findings import CaseFinding
from treerules.lint.codes import CODES, matching_codes
from treerules.sql.dialect import Dialect
from treerules.sql.lexer import tokens_of

_COMMENT = re.compile(r"--[ \t]*treerules:[ \t]*ignore\b(?:[ \t]*\[([^\]\n]*)\])?", re.IGNORECASE)


@frozen
class IgnoreComments:
    """The codes that each line ignores, and the names in such comments that are no codes, with their lines."""

    codes: Mapping[int, frozenset[str]] = field(factory=dict)
    unknown: tuple[tuple[int, str], ...] = ()

    def ignores(self, found: CaseFinding, case_line: int) -> bool:
        """Whether a finding in the CASE of a line is ignored."""
        return any(found.code in self.codes.get(line, ()) for line in (found.line, case_line))


def ignore_comments(text: str, dialect: Dialect) -> IgnoreComments:
    """Return the comments of a text that ignore findings; what stands in a text or a quoted name is none."""
    matches = list(_COMMENT.finditer(text)) if "treerules" in text.casefold() else []
    if not matches:
        return IgnoreComments()
    starts = {match.start() for match in matches}
    for token in tokens_of(text, dialect.reading.lexical):
        starts -= {start for start in starts if token.start <= start < token.end}
    codes: dict[int, frozenset[str]] = {}
    unknown: list[tuple[int, str]] = []
    for match in matches:
        if match.start() in starts:
            line = text.count("\n", 0, match.start()) + 1
            names = list(_names(match[1]))
            codes[line] = codes.get(line, frozenset()).union(*map(matching_codes, names))
            unknown += [(line, name) for name in names if not matching_codes(name)]
    return IgnoreComments(codes, tuple(unknown))


def _names(listed: str | None) -> Iterator[str]:
    """Yield the codes of a comment; all codes where it names none."""
    if listed is None:
        yield from CODES
    else:
        yield from (name.strip() for name in listed.split(",") if name.strip())
