"""Reading and writing whole files: a write is complete or leaves the old file as it was."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from treerules.errors import FileError, TreeRulesError


def read_bytes(path: str | Path, most: int) -> bytes:
    """Return a file's content.

    Raises:
        FileError: it cannot be read, or is larger than `most` bytes.
    """
    try:
        if Path(path).stat().st_size > most:
            raise FileError(str(path), f"is larger than {most} bytes", "give a smaller file")
        return Path(path).read_bytes()
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise unreadable_file(path, error) from error


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
                target = path.resolve() if path.is_symlink() else path
                if target.exists() and not target.is_file() and not target.is_dir():
                    write(target)
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=target.parent)
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
