"""How rules fare on a table as text, Markdown, CSV and JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from treerules.errors import OptionError
from treerules.evaluation.rule_metrics import RuleMetrics, RulePair, RuleSetMetrics
from treerules.rendering.headings import heading
from treerules.rendering.output_formats import json_text, require_format
from treerules.rendering.text_tables import TextTable, escaped_markdown, finite, printable, table_text
from treerules.rules.wording import antecedent_texts, consequent_text, figure_text, word

#: What is told of each rule: the heading, and the field.
_FIGURES = ("n", "coverage", "support", "confidence", "lift")
_SPREAD = ("mean", "sd", "rmse")
_HEADINGS = {"rmse": "RMSE"}
Names = Mapping[int, str]


def scores_text(scores: RuleSetMetrics, *, format: str = "text", lang: str = "en", names: Names | None = None) -> str:
    """Return scores as people read them: a row for each rule, then the rows that rules disagree about or leave.

    Figures have four significant digits, in CSV and JSON they are exact; the CSV is the table alone. `names` are those
    of rules that are not called by their number. `lang` is that of headings: en or zh.

    The JSON is {"format": "treerules.scores", "version": 1, "n", "weight", "rules": [{"rule", "name", "if", "then",
    "n", "coverage", "support", "confidence", "lift", "mean", "sd", "rmse"}], "conflicts": [{"first", "second", "n",
    "rows"}], "overlaps": the same, "conflicting": {"n", "rows"}, "uncovered": {"n", "rows"}}; rows count from 0, of
    many the first are named, and null is what there is not.

    Raises:
        OptionError: these are no Scores.
        UnknownNameError: there is no such format, or no such language.
    """
    require_format(format, lang)
    if not isinstance(scores, RuleSetMetrics):
        raise OptionError("scores", scores, "Scores, as score(rules, table) returns them")
    if format == "json":
        return json_text(_record(scores, names or {}))
    if format == "csv":
        return table_text(scores_table(scores, lang, names, exact=True), "csv")
    told = [
        part if isinstance(part, str) else table_text(part, format).rstrip("\n")
        for part in scores_parts(scores, lang, names)
    ]
    if format == "md":
        told[2] = "\n".join(f"- {escaped_markdown(line)}" for line in _remarks(scores, lang, names))
    return "\n\n".join(told) + "\n"


def scores_parts(scores: RuleSetMetrics, lang: str = "en", names: Names | None = None) -> list[TextTable | str]:
    """Return what is told of scores: the rows, the table of rules, then what rules disagree about or leave."""
    return [_summary(scores, lang), scores_table(scores, lang, names), "\n".join(_remarks(scores, lang, names))]


def scores_table(
    scores: RuleSetMetrics, lang: str = "en", names: Names | None = None, *, exact: bool = False
) -> TextTable:
    """Return a row for each rule; `exact` is for machines."""
    figures = _told(scores)
    schema, rules = scores.rules.schema, scores.rules.rules
    starts = antecedent_texts(schema, rules)
    rows = []
    for rule, start, found in zip(rules, starts, scores.by_rule, strict=True):
        values = [_figure(found, figure) for figure in figures]
        shown = [("" if v is None else repr(v)) if exact else figure_text(v) for v in values]
        name = (names or {}).get(rule.number, str(rule.number))
        rows.append([name, start, consequent_text(schema, rule.value), *shown])
    headings = [heading(_HEADINGS.get(name, name), lang) for name in ("rule", "if", "then", *figures)]
    return TextTable(headings, rows, [False, False, False, *(True for _ in figures)])


def _told(scores: RuleSetMetrics) -> Sequence[str]:
    if scores.rules.schema.is_regression:
        return (*_FIGURES[:2], *(_SPREAD if scores.judged else ()))
    return _FIGURES if scores.judged else _FIGURES[:2]


def _figure(found: RuleMetrics, figure: str) -> float | None:
    value: float | None = getattr(found if figure in _SPREAD else found.figures, figure)
    return value


def _rows(n: int, lang: str) -> str:
    return heading("{n} row" if n == 1 else "{n} rows", lang, n=n)


def _summary(scores: RuleSetMetrics, lang: str) -> str:
    rows = _rows(scores.n, lang)
    if scores.weight != scores.n:
        rows = heading("{rows}, weight {weight}", lang, rows=rows, weight=figure_text(scores.weight))
    target = scores.rules.schema.target
    return f"{word(target.name)}: {rows}" if target and scores.judged else rows


def _remarks(scores: RuleSetMetrics, lang: str, names: Names | None) -> list[str]:
    """Return the lines about rows that fire several rules, or none."""
    both = (
        ("{first} and {second} predict different values for {rows}", scores.conflicts),
        ("{first} and {second} predict the same for {rows}", scores.overlaps),
    )
    said = [_claim(text, found, lang, names or {}) for text, some in both for found in some]
    if scores.n_uncovered:
        rows = _numbered(scores.n_uncovered, scores.uncovered, lang)
        said.append(heading("no rule fires for {rows}", lang, rows=rows))
    return said or [heading("every row fires one rule", lang)]


def _claim(text: str, found: RulePair, lang: str, names: Names) -> str:
    first, second = (
        printable(names.get(number) or heading("rule {number}", lang, number=number))
        for number in (found.first, found.second)
    )
    return heading(text, lang, first=first, second=second, rows=_numbered(found.n, found.rows, lang))


def _numbered(n: int, rows: Sequence[int], lang: str) -> str:
    numbers = ", ".join(map(str, rows)) + (", ..." if n > len(rows) else "")
    return heading("{rows} (from 0): {numbers}", lang, rows=_rows(n, lang), numbers=numbers)


def _record(scores: RuleSetMetrics, names: Names) -> dict[str, Any]:
    schema, rules = scores.rules.schema, scores.rules.rules
    starts = antecedent_texts(schema, rules)
    told = [
        {
            "rule": rule.number,
            "name": names.get(rule.number),
            "if": start,
            "then": finite(rule.value),
            **{figure: _figure(found, figure) for figure in (*_FIGURES, *_SPREAD)},
        }
        for rule, start, found in zip(rules, starts, scores.by_rule, strict=True)
    ]
    return {
        "format": "treerules.scores",
        "version": 1,
        "n": scores.n,
        "weight": scores.weight,
        "rules": told,
        "conflicts": [_claimed(found) for found in scores.conflicts],
        "overlaps": [_claimed(found) for found in scores.overlaps],
        "conflicting": {"n": scores.n_conflicting, "rows": scores.conflicting},
        "uncovered": {"n": scores.n_uncovered, "rows": scores.uncovered},
    }


def _claimed(found: RulePair) -> dict[str, Any]:
    return {"first": found.first, "second": found.second, "n": found.n, "rows": found.rows}
