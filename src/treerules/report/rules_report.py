"""Rules: a sentence for each with its figures, or a table. Thresholds and predictions are exact.

JSON: {"format": "treerules.rules", "version": 1, "target": name, "rules": [{"rule": number, "if": {column: {"above",
"upto", "in" or "not in", "missing", "unseen"}}, "then": value, "n", "coverage", "support", "confidence", "lift"}]}.
"""

from collections.abc import Callable
from typing import Any

from treerules.data.interval import Interval
from treerules.rendering.headings import heading
from treerules.rendering.text_contexts import Sentence, SentencesContext
from treerules.rendering.text_tables import TextTable, json_number
from treerules.report.report import Page, Part, tables_report
from treerules.rules.conditions import bounds_of
from treerules.rules.rule import FIGURES, Condition, Rule
from treerules.rules.rule_set import RuleList, RuleSet, figure_names
from treerules.rules.wording import antecedent_texts, consequent_text, figure_text, rule_texts, word


def _sentences(rules: RuleSet | RuleList, lang: str) -> Page:
    """Return a sentence for each rule, with its figures."""
    names = figure_names(rules.schema)
    sentences = [
        Sentence(
            rule.number,
            sentence,
            {heading(name, lang): figure_text(getattr(rule.figures, name)) for name in names},
        )
        for rule, sentence in zip(rules.rules, rule_texts(rules.schema, rules.rules), strict=True)
    ]
    return Page("text/rules.txt.j2", SentencesContext(sentences))


def _table_alone(rules: RuleSet | RuleList, lang: str) -> list[Part]:
    return [rules_table(rules, lang)]


def _table_under_summary(rules: RuleSet | RuleList, lang: str) -> list[Part]:
    n = heading("{n} rule" if len(rules) == 1 else "{n} rules", lang, n=len(rules))
    target = rules.schema.target
    return [f"{word(target.name)}: {n}" if target else n, rules_table(rules, lang)]


def rules_table(rules: RuleSet | RuleList, lang: str = "en") -> TextTable:
    """Return a row for each rule, with rounded figures."""
    return _table(rules, lang, word, figure_text)


def _exact_table(rules: RuleSet | RuleList, lang: str) -> TextTable:
    return _table(rules, lang, str, lambda value: "" if value is None else str(value))


def _table(
    rules: RuleSet | RuleList,
    lang: str,
    shown_name: Callable[[str], str],
    shown: Callable[[float | None], str],
) -> TextTable:
    """Return a row for each rule; the functions spell the target's name and the figures."""
    figures = figure_names(rules.schema)
    rows = [
        [
            str(rule.number),
            antecedent,
            consequent_text(rules.schema, rule.value),
            *(shown(getattr(rule.figures, name)) for name in figures),
        ]
        for rule, antecedent in zip(rules.rules, antecedent_texts(rules.schema, rules.rules), strict=True)
    ]
    target = shown_name(rules.schema.target.name) if rules.schema.target else ""
    headings = [heading("rule", lang), heading("if", lang), target, *(heading(name, lang) for name in figures)]
    return TextTable(headings, rows, right=[True, False, False, *(True for _ in figures)])


# ---- JSON


def _record(rules: RuleSet | RuleList, lang: str) -> dict[str, Any]:
    return {
        "format": "treerules.rules",
        "version": 1,
        "target": rules.schema.target.name if rules.schema.target else None,
        "rules": [_rule_record(rule) for rule in rules.rules],
    }


def _rule_record(rule: Rule) -> dict[str, Any]:
    figures = {name: getattr(rule.figures, name) for name in FIGURES}
    conditions = {name: _condition_record(condition) for name, condition in rule.conditions}
    return {"rule": rule.number, "if": conditions, "then": json_number(rule.value), **figures}


def _condition_record(condition: Condition) -> dict[str, Any]:
    record: dict[str, Any] = {}
    if isinstance(condition.values, Interval):
        bounds = dict(zip(("above", "upto"), bounds_of(condition.values), strict=True))
        record = {name: json_number(bound) for name, bound in bounds.items() if bound is not None}
        record = record or {"known": True}
    elif condition.values is not None:
        record = {
            "not in" if condition.values.complement else "in": [json_number(value) for value in condition.values.values]
        }
    return {**record, "missing": condition.missing, "unseen": condition.unseen}


RULE_SET, RULE_LIST = (
    tables_report(
        kind, parts=_table_alone, table=_exact_table, record=_record, text=_sentences, html=_table_under_summary
    )
    for kind in (RuleSet, RuleList)
)
