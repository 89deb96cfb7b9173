"""`treerules check --base REV`: only files and CASEs that a revision of git does not have."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
from attrs import evolve

from treerules.cli.git_revisions import changed_files, content_in
from treerules.cli.sql_files import ENDING, CheckedPath
from treerules.errors import TreeRulesError
from treerules.formats.rule_files import RuleFile, parse_rules
from treerules.lint.case_findings import case_hash
from treerules.lint.linted import LintedFile


def changed_paths(files: Iterable[Path], paths: Sequence[CheckedPath], revision: str) -> list[CheckedPath]:
    """Return the files to check that are not as in a revision.

    Args:
        files: the files and folders that were named.
        paths: the files to check, of these.
        revision: the revision.

    Raises:
        UsageError: a file is standard input, or no SQL.
        OptionError: there is no such revision.
        FileError: a file is in no repository, or git is not installed.
    """
    other = next((path.path for path in paths if not path.is_sql or str(path.path) == "-"), None)
    if other is not None:
        raise click.UsageError(f"--base is for files of SQL; {other} is none.", click.get_current_context())
    changed: set[Path] = set()
    for file in files:
        if file.is_dir():
            changed.update(changed_files(revision, file, ENDING))
        elif not file.exists() or content_in(revision, file) != file.read_bytes():
            changed.add(file)
    return [path for path in paths if path.path in changed]


def new_cases(file: LintedFile, revision: str, dialect: str | None) -> LintedFile:
    """Return a file with the CASEs that its version in a revision lacks; of those alike, as many as it has more."""
    content = content_in(revision, Path(file.name))
    known: Counter[str] = Counter()
    if content is not None and not file.problem:
        try:
            known.update(map(case_hash, parse_rules(RuleFile(content, file.name, dialect), "sql")))
        except TreeRulesError:
            return file  # the old version cannot be read, so that all is new
    cases = []
    for case in file.cases:
        if known[case.hash]:
            known[case.hash] -= 1
        else:
            cases.append(case)
    return evolve(file, cases=cases)
