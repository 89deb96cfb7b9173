"""Comparing ensembles on rows: every figure is counted again by `predict`, and an edited copy gives its edit away."""

import json
import os
import subprocess
import sys
from math import inf, isinf
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from drawn_ensembles import ensembles
from paths import TESTS
from treerules import (
    Ensemble,
    Feature,
    Kind,
    Schema,
    Table,
    Tree,
    cart,
    compile_rules,
    diff,
    learn,
    predict,
    predict_proba,
    render,
)
from treerules.errors import ColumnError, DataError, OptionError
from treerules.formats import rules_from_text
from treerules.proof.align_schemas import merge_schemas
from treerules.proof.sampled_diff import SampledDiff
from treerules.proof.sampled_rows import compared_features, sampled_rows
from treerules.rendering.text_tables import display_width
from treerules.testing import boundary_rows
from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest, predict_margin

X = [Feature("x", Kind.NUMBER)]
MARGIN = Schema(X, Feature("margin", Kind.NUMBER))
ILL = Schema(X, Feature("ill", Kind.CATEGORY, ("no", "yes")))


def stump(cut: float, low: float, high: float, schema: Schema = MARGIN) -> Tree:
    """Return a tree of one test."""
    return Tree(schema, Split(ThresholdTest(0, cut), [Leaf(MeanPrediction(mean), (1,)) for mean in (low, high)]))


def two_classes(*trees: Tree, **choices: Any) -> Ensemble:
    """Return an ensemble of two classes."""
    return Ensemble(ILL, trees, link="sigmoid", cut=0.0, **choices)


OLD = two_classes(stump(1.0, -1.0, 0.25), stump(2.0, -0.5, 0.5))


def same(one: Any, other: Any) -> bool:
    """Whether two answers are equal; NaN is itself."""
    return bool(one == other or (one != one and other != other))


def numbers_of(model: Any, row: dict[str, Any], measure: str, classes: tuple[Any, ...]) -> list[float]:
    """Return what the differences of a row are differences of."""
    if measure == "answer":
        return [predict(model, row)]
    if measure == "margin":
        margins = predict_margin(model, row)
        return list(margins) if isinstance(margins, tuple) else [margins]
    of_class = dict(zip(model.schema.classes, predict_proba(model, row), strict=True))
    return [of_class.get(label, 0.0) for label in classes]


def difference_of(old: Any, new: Any, row: dict[str, Any], found: SampledDiff) -> float:
    """Return the greatest absolute difference of a row, computed number by number."""
    numbers = [numbers_of(model, row, found.measure, found.schema.classes) for model in (old, new)]
    pairs = [(np.float64(one), np.float64(other)) for one, other in zip(*numbers, strict=True) if not same(one, other)]
    with np.errstate(all="ignore"):
        gaps = [float(abs(other - one)) for one, other in pairs]
    return max((inf if gap != gap else gap for gap in gaps), default=0.0)


def counted_again(old: Any, new: Any, rows: list[dict[str, Any]], found: SampledDiff) -> tuple[int, int, float]:
    """Return the number of rows, of those that differ, and the greatest difference, row by row."""
    n = sum(not same(predict(old, row), predict(new, row)) for row in rows)
    return len(rows), n, max(difference_of(old, new, row, found) for row in rows)


@st.composite
def pairs_of_models(draw: st.DrawFn) -> tuple[Any, Any]:
    """Draw an ensemble, and another one, or a tree of it, over the same columns."""
    old = draw(ensembles())
    same_columns = st.just(Schema(old.schema.features, old.schema.target))
    new: Any = draw(ensembles(target=old.schema.target, features=same_columns))
    has_tree = new.adds_vectors or new.schema.is_regression
    if has_tree and draw(st.booleans()):
        new = new.trees[0]
        new = evolve(new, schema=evolve(new.schema, target=old.schema.target))
    return (new, old) if draw(st.booleans()) else (old, new)


