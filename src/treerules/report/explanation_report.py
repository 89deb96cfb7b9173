"""Explanations: the rule that fires, each of its conditions beside the row's value, the nearest change.

Of a tree the splits on the row's path are shown as well. Text, Markdown and HTML have the short form, in which
conditions name the missing or unseen value that the row has, and only a row of 0 or 1 reads `= 0`; CSV and JSON are
exact.

    CSV    the table of conditions alone
    JSON   {"format": "treerules.explanation", "version": 1, "row", "rule": the number, "name", "answer", "text",
           "conditions": [{"column", "value", "condition"}], "path": [{"node", "column", "value", "condition"}],
           "others": numbers of rules that fire too, "change": {"columns": [{"column", "before", "after"}], "row",
           "rule", "answer", "text"}, "decided"}; null where there is no rule, or no change
"""

from collections.abc import Mapping
from typing import Any

from treerules.data.domain import next_value
from treerules.data.schema import Kind, Schema
from treerules.formats.rules_text.text_writer import exact_condition_text
from treerules.proof.explain import Change, Explanation, NewValue, PathStep, Reason
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable, json_number
from treerules.report.phrasing_options import PHRASING_OPTIONS
from treerules.report.report import Part, tables_report
from treerules.report.rule_names import rule_name, rule_names
from treerules.rules.phrasing import EXACT, Phrasing, phrasing_for
from treerules.rules.wording import condition_text, consequent_text, rule_text, rule_texts, word

#: A number is told by the number next to it if that saves so many characters.
_SAVED = 5


def _parts(explanation: Explanation, lang: str, exact: bool, full: bool, digits: int | None) -> list[Part]:
    """Return the rule, the tables of its conditions and of the path, the nearest change."""
    phrasing = phrasing_for(explanation.training, lang, exact=exact, full=full, digits=digits)
    phrasing = phrasing.naming(*unusual_columns(explanation.schema, explanation.row))
    parts: list[Part] = ["\n".join(_rule_lines(explanation, lang, phrasing))]
    parts += [_conditions_table(explanation, lang, phrasing)] if explanation.reasons else []
    parts += [_path_table(explanation, lang, phrasing)] if explanation.path else []
    return [*parts, change_text(explanation, lang, phrasing)]


