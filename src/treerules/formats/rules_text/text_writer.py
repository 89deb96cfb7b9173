"""Write rules, with declarations of their columns, as rule text that `rules_from_text` reads as equal rules.

column age: integer 0..120, never missing
target ok: category {no, yes}

1: IF age < 30 THEN ok = no
2: IF age >= 30 THEN ok = yes
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from treerules.data.domain import ColumnDomain, Domain, next_value, require_domain
from treerules.data.interval import Interval
from treerules.data.schema import OPEN, Feature, Kind
from treerules.formats.arguments import require_declared
from treerules.formats.notation.literals import scalar_by_shape
from treerules.rules.conditions import bounds_of
from treerules.rules.phrasing import EXACT, RuleWords, phrasing_for
from treerules.rules.rule import Condition, Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.shared_conditions import by_identity
from treerules.rules.sources import Source, all_rules_of, domain_for
from treerules.rules.wording import condition_text, word


def rules_to_text(rules: Source, *, domain: Domain | None = None) -> str:
    """Return rules as rule text, after declarations of their columns, of the target, and of the order if it matters.

    Bounds are exact, in the shorter of their two spellings: `x < 50`, not `x <= 49.99999999999999`. Figures and
    probabilities are not written.

    Args:
        rules: The rules: a RuleSet, RuleList, ParsedRules or Tree.
        domain: The domains of columns, by their names; they override those of ParsedRules.

    Returns:
        The text. `rules_from_text` reads the same schema, domain, order, numbers, conditions and predicted values from
        it.

    Raises:
        OptionError: `rules` holds no rules, or the domain is of the wrong type or does not fit its columns.
        DataError: a part of a file of rules was not parsed.
        UnknownNameError: the domain names a column that the rules' schema does not have.

    Examples:
        >>> from treerules.formats.rules_text.text_reader import rules_from_text
        >>> rules_to_text(rules_from_text("IF age < 30 THEN no")).splitlines()
        ['column age: number', 'target decision: category {no}', '', '1: IF age < 30 THEN decision = no']
    """
    require_declared(None, domain)
    declared = {**(domain_for(rules, None) or {}), **(domain or {})}
    rules = all_rules_of(rules)
    require_domain(rules.schema, declared)
    lines = [_column_text(feature, declared.get(feature.name, ColumnDomain())) for feature in rules.schema.features]
    if rules.schema.target is not None:
        lines.append(f"target {exact_literal(rules.schema.target.name)}: {_kind_text(rules.schema.target)}")
    if isinstance(rules, RuleList):
        lines.append("ordered")
    return "\n".join([*lines, *([""] if lines and rules.rules else []), *_rule_lines(rules), ""])


def _column_text(feature: Feature, domain: ColumnDomain) -> str:
    """Return the declaration of a column."""
    lowest, highest = domain.lowest, domain.highest
    bounds = ""
    if lowest is not None and highest is not None:
        bounds = f" {_exact(lowest)}..{_exact(highest)}"
    elif lowest is not None or highest is not None:
        bounds = f" <= {_exact(highest)}" if lowest is None else f" >= {_exact(lowest)}"
    options = [
        *(["closed"] if feature.is_open and not domain.unseen else []),
        *(["never missing"] if not domain.missing else []),
    ]
    return ", ".join([f"column {exact_literal(feature.name)}: {_kind_text(feature)}{bounds}", *options])


def _kind_text(feature: Feature) -> str:
    if feature.kind not in OPEN:
        return feature.scalar
    of = "" if feature.scalar == "text" else f" of {feature.scalar}"
    words = [exact_literal(category) for category in feature.categories]
    if feature.kind is Kind.ORDINAL and words:
        return f"ordinal{of} {' < '.join(words)}"
    return f"{feature.kind}{of} {{{', '.join(words)}}}"


def exact_literal(value: Any) -> str:
    """Return a value as text that can be read without knowing its type: text that looks like another type is quoted."""
    text = _exact(value)
    is_bare = isinstance(value, str) and text == value
    return json.dumps(value) if is_bare and scalar_by_shape(text) != "text" else text


def _exact(value: Any) -> str:
    """Return a value as a literal of rule text; -0.0 is written 0."""
    return word(value + 0.0 if isinstance(value, float) else value)


def _rule_lines(rules: RuleSet | RuleList) -> Iterator[str]:
    schema = rules.schema
    target = f"{exact_literal(schema.target.name)} = " if schema.target else ""
    conditions = by_identity(pair for rule in rules.rules for pair in rule.conditions)
    texts = {
        key: exact_condition_text(schema.feature(name), condition) for key, (name, condition) in conditions.items()
    }
    for rule in rules.rules:
        yield f"{rule.number}: {_opening(rules, rule, texts)} {target}{exact_literal(rule.value)}"


def _opening(rules: RuleSet | RuleList, rule: Rule, texts: dict[int, str]) -> str:
    if rule.conditions:
        return f"IF {' AND '.join(texts[id(pair)] for pair in rule.conditions)} THEN"
    return "OTHERWISE" if isinstance(rules, RuleList) and rule is rules.rules[-1] else "ALWAYS"


def exact_condition_text(feature: Feature, condition: Condition, lang: str = "en") -> str:
    """Return a condition with each bound in the shorter of its exact spellings; in English it is rule text."""
    phrasing = EXACT if lang == "en" else phrasing_for(None, lang, exact=True)
    if not condition.intervals:
        return condition_text(feature, condition, phrasing)
    words = phrasing.words
    text = words.or_interval.join(_interval_text(feature, interval, words) for interval in condition.intervals)
    text += f"{words.or_}{words.missing}" if condition.missing else ""
    return f"({text})" if condition.missing or len(condition.intervals) > 1 else text


def _interval_text(feature: Feature, interval: Interval, words: RuleWords) -> str:
    name, (above, upto) = exact_literal(feature.name), bounds_of(interval)
    if above is not None and upto is not None and next_value(feature, above) == upto:
        return f"{name} = {_exact(upto)}"
    low = None if above is None else _shorter_bound(feature, above, ">", ">=")
    high = None if upto is None else _shorter_bound(feature, upto, "<=", "<")
    if low and high:
        return f"{low.value} {_MIRRORED[low.sign]} {name} {high.sign} {high.value}"
    bound = low or high
    return f"{name} {bound.sign} {bound.value}" if bound else words.is_known.format(name=name)


class _Bound(NamedTuple):
    """A sign and a value with which a column is compared."""

    sign: str
    value: str


#: The signs of lower bounds with the column on their right side.
_MIRRORED = {">": "<", ">=": "<="}


def _shorter_bound(feature: Feature, bound: Any, sign: str, sign_of_next: str) -> _Bound:
    """Return a bound, or the value next above it with the other sign where that is shorter."""
    own, after = _exact(bound), next_value(feature, bound)
    if after is not None and len(_exact(after)) < len(own):
        return _Bound(sign_of_next, _exact(after))
    return _Bound(sign, own)
