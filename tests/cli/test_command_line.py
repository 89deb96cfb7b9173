"""The command line: commands and options, exit codes, streams, and what a terminal shows."""

import csv
import json
import os
import random
import re
import runpy
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

import duckdb
import pytest
from rich.cells import cell_len

from command_line import ENVIRONMENT, run
from paths import LOAN, ROOT
from terminal import TERMINALS, Terminal, in_terminal
from treerules import Table, cart, compile_rules, errors, learn, load, render, save
from treerules.cli import main
from treerules.trees import tree_to_json

CHECKED = "checked, with missing and unseen values: 3 rules, mutually exclusive and complete"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Return the model file of the loan table."""
    path = tmp_path / "loan.tree.json"
    with LOAN.open(encoding="utf-8") as file:
        save(learn(Table.from_rows(list(csv.DictReader(file))), target="类别", recipe=cart()), path)
    return path


def test_build_prints_rules_and_verdict_and_writes_everything(tmp_path: Path) -> None:
    """The main job: the rules and the verdict on stdout, messages on stderr, four files that work."""
    done = run("build", LOAN, "--target", "类别", "--algorithm", "cart", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    tree = load(tmp_path / "out/loan.tree.json")
    shown = done.stdout
    error = "error on the training rows: 0; always the most frequent class: 0.4 (no estimate for new rows)"
    assert shown == f"{render(compile_rules(tree))}\n{error}\n\n{CHECKED}\n"
    assert [path.name for path in sorted((tmp_path / "out").iterdir())] == [
        *("loan.html", "loan.py", "loan.sql", "loan.tree.json")
    ]
    names = runpy.run_path(str(tmp_path / "out/loan.py"))
    assert names["predict"]({"有自己的房子": "否", "有工作": "是"}) == "是"
    assert "wrote" in done.stderr


def test_every_command_is_the_library(model: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """learn, rules, check, emit, predict: the thing asked for on stdout, and nothing but it."""
    tree = load(model)

    def output(*arguments: object) -> str:
        assert main([str(argument) for argument in arguments]) == 0
        return capfdbinary.readouterr().out.decode()

    from treerules import explain, importances, predict, to_python, to_sql
    from treerules.readers import read_csv

    assert output("learn", LOAN, "--target", "类别", "--algorithm", "cart") == tree_to_json(
        learn(read_csv(LOAN), target="类别", recipe=cart())
    )
    assert output("learn", LOAN, "--target", "类别", "--algorithm", "cart", "-o", tmp_path / "m.json") == ""
    assert load(tmp_path / "m.json") == tree
    assert output("rules", model) == render(compile_rules(tree))
    assert output("rules", model, "--exact", "--lang", "zh") == render(compile_rules(tree), exact=True, lang="zh")
    assert output("rules", model, "--full", "--digits", "2") == render(compile_rules(tree), full=True, digits=2)
    assert output("show", model, "--exact") == render(tree, exact=True)
    assert output("importances", model, "--top", "1") == render(importances(tree), top=1)
    row = {"有工作": "是"}
    explanation = explain(tree, row)
    assert output("explain", model, "--row", json.dumps(row), "--exact") == render(explanation, exact=True)
    assert output("rules", model, "--format", "csv", "--sort", "lift").splitlines()[1].startswith("1,")
    assert output("rules", model, "--where", "n>=6", "--where", "lift<=2").startswith("3:")
    assert output("check", model) == f"{CHECKED}\n"
    assert output("emit", "python", model) == to_python(tree)
    assert output("emit", "python", model, "--layout", "guarded") == to_python(tree, layout="guarded")
    assert output("emit", "sql", model, "--dialect", "sqlite") == to_sql(tree, dialect="sqlite")
    assert output(
        "emit", "sql", model, "--dialect", "duckdb", "--kind", "select", "--table", "main.t", "--keys", "a,二"
    ) == to_sql(tree, dialect="duckdb", kind="select", table="main.t", keys=["a", "二"])
    found = output("predict", model, LOAN).splitlines()
    assert found == ["prediction", *predict(tree, read_csv(LOAN))]


@pytest.mark.parametrize(
    "options",
    [
        ("--algorithm", "id3"),
        ("--algorithm", "c45", "--average-gain", "--base", "e"),
        ("--criterion", "entropy", "--categories", "one_against_rest"),
        ("--max-depth", "1", "--min-leaf", "2", "--min-split", "3", "--min-gain", "0.01", "--min-impurity", "0.1"),
        ("--types", "年龄=category", "--features", "年龄,信贷情况", "--task", "classification"),
        ("--types", "年龄=ordinal:青年<中年<老年", "--drop-missing-target"),
    ],
    ids=lambda options: options[1],
)
def test_every_option_of_learning(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Each reaches the recipe or the table."""
    path = tmp_path / "m.tree.json"
    assert main(["learn", str(LOAN), "--target", "类别", "-o", str(path), *options]) == 0
    tree = load(path)
    if "--max-depth" in options:
        assert (tree.recipe.max_depth, tree.recipe.min_samples_leaf, tree.recipe.min_samples_split) == (1, 2, 3)
        assert (tree.recipe.min_gain, tree.recipe.min_impurity) == (0.01, 0.1)
    if "--features" in options:
        assert list(tree.schema.indices) == ["年龄", "信贷情况"]
    if "--average-gain" in options:
        assert (tree.recipe.name, tree.recipe.average_gain, tree.recipe.base) == ("c45", True, "e")
    if "--drop-missing-target" in options:
        assert tree.schema.feature("年龄").categories == ("青年", "中年", "老年")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--help",), 0, ""),
        (("--version",), 0, ""),
        ((), 2, ""),
        (("grow",), 2, "No such command"),
        (("learn", LOAN), 2, "--target"),
        (("learn", LOAN, "--target", "类型"), 2, "no column named '类型'"),
        (("learn", LOAN, "--target", "类别", "--drop", "有工 作"), 2, "did you mean '有工作'"),
        (("learn", LOAN, "--target", "类别", "--types", "年龄"), 2, "COL=KIND"),
        (("learn", LOAN, "--target", "类别", "--types", "年龄=text"), 2, "COL=KIND"),
        (("learn", LOAN, "--target", "类别", "--max-depth", "-3"), 2, "--max-depth is -3"),
        (
            ("learn", LOAN, "--target", "类别", "--algorithm", "id3", "--criterion", "gini"),
            2,
            "an option of id3: --base, --missing-values",
        ),
        (("learn", LOAN, "--target", "类别", "--task", "regression"), 3, "use the task classification"),
        (("learn", "no.csv", "--target", "x"), 3, "No such file"),
        (("learn", "BAD.csv", "--target", "x"), 3, "line 3 has 1 cell "),
        (("rules", "BAD.csv"), 3, "is a table, not a model"),
        (("rules", "BAD.json"), 4, "not a usable model file"),
        (("rules", "no.json"), 3, "No such file"),
        (("rules", "MODEL", "--where", "n=5"), 2, "a figure, one of >= <= > <"),
        (("rules", "MODEL", "--where", "size>=5"), 2, "no figure named 'size'"),
        (("predict", "MODEL", "BAD2.csv"), 3, "column '有工作'"),
        (("emit", "sql", "MODEL"), 2, "--dialect"),
        (("emit", "sql", "MODEL", "--dialect", "cobol"), 2, "cobol"),
        (("emit", "sql", "MODEL", "--dialect", "duckdb", "--templates", "none"), 3, "is not a folder"),
        (("emit", "python", "MODEL", "-o", "BAD.csv/x.py"), 3, "BAD.csv"),
    ],
)
def test_exit_codes(
    arguments: tuple[object, ...],
    code: int,
    message: str,
    model: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """0 ok, 2 usage, 3 bad data, 4 bad model file; one message on stderr, never a traceback."""
    (tmp_path / "BAD.csv").write_text("x,y\n1,2\n3\n")
    (tmp_path / "BAD2.csv").write_text("有自己的房子\n是\n")
    (tmp_path / "BAD.json").write_text('{"format": "treerules.tree"')
    names = {"MODEL": model, **{name: tmp_path / name for name in ("BAD.csv", "BAD2.csv", "BAD.json")}}
    given = [str(names.get(str(a), str(a).replace("BAD.csv/", f"{tmp_path}/BAD.csv/"))) for a in arguments]
    assert main(given) == code
    shown = capfd.readouterr()
    assert message in shown.err
    assert "Traceback" not in shown.err
    if code:
        assert shown.out == ""


def test_the_code_of_every_error(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Each error of ours has its code; anything else is our own fault, 70, and says so."""
    wanted: list[tuple[BaseException, int]] = [
        (errors.NotAPartitionError("a gap", {}), 1),
        (errors.OptionError("--x", 1, "2"), 2),
        (errors.UnknownNameError("column", "x", ()), 2),
        (errors.TemplateFailedError("a.j2", "is broken"), 2),
        (errors.DataError("no rows", "give some"), 3),
        (errors.ColumnError("x", "mixes", "mend it"), 3),
        (errors.CellError("column 'x' takes text"), 3),
        (errors.FileError("f", "is empty", "fill it"), 3),
        (errors.UnsupportedError("sqlite", "NUL", "rename it"), 3),
        (errors.ModelFileError("cut off"), 4),
        (errors.MissingExtraError("duckdb", "cli"), 5),
        (errors.InvalidTreeError("nonsense"), 70),
        (ZeroDivisionError("oops"), 70),
        (KeyboardInterrupt(), 130),
    ]
    for error, code in wanted:

        def fail(arguments: object, error: BaseException = error) -> int:
            raise error

        monkeypatch.setattr("treerules.cli.command_line._run", fail)
        assert main([]) == code
        assert capfd.readouterr().err.count("\n") == 1


@pytest.mark.process
def test_a_missing_extra_says_what_to_install(tmp_path: Path) -> None:
    """Without click, and without duckdb, the exit code is 5 and the message has the pip line."""
    for package in ("click", "duckdb"):
        (tmp_path / package).mkdir()
        blocked = tmp_path / package / "sitecustomize.py"
        blocked.write_text(f"import sys\nsys.modules[{package!r}] = None\n")
        path = os.pathsep.join([str(tmp_path / package), *sys.path])
        done = subprocess.run(
            [sys.executable, "-m", "treerules", "learn", str(LOAN), "--target", "类别"],
            capture_output=True, env={**ENVIRONMENT, "PYTHONPATH": path}, check=False, encoding="utf-8",
        )  # fmt: skip
        assert done.returncode == 5, done.stderr
        assert "pip install 'treerules[cli]'" in done.stderr


def test_a_check_that_says_no_exits_with_1(
    model: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The verdict and its witness on stdout."""
    whole = compile_rules
    monkeypatch.setattr("treerules.formats.rule_files.compile_rules", lambda tree: whole(tree).where("n", least=6))
    assert main(["check", str(model)]) == 1
    shown = capfd.readouterr().out
    assert shown.startswith("exclusive: yes\ncomplete: no\n\nno rule fires\n")
    assert "\n  row: {" in shown


@pytest.mark.process
def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    """`| head -1` is no error."""
    table = Table.from_columns({"x": [float(n) for n in range(9000)], "y": [float(n % 97) for n in range(9000)]})
    save(learn(table, target="y", recipe=cart()), tmp_path / "m.tree.json")
    command = f'"{sys.executable}" -m treerules rules "{tmp_path}/m.tree.json" | head -1; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", command], capture_output=True, env=ENVIRONMENT, check=False, encoding="utf-8")
    assert done.stderr == ""
    assert done.stdout.splitlines()[1] == "0"


@pytest.mark.process
def test_a_closed_pipe_is_not_a_no(tmp_path: Path) -> None:
    """build into a reader that goes away: everything is written, and the exit code is 0."""
    build = f'"{sys.executable}" -m treerules build "{LOAN}" --target 类别 -o "{tmp_path}/o"'
    command = build + ' | true; echo "${PIPESTATUS[0]}"'
    done = subprocess.run(["bash", "-c", command], capture_output=True, env=ENVIRONMENT, check=False, encoding="utf-8")
    assert done.stdout == "0\n"
    names = sorted(path.name for path in (tmp_path / "o").iterdir())
    assert names == ["loan.html", "loan.py", "loan.sql", "loan.tree.json"]


@pytest.mark.process
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("rules MODEL >/dev/full", 3),
        ("rules MODEL >&-", 3),
        ("rules MODEL 2>&-", 0),
        ("--help >/dev/full", 3),
        ("emit --help >/dev/full", 3),
        ("--version | true; exit ${PIPESTATUS[0]}", 0),
        ("--help | true; exit ${PIPESTATUS[0]}", 0),
        ("frob 2>/dev/full", 2),
        ("frob 2>&1 | true; exit ${PIPESTATUS[0]}", 2),
    ],
)
def test_streams_that_cannot_be_written(model: Path, command: str, code: int) -> None:
    """A full or closed stdout is bad data, not our fault; a closed stderr, or a reader gone, is no matter."""
    line = f'"{sys.executable}" -m treerules {command.replace("MODEL", str(model))}'
    done = subprocess.run(["bash", "-c", line], capture_output=True, env=ENVIRONMENT, check=False, encoding="utf-8")
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr and "fault" not in done.stderr


