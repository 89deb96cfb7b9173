"""Optimal trees: the cost of the tree equals that of the best of all trees, tried one by one."""

import random
from math import isclose
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from brute_force_trees import least_cost
from growing_cases import tables
from treerules import Recipe, Table, Tree, cart, learn, load, optimal, predict, relearn, save
from treerules.errors import OptionError
from treerules.growing.optimal import search
from treerules.learning import chosen_penalty
from treerules.trees import Leaf, leaves
from treerules.trees.cost_bounds import cost_text

LABELS = st.sampled_from(["p", "q", "q", "r"])
WEIGHTS = st.sampled_from([1, 1, 2, 3])


def features_of(table: Table) -> list[str]:
    """Return the names of all columns but the target, the last one."""
    return [column.feature.name for column in table.columns[:-1]]


def learned(table: Table, recipe: Recipe, **arguments: Any) -> Tree:
    """Return the tree of a table whose target is "y", from all its columns."""
    return learn(table, target="y", recipe=recipe, features=features_of(table), **arguments)


def some_rows(table: Table, n: int) -> Table:
    """Return the first rows of a table."""
    columns = {
        column.feature.name: [column.value(row) for row in range(min(n, table.n_rows))] for column in table.columns
    }
    types = {c.feature.name: str(c.feature.kind) for c in table.columns if not c.feature.categories}
    levels = {
        c.feature.name: "ordinal:" + "<".join(c.feature.categories)
        for c in table.columns
        if c.feature.kind == "ordinal"
    }
    return Table.from_columns(columns, types={**types, **levels})


def cost_of_tree(tree: Tree, table: Table, penalty: float, cost: Any) -> float:
    """Return the cost of a tree on a table, by its predictions: errors by `cost(row, prediction)`, and its leaves."""
    predictions = predict(tree, table)
    return sum(cost(row, value) for row, value in enumerate(predictions)) + penalty * tree.n_leaves


@given(
    table=tables(LABELS),
    depth=st.integers(0, 4),
    penalty=st.sampled_from([0, 0, 1, 2, 0.25]),
    least=st.sampled_from([1, 1, 2, 3]),
    costs=st.sampled_from([{}, {}, {("p", "q"): 3, ("q", "p"): 0, ("r", "q"): 0.5}]),
    class_weight=st.sampled_from([{}, {}, {"p": 2}]),
    data=st.data(),
)
def test_no_tree_costs_less(
    table: Table,
    depth: int,
    penalty: float,
    least: float,
    costs: dict[tuple[str, str], float],
    class_weight: dict[str, float],
    data: st.DataObject,
) -> None:
    """Numbers, dates, booleans, ordinals, categories, missing values; weights, costs, penalties, least rows."""
    table = some_rows(table, {4: 7, 3: 9}.get(depth, 14))
    labels = [table.column("y").value(row) for row in range(table.n_rows)]
    named = {pair: cost for pair, cost in costs.items() if set(pair) <= set(labels)}
    weighed = {label: weight for label, weight in class_weight.items() if label in labels}
    weights = data.draw(st.one_of(st.none(), st.lists(WEIGHTS, min_size=table.n_rows, max_size=table.n_rows)))
    recipe = optimal(
        max_depth=depth,
        leaf_penalty=penalty,
        min_samples_leaf=least,
        costs=named,
        class_weight=weighed,
        time_limit=None,
    )
    of_row = weights or [1] * table.n_rows

    def cost(row: int, label: Any) -> float:
        error = 0 if label == labels[row] else named.get((labels[row], label), 1)
        return of_row[row] * weighed.get(labels[row], 1) * error

    def leaf_cost(rows: Any) -> float:
        return min(sum(cost(row, label) for row in rows) for label in sorted(set(labels)))

    try:
        tree = learned(table, recipe, weight=weights)
    except OptionError as error:  # costs that make no error of the table cost anything
        assert error.option == "costs"
        return
    expected = least_cost(table, recipe, penalty=penalty, weights=of_row, leaf_cost=leaf_cost)
    assert tree.bounds is not None
    if expected == float("inf"):  # all rows together are too light for a leaf: the root alone is left
        expected = leaf_cost(range(table.n_rows)) + penalty
    assert tree.bounds.is_optimal
    assert isclose(tree.bounds.cost, expected)
    assert isclose(cost_of_tree(tree, table, penalty, cost), expected)
    assert tree.depth <= depth
    assert tree.n_leaves == 1 or all(leaf.n >= least for leaf in leaves(tree))


