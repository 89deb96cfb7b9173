"""Monotone features: what is predicted never falls (or never rises) with them, whatever else a recipe chooses."""

import math
from datetime import date, timedelta
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treerules import Kind, Recipe, Table, Tree, c45, cart, learn, predict, predict_proba, prune
from treerules.errors import ColumnError, OptionError, TreeRulesError
from treerules.trees import ClassPrediction, Split, find_leaf, preorder

Data = dict[str, list[Any]]
SIZES = ("S", "M", "L", "XL")
POOLS: dict[str, tuple[Any, ...]] = {
    "number": (-math.inf, -1.0, 0.0, 0.1, 0.2, 1.0, 1.0 + 2**-52, math.inf),
    "integer": (-(2**63), -2, 0, 1, 2, 3, 2**53, 2**53 + 1),
    "day": tuple(date(2024, 2, 26) + timedelta(days) for days in range(7)),
    "size": SIZES,
    "flag": (False, True),
}
KINDS = {
    "number": "number",
    "integer": "integer",
    "day": "date",
    "size": "ordinal:" + "<".join(SIZES),
    "flag": "boolean",
    "colour": "category",
}
COLOURS = ("red", "green", "blue", "否")
MISSING = ("larger", "learned", "fraction", "branch")
CART = ({}, {"criterion": "entropy"}, {"categories": "one_against_rest"}, {"min_samples_leaf": 3}, {"max_leaves": 5})
C45 = (
    {"categories": "subset"},
    {"categories": "one_against_rest", "average_gain": True},
    {"categories": "subset", "quinlan": True, "min_samples_leaf": 1, "unpruned": True},
)
STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("cost_complexity", {"alpha": 0.5}),
    ("cost_complexity", {"alpha": 2}),
    ("penalised", {"alpha": 1}),
    ("pessimistic", {}),
    ("minimum_error", {}),
    ("merge_equal_leaves", {}),
)


@st.composite
def tables(draw: st.DrawFn, missing: bool = True) -> tuple[Data, dict[str, int]]:
    """Draw columns with at least one constrained feature of an order, and the directions."""
    names = draw(st.lists(st.sampled_from(sorted(POOLS)), min_size=1, max_size=4, unique=True))
    n = draw(st.integers(2, 30))
    cells = {name: st.sampled_from((*POOLS[name], *((None, None) if missing else ()))) for name in names}
    if draw(st.booleans()):
        cells["colour"] = st.sampled_from((*COLOURS, None) if missing else COLOURS)
    data = {name: draw(st.lists(cell, min_size=n, max_size=n)) for name, cell in cells.items()}
    bound = draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    return data, {name: draw(st.sampled_from((1, -1))) for name in bound}


def table_of(data: Data) -> Table:
    """Return drawn columns as a table."""
    return Table.from_columns(data, types={name: kind for name, kind in KINDS.items() if name in data})


def learned(data: Data, recipe: Recipe, **options: Any) -> Tree:
    """Return the tree of a drawn table, all columns kept."""
    return learn(table_of(data), target="y", recipe=recipe, features=[name for name in data if name != "y"], **options)


def classes_for(draw: st.DataObject, data: Data) -> Data:
    """Return the columns with a target of two classes that both come up."""
    n = len(next(iter(data.values())))
    return {**data, "y": ["a", "b", *draw.draw(st.lists(st.sampled_from("ab"), min_size=n - 2, max_size=n - 2))]}


def assert_monotone(tree: Tree, data: Data, directions: dict[str, int], seed: int = 0) -> None:
    """Assert the law at every training row and at rows made of their cells, over the whole pool of each feature."""
    random = Random(seed)
    n = len(data["y"])
    rows = [{name: cells[row] for name, cells in data.items()} for row in range(n)]
    rows += [{name: random.choice([*cells, None]) for name, cells in data.items()} for _ in range(n)]
    tested = {tree.schema.features[s.test.feature].name for s in preorder(tree.root) if isinstance(s, Split)}
    for name in sorted(tested & set(directions)):
        for row in rows:
            values = [what(find_leaf(tree, {**row, name: value}).prediction, tree) for value in POOLS[name]]
            assert values == sorted(values, reverse=directions[name] < 0), (name, row, values)


