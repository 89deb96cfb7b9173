"""A baseline: findings that are known and not reported again, so that only new ones are.

A finding is known by its file, its code, the hash of the text of its CASE, and the name of its WHEN. So it stays known
where lines move, and is new where the CASE is changed. Of findings that are alike in all four their number counts.

treerules.baseline  {"format", "version": 1, "findings": [{"file", "code", "case", "when", "count"}]}
"""

import json
from collections import Counter
from pathlib import PurePath
from typing import Any, TypeAlias

from attrs import evolve

from treerules.errors import FileError
from treerules.lint.case_findings import CaseFinding
from treerules.lint.linted import Linted, LintedCase, LintedFile

_FORMAT, _VERSION = "treerules.baseline", 1
#: The file, the code, the hash of the CASE and the name of the WHEN.
Known: TypeAlias = tuple[str, str, str, str]
_KEYS = ("file", "code", "case", "when")


def baseline_text(linted: Linted) -> str:
    """Return the baseline of all findings, in the order of their files, codes and CASEs."""
    known = Counter(
        _known(file, case, found) for file in linted.files for case in file.cases for found in case.findings
    )
    findings = [{**dict(zip(_KEYS, key, strict=True)), "count": n} for key, n in sorted(known.items())]
    record = {"format": _FORMAT, "version": _VERSION, "findings": findings}
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def baseline_of(content: bytes, file: str) -> Counter[Known]:
    """Return the findings of a baseline, with their numbers.

    Raises:
        FileError: the content is no baseline; `file` names it.
    """
    try:
        record = json.loads(content)
        if record["format"] != _FORMAT or record["version"] != _VERSION:
            raise ValueError("another format or version")
        return Counter({_key(each): _count(each["count"]) for each in record["findings"]})
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        problem = f"is no baseline ({type(error).__name__}: {error})"
        raise FileError(file, problem, "write it with --write-baseline") from error


def _key(record: Any) -> Known:
    file, code, case, when = (record[key] for key in _KEYS)
    if not all(isinstance(part, str) for part in (file, code, case, when)):
        raise TypeError("a part of a finding is no text")
    return file, code, case, when


def _count(n: Any) -> int:
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise ValueError(f"{n!r} is no count")
    return n


def without_known(linted: Linted, baseline: Counter[Known]) -> Linted:
    """Return what was found without the findings of a baseline, the first ones where it has fewer than were found."""
    left = Counter(baseline)
    files = []
    for file in linted.files:
        cases = []
        for case in file.cases:
            new = []
            for found in case.findings:
                key = _known(file, case, found)
                if left[key] > 0:
                    left[key] -= 1
                else:
                    new.append(found)
            cases.append(evolve(case, findings=new))
        files.append(evolve(file, cases=cases))
    return evolve(linted, files=files)


def _known(file: LintedFile, case: LintedCase, found: CaseFinding) -> Known:
    return PurePath(file.name).as_posix(), found.code, case.hash, found.when
