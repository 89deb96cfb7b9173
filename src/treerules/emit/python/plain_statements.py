"""The lines of a layout as plain Python: `if` statements on variables that are named like the columns.

A missing value is None. A row that is missing or at most 5 is `x is None or x <= 5`.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.emit.layout import CodeLine
from treerules.emit.python.if_lines import alternative_lines, broken_comparison, fits
from treerules.emit.python.python_literals import INDENT, WIDTH, code_width
from treerules.emit.python.statements import (
    Constants,
    category_test,
    interval_tests,
)
from treerules.rules.shared_conditions import Constraint, ConstraintWriters, by_identity

#: A test of several intervals of a variable that may be None; formatters break its parentheses alone.
_SEVERAL = re.compile(r"(\S+ is not None) and \((.*)\)")
#: The number of columns that a set in a test may reach to; a longer one gets a name.
_ROOM = 72


@frozen
class PlainCode:
    """The body of a function that finds the rule of a row, line by line, and what it names."""

    #: assignments of dates, timestamps and long sets of categories
    constants: tuple[str, ...] = field(converter=as_tuple)
    lines: tuple[str, ...] = field(converter=as_tuple)
    #: whether the last line has a test, so an error must follow it
    falls_through: bool
    #: the names of the columns whose variables the lines test
    tested: frozenset[str]


def plain_code(
    lines: Sequence[CodeLine],
    writers: ConstraintWriters,
    variables: Mapping[str, str],
    answer: Callable[[int, str], list[str]],
    constants: Constants | None = None,
) -> PlainCode:
    """Return the code of a layout.

    Args:
        lines: the lines of the layout.
        writers: the `constraint_writers` of the schema.
        variables: the variable of each feature with a condition, by its name.
        answer: returns the lines that answer with a rule, given its number and the indent.
        constants: the names that the code shares with other code, which are added to; None for new ones.
    """
    constants = new_constants(lines) if constants is None else constants
    pairs = by_identity(pair for line in lines for pair in line.conditions)
    tests = {key: _test(writers[name](of), variables[name], constants) for key, (name, of) in pairs.items()}
    code: list[str] = []
    always = False
    for depth, step, conditions, number in lines:
        if step in ("when", "else"):
            # a test that is always true is left out; a line with only such tests is true of every row
            operands = [test for pair in conditions if (test := tests[id(pair)]) != "True"]
            indent = INDENT * (depth + 1)
            always = not operands
            opened, inner = _if_lines(operands, indent) if operands else ([], indent)
            code += opened
            if number is not None:
                code += answer(number, inner)
            elif always:
                code.append(f"{indent}if True:")
    tested = (name for key, (name, _) in pairs.items() if tests[key] not in ("True", "False"))
    return PlainCode(constants.statements, code, not always, frozenset(tested))


def new_constants(lines: Sequence[CodeLine]) -> Constants:
    """Return no names yet, with the room that tests have in lines."""
    return Constants(_ROOM - len(INDENT) * (max(line.depth for line in lines) + 1))


def _if_lines(operands: Sequence[str], indent: str) -> tuple[list[str], str]:
    """Return the lines of an `if`, and the indent of what it holds. Tests that do not fit on a line are nested."""
    if len(operands) > 1:
        test = " and ".join(f"({operand})" if " or " in operand else operand for operand in operands)
        if fits(indent, test):
            return [f"{indent}if {test}:"], indent + INDENT
    code: list[str] = []
    for operand in operands:
        code += _single_test(operand, indent)
        indent += INDENT
    return code, indent


def _single_test(operand: str, indent: str) -> list[str]:
    """Return the lines of an `if` with one test."""
    if fits(indent, operand):
        return [f"{indent}if {operand}:"]
    inner = indent + INDENT
    if union := _SEVERAL.fullmatch(operand):
        opening, inside = f"{indent}if {union[1]} and (", union[2]
        if code_width(opening) <= WIDTH:
            lines = [inner + inside] if fits(inner, inside, rest="") else alternative_lines(inside, inner)
            return [opening, *lines, f"{indent}):"]
    joiner = min(("or", "and"), key=lambda word: f"{operand} {word} ".index(f" {word} "))  # the first in the text
    first, *others = operand.split(f" {joiner} ")
    lines = [first]
    if not others:  # the name of the variable is too long
        return [f"{indent}if (", *(inner + line for line in broken_comparison(first, "")), f"{indent}):"]
    for other in others:
        part = f"{joiner} {other}"
        lines += [part] if fits(inner, part, rest="") else broken_comparison(part, f"{joiner} ")
    return [f"{indent}if (", *(inner + line for line in lines), f"{indent}):"]


def _test(constraint: Constraint, variable: str, constants: Constants) -> str:
    """Return the test of a condition; "True" if every value meets it."""
    if not constraint.feature.is_ordered:
        return category_test(constraint.feature, variable, constraint.condition, constants)
    missing = constraint.condition.missing
    if constraint.condition.values is None:
        return f"{variable} is None" if missing else "False"
    inside = interval_tests(constraint, variable, constants)
    if not inside:
        return "True" if missing else f"{variable} is not None"
    compared = " or ".join(inside)
    if missing:
        return f"{variable} is None or {compared}"
    return f"{variable} is not None and {f'({compared})' if len(inside) > 1 else compared}"