def splits_of(tree: Tree) -> list[int]:
    """Return the numbers of the splits."""
    return [number for number, node in enumerate(preorder(tree.root)) if isinstance(node, Split)]


def what(prediction: Any, tree: Tree) -> Any:
    """Return what is bound: the mean, or the share of the second class (and the place of the label)."""
    if not isinstance(prediction, ClassPrediction):
        return prediction.value
    return prediction.probabilities[1]


@pytest.mark.parametrize("missing", MISSING)
@given(drawn=tables(), draw=st.data())
def test_classes_are_monotone(missing: Any, drawn: tuple[Data, dict[str, int]], draw: st.DataObject) -> None:
    """The share of the second class: every recipe of splits in two, with weights, costs and priors, also pruned."""
    data, monotone = classes_for(draw, drawn[0]), drawn[1]
    make, choices = draw.draw(st.sampled_from([*((cart, c) for c in CART), *((c45, c) for c in C45)]))
    weighed: Any = draw.draw(
        st.sampled_from(
            ({}, {"class_weight": "balanced"}, {"priors": {"a": 1, "b": 3}}, {"costs": {("a", "b"): 5, ("b", "a"): 2}})
        )
    )
    n = len(data["y"])
    weight = draw.draw(st.one_of(st.none(), st.lists(st.sampled_from((0.5, 1, 2, 3)), min_size=n, max_size=n)))
    tree = learned(data, make(missing=missing, monotone=monotone, **choices, **weighed), weight=weight)
    assert_monotone(tree, data, monotone)
    for method, options in STEPS:
        assert_monotone(prune(tree, method, **options), data, monotone)
    for number in splits_of(tree)[1:3]:
        assert_monotone(prune(tree, "snip", node=number), data, monotone)


@pytest.mark.parametrize("missing", MISSING)
@given(drawn=tables(), draw=st.data())
def test_means_are_monotone(missing: Any, drawn: tuple[Data, dict[str, int]], draw: st.DataObject) -> None:
    """The mean of a regression, with weights, also pruned."""
    data, monotone = drawn
    n = len(next(iter(data.values())))
    usual = st.one_of(st.sampled_from((-1.0, 0.0, 0.1, 0.2, 7.0)), st.floats(-1e3, 1e3).map(lambda y: round(y, 3)))
    y, is_usual = draw.draw(st.sampled_from(((usual, True), (st.floats(-1.7e308, 1.7e308), False))))
    data = {**data, "y": draw.draw(st.lists(y, min_size=n, max_size=n))}
    weight = draw.draw(st.one_of(st.none(), st.lists(st.sampled_from((0.5, 1, 2, 3)), min_size=n, max_size=n)))
    choices = draw.draw(st.sampled_from(CART))
    tree = learned(data, cart(missing=missing, monotone=monotone, **choices), weight=weight)
    assert_monotone(tree, data, monotone)
    for method, options in (STEPS[0], STEPS[2], STEPS[5]) if is_usual else ():
        assert_monotone(prune(tree, method, **options), data, monotone)


@given(drawn=tables(), draw=st.data())
def test_trees_judged_by_other_rows_are_monotone(drawn: tuple[Data, dict[str, int]], draw: st.DataObject) -> None:
    """Pre-pruning by a validation table, and reduced-error pruning by one, keep the law."""
    data, monotone = classes_for(draw, drawn[0]), drawn[1]
    n = len(data["y"])
    other = table_of({**data, "y": draw.draw(st.lists(st.sampled_from("ab"), min_size=n, max_size=n))})
    recipe = cart(monotone=monotone, missing=draw.draw(st.sampled_from(MISSING)))
    assert_monotone(learned(data, recipe, validation=other), data, monotone)
    assert_monotone(prune(learned(data, recipe), "reduced_error", table=other), data, monotone)


