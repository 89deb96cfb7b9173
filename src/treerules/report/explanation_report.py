"""Explanations: the rule that fires, each of its conditions beside the row's value, the nearest change.

Of a tree the splits on the row's path are shown as well. Values are exact.

    CSV    the table of conditions alone
    JSON   {"format": "treerules.explanation", "version": 1, "row", "rule": the number, "name", "answer", "text",
           "conditions": [{"column", "value", "condition"}], "path": [{"node", "column", "value", "condition"}],
           "others": numbers of rules that fire too, "change": {"columns": [{"column", "before", "after"}], "row",
           "rule", "answer", "text"}, "decided"}; null where there is no rule, or no change
"""

from collections.abc import Mapping
from typing import Any

from treerules.data.schema import Schema
from treerules.formats.rules_text.text_writer import exact_condition_text
from treerules.proof.explain import Change, Explanation, PathStep, Reason
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable, json_number
from treerules.report.report import Part, tables_report
from treerules.report.rule_names import rule_name, rule_names
from treerules.rules.wording import consequent_text, rule_text, word


def _parts(explanation: Explanation, lang: str) -> list[Part]:
    """Return the rule, the tables of its conditions and of the path, the nearest change."""
    parts: list[Part] = ["\n".join(_rule_lines(explanation, lang))]
    parts += [_conditions_table(explanation, lang)] if explanation.reasons else []
    parts += [_path_table(explanation, lang)] if explanation.path else []
    return [*parts, change_text(explanation, lang)]


def _rule_lines(explanation: Explanation, lang: str) -> list[str]:
    rule = explanation.rule
    if rule is None:
        return [heading("no rule fires for this row", lang)]
    lines = [f"{rule_name(explanation.names, rule.number, lang)}: {rule_text(explanation.schema, rule)}"]
    if explanation.others:
        others = rule_names(explanation.names, explanation.others, lang)
        text = "{others} fires too" if len(others) == 1 else "{others} fire too"
        lines.append(heading(text, lang, others=", ".join(others)))
    return lines


# ---- tables


def _conditions_table(explanation: Explanation, lang: str) -> TextTable:
    headings = [heading(name, lang) for name in ("column", "value", "condition")]
    return TextTable(headings, [_cells(explanation.schema, reason, lang) for reason in explanation.reasons])


def _path_table(explanation: Explanation, lang: str) -> TextTable:
    headings = [heading(name, lang) for name in ("node", "column", "value", "condition")]
    rows = [[str(step.node), *_cells(explanation.schema, step, lang)] for step in explanation.path]
    return TextTable(headings, rows, [True, False, False, False])


def _cells(schema: Schema, reason: Reason | PathStep, lang: str) -> list[str]:
    value = _value_text(schema, reason.column, reason.value, lang)
    return [word(reason.column), value, exact_condition_text(schema.feature(reason.column), reason.condition)]


def _value_text(schema: Schema, column: str, value: Any, lang: str) -> str:
    return heading("missing", lang) if value is None else word(value, schema.feature(column).form)


# ---- the nearest change


def change_text(explanation: Explanation, lang: str = "en") -> str:
    """Return the nearest change on one line, such as: nearest change: age 30 -> 31 would give no (rule 4)."""
    change, schema = explanation.change, explanation.schema
    if change is None:
        text = "no change of the row gives another answer"
        return heading(text if explanation.decided else "the nearest change was not found within the budget", lang)
    return heading(
        "nearest change: {changes} would give {answer} ({rule})",
        lang,
        changes=", ".join(_new_values(schema, change, lang)),
        answer=consequent_text(schema, change.answer),
        rule=rule_name(explanation.names, change.rule.number, lang),
    )


def _new_values(schema: Schema, change: Change, lang: str) -> list[str]:
    return [
        heading(
            "{column} {before} -> {after}",
            lang,
            column=word(new.column),
            before=_value_text(schema, new.column, new.before, lang),
            after=_value_text(schema, new.column, new.after, lang),
        )
        for new in change.values
    ]


# ---- JSON


def _record(explanation: Explanation, lang: str) -> dict[str, Any]:
    rule, schema = explanation.rule, explanation.schema
    return {
        "format": "treerules.explanation",
        "version": 1,
        "row": _row_record(explanation.row),
        "rule": None if rule is None else rule.number,
        "name": None if rule is None else explanation.names.get(rule.number),
        "answer": json_number(explanation.answer),
        "text": None if rule is None else rule_text(schema, rule),
        "conditions": [_reason_record(schema, reason) for reason in explanation.reasons],
        "path": [{"node": step.node, **_reason_record(schema, step)} for step in explanation.path],
        "others": explanation.others,
        "change": _change_record(explanation, lang),
        "decided": explanation.decided,
    }


def _reason_record(schema: Schema, reason: Reason | PathStep) -> dict[str, Any]:
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
        "row": _row_record(change.row),
        "rule": change.rule.number,
        "answer": json_number(change.answer),
        "text": change_text(explanation, lang),
    }


def _row_record(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: json_number(value) for name, value in row.items()}


EXPLANATION = tables_report(Explanation, parts=_parts, table=_conditions_table, record=_record)
