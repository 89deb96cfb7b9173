"""`emit text`, `emit table` and `emit dmn`: a model's rules in forms that people edit, which are its rules again."""

from pathlib import Path

import pytest

from command_line import run
from paths import LOAN
from treerules import cart, compile_rules, learn, predict, read_rules, save
from treerules.cli import main
from treerules.readers import read_csv
from treerules.testing import boundary_rows

COMMANDS = {
    "loan.rules": ["text"],
    "loan.csv": ["table"],
    "loan.md": ["table", "--format", "md"],
    "loan.dmn": ["dmn", "--name", "贷款"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_printed_reads_back_and_answers_as_the_model(name: str, tmp_path: Path) -> None:
    """Checked, it is exclusive and complete; compiled, it is a model with the answers of the first."""
    tree = learn(read_csv(LOAN), target="类别", recipe=cart())
    model, file, again = tmp_path / "loan.tree.json", tmp_path / name, tmp_path / "again.tree.json"
    save(tree, model)
    assert main(["emit", *COMMANDS[name], str(model), "-o", str(file)]) == 0
    assert main(["check", str(file), "--schema", str(model)]) == 0
    assert main(["compile", str(file), "--schema", str(model), "-o", str(again)]) == 0
    (written,) = read_rules(again)
    for row in boundary_rows(compile_rules(tree)):
        (fired,) = written.rules.firing(row)
        assert fired.value == predict(tree, row)


def test_rules_that_lean_on_their_order_become_text_and_tables_but_no_unique_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rule list is printed as one; a DMN table of hit policy UNIQUE cannot say it."""
    file = tmp_path / "ages.rules"
    file.write_text("ordered\nIF age < 18 THEN minor\nIF age < 65 THEN adult\nOTHERWISE senior\n", encoding="utf-8")
    for command, ending in ((["text"], "rules"), (["table"], "csv")):
        printed = tmp_path / f"printed.{ending}"
        assert main(["emit", *command, str(file), "-o", str(printed)]) == 0
        for age, wanted in ((17.0, "minor"), (18.0, "adult"), (65.0, "senior"), (None, "senior")):
            (written,) = read_rules(printed)
            assert written.rules.firing({"age": age})[0].value == wanted
    assert main(["emit", "dmn", str(file)]) == 2
    assert "expected a rule set; `treerules check --independent` makes one of a rule list" in capsys.readouterr().err


def test_a_declared_domain_is_kept_or_its_loss_is_told(tmp_path: Path) -> None:
    """A table has no place for it; rules as text and DMN have."""
    path = tmp_path / "d.rules"
    path.write_text("column x: number 0..10, never missing\nIF x < 5 THEN a\nIF x >= 5 THEN b\n", encoding="utf-8")
    lost = "a table does not hold the declared domain (x in 0..10, never missing)"
    assert lost in run("emit", "table", path).stderr
    for kind in ("text", "dmn"):
        done = run("emit", kind, path)
        assert done.stderr == ""
        assert "10" in done.stdout