def unusual_columns(schema: Schema, row: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the columns whose value in the row is missing or unseen, and those whose value is neither 0 nor 1."""
    values = [(feature, row.get(feature.name)) for feature in schema.features]
    special = [
        feature.name
        for feature, value in values
        if value is None or (feature.is_open and feature.position(value) is None)
    ]
    return special, [feature.name for feature, value in values if value not in (None, 0, 1)]


def _rule_lines(explanation: Explanation, lang: str, phrasing: Phrasing) -> list[str]:
    rule = explanation.rule
    if rule is None:
        return [heading("no rule fires for this row", lang)]
    (sentence,) = rule_texts(explanation.schema, [rule], phrasing=phrasing)
    lines = [f"{rule_name(explanation.names, rule.number, lang)}: {sentence}"]
    if explanation.others:
        others = rule_names(explanation.names, explanation.others, lang)
        text = "{others} fires too" if len(others) == 1 else "{others} fire too"
        lines.append(heading(text, lang, others=", ".join(others)))
    return lines


# ---- tables


def _conditions_table(explanation: Explanation, lang: str, phrasing: Phrasing) -> TextTable:
    headings = [heading(name, lang) for name in ("column", "value", "condition")]
    return TextTable(headings, [_cells(explanation.schema, reason, lang, phrasing) for reason in explanation.reasons])


def _exact_table(explanation: Explanation, lang: str, **options: Any) -> TextTable:
    return _conditions_table(explanation, lang, EXACT)


def _path_table(explanation: Explanation, lang: str, phrasing: Phrasing) -> TextTable:
    headings = [heading(name, lang) for name in ("node", "column", "value", "condition")]
    rows = [[str(step.node), *_cells(explanation.schema, step, lang, phrasing)] for step in explanation.path]
    return TextTable(headings, rows, [True, False, False, False])


def _cells(schema: Schema, reason: Reason | PathStep, lang: str, phrasing: Phrasing) -> list[str]:
    value, feature = _value_text(schema, reason.column, reason.value, lang), schema.feature(reason.column)
    if phrasing is EXACT:
        return [word(reason.column), value, exact_condition_text(feature, reason.condition)]
    return [word(reason.column), value, condition_text(feature, reason.condition, phrasing)]


def _value_text(schema: Schema, column: str, value: Any, lang: str) -> str:
    return heading("missing", lang) if value is None else word(value, schema.feature(column).form)


# ---- the nearest change


def change_text(explanation: Explanation, lang: str = "en", phrasing: Phrasing = EXACT) -> str:
    """Return the nearest change on one line, such as: nearest change: age 30 -> 31 would give no (rule 4)."""
    change, schema = explanation.change, explanation.schema
    if change is None:
        text = "no change of the row gives another answer"
        return heading(text if explanation.decided else "the nearest change was not found within the budget", lang)
    return heading(
        "nearest change: {changes} would give {answer} ({rule})",
        lang,
        changes=", ".join(_new_values(schema, change, lang)),
        answer=consequent_text(schema, change.answer, phrasing),
        rule=rule_name(explanation.names, change.rule.number, lang),
    )


def _new_values(schema: Schema, change: Change, lang: str) -> list[str]:
    return [
        heading(
            "{column} {before} -> {after}",
            lang,
            column=word(new.column),
            before=_value_text(schema, new.column, new.before, lang),
            after=_new_text(schema, new, lang),
        )
        for new in change.values
    ]


def _new_text(schema: Schema, new: NewValue, lang: str) -> str:
    """Return the new value; of a number next to a far shorter one, the bound of its rule, that it lies above or below.

    The number next above 6.05 is 6.050000000000001: "above 6.05".
    """
    text, feature = _value_text(schema, new.column, new.after, lang), schema.feature(new.column)
    if feature.kind is Kind.NUMBER and new.after is not None:
        for up, side in ((False, "above {value}"), (True, "below {value}")):
            neighbour = next_value(feature, new.after, up=up)
            if neighbour is not None and len(word(neighbour)) + _SAVED <= len(text):
                return heading(side, lang, value=word(neighbour))
    return text


# ---- JSON


def _record(explanation: Explanation, lang: str, **options: Any) -> dict[str, Any]:
    rule, schema = explanation.rule, explanation.schema
    return {
        "format": "treerules.explanation",
        "version": 1,
        "row": row_record(explanation.row),
        "rule": None if rule is None else rule.number,
        "name": None if rule is None else explanation.names.get(rule.number),
        "answer": json_number(explanation.answer),
        "text": None if rule is None else rule_text(schema, rule),
        "conditions": [reason_record(schema, reason) for reason in explanation.reasons],
        "path": [{"node": step.node, **reason_record(schema, step)} for step in explanation.path],
        "others": explanation.others,
        "change": _change_record(explanation, lang),
        "decided": explanation.decided,
    }


def reason_record(schema: Schema, reason: Reason | PathStep) -> dict[str, Any]:
    """Return a condition with the value of the row, for JSON."""
    condition = exact_condition_text(schema.feature(reason.column), reason.condition)
    return {"column": reason.column, "value": json_number(reason.value), "condition": condition}


def _change_record(explanation: Explanation, lang: str) -> dict[str, Any] | None:
    change = explanation.change
    if change is None:
        return None
    return {
        "columns": [
            {"column": new.column, "before": json_number(new.before), "after": json_number(new.after)}
            for new in change.values
        ],
        "row": row_record(change.row),
        "rule": change.rule.number,
        "answer": json_number(change.answer),
        "text": change_text(explanation, lang),
    }


def row_record(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row for JSON."""
    return {name: json_number(value) for name, value in row.items()}


EXPLANATION = tables_report(Explanation, parts=_parts, table=_exact_table, record=_record, options=PHRASING_OPTIONS)
