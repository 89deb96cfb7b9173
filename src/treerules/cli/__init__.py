"""The command line: `main` runs it, and returns an exit code after at most one message on stderr."""

from collections.abc import Sequence

from treerules.cli.stderr import write_stderr

__all__ = ("main",)

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0 success, 1 a negative verdict, 2 usage, 3 bad data, 4 bad model file, 5 missing extra, 70 internal error, 130
    interrupted.
    """
    try:
        from treerules.cli.command_line import (
            run_command_line,
        )  # late: Ctrl-C while modules load ends without traceback

        return run_command_line(arguments)
    except KeyboardInterrupt:
        write_stderr("treerules: interrupted; nothing was written\n")
        return INTERRUPTED
