"""Printing: results on stdout, messages on stderr."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import click
from rich.console import Console
from rich.text import Text
from toolz import concat

from treerules._internal.atomic_files import write_texts
from treerules.cli.command_group import Command
from treerules.cli.stderr import ClosedPipeError, write_stderr
from treerules.cli.terminal_tables import rich_part, split_table
from treerules.errors import FileError
from treerules.rendering.headings import LANGS
from treerules.rendering.text_tables import TextTable, escape_unprintable
from treerules.report.html_document import html_document
from treerules.report.render_report import render_report
from treerules.report.report import Part, Report

LANG = click.option(
    "--lang",
    type=click.Choice(LANGS),
    default="en",
    show_default=True,
    help="Print headings and notes in this language.",
)


class OutputPath(click.Path):
    """The path of a file to write, whose folder exists; - is stdout where `is_stdout` allows it."""

    def __init__(self, *, is_stdout: bool) -> None:
        super().__init__(path_type=Path)
        self.is_stdout = is_stdout

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path.

        Raises:
            FileError: Its folder does not exist.
        """
        path = Path(str(super().convert(value, param, ctx)))
        if not (self.is_stdout and str(path) == "-") and not path.parent.is_dir():
            raise FileError(str(path), f"there is no folder {path.parent}", "create it first, or name another one")
        return path


def _none_for_stdout(context: Any, option: Any, path: Path | None) -> Path | None:
    return None if path is None or str(path) == "-" else path


OUT = click.option(
    "-o",
    "--output",
    type=OutputPath(is_stdout=True),
    callback=_none_for_stdout,
    metavar="FILE",
    help="Write to this file instead of stdout.",
)


def format_option(report: Report, default: str | None = None) -> Callable[[Command], Command]:
    """Return the option --format with the formats of a report.

    Without a default the format is text, and a terminal shows tables as wide as the terminal.
    """
    formats = click.Choice(report.formats)
    help_ = (
        "Print in this format.  [default: text, and tables on a terminal]"
        if default is None
        else "Print in this format."
    )
    return click.option("--format", "format_", type=formats, default=default, show_default=True, help=help_)


@contextmanager
def _stdout() -> Iterator[TextIO]:
    """Yield stdout, and convert its errors to those of treerules.

    Raises:
        ClosedPipeError: The reader has closed it.
        FileError: It is closed, or full.
    """
    if sys.stdout is None:
        raise FileError("stdout", "is closed", "open it, or name a file with -o")
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        raise ClosedPipeError from None
    except OSError as error:
        raise FileError("stdout", error.strerror or str(error), "free some space, or name a file with -o") from error


def print_notes(messages: Iterable[str]) -> None:
    """Print messages on stderr, one on each line, with unprintable characters escaped."""
    for message in messages:
        write_stderr(escape_unprintable(message) + "\n")


def print_text(text: str, path: Path | None = None) -> None:
    """Print a text in UTF-8, or write it to a file."""
    if path is not None:
        write_texts({path: text})
        print_notes([f"wrote {path}"])
        return
    with _stdout() as stdout:
        stdout.flush()
        stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        stdout.buffer.flush()


def print_report(
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
    print_text(report_text(report, result, format_=format_ or "text", lang=lang, templates=templates, **options))


def report_text(
    report: Report, result: Any, *, format_: str, lang: str, templates: Path | None = None, **options: Any
) -> str:
    """Return a result in a format; HTML is a whole document, since it goes to a file that a browser opens."""
    text = render_report(report, result, format=format_, lang=lang, templates=templates, **options)
    if format_ != "html":
        return text
    return html_document(text, title=f"treerules: {type(result).__name__}", lang=lang, templates=templates)


def _put_parts(parts: Any) -> None:
    """Print lines and tables, each table in as many parts as fit the terminal."""
    console = Console(highlight=False, soft_wrap=False)
    fitted = concat(split_table(part, console.width) if isinstance(part, TextTable) else [part] for part in parts)
    for index, part in enumerate(fitted):
        console.print(*([Text("")] if index else []), rich_part(part, console.width), sep="\n")