def test_build_names_its_files_by_the_table(tmp_path: Path) -> None:
    """loan.v1.csv and loan.v2.csv do not overwrite each other, and every module can be imported."""
    for name in ("loan.v1.csv", "my-data.csv", "2024.csv"):
        (tmp_path / name).write_bytes(LOAN.read_bytes())
        assert main(["build", str(tmp_path / name), "--target", "类别", "-o", str(tmp_path / "o")]) == 0
    files = sorted(path.name for path in (tmp_path / "o").iterdir())
    assert [name for name in files if name.endswith(".py")] == ["_2024.py", "loan_v1.py", "my_data.py"]
    assert [name for name in files if name.endswith(".json")] == [
        "2024.tree.json", "loan.v1.tree.json", "my-data.tree.json",
    ]  # fmt: skip


@TERMINALS
def test_a_terminal_of_80_columns_shows_a_table_that_lines_up(terminal: Terminal, model: Path) -> None:
    """Chinese characters take two cells; columns begin where their headings do."""
    code, text = terminal("rules", model)
    assert code == 0
    shown = plain(text).rstrip("\n").split("\n")
    assert max(cell_len(line.rstrip()) for line in shown) <= 80
    head = shown[0]
    place = cell_len(head[: head.index("类别")])
    for line in (line for line in shown if line[:4].strip().isdigit()):
        cells = ""
        for character in line:
            if cell_len(cells) >= place:
                break
            cells += character
        assert line[len(cells)] in "是否"


