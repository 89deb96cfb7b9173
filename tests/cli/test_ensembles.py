"""What each command says of the file of an ensemble: a result, or an error that says what to do."""

from pathlib import Path

import pytest
from attrs import evolve

from treerules import Ensemble, Feature, Kind, Schema, Tree, save
from treerules.cli import main
from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest

ROWS = "age,ill\n20,no\n60,yes\n70,yes\n"
ONE_TREE = "give --tree with a number from 1 to 2"
ONE_PART = "--case is not given; expected the number of a part of model.json (1: tree 1; 2: tree 2)"
NO_TREE = "save(load(path).trees[0], ...)"
#: A command line, its exit code, and a part of what it prints.
COMMANDS = (
    ("predict model.json rows.csv", 0, "yes"),
    ("evaluate model.json rows.csv", 0, "accuracy"),
    ("show model.json", 0, "2 trees, 4 leaves, depth 1"),
    ("show model.json --tree 2", 0, "age <= 50"),
    ("show model.json --tree 3", 2, "--tree is 3; expected a number from 1 to 2"),
    ("emit python model.json", 0, "def tree_2("),
    ("emit python model.json --tree 2", 0, "def predict("),
    ("emit javascript model.json", 0, "function tree2("),
    ("emit sql model.json --dialect duckdb --kind select --margin --proba", 0, '"p_yes"'),
    ("emit sql model.json --dialect duckdb --tree 1", 0, "CASE"),
    ("rules model.json", 2, ONE_TREE),
    ("rules model.json --tree 1", 0, "age <= 40"),
    ("importances model.json", 2, ONE_TREE),
    ("importances model.json --tree 1", 3, "use a tree that learn() returned"),
    ("emit rules model.json --dialect duckdb --keys id", 2, ONE_TREE),
    ("emit rules model.json --dialect duckdb --keys id --tree 1", 0, "VALUES"),
    ("emit dbt model.json -o dbt", 2, ONE_TREE),
    ("emit dbt model.json -o dbt --tree 1", 0, "wrote"),
    ("check model.json", 0, "tree 2"),
    ("diff model.json model.json", 0, "2 written alike"),
    ('explain model.json --row {"age":30}', 2, ONE_PART),
    ('explain model.json --row {"age":30} --case 2', 0, "age <= 50"),
    ("score model.json rows.csv", 2, ONE_PART),
    ("score model.json rows.csv --case 1", 0, "3 rows"),
    ("compile model.json -o tree.json", 2, ONE_PART),
    ("compile model.json -o tree.json --case 1", 0, "wrote tree.json"),
    ("emit dmn model.json", 2, ONE_PART),
    ("emit dmn model.json --case 1", 0, "<decisionTable"),
    ("emit table model.json --case 3", 2, "--case is 3"),
    ("prune model.json", 2, NO_TREE),
    ("relearn model.json rows.csv", 2, NO_TREE),
    ("gains rows.csv --model model.json", 2, NO_TREE),
)


def _ensemble() -> Ensemble:
    features, margin = [Feature("age", Kind.NUMBER)], Feature("margin", Kind.NUMBER)
    leaves = [Leaf(MeanPrediction(value), (1,)) for value in (-0.5, 0.25)]
    trees = [Tree(Schema(features, margin), Split(ThresholdTest(0, cut), leaves)) for cut in (40.0, 50.0)]
    ill = Feature("ill", Kind.CATEGORY, ("no", "yes"))
    return Ensemble(Schema(features, ill), trees, link="sigmoid", cut=0.0)


@pytest.mark.parametrize(("line", "code", "text"), COMMANDS, ids=[line for line, *_ in COMMANDS])
def test_each_command_takes_an_ensemble_or_says_what_to_do(
    line: str,
    code: int,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    """The table of commands in docs/en/importing.md."""
    monkeypatch.chdir(tmp_path)
    save(_ensemble(), "model.json")
    Path("rows.csv").write_text(ROWS, encoding="utf-8")
    found = main(line.split())
    printed = b"\n".join(capfdbinary.readouterr()).decode()
    assert (found, text in printed) == (code, True), printed


def test_verify_compares_the_code_of_an_ensemble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that is right, and one whose cut was changed."""
    monkeypatch.chdir(tmp_path)
    save(_ensemble(), "model.json")
    assert main(["emit", "python", "model.json", "-o", "model.py"]) == 0
    assert main(["verify", "model.json", "--against", "model.py"]) == 0
    changed = Path("model.py").read_text(encoding="utf-8").replace(">= 0.0", ">= 0.75")
    Path("model.py").write_text(changed, encoding="utf-8")
    assert main(["verify", "model.json", "--against", "model.py"]) == 1


def test_an_error_names_some_of_many_trees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A line that a terminal holds."""
    monkeypatch.chdir(tmp_path)
    save(evolve(_ensemble(), trees=_ensemble().trees * 50, outputs=()), "model.json")
    assert main(["score", "model.json", "rows.csv"]) == 2
    error = capfdbinary.readouterr().err.decode()
    assert "8: tree 8; …; 100: tree 100)" in error and len(error) < 240
