"""Compiled kernels are used where they save more time than loading or compiling them costs."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treerules import Table, cart, learn
from treerules._internal import jit
from treerules.growing.kernel_choice import kernels_wanted, seconds_saved
from treerules.growing.problem import Problem, problem_of

KERNEL = jit._MAIN_KERNELS[jit.GROWTH]


def numbers(n_rows: int, n_columns: int) -> Problem:
    """Return the problem of two classes and columns of random numbers."""
    rng = np.random.default_rng(0)
    columns: dict[str, Any] = {f"x{index}": rng.normal(size=n_rows) for index in range(n_columns)}
    columns["y"] = rng.choice(["a", "b"], n_rows)
    return problem_of(Table.from_columns(columns), target="y", recipe=cart())


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Pretend that numba is installed, and that no module of kernels is loaded."""
    for name in (jit.GROWTH, jit.ROUTES):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(jit, "is_installed", lambda: True)
    return monkeypatch


def test_kernels_are_compiled_only_where_that_pays(fresh: pytest.MonkeyPatch) -> None:
    """The time saved is compared with that of loading, and of compiling where no compiled kernel is kept."""
    for is_kept, cost in ((True, jit.LOADING), (False, jit.LOADING + KERNEL.compiling)):
        fresh.setattr(jit, "is_kept", lambda kernel, is_kept=is_kept: is_kept)
        assert jit.is_used(jit.GROWTH, cost) and not jit.is_used(jit.GROWTH, 0.9 * cost)
        assert jit.is_used(jit.GROWTH, 0.0, True) and not jit.is_used(jit.GROWTH, 9 * cost, False)


def test_many_trees_share_the_cost_of_loading(fresh: pytest.MonkeyPatch) -> None:
    """The trees of all folds decide together."""
    fresh.setattr(jit, "is_kept", lambda kernel: True)
    problem, recipe = numbers(2000, 10), cart()
    n_trees = int(jit.LOADING / seconds_saved(problem, recipe)) + 1
    assert n_trees > 1
    assert kernels_wanted(problem, recipe, 1) is None and kernels_wanted(problem, recipe, n_trees) is True


def test_a_kept_kernel_is_found_without_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index in numba's folder counts if it begins with the version of numba and of the sources."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(jit, "version", lambda name: "1.2.3")
    source = Path(jit.__file__).parents[1] / KERNEL.source
    (folder,) = jit._cache_folders(source)
    folder.mkdir(parents=True)
    suffix = f"py{sys.version_info[0]}{sys.version_info[1]}{sys.abiflags}.nbi"
    index = folder / f"{source.stem}.{KERNEL.name}-253.{suffix}"
    for start, is_kept in ((b"1.2.4", False), (b"1.2.3", True)):
        index.write_bytes(b"\x80\x05" + start + jit._version().encode() + bytes(1000))
        assert jit.is_kept(KERNEL) is is_kept
    assert not jit.is_kept(jit._MAIN_KERNELS[jit.ROUTES])


@pytest.mark.compiled
def test_a_kernel_that_was_called_is_ready() -> None:
    """After a growth its kernel counts as loaded in this process, and as kept where a folder can be written to."""
    rng = np.random.default_rng(0)
    for target in (rng.choice(["a", "b"], 50), rng.normal(size=50)):
        learn(Table.from_columns({"x": rng.normal(size=50), "y": target}), target="y", compiled=True, recipe=cart())
    assert jit._is_ready(KERNEL) and jit.is_used(jit.GROWTH, 0.0)
    assert (Path(jit.__file__).parents[1] / KERNEL.source).is_file() and jit.is_kept(KERNEL)
