"""What `emit` writes, `check` and `diff` accept: each form of the rules of a model, each dialect and each layout."""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from command_line import Completed, run
from paths import EXAMPLES
from selection import few
from strategies_random import a_schema, a_tree
from treerules import Table, Tree, cart, learn, read, save
from treerules.sql.dialects import DIALECTS
from whole_tables import ANSWERS, FILES, TARGETS

#: The words after `emit` of each form in which people edit rules, by the ending of its file.
EDITED = {"rules": ["text"], "csv": ["table"], "md": ["table", "--format", "md"], "dmn": ["dmn"]}
#: The kinds of SQL that hold a CASE, and the options that add columns to a query.
STATEMENTS = (
    ["--kind", "select", "--rule", "--reason"], ["--kind", "select", "--proba"], ["--kind", "view", "--name", "v"],
    ["--kind", "table", "--name", "v"], ["--comments"], ["--otherwise", "none of them"],
)  # fmt: skip


def forms(folder: Path, model: Path, dialects: tuple[str, ...]) -> Iterator[tuple[Path, list[str]]]:
    """Write each form of a model and yield the file, and the options with which `check` reads it."""
    for ending, words in EDITED.items():
        file = folder / f"model.{ending}"
        if _is_written(run("emit", *words, model, "-o", file)):
            yield file, []
    for dialect in dialects:
        for layout in ("flat", "guarded"):
            file = folder / f"{dialect}.{layout}.sql"
            if _is_written(run("emit", "sql", model, "--dialect", dialect, "--layout", layout, "-o", file)):
                yield file, ["--dialect", dialect]


def _is_written(done: Completed) -> bool:
    """Return whether a form was written; one that cannot hold the model is refused by name."""
    assert done.returncode in (0, 3), done.stderr
    assert done.returncode == 0 or "cannot" in done.stderr, done.stderr
    return done.returncode == 0


def assert_accepted(tree: Tree, folder: Path, dialects: tuple[str, ...]) -> int:
    """Check and compare each form of a model; return their number."""
    folder.mkdir(exist_ok=True)
    model, n = folder / "model.tree.json", 0
    save(tree, model)
    for file, options in forms(folder, model, dialects):
        n += 1
        assert_checked(file, options, model)
        for pair in ((model, file), (file, model)):
            done = run("diff", *pair, *options, "--exit-code")
            assert done.returncode == 0 and "equal on the whole domain" in done.stdout, (pair, done.stdout, done.stderr)
    return n


def assert_checked(file: Path, options: list[str], model: Path) -> None:
    """Check a file by itself and with the model's schema: it is read whole, and with the schema it is complete.

    A guarded CASE asks along the paths of the tree, and of a drawn tree some leaf may be out of reach.
    """
    alone = run("check", file, *options, "--format", "csv")
    unread = [line for line in alone.stdout.splitlines() if "TR301" in line]
    if "sqlite" in options:  # it compares moments as text; of a lone one it cannot be seen whether it is a day
        unread = [line for line in unread if "declare the kind" not in line]
    assert alone.returncode in (0, 1) and not unread, (file, alone.stdout, alone.stderr)
    if not options:  # not SQL, in which 1 may be a number or a truth value
        assert alone.returncode == 0, (file, alone.stdout)
    whole = run("check", file, *options, "--schema", model, "--strict", "--format", "csv")
    is_guarded = file.match("*.guarded.sql")
    is_proved = whole.returncode == 0 or (is_guarded and not re.search(r",TR10[1-3],|,TR30[13],", whole.stdout))
    assert is_proved, (file, whole.stdout, whole.stderr)


def a_table() -> Table:
    """Return a table with columns of each kind, missing cells, and three classes, one of them rare."""
    random = Random(5)
    rows = []
    for number in range(120):
        row: dict[str, Any] = {
            "size": random.choice((0.5, 1.25, 3.0, 17.4, None)),
            "count": random.randint(-2, 6),
            "paid": random.random() < 0.5,
            "city": random.choice(("北京", "it's", "New York", "", None)),
            "day": date(2024, 2, 27) + timedelta(days=random.randint(0, 4)),
            "seen": datetime(2024, 2, 29, random.randint(0, 23)),
            "code": random.randint(0, 3),
        }
        score = row["count"] + 2 * row["paid"] + (row["city"] == "北京") + (row["day"].day == 29)
        row["answer"] = "rare" if number == 7 else "yes" if score > 3 or row["seen"].hour == 5 else "no"
        rows.append(row)
    return Table.from_rows(rows, types={"code": "category"})


