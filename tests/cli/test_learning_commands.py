"""The commands that choose: every choice of learning, pruning, cross-validation, learning again."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from sklearn.datasets import load_iris

from command_line import printed, run
from paths import LOAN
from selection import few
from terminal import TERMINALS, Terminal
from treerules import (
    Table,
    c45,
    cart,
    check,
    compile_rules,
    cross_validate,
    errors,
    id3,
    learn,
    load,
    load_recipe,
    read,
)
from treerules.learning.size_note import figure_with_error
from treerules.recipes.recipe import Recipe


@pytest.fixture(scope="module")
def iris(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return iris as a CSV file with missing cells, case weights and folds."""
    data = load_iris()
    path = tmp_path_factory.mktemp("data") / "iris.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["a", "b", "c", "d", "w", "fold", "种类"])
        for at, (cells, kind) in enumerate(zip(data.data.tolist(), data.target.tolist(), strict=True)):
            cells[at % 4] = "" if at % 7 == 0 else cells[at % 4]
            rows.writerow([*cells, 1 + at % 3, f"f{at % 5}", ("山", "变色", "弗吉尼亚")[kind]])
    return path


#: Options, and the recipe that they make.
CHOICES: tuple[tuple[list[str], Recipe], ...] = (
    (["--algorithm", "cart"], cart()),
    (["--missing-values", "branch"], cart(missing="branch")),
    (["--missing-values", "fraction", "--criterion", "entropy"], cart(missing="fraction", criterion="entropy")),
    (["--algorithm", "c45"], c45()),
    (["--algorithm", "c45", "--quinlan"], c45(quinlan=True)),
    (["--algorithm", "c45", "--quinlan", "--unpruned"], c45(quinlan=True, unpruned=True)),
    (["--algorithm", "c45", "--quinlan", "--confidence", "0.1"], c45(quinlan=True, confidence=0.1)),
    (["--algorithm", "c45", "--categories", "grouped"], c45(categories="grouped")),
    (["--class-weight", "balanced"], cart(class_weight="balanced")),
    (["--class-weight", "山=2", "--class-weight", "变色=0.5"], cart(class_weight={"山": 2.0, "变色": 0.5})),
    (
        ["--prior", "山=0.2", "--prior", "变色=0.3", "--prior", "弗吉尼亚=0.5"],
        cart(priors={"山": 0.2, "变色": 0.3, "弗吉尼亚": 0.5}),
    ),
    (["--cost", "变色,弗吉尼亚=7"], cart(costs={("变色", "弗吉尼亚"): 7.0})),
    (["--feature-cost", "d=10", "--prefer", "b"], cart(feature_cost={"d": 10.0}, prefer=["b"])),
    (["--min-leaf", "2.5", "--min-split", "8"], cart(min_samples_leaf=2.5, min_samples_split=8.0)),
)


@pytest.mark.parametrize(("options", "recipe"), few(CHOICES, 5))
def test_learn_takes_every_choice(iris: Path, tmp_path: Path, options: list[str], recipe: Recipe) -> None:
    """The model of the command is that of the library with the same choices, and its rules are proved."""
    model = tmp_path / "m.json"
    algorithm = [] if "--algorithm" in options else ["--algorithm", "cart"]
    printed("learn", iris, "--target", "种类", "--weight", "w", "--drop", "fold", *algorithm, *options, "-o", model)
    tree = load(model)
    assert tree.recipe == recipe
    assert tree == learn(read(iris), target="种类", recipe=recipe, weight="w", drop=["fold"])
    assert tree.origin is not None
    assert tree.origin.weight == "w"
    assert check(compile_rules(tree))
    again = tmp_path / "again.json"
    printed("relearn", model, iris, "-o", again)
    assert again.read_bytes() == model.read_bytes()


def test_monotone_choices(tmp_path: Path) -> None:
    """--monotone takes +1, -1, + and -."""
    path = tmp_path / "m.csv"
    path.write_text("x,z,y\n" + "".join(f"{at},{at % 3},{(at * 7) % 11 / 2}\n" for at in range(40)), encoding="utf-8")
    printed(
        "learn",
        path,
        "--target",
        "y",
        "--features",
        "x,z",
        "--algorithm",
        "cart",
        "--monotone",
        "x=+",
        "--monotone",
        "z=-1",
        "-o",
        tmp_path / "m",
    )
    assert load(tmp_path / "m").recipe == cart(monotone={"x": 1, "z": -1})


