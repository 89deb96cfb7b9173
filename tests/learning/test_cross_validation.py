"""Cross-validation and grids: rpart's published tables, and each fold learned, pruned and judged by hand."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, load_iris

from published_tables import rows_of, target_of
from selection import few
from strategies_random import columns
from treerules import (
    CrossValidation,
    Recipe,
    Table,
    c45,
    cart,
    compare_recipes,
    cross_validate,
    id3,
    learn,
    predict,
    prune,
)
from treerules.errors import ColumnError, DataError, OptionError, TreeRulesError, UnknownNameError

Data = dict[str, list[Any]]
Loss = Callable[[Any, Any], float]


# ---- rpart


def rounded(found: CrossValidation, digits: int = 10) -> list[tuple[float, ...]]:
    """Return cp, nsplit, relative error and xerror of each row."""
    return [
        (round(row.cp, digits), row.n_splits, round(row.relative_error, digits), round(row.xerror, digits))
        for row in found.rows
    ]


def test_the_cp_table_of_kyphosis() -> None:
    """rpart(Kyphosis ~ Age + Number + Start, minsplit 20, minbucket 7, cp .01, xval rep(1:9)): cp, errors, xerror."""
    table = Table.from_rows(rows_of("rpart_kyphosis"))
    recipe = cart(min_samples_split=20, min_samples_leaf=7)
    folds = [row % 9 + 1 for row in range(table.n_rows)]
    found = cross_validate(table, target=target_of("rpart_kyphosis"), recipe=recipe, folds=folds, cp=0.01)
    assert rounded(found) == [
        (0.1764705882, 0, 1.0, 1.0),
        (0.0196078431, 1, 0.8235294118, 1.0588235294),
        (0.01, 4, 0.7647058824, 1.0588235294),
    ]
    assert found.root_risk == 17
    assert found.n_folds == 9
    assert found.row("min").n_splits == found.row("1se").n_splits == 0
    assert found.chosen("min").n_leaves == 1


def test_the_cp_table_of_iris() -> None:
    """rpart(Species ~ ., minsplit 2, minbucket 1, cp 0, xval rep(1:10)); the smallest tree within one error has 3."""
    loaded = load_iris()
    table = Table.from_columns({f"x{at}": column for at, column in enumerate(loaded.data.T)} | {"y": loaded.target})
    folds = [row % 10 + 1 for row in range(150)]
    found = cross_validate(table, target="y", recipe=cart(), folds=folds)
    assert rounded(found) == [
        (0.5, 0, 1.0, 1.0),
        (0.44, 1, 0.5, 0.5),
        (0.02, 2, 0.06, 0.1),
        (0.01, 3, 0.04, 0.1),
        (0.005, 6, 0.01, 0.06),
        (0.0, 8, 0.0, 0.07),
    ]
    assert found.row("min").n_splits == 6
    assert found.row("1se") is next(row for row in found.rows if row.xerror <= 0.06 + found.rows[4].xstd)
    assert found.chosen("min").n_leaves == 7


# ---- by hand


def zero_one(true: Any, said: Any) -> float:
    """Return 1 where a label is wrong."""
    return float(true != said)


def squared(true: Any, said: Any) -> float:
    """Return the squared error."""
    return (true - said) ** 2


def table_of(data: Data, rows: Sequence[int] | None = None) -> Table:
    """Return a drawn table, or some rows of it, of the kinds that the columns' names tell."""
    kinds = {"number": "number", "integer": "integer", "flag": "boolean", "colour": "category", "z": "integer"}
    cells = data if rows is None else {name: [column[row] for row in rows] for name, column in data.items()}
    return Table.from_columns(cells, types={name: kind for name, kind in kinds.items() if name in data})


