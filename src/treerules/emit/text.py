"""Rules as text for people: sentences, Markdown, CSV, JSON. Conditions and predictions are exact, never rounded."""

import csv
import io
import json
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

from treerules.emit.templates import rendered
from treerules.errors import UnknownNameError
from treerules.rules import FIGURES, Condition, Interval, Members, Rule, RuleSet, figures_of
from treerules.schema import Feature, Kind, Schema

#: Characters that a bare word may hold besides letters and digits.
_BARE = set("_-+.%/")
#: What the rules themselves say, so that a name or category that says it is quoted.
_WORDS = {
    *("true", "false", "missing", "unseen", "known", "nothing", "always"),
    *("and", "or", "in", "not", "is", "then", "if", "otherwise"),
}


def word(value: Any) -> str:
    """Return a value or name as people read it: bare where that is clear, else in double quotes with escapes.

    >>> word("青年"), word(2.0), word("a, b"), word(True), word("")
    ('青年', '2', '"a, b"', 'true', '""')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, (date, datetime)):
        return str(value)
    if not isinstance(value, str):
        return repr(value)
    if value and all(c.isalnum() or c in _BARE for c in value) and not _reads_otherwise(value):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in quoted)


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
    >>> size = Feature("c", Kind.CATEGORY, ("green", "red"))
    >>> condition_text(size, Condition(Members(("red",)), unseen=True))
    '(c = red or unseen)'
    """
    name, values = word(feature.name), condition.values
    if isinstance(values, Interval):
        parts = [_interval_text(name, values)]
    else:
        parts = _members_parts(name, feature, values or Members(()), condition.unseen)
    if condition.missing:
        parts = [*parts, "missing" if parts else f"{name} is missing"]
    return f"({' or '.join(parts)})" if len(parts) > 1 else "".join(parts) or f"{name} is nothing"


def _interval_text(name: str, interval: Interval) -> str:
    above, upto = interval.above, interval.upto
    if above is None:
        return f"{name} is known" if upto is None else f"{name} <= {word(upto)}"
    return f"{name} > {word(above)}" if upto is None else f"{word(above)} < {name} <= {word(upto)}"


def _members_parts(name: str, feature: Feature, values: Members, unseen: bool) -> list[str]:
    n_left = len(values.of(feature.categories, taken=False)) if unseen else 0
    if unseen and n_left < len(feature.categories) - n_left:
        left = values.of(feature.categories, taken=False)
        return [_among(name, left, "!=", "not in") if left else f"{name} is known"]
    taken = values.of(feature.categories)
    if not taken:
        return [f"{name} is unseen"] if unseen else []
    if feature.kind is Kind.ORDINAL and len(taken) > 1 and tuple(taken) == feature.categories[: len(taken)]:
        known = f"{name} <= {word(taken[-1])}"
    else:
        known = _among(name, taken, "=", "in")
    return [known, *(["unseen"] if unseen else [])]


def _among(name: str, categories: Any, one: str, many: str) -> str:
    if len(categories) == 1:
        return f"{name} {one} {word(categories[0])}"
    return f"{name} {many} {{{', '.join(word(category) for category in categories)}}}"


def antecedent_text(schema: Schema, rule: Rule) -> str:
    """Return the conditions of a rule, joined by AND; `always` when it has none."""
    parts = [condition_text(schema.feature(name), condition) for name, condition in rule.conditions]
    return " AND ".join(parts) or "always"


def rule_text(schema: Schema, rule: Rule) -> str:
    """Return a rule as a sentence: IF ... THEN target = value."""
    target = word(schema.target.name) if schema.target else "value"
    antecedent = antecedent_text(schema, rule)
    start = f"IF {antecedent} THEN" if rule.conditions else "ALWAYS"
    return f"{start} {target} = {word(rule.value)}"


def figure_text(value: float | None) -> str:
    """Return a figure to four significant digits, more where it would read as 0 or 1 and is not; - where there is none.

    >>> figure_text(2 / 3), figure_text(1.0), figure_text(0.99996), figure_text(1e-9), figure_text(None)
    ('0.6667', '1', '0.99996', '1e-09', '-')
    """
    if value is None or value == int(value):
        return "-" if value is None else f"{int(value)}"
    texts = (f"{value:.{digits}g}" for digits in range(4, 18))
    return next(text for text in texts if float(text) not in (0.0, 1.0))


def rules_text(rules: RuleSet, *, format: str = "text", templates: str | Path | None = None) -> str:
    """Return the rules as text, Markdown, CSV or JSON, in the order in which they stand.

    Thresholds and predictions are exact; the figures of text and Markdown are rounded, those of CSV and JSON are not.

    Raises:
        UnknownNameError: there is no such format.
    """
    if format not in FORMATS:
        raise UnknownNameError("format", format, tuple(FORMATS))
    return FORMATS[format](rules, templates)


def _by_template(name: str, escape: Callable[[str], str]) -> Callable[[RuleSet, Any], str]:
    def text(rules: RuleSet, templates: Any) -> str:
        rows = [
            {
                "number": rule.number,
                "sentence": escape(rule_text(rules.schema, rule)),
                "antecedent": escape(antecedent_text(rules.schema, rule)),
                "value": escape(word(rule.value)),
                "figures": {name: figure_text(getattr(rule.figures, name)) for name in figures_of(rules.schema)},
            }
            for rule in rules.rules
        ]
        target = escape(word(rules.schema.target.name if rules.schema.target else ""))
        return rendered(name, templates, rules=rows, target=target, figures=figures_of(rules.schema))

    return text


def _markdown(text: str) -> str:
    return "".join("\\" + c if c in "\\|*_`<>[]#&" else c for c in text)


def _csv(rules: RuleSet, templates: Any) -> str:
    target = rules.schema.target.name if rules.schema.target else ""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["rule", "if", target, *figures_of(rules.schema)])
    for rule in rules.rules:
        figures = [getattr(rule.figures, name) for name in figures_of(rules.schema)]
        writer.writerow([rule.number, antecedent_text(rules.schema, rule), word(rule.value), *figures])
    return out.getvalue()


def _json(rules: RuleSet, templates: Any) -> str:
    target = rules.schema.target.name if rules.schema.target else None
    content = {
        "format": "treerules.rules",
        "version": 1,
        "target": target,
        "rules": [_record(rule) for rule in rules.rules],
    }
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False, default=str) + "\n"


def _record(rule: Rule) -> dict[str, Any]:
    figures = {name: getattr(rule.figures, name) for name in FIGURES}
    conditions = {name: _condition_record(condition) for name, condition in rule.conditions}
    return {"rule": rule.number, "if": conditions, "then": _finite(rule.value), **figures}


def _condition_record(condition: Condition) -> dict[str, Any]:
    record: dict[str, Any] = {}
    if isinstance(condition.values, Interval):
        bounds = {"above": condition.values.above, "upto": condition.values.upto}
        record = {name: _finite(bound) for name, bound in bounds.items() if bound is not None}
        record = record or {"known": True}
    elif condition.values is not None:
        record = {
            "not in" if condition.values.complement else "in": [_finite(value) for value in condition.values.values]
        }
    return {**record, "missing": condition.missing, "unseen": condition.unseen}


def _finite(value: Any) -> Any:
    return value if not isinstance(value, float) or abs(value) != float("inf") else str(value)


FORMATS: dict[str, Callable[[RuleSet, Any], str]] = {
    "text": _by_template("text/rules.txt.j2", lambda text: text),
    "md": _by_template("text/rules.md.j2", _markdown),
    "csv": _csv,
    "json": _json,
}