@pytest.mark.parametrize("power", [-1000, -550, 500, 1000])
@given(x=st.lists(st.integers(0, 9), min_size=4, max_size=20), draw=st.data())
def test_bounds_do_not_feel_the_scale_of_the_target(power: int, x: list[int], draw: st.DataObject) -> None:
    """y * 2**k: the same splits, the same means times 2**k; squares of bounds must not overflow or vanish."""
    n = len(x)
    data = {
        "x": x,
        "z": draw.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)),
        "y": [value / 8 for value in draw.draw(st.lists(st.integers(-40, 40), min_size=n, max_size=n))],
    }
    recipe = cart(monotone={"x": 1, "z": -1})
    tree, other = (
        learn(Table.from_columns(columns), target="y", recipe=recipe, features=["x", "z"])
        for columns in (data, {**data, "y": [value * 2.0**power for value in data["y"]]})
    )
    for ours, theirs in zip(preorder(tree.root), preorder(other.root), strict=True):
        if isinstance(ours, Split):
            assert ours.test == theirs.test  # type: ignore[attr-defined]
        else:
            mean, scaled = ours.prediction, theirs.prediction  # type: ignore[attr-defined]
            assert scaled.value == mean.value * 2.0**power
            assert scaled.sd == pytest.approx(mean.sd * 2.0**power, rel=1e-12)


def test_a_node_of_tiny_range_beside_far_bounds() -> None:
    """Bounds in units of a node whose targets differ by 1e-308 lie beyond all floats: they bind nothing."""
    data = {"x": [1.0, 1.0, 1.0, 2.0], "z": [1.0, 2.0, 2.0, 1.0], "y": [0.0, 0.0, 2e-308, 7.0]}
    tree = learn(Table.from_columns(data), target="y", recipe=cart(monotone={"x": 1}))
    assert predict(tree, {"x": 1.0, "z": 2.0}) == 1e-308
    far = {"x": [1.0, 2.0], "y": [-1.7e308, 1.7e308]}
    assert predict(learn(Table.from_columns(far), target="y", recipe=cart(monotone={"x": 1})), {"x": 2.0}) == 1.7e308
    against = learn(Table.from_columns(far), target="y", recipe=cart(monotone={"x": -1}))
    assert against.n_leaves == 1


# ---- scikit-learn


@pytest.mark.peer
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("load", [load_diabetes, load_breast_cancer], ids=lambda load: load.__name__)
def test_predictions_are_those_of_scikit_learn(load: Any, depth: int) -> None:
    """monotonic_cst: the same training loss and predictions (of one of ten seeds, by which it breaks ties).

    Directions are those of the data, and against them, so that splits are forbidden and means are clipped.
    """
    loaded = load()
    n = loaded.data.shape[1]
    table = Table.from_columns({f"x{at}": column for at, column in enumerate(loaded.data.T)} | {"y": loaded.target})
    along = [int(np.sign(np.corrcoef(column, loaded.target)[0, 1])) for column in loaded.data.T]
    clipped = False
    for signs in (along, [-sign for sign in along], [(0, 1, -1)[at % 3] for at in range(n)]):
        monotone = {f"x{at}": sign for at, sign in enumerate(signs) if sign}
        tree = learn(
            table,
            target="y",
            recipe=cart(max_depth=depth, monotone=monotone),
            task="regression" if load is load_diabetes else None,
        )
        make = DecisionTreeRegressor if load is load_diabetes else DecisionTreeClassifier
        models = [
            make(max_depth=depth, monotonic_cst=signs, random_state=seed).fit(loaded.data, loaded.target)
            for seed in range(10)
        ]
        if load is load_diabetes:
            ours, theirs = predict(tree, table), [model.predict(loaded.data) for model in models]
        else:
            ours, theirs = (
                predict_proba(tree, table)[:, 1],
                [model.predict_proba(loaded.data)[:, 1] for model in models],
            )
        loss, *losses = (float(((predictions - loaded.target) ** 2).sum()) for predictions in (ours, *theirs))
        assert any(other == pytest.approx(loss, rel=1e-9) for other in losses)
        if depth <= 2:  # below, equally good cuts divide rows otherwise
            assert any(other == pytest.approx(ours, rel=1e-9, abs=1e-12) for other in theirs)
        free = learn(
            table, target="y", recipe=cart(max_depth=depth), task="regression" if "diab" in str(load) else None
        )
        clipped = clipped or free.root != tree.root
    assert clipped


