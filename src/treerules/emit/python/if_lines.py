"""The lines of an `if` in Python, broken as `ruff format` does."""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from treerules.emit.python.python_literals import INDENT, WIDTH, code_width

#: How tests begin whose alternatives stand in parentheses.
GROUPS = ("not (", "(")


def if_lines(
    operands: Sequence[str], unions: Collection[str], indent: str, with_set_name: Callable[[str], str]
) -> list[str]:
    """Return the lines of an `if`: one line if it fits, otherwise broken as formatters do.

    Args:
        operands: the tests that `and` joins.
        unions: those of several intervals in parentheses, which come last, since formatters break them first.
        indent: the indent of the line.
        with_set_name: returns a test with the name of the set at its end.
    """
    operands = sorted(operands, key=lambda operand: operand in unions)
    test = " and ".join(operands)
    if test.startswith("(") and len(operands) == 1:
        test = test[1:-1] if fits(indent, test[1:-1]) else test  # formatters remove parentheses around a whole test
    if fits(indent, test):
        return [f"{indent}if {test}:"]
    if len(operands) == 1 and test.startswith(GROUPS):
        lines = _group_lines(test, indent, is_whole=test.startswith("("))
        return [f"{indent}if {test.partition('(')[0]}(", *lines, f"{indent}):"]
    if (
        len(operands) == 2
        and operands[1].startswith(GROUPS)
        and (lines := _before_last_group(operands, indent, with_set_name))
    ):
        return lines
    if len(operands) > 1:
        operands = [*operands[:-1], with_set_name(operands[-1])]  # formatters break lines in sets first
        test = " and ".join(operands)
        if fits(indent, test):
            return [f"{indent}if {test}:"]
    return _lines_of_operands(operands, indent)


def _lines_of_operands(operands: Sequence[str], indent: str) -> list[str]:
    """Return an `if` with one operand a line, in parentheses."""
    inner = indent + INDENT
    parts = [operands[0], *(f"and {operand}" for operand in operands[1:])]
    joiner = "and " if len(parts) > 1 else ""
    lines: list[str] = []
    for part in parts:
        if fits(inner, part, rest=""):
            lines.append(inner + part)
        elif part.removeprefix(joiner).startswith(GROUPS):
            lines += [f"{inner}{part.partition('(')[0]}(", *_group_lines(part, inner), f"{inner})"]
        else:
            lines += [inner + line for line in broken_comparison(part, joiner)]
    return [f"{indent}if (", *lines, f"{indent}):"]


def _before_last_group(operands: Sequence[str], indent: str, with_set_name: Callable[[str], str]) -> list[str]:
    """Return the lines of two operands, of which the last is broken in its parentheses alone; none if that is too long.

    `if x <= 5 and (`, the alternatives, `):`. Where the first one is a group that does not fit, it is broken, too.
    """
    first, last = operands
    opening = f"and {last.partition('(')[0]}("
    for name in (str, with_set_name):
        start = f"{indent}if {name(first)} {opening}"
        if code_width(start) <= WIDTH:
            return [start, *_group_lines(last, indent), f"{indent}):"]
    if not first.startswith(GROUPS):
        return []
    lines = [f"{indent}if {first.partition('(')[0]}(", *_group_lines(first, indent)]
    if len(indent) + code_width(f") and {last}:") <= WIDTH:
        return [*lines, f"{indent}) and {last}:"]
    return [*lines, f"{indent}) {opening}", *_group_lines(last, indent), f"{indent}):"]


def _group_lines(test: str, indent: str, *, is_whole: bool = False) -> list[str]:
    """Return the lines within the parentheses of a test: one if it fits, else one for each alternative.

    Around a whole test they are there for its lines alone.
    """
    inside, inner = test.partition("(")[2][:-1], indent + INDENT
    if not is_whole and fits(inner, inside, rest=""):
        return [inner + inside]
    return alternative_lines(inside, inner)


def alternative_lines(test: str, indent: str) -> list[str]:
    """Return the lines of tests that `or` joins, one each; those that are too long are broken before their signs."""
    first, *others = test.split(" or ")
    lines: list[str] = []
    for joiner, part in (("", first), *(("or ", f"or {other}") for other in others)):
        lines += [part] if fits(indent, part, rest="") else broken_comparison(part, joiner)
    return [indent + line for line in lines]


def fits(indent: str, test: str, rest: str = "if :") -> bool:
    """Return whether a test fits on a line, together with the rest of that line."""
    return len(indent) + code_width(test) + len(rest) <= WIDTH


def broken_comparison(test: str, joiner: str) -> list[str]:
    """Return the lines of a comparison that is too long for one, broken before its operators."""
    if test.removeprefix(joiner).startswith(GROUPS):
        start, _, rest = test.partition("(")
        first, *others = rest[:-1].split(" or ")
        return [f"{start}(", INDENT + first, *(f"{INDENT}or {other}" for other in others), ")"]
    words = test.removeprefix(joiner).split(" ")
    operators = [index for index, word in enumerate(words) if word in ("<=", "<", ">", ">=", "in", "==", "!=")]
    starts = [index - (words[index - 1] == "not" and index > 1) for index in operators]
    edges = [0, *starts, len(words)]
    parts = [" ".join(words[start:end]) for start, end in pairwise(edges)]
    return [joiner * test.startswith(joiner) + parts[0], *parts[1:]]
