"""The law that permits speed: the compiled kernels and the reference grow equal trees, node for node."""

import os
import sys
from collections.abc import Iterator
from fractions import Fraction
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
from treerules import Recipe, Table, Tree, cart, learn
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


@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("n", [1, 2, 5, 40, 300, 5000])
@pytest.mark.parametrize("least", [1.0, 7.0])
def test_the_best_cut_of_a_list_is_the_first_of_the_greatest_fractions(n_classes: int, n: int, least: float) -> None:
    """Brute force over exact fractions, beside what passes over rows that cannot hold the best cut."""
    from treerules.growing.compiled.gini_scan import best_cut_of_codes, best_cut_of_many, best_cut_of_two

    for seed in range(12):
        random = np.random.default_rng(seed)
        values = np.sort(random.integers(0, [1, 4, n + 1, 50 * n][seed % 4], size=n))
        classes = (random.random(n) * n_classes * np.where(values > values[n // 3], 1.0, seed % 3 / 2)).astype(np.int64)
        is_new = np.diff(values, prepend=-1) > 0
        counts = np.eye(n_classes, dtype=np.int64)[classes]
        before, totals = counts.cumsum(axis=0), counts.sum(axis=0)
        own, bar = Fraction(int((totals**2).sum()), n), float(seed) / 4
        best, greatest = -1, Fraction(-1)
        for at in np.flatnonzero(is_new[1:]).tolist():
            left, right = before[at], totals - before[at]
            score = Fraction(int((left**2).sum()), at + 1) + Fraction(int((right**2).sum()), n - at - 1) - own
            if score > greatest and score > bar and min(at + 1, n - at - 1) >= least:
                best, greatest = at, score
        entries = (is_new.astype(np.uint32) << 31) | (classes << 13).astype(np.uint32) | np.arange(n, dtype=np.uint32)
        seen, slack, is_constant = np.zeros(2 * n_classes, dtype=np.int64), 1e-11 * n, values[0] == values[-1]
        if n_classes == 2:
            actual = best_cut_of_two(entries, 0, n, int(totals[1]), 13, bar, slack, least)
            assert actual == (best, before[best, 1] if best >= 0 else 0, is_constant)
        assert best_cut_of_many(entries, 0, n, totals, seen, 13, 7, bar, slack, least) == (best, is_constant)
        begins = np.flatnonzero(is_new)
        by_held = np.add.reduceat(counts, begins)
        cut = best_cut_of_codes(by_held, len(by_held), totals, seen, bar, slack, least)
        assert (begins[cut + 1] - 1 if cut >= 0 else -1) == best


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
    "recipe",
    [
        cart(max_leaves=4),
        cart(class_weight="balanced"),
        cart(missing="fraction"),
        cart(missing="branch"),
        cart(monotone={"normal": 1}),
        cart(feature_cost={"normal": 2}),
        cart(prefer=["few"]),
    ],
    ids=str,
)
def test_what_the_kernels_do_not_cover_the_reference_grows(recipe: Recipe) -> None:
    """Asking for the kernels is never an error, and never another tree."""
    table = many(300, is_regression=False, holes=0.1)
    problem = problem_for(table, recipe)
    assert kernel_refusal(problem, recipe, None) is not None
    assert grow(problem, recipe, compiled=True) == grow(problem, recipe, compiled=False)


def test_what_would_be_slow_or_large_is_left_to_the_reference() -> None:
    """More than 1,000 categories in a column, or more classes than 16 bits tell apart."""
    random = np.random.default_rng(2)
    names = [f"c{index}" for index in random.integers(0, 5000, 6000)]
    wide = Table.from_columns({"c": names, "x": random.normal(size=6000), "y": random.normal(size=6000)})
    levels = [f"{index:05}" for index in range(70_000)]
    target = [levels[index] for index in random.choice([1, 65_537, 65_538, 2, 69_999], 100)]
    tall = Table.from_columns({"x": random.normal(size=100), "y": target}, types={"y": "ordinal:" + "<".join(levels)})
    for table in (wide, tall):
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
    ask = (
        "import numpy as np; from treerules.growing.compiled import best_split, class_numeric; "
        "one = np.zeros(best_split.record_length(2)); one[best_split.SUMS :][:4] = 3, 1, 1, 3; "
        "print(class_numeric._gain(one, 2, best_split.GINI))"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}

    def printed() -> str:
        done = run([sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    assert printed() == "1.0"
    changed = source / "growing" / "compiled" / "best_split.py"
    times = changed.stat()
    changed.write_text(changed.read_text(encoding="utf-8").replace("count * count", "count + count"), encoding="utf-8")
    os.utime(changed, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert printed() == "2.0"


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
