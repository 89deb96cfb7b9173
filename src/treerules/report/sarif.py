"""The findings of a check as SARIF 2.1.0 (OASIS 2020), which code hosts show at the lines of a file."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from treerules._internal.version import __version__
from treerules.proof.review import Review
from treerules.report.findings import KINDS, Finding, findings, rule_label
from treerules.report.reviews import Reviews
from treerules.rules.row_text import row_text
from treerules.trees.json_values import value_to_json

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif_record(reviews: Reviews) -> dict[str, Any]:
    """Return the findings of all reviews as one run of SARIF.

    Each finding is a result, and its kind a rule such as treerules/overlap.
    """
    results = [sarif_result(file, review, found) for file, review in reviews.parts for found in findings(review)]
    return sarif_run(KIND_RULES, results)


def sarif_run(
    rules: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]], problems: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Return one run of SARIF, in which each result has the place of its rule among the rules.

    Args:
        rules: the rules, as `sarif_rule` makes them.
        results: the results, whose `ruleId` is that of a rule.
        problems: what kept files from being read, as notifications.
    """
    place = {rule["id"]: index for index, rule in enumerate(rules)}
    placed = [{"ruleId": each["ruleId"], "ruleIndex": place[each["ruleId"]], **each} for each in results]
    driver = {"name": "treerules", "version": __version__, "rules": list(rules)}
    run: dict[str, Any] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": placed}
    if problems:
        run["invocations"] = [{"executionSuccessful": False, "toolExecutionNotifications": list(problems)}]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def sarif_rule(identifier: str, name: str, meaning: str, level: str) -> dict[str, Any]:
    """Return a rule of SARIF."""
    return {
        "id": identifier,
        "name": name,
        "shortDescription": {"text": meaning},
        "defaultConfiguration": {"level": level},
    }


#: The kinds of findings as rules of SARIF.
KIND_RULES = tuple(
    sarif_rule(f"treerules/{kind}", kind.capitalize(), meaning, level) for kind, (level, meaning) in KINDS.items()
)


def sarif_result(file: str, review: Review, finding: Finding) -> dict[str, Any]:
    """Return a finding of a review as a result of SARIF."""
    numbers = dict.fromkeys(finding.numbers)
    lines = {number: review.parsed.lines.get(number, 1) for number in numbers}
    first = next(iter(numbers), None)
    line, column = (1, None) if first is None else (lines[first], None)
    if finding.unparsed is not None:
        line, column = finding.unparsed.line, finding.unparsed.column
    result: dict[str, Any] = {
        "ruleId": f"treerules/{finding.kind}",
        "level": finding.level,
        "message": {"text": finding_message(review.parsed.title, finding)},
        "locations": [sarif_location(file, line, column)] if file else [],
    }
    others = [number for number in numbers if number != first]
    if file and others:
        result["relatedLocations"] = [
            {
                "id": identifier,
                **sarif_location(file, lines[number], None),
                "message": {"text": rule_label(review.parsed, number)},
            }
            for identifier, number in enumerate(others, 1)
        ]
    if finding.row is not None:
        result["properties"] = {"row": {name: value_to_json(value) for name, value in finding.row.items()}}
    return result


def finding_message(title: str, finding: Finding) -> str:
    """Return the finding in one paragraph, after the title of its part of the file: most viewers show no more."""
    parts = [f"{title}: {finding.sentence}" if title else finding.sentence]
    if finding.region:
        parts.append(f"where {finding.region}")
    if finding.row is not None:
        parts.append(f"for example {row_text(finding.row)}")
    if finding.rule:
        parts.append(f"{'closed by' if finding.kind == 'gap' else 'as one'}: {finding.rule}")
    return "; ".join(parts) + "."


def sarif_location(file: str, line: int, column: int | None) -> dict[str, Any]:
    """Return a place in a file as SARIF has it."""
    region = {"startLine": max(line, 1), **({} if column is None else {"startColumn": max(column, 1)})}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}, "region": region}}


def _uri(file: str) -> str:
    """Return the URI of a path: of a relative one with slashes, of an absolute one with file:."""
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
