"""The lines of a layout as Python: `if` statements, broken as `ruff format` does."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from itertools import pairwise

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.emit.layout import CodeLine
from treerules.emit.python.python_literals import (
    INDENT,
    WIDTH,
    Braces,
    assignment,
    code_width,
    number_text,
    python_literal,
)
from treerules.rules.rule import Condition, named_categories
from treerules.rules.shared_conditions import Constraint


@frozen
class PythonCode:
    """The body of a function that finds the rule of a row, line by line, and the constants that it names."""

    #: assignments of dates, timestamps and long sets of categories
    constants: tuple[str, ...] = field(converter=as_tuple)
    lines: tuple[str, ...] = field(converter=as_tuple)
    #: whether the last line has a test, so an error must follow it
    falls_through: bool


class _Constants:
    """Names for literals that are slow to build or too long for a line; equal literals get one name."""

    def __init__(self, room: int) -> None:
        #: the number of columns that a test may have
        self.room = room
        self.names: dict[str, str] = {}
        self.statements: list[str] = []
        #: tests that end in a set: the text before it, and the set
        self.sets: dict[str, tuple[str, Braces]] = {}

    def moment_name(self, value: date) -> str:
        """Return the constant name of a date or timestamp: D20240321, T20240321T202109Z."""
        name = "D" + value.isoformat().replace("-", "")
        if isinstance(value, datetime):
            name = "T" + value.replace(tzinfo=None).isoformat().replace("-", "").replace(":", "").replace(".", "_")
            name += "Z" if value.tzinfo else ""
        if name not in self.names:
            self.names[name] = name
            self.statements.append(assignment(name, value))
        return name

    def with_set_name(self, test: str) -> str:
        """Return a test with the name of the set at its end."""
        start, values = self.sets.get(test, ("", Braces()))
        return f"{start} {self.set_name(values)}" if values else test

    def set_name(self, values: Braces) -> str:
        """Return the name of a set: G1, G2, ..."""
        key = repr(values)
        if key not in self.names:
            self.names[key] = f"G{len(self.statements) + 1}"
            self.statements.append(assignment(self.names[key], values))
        return self.names[key]


def code_of(schema: Schema, lines: Sequence[CodeLine], constraints: Mapping[int, Constraint]) -> PythonCode:
    """Return the code of a layout.

    A variable is f and the position of its feature in the schema. A missing value is NAN or MISSING in an ordered
    feature, where all comparisons with it are false, and None in categories.

    Args:
        schema: the features.
        lines: the lines of the layout.
        constraints: `constraints_of` the lines.
    """
    indices = {feature.name: index for index, feature in enumerate(schema.features)}
    constants = _Constants(WIDTH - len(INDENT) * (max(line.depth for line in lines) + 2) - len("and "))
    tests = {
        key: _test(constraint, f"f{indices[constraint.feature.name]}", constants)
        for key, constraint in constraints.items()
    }
    code: list[str] = []
    operands: list[str] = []
    for line in lines:
        if line.step in ("when", "else"):
            # a test that is always true is left out; a line with only such tests is true of every row
            operands = _chained([test for pair in line.conditions if (test := tests[id(pair)]) != "True"])
            indent = INDENT * (line.depth + 1)
            code += _if_lines(operands, indent, constants) if operands else []
            if line.number is not None:
                code.append(f"{indent}{INDENT if operands else ''}return {line.number}")
            elif not operands:
                code.append(f"{indent}if True:")
    return PythonCode(constants.statements, code, bool(operands))


def _chained(operands: list[str]) -> list[str]:
    """Return operands without pairs that a linter would chain: `a <= D and D < b` becomes `a <= D < b`.

    A negated operand stays as it is: `not a <= D < b` would negate both.
    """
    chained: list[str] = []
    for operand in operands:
        name, _, rest = operand.partition(" ")
        if chained and name[:1] in "DT" and chained[-1].endswith(f"<= {name}") and not chained[-1].startswith("not "):
            chained[-1] += f" {rest}"
        else:
            chained.append(operand)
    return chained


def _if_lines(operands: list[str], indent: str, constants: _Constants) -> list[str]:
    """Return the lines of an `if`: one line if it fits, otherwise parentheses with one operand a line."""
    test = " and ".join(operands)
    if _fits(indent, test):
        return [f"{indent}if {test}:"]
    inner = indent + INDENT
    if len(operands) > 1:
        operands = [*operands[:-1], constants.with_set_name(operands[-1])]  # formatters break lines in sets first
        test = " and ".join(operands)
        if _fits(indent, test):
            return [f"{indent}if {test}:"]
    elif test.startswith("not ("):
        return [f"{indent}if not (", *(inner + line.strip() for line in _broken(test, "")[1:-1]), f"{indent}):"]
    parts = [operands[0], *(f"and {operand}" for operand in operands[1:])]
    lines: list[str] = []
    for part in parts:
        joiner = "and " if len(parts) > 1 else ""
        lines += [part] if len(inner) + code_width(part) <= WIDTH else _broken(part, joiner)
    return [f"{indent}if (", *(inner + line for line in lines), f"{indent}):"]


def _fits(indent: str, test: str) -> bool:
    """Return whether `if TEST:` fits on a line."""
    return len(indent) + code_width(test) + len("if :") <= WIDTH


def _broken(test: str, joiner: str) -> list[str]:
    """Return the lines of a comparison that is too long for one, broken before its operators."""
    if test.removeprefix(joiner).startswith("not ("):
        start, _, rest = test.partition("(")
        first, _, second = rest[:-1].partition(" or ")
        return [f"{start}(", INDENT + first, f"{INDENT}or {second}", ")"]
    words = test.removeprefix(joiner).split(" ")
    operators = [index for index, word in enumerate(words) if word in ("<=", "<", ">", "in", "==", "!=")]
    starts = [index - (words[index - 1] == "not" and index > 1) for index in operators]
    edges = [0, *starts, len(words)]
    parts = [" ".join(words[start:end]) for start, end in pairwise(edges)]
    return [joiner * test.startswith(joiner) + parts[0], *parts[1:]]


def _test(constraint: Constraint, variable: str, constants: _Constants) -> str:
    if constraint.feature.is_ordered:
        return _interval_test(constraint, variable, constants)
    return _category_test(constraint.feature, variable, constraint.condition, constants)


def _interval_test(constraint: Constraint, variable: str, constants: _Constants) -> str:
    """Return a comparison. A missing value is NAN or MISSING: `not x > b` is true of it, `x <= b` is false."""
    missing = constraint.condition.missing
    if constraint.condition.values is None:
        return f"not {variable} <= {_highest(constraint, constants)}" if missing else "False"
    above, upto = _bounds(constraint, constants)
    if above is None and upto is None:
        return "True" if missing else f"{variable} <= {_highest(constraint, constants)}"
    if above is None:
        return f"not {variable} > {upto}" if missing else f"{variable} <= {upto}"
    if upto is None:
        return f"not {variable} <= {above}" if missing else f"{variable} > {above}"
    if missing:
        return f"not ({variable} <= {above} or {variable} > {upto})"
    return f"{above} < {variable} <= {upto}"


def _highest(constraint: Constraint, constants: _Constants) -> str:
    """Return an upper bound of all values of a feature, as a Python expression."""
    highest = constraint.feature.highest
    return constants.moment_name(highest) if isinstance(highest, date) else "INF"


def _bounds(constraint: Constraint, constants: _Constants) -> tuple[str | None, str | None]:
    """Return the bounds of an interval as Python expressions."""
    if constraint.feature.scalar in ("number", "integer"):
        return (
            None if constraint.lower is None else number_text(constraint.lower),
            None if constraint.upper is None else number_text(constraint.upper),
        )
    interval = constraint.condition.values
    assert isinstance(interval, Interval)
    above, upto = (None if bound is None else constants.moment_name(bound) for bound in (interval.above, interval.upto))
    return above, upto


def _category_test(feature: Feature, variable: str, condition: Condition, constants: _Constants) -> str:
    """Return a membership test. A missing value is None, an unseen value is in no set."""
    categories, is_complement = named_categories(feature, condition)
    values = [*categories, *([None] if condition.missing is not is_complement else [])]
    if not values:
        return str(is_complement)
    start = f"{variable} {'not in' if is_complement else 'in'}"
    if len(values) == 1:
        is_singleton = values[0] is None or isinstance(values[0], bool)
        equal, differs = ("is", "is not") if is_singleton else ("==", "!=")
        literal = constants.moment_name(values[0]) if isinstance(values[0], date) else python_literal(values[0])
        test = f"{variable} {differs if is_complement else equal} {literal}"
    else:
        test = f"{start} {{{', '.join(map(python_literal, values))}}}"
        constants.sets[test] = start, Braces(values)
    return test if code_width(test) <= constants.room else f"{start} {constants.set_name(Braces(values))}"