@given(
    table=tables(st.integers(-4, 4).map(float)),
    depth=st.integers(0, 3),
    least=st.sampled_from([1, 1, 2, 3]),
    weights=st.none() | st.lists(st.sampled_from([0.3, 1.0, 2.5]), min_size=20, max_size=20),
)
def test_no_regression_tree_has_a_smaller_squared_error(
    table: Table, depth: int, least: float, weights: list[float] | None
) -> None:
    """The same for means; squared errors are summed in doubles. With fractional weights leaves have as many rows."""
    table = some_rows(table, {3: 9}.get(depth, 14))
    of_row = [1.0] * table.n_rows if weights is None else [0.3, *weights][: table.n_rows]
    values = [table.column("y").value(row) for row in range(table.n_rows)]
    recipe = optimal(max_depth=depth, leaf_penalty=0.5, min_samples_leaf=least, time_limit=None)

    def leaf_cost(rows: Any) -> float:
        mean = sum(of_row[row] * values[row] for row in rows) / sum(of_row[row] for row in rows)
        return float(sum(of_row[row] * (values[row] - mean) ** 2 for row in rows))

    tree = learned(table, recipe, task="regression", weight=None if weights is None else of_row)
    expected = least_cost(table, recipe, penalty=0.5, weights=[1] * table.n_rows, leaf_cost=leaf_cost)
    if expected == float("inf"):
        expected = leaf_cost(range(table.n_rows)) + 0.5
    total = leaf_cost(range(table.n_rows)) + 0.5
    assert tree.bounds is not None
    assert isclose(tree.bounds.cost, expected, abs_tol=1e-8 * total)
    error = cost_of_tree(tree, table, 0.5, lambda row, value: of_row[row] * (value - values[row]) ** 2)
    assert isclose(error, expected, abs_tol=1e-8 * total)


@given(table=tables(LABELS), depth=st.integers(1, 3))
def test_the_greedy_tree_never_costs_less(table: Table, depth: int) -> None:
    """CART of the same depth and the same splits of categories."""
    labels = [table.column("y").value(row) for row in range(table.n_rows)]
    tree = learned(table, optimal(max_depth=depth, leaf_penalty=0, time_limit=None))
    greedy = learned(table, cart(categories="one_against_rest", max_depth=depth))
    errors = [cost_of_tree(each, table, 0, lambda row, label: label != labels[row]) for each in (tree, greedy)]
    assert errors[0] <= errors[1]


@given(table=tables(LABELS), seed=st.integers(0, 99))
def test_the_order_of_rows_does_not_change_the_tree(table: Table, seed: int) -> None:
    """Ties are decided by the columns and their values."""
    order = list(range(table.n_rows))
    random.Random(seed).shuffle(order)
    columns = {c.feature.name: [c.value(row) for row in order] for c in table.columns}
    types = {c.feature.name: str(c.feature.kind) for c in table.columns if not c.feature.categories}
    if "level" in columns:
        types["level"] = "ordinal:low<middle<high"
    recipe = optimal(max_depth=2, leaf_penalty=0, time_limit=None)
    assert learned(Table.from_columns(columns, types=types), recipe).root == learned(table, recipe).root


XOR = Table.from_columns(
    {"a": [0.0, 0.0, 1.0, 1.0] * 3, "b": [0.0, 1.0, 0.0, 1.0] * 3, "y": ["p", "q", "q", "p"] * 3},
    types={"a": "number", "b": "number"},
)


def test_a_tree_that_no_greedy_learner_finds() -> None:
    """Of "exclusive or" no single split reduces the error: CART keeps the root, the optimal tree errs never."""
    assert learned(XOR, cart()).n_leaves == 1
    tree = learned(XOR, optimal(max_depth=2, leaf_penalty=1))
    assert (tree.n_leaves, tree.bounds.cost) == (4, 4)
    # four leaves cost 4 x 3, a leaf alone 6 errors + 3
    assert learned(XOR, optimal(max_depth=2, leaf_penalty=3)).n_leaves == 1


class Clock:
    """A clock that moves on by a second whenever it is read."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        """Return the time."""
        self.time += 1.0
        return self.time


def noisy(n: int) -> Table:
    """Return a table whose classes depend on nothing."""
    draw = random.Random(3)
    columns: dict[str, list[Any]] = {name: [draw.random() for _ in range(n)] for name in "abc"}
    return Table.from_columns({**columns, "y": [draw.choice("pq") for _ in range(n)]})


def test_a_search_that_ends_early_says_what_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree is real and costs what it says; the bounds of longer searches are nearer to the optimum."""
    table = noisy(40)
    labels = [table.column("y").value(row) for row in range(40)]
    best = learned(table, optimal(max_depth=2, leaf_penalty=0, time_limit=None)).bounds
    assert best.is_optimal
    lower = []
    for seconds in (0.5, 8, 30):
        monkeypatch.setattr(search, "monotonic", Clock())
        tree = learned(table, optimal(max_depth=2, leaf_penalty=0, time_limit=seconds))
        bounds = tree.bounds
        assert bounds.lower <= best.cost <= bounds.cost
        assert cost_of_tree(tree, table, 0, lambda row, label: label != labels[row]) == bounds.cost
        assert ("not proved optimal" in tree.notes[-1]) is not bounds.is_optimal
        lower.append(bounds.lower)
    assert lower == sorted(lower)
    assert lower[0] < best.cost


def test_a_tree_that_is_not_proved_optimal_costs_no_more_than_the_greedy_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that ends at once finds little: CART's tree takes the place of its tree, and keeps the bound."""
    table = noisy(60)
    monkeypatch.setattr(search, "monotonic", Clock())
    tree = learned(table, optimal(max_depth=3, leaf_penalty=0, time_limit=0.5), compiled=False)
    greedy = learned(table, cart(categories="one_against_rest", max_depth=3))
    labels = [table.column("y").value(row) for row in range(60)]
    errors = [cost_of_tree(each, table, 0, lambda row, label: label != labels[row]) for each in (tree, greedy)]
    assert errors[0] <= errors[1]
    assert tree.bounds.cost == errors[0]


def test_a_gap_ends_the_search() -> None:
    """The tree costs at most that share more than the bound."""
    bounds = learned(noisy(24), optimal(max_depth=3, leaf_penalty=1, gap=0.6, time_limit=None)).bounds
    assert 0 < bounds.gap <= 0.6


def test_progress_tells_both_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lower bound rises, the cost falls."""
    calls: list[tuple[int, int]] = []
    monkeypatch.setattr(search, "_PAUSE", 0.0)
    learned(noisy(20), optimal(max_depth=3, leaf_penalty=0), progress=lambda *bounds: calls.append(bounds))
    lower, cost = zip(*calls, strict=True)
    assert list(lower) == sorted(lower)
    assert list(cost) == sorted(cost, reverse=True)
    assert all(low <= high for low, high in calls)


def test_the_penalty_is_chosen_by_cross_validation() -> None:
    """Noise gives one rule; a clear structure gives all its rules, and an estimate."""
    noise = learned(noisy(60), optimal(max_depth=2, folds=5))
    assert noise.n_leaves == 1
    draw = random.Random(4)
    rows = [(draw.random(), draw.random()) for _ in range(120)]
    labels = ["p" if (a > 0.5) == (b > 0.4) else "q" for a, b in rows]
    a, b = (list(column) for column in zip(*rows, strict=True))
    table = Table.from_columns({"a": a, "b": b, "y": labels})
    tree = learned(table, optimal(max_depth=2, folds=5))
    assert tree.n_leaves == 4
    assert tree.bounds.is_optimal
    assert tree.bounds.leaf_penalty > 0
    assert tree.estimate.error < 0.1
    assert tree.estimate.n_rules == 4
    assert relearn(tree, table) == tree
    assert learned(table, optimal(max_depth=2, folds=5, max_rules=2)).n_leaves <= 2


def test_without_time_to_choose_the_penalty_is_a_share_of_the_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is one for all searches together; the note says that nothing was chosen, and there is no estimate."""
    monkeypatch.setattr(chosen_penalty, "monotonic", Clock())
    tree = learned(noisy(60), optimal(max_depth=2, folds=5, time_limit=4))
    assert tree.estimate is None
    assert any("there was no time to choose it by cross-validation" in note for note in tree.notes)
    assert tree.bounds.leaf_penalty > 0


def test_a_model_file_holds_recipe_and_bounds(tmp_path: Any) -> None:
    """What is read back is equal, bounds too, which take no part in equality."""
    tree = learned(XOR, optimal(max_depth=2, leaf_penalty=0.25, time_limit=None, gap=0.1))
    save(tree, tmp_path / "xor.tree.json")
    again = load(tmp_path / "xor.tree.json")
    assert again == tree
    assert again.recipe == tree.recipe
    assert again.bounds == tree.bounds


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ({"max_depth": 6}, "max_depth"),
        ({"max_depth": True}, "max_depth"),
        ({"max_depth": None}, "max_depth"),
        ({"leaf_penalty": -1}, "leaf_penalty"),
        ({"leaf_penalty": "auto"}, "leaf_penalty"),
        ({"leaf_penalty": float("nan")}, "leaf_penalty"),
        ({"leaf_penalty": 1, "folds": 5}, "folds"),
        ({"time_limit": 0}, "time_limit"),
        ({"time_limit": "60"}, "time_limit"),
        ({"gap": 1}, "gap"),
        ({"gap": -0.1}, "gap"),
        ({"folds": 1}, "folds"),
    ],
)
def test_invalid_arguments_are_named(arguments: dict[str, Any], option: str) -> None:
    """The error names the argument."""
    with pytest.raises(OptionError) as caught:
        optimal(**arguments)
    assert caught.value.option == option


def test_options_of_growth_are_refused() -> None:
    """A recipe of the search has no use for them, so it does not take them in silence."""
    recipe = optimal(leaf_penalty=0)
    for option, value in (("min_gain", 0.1), ("monotone", {"a": 1}), ("max_leaves", 3), ("categories", "subset")):
        with pytest.raises(OptionError, match=option):
            evolve(recipe, **{option: value})
    with pytest.raises(OptionError, match="validation"):
        learned(XOR, recipe, validation=XOR)


def test_costs_that_are_no_whole_numbers_are_rounded() -> None:
    """The bounds say by how much; whole multiples of a decimal are not rounded."""
    third = learned(XOR, optimal(max_depth=2, leaf_penalty=0, class_weight={"p": 1 / 3}))
    assert 0 < third.bounds.rounding < 1e-9
    tenth = learned(XOR, optimal(max_depth=1, leaf_penalty=0, class_weight={"p": 0.1}))
    assert tenth.bounds.rounding == 0
    assert tenth.bounds.cost == pytest.approx(0.6)


def test_a_penalty_beyond_all_errors_gives_a_leaf() -> None:
    """The cost is told as it is, of a regression too."""
    bounds = learned(XOR, optimal(max_depth=2, leaf_penalty=1e300)).bounds
    assert (bounds.cost, bounds.rounding, bounds.is_optimal) == (1e300, 0, True)
    numbers = Table.from_columns({"x": [1.0, 2.0, 3.0], "y": [0.0, 0.0, 3.0]}, types={"x": "number", "y": "number"})
    bounds = learned(numbers, optimal(max_depth=2, leaf_penalty=100)).bounds
    assert (bounds.cost, bounds.leaf_penalty, bounds.is_optimal) == (pytest.approx(106), 100, True)


def test_the_penalty_of_a_regression_is_chosen_in_its_own_unit() -> None:
    """Squared errors of prices are large, and so is the price of a leaf."""
    draw = random.Random(6)
    x = [draw.random() for _ in range(90)]
    y = [1e7 * (value > 0.6) + 1e5 * draw.random() for value in x]
    tree = learned(Table.from_columns({"x": x, "y": y}), optimal(max_depth=1, folds=3), task="regression")
    assert tree.n_leaves == 2
    assert tree.bounds.leaf_penalty > 1e12
    assert tree.estimate.r2 > 0.99


def test_leaves_keep_fractional_weights() -> None:
    """The label of a leaf is that of its weights, not of their whole parts; leaves may weigh less than 1."""
    columns = {"x": ["u", "u", "v", "v"], "y": ["A", "B", "A", "B"]}
    table = Table.from_columns(columns)
    tree = learn(table, target="y", weight=[1.4, 1.9, 1.9, 1.4], recipe=optimal(max_depth=1, leaf_penalty=0))
    assert list(predict(tree, table)) == ["B", "B", "A", "A"]
    assert tree.bounds.cost == pytest.approx(2.8)
    light = learn(table, target="y", weight=[0.1, 0.2, 0.3, 0.1], recipe=optimal(max_depth=1, leaf_penalty=0))
    assert light.bounds.cost == pytest.approx(0.2)


@given(
    values=st.lists(st.integers(-30, 30).map(lambda n: n / 10), min_size=2, max_size=4),
    lengths=st.lists(st.integers(1, 6), min_size=4, max_size=4),
    penalty=st.sampled_from(["cv", 0, 1e-6]),
)
def test_a_step_function_is_learned_without_an_error(values: list[float], lengths: list[int], penalty: Any) -> None:
    """The squares of tenths do not cancel in doubles: no cost is below 0, and none is left without a penalty."""
    target = [value for value, n in zip(values, lengths, strict=False) for _ in range(n)]
    table = Table.from_columns({"x": list(range(len(target))), "y": target})
    recipe = optimal(max_depth=2, leaf_penalty=penalty)
    tree = learn(table, target="y", recipe=recipe, task="regression", features=["x"])
    assert tree.bounds is not None
    assert tree.bounds.cost >= tree.bounds.lower >= 0
    if penalty == 0:
        assert tree.bounds.cost == 0
        assert predict(tree, table).tolist() == pytest.approx(target)


def test_steps_of_tenths_have_an_estimate() -> None:
    """Three zeros and 0.1: the training error is a number from 0."""
    table = Table.from_columns({"x": [0, 1, 2, 3], "y": [0.0, 0.0, 0.0, 0.1]})
    tree = learn(table, target="y", recipe=optimal(), task="regression")
    assert tree.estimate is None or tree.estimate.training_error >= 0


def test_a_leaf_alone_is_a_tree() -> None:
    """One class, one row, one constant column: nothing to search."""
    one = Table.from_columns({"a": [1.0, 2.0, 3.0], "y": ["p", "p", "q"]})
    assert learned(one, optimal(max_depth=0, leaf_penalty=0)).n_leaves == 1
    constant = Table.from_columns({"a": [1.0, 1.0, 1.0], "y": ["p", "p", "q"]})
    tree = learned(constant, optimal(leaf_penalty=0))
    assert isinstance(tree.root, Leaf)
    assert tree.bounds.cost == 1
    single = Table.from_columns({"a": [1.0], "y": ["p"]})
    assert learned(single, optimal(leaf_penalty=2)).bounds.cost == 2


def test_the_note_on_the_cost_claims_no_more_than_is_proved() -> None:
    """1,234,567,898 rows are misclassified by a leaf alone, which costs 1: six digits would claim 101 more."""
    table = Table.from_columns({"x": [1, 1, 2], "y": ["a", "b", "b"], "w": [1234567898, 2000000000, 5]})
    tree = learn(table, target="y", weight="w", recipe=optimal(max_depth=3, leaf_penalty=1))
    assert "no tree of depth 3 or less costs less than 1234567899, with 1 for each leaf" in tree.notes[-1]


@given(cost=st.floats(0, 1e300) | st.integers(0, 2**60).map(float))
def test_a_cost_is_never_written_above_itself(cost: float) -> None:
    """As a number the text is at most the cost, near to it, and equal to it where it is a whole number."""
    assert cost * (1 - 1e-11) <= float(cost_text(cost)) <= cost
    if cost == int(cost) and cost <= 2**53:
        assert int(cost_text(cost)) == cost


def test_a_penalty_that_is_large_beside_the_weights_is_noted() -> None:
    """A penalty is measured in weight: scaled with the weights, the tree is the same; alone it leaves one leaf."""
    table = Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    whole, scaled, light = (
        learn(table, target="y", weight=[weight] * 4, recipe=optimal(max_depth=1, leaf_penalty=penalty))
        for weight, penalty in ((1, 0.5), (0.001, 0.0005), (0.001, 0.5))
    )
    assert [tree.n_leaves for tree in (whole, scaled, light)] == [2, 2, 1]
    is_noted = ["leaf_penalty counts weight" in " ".join(tree.notes) for tree in (whole, scaled, light)]
    assert is_noted == [False, False, True]
