"""Folds of cross-validation: stratified, dealt by what rows hold; copies, weights, groups and times."""

from collections import Counter
from math import ceil
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treerules import Table, cart, cross_validate, learn
from treerules.errors import ColumnError, DataError, OptionError
from treerules.growing.problem import Problem, problem_of
from treerules.learning.folds import Folds, dealt_folds, folds_in_time, folds_of, folds_of_groups

Row = tuple[Any, ...]
LABELS = st.sampled_from("aabc")
NUMBERS = st.integers(-9, 9).map(lambda y: y / 4)


def table_of(rows: list[Row], weights: list[float] | None = None) -> Table:
    """Return a table of rows (x, category, target), with a column of weights if there are some."""
    x, colour, y = zip(*rows, strict=True)
    columns = {"x": x, "colour": colour, "y": y, **({} if weights is None else {"w": weights})}
    return Table.from_columns(columns, types={"x": "number", "colour": "category"})


def problem_for(table: Table, weight: str | None = None) -> Problem:
    """Return the problem of a table of `table_of`."""
    task = None if isinstance(table.row(0)["y"], str) else "regression"
    return problem_of(table, target="y", recipe=cart(), features=["x", "colour"], weight=weight, task=task)


def dealt(rows: list[Row], n_folds: int, seed: int = 0, weights: list[float] | None = None) -> Counter[tuple[Row, int]]:
    """Return the weight that `folds_of` deals of each row to each fold."""
    table = table_of(rows, weights)
    folds = folds_of(table, problem_for(table, None if weights is None else "w"), n_folds, seed)
    amounts: Counter[tuple[Row, int]] = Counter()
    dealt_weights = np.ones(len(folds.numbers)) if folds.problem.weights is None else folds.problem.weights
    for row, number, weight in zip(folds.problem.rows, folds.numbers.tolist(), dealt_weights.tolist(), strict=True):
        amounts[rows[row], number] += weight
    return amounts


def is_divided(rows: list[Row], n_folds: int) -> dict[Row, bool]:
    """Return which rows may lie in several folds: of mixed targets, or all of a table of few distinct rows, or one."""
    distinct = set(rows)
    if len(distinct) == 1 or (len(distinct) < 5 * n_folds and len(rows) >= 5 * len(distinct)):
        return dict.fromkeys(distinct, True)
    targets = Counter((x, colour) for x, colour, _ in distinct)
    return {row: targets[row[:2]] > 1 for row in distinct}


def drawn_rows(values: st.SearchStrategy[Any], max_size: int = 30) -> st.SearchStrategy[list[Row]]:
    """Draw rows, many of which are copies, with missing cells and both zeros."""
    x = st.sampled_from([None, 0.0, -0.0, 1.0, 2.5, 3.0])
    return st.lists(st.tuples(x, st.sampled_from(["red", "blue", None]), values), min_size=2, max_size=max_size)


# ---- random folds


@pytest.mark.parametrize("values", [LABELS, NUMBERS])
@given(draw=st.data(), n_folds=st.integers(2, 6), seed=st.integers(0, 5))
def test_the_order_of_rows_does_not_change_their_folds(
    values: Any, draw: st.DataObject, n_folds: int, seed: int
) -> None:
    """Shuffled rows keep their folds; copies in different folds may swap."""
    rows = draw.draw(drawn_rows(values))
    n_folds = min(n_folds, len(rows))
    shuffled = draw.draw(st.permutations(rows))
    assert dealt(rows, n_folds, seed) == dealt(shuffled, n_folds, seed)


@pytest.mark.parametrize("values", [LABELS, NUMBERS])
@given(draw=st.data(), n_folds=st.integers(2, 6))
def test_copies_lie_in_one_fold_where_their_target_is_known_from_them(
    values: Any, draw: st.DataObject, n_folds: int
) -> None:
    """Rows of mixed targets, and rows of tables of few distinct ones, lie in all folds: evenly, up to one."""
    rows = draw.draw(drawn_rows(values))
    n_folds = min(n_folds, len(rows))
    amounts, divided = dealt(rows, n_folds), is_divided(rows, n_folds)
    n_dealt = 1 + max(fold for _, fold in amounts)
    for row, n in Counter(rows).items():
        own = sorted(amounts[row, fold] for fold in range(n_dealt))
        if divided[row]:
            assert own[-1] - own[0] <= 1
        else:
            assert own[-1] == n and not any(own[:-1])


