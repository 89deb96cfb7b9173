"""What is printed, and where: the thing asked for on stdout, messages on stderr."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from treerules.check import Verdict
from treerules.cli.say import say
from treerules.emit.text import antecedent_text, figure_text, rules_text, word
from treerules.errors import FileError, counted
from treerules.files import write_texts
from treerules.rules import RuleSet, figures_of


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
        say("".join(c if c.isprintable() else repr(c)[1:-1] for c in message) + "\n")


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


def put_rules(rules: RuleSet, format: str | None = None, templates: Path | None = None) -> None:
    """Print rules: as a table on a terminal, else, or where a format is named, as text."""
    with _stdout() as stdout:
        if format is None and templates is None and stdout.isatty():
            Console(highlight=False, soft_wrap=False).print(_table(rules))
            return
    put(rules_text(rules, format=format or "text", templates=templates))


def _table(rules: RuleSet) -> RichTable:
    figures = [name for name in figures_of(rules.schema) if name != "support"]
    table = RichTable(box=None, pad_edge=False, header_style="bold")
    table.add_column("rule", justify="right", no_wrap=True)
    table.add_column(Text("if"), overflow="fold")
    table.add_column(Text(word(rules.schema.target.name) if rules.schema.target else ""), overflow="fold")
    for name in figures:
        table.add_column(
            "conf." if name == "confidence" else "cov." if name == "coverage" else name, justify="right", no_wrap=True
        )
    for rule in rules.rules:
        cells = [figure_text(getattr(rule.figures, name)) for name in figures]
        antecedent = antecedent_text(rules.schema, rule).replace(" AND ", "\nAND ")
        table.add_row(*map(Text, [str(rule.number), antecedent, word(rule.value), *cells]))
    return table


def verdict_text(verdict: Verdict, n_rules: int) -> str:
    """Return a verdict in words, with the witness rows."""
    if verdict:
        return f"checked: {counted(n_rules, 'rule')}, mutually exclusive and complete\n"
    said = {True: "yes", False: "no", None: "undecided within the budget"}
    lines = [f"exclusive: {said[verdict.exclusive]}", f"complete: {said[verdict.complete]}"]
    lines += [
        f"rules {overlap.first} and {overlap.second} both fire for {overlap.row!r}" for overlap in verdict.overlaps
    ]
    lines += [f"no rule fires for {gap.row!r}" for gap in verdict.gaps]
    return "\n".join(lines) + "\n"
