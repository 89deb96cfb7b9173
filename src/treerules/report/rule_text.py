"""Rules as text for people: sentences, Markdown, CSV, JSON."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from treerules.data.interval import Interval
from treerules.errors import UnknownNameError
from treerules.rendering.headings import heading, require_lang
from treerules.rendering.output_formats import json_text
from treerules.rendering.templates import rendered
from treerules.rendering.text_contexts import Sentence, SentencesContext
from treerules.rendering.text_tables import TextTable, finite, table_text
from treerules.rules.conditions import bounds_of
from treerules.rules.rule import FIGURES, Condition, Rule
from treerules.rules.rule_set import RuleSet, figures_of
from treerules.rules.wording import antecedent_texts, consequent_text, figure_text, rule_texts, word


def rules_text(rules: RuleSet, *, format: str = "text", lang: str = "en", templates: str | Path | None = None) -> str:
    """Return the rules as text, Markdown, CSV or JSON, in the order in which they stand.

    Thresholds and predictions are exact; the figures of text and Markdown are rounded, those of CSV and JSON are not.
    `lang` is that of headings: en or zh. The JSON is {"format": "treerules.rules", "version": 1, "target": name,
    "rules": [{"rule": number, "if": {column: {"above", "upto", "in" or "not in", "missing", "unseen"}}, "then": value,
    "n", "coverage", "support", "confidence", "lift"}]}.

    Raises:
        UnknownNameError: there is no such format, or no such language.
    """
    if format not in FORMATS:
        raise UnknownNameError("format", format, tuple(FORMATS))
    require_lang(lang)
    return FORMATS[format](rules, lang, templates)


def rules_table(rules: RuleSet, lang: str = "en", *, exact: bool = False) -> TextTable:
    """Return the rules as a table; `exact` figures are not rounded."""
    figures = figures_of(rules.schema)
    target = word(rules.schema.target.name) if rules.schema.target else ""
    rows = [
        [
            str(rule.number),
            antecedent,
            consequent_text(rules.schema, rule.value),
            *(_figure(getattr(rule.figures, name), exact) for name in figures),
        ]
        for rule, antecedent in zip(rules.rules, antecedent_texts(rules.schema, rules.rules), strict=True)
    ]
    headings = [heading("rule", lang), heading("if", lang), target, *(heading(name, lang) for name in figures)]
    return TextTable(headings, rows, right=[True, False, False, *(True for _ in figures)])


def _figure(value: float | None, exact: bool) -> str:
    if exact:
        return "" if value is None else str(value)
    return figure_text(value)


def _sentences(rules: RuleSet, lang: str, templates: Any) -> str:
    names = figures_of(rules.schema)
    rows = [
        Sentence(
            rule.number,
            sentence,
            {heading(name, lang): figure_text(getattr(rule.figures, name)) for name in names},
        )
        for rule, sentence in zip(rules.rules, rule_texts(rules.schema, rules.rules), strict=True)
    ]
    return rendered("text/rules.txt.j2", templates, SentencesContext(rows))


def _markdown(rules: RuleSet, lang: str, templates: Any) -> str:
    return table_text(rules_table(rules, lang), "md", templates)


def _csv(rules: RuleSet, lang: str, templates: Any) -> str:
    table = rules_table(rules, lang, exact=True)
    target = rules.schema.target.name if rules.schema.target else ""
    return table_text(TextTable([*table.headings[:2], target, *table.headings[3:]], table.rows), "csv")


def _json(rules: RuleSet, lang: str, templates: Any) -> str:
    target = rules.schema.target.name if rules.schema.target else None
    content = {
        "format": "treerules.rules",
        "version": 1,
        "target": target,
        "rules": [_record(rule) for rule in rules.rules],
    }
    return json_text(content)


def _record(rule: Rule) -> dict[str, Any]:
    figures = {name: getattr(rule.figures, name) for name in FIGURES}
    conditions = {name: _condition_record(condition) for name, condition in rule.conditions}
    return {"rule": rule.number, "if": conditions, "then": finite(rule.value), **figures}


def _condition_record(condition: Condition) -> dict[str, Any]:
    record: dict[str, Any] = {}
    if isinstance(condition.values, Interval):
        bounds = dict(zip(("above", "upto"), bounds_of(condition.values), strict=True))
        record = {name: finite(bound) for name, bound in bounds.items() if bound is not None}
        record = record or {"known": True}
    elif condition.values is not None:
        record = {
            "not in" if condition.values.complement else "in": [finite(value) for value in condition.values.values]
        }
    return {**record, "missing": condition.missing, "unseen": condition.unseen}


FORMATS: dict[str, Callable[[RuleSet, str, Any], str]] = {
    "text": _sentences,
    "md": _markdown,
    "csv": _csv,
    "json": _json,
}
