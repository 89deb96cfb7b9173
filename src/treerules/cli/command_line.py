"""A run of the command line: click's application, and the exit code of each class of errors."""

import os
import sys
from collections.abc import Sequence

from treerules import errors
from treerules.cli.stderr import ClosedPipeError, write_stderr

OK, VERDICT_NO, USAGE, BAD_DATA, BAD_MODEL, MISSING_EXTRA, INTERNAL_ERROR = 0, 1, 2, 3, 4, 5, 70

#: The exit code of each class of errors; the first row that fits decides.
_CODES: tuple[tuple[type[BaseException], int], ...] = (
    (errors.NotAPartitionError, VERDICT_NO),
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


def run_command_line(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; see `treerules.cli.main`."""
    try:
        return _run(arguments)
    except errors.TreeRulesError as error:
        return _fail(error.sentence(), next((code for kind, code in _CODES if isinstance(error, kind)), INTERNAL_ERROR))
    except MemoryError:
        return _fail("this needs more memory than there is; give less data, or use a machine with more", BAD_DATA)
    except Exception as error:  # any other exception is a bug; users get a message instead of a traceback
        if os.environ.get("TREERULES_TRACEBACK"):
            raise
        return _fail(
            f"internal error: {type(error).__name__}: {error}; please report it "
            "(TREERULES_TRACEBACK=1 prints the traceback)",
            INTERNAL_ERROR,
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

    try:
        result = app.main(args=None if arguments is None else list(arguments), standalone_mode=False)
        return result if isinstance(result, int) else OK
    except click.exceptions.NoArgsIsHelpError as error:  # the message is the help
        write_stderr(f"{error.format_message()}\n")
        return USAGE
    except click.ClickException as error:
        usage = error.ctx.get_usage() + "\n" if isinstance(error, click.UsageError) and error.ctx else ""
        write_stderr(usage)
        return _fail(error.format_message(), USAGE)
    except click.Abort:  # click's exception for Ctrl-C
        raise KeyboardInterrupt from None
    except (ClosedPipeError, BrokenPipeError, SystemExit):  # click itself exits only on a closed pipe
        _discard_stdout()
        return OK
    except errors.FileError:
        raise
    except OSError as error:  # click's own printing of --help and --version
        _discard_stdout()
        raise errors.FileError("stdout", error.strerror or str(error), "free some space") from error


def _discard_stdout() -> None:
    """Send the rest of the buffer of an unusable stdout nowhere when it is flushed at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)


def _fail(message: str, code: int) -> int:
    write_stderr(f"treerules: {message}\n")
    return code
