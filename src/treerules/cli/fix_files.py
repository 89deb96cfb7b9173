"""`treerules check --fix`: files of SQL are edited, after the changes are printed as a diff."""

from collections.abc import Mapping, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Any

import click

from treerules._internal.atomic_files import read_bytes, write_texts
from treerules.cli.lint_options import LintSettings
from treerules.cli.output import print_notes, print_text
from treerules.cli.rule_file_options import declared_schema
from treerules.cli.sql_files import CheckedPath
from treerules.errors import FileError, ParseError, counted
from treerules.formats.rule_files import RuleFile
from treerules.formats.schema_json import DeclaredSchema
from treerules.formats.sql.fixes import FixedSql, fixed_sql
from treerules.lint.ignore_comments import ignore_comments
from treerules.rules.parsed import ParsedRules
from treerules.sql.dialects import dialect_to_read
from treerules.trees.model_files import MOST_BYTES

#: The codes of what is removed: a WHEN that never decides, and a contradiction.
_REMOVED = frozenset({"TR001", "TR002"})
_MARK = "\ufeff"


def fix_files(paths: Sequence[CheckedPath], settings: LintSettings | None, options: Mapping[str, Any]) -> None:
    """Edit files of SQL, each whole or not at all, and print how; a file that cannot be read stays as it is.

    Raises:
        UsageError: a file is standard input, or no SQL.
        FileError: a file cannot be written.
    """
    other = next((path.path for path in paths if not path.is_sql or str(path.path) == "-"), None)
    if settings is None or other is not None:
        message = f"--fix edits files of SQL; {other or 'another format'} is none. --independent prints other rules."
        raise click.UsageError(message, click.get_current_context())
    declared = declared_schema(options)
    for path in (path.path for path in paths if not path.is_empty_folder):
        try:
            content = read_bytes(path, MOST_BYTES)
            text = RuleFile(content, str(path)).text
            fixed = _fixed(text, path, settings, declared)
        except (FileError, ParseError):
            continue  # the check that follows names it
        if fixed.fixes:
            print_text(_diff(path, text, fixed.text))
            mark = _MARK if content.startswith(_MARK.encode()) else ""
            write_texts({path: mark + fixed.text})
            print_notes([f"fixed {counted(len(fixed.fixes), 'WHEN')} of {path}"])


def _fixed(text: str, path: Path, settings: LintSettings, declared: DeclaredSchema | None) -> FixedSql:
    comments = ignore_comments(text, dialect_to_read(settings.dialect))

    def is_wanted(parsed: ParsedRules, branch: str) -> bool:
        """Return whether no comment, option or setting ignores what is to be fixed."""
        assert parsed.sql is not None
        line = text.count("\n", 0, parsed.sql.branches[branch].start) + 1
        ignored = comments.codes.get(line, frozenset()) | comments.codes.get(parsed.sql.line, frozenset())
        return bool(_REMOVED & settings.codes) and not _REMOVED & ignored

    return fixed_sql(
        text,
        dialect=settings.dialect,
        schema=declared.schema if declared else None,
        domain=declared.domain if declared else None,
        file=str(path),
        wanted=is_wanted,
    )


def _diff(path: Path, old: str, new: str) -> str:
    """Return the changes of a text as a unified diff."""
    old_lines, new_lines = (text.replace("\r\n", "\n").splitlines(keepends=True) for text in (old, new))
    lines = unified_diff(old_lines, new_lines, str(path), str(path))
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