def test_a_recipe_can_be_kept_in_a_file(tmp_path: Path) -> None:
    """A TOML file holds the choices of an algorithm; options on the command line outdo it."""
    path = tmp_path / "credit.toml"
    path.write_text(
        'algorithm = "cart"\nmax_depth = 2\nclass_weight = {"是" = 2}\nprefer = ["年龄"]\n'
        'costs = [{true = "否", predicted = "是", cost = 3}]\n',
        encoding="utf-8",
    )
    choices: dict[str, Any] = {"class_weight": {"是": 2}, "prefer": ["年龄"], "costs": {("否", "是"): 3}}
    assert load_recipe(path) == cart(max_depth=2, **choices)
    model = tmp_path / "m.json"
    printed("learn", LOAN, "--target", "类别", "--recipe", path, "-o", model)
    assert load(model).recipe == cart(max_depth=2, **choices)
    printed("learn", LOAN, "--target", "类别", "--recipe", path, "--max-depth", 1, "-o", model)
    assert load(model).recipe == cart(max_depth=1, **choices)
    path.write_text('algorithm = "id3"\nmin_gain = 0.1\n', encoding="utf-8")
    printed("learn", LOAN, "--target", "类别", "--recipe", path, "-o", model)
    assert load(model).recipe == id3(min_gain=0.1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("algorithm = 'cart'\nmax_dept = 3", "max_dept"),
        ("algorithm = 'cat'", "did you mean 'cart'"),
        ("max_depth = 'x'", "max_depth"),
        ("max_depth = ", "a TOML file"),
        ("costs = [1]", "costs"),
        ("class_weight = 3", "class_weight"),
        ("prefer = 3", "prefer"),
        ("monotone = {x = 2}", "monotone"),
    ],
)
def test_a_bad_recipe_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    """With what was asked and what can be asked; never with a traceback."""
    path = tmp_path / "r.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(errors.TreeRulesError, match=said):
        load_recipe(path)
    found = run("learn", LOAN, "--target", "类别", "--recipe", path)
    assert found.returncode == 2
    assert said in found.stderr


@pytest.mark.parametrize(
    "options",
    [
        ["--class-weight", "是"],
        ["--class-weight", "是=x"],
        ["--class-weight", "好=2"],
        ["--cost", "是=2"],
        ["--prior", "是=1"],
        ["--monotone", "年龄=+1"],
        ["--weight", "年龄"],
        ["--weight", "nothing"],
        ["--confidence", "0.3"],
        ["--algorithm", "c45", "--quinlan", "--unpruned", "--confidence", "0.3"],
        ["--validation", "nothing.csv"],
    ],
    ids=" ".join,
)
def test_choices_that_mean_nothing_are_refused(options: list[str]) -> None:
    """Exit code 2 or 3, one line that says what to do, no model."""
    found = run("learn", LOAN, "--target", "类别", *options)
    assert found.returncode in (2, 3), found.stderr
    assert found.stdout == ""
    assert "Traceback" not in found.stderr
    assert "fault" not in found.stderr


def test_validation_is_taken_from_a_file(tmp_path: Path) -> None:
    """Rows on which no split helps make a leaf of the root; the same file makes the same model again."""
    judges = tmp_path / "judges.csv"
    with LOAN.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with judges.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "类别": "是"} for row in rows)
    model = tmp_path / "m.json"
    printed("learn", LOAN, "--target", "类别", "--algorithm", "cart", "--validation", judges, "-o", model)
    assert load(model).n_leaves == 1
    found = run("relearn", model, LOAN)
    assert found.returncode == 3
    assert "validation" in found.stderr
    assert printed("relearn", model, LOAN, "--validation", judges) == model.read_text(encoding="utf-8")


# ---- pruning


