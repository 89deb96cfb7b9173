"""The files that commands read: standard input, unused columns, headers."""

from pathlib import Path

import pytest

from command_line import run
from selection import few
from treerules import cart, learn, load, read, save

CSV = "x,who,y\n1,man,a\n2,woman,b\n3,man,a\n4,woman,b\n5,man,a\n6,woman,b\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a table and its model."""
    (tmp_path / "t.csv").write_text(CSV)
    save(learn(read(tmp_path / "t.csv"), target="y", features=["who"], recipe=cart()), tmp_path / "m.tree.json")
    return tmp_path


MODEL_COMMANDS = (
    "rules -",
    "show -",
    "check -",
    "predict - {t}",
    "evaluate - {t}",
    "relearn - {t} -o {out}",
    "prune - --alpha 0 -o {out}",
    "verify - --against {py}",
    "explain - --row {row}",
    "importances -",
    "emit python -",
    "emit sql - --dialect duckdb",
    "emit text -",
    "diff {m} -",
    "score - {t}",
)
DATA_COMMANDS = (
    "learn - --target y --features who -o {out}",
    "gains - --target y",
    "predict {m} -",
    "evaluate {m} -",
    "relearn {m} - -o {out}",
    "prune {m} --data - --cv 2 -o {out}",
    "verify {m} --against {py} --data -",
    "explain {m} --data - --id 0",
    "diff {m} {m} --data -",
    "score {m} -",
)


def arguments_of(command: str, folder: Path) -> list[str]:
    """Return a command as a list, with the files of the folder."""
    run("emit", "python", folder / "m.tree.json", "-o", folder / "m.py")
    names = {"t": "t.csv", "m": "m.tree.json", "py": "m.py", "out": "out.tree.json"}
    paths = {name: str(folder / path) for name, path in names.items()}
    return [part.format(row='{"who": "man"}', **paths) if "{" in part else part for part in command.split(" ")]


@pytest.mark.parametrize("command", few([*MODEL_COMMANDS, *DATA_COMMANDS], 9))
def test_a_dash_is_standard_input(command: str, folder: Path) -> None:
    """Each command answers from standard input as from the file, and names no temporary path."""
    is_model = command in MODEL_COMMANDS
    arguments = arguments_of(command, folder)
    path = folder / ("m.tree.json" if is_model else "t.csv")
    wanted = run(*[str(path) if part == "-" else part for part in arguments])
    answer = run(*arguments, stdin=path.read_text())
    assert answer[:2] == (wanted.returncode, wanted.stdout.replace(str(path), "stdin")), answer.stderr
    broken = run(*arguments, stdin="{" if is_model else "x,who,y\n1,2\n")
    assert broken.returncode in (1, 3, 4)
    assert "tmp" not in broken.stderr
    assert "standard input" in broken.stderr or "stdin" in broken.stderr


def test_build_names_its_files_table(folder: Path) -> None:
    """`build -` writes table.tree.json, table.py and table.sql, and reads JSON lines too."""
    built = run("build", "-", "--target", "y", "-o", folder / "out", stdin=CSV)
    assert built.returncode == 0
    assert {"table.tree.json", "table.py", "table.sql"} <= {path.name for path in (folder / "out").iterdir()}
    assert "of standard input" in built.stderr
    lines = '{"x": 1, "y": "a"}\n{"x": 2, "y": "b"}\n'
    assert run("learn", "-", "--target", "y", "-o", folder / "j.tree.json", stdin=lines).returncode == 0
    assert load(folder / "j.tree.json").schema.classes == ("a", "b")


@pytest.mark.parametrize("command", [["predict", "-", "-"], ["diff", "-", "-"], ["score", "-", "-"]])
def test_one_dash_in_a_command(command: list[str]) -> None:
    """Two arguments cannot both be standard input."""
    refused = run(*command, stdin=CSV)
    assert refused.returncode == 2
    assert "only one file of a command" in refused.stderr


@pytest.mark.parametrize("text", ["day,who,x\nsoon,man,q\n,woman,r\n", "who\nman\nwoman\n"])
def test_columns_that_the_tree_does_not_use_are_neither_read_nor_checked(text: str, tmp_path: Path) -> None:
    """A file whose unused columns have other cells, or which lacks them, is predicted, evaluated and verified."""
    rows = "2024-01-01,1,man,a\n2024-01-02,2,woman,b\n2024-01-03,2,man,a\n2024-01-03,1,woman,b\n"
    (tmp_path / "t.csv").write_text("day,x,who,y\n" + rows)
    model, new = tmp_path / "m.tree.json", tmp_path / "new.csv"
    save(learn(read(tmp_path / "t.csv"), target="y", features=["day", "x", "who"], recipe=cart()), model)
    assert run("emit", "python", model, "-o", tmp_path / "m.py").returncode == 0
    new.write_text(text)
    assert run("predict", model, new).stdout.split() == ["prediction", "a", "b"]
    header, *lines = text.split()
    new.write_text("\n".join([f"{header},y", f"{lines[0]},a", f"{lines[1]},b"]) + "\n")
    assert run("evaluate", model, new).returncode == 0
    assert run("verify", model, "--against", tmp_path / "m.py", "--data", new).returncode == 0


def test_header_options(tmp_path: Path) -> None:
    """--no-header and --header decide; a target that a file without a header cannot have is explained."""
    path, model = tmp_path / "t.csv", tmp_path / "m.tree.json"
    path.write_text("5.1,3.5,setosa\n4.9,3.0,setosa\n7.0,3.2,virginica\n6.4,3.2,virginica\n")
    unknown = run("learn", path, "--target", "species", "-o", model)
    assert unknown.returncode == 2
    assert "'c1' to 'c3'" in unknown.stderr
    for target, options in (("c3", []), ("c3", ["--no-header"]), ("setosa", ["--header"])):
        assert run("learn", path, "--target", target, *options, "-o", model).returncode == 0
