"""Threads change nothing but the time: trees, errors and progress are those of one thread, and none is left behind."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import run
from growing_cases import both, many, problem_for, recipes, tables
from paths import LOAN
from reference_growth import reference
from treerules import Recipe, Table, c45, cart, id3, learn
from treerules.errors import OptionError
from treerules.growing.growers import grow
from treerules.trees.json_codec import tree_to_json

needs_kernels = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")


@contextmanager
def all_is_large(task: int = 40) -> Iterator[None]:
    """Let threads work on small tables: a task looks at so many cells."""
    from treerules.growing.compiled import parallel

    with patch.multiple(parallel, ENOUGH=0, _TASK_CELLS=task, _LEAST_CELLS=4):
        yield


@pytest.mark.compiled
@needs_kernels
@given(table=tables(st.sampled_from(["p", "q", "q", "r"])), recipe=recipes(), threads=st.integers(2, 3))
def test_the_trees_of_classes_are_equal_on_any_number_of_threads(table: Table, recipe: Recipe, threads: int) -> None:
    """Every kind of column, ties, twins, missing values, every stop and criterion."""
    problem = problem_for(table, recipe)
    one, wanted = both(problem, recipe)
    with all_is_large():
        assert grow(problem, recipe, compiled=True, threads=threads) == one == wanted


@pytest.mark.compiled
@needs_kernels
@given(
    table=tables(st.one_of(st.floats(-9, 9), st.sampled_from([0.25, 0.5, 1e-9]))),
    recipe=recipes(),
    threads=st.integers(2, 3),
)
def test_the_trees_of_regressions_are_equal_on_any_number_of_threads(
    table: Table, recipe: Recipe, threads: int
) -> None:
    """Candidates of features that were searched apart are kept as if they had been searched one after the other."""
    problem = problem_for(table, recipe)
    one, wanted = both(problem, recipe)
    with all_is_large():
        assert grow(problem, recipe, compiled=True, threads=threads) == one == wanted


@pytest.mark.compiled
@needs_kernels
@pytest.mark.parametrize("is_regression", [False, True])
@pytest.mark.parametrize("holes", [0.0, 0.2])
@pytest.mark.parametrize("recipe", [cart(), cart(categories="one_against_rest", criterion="entropy", max_depth=9)])
def test_large_trees_are_equal(recipe: Recipe, holes: float, is_regression: bool) -> None:
    """Hundreds of nodes change hands: their counts, sides of categories and numbers go with them."""
    problem = problem_for(many(2000, is_regression=is_regression, holes=holes), recipe)
    wanted = reference(problem, recipe)
    for threads, task in ((2, 4000), (3, 1000)):
        with all_is_large(task):
            assert grow(problem, recipe, compiled=True, threads=threads) == wanted


@pytest.mark.compiled
@needs_kernels
def test_ties_between_portions_of_features_are_decided_as_on_one_thread() -> None:
    """Equal columns in different hands: the first wins, whoever searched it."""
    random = np.random.default_rng(3)
    column, other = random.normal(size=600), random.normal(size=600).round(2)
    columns = {f"x{index}": other if index % 2 else column for index in range(12)}
    for target in (["no" if is_positive else "yes" for is_positive in column * other > 0.1], (column * other).tolist()):
        problem = problem_for(Table.from_columns({**columns, "y": target}), cart())
        with all_is_large():
            tree = grow(problem, cart(), compiled=True, threads=3)
        assert tree == reference(problem, cart())
        assert set(_features(tree.root)) == {0, 1}


def _features(root: Any) -> Iterator[int]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if hasattr(node, "children"):
            yield node.test.feature
            waiting.extend(node.children)


@pytest.mark.compiled
@needs_kernels
def test_full_pools_of_categories_change_nothing() -> None:
    """Each thread has room of its own for the sides of categories, which grows, and all is put together."""
    from treerules.growing.compiled import workspace

    for is_regression in (False, True):
        problem = problem_for(many(900, is_regression=is_regression), cart())
        with all_is_large(500), patch.object(workspace, "_POOL", 8):
            assert grow(problem, cart(), compiled=True, threads=2) == reference(problem, cart())


@pytest.mark.compiled
@needs_kernels
def test_a_model_is_the_same_to_the_byte() -> None:
    """Nobody can tell from a model file on how many threads it was learned; the origin's hash is in it too."""
    table = many(3000, is_regression=False)
    with all_is_large(1000):
        texts = [
            tree_to_json(learn(table, target="y", compiled=True, threads=n, recipe=cart())) for n in (None, 1, 2, 3)
        ]
    assert len(set(texts)) == 1


