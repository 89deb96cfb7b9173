"""What a check of files found: `LintedCase`, `LintedFile` and `Linted`, which decides the exit code."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from attrs import Factory, field, frozen
from toolz import concat

from treerules._internal.field_converters import as_tuple
from treerules.lint.case_findings import CaseFinding
from treerules.lint.codes import SEVERITIES
from treerules.proof.review import Review

#: The code of a finding that says that a part of a CASE is not read.
UNREAD = "TR301"


@frozen
class LintedCase:
    """A CASE: its title in the file, its line, a hash of its text, and its findings."""

    title: str
    line: int
    hash: str
    findings: tuple[CaseFinding, ...] = field(converter=as_tuple)
    #: its verdict as a record for JSON, where that was asked for
    record: Mapping[str, Any] | None = None


@frozen
class LintedFile:
    """A file: its CASEs, or the reviews of its parts where it is no SQL; or why it cannot be read."""

    name: str
    cases: tuple[LintedCase, ...] = field(default=(), converter=as_tuple)
    reviews: tuple[Review, ...] = field(default=(), converter=as_tuple)
    #: why the file cannot be read; "" where it was
    problem: str = ""
    #: the same without the line of the file that shows it
    reason: str = field(default=Factory(lambda self: self.problem, takes_self=True))
    #: the line of the problem; 0 where it has none
    problem_line: int = 0

    @property
    def findings(self) -> list[CaseFinding]:
        """The findings of all CASEs."""
        return list(concat(case.findings for case in self.cases))


@frozen
class Linted:
    """The files that were checked, in their order; `strict` is whether warnings count as errors."""

    files: tuple[LintedFile, ...] = field(converter=as_tuple)
    strict: bool = False

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings of each severity in SQL."""
        found = Counter(finding.severity for file in self.files for finding in file.findings)
        return {severity: found[severity] for severity in SEVERITIES}

    @property
    def n_cases(self) -> int:
        """The number of CASEs."""
        return sum(len(file.cases) for file in self.files)

    @property
    def n_unread(self) -> int:
        """The number of CASEs of which nothing or not all was read, as a finding says."""
        cases = concat(file.cases for file in self.files)
        return sum(any(finding.code == UNREAD for finding in case.findings) for case in cases)

    @property
    def unreadable(self) -> list[LintedFile]:
        """The files that cannot be read."""
        return [file for file in self.files if file.problem]

    def is_wrong(self, finding: CaseFinding) -> bool:
        """Whether a finding makes the answer no."""
        return finding.severity == "error" or (self.strict and finding.severity == "warning")

    def __bool__(self) -> bool:
        return all(
            not file.problem and all(file.reviews) and not any(map(self.is_wrong, file.findings)) for file in self.files
        )

    @property
    def exit_code(self) -> int:
        """3 if a file cannot be read, 1 if the answer is no, 0 if it is yes."""
        return 3 if self.unreadable else 0 if self else 1