def by_hand(
    data: Data, recipe: Recipe, folds: Sequence[int], alphas: Sequence[float | None], loss: Loss, **options: Any
) -> list[list[float]]:
    """Return the loss of every row for each alpha: learned without its fold, pruned at the alpha (None: not), judged.

    Alphas are those of all rows, so a fold's are less by its share of the weight.
    """
    n = len(data["y"])
    weights = options.pop("weights", None) or [1.0] * n
    losses = [[0.0] * n for _ in alphas]
    for fold in sorted(set(folds)):
        kept = [row for row in range(n) if folds[row] != fold]
        out = [row for row in range(n) if folds[row] == fold]
        held = [weights[row] for row in kept]
        tree = learn(table_of(data, kept), target="y", recipe=recipe, weight=held, **options)
        for at, alpha in enumerate(alphas):
            share = sum(held) / sum(weights)
            cut = tree if alpha is None else prune(tree, "cost_complexity", alpha=alpha * share)
            for row, said in zip(out, predict(cut, table_of(data, out)).tolist(), strict=True):
                losses[at][row] = loss(data["y"][row], said)
    return losses


def assert_by_hand(found: CrossValidation, data: Data, recipe: Recipe, folds: Any, loss: Loss, **options: Any) -> None:
    """Assert every row of a cp table: its relative error by pruning the whole tree, xerror and xstd fold by fold."""
    weights = options.get("weights") or [1.0] * len(data["y"])
    alphas = [row.alpha for row in found.rows]
    between = [10 * alphas[0], *(sqrt(a * b) for a, b in pairwise(alphas))]
    scale = found.root_risk or 1.0
    n = sum(weights)
    rows_per_weight = 1.0 if all(weight == int(weight) for weight in weights) else len(weights) / n
    for row, losses in zip(found.rows, by_hand(data, recipe, folds, between, loss, **options), strict=True):
        total = sum(w * each for w, each in zip(weights, losses, strict=True))
        square = sum(w * each * each for w, each in zip(weights, losses, strict=True))
        assert row.xerror == pytest.approx(total / scale, rel=1e-9, abs=1e-12)
        xstd = sqrt(max(square - total * total / n, 0.0) / rows_per_weight) / scale
        assert row.xstd == pytest.approx(xstd, rel=1e-6, abs=1e-7)
        pruned = prune(found.tree, "cost_complexity", alpha=row.alpha)
        assert row.n_splits == pruned.n_leaves - 1
        said = predict(pruned, table_of(data)).tolist()
        risk = sum(w * loss(y, each) for w, y, each in zip(weights, data["y"], said, strict=True))
        assert row.relative_error == pytest.approx(risk / scale, rel=1e-9, abs=1e-12)


@st.composite
def problems(draw: st.DrawFn, values: st.SearchStrategy[Any], n_folds: int = 3) -> tuple[Data, list[int]]:
    """Draw a table with a target y, and fold numbers such that every class comes up outside each fold."""
    data = draw(columns(max_rows=14))
    n = len(next(iter(data.values())))
    data["z"] = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    data["y"] = draw(st.lists(values, min_size=n, max_size=n))
    folds = draw(st.lists(st.integers(0, n_folds - 1), min_size=n, max_size=n))
    held = sorted(set(data["y"]))
    more = [(y, fold) for y in (held if len(held) <= 3 else held[:1]) for fold in (0, 1)]
    for name, cells in data.items():
        cells += [y for y, _ in more] if name == "y" else [cells[0]] * len(more)
    return data, [*folds, *(fold for _, fold in more)]