@given(rows=drawn_rows(LABELS), n_folds=st.integers(2, 6), seed=st.integers(0, 5))
def test_folds_of_a_classification_are_stratified(rows: list[Row], n_folds: int, seed: int) -> None:
    """Of each class, and in all, folds have the same number of rows up to one; copies that stay together count once."""
    n_folds = min(n_folds, len(rows))
    divided = is_divided(rows, n_folds)
    counts: Counter[tuple[str, int]] = Counter()
    for (row, fold), amount in dealt(rows, n_folds, seed).items():
        counts[row[2], fold] += ceil(amount) if divided[row] else 1
    folds = range(1 + max(fold for _, fold in counts))
    of_classes = [[counts[label, fold] for fold in folds] for label in {row[2] for row in rows}]
    for sizes in [*of_classes, np.sum(of_classes, axis=0).tolist()]:
        assert max(sizes) - min(sizes) <= 1


def test_folds_of_a_regression_are_stratified() -> None:
    """Each fold has one of every interval of as many neighbouring targets as there are folds."""
    y = np.random.default_rng(2).permutation(40).astype(float)
    table = Table.from_columns({"x": y % 7, "y": y})
    folds = folds_of(table, problem_of(table, target="y", recipe=cart()), 5, 0)
    for start in range(0, 40, 5):
        inside = (start <= folds.problem.target) & (folds.problem.target < start + 5)
        assert sorted(folds.numbers[inside].tolist()) == [0, 1, 2, 3, 4]


def test_rows_with_mixed_targets_are_divided() -> None:
    """Copies of which a tenth has another label: folds that held all copies of a label would learn the opposite."""
    rows = [(float(x), "red", label) for x in range(40) for label in "aaaaaaaaab"]
    amounts = dealt(rows, 10)
    for fold in range(10):
        assert sum(amounts[row, fold] for row in set(rows) if row[2] == "a") == 36
        assert sum(amounts[row, fold] for row in set(rows) if row[2] == "b") == 4
        assert all(amounts[(float(x), "red", "a"), fold] <= 1 for x in range(40))


def test_a_table_of_few_distinct_rows_is_divided() -> None:
    """Of 4 distinct rows, 25 of each, every fold has 2 or 3 of each; otherwise no fold could be learned from."""
    rows = [(float(x), colour, f"{x > 1}{colour}") for x in (1, 2) for colour in ("red", "blue")] * 25
    amounts = dealt(rows, 10)
    assert {amounts[row, fold] for row in rows for fold in range(10)} == {2, 3}


@pytest.mark.parametrize("values", [LABELS, NUMBERS])
@given(draw=st.data(), n_folds=st.integers(2, 4), seed=st.integers(0, 3))
def test_a_row_of_weight_k_is_dealt_as_k_copies_are(values: Any, draw: st.DataObject, n_folds: int, seed: int) -> None:
    """The same weight of each row in each fold, whether rows are repeated or weigh; a row of weight 0 is nothing."""
    rows = draw.draw(drawn_rows(values, max_size=12))
    weights = draw.draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    assume(n_folds <= sum(weight > 0 for weight in weights))
    copies = [row for row, weight in zip(rows, weights, strict=True) for _ in range(weight)]
    assert dealt(rows, n_folds, seed, [float(weight) for weight in weights]) == dealt(copies, n_folds, seed)


@given(draw=st.data(), n_folds=st.integers(2, 4))
def test_fractions_of_weights_are_dealt_whole(draw: st.DataObject, n_folds: int) -> None:
    """No weight is lost or made when weighted rows are divided among folds, and each fold has some."""
    rows = draw.draw(drawn_rows(LABELS, max_size=12))
    n = len(rows)
    weights = draw.draw(st.lists(st.sampled_from([0.25, 0.5, 1.0, 1.75, 7.5]), min_size=n, max_size=n))
    amounts = dealt(rows, min(n_folds, n), weights=weights)
    whole: Counter[Row] = Counter()
    for row, weight in zip(rows, weights, strict=True):
        whole[row] += weight
    of_rows: Counter[Row] = Counter()
    for (row, _), amount in amounts.items():
        assert amount > 0
        of_rows[row] += amount
    assert of_rows == whole


