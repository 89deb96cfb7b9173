"""Checking many files of SQL: by several processes where that pays, with a bar on a terminal, in order."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path

from treerules._internal.atomic_files import read_bytes
from treerules.cli.progress import ReportProgress, progress
from treerules.errors import MissingExtraError, OptionError, TreeRulesError, UnknownNameError
from treerules.lint.lint_file import LintOptions, file_with_problem, lint_sql
from treerules.lint.linted import LintedFile
from treerules.trees.model_files import MOST_BYTES

#: With fewer bytes the start of processes takes longer than they save.
_PAYS_FROM = 300_000


def lint_file(path: Path, options: LintOptions) -> LintedFile:
    """Return the findings of a file of SQL, or why it cannot be read.

    Raises:
        MissingExtraError: sqlglot is not installed.
        UnknownNameError: there is no such dialect.
        OptionError: an option has an invalid value.
    """
    try:
        return lint_sql(read_bytes(path, MOST_BYTES), str(path), options)
    except (MissingExtraError, UnknownNameError, OptionError):
        raise  # the fault of the call, not of the file
    except TreeRulesError as error:
        return file_with_problem(str(path), error)
    except Exception as error:  # a bug must not hide what the other files have
        if os.environ.get("TREERULES_TRACEBACK"):
            raise
        problem = f"{path}: internal error: {type(error).__name__}: {error}; please report it"
        return LintedFile(str(path), problem=problem)


def lint_files(paths: Sequence[Path], options: LintOptions) -> list[LintedFile]:
    """Return the findings of files of SQL, in their order."""
    n_processes = min(_n_cores(), len(paths))
    with progress("checking") as report:
        if n_processes > 1 and sum(map(_size, paths)) >= _PAYS_FROM:
            try:
                return list(_reported(_linted_by_processes(paths, options, n_processes), len(paths), report))
            except BrokenProcessPool:  # processes cannot be started here, or one was ended
                pass
        return list(_reported((lint_file(path, options) for path in paths), len(paths), report))


def _linted_by_processes(paths: Sequence[Path], options: LintOptions, n_processes: int) -> Iterator[LintedFile]:
    method = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
    context = get_context(method)
    context.set_forkserver_preload([__name__, "sqlglot"])
    executor = ProcessPoolExecutor(n_processes, context)
    try:
        chunk = max(1, len(paths) // (n_processes * 8))
        yield from executor.map(partial(lint_file, options=options), paths, chunksize=chunk)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _reported(files: Iterator[LintedFile], total: int, report: ReportProgress | None) -> Iterator[LintedFile]:
    """Yield the files, and report after each how many there are."""
    for done, file in enumerate(files, 1):
        if report is not None:
            report(done, total)
        yield file


def _n_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
