"""Findings as code hosts show them at the lines of a file: SARIF, and the workflow commands of GitHub Actions.

    ::error file=models/a.sql,line=3,title=TR001::WHEN 2 (line 3) never decides: WHEN 1 (line 2) takes its rows.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions says how values are escaped.
"""

from collections.abc import Iterator
from typing import Any

from treerules.lint.case_findings import CaseFinding
from treerules.lint.codes import CODES
from treerules.lint.linted import Linted, LintedCase, LintedFile
from treerules.rendering.text_contexts import LinesContext
from treerules.report.findings import findings
from treerules.report.report import Page
from treerules.report.sarif import (
    KIND_RULES,
    finding_message,
    sarif_location,
    sarif_result,
    sarif_rule,
    sarif_run,
)
from treerules.trees.json_values import value_to_json

#: The command of GitHub for each severity.
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def github_page(linted: Linted, lang: str) -> Page:
    """Return a workflow command for each finding and for each file that cannot be read."""
    lines = [line for file in linted.files for line in _commands(file, lang)]
    return Page("text/table.txt.j2", LinesContext(lines))


def _commands(file: LintedFile, lang: str) -> Iterator[str]:
    if file.problem:
        yield _command("error", file.name, file.problem_line, "unreadable", file.reason)
    for review in file.reviews:
        for finding in findings(review, lang):
            line = next((review.parsed.lines[number] for number in finding.numbers if number in review.parsed.lines), 1)
            line = line if finding.unparsed is None else finding.unparsed.line
            message = finding_message(review.parsed.title, finding)
            yield _command(finding.level, file.name, line, f"treerules/{finding.kind}", message)
    for case in file.cases:
        for found in case.findings:
            message = finding_message(case.title, found.finding)
            yield _command(found.severity, file.name, found.line, found.code, message)


def _command(severity: str, file: str, line: int, title: str, message: str) -> str:
    """Return a workflow command.

    >>> _command("note", "a,b.sql", 3, "TR203", "50 %\\nof it")
    '::notice file=a%2Cb.sql,line=3,title=TR203::50 %25%0Aof it'
    """
    places = {"file": file, "line": str(line) if line else "", "title": title}
    said = ",".join(f"{name}={_escaped(text, ':,')}" for name, text in places.items() if text)
    return f"::{_COMMANDS[severity]} {said}::{_escaped(message)}"


def _escaped(text: str, more: str = "") -> str:
    """Return a text in which the characters that end a value are written as %XX."""
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text


# ---- SARIF


def lint_sarif(linted: Linted, lang: str) -> dict[str, Any]:
    """Return one run of SARIF, whose rules are the codes, and the kinds of other formats where there are such."""
    rules = [sarif_rule(row.code, row.name, row.sentence, row.severity) for row in CODES.values()]
    if any(file.reviews for file in linted.files):
        rules += KIND_RULES
    results = [result for file in linted.files for result in _results(file)]
    problems = [
        {
            "level": "error",
            "message": {"text": file.reason},
            "locations": [sarif_location(file.name, file.problem_line, None)] if file.name else [],
        }
        for file in linted.unreadable
    ]
    return sarif_run(rules, results, problems)


def _results(file: LintedFile) -> Iterator[dict[str, Any]]:
    for review in file.reviews:
        yield from (sarif_result(file.name, review, finding) for finding in findings(review))
    for case in file.cases:
        yield from (_result(file, case, found) for found in case.findings)


def _result(file: LintedFile, case: LintedCase, found: CaseFinding) -> dict[str, Any]:
    part = found.finding.unparsed
    result: dict[str, Any] = {
        "ruleId": found.code,
        "level": found.severity,
        "message": {"text": finding_message(case.title, found.finding)},
        "locations": [sarif_location(file.name, found.line, part.column if part else None)] if file.name else [],
        "partialFingerprints": {"treerules/v1": f"{found.code}:{case.hash}:{found.when}"},
    }
    if found.others and file.name:
        result["relatedLocations"] = [
            {"id": identifier, **sarif_location(file.name, line, None), "message": {"text": label}}
            for identifier, (line, label) in enumerate(found.others, 1)
        ]
    if found.finding.row is not None:
        row = {name: value_to_json(value) for name, value in found.finding.row.items()}
        result["properties"] = {"row": row}
    return result
