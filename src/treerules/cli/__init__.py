"""The command line: `main` runs it and turns every outcome into an exit code and at most one message on stderr."""

import os
import sys
from collections.abc import Sequence

from treerules import errors
from treerules.cli.stderr import say

__all__ = ("main",)

OK, SAID_NO, USAGE, BAD_DATA, BAD_MODEL, MISSING_EXTRA, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 4, 5, 70, 130

#: What each error means to a shell; the first row that fits.
_CODES: tuple[tuple[type[BaseException], int], ...] = (
    (errors.NotAPartitionError, SAID_NO),
    (errors.OptionError, USAGE),
    (errors.UnknownNameError, USAGE),
    (errors.TemplateFailedError, USAGE),
    (errors.DataError, BAD_DATA),
    (errors.ColumnError, BAD_DATA),
    (errors.CellError, BAD_DATA),
    (errors.ParseError, BAD_DATA),
    (errors.FileError, BAD_DATA),
    (errors.UnsupportedError, BAD_DATA),
    (errors.ModelFileError, BAD_MODEL),
    (errors.MissingExtraError, MISSING_EXTRA),
)


_INTERRUPTED = "interrupted; nothing was written"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0 ok, 1 a check said no, 2 usage, 3 bad data, 4 bad model file, 5 missing extra, 70 our own fault.
    """
    try:
        return _run(arguments)
    except errors.TreeRulesError as error:
        return _say(error.sentence(), next((code for kind, code in _CODES if isinstance(error, kind)), OUR_FAULT))
    except KeyboardInterrupt:
        return _say(_INTERRUPTED, INTERRUPTED)
    except Exception as error:  # whatever is left is a bug, and must not reach the user as a traceback
        if os.environ.get("TREERULES_TRACEBACK"):
            raise
        return _say(
            f"{type(error).__name__}: {error}; this is a fault of treerules, please report it "
            "(TREERULES_TRACEBACK=1 shows where)",
            OUR_FAULT,
        )


def _run(arguments: Sequence[str] | None) -> int:
    try:
        return _invoke(arguments)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("click", "rich", "duckdb"):
            raise
        raise errors.MissingExtraError(str(error.name), "cli") from error


def _invoke(arguments: Sequence[str] | None) -> int:
    import click

    from treerules.cli.app import app  # late: says which extra is missing
    from treerules.cli.output import ClosedPipeError  # late: says which extra is missing

    try:
        result = app.main(args=None if arguments is None else list(arguments), standalone_mode=False)
        return result if isinstance(result, int) else OK
    except click.ClickException as error:
        usage = error.ctx.get_usage() + "\n" if isinstance(error, click.UsageError) and error.ctx else ""
        say(usage)
        return _say(error.format_message(), USAGE)
    except click.Abort:  # what click makes of Ctrl-C
        return _say(_INTERRUPTED, INTERRUPTED)
    except (ClosedPipeError, BrokenPipeError, SystemExit):  # click exits of its own accord on a closed pipe alone
        _forget_stdout()
        return OK
    except errors.FileError:
        raise
    except OSError as error:  # click's own printing of --help and --version
        _forget_stdout()
        raise errors.FileError("stdout", error.strerror or str(error), "give it room") from error


def _forget_stdout() -> None:
    """Make what is left in the buffer of an unusable stdout go nowhere when it is flushed at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)


def _say(message: str, code: int) -> int:
    say(f"treerules: {message}\n")
    return code