def plain(text: str) -> str:
    """Return what is left of a terminal's text without its colours and styles."""
    return re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", text)


@TERMINALS
@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_gains_line_up_on_a_terminal_of_any_width(terminal: Terminal, columns: int, lang: str) -> None:
    """No line is wider than the terminal; where it is wide enough each figure ends where its heading does."""
    code, text = terminal("gains", LOAN, "--target", "类别", "--lang", lang, columns=columns)
    assert code == 0
    lines = plain(text).split("\n")
    assert max(cell_len(line.rstrip()) for line in lines if not line.startswith(("read", "target", "D:"))) <= columns
    if columns >= 80:
        gain = {"en": "gain", "zh": "信息增益"}[lang]
        head = next(line for line in lines if "H(D|A)" in line)
        ends = cell_len(head[: head.index(gain) + len(gain)])
        for figure in ("0.083", "0.324", "0.420", "0.363"):
            line = next(line for line in lines if figure in line)
            assert cell_len(line[: line.index(figure) + len(figure)]) == ends


@TERMINALS
def test_colours_are_for_terminals_alone(terminal: Terminal, model: Path) -> None:
    """A terminal gets the chosen feature in colour, with NO_COLOR it does not; nothing is coloured when piped."""
    ours = ("gains", LOAN, "--target", "类别")
    assert "\x1b[1;32m" in terminal(*ours, colour=True)[1]
    assert "\x1b[1;32m" not in terminal(*ours)[1]
    for command in (ours, ("rules", model), ("show", model), ("doctor",), ("check", model)):
        assert "\x1b" not in run(*command).stdout, command