# ---- refused


ROWS: Data = {
    "age": [1.0, 2.0, 3.0, 4.0],
    "city": ["p", "q", "q", "p"],
    "size": ["S", "M", "L", "XL"],
    "y": ["a", "b", "b", "a"],
}


@pytest.mark.parametrize(
    ("target", "make", "error", "message"),
    [
        ("ab", lambda: cart(monotone={"city": 1}), ColumnError, "column 'city' is a category, which has no direction"),
        ("abc", lambda: cart(monotone={"age": 1}), OptionError, "it for a regression or two classes; there are 3"),
        ("ab", lambda: c45(monotone={"age": 1}), OptionError, "in two, such as cart()"),
        ("ab", lambda: c45(categories="grouped", monotone={"age": 1}), OptionError, "in two, such as cart()"),
        (
            "ab",
            lambda: Recipe("id3", "information_gain", "multiway", monotone={"age": 1}),
            OptionError,
            "in two, such as cart()",
        ),
        ("ab", lambda: cart(monotone={"age": 2}), OptionError, "expected +1 or -1"),
        ("ab", lambda: cart(monotone={"age": 0}), OptionError, "expected +1 or -1"),
        ("ab", lambda: cart(monotone={"age": True}), OptionError, "expected +1 or -1"),
        ("ab", lambda: cart(monotone={"aeg": 1}), LookupError, "did you mean 'age'"),
        ("ab", lambda: cart(monotone={"y": 1}), OptionError, "other columns than the target"),
    ],
)
def test_what_has_no_direction_is_refused(target: str, make: Any, error: type[Exception], message: str) -> None:
    """The sentence says what monotone features are for."""
    rows = {**ROWS, "y": [target[at % len(target)] for at in range(4)]}
    with pytest.raises(error) as caught:
        learn(table_of(rows), target="y", recipe=make())
    assert message in str(caught.value)
    assert isinstance(caught.value, TreeRulesError)


def test_ordinals_have_no_direction_where_they_are_not_cut_in_their_order() -> None:
    """thresholds="none" makes an ordinal's levels categories, which are divided in any order."""
    with pytest.raises(TreeRulesError):
        learn(
            table_of(ROWS),
            target="y",
            recipe=Recipe("own", "gini", "subset", thresholds="none", monotone={"size": 1}),
            drop=["age"],
        )


def test_subtrees_with_monotone_features_are_not_raised() -> None:
    """A branch put in the place of its split would leave the bounds that it grew in: refused, or not tried."""
    rows = {"x": [1, 2, 3, 4, 5, 6, 7, 8], "z": [1, 2] * 4, "y": list("abababbb")}
    table = Table.from_columns(rows, types={"x": "integer", "z": "integer"})
    tree = learn(table, target="y", recipe=cart(monotone={"x": 1}))
    assert [feature.kind for feature in tree.schema.features] == [Kind.INTEGER, Kind.INTEGER]
    with pytest.raises(OptionError, match="subtrees cannot be raised"):
        prune(tree, "pessimistic", table=table)


@given(drawn=tables(), draw=st.data())
def test_c45_as_published_keeps_to_directions(drawn: tuple[Data, dict[str, int]], draw: st.DataObject) -> None:
    """Its own pessimistic pruning too, whatever the confidence."""
    data, monotone = classes_for(draw, drawn[0]), drawn[1]
    confidence = draw.draw(st.sampled_from((0.05, 0.25, 0.5)))
    recipe = c45(
        quinlan=True,
        categories="subset",
        monotone=monotone,
        min_samples_leaf=1,
        confidence=confidence,
        missing=draw.draw(st.sampled_from(MISSING)),
    )
    assert_monotone(learned(data, recipe), data, monotone)
