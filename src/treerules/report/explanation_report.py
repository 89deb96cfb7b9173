"""Why a row gets its answer, as text, Markdown, CSV and JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from treerules.data.schema import Schema
from treerules.errors import OptionError
from treerules.formats.rules_text.text_writer import shown_condition
from treerules.proof.explain import Change, Explanation, Reason, Step
from treerules.rendering.headings import heading
from treerules.rendering.output_formats import json_text, require_format
from treerules.rendering.text_tables import TextTable, escaped_markdown, finite, printable, table_text
from treerules.rules.wording import consequent_text, rule_text, word

Names = Mapping[int, str]


def explanation_text(
    explanation: Explanation, *, format: str = "text", lang: str = "en", names: Names | None = None
) -> str:
    """Return an explanation in words: the rule, each of its conditions beside the row's value, the nearest change.

    In a tree the splits on the row's way come as well. Values are exact. `names` are those of rules that are not
    called by their number. The CSV is the table of conditions alone. `lang` is that of headings: en or zh.

    The JSON is {"format": "treerules.explanation", "version": 1, "row", "rule": the number, "name", "answer", "text",
    "conditions": [{"column", "value", "condition"}], "path": [{"node", "column", "value", "condition"}], "others":
    numbers of rules that fire too, "change": {"columns": [{"column", "before", "after"}], "row", "rule", "answer",
    "text"}, "decided"}; null where there is no rule, or no change.

    Raises:
        OptionError: this is no Explanation.
        UnknownNameError: there is no such format, or no such language.
    """
    require_format(format, lang)
    if not isinstance(explanation, Explanation):
        raise OptionError("explanation", explanation, "an Explanation, as explain(source, row) returns it")
    if format == "json":
        return json_text(_record(explanation, lang, names or {}))
    if format == "csv":
        return table_text(_table(explanation.schema, explanation.reasons, lang), "csv")
    parts = explanation_parts(explanation, lang, names)
    told = [part if isinstance(part, str) else table_text(part, format).rstrip("\n") for part in parts]
    if format == "md":
        lines = told[0].split("\n")
        told[0], told[-1] = "\n\n".join(map(escaped_markdown, lines)), escaped_markdown(told[-1])
    return "\n\n".join(told) + "\n"


def explanation_parts(explanation: Explanation, lang: str = "en", names: Names | None = None) -> list[TextTable | str]:
    """Return what is told of a row: the rule, the tables of its conditions and of the way there, the nearest change."""
    told: list[TextTable | str] = [_rule_line(explanation, lang, names or {})]
    told += [_table(explanation.schema, explanation.reasons, lang)] if explanation.reasons else []
    told += [_path_table(explanation, lang)] if explanation.path else []
    return [*told, change_text(explanation, lang=lang, names=names)]


def change_text(explanation: Explanation, *, lang: str = "en", names: Names | None = None) -> str:
    """Return the nearest change on one line, such as: nearest change: age 30 -> 31 would give no (rule 4)."""
    change, schema = explanation.change, explanation.schema
    if change is None:
        decided = "no change of the row gives another answer"
        return heading(decided if explanation.decided else "the nearest change was not found within the budget", lang)
    return heading(
        "nearest change: {changes} would give {answer} ({rule})",
        lang,
        changes=_changes(schema, change, lang),
        answer=consequent_text(schema, change.answer),
        rule=_name(change.rule.number, lang, names or {}),
    )


def _changes(schema: Schema, change: Change, lang: str) -> str:
    said = [
        heading(
            "{column} {before} -> {after}",
            lang,
            column=word(new.column),
            before=_value(schema, new.column, new.before, lang),
            after=_value(schema, new.column, new.after, lang),
        )
        for new in change.values
    ]
    return ", ".join(said)


def _value(schema: Schema, column: str, value: Any, lang: str) -> str:
    return heading("missing", lang) if value is None else word(value, schema.feature(column).form)


def _name(number: int, lang: str, names: Names) -> str:
    return printable(names.get(number) or heading("rule {number}", lang, number=number))


def _rule_line(explanation: Explanation, lang: str, names: Names) -> str:
    rule = explanation.rule
    if rule is None:
        return heading("no rule fires for this row", lang)
    said = f"{_name(rule.number, lang, names)}: {rule_text(explanation.schema, rule)}"
    if explanation.others:
        others = list(dict.fromkeys(_name(number, lang, names) for number in explanation.others))
        too = "{others} fires too" if len(others) == 1 else "{others} fire too"
        said += f"\n{heading(too, lang, others=', '.join(others))}"
    return said


def _cells(schema: Schema, found: Reason | Step, lang: str) -> list[str]:
    shown = _value(schema, found.column, found.value, lang)
    return [word(found.column), shown, shown_condition(schema.feature(found.column), found.condition)]


def _table(schema: Schema, reasons: Sequence[Reason], lang: str) -> TextTable:
    headings = [heading(name, lang) for name in ("column", "value", "condition")]
    return TextTable(headings, [_cells(schema, reason, lang) for reason in reasons])


def _path_table(explanation: Explanation, lang: str) -> TextTable:
    headings = [heading(name, lang) for name in ("node", "column", "value", "condition")]
    rows = [[str(step.node), *_cells(explanation.schema, step, lang)] for step in explanation.path]
    return TextTable(headings, rows, [True, False, False, False])


def _record(explanation: Explanation, lang: str, names: Names) -> dict[str, Any]:
    rule, schema, change = explanation.rule, explanation.schema, explanation.change

    def told(found: Reason | Step) -> dict[str, Any]:
        condition = shown_condition(schema.feature(found.column), found.condition)
        return {"column": found.column, "value": finite(found.value), "condition": condition}

    return {
        "format": "treerules.explanation",
        "version": 1,
        "row": _plain(explanation.row),
        "rule": None if rule is None else rule.number,
        "name": None if rule is None else names.get(rule.number),
        "answer": finite(explanation.answer),
        "text": None if rule is None else rule_text(schema, rule),
        "conditions": [told(reason) for reason in explanation.reasons],
        "path": [{"node": step.node, **told(step)} for step in explanation.path],
        "others": explanation.others,
        "change": None if change is None else {
            "columns": [{"column": new.column, "before": finite(new.before), "after": finite(new.after)}
                        for new in change.values],
            "row": _plain(change.row),
            "rule": change.rule.number,
            "answer": finite(change.answer),
            "text": change_text(explanation, lang=lang, names=names),
        },
        "decided": explanation.decided,
    }  # fmt: skip


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: finite(value) for name, value in row.items()}
