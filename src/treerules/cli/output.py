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
from toolz import concat

from treerules._internal.atomic_files import write_texts
from treerules.cli.stderr import say
from treerules.cli.table_options import Command
from treerules.errors import FileError
from treerules.rendering.headings import LANGS
from treerules.rendering.text_tables import TextTable, printable, width
from treerules.report.render_report import render_report
from treerules.report.report import Heading, Part, Report

LANG = click.option("--lang", type=click.Choice(LANGS), default="en", show_default=True, help="Of headings.")
OUT = click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write there instead of to stdout."
)


def format_option(report: Report, default: str | None = None) -> Callable[[Command], Command]:
    """Return the option --format with the formats of a report.

    Without a default it is text, and on a terminal a table as wide as the terminal.
    """
    formats = click.Choice(report.formats)
    return click.option("--format", "format_", type=formats, default=default, show_default=True, help="The format.")


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


def put_report(
    report: Report,
    result: Any,
    *,
    format_: str | None = None,
    lang: str = "en",
    templates: Path | None = None,
    parts: Callable[[], Sequence[Part]] | None = None,
    **options: Any,
) -> None:
    """Print a result in a format.

    Where no format is named, a terminal shows the `parts`, by default those of the text, to its width and in colours.
    """
    with _stdout() as stdout:
        if format_ is None and templates is None and stdout.isatty():
            _put_parts(report.contents["text"](result, lang, **options) if parts is None else parts())
            return
    put(render_report(report, result, format=format_ or "text", lang=lang, templates=templates, **options))


def _put_parts(parts: Any) -> None:
    """Print lines and tables, each table in as many parts as fit the terminal."""
    console = Console(highlight=False, soft_wrap=False)
    fitted = concat(fitting(part, console.width) if isinstance(part, TextTable) else [part] for part in parts)
    for index, part in enumerate(fitted):
        console.print(*([Text("")] if index else []), _rich(part, console.width), sep="\n")


#: Columns of text are not made narrower than this, nor wider than they need.
_LEAST = 12


def fitting(table: TextTable, columns: int) -> list[TextTable]:
    """Return the table, or where its figures do not fit a terminal several with as many of them as do.

    Figures are never cut: the columns of text, which can be folded, stand beside each part.
    """
    widths = [max(map(width, column)) for column in zip(table.headings, *table.rows, strict=True)]
    right = table.right or (False,) * len(widths)
    texts = [place for place, is_right in enumerate(right) if not is_right]
    first = min(texts, default=0)
    room = columns - sum(min(widths[place], _LEAST) + 2 for place in texts)
    parts: list[list[int]] = [[]]
    left = room
    for place in (place for place, is_right in enumerate(right) if is_right and place > first):
        if widths[place] + 2 > left and parts[-1]:
            parts.append([])
            left = room
        parts[-1].append(place)
        left -= widths[place] + 2
    before = [place for place in range(first) if right[place]]
    return [_with_columns(table, sorted([*before, *texts, *part])) for part in parts]


def _with_columns(table: TextTable, places: Sequence[int]) -> TextTable:
    return TextTable(
        [table.headings[place] for place in places],
        [[row[place] for place in places] for row in table.rows],
        [(table.right or (False,) * len(table.headings))[place] for place in places],
        table.marked,
    )


def _rich(table: Part, columns: int) -> RichTable | Text:
    if isinstance(table, Heading):
        return Text(printable(table.text), style="bold")
    if isinstance(table, str):
        return Text("\n".join(printable(line) for line in table.split("\n")))
    found = RichTable(box=None, pad_edge=False, header_style="bold")
    right = table.right or (False,) * len(table.headings)
    cells = zip(table.headings, *table.rows, strict=True)
    widths = [max(width(line) for cell in column for line in cell.split("\n")) for column in cells]
    figures = sum(needed for needed, is_right in zip(widths, right, strict=True) if is_right)
    room = columns - figures - 2 * (len(widths) - 1)
    least = max(2, min(_LEAST, room // max(1, right.count(False))))  # all text is shown, however narrow
    for name, is_right, needed in zip(table.headings, right, widths, strict=True):
        options: dict[str, Any] = {"justify": "right", "no_wrap": True, "min_width": needed}
        if not is_right:
            options = {"overflow": "fold", "min_width": min(needed, least)}
        found.add_column(Text(printable(name)), **options)
    marked = table.marked or (False,) * len(table.rows)
    for row, is_marked in zip(table.rows, marked, strict=True):
        shown = [Text("\n".join(printable(line) for line in cell.split("\n"))) for cell in row]
        found.add_row(*shown, style="bold green" if is_marked else None)
    return found
