"""Messages name the option as it was typed, and say what is true and what to do; output goes where -o says."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from paths import EXAMPLES
from treerules import load
from treerules.cli import main

KYPHOSIS, LOAN = EXAMPLES / "kyphosis.csv", EXAMPLES / "loan.csv"
Run = Callable[..., str]


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command that fails, and returns its message."""

    def run(*arguments: object, code: int = 2) -> str:
        assert main([str(argument) for argument in arguments]) == code
        return capfd.readouterr().err

    return run


@pytest.fixture
def classes(tmp_path: Path) -> Path:
    """Return a model of classes, of a column x."""
    return learned(tmp_path / "abc", "x,y\n1.5,a\n2.5,a\n3.5,b\n4.5,b\n5.5,c\n")


@pytest.fixture
def means(tmp_path: Path) -> Path:
    """Return a model of a regression, of a column x."""
    return learned(tmp_path / "means", "x,z\n1.5,0.5\n2.5,1.5\n3.5,7.25\n", "--target", "z")


def learned(path: Path, text: str, *options: str) -> Path:
    """Return the model of a table with the target y, unless the options name another."""
    table, model = path.with_suffix(".csv"), path.with_suffix(".json")
    table.write_text(text)
    target = () if "--target" in options else ("--target", "y")
    assert main(["learn", str(table), *target, *options, "--unpruned", "-o", str(model)]) == 0
    return model


# ---- usage


def test_the_help_is_printed_once(capfd: pytest.CaptureFixture[str]) -> None:
    """`treerules` and `treerules emit` alone print their help, once and as no error."""
    for arguments in ([], ["emit"]):
        assert main(arguments) == 2
        shown = capfd.readouterr().err
        assert shown.count("Usage: ") == 1 and "treerules:" not in shown and "Commands:" in shown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--class-weight", "balanced"),
            "--class-weight is 'balanced'; expected none: the target makes this a regression",
        ),
        (("--prior", "a=1"), "--prior is 'a=1'; expected none: the target makes this a regression"),
        (("--cost", "a,b=2"), "--cost is 'a,b=2'; expected none: the target makes this a regression"),
        (("--max-depth", "-1"), "--max-depth is -1; expected a whole number from 0"),
    ],
)
def test_choices_of_classes_are_refused_by_name(options: tuple[str, ...], message: str, refused: Run) -> None:
    """A regression has no classes to weigh; the message names the option and its value."""
    assert message in refused("learn", KYPHOSIS, "--target", "Age", *options)


def test_a_regression_has_no_probabilities(means: Path, refused: Run) -> None:
    """predict and emit sql say so in the same words."""
    message = "--proba: expected a model of classes; this one predicts numbers"
    assert message in refused("predict", means, means.with_suffix(".csv"), "--proba")
    assert message in refused("emit", "sql", means, "--dialect", "duckdb", "--kind", "select", "--proba")


def test_pruning_says_which_option_it_needs(classes: Path, refused: Run) -> None:
    """The default method takes a price, or cross-validation that chooses it; others take a table."""
    needed = "--method cost_complexity needs --alpha, as in --alpha 0.01; --cv 10 --data FILE chooses it."
    assert needed in refused("prune", classes)
    needed = "--method reduced_error needs --data, as in --data validation.csv."
    assert needed in refused("prune", classes, "--method", "reduced_error")


def test_explain_needs_a_row(classes: Path, refused: Run) -> None:
    """Without a row, and with two, it says which options give one."""
    message = "treerules: Missing option '--row', or '--data' with '--id'."
    assert message in refused("explain", classes)
    assert message in refused("explain", classes, "--row", "{}", "--data", KYPHOSIS)
    assert "treerules: Missing argument FILE, or option '--query' alone." in refused("predict", classes)


def test_two_targets_cannot_be_compared(classes: Path, means: Path, refused: Run) -> None:
    """The message says what each side predicts, and shows no Feature of Python."""
    message = refused("diff", classes, means, code=3)
    assert "the new rules predict numbers and the old rules classes" in message and "Feature(" not in message


# ---- files and columns


def test_a_table_without_the_columns_of_a_model_is_named_so(classes: Path, refused: Run) -> None:
    """prune and relearn name the columns that lack, not those few that were read."""
    message = "the table lacks 2 columns of the model: 'x', 'y'; give rows of the same columns"
    assert message in refused("prune", classes, "--data", KYPHOSIS, "--cv", "3", code=3)
    assert message in refused("relearn", classes, KYPHOSIS, code=3)


@pytest.mark.parametrize("text", ['"""age"";""y"""\n"""1"";""a"""\n', '"age;y"\n"1;a"\n"2;b"\n', "age:y\n1:a\n"])
def test_lines_that_are_quoted_as_a_whole_are_recognised(text: str, tmp_path: Path, refused: Run) -> None:
    """Several columns that are read as one are no unknown target."""
    path = tmp_path / "quoted.csv"
    path.write_text(text)
    if ";" in text:
        message = refused("learn", path, "--target", "y", code=3)
        assert "has one column" in message and "if each line is quoted as a whole, take these quotes out" in message
    else:
        assert "--target: no column named 'y'; known: 'age:y'" in refused("learn", path, "--target", "y")


def test_a_name_of_a_file_that_is_no_utf8_is_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """DuckDB cannot open such a path; the table is that of the same file under another name."""
    odd = tmp_path / os.fsdecode(b"x\xff.csv")
    try:
        odd.write_bytes(LOAN.read_bytes())
    except OSError:
        pytest.skip("this file system takes no such names")
    models = []
    for path in (odd, LOAN):
        model = tmp_path / "m.json"
        assert main(["learn", str(path), "--target", "类别", "-o", str(model)]) == 0
        models.append(load(model))
    assert models[0] == models[1]
    assert "read 15 rows of x" in capfd.readouterr().err