@pytest.mark.process
def test_a_bar_is_shown_on_a_terminal_when_it_takes_long(tmp_path: Path) -> None:
    """While a fifo gives nothing the bar waits a second, then is drawn, and goes when all is read; never when piped."""
    path = tmp_path / "slow.csv"
    os.mkfifo(path)
    done: list[tuple[int, str]] = []
    reader = threading.Thread(target=lambda: done.append(in_terminal("learn", path, "--target", "y")))
    reader.start()
    with path.open("w") as file:
        time.sleep(2.5)
        file.write("x,y\n1,a\n2,b\n")
    reader.join(60)
    shown = done[0][1]
    assert "reading slow.csv" in shown and "━" in shown


@pytest.mark.process
def test_ctrl_c_leaves_nothing_half_written(tmp_path: Path) -> None:
    """Pressed on a terminal while a large file is read or learned from: exit code 130, one message, no file.

    C4.5 chooses its cuts node by node, which takes long enough.
    """
    path = tmp_path / "large.csv"
    values = random.Random(0)
    with path.open("w") as file:
        file.write("a,b,c,d,y\n")
        file.writelines(
            ",".join(f"{values.random():.9f}" for _ in range(4)) + f",{values.choice('pq')}\n" for _ in range(120_000)
        )
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    code, shown = in_terminal(
        *("learn", path, "--target", "y", "--algorithm", "c45", "-o", tmp_path / "m.json"),
        temporary=temporary,
        until=lambda text: b"learning" in text,
    )
    assert code == 130, shown
    assert "treerules: interrupted; nothing was written" in plain(shown) and "Traceback" not in shown
    assert sorted(found.name for found in tmp_path.rglob("*")) == ["large.csv", "temporary"]


