"""The lines of a layout as Python: `if` statements, broken as `ruff format` does."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.emit.layout import CodeLine
from treerules.emit.python.if_lines import GROUPS, if_lines
from treerules.emit.python.python_literals import (
    INDENT,
    WIDTH,
    Braces,
    assignment,
    code_width,
    number_text,
    python_literal,
)
from treerules.rules.bounds import Bound
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


class Constants:
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
    constants = Constants(WIDTH - len(INDENT) * (max(line.depth for line in lines) + 2) - len("and "))
    tests = {
        key: _test(constraint, f"f{indices[constraint.feature.name]}", constants)
        for key, constraint in constraints.items()
    }
    unions = {test for key, test in tests.items() if constraints[key].intervals and test.startswith(GROUPS)}
    code: list[str] = []
    operands: list[str] = []
    for line in lines:
        if line.step in ("when", "else"):
            # a test that is always true is left out; a line with only such tests is true of every row
            operands = _chained([test for pair in line.conditions if (test := tests[id(pair)]) != "True"])
            indent = INDENT * (line.depth + 1)
            code += if_lines(operands, unions, indent, constants.with_set_name) if operands else []
            if line.number is not None:
                refusal = f"raise outside(row, FEATURES[{-1 - line.number}])"
                answer = refusal if line.number < 0 else f"return {line.number}"
                code.append(f"{indent}{INDENT if operands else ''}{answer}")
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


def _test(constraint: Constraint, variable: str, constants: Constants) -> str:
    if constraint.feature.is_ordered:
        return _interval_test(constraint, variable, constants)
    return category_test(constraint.feature, variable, constraint.condition, constants)


def _interval_test(constraint: Constraint, variable: str, constants: Constants) -> str:
    """Return a comparison. A missing value is NAN or MISSING: `not x > b` is true of it, `x <= b` is false."""
    missing = constraint.condition.missing
    if constraint.condition.values is None:
        return f"not {variable} <= {_highest(constraint, constants)}" if missing else "False"
    if missing:
        outside = _outside_tests(constraint, variable, constants)
        if not outside:
            return "True"
        return f"not {outside[0]}" if len(outside) == 1 else f"not ({' or '.join(outside)})"
    inside = interval_tests(constraint, variable, constants) or [f"{variable} <= {_highest(constraint, constants)}"]
    return inside[0] if len(inside) == 1 else f"({' or '.join(inside)})"


def interval_tests(constraint: Constraint, variable: str, constants: Constants) -> list[str]:
    """Return the test of each interval of a condition; none if the only one has no bounds."""
    parts = constraint.intervals or (constraint,)
    return [comparison(variable, bounds) for part in parts if (bounds := compared_bounds(part, constants))]


def _outside_tests(constraint: Constraint, variable: str, constants: Constants) -> list[str]:
    """Return the tests of the values that a condition leaves out: below, between and above its intervals."""
    parts = constraint.intervals or (constraint,)
    bounds = [bound for part in parts for bound in compared_bounds(part, constants)]
    opposites = [ComparedBound(bound.opposite, bound.sign, bound.text) for bound in bounds]
    if len(parts) == 1:
        return [comparison(variable, [bound]) for bound in opposites]
    tests = [comparison(variable, [opposites.pop(0)])] if parts[0].lower is not None else []
    gaps = list(zip(opposites[::2], opposites[1::2], strict=False))  # the upper bound of one, the lower of the next
    tests += [comparison(variable, gap) for gap in gaps]
    return [*tests, *(comparison(variable, [bound]) for bound in opposites[2 * len(gaps) :])]


def comparison(variable: str, bounds: Sequence["ComparedBound"]) -> str:
    """Return the test that a known value lies within one bound or two: `x <= 5`, or `2 < x <= 5`."""
    if len(bounds) == 1:
        return f"{variable} {bounds[0].sign} {bounds[0].text}"
    lower, upper = bounds
    return f"{lower.text} {'<' if lower.sign == '>' else '<='} {variable} {upper.sign} {upper.text}"


def _highest(constraint: Constraint, constants: Constants) -> str:
    """Return an upper bound of all values of a feature, as a Python expression."""
    highest = constraint.feature.highest
    return constants.moment_name(highest) if isinstance(highest, date) else "INF"


class ComparedBound(NamedTuple):
    """The sign and the value with which a variable is compared, and the sign of the opposite."""

    sign: str
    opposite: str
    text: str


def compared_bounds(constraint: Constraint, constants: Constants) -> list[ComparedBound]:
    """Return the bounds that an interval has, the lower one first, spelled as rules spell them.

    `x <= 1.5899999999999999` is `x < 1.59`.
    """
    feature, lower, upper = constraint.feature, constraint.lower, constraint.upper
    interval = constraint.condition.values
    assert isinstance(interval, Interval)
    bounds = []
    if lower is not None:
        text = _bound_text(feature, interval.above, lower, constants)
        bounds.append(ComparedBound(">=", "<", text) if lower.after else ComparedBound(">", "<=", text))
    if upper is not None:
        text = _bound_text(feature, interval.upto, upper, constants)
        bounds.append(ComparedBound("<", ">=", text) if upper.after else ComparedBound("<=", ">", text))
    return bounds


def _bound_text(feature: Feature, value: Any, bound: Bound, constants: Constants) -> str:
    if feature.scalar in ("number", "integer"):
        return number_text(bound.after or bound.text)
    return constants.moment_name(value)


def category_test(feature: Feature, variable: str, condition: Condition, constants: Constants) -> str:
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
