"""Values, conditions and rules as text. Bounds are exact; figures are rounded to four digits, unless told otherwise."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from math import isinf
from typing import Any

from treerules._internal.unicode import is_of_words, is_shown
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.value_format import value_text
from treerules.rules.bounds import Bound
from treerules.rules.phrasing import EXACT, SIGNIFICANT, Phrasing
from treerules.rules.rule import Condition, Members, Rule
from treerules.rules.shared_conditions import Constraint, by_identity, constraint_writer, constraints_of

#: Characters that an unquoted word may hold besides letters and digits.
_BARE = set("_-+.%/")
#: Words of the grammar of rules: names and categories that equal one are quoted.
KEYWORDS = {
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
        return text.lower() in KEYWORDS
    return True


def condition_text(feature: Feature, condition: Condition, phrasing: Phrasing = EXACT) -> str:
    """Return a condition as text.

    `=` and `in` take the categories that they name; `!=` and `not in` take all other values, unseen ones included, and
    `other than` all other categories. The shorter is written; `other than` only in a short form, of long sets.

    >>> condition_text(Feature("x", Kind.NUMBER), Condition(Interval(None, 5.0), missing=True))
    '(x <= 5 or missing)'
    >>> condition_text(Feature("x", Kind.NUMBER), Condition(Interval(2.9999999999999996, 49.99999999999999)))
    '3 <= x < 50'
    >>> condition_text(Feature("x", Kind.NUMBER), Condition([Interval(None, 1.0), Interval(5.0, None)], missing=True))
    '(x <= 1 or x > 5 or missing)'
    >>> size = Feature("c", Kind.CATEGORY, ("green", "red"))
    >>> condition_text(size, Condition(Members(("red",)), unseen=True))
    '(c = red or unseen)'
    """
    return constraint_phraser(feature, phrasing)(constraint_writer(feature)(condition))


def constraint_phraser(feature: Feature, phrasing: Phrasing) -> Callable[[Constraint], str]:
    """Return the function that writes conditions on a feature as `condition_text` does."""
    name = word(feature.name)
    phraser = _interval_phraser if feature.is_ordered else _members_phraser
    return phraser(feature, name, phrasing)


def _interval_phraser(feature: Feature, name: str, phrasing: Phrasing) -> Callable[[Constraint], str]:
    words, is_zero_one = phrasing.words, phrasing.is_zero_one(feature)
    says_missing = phrasing.says_missing(feature, Condition(Interval(), True))

    def phrase(constraint: Constraint) -> str:
        condition = constraint.condition
        if condition.values is None:
            return (words.is_missing if condition.missing else words.is_nothing).format(name=name)
        text = _zero_one_text(name, condition) if is_zero_one else None
        parts = constraint.intervals or (constraint,) if text is None else ()
        texts = [_interval_text(name, part.lower, part.upper) or words.is_known.format(name=name) for part in parts]
        text = words.or_interval.join(texts) or text
        if says_missing and condition.missing:
            return f"({text}{words.or_}{words.missing})"
        return f"({text})" if len(texts) > 1 else f"{text}"

    return phrase


def _interval_text(name: str, lower: Bound | None, upper: Bound | None) -> str:
    """Return an interval as text: a bound, or the number next above it if that is far shorter; "" without bounds."""
    if lower is None:
        return f"{name} {'<' if upper.after else '<='} {upper.shown}" if upper is not None else ""
    if upper is None:
        return f"{name} {'>=' if lower.after else '>'} {lower.shown}"
    return f"{lower.shown} {'<=' if lower.after else '<'} {name} {'<' if upper.after else '<='} {upper.shown}"


def _zero_one_text(name: str, condition: Condition) -> str | None:
    """Return a condition on a column of 0 and 1 as text, None if it takes both or neither."""
    taken = [value for value in (0, 1) if any(value in interval for interval in condition.intervals)]
    return f"{name} = {taken[0]}" if len(taken) == 1 else None


def _members_phraser(feature: Feature, name: str, phrasing: Phrasing) -> Callable[[Constraint], str]:
    words = phrasing.words

    def phrase(constraint: Constraint) -> str:
        condition = constraint.condition
        parts = _members_parts(name, feature, condition, phrasing)
        if condition.missing and phrasing.says_missing(feature, condition):
            parts.append(words.missing if parts else words.is_missing.format(name=name))
        if len(parts) > 1:
            return f"({words.or_.join(parts[:2])}{''.join(words.or_again + part for part in parts[2:])})"
        return parts[0] if parts else words.is_nothing.format(name=name)

    return phrase


def _members_parts(name: str, feature: Feature, condition: Condition, phrasing: Phrasing) -> list[str]:
    """Return the parts of a condition on categories that `or` connects."""
    values, words = condition.values, phrasing.words
    members = values if isinstance(values, Members) else Members(())
    taken, excluded = members.of(feature.categories), members.of(feature.categories, taken=False)
    is_mostly = 2 * len(excluded) < len(feature.categories)
    if condition.unseen and is_mostly:
        if not excluded:
            return [words.is_known.format(name=name)]
        if len(excluded) == 1:
            return [f"{name} != {word(excluded[0], feature.form)}"]
        return [words.is_not_in.format(name=name, set=set_text(feature, excluded, phrasing))]
    if not taken:
        return [words.is_unseen.format(name=name)] if condition.unseen else []
    if feature.kind is Kind.ORDINAL and len(taken) > 1 and tuple(taken) == feature.categories[: len(taken)]:
        known = f"{name} <= {word(taken[-1], feature.form)}"
    elif len(taken) == 1:
        known = f"{name} = {word(taken[0], feature.form)}"
    elif is_mostly and excluded and phrasing.most_members is not None and len(taken) > phrasing.most_members:
        known = words.other_than.format(name=name, set=set_text(feature, excluded, phrasing))
    else:
        known = words.is_in.format(name=name, set=set_text(feature, taken, phrasing))
    return [known, *([words.unseen] if condition.unseen and phrasing.says_unseen(feature, condition) else [])]


def set_text(feature: Feature, categories: Sequence[Any], phrasing: Phrasing) -> str:
    """Return categories in braces; of more than `most_members` the first, and the number of the others."""
    most = phrasing.most_members
    shown = categories if most is None or len(categories) <= most else categories[:most]
    texts = [word(category, feature.form) for category in shown]
    if len(shown) < len(categories):
        texts.append(phrasing.words.more.format(n=len(categories) - len(shown)))
    return f"{{{', '.join(texts)}}}"


def antecedent_texts(
    schema: Schema,
    rules: Sequence[Rule],
    shared: Mapping[int, Constraint] | None = None,
    phrasing: Phrasing = EXACT,
    before_and: str = "",
) -> list[str]:
    """Return the conditions of each rule, connected by AND; `always` for a rule without conditions.

    `shared` are the `constraints_of` the rules, if at hand; `before_and` stands before AND, such as the end of a line.
    """
    if shared is None:
        shared = constraints_of(schema, (rule.conditions for rule in rules))
    phrasers = {feature.name: constraint_phraser(feature, phrasing) for feature in schema.features}
    texts = {key: phrasers[constraint.feature.name](constraint) for key, constraint in shared.items()}
    conjunction = before_and + (phrasing.words.and_.lstrip() if before_and else phrasing.words.and_)
    none = phrasing.words.no_condition
    return [conjunction.join([texts[id(pair)] for pair in rule.conditions]) or none for rule in rules]


def rule_texts(
    schema: Schema,
    rules: Sequence[Rule],
    shared: Mapping[int, Constraint] | None = None,
    phrasing: Phrasing = EXACT,
) -> list[str]:
    """Return each rule as a sentence, `IF ... THEN target = value`; `shared` are the `constraints_of` the rules."""
    values = by_identity(rule.prediction.value for rule in rules)
    consequents = {key: consequent_text(schema, value, phrasing) for key, value in values.items()}
    antecedents = antecedent_texts(schema, rules, shared, phrasing)
    sentence = sentence_writer(schema, phrasing)
    return [
        sentence(antecedent if rule.conditions else "", consequents[id(rule.prediction.value)])
        for rule, antecedent in zip(rules, antecedents, strict=True)
    ]


def sentence_writer(schema: Schema, phrasing: Phrasing) -> Callable[[str, str], str]:
    """Return the function that writes a rule, given its conditions as text, "" for none, and the predicted value."""
    target, words = word(schema.target.name) if schema.target else "value", phrasing.words
    start, _, rest = words.if_then.partition("{conditions}")
    then, _, end = rest.partition("{prediction}")

    def write(antecedent: str, consequent: str) -> str:
        if antecedent:
            return f"{start}{antecedent}{then}{target} = {consequent}{end}"
        return words.always.format(prediction=f"{target} = {consequent}")

    return write


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


def consequent_text(schema: Schema, value: Any, phrasing: Phrasing = EXACT) -> str:
    """Return a predicted value as text, in the source format of the target; a mean has the digits of the phrasing."""
    if phrasing.mean_digits is not None and schema.is_regression:
        return figure_text(value, phrasing.mean_digits)
    return word(value, schema.target.form if schema.target else "")


def figure_text(value: float | None, digits: int = SIGNIFICANT) -> str:
    """Return a figure with four significant digits, or so many; `-` for None.

    It has more digits where it would be rounded to 0 or 1, and all digits before the point.

    >>> figure_text(2 / 3), figure_text(1.0), figure_text(0.99996), figure_text(1e-9), figure_text(None)
    ('0.6667', '1', '0.99996', '1e-09', '-')
    >>> figure_text(206855.816, 3), figure_text(2 / 3, 2)
    ('206856', '0.67')
    """
    if value is None or isinf(value) or value == int(value):
        return "-" if value is None else str(value) if isinf(value) else f"{int(value)}"
    whole = len(str(int(abs(value))))  # at most 17: a greater float is an integer
    texts = (f"{value:.{n}g}" for n in range(max(digits, whole), 18))
    return next(text for text in texts if float(text) not in (0.0, 1.0))
