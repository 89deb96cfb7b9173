"""Errors where memory runs out while something is read: not a fault of the program, but of what is read."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from treerules.errors import DataError, FileError

_PROBLEM = "needs more memory than there is"


@contextmanager
def within_memory(source: Path | str, remedy: str) -> Iterator[None]:
    """Turn the errors of Python, numpy and DuckDB for exhausted memory into one that names the source.

    Raises:
        FileError: memory ran out, and `source` is the path of a file.
        DataError: memory ran out, and `source` is the description of something else.
    """
    try:
        yield
    except Exception as error:
        if not isinstance(error, MemoryError) and type(error).__name__ != "OutOfMemoryException":  # that of DuckDB
            raise
        if isinstance(source, Path):
            raise FileError(str(source), _PROBLEM, remedy) from error
        raise DataError(f"{source} {_PROBLEM}", remedy) from error
