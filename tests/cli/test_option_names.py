"""Errors at the command line name its options, also where the Python function names an argument."""

from pathlib import Path

import pytest

from paths import EXAMPLES
from treerules.cli import main
from treerules.cli.column_names import split_names
from treerules.cli.model_options import RULE_ENDINGS
from treerules.formats.rule_files import RULE_FORMATS

LOAN = EXAMPLES / "loan.csv"


def refused(arguments: list[object], capsys: pytest.CaptureFixture[str]) -> str:
    """Return the message of a command that fails."""
    assert main([str(argument) for argument in arguments]) > 1
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--max-depth", "-1"], "--max-depth is -1"),
        (["--min-leaf", "0"], "--min-leaf is 0;"),
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
        assert main(["learn", str(LOAN), "--target", "类别", "--algorithm", "cart", *options, "-o", str(path)]) == 0
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
        helps.append(text[text.index("--features A,B") : text.index("--algorithm")])
        assert ("  [required]" in text[text.index("--target COL") : text.index("--features A,B")]) is (
            command != "gains"
        )
    assert len(set(helps)) == 1 and "--features" in helps[0] and "--keep" in helps[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--features", "zz"], "--features: no column named 'zz'"),
        (["--drop", "有工作,zz"], "--drop: no column named 'zz'"),
        (["--weight", "zz"], "--weight: no column named 'zz'"),
        (["--types", "zz=category"], "--types: no column named 'zz'"),
        (["--monotone", "zz=+1"], "--monotone: no column named 'zz'"),
        (["--prefer", "zz"], "--prefer: no column named 'zz'"),
        (["--cost", "a,b=1"], "--cost: no class of '类别' named 'a'"),
        (["--cost", "是,否=-4"], "--cost is '是,否=-4'; expected"),
        (["--cost=是,否=-4", "--cost", "否,是=1"], "--cost is '是,否=-4 否,是=1'; expected"),
        (["--features", "年龄", "--drop", "有工作"], "--drop is '有工作'; expected --features or --drop"),
        (["--min-leaf", "0"], "--min-leaf is 0; expected"),
        (["--reduction-per-rule", "nan"], "--reduction-per-rule is nan; expected a number from 0"),
        (
            ["--algorithm", "cart", "--groups", "年龄"],
            "--groups is '年龄'; expected a recipe that chooses the size of a tree",
        ),
        (
            ["--features", "年龄", "--groups", "年龄"],
            "--features is '年龄'; expected other columns than '年龄', which --groups",
        ),
        (
            ["--keep", "年龄", "--drop", "年龄"],
            "--keep is '年龄'; expected other columns than '年龄', which --drop names",
        ),
        (["--max-depth", "-1"], "--max-depth is -1; expected a whole number from 0\n"),
        (["--table", "zz"], "--table is 'zz'; expected no value: it does not apply to CSV"),
        (["--query", "zz"], "--query is 'zz'; expected no value: it does not apply to CSV"),
    ],
)
def test_values_are_shown_as_they_were_typed(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A message shows the option and its value as the user wrote them, and no value of Python."""
    assert f"treerules: {message}" in refused(["learn", LOAN, "--target", "类别", *options], capsys)


def test_unknown_columns_name_their_option(loan_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also the target, and the columns that other commands read."""
    assert "--target: no column named 'zz'" in refused(["learn", LOAN, "--target", "zz"], capsys)
    assert "--keys: no column named 'zz'" in refused(["predict", loan_model, LOAN, "--keys", "有工作,zz"], capsys)
    assert "--weight: no column named 'zz'" in refused(["evaluate", loan_model, LOAN, "--weight", "zz"], capsys)


@pytest.fixture
def loan_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return the file of a model of the loans."""
    path = tmp_path / "loan.tree.json"
    assert main(["learn", str(LOAN), "--target", "类别", "--algorithm", "cart", "-o", str(path)]) == 0
    capsys.readouterr()
    return path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["prune", "MODEL", "--alpha", "1", "--data", LOAN], "--data is not an option of --method cost_complexity"),
        (["prune", "MODEL", "--method", "snip", "--alpha", "1"], "--alpha is not an option of --method snip"),
        (["prune", "MODEL"], "--method cost_complexity needs --alpha, as in --alpha 0.01"),
        (["prune", "MODEL", "--method", "reduced_error"], "needs --data, as in --data validation.csv"),
        (["show", "MODEL", "--depth", "-1"], "--depth is -1; expected a whole number from 0\n"),
        (["gains", LOAN], "--target is not given; expected a target column, or a model with --model"),
        (["verify", "MODEL", "--against", "/nonexistent"], "/nonexistent: No such file or directory"),
        (["verify", "MODEL"], "as in --against rules.sql"),
        (["verify", "MODEL", "rules.sql"], "as in --against rules.sql"),
        (["emit", "python", "/nonexistent.json"], "/nonexistent.json: No such file or directory"),
        (["emit", "python", LOAN], "is a table, not a model; learn a model from it first: treerules learn"),
        (["sql"], "did you mean 'emit sql'?"),
        (["lern"], "did you mean 'learn'?"),
    ],
)
def test_messages_speak_of_the_command_line(
    arguments: list[object], message: str, loan_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is absent or misplaced is named by its option or command, and the message says what to write."""
    typed = [loan_model if argument == "MODEL" else argument for argument in arguments]
    assert message in refused(typed, capsys)


def test_files_of_rules_are_known_by_their_endings() -> None:
    """A file of rules in place of a model is recognised by the endings of RULE_FORMATS."""
    endings = [ending for rule_format in RULE_FORMATS.values() for ending in rule_format.endings]
    assert set(RULE_ENDINGS) == set(endings) - {".json"}
