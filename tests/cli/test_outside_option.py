"""`--outside refuse` of the commands that predict, and that print a model as code."""

from pathlib import Path

import pytest

from treerules.cli import main

REVENUE = """column revenue: number 0..10, never missing
IF revenue <= 5 OR missing THEN low
IF revenue > 5 THEN high
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Return the model of rules that declare a domain."""
    (tmp_path / "r.rules").write_text(REVENUE)
    assert main(["compile", str(tmp_path / "r.rules"), "-o", str(tmp_path / "r.json")]) == 0
    return tmp_path / "r.json"


def test_predict_names_the_row(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The row, the column and the value; a file inside the domain is predicted as without the option."""
    table = model.with_name("d.csv")
    table.write_text("id,revenue\n1,2\n2,\n3,20\n")
    assert main(["predict", str(model), str(table)]) == 0
    assert main(["predict", str(model), str(table), "--outside", "refuse"]) == 3
    shown = capsys.readouterr()
    assert shown.out.split() == ["prediction", "low", "low", "high"]
    assert "row 2 (and 1 more): column 'revenue' is missing, outside the declared domain: never missing" in shown.err
    table.write_text("id,revenue\n1,2\n3,10\n")
    assert main(["predict", str(model), str(table), "--outside", "refuse"]) == 0
    assert capsys.readouterr().out.split() == ["prediction", "low", "high"]


def test_a_declared_column_is_read_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Although no rule tests it."""
    (tmp_path / "r.rules").write_text(
        "column x: number 0..1\ncolumn z: number 0..1\nIF x < 1 OR missing THEN a\nIF x >= 1 THEN b\n"
    )
    (tmp_path / "d.csv").write_text("x,z\n0,2\n")
    arguments = [str(tmp_path / "r.json"), str(tmp_path / "d.csv"), "--outside", "refuse"]
    assert main(["compile", str(tmp_path / "r.rules"), "-o", arguments[0]]) == 0
    assert main(["predict", *arguments]) == 3
    assert "row 1: column 'z' is 2" in capsys.readouterr().err


def test_sql_has_a_when_in_front(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As `to_sql(outside="refuse")` writes it."""
    assert main(["emit", "sql", str(model), "--dialect", "sqlite", "--outside", "refuse"]) == 0
    assert "Outside this, the answer is NULL" in capsys.readouterr().out.splitlines()[1]


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_modules_refuse_too(model: Path, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In every style."""
    for style in ("plain", "full", "lookup"):
        assert main(["emit", language, str(model), "--style", style, "--outside", "refuse"]) == 0
        assert "Outside this, a row is an error" in capsys.readouterr().out.splitlines()[1]


@pytest.mark.parametrize("options", [["dbt", "-o", "x"], ["rules", "--dialect", "duckdb", "--keys", "id"], ["text"]])
def test_other_code_cannot_refuse(model: Path, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The error names the commands that can."""
    capsys.readouterr()
    assert main(["emit", options[0], str(model), *options[1:], "--outside", "refuse"]) == 2
    assert "--outside is 'refuse'; expected no such option here: `predict` and `emit sql`" in capsys.readouterr().err


def test_a_model_that_declares_nothing_is_an_error(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The error names the option."""
    model.with_name("n.rules").write_text("\n".join(REVENUE.splitlines()[1:]))
    assert main(["compile", str(model.with_name("n.rules")), "-o", str(model)]) == 0
    for command in (["emit", "sql", str(model), "--dialect", "sqlite"], ["predict", str(model), str(model)]):
        capsys.readouterr()
        assert main([*command, "--outside", "refuse"]) == 2
        assert "--outside is 'refuse'; expected 'answer': the model declares no domain" in capsys.readouterr().err


def test_verify_gives_refusing_code_the_columns_that_are_declared(tmp_path: Path) -> None:
    """Also one that no rule tests; a file without it is compared where code does not refuse."""
    rules, model, module = tmp_path / "r.rules", str(tmp_path / "r.json"), str(tmp_path / "r.py")
    rules.write_text(
        "column n: number 1..10, never missing\ncolumn u: number 0..1, never missing\n"
        "IF n <= 5 THEN x\nIF n > 5 OR missing THEN w\n"
    )
    (tmp_path / "d.csv").write_text("n,u\n2,0.5\n7,0.5\n")
    (tmp_path / "n.csv").write_text("n\n2\n7\n")
    assert main(["compile", str(rules), "-o", model]) == 0
    assert main(["emit", "python", model, "-o", module]) == 0
    assert main(["verify", model, "--against", module, "--data", str(tmp_path / "n.csv")]) == 0
    assert main(["emit", "python", model, "-o", module, "--outside", "refuse"]) == 0
    assert main(["verify", model, "--against", module, "--data", str(tmp_path / "d.csv")]) == 0
