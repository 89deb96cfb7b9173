"""Reading and writing whole files: a write is complete or leaves the old file as it was."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from treerules._internal.memory_errors import within_memory
from treerules.errors import FileError, TreeRulesError

#: The greatest number of characters of a file's name in that of its temporary file: names have at most 255 bytes.
_NAME_LENGTH = 40
#: Bytes that are read at once.
_AT_ONCE = 1 << 20
#: What to do with a file that is read as a whole and is too large.
_SMALLER = "give a smaller file"


def read_bytes(path: str | Path, most: int) -> bytes:
    """Return a file's content.

    Raises:
        FileError: it cannot be read, is larger than `most` bytes, or does not fit into memory.
    """
    try:
        with within_memory(Path(path), _SMALLER), Path(path).open("rb") as file:
            if os.fstat(file.fileno()).st_size > most:
                raise _too_large(str(path), most)
            return read_at_most(file, str(path), most)
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise unreadable_file(path, error) from error


def read_at_most(file: IO[bytes], name: str, most: int) -> bytes:
    """Return the bytes of an open file or pipe; FileError if there are more than `most`."""
    pieces: list[bytes] = []
    n_bytes = 0
    while piece := file.read(_AT_ONCE):
        pieces.append(piece)
        n_bytes += len(piece)
        if n_bytes > most:
            raise _too_large(name, most)
    return b"".join(pieces)


def _too_large(name: str, most: int) -> FileError:
    return FileError(name, f"is larger than {most} bytes", _SMALLER)


def unreadable_file(path: str | Path, error: OSError) -> FileError:
    """Return the FileError for a file that cannot be read."""
    return FileError(str(path), error.strerror or str(error), "check the path and its permissions")


def require_file(path: str | Path) -> None:
    """Raise FileError unless there is a file of that path."""
    try:
        is_file = Path(path).is_file()
    except OSError as error:  # a name that is too long, or in a folder that may not be read
        raise unreadable_file(path, error) from error
    if not is_file:
        raise FileError(str(path), "is not a file", "check the path")


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write several files in UTF-8: first all to temporary files beside them, then each is renamed into place.

    A device or pipe is written to as it is, a link to where it points.

    Raises:
        FileError: one cannot be written; then none is changed, unless a rename itself fails.
    """

    def writer(text: str) -> Callable[[Path], None]:
        return lambda path: _write(path, text)

    write_whole({path: writer(text) for path, text in texts.items()})


def write_whole(writers: Mapping[Path, Callable[[Path], None]]) -> None:
    """Write several files, each by a function of the path that it is to write to: a temporary one, renamed at the end.

    Raises:
        FileError: one cannot be written; then none is changed, unless a rename itself fails.
    """
    temporaries: list[tuple[Path, Path]] = []
    try:
        for path, write in writers.items():
            with _errors_with_path(path):
                if path.exists() and not path.is_file() and not path.is_dir():
                    write(path)
                    continue
                target = _target(path)
                target.parent.mkdir(parents=True, exist_ok=True)
                handle, name = tempfile.mkstemp(prefix=f".{path.name[:_NAME_LENGTH]}.", dir=target.parent)
                os.close(handle)
                temporaries.append((Path(name), target))
                write(Path(name))
                Path(name).chmod(_mode(target))
        for temporary, target in temporaries:
            with _errors_with_path(target):
                temporary.replace(target)
    finally:
        for temporary, _ in temporaries:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _target(path: Path) -> Path:
    """Return the path to which links lead."""
    problem = FileError(str(path), "is a link that leads to itself", "name another file")
    try:
        target = path.resolve() if path.is_symlink() else path
    except (OSError, RuntimeError) as error:  # before Python 3.13
        raise problem from error
    if target.is_symlink():  # Python 3.13 stops at the first link of a circle
        raise problem
    return target


@contextmanager
def _errors_with_path(path: Path) -> Iterator[None]:
    """Turn what can go wrong with a file into an error that names it."""
    try:
        yield
    except TreeRulesError:
        raise
    except (OSError, ValueError) as error:  # a path with NUL is a ValueError
        problem = getattr(error, "strerror", None) or str(error)
        raise FileError(str(path), problem, "check the folder, its permissions and its space") from error


def _write(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        if path.is_file():  # devices and pipes cannot
            os.fsync(file.fileno())


def _mode(path: Path) -> int:
    """Return the permissions of the file that is replaced, or those of a new one."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