@pytest.mark.parametrize("dialect", few(DIALECTS, 2))
def test_each_form_of_a_model_of_all_kinds_is_accepted(dialect: str, tmp_path: Path) -> None:
    """Read whole, exclusive and complete, and equal to the model in both directions."""
    tree = learn(a_table(), target="answer", recipe=cart(max_leaves=12))
    assert tree.n_leaves == 12
    assert assert_accepted(tree, tmp_path, (dialect,)) > len(EDITED)


@pytest.mark.parametrize("target", few(["answer", "size", "count", "code", "paid"], 2))
def test_each_form_of_a_pruned_model_is_accepted(target: str, tmp_path: Path) -> None:
    """A tree of two leaves predicts fewer than all classes, and its forms name no others; numbers, integers, truths."""
    # of integers a regression, whose means are no integers
    tree = learn(a_table(), target=target, recipe=cart(max_leaves=2), drop_missing_target=True)
    assert tree.n_leaves == 2
    assert assert_accepted(tree, tmp_path, ("duckdb", "sqlite")) == 8


@pytest.mark.parametrize("words", few(STATEMENTS, 2), ids=" ".join)
def test_statements_around_the_case_are_accepted(words: list[str], tmp_path: Path) -> None:
    """Queries with other columns, views, tables: the first CASE is the prediction."""
    tree = learn(a_table(), target="answer", recipe=cart(max_leaves=6))
    model, file = tmp_path / "m.tree.json", tmp_path / "m.sql"
    save(tree, model)
    for dialect in ("duckdb", "sqlite", "postgres"):
        assert run("emit", "sql", model, "--dialect", dialect, *words, "-o", file).returncode == 0
        done = run("diff", model, file, "--dialect", dialect, "--case", 1, "--exit-code")
        assert done.returncode == 0, (file.read_text("utf-8"), done.stdout, done.stderr)


@pytest.mark.parametrize("seed", few(range(6), 1))
def test_each_form_of_a_drawn_tree_is_accepted(seed: int, tmp_path: Path) -> None:
    """Of any columns, names, thresholds and classes; what a form cannot hold is refused when it is written."""
    random = Random(seed)
    tree = a_tree(random, a_schema(random, random.randint(1, 4)), random.randint(2, 8))
    assert tree.n_leaves > 1
    # Oracle takes '' for NULL, so that its SQL has another answer for that category
    dialects = random.sample([name for name in DIALECTS if name != "oracle"], 4)
    assert assert_accepted(tree, tmp_path, ("duckdb", "sqlite", *dialects)) > 2


OWN = {"loan": "类别", "kyphosis": "Kyphosis", "weather": "play"}


@pytest.mark.parametrize("name", few(OWN, 1))
def test_each_form_of_a_model_of_an_example_is_accepted(name: str, tmp_path: Path) -> None:
    """Of the tables of the documents."""
    tree = learn(read(EXAMPLES / f"{name}.csv"), target=OWN[name], recipe=cart())
    assert assert_accepted(tree, tmp_path, ("duckdb", "sqlite", "bigquery", "tsql", "oracle")) > 10


@pytest.mark.large
@pytest.mark.skipif(not FILES, reason="TREERULES_DATA does not name the folder of real data")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_form_of_a_model_of_real_data_is_accepted(path: Path, tmp_path: Path) -> None:
    """Of every file of the folder that TREERULES_DATA names: a default tree, and one of every class."""
    table = read(path)
    target = TARGETS.get(path.stem, table.schema.features[-1].name)
    for turn, recipe in enumerate((cart(max_leaves=40), cart(max_leaves=2))):
        tree = learn(table, target=target, recipe=recipe, drop=ANSWERS.get(path.stem, ()), drop_missing_target=True)
        assert assert_accepted(tree, tmp_path / str(turn), ("duckdb", "sqlite", "postgres", "snowflake")) > 8
