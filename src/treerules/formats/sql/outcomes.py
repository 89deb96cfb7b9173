"""The outcomes of the branches of a CASE as the target of its rules."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from attrs import frozen

from treerules.data.schema import Feature, Kind
from treerules.errors import did_you_mean, listed
from treerules.sql.literals import NULL, SqlLiteral

_SCALARS = {
    "text": "text",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamp",
    "timestamp_utc": "timestamp_utc",
}


@frozen
class Outcome:
    """The outcome of a branch: its SQL, and its value if it is a literal, else None."""

    value: SqlLiteral | None
    sql: str


@frozen
class Target:
    """The target of rules, and the class or number of each outcome, by its SQL."""

    feature: Feature
    classes: Mapping[str, Any]


@frozen
class Misfit(Exception):
    """An outcome that is not a class of the declared target. The reader converts it to a ParseError."""

    sql: str
    problem: str
    remedy: str


def infer_target(outcomes: Sequence[Outcome], name: str, declared: Feature | None, *, is_truth: bool = False) -> Target:
    """Return the target of outcomes: of the type of the literals if all have the same type, else text.

    `is_truth` is whether 1 and 0 are truth values in the dialect.

    Raises:
        Misfit: an outcome is not a class of the declared target.
    """
    if declared is not None:
        return _declared(outcomes, declared, is_truth)
    kinds = {None if outcome.value is None else outcome.value.kind for outcome in outcomes}
    values = {outcome.sql: outcome.value.value for outcome in outcomes if outcome.value is not None}
    if kinds == {"number"}:
        target = _numbers(name, values)
        if target is not None:
            return target
    kind = next(iter(kinds)) if len(kinds) == 1 else None
    if kind in _SCALARS:
        classes = sorted(set(values.values()))
        return Target(Feature(name, Kind.CATEGORY, classes, _SCALARS[str(kind)]), values)
    return _as_text(outcomes, name)


def _numbers(name: str, values: Mapping[str, Any]) -> Target | None:
    """Return a number target; an integer category if doubles would lose digits; None if the values fit neither."""
    numbers = list(values.values())
    is_exact = all(isinstance(number, Decimal) for number in numbers)
    if is_exact and len({float(number) for number in numbers}) == len(set(numbers)):
        is_whole = all(number == number.to_integral_value() for number in numbers)
        if not is_whole or all(Decimal(float(number)) == number for number in numbers):
            return Target(Feature(name, Kind.NUMBER), {sql: float(number) + 0.0 for sql, number in values.items()})
    if is_exact and all(number == number.to_integral_value() and abs(number) < 2**63 for number in numbers):
        integers = {sql: int(number) for sql, number in values.items()}
        return Target(Feature(name, Kind.CATEGORY, sorted(set(integers.values())), "integer"), integers)
    return None


def _as_text(outcomes: Sequence[Outcome], name: str) -> Target:
    """Return a target of text: the value of a text literal, unless the SQL of another outcome is the same text."""
    other_texts = {
        _outcome_text(outcome) for outcome in outcomes if outcome.value is None or outcome.value.kind != "text"
    }
    texts = {str(outcome.value.value) for outcome in outcomes if outcome.value and outcome.value.kind == "text"}
    is_plain = not other_texts & texts
    classes = {}
    for outcome in outcomes:
        is_text = outcome.value is not None and outcome.value.kind == "text" and is_plain
        classes[outcome.sql] = str(outcome.value.value) if is_text and outcome.value else _outcome_text(outcome)
    return Target(Feature(name, Kind.CATEGORY, sorted(set(classes.values()))), classes)


def _outcome_text(outcome: Outcome) -> str:
    return "NULL" if outcome.value == NULL else outcome.sql


def _declared(outcomes: Sequence[Outcome], target: Feature, is_truth: bool) -> Target:
    classes: dict[str, Any] = {}
    for outcome in outcomes:
        value: Any = None if outcome.value is None else outcome.value.value
        if target.kind in (Kind.NUMBER, Kind.INTEGER):
            if outcome.value is None or outcome.value.kind != "number":
                raise Misfit(
                    outcome.sql, f"{outcome.sql} is not a number, as target {target.name!r} is", "declare it text"
                )
            classes[outcome.sql] = float(value)
            continue
        if isinstance(value, Decimal) and target.scalar == "boolean" and is_truth and value in (0, 1):
            value = bool(value)
        if isinstance(value, Decimal):
            value = float(value) if target.scalar == "number" else int(value) if value == int(value) else value
        if value is None and target.scalar == "text":
            value = _outcome_text(outcome)
        if isinstance(value, bool) is not (target.scalar == "boolean") or target.position(value) is None:
            hint = did_you_mean(value, [str(category) for category in target.categories])
            problem = f"{outcome.sql} is not a class of target {target.name!r}"
            raise Misfit(outcome.sql, problem, f"{hint}its classes: {listed(target.categories)}")
        classes[outcome.sql] = value
    return Target(target, classes)
