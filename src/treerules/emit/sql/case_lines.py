"""The finished lines of a CASE expression."""

from collections.abc import Mapping, Sequence

from treerules.emit.template_records import PrintedLine


def case_lines(
    lines: Sequence[PrintedLine], values: Mapping[int, str], *, otherwise: str | None = None, comments: bool = False
) -> tuple[str, ...]:
    """Return the lines of a CASE expression, each without its line break.

    Args:
        lines: the lines of the flat or the guarded layout.
        values: the value of each rule number, as a literal.
        otherwise: the value of a row that fires no rule, as a literal; None for NULL, without an ELSE. For the flat
            layout only.
        comments: whether each line of a rule ends in a comment.
    """
    texts: list[str] = []
    for line in lines:
        indent = "    " * line.depth
        if line.step == "open":
            texts.append(f"{indent}CASE")
        elif line.step == "close":
            texts += [f"  ELSE {otherwise}"] if otherwise is not None else []
            texts.append(f"{indent}END")
        else:
            comment = _comment(line) if comments else ""
            texts.append(f"{indent}{_branch(line, values, is_alone=len(lines) == 1)}{comment}")
    return tuple(texts)


def _branch(line: PrintedLine, values: Mapping[int, str], *, is_alone: bool) -> str:
    """Return a WHEN or an ELSE. A model of one rule without conditions is only its value."""
    if line.number is None:
        return f"  WHEN {line.test} THEN"
    value = values[line.number]
    if line.step == "when":
        return f"  WHEN {line.test} THEN {value}"
    return value if is_alone else f"  ELSE {value}"


def _comment(line: PrintedLine) -> str:
    """Return the comment behind the line of a rule: its number, n and confidence; "" if a block follows."""
    if line.figures is None:
        return ""
    confidence = line.figures.confidence
    return f" -- rule {line.number}, n {line.figures.n}{'' if confidence is None else f', confidence {confidence}'}"
