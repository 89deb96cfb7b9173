"""Differences of files of several parts: a line for each part, and for those that differ what `diff` shows.

CSV    a row for each part, but for those that are written alike
JSON   {"format": "treerules.file_diffs", "version": 1, "equal": true, false or null, "parts": [{"file", "name",
       "line": where it begins in the new file, if removed in the old one, "change": "same", "equal", "different",
       "undecided", "added", "removed" or "not compared", "problem", "diff": as "treerules.diff", or null}]}
"""

from collections.abc import Iterator, Mapping
from typing import Any

from toolz import concat

from treerules.proof.diff_parts import (
    ADDED,
    DIFFERENT,
    EQUAL,
    NOT_COMPARED,
    POSSIBLE,
    REMOVED,
    SAME,
    UNDECIDED,
    FileDiffs,
    PartDiff,
)
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable, escape_unprintable
from treerules.report.diff_report import diff_record, diff_sections
from treerules.report.report import Heading, Part, tables_report
from treerules.rules.row_text import row_text

#: What is said of each part that is not compared region by region.
_SENTENCES = {
    SAME: "written alike",
    EQUAL: "written otherwise, and proved equal",
    ADDED: "added",
    REMOVED: "removed",
    NOT_COMPARED: "not compared: {problem}",
}
_COUNTS = {
    SAME: "{n} written alike",
    EQUAL: "{n} proved equal",
    DIFFERENT: "{n} different",
    POSSIBLE: "{n} possibly different",
    UNDECIDED: "{n} undecided",
    ADDED: "{n} added",
    REMOVED: "{n} removed",
    NOT_COMPARED: "{n} not compared",
}


def _parts(diffs: FileDiffs, lang: str) -> list[Part]:
    """Return the parts of each file that changed, then the counts."""
    shown = list(concat(_file_parts(file, parts, lang) for file, parts in diffs.files))
    changes = [part.change for part in diffs.parts]
    counts = [heading(text, lang, n=changes.count(change)) for change, text in _COUNTS.items() if change in changes]
    return [*shown, ", ".join(counts) if counts else heading("nothing to compare", lang)]


def _file_parts(file: str, parts: tuple[PartDiff, ...], lang: str) -> Iterator[Part]:
    changed = [part for part in parts if part.change != SAME]
    for part in changed:
        yield Heading(escape_unprintable(_place(file, part, lang)))
        if part.diff is not None and part.change != EQUAL:
            if part.change == POSSIBLE:
                yield heading("only where expressions that are taken as columns have these values: possible", lang)
            yield from diff_sections(part.diff, lang)
        else:
            yield heading(_SENTENCES[part.change], lang, problem=escape_unprintable(part.problem))


def _place(file: str, part: PartDiff, lang: str) -> str:
    """Return the file, the line where a part begins in it, and its name."""
    line = "" if part.line is None or part.change == REMOVED else f":{part.line}"
    return " ".join(filter(None, (f"{file}{line}" if file else "", part.name)))


def _table(diffs: FileDiffs, lang: str) -> TextTable:
    """Return a row for each part that is not written alike in both files."""
    names = ["file", "line", "name", "change", "regions", "witness", "problem"]
    rows = [
        [
            file,
            "" if part.line is None else str(part.line),
            part.name,
            heading(part.change, lang),
            "" if part.diff is None else str(part.diff.n_disagreements),
            _witness(part),
            part.problem,
        ]
        for file, parts in diffs.files
        for part in parts
        if part.change != SAME
    ]
    return TextTable([heading(name, lang) for name in names], rows)


def _witness(part: PartDiff) -> str:
    regions = () if part.diff is None else part.diff.disagreements
    return row_text(regions[0].row) if regions else ""


def _record(diffs: FileDiffs, lang: str) -> Mapping[str, Any]:
    return {
        "format": "treerules.file_diffs",
        "version": 1,
        "equal": diffs.equal,
        "parts": [
            {
                "file": file,
                "name": part.name,
                "line": part.line,
                "change": part.change,
                "problem": part.problem,
                "diff": None if part.diff is None else diff_record(part.diff, lang),
            }
            for file, parts in diffs.files
            for part in parts
        ],
    }


FILE_DIFFS = tables_report(FileDiffs, parts=_parts, table=_table, record=_record)
