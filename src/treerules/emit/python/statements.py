"""The questions of a layout as lines of Python: `if` statements as `ruff format` would break them."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from itertools import pairwise
from typing import cast

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.emit.layout import Line
from treerules.emit.python.python_literals import INDENT, WIDTH, Braces, assigned, number_text, python_literal, width
from treerules.rules.rule import Condition, listed
from treerules.rules.shared_conditions import Asked


@frozen
class Code:
    """What a function asks, line by line, and the constants that it names."""

    #: assignments of dates, timestamps and long sets of categories, each a statement
    constants: tuple[str, ...] = field(converter=as_tuple)
    lines: tuple[str, ...] = field(converter=as_tuple)
    #: whether the last line asks something, so that a function would fall through
    falls_through: bool


class _Constants:
    """Names for literals that are slow to build or too long for a line; each is given one name."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.names: dict[str, str] = {}
        self.statements: list[str] = []
        #: tests that end in a set: what is before it, and the set
        self.sets: dict[str, tuple[str, Braces]] = {}

    def moment(self, value: date) -> str:
        """Return the name of a date or timestamp: D20240321, T20240321T202109Z."""
        name = "D" + value.isoformat().replace("-", "")
        if isinstance(value, datetime):
            name = "T" + value.replace(tzinfo=None).isoformat().replace("-", "").replace(":", "").replace(".", "_")
            name += "Z" if value.tzinfo else ""
        if name not in self.names:
            self.names[name] = name
            self.statements.append(assigned(name, value))
        return name

    def brief(self, test: str) -> str:
        """Return a test with a name for the set at its end."""
        start, values = self.sets.get(test, ("", Braces()))
        return f"{start} {self.members(values)}" if values else test

    def members(self, values: Braces) -> str:
        """Return the name of a set: G1, G2, ..."""
        said = repr(values)
        if said not in self.names:
            self.names[said] = f"G{len(self.statements) + 1}"
            self.statements.append(assigned(self.names[said], values))
        return self.names[said]


def code_of(schema: Schema, lines: list[Line], asked: Mapping[int, Asked]) -> Code:
    """Return the code of a layout. Variables are f and the place of the feature in the schema.

    `asked` is `asked_of` the lines. Missing is NAN or MISSING in what is cut, with which every comparison is false, and
    None in categories.
    """
    indices = {feature.name: index for index, feature in enumerate(schema.features)}
    constants = _Constants(WIDTH - len(INDENT) * (max(line.depth for line in lines) + 2) - len("and "))
    tests = {key: _test(found, f"f{indices[found.feature.name]}", constants) for key, found in asked.items()}
    code: list[str] = []
    operands: list[str] = []
    for line in lines:
        if line.step in ("when", "else"):
            # what is always true is left out; in a rule it is true of all rows together
            operands = _chained([test for pair in line.conditions if (test := tests[id(pair)]) != "True"])
            indent = INDENT * (line.depth + 1)
            code += _if(operands, indent, constants) if operands else []
            if line.number is not None:
                code.append(f"{indent}{INDENT if operands else ''}return {line.number}")
            elif not operands:
                code.append(f"{indent}if True:")
    return Code(constants.statements, code, bool(operands))


def _chained(operands: list[str]) -> list[str]:
    """Return operands of which no two are one comparison to a linter: `a <= D and D < b` is `a <= D < b`.

    What is denied stays by itself: `not a <= D < b` would deny both.
    """
    found: list[str] = []
    for operand in operands:
        name, _, rest = operand.partition(" ")
        if found and name[:1] in "DT" and found[-1].endswith(f"<= {name}") and not found[-1].startswith("not "):
            found[-1] += f" {rest}"
        else:
            found.append(operand)
    return found


