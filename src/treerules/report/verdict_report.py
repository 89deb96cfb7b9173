"""The verdict of a check as text, Markdown, CSV, JSON and SARIF: the answers first, then each finding with its witness.

treerules.verdict      {"format", "version": 1, "rules": n, "exclusive": true or false, "complete": true, false or
                       null, "overlaps": [{"first", "second", "row", "where"}], "gaps": [{"row", "where", "rule"}],
                       "shadowed": [{"rule", "by"}], "unreachable": [rule], "redundant": [{"first", "second",
                       "rule"}], "cut_off": [which of these were cut off], "unread": [{"line", "column", "text",
                       "problem"}], "notes", "lines": {rule: line}, "names": {rule: name}, "file", "title",
                           "ok"}
treerules.list_verdict the same of a rule list, where the first rule that fires decides: without "exclusive",
                       "shadowed", "unreachable" and "redundant", with "never": [{"rule", "by"}], "undecided":
                       [rule] and "otherwise": [{"row", "where"}], what comes to the last rule
treerules.verdicts     {"format", "version": 1, "ok", "verdicts": [those, with "file" and "title"]}
"""

from collections.abc import Sequence
from typing import Any

from treerules.errors import OptionError, UnknownNameError
from treerules.proof.check import Gap, Overlap, Row, Verdict
from treerules.proof.check_list import ListVerdict
from treerules.proof.review import Review
from treerules.rendering.headings import heading, require_lang
from treerules.rendering.output_formats import json_text
from treerules.rendering.text_tables import TextTable, escaped_markdown, printable, table_text
from treerules.rendering.wrap import SENTENCE, folded
from treerules.report.findings import Finding, answers, closing_text, findings, is_set, region_text
from treerules.report.sarif import sarif_text
from treerules.rules.parsed import ParsedRules
from treerules.rules.row_text import row_text
from treerules.rules.sources import Source, rules_of
from treerules.trees.json_values import value_to_json

FORMATS = ("text", "md", "csv", "json", "sarif")
_SAID = {True: "yes", False: "no", None: "undecided within the budget"}
#: One file that was checked: its name, empty where it has none, and what was found of each of its parts.
Checked = tuple[str, Sequence[Review]]


def verdict_text(
    verdict: Verdict | ListVerdict,
    rules: Source,
    *,
    format: str = "text",
    lang: str = "en",
) -> str:
    """Return the verdict on rules in words, with regions as conditions and with witness rows.

    Rules are called as `ParsedRules` calls them. The JSON is the record treerules.verdict, or treerules.list_verdict,
    of this module's docstring. SARIF is in English.

    Raises:
        OptionError: this is no verdict, or one on other rules.
        UnknownNameError: there is no such format, or no such language.
    """
    written = rules if isinstance(rules, ParsedRules) else ParsedRules(rules_of(rules))
    return reviews_text([("", [Review(written, verdict)])], format=format, lang=lang)


def reviews_text(files: Sequence[Checked], *, format: str = "text", lang: str = "en") -> str:
    """Return what was found of files of rules, a part after the other. SARIF is in English.

    Raises:
        OptionError: these are no files with reviews.
        UnknownNameError: there is no such format, or no such language.
    """
    if format not in FORMATS:
        raise UnknownNameError("format", str(format), FORMATS)
    require_lang(lang)
    _require_reviews(files)
    if format == "sarif":
        return sarif_text(files)
    parts = [(file, review) for file, reviews in files for review in reviews]
    if format == "json":
        return json_text(_json(parts))
    if format == "csv":
        return _csv(parts, lang)
    made = _markdown if format == "md" else _text
    texts = [made(review, lang) for _, review in parts]
    if len(parts) == 1 and not parts[0][1].written.title:
        return texts[0]
    heads = [_head(file, review, len(files) > 1, format) for file, review in parts]
    return "\n".join(head + text for head, text in zip(heads, texts, strict=True))


def _require_reviews(files: Any) -> None:
    wanted = "a list of files, each as (name, [review, ...])"
    if not _is_list(files):
        raise OptionError("files", files, wanted)
    for file in files:
        if not (_is_list(file) and len(file) == 2 and isinstance(file[0], str) and _is_list(file[1])):
            raise OptionError("a file", file, wanted)
        for found in file[1]:
            if not isinstance(found, Review):
                raise OptionError("a review", found, "a Review, as review(written) returns it")


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _head(file: str, review: Review, is_named: bool, format: str) -> str:
    names = [file] if is_named else []
    title = ": ".join([*names, *([review.written.title] if review.written.title else [])])
    return f"## {escaped_markdown(title)}\n\n" if format == "md" else f"== {printable(title)}\n"


def summary(review: Review, lang: str = "en") -> str:
    """Return the line that says yes, or lines that answer each question."""
    n = len({review.written.name(rule.number) for rule in review.written.rules.rules})
    rules = heading("{n} rule" if n == 1 else "{n} rules", lang, n=n)
    if not review:
        said = [f"{heading(name, lang)}: {heading(_SAID[found], lang)}" for name, found in answers(review)]
    elif is_set(review):
        said = [heading("checked: {rules}, mutually exclusive and complete", lang, rules=rules)]
    else:
        said = [heading("checked: {rules} in order, each can decide, complete", lang, rules=rules)]
    return "".join(line + "\n" for line in said)


def _text(review: Review, lang: str) -> str:
    parts = [summary(review, lang), *(_finding_text(finding, lang) for finding in findings(review, lang))]
    more = _cut_off(review, lang)
    return "\n".join([*parts, *([more + "\n"] if more else [])])


