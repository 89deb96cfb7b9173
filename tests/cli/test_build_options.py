"""The options of `build` that choose a size, and that say which rows judge the tree."""

import random
import re
from math import log
from pathlib import Path

import pytest

from command_line import Completed, run
from paths import LOAN
from selection import few
from treerules import Tree, auto, cart, evaluate, holdout, learn, load, read
from treerules.cli import learning_options


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return 400 visits of 40 patients, one a day; 6 of 10 with x above 0.8 are rare, and no others."""
    drawn = random.Random(3)
    rows = [(drawn.random(), drawn.random(), drawn.random() < 0.6) for _ in range(400)]
    lines = [
        f"{x:.4f},{z:.4f},p{at % 40},{at},{'rare' if x > 0.8 and odd else 'common'}"
        for at, (x, z, odd) in enumerate(rows)
    ]
    path = tmp_path_factory.mktemp("data") / "visits.csv"
    path.write_text("\n".join(["x,z,patient,day,y", *lines]) + "\n", encoding="utf-8")
    return path


def built(path: Path, folder: Path, *options: object, target: str = "y") -> tuple[Completed, Tree]:
    """Return what `build` printed, and the tree that it wrote."""
    done = run("build", path, "--target", target, *options, "-o", folder)
    assert done.returncode == 0, done.stderr
    tree = load(folder / f"{path.stem}.tree.json")
    assert isinstance(tree, Tree)
    return done, tree


@pytest.mark.parametrize(
    ("options", "recipe"),
    few(
        [
            (["--max-rules", 2], auto(max_rules=2)),
            (["--folds", 5], auto(folds=5)),
            (["--unpruned"], cart()),
            (["--reduction-per-rule", 0], auto(reduction_per_rule=0.0)),
            ([], auto()),
        ],
        2,
    ),
)
def test_a_choice_of_size_is_that_of_the_library(
    visits: Path, tmp_path: Path, options: list[object], recipe: object
) -> None:
    """The tree of the command, and its estimate, are those of `learn` with the recipe that the options make."""
    _, tree = built(visits, tmp_path, "--features", "x,z", *options)
    asked = learn(read(visits), target="y", features=["x", "z"], recipe=recipe)  # type: ignore[arg-type]
    assert (tree, tree.recipe, tree.estimate) == (asked, recipe, asked.estimate)


def test_the_greatest_number_of_rules_is_kept_to(visits: Path, tmp_path: Path) -> None:
    """--max-rules bounds the rules; the whole tree, which --unpruned keeps, has more and no wrong training row."""
    _, small = built(visits, tmp_path, "--features", "x,z", "--max-rules", 2)
    _, whole = built(visits, tmp_path, "--features", "x,z", "--unpruned")
    assert small.n_leaves <= 2 < whole.n_leaves
    assert evaluate(whole, read(visits)).accuracy == 1


def test_rows_held_out_are_those_of_the_library(visits: Path, tmp_path: Path) -> None:
    """--holdout with --seed learns from what `holdout` gives, and prints the error on the other rows."""
    for seed in (0, 4):
        training, held_out = holdout(read(visits), target="y", share=0.3, seed=seed)
        done, tree = built(visits, tmp_path, "--features", "x,z", "--holdout", 0.3, "--seed", seed)
        assert tree == learn(training, target="y", features=["x", "z"])
        assert held_out.n_rows == 120
        assert _printed_error(done, "rows held out") == pytest.approx(1 - evaluate(tree, held_out).accuracy, rel=0.02)
        assert "(120 rows)" in done.stdout


def test_the_rows_of_a_file_test_the_tree(visits: Path, tmp_path: Path) -> None:
    """--test prints the error on the rows of a file, and changes nothing of the tree."""
    new = tmp_path / "new.csv"
    new.write_text("x,z,y\n0.95,0.5,rare\n0.1,0.5,rare\n0.2,0.1,common\n0.3,0.7,common\n", encoding="utf-8")
    done, tree = built(visits, tmp_path, "--features", "x,z", "--test", new)
    assert tree == built(visits, tmp_path, "--features", "x,z")[1]
    assert _printed_error(done, "new.csv") == pytest.approx(1 - evaluate(tree, read(new)).accuracy)


def _printed_error(done: Completed, rows: str) -> float:
    found = re.search(rf"^error on {re.escape(rows)}: ([0-9.]+)", done.stdout, re.MULTILINE)
    assert found, done.stdout
    return float(found[1])


@pytest.mark.parametrize(("option", "column"), [("groups", "patient"), ("time", "day")])
def test_groups_and_times_make_the_folds(visits: Path, tmp_path: Path, option: str, column: str) -> None:
    """--groups and --time judge by the folds of `learn` with that column, which is no feature."""
    _, tree = built(visits, tmp_path, f"--{option}", column, "--drop", "day" if option == "groups" else "patient")
    columns = {option: column}
    asked = learn(read(visits), target="y", drop=[{"patient": "day", "day": "patient"}[column]], **columns)  # type: ignore[arg-type]
    assert (tree, tree.estimate) == (asked, asked.estimate)
    assert column not in {feature.name for feature in tree.schema.features}


def test_rules_that_all_answer_the_same_are_announced_with_log_losses_in_nats(tmp_path: Path) -> None:
    """Two regions, with 5 and 35 of 100 bad: both answer good. Without a tree the log loss of 20 % is 0.5004 nats."""
    path = tmp_path / "loans.csv"
    rows = [f"{x},{'bad' if at < (5 if x < 5 else 35) else 'good'}\n" for x in range(10) for at in range(100)]
    path.write_text("x,y\n" + "".join(rows), encoding="utf-8")
    done, tree = built(path, tmp_path / "out")
    assert tree.estimate is not None and tree.estimate.chosen_by == "log loss" and tree.n_leaves == 2
    said = "all 2 rules answer good: only the shares of the classes differ\n"
    assert done.stdout.count(said) == 2  # with the estimate, and in the check
    assert said in run("check", tmp_path / "out" / "loans.tree.json").stdout
    assert said in run("learn", path, "--target", "y").stderr
    assert "(log loss in nats): " in done.stderr
    assert tree.estimate.sizes[0].error == pytest.approx(-0.8 * log(0.8) - 0.2 * log(0.2), abs=0.005)
    assert "只有各类所占的比例不同" in run("build", path, "--target", "y", "--lang", "zh", "-o", tmp_path / "zh").stdout


def test_rows_of_a_rare_class_are_judged_fairly(visits: Path, tmp_path: Path) -> None:
    """Where the largest class has more than 80 %: balanced accuracy, log loss, AUC, and what equal weights would do."""
    done, _ = built(visits, tmp_path, "--features", "x,z")
    lines = done.stdout.splitlines()
    figures = "balanced accuracy [0-9.]+, log loss \\(nats\\) [0-9.]+, AUC [0-9.]+"
    assert any(re.fullmatch(f"on new rows: {figures}", line) for line in lines), done.stdout
    weighted = next(line for line in lines if line.startswith("with --class-weight balanced: error "))
    assert re.search(figures, weighted)
    done, tree = built(visits, tmp_path, "--features", "x,z", "--class-weight", "balanced")
    assert "with --class-weight balanced" not in done.stdout
    assert tree.recipe == auto(class_weight="balanced")
    assert "balanced accuracy" not in built(LOAN, tmp_path, target="类别")[0].stdout  # 9 of 15 rows are of one class


def test_many_rows_without_numba_are_not_learned_twice(
    visits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weighted model beside the model is left out, and a note says so and how to learn it."""
    monkeypatch.setattr(learning_options, "is_installed", lambda: False)
    monkeypatch.setattr(learning_options, "_MANY_ROWS", 10)
    done, _ = built(visits, tmp_path, "--features", "x,z")
    assert "with --class-weight balanced" not in done.stdout
    assert "a tree of balanced classes was not tried" in done.stderr and "[fast]" in done.stderr