def _if(operands: list[str], indent: str, constants: _Constants) -> Iterable[str]:
    """Return the lines of an `if`: on one line where it fits, else in parentheses, an operand a line."""
    test = operands[0] if len(operands) == 1 else " and ".join(operands)
    if len(indent) + width(test) + 4 <= WIDTH:
        return (f"{indent}if {test}:",)
    inner = indent + INDENT
    if len(operands) == 1:
        if test.startswith("not ("):
            return (f"{indent}if not (", *(inner + line.strip() for line in _broken(test, "")[1:-1]), f"{indent}):")
        broken = [test] if len(inner) + width(test) <= WIDTH else _broken(test, "")
    else:
        operands = [*operands[:-1], constants.brief(operands[-1])]  # a set at the end would be broken first
        test = " and ".join(operands)
        if len(indent) + width(test) + 4 <= WIDTH:
            return (f"{indent}if {test}:",)
        broken = [operands[0], *(f"and {operand}" for operand in operands[1:])]
        broken = [
            part for line in broken for part in ([line] if len(inner) + width(line) <= WIDTH else _broken(line, "and "))
        ]
    return (f"{indent}if (", *(inner + line for line in broken), f"{indent}):")


def _broken(test: str, joiner: str) -> list[str]:
    """Return a comparison that is too long for a line, broken before its operator."""
    if test.removeprefix(joiner).startswith("not ("):
        start, _, rest = test.partition("(")
        first, _, second = rest[:-1].partition(" or ")
        return [f"{start}(", INDENT + first, f"{INDENT}or {second}", ")"]
    words = test.removeprefix(joiner).split(" ")
    operators = [place for place, word in enumerate(words) if word in ("<=", "<", ">", "in", "==", "!=")]
    starts = [place - (words[place - 1] == "not" and place > 1) for place in operators]
    edges = [0, *starts, len(words)]
    parts = [" ".join(words[a:b]) for a, b in pairwise(edges)]
    return [joiner * test.startswith(joiner) + parts[0], *parts[1:]]


def _test(asked: Asked, variable: str, constants: _Constants) -> str:
    if asked.feature.is_ordered:
        return _line_test(asked, variable, constants)
    return _set_test(asked.feature, variable, asked.condition, constants)


def _line_test(asked: Asked, v: str, constants: _Constants) -> str:
    """Return a comparison. Missing is NAN or MISSING here, so `not v > b` is true of it and `v <= b` is not."""
    missing = asked.condition.missing
    if asked.condition.values is None:
        return f"not {v} <= {_last(asked, constants)}" if missing else "False"
    above, upto = _bounds(asked, constants)
    if above is None and upto is None:
        return "True" if missing else f"{v} <= {_last(asked, constants)}"
    if above is None:
        return f"not {v} > {upto}" if missing else f"{v} <= {upto}"
    if upto is None:
        return f"not {v} <= {above}" if missing else f"{v} > {above}"
    return f"not ({v} <= {above} or {v} > {upto})" if missing else f"{above} < {v} <= {upto}"


def _last(asked: Asked, constants: _Constants) -> str:
    """Return what every known value is at most."""
    highest = asked.feature.highest
    return constants.moment(highest) if isinstance(highest, date) else "INF"


def _bounds(asked: Asked, constants: _Constants) -> tuple[str | None, str | None]:
    """Return the bounds of an interval as Python expressions."""
    if asked.feature.scalar in ("number", "integer"):
        return (
            None if asked.above is None else number_text(asked.above),
            None if asked.upto is None else number_text(asked.upto),
        )
    values = cast(Interval, asked.condition.values)
    above, upto = (None if bound is None else constants.moment(bound) for bound in (values.above, values.upto))
    return above, upto


def _set_test(feature: Feature, v: str, condition: Condition, constants: _Constants) -> str:
    """Return a membership. Missing is None here, unseen is whatever is in no set."""
    named, left = listed(feature, condition)
    values = [*named, *([None] if condition.missing is not left else [])]
    if not values:
        return str(left)
    start = f"{v} {'not in' if left else 'in'}"
    if len(values) == 1:
        is_same, other = ("is", "is not") if values[0] is None or isinstance(values[0], bool) else ("==", "!=")
        literal = constants.moment(values[0]) if isinstance(values[0], date) else python_literal(values[0])
        said = f"{v} {other if left else is_same} {literal}"
    else:
        said = f"{start} {{{', '.join(map(python_literal, values))}}}"
        constants.sets[said] = start, Braces(values)
    return said if width(said) <= constants.room else f"{start} {constants.members(Braces(values))}"