@given(pairs_of_models(), st.integers(1, 60))
def test_counts_and_differences_are_those_of_predict(models: tuple[Any, Any], most: int) -> None:
    """Each row, each witness and each group is counted again by predictions of single rows."""
    old, new = models
    assume(old != new)
    rows = sampled_rows(old, new, compared_features(old, new, merge_schemas(old.schema, new.schema)), most)
    found = diff(old, new, table=rows if any(rows) else None, most=most, limit=5)
    assert 1 <= len(rows) <= most and found.boundary is not None
    again = counted_again(old, new, rows, found)
    for compared in (found.boundary, *([found.data] if found.data is not None else [])):
        assert (compared.n, compared.n_differing, compared.greatest) == again
        assert compared.median <= compared.quantile_90 <= compared.quantile_99 <= compared.greatest
    assert found.equal is (False if again[1] else None)
    assert sum(change.n for change in found.labels) == (0 if found.schema.is_regression else again[1])
    for witness in found.witnesses:
        answers = predict(old, witness.row), predict(new, witness.row)
        assert same(witness.old, answers[0]) and same(witness.new, answers[1])
        assert witness.difference == difference_of(old, new, witness.row, found)
        assert not same(*answers) or not again[1]
    assert len(found.witnesses) == min(5, len(found.compared) * again[1]) or not again[1]
    assert (found.rules is None) is (
        not again[1] or not any(value is not None for row in rows for value in row.values())
    )
    if found.rules is not None:
        assert sum(group.n_differing for group in found.groups) == again[1]
        assert sum(group.n for group in found.groups) <= again[0]


@given(pairs_of_models())
def test_reports_of_drawn_models_render(models: tuple[Any, Any]) -> None:
    """JSON has no NaN and is read back; the same call gives the same text."""
    old, new = models
    found = diff(old, new, most=40)
    text = render(found, format="json")
    assert json.loads(text)["equal"] is found.equal
    assert text == render(diff(old, new, most=40), format="json")
    assert all(render(found, format=format, lang="zh") for format in ("text", "md", "csv", "html"))


@st.composite
def edited_ensembles(draw: st.DrawFn) -> tuple[Ensemble, Ensemble]:
    """Draw an ensemble whose margins are its answers, or are compared, and a copy with another number in one leaf."""
    old = draw(ensembles())
    assume(not old.adds_vectors and (old.link == "identity" or not old.schema.is_regression))
    at = draw(st.integers(0, len(old.trees) - 1))
    reached = [rule.number for rule in compile_rules(old.trees[at]).rules]
    edited = with_leaf(old.trees[at], draw(st.sampled_from(reached)), 1024.0)
    return old, evolve(old, trees=[edited if place == at else tree for place, tree in enumerate(old.trees)])


def with_leaf(tree: Tree, number: int, mean: float) -> Tree:
    """Return a tree with another number in the leaf of a rule."""
    leaves = iter(range(1, tree.n_leaves + 1))

    def copy(node: Any) -> Any:
        if isinstance(node, Leaf):
            return evolve(node, prediction=MeanPrediction(mean)) if next(leaves) == number else node
        return evolve(node, children=[copy(child) for child in node.children])

    return evolve(tree, root=copy(tree.root))


@given(edited_ensembles(), st.booleans())
def test_another_number_in_one_leaf_is_found(models: tuple[Ensemble, Ensemble], is_swapped: bool) -> None:
    """Boundary rows reach each leaf of a tree that only one of two ensembles has."""
    old, new = reversed(models) if is_swapped else models
    found = diff(old, new, most=400)
    assert found.greatest > 0 and found.witnesses
    witness = found.witnesses[0]
    assert difference_of(old, new, witness.row, found) == witness.difference > 0
    assert found.n_equal_trees < len(old.trees)


@pytest.mark.parametrize("moved", [np.nextafter(2.0, 3.0), np.nextafter(2.0, 1.0), 2.5, -7.0])
def test_a_moved_threshold_is_found_and_shown(moved: float) -> None:
    """Of one unit in the last place too: the rows at the threshold and next to it are compared."""
    new = two_classes(OLD.trees[0], stump(float(moved), -0.5, 0.5))
    found = diff(OLD, new)
    assert found.equal is False and found.n_equal_trees == 1
    for witness in found.witnesses:
        assert predict(OLD, witness.row) == witness.old != witness.new == predict(new, witness.row)


