"""Long lines folded at the width of a terminal."""

import re

from treerules.rendering.text_tables import display_width

_WIDTH = 78
#: A condition or a row ends a line before AND or THEN, and after a comma.
_BREAK = re.compile(r" (?=AND |THEN )|(?<=,) ")
#: A sentence ends a line at any blank.
SENTENCE = re.compile(" ")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')


def fold_lines(head: str, text: str, *, at: re.Pattern[str] = _BREAK) -> list[str]:
    """Return a text after its head, in lines of at most 78 columns where it has breaks.

    Later lines are indented by the width of the head. Text in quotes is not folded.

    Args:
        head: The start of the first line.
        text: The text.
        at: The breaks where a line may end.

    >>> fold_lines("where: ", "3 < age <= 40 AND " * 4 + "city = x")[1]
    '       AND city = x'
    """
    lines, line, indent = [], head, " " * display_width(head)
    for index, part in enumerate(_parts(text, at)):
        if index and display_width(line) + 1 + display_width(part) > _WIDTH:
            lines.append(line)
            line = indent + part
        else:
            line += (" " if index else "") + part
    return [*lines, line]


def _parts(text: str, at: re.Pattern[str]) -> list[str]:
    """Return the parts of a text between the breaks that are not in quotes."""
    parts: list[str] = []
    start = 0
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    next_quoted = 0
    for match in at.finditer(text):
        while next_quoted < len(quoted) and quoted[next_quoted][1] <= match.start():
            next_quoted += 1
        if next_quoted < len(quoted) and quoted[next_quoted][0] < match.start():
            continue
        parts.append(text[start : match.start()])
        start = match.end()
    return [*parts, text[start:]]
