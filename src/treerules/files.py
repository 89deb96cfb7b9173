"""Reading and writing whole files: a write is complete or leaves the old file as it was."""

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from treerules.errors import FileError


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
        raise FileError(str(path), error.strerror or str(error), "check the path and its permissions") from error


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write several files in UTF-8: first all to temporary files beside them, then each is renamed into place.

    Raises:
        FileError: one cannot be written; then none is changed, unless a rename itself fails.
    """
    written: list[tuple[str, Path]] = []
    path = Path()
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
            written.append((name, path))
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(mode_of(path))
        for name, path in written:
            Path(name).replace(path)
    except (OSError, UnicodeError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise FileError(str(path), problem, "check the folder, its permissions and its space") from error
    finally:
        for name, _ in written:
            with suppress(OSError):
                Path(name).unlink(missing_ok=True)


def mode_of(path: Path) -> int:
    """Return the permissions of the file that is replaced, or those of a new one."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
