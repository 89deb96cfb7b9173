"""The lines of a layout as plain JavaScript: `if` statements on variables that are named like the columns.

A missing value is undefined: comparisons with it are false. A row that is missing or at most 5 is
`x === undefined || x <= 5`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.interval import Interval
from treerules.data.schema import Feature
from treerules.emit.javascript_language import JAVASCRIPT
from treerules.emit.layout import CodeLine
from treerules.emit.predicates import above_test, at_most_test
from treerules.emit.python.python_literals import code_width
from treerules.rules.rule import named_categories
from treerules.rules.shared_conditions import Constraint

#: The longest line, in columns, as prettier has it.
SCRIPT_WIDTH = 80
SCRIPT_INDENT = "  "
#: The columns of a list of categories in a test; a longer one is a set with a name.
_WIDEST_LIST = 48


#: The names of long sets of categories, by their literals.
Sets: TypeAlias = dict[tuple[str, ...], str]


@frozen
class ScriptCode:
    """The body of a function that finds the rule of a row, line by line, and the sets that it names."""

    #: the literals of G1, G2, ...
    sets: tuple[tuple[str, ...], ...] = field(converter=as_tuple)
    lines: tuple[str, ...] = field(converter=as_tuple)
    #: whether the last line has a test, so an error must follow it
    falls_through: bool


def script_code(
    lines: Sequence[CodeLine],
    constraints: Mapping[int, Constraint],
    variables: Mapping[str, str],
    answer: Callable[[int, str, str], list[str]],
    sets: Sets | None = None,
) -> ScriptCode:
    """Return the code of a layout.

    Args:
        lines: the lines of the layout.
        constraints: `constraints_of` the lines.
        variables: the variable of each feature with a condition, by its name.
        answer: returns the lines that answer with a rule, given its number, the indent and the test before it.
        sets: the sets that the code shares with other code, which are added to; None for new ones.
    """
    sets = {} if sets is None else sets
    tests = {
        key: _test(constraint, variables[constraint.feature.name], sets) for key, constraint in constraints.items()
    }
    code: list[str] = []
    always = False
    for line in lines:
        if line.step == "close" and line.depth:
            code.append(f"{SCRIPT_INDENT * line.depth}}}")
        if line.step not in ("when", "else"):
            continue
        # a test that is always true is left out; a line with only such tests is true of every row
        operands = [test for pair in line.conditions if (test := tests[id(pair)]) != "true"]
        indent = SCRIPT_INDENT * (line.depth + 1)
        always = not operands
        if line.number is None:
            code += _opening_lines(operands or ["true"], indent)
        elif not operands:
            code += answer(line.number, indent, "")
        else:
            code += _answer_lines(operands, indent, lambda *place, n=line.number: answer(n, *place))
    return ScriptCode(sets, code, not always)


def _answer_lines(operands: Sequence[str], indent: str, answer: Callable[[str, str], list[str]]) -> list[str]:
    """Return a test and the answer behind it, on one line if both fit."""
    opening = _opening_lines(operands, indent)
    if len(opening) == 1:
        flat = answer(indent, opening[0].strip().removesuffix("{"))
        if len(flat) == 1:
            return flat
    return [*opening, *answer(indent + SCRIPT_INDENT, ""), f"{indent}}}"]


def _opening_lines(operands: Sequence[str], indent: str) -> list[str]:
    """Return the lines of an `if` up to its brace; those that do not fit have one operand a line."""
    many = len(operands) > 1
    parts = [f"({operand})" if many and " || " in operand else operand for operand in operands]
    flat = f"{indent}if ({' && '.join(parts)}) {{"
    if code_width(flat) <= SCRIPT_WIDTH:
        return [flat]
    if not many:
        joiner = " || " if " || " in operands[0] else " && "
        parts = _split(operands[0], joiner)
    else:
        joiner = " && "
        parts = [piece for part in parts for piece in (part.split(" && ") if part[0] != "(" else [part])]
    inner = indent + SCRIPT_INDENT
    lines = [f"{inner}{part}{joiner.rstrip()}" for part in parts[:-1]]
    return [f"{indent}if (", *lines, f"{inner}{parts[-1]}", f"{indent}) {{"]


def _test(constraint: Constraint, variable: str, sets: Sets) -> str:
    """Return the test of a condition; "true" if every value meets it."""
    if not constraint.feature.is_ordered:
        return _category_test(constraint, variable, sets)
    missing, intervals = constraint.condition.missing, constraint.condition.intervals
    if not intervals:
        return f"{variable} === undefined" if missing else "false"
    inside = [_inside_test(constraint.feature, variable, interval) for interval in intervals]
    if not inside[0]:
        return "true" if missing else f"{variable} !== undefined"
    if len(inside) == 1 and not missing:
        return inside[0]
    alternatives = [f"({test})" if " && " in test else test for test in inside]
    return " || ".join([f"{variable} === undefined", *alternatives] if missing else alternatives)


def _inside_test(feature: Feature, variable: str, interval: Interval) -> str:
    """Return the test that a known value lies within an interval; "" if it has no bounds."""
    compared = []
    if interval.above is not None:
        compared.append(above_test(JAVASCRIPT, feature, variable, interval.above))
    if interval.upto is not None:
        compared.append(at_most_test(JAVASCRIPT, feature, variable, interval.upto))
    return " && ".join(compared)


def _split(test: str, joiner: str) -> list[str]:
    """Return the parts of a test between its joiners; those within quotes are text."""
    pieces = re.split(rf'("(?:[^"\\]|\\.)*")|{re.escape(joiner)}', test)
    parts = [""]
    for separated, text in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
        parts[-1] += separated
        if text is None:
            parts.append("")
        else:
            parts[-1] += text
    return parts


def _category_test(constraint: Constraint, variable: str, sets: Sets) -> str:
    """Return a membership test. A missing value is undefined, an unseen value is in no set."""
    categories, is_complement = named_categories(constraint.feature, constraint.condition)
    values: list[Any] = [JAVASCRIPT.literal(category) for category in categories]
    with_missing = constraint.condition.missing is not is_complement
    sign, joiner = ("!==", " && ") if is_complement else ("===", " || ")
    if not values and not with_missing:
        return "true" if is_complement else "false"
    missing = [f"{variable} {sign} undefined"] if with_missing else []
    if len(values) < 2:
        return joiner.join([*missing, *(f"{variable} {sign} {value}" for value in values)])
    listed = f"[{', '.join([*values, *(['undefined'] if with_missing else [])])}]"
    no = "!" if is_complement else ""
    if code_width(listed) <= _WIDEST_LIST:
        return f"{no}{listed}.includes({variable})"
    name = sets.setdefault((*values, *(["undefined"] if with_missing else [])), f"G{len(sets) + 1}")
    return f"{no}{name}.has({variable})"


def broken(start: str, entries: Iterable[str], end: str) -> str:
    """Return a list of entries on one line if it fits, otherwise with one line for each entry."""
    entries = list(entries)
    blank = " " if start.endswith("{") else ""
    flat = f"{start}{blank}{', '.join(entries)}{blank}{end}"
    if code_width(flat) <= SCRIPT_WIDTH:
        return flat
    return "\n".join([start, *(f"{SCRIPT_INDENT}{entry}," for entry in entries), end])