@pytest.mark.parametrize("missing", ["larger", "learned", "branch"])
@given(drawn=problems(st.sampled_from("abc")), draw=st.data())
def test_every_row_of_a_cp_table_is_found_by_hand(missing: Any, drawn: Any, draw: st.DataObject) -> None:
    """Learn without the fold, prune at the geometric mean of two cps, predict the fold: classes, also weighted."""
    data, folds = drawn
    n = len(folds)
    weights = draw.draw(st.one_of(st.none(), st.lists(st.sampled_from((0.5, 1.0, 2.0)), min_size=n, max_size=n)))
    recipe = cart(missing=missing, min_samples_leaf=draw.draw(st.sampled_from((1, 2))))
    features = [name for name in data if name != "y"]
    found = cross_validate(table_of(data), target="y", recipe=recipe, folds=folds, features=features, weight=weights)
    assert found.n_folds == len(set(folds))
    assert_by_hand(found, data, recipe, folds, zero_one, features=features, weights=weights)


@given(drawn=problems(st.integers(-9, 9).map(lambda y: y / 4)), draw=st.data())
def test_every_row_of_a_regressions_cp_table_is_found_by_hand(drawn: Any, draw: st.DataObject) -> None:
    """The same with squared errors."""
    data, folds = drawn
    n = len(folds)
    weights = draw.draw(st.one_of(st.none(), st.lists(st.sampled_from((0.5, 1.0, 2.0)), min_size=n, max_size=n)))
    features = [name for name in data if name != "y"]
    found = cross_validate(table_of(data), target="y", folds=folds, features=features, weight=weights)
    assert_by_hand(found, data, cart(), folds, squared, features=features, weights=weights)


@pytest.mark.parametrize("choice", ["balanced", "priors", "costs"])
@given(drawn=problems(st.sampled_from("abc")), draw=st.data())
def test_classes_weigh_in_every_fold_as_in_the_whole_table(choice: str, drawn: Any, draw: st.DataObject) -> None:
    """class_weight="balanced" and priors are those of all rows: by hand, the factors as a mapping."""
    data, folds = drawn
    n, held = len(folds), sorted(set(data["y"]))
    share = {label: data["y"].count(label) / n for label in held}
    prior = {label: draw.draw(st.integers(1, 5)) for label in held}
    costs = {(a, b): draw.draw(st.integers(1, 4)) for a in held for b in held if a != b}
    factors = dict.fromkeys(held, 1.0)
    if choice == "balanced":
        recipe, factors = cart(class_weight="balanced"), {label: 1 / len(held) / share[label] for label in held}
    elif choice == "priors":
        recipe = cart(priors=prior)
        factors = {label: prior[label] / sum(prior.values()) / share[label] for label in held}
    else:
        recipe = cart(costs=costs)
    theirs = evolve(recipe, priors={}, class_weight={} if choice == "costs" else factors)

    def loss(true: Any, said: Any) -> float:
        return factors[true] * (costs[true, said] if choice == "costs" else 1.0) if true != said else 0.0

    features = [name for name in data if name != "y"]
    found = cross_validate(table_of(data), target="y", recipe=recipe, folds=folds, features=features)
    assert_by_hand(found, data, theirs, folds, loss, features=features)


def test_a_turn_at_the_very_alpha_is_taken_in_the_folds_too() -> None:
    """Where a fold's own alpha is the judged one but for rounding, its tree is pruned there, as `prune` would."""
    flag = [None, *[False] * 5, None, False, False, *[None] * 7]
    colour = ["red", "red", "red", "green", None, None, None, "red", None, None, *["red"] * 6]
    data = {"flag": flag, "colour": colour, "y": list("aacbabccbaaabbcc")}
    folds = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0, 1]
    factors = {"a": 4 / 3, "b": 1.2, "c": 0.4}

    def loss(true: Any, said: Any) -> float:
        return factors[true] if true != said else 0.0

    recipe = cart(class_weight=factors)
    found = cross_validate(table_of(data), target="y", recipe=recipe, folds=folds)
    assert_by_hand(found, data, recipe, folds, loss)


