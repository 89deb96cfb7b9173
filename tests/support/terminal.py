"""A real terminal: a pseudo-terminal of a given width in which a command runs."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import on_terminal

ENVIRONMENT = {**os.environ, "PYTHONUTF8": "1", "TERM": "xterm-256color"}
ENVIRONMENT.pop("NO_COLOR", None)


def in_terminal(
    *arguments: object,
    columns: int = 80,
    colour: bool = False,
    temporary: Path | None = None,
    until: Callable[[bytes], bool] | None = None,
    limit: float = 60.0,
) -> tuple[int, str]:
    """Return the exit code of a command and what it prints on a terminal of so many columns.

    `temporary` is the folder of its temporary files. When `until` says yes to what was printed so far, Ctrl-C is
    pressed.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = dict(ENVIRONMENT) if colour else {**ENVIRONMENT, "NO_COLOR": "1"}
    for name in ("COLUMNS", "LINES"):
        environment.pop(name, None)
    if temporary is not None:
        environment["TMPDIR"] = str(temporary)
    process = subprocess.Popen(
        [sys.executable, "-m", "treerules", *map(str, arguments)],
        stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(theirs)
    shown, begun, pressed = b"", time.monotonic(), False
    while time.monotonic() - begun < limit:
        if select.select([ours], [], [], 0.05)[0]:
            try:
                data = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            shown += data
        if until is not None and not pressed and until(shown):
            os.write(ours, b"\x03")
            pressed = True
    code = process.wait(10)
    os.close(ours)
    return code, shown.decode().replace("\r\n", "\n")


Terminal = Callable[..., tuple[int, str]]

#: A test that takes a `terminal`: one in this process, and a real one.
TERMINALS = pytest.mark.parametrize(
    "terminal", [on_terminal, pytest.param(in_terminal, marks=pytest.mark.process)], ids=["simulated", "real"]
)
