"""Trees of scikit-learn, imported: the library itself says what the answer for each row is."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

from library_rows import FLOAT32_MAX, cells_around, takes_missing, with_missing
from selection import few
from treerules import (
    Tree,
    apply,
    check,
    compile_rules,
    diff,
    explain,
    load,
    predict,
    predict_proba,
    render,
    save,
    to_javascript,
    to_python,
    to_sql,
    verify,
)
from treerules.errors import DataError, OptionError, TreeRulesError
from treerules.importers import IMPORTERS, from_sklearn, import_model
from treerules.importers.float32_thresholds import exact_thresholds
from treerules.importers.importer import ImportOptions
from treerules.importers.model_documents import ModelDocument
from treerules.trees import Node, Split, ThresholdTest, fold, preorder

IRIS, DIABETES = load_iris(), load_diabetes()


MODELS: dict[str, Any] = {
    "classes": DecisionTreeClassifier(random_state=0).fit(IRIS.data, IRIS.target),
    "names, best first": DecisionTreeClassifier(max_leaf_nodes=6, random_state=1).fit(
        IRIS.data, IRIS.target_names[IRIS.target]
    ),
    "weighted": DecisionTreeClassifier(class_weight="balanced", criterion="entropy", random_state=0).fit(
        IRIS.data[20:], IRIS.target[20:], sample_weight=np.linspace(0.1, 2.0, 130)
    ),
    "missing": DecisionTreeClassifier(max_depth=5, random_state=0).fit(with_missing(IRIS.data), IRIS.target),
    "missing or not": DecisionTreeClassifier(random_state=0).fit(
        [[np.nan, 0.1]] * 5 + [[1.0, 0.1], [2.0, 0.1], [3.0, 0.1]] * 2, [True] * 5 + [False] * 6
    ),
    "extra": ExtraTreeClassifier(max_depth=6, random_state=0).fit(with_missing(IRIS.data), IRIS.target > 0),
    "regression": DecisionTreeRegressor(min_samples_leaf=3, random_state=0).fit(DIABETES.data, DIABETES.target),
    "regression, missing": DecisionTreeRegressor(max_depth=7, random_state=0).fit(
        with_missing(DIABETES.data), DIABETES.target
    ),
    "absolute error": DecisionTreeRegressor(criterion="absolute_error", max_depth=5, random_state=0).fit(
        DIABETES.data, DIABETES.target
    ),
    "poisson": DecisionTreeRegressor(criterion="poisson", max_depth=5, random_state=0).fit(
        DIABETES.data, DIABETES.target
    ),
    "monotonic": DecisionTreeRegressor(max_depth=6, random_state=0, monotonic_cst=[0, 0, 1, 1, *[0] * 6]).fit(
        DIABETES.data, DIABETES.target
    ),
    "extra regression": ExtraTreeRegressor(max_depth=8, random_state=0).fit(DIABETES.data, DIABETES.target),
    "one leaf": DecisionTreeClassifier().fit([[1.0], [2.0]], [7, 7]),
}


def boundary_rows(model: Any, n: int = 2_000, seed: int = 0) -> Any:
    """Return rows whose cells lie at and beside the thresholds of their column, are missing, huge or 0.

    Models that refuse missing values (of some options, in some versions) get none.
    """
    hole = np.nan if takes_missing(model) else 2.0
    generator = np.random.default_rng(seed)
    arrays = model.tree_
    columns = []
    for feature in range(model.n_features_in_):
        around = cells_around(arrays.threshold[(arrays.feature == feature) & np.isfinite(arrays.threshold)])
        values = np.concatenate([around, [hole, 0.0, -0.0, FLOAT32_MAX, -FLOAT32_MAX, 5e-324, 1.0]])
        columns.append(generator.permutation(np.resize(values, max(n, len(values))))[:n])
    return np.column_stack(columns)


def answers(tree: Tree, rows: Any) -> Any:
    """Return the predictions of a tree for an array."""
    return predict(tree, rows, columns=[feature.name for feature in tree.schema.features])


def differs(model: Any, tree: Tree) -> bool:
    """Return whether a prediction, or a probability, is not that of the model to the bit, for 2,000 boundary rows."""
    rows = boundary_rows(model)
    with np.errstate(all="ignore"):  # the library sums all cells, and huge ones overflow
        expected = model.predict(rows)
        shares = None if tree.schema.is_regression else model.predict_proba(rows)
    if not np.array_equal(answers(tree, rows), expected):
        return True
    names = [feature.name for feature in tree.schema.features]
    return shares is not None and not np.array_equal(predict_proba(tree, rows, columns=names), shares)


@pytest.mark.parametrize("name", MODELS)
def test_answers_are_those_of_the_library_to_the_bit(name: str) -> None:
    """At every threshold, beside it, at missing and huge cells: labels, means and probabilities."""
    assert len(boundary_rows(MODELS[name])) >= 1_000
    assert not differs(MODELS[name], import_model(MODELS[name]))


@given(st.data())
def test_answers_are_those_of_the_library_for_drawn_models(data: st.DataObject) -> None:
    """Classes, criteria, sizes, weights and missing values are drawn."""
    n, n_features = data.draw(st.integers(2, 40)), data.draw(st.integers(1, 3))
    generator = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    rows = generator.choice([0.1, 0.30000001, 1.0, 2.0**24 + 1, -7.0, 1e30], (n, n_features))
    rows = np.where(generator.random(rows.shape) < data.draw(st.sampled_from([0.0, 0.2])), np.nan, rows)
    limits = {"max_depth": data.draw(st.sampled_from([None, 1, 3])), "random_state": 0}
    limits["max_leaf_nodes"] = data.draw(st.sampled_from([None, 2, 5]))
    weights = data.draw(st.sampled_from([None, generator.integers(1, 4, n), generator.random(n) + 0.01]))
    if data.draw(st.booleans()):
        kind = data.draw(st.sampled_from([DecisionTreeClassifier, ExtraTreeClassifier]))
        labels = data.draw(st.sampled_from([["b", "a", "中"], [3, 1, 2], [True, False], [1.0, 2.0]]))
        model = kind(criterion=data.draw(st.sampled_from(["gini", "entropy"])), **limits)
        model.fit(rows, generator.choice(np.array(labels), n), sample_weight=weights)
    else:
        kind = data.draw(st.sampled_from([DecisionTreeRegressor, ExtraTreeRegressor]))
        model = kind(**limits).fit(rows, generator.normal(size=n), sample_weight=weights)
    assert not differs(model, import_model(model))


def rebuilt(tree: Tree, change: Any) -> Tree:
    """Return a tree with each split changed."""
    root: Node = fold(tree, lambda leaf: leaf, lambda split, children: change(split, children))
    return Tree(tree.schema, root)


def library_thresholds(model: Any) -> dict[float, float]:
    """Return the thresholds of the library by those on doubles."""
    thresholds = model.tree_.threshold
    return dict(zip(exact_thresholds(thresholds).tolist(), thresholds.tolist(), strict=True))


def below(split: Split, children: Any) -> Split:
    """Compare by `<`: the library's threshold itself goes right."""
    test = ThresholdTest(split.test.feature, float(np.nextafter(np.float32(split.test.threshold), np.float32(-np.inf))))  # type: ignore[union-attr]
    return Split(test, children, split.missing)