@pytest.mark.parametrize("values", [LABELS, NUMBERS])
@given(draw=st.data(), n_folds=st.integers(2, 4))
def test_weights_and_repeated_rows_are_cross_validated_alike(values: Any, draw: st.DataObject, n_folds: int) -> None:
    """The same cp table; and the default recipe chooses the same tree, with the same estimated error."""
    rows = draw.draw(drawn_rows(values, max_size=12))
    assume(len(set(rows)) > 1)
    weights = draw.draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows)))
    n_folds = min(n_folds, len(rows))
    copies = table_of([row for row, weight in zip(rows, weights, strict=True) for _ in range(weight)])
    weighted = table_of(rows, [float(weight) for weight in weights])
    options: Any = {"target": "y", "features": ["x", "colour"]}
    options["task"] = "classification" if values is LABELS else "regression"
    one = cross_validate(weighted, folds=n_folds, weight="w", **options)
    two = cross_validate(copies, folds=n_folds, **options)
    for row, same in zip(one.rows, two.rows, strict=True):
        assert row.n_splits == same.n_splits
        for name in ("cp", "relative_error", "xerror", "xstd"):
            assert getattr(row, name) == pytest.approx(getattr(same, name), abs=1e-7)
    tree, other = learn(weighted, weight="w", **options), learn(copies, **options)
    assert (tree.n_leaves, tree.depth) == (other.n_leaves, other.depth)
    assert (tree.estimate is None) is (other.estimate is None)
    if tree.estimate is not None and other.estimate is not None:
        assert tree.estimate.n_folds == other.estimate.n_folds
        for name in ("training_error", "error", "standard_error", "baseline_error"):
            assert getattr(tree.estimate, name) == pytest.approx(getattr(other.estimate, name), abs=1e-9)


def test_another_seed_deals_other_folds() -> None:
    """The same seed gives the same folds; of five seeds at least two differ."""
    rows = [(float(x), "red", "ab"[x % 2]) for x in range(20)]
    assert dealt(rows, 4, 1) == dealt(rows, 4, 1)
    assert len({frozenset(dealt(rows, 4, seed).items()) for seed in range(5)}) > 1


def test_the_rows_that_are_held_out_are_all_rows_once() -> None:
    """Each fold is learned from the rows that it does not hold out."""
    rows = [(float(x), "red", "ab"[x % 2]) for x in range(23)]
    folds = dealt_folds(problem_for(table_of(rows)), 5)
    held_out = []
    for training, rest in folds.parts():
        assert sorted([*training, *rest]) == list(range(23))
        held_out += rest.tolist()
    assert folds.n == 5 and sorted(held_out) == list(range(23))


# ---- groups


@given(rows=drawn_rows(LABELS), n_folds=st.integers(2, 6), draw=st.data())
def test_rows_of_a_group_lie_in_one_fold(rows: list[Row], n_folds: int, draw: st.DataObject) -> None:
    """Groups are spread over the folds up to one, whatever the order of the rows, and a group is one unit."""
    labels = draw.draw(st.lists(st.sampled_from("stuvw"), min_size=len(rows), max_size=len(rows)))
    assume(len(set(labels)) > 1)
    order = draw.draw(st.permutations(range(len(rows))))
    found = []
    for at in (range(len(rows)), order):
        problem = problem_for(table_of([rows[row] for row in at]))
        own = np.array([labels[at[row]] for row in problem.rows])
        folds = folds_of_groups(problem, own, n_folds)
        own = np.array([labels[at[row]] for row in folds.problem.rows])
        assert len(set(folds.units.tolist())) == len(set(labels))
        found.append({(label, fold) for label, fold in zip(own.tolist(), folds.numbers.tolist(), strict=True)})
    assert found[0] == found[1] and len(found[0]) == len(set(labels))
    sizes = Counter(fold for _, fold in found[0])
    assert len(sizes) == min(n_folds, len(set(labels))) and max(sizes.values()) - min(sizes.values()) <= 1


def visits(n_patients: int = 12) -> Table:
    """Return visits of patients one after the other: x tells them apart, and their labels are random."""
    random = Random(1)
    labels = [random.choice("ab") for _ in range(n_patients)]
    rows = [
        {"x": patient + random.random() / 2, "z": random.random(), "patient": patient, "y": labels[patient]}
        for patient in range(n_patients)
        for _ in range(8)
    ]
    return Table.from_rows(rows)


def test_a_tree_that_knows_groups_by_heart_is_not_chosen() -> None:
    """Random folds find x good, though its values only name the patient; folds of patients show that it is not."""
    free = learn(visits(), target="y", drop=["patient"])
    tree = learn(visits(), target="y", groups="patient")
    assert free.estimate is not None and tree.estimate is not None
    assert "patient" not in tree.schema.indices
    assert free.estimate.error < 0.1 and free.n_leaves > 1
    assert tree.estimate.error > 0.3 and tree.estimate.n_folds == 10
    assert learn(visits(4), target="y", groups="patient").estimate.n_folds == 4  # type: ignore[union-attr]