def test_one_leaf_among_many_trees_is_found() -> None:
    """Half of the rows are at tests of the trees that only one of the two has: a number of rows below that of trees."""
    trees = [stump(float(place), -0.01, 0.01) for place in range(300)]
    edited = [*trees[:200], stump(200.0, -0.01, -99.0), *trees[201:]]
    found = diff(two_classes(*trees), two_classes(*edited), most=100)
    assert found.equal is False and found.greatest == pytest.approx(99.01)
    assert (found.n_trees, found.n_equal_trees) == ((300, 300), 200)


def test_equal_ensembles_are_proved_equal_without_rows() -> None:
    """Equality by value; notes take no part. The same trees in another order are compared on rows."""
    found = diff(OLD, evolve(OLD, notes=["a copy"]), table=[{"x": 1.0}])
    assert found.equal is True and found.n_rows == 0 and "proved" in str(found)
    turned = diff(OLD, evolve(OLD, trees=OLD.trees[::-1]))
    assert turned.equal is None and turned.n_rows > 0 and turned.greatest == 0.0 and not turned.witnesses
    assert str(turned).startswith(f"no difference on {turned.n_rows} rows that were sampled; this is no proof")


def test_the_same_labels_by_other_margins_are_told() -> None:
    """No label differs, so that the answers are not called different; nor are they called equal."""
    found = diff(OLD, evolve(OLD, base=[0.125]), table=[{"x": 0.0}, {"x": 9.0}])
    assert found.equal is None and found.data is not None and found.data.greatest == 0.125
    assert found.settings == {"base": ((0.0,), (0.125,))} and found.n_equal_trees == 2
    text = str(found)
    assert text.startswith("the same answers on") and "their margins differ" in text
    assert "the 2 trees are equal" in text and "base: 0.0 -> 0.125" in text


def test_rows_of_a_table_are_counted_exactly() -> None:
    """Labels, quantiles, the group and the witnesses of ten rows, counted by hand."""
    new = two_classes(OLD.trees[0], stump(6.5, -0.5, 0.5))
    rows = [{"x": float(x), "other": "a"} for x in range(10)]
    found = diff(OLD, new, table=rows)  # margins differ by 1 for 2 < x <= 6.5: 0.75 is -0.25
    assert found.data is not None and found.measure == "margin"
    figures = found.data
    assert (figures.n, figures.n_differing, figures.mean, figures.median) == (10, 4, 0.4, 0.0)
    assert (figures.quantile_90, figures.quantile_99, figures.greatest) == (1.0, 1.0, 1.0)
    assert [(change.old, change.new, change.n) for change in found.labels] == [("yes", "no", 4)]
    assert [(group.n, group.n_differing, group.mean) for group in found.groups] == [(4, 4, 1.0)]
    assert [(witness.kind, witness.number) for witness in found.witnesses[:4]] == [("data", n) for n in (4, 5, 6, 7)]
    assert found.witnesses[4].kind == "boundary"


def test_groups_are_the_rows_that_rules_cover() -> None:
    """The conditions of each group, tried on each row of the table."""
    new = two_classes(OLD.trees[0], stump(6.5, -0.5, 0.5))
    table = Table.from_columns({"x": [*np.linspace(0, 9, 200), None]})
    found = diff(OLD, new, table=table)
    assert found.rules is not None
    for group in found.groups:
        covered = [row for row in table.rows() if group.rule in found.rules.firing(row)]
        differing = [row for row in covered if predict(OLD, row) != predict(new, row)]
        assert (group.n, group.n_differing) == (len(covered), len(differing))


def test_numbers_are_compared_by_their_differences() -> None:
    """Rounding errors make no rule; the change has its sign, new minus old."""
    trees = [stump(1.0, -1.0, 0.1), stump(2.0, 0.2, 0.5)]
    old = Ensemble(Schema(X, Feature("price", Kind.NUMBER)), trees)
    table = [{"x": x / 4} for x in range(20)]
    shifted = diff(old, evolve(old, base=[-0.3]), table=table)
    assert shifted.measure == "answer" and shifted.equal is False and not shifted.labels
    (group,) = shifted.groups
    assert group.rule.conditions == () and group.n == 20 and group.change == pytest.approx(-0.3)
    partly = diff(old, evolve(old, trees=[trees[0], stump(3.0, 0.2, 0.5)]), table=table)
    (group,) = partly.groups
    assert (group.n, group.n_differing, group.change) == (4, 4, pytest.approx(-0.3))


