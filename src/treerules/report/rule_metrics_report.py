"""Metrics of rules on a table: a row for each rule, then the rows on which rules disagree and those that none covers.

CSV    the table of rules alone
JSON   {"format": "treerules.scores", "version": 1, "n", "weight", "rules": [{"rule", "name", "if", "then", "n",
       "coverage", "support", "confidence", "lift", "mean", "sd", "rmse"}], "conflicts": [{"first", "second", "n",
       "rows"}], "overlaps": the same, "conflicting": {"n", "rows"}, "uncovered": {"n", "rows"}}; rows are numbered
       from 0, and only the first of many are listed
"""

from collections.abc import Callable, Sequence
from typing import Any

from treerules.evaluation.rule_conflicts import RulePair
from treerules.evaluation.rule_metrics import RuleMetrics, RuleSetMetrics
from treerules.rendering.headings import heading, row_count
from treerules.rendering.text_tables import TextTable, exact_text, json_number
from treerules.report.report import Part, tables_report
from treerules.report.rule_names import rule_name
from treerules.report.unsaid_lines import unsaid_lines
from treerules.rules.phrasing import EXACT, Phrasing, phrasing_for
from treerules.rules.wording import antecedent_texts, consequent_text, figure_text, word

#: The fields of RuleFigures, and those of RuleMetrics, which are also their headings.
_FIGURES = ("n", "coverage", "support", "confidence", "lift")
_REGRESSION_FIGURES = ("mean", "sd", "rmse")
_HEADINGS = {"rmse": "RMSE"}


def _parts(metrics: RuleSetMetrics, lang: str) -> list[Part]:
    phrasing = phrasing_for(metrics.rules.training, lang)
    remarks = "\n".join(_remarks(metrics, lang))
    lines = unsaid_lines(metrics.rules, phrasing, lang)
    table = _table(metrics, lang, figure_text, phrasing)
    return [_summary(metrics, lang), table, *(["\n".join(lines)] if lines else []), remarks]


def _summary(metrics: RuleSetMetrics, lang: str) -> str:
    """Return the line that names the target, if the table has it, and the number of rows."""
    rows = row_count(metrics.n, lang)
    if metrics.weight != metrics.n:
        rows = heading("{rows}, weight {weight}", lang, rows=rows, weight=figure_text(metrics.weight))
    target = metrics.rules.schema.target
    return f"{word(target.name)}: {rows}" if target and metrics.has_target else rows


# ---- the table


def _exact_table(metrics: RuleSetMetrics, lang: str) -> TextTable:
    return _table(metrics, lang, exact_text, EXACT)


def _table(metrics: RuleSetMetrics, lang: str, shown: Callable[[float | None], str], phrasing: Phrasing) -> TextTable:
    """Return a row for each rule, its figures as `shown` spells them."""
    figures = _figure_names(metrics)
    schema, rules = metrics.rules.schema, metrics.rules.rules
    antecedents = antecedent_texts(schema, rules, phrasing=phrasing)
    rows = [
        [
            metrics.names.get(rule.number, str(rule.number)),
            antecedent,
            consequent_text(schema, rule.value, phrasing),
            *(shown(_figure(rule_metrics, figure)) for figure in figures),
        ]
        for rule, antecedent, rule_metrics in zip(rules, antecedents, metrics.by_rule, strict=True)
    ]
    headings = [heading(_HEADINGS.get(name, name), lang) for name in ("rule", "if", "then", *figures)]
    return TextTable(headings, rows, [False, False, schema.is_regression, *(True for _ in figures)])


def _figure_names(metrics: RuleSetMetrics) -> Sequence[str]:
    """Return the names of the figures that the table of rows allows."""
    if metrics.rules.schema.is_regression:
        return (*_FIGURES[:2], *(_REGRESSION_FIGURES if metrics.has_target else ()))
    return _FIGURES if metrics.has_target else _FIGURES[:2]


def _figure(rule_metrics: RuleMetrics, figure: str) -> float | None:
    value: float | None = getattr(rule_metrics if figure in _REGRESSION_FIGURES else rule_metrics.figures, figure)
    return value


# ---- remarks


def _remarks(metrics: RuleSetMetrics, lang: str) -> list[str]:
    """Return the lines on rows that fire several rules, or none."""
    pairs = [
        *(("{first} and {second} predict different values for {rows}", pair) for pair in metrics.conflicts),
        *(("{first} and {second} predict the same for {rows}", pair) for pair in metrics.overlaps),
    ]
    remarks = [_pair_text(metrics, text, pair, lang) for text, pair in pairs]
    if metrics.n_uncovered:
        rows = _row_numbers(metrics.n_uncovered, metrics.uncovered, lang)
        remarks.append(heading("no rule fires for {rows}", lang, rows=rows))
    return remarks or [heading("every row fires one rule", lang)]


def _pair_text(metrics: RuleSetMetrics, text: str, pair: RulePair, lang: str) -> str:
    first, second = (rule_name(metrics.names, number, lang) for number in (pair.first, pair.second))
    return heading(text, lang, first=first, second=second, rows=_row_numbers(pair.n, pair.rows, lang))


def _row_numbers(n: int, rows: Sequence[int], lang: str) -> str:
    """Return the number of rows and the numbers of the first of them."""
    numbers = ", ".join(map(str, rows)) + (", ..." if n > len(rows) else "")
    return heading("{rows} (from 0): {numbers}", lang, rows=row_count(n, lang), numbers=numbers)


# ---- JSON


def _record(metrics: RuleSetMetrics, lang: str) -> dict[str, Any]:
    schema, rules = metrics.rules.schema, metrics.rules.rules
    rule_records = [
        {
            "rule": rule.number,
            "name": metrics.names.get(rule.number),
            "if": antecedent,
            "then": json_number(rule.value),
            **{figure: _figure(rule_metrics, figure) for figure in (*_FIGURES, *_REGRESSION_FIGURES)},
        }
        for rule, antecedent, rule_metrics in zip(rules, antecedent_texts(schema, rules), metrics.by_rule, strict=True)
    ]
    return {
        "format": "treerules.scores",
        "version": 1,
        "n": metrics.n,
        "weight": metrics.weight,
        "rules": rule_records,
        "conflicts": [_pair_record(pair) for pair in metrics.conflicts],
        "overlaps": [_pair_record(pair) for pair in metrics.overlaps],
        "conflicting": {"n": metrics.n_conflicting, "rows": metrics.conflicting},
        "uncovered": {"n": metrics.n_uncovered, "rows": metrics.uncovered},
    }


def _pair_record(pair: RulePair) -> dict[str, Any]:
    return {"first": pair.first, "second": pair.second, "n": pair.n, "rows": pair.rows}


RULE_SET_METRICS = tables_report(RuleSetMetrics, parts=_parts, table=_exact_table, record=_record)