@pytest.mark.large
def test_one_row_left_out_at_a_time() -> None:
    """folds=n: every row is a fold of its own, so chance decides nothing; a regression and classes."""
    random = np.random.default_rng(0)
    x, noise = random.integers(0, 9, 25), random.normal(size=25)
    numbers: Data = {"z": x.tolist(), "number": noise.tolist(), "y": (x + noise).round(2).tolist()}
    labels: Data = {**numbers, "y": ["ab"[int(value > 4)] for value in numbers["y"]]}
    for data, loss in ((numbers, squared), (labels, zero_one)):
        found = cross_validate(table_of(data), target="y", folds=25, seed=3)
        assert found.n_folds == 25
        assert found.rows == cross_validate(table_of(data), target="y", folds=range(25)).rows
        assert_by_hand(found, data, cart(), range(25), loss)


def test_a_tree_that_was_learned_is_cross_validated() -> None:
    """tree=: its recipe, target and features are taken, and its column of weights; the rows are those of learning."""
    rows = [{**row, "w": 1 + at % 3} for at, row in enumerate(rows_of("rpart_kyphosis"))]
    table = Table.from_rows(rows)
    recipe = cart(min_samples_leaf=3)
    options: Any = {"target": "Kyphosis", "recipe": recipe, "weight": "w", "drop": ["Number"]}
    tree = learn(table, **options)
    found = cross_validate(table, tree=tree, folds=5)
    assert found.tree == tree
    assert found.rows == cross_validate(table, folds=5, **options).rows


def test_cheap_splits_are_left_out_by_cp() -> None:
    """cp=: the same rows as without it, down to the first that is not above it, which has that cp."""
    loaded = load_diabetes()
    table = Table.from_columns({f"x{at}": column for at, column in enumerate(loaded.data.T[:5])} | {"y": loaded.target})
    recipe = cart(min_samples_leaf=10)
    folds = [row % 5 for row in range(table.n_rows)]
    whole = cross_validate(table, target="y", recipe=recipe, folds=folds, task="regression")
    some = cross_validate(table, target="y", recipe=recipe, folds=folds, task="regression", cp=0.01)
    above = [row for row in whole.rows if row.cp > 0.01]
    for row, same in zip(some.rows[:-1], above, strict=True):  # sums may be rounded otherwise
        assert evolve(row, xerror=0.0, xstd=0.0) == evolve(same, xerror=0.0, xstd=0.0)
        assert (row.xerror, row.xstd) == pytest.approx((same.xerror, same.xstd), rel=1e-12)
    assert some.rows[-1].cp == 0.01
    assert some.rows[-1].n_splits == whole.rows[len(above)].n_splits
    assert some.rows[-1].relative_error == whole.rows[len(above)].relative_error
    assert some.chosen("min").n_leaves == some.row("min").n_splits + 1


# ---- folds


@given(drawn=problems(st.sampled_from("abc"), 4), seed=st.integers(0, 2**32))
def test_names_of_folds_and_the_order_of_rows_are_nothing(drawn: Any, seed: int) -> None:
    """Folds under other labels (numbers, text), and rows shuffled with their folds: the same table."""
    data, folds = drawn
    random = Random(seed)
    names = random.sample(["x", "y", "z", "w"], 4)
    order = random.sample(range(len(folds)), len(folds))
    shuffled = {name: [cells[row] for row in order] for name, cells in data.items()}
    found = cross_validate(table_of(data), target="y", folds=folds)
    assert cross_validate(table_of(data), target="y", folds=[names[fold] for fold in folds]).rows == found.rows
    assert cross_validate(table_of(shuffled), target="y", folds=[folds[row] for row in order]).rows == found.rows


@given(drawn=problems(st.integers(-9, 9).map(lambda y: y / 4)), seed=st.integers(0, 2**32))
def test_the_order_of_a_regressions_rows_is_nothing(drawn: Any, seed: int) -> None:
    """To the last digits, in which sums of losses are rounded."""
    data, folds = drawn
    order = Random(seed).sample(range(len(folds)), len(folds))
    shuffled = {name: [cells[row] for row in order] for name, cells in data.items()}
    found, other = (
        cross_validate(table_of(each), target="y", folds=labels)
        for each, labels in ((data, folds), (shuffled, [folds[row] for row in order]))
    )
    assert [row.alpha for row in found.rows] == [row.alpha for row in other.rows]
    for one, two in zip(found.rows, other.rows, strict=True):
        assert one.xerror == pytest.approx(two.xerror, rel=1e-12)
        assert one.xstd == pytest.approx(two.xstd, rel=1e-9, abs=1e-9)


