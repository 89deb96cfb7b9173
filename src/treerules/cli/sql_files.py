"""The files that a check is told to read: files as they are named, and the SQL below folders."""

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from attrs import frozen

#: The ending of the files that are read below a folder.
ENDING = ".sql"


@frozen
class CheckedPath:
    """A file to check, whether it is SQL, and whether it is a folder that has no SQL."""

    path: Path
    is_sql: bool
    is_empty_folder: bool = False

    @property
    def is_sql_file(self) -> bool:
        """Whether it is a file of SQL that processes can read: not stdin."""
        return self.is_sql and not self.is_empty_folder and str(self.path) != "-"


def checked_paths(paths: Sequence[Path], form: str | None, exclude: Sequence[str]) -> list[CheckedPath]:
    """Return the files to check: those named, in their order, and for each folder its files of SQL by path.

    Args:
        paths: files and folders.
        form: the format that was named, if any; else a file is SQL if its name ends in .sql.
        exclude: the patterns of files and folders that are left out below folders.
    """
    found: list[CheckedPath] = []
    for path in paths:
        if path.is_dir():
            below = [CheckedPath(each, True) for each in sql_below(path, exclude)]
            found += below or [CheckedPath(path, True, is_empty_folder=True)]
        else:
            found.append(CheckedPath(path, form == "sql" or (form is None and path.suffix.lower() == ENDING)))
    return found


def sql_below(folder: Path, exclude: Sequence[str]) -> Iterator[Path]:
    """Yield the files of SQL below a folder in order, but for hidden folders and what is excluded."""
    for place, folders, files in os.walk(folder):
        kept = [name for name in folders if not name.startswith(".")]
        folders[:] = sorted(name for name in kept if not _is_excluded(folder, Path(place) / name, exclude))
        for name in sorted(files):
            path = Path(place) / name
            if path.suffix.lower() == ENDING and not _is_excluded(folder, path, exclude):
                yield path


def _is_excluded(folder: Path, path: Path, exclude: Sequence[str]) -> bool:
    """Whether a pattern fits the name of a path, the path as it is shown, or the path below the folder."""
    shown, below = path.as_posix(), path.relative_to(folder).as_posix()
    names = (path.name, shown, below)
    patterns = [PurePath(pattern).as_posix().rstrip("/") for pattern in exclude]
    return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)
