"""Rules as a Python module that needs nothing but the standard library."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, cast, overload

from attrs import frozen

from treerules import convert
from treerules.emit.layout import Layout, Line, laid_out, predictions_of
from treerules.emit.opening import opening_of
from treerules.emit.templates import rendered
from treerules.emit.wording import rule_texts
from treerules.nodes import garbage_uncollected
from treerules.parts import Label, Prediction
from treerules.rules import FIGURES, Asked, Condition, Figures, Interval, RuleSet, asked_of, distinct, listed
from treerules.schema import Feature, Schema
from treerules.tree import Tree


@frozen
class Load:
    """How a cell becomes the value that the tests see: what needs no conversion, and what converts the rest."""

    #: holds for a value that is already one of the column's, with {v} for the variable; "" where none is sure to be
    exact: str
    #: the call that converts, with {v} for the variable and {name} for the column
    converted: str
    #: what a missing value becomes: all comparisons with NAN and MISSING are false
    hole: str = "None"


_INT64 = "{v}.__class__ is int and -0x8000000000000000 <= {v} <= 0x7FFFFFFFFFFFFFFF"
_LOADS = {
    "number": Load("{v}.__class__ is float", "number({v}, {name})", "NAN"),
    "integer": Load(_INT64, "integer({v}, {name})", "NAN"),
    "boolean": Load("{v} is True or {v} is False", "boolean({v}, {name})"),
    "text": Load("{v}.__class__ is str", "text({v}, {name})"),
    "date": Load("{v}.__class__ is date", "day({v}, {name})", "MISSING"),
    "timestamp": Load("", "moment({v}, {name}, False)", "MISSING"),
    "timestamp_utc": Load("", "moment({v}, {name}, True)", "MISSING"),
}


@overload
def to_python(source: Tree | RuleSet, *, layout: Layout = ..., templates: str | Path | None = ...) -> str: ...


@overload
def to_python(*, layout: Layout = ..., templates: str | Path | None = ...) -> Callable[[Tree | RuleSet], str]: ...


def to_python(
    source: Tree | RuleSet | None = None, *, layout: Layout = "auto", templates: str | Path | None = None
) -> Any:
    """Return a Python module with predict(row), explain(row), RULES and, for a classification, predict_proba(row).

    Rows are mappings: a missing key is a missing value, an extra one is ignored, a value of the wrong kind is a
    TypeError that names its column. Without a source, returns the function that waits for one.

    Raises:
        NotAPartitionError: an edited rule set is not exclusive and complete.
        OptionError: the guarded layout is asked of an edited rule set.
    """
    if source is None:
        return lambda source: to_python(source, layout=layout, templates=templates)
    return _module(*laid_out(source, layout), templates)


@garbage_uncollected()
def _module(rules: RuleSet, lines: list[Line], templates: str | Path | None) -> str:
    schema = rules.schema
    asked = asked_of(schema, (rule.conditions for rule in rules.rules))
    questions = asked_of(schema, (line.conditions for line in lines), asked)
    code, falls_through = _code(schema, lines, questions)
    indices = sorted({schema.index(found.feature.name) for found in questions.values()})
    loads = [_load(index, schema.features[index]) for index in indices]
    predictions = predictions_of(rules)
    values = _value_texts(predictions.values())
    return rendered(
        "python/module.py.j2",
        templates,
        opening=opening_of(rules, "python", asked),
        helpers=_helpers(loads),
        has_moments=any(load["hole"] == "MISSING" for load in loads),
        target=python_literal(schema.target.name if schema.target else None),
        classes=None if schema.is_regression else _tuple(schema.classes),
        rules=_rule_lines(rules, asked),
        predictions=[f"    {number}: {values[id(found.value)]}," for number, found in predictions.items()],
        shares=[f"    {number}: {_shares(found)}," for number, found in predictions.items()],
        loads=loads,
        lines=code,
        falls_through=falls_through,
    )


def python_literal(value: Any) -> str:
    """Return a Python expression of a value: it reads back exactly, and holds no character that cannot be printed.

    >>> python_literal("it's"), python_literal(0.1), python_literal(float("-inf")), python_literal(date(2024, 3, 21))
    ('"it\\'s"', '0.1', '-INF', 'date(2024, 3, 21)')
    """
    if isinstance(value, float):
        return {float("inf"): "INF", float("-inf"): "-INF"}.get(value) or repr(value)
    if isinstance(value, datetime):
        fields = [value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond]
        zone = ", timezone.utc" if value.tzinfo else ""
        return f"datetime({', '.join(map(str, fields))}{zone})"
    if isinstance(value, date):
        return f"date({value.year}, {value.month}, {value.day})"
    return repr(value)


def _tuple(values: Iterable[Any]) -> str:
    return "(" + "".join(f"{python_literal(value)}, " for value in values).rstrip(" ") + ")"


def _shares(prediction: Prediction) -> str | None:
    if not isinstance(prediction, Label):
        return None
    shares = prediction.probabilities
    text = repr(shares)
    # what `_tuple` makes of some floats that are numbers
    return f"{text[:-1].removesuffix(',')},)" if shares and "n" not in text else _tuple(shares)


def _rule_lines(rules: RuleSet, asked: Mapping[int, Asked]) -> list[str]:
    """Return the records of the rules, each on its line."""
    texts = map(repr, rule_texts(rules.schema, rules.rules, asked))
    figures = {key: _figures_text(found) for key, found in distinct(rule.figures for rule in rules.rules).items()}
    values = _value_texts(rule.prediction for rule in rules.rules)
    record = '    {{"rule": {}, "text": {}, "value": {}, {}}},'.format
    return [
        record(rule.number, text, values[id(rule.prediction.value)], figures[id(rule.figures)])
        for rule, text in zip(rules.rules, texts, strict=True)
    ]


def _value_texts(predictions: Iterable[Prediction]) -> dict[int, str]:
    values = distinct(prediction.value for prediction in predictions)
    return {key: python_literal(value) for key, value in values.items()}


def _figures_text(figures: Figures) -> str:
    return ", ".join(f'"{name}": {python_literal(getattr(figures, name))}' for name in FIGURES)


def _load(index: int, feature: Feature) -> dict[str, str]:
    load, variable, name = _LOADS[feature.scalar], f"f{index}", python_literal(feature.name)
    hole = load.hole if feature.is_ordered else "None"
    exact = load.exact.format(v=variable)
    if feature.scalar == "number" and not feature.is_ordered:
        exact += f" and {variable} == {variable}"
    return {
        "variable": variable,
        "name": name,
        "exact": exact,
        "converted": load.converted.replace("{v}", variable).replace("{name}", name),
        "hole": hole,
    }


def _helpers(loads: Iterable[dict[str, str]]) -> list[str]:
    """Return the source of the conversions in use: the very functions that a Table uses."""
    used = {re.match(r"\w+", load["converted"])[0] for load in loads}  # type: ignore[index]
    if not used:
        return []
    wanted: list[Callable[..., Any]] = [convert.refused, convert.plain]
    wanted += [convert.number, convert.integer, convert.boolean, convert.text, convert.day, convert.moment]
    sources = [inspect.getsource(f) for f in wanted if f.__name__ in used | {"refused", "plain"}]
    return [re.sub(r"  # noqa.*", "", source).rstrip() for source in sources]


def _code(schema: Schema, lines: list[Line], asked: Mapping[int, Asked]) -> tuple[list[str], bool]:
    """Return the lines of the function that asks the questions, and whether the last of them asks one."""
    variables = {feature.name: f"f{index}" for index, feature in enumerate(schema.features)}
    tests = {key: _test(found, variables[found.feature.name]) for key, found in asked.items()}
    tests = {key: "" if test == "True" else test for key, test in tests.items()} if "True" in tests.values() else tests
    code, test = [], "True"
    for line in lines:
        if line.step in ("when", "else"):
            test = " and ".join(filter(None, [tests[id(pair)] for pair in line.conditions])) or "True"
            question = f"if {test}:" if line.number is None else "" if test == "True" else f"if {test}: "
            answer = "" if line.number is None else f"return {line.number}"
            code.append(f"{'    ' * (line.depth + 1)}{question}{answer}")
    return code, test != "True"


def _test(asked: Asked, variable: str) -> str:
    if asked.feature.is_ordered:
        return _line_test(asked, variable)
    return _set_test(asked.feature, variable, asked.condition)


def _line_test(asked: Asked, v: str) -> str:
    """Return a comparison. Missing is NAN or MISSING here, so `not v > b` is true of it and `v <= b` is not."""
    missing = asked.condition.missing
    if asked.condition.values is None:
        return f"{v} != {v}" if missing else "False"
    above, upto = _bounds(asked)
    if above is None and upto is None:
        return "True" if missing else f"{v} == {v}"
    if above is None:
        return f"not {v} > {upto}" if missing else f"{v} <= {upto}"
    if upto is None:
        return f"not {v} <= {above}" if missing else f"{v} > {above}"
    return f"not ({v} <= {above} or {v} > {upto})" if missing else f"{above} < {v} <= {upto}"


_INFINITE = ("inf", "-inf")


def _bounds(asked: Asked) -> tuple[str | None, str | None]:
    """Return the bounds of an interval as Python expressions: `repr` is one, but for infinities and dates."""
    above, upto = asked.above, asked.upto
    if asked.feature.scalar in ("number", "integer") and above not in _INFINITE and upto not in _INFINITE:
        return above, upto
    values = cast(Interval, asked.condition.values)
    above, upto = (None if b is None else python_literal(b) for b in (values.above, values.upto))
    return above, upto


def _set_test(feature: Feature, v: str, condition: Condition) -> str:
    """Return a membership. Missing is None here, unseen is whatever is in no set."""
    named, left = listed(feature, condition)
    values = [*named, *([None] if condition.missing is not left else [])]
    return _membership(v, values, "!=", "not in", "True") if left else _membership(v, values, "==", "in", "False")


def _membership(v: str, values: list[Any], one: str, many: str, none: str) -> str:
    if not values:
        return none
    if values == [None]:
        return f"{v} is None" if one == "==" else f"{v} is not None"
    if len(values) == 1:
        return f"{v} {one} {python_literal(values[0])}"
    return f"{v} {many} {{{', '.join(python_literal(value) for value in values)}}}"
