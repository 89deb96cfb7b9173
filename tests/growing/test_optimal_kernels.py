"""The kernels of the search for optimal trees: equal to the reference in numpy, and to other libraries."""

import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine

from treerules import Table, learn, optimal
from treerules.growing.optimal.found_tree import with_stumps
from treerules.growing.optimal.search import Search
from treerules.growing.optimal.search_rows import SearchTask, classification_task, regression_task
from treerules.proof import certify, prove_optimal

pytestmark = [pytest.mark.compiled, pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")]


@st.composite
def searches(draw: st.DrawFn, *, is_regression: bool = False, most_ranks: int = 7) -> SearchTask:
    """Draw a search: columns that tie, weights, costs small or beyond int32, penalties, least weights."""
    n = draw(st.integers(2, 26))
    lines = draw(st.lists(st.lists(st.integers(0, most_ranks), min_size=n, max_size=n), min_size=1, max_size=4))
    ranks = np.array([np.unique(line, return_inverse=True)[1] for line in lines], dtype=np.int32)
    weights = np.array(draw(st.lists(st.integers(1, 4), min_size=n, max_size=n)), dtype=np.float64)
    least = 0.0 if most_ranks == 1 else float(draw(st.sampled_from([0, 0, 2, 5])))
    penalty = draw(st.integers(0, 5))
    if is_regression:
        target = np.array(draw(st.lists(st.integers(-9, 9), min_size=n, max_size=n)), dtype=np.float64)
        return regression_task(ranks, target, weights, weights, penalty=float(penalty), least_weight=least)
    n_labels = draw(st.integers(2, 4))
    target = np.array(draw(st.lists(st.integers(0, n_labels - 1), min_size=n, max_size=n)))
    matrix = np.array(draw(st.lists(st.integers(0, 6), min_size=n_labels**2, max_size=n_labels**2)))
    matrix = matrix.reshape(n_labels, n_labels) * (1 - np.eye(n_labels, dtype=np.int64))
    scale = draw(st.sampled_from([1, 1, 1 << 33]))
    costs = (matrix[target] * weights[:, None]).astype(np.int64) * scale
    return classification_task(ranks, costs, weights, penalty=penalty * scale, least_weight=least, unit=1.0)


@given(task=searches(), depth=st.integers(1, 4))
def test_costs_are_those_of_the_reference(task: SearchTask, depth: int) -> None:
    """Costs in int32 and int64, two to four labels, any cost matrix, with and without a least weight."""
    compiled, reference = (Search(task, compiled=choice).run(depth) for choice in (True, False))
    assert (compiled.cost, compiled.lower) == (reference.cost, reference.lower)
    assert compiled.cost == compiled.lower


@given(task=searches(is_regression=True), depth=st.integers(1, 3))
def test_squared_errors_are_those_of_the_reference(task: SearchTask, depth: int) -> None:
    """Apart from a few units, of which the squared error of the mean has 2**36."""
    compiled, reference = (Search(task, compiled=choice).run(depth) for choice in (True, False))
    assert abs(compiled.cost - reference.cost) < 100


@given(task=searches(most_ranks=1), depth=st.integers(2, 5))
def test_costs_of_bits_are_those_of_the_reference(task: SearchTask, depth: int) -> None:
    """Columns of two values are searched as bits; sets of rows that are equal are searched once."""
    compiled, reference = (Search(task, compiled=choice).run(depth) for choice in (True, False))
    assert (compiled.cost, compiled.lower) == (reference.cost, reference.lower)


@given(task=searches(), depth=st.integers(3, 4))
def test_marks_do_not_change_the_result(task: SearchTask, depth: int) -> None:
    """A search that keeps its cuts for a certificate is the same search."""
    with_marks = Search(task, compiled=True, keeps_marks=True).run(depth)
    assert with_marks.cost == Search(task, compiled=True).run(depth).cost


def table_of(load: Any) -> Table:
    """Return a table of scikit-learn, the target last."""
    bunch = load()
    columns = {f"x{number}": line.tolist() for number, line in enumerate(bunch.data.T)}
    return Table.from_columns({**columns, "y": bunch.target.tolist()})


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("penalty", [0, 2])
def test_certificates_of_published_tables_are_checked(load: Any, penalty: int) -> None:
    """The kernels' search is proved by the checker, which uses none of them."""
    table = table_of(load)
    tree = learn(table, target="y", recipe=optimal(max_depth=2, leaf_penalty=penalty), task="classification")
    assert certify(prove_optimal(tree, table), table, tree=tree).is_optimal
    deep = learn(table, target="y", recipe=optimal(leaf_penalty=penalty, time_limit=None), task="classification")
    assert certify(prove_optimal(deep, table), table, tree=deep).is_optimal


def test_the_errors_of_contree_are_the_same() -> None:
    """All thresholds, depth 2 and 3 (Brița et al. 2025)."""
    contree = pytest.importorskip("pycontree", reason="the extra [bench] is not installed")
    for load in (load_iris, load_wine, load_breast_cancer):
        bunch, table = load(), table_of(load)
        for depth in (2, 3):
            peer = contree.ConTree(max_depth=depth, time_limit=300)
            peer.fit(bunch.data, bunch.target)
            errors = int((peer.predict(bunch.data) != bunch.target).sum())
            recipe = optimal(max_depth=depth, leaf_penalty=0, time_limit=None)
            assert learn(table, target="y", recipe=recipe, task="classification").bounds.cost == errors


def test_the_errors_of_streed_are_the_same() -> None:
    """Columns of two values, depth 2 to 4 (van der Linden et al. 2023)."""
    streed = pytest.importorskip("pystreed", reason="the extra [bench] is not installed")
    bunch = load_breast_cancer()
    thresholds = np.quantile(bunch.data, [0.25, 0.5, 0.75], axis=0)
    bits = np.concatenate([bunch.data <= line for line in thresholds], axis=1).astype(int)
    columns: dict[str, Any] = {f"x{number}": (line == 1).tolist() for number, line in enumerate(bits.T)}
    table = Table.from_columns({**columns, "y": bunch.target.tolist()})
    for depth in (2, 3, 4):
        peer = streed.STreeDClassifier(max_depth=depth, time_limit=300)
        peer.fit(bits, bunch.target)
        errors = int((peer.predict(bits) != bunch.target).sum())
        recipe = optimal(max_depth=depth, leaf_penalty=0, time_limit=None)
        assert learn(table, target="y", recipe=recipe).bounds.cost == errors


def test_no_greedy_regression_has_a_smaller_error() -> None:
    """scikit-learn's tree of the same depth, on its diabetes table."""
    from sklearn.tree import DecisionTreeRegressor

    bunch = load_diabetes()
    greedy = DecisionTreeRegressor(max_depth=3, random_state=0).fit(bunch.data, bunch.target)
    error = float(np.square(greedy.predict(bunch.data) - bunch.target).sum())
    tree = learn(table_of(load_diabetes), target="y", recipe=optimal(leaf_penalty=0, time_limit=None))
    assert tree.bounds.cost < error
    # facts of other programs on this table: 1 - R2 of 0.482 at depth 3 with all thresholds, CART 0.499
    total = float(np.square(bunch.target - bunch.target.mean()).sum())
    assert round(tree.bounds.cost / total, 3) == 0.482


@pytest.mark.process
@pytest.mark.parametrize("penalty", ["0", "cv"])
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_interrupt_gives_the_best_tree_so_far(penalty: str, tmp_path: Path) -> None:
    """Ctrl-C ends the search; the command goes on with its tree, and says what is proved."""
    rng = np.random.default_rng(1)
    columns = rng.random((3000, 12)).round(3)
    lines = [",".join([*(f"x{n}" for n in range(12)), "y"])]
    lines += [",".join([*map(str, row), rng.choice(["p", "q"])]) for row in columns]
    (tmp_path / "noise.csv").write_text("\n".join(lines), encoding="utf-8")
    options = [
        "--target",
        "y",
        "--algorithm",
        "optimal",
        "--leaf-penalty",
        penalty,
        "--max-depth",
        "4",
        "-o",
        "t.tree.json",
    ]
    command = [sys.executable, "-m", "treerules", "learn", "noise.csv", *options, "--time-limit", "none"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    time.sleep(20)  # numba is loaded, and the kernels may have to be compiled
    process.send_signal(signal.SIGINT)
    _, messages = process.communicate(timeout=60)
    assert process.returncode == 0, messages
    assert "not proved optimal" in messages
    assert (tmp_path / "t.tree.json").exists()


@given(task=searches(), depth=st.integers(2, 4))
def test_the_tree_does_not_depend_on_the_kernels(task: SearchTask, depth: int) -> None:
    """Of all trees of least cost the first is taken, whatever the search meets first."""
    compiled, reference = (Search(task, compiled=choice).run(depth) for choice in (True, False))
    assert with_stumps(compiled.branching, task.rows, task) == with_stumps(reference.branching, task.rows, task)
    assert with_stumps(compiled.branching, task.rows, task)[0] == compiled.cost


@given(task=searches(most_ranks=1), depth=st.integers(2, 5))
def test_the_tree_does_not_depend_on_the_kernels_of_bits(task: SearchTask, depth: int) -> None:
    """The same where all columns have two values."""
    compiled, reference = (Search(task, compiled=choice).run(depth) for choice in (True, False))
    assert with_stumps(compiled.branching, task.rows, task) == with_stumps(reference.branching, task.rows, task)
