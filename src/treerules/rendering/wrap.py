"""Long lines folded between their parts, so that they can be read at the width of a terminal."""

import re

from treerules.rendering.text_tables import width

_WIDTH = 78
#: Where a line may end: before AND, and after a comma.
_BREAK = re.compile(r" (?=AND |THEN )|(?<=,) ")
SENTENCE = re.compile(" ")


def folded(head: str, text: str, *, at: re.Pattern[str] = _BREAK) -> list[str]:
    """Return a text after its head, in lines that are no wider than a terminal where it has places to be folded at.

    What follows the first line is set in as far as the head is wide. Text in quotes is not folded. `at` is where a line
    may end: conditions and rows before AND and after a comma, a SENTENCE at any blank.

    >>> folded("where: ", "3 < age <= 40 AND " * 4 + "city = x")[1]
    '       AND city = x'
    """
    lines, line, indent = [], head, " " * width(head)
    for place, part in enumerate(_parts(text, at)):
        if place and width(line) + 1 + width(part) > _WIDTH:
            lines.append(line)
            line = indent + part
        else:
            line += (" " if place else "") + part
    return [*lines, line]


def _parts(text: str, at: re.Pattern[str]) -> list[str]:
    """Return the parts between which a text may be folded, which is not within quotes."""
    parts: list[str] = []
    start = 0
    quoted = [found.span() for found in re.finditer(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', text)]
    turn = 0
    for found in at.finditer(text):
        while turn < len(quoted) and quoted[turn][1] <= found.start():
            turn += 1
        if turn < len(quoted) and quoted[turn][0] < found.start():
            continue
        parts.append(text[start : found.start()])
        start = found.end()
    return [*parts, text[start:]]
