"""Rows go to the same leaves whichever way they are taken: one by one, in numpy, compiled."""

import copy
import gc
import math
import os
import pickle
import shutil
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import treerules
import treerules.readers.csv.column_plans
from strategies_random import trees_with_rows
from treerules import Feature, Kind, Schema, Table, Tree, apply, predict
from treerules.data.column import Column, of_values
from treerules.errors import ColumnError
from treerules.readers import read_csv
from treerules.trees import (
    CategoryTest,
    ClassPrediction,
    Leaf,
    MeanPrediction,
    Split,
    ThresholdTest,
    find_leaf,
    leaves,
    routing,
    unfold,
)
from treerules.trees.tested_columns import unseen_cells

SOURCE = Path(treerules.__file__).parent.parent
GOAL = Feature("y", Kind.NUMBER)
WAYS = pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=pytest.mark.compiled)], ids=["numpy", "compiled"]
)


def table_of(tree: Tree, rows: list[dict[str, Any]]) -> Table:
    """Return rows as a Table with the tree's own features."""
    return Table([of_values(f, [row.get(f.name) for row in rows]) for f in tree.schema.features])


def numbers_of(tree: Tree, table: Table, compiled: bool) -> list[int]:
    """Return the rule numbers found in one way."""
    if compiled:
        pytest.importorskip("numba")
    return apply(tree, table, compiled=compiled).tolist()


def cut(kind: Kind, threshold: Any, *, own: bool = False) -> Tree:
    """Return a tree of one cut of x. Missing goes to the first child, or to the third, its own."""
    ends = [Leaf(MeanPrediction(float(place)), (1,)) for place in range(2 + own)]
    return Tree(Schema([Feature("x", kind)], GOAL), Split(ThresholdTest(0, threshold), ends, 2 if own else 0))


@WAYS
@given(drawn=trees_with_rows())
def test_a_table_reaches_the_leaves_that_its_rows_reach(compiled: bool, drawn: tuple[Tree, list[Any]]) -> None:
    """Every kind, missing and unseen cells, boundaries: the number is the place of the leaf of the single row."""
    tree, rows = drawn
    places = {id(leaf): place for place, leaf in enumerate(leaves(tree.root), start=1)}
    wanted = [places[id(find_leaf(tree, row))] for row in rows]
    assert numbers_of(tree, table_of(tree, rows), compiled) == wanted


@WAYS
@given(drawn=trees_with_rows())
def test_blocks_of_rows_take_no_part(compiled: bool, drawn: tuple[Tree, list[Any]]) -> None:
    """With seven rows to a block the numbers are the same, and progress tells of each block."""
    tree, rows = drawn
    table = table_of(tree, rows)
    wanted, told = numbers_of(tree, table, compiled), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routing, "BLOCK", 7)
        found = apply(tree, table, compiled=compiled, progress=lambda done, n: told.append((done, n)))
    assert found.tolist() == wanted
    ends = [*range(7, table.n_rows, 7), table.n_rows] if isinstance(tree.root, Split) else []
    assert told == [(end, table.n_rows) for end in ends]


@WAYS
@given(st.lists(st.floats(allow_nan=False), min_size=1), st.floats(allow_nan=False), st.booleans())
def test_numbers_are_compared_as_numbers(compiled: bool, values: list[float], threshold: float, own: bool) -> None:
    """Any floats: x <= t goes first, -0.0 is 0.0 in the threshold and in the cell, NaN goes where missing goes."""
    values = [*values, threshold, math.nextafter(threshold, math.inf), math.nextafter(threshold, -math.inf), -0.0]
    data = np.array([*values, math.nan, -math.nan])
    table = Table([Column(Feature("x", Kind.NUMBER), data, np.isnan(data))])
    missing = 3 if own else 1
    wanted = [1 if value <= threshold else 2 for value in values] + [missing] * 2
    for shown in (threshold, -threshold) if threshold == 0.0 else (threshold,):
        assert numbers_of(cut(Kind.NUMBER, shown, own=own), table, compiled) == wanted


_INT64 = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.sampled_from((-(2**63), 1 - 2**63, 2**63 - 2, 2**63 - 1, 2**53))
)


@WAYS
@given(st.lists(st.none() | _INT64, min_size=1), _INT64, st.booleans())
def test_integers_are_compared_exactly(compiled: bool, cells: list[int | None], threshold: int, own: bool) -> None:
    """All of int64, whose ends too can be told from a missing cell."""
    cells = [*cells, threshold, max(threshold - 1, -(2**63)), min(threshold + 1, 2**63 - 1), -(2**63), None]
    tree = cut(Kind.INTEGER, threshold, own=own)
    table = Table([of_values(tree.schema.features[0], cells)])
    missing = 3 if own else 1
    assert numbers_of(tree, table, compiled) == [
        missing if cell is None else 1 if cell <= threshold else 2 for cell in cells
    ]


