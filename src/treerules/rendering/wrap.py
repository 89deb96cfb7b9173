"""Long lines folded at the width of a terminal."""

import re
from collections.abc import Sequence

from treerules.rendering.text_tables import display_width

_WIDTH = 78
#: A list ends a line after a comma.
COMMA = re.compile(r"(?<=,) ")
#: A rule or a row ends a line before AND or THEN, in Chinese 且, and after a comma.
_BREAK = re.compile(r" (?=AND |THEN |且 )|(?<=,) ")
#: A sentence ends a line at any blank, and between two Chinese characters.
SENTENCE = re.compile(r" |(?<=[\u4e00-\u9fff,;:])(?=[\u4e00-\u9fff])")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')


def fold_lines(head: str, text: str | Sequence[str], *, at: re.Pattern[str] = _BREAK) -> list[str]:
    """Return a text after its head, in lines of at most 78 columns where it has breaks.

    Later lines are indented by the width of the head. Text in quotes is not folded.

    Args:
        head: The start of the first line.
        text: The text, or its parts, between which a line may end too.
        at: The breaks where a line may end.

    >>> fold_lines("where: ", "3 < age <= 40 AND " * 4 + "city = x")[1]
    '       AND city = x'
    >>> fold_lines("提示: ", "规则" * 20, at=SENTENCE)[1]
    '      规则规则'
    """
    lines, line, indent = [], head, " " * display_width(head)
    pieces = [text] if isinstance(text, str) else text
    parts = [pair for piece in pieces for pair in _parts(piece, at)]
    for index, (between, part) in enumerate(parts):
        if index and display_width(line) + len(between) + display_width(part) > _WIDTH:
            lines.append(line)
            line = indent + part
        else:
            line += between + part if index else part
    return [*lines, line]


def _parts(text: str, at: re.Pattern[str]) -> list[tuple[str, str]]:
    """Return the parts of a text between the breaks that are not in quotes, each with what stands before it."""
    parts: list[tuple[str, str]] = []
    start, between = 0, " "
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    next_quoted = 0
    for match in at.finditer(text):
        while next_quoted < len(quoted) and quoted[next_quoted][1] <= match.start():
            next_quoted += 1
        if next_quoted < len(quoted) and quoted[next_quoted][0] < match.start():
            continue
        parts.append((between, text[start : match.start()]))
        start, between = match.end(), match[0]
    return [*parts, (between, text[start:])]