def test_rows_that_are_left_out_need_no_group() -> None:
    """A row without a target is not learned from, so its group is of no account."""
    table = visits()
    rows = [{**row, "y": None, "patient": None} if at % 5 == 0 else row for at, row in enumerate(table.rows())]
    kept = [row for at, row in enumerate(table.rows()) if at % 5]
    tree = learn(Table.from_rows(rows), target="y", groups="patient", drop_missing_target=True)
    assert tree == learn(Table.from_rows(kept), target="y", groups="patient")


# ---- time


@given(rows=drawn_rows(LABELS), n_folds=st.integers(2, 6), draw=st.data())
def test_later_rows_are_predicted_from_earlier_ones(rows: list[Row], n_folds: int, draw: st.DataObject) -> None:
    """Every training row is earlier than every held-out one; all rows but the first fold's are held out once."""
    times = draw.draw(st.lists(st.integers(0, 9), min_size=len(rows), max_size=len(rows)))
    assume(len(set(times)) > 1)
    problem = problem_for(table_of(rows))
    moments = np.array(times)[problem.rows]
    folds = folds_in_time(problem, moments, n_folds)
    held_out = []
    for training, rest in folds.parts():
        assert len(training) and len(rest) and moments[training].max() < moments[rest].min()
        held_out += rest.tolist()
    assert 1 <= folds.n <= n_folds
    assert sorted(held_out) == np.flatnonzero(folds.numbers > 0).tolist()


def test_ten_equal_times_are_nine_folds_after_the_first() -> None:
    """10 moments of 3 rows, 9 folds: each moment after the first is predicted from all before it."""
    rows = [(float(x), "red", "ab"[x % 2]) for x in range(30)]
    problem = problem_for(table_of(rows))
    folds = folds_in_time(problem, np.arange(30)[problem.rows] // 3, 9)
    assert [(len(training), len(rest)) for training, rest in folds.parts()] == [(3 * at, 3) for at in range(1, 10)]


def test_a_tree_that_does_not_know_the_next_rows_is_not_trusted() -> None:
    """Random folds find x good, which tells the time; the next patient's label is not known from those before."""
    free = learn(visits(), target="y", drop=["patient"])
    tree = learn(visits(), target="y", time="patient")
    assert free.estimate is not None and tree.estimate is not None
    assert "patient" not in tree.schema.indices
    assert free.estimate.error < 0.1 and tree.estimate.error > 0.3


# ---- what is refused

TINY = Table.from_columns(
    {"x": [1.0, 2.0, 3.0], "g": ["s", "s", "s"], "h": [1, None, 2], "t": [4, 4, 4], "y": ["a", "b", "b"]}
)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"groups": "g"}, DataError, "all rows are of one group"),
        ({"groups": "h"}, ColumnError, "names no group in some rows"),
        ({"time": "t"}, DataError, "all rows are of one time"),
        ({"time": "h"}, ColumnError, "names no time in some rows"),
        ({"time": "x", "groups": "g"}, OptionError, "groups= or time=, one of them"),
        ({"groups": ["s", "s", "t"]}, OptionError, "the name of a column, or None"),
        ({"groups": "g", "recipe": cart()}, OptionError, "such as auto()"),
        ({"time": "t", "recipe": cart()}, OptionError, "such as auto()"),
    ],
)
def test_columns_that_give_no_folds_are_refused(options: Any, error: type[Exception], message: str) -> None:
    """The error says what the column lacks."""
    with pytest.raises(error) as caught:
        learn(TINY, **{"target": "y", **options})
    assert message in str(caught.value)


def test_labels_are_folds() -> None:
    """An array of labels, or a column of them, gives the folds as they are; equal rows are one unit."""
    table = Table.from_columns({"x": [1.0, 1.0, 2.0, 3.0], "f": ["s", "t", "s", "t"], "y": ["a", "a", "b", "b"]})
    problem = problem_of(table, target="y", recipe=cart(), features=["x"])
    for labels in ("f", ["s", "t", "s", "t"]):
        folds: Folds = folds_of(table, problem, labels, 0)
        assert folds.numbers[np.argsort(problem.rows)].tolist() == [0, 1, 0, 1]
        assert len(set(folds.units.tolist())) == 3