def _details(finding: Finding, lang: str) -> list[tuple[str, str]]:
    """Return what a finding shows, each with what it is."""
    shown = {
        "where": finding.region,
        "row": "" if finding.row is None else row_text(finding.row),
        "predicted": finding.answers,
        "closed by" if finding.kind == "gap" else "as one": finding.rule,
        "text": "" if finding.place is None else " ".join(finding.place.text.split()),
    }
    return [(heading(name, lang), text) for name, text in shown.items() if text]


def _finding_text(finding: Finding, lang: str) -> str:
    """Return the lines of a finding: the sentence, and what shows it, set in."""
    details = [line for name, text in _details(finding, lang) for line in folded(f"{name}: ", printable(text))]
    return "".join(
        f"{line}\n" for line in [*folded("", printable(finding.said), at=SENTENCE), *(f"  {line}" for line in details)]
    )


def _cut_off(review: Review, lang: str) -> str:
    cut = review.verdict.cut_off
    kinds = f" {heading('and', lang)} ".join(heading(name, lang) for name in cut)
    return heading("there are more {kinds}: ask for them with a higher limit", lang, kinds=kinds) if cut else ""


def _markdown(review: Review, lang: str) -> str:
    """Return a table: the answers, then the findings, with those columns alone that hold something."""
    rows = [[f"{heading(name, lang)}: {heading(_SAID[found], lang)}"] for name, found in answers(review)]
    shown = [(finding, dict(_details(finding, lang))) for finding in findings(review, lang)]
    names = list(dict.fromkeys(name for _, details in shown for name in details))
    rows += [[finding.said, *(details.get(name, "") for name in names)] for finding, details in shown]
    more = _cut_off(review, lang)
    padded = [[*row, *[""] * (len(names) + 1 - len(row))] for row in [*rows, *([[more]] if more else [])]]
    return table_text(TextTable([heading("finding", lang), *names], padded), "md")


def _csv(parts: Sequence[tuple[str, Review]], lang: str) -> str:
    names = ["file", "part", "level", "kind", "finding", "lines", "where", "witness", "closing rule"]
    rows = []
    for file, review in parts:
        written = review.written
        for name, found in answers(review):
            level = "none" if found else "error"
            said = f"{heading(name, lang)}: {heading(_SAID[found], lang)}"
            rows.append([file, written.title, level, name, said, "", "", "", ""])
        for finding in findings(review, lang):
            lines = [str(written.lines[number]) for number in finding.numbers if number in written.lines]
            lines = lines if finding.place is None else [str(finding.place.line)]
            row = "" if finding.row is None else row_text(finding.row)
            head = [file, written.title, finding.level, finding.kind, finding.said, " ".join(lines)]
            rows.append([*head, finding.region, row, finding.rule])
    return table_text(TextTable([heading(name, lang) for name in names], rows), "csv")


def _json(parts: Sequence[tuple[str, Review]]) -> dict[str, Any]:
    if len(parts) == 1:
        return _record(*parts[0])
    records = [_record(file, review) for file, review in parts]
    ok = all(bool(review) for _, review in parts)
    return {"format": "treerules.verdicts", "version": 1, "ok": ok, "verdicts": records}


def _record(file: str, review: Review) -> dict[str, Any]:
    verdict, written = review.verdict, review.written
    schema = written.rules.schema
    is_list = isinstance(verdict, ListVerdict)
    record: dict[str, Any] = {
        "format": "treerules.list_verdict" if is_list else "treerules.verdict",
        "version": 1,
        "ok": bool(review),
        "rules": len(written.rules),
        **({} if isinstance(verdict, ListVerdict) else {"exclusive": verdict.exclusive}),
        "complete": verdict.complete,
        "overlaps": [_overlap(overlap, review) for overlap in verdict.overlaps],
        "gaps": [_gap(gap, review) for gap in verdict.gaps],
    }
    if isinstance(verdict, ListVerdict):
        record["never"] = [{"rule": found.number, "by": list(found.by)} for found in verdict.never]
        record["undecided"] = list(verdict.undecided)
        record["otherwise"] = [_left(gap, review) for gap in review.otherwise]
    else:
        record["shadowed"] = [{"rule": found.number, "by": list(found.by)} for found in verdict.shadowed]
        record["unreachable"] = list(verdict.unreachable)
        record["redundant"] = [
            {"first": pair.first, "second": pair.second, "where": region_text(schema, pair.region)}
            for pair in verdict.redundant
        ]
    return {
        **record,
        "cut_off": list(verdict.cut_off),
        "unread": [
            {"line": part.line, "column": part.column, "text": part.text, "problem": part.problem}
            for part in written.unread
        ],
        "notes": list(written.notes),
        "file": file or None,
        "title": written.title or None,
        "lines": {str(number): line for number, line in written.lines.items()},
        "names": {str(number): name for number, name in written.names.items()},
    }


def _overlap(overlap: Overlap, review: Review) -> dict[str, Any]:
    where = region_text(review.written.rules.schema, overlap.region)
    return {"first": overlap.first, "second": overlap.second, "row": plain_row(overlap.row), "where": where or None}


def _gap(gap: Gap, review: Review) -> dict[str, Any]:
    rule = None if gap.rule is None else closing_text(review.written.rules.schema, gap.rule)
    return {**_left(gap, review), "rule": rule}


def _left(gap: Gap, review: Review) -> dict[str, Any]:
    where = region_text(review.written.rules.schema, gap.region)
    return {"row": plain_row(gap.row), "where": where or None}


def plain_row(row: Row) -> Row:
    """Return a row as JSON holds it: infinities, dates and timestamps are text."""
    return {name: value_to_json(value) for name, value in row.items()}
