"""Values, conditions and rules in words. They are exact, never rounded; figures are rounded."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from math import isinf
from typing import Any

from treerules._internal.unicode import is_of_words, is_shown
from treerules.data.domain import next_value
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.value_format import spelled
from treerules.rules.rule import Condition, Members, Rule
from treerules.rules.shared_conditions import Constraint, by_identity, constraints_of

#: A number of more characters is given by the one next above it, where that saves so many.
_LONG, _SAVED = 12, 6
#: Characters that a bare word may hold besides letters and digits.
_BARE = set("_-+.%/")
#: What the rules themselves say, so that a name or category that says it is quoted.
_WORDS = {
    *("true", "false", "missing", "unseen", "known", "nothing", "always"),
    *("and", "or", "in", "not", "is", "then", "if", "otherwise"),
}


def word(value: Any, form: str = "") -> str:
    """Return a value or name as people read it: bare where that is clear, else in double quotes with escapes.

    `form` is the one in which the value's column came.

    >>> word("青年"), word(2.0), word("a, b"), word(True), word("")
    ('青年', '2', '"a, b"', 'true', '""')
    """
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, (bool, date, datetime)):
        return spelled(value, form)
    if not isinstance(value, str):
        return repr(value)
    if value and all(is_of_words(c) or c in _BARE for c in value) and not _reads_otherwise(value):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return "".join(c if is_shown(c) else json.dumps(c)[1:-1] for c in quoted)


def _reads_otherwise(text: str) -> bool:
    """Whether bare text would read as a number or as a word of the rules."""
    try:
        float(text)
    except ValueError:
        return text.lower() in _WORDS
    return True


def condition_text(feature: Feature, condition: Condition) -> str:
    """Return a condition in words.

    `=` and `in` mean those categories alone; `!=` and `not in` any other value, unseen ones included. The shorter of
    the two is chosen.

    >>> condition_text(Feature("x", Kind.NUMBER), Condition(Interval(None, 5.0), missing=True))
    '(x <= 5 or missing)'
    >>> condition_text(Feature("x", Kind.NUMBER), Condition(Interval(2.9999999999999996, 49.99999999999999)))
    '3 <= x < 50'
    >>> size = Feature("c", Kind.CATEGORY, ("green", "red"))
    >>> condition_text(size, Condition(Members(("red",)), unseen=True))
    '(c = red or unseen)'
    """
    values = condition.values
    bounds = (values.above, values.upto) if isinstance(values, Interval) else (None, None)
    above, upto = (None if bound is None else repr(bound) for bound in bounds)
    return _asked_text(Constraint(feature, condition, above, upto), word(feature.name))


def _asked_text(asked: Constraint, name: str) -> str:
    feature, condition = asked.feature, asked.condition
    if isinstance(condition.values, Interval):
        said = _interval_text(name, asked)
        return f"({said} or missing)" if condition.missing else said
    parts = _members_parts(name, feature, condition.values or Members(()), condition.unseen)
    if condition.missing:
        parts = [*parts, "missing" if parts else f"{name} is missing"]
    return f"({' or '.join(parts)})" if len(parts) > 1 else "".join(parts) or f"{name} is nothing"


def _interval_text(name: str, asked: Constraint) -> str:
    feature, condition, above, upto = asked
    if feature.kind in (Kind.DATE, Kind.TIMESTAMP):
        interval: Any = condition.values
        above, upto = (None if b is None else word(b, feature.form) for b in (interval.above, interval.upto))
    over, least = _bound(feature, condition.values, "above", above, "<=")
    under, most = _bound(feature, condition.values, "upto", upto, "<")
    if above is None:
        return f"{name} is known" if upto is None else f"{name} {under or '<='} {most}"
    if upto is None:
        return f"{name} {'>=' if over else '>'} {least}"
    return f"{least} {over or '<'} {name} {under or '<='} {most}"


def _bound(feature: Feature, interval: Any, end: str, text: str | None, sign: str) -> tuple[str, str]:
    """Return how a bound is written: as it is, with "", or by the number next above it, where that is far shorter.

    `x < 50` is at most 49.99999999999999.
    """
    if text is None:
        return "", ""
    if feature.kind is Kind.NUMBER and len(text) > _LONG:
        after = repr(next_value(feature, getattr(interval, end)))
        if len(after) + _SAVED <= len(text):
            return sign, after.removesuffix(".0")
    return "", text.removesuffix(".0")


def _members_parts(name: str, feature: Feature, values: Members, unseen: bool) -> list[str]:
    n_left = len(values.of(feature.categories, taken=False)) if unseen else 0
    if unseen and n_left < len(feature.categories) - n_left:
        left = values.of(feature.categories, taken=False)
        return [_among(name, feature, left, "!=", "not in") if left else f"{name} is known"]
    taken = values.of(feature.categories)
    if not taken:
        return [f"{name} is unseen"] if unseen else []
    if feature.kind is Kind.ORDINAL and len(taken) > 1 and tuple(taken) == feature.categories[: len(taken)]:
        known = f"{name} <= {word(taken[-1], feature.form)}"
    else:
        known = _among(name, feature, taken, "=", "in")
    return [known, *(["unseen"] if unseen else [])]


def _among(name: str, feature: Feature, categories: Any, one: str, many: str) -> str:
    words = [word(category, feature.form) for category in categories]
    return f"{name} {one} {words[0]}" if len(words) == 1 else f"{name} {many} {{{', '.join(words)}}}"


def antecedent_texts(schema: Schema, rules: Sequence[Rule], asked: Mapping[int, Constraint] | None = None) -> list[str]:
    """Return the conditions of each rule, joined by AND; `always` for none. `asked` is `constraints_of` the rules."""
    if asked is None:
        asked = constraints_of(schema, (rule.conditions for rule in rules))
    names = {feature.name: word(feature.name) for feature in schema.features}
    said = {key: _asked_text(found, names[found.feature.name]) for key, found in asked.items()}
    return [" AND ".join([said[id(pair)] for pair in rule.conditions]) or "always" for rule in rules]


def rule_texts(schema: Schema, rules: Sequence[Rule], asked: Mapping[int, Constraint] | None = None) -> list[str]:
    """Return each rule as a sentence: IF ... THEN target = value. `asked` is `constraints_of` the rules."""
    target = word(schema.target.name) if schema.target else "value"
    values = by_identity(rule.prediction.value for rule in rules)
    ends = {key: f"{target} = {consequent_text(schema, value)}" for key, value in values.items()}
    starts = antecedent_texts(schema, rules, asked)
    return [
        f"{f'IF {start} THEN' if rule.conditions else 'ALWAYS'} {ends[id(rule.prediction.value)]}"
        for rule, start in zip(rules, starts, strict=True)
    ]


def rule_text(schema: Schema, rule: Rule) -> str:
    """Return a rule as a sentence: IF ... THEN target = value."""
    return rule_texts(schema, [rule])[0]


def consequent_text(schema: Schema, value: Any) -> str:
    """Return what is predicted, in the form in which the target came."""
    return word(value, schema.target.form if schema.target else "")


def figure_text(value: float | None) -> str:
    """Return a figure to four significant digits, more where it would read as 0 or 1 and is not; - where there is none.

    >>> figure_text(2 / 3), figure_text(1.0), figure_text(0.99996), figure_text(1e-9), figure_text(None)
    ('0.6667', '1', '0.99996', '1e-09', '-')
    """
    if value is None or isinf(value) or value == int(value):
        return "-" if value is None else str(value) if isinf(value) else f"{int(value)}"
    texts = (f"{value:.{digits}g}" for digits in range(4, 18))
    return next(text for text in texts if float(text) not in (0.0, 1.0))
