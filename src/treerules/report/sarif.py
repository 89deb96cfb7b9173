"""The findings of a check as SARIF 2.1.0 (OASIS 2020), which code hosts show at the lines of a file."""

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
    results = [_result(file, review, finding) for file, review in reviews.parts for finding in findings(review)]
    driver = {
        "name": "treerules",
        "version": __version__,
        "rules": [
            {
                "id": f"treerules/{kind}",
                "name": kind.capitalize(),
                "shortDescription": {"text": meaning},
                "defaultConfiguration": {"level": level},
            }
            for kind, (level, meaning) in KINDS.items()
        ],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(file: str, review: Review, finding: Finding) -> dict[str, Any]:
    numbers = dict.fromkeys(finding.numbers)
    lines = {number: review.parsed.lines.get(number, 1) for number in numbers}
    first = next(iter(numbers), None)
    line, column = (1, None) if first is None else (lines[first], None)
    if finding.unparsed is not None:
        line, column = finding.unparsed.line, finding.unparsed.column
    result: dict[str, Any] = {
        "ruleId": f"treerules/{finding.kind}",
        "ruleIndex": list(KINDS).index(finding.kind),
        "level": finding.level,
        "message": {"text": _message(review, finding)},
        "locations": [_location(file, line, column)] if file else [],
    }
    others = [number for number in numbers if number != first]
    if file and others:
        result["relatedLocations"] = [
            {
                "id": identifier,
                **_location(file, lines[number], None),
                "message": {"text": rule_label(review.parsed, number)},
            }
            for identifier, number in enumerate(others, 1)
        ]
    if finding.row is not None:
        result["properties"] = {"row": {name: value_to_json(value) for name, value in finding.row.items()}}
    return result


def _message(review: Review, finding: Finding) -> str:
    """Return the finding in one paragraph: most viewers show no more."""
    title = review.parsed.title
    parts = [f"{title}: {finding.sentence}" if title else finding.sentence]
    if finding.region:
        parts.append(f"where {finding.region}")
    if finding.row is not None:
        parts.append(f"for example {row_text(finding.row)}")
    if finding.rule:
        parts.append(f"{'closed by' if finding.kind == 'gap' else 'as one'}: {finding.rule}")
    return "; ".join(parts) + "."


def _location(file: str, line: int, column: int | None) -> dict[str, Any]:
    region = {"startLine": max(line, 1), **({} if column is None else {"startColumn": max(column, 1)})}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}, "region": region}}


def _uri(file: str) -> str:
    """Return the URI of a path: of a relative one with slashes, of an absolute one with file:."""
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