@given(drawn=problems(st.sampled_from("abc")), n_folds=st.integers(2, 6), seed=st.integers(0, 5))
def test_dealt_folds_follow_the_rows(drawn: Any, n_folds: int, seed: int) -> None:
    """Shuffled rows are cross-validated with the same folds: the same table."""
    data, _ = drawn
    n = len(data["y"])
    order = Random(seed).sample(range(n), n)
    shuffled = {name: [cells[row] for row in order] for name, cells in data.items()}
    options: Any = {"target": "y", "folds": min(n_folds, n), "seed": seed}
    found, other = (cross_validate(table_of(each), **options) for each in (data, shuffled))
    assert found.rows == other.rows


def kyphosis(**options: Any) -> CrossValidation:
    """Return the cp table of kyphosis."""
    return cross_validate(Table.from_rows(rows_of("rpart_kyphosis")), target="Kyphosis", **options)


def test_the_seed_alone_decides_what_chance_decides() -> None:
    """The same seed gives the same table, another one other folds."""
    assert kyphosis(seed=1).rows == kyphosis(seed=1).rows
    assert len({tuple(row.xerror for row in kyphosis(seed=seed).rows) for seed in range(5)}) > 1


@pytest.mark.large
def test_folds_side_by_side_are_folds_one_by_one() -> None:
    """processes=2 gives the same table; progress hears every fold."""
    heard: list[tuple[int, int]] = []
    both = kyphosis(folds=4, processes=2, progress=lambda done, n: heard.append((done, n)))
    assert both.rows == kyphosis(folds=4).rows
    assert heard == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_column_of_folds_is_no_feature() -> None:
    """folds="fold": it takes no part in the trees, whether kept or declared; its labels may be text."""
    rows = rows_of("rpart_kyphosis")
    marked = Table.from_rows([{**row, "fold": f"f{at % 9}"} for at, row in enumerate(rows)])
    found = cross_validate(marked, target="Kyphosis", folds="fold")
    assert "fold" not in found.tree.schema.indices
    assert found.rows == kyphosis(folds=[at % 9 for at in range(81)]).rows
    compared = compare_recipes(marked, [cart(max_depth=2)], target="Kyphosis", folds="fold")
    assert (
        compared.rows
        == compare_recipes(
            Table.from_rows(rows), [cart(max_depth=2)], target="Kyphosis", folds=[at % 9 for at in range(81)]
        ).rows
    )


# ---- choosing


def test_rules_are_what_they_say() -> None:
    """min: least xerror, the smallest tree on ties; 1se: the smallest within one standard error of it."""
    found = kyphosis(recipe=cart(min_samples_leaf=3), folds=5)
    assert len(found.rows) > 3
    for errors in ([1.0, 0.8, 0.6, 0.6, 0.7], [0.5, 0.5, 0.5, 0.9, 0.9], [1.0, 0.71, 0.5, 0.8, 0.9]):
        rows = [
            evolve(found.rows[at % len(found.rows)], xerror=error, xstd=0.2, n_splits=at)
            for at, error in enumerate(errors)
        ]
        made = evolve(found, rows=rows)
        assert made.row("min").n_splits == errors.index(min(errors))
        within = [at for at, error in enumerate(errors) if error <= min(errors) + 0.2 + 1e-12]
        assert made.row("1se").n_splits == made.row().n_splits == within[0]
    for rule in ("min", "1se"):
        tree = found.chosen(rule)  # type: ignore[arg-type]
        assert tree == prune(found.tree, "cost_complexity", alpha=found.row(rule).alpha)  # type: ignore[arg-type]
        assert tree.n_leaves == found.row(rule).n_splits + 1  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="no rule named '2se'"):
        found.row("2se")  # type: ignore[arg-type]