@pytest.mark.parametrize("name", ["classes", "missing", "regression"])
def test_a_comparison_by_less_is_found(name: str) -> None:
    """`<` for `<=` differs on a boundary row: an importer that did it would fail."""
    assert differs(MODELS[name], rebuilt(import_model(MODELS[name]), below))


@pytest.mark.parametrize("name", ["classes", "missing", "regression"])
def test_thresholds_without_the_rounding_of_cells_are_found(name: str) -> None:
    """The library's own thresholds on doubles differ on a boundary row."""
    by_exact = library_thresholds(MODELS[name])

    def change(split: Split, children: Any) -> Split:
        assert isinstance(split.test, ThresholdTest)
        return Split(ThresholdTest(split.test.feature, by_exact[split.test.threshold]), children, split.missing)

    assert differs(MODELS[name], rebuilt(import_model(MODELS[name]), change))


@pytest.mark.parametrize("name", ["missing", "missing or not", "regression, missing"])
def test_swapped_sides_of_missing_values_are_found(name: str) -> None:
    """Missing cells that go to the other child differ."""
    swapped = rebuilt(
        import_model(MODELS[name]), lambda split, children: Split(split.test, children, 1 - split.missing)
    )
    assert differs(MODELS[name], swapped)


@given(st.floats(width=64, allow_nan=False), st.integers(-3, 3))
def test_an_exact_threshold_separates_as_the_rounded_cell_does(threshold: float, steps: int) -> None:
    """x <= T is float32(x) <= t for every double near both."""
    exact = float(exact_thresholds(np.array([threshold]))[0])
    for cell in (exact, threshold):
        with np.errstate(over="ignore"):
            for _ in range(abs(steps)):
                cell = float(np.nextafter(cell, np.sign(steps) * np.inf))
            single = np.float32(cell)
        if np.isfinite(single) and np.isfinite(cell):
            assert (cell <= exact) == (float(single) <= threshold)