@pytest.fixture(scope="module")
def model(iris: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the whole tree of iris."""
    path = tmp_path_factory.mktemp("model") / "iris.tree.json"
    printed("learn", iris, "--target", "种类", "--weight", "w", "--drop", "fold", "--algorithm", "cart", "-o", path)
    return path


def test_prune_chooses_by_cross_validation(iris: Path, model: Path, tmp_path: Path) -> None:
    """The table on stdout marks both choices; the tree written is the one of the rule."""
    tree, table = load(model), read(iris)
    found = cross_validate(table, tree=tree, folds="fold")
    for rule in ("min", "1se"):
        out = tmp_path / f"{rule}.json"
        text = printed("prune", model, "--data", iris, "--cv", "fold", "--rule", rule, "-o", out)
        assert load(out) == found.chosen(rule)
        marked = [line for line in text.splitlines() if line.endswith(("min", "1se"))]
        assert sum(" min" in line for line in marked) == sum(line.endswith("1se") for line in marked) == 1
    shown = json.loads(printed("prune", model, "--data", iris, "--cv", "fold", "--table", "--format", "json"))
    assert [row["xerror"] for row in shown["rows"]] == [row.xerror for row in found.rows]
    assert shown["format"] == "treerules.cp_table"
    direct = cross_validate(table, target="种类", weight="w", folds="fold")
    assert direct.rows == found.rows


def test_prune_prints_the_model_alone_when_piped(iris: Path, model: Path) -> None:
    """Without -o the chosen model is on stdout, and the table on stderr."""
    found = run("prune", model, "--data", iris, "--cv", "4", "--seed", "3")
    assert json.loads(found.stdout)["format"] == "treerules.tree"
    assert "xerror" in found.stderr


def test_prune_refuses_what_does_not_go_together(model: Path, iris: Path) -> None:
    """Usage errors say which option needs or forbids which."""
    for options, said in (
        (["--cv", "3"], "--data"),
        (["--table"], "--cv"),
        (["--cv", "3", "--data", iris, "--alpha", "1"], "alpha"),
        (["--snip", "0", "--alpha", "1"], "--snip"),
        (["--method", "penalised"], "alpha"),
        (["--method", "penalised", "--alpha", "1", "--m", "2"], "--m is not"),
        (["--alpha", "-1"], "alpha"),
        (["--cv", "1", "--data", iris], "--cv is 1"),
        (["--cv", "nothing", "--data", iris], "nothing"),
        (["--snip", "999"], "--snip"),
    ):
        found = run("prune", model, *options)
        assert found.returncode == 2, found.stderr
        assert said in found.stderr
        assert found.stdout == ""


def test_other_data_are_refused(model: Path, iris: Path, tmp_path: Path) -> None:
    """Cross-validation and learning again need the training rows; --anew learns from others."""
    other = tmp_path / "other.csv"
    other.write_text("\n".join(iris.read_text(encoding="utf-8").splitlines()[:100]) + "\n", encoding="utf-8")
    for command in (["relearn", model, other], ["prune", model, "--data", other, "--cv", "3"]):
        found = run(*command)
        assert found.returncode == 3
        assert "the data differ" in found.stderr
        assert found.stdout == ""
    out = tmp_path / "anew.json"
    printed("relearn", model, other, "--anew", "-o", out)
    tree = load(out)
    assert tree.recipe == load(model).recipe
    assert tree.origin is not None
    assert tree.origin.n_rows == 99


def test_a_model_that_is_learned_anew_is_compared_with_the_old_one(tmp_path: Path) -> None:
    """y is a up to 30, in the new rows up to 20: the old model errs in 10 of each 60, where the answers differ."""
    paths = [tmp_path / "january.csv", tmp_path / "february.csv"]
    for path, cut in zip(paths, (30, 20), strict=True):
        rows = [f"{x},{'a' if x <= cut else 'b'}\n" for x in range(1, 61)] * 2
        path.write_text("x,y\n" + "".join(rows), encoding="utf-8")
    model = tmp_path / "m.json"
    printed("learn", paths[0], "--target", "y", "-o", model)
    done = run("relearn", model, paths[1], "--anew", "-o", tmp_path / "anew.json")
    assert done.returncode == 0
    assert "learned 2 leaves, depth 1; the old model has 2 leaves, depth 1\n" in done.stderr
    estimate = load(tmp_path / "anew.json").estimate
    assert estimate is not None
    assert f"error on new rows: {figure_with_error(estimate.error, estimate.standard_error)} " in done.stderr
    assert "error on these rows by the old model: 0.167 ± 0.034 (120 rows)\n" in done.stderr
    assert "the two models answer 20 of 120 rows differently\n" in done.stderr
    same = run("relearn", model, paths[0], "--anew", "-o", tmp_path / "same.json")
    assert "error on these rows, its training rows, by the old model: 0 ± 0 (120 rows)" in same.stderr


@TERMINALS
def test_the_cp_table_fits_a_terminal(terminal: Terminal, model: Path, iris: Path) -> None:
    """80 columns, Chinese headings, both choices marked."""
    code, text = terminal("prune", model, "--data", iris, "--cv", "5", "--table", "--lang", "zh")
    assert code == 0
    assert "相对误差" in text
    shown = re.sub(r"\x1b\[[0-9;]*m", "", text)
    table = shown[shown.index("根结点风险") :].splitlines()[:10]  # messages are folded by the terminal
    assert max(cell_len(line) for line in table) <= 80
    assert "1se" in text


def test_a_pruned_tree_of_a_table_without_origin_says_so() -> None:
    """A tree that was built by hand, or comes from an old file, cannot be learned again."""
    tree = load_tree_without_origin()
    with pytest.raises(errors.DataError, match="lacks its recipe or its origin"):
        from treerules import relearn

        relearn(tree, Table.from_columns({"x": [1, 2], "y": ["a", "b"]}))


def load_tree_without_origin() -> Any:
    """Return a learned tree that forgot where it came from."""
    from attrs import evolve

    return evolve(
        learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", features=["x"], recipe=cart()),
        origin=None,
    )


def test_a_single_class_is_no_rare_class(tmp_path: Path) -> None:
    """Where all rows are of one class, nothing is said of balanced accuracy or of balanced class weights."""
    data = tmp_path / "rows.csv"
    data.write_text("x,y\n" + "".join(f"{row},a\n" for row in range(30)), encoding="utf-8")
    text = printed("build", data, "--target", "y", "-o", tmp_path / "out")
    assert "error on new rows: 0.000 ± 0." in text and "balanced" not in text


def test_learn_says_in_chinese_how_well_a_tree_predicts(tmp_path: Path) -> None:
    """The size and the errors, as `build` prints them."""
    learned = run("learn", LOAN, "--target", "类别", "--lang", "zh", "-o", tmp_path / "m.tree.json")
    built = run("build", LOAN, "--target", "类别", "--lang", "zh", "-o", tmp_path)
    errors = [line for line in built.stdout.splitlines() if "误差" in line]
    assert len(errors) == 2 and all(line in learned.stderr.splitlines() for line in errors)
    assert "学得 3 个叶结点,深度 2" in learned.stderr
