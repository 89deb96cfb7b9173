"""Diffs: the verdict, each region in which the answers differ with a row of it, each changed rule.

Conditions and rows are exact.

    CSV    the table of regions alone
    JSON   {"format": "treerules.diff", "version": 1, "equal": true, false or null, "undecided": of "old" and "new"
           those that exceeded the budget, "n_regions", "regions": [{"region", "old": {"rules", "value"}, "new": as
           "old", "rows", "row"}], "rules": [{"change": "unchanged", "moved", "answer", "added" or "removed", "old",
           "new", "columns"}], "rows": {"n", "differing", "outside"} or null, "assuming": what is
           assumed of the columns, if anything is}
"""

from collections.abc import Mapping, Sequence
from typing import Any

from treerules.data.domain import intersection_of, narrowing
from treerules.formats.rules_text.text_writer import exact_condition_text
from treerules.proof.align_schemas import other_readings
from treerules.proof.assumption import assuming_line
from treerules.proof.check import Region
from treerules.proof.diff import Diff, Disagreement
from treerules.proof.rule_changes import ADDED, ANSWER, KINDS, MOVED, REMOVED, UNCHANGED, Edit
from treerules.rendering.headings import heading, row_count
from treerules.rendering.text_tables import TextTable, escape_unprintable, json_number
from treerules.report.findings import region_text
from treerules.report.report import Part, tables_report
from treerules.report.rule_names import rule_names
from treerules.rules.outside_values import domain_words
from treerules.rules.phrasing import phrasing_for
from treerules.rules.row_text import row_text
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.wording import consequent_text, rule_texts

#: The number of changed rules that are shown.
_MOST_RULES = 100
#: The number of rules that are named for one side of a region.
_MOST_NAMES = 3
_COUNTS = {
    UNCHANGED: "{n} unchanged",
    MOVED: "{n} with other bounds",
    ANSWER: "{n} with another answer",
    ADDED: "{n} added",
    REMOVED: "{n} removed",
}
_CHANGES = {MOVED: "other bounds", ANSWER: "another answer", ADDED: "added", REMOVED: "removed"}


def diff_sections(diff: Diff, lang: str) -> list[Part]:
    """Return the summary, the table of regions and the table of changed rules."""
    parts: list[Part] = ["\n".join(_summary(diff, lang))]
    parts += [_regions_table(diff, lang)] if diff.disagreements else []
    n_more = diff.n_disagreements - len(diff.disagreements)
    parts += [heading("{n} more region" if n_more == 1 else "{n} more regions", lang, n=n_more)] if n_more else []
    changed = [edit for edit in diff.edits if edit.kind != UNCHANGED]
    parts += [_edits_table(diff, changed[:_MOST_RULES], lang)] if changed else []
    n_more = len(changed) - _MOST_RULES
    text = "{n} more changed rule" if n_more == 1 else "{n} more changed rules"
    return [*parts, *([heading(text, lang, n=n_more)] if n_more > 0 else [])]


def _summary(diff: Diff, lang: str) -> list[str]:
    """Return the lines that say whether both sides are equal, and how many rows and rules differ."""
    lines = [_verdict(diff, lang), *_assuming(diff, lang), *_reading_note(diff, lang)]
    if diff.undecided and diff.equal is False:
        text = "there may be more; undecided within the budget: {sides} rules; give a greater budget (--budget)"
        lines.append(heading(text, lang, sides=_undecided(diff, lang)))
    counts = [(kind, len(diff.of_kind(kind))) for kind in (UNCHANGED, *KINDS[:-1])]
    texts = [heading(_COUNTS[kind], lang, n=n) for kind, n in counts if n]
    lines.append(heading("rules: {counts}", lang, counts=", ".join(texts) or "-"))
    if diff.n_rows is not None:
        rows = row_count(diff.n_rows, lang)
        text = "{differing} of {rows} answered differently"
        lines.append(heading(text, lang, differing=diff.n_differing, rows=rows))
    if diff.n_outside:
        lines.append(heading("{rows} outside the domain, not counted", lang, rows=row_count(diff.n_outside, lang)))
    return lines


def _assuming(diff: Diff, lang: str) -> list[str]:
    """Return the lines that say over which domain the two are compared; none where it is every value."""
    line = escape_unprintable(assuming_line(domain_words(diff.schema, diff.domain, lang), lang))
    of_both = intersection_of(diff.old.domain, diff.new.domain)
    differ = dict(diff.old.domain) != dict(diff.new.domain) and diff.domain == narrowing(diff.schema, of_both)
    text = "the two declare different domains: compared over their intersection"
    return [*([line] if line else []), *([heading(text, lang)] if differ and line else [])]


def _reading_note(diff: Diff, lang: str) -> list[str]:
    """Return a line where one side is rules, which do not hold how the model that is the other one reads cells."""
    others = other_readings(diff.old.schema, diff.new.schema)
    if not others:
        return []
    text = "values are compared as they are after reading: rules do not hold how the model reads {columns}"
    return [heading(text, lang, columns=escape_unprintable(", ".join(map(repr, others))))]