def test_doctor_lists_what_the_extras_install() -> None:
    """Each package of the extras that users install has a line; no remark names an extra that does not exist."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    shown = run("doctor").stdout
    for extra in ("cli", "fast", "testing", "sql"):
        for package in extras[extra]:
            assert f"\n{package.partition('>=')[0]} " in shown
    assert set(re.findall(r"treerules\[(\w+)\]", shown)) <= set(extras)


@pytest.mark.parametrize("format_", ["text", "md", "csv", "json"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_table_in_every_format(model: Path, format_: str, lang: str) -> None:
    """rules, check, gains, doctor: JSON says what it is and its version, CSV has even rows, Markdown a rule below."""
    for command in (("rules", model), ("check", model), ("gains", LOAN, "--target", "类别"), ("doctor",)):
        done = run(*command, "--format", format_, "--lang", lang)
        assert done.returncode == 0, done.stderr
        text = done.stdout
        if format_ == "json":
            record = json.loads(text)
            assert record["format"].startswith("treerules.") and record["version"] == 1
        elif format_ == "csv":
            assert len({len(row) for row in csv.reader(text.splitlines())}) == 1
        elif format_ == "md":
            assert "|---" in text
        assert (lang == "zh") == any(
            word in text for word in ("规则", "特征", "项目", "结论", "样本数")
        ) or format_ == "json"


def test_output_goes_where_the_name_points(model: Path, tmp_path: Path) -> None:
    """A link's target is written and the link stays; a pipe is written to, and a device is no file to be replaced."""
    target, link, pipe = tmp_path / "real.py", tmp_path / "link.py", tmp_path / "pipe"
    target.write_text("old")
    link.symlink_to(target)
    assert run("emit", "python", model, "-o", link).returncode == 0
    assert link.is_symlink() and "def predict" in target.read_text(encoding="utf-8")
    os.mkfifo(pipe)
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    assert run("emit", "python", model, "-o", pipe).returncode == 0
    reader.join(30)
    assert found == [target.read_text(encoding="utf-8")] and pipe.is_fifo()
    assert run("emit", "python", model, "-o", "/dev/null").returncode == 0
    assert Path("/dev/null").is_char_device()
    done = run("predict", model, LOAN, "-o", tmp_path / "no" / "such" / "out.parquet")
    assert done.returncode == 3 and "there is no folder" in done.stderr
    (tmp_path / "folder.parquet").mkdir()
    done = run("predict", model, LOAN, "-o", tmp_path / "folder.parquet")
    assert done.returncode == 3 and "folder.parquet" in done.stderr
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@TERMINALS
def test_figures_are_never_cut_on_a_narrow_terminal(terminal: Terminal, tmp_path: Path) -> None:
    """Many classes: the values come in several tables, each with what it is about, no line wider than the terminal."""
    path = tmp_path / "a.csv"
    names = [
        f"iris-{name}" for name in ("setosa", "versicolor", "virginica", "japonica", "laevigata", "ensata", "lutescens")
    ]
    path.write_text("city,label\n" + "".join(f"city{n % 3},{names[n % 7]}\n" for n in range(70)))
    code, text = terminal("gains", path, "--target", "label")
    assert code == 0
    below = plain(text).split("H_A(D)", 1)[1]
    assert "…" not in below
    assert max(cell_len(line.rstrip()) for line in below.split("\n")) <= 80
    for word in (*names, "H(D_i)", "Gini(D,A=a)"):
        assert word in below
    assert below.count("city1") >= 3


