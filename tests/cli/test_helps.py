"""The help of every command: each option is a sentence, and the lists of commands are not cut off."""

import re
from collections.abc import Iterator

import click
import pytest

from treerules.cli import main
from treerules.cli.app import app

#: What the sentences of options begin with: they say what the command does with the option.
VERBS = """
    Ask Choose Compare Count Cross-validate Cut Deal Declare Decode Divide Draw Estimate Exit Explain Grow Hold Identify
    Ignore Keep Learn Leave Let List Make Measure Multiply Name Never Predict Prefer Print Prune Read Remove Return
    Round Run Say Score Search Send Set Show Shuffle Sort Spend Split Stop Sum Take Test Use Weigh Write
"""
GROUPS: tuple[tuple[str, ...], ...] = ((), ("emit",))


def options() -> Iterator[tuple[str, click.Option]]:
    """Yield the options of all commands, each with the name of its command."""
    context = click.Context(app)
    pending: list[tuple[str, click.Command]] = [
        (name, app.get_command(context, name)) for name in app.list_commands(context)
    ]  # type: ignore[misc]
    while pending:
        name, command = pending.pop()
        if isinstance(command, click.Group):
            pending += [(f"{name} {sub}", command.get_command(context, sub)) for sub in command.list_commands(context)]  # type: ignore[misc]
        yield from ((name, option) for option in command.params if isinstance(option, click.Option))


OPTIONS = [pytest.param(option, id=f"{name} {max(option.opts, key=len)}") for name, option in options()]


@pytest.mark.parametrize("option", OPTIONS)
def test_the_help_of_an_option_is_a_sentence(option: click.Option) -> None:
    """It begins with a verb that says what is done with the option, and ends with a full stop before the default."""
    sentence = re.sub(r"(  \[[^\]]*\])+$", "", option.help or "")
    words = sentence.split()
    assert len(words) >= 4 and words[0].rstrip(",") in VERBS.split(), sentence
    assert sentence.endswith(".") and "  " not in sentence, sentence


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: " ".join(group) or "treerules")
@pytest.mark.parametrize("columns", [80, 100])
def test_commands_are_listed_by_whole_sentences(
    group: tuple[str, ...], columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No line of the list of commands is cut off, and each ends with a full stop."""
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main([*group, "--help"]) == 0
    listed = capsys.readouterr().out.partition("Commands:\n")[2].splitlines()
    assert len(listed) > 5
    assert all(line.endswith(".") and not line.endswith("...") and len(line) <= columns for line in listed)


def test_required_options_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    """learn and build cannot do without a target, and say so."""
    for command in ("learn", "build"):
        assert main([command, "--help"]) == 0
        assert "--target COL" in (shown := capsys.readouterr().out)
        assert "[required]" in shown[shown.index("--target COL") : shown.index("--features")]
