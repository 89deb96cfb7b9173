"""Rules: a sentence for each with its figures, or a table; below them where missing and unseen values go.

Text, Markdown and HTML have the short form unless it is to be exact; CSV and JSON are exact.

JSON: {"format": "treerules.rules", "version": 1, "target": name, "rules": [{"rule": number, "if": {column: {"above",
"upto", "in" or "not in", "missing", "unseen"}}, "then": value, "n" or "weight", "coverage", "support", "confidence",
"lift", and "sd" of a regression}]}, and "assuming", what is declared of the columns, if anything is.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from treerules.data.interval import Interval
from treerules.proof.assumption import assumption_of
from treerules.rendering.headings import heading
from treerules.rendering.text_contexts import Sentence, SentencesContext
from treerules.rendering.text_tables import TextTable, json_number
from treerules.report.phrasing_options import PHRASING_OPTIONS
from treerules.report.report import Page, Part, tables_report
from treerules.report.unsaid_lines import lines_below_rules
from treerules.rules.conditions import bounds_of
from treerules.rules.phrasing import EXACT, Phrasing, phrasing_for
from treerules.rules.rule import FIGURES, Condition, Rule
from treerules.rules.rule_set import RuleList, RuleSet, figure_names
from treerules.rules.wording import antecedent_texts, consequent_text, figure_text, rule_texts, word
from treerules.trees.node_parts import MeanPrediction


def _sentences(rules: RuleSet | RuleList, lang: str, exact: bool, full: bool, digits: int | None) -> Page:
    """Return a sentence for each rule, with its figures, and the lines below them."""
    names, phrasing = _figure_names(rules), phrasing_for(rules.training, lang, exact=exact, full=full, digits=digits)
    shown = partial(figure_text, digits=phrasing.figure_digits)
    sentences = [
        Sentence(rule.number, sentence, {heading(name, lang): shown(_figure(rule, name)) for name in names})
        for rule, sentence in zip(rules.rules, rule_texts(rules.schema, rules.rules, phrasing=phrasing), strict=True)
    ]
    return Page("text/rules.txt.j2", SentencesContext(sentences, lines_below_rules(rules, phrasing, lang)))


def _table_and_lines(
    rules: RuleSet | RuleList, lang: str, exact: bool, full: bool, digits: int | None, before_and: str = ""
) -> list[Part]:
    phrasing = phrasing_for(rules.training, lang, exact=exact, full=full, digits=digits)
    shown = partial(figure_text, digits=phrasing.figure_digits)
    table = _table(rules, lang, phrasing, word, shown, before_and)
    lines = lines_below_rules(rules, phrasing, lang)
    return [table, "\n".join(lines)] if lines else [table]


def _parts_under_summary(
    rules: RuleSet | RuleList, lang: str, exact: bool, full: bool, digits: int | None
) -> list[Part]:
    n = heading("{n} rule" if len(rules) == 1 else "{n} rules", lang, n=len(rules))
    target = rules.schema.target
    return [f"{word(target.name)}: {n}" if target else n, *_table_and_lines(rules, lang, exact, full, digits)]


def terminal_parts(rules: RuleSet | RuleList, lang: str, *, exact: bool, full: bool, digits: int | None) -> list[Part]:
    """Return the table of the rules with a condition on each line, and the lines below it."""
    return _table_and_lines(rules, lang, exact, full, digits, before_and="\n")


def _exact_table(rules: RuleSet | RuleList, lang: str, **options: Any) -> TextTable:
    return _table(rules, lang, EXACT, _no_formula, lambda value: "" if value is None else str(value))


def _no_formula(name: str) -> str:
    """Return a name as it is; in quotes where a spreadsheet would take it for a formula."""
    if not name.startswith(("=", "+", "-", "@")):
        return name
    text = word(name)
    return text if text.startswith('"') else f'"{text}"'


def _table(
    rules: RuleSet | RuleList,
    lang: str,
    phrasing: Phrasing,
    shown_name: Callable[[str], str],
    shown: Callable[[float | None], str],
    before_and: str = "",
) -> TextTable:
    """Return a row for each rule; the functions spell the target's name and the figures."""
    figures, schema = _figure_names(rules), rules.schema
    antecedents = antecedent_texts(schema, rules.rules, phrasing=phrasing, before_and=before_and)
    rows = [
        [
            str(rule.number),
            antecedent,
            consequent_text(schema, rule.value, phrasing),
            *(shown(_figure(rule, name)) for name in figures),
        ]
        for rule, antecedent in zip(rules.rules, antecedents, strict=True)
    ]
    target = shown_name(schema.target.name) if schema.target else ""
    headings = [heading("rule", lang), heading("if", lang), target, *(heading(name, lang) for name in figures)]
    return TextTable(headings, rows, right=[True, False, schema.is_regression, *(True for _ in figures)])


def _figure_names(rules: RuleSet | RuleList) -> tuple[str, ...]:
    """Return the names of the figures of rules; those of a regression have the standard deviation too."""
    names = figure_names(rules.schema)
    return (*names, "sd") if rules.schema.is_regression else names


def _figure(rule: Rule, name: str) -> float | None:
    if name == "sd":  # of the training rows; a rule without any has none
        return rule.prediction.sd if rule.figures.n and isinstance(rule.prediction, MeanPrediction) else None
    figure: float | None = getattr(rule.figures, name)
    return figure


# ---- JSON


def _record(rules: RuleSet | RuleList, lang: str, **options: Any) -> dict[str, Any]:
    return {
        "format": "treerules.rules",
        "version": 1,
        "target": rules.schema.target.name if rules.schema.target else None,
        **({"assuming": assumption} if (assumption := assumption_of(rules, rules.domain)) else {}),
        "rules": [_rule_record(rule, figure_names(rules.schema)[0]) for rule in rules.rules],
    }


def _rule_record(rule: Rule, counted: str) -> dict[str, Any]:
    figures = {name: getattr(rule.figures, name) for name in (counted, *FIGURES[1:])}
    conditions = {name: _condition_record(condition) for name, condition in rule.conditions}
    if isinstance(rule.prediction, MeanPrediction):
        figures["sd"] = _figure(rule, "sd")
    return {"rule": rule.number, "if": conditions, "then": json_number(rule.value), **figures}


def _condition_record(condition: Condition) -> dict[str, Any]:
    record: dict[str, Any] = {}
    if isinstance(condition.values, tuple):
        record = {"intervals": list(map(_interval_record, condition.values))}
    elif isinstance(condition.values, Interval):
        record = _interval_record(condition.values) or {"known": True}
    elif condition.values is not None:
        record = {
            "not in" if condition.values.complement else "in": [json_number(value) for value in condition.values.values]
        }
    return {**record, "missing": condition.missing, "unseen": condition.unseen}


def _interval_record(interval: Interval) -> dict[str, Any]:
    bounds = dict(zip(("above", "upto"), bounds_of(interval), strict=True))
    return {name: json_number(bound) for name, bound in bounds.items() if bound is not None}


RULE_SET, RULE_LIST = (
    tables_report(
        kind,
        parts=_table_and_lines,
        table=_exact_table,
        record=_record,
        options=PHRASING_OPTIONS,
        text=_sentences,
        html=_parts_under_summary,
    )
    for kind in (RuleSet, RuleList)
)
