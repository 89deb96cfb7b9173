"""What is printed, and where: the thing asked for on stdout, messages on stderr."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import click
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from treerules.cli.say import say
from treerules.emit.headings import LANGS
from treerules.emit.tables import TextTable, printable
from treerules.errors import FileError
from treerules.files import write_texts

FORMAT = click.option(
    "--format", "format_", type=click.Choice(["text", "md", "csv", "json"]), help="How it is printed."
)
LANG = click.option("--lang", type=click.Choice(LANGS), default="en", show_default=True, help="Of headings.")
OUT = click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write there instead of to stdout."
)


class ClosedPipeError(Exception):
    """Whoever reads stdout has seen enough. (No BrokenPipeError, of which click makes an exit code of its own.)"""


@contextmanager
def _stdout() -> Iterator[TextIO]:
    """Give stdout; what can go wrong with it is an error of ours.

    Raises:
        ClosedPipeError: nobody reads it any more.
        FileError: it is closed, or full.
    """
    if sys.stdout is None:
        raise FileError("stdout", "is closed", "leave it open, or name a file with -o")
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        raise ClosedPipeError from None
    except OSError as error:
        raise FileError("stdout", error.strerror or str(error), "give it room, or name a file with -o") from error


def note(messages: Iterable[str]) -> None:
    """Print messages on stderr, a line each, with what cannot be printed escaped."""
    for message in messages:
        say(printable(message) + "\n")


def put(text: str, path: Path | None = None) -> None:
    """Print the thing asked for, in UTF-8, or write it to a file."""
    if path is not None:
        write_texts({path: text})
        note([f"wrote {path}"])
        return
    with _stdout() as stdout:
        stdout.flush()
        stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        stdout.buffer.flush()


def put_tables(
    text: Callable[[], str], tables: Callable[[], Sequence[TextTable]], head: str = "", *, format_: str | None = None
) -> None:
    """Print tables: to the width and in the colours of a terminal; else, or where a format is named, as text."""
    with _stdout() as stdout:
        if format_ is None and stdout.isatty():
            console = Console(highlight=False, soft_wrap=False)
            if head:
                console.print(Text(printable(head) + "\n"))
            for place, table in enumerate(tables()):
                console.print(*([Text("")] if place else []), _rich(table), sep="\n")
            return
    put(text())


def _rich(table: TextTable) -> RichTable:
    found = RichTable(box=None, pad_edge=False, header_style="bold")
    right = table.right or (False,) * len(table.headings)
    for name, is_right in zip(table.headings, right, strict=True):
        options: dict[str, Any] = {"justify": "right", "no_wrap": True} if is_right else {"overflow": "fold"}
        found.add_column(Text(printable(name)), **options)
    marked = table.marked or (False,) * len(table.rows)
    for row, is_marked in zip(table.rows, marked, strict=True):
        cells = [Text("\n".join(printable(line) for line in cell.split("\n"))) for cell in row]
        found.add_row(*cells, style="bold green" if is_marked else None)
    return found