@pytest.mark.parametrize("name", MODELS)
def test_leaves_hold_the_weights_of_the_library(name: str) -> None:
    """Rows of the same leaf of the library are rows of one rule; n is the weight of the node."""
    model, tree = MODELS[name], import_model(MODELS[name])
    rows = boundary_rows(model)
    names = [feature.name for feature in tree.schema.features]
    with np.errstate(all="ignore"):
        leaves = model.apply(rows)
    pairs = set(zip(leaves.tolist(), apply(tree, rows, columns=names).tolist(), strict=True))
    assert len(pairs) == len({leaf for leaf, _ in pairs}) == len({rule for _, rule in pairs})
    weights = sorted(model.tree_.weighted_n_node_samples.tolist())
    counted = sorted((node.as_leaf or node).n if isinstance(node, Split) else node.n for node in preorder(tree))  # type: ignore[attr-defined]
    assert counted == pytest.approx(weights)


@pytest.mark.parametrize("name", few(MODELS, 6))
def test_an_imported_tree_is_a_tree(name: str, tmp_path: Path) -> None:
    """Rules, check, diff, explain, code, verify, show and a model file work as on our own trees."""
    tree = import_model(MODELS[name])
    rules = compile_rules(tree)
    assert check(rules) and diff(tree, rules).equal
    assert verify(tree, to_python(tree), most=300)
    (tmp_path / "model.sql").write_text(to_sql(tree, dialect="duckdb"), encoding="utf-8")
    assert verify(tree, tmp_path / "model.sql", dialect="duckdb", most=300)
    assert to_javascript(tree) and str(render(tree)) and str(render(rules))
    assert explain(tree, {feature.name: 1.0 for feature in tree.schema.features})
    save(tree, tmp_path / "model.tree.json")
    loaded = load(tmp_path / "model.tree.json")
    assert loaded == tree and pickle.loads(pickle.dumps(tree)) == tree


def test_names_are_those_of_the_frame_of_the_fit_or_of_the_caller() -> None:
    """Else x0, x1; the target is named by the caller."""
    frame = pd.DataFrame({"花瓣 长": [1.0, 2.0], "b": [0.0, 0.0]})
    model = DecisionTreeClassifier().fit(frame, ["x", "y"])
    tree = import_model(model, target="种类")
    assert [feature.name for feature in tree.schema.features] == ["花瓣 长", "b"]
    assert 'IF "花瓣 长" <= 1.5' in str(render(compile_rules(tree)))
    assert [feature.name for feature in import_model(MODELS["one leaf"]).schema.features] == ["x0"]
    assert [feature.name for feature in from_sklearn(model, features=["p", "q"]).schema.features] == ["p", "q"]
    for arguments in ({"features": ["p"]}, {"features": ["p", "p"]}, {"features": "p"}, {"target": "b"}, {"target": 3}):
        with pytest.raises(OptionError, match=next(iter(arguments))):
            import_model(model, **arguments)


