"""`build` as it comes on whole tables: few rules, an honest error, and code that repeats the model.

The tables are those that scikit-learn carries, and every file of the folder that TREERULES_DATA names.
"""

from collections.abc import Callable, Sequence
from math import exp
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve, frozen

from command_line import run
from rpart import needs_rpart, rpart_held_out
from run_emitted import module
from selection import few
from treerules import Table, Tree, cart, check, compile_rules, learn, load, predict, read, verify
from treerules.data.column import take_rows_of_columns
from treerules.trees import ClassPrediction, Leaf
from whole_tables import ANSWERS, CARRIED, FILES, TARGETS, carried_file

MOST_RULES = 32
#: Of greater tables so many rows are compared with rpart.
MOST_ROWS = 1_500
N_FOLDS = 5

needs_files = pytest.mark.skipif(not FILES, reason="TREERULES_DATA does not name the folder of real data")


def target_of(path: Path, table: Table) -> str:
    """Return the name of the target of a file: the last column, unless another is known."""
    return TARGETS.get(path.stem, table.schema.features[-1].name)


def assert_built(path: Path, folder: Path) -> None:
    """Build a file as it comes, and run what was written on its rows."""
    table = read(path)
    target = target_of(path, table)
    dropped = [part for name in ANSWERS.get(path.stem, ()) for part in ("--drop", name)]
    done = run("build", path, "--target", target, *dropped, "-o", folder)
    assert done.returncode == 0, done.stderr
    tree = load(folder / f"{path.stem}.tree.json")
    assert isinstance(tree, Tree)
    assert 2 <= tree.n_leaves <= MOST_RULES
    assert check(compile_rules(tree))
    assert f" values: {tree.n_leaves} rules, mutually exclusive and complete" in done.stdout
    assert " on new rows: " in done.stdout and "10-fold cross-validation, corrected" in done.stdout
    assert tree.estimate is not None
    assert tree.estimate.error < tree.estimate.baseline_error  # each of these tables can be learned
    emitted = module((folder / f"{path.stem}.py").read_text("utf-8"))
    assert [emitted.predict(row) for row in table.rows()] == predict(tree, table).tolist()
    assert verify(tree, emitted.predict)
    assert verify(tree, folder / f"{path.stem}.sql", data=table)


@pytest.mark.parametrize("name", few(CARRIED, 2))
def test_build_models_what_scikit_learn_carries(name: str, tmp_path: Path) -> None:
    """At most 32 rules, proved; an error below that of no tree; the Python and the SQL answer as the model does."""
    assert_built(carried_file(name, tmp_path), tmp_path / "out")


@pytest.mark.large
@needs_files
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_build_models_every_file(path: Path, tmp_path: Path) -> None:
    """At most 32 rules, proved; an error below that of no tree; the Python and the SQL answer as the model does."""
    assert_built(path, tmp_path / "out")


@frozen
class Compared:
    """The errors of a table, on the same held-out rows, and the mean number of leaves: rpart's, and ours."""

    name: str
    n_rows: int
    errors: tuple[float, float]
    leaves: tuple[float, float]

    @property
    def ratio(self) -> float:
        """Our error as a share of rpart's; half a row is added to both, so that neither is 0."""
        theirs, ours = (error + 0.5 / self.n_rows for error in self.errors)
        return ours / theirs

    def __str__(self) -> str:
        theirs, ours = self.errors
        return (
            f"{self.name}, {self.n_rows} rows: rpart {theirs:.4f} with {self.leaves[0]:.1f} leaves, "
            f"ours {ours:.4f} with {self.leaves[1]:.1f}"
        )


def rows_of(table: Table, rows: object) -> Table:
    """Return some rows of a table."""
    return evolve(table, columns=take_rows_of_columns(table.columns, rows))


def compared(path: Path, seed: int = 17) -> Compared:
    """Learn from four fifths of a table and predict the fifth, five times, by rpart and by ourselves."""
    table = read(path)
    target = target_of(path, table)
    table = evolve(table, columns=tuple(c for c in table.columns if c.feature.name not in ANSWERS.get(path.stem, ())))
    rng = np.random.default_rng(seed)
    table = rows_of(table, np.sort(rng.permutation(table.n_rows)[:MOST_ROWS]))
    table = rows_of(table, np.flatnonzero(~table.column(target).missing))
    truth = np.array([row[target] for row in table.rows()])
    root = learn(table, target=target, recipe=cart(max_depth=0)).root
    is_class = isinstance(root, Leaf) and isinstance(root.prediction, ClassPrediction)
    folds = np.empty(table.n_rows, dtype=np.int64)
    by_class = np.lexsort([rng.random(table.n_rows), truth if is_class else np.zeros(table.n_rows)])
    folds[by_class] = np.arange(table.n_rows) % N_FOLDS + 1
    theirs, their_leaves = rpart_held_out(table, target, folds.tolist(), is_class=is_class)
    ours, our_leaves = held_out(table, target, folds, is_class)
    goal = [truth != answers if is_class else np.square(truth - answers) for answers in map(np.array, (theirs, ours))]
    scale = 1.0 if is_class else float(np.var(truth))
    errors = tuple(float(np.mean(loss)) / scale for loss in goal)
    return Compared(path.stem, table.n_rows, errors, (float(np.mean(their_leaves)), float(np.mean(our_leaves))))


def held_out(table: Table, target: str, folds: np.ndarray, is_class: bool) -> tuple[list[object], list[int]]:
    """Return our prediction of each row by a tree of the other folds, and the leaves of each tree."""
    answers: list[object] = [None] * table.n_rows
    leaves = []
    task = "classification" if is_class else "regression"
    for fold in range(1, N_FOLDS + 1):
        tree = learn(rows_of(table, np.flatnonzero(folds != fold)), target=target, task=task)
        leaves.append(tree.n_leaves)
        places = np.flatnonzero(folds == fold)
        for place, answer in zip(places, predict(tree, rows_of(table, places)), strict=True):
            answers[place] = answer
    return answers, leaves


def assert_no_worse(paths: list[Path], record: Callable[[str, object], None], seeds: Sequence[int] = (17,)) -> None:
    """Record the errors of each table, and assert that ours have at most rpart's geometric mean.

    Of small tables several orders of rows are divided: one row of iris, predicted otherwise, moves its ratio by 12 %.
    """
    found = [compared(path, seed) for path in paths for seed in seeds]
    for one in found:
        record("error", str(one))  # text, which a worker process can hand on
    ratios = np.log([one.ratio for one in found])
    record("error", f"geometric mean over {len(paths)} tables: ours {exp(ratios.mean()):.3f} of rpart's")
    assert ratios.mean() <= 0


@pytest.mark.peer
@needs_rpart
def test_held_out_errors_are_at_most_those_of_rpart(tmp_path: Path, record_property: Callable[..., None]) -> None:
    """On tables of scikit-learn our default errs no more than rpart's, on the same folds: geometric mean."""
    assert_no_worse([carried_file(name, tmp_path) for name in CARRIED], record_property, (17, 1, 2, 3, 4))


@pytest.mark.peer
@pytest.mark.large
@needs_rpart
@needs_files
def test_held_out_errors_of_files_are_at_most_those_of_rpart(record_property: Callable[..., None]) -> None:
    """On the files of TREERULES_DATA our default errs no more than rpart's, on the same folds: geometric mean."""
    assert_no_worse([path for path in FILES if path.stem != "adult_test"], record_property)