@WAYS
@pytest.mark.parametrize("n", [0, 1, 20_000])
def test_any_number_of_rows_and_categories(compiled: bool, n: int) -> None:
    """No row, one, and several blocks; 300 categories to a child each, then unseen and missing ones."""
    names = [f"c{place:03}" for place in range(300)]
    shares = (1.0,)
    schema = Schema([Feature("c", Kind.CATEGORY, names)], Feature("y", Kind.CATEGORY, ["yes"]))
    ends = [Leaf(ClassPrediction("yes", shares), (1,)) for _ in range(301)]
    tree = Tree(schema, Split(CategoryTest(0, [[place] for place in range(300)]), ends, missing=300, unseen=7))
    codes = np.random.default_rng(0).integers(-2, 300, n).astype(np.int32)
    table = Table([Column(schema.features[0], codes, codes == -1)])
    assert numbers_of(tree, table, compiled) == [{-1: 301, -2: 8}.get(code, code + 1) for code in codes.tolist()]


@pytest.mark.large
@WAYS
def test_deep_and_wide_trees(compiled: bool) -> None:
    """A chain of 5,000 cuts and a balanced tree of 10,000 leaves count the thresholds below a value."""
    number = Schema([Feature("x", Kind.NUMBER)], GOAL)

    def step(span: tuple[int, int, bool]) -> Any:
        low, high, is_chain = span
        if high - low == 1:
            return Leaf(MeanPrediction(float(low)), (1,))
        middle = low + 1 if is_chain else (low + high) // 2
        test = ThresholdTest(0, float(middle))
        return lambda children: Split(test, children), [(low, middle, is_chain), (middle, high, is_chain)]

    values = np.random.default_rng(0).permutation(np.arange(20_000) / 2)
    table = Table.from_columns({"x": np.stack([values, values]).T[:, 0]})  # not next to each other in memory
    for n, is_chain in ((5_001, True), (10_000, False)):
        tree = Tree(number, unfold((0, n, is_chain), step))
        wanted = np.searchsorted(np.arange(1.0, n), values, side="left") + 1
        assert numbers_of(tree, table, compiled) == wanted.tolist()
        assert predict(tree, table, compiled=compiled).tolist() == (wanted - 1.0).tolist()


@WAYS
@given(drawn=trees_with_rows())
def test_what_stands_in_a_missing_cell_takes_no_part(compiled: bool, drawn: tuple[Tree, list[Any]]) -> None:
    """`missing` alone tells: any category, or number, may stand there."""
    tree, rows = drawn
    table = table_of(tree, rows)
    other = [
        Column(c.feature, np.where(c.missing, np.zeros(1, dtype=c.data.dtype), c.data), c.missing)
        for c in table.columns
    ]
    assert numbers_of(tree, Table(other), compiled) == numbers_of(tree, table, compiled)


@WAYS
@pytest.mark.parametrize("code", [-(2**31), -3, 2, 3, 2**31 - 1])
@pytest.mark.parametrize("kind", [Kind.BOOLEAN, Kind.CATEGORY])
def test_a_code_without_category_is_refused(compiled: bool, code: int, kind: Kind) -> None:
    """In any block: no cell leads out of the table. Where the cell is missing it is no code."""
    feature = Feature("x", kind, ["a", "b"] if kind is Kind.CATEGORY else ())
    ends = [Leaf(MeanPrediction(float(place)), (1,)) for place in range(3)]
    unseen = 0 if feature.is_open else None
    tree = Tree(Schema([feature], GOAL), Split(CategoryTest(0, [[0], [1]]), ends, missing=2, unseen=unseen))
    data = np.zeros(20_000, dtype=np.int32)
    data[-1] = code
    missing = np.arange(20_000) == 19_999
    assert numbers_of(tree, Table([Column(feature, data, missing)]), compiled) == [1] * 19_999 + [3]
    with pytest.raises(ColumnError, match=f"column 'x' holds codes of no category \\(for example {code}\\)"):
        numbers_of(tree, Table([Column(feature, data, ~missing & False)]), compiled)


