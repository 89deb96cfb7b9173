"""Errors at the command line name its options, also where the Python function names an argument."""

from pathlib import Path

import pytest

from paths import EXAMPLES
from treerules.cli import main
from treerules.cli.column_names import split_names

LOAN = EXAMPLES / "loan.csv"


def refused(arguments: list[object], capsys: pytest.CaptureFixture[str]) -> str:
    """Return the message of a command that fails."""
    assert main([str(argument) for argument in arguments]) > 1
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-depth", "-1"], "--max-depth is -1"),
        (["--min-leaf", "0"], "--min-leaf is 0.0"),
        (["--algorithm", "id3", "--monotone", "年龄=+1"], "--monotone"),
        (["--quinlan"], "--quinlan"),
        (["--features", "有工作", "--drop", "有工作"], "--drop"),
        (["--features", "类别"], "--features"),
    ],
)
def test_arguments_are_named_as_options(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An invalid value of an argument is reported under the option that set it."""
    assert f"treerules: {message}" in refused(["learn", LOAN, "--target", "类别", *options], capsys)


def test_an_error_in_a_recipe_file_names_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A choice of a TOML file is not an option; an option beside the file is."""
    path = tmp_path / "a.toml"
    path.write_text('algorithm = "cart"\nmax_depth = -2\n', encoding="utf-8")
    error = refused(["learn", LOAN, "--target", "类别", "--recipe", path], capsys)
    assert f"max_depth in {path} is -2" in error
    error = refused(["learn", LOAN, "--target", "类别", "--recipe", path, "--max-depth", "-3"], capsys)
    assert "--max-depth is -3" in error


def test_several_columns_are_one_option_or_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--drop A,B` is `--drop A --drop B`, and a name with a comma stands in double quotes."""
    models = []
    for options in (
        ["--drop", "年龄,信贷情况"],
        ["--drop", "年龄", "--drop", "信贷情况"],
        ["--features", "有工作,有自己的房子"],
    ):
        path = tmp_path / "m.tree.json"
        assert main(["learn", str(LOAN), "--target", "类别", *options, "-o", str(path)]) == 0
        models.append(path.read_text(encoding="utf-8"))
    assert len(set(models)) == 1
    assert split_names('a,"b, c", d') == ("a", "b, c", "d")
    capsys.readouterr()


def test_every_command_that_learns_takes_the_same_options(capsys: pytest.CaptureFixture[str]) -> None:
    """The options that say which data are learned from are the same in learn, build and gains."""
    helps = []
    for command in ("learn", "build", "gains"):
        assert main([command, "--help"]) == 0
        text = capsys.readouterr().out
        helps.append(text[text.index("--target COL") : text.index("--algorithm")])
    assert len(set(helps)) == 1 and "--features" in helps[0] and "--keep" not in helps[0]
