"""`treerules help TOPIC`: each command and each error has a page, which the installed package holds."""

import inspect
import re
from pathlib import Path

import click
import pytest

import treerules
from command_line import printed, run
from document_examples import fences
from paths import ROOT
from treerules import TreeRulesError, errors
from treerules.cli.app import COMMANDS, app
from treerules.cli.help_pages import page_sections
from treerules.cli.table_options import csv_options
from treerules.testing import DifferentAnswersError, RulesError

#: The public errors.
ERRORS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, TreeRulesError)]
ERRORS = [*(kind for kind in ERRORS if kind is not TreeRulesError), DifferentAnswersError, RulesError]


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_a_page_with_an_example(name: str) -> None:
    """Its help, then the section of the documentation, in lines of a terminal and without marks of Markdown."""
    page = printed("help", name)
    assert page.startswith("Usage: ") and f" {name} [OPTIONS]" in page
    section = page.partition("From the documentation:\n")[2]
    assert re.search(rf"^    \$ .*treerules {name}\b", section, re.MULTILINE)
    assert "```" not in section and ":::" not in section and "](" not in section


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_each_error_has_a_page_with_an_example(kind: type[TreeRulesError]) -> None:
    """Its name in any case; the example shows the error, and the page names the builtin class that it derives from."""
    page = printed("help", kind.__name__.lower())
    derived = [base.__name__ for base in kind.__mro__ if base.__module__ == "builtins"]
    assert page.startswith(f"{kind.__name__}\n") and "    >>> " in page
    assert any(f"`{name}`" in page for name in derived)
    assert f".{kind.__name__}: " in page or f"{kind.__name__}(" in page


def test_no_error_page_is_about_another_thing() -> None:
    """The sections of the page are the errors."""
    assert set(page_sections("errors.md")) == {kind.__name__ for kind in ERRORS}


def test_the_exit_codes_of_the_pages_are_those_of_the_command_line() -> None:
    """What a page says of the exit code is what a command with that error ends with."""
    from treerules.cli.command_line import _CODES

    for kind, code in _CODES:
        said = re.search(r"Exit\s+code\s+(\d+)", page_sections("errors.md")[kind.__name__])
        assert said and int(said[1]) == code, kind


def test_an_unknown_topic_names_the_nearest() -> None:
    """The exit code is 2."""
    unknown = run("help", "ColumError")
    assert unknown.returncode == 2
    assert "did you mean 'ColumnError'?" in unknown.stderr


def test_topics_are_listed() -> None:
    """Without a topic all commands, errors and codes are listed."""
    listed = printed("help")
    assert all(name in listed for name in [*COMMANDS, *(kind.__name__ for kind in ERRORS), "TR001"])


def options_of(command: click.Command) -> list[click.Option]:
    """Return the options of a command and of those below it."""
    below = command.commands.values() if isinstance(command, click.Group) else ()
    own = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    return [*own, *(option for each in below for option in options_of(each))]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_option_of_each_command_is_on_the_page(language: str) -> None:
    """The site lists the options of each command that have a help text; those of reading stand in a section too."""
    text = (ROOT / "docs" / language / "reference" / "command_line.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^:::\{command\} (\w+)$", text, re.MULTILINE)) == sorted(COMMANDS)
    for name in COMMANDS:
        command = app.get_command(click.Context(app), name)
        assert command is not None
        assert [option.opts for option in options_of(command) if not (option.help or option.hidden)] == []
    read = csv_options(click.Command("read"))
    for option in options_of(read):
        assert f"`{option.opts[0]}" in text, option.opts
    for spelling in ("--missing COL=X,Y", "--unreadable COL=missing", "--unreadable missing"):
        assert spelling in text


def test_the_pages_of_the_package_are_those_of_the_site() -> None:
    """An installed package holds the same text, whose examples all run; each command has the list of its options."""
    packaged = Path(treerules.__file__).parent / "pages"
    for name in ("errors.md", "command_line.md"):
        text = (ROOT / "docs" / "en" / "reference" / name).read_text(encoding="utf-8")
        assert not packaged.is_dir() or (packaged / name).read_text(encoding="utf-8") == text
        assert all(fence.runs for fence in fences(text))
        if name == "command_line.md":
            assert (
                re.findall(r"^:::\{command\} (\w+)$", text, re.MULTILINE) == list(page_sections(name))[-len(COMMANDS) :]
            )
