"""Files as they were in a revision of git, read by the program git."""

import subprocess
from pathlib import Path

from treerules.errors import FileError, OptionError


def content_in(revision: str, path: Path) -> bytes | None:
    """Return the content that a file had in a revision; None where the revision does not have the file.

    Raises:
        OptionError: there is no such revision.
        FileError: the file is in no repository, or git is not installed.
    """
    require_revision(revision, path, path.parent)
    done = _git(path.parent, "cat-file", "blob", f"{revision}:./{path.name}")
    return done.stdout if done.returncode == 0 else None


def changed_files(revision: str, folder: Path, ending: str) -> list[Path]:
    """Return the files of a folder with an ending that are not as in a revision, sorted; also those that it lacks.

    Files that git ignores are left out.

    Raises:
        OptionError: there is no such revision.
        FileError: the folder is in no repository, or git is not installed.
    """
    require_revision(revision, folder, folder)
    tracked = _git(folder, "diff", "--name-only", "--relative", "--no-renames", "-z", revision, "--", ".")
    others = _git(folder, "ls-files", "--others", "--exclude-standard", "-z", "--", ".")
    names = {name.decode("utf-8", "surrogateescape") for name in (tracked.stdout + others.stdout).split(b"\0") if name}
    return sorted(folder / name for name in names if name.lower().endswith(ending))


def require_revision(revision: str, path: Path, folder: Path) -> None:
    """Raise unless the repository of a folder has a revision; `path` is what errors name.

    Raises:
        OptionError: there is no such revision.
        FileError: the folder is in no repository, or git is not installed.
    """
    inside = _git(folder, "rev-parse", "--is-inside-work-tree")
    if inside.returncode != 0:
        reason = inside.stderr.decode("utf-8", "replace").partition("\n")[0].removeprefix("fatal: ")
        raise FileError(str(path), f"is in no repository that git reads ({reason})", "name two files instead")
    known = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if known.returncode != 0:
        raise OptionError("--base", revision, "a revision of the file's repository, such as main, HEAD~1 or v1.2")


def _git(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    """Return what git did in a folder.

    Raises:
        FileError: git is not installed, or there is no such folder.
    """
    try:
        return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)
    except FileNotFoundError as error:
        missing = str(folder) if error.filename == str(folder) or not folder.is_dir() else "git"
        remedy = "name a folder that exists" if missing != "git" else "install git, or name two files"
        raise FileError(missing, "is not found", remedy) from error