def test_infinite_numbers_are_compared_too() -> None:
    """A mean that overflows on one side differs infinitely, and JSON can say so."""
    price = Schema(X, Feature("price", Kind.NUMBER))
    old = Ensemble(price, [stump(1.0, 1.0, 2.0)], link="exp")
    found = diff(old, Ensemble(price, [stump(1.0, 1.0, 800.0)], link="exp"), table=[{"x": 0.0}, {"x": 5.0}])
    assert found.data is not None and isinf(found.greatest) and isinf(found.data.mean or 0.0)
    assert [group.n_differing for group in found.groups] == [1]
    assert json.loads(render(found, format="json"))["rows"][0]["greatest"] == "inf"


def test_classes_are_compared_by_name() -> None:
    """A class that only one side has; then probabilities are compared, of which the other side has none."""
    sizes = [Feature("size", Kind.CATEGORY, names) for names in (("L", "M"), ("L", "M", "S"))]
    old = Ensemble(Schema(X, sizes[0]), [stump(1.0, -9.0, 9.0)], link="sigmoid", cut=0.0)
    trees = [stump(1.0, -9.0, 9.0), stump(1.0, -9.0, -9.0), stump(1.0, 9.0, -9.0)]
    new = Ensemble(Schema(X, sizes[1]), trees, [0.0] * 3, [0, 1, 2], link="softmax")
    found = diff(old, new, table=[{"x": 0.0}, {"x": 5.0}])
    assert found.measure == "probability" and found.schema.classes == ("L", "M", "S")
    assert {(change.old, change.new, change.n) for change in found.labels} == {("L", "S", 1), ("M", "L", 1)}
    assert found.greatest == pytest.approx(1.0, abs=1e-3)


def test_a_column_that_one_side_lacks_takes_all_its_values() -> None:
    """The other side does not test it; an unseen category and a missing value are tried too."""
    features = [*X, Feature("job", Kind.CATEGORY, ("clerk", "cook"))]
    margin = Schema(features, MARGIN.target)
    split = Tree(margin, Split(ThresholdTest(0, 1.0), [Leaf(MeanPrediction(mean), (1,)) for mean in (-1.0, 1.0)]))
    found = diff(OLD, Ensemble(Schema(features, ILL.target), [split], link="sigmoid", cut=0.0))
    assert set(found.schema.indices) == {"x", "job"} and found.equal is False
    assert all(set(witness.row) == {"x"} for witness in found.witnesses)  # no tree tests the other column


def test_integers_of_one_model_are_compared_as_numbers() -> None:
    """A tree that was learned from whole numbers, beside an ensemble of numbers: decimals and large numbers too."""
    table = Table.from_columns({"x": range(10), "ill": ["no"] * 6 + ["yes"] * 4})
    tree = learn(table, target="ill", recipe=cart())
    for models in ((OLD, tree), (tree, OLD)):
        found = diff(*models, table=table)
        assert found.data is not None and found.data.n_differing == 3 and found.measure == "probability"
        assert {witness.row["x"] for witness in found.witnesses} >= {3, 4, 5, 2.0000000000000004}
        for witness in found.witnesses:
            assert [predict(model, witness.row) for model in models] == [witness.old, witness.new]


