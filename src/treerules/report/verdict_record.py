"""Verdicts as records for JSON.

treerules.verdict      {"format", "version": 1, "rules": n, "exclusive": true or false, "complete": true, false or
                       null, "overlaps": [{"first", "second", "row", "where"}], "gaps": [{"row", "where", "rule"}],
                       "shadowed": [{"rule", "by"}], "unreachable": [rule], "redundant": [{"first", "second",
                       "rule"}], "cut_off": [which of these were cut off], "by_budget": [which of those by the
                       budget, not by the limit], "unread": [{"line", "column", "text", "problem"}], "notes",
                       "lines": {rule: line}, "names": {rule: name}, "file", "title", "ok", and "assuming", what is
                       assumed of the columns, if anything is}
treerules.list_verdict the same for a rule list, where the first rule that fires decides: without "exclusive",
                       "shadowed", "unreachable" and "redundant", with "never": [{"rule", "by"}], "undecided":
                       [rule] and "otherwise": [{"row", "where"}], the rows that reach the last rule
treerules.verdicts     {"format", "version": 1, "ok", "verdicts": [those, with "file" and "title"]}
"""

from collections.abc import Iterable
from typing import Any

from treerules.proof.assumption import assumption_of
from treerules.proof.check import Gap, Overlap, Row, Verdict
from treerules.proof.check_list import ListVerdict
from treerules.proof.review import Review
from treerules.report.findings import closing_text, region_text
from treerules.report.reviews import Reviews
from treerules.trees.json_values import value_to_json


def verdict_record(reviews: Reviews) -> dict[str, Any]:
    """Return the record of one review, or that of several."""
    if len(reviews.parts) == 1:
        return _review_record(*reviews.parts[0])
    records = [_review_record(file, review) for file, review in reviews.parts]
    return {"format": "treerules.verdicts", "version": 1, "ok": bool(reviews), "verdicts": records}


def _review_record(file: str, review: Review) -> dict[str, Any]:
    verdict, parsed = review.verdict, review.parsed
    is_list = isinstance(verdict, ListVerdict)
    return {
        "format": "treerules.list_verdict" if is_list else "treerules.verdict",
        "version": 1,
        "ok": bool(review),
        "rules": len(parsed.rules),
        **({} if isinstance(verdict, ListVerdict) else {"exclusive": verdict.exclusive}),
        "complete": verdict.complete,
        **({"assuming": assumption} if (assumption := assumption_of_review(review)) else {}),
        "overlaps": [_overlap_record(overlap, review) for overlap in verdict.overlaps],
        "gaps": [_gap_record(gap, review) for gap in verdict.gaps],
        **(_list_findings(verdict, review) if isinstance(verdict, ListVerdict) else _set_findings(verdict, review)),
        "cut_off": list_names(verdict.cut_off),
        "by_budget": list_names(verdict.by_budget),
        "unread": [
            {"line": part.line, "column": part.column, "text": part.text, "problem": part.problem}
            for part in parsed.unparsed
        ],
        "notes": list(parsed.notes),
        "file": file or None,
        "title": parsed.title or None,
        "lines": {str(number): line for number, line in parsed.lines.items()},
        "names": {str(number): name for number, name in parsed.names.items()},
    }


def assumption_of_review(review: Review, lang: str = "en") -> str:
    """Return what a verdict assumes of the columns; "" where nothing is."""
    return assumption_of(review.parsed.rules, review.verdict.domain, lang, names=review.parsed.names)


def list_names(fields: Iterable[str]) -> list[str]:
    """Return the names that lists of a verdict have in reports and JSON."""
    return ["shadowed" if name == "subsumed" else name for name in fields]


def _set_findings(verdict: Verdict, review: Review) -> dict[str, Any]:
    """Return what only the verdict on a rule set has."""
    schema = review.parsed.rules.schema
    return {
        "shadowed": [{"rule": subsumed.number, "by": list(subsumed.by)} for subsumed in verdict.subsumed],
        "unreachable": list(verdict.unreachable),
        "redundant": [
            {"first": pair.first, "second": pair.second, "where": region_text(schema, pair.region)}
            for pair in verdict.redundant
        ],
    }


def _list_findings(verdict: ListVerdict, review: Review) -> dict[str, Any]:
    """Return what only the verdict on a rule list has."""
    return {
        "never": [{"rule": subsumed.number, "by": list(subsumed.by)} for subsumed in verdict.subsumed],
        "undecided": list(verdict.undecided),
        "otherwise": [_region_record(gap, review) for gap in review.otherwise],
    }


def _overlap_record(overlap: Overlap, review: Review) -> dict[str, Any]:
    where = region_text(review.parsed.rules.schema, overlap.region)
    return {"first": overlap.first, "second": overlap.second, "row": plain_row(overlap.row), "where": where or None}


def _gap_record(gap: Gap, review: Review) -> dict[str, Any]:
    rule = None if gap.rule is None else closing_text(review.parsed.rules.schema, gap.rule)
    return {**_region_record(gap, review), "rule": rule}


def _region_record(gap: Gap, review: Review) -> dict[str, Any]:
    where = region_text(review.parsed.rules.schema, gap.region)
    return {"row": plain_row(gap.row), "where": where or None}


def plain_row(row: Row) -> Row:
    """Return a row as JSON holds it: infinities, dates and timestamps are text."""
    return {name: value_to_json(value) for name, value in row.items()}