def test_what_cannot_be_asked_beside_a_model(model: Path) -> None:
    """gains --model takes no option of learning, --node needs a model; a file or a query must be given."""
    for arguments, said in (
        (("gains", LOAN, "--model", model, "--algorithm", "id3"), "--algorithm cannot be combined with --model"),
        (("gains", LOAN, "--target", "类别", "--node", 1), "expected it together with --model"),
        (("gains", LOAN), "a target column, or a model"),
        (("learn", "--target", "y"), "Missing argument FILE, or option '--query'"),
    ):
        done = run(*arguments)
        assert done.returncode == 2 and said in done.stderr, done.stderr


@pytest.mark.process
def test_ctrl_c_during_a_query_is_ctrl_c(tmp_path: Path) -> None:
    """While DuckDB runs for long: exit code 130 and one message.

    One task of DuckDB makes all of a cross product, and only between tasks does it ask Python for signals.
    """
    query = (
        "SELECT count(*) AS a, 'x' AS y FROM range(10000000) AS r, range(10000000) AS s WHERE r.range * s.range % 7 = 3"
    )
    code, shown = in_terminal("learn", "--query", query, "--target", "y", until=lambda text: b"reading" in text)
    assert code == 130, shown
    assert "treerules: interrupted; nothing was written" in plain(shown) and "fault" not in shown


def test_a_whole_day_at_the_command_line(tmp_path: Path) -> None:
    """Learn from a query, look at it, predict to Parquet and CSV with keys, shares and rules, read that back."""
    loan = ("--columns", "年龄,有工作,有自己的房子,信贷情况,类别")
    text = LOAN.read_text(encoding="utf-8").split("\n", 1)[1]
    (tmp_path / "loan.txt").write_bytes(text.replace(",", "; ").encode("gb18030"))
    model = tmp_path / "m.json"
    done = run(
        "learn", tmp_path / "loan.txt", *loan, "--target", "类别", "--algorithm", "cart", "--max-leaves", 3, "-o", model
    )
    assert done.returncode == 0 and "as gb18030" in done.stderr, done.stderr
    out = tmp_path / "out.parquet"
    done = run("predict", model, tmp_path / "loan.txt", *loan, "--proba", "--rule", "--keys", "年龄", "-o", out)
    assert done.returncode == 0, done.stderr
    found = run("predict", model, tmp_path / "loan.txt", *loan, "--proba", "--rule", "--keys", "年龄").stdout
    rows = list(csv.reader(found.splitlines()))
    assert rows[0] == ["年龄", "prediction", "p_否", "p_是", "rule"]
    query = f"SELECT * FROM '{out}'"
    with duckdb.connect() as connection:
        typed = connection.execute(query).fetchall()
        assert [row[1] for row in connection.execute(f"DESCRIBE {query}").fetchall()] == [
            "VARCHAR", "VARCHAR", "DOUBLE", "DOUBLE", "BIGINT",
        ]  # fmt: skip
    assert [[str(cell) for cell in row] for row in typed] == rows[1:]
    again = run("gains", "--query", query, "--target", "prediction", "--drop", "rule", "--format", "json")
    assert json.loads(again.stdout)["n"] == 15
    shown = run("show", model, "--depth", 1, "--lang", "zh").stdout
    assert shown.startswith("类别: 否 6, 是 9\n") and "另有 2 个结点" in shown and "(规则 3)" in shown
    node = run("gains", tmp_path / "loan.txt", *loan, "--model", model, "--node", 1, "--format", "json")
    assert json.loads(node.stdout)["n"] == 9


@pytest.mark.process
def test_messages_and_output_survive_an_ascii_terminal(model: Path) -> None:
    """Where stderr cannot show a character it is escaped; stdout is UTF-8 always."""
    environment = {
        **ENVIRONMENT,
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "ascii",
        "LC_ALL": "C",
        "PYTHONCOERCECLOCALE": "0",
    }
    done = subprocess.run(
        [sys.executable, "-m", "treerules", "learn", str(LOAN), "--target", "类别"],
        capture_output=True, env=environment, check=False, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr
