"""Trees whose size is chosen by cross-validation: subtrees of the whole tree, whatever the order of the rows."""

from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from growing_cases import tables
from selection import few
from treerules import Kind, Table, Tree, auto, cart, cost_complexity_path, learn, predict, prune, relearn
from treerules.data.column import take_rows_of_columns
from treerules.errors import OptionError
from treerules.trees import tree_from_json, tree_to_json

LABELS = st.sampled_from(["p", "q", "q", "r"])
NUMBERS = st.integers(-9, 9).map(lambda y: y / 4)


def options_of(table: Table) -> dict[str, Any]:
    """Return the options to learn y from all other columns of a table, but those whose rare categories are joined."""
    features = [column.feature for column in table.columns[:-1]]
    names = [feature.name for feature in features if feature.kind is not Kind.CATEGORY or len(feature.categories) <= 10]
    assume(names)
    return {"target": "y", "features": names}


def rows_of_table(table: Table, rows: Any) -> Table:
    """Return some rows of a table."""
    return evolve(table, columns=take_rows_of_columns(table.columns, np.array(rows)))


def paths_of(tree: Tree) -> list[Any]:
    """Return the roots of the subtrees of a tree's cost-complexity paths, by each risk that may choose one."""
    risks = ("squared_error",) if tree.schema.is_regression else ("misclassification", "entropy")
    return [subtree.root for risk in risks for subtree in cost_complexity_path(tree, risk=risk).subtrees()]


@pytest.mark.parametrize("target", [LABELS, NUMBERS])
@given(draw=st.data())
def test_the_tree_is_a_subtree_of_the_whole_tree_on_its_path(target: Any, draw: st.DataObject) -> None:
    """Of cart()'s tree, with at least 5 rows a leaf in a regression; it has at most as many rules as are allowed."""
    table, most = draw.draw(tables(target)), draw.draw(st.integers(1, 6))
    tree = learn(table, recipe=auto(max_rules=most, folds=3), **options_of(table))
    whole = learn(
        table,
        recipe=cart(min_samples_leaf=5 if tree.schema.is_regression else 1, thresholds="short"),
        **options_of(table),
    )
    assert tree.root in paths_of(whole)
    assert tree.n_leaves <= most


@given(table=tables(LABELS), draw=st.data())
def test_so_it_is_with_validation_rows(table: Table, draw: st.DataObject) -> None:
    """The whole tree is then the one that cart() grows with the same validation rows."""
    rows = draw.draw(st.lists(st.integers(0, table.n_rows - 1), min_size=1, max_size=20))
    options = {**options_of(table), "validation": rows_of_table(table, rows)}
    assert learn(table, recipe=auto(folds=3), **options).root in paths_of(
        learn(table, recipe=cart(thresholds="short"), **options)
    )


@pytest.mark.parametrize("target", [LABELS, NUMBERS])
@given(draw=st.data())
def test_the_order_of_rows_changes_neither_tree_nor_estimate(target: Any, draw: st.DataObject) -> None:
    """Up to the rounding of sums in the estimate."""
    table = draw.draw(tables(target))
    order = draw.draw(st.permutations(range(table.n_rows)))
    one, other = (learn(each, **options_of(table)) for each in (table, rows_of_table(table, order)))
    assert one.root == other.root
    assert (one.estimate is None) is (other.estimate is None)
    if one.estimate is not None and other.estimate is not None:
        for name in ("training_error", "error", "standard_error", "baseline_error"):
            assert getattr(one.estimate, name) == pytest.approx(getattr(other.estimate, name), abs=1e-9)
        assert [size.n_rules for size in one.estimate.sizes] == [size.n_rules for size in other.estimate.sizes]


@pytest.mark.parametrize("target", [LABELS, NUMBERS])
@given(draw=st.data())
def test_training_and_baseline_errors_are_those_of_the_predictions(target: Any, draw: st.DataObject) -> None:
    """The mean error of the tree, and of its root alone, on the rows that it was learned from."""
    table = draw.draw(tables(target))
    tree = learn(table, **options_of(table))
    if tree.estimate is None:
        return
    y = np.array([table.row(row)["y"] for row in range(table.n_rows)])
    errors = []
    for each in (tree, prune(tree, "snip", node=0) if tree.n_leaves > 1 else tree):
        predicted = np.asarray(predict(each, table))
        errors.append(np.mean(np.square(predicted - y) if tree.schema.is_regression else predicted != y))
    assert (tree.estimate.training_error, tree.estimate.baseline_error) == pytest.approx(tuple(errors), abs=1e-9)
    sizes = [size.n_rules for size in tree.estimate.sizes]
    assert sizes == sorted(sizes) and sizes[0] == 1 and tree.n_leaves == tree.estimate.n_rules in sizes