def _verdict(diff: Diff, lang: str) -> str:
    if diff.equal:
        domain = "declared" if diff.domain else "whole"
        return heading(f"equal on the {domain} domain: proved, not sampled", lang)
    if diff.equal is None:
        text = "no difference found; undecided within the budget: {sides} rules; give a greater budget (--budget)"
        return heading(text, lang, sides=_undecided(diff, lang))
    n = diff.n_disagreements
    return heading("different in {n} region" if n == 1 else "different in {n} regions", lang, n=n)


def _undecided(diff: Diff, lang: str) -> str:
    return f" {heading('and', lang)} ".join(heading(side, lang) for side in diff.undecided)


# ---- regions


def _regions_table(diff: Diff, lang: str) -> TextTable:
    """Return a row for each region in which the answers differ; with the rows of a table, if they were counted."""
    is_counted = diff.n_rows is not None
    rows = [
        [
            _region_text(diff, region.region, lang),
            _side_text(diff, region.old, region.old_value, lang, diff.old_names),
            _side_text(diff, region.new, region.new_value, lang, diff.new_names),
            *([str(region.n)] if is_counted else []),
            row_text(region.row),
        ]
        for region in diff.disagreements
    ]
    names = ["region", "old", "new", *(["rows"] if is_counted else []), "witness"]
    right = [False, False, False, *([True] if is_counted else []), False]
    return TextTable([heading(name, lang) for name in names], rows, right)


def _region_text(diff: Diff, region: Region, lang: str) -> str:
    return region_text(diff.schema, region, lang) or heading("everything", lang)


def _side_text(diff: Diff, numbers: Sequence[int], value: Any, lang: str, names: Mapping[int, str]) -> str:
    """Return what one side answers and by which rules."""
    if not numbers:
        return heading("no rule", lang)
    all_names = rule_names(names, numbers, lang)
    more = ", ..." if len(all_names) > _MOST_NAMES else ""
    return f"{consequent_text(diff.schema, value)} ({', '.join(all_names[:_MOST_NAMES])}{more})"


# ---- rules


def _edits_table(diff: Diff, edits: Sequence[Edit], lang: str) -> TextTable:
    """Return a row for each changed rule: the change, its names, and both versions where they differ."""
    old_rules, new_rules = ({rule.number: rule for rule in side.rules} for side in (diff.old, diff.new))
    rows = []
    for edit in edits:
        old_text = "" if edit.old is None else _edited_text(diff.old, old_rules[edit.old], edit, lang)
        new_text = "" if edit.new is None else _edited_text(diff.new, new_rules[edit.new], edit, lang)
        rows.append(
            [heading(_CHANGES[edit.kind], lang), " -> ".join(_edit_names(diff, edit, lang)), old_text, new_text]
        )
    return TextTable([heading(name, lang) for name in ("change", "rule", "old", "new")], rows)


def _edit_names(diff: Diff, edit: Edit, lang: str) -> list[str]:
    """Return the old and the new name of a rule; once where they are the same."""
    old = [] if edit.old is None else rule_names(diff.old_names, [edit.old], lang)
    new = [] if edit.new is None else rule_names(diff.new_names, [edit.new], lang)
    return old if old == new else [*old, *new]


def _edited_text(side: RuleSet | RuleList, rule: Rule, edit: Edit, lang: str) -> str:
    """Return the part of a rule that an edit changed: the conditions that moved, else the whole rule."""
    if edit.kind != MOVED:
        return rule_texts(side.schema, [rule], phrasing=phrasing_for(None, lang, exact=True))[0]
    conditions = dict(rule.conditions)
    return region_text(side.schema, tuple((name, conditions[name]) for name in edit.columns), lang)


# ---- JSON


def diff_record(diff: Diff, lang: str) -> dict[str, Any]:
    """Return the record of the JSON."""
    rows = None
    if diff.n_rows is not None:
        rows = {"n": diff.n_rows, "differing": diff.n_differing, "outside": diff.n_outside}
    return {
        "format": "treerules.diff",
        "version": 1,
        "equal": diff.equal,
        "undecided": diff.undecided,
        "n_regions": diff.n_disagreements,
        "regions": [_region_record(diff, region) for region in diff.disagreements],
        "rules": [
            {"change": edit.kind, "old": edit.old, "new": edit.new, "columns": edit.columns} for edit in diff.edits
        ],
        "rows": rows,
        **({"note": note[0]} if (note := _reading_note(diff, "en")) else {}),
        **({"assuming": assumption} if (assumption := domain_words(diff.schema, diff.domain)) else {}),
    }


def _region_record(diff: Diff, region: Disagreement) -> dict[str, Any]:
    return {
        "region": [exact_condition_text(diff.schema.feature(name), condition) for name, condition in region.region],
        "old": {"rules": region.old, "value": json_number(region.old_value)},
        "new": {"rules": region.new, "value": json_number(region.new_value)},
        "rows": region.n,
        "row": {name: json_number(value) for name, value in region.row.items()},
    }


DIFF = tables_report(Diff, parts=diff_sections, table=_regions_table, record=diff_record)
