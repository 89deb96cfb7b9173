"""Values, conditions and rules as text. Values and bounds are exact; figures are rounded to four digits."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from math import isinf
from typing import Any

from treerules._internal.unicode import is_of_words, is_shown
from treerules.data.domain import next_value
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.value_format import value_text
from treerules.rules.conditions import bounds_of
from treerules.rules.rule import Condition, Members, Rule
from treerules.rules.shared_conditions import Constraint, by_identity, constraints_of

#: A bound of more than _LONG characters is written as the number next above it, if that saves _SAVED characters.
_LONG, _SAVED = 12, 6
#: Characters that an unquoted word may hold besides letters and digits.
_BARE = set("_-+.%/")
#: Words of the grammar of rules: names and categories that equal one are quoted.
_WORDS = {
    *("true", "false", "missing", "unseen", "known", "nothing", "always"),
    *("and", "or", "in", "not", "is", "then", "if", "otherwise"),
}


def word(value: Any, form: str = "") -> str:
    """Return a value or name as text: without quotes where that is clear, else in double quotes with escapes.

    `form` is the source format of the value's column (`data/value_format.py`).

    >>> word("青年"), word(2.0), word("a, b"), word(True), word("")
    ('青年', '2', '"a, b"', 'true', '""')
    """
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, (bool, date, datetime)):
        return value_text(value, form)
    if not isinstance(value, str):
        return repr(value)
    if value and all(is_of_words(c) or c in _BARE for c in value) and not _needs_quotes(value):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return "".join(c if is_shown(c) else json.dumps(c)[1:-1] for c in quoted)


def _needs_quotes(text: str) -> bool:
    """Whether text without quotes would be read as a number or as a word of the grammar."""
    try:
        float(text)
    except ValueError:
        return text.lower() in _WORDS
    return True


def condition_text(feature: Feature, condition: Condition) -> str:
    """Return a condition as text.

    `=` and `in` take the categories that they name; `!=` and `not in` take all other values, unseen ones included. The
    shorter of the two is written.

    >>> condition_text(Feature("x", Kind.NUMBER), Condition(Interval(None, 5.0), missing=True))
    '(x <= 5 or missing)'
    >>> condition_text(Feature("x", Kind.NUMBER), Condition(Interval(2.9999999999999996, 49.99999999999999)))
    '3 <= x < 50'
    >>> size = Feature("c", Kind.CATEGORY, ("green", "red"))
    >>> condition_text(size, Condition(Members(("red",)), unseen=True))
    '(c = red or unseen)'
    """
    lower, upper = (None if bound is None else repr(bound) for bound in bounds_of(condition.values))
    return _constraint_text(Constraint(feature, condition, lower, upper), word(feature.name))


def _constraint_text(constraint: Constraint, name: str) -> str:
    feature, condition = constraint.feature, constraint.condition
    if isinstance(condition.values, Interval):
        text = _interval_text(name, constraint)
        return f"({text} or missing)" if condition.missing else text
    parts = _members_parts(name, feature, condition.values or Members(()), condition.unseen)
    if condition.missing:
        parts = [*parts, "missing" if parts else f"{name} is missing"]
    return f"({' or '.join(parts)})" if len(parts) > 1 else "".join(parts) or f"{name} is nothing"


def _interval_text(name: str, constraint: Constraint) -> str:
    feature, condition, lower, upper = constraint
    above, upto = bounds_of(condition.values)
    if feature.kind in (Kind.DATE, Kind.TIMESTAMP):
        lower, upper = (None if bound is None else word(bound, feature.form) for bound in (above, upto))
    lower_sign, lower = _shorter_bound(feature, above, lower, "<", "<=")
    upper_sign, upper = _shorter_bound(feature, upto, upper, "<=", "<")
    if above is None:
        return f"{name} is known" if upto is None else f"{name} {upper_sign} {upper}"
    if upto is None:
        return f"{name} {'>=' if lower_sign == '<=' else '>'} {lower}"
    return f"{lower} {lower_sign} {name} {upper_sign} {upper}"


def _shorter_bound(feature: Feature, bound: Any, text: str | None, sign: str, next_sign: str) -> tuple[str, str]:
    """Return a sign and a bound: the bound itself with `sign`, or the number next above it, if that is far shorter.

    `x <= 49.99999999999999` is written as `x < 50`.
    """
    if text is None:
        return "", ""
    if feature.kind is Kind.NUMBER and len(text) > _LONG:
        after = repr(next_value(feature, bound))
        if len(after) + _SAVED <= len(text):
            return next_sign, after.removesuffix(".0")
    return sign, text.removesuffix(".0")


def _members_parts(name: str, feature: Feature, values: Members, unseen: bool) -> list[str]:
    """Return the parts of a condition on categories that `or` connects."""
    excluded = values.of(feature.categories, taken=False) if unseen else []
    if unseen and 2 * len(excluded) < len(feature.categories):
        return [_member_text(name, feature, excluded, "!=", "not in") if excluded else f"{name} is known"]
    taken = values.of(feature.categories)
    if not taken:
        return [f"{name} is unseen"] if unseen else []
    if feature.kind is Kind.ORDINAL and len(taken) > 1 and tuple(taken) == feature.categories[: len(taken)]:
        known = f"{name} <= {word(taken[-1], feature.form)}"
    else:
        known = _member_text(name, feature, taken, "=", "in")
    return [known, *(["unseen"] if unseen else [])]


def _member_text(name: str, feature: Feature, categories: Any, one: str, many: str) -> str:
    words = [word(category, feature.form) for category in categories]
    return f"{name} {one} {words[0]}" if len(words) == 1 else f"{name} {many} {{{', '.join(words)}}}"


def antecedent_texts(
    schema: Schema, rules: Sequence[Rule], shared: Mapping[int, Constraint] | None = None
) -> list[str]:
    """Return the conditions of each rule, connected by AND; `always` for a rule without conditions.

    `shared` are the `constraints_of` the rules, if at hand.
    """
    if shared is None:
        shared = constraints_of(schema, (rule.conditions for rule in rules))
    names = {feature.name: word(feature.name) for feature in schema.features}
    texts = {key: _constraint_text(constraint, names[constraint.feature.name]) for key, constraint in shared.items()}
    return [" AND ".join([texts[id(pair)] for pair in rule.conditions]) or "always" for rule in rules]


def rule_texts(schema: Schema, rules: Sequence[Rule], shared: Mapping[int, Constraint] | None = None) -> list[str]:
    """Return each rule as a sentence, `IF ... THEN target = value`; `shared` are the `constraints_of` the rules."""
    target = word(schema.target.name) if schema.target else "value"
    values = by_identity(rule.prediction.value for rule in rules)
    consequents = {key: f"{target} = {consequent_text(schema, value)}" for key, value in values.items()}
    antecedents = antecedent_texts(schema, rules, shared)
    return [
        f"{f'IF {antecedent} THEN' if rule.conditions else 'ALWAYS'} {consequents[id(rule.prediction.value)]}"
        for rule, antecedent in zip(rules, antecedents, strict=True)
    ]


def rule_text(schema: Schema, rule: Rule) -> str:
    """Return a rule as a sentence: `IF ... THEN target = value`.

    Args:
        schema: the schema of the rule's columns and target.
        rule: the rule.

    Returns:
        The text, without figures. Values and bounds are exact.

    Examples:
        >>> from treerules.formats import rules_from_text
        >>> rules = rules_from_text("IF age < 30 THEN no IF age >= 30 THEN yes").rules
        >>> rule_text(rules.schema, rules[0])
        'IF age < 30 THEN decision = no'
    """
    return rule_texts(schema, [rule])[0]


def consequent_text(schema: Schema, value: Any) -> str:
    """Return a predicted value as text, in the source format of the target."""
    return word(value, schema.target.form if schema.target else "")


def figure_text(value: float | None) -> str:
    """Return a figure with four significant digits, with more where it would be rounded to 0 or 1; `-` for None.

    >>> figure_text(2 / 3), figure_text(1.0), figure_text(0.99996), figure_text(1e-9), figure_text(None)
    ('0.6667', '1', '0.99996', '1e-09', '-')
    """
    if value is None or isinf(value) or value == int(value):
        return "-" if value is None else str(value) if isinf(value) else f"{int(value)}"
    texts = (f"{value:.{digits}g}" for digits in range(4, 18))
    return next(text for text in texts if float(text) not in (0.0, 1.0))