# ---- output


def test_minus_is_stdout(
    classes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """`-o -` prints, and makes no file of that name."""
    monkeypatch.chdir(tmp_path)
    capfd.readouterr()
    assert main(["show", str(classes), "-o", "-"]) == 0
    assert capfd.readouterr().out.startswith("y: a 2, b 2, c 1")
    assert not Path("-").exists()


@pytest.mark.process
def test_the_device_of_stdout_is_written_to_in_a_pipe(classes: Path) -> None:
    """-o /dev/stdout leads to no path in a pipe; it is written to as it is."""
    command = [sys.executable, "-m", "treerules", "show", str(classes), "-o", "/dev/stdout"]
    done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")
    assert done.stdout.startswith("y: a 2, b 2, c 1")


def test_a_pipe_is_written_to(classes: Path, tmp_path: Path) -> None:
    """A link to a named pipe, as /dev/stdout is one, gets the text."""
    pipe, link, heard = tmp_path / "pipe", tmp_path / "link", []
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    reader = Thread(target=lambda: heard.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    assert main(["show", str(classes), "-o", str(link)]) == 0
    reader.join(10)
    assert heard and heard[0].startswith("y: a 2, b 2, c 1")


def test_links_that_lead_to_themselves_are_named(classes: Path, tmp_path: Path, refused: Run) -> None:
    """A loop of links is an unusable path (exit code 3)."""
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert "a: is a link that leads to itself" in refused("show", classes, "-o", tmp_path / "a", code=3)


@pytest.mark.parametrize("length", [243, 250, 255])
def test_names_of_files_may_be_as_long_as_the_system_allows(length: int, classes: Path, tmp_path: Path) -> None:
    """The name of the temporary file is not longer."""
    path = tmp_path / ("a" * length)
    assert main(["show", str(classes), "-o", str(path)]) == 0
    assert path.read_text(encoding="utf-8").startswith("y: ")


def test_the_folder_of_a_file_must_exist(classes: Path, tmp_path: Path, refused: Run) -> None:
    """A mistyped folder is not made, and nothing is learned before that is said."""
    path = tmp_path / "modles" / "m.json"
    message = refused("learn", LOAN, "--target", "类别", "-o", path, code=3)
    assert f"{path}: there is no folder {path.parent}; create it first" in message and "read" not in message
    assert not path.parent.exists()


# ---- figures


def test_rules_are_chosen_by_all_four_signs(classes: Path, capfd: pytest.CaptureFixture[str], refused: Run) -> None:
    """> and < leave equal figures out."""
    capfd.readouterr()
    chosen = {}
    for sign in (">=", "<=", ">", "<"):
        assert main(["rules", str(classes), "--where", f"n{sign}2", "--format", "csv"]) == 0
        chosen[sign] = [line.split(",")[0] for line in capfd.readouterr().out.splitlines()[1:]]
    assert chosen == {">=": ["1", "2"], "<=": ["1", "2", "3"], ">": [], "<": ["3"]}
    assert "--where is 'n=2'; expected a figure, one of >= <= > <, and a number" in refused(
        "rules", classes, "--where", "n=2"
    )


@pytest.mark.parametrize("options", [("--unpruned",), ("--algorithm", "cart"), ("--algorithm", "c45")])
def test_trees_that_are_not_cross_validated_say_their_training_error(
    options: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """learn and build print it beside that of the most frequent class, and that it says nothing of new rows."""
    line = "error on the training rows: 0; always the most frequent class: 0.4 (no estimate for new rows)\n"
    assert main(["build", str(LOAN), "--target", "类别", *options, "-o", str(tmp_path / "out")]) == 0
    assert line in capfd.readouterr().out
    assert main(["learn", str(LOAN), "--target", "类别", *options]) == 0
    assert line in capfd.readouterr().err


@pytest.mark.parametrize(
    "options", [("--target", "Kyphosis"), ("--target", "Kyphosis", "--cost", "present,absent=4"), ("--target", "Age")]
)
@pytest.mark.parametrize("weights", [(), ("--class-weight", "present=4")])
def test_the_training_error_is_that_of_a_tree_that_is_cross_validated(
    options: tuple[str, ...], weights: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The line is that of the default where both keep the same tree: whole, of two levels."""
    if weights and "Age" in options:
        return
    lines = []
    for choice in ("--unpruned", "--reduction-per-rule=0"):
        command = ["learn", str(KYPHOSIS), *options, *weights, "--max-depth", "1", choice, "-o", str(tmp_path / "m")]
        assert main(command) == 0
        shown = capfd.readouterr().err
        lines.append(next((line for line in shown.splitlines() if "on the training rows" in line), ""))
    own, chosen = lines
    if load(tmp_path / "m").n_leaves == 2:
        assert own == f"{chosen} (no estimate for new rows)"


# ---- interrupts


@pytest.mark.process
def test_an_interrupt_while_modules_load_ends_without_a_traceback(tmp_path: Path) -> None:
    """Ctrl-C in the first moments is exit code 130 and one line, as later."""
    (tmp_path / "click.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "treerules", "doctor"],
        capture_output=True, env={**os.environ, "PYTHONPATH": path}, check=False, encoding="utf-8",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "treerules: interrupted; nothing was written\n")
    assert signal.SIGINT == 2