@pytest.mark.parametrize("target", [LABELS, NUMBERS])
@given(draw=st.data())
def test_a_model_file_keeps_recipe_and_estimate(target: Any, draw: st.DataObject) -> None:
    """What is written reads back equal, and the same rows give the same file again."""
    table = draw.draw(tables(target))
    tree = learn(table, recipe=auto(folds=4, reduction_per_rule=0.002), **options_of(table))
    again = tree_from_json(tree_to_json(tree))
    assert (again, again.estimate, again.recipe) == (tree, tree.estimate, tree.recipe)
    assert tree_to_json(relearn(again, table)) == tree_to_json(tree)


def test_the_estimate_of_noise_promises_nothing_and_that_of_a_rule_is_right() -> None:
    """Labels by chance: as many errors as without a tree. Labels that x gives but for a tenth: one split, a tenth."""
    rng = np.random.default_rng(7)
    columns = {"x": rng.normal(size=400), "z": rng.normal(size=400)}
    by_chance = learn(Table.from_columns({**columns, "y": rng.choice(["a", "b"], 400)}), target="y").estimate
    assert by_chance is not None
    assert by_chance.error > by_chance.baseline_error - 2 * by_chance.standard_error
    label = np.where((columns["x"] > 0) ^ (rng.random(400) < 0.1), "a", "b")
    tree = learn(Table.from_columns({**columns, "y": label}), target="y")
    assert tree.n_leaves == 2 and tree.estimate is not None
    assert abs(tree.estimate.error - 0.1) < 3 * tree.estimate.standard_error
    assert 0.4 < tree.estimate.baseline_error < 0.5


@pytest.mark.parametrize("power", few([-500, -260, -9, 9, 260, 400, 500], 2))
def test_a_target_in_other_units_gives_the_same_tree(power: int) -> None:
    """A target times a power of two: with the same folds the same splits, and errors times its square."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=200)
    y = np.sign(x) + 0.3 * rng.normal(size=200)
    one, other = (
        learn(
            Table.from_columns({"x": x, "fold": np.arange(200) % 10, "y": np.ldexp(y, by)}), target="y", groups="fold"
        )
        for by in (0, power)
    )
    assert one.n_leaves == other.n_leaves == 2
    assert one.estimate is not None and other.estimate is not None
    for name in ("error", "standard_error", "training_error", "baseline_error"):
        assert getattr(other.estimate, name) == pytest.approx(
            np.ldexp(getattr(one.estimate, name), 2 * power), rel=1e-9, abs=0
        )


def test_costs_and_squared_errors_are_named() -> None:
    """The measure is that of the task and the recipe."""
    x = np.arange(60) / 7
    labels = Table.from_columns({"x": x, "y": np.where(x > 3, "a", "b")})
    measures = [
        learn(labels, target="y").estimate,
        learn(labels, target="y", recipe=auto(costs={("a", "b"): 2})).estimate,
    ]
    measures.append(learn(Table.from_columns({"x": x, "y": x * x}), target="y").estimate)
    assert [each.measure for each in measures if each is not None] == ["error", "cost", "squared error"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds": 1}, "a whole number from 2"),
        ({"folds": True}, "a whole number from 2"),
        ({"max_rules": 0}, "a whole number from 1"),
        ({"max_rules": 2.5}, "a whole number from 1"),
        ({"reduction_per_rule": -0.1}, "a number from 0, below 1, or None"),
        ({"reduction_per_rule": 1}, "a number from 0, below 1, or None"),
        ({"reduction_per_rule": float("nan")}, "a number from 0, below 1, or None"),
        ({"reduction_per_rule": "1"}, "a number from 0, below 1, or None"),
        ({"max_depth": -1}, "a whole number from 0"),
    ],
)
def test_choices_of_no_meaning_are_refused(options: Any, message: str) -> None:
    """The error says what is accepted."""
    with pytest.raises(OptionError, match=message):
        auto(**options)