@pytest.mark.compiled
@needs_kernels
@pytest.mark.parametrize("is_regression", [False, True])
def test_progress_rises_to_all_rows_and_is_told_by_the_caller(is_regression: bool) -> None:
    """`progress` hears (rows in leaves, all rows), on the thread that called."""
    problem = problem_for(many(3000, is_regression=is_regression), cart())
    heard: list[tuple[int, int]] = []
    tellers = set()

    def tell(*counts: int) -> None:
        heard.append(counts)  # type: ignore[arg-type]
        tellers.add(threading.get_ident())

    with all_is_large(1000):
        grow(problem, cart(), progress=tell, compiled=True, threads=2)
    done = [rows for rows, _ in heard]
    assert done == sorted(done) and heard[0] == (0, 3000) and heard[-1] == (3000, 3000) and len(heard) > 10
    assert tellers == {threading.get_ident()}


def after(calls: int) -> Callable[[int, int], None]:
    """Return a progress that interrupts at its call of that number."""
    left = iter(range(calls))

    def stop(*_: int) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    return stop


@pytest.mark.compiled
@needs_kernels
@pytest.mark.parametrize("calls", [0, 1, 2, 5, 20])
def test_an_interruption_ends_all_threads(calls: int) -> None:
    """An exception out of `progress` reaches the caller, no thread lives on, and the next call grows the same tree."""
    problem = problem_for(many(3000, is_regression=False), cart())
    before = threading.active_count()
    with all_is_large(1000):
        with pytest.raises(KeyboardInterrupt):
            grow(problem, cart(), progress=after(calls), compiled=True, threads=2)
        assert threading.active_count() == before
        assert grow(problem, cart(), compiled=True, threads=2) == reference(problem, cart())
    assert threading.active_count() == before


@pytest.mark.compiled
@needs_kernels
def test_what_fails_on_a_thread_fails_in_the_caller() -> None:
    """An error of a task is the call's error, and ends the other threads."""
    from treerules.growing.compiled import parallel

    problem = problem_for(many(3000, is_regression=False), cart())
    before = threading.active_count()

    def fails(*_: Any) -> None:
        raise MemoryError("no room")

    with (
        all_is_large(1000),
        patch.object(parallel, "grow_nodes", fails),
        pytest.raises(MemoryError, match="no room"),
    ):
        grow(problem, cart(), compiled=True, threads=2)
    assert threading.active_count() == before


@pytest.mark.compiled
@needs_kernels
def test_small_tables_start_no_thread() -> None:
    """Below a million cells a thread would cost more than it saves."""
    from treerules.growing.compiled import parallel

    with patch.object(parallel, "ThreadPoolExecutor") as pool:
        learn(many(200, is_regression=False), target="y", compiled=True, threads=4, recipe=cart())
    assert not pool.called


@pytest.mark.parametrize(
    "recipe", [id3(), c45(), cart(missing="fraction"), cart(class_weight="balanced"), cart(max_leaves=5)], ids=str
)
def test_threads_mean_nothing_where_the_kernels_do_not_grow(recipe: Recipe) -> None:
    """Asking for threads is never an error, and never another tree."""
    table = many(200, is_regression=False, holes=0.0 if recipe.missing == "error" else 0.1)
    drop = () if recipe.has_cuts else ("normal", "rounded", "few", "flag")  # ID3 knows no numbers
    trees = [learn(table, target="y", recipe=recipe, drop=drop, threads=threads) for threads in (1, 3)]
    assert trees[0] == trees[1]


@pytest.mark.parametrize("threads", [0, -1, 1.0, True, "2"])
def test_threads_are_a_whole_number_from_1(threads: Any) -> None:
    """Anything else is refused before any work."""
    with pytest.raises(OptionError, match="whole number from 1"):
        learn(many(10, is_regression=False), target="y", threads=threads, recipe=cart())


PRESSED = """
import signal, threading, time
import numpy as np
from treerules import Table, cart, learn
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background inherit that it is ignored
rng = np.random.default_rng(0)
columns = {f"x{index}": rng.normal(size=60_000) for index in range(20)}
table = Table.from_columns({**columns, "y": rng.integers(0, 2, 60_000)})
learn(table, target="y", threads=2, recipe=cart(), compiled=True)
print("growing", flush=True)
try:
    while True:
        learn(table, target="y", threads=2, recipe=cart(), compiled=True)
except KeyboardInterrupt:
    until = time.monotonic() + 1.0
    while threading.active_count() > 1 and time.monotonic() < until:
        time.sleep(0.01)
    print("threads left:", threading.active_count() - 1)
"""


@pytest.mark.process
@pytest.mark.compiled
@needs_kernels
def test_ctrl_c_ends_all_threads_without_a_progress() -> None:
    """A signal is heeded as soon as a task ends, and no thread lives a second longer, wherever it struck."""
    command = [sys.executable, "-c", PRESSED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "growing\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        shown, errors = process.communicate(timeout=60)
    assert shown == "threads left: 0\n" and errors == ""


def test_the_command_line_takes_threads() -> None:
    """`learn --threads 2` prints the same model; 0 threads are refused by the exit code of wrong use."""
    command = ("learn", LOAN, "--target", "类别", "--algorithm", "cart")
    done = [run(*command, *more) for more in ((), ("--threads", "2"), ("--threads", "0"))]
    assert [process.returncode for process in done] == [0, 0, 2]
    assert done[0].stdout == done[1].stdout