def test_a_target_of_few_whole_numbers_is_announced(tmp_path: Path) -> None:
    """Seven whole numbers are classes, which a note says with the way to numbers; --task says it too."""
    path = tmp_path / "grades.csv"
    drawn = random.Random(1)
    rows = [f"{x:.3f},{int(7 * x)}" for x in (drawn.random() for _ in range(200))]
    path.write_text("\n".join(["x,y", *rows]) + "\n", encoding="utf-8")
    done, _ = built(path, tmp_path)
    assert "7 whole numbers" in done.stderr and "--task regression" in done.stderr
    assert "error on new rows: " in done.stdout
    for task in ("classification", "regression"):
        done, _ = built(path, tmp_path, "--task", task)
        assert "7 whole numbers" not in done.stderr
    assert "R2 on new rows: " in done.stdout


@pytest.mark.parametrize(
    "options",
    [
        ["--max-rules", "0"],
        ["--folds", "1"],
        ["--reduction-per-rule", "-1"],
        ["--holdout", "1"],
        ["--seed", "-1"],
        ["--groups", "nothing"],
        ["--time", "nothing"],
        ["--test", "nothing.csv"],
        ["--unpruned", "--max-rules", "3"],
    ],
    ids=" ".join,
)
def test_options_that_mean_nothing_are_refused(visits: Path, tmp_path: Path, options: list[str]) -> None:
    """Exit code 2 or 3, a message that names the option or what was asked, nothing written."""
    done = run("build", visits, "--target", "y", *options, "-o", tmp_path / "out")
    assert done.returncode in (2, 3), done.stderr
    assert any(part in done.stderr for part in options[-2:]), done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["--groups", "--time"])
def test_a_holdout_that_leaves_one_group_says_so(option: str, tmp_path: Path) -> None:
    """The table has three, of 80, 10 and 10 rows: the two small ones are nearest to a share of 0.3."""
    groups = ["a"] * 80 + ["b"] * 10 + ["c"] * 10
    lines = [f"{group},{at},{'pq'[at % 2]}" for at, group in enumerate(groups)]
    path = tmp_path / "groups.csv"
    path.write_text("\n".join(["g,x,y", *lines]) + "\n", encoding="utf-8")
    done = run("learn", path, "--target", "y", "--holdout", "0.3", option, "g")
    assert done.returncode != 0
    assert f"--holdout leaves 1 of 3 {option[2:].rstrip('s')}s of 'g'" in done.stderr
    without = run("learn", path, "--target", "y", "--holdout", "0.3", option, "g", "--algorithm", "cart")
    assert without.returncode == 0, without.stderr
