"""What each command says of the file of an ensemble: a result, or an error that says what to do."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from command_line import on_terminal, run
from paths import EXAMPLES
from treerules import Ensemble, Feature, Kind, Schema, Tree, explain, load, render, save
from treerules.cli import main
from treerules.rendering.text_tables import display_width
from treerules.trees import ClassPrediction, Leaf, MeanPrediction, Split, ThresholdTest

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
    ("check model.json --tree 2", 0, "checked: 2 rules"),
    ("check model.json --tree 3", 2, "--tree is 3; expected a number from 1 to 2"),
    ("check two.sql --tree 1", 2, "--tree is 1; expected no number: two.sql is SQL, not an ensemble"),
    ("check one.rules --tree 1", 2, "--tree is 1; expected no number: one.rules is not an ensemble"),
    ("show model.json --top 1", 0, "1 more"),
    ("show model.json --top 1 --tree 1", 2, "--top is 1; expected none"),
    ('explain model.json --row {"age":30}', 0, "ill = no: margin -1 < 0; probability 0.7311"),
    ('explain model.json --row {"age":30} --top 1', 0, "1 more tree adds -0.5"),
    ('explain model.json --row {"age":30} --lang zh', 0, "-1(2 棵树)"),
    ("explain model.json --data rows.csv --id 1", 0, "margin 0.5 >= 0"),
    ('explain model.json --row {"age":30} --tree 2', 0, "rule 1: IF (age <= 50 or missing) THEN margin = -0.5"),
    ('explain model.json --row {"age":30} --tree 3', 2, "--tree is 3; expected a number from 1 to 2"),
    ('explain model.json --row {"age":30} --tree 2 --budget 5', 0, "nearest change"),
    ('explain model.json --row {"age":30} --tree 2 --top 1', 2, "--top is 1; expected none"),
    ('explain model.json --row {"age":30} --case 2', 2, "--case is 2; expected none: it is for rules, and model.json"),
    ('explain model.json --row {"age":30} --budget 5', 2, "--budget is 5; expected none: it is for rules"),
    ('explain model.json --row {"age":30} --dialect duckdb', 2, "--dialect is 'duckdb'; expected none"),
    ('explain model.json --row {"age":30} --schema model.json', 2, "--schema is 'model.json'; expected none"),
    ('explain model.json --row {"age":30} --label yes', 2, "--label is 'yes'; expected none: this ensemble has one"),
    ('explain several.json --row {"age":30} --label medium', 0, "margin of medium"),
    (
        'explain several.json --row {"age":30} --label Small',
        2,
        "--label: no class of 'size' named 'Small'; did you mean",
    ),
    ('explain one.rules --row {"age":30} --label yes', 2, "--label is 'yes'; expected none: it is for the trees"),
    ('explain one.rules --row {"age":30} --tree 1', 2, "--tree is 1; expected no number: one.rules is not an ensemble"),
    ("diff model.json model.json --exit-code", 0, "equal: the same trees and sums"),
    ("diff model.json other.json", 0, "different answers: "),
    ("diff model.json other.json --exit-code", 1, "trees 1 to 2 are equal; 1 tree added"),
    ("diff model.json other.json --data rows.csv", 0, "2 of 3 rows of the data"),
    ("diff model.json other.json --data rows.csv --limit 1", 0, "row 2 of the data"),
    ("diff model.json other.json --rows 7 --format json", 0, '"n": 5,'),
    ("diff model.json other.json --lang zh", 0, "结果不同"),
    ("diff model.json moved.json --exit-code", 0, "the same answers on"),
    ("diff model.json one.json", 0, "different answers"),
    ("diff model.json other.json --case 1", 0, "equal on the whole domain"),
    ("diff model.json other.json --case 3", 2, "--case is 3"),
    ("diff model.json other.json --budget 9", 2, "--budget is 9; expected no budget"),
    ("diff model.json other.json --schema one.json", 2, "--schema is 'one.json'; expected no schema"),
    ("diff one.json one.json --rows 9", 2, "--rows is 9; expected no number"),
    ("diff model.json some.rules", 2, ONE_PART),
    ("diff model.json other.json --data bad.csv", 3, "age"),
    ("diff model.json damaged.json", 4, "damaged.json"),
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


def _several() -> Ensemble:
    size = Feature("size", Kind.CATEGORY, ("large", "medium", "small"))
    two = _ensemble()
    return Ensemble(Schema(two.schema.features, size), two.trees, [0.0] * 3, [0, 1], link="softmax")


def _ensemble() -> Ensemble:
    features, margin = [Feature("age", Kind.NUMBER)], Feature("margin", Kind.NUMBER)
    leaves = [Leaf(MeanPrediction(value), (1,)) for value in (-0.5, 0.25)]
    trees = [Tree(Schema(features, margin), Split(ThresholdTest(0, cut), leaves)) for cut in (40.0, 50.0)]
    ill = Feature("ill", Kind.CATEGORY, ("no", "yes"))
    return Ensemble(Schema(features, ill), trees, link="sigmoid", cut=0.0)


def _write_files() -> None:
    """Write an ensemble, others that answer otherwise and alike, a tree, a damaged file, rules and tables."""
    ensemble = _ensemble()
    save(ensemble, "model.json")
    more = Tree(ensemble.trees[0].schema, Split(ThresholdTest(0, 65.0), [Leaf(MeanPrediction(-0.7), (1,))] * 2))
    save(evolve(ensemble, trees=[*ensemble.trees, more], outputs=()), "other.json")
    save(evolve(ensemble, base=[0.125]), "moved.json")
    answers = [
        Leaf(ClassPrediction(label, shares), (1, 1)) for label, shares in (("no", [1.0, 0.0]), ("yes", [0.0, 1.0]))
    ]
    save(Tree(ensemble.schema, Split(ThresholdTest(0, 65.0), answers)), "one.json")
    Path("damaged.json").write_bytes(Path("model.json").read_bytes()[:-40])
    Path("some.rules").write_text("IF age < 3 THEN no\nOTHERWISE yes\n", encoding="utf-8")
    Path("rows.csv").write_text(ROWS, encoding="utf-8")
    Path("bad.csv").write_text("years\n3\n", encoding="utf-8")


@pytest.mark.parametrize(("line", "code", "text"), COMMANDS, ids=[line for line, *_ in COMMANDS])
def test_each_command_takes_an_ensemble_or_says_what_to_do(
    line: str,
    code: int,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    """The table of commands in docs/en/guides/ensembles.md."""
    monkeypatch.chdir(tmp_path)
    _write_files()
    save(_several(), "several.json")
    Path("one.rules").write_text("IF age <= 30 THEN no IF age > 30 OR age IS missing THEN yes", encoding="utf-8")
    Path("two.sql").write_text("SELECT CASE WHEN age > 30 THEN 1 ELSE 0 END", encoding="utf-8")
    found = main(line.split())
    printed = b"\n".join(capfdbinary.readouterr()).decode()
    assert (found, text in printed) == (code, True), printed


EXAMPLE = "import kyphosis.json --target Kyphosis --labels absent,present -o sick.ensemble.json"
ONE_TREE_OF_THE_EXAMPLE = (
    ("rules sick.ensemble.json --tree {n}", "Kyphosis_margin = "),
    ("check sick.ensemble.json --tree {n}", "mutually exclusive and complete"),
    ("show sick.ensemble.json --tree {n}", "(rule 1)"),
    ('explain sick.ensemble.json --tree {n} --row {{"Age":71,"Number":3,"Start":5}}', "nearest change"),
)


def test_each_tree_of_the_example_is_a_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """rules, check, show and explain of a tree of an imported XGBoost model say the same as of a file of that tree."""
    monkeypatch.chdir(tmp_path)
    Path("kyphosis.json").write_bytes((EXAMPLES / "kyphosis.xgboost.json").read_bytes())
    assert main(EXAMPLE.split()) == 0
    sick = load("sick.ensemble.json")
    assert len(sick.trees) == 10
    for number, tree in enumerate(sick.trees, 1):
        save(tree, "one.tree.json")
        for line, text in ONE_TREE_OF_THE_EXAMPLE:
            words = line.format(n=number).split()
            alone = ["one.tree.json" if word == "sick.ensemble.json" else word for word in words]
            alone = [word for word in alone if word not in ("--tree", str(number))]
            capfdbinary.readouterr()
            assert main(words) == 0
            printed = capfdbinary.readouterr().out.decode()
            assert text in printed
            assert main(alone) == 0
            assert capfdbinary.readouterr().out.decode() == printed


def test_explain_prints_the_json_of_the_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Of a file, and of stdin."""
    monkeypatch.chdir(tmp_path)
    save(_ensemble(), "model.json")
    expected = render(explain(_ensemble(), {"age": 45}), format="json")
    assert main(["explain", "model.json", "--row", '{"age": 45}', "--format", "json"]) == 0
    assert capfdbinary.readouterr().out.decode() == expected
    found = run("explain", "-", "--row", '{"age": 45}', "--format", "json", stdin=Path("model.json").read_text("utf-8"))
    assert (found.returncode, found.stdout) == (0, expected)


