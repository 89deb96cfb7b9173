"""Files that commands read: a path, or - for standard input, which is copied to a temporary file.

The copy is named "standard input", so that notes say so; `write_stderr` says it in errors too.
"""

import sys
from pathlib import Path
from shutil import copyfileobj, rmtree
from tempfile import mkdtemp
from typing import Any
from weakref import finalize

import click

from treerules._internal.atomic_files import unreadable_file
from treerules.cli.stderr import STANDARD_INPUT, STANDARD_INPUT_FOLDER

_TAKEN = "treerules.standard_input"


class InputPath(click.Path):
    """The path of a file that is read; - is standard input, which one argument of a command can be."""

    def __init__(self, *, is_copied: bool = True) -> None:
        super().__init__(path_type=Path)
        #: whether - is copied to a file, or left to the command
        self.is_copied = is_copied

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; for - that of the copy."""
        if str(value) != "-" or ctx is None:
            return super().convert(value, param, ctx)
        if _TAKEN in ctx.meta:
            self.fail("- is standard input, which can be only one file of a command", param, ctx)
        ctx.meta[_TAKEN] = True
        if not self.is_copied:
            return Path("-")
        folder = mkdtemp(prefix=STANDARD_INPUT_FOLDER)
        ctx.call_on_close(finalize(ctx, rmtree, folder, ignore_errors=True))  # a context may end before it is entered
        return _copied(Path(folder))


PATH = InputPath()
#: The path of a file of rules; `read_parts` reads - itself.
RULES_PATH = InputPath(is_copied=False)


def _copied(folder: Path) -> Path:
    path = folder / STANDARD_INPUT
    try:
        with path.open("wb") as copy:
            copyfileobj(sys.stdin.buffer, copy)
    except OSError as error:
        raise unreadable_file(STANDARD_INPUT, error) from error
    return path


def is_standard_input(path: Path) -> bool:
    """Return whether a path is that of the copy of standard input."""
    return path.name == STANDARD_INPUT and path.parent.name.startswith(STANDARD_INPUT_FOLDER)