@given(ensembles(), st.integers(1, 50))
def test_sampled_rows_are_boundary_rows(ensemble: Ensemble, most: int) -> None:
    """At most so many, none twice, each with columns of the model."""
    other = evolve(ensemble, scale=0.5)
    features = compared_features(ensemble, other, ensemble.schema)
    names = [feature.name for feature in features]
    rows = sampled_rows(ensemble, other, features, most)
    assert len(rows) <= most and all(list(row) == names for row in rows)
    assert len({tuple(row.values()) for row in rows}) == len(rows)
    known = [{name: row.get(name) for name in names} for row in boundary_rows(ensemble, -(-most // 2))]
    assert rows[0] == {name: None if value != value else value for name, value in known[0].items()}


def test_wrong_arguments_are_named() -> None:
    """What is for rules alone, other targets, columns that the table lacks, rules beside an ensemble."""
    rules = rules_from_text("IF x < 3 THEN no\nIF x >= 3 OR x IS missing THEN yes")
    for other in (rules, rules.rules, [OLD], None):
        with pytest.raises(OptionError, match=r"new.*a Tree or an Ensemble"):
            diff(OLD, other)  # type: ignore[call-overload]
        with pytest.raises(OptionError, match=r"old.*a Tree or an Ensemble"):
            diff(other, OLD)  # type: ignore[call-overload]
    for name, value in (("domain", {}), ("budget", 5), ("most", 0), ("most", True), ("limit", -1), ("table", 3)):
        with pytest.raises(OptionError, match=name):
            diff(OLD, evolve(OLD, base=[1.0]), **{name: value})
    with pytest.raises(OptionError, match="most=5"):
        diff(OLD.trees[0], OLD.trees[0], most=5)  # type: ignore[call-overload]
    numbers = Ensemble(Schema(X, Feature("ill", Kind.NUMBER)), OLD.trees)
    with pytest.raises(DataError, match="the new model predicts numbers and the old model classes"):
        diff(OLD, numbers)
    with pytest.raises(ColumnError, match="the table lacks column"):
        diff(OLD, evolve(OLD, base=[1.0]), table=[{"y": 1.0}])
    days = [Feature("x", Kind.DATE)]
    flat = Tree(Schema(days, MARGIN.target), Leaf(MeanPrediction(0.5), (1,)))
    with pytest.raises(ColumnError, match=r"is number in the old model and date in the new.*same kinds"):
        diff(OLD, Ensemble(Schema(days, ILL.target), [flat], link="sigmoid", cut=0.0))
    with pytest.raises(DataError, match="the target of one model is a feature of the other"):
        swapped = Schema([Feature("ill", Kind.NUMBER)], Feature("x", Kind.CATEGORY, ("no", "yes")))
        tree = stump(1.0, 0.0, 1.0, Schema(swapped.features, MARGIN.target))
        diff(OLD, Ensemble(swapped, [tree], link="sigmoid", cut=0.0))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_text_fits_a_terminal(lang: str) -> None:
    """No line is wider than 80 columns, whatever the number of columns of the rows."""
    features = [Feature(f"a column of number {n}", Kind.NUMBER) for n in range(12)]
    margin = Schema(features, MARGIN.target)
    rng = np.random.default_rng(5)
    leaves = [[Leaf(MeanPrediction(mean), (1,)) for mean in means] for means in rng.normal(size=(24, 2)).tolist()]
    cuts = rng.normal(size=24).tolist()
    trees = [Tree(margin, Split(ThresholdTest(n % 12, cut), leaves[n])) for n, cut in enumerate(cuts)]
    schema = Schema(features, ILL.target)
    models = [Ensemble(schema, some, link="sigmoid", cut=0.0) for some in (trees[:20], trees)]
    table = {feature.name: rng.normal(size=300) for feature in features}
    text = render(diff(*models, table=table, limit=5), lang=lang)
    assert max(map(display_width, text.splitlines())) <= 80
    assert ("trees 1 to 20 are equal; 4 trees added" in text) is (lang == "en")


@pytest.mark.process
def test_hashing_changes_nothing() -> None:
    """The same bytes whatever PYTHONHASHSEED is."""
    code = (
        "from treerules import diff, render; from test_ensemble_diff import OLD, two_classes, stump\n"
        "rows = [{'x': x / 7} for x in range(70)]\n"
        "print(render(diff(OLD, two_classes(OLD.trees[0], stump(3.5, -0.5, 0.5)), table=rows), format='json'))"
    )
    path = os.pathsep.join([*filter(None, sys.path), str(TESTS / "proof")])
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(texts) == 1 and texts.pop()


def test_boundary_rows_are_described_where_no_row_of_the_table_differs() -> None:
    """A table that meets no difference takes nothing away from what is told."""
    new = two_classes(stump(1.0, -1.0, 0.25), stump(2.0, -0.5, -0.5))
    table = Table.from_columns({"x": [0.0, 0.5], "ill": ["no", "no"]})
    alone, beside = diff(OLD, new), diff(OLD, new, table=table)
    assert beside.data is not None and beside.data.n_differing == 0 and beside.boundary == alone.boundary
    assert alone.labels and (beside.labels, beside.groups) == (alone.labels, alone.groups)
    assert "labels that changed in boundary rows:" in render(beside)
