"""What a check of files with SQL found, as text, tables and JSON: the findings that matter first, then the count.

JSON is that of `report/verdict_record.py`; the record of a CASE has besides "line" and "findings": [{"code", "name",
"severity", "line", "when", "sentence", "where", "row"}], and its "ok" is whether it has no error. Those of several
have besides "counts" by severity, and "unreadable": [{"file", "problem"}].
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from toolz import concat

from treerules.lint.annotations import github_page, lint_sarif
from treerules.lint.case_findings import CaseFinding
from treerules.lint.linted import Linted, LintedCase, LintedFile
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable, escape_unprintable
from treerules.rendering.wrap import SENTENCE, fold_lines
from treerules.report.findings import findings
from treerules.report.report import Heading, Part, tables_report
from treerules.report.reviews import Reviews
from treerules.report.verdict_record import plain_row, verdict_record
from treerules.report.verdict_report import detail_lines, review_paragraphs
from treerules.rules.row_text import row_text

#: With more notes than these, the text only counts them.
MOST_NOTES = 20
#: Remarks on how a CASE was read matter where something was found in it.
_REMARK = "TR304"


# ---- text


def _paragraphs(linted: Linted, lang: str) -> list[Part]:
    """Return the findings of each CASE under a heading, then the count, in lines of the width of a terminal."""
    return _parts(linted, lang, True)


def _markdown_parts(linted: Linted, lang: str) -> list[Part]:
    """Return the same with a line for each sentence: a line of Markdown is an item of a list."""
    return _parts(linted, lang, False)


def _parts(linted: Linted, lang: str, is_folded: bool) -> list[Part]:
    shown = _shown(linted)
    parts: list[Part] = []
    for file in linted.files:
        if file.reviews:
            parts += [Heading(file.name), *review_paragraphs(Reviews([("", file.reviews)]), lang)]
        for case in file.cases:
            lines = list(concat(_lines(found, lang, is_folded) for found in case.findings if id(found) in shown))
            if lines:
                parts += [Heading(_title(file, case, lang)), "\n".join(lines)]
    hidden = Counter(found.code for file in linted.files for found in file.findings if id(found) not in shown)
    return [*parts, "\n".join(_summary(linted, hidden, lang, is_folded))]


def _shown(linted: Linted) -> set[int]:
    """Return the identities of the findings that a text shows: not many notes, remarks beside worse findings alone."""
    worse, notes = [], []
    for case in concat(file.cases for file in linted.files):
        is_bad = any(found.severity != "note" for found in case.findings)
        worse += [found for found in case.findings if found.severity != "note"]
        notes += [found for found in case.findings if found.severity == "note" and (is_bad or found.code != _REMARK)]
    return {id(found) for found in (worse + notes if len(notes) <= MOST_NOTES else worse)}


def _title(file: LintedFile, case: LintedCase, lang: str) -> str:
    place = f"{file.name}:{case.line}" if file.name else heading("line {line}", lang, line=case.line)
    return f"{place}: {case.title}" if case.title else place


def _lines(found: CaseFinding, lang: str, is_folded: bool) -> list[str]:
    """Return the lines of a finding; a note has one sentence and no details."""
    head = heading(f"{found.severity} {{code}}", lang, code=found.code)
    sentence = escape_unprintable(found.finding.sentence)
    lines = fold_lines(f"{head}: ", sentence, at=SENTENCE) if is_folded else [f"{head}: {sentence}"]
    return lines if found.severity == "note" else [*lines, *detail_lines(found.finding, lang, is_folded)]


def _summary(linted: Linted, hidden: Counter[str], lang: str, is_folded: bool) -> Iterator[str]:
    """Yield the line that counts, and those that say what is not shown and not read."""
    if hidden:
        codes = ", ".join(f"{code} {n}" for code, n in sorted(hidden.items()))
        noun = "{n} note is" if hidden.total() == 1 else "{n} notes are"
        sentence = f"{noun} not shown ({{codes}}); --format csv lists all"
        told = heading(sentence, lang, n=hidden.total(), codes=codes)
        yield from fold_lines("", told, at=SENTENCE) if is_folded else [told]
    counts = {f"{severity}s": _counted(n, severity, lang) for severity, n in linted.counts.items()}
    files, cases = _counted(len(linted.files), "file", lang), _counted(linted.n_cases, "CASE", lang)
    yield heading("{files}, {cases}: {errors}, {warnings}, {notes}", lang, files=files, cases=cases, **counts)
    if n := linted.n_unread:
        sentence = "{n} CASE is not read in full (TR301)" if n == 1 else "{n} CASEs are not read in full (TR301)"
        yield heading(sentence, lang, n=n)
    if linted.unreadable:
        yield heading("{n} of the files cannot be read", lang, n=len(linted.unreadable))


def _counted(n: int, noun: str, lang: str) -> str:
    return heading(f"{{n}} {noun}" if n == 1 else f"{{n}} {noun}s", lang, n=n)


# ---- tables and JSON


def _table(linted: Linted, lang: str) -> TextTable:
    """Return a row for each finding; a finding of another format has the kind in the place of the code."""
    names = ["file", "part", "level", "code", "finding", "lines", "where", "witness"]
    rows = [row for file in linted.files for row in _rows(file, lang)]
    return TextTable([heading(name, lang) for name in names], rows)


def _rows(file: LintedFile, lang: str) -> Iterator[list[str]]:
    if file.problem:
        yield [file.name, "", "error", "unreadable", file.reason, str(file.problem_line or ""), "", ""]
    for review in file.reviews:
        for finding in findings(review, lang):
            lines = [review.parsed.lines[number] for number in finding.numbers if number in review.parsed.lines]
            start = [file.name, review.parsed.title, finding.level, finding.kind, finding.sentence]
            yield [*start, " ".join(map(str, lines)), finding.region, _witness(finding.row)]
    for case in file.cases:
        for found in case.findings:
            lines = [found.line, *(line for line, _ in found.others)]
            start = [file.name, case.title, found.severity, found.code, found.finding.sentence]
            yield [*start, " ".join(map(str, lines)), found.finding.region, _witness(found.finding.row)]


def _witness(row: Any) -> str:
    return "" if row is None else row_text(row)


def _record(linted: Linted, lang: str) -> dict[str, Any]:
    """Return the record of one CASE, or those of several."""
    records = [record for file in linted.files for record in _file_records(linted, file)]
    unreadable = [{"file": file.name, "problem": file.reason} for file in linted.unreadable]
    if len(records) == 1 and not unreadable:
        return records[0]
    return {
        "format": "treerules.verdicts",
        "version": 1,
        "ok": bool(linted),
        "counts": linted.counts,
        "unreadable": unreadable,
        "verdicts": records,
    }


def _file_records(linted: Linted, file: LintedFile) -> Iterator[dict[str, Any]]:
    for review in file.reviews:
        yield verdict_record(Reviews([(file.name, [review])]))
    for case in file.cases:
        found = [_finding_record(each) for each in case.findings]
        ok = not any(map(linted.is_wrong, case.findings))
        yield {**(case.record or {}), "ok": ok, "line": case.line, "findings": found}


def _finding_record(found: CaseFinding) -> dict[str, Any]:
    finding = found.finding
    return {
        "code": found.code,
        "name": found.row.name,
        "severity": found.severity,
        "line": found.line,
        "when": found.when or None,
        "sentence": finding.sentence,
        "where": finding.region or None,
        "row": None if finding.row is None else plain_row(finding.row),
    }


#: How what was found in files with SQL is shown.
LINTED = tables_report(
    Linted, parts=_paragraphs, md=_markdown_parts, table=_table, record=_record, sarif=lint_sarif, github=github_page
)
