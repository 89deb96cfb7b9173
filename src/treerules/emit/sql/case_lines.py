"""The finished lines of a CASE expression, laid out as people write SQL.

CASE
  WHEN "x" <= 1 THEN 'a'                     a branch that fits into a line
  WHEN "x" > 1                               a longer one: a line for each condition
    AND "colour" IN ('red', 'green', ...,    what is longer than a line is filled, between tokens alone
      'blue', 'white')
  THEN 'b'
END
"""

from collections.abc import Iterator, Mapping, Sequence

from treerules.emit.template_records import PrintedLine
from treerules.sql.lexer import LexicalRules, tokens_of

#: Lines are broken where they have more characters, if there is a place.
WIDTH = 100


def case_lines(
    lines: Sequence[PrintedLine],
    values: Mapping[int, str],
    *,
    otherwise: str | None = None,
    comments: str = "",
    lexical: LexicalRules | None = None,
    guard: PrintedLine | None = None,
) -> tuple[str, ...]:
    """Return the lines of a CASE expression, each without its line break. A text in it may hold line breaks of its own.

    Args:
        lines: the lines of the flat or the guarded layout.
        values: the value of each rule number, as a literal.
        otherwise: the value of a row that fires no rule, as a literal; None for NULL, without an ELSE. For the flat
            layout only.
        comments: the name of the number of rows in a comment above each rule, "n" or "weight"; "" for no comments.
        lexical: how the dialect quotes names and texts; None to leave long lines as they are.
        guard: the WHEN before all others (see `type_guard`); None without one.
    """
    texts: list[str] = []
    breaks = _Breaks(lexical) if lexical is not None else None
    for line in lines:
        indent = "    " * line.depth
        if line.step == "open":
            texts.append(f"{indent}CASE")
            if guard is not None and line.depth == 0:
                texts += _branch(guard, values, "  ", breaks, is_alone=False)
        elif line.step == "close":
            texts += [f"  ELSE {otherwise}"] if otherwise is not None else []
            texts.append(f"{indent}END")
        else:
            inner = indent if len(lines) == 1 else f"{indent}  "
            texts += [f"{inner}{comment}" for comment in _comment(line, comments)] if comments else []
            texts += _branch(line, values, inner, breaks, is_alone=len(lines) == 1)
    return tuple(texts)


def _branch(
    line: PrintedLine, values: Mapping[int, str], indent: str, breaks: "_Breaks | None", *, is_alone: bool
) -> Sequence[str]:
    """Return the lines of a WHEN or an ELSE. A model of one rule without conditions is only its value."""
    value = (line.value or "") if line.number is None else values[line.number]
    if line.step != "when":
        return [f"{indent}{value if is_alone else f'ELSE {value}'}"]
    end = f"THEN {value}" if value else "THEN"
    text = f"{indent}WHEN {line.test} {end}"
    if breaks is None or len(text) <= WIDTH:
        return [text]
    head = [*breaks.filled(f"{indent}WHEN ", (line.tests or (line.test,))[0])]
    return [
        *head,
        *(part for test in line.tests[1:] for part in breaks.filled(f"{indent}  AND ", test)),
        f"{indent}{end}",
    ]


def _comment(line: PrintedLine, counted: str) -> Sequence[str]:
    """Return the comment of a rule, with its number, n or weight, and confidence; none if a block follows."""
    if line.figures is None:
        return []
    confidence = line.figures.confidence
    tail = "" if confidence is None else f", confidence {confidence:.4g}"
    return [f"-- rule {line.number}: {counted} {line.figures.n:g}{tail}"]


class _Breaks:
    """Breaks long tests between tokens: before AND and OR, and after a comma."""

    def __init__(self, lexical: LexicalRules) -> None:
        self.lexical = lexical
        self.parts_by_test: dict[str, tuple[str, ...]] = {}

    def filled(self, start: str, test: str) -> Iterator[str]:
        """Yield the lines of a test: the first begins with `start`, the others are indented by two more."""
        text, indent = start, " " * (len(start) - len(start.lstrip(" ")) + 4)
        if len(start) + len(test) <= WIDTH:
            yield start + test
            return
        for part in self._parts(test):
            if len(text) + len(part.rstrip()) > WIDTH and text.strip() and text != start:
                yield text.rstrip()
                text = indent
            text += part
        yield text.rstrip()

    def _parts(self, test: str) -> tuple[str, ...]:
        """Return the parts of a test, with the blanks between them, which no line break divides."""
        if test not in self.parts_by_test:
            cuts = [0]
            for token in tokens_of(test, self.lexical):
                if token.word in ("AND", "OR"):
                    cuts.append(token.start)
                elif token.word == ",":
                    cuts.append(token.end + (test[token.end : token.end + 1] == " "))
            ends = [*cuts[1:], len(test)]
            self.parts_by_test[test] = tuple([test[a:b] for a, b in zip(cuts, ends, strict=True) if a < b])
        return self.parts_by_test[test]