@pytest.mark.parametrize("search", [GridSearchCV, RandomizedSearchCV])
def test_a_search_is_its_best_estimator(search: Any) -> None:
    """A search that was not fitted, or did not refit, has none."""
    choices = {"max_depth": [1, 2]}
    options = {"n_iter": 2} if search is RandomizedSearchCV else {}
    found = search(DecisionTreeClassifier(random_state=0), choices, **options).fit(IRIS.data, IRIS.target)
    assert import_model(found) == import_model(found.best_estimator_)
    with pytest.raises(DataError, match="has no best_estimator_"):
        import_model(search(DecisionTreeClassifier(), choices, **options))
    with pytest.raises(OptionError, match="KNeighborsClassifier"):
        import_model(
            search(KNeighborsClassifier(), {"p": [1, 2]}, **options).fit(IRIS.data, IRIS.target),
        )


def test_what_cannot_be_imported_is_refused_with_the_reason() -> None:
    """Not fitted, several outputs, another estimator, classes of mixed types, no model, a file."""
    with pytest.raises(DataError, match="DecisionTreeClassifier is not fitted"):
        import_model(DecisionTreeClassifier())
    several = DecisionTreeRegressor().fit([[1.0], [2.0]], [[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(OptionError, match="2 outputs"):
        import_model(several)
    negative = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 0], sample_weight=[1, -0.5, 1])
    with pytest.raises(OptionError, match="negative weights"):
        import_model(negative)
    with pytest.raises(OptionError, match="CalibratedClassifierCV"):
        import_model(CalibratedClassifierCV(DecisionTreeClassifier()))
    for wrong in (3, None, object(), [MODELS["classes"]]):
        with pytest.raises(OptionError, match="a fitted model of XGBoost, LightGBM, CatBoost, scikit-learn"):
            import_model(wrong)
        with pytest.raises(OptionError, match="a fitted model of scikit-learn"):
            from_sklearn(wrong)
    for file in ("model.pkl", Path("model.joblib"), b"\x80\x04"):
        with pytest.raises(OptionError, match=r"import_model\(joblib\.load"):
            import_model(file)


def test_fields_of_nodes_that_are_not_known_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version of the library may give nodes a new meaning; the model here says that it has one more field."""

    class Later:
        """The arrays of a tree with a field more."""

        def __init__(self, arrays: Any) -> None:
            self._arrays = arrays

        def __getattr__(self, name: str) -> Any:
            return getattr(self._arrays, name)

        def __getstate__(self) -> Any:
            nodes = self._arrays.__getstate__()["nodes"]
            return {"nodes": np.zeros(1, dtype=[*nodes.dtype.descr, ("is_categorical", "u1")])}

    model = DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1])
    monkeypatch.setattr(model, "tree_", Later(model.tree_))
    with pytest.raises(OptionError, match="is_categorical"):
        import_model(model)


def test_each_importer_refuses_by_an_error_of_ours() -> None:
    """The law over the table: what is recognised but not readable is a TreeRulesError."""
    unreadable = {
        "XGBoost": ModelDocument("a document", {"learner": {}, "version": [3, 0, 0]}),
        "LightGBM": ModelDocument("a document", "tree\nversion=v2\n"),
        "CatBoost": ModelDocument("a document", {"features_info": {}, "model_info": {}, "scale_and_bias": []}),
        "scikit-learn": KNeighborsClassifier(),
    }
    assert [importer.name for importer in IMPORTERS] == list(unreadable)
    for importer in IMPORTERS:
        assert [name for name, model in unreadable.items() if importer.recognises(model)] == [importer.name]
        with pytest.raises(TreeRulesError):
            importer.read(unreadable[importer.name], ImportOptions())


def test_columns_of_truth_values_are_the_numbers_0_and_1() -> None:
    """Of frames, as scikit-learn reads them; a missing one goes where missing values go."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [True, False, True, False], "b": [1.0, 2.0, 3.0, 4.0]})
    model = DecisionTreeClassifier().fit(frame, ["x", "y", "x", "y"])
    tree = import_model(model)
    assert predict(tree, frame).tolist() == model.predict(frame).tolist() == ["x", "y", "x", "y"]
    assert predict(tree, frame.astype({"a": object})).tolist() == ["x", "y", "x", "y"]
    missing = frame.assign(a=pandas.array([None, True, None, False], dtype="boolean"))
    assert predict(tree, missing).tolist() == model.predict(missing.astype({"a": "float64"})).tolist()
