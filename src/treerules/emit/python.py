"""Rules as a Python module that needs nothing but the standard library."""

import inspect
import re
from collections.abc import Callable, Iterable
from datetime import date, datetime
from pathlib import Path
from typing import Any, cast, overload

from attrs import frozen

from treerules import convert
from treerules._version import __version__
from treerules.emit.layout import Asked, Layout, Line, digest_of, laid_out, predictions_of
from treerules.emit.templates import rendered
from treerules.emit.wording import rule_text
from treerules.parts import Label, Prediction
from treerules.rules import FIGURES, Condition, Interval, Rule, RuleSet, listed
from treerules.schema import Feature
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
    rules, lines = laid_out(source, layout)
    features = _asked_features(rules, lines)
    loads = [_load(index, feature) for index, feature in features]
    return rendered(
        "python/module.py.j2",
        templates,
        version=__version__,
        n_rules=len(rules),
        digest=digest_of(rules),
        helpers=_helpers(loads),
        has_moments=any(load["hole"] == "MISSING" for load in loads),
        target=python_literal(rules.schema.target.name if rules.schema.target else None),
        classes=None if rules.schema.is_regression else _tuple(rules.schema.classes),
        rules=[_rule_fields(rules, rule) for rule in rules.rules],
        predictions=[
            {"number": number, "value": python_literal(p.value), "shares": _shares(p)}
            for number, p in predictions_of(rules).items()
        ],
        loads=loads,
        lines=[_printed(rules, line) for line in lines if line.step in ("when", "else")],
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
    return _tuple(prediction.probabilities) if isinstance(prediction, Label) else None


def _rule_fields(rules: RuleSet, rule: Rule) -> dict[str, str]:
    figures = {name: python_literal(getattr(rule.figures, name)) for name in FIGURES}
    text = python_literal(rule_text(rules.schema, rule))
    return {"rule": str(rule.number), "text": text, "value": python_literal(rule.value), **figures}


def _asked_features(rules: RuleSet, lines: Iterable[Line]) -> list[tuple[int, Feature]]:
    asked = {index for line in lines for index, _ in line.conditions}
    return [(index, rules.schema.features[index]) for index in sorted(asked)]


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


def _printed(rules: RuleSet, line: Line) -> dict[str, Any]:
    return {"depth": line.depth, "step": line.step, "test": _all(rules, line.conditions), "number": line.number}


def _all(rules: RuleSet, asked: Asked) -> str:
    tests = [_test(rules.schema.features[index], f"f{index}", condition) for index, condition in asked]
    return " and ".join(test for test in tests if test != "True") or "True"


def _test(feature: Feature, variable: str, condition: Condition) -> str:
    if feature.is_ordered:
        return _line_test(variable, condition)
    return _set_test(feature, variable, condition)


def _line_test(v: str, condition: Condition) -> str:
    """Return a comparison. Missing is NAN or MISSING here, so `not v > b` is true of it and `v <= b` is not."""
    if condition.values is None:
        return f"{v} != {v}" if condition.missing else "False"
    interval = cast(Interval, condition.values)
    above, upto = (None if b is None else python_literal(b) for b in (interval.above, interval.upto))
    if above is None and upto is None:
        return "True" if condition.missing else f"{v} == {v}"
    if above is None:
        return f"not {v} > {upto}" if condition.missing else f"{v} <= {upto}"
    if upto is None:
        return f"not {v} <= {above}" if condition.missing else f"{v} > {above}"
    return f"not ({v} <= {above} or {v} > {upto})" if condition.missing else f"{above} < {v} <= {upto}"


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
