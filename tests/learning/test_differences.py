"""The statements of docs/en/explanations/differences.md about other programs, asked of the programs themselves."""

from collections.abc import Sequence
from typing import Any

import pytest

from rpart import needs_rpart, rpart
from treerules import Table, c45, cart, cross_validate, learn, prune
from weka_j48 import j48, needs_weka

XOR = Table.from_columns({"a": list("0011"), "b": list("0101"), "y": list("pqqp")})
#: fold labels of four rows to learn from, and one that is predicted
ONE_HELD_OUT = [1, 1, 1, 1, 2]


def splits_and_xerrors(rows: Sequence[Any]) -> list[tuple[int, float]]:
    """Return the splits and the xerror of each row of a cp table."""
    return [(row.n_splits, pytest.approx(row.xerror)) for row in rows]


@pytest.mark.peer
@needs_rpart
def test_a_held_out_value_on_a_threshold_goes_left_here_and_right_in_rpart() -> None:
    """2 lies midway between 1 and 3: `x <= 2` holds, `x < 2` does not."""
    table = Table.from_columns({"x": [1.0, 1.0, 3.0, 3.0, 2.0], "y": list("aabba")})
    theirs = rpart(table, "y", folds=ONE_HELD_OUT, minsplit=2, minbucket=1, cp=0.0).rows
    ours = cross_validate(table, target="y", folds=ONE_HELD_OUT).rows
    assert splits_and_xerrors(theirs) == [(0, 1.0), (1, 1.5)]
    assert splits_and_xerrors(ours) == [(0, 1.0), (1, 1.0)]


@pytest.mark.peer
@needs_rpart
def test_the_path_of_rpart_leaves_a_best_subtree_out() -> None:
    """Of this table rpart prints the root and eight splits; six splits cost least for alphas from 1/2 to 2/3."""
    table = Table.from_columns({"x": list(range(14)), "y": list("aaaabababaabba")})
    theirs = rpart(table, "y", folds=[1, 2] * 7, minsplit=2, minbucket=1, cp=0.0).rows
    by_complexity = {
        complexity: [
            row.n_splits
            for row in cross_validate(table, target="y", keep=["x"], folds=[1, 2] * 7, complexity=complexity).rows
        ]
        for complexity in ("breiman", "rpart")
    }
    assert [row.n_splits for row in theirs] == by_complexity["rpart"] == [0, 8]
    assert by_complexity["breiman"] == [0, 6, 8]


@pytest.mark.peer
@needs_rpart
def test_rpart_misses_divisions_of_categories_outside_the_order_of_shares() -> None:
    """With leaves of three rows no cut in the order of shares is allowed, but {a, b} against {c, d} is."""
    rows = ["bp", "cp", "dp", "ap", "cq", "aq", "cp"]
    table = Table.from_columns({"x": [row[0] for row in rows], "y": [row[1] for row in rows]})
    theirs = rpart(table, "y", minsplit=2, minbucket=3, cp=-1)
    ours = learn(table, target="y", recipe=cart(min_samples_leaf=3), keep=["x"])
    assert (len(theirs.nodes), ours.n_leaves) == (1, 2)


@pytest.mark.peer
@needs_rpart
def test_rpart_does_not_cross_validate_a_leaf() -> None:
    """A tree of one leaf has the xerror 0 in rpart; held-out rows are predicted no better than the table's here."""
    table = Table.from_columns({"x": [1.0, 1.0, 1.0, 1.0], "y": list("aabb")})
    theirs = rpart(table, "y", folds=[1, 2, 1, 2]).rows
    ours = cross_validate(table, target="y", folds=[1, 2, 1, 2]).rows
    assert splits_and_xerrors(theirs) == [(0, 0.0)] and splits_and_xerrors(ours) == [(0, 1.0)]


@pytest.mark.peer
@needs_rpart
@needs_weka
def test_only_scikit_learn_splits_for_no_gain() -> None:
    """XOR of two columns is one leaf in rpart (cp -1), in J48 -U and here, and four leaves in scikit-learn."""
    from sklearn.tree import DecisionTreeClassifier

    sklearn = DecisionTreeClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], list("pqqp"))
    assert len(rpart(XOR, "y", minsplit=2, minbucket=1, cp=-1).nodes) == 1
    assert j48(XOR, "y", unpruned=True, min_leaf=1).n_leaves == 1
    assert sklearn.get_n_leaves() == 4
    for recipe in (cart(), c45(), c45(quinlan=True, unpruned=True, min_samples_leaf=1)):
        assert learn(XOR, target="y", recipe=recipe).n_leaves == 1


@pytest.mark.peer
@needs_weka
def test_j48_takes_one_category_against_the_rest_by_gain_ratio() -> None:
    """J48 -B asks for d, one row of its own class; the greatest gain is that of a."""
    rows = ["ar", "bp", "ar", "br", "bp", "bp", "dq", "ar", "ap", "cq", "br", "bq", "cp", "ar"]
    table = Table.from_columns({"x": [row[0] for row in rows], "y": [row[1] for row in rows]})
    theirs = j48(table, "y", unpruned=True, min_leaf=1, binary=True).lines[0]
    recipe = c45(quinlan=True, unpruned=True, min_samples_leaf=1, categories="one_against_rest")
    ours = prune(learn(table, target="y", recipe=recipe, keep=["x"]), "collapse").root.test.groups  # type: ignore
    assert (theirs.relation, theirs.value) == ("=", "d")
    assert ours == ((0,), (1, 2, 3))


@pytest.mark.peer
def test_scikit_learn_takes_ties_by_its_seed() -> None:
    """Of two equal columns the seed decides; here it is the first."""
    from sklearn.tree import DecisionTreeClassifier

    cells = [[0, 0], [0, 0], [1, 1], [1, 1]]
    asked = {
        int(DecisionTreeClassifier(random_state=seed).fit(cells, list("aabb")).tree_.feature[0]) for seed in range(20)
    }
    table = Table.from_columns({"x": [0, 0, 1, 1], "z": [0, 0, 1, 1], "y": list("aabb")})
    assert asked == {0, 1}
    assert learn(table, target="y", recipe=cart(), keep=["x", "z"]).root.test.feature == 0  # type: ignore[union-attr]


@pytest.mark.peer
@pytest.mark.parametrize("values", [[16777216.0, 16777217.0], [0.0, 5e-8], [1.0, 1.0 + 1e-9]])
def test_scikit_learn_does_not_tell_near_values_apart(values: list[float]) -> None:
    """It casts features to float32 and takes gaps of 1e-7 for none; here two different values are split."""
    from sklearn.tree import DecisionTreeClassifier

    sklearn = DecisionTreeClassifier().fit([[value] for value in values], ["p", "q"])
    table = Table.from_columns({"x": values, "y": ["p", "q"]})
    assert (sklearn.get_n_leaves(), learn(table, target="y", recipe=cart()).n_leaves) == (1, 2)


@pytest.mark.peer
def test_scikit_learn_loses_targets_far_from_zero() -> None:
    """The same numbers plus 1e8 have the same best cut; scikit-learn finds another, or none."""
    import numpy as np
    from sklearn.tree import DecisionTreeRegressor

    random = np.random.default_rng(0)
    x, y = random.normal(size=2000), random.normal(size=2000)
    y = y + (x > 0.3)

    def cuts(shift: float) -> tuple[float, Any]:
        sklearn = DecisionTreeRegressor(max_depth=1).fit(x[:, None], y + shift)
        table = Table.from_columns({"x": x, "y": y + shift})
        ours = learn(table, target="y", recipe=cart(max_depth=1), keep=["x"]).root.test.threshold  # type: ignore
        return float(sklearn.tree_.threshold[0]), ours

    (their_cut, our_cut), (their_far_cut, our_far_cut) = cuts(0.0), cuts(1e8)
    assert our_cut == our_far_cut == pytest.approx(their_cut, abs=1e-6)
    assert their_far_cut != pytest.approx(our_cut, abs=1e-6)