def test_cps_fall_and_trees_are_nested() -> None:
    """From the root alone, with relative error 1, to the whole tree."""
    found = kyphosis(recipe=cart(), folds=5)
    assert all(a.cp > b.cp and a.n_splits < b.n_splits for a, b in pairwise(found.rows))
    assert all(a.relative_error >= b.relative_error for a, b in pairwise(found.rows))
    assert (found.rows[0].n_splits, found.rows[0].relative_error) == (0, 1.0)
    assert repr(found) == f"<CrossValidation rows={len(found.rows)} folds=5>"


# ---- the ends


def test_one_class_and_one_target() -> None:
    """Nothing to gain: one row, no error, nothing divided by zero."""
    for y in (["a"] * 6, [2.5] * 6):
        found = cross_validate(Table.from_columns({"x": [1.0, 2.0, 3.0, 1.0, 2.0, 3.0], "y": y}), target="y", folds=3)
        (row,) = found.rows
        assert (row.cp, row.alpha, row.n_splits, row.relative_error, row.xerror, row.xstd) == (0, 0, 0, 0, 0, 0)
        assert found.root_risk == 0
        assert found.chosen().n_leaves == 1


@pytest.mark.parametrize("y", ["a", 2.5])
def test_copies_of_one_row(y: Any) -> None:
    """A row is predicted from its copies where the table has no other rows: without error."""
    table = Table.from_columns({"x": [1.0] * 4, "y": [y] * 4})
    found = cross_validate(table, target="y", folds=2, task=None if y == "a" else "regression")
    assert [(row.xerror, row.n_splits) for row in found.rows] == [(0, 0)]
    (row,) = compare_recipes(table, [cart()], target="y", folds=2).rows
    assert row.error == 0


@pytest.mark.parametrize("folds", [2, 3])
def test_one_row_of_each_class(folds: int) -> None:
    """What a fold holds out no other row has: all are wrong, whatever the tree; the root's risk is two of three."""
    table = Table.from_columns({"x": [1.0, 2.0, 4.0], "y": ["a", "b", "c"]})
    found = cross_validate(table, target="y", folds=folds)
    assert [row.xerror for row in found.rows] == pytest.approx([3 / 2] * len(found.rows))
    assert found.root_risk == 2


def test_two_rows() -> None:
    """The least that can be cross-validated: each is predicted by the other."""
    found = cross_validate(
        Table.from_columns({"x": [1.0, 2.0], "y": [0.0, 1.0]}), target="y", folds=2, task="regression"
    )
    assert [row.xerror for row in found.rows] == pytest.approx([4.0, 4.0])  # 1 each, beside a quarter each


