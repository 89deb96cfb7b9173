"""Golden files: texts that people have read and approved, to the byte.

The lines at the head of a file that start with --# are comments of the file itself; approval keeps them.
"""

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path


class NotApprovedError(AssertionError):
    """A text differs from its golden file."""


def compared(path: Path, text: str, *, approve: bool) -> str:
    """Return "" where a text is that of a golden file; otherwise rewrite the file and return the difference.

    Args:
        path: the golden file; a file that does not exist is empty.
        text: what it should hold below its comments.
        approve: whether the file is rewritten.

    Raises:
        NotApprovedError: the text differs and `approve` is False.
    """
    approved = path.read_text(encoding="utf-8") if path.exists() else ""
    comments = "".join(comments_of(approved))
    if path.exists() and approved == comments + text:
        return ""
    changes = unified_diff(
        approved.splitlines(True), (comments + text).splitlines(True), f"{path.name} (approved)", f"{path.name} (now)"
    )
    difference = "".join(line if line.endswith("\n") else f"{line}\n\\ no newline at the end\n" for line in changes)
    if not approve:
        raise NotApprovedError(f"{difference}read it, and approve it with `pytest --approve`")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(comments + text, encoding="utf-8")
    return difference or f"{path.name} is new and empty\n"


def comments_of(text: str) -> Iterator[str]:
    """Yield the comment lines at the head of a golden file."""
    for line in text.splitlines(True):
        if not line.startswith("--#"):
            return
        yield line
