"""Rules with what is declared of their columns, as text that reads back to the same: what `rules_from_text` reads.

column age: integer 0..120, never missing
target ok: category {no, yes}

1: IF age < 30 THEN ok = no
2: IF age >= 30 THEN ok = yes
"""

import json
from collections.abc import Iterator
from typing import Any

from treerules.data.domain import ColumnDomain, Domain, next_value, require_domain
from treerules.data.interval import Interval
from treerules.data.schema import OPEN, Feature, Kind
from treerules.formats.notation.literals import scalar_by_shape
from treerules.rules.conditions import bounds_of
from treerules.rules.rule import Condition, Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.shared_conditions import by_identity
from treerules.rules.sources import Source, domain_for, rules_of
from treerules.rules.wording import condition_text, word


def rules_to_text(source: Source, *, domain: Domain | None = None) -> str:
    """Return rules as text, after declarations of their columns, the target, and the order if it matters.

    `rules_from_text` reads the same schema, domain, order, numbers, conditions and predicted values from it. Figures
    and probabilities are not written. Bounds are exact, in the shorter of their two spellings: `x < 50`, not
    `x <= 49.99999999999999`. `domain` is declared over that of the source.

    >>> from treerules.formats.rules_text.text_reader import rules_from_text
    >>> rules_to_text(rules_from_text("IF age < 30 THEN no")).splitlines()
    ['column age: number', 'target decision: category {no}', '', '1: IF age < 30 THEN decision = no']

    Raises:
        UnknownNameError: the domain names a column that the rules' schema does not have.
        OptionError: these are no rules, or a bound does not fit its column.
    """
    rules = rules_of(source)
    require_domain(rules.schema, domain)
    declared = {**(domain_for(source, None) or {}), **(domain or {})}
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
    """Return a value as it reads back without knowing its type: text that looks like another type is quoted."""
    said = _exact(value)
    return json.dumps(value) if isinstance(value, str) and said == value and scalar_by_shape(value) != "text" else said


def _exact(value: Any) -> str:
    """Return a value in words; -0.0 is 0."""
    return word(value + 0.0 if isinstance(value, float) else value)


def _rule_lines(rules: RuleSet | RuleList) -> Iterator[str]:
    schema = rules.schema
    target = exact_literal(schema.target.name) if schema.target else ""
    asked = by_identity(pair for rule in rules.rules for pair in rule.conditions)
    said = {key: exact_condition_text(schema.feature(name), condition) for key, (name, condition) in asked.items()}
    for rule in rules.rules:
        then = f"{target} = {exact_literal(rule.value)}" if target else exact_literal(rule.value)
        yield f"{rule.number}: {_opening(rules, rule, said)} {then}"


def _opening(rules: RuleSet | RuleList, rule: Rule, said: dict[int, str]) -> str:
    if rule.conditions:
        return f"IF {' AND '.join(said[id(pair)] for pair in rule.conditions)} THEN"
    return "OTHERWISE" if isinstance(rules, RuleList) and rule is rules.rules[-1] else "ALWAYS"


def exact_condition_text(feature: Feature, condition: Condition) -> str:
    """Return a condition as text that reads back, each bound in the shorter of its exact spellings."""
    values = condition.values
    if not isinstance(values, Interval):
        return condition_text(feature, condition)
    said = _interval_text(feature, values)
    return f"({said} or missing)" if condition.missing else said


def _interval_text(feature: Feature, interval: Interval) -> str:
    """Return an interval with each bound in the shorter of its exact spellings."""
    name, (above, upto) = exact_literal(feature.name), bounds_of(interval)
    if above is not None and upto is not None and next_value(feature, above) == upto:
        return f"{name} = {_exact(upto)}"
    low: tuple[str, ...] = ()
    high: tuple[str, ...] = ()
    if above is not None:
        low = _shorter((_exact(above), "<", ">"), _spelled(feature, above, "<=", ">="))
    if upto is not None:
        high = _shorter((_exact(upto), "<=", ""), _spelled(feature, upto, "<", ""))
    if low and high:
        return f"{low[0]} {low[1]} {name} {high[1]} {high[0]}"
    if low:
        return f"{name} {low[2]} {low[0]}"
    return f"{name} {high[1]} {high[0]}" if high else f"{name} is known"


def _spelled(feature: Feature, bound: Any, *signs: str) -> tuple[str, ...]:
    """Return the value next above a bound and the signs that go with it; nothing at the end of the kind."""
    after = next_value(feature, bound)
    return () if after is None else (_exact(after), *signs)


def _shorter(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return second if second and len(second[0]) < len(first[0]) else first