SMALL = Table.from_columns({"x": [1.0, 2.0, 3.0], "h": [1, None, 2], "y": ["a", "b", "b"]})


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"folds": 1}, OptionError, "a number from 2 to 3, the number of rows"),
        ({"folds": 4}, OptionError, "a number from 2 to 3, the number of rows"),
        ({"folds": True}, OptionError, "a number, the name of a column, or an array of labels"),
        ({"folds": None}, OptionError, "a number, the name of a column, or an array of labels"),
        ({"folds": "hh"}, UnknownNameError, "did you mean 'h'"),
        ({"folds": "h"}, ColumnError, "names no fold in some rows"),
        ({"folds": [1, None, 2]}, ColumnError, "names no fold in some rows"),
        ({"folds": [1, 2]}, DataError, "2 fold labels are given for 3 rows"),
        ({"folds": [1, 1, 1]}, OptionError, "labels of at least two folds"),
        ({"folds": "y"}, OptionError, "other columns than the target"),
        ({"folds": 2, "cp": 1}, OptionError, "a number from 0, below 1"),
        ({"folds": 2, "cp": -0.1}, OptionError, "a number from 0, below 1"),
        ({"folds": 2, "cp": True}, OptionError, "a number from 0, below 1"),
        ({"folds": 2, "seed": -1}, OptionError, "a whole number from 0"),
        ({"folds": 2, "seed": 0.5}, OptionError, "a whole number from 0"),
        ({"folds": 2, "processes": 0}, OptionError, "a whole number from 1"),
        ({"folds": 2, "processes": 2.0}, OptionError, "a whole number from 1"),
        ({"folds": 2, "target": "yy"}, UnknownNameError, "did you mean 'y'"),
    ],
)
def test_what_cannot_be_cross_validated_is_refused(options: Any, error: type[TreeRulesError], message: str) -> None:
    """The error says what to give."""
    with pytest.raises(error) as caught:
        cross_validate(SMALL, **{"target": "y", **options})
    assert message in str(caught.value)


# ---- grids


@given(drawn=problems(st.sampled_from("abc")), draw=st.data())
def test_a_grid_is_found_by_hand(drawn: Any, draw: st.DataObject) -> None:
    """Every recipe's error: learn without the fold, predict the fold; with its standard error and training error."""
    data, folds = drawn
    n = len(folds)
    weights = draw.draw(st.one_of(st.none(), st.lists(st.sampled_from((0.5, 1.0, 2.0)), min_size=n, max_size=n)))
    recipes = {"deep": cart(), "stump": cart(max_depth=1), "entropy": cart(criterion="entropy", missing="branch")}
    features = [name for name in data if name != "y"]
    found = compare_recipes(table_of(data), recipes, target="y", folds=folds, features=features, weight=weights)
    assert [row.name for row in found.rows] == list(recipes)
    assert found.n_folds == len(set(folds))
    w = np.array(weights or [1.0] * n)
    for row in found.rows:
        (losses,) = by_hand(data, row.recipe, folds, [None], zero_one, features=features, weights=weights)
        error = float(w @ losses / w.sum())
        assert row.error == pytest.approx(error, rel=1e-9)
        rows = w.sum() if (w % 1 == 0).all() else n
        assert row.standard_error == pytest.approx(sqrt(max(0, error * (1 - error)) / rows), rel=1e-6, abs=1e-7)
        tree = learn(table_of(data), target="y", recipe=row.recipe, features=features, weight=weights)
        wrong = [float(a != b) for a, b in zip(predict(tree, table_of(data)), data["y"], strict=True)]
        assert row.training_error == pytest.approx(float(w @ wrong / w.sum()), rel=1e-9)
        assert (row.n_leaves, row.depth) == (tree.n_leaves, tree.depth)
    assert found.best == min(found.rows, key=lambda row: row.error)


def test_a_grid_of_regressions_has_mean_squared_errors() -> None:
    """And their standard errors, by the definition."""
    loaded = load_diabetes()
    data: Data = {"number": loaded.data[:, 2].tolist(), "z": (loaded.data[:, 8] * 100).astype(int).tolist()}
    data["y"] = loaded.target.tolist()
    folds = [row % 4 for row in range(len(data["y"]))]
    for row in compare_recipes(
        table_of(data), [cart(max_depth=2), cart(max_depth=4)], target="y", folds=folds, task="regression"
    ).rows:
        (losses,) = by_hand(data, row.recipe, folds, [None], squared, task="regression")
        assert row.error == pytest.approx(np.mean(losses))
        assert row.standard_error == pytest.approx(np.std(losses) / sqrt(len(losses)))


