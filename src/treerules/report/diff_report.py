"""How two sets of rules differ, as text, Markdown, CSV and JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from treerules.errors import OptionError
from treerules.formats.rules_text.text_writer import shown_condition
from treerules.proof.check import Region
from treerules.proof.diff import Diff, Disagreement
from treerules.proof.rule_changes import ADDED, ANSWER, KINDS, MOVED, REMOVED, UNCHANGED, Edit
from treerules.rendering.headings import heading
from treerules.rendering.output_formats import json_text, require_format
from treerules.rendering.text_tables import TextTable, finite, table_text
from treerules.rules.row_text import row_text
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.wording import consequent_text, rule_text

Names = Mapping[int, str]
#: So many changed rules are shown.
_SHOWN = 100
_COUNTED = {
    UNCHANGED: "{n} unchanged",
    MOVED: "{n} with other bounds",
    ANSWER: "{n} with another answer",
    ADDED: "{n} added",
    REMOVED: "{n} removed",
}
_TOLD = {MOVED: "other bounds", ANSWER: "another answer", ADDED: "added", REMOVED: "removed"}


def diff_text(
    diff: Diff,
    *,
    format: str = "text",
    lang: str = "en",
    old_names: Names | None = None,
    new_names: Names | None = None,
) -> str:
    """Return how two sets of rules differ: the verdict, then each region with its row, then each changed rule.

    Conditions and rows are exact. The names are those of rules that are not called by their number. The CSV is the
    table of regions alone. `lang` is that of headings: en or zh.

    The JSON is {"format": "treerules.diff", "version": 1, "equal": true, false or null, "undecided": of "old" and
    "new" what was too much for the budget, "n_regions", "regions": [{"region", "old": {"rules", "value"}, "new": the
    same, "rows", "row"}], "rules": [{"change": "unchanged", "moved", "answer", "added" or "removed", "old", "new",
    "columns"}], "rows": {"n", "differing", "outside"} or null}.

    Raises:
        OptionError: this is no Diff.
        UnknownNameError: there is no such format, or no such language.
    """
    require_format(format, lang)
    if not isinstance(diff, Diff):
        raise OptionError("diff", diff, "a Diff, as diff(old, new) returns it")
    names = old_names or {}, new_names or {}
    if format == "json":
        return json_text(_record(diff))
    if format == "csv":
        return table_text(regions_table(diff, lang, *names), "csv")
    parts = diff_parts(diff, lang, *names)
    told = [part if isinstance(part, str) else table_text(part, format).rstrip("\n") for part in parts]
    if format == "md":
        told[0] = "\n".join(f"- {line}" for line in diff_summary(diff, lang))
    return "\n\n".join(told) + "\n"


def diff_parts(
    diff: Diff, lang: str = "en", old_names: Names | None = None, new_names: Names | None = None
) -> list[TextTable | str]:
    """Return what is told of a difference, one after another: lines, and the tables of regions and of changed rules."""
    names = old_names or {}, new_names or {}
    told: list[TextTable | str] = ["\n".join(diff_summary(diff, lang))]
    told += [regions_table(diff, lang, *names)] if diff.disagreements else []
    n_more = diff.n_disagreements - len(diff.disagreements)
    told += [heading("{n} more region" if n_more == 1 else "{n} more regions", lang, n=n_more)] if n_more else []
    changed = [edit for edit in diff.edits if edit.kind != UNCHANGED]
    told += [_edits_table(diff, changed[:_SHOWN], lang, names)] if changed else []
    n_more = len(changed) - _SHOWN
    text = "{n} more changed rule" if n_more == 1 else "{n} more changed rules"
    return [*told, *([heading(text, lang, n=n_more)] if n_more > 0 else [])]


def diff_summary(diff: Diff, lang: str = "en") -> list[str]:
    """Return the lines that say whether the two are equal, and how many rows and rules differ."""
    said = [_verdict(diff, lang)]
    sides = f" {heading('and', lang)} ".join(heading(side, lang) for side in diff.undecided)
    if diff.undecided and diff.equal is False:
        said.append(heading("there may be more; undecided within the budget: {sides} rules", lang, sides=sides))
    counts = [(kind, len(diff.of_kind(kind))) for kind in (UNCHANGED, *KINDS[:-1])]
    told = ", ".join(heading(_COUNTED[kind], lang, n=n) for kind, n in counts if n)
    said.append(heading("rules: {counts}", lang, counts=told or "-"))
    if diff.n_rows is not None:
        rows = _rows(diff.n_rows, lang)
        text = "{differing} of {rows} answered differently"
        said.append(heading(text, lang, differing=diff.n_differing, rows=rows))
    if diff.n_outside:
        said.append(heading("{rows} outside the domain, not counted", lang, rows=_rows(diff.n_outside, lang)))
    return said


def _verdict(diff: Diff, lang: str) -> str:
    if diff.equal:
        return heading("equal on the whole domain: proved, not sampled", lang)
    if diff.equal is None:
        sides = f" {heading('and', lang)} ".join(heading(side, lang) for side in diff.undecided)
        return heading("no difference found; undecided within the budget: {sides} rules", lang, sides=sides)
    n = diff.n_disagreements
    return heading("different in {n} region" if n == 1 else "different in {n} regions", lang, n=n)


def _rows(n: int, lang: str) -> str:
    return heading("{n} row" if n == 1 else "{n} rows", lang, n=n)


# ---- regions


def regions_table(
    diff: Diff, lang: str = "en", old_names: Names | None = None, new_names: Names | None = None
) -> TextTable:
    """Return a row for each region in which the answers differ."""
    counted = diff.n_rows is not None
    rows = [
        [
            _region_text(diff, found.region, lang),
            _side_text(diff, found.old, found.old_value, lang, old_names or {}),
            _side_text(diff, found.new, found.new_value, lang, new_names or {}),
            *([str(found.n)] if counted else []),
            row_text(found.row),
        ]
        for found in diff.disagreements
    ]
    names = ["region", "old", "new", *(["rows"] if counted else []), "witness"]
    right = [False, False, False, *([True] if counted else []), False]
    return TextTable([heading(name, lang) for name in names], rows, right)


def _region_text(diff: Diff, region: Region, lang: str) -> str:
    said = [shown_condition(diff.schema.feature(name), condition) for name, condition in region]
    return " AND ".join(said) or heading("everything", lang)


def _side_text(diff: Diff, numbers: Sequence[int], value: Any, lang: str, names: Names) -> str:
    if not numbers:
        return heading("no rule", lang)
    return f"{consequent_text(diff.schema, value)} ({_names(numbers, lang, names)})"


def _names(numbers: Sequence[int], lang: str, names: Names) -> str:
    told = dict.fromkeys(names.get(number) or heading("rule {number}", lang, number=number) for number in numbers)
    shown = list(told)[:3]
    return ", ".join(shown) + (", ..." if len(told) > len(shown) else "")


# ---- rules


def _edits_table(diff: Diff, edits: Sequence[Edit], lang: str, names: tuple[Names, Names]) -> TextTable:
    """Return a row for each changed rule: what became of it, and what was and what is where they differ."""
    sides = [{rule.number: rule for rule in side.rules} for side in (diff.old, diff.new)]
    rows = []
    for edit in edits:
        old = None if edit.old is None else sides[0][edit.old]
        new = None if edit.new is None else sides[1][edit.new]
        shown = [
            "" if rule is None else _rule_words(side, rule, edit) for rule, side in ((old, diff.old), (new, diff.new))
        ]
        numbers = [(edit.old, names[0]), (edit.new, names[1])]
        called = dict.fromkeys(_names([n], lang, some) for n, some in numbers if n is not None)
        rows.append([heading(_TOLD[edit.kind], lang), " -> ".join(called), *shown])
    return TextTable([heading(name, lang) for name in ("change", "rule", "old", "new")], rows)


def _rule_words(side: RuleSet | RuleList, rule: Rule, edit: Edit) -> str:
    """Return what of a rule is worth showing: what moved, its answer, or all of it."""
    if edit.kind != MOVED:
        return rule_text(side.schema, rule)
    asked = dict(rule.conditions)
    return " AND ".join(shown_condition(side.schema.feature(name), asked[name]) for name in edit.columns)


# ---- JSON


def _record(diff: Diff) -> dict[str, Any]:
    rows = None
    if diff.n_rows is not None:
        rows = {"n": diff.n_rows, "differing": diff.n_differing, "outside": diff.n_outside}
    return {
        "format": "treerules.diff",
        "version": 1,
        "equal": diff.equal,
        "undecided": diff.undecided,
        "n_regions": diff.n_disagreements,
        "regions": [_region_record(diff, found) for found in diff.disagreements],
        "rules": [
            {"change": edit.kind, "old": edit.old, "new": edit.new, "columns": edit.columns} for edit in diff.edits
        ],
        "rows": rows,
    }


def _region_record(diff: Diff, found: Disagreement) -> dict[str, Any]:
    return {
        "region": [shown_condition(diff.schema.feature(name), condition) for name, condition in found.region],
        "old": {"rules": found.old, "value": finite(found.old_value)},
        "new": {"rules": found.new, "value": finite(found.new_value)},
        "rows": found.n,
        "row": {name: finite(value) for name, value in found.row.items()},
    }