@pytest.mark.parametrize("columns", [80, 50])
def test_explain_fits_a_terminal(columns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Conditions are folded at the width of the terminal."""
    monkeypatch.chdir(tmp_path)
    save(_ensemble(), "model.json")
    code, text = on_terminal("explain", "model.json", "--row", '{"age": 45}', columns=columns)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()
    assert code == 0 and "margin -0.25 < 0" in text
    assert max(map(display_width, lines)) <= columns


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


def test_an_ensemble_is_compared_with_its_version_in_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """By --base with one file, on rows; of several files an error names the ensemble. stdin is read once."""
    monkeypatch.chdir(tmp_path)
    _write_files()
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "first")):
        subprocess.run(["git", *words], check=True, capture_output=True)
    assert main(["diff", "--base", "HEAD", "model.json", "--exit-code"]) == 0
    Path("model.json").write_bytes(Path("other.json").read_bytes())
    assert main(["diff", "--base", "HEAD", "model.json", "--exit-code"]) == 1
    assert main(["diff", "--base", "HEAD", "model.json", "one.json"]) == 2
    printed, error = capfdbinary.readouterr()
    assert printed.decode().startswith("equal: ") and "1 tree added" in printed.decode()
    assert "one file where that is an ensemble, as model.json is" in error.decode()


def test_an_ensemble_of_stdin_is_compared(tmp_path: Path) -> None:
    """The content is read once, by whichever command line."""
    save(_ensemble(), tmp_path / "model.json")
    command = [sys.executable, "-m", "treerules", "diff", "-", "model.json"]
    done = subprocess.run(
        command, cwd=tmp_path, input=(tmp_path / "model.json").read_bytes(), capture_output=True, check=True
    )
    assert done.stdout.decode().startswith("equal: the same trees and sums")
