"""The bound on pieces of text that are held in memory as a whole: rows of CSV, lines and entries of JSON.

The size of a file needs no bound, and neither does what an archive holds: its pieces are read one after the other, and
a table that does not fit is an error (`memory_errors`).
"""

from pathlib import Path

from treerules.errors import FileError

#: The most characters of a piece unless the caller gives another number. Python needs some twelve bytes for each.
MOST_CHARACTERS = 100_000_000
#: What to do where a table does not fit into memory: that of a file, that of a query.
READ_LESS = "read a part of it by a query of DuckDB (readers.read_query, --query), or use a machine with more memory"
FETCH_LESS = "select fewer rows or columns, or use a machine with more memory"


def longest_allowed(max_characters: int | None) -> int:
    """Return the bound that an argument sets, or the usual one; none is greater than what files can count."""
    return min(max_characters or MOST_CHARACTERS, 1 << 62)


def too_long(path: Path, piece: str, most: int, remedy: str) -> FileError:
    """Return the error for a piece of text with more characters than the bound; `piece` begins the sentence."""
    raised = f"max_characters={2 * most}, --max-characters {2 * most}"
    return FileError(str(path), f"{piece} more than {most} characters", f"{remedy}, or allow longer ones: {raised}")
