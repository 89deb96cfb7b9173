"""The law that permits speed: the compiled kernels and the reference grow equal trees, node for node."""

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from math import fsum
from pathlib import Path
from shutil import copytree, ignore_patterns
from subprocess import run
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treerules
from growing_cases import both, many, problem_for, recipes, tables
from reference_growth import reference
from treerules import Recipe, Table, Tree, c45, cart, learn
from treerules.errors import OptionError, TreeRulesError
from treerules.growing import binary_branches
from treerules.growing.growers import grow
from treerules.growing.kernel_refusals import kernel_refusal
from treerules.growing.problem import problem_of
from treerules.readers import read_csv
from treerules.trees import Split, preorder

pytestmark = [pytest.mark.compiled, pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")]


@given(table=tables(st.sampled_from(["p", "q", "q", "r"])), recipe=recipes())
def test_the_trees_of_classes_are_equal(table: Table, recipe: Recipe) -> None:
    """Every kind of column, ties, twins, missing values, every stop and criterion."""
    compiled, reference = both(problem_for(table, recipe), recipe)
    assert compiled == reference


@given(table=tables(st.one_of(st.floats(-9, 9), st.sampled_from([0.25, 0.5, 1e-9]))), recipe=recipes())
def test_the_trees_of_regressions_are_equal(table: Table, recipe: Recipe) -> None:
    """The same for means, to the last bit of their standard deviations."""
    compiled, reference = both(problem_for(table, recipe), recipe)
    assert compiled == reference


def written(tree: Tree) -> list[str]:
    """Return what each node says of itself as text, which tells types and the sign of 0 too."""
    return [
        repr((node.test, node.missing, node.unseen, node.as_leaf) if isinstance(node, Split) else node)
        for node in preorder(tree.root)
    ]


@given(table=tables(st.sampled_from(["p", "q", "r"])), recipe=recipes())
def test_nodes_that_are_filled_unchecked_read_as_those_of_the_reference(table: Table, recipe: Recipe) -> None:
    """Tests made together, in arrays or cut by cut, hold the types that the checking constructors leave."""
    problem = problem_for(table, recipe)
    expected = written(reference(problem, recipe))
    for few in (0, 1000):
        with patch.object(binary_branches, "_FEW", few):
            assert written(grow(problem, recipe, compiled=True)) == expected


@given(
    values=st.lists(st.floats(-9, 9), min_size=2, max_size=30),
    exponent=st.integers(-300, 300),
    shift=st.sampled_from([0.0, 1.0, 1e6]),
)
def test_regressions_of_any_scale_are_equal(values: list[float], exponent: int, shift: float) -> None:
    """Neither a target near the ends of floats nor a large common part of it makes a difference."""
    target = [(value + shift) * 10.0**exponent for value in values]
    table = Table.from_columns(
        {"x": [float(index) for index in range(len(values))], "y": target}, types={"y": "number"}
    )
    compiled, reference = both(problem_for(table, cart()), cart())
    assert compiled == reference


@pytest.mark.parametrize("is_regression", [False, True])
@pytest.mark.parametrize("holes", [0.0, 0.2])
@pytest.mark.parametrize("recipe", [cart(), cart(categories="one_against_rest", min_samples_leaf=4)])
def test_large_trees_are_equal(recipe: Recipe, holes: float, is_regression: bool) -> None:
    """Thousands of nodes: counts of large nodes by what the smaller child leaves, of small ones row by row."""
    problem = problem_for(many(4000, is_regression=is_regression, holes=holes), recipe)
    compiled, reference = both(problem, recipe)
    assert compiled == reference and compiled.n_leaves > 300


@pytest.mark.parametrize(
    "recipe", [cart(), cart(criterion="entropy", categories="one_against_rest"), c45(unpruned=True)]
)
@pytest.mark.parametrize("n_rows", [9, 300, 3000])
def test_columns_of_two_values_share_bytes(n_rows: int, recipe: Recipe) -> None:
    """Flags, numbers and categories of two values, one of which is constant below the root: equal trees."""
    random = np.random.default_rng(n_rows)
    bits = random.integers(0, 2, size=(n_rows, 9))
    bits[:, 8] &= bits[:, 0]
    columns: dict[str, Any] = {f"n{index}": bits[:, index] for index in range(3)}
    columns |= {f"f{index}": bits[:, index].astype(bool) for index in range(3, 6)}
    columns |= {f"c{index}": [f"k{bit}" for bit in bits[:, index].tolist()] for index in range(6, 9)}
    label = bits[:, 0] + bits[:, 3] * bits[:, 6] + (random.random(n_rows) < 0.2)
    for target in ([f"y{v}" for v in label.tolist()], (label + random.normal(size=n_rows)).tolist()):
        if recipe.name == "c45" and target[0] != f"y{label[0]}":
            continue
        problem = problem_for(Table.from_columns({**columns, "y": target}), recipe)
        assert grow(problem, recipe, compiled=True) == reference(problem, recipe)


@pytest.mark.parametrize("n_kept", [0, 1, 2])
@pytest.mark.parametrize("is_regression", [False, True])
def test_few_tables_of_counts_change_nothing(n_kept: int, is_regression: bool) -> None:
    """Nodes beyond the tables that keep their counts are counted anew."""
    from treerules.growing.compiled import workspace

    recipe = cart(max_depth=5)
    problem = problem_for(many(6000, is_regression=is_regression), recipe)
    made = workspace.byte_tables_of

    def few(*arguments: Any) -> Any:
        whole = made(*arguments)
        return whole._replace(tables=whole.tables[: n_kept + 2], is_kept=whole.is_kept[: n_kept + 2])

    with patch("treerules.growing.compiled.growth.byte_tables_of", few):
        tree = grow(problem, recipe, compiled=True)
    assert tree == reference(problem, recipe)


@pytest.mark.parametrize("n_classes", [3, 5])
def test_ties_of_large_nodes_are_decided_by_the_reference(n_classes: int) -> None:
    """Beyond 2^15 rows fractions do not fit: features that permute the classes tie, and the first must win."""
    n = 1000 * n_classes * n_classes * 6
    target = np.arange(n) % n_classes
    draws = np.random.default_rng(1).permutation(n) % (2 * n_classes)
    first = (draws < target + 1).astype(int)
    columns = {f"x{turn}": np.roll(first.reshape(-1, n_classes), turn, axis=1).ravel() for turn in range(n_classes)}
    table = Table.from_columns({**columns, "y": [f"k{index}" for index in target.tolist()]})
    recipe = cart(max_depth=2)
    compiled, reference = both(problem_for(table, recipe), recipe)
    assert compiled == reference


def test_pauses_and_full_pools_change_nothing() -> None:
    """Progress is told between small portions of work, it rises to all rows, and room for categories grows."""
    from treerules.growing.compiled import driver, workspace

    problem = problem_for(many(2000, is_regression=False), cart())
    heard: list[tuple[int, int]] = []
    with patch.object(driver, "_CELLS", 1000), patch.object(workspace, "_POOL", 8):
        paused = grow(problem, cart(), progress=lambda *report: heard.append(report), compiled=True)
    assert paused == reference(problem, cart())
    done = [rows for rows, _ in heard]
    assert done == sorted(done) and heard[-1] == (2000, 2000) and len(heard) > 10


def test_an_interruption_ends_the_growth() -> None:
    """An exception out of `progress` reaches the caller; the next call grows the same tree."""
    from treerules.growing.compiled import driver

    problem = problem_for(many(500, is_regression=True), cart())

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with patch.object(driver, "_CELLS", 1000), pytest.raises(KeyboardInterrupt):
        grow(problem, cart(), progress=stop, compiled=True)
    assert grow(problem, cart(), compiled=True) == reference(problem, cart())


@pytest.mark.parametrize(
    "recipe", [cart(missing="fraction"), cart(missing="branch"), c45(categories="grouped")], ids=str
)
def test_what_the_kernels_do_not_cover_the_reference_grows(recipe: Recipe) -> None:
    """Asking for the kernels is never an error, and never another tree."""
    table = many(300, is_regression=False, holes=0.1)
    problem = problem_for(table, recipe)
    assert kernel_refusal(problem, recipe, None) is not None
    assert grow(problem, recipe, compiled=True) == grow(problem, recipe, compiled=False)


def test_more_classes_than_16_bits_tell_apart_are_left_to_the_reference() -> None:
    """Entries of lists have room for as many."""
    random = np.random.default_rng(2)
    levels = [f"{index:05}" for index in range(70_000)]
    target = [levels[index] for index in random.choice([1, 65_537, 65_538, 2, 69_999], 100)]
    table = Table.from_columns({"x": random.normal(size=100), "y": target}, types={"y": "ordinal:" + "<".join(levels)})
    recipe = cart(max_depth=2)
    problem = problem_for(table, recipe)
    assert kernel_refusal(problem, recipe, None) is not None
    assert grow(problem, recipe, compiled=True) == reference(problem, recipe)


def test_compiled_is_true_false_or_none() -> None:
    """Anything else is refused before any work."""
    with pytest.raises(OptionError, match="compiled=1"):
        learn(many(10, is_regression=False), target="y", compiled=1, recipe=cart())  # type: ignore[call-overload]


@given(values=st.lists(st.floats(-1e300, 1e300), max_size=30))
def test_exact_sums_are_those_of_fsum(values: list[float]) -> None:
    """The kernel's sums are correctly rounded, so they are Python's."""
    from treerules.growing.compiled.exact_sum import exact_sum

    assert exact_sum(np.array(values, dtype=np.float64), np.empty(64)) == fsum(values)


def test_no_stale_kernel_is_run(tmp_path: Path) -> None:
    """A kernel is compiled anew when one that it calls has changed in another file, even of equal size and time."""
    source = tmp_path / "treerules"
    copytree(Path(treerules.__file__).parent, source, ignore=ignore_patterns("__pycache__"))
    (source / "growing" / "compiled" / "twice.py").write_text(
        "from treerules._internal.jit import kernel\n"
        "from treerules.growing.compiled.arithmetic import x_log2_x\n\n"
        "@kernel\ndef twice(x):\n    return 2 * x_log2_x(x)\n",
        encoding="utf-8",
    )
    ask = "from treerules.growing.compiled.twice import twice; print(twice(4.0))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}

    def printed() -> str:
        done = run([sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    assert printed() == "16.0"
    changed = source / "growing" / "compiled" / "arithmetic.py"
    times = changed.stat()
    changed.write_text(
        changed.read_text(encoding="utf-8").replace("return x * log2(x)", "return x + log2(x)"), encoding="utf-8"
    )
    os.utime(changed, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert printed() == "12.0"


def real_files() -> Iterator[Path]:
    """Yield the CSV files of real data, if a folder of them is named."""
    folder = os.environ.get("TREERULES_DATA")
    yield from sorted(Path(folder).glob("*.csv")) if folder else []


@pytest.mark.parametrize("path", list(real_files()), ids=lambda path: path.stem)
def test_the_trees_of_real_files_are_equal(path: Path) -> None:
    """Every file of the folder that TREERULES_DATA names, its last column the target, up to 20,000 rows; on one thread
    and on two, which are made to share them."""
    from treerules.growing.compiled import parallel

    try:
        table = read_csv(path)
        target = table.columns[-1].feature.name
        recipe = cart(max_depth=8)
        problem = problem_of(table, target=target, recipe=recipe, drop_missing_target=True)
    except TreeRulesError as error:
        pytest.skip(str(error))
    if kernel_refusal(problem, recipe, None) is None:
        small = problem.part(np.arange(0, len(problem.target), max(1, len(problem.target) // 20_000)))
        wanted = reference(small, recipe)
        assert grow(small, recipe, compiled=True) == wanted
        with patch.multiple(parallel, ENOUGH=0, _TASK_CELLS=20_000, _LEAST_CELLS=2_000):
            assert grow(small, recipe, compiled=True, threads=2) == wanted


@st.composite
def values_to_sum(draw: st.DrawFn) -> list[float]:
    """Return up to 300 values of size at most 4: plain, of few bits, nearly cancelling, or of all sizes."""
    size = draw(st.integers(0, 300))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = {
        "plain": random.uniform(-4, 4, size),
        "few bits": random.integers(-16, 17, size) / 4,
        "tiny": np.ldexp(random.uniform(-1, 1, size), random.integers(-1074, 3, size)),
        "half-way": np.ldexp(random.integers(-4, 5, size) / 1.0, -53 * random.integers(0, 3, size)),
    }[draw(st.sampled_from(["plain", "few bits", "tiny", "half-way"]))]
    if draw(st.booleans()):
        values = np.concatenate([values, -values[: size // 2], -values[size // 2 + 1 :]])
    return [float(value) for value in random.permutation(values)]


@given(values=values_to_sum())
def test_quick_sums_are_those_of_fsum(values: list[float]) -> None:
    """Sums in three parts are correctly rounded as well: half-way cases, cancelling values and subnormal ones too."""
    from treerules.growing.compiled.exact_sum import rounded_sum

    assert rounded_sum(np.array(values, dtype=np.float64), np.empty(64)) == fsum(values)


@pytest.mark.parametrize("missing", ["larger", "learned"])
@pytest.mark.parametrize("holes", [0.0, 0.1])
@pytest.mark.parametrize("digits", [1, 2, 15])
def test_long_lists_with_and_without_ties_are_cut_as_the_reference_cuts_them(
    digits: int, holes: float, missing: Any
) -> None:
    """Lists of several hundred values, all different, some equal, or some missing: equal trees, to the last leaf."""
    random = np.random.default_rng(digits)
    features = random.normal(size=(1500, 4)).round(digits)
    target = features[:, 0] * features[:, 1] + random.normal(size=1500).round(digits)
    columns: dict[str, Any] = {
        f"x{index}": [
            None if hole else float(value) for value, hole in zip(column, random.random(1500) < holes, strict=True)
        ]
        for index, column in enumerate(features.T)
    }
    table = Table.from_columns({**columns, "y": target.tolist()})
    recipe = cart(missing=missing)
    assert learn(table, target="y", recipe=recipe, compiled=True) == learn(
        table, target="y", recipe=recipe, compiled=False
    )


@given(
    rows=st.lists(
        st.tuples(*[st.sampled_from([0.0, 1.0, 2.0, 3.0, None])] * 3, st.integers(0, 40)), min_size=2, max_size=7
    ),
    whole=st.booleans(),
)
def test_tiny_nodes_take_the_first_of_the_features_that_gain_most(rows: list[tuple[Any, ...]], whole: bool) -> None:
    """In a few rows many features gain as much as any could: the first of them wins, as in the reference."""
    rows = [tuple(0.5 if whole and cell is None else cell for cell in row) for row in rows]
    names = ["a", "b", "c", "y"]
    columns = {name: [row[index] for row in rows] for index, name in enumerate(names)}
    columns["y"] = [value / 3 for value in columns["y"]]
    table = Table.from_columns(columns, types=dict.fromkeys(names, "number"))
    for recipe in (cart(), cart(missing="learned"), cart(min_samples_leaf=2)):
        grown = [
            learn(table, target="y", recipe=recipe, features=names[:3], compiled=compiled) for compiled in (True, False)
        ]
        assert grown[0] == grown[1]