@WAYS
@pytest.mark.parametrize("known", [(), ("person 1",), tuple(f"person {n}" for n in range(6))])
def test_text_that_was_left_in_its_file_is_refused(
    compiled: bool, known: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tree that asks for it says how to read it; whether it has seen any of its categories is the same."""
    monkeypatch.setattr(treerules.readers.csv.column_plans, "MOST_UNFETCHED", 3)
    path = tmp_path / "people.csv"
    path.write_text("name,x\n" + "".join(f"person {n},{n % 2}.5\n" for n in range(6)))
    table = read_csv(path)
    assert not table.column("name").fetched
    groups = [[place] for place in range(len(known))] or [[]]
    ends = [Leaf(MeanPrediction(float(place)), (1,)) for place in range(len(groups) + 1)]
    schema = Schema([Feature("name", Kind.CATEGORY, known)], GOAL)
    tree = Tree(schema, Split(CategoryTest(0, [*groups, []]), ends, missing=0, unseen=0))
    with pytest.raises(ColumnError, match=r"read it with extra_columns=\['name'\]"):
        numbers_of(tree, table, compiled)
    with pytest.raises(ColumnError, match=r"read it with extra_columns=\['name'\]"):
        unseen_cells(tree, table)


def test_a_routing_table_belongs_to_its_tree() -> None:
    """A tree makes it once; copies and pickles are equal and make their own; nothing is kept of dead trees."""
    tree = cut(Kind.NUMBER, 1.0)
    size = len(pickle.dumps(tree))
    table = tree._routing
    assert tree._routing is table
    assert len(pickle.dumps(tree)) == size
    for other in (pickle.loads(pickle.dumps(tree)), copy.copy(tree), evolve(tree, notes=("other",))):
        assert other == tree and hash(other) == hash(tree)
        assert other._routing is not table
        assert other._routing.array.tolist() == table.array.tolist()
    watched = weakref.ref(table.array)
    del tree, table
    gc.collect()
    assert watched() is None


def test_threads_may_route_by_one_tree_at_once() -> None:
    """Each of them gets a whole table."""
    tree = cut(Kind.NUMBER, 1.0)
    with ThreadPoolExecutor(8) as pool:
        tables = list(pool.map(lambda _: tree._routing, range(64)))
    assert {table.array.tobytes() for table in tables} == {tree._routing.array.tobytes()}


def run(code: str, *folders: Path, source: Path = SOURCE, **environment: str) -> list[str]:
    """Return the words that a fresh process prints, which looks for modules in the folders and the source first."""
    path = [str(folder) for folder in (*folders, source)]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n{code}"],
        capture_output=True, text=True, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


SMALL_WORK = """
from treerules import Table, cart, learn, predict
table = Table.from_columns({'x': list(range(15)), 'y': ['a', 'b', 'b'] * 5})
tree = learn(table, target='y', recipe=cart())
predict(tree, table)
print('numba' in sys.modules)
"""
GREAT_WORK = """
from treerules._internal import jit
jit.LOADING = 0
jit.is_kept = lambda kernel: True
wanted = predict(tree, table).tolist()
great = Table.from_columns({'x': list(range(15)) * 1000})
for choice in (None, True, False):
    print(predict(tree, great, compiled=choice).tolist() == wanted * 1000)
print('treerules.trees.routing_kernel' in sys.modules)
"""


@pytest.mark.process
def test_few_rows_load_no_compiler() -> None:
    """In a fresh process predicting fifteen rows leaves numba alone."""
    assert run(SMALL_WORK) == ["False"]


@pytest.mark.process
@pytest.mark.parametrize("error", ["ImportError('Numba needs NumPy 2.3 or less')", "OSError('no libllvm')"])
def test_a_compiler_that_cannot_be_imported_is_none(tmp_path: Path, error: str) -> None:
    """Where numba is there and fails to load, numpy does all work, by default and where it was asked for."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text(f"print('tried')\nraise {error}\n")
    assert run(SMALL_WORK + GREAT_WORK, tmp_path) == ["False", "tried", "True", "True", "True", "False"]


@pytest.mark.compiled
@pytest.mark.process
def test_compiled_code_need_not_be_kept(tmp_path: Path) -> None:
    """Where no folder can be written to, it is compiled anew in each process."""
    pytest.importorskip("numba")
    copy = tmp_path / "treerules"
    shutil.copytree(SOURCE / "treerules", copy, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (tmp_path, copy, *(path for path in copy.rglob("*") if path.is_dir())):
        (folder / "__pycache__").write_text("where a folder cannot be made")
    nowhere = str(tmp_path / "__pycache__")
    unwritable = {"HOME": nowhere, "XDG_CACHE_HOME": nowhere, "LOCALAPPDATA": nowhere, "NUMBA_CACHE_DIR": nowhere}
    said = run(SMALL_WORK + GREAT_WORK, source=tmp_path, PYTHONDONTWRITEBYTECODE="1", **unwritable)
    assert said == ["False", "True", "True", "True", "True"]
    assert not list(tmp_path.rglob("*.nbi"))