def test_all_recipes_are_judged_on_the_same_folds() -> None:
    """Alone or among others, a recipe has the same error: also c45, which orders rows in its own way."""
    rows = [{**row, "Age": None if at % 5 == 0 else row["Age"]} for at, row in enumerate(rows_of("rpart_kyphosis"))]
    table = Table.from_rows(rows)
    recipes = [cart(), c45(), c45(quinlan=True), cart(max_depth=3, priors={"absent": 1, "present": 1}), cart()]
    heard: list[tuple[int, int]] = []
    found = compare_recipes(
        table, recipes, target="Kyphosis", folds=5, progress=lambda done, n: heard.append((done, n))
    )
    for at, (row, recipe) in enumerate(zip(found.rows, recipes, strict=True), 1):
        (alone,) = compare_recipes(table, {row.name: recipe}, target="Kyphosis", folds=5).rows
        assert alone == row
        assert row.name == f"{recipe.name} {at}"
    assert evolve(found.rows[0], name="") == evolve(found.rows[4], name="")
    assert heard[-1] == (25, 25) and len(heard) == 25
    assert repr(found) == "<RecipeComparison recipes=5 folds=5>"


@pytest.mark.parametrize(
    ("recipes", "error", "message"),
    [
        ([], OptionError, "at least one Recipe"),
        ({}, OptionError, "at least one Recipe"),
        (["cart"], OptionError, "at least one Recipe"),
        ({"a": "cart"}, OptionError, "at least one Recipe"),
        (cart(), OptionError, "several: a mapping from names to recipes"),
        ([id3()], ColumnError, "which id3 cannot split"),
    ],
    ids=str,
)
def test_what_is_no_grid_is_refused(recipes: Any, error: type[TreeRulesError], message: str) -> None:
    """The error says what to give."""
    with pytest.raises(error) as caught:
        compare_recipes(SMALL, recipes, target="y", folds=2, drop=["h"])
    assert message in str(caught.value)


@pytest.mark.parametrize("seed", few(range(3), 1))
def test_the_cp_table_of_a_chosen_tree_agrees_with_its_estimate(seed: int) -> None:
    """400 rows, two rules: the error of the last row is that of the recipe, not that of unpruned trees."""
    random = np.random.default_rng(seed)
    x = random.random((4, 400))
    y = random.random(400) < np.where(x[0] > 0.5, 0.72, 0.28)
    data = {**{f"x{i}": line for i, line in enumerate(x)}, "y": np.where(y, "yes", "no").tolist()}
    table = Table.from_columns(data)
    tree = learn(table, target="y")
    assert tree.estimate is not None and tree.n_leaves == 2
    validation = cross_validate(table, tree=tree)
    error = validation.rows[-1].xerror * validation.root_risk / 400
    assert error == pytest.approx(tree.estimate.error, abs=tree.estimate.standard_error / 2)
    assert validation.row("1se").n_splits == 1


@pytest.mark.parametrize("column", few(["groups", "time"], 1))
def test_folds_are_dealt_by_the_column_by_which_a_tree_was_chosen(column: str) -> None:
    """Rows of a group lie together, and later rows are predicted from earlier ones, as when the size was chosen."""
    random = np.random.default_rng(1)
    at = np.arange(200)
    data = {"x": random.random(200), "c": at // 10, "y": np.where((at // 10) % 3 > 0, "yes", "no").tolist()}
    data["x"] += at // 10 % 3 * 0.4
    table = Table.from_columns(data)
    tree = learn(table, target="y", **{column: "c"})
    found = cross_validate(table, tree=tree, folds=4)
    if column == "groups":  # the groups are equally heavy: dealt in turn
        labelled = cross_validate(table, tree=tree, folds=at // 10 % 4)
        assert [row.xerror for row in found.rows] == [row.xerror for row in labelled.rows]
    assert found.n_folds == 4
    by_chance = cross_validate(table, tree=evolve(tree, origin=None), folds=4)
    assert [row.xerror for row in found.rows] != [row.xerror for row in by_chance.rows]
