"""The estimated error is honest: corrected for the choice of the size, and blind to copies of rows."""

import json
import runpy
from math import fsum
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from selection import few
from treerules import ErrorEstimate, Recipe, Table, Tree, auto, evaluate, learn, load, optimal, render, save
from treerules.errors import DataError, OptionError
from treerules.growing.problem import problem_of
from treerules.learning import corrected_error, fresh_error
from treerules.learning.folds import dealt_folds
from treerules.learning.unit_losses import UnitLosses, least_with_price, smallest_near_least, sums_in_samples


def estimate_of(tree: Tree) -> ErrorEstimate:
    """Return the estimate that the tree must have."""
    assert tree.estimate is not None
    return tree.estimate


def random_labels(n: int, seed: int, copies: int = 1) -> Table:
    """Return rows whose labels, half of each class, have nothing to do with their features."""
    random = np.random.default_rng(seed)
    columns: dict[str, Any] = {f"x{i}": random.normal(size=n) for i in range(4)}
    columns["c"] = np.array(list("pqrst"))[random.integers(0, 5, n)]
    columns["y"] = random.permutation(np.array(list("ab") * (n // 2)))
    return Table.from_columns({name: np.tile(column, copies).tolist() for name, column in columns.items()})


@pytest.mark.parametrize(
    ("n", "n_tables"),
    few([(60, 8), (100, 30), (300, 30)], 1),
)
def test_random_labels_are_predicted_by_chance(n: int, n_tables: int) -> None:
    """On some tables of random labels the mean estimate is within two standard errors of a half."""
    estimates = [estimate_of(learn(random_labels(n, seed), target="y")) for seed in range(n_tables)]
    errors = np.array([estimate.error for estimate in estimates])
    assert abs(errors.mean() - 0.5) <= 2 * errors.std(ddof=1) / np.sqrt(n_tables)


@pytest.mark.large
def test_copies_of_random_rows_are_predicted_by_chance() -> None:
    """300 rows copied eight times: a fold that held copies of training rows would be predicted without error."""
    errors = [estimate_of(learn(random_labels(300, seed, copies=8), target="y")).error for seed in range(6)]
    assert 0.45 <= np.mean(errors) <= 0.56


@pytest.mark.large
def test_the_estimate_is_that_of_new_rows() -> None:
    """Labels with 20 % noise: over 20 tables, within two standard errors of the error on 100,000 new rows."""

    def rows(n: int, seed: int) -> Table:
        random = np.random.default_rng(seed)
        x = random.uniform(size=(n, 5))
        is_a = ((x[:, 0] > 0.5) & (x[:, 1] > 0.3)) ^ (random.uniform(size=n) < 0.2)
        return Table.from_columns({**{f"x{i}": x[:, i] for i in range(5)}, "y": np.where(is_a, "a", "b").tolist()})

    new = rows(100_000, 10**6)
    differences = []
    for seed in range(20):
        tree = learn(rows(500, seed), target="y")
        differences.append(estimate_of(tree).error - (1 - (evaluate(tree, new).accuracy or 0)))
    spread = np.std(differences, ddof=1) / np.sqrt(20)
    assert abs(np.mean(differences)) <= 2 * spread


#: Passengers of the Titanic's training table by class, sex and survival: (class, sex, died, survived).
PASSENGERS = (
    (1, "female", 3, 91),
    (2, "female", 6, 70),
    (3, "female", 72, 72),
    (1, "male", 77, 45),
    (2, "male", 91, 17),
    (3, "male", 300, 47),
)


@pytest.mark.parametrize("is_weighted", [False, True])
def test_a_table_of_few_distinct_rows_is_divided_among_the_folds(is_weighted: bool) -> None:
    """Titanic's class and sex have 12 distinct rows: held out whole, each would be predicted wrongly."""
    rows = [
        {"class": c, "sex": sex, "survived": survived, "n": n}
        for c, sex, died, lived in PASSENGERS
        for survived, n in (("no", died), ("yes", lived))
    ]
    if is_weighted:
        tree = learn(Table.from_rows(rows), target="survived", weight="n")
    else:
        copies = [{name: row[name] for name in ("class", "sex", "survived")} for row in rows for _ in range(row["n"])]
        tree = learn(Table.from_rows(copies), target="survived")
    assert estimate_of(tree).error == pytest.approx(0.22, abs=0.02)


def test_rows_of_a_group_are_held_out_together() -> None:
    """Ten rows of each of 30 patients, whose labels are random: only by their groups is the error about a half."""
    random = np.random.default_rng(0)
    patient = np.repeat(np.arange(30), 10)
    x = random.normal(size=30)[patient] + random.normal(size=300) / 1000
    y = random.permutation(np.array(list("ab") * 15))[patient]
    table = Table.from_columns({"patient": patient, "x": x, "y": y.tolist()})
    alone = learn(table, target="y", drop=["patient"])
    grouped = learn(table, target="y", groups="patient")
    assert [feature.name for feature in grouped.schema.features] == ["x"]
    assert estimate_of(alone).error < 0.1 and estimate_of(grouped).error > 0.35


@pytest.mark.parametrize("is_regression", [False, True])
@pytest.mark.parametrize("seed", few(range(12), 2))
def test_the_order_of_rows_does_not_change_the_estimate_of_groups(seed: int, is_regression: bool) -> None:
    """The losses of a group are added in the order of what its rows hold, so that no figure differs by rounding."""
    random = np.random.default_rng(seed)
    n = 60
    columns = {"x": random.integers(0, 5, n), "z": random.random(n).round(1), "patient": random.integers(0, 7, n)}
    columns["y"] = random.normal(size=n) if is_regression else np.array(list("abc"))[random.integers(0, 3, n)]
    order = random.permutation(n)
    tables = (Table.from_columns({k: v[at].tolist() for k, v in columns.items()}) for at in (slice(None), order))
    first, second = (learn(table, target="y", groups="patient") for table in tables)
    assert (first.root, first.estimate) == (second.root, second.estimate)


@pytest.mark.parametrize(("n", "n_classes"), [(50, 2), (70, 2), (110, 2), (45, 3), (90, 3)])
def test_equal_classes_are_held_out_in_equal_numbers(n: int, n_classes: int) -> None:
    """A tree of one leaf errs by chance, also where a fold's share of a class is not whole.

    Were a fold to hold out more of one of two equal classes, it would be predicted from more of the other.
    """
    columns = {"x": list(range(n)), "y": ["abc"[row % n_classes] for row in range(n)]}
    problem = problem_of(Table.from_columns(columns), target="y", recipe=auto())
    folds = dealt_folds(problem, 10)
    assert folds.n == 10
    for _, held_out in folds.parts():
        assert len(set(np.bincount(folds.problem.target[held_out], minlength=n_classes))) == 1


def test_later_rows_test_earlier_ones() -> None:
    """A boundary that moves with time is predicted worse than random folds say."""
    random = np.random.default_rng(0)
    day = np.arange(600)
    x = random.uniform(size=600)
    y = np.where(x > day / 600, "a", "b")
    table = Table.from_columns({"day": day, "x": x, "y": y.tolist()})
    by_chance = estimate_of(learn(table, target="y", features=["day", "x"]))
    in_time = estimate_of(learn(table, target="y", time="day"))
    assert in_time.error > by_chance.error + 0.1


def test_groups_and_times_need_a_choice_and_more_than_one_value() -> None:
    """The errors name the argument and the way out."""
    table = Table.from_columns({"g": ["p"] * 4, "x": [1, 2, 3, 4], "y": list("aabb")})
    with pytest.raises(DataError, match="all rows are of one group"):
        learn(table, target="y", groups="g")
    with pytest.raises(DataError, match="all rows are of one time"):
        learn(table, target="y", time="g")
    with pytest.raises(OptionError, match="groups= or time="):
        learn(table, target="y", groups="g", time="x")


@given(st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 6), st.booleans())
def test_the_correction_is_that_of_plain_loops(seed: int, n: int, n_subtrees: int, is_paired: bool) -> None:
    """Tsamardinos et al. 2018, algorithm 5: choose on each bootstrap sample, average the losses outside it."""
    random = np.random.default_rng(seed)
    weights = random.integers(1, 4, n).astype(float)
    losses = UnitLosses(weights, random.uniform(size=(n_subtrees, n)) * weights)
    n_rules = np.arange(1, n_subtrees + 1)
    choose = paired_choice if is_paired else priced_choice
    means = []
    for sample in corrected_error._bootstrap_samples(n, 500):
        outside = sample == 0
        if outside.any():
            chosen = choose(losses, n_rules, sample)
            means.append(losses.sums[chosen][outside].sum() / weights[outside].sum())

    def chosen_on(times: Any) -> Any:
        if is_paired:
            return smallest_near_least(losses, times)
        return least_with_price(losses, n_rules, 0.01, times, added=0.5, root_errors=1.0)

    assert corrected_error.corrected_error(losses, chosen_on) == pytest.approx((np.mean(means), np.std(means)))


def standard_error(sums: Any, weights: Any, sample: Any) -> float:
    """Return the standard error of a mean, unit by unit."""
    total = sum(sample * weights)
    mean = sum(sample * sums) / total
    squares = [times * (value - mean * weight) ** 2 for times, value, weight in zip(sample, sums, weights, strict=True)]
    return float(np.sqrt(sum(squares)) / total)


def priced_choice(losses: UnitLosses, n_rules: Any, sample: Any) -> int:
    """Return the subtree of least log(loss + 0.5) + 0.01 x rules; the root, unless better by a standard error."""
    sums = [float((sample * line).sum()) for line in losses.sums]
    prices = [np.log(total + 0.5) + 0.01 * n for total, n in zip(sums, n_rules, strict=True)]
    chosen = int(np.argmin(prices))
    gain = (sums[0] - sums[chosen]) / (sample * losses.weights).sum()
    error = standard_error(losses.sums[0] - losses.sums[chosen], losses.weights, sample)
    return chosen if gain > error else 0


def paired_choice(losses: UnitLosses, n_rules: Any, sample: Any) -> int:
    """Return the first subtree within a standard error of the difference to the best, unless the root is as near."""
    weight = (sample * losses.weights).sum()
    means = [float((sample * line).sum() / weight) for line in losses.sums]
    best = int(np.argmin(means))
    chosen = next(
        k
        for k in range(len(n_rules))
        if means[k] - means[best] <= standard_error(losses.sums[k] - losses.sums[best], losses.weights, sample) + 1e-12
    )
    gain = means[0] - means[chosen]
    return chosen if gain > standard_error(losses.sums[0] - losses.sums[chosen], losses.weights, sample) + 1e-12 else 0


def test_the_estimate_of_a_classification_has_figures_for_rare_classes() -> None:
    """Balanced accuracy, log loss and AUC come from the same held-out rows; a regression has none."""
    tree = learn(random_labels(200, 1), target="y", recipe=auto(max_rules=4))
    estimate = estimate_of(tree)
    assert estimate.auc is not None and 0.3 < estimate.auc < 0.7
    numbers = Table.from_columns({"x": range(100), "y": [float(i // 50) for i in range(100)]})
    regression = estimate_of(learn(numbers, target="y", features=["x"], task="regression"))
    assert (regression.auc, regression.balanced_accuracy, regression.log_loss) == (None, None, None)
    assert regression.r2 == pytest.approx(1, abs=0.1)


@given(st.integers(0, 10**6), st.integers(1, 60), st.floats(0, 12))
def test_sums_in_samples_are_exact_in_any_order(seed: int, n: int, spread: float) -> None:
    """Whatever the order of the units, the sums have the same bits: those of exact sums, rounded at most twice."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(n, 3)) * 10 ** random.uniform(-spread, spread, (n, 3))
    copies = corrected_error._bootstrap_samples(n, 20)
    sums, order = sums_in_samples(copies, values), random.permutation(n)
    assert (sums_in_samples(copies[:, order], values[order]) == sums).all()
    largest = np.abs(values).max()
    for sample, line in zip(copies, sums, strict=True):
        exact = [fsum(np.repeat(column, sample.astype(int)).tolist()) for column in values.T]
        assert line == pytest.approx(exact, rel=2**-52, abs=largest * n * 2.0**-80)


@pytest.mark.parametrize(
    ("name", "n", "n_tables"),
    few([("2 classes", 20, 40), ("100 classes", 1000, 5), ("noise", 400, 12), ("XOR", 400, 20)], 1),
)
def test_the_estimate_covers_the_error_on_fresh_rows(name: str, n: int, n_tables: int) -> None:
    """Four cells of benchmarks/estimates.py: z is about 0 on average, and nearly always within 2."""
    path = Path(__file__).parents[2] / "benchmarks" / "estimates.py"
    benchmark: Any = runpy.run_path(str(path))
    cell = next(cell for cell in benchmark["CELLS"] if (cell.name, cell.n) == (name, n))
    mean, covered, _ = benchmark["summary"](cell, n_tables, 10_000)
    assert abs(mean) <= 0.5 + 2 / np.sqrt(n_tables)
    assert covered >= (0.8 if n_tables < 10 else 0.85)


def test_the_estimate_is_not_below_what_so_many_labels_miss() -> None:
    """100 classes of 20 rows each: at most the shares of the L largest classes are right by L rules."""
    random = np.random.default_rng(3)
    x = random.random(2000)
    table = Table.from_columns({"x": x, "y": [f"c{value:02d}" for value in (x * 100).astype(int)]})
    tree = learn(table, target="y")
    counts = np.unique(np.array([row["y"] for row in table.rows()]), return_counts=True)[1]
    assert estimate_of(tree).error >= 1 - np.sort(counts)[::-1][: tree.n_leaves].sum() / 2000


@pytest.mark.parametrize("recipe", [auto(), optimal(max_depth=1)])
def test_no_error_at_all_is_not_certain(recipe: Recipe) -> None:
    """40 rows that are told apart: the standard error is that of one error in two rows more."""
    table = Table.from_columns({"x": list(range(40)), "y": ["a"] * 20 + ["b"] * 20})
    estimate = estimate_of(learn(table, target="y", recipe=recipe))
    assert estimate.standard_error >= np.sqrt(1 / 42 * 41 / 42 / 40) * 0.999


@pytest.mark.parametrize("recipe", [auto(), optimal(max_depth=2)])
def test_few_labels_of_many_classes(recipe: Recipe) -> None:
    """20 equal classes, 400 rows, at most four rules: no tree errs in less than 16 of 20 rows."""
    random = np.random.default_rng(2)
    x = random.integers(0, 60, 400)
    table = Table.from_columns({"x": x, "y": [f"c{value:02d}" for value in random.integers(0, 20, 400)]})
    tree = learn(table, target="y", recipe=recipe)
    assert estimate_of(tree).error >= (20 - tree.n_leaves) / 20 - 0.01


def folds_of_losses(random: Any, errors: Any, n: int, whole: float) -> list[UnitLosses]:
    """Return the losses of n units of each fold by its tree and by the whole one, which err in the same rows."""
    draws = random.random((len(errors), n))
    return [
        UnitLosses(np.ones(n), np.array([of_fold < error, of_fold < whole], dtype=float))
        for error, of_fold in zip(errors, draws, strict=True)
    ]


def figures_of_losses(folds: list[UnitLosses]) -> tuple[float, float, float]:
    """Return the mean loss, its standard error, and the sum of the squares of differences from the mean."""
    losses = np.concatenate([fold.sums[0] for fold in folds])
    return (
        float(losses.mean()),
        float(losses.std() / np.sqrt(len(losses))),
        float(np.square(losses - losses.mean()).sum()),
    )


def test_trees_that_err_differently_make_the_standard_error_wide() -> None:
    """Of trees one in three errs in 35 % of the rows, not in 10 %: 90 % of intervals hold the error of another one."""
    random = np.random.default_rng(0)
    z, alone, reasons = [], [], []
    for _ in range(400):
        *errors, whole = np.where(random.random(11) < 1 / 3, 0.35, 0.1)
        folds = folds_of_losses(random, errors, 40, whole)
        mean, standard_error, _ = figures_of_losses(folds)
        wide, reason = fresh_error.widened(standard_error, folds, is_share=True)
        z.append((mean - whole) / wide)
        alone.append((mean - whole) / standard_error)
        reasons.append(reason == "unstable growth")
    assert np.mean(np.abs(z)) < 1.2 and np.mean(np.abs(z) <= 2) >= 0.9 and np.mean(reasons) > 0.9
    assert np.mean(np.abs(alone) <= 2) < 0.2


def test_trees_that_are_the_whole_tree_are_not_unstable() -> None:
    """Folds that err differently by chance alone do not make the standard error wide."""
    random = np.random.default_rng(0)
    for _ in range(100):
        folds = folds_of_losses(random, [0.2] * 10, 20, 0.2)
        assert fresh_error.widened(0.03, folds, is_share=True) == (0.03, "")


@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(2, 30))
def test_the_variance_of_trees_is_the_moment_estimate(seed: int, n_folds: int, n: int) -> None:
    """DerSimonian and Laird 1986: (Q - (k - 1)) / (sum w - sum w^2 / sum w), w inverse variances of folds."""
    random = np.random.default_rng(seed)
    sizes = random.integers(n, 2 * n, n_folds)
    folds = [UnitLosses(np.ones(size), random.random((2, size))) for size in sizes]
    mean, _, total = figures_of_losses(folds)
    w = sizes / (total / sizes.sum())
    q = sum(w * np.square([fold.sums[0].mean() - mean for fold in folds]))
    expected = (q - (n_folds - 1)) / (w.sum() - np.square(w).sum() / w.sum())
    assert fresh_error.variance_of_trees(folds, mean, total) == pytest.approx(expected)


def test_the_reason_of_a_wide_interval_is_in_every_form(tmp_path: Path) -> None:
    """Text, both languages, JSON and the model file say why the standard error is wide; otherwise they say nothing."""
    random = np.random.default_rng(0)
    table = Table.from_columns({"x": random.random(300), "y": [*random.normal(size=299).tolist(), 40.0]})
    tree = learn(table, target="y")
    assert estimate_of(tree).reason == "heavy tails"
    assert "wide, since few rows make most of the error" in render(tree.estimate)
    assert "区间较宽,因为少数样本占了大部分误差" in render(tree.estimate, lang="zh")
    assert json.loads(render(tree.estimate, format="json"))["reason"] == "heavy tails"
    save(tree, tmp_path / "m.tree.json")
    assert estimate_of(load(tmp_path / "m.tree.json")).reason == "heavy tails"
    assert "reason" not in json.loads(render(learn(random_labels(60, 0), target="y").estimate, format="json"))
