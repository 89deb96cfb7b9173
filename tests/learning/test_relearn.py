"""Learning again: the same data make the same tree, other data are told apart."""

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from published_tables import LOAN, rows_of, target_of
from strategies_random import columns
from treerules import Recipe, Table, Tree, c45, cart, id3, learn, prune, relearn
from treerules.errors import ColumnError, DataError, TreeRulesError, UnknownNameError
from treerules.pruning.pruner import NodeNumbers
from treerules.pruning.pruners import PRUNERS
from treerules.trees import tree_from_json, tree_to_json

Data = dict[str, list[Any]]
RECIPES: tuple[Callable[[], Recipe], ...] = (
    cart,
    c45,
    lambda: c45(quinlan=True),
    lambda: c45(quinlan=True, categories="grouped", missing="branch"),
    lambda: c45(confidence=0.1),
    lambda: cart(missing="branch", max_leaves=4, prefer=["flag"]),
    lambda: cart(class_weight="balanced", criterion="entropy"),
    lambda: cart(costs={("a", "b"): 3}, min_samples_leaf=2),
)
STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("cost_complexity", {"alpha": 0.25}),
    ("merge_equal_leaves", {}),
    ("pessimistic", {"confidence": 0.3, "limit": "binomial"}),
    ("minimum_error", {"m": 3}),
    ("penalised", {"alpha": 0.5, "base": "e"}),
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Draw a table with features, two or more classes y, a column of weights w and an ordinal."""
    data = draw(columns())
    n = len(next(iter(data.values())))
    labels = draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
    data |= {
        "flag": draw(st.lists(st.booleans(), min_size=n + 2, max_size=n + 2)),
        "size": ["S", "L", *draw(st.lists(st.sampled_from(("S", "M", "L", None)), min_size=n, max_size=n))],
    }
    data = {name: ([None, None, *cells] if len(cells) == n else cells) for name, cells in data.items()}
    data["y"] = ["a", "b", *labels]
    data["w"] = [*draw(st.lists(st.sampled_from((0.5, 1, 2, 0)), min_size=n + 1, max_size=n + 1)), 1]
    if data["w"][0] == 0:
        data["w"][0] = 1
    return Table.from_columns(data, types={"size": "ordinal:S<M<L"})


def assert_again(tree: Tree, table: Table, **options: Any) -> None:
    """Assert that the tree is learned again from the table: tree, notes, origin, and through JSON too."""
    again = relearn(tree, table, **options)
    assert again == tree
    assert again.origin == tree.origin
    assert again.notes == tree.notes
    assert tree_to_json(again) == tree_to_json(tree)
    kept = tree_from_json(tree_to_json(tree))
    assert kept.origin == tree.origin
    assert relearn(kept, table, **options) == tree


@given(table=tables(), draw=st.data())
def test_the_same_data_make_the_same_tree(table: Table, draw: st.DataObject) -> None:
    """Every recipe, with and without a column of weights, pruned by steps that need no table."""
    recipe = draw.draw(st.sampled_from(RECIPES))()
    options: Any = draw.draw(st.sampled_from(({"weight": "w"}, {"drop": ["w"]}, {})))
    tree = learn(table, target="y", recipe=recipe, **options)
    assert_again(tree, table)
    for method, choices in draw.draw(st.lists(st.sampled_from(STEPS), max_size=3)):
        tree = prune(tree, method, **choices)
    assert_again(tree, table)


@given(table=tables(), draw=st.data())
def test_the_same_regression_is_made_again(table: Table, draw: st.DataObject) -> None:
    """Means, of floats and of integers as target."""
    n = table.n_rows
    y = draw.draw(st.lists(draw.draw(st.sampled_from((st.floats(-9, 9), st.integers(-9, 9)))), min_size=n, max_size=n))
    data = {c.feature.name: [c.value(row) for row in range(n)] for c in table.columns if c.feature.name != "y"}
    table = Table.from_columns({**data, "y": y}, types={"size": "ordinal:S<M<L"})
    tree = learn(table, target="y", task="regression", weight=draw.draw(st.sampled_from(("w", None))), recipe=cart())
    assert_again(tree, table)
    assert_again(prune(tree, "cost_complexity", alpha=1.5), table)


@given(table=tables(), other=tables())
def test_a_tree_judged_by_other_rows_needs_them_again(table: Table, other: Table) -> None:
    """validation=: with the same table the same tree, with another one the data differ, without one an error."""
    names = [name for name in table.schema.indices if name not in ("y", "w") and name in other.schema.indices]
    drop = [name for name in table.schema.indices if name not in names and name not in ("y", "w")]
    tree = learn(table, target="y", weight="w", drop=drop, validation=other, recipe=cart())
    assert_again(tree, table, validation=other)
    with pytest.raises(DataError, match="was learned with a validation table; give the same here"):
        relearn(tree, table)
    strange = evolve(other, columns=[c for c in other.columns if c.feature.name != "w"])
    with pytest.raises(TreeRulesError):
        relearn(tree, table, validation=strange)
    with pytest.raises(DataError, match="was learned without a validation table"):
        relearn(learn(table, target="y", recipe=cart()), table, validation=other)


def test_a_tree_pruned_to_its_root_by_an_infinite_alpha() -> None:
    """alpha=inf is allowed, so the model file has to hold it."""
    assert_again(prune(TREE, "cost_complexity", alpha=math.inf), LOANS)


LOANS = Table.from_rows(rows_of(LOAN))
TREE = learn(LOANS, target=target_of(LOAN), recipe=id3())


def changed(row: int, name: str, value: Any) -> Table:
    """Return the loan table with one other cell."""
    rows = [dict(each) for each in rows_of(LOAN)]
    rows[row][name] = value
    return Table.from_rows(rows)


def test_other_data_are_told_apart() -> None:
    """One cell, one label, one row less or more: the error says that the data differ and what to do."""
    target = target_of(LOAN)
    first = rows_of(LOAN)[0]
    feature = next(name for name in first if name != target)
    other = next(row[feature] for row in rows_of(LOAN) if row[feature] != first[feature])
    label = next(row[target] for row in rows_of(LOAN) if row[target] != first[target])
    shuffled = Random(1).sample(rows_of(LOAN), len(rows_of(LOAN)))
    for table in (
        changed(0, feature, other),
        changed(0, feature, None),
        changed(0, target, label),
        Table.from_rows(rows_of(LOAN)[1:]),
        Table.from_rows([*rows_of(LOAN), first]),
    ):
        with pytest.raises(DataError) as caught:
            relearn(TREE, table)
        assert str(caught.value).startswith("the data differ: the tree was learned from 15 other rows")
        assert "anew=True" in str(caught.value)
        anew = relearn(TREE, table, anew=True)
        assert anew.recipe == TREE.recipe
        assert anew.origin != TREE.origin
        assert_again(anew, table)
    again = relearn(TREE, Table.from_rows(shuffled))  # the order of rows is nothing
    assert (again, again.origin) == (TREE, TREE.origin)


def test_columns_that_take_no_part_may_change() -> None:
    """The order of columns is nothing, nor are columns that the tree was not learned from."""
    rows = [{"new": at, **dict(reversed(row.items()))} for at, row in enumerate(rows_of(LOAN))]
    assert relearn(TREE, Table.from_rows(rows)) == TREE


def test_anew_from_rows_that_the_tree_cannot_hold() -> None:
    """Classes that it does not know, no class at all, a column that is not there."""
    target = target_of(LOAN)
    with pytest.raises(ColumnError, match="1 row of classes that the tree does not know; learn it anew"):
        relearn(TREE, changed(3, target, "?"), anew=True)
    with pytest.raises(DataError, match="has no row with a value"):
        relearn(TREE, Table.from_rows([{**row, target: None} for row in rows_of(LOAN)]), anew=True)
    with pytest.raises(TreeRulesError, match="年龄"):
        relearn(TREE, Table.from_rows([{k: v for k, v in row.items() if k != "年龄"} for row in rows_of(LOAN)]))


def test_weights_that_were_no_column_are_given_again() -> None:
    """An array of weights is not in the table, so it is asked for; other weights are other data."""
    weights = [1.0 + row % 3 for row in range(15)]
    tree = learn(LOANS, target=target_of(LOAN), recipe=c45(), weight=weights)
    assert relearn(tree, LOANS, weight=weights) == tree
    with pytest.raises(DataError, match="needs the case weights it was learned with; give weight= the array"):
        relearn(tree, LOANS)
    with pytest.raises(DataError, match="the data differ"):
        relearn(tree, LOANS, weight=[2.0] * 15)
    with pytest.raises(DataError, match="learned without an array of weights; leave weight out"):
        relearn(TREE, LOANS, weight=weights)


def test_a_column_of_weights_is_looked_for() -> None:
    """Its name is in the origin; a table without it lacks a column."""
    rows = [{**row, "w": 1 + at % 2} for at, row in enumerate(rows_of(LOAN))]
    tree = learn(Table.from_rows(rows), target=target_of(LOAN), recipe=id3(), weight="w")
    assert tree.origin is not None and tree.origin.weight == "w"
    assert relearn(tree, Table.from_rows(rows)) == tree
    with pytest.raises(UnknownNameError, match="no column named 'w'"):
        relearn(tree, LOANS)
    other = Table.from_rows([{**row, "w": 1} for row in rows])
    with pytest.raises(DataError, match="the data differ"):
        relearn(tree, other)


def test_a_tree_that_does_not_say_how_it_was_learned() -> None:
    """No origin, or no recipe: learn it anew."""
    for tree in (evolve(TREE, origin=None), evolve(TREE, recipe=None)):
        with pytest.raises(DataError, match="lacks its recipe or its origin; learn it anew"):
            relearn(tree, LOANS)


def test_a_pruning_that_needed_a_table_is_not_made_again() -> None:
    """The origin names the method; its table is not in the tree."""
    for pruned in (prune(TREE, "reduced_error", table=LOANS), prune(TREE, "pessimistic", table=LOANS)):
        with pytest.raises(DataError, match=r"pruned by .*, with a table that it does not hold"):
            relearn(pruned, LOANS)


def test_nodes_that_were_pruned_by_number_are_not_those_of_another_tree() -> None:
    """Node 1 of January is a cut of income, that of February one of years: the step is made again from January alone.

    Every method that takes numbers of nodes is refused, whichever options it has.
    """
    january = Table.from_columns({"income": [1, 2, 3, 4] * 5, "years": [0, 1] * 10, "y": list("aabb") * 5})
    february = Table.from_columns({"income": [1, 2, 3, 4] * 5, "years": [0, 1] * 10, "y": list("abab") * 5})
    by_number = [
        (name, option.name)
        for name, pruner in PRUNERS.items()
        for option in pruner.options
        if isinstance(option.values, NodeNumbers)
    ]
    assert ("snip", "node") in by_number
    for method, option in by_number:
        pruned = prune(learn(january, target="y", recipe=cart()), method, **{option: 0})
        assert relearn(pruned, january, anew=True) == pruned
        with pytest.raises(DataError, match=r"pruned by snip, by the numbers of nodes.*prune the new tree by its own"):
            relearn(pruned, february, anew=True)


def test_rows_without_a_target_are_dropped_again() -> None:
    """As they were when the tree was learned."""
    rows = [*rows_of(LOAN), {**rows_of(LOAN)[0], target_of(LOAN): None}]
    table = Table.from_rows(rows)
    tree = learn(table, target=target_of(LOAN), recipe=id3(), drop_missing_target=True)
    assert_again(tree, table)
    assert relearn(tree, LOANS) == tree


def test_progress_is_told_again() -> None:
    """As `learn` tells it."""
    heard: list[tuple[int, int]] = []
    relearn(TREE, LOANS, progress=lambda done, n: heard.append((done, n)))
    assert heard[-1] == (15, 15)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_decimals_in_a_column_of_integers_are_learned_as_they_are(task: str) -> None:
    """Learned anew from decimals, a tree is that which `learn` makes of them: neither features nor targets are cut."""
    whole = list(range(40))
    halves = [n + 0.5 for n in whole]
    y: list[list[Any]] = [["a" if n < 20 else "b" for n in whole]] * 2 if task == "classification" else [whole, halves]
    tree = learn(Table.from_columns({"x": whole, "y": y[0]}), target="y", recipe=cart(min_samples_leaf=5), task=task)
    table = Table.from_columns({"x": halves, "y": y[1]})
    assert relearn(tree, table, anew=True) == learn(table, target="y", recipe=cart(min_samples_leaf=5), task=task)
