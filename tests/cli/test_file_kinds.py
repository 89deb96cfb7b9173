"""A table where rules or a model are asked for, and the reverse: the error says what the file is, and what to do."""

from pathlib import Path

import pytest

from command_line import printed, run

DATA = "a,b,y\n1,2,p\n3,4,q\n5,6,p\n7,8,q\n"
RULES = "IF a <= 3 THEN p\nIF a > 3 THEN q\n"
CATEGORIES = "colour,size,price\nred,L,high\nred,S,low\nblue,L,low\nblue,S,low\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, which holds a table in three formats, rules, and a model with its certificate."""
    monkeypatch.chdir(tmp_path)
    Path("b.csv").write_text(DATA, encoding="utf-8")
    Path("b.jsonl").write_text('{"a": 1, "y": "p"}\n{"a": 2, "y": "q"}\n', encoding="utf-8")
    Path("b.sqlite").write_bytes(b"SQLite format 3\0" + bytes(84))
    Path("r.rules").write_text(RULES, encoding="utf-8")
    Path("c.csv").write_text(CATEGORIES, encoding="utf-8")
    options = ("--algorithm", "optimal", "--leaf-penalty", 0, "--certificate", "x.certificate.json")
    assert run("learn", "b.csv", "--target", "y", *options, "-o", "x.tree.json").returncode == 0
    return tmp_path


WANT_A_MODEL = ["rules", "show", "emit python", "importances", "verify --against r.rules", "prune --alpha 0"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", WANT_A_MODEL)
@pytest.mark.parametrize("file", ["b.csv", "b.jsonl", "b.sqlite"])
def test_a_table_is_no_model(command: str, file: str) -> None:
    """The advice is to learn from it."""
    name, *rest = command.split(" --")
    completed = run(*name.split(), file, *(f"--{rest[0]}".split() if rest else ()))
    assert completed.returncode == 3
    assert f"{file}: is a table, not a model; learn a model from it first: treerules learn {file}" in completed.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "command",
    [
        "diff b.csv b.csv",
        "diff x.tree.json b.csv",
        "diff b.csv r.rules",
        "compile b.csv -o z.tree.json",
        "report b.csv -o z.html",
        "score b.csv b.csv",
        "explain b.csv --row a=1",
    ],
)
def test_rows_of_data_are_no_rules(command: str) -> None:
    """Nothing is proved of them."""
    completed = run(*command.split())
    assert completed.returncode == 3
    assert completed.stdout == ""
    assert "b.csv: is a table of data, not of rules: " in completed.stderr
    assert "treerules learn b.csv --target COL; if it is a decision table, say --as csv" in completed.stderr


@pytest.mark.usefixtures("folder")
def test_what_is_said_to_be_a_decision_table_is_one() -> None:
    """`--as csv`, also beside a model; and tables of categories without copies."""
    assert "equal on the whole domain: proved" in printed("diff", "b.csv", "b.csv", "--as", "csv")
    assert "THEN y = p" in printed("diff", "x.tree.json", "b.csv", "--as", "csv")
    assert "equal on the whole domain: proved" in printed("diff", "c.csv", "c.csv")
    Path("copies.csv").write_text(CATEGORIES + "red,L,high\n", encoding="utf-8")
    assert "is a table of data" in run("diff", "copies.csv", "copies.csv").stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("x.tree.json", "is a model, not a table; did you mean `treerules show x.tree.json`?"),
        ("x.certificate.json", "is a certificate, not a table; did you mean `treerules certify x.certificate.json`?"),
        ("r.rules", "is a file of rules, not a table; did you mean `treerules check r.rules`?"),
        ("lgb.txt", "is a model of another library, not a table; did you mean `treerules import lgb.txt`?"),
    ],
)
@pytest.mark.parametrize(
    "command", ["learn {} --target y", "build {} --target y -o out", "predict x.tree.json {}", "score r.rules {}"]
)
def test_a_model_is_no_table(file: str, message: str, command: str) -> None:
    """Commands that read rows name what the file is."""
    Path("lgb.txt").write_text("tree\nversion=v4\nnum_class=1\n", encoding="utf-8")
    completed = run(*command.format(file).split())
    assert completed.returncode == 3
    assert f"{file}: {message}" in completed.stderr


@pytest.mark.usefixtures("folder")
def test_models_of_other_libraries_and_certificates() -> None:
    """A model of another library is read by `import`; a table is no certificate."""
    Path("lgb.txt").write_text("tree\nversion=v4\nnum_class=1\n", encoding="utf-8")
    remedy = "is a model of another library, not of treerules; read it first: treerules import lgb.txt"
    assert remedy in run("show", "lgb.txt").stderr
    assert "b.csv: is a table, not a certificate" in run("certify", "b.csv", "--data", "b.csv").stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("城市,等级\n北京,高\n上海,低\n".encode("gb18030"), "not UTF-8"),
        (b'name,y\n"Briggs, Mrs. John (Florence)",a\n"Owen, Mr.",b\n', ":2:20: '(' stands here"),
        (b"island,sex,y\nDream,F,\nBiscoe,F,b\n", ":2:9: the cell ends here"),
    ],
)
def test_data_that_cannot_be_read_as_rules_is_told_as_data(content: bytes, reason: str) -> None:
    """The error of a decision table follows, since it may be one."""
    Path("d.csv").write_bytes(content)
    for command in ("check d.csv", "diff d.csv d.csv"):
        completed = run(*command.split())
        assert completed.returncode == 3
        assert "d.csv: looks like data, not rules: no cell is a condition such as <=30; " in completed.stderr
        assert "treerules learn d.csv --target COL; if it is a decision table: " in completed.stderr
        assert reason in completed.stderr
    assert "d.csv: is a table, not a model" in run("rules", "d.csv").stderr
    Path("t.csv").write_bytes(content + b"a,>= 30,(30..,40]")  # some cell is a condition
    assert "looks like data" not in run("check", "t.csv").stderr


@pytest.mark.usefixtures("folder")
def test_rows_that_may_be_data_or_rules_are_noted_by_diff() -> None:
    """As `check` does; and an empty file is no model."""
    Path("d.csv").write_text("city,ok\nRome,yes\nOslo,no\n", encoding="utf-8")
    completed = run("diff", "d.csv", "d.csv")
    assert "equal on the whole domain: proved" in completed.stdout
    assert completed.stderr.count("d.csv: each rule has one value for each column, as rows of data have") == 1
    Path("e.csv").write_text("", encoding="utf-8")
    assert "e.csv: is empty; give a model" in run("rules", "e.csv").stderr
