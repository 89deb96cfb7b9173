"""The command line, run in this process: its exit code and what it prints on each stream."""

import io
import os
import sys
from typing import NamedTuple, TextIO
from unittest.mock import patch

from treerules.cli import main

#: The variables of a process of its own that prints UTF-8 without colours.
ENVIRONMENT = {**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1"}


class _Stream(io.TextIOWrapper):
    """A stream of bytes in memory."""

    def __init__(self, text: bytes = b"", *, is_terminal: bool) -> None:
        super().__init__(io.BytesIO(text), "utf-8", newline="\n")
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        """Return whether the stream says that it is a terminal."""
        return self._is_terminal

    def text(self) -> str:
        """Return what was written."""
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined]


class Completed(NamedTuple):
    """The exit code of a command, and the text that it printed on each stream."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object, stdin: str = "") -> Completed:
    """Run the command with these arguments; no stream is a terminal."""
    out, err = _Stream(is_terminal=False), _Stream(is_terminal=False)
    returncode = _main(arguments, _Stream(stdin.encode(), is_terminal=False), out, err, {"NO_COLOR": "1"})
    return Completed(returncode, out.text(), err.text())


def on_terminal(*arguments: object, columns: int = 80, colour: bool = False) -> tuple[int, str]:
    """Run the command where each stream says that it is a terminal of so many columns; `terminal` has a real one."""
    terminal = _Stream(is_terminal=True)
    environment = {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "24"}
    code = _main(arguments, terminal, terminal, terminal, environment if colour else {**environment, "NO_COLOR": "1"})
    return code, terminal.text()


def printed(*arguments: object) -> str:
    """Run the command, which must succeed, and return what it printed on stdout."""
    completed = run(*arguments)
    assert completed.returncode == 0, completed.stderr
    return completed.stdout


def _main(
    arguments: tuple[object, ...], stdin: TextIO, stdout: TextIO, stderr: TextIO, environment: dict[str, str]
) -> int:
    others = {name: text for name, text in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
    with (
        patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr),
        patch.dict(os.environ, {**others, **environment}, clear=True),
    ):
        return main([str(argument) for argument in arguments])
