"""The estimators: the checks of scikit-learn, and what people do with estimators."""

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from joblib import Parallel, delayed
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score, cross_validate
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

from selection import few
from treerules import Table, auto, c45, cart, learn, optimal, render, verify
from treerules.errors import ColumnError, DataError, OptionError
from treerules.sklearn import RuleEncoder, TreeRulesClassifier, TreeRulesRegressor

IRIS, DIABETES = load_iris(), load_diabetes()
FRAME = pd.DataFrame(
    {
        "size": pd.Categorical(["S", "M", None, "L"] * 6, ["S", "M", "L"], ordered=True),
        "city": ["上海", None, "it's", "北京"] * 6,
        "age": pd.array([20, None, 40, 50, 60, 70] * 4, dtype="Int64"),
        "member": [True, False] * 12,
    }
)
LABELS = pd.Series(["yes" if label else "no" for label in FRAME["member"]], name="buys")


#: The checks of scikit-learn; 1.6 makes them one by one, and pytest wants a list.
CHECKS = parametrize_with_checks([TreeRulesClassifier(), TreeRulesRegressor(), RuleEncoder()]).mark


@pytest.mark.parametrize(CHECKS.args[0], few(CHECKS.args[1], 60), **CHECKS.kwargs)
def test_all_checks_of_scikit_learn_pass(estimator: Any, check: Any) -> None:
    """None is expected to fail."""
    assert check(estimator) is None


def test_the_tree_is_that_of_learn() -> None:
    """A frame as it is, by the default recipe, by options and by a recipe; the target has the name of y."""
    table = Table.from_frame(FRAME.assign(buys=LABELS))
    assert TreeRulesClassifier().fit(FRAME, LABELS).tree_ == learn(table, target="buys")
    by_options = TreeRulesClassifier(max_depth=1, criterion="entropy", class_weight={"no": 2.0}).fit(FRAME, LABELS)
    recipe = auto(max_depth=1, criterion="entropy", class_weight={"no": 2.0})
    assert by_options.tree_ == learn(table, target="buys", recipe=recipe)
    assert TreeRulesClassifier(recipe=c45()).fit(FRAME, LABELS).tree_ == learn(table, target="buys", recipe=c45())


def test_frames_of_all_libraries_give_the_same_answers() -> None:
    """With text, an ordinal, missing values and booleans."""
    model = TreeRulesClassifier().fit(FRAME, LABELS)
    assert model.predict(FRAME).tolist() == LABELS.tolist()
    # polars has no ordinals: there, the sizes are categories
    polars = pl.from_pandas(FRAME)
    assert TreeRulesClassifier().fit(polars, LABELS).predict(polars).tolist() == LABELS.tolist()
    for frame in (polars.lazy(), polars.to_arrow()):
        assert TreeRulesClassifier().fit(frame, LABELS).predict(frame).tolist() == LABELS.tolist()
    assert model.score(FRAME, LABELS) == 1.0
    assert model.feature_names_in_.tolist() == list(FRAME.columns)
    assert model.feature_importances_.shape == (4,) and model.feature_importances_.sum() == 1


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (pd.Series([0, 1] * 12, dtype="Int64"), [0, 1]),
        (pd.Series(["a", "b"] * 12, dtype="string"), ["a", "b"]),
        (pd.Series(["a", "b"] * 12, dtype="category"), ["a", "b"]),
        (pl.Series([True, False] * 12), [False, True]),
        ([1.0, 2.0] * 12, [1.0, 2.0]),
    ],
)
def test_classes_keep_their_type(y: Any, classes: list[Any]) -> None:
    """Also those of nullable columns: integers do not become floats."""
    model = TreeRulesClassifier(recipe=cart()).fit(FRAME, y)
    assert model.classes_.tolist() == list(model.tree_.schema.classes) == classes
    assert list(map(type, model.tree_.schema.classes)) == list(map(type, classes))


def test_targets_and_weights_that_cannot_be_used_are_refused() -> None:
    """Missing targets, none at all, weights below 0, groups of another length, columns of one name."""
    missing = [None, *LABELS[1:]]
    for y in (missing, pd.Series(missing, dtype="string"), pl.Series(missing)):
        with pytest.raises(OptionError, match=r"y=.*1 missing value of 24"):
            TreeRulesClassifier().fit(FRAME, y)
    with pytest.raises(ValueError, match="requires y"):
        TreeRulesClassifier().fit(FRAME, None)
    with pytest.raises(ColumnError, match="negative"):
        TreeRulesClassifier().fit(FRAME, LABELS, sample_weight=[-1, *[1] * 23])
    with pytest.raises(ValueError, match="inconsistent numbers"):
        TreeRulesClassifier().fit(FRAME, LABELS, groups=[1, 2])
    with pytest.raises(DataError, match="cannot be read"):
        TreeRulesClassifier().fit(pd.concat([FRAME, FRAME], axis=1), LABELS)


def test_results_are_values_of_treerules() -> None:
    """Rules, a proof, SQL and Python that verify finds equal, a page with the rules."""
    model = TreeRulesRegressor(max_rules=5).fit(DIABETES.data, DIABETES.target)
    assert model.check() and len(model.rules_.rules) == model.tree_.n_leaves <= 5
    assert verify(model.tree_, model.to_python(), most=200)
    assert "CASE" in model.to_sql(dialect="duckdb")
    assert np.array_equal(model.predict(DIABETES.data[:5]), [float(m) for m in model.predict(DIABETES.data)[:5]])
    html = model._repr_html_()
    rules = render(model.rules_, format="html")
    assert "TreeRulesRegressor" in html and html.endswith(rules)
    assert model._repr_mimebundle_()["text/html"].endswith(rules)
    assert "TreeRulesRegressor" in TreeRulesRegressor()._repr_html_()


def test_probabilities_are_those_of_the_leaves() -> None:
    """Each row sums to 1; the columns are those of `classes_`, also of a class all of whose rows have weight 0."""
    weights = np.where(IRIS.target == 1, 0, 1)
    model = TreeRulesClassifier().fit(IRIS.data, IRIS.target, sample_weight=weights)
    shares = model.predict_proba(IRIS.data)
    assert model.classes_.tolist() == [0, 1, 2] and shares.shape == (150, 3)
    assert np.allclose(shares.sum(axis=1), 1) and not shares[:, 1].any()
    assert set(model.predict(IRIS.data).tolist()) == {0, 2}


def test_a_weight_is_so_many_copies_and_the_order_of_rows_is_none() -> None:
    """The tree of weights 1 to 3 is that of copied rows, in any order."""
    generator = np.random.default_rng(0)
    weights = generator.integers(1, 4, 150)
    order = generator.permutation(np.repeat(np.arange(150), weights))
    weighted = TreeRulesClassifier().fit(IRIS.data, IRIS.target, sample_weight=weights)
    copied = TreeRulesClassifier().fit(IRIS.data[order], IRIS.target[order])
    assert np.array_equal(weighted.predict_proba(IRIS.data), copied.predict_proba(IRIS.data))


def test_pipelines_searches_and_cross_validation() -> None:
    """ColumnTransformer hands on frames; a search finds a size; scores are those of the estimator."""
    numbers = Pipeline([("fill", SimpleImputer()), ("scale", StandardScaler())])
    columns = ColumnTransformer([("numbers", numbers, ["age"])], remainder="passthrough").set_output(transform="pandas")
    pipeline = make_pipeline(columns, TreeRulesClassifier()).fit(FRAME.astype({"age": "float64"}), LABELS)
    assert pipeline.predict(FRAME.astype({"age": "float64"})).tolist() == LABELS.tolist()
    assert "remainder__city" in pipeline[-1].feature_names_in_.tolist()
    search = GridSearchCV(TreeRulesClassifier(), {"max_rules": [1, 4]}, cv=3).fit(IRIS.data, IRIS.target)
    assert search.best_params_ == {"max_rules": 4}
    assert cross_val_score(TreeRulesClassifier(), IRIS.data, IRIS.target, cv=3).min() > 0.85
    assert cross_val_score(TreeRulesRegressor(), DIABETES.data, DIABETES.target, cv=3).mean() > 0.2


def test_groups_reach_fit_by_metadata_routing() -> None:
    """Rows of a group lie in one fold of the choice of size, as with learn."""
    groups = np.arange(150) % 15
    table = Table.from_columns(
        {**{f"x{n}": IRIS.data[:, n] for n in range(4)}, "target": IRIS.target, "groups": groups}
    )
    names = [f"x{n}" for n in range(4)]
    direct = TreeRulesClassifier().fit(IRIS.data, IRIS.target, groups=groups)
    expected = learn(table, target="target", task="classification", keep=names, groups="groups")
    assert direct.tree_ == expected
    with config_context(enable_metadata_routing=True):
        model = TreeRulesClassifier().set_fit_request(groups=True, sample_weight=False)
        scores = cross_validate(
            model, IRIS.data, IRIS.target, cv=GroupKFold(3), params={"groups": groups}, return_estimator=True
        )
    train = next(iter(GroupKFold(3).split(IRIS.data, IRIS.target, groups)))[0]
    routed = TreeRulesClassifier().fit(IRIS.data[train], IRIS.target[train], groups=groups[train])
    assert scores["estimator"][0].tree_ == routed.tree_


@pytest.mark.process
def test_estimators_are_cloned_pickled_and_sent_to_processes() -> None:
    """Parameters survive a clone, the tree a pickle and two processes of joblib."""
    model = TreeRulesClassifier(max_rules=3, prefer=("x0",))
    assert clone(model).get_params() == model.get_params()
    fitted = model.fit(IRIS.data, IRIS.target)
    loaded = pickle.loads(pickle.dumps(fitted))
    assert loaded.tree_ == fitted.tree_
    halves = Parallel(n_jobs=2)(delayed(fitted.predict)(rows) for rows in (IRIS.data[:75], IRIS.data[75:]))
    assert np.array_equal(np.concatenate(halves), fitted.predict(IRIS.data))


def test_rules_as_features() -> None:
    """One column of 1 for each row, or the number of its rule; a frame where pandas is asked for."""
    labels = IRIS.target
    onehot = RuleEncoder().fit(IRIS.data, labels)
    numbers = RuleEncoder(TreeRulesClassifier(), encode="ordinal").fit_transform(IRIS.data, labels)
    matrix = onehot.transform(IRIS.data)
    assert matrix.shape == (150, onehot.estimator_.tree_.n_leaves) and (matrix.sum(axis=1) == 1).all()
    assert np.array_equal(matrix.argmax(axis=1) + 1, numbers[:, 0])
    assert np.array_equal(numbers[:, 0], onehot.estimator_.apply(IRIS.data))
    frame = RuleEncoder(TreeRulesRegressor(max_rules=3)).set_output(transform="pandas").fit_transform(FRAME, range(24))
    assert list(frame.columns) == [f"rule_{n + 1}" for n in range(frame.shape[1])]
    with pytest.raises(OptionError, match="encode="):
        RuleEncoder(encode="binary").fit(IRIS.data, labels)
    with pytest.raises(OptionError, match="estimator="):
        RuleEncoder(DecisionTreeClassifier()).fit(IRIS.data, labels)


def test_options_beside_a_recipe_and_wrong_options_are_refused() -> None:
    """By the name of the parameter."""
    with pytest.raises(OptionError, match="max_depth"):
        TreeRulesClassifier(recipe=c45(), max_depth=2).fit(IRIS.data, IRIS.target)
    with pytest.raises(OptionError, match="recipe="):
        TreeRulesClassifier(recipe="c45").fit(IRIS.data, IRIS.target)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="max_depth="):
        TreeRulesRegressor(max_depth=-1).fit(DIABETES.data, DIABETES.target)


def test_without_scikit_learn_the_error_says_how_to_install_it() -> None:
    """In a process that has no module sklearn."""
    code = "import sys; sys.modules['sklearn'] = None\nfrom treerules.sklearn import RuleEncoder"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingExtraError" in result.stderr and "pip install 'treerules[sklearn]'" in result.stderr


#: Each row of the check of class weights is a leaf of an unpruned tree, whatever classes weigh. scikit-learn's trees
#: pass it by `min_weight_fraction_leaf`.
UNPRUNED = {"check_class_weight_classifiers": "an unpruned tree fits each row, whatever its class weighs"}
#: C4.5 prunes by numbers of errors: those of rows, so that scaling weights changes nothing; copies are more rows.
PRUNED = {"check_sample_weight_equivalence_on_dense_data": "pruning counts rows, and copies are more rows"}


@pytest.mark.parametrize(
    ("estimator", "expected"),
    few(
        [
            (TreeRulesClassifier(recipe=cart()), UNPRUNED),
            (TreeRulesClassifier(recipe=c45()), UNPRUNED),
            (TreeRulesClassifier(recipe=c45(quinlan=True)), PRUNED),
            (TreeRulesClassifier(recipe=optimal(max_depth=2, leaf_penalty=0)), UNPRUNED),
            (TreeRulesRegressor(recipe=cart()), {}),
            (TreeRulesRegressor(recipe=optimal(max_depth=2, leaf_penalty=0)), {}),
        ],
        3,
    ),
    ids=["cart", "c45", "c45_pruned", "optimal", "cart_regression", "optimal_regression"],
)
def test_estimators_of_each_recipe_pass_the_checks(estimator: Any, expected: dict[str, str]) -> None:
    """Those that are expected to fail have a reason. `id3()` takes no numbers, which all checks have."""
    check_estimator(estimator, expected_failed_checks=expected, on_skip=None)


def test_class_weight_stands_beside_a_recipe_without_class_weights() -> None:
    """As scikit-learn's tools set it; other options, and class weights of both, are refused."""
    weights = {"no": 3.0, "yes": 1.0}
    model = TreeRulesClassifier(recipe=c45(), class_weight=weights).fit(FRAME, LABELS)
    assert model.tree_.recipe == c45(class_weight=weights)
    with pytest.raises(OptionError, match="class_weight"):
        TreeRulesClassifier(recipe=c45(class_weight=weights), class_weight=weights).fit(FRAME, LABELS)
    with pytest.raises(OptionError, match="max_depth"):
        TreeRulesClassifier(recipe=c45(), max_depth=1).fit(FRAME, LABELS)


def test_a_frame_is_predicted_by_position_after_a_fit_on_an_array() -> None:
    """With the warning of scikit-learn, as its own trees do; another number of columns is its ValueError."""
    model = TreeRulesClassifier().fit(IRIS.data, IRIS.target)
    frame = pd.DataFrame(IRIS.data, columns=IRIS.feature_names)
    with pytest.warns(UserWarning, match="fitted without feature names"):
        assert np.array_equal(model.predict(frame), model.predict(IRIS.data))
    with pytest.raises(ValueError, match="expecting 4 features"), pytest.warns(UserWarning, match="without feature"):
        model.predict(frame.iloc[:, :3])


def test_arrays_of_objects_hold_text_and_numbers() -> None:
    """Columns with text are categories, also with numbers among their cells; the others are numbers."""
    rows = np.array([["a", 1.0, 5], ["b", 2.0, "x"], ["a", None, 5], [None, 2.5, "x"]] * 10, dtype=object)
    labels = np.array([0, 1, 0, 1] * 10)
    model = TreeRulesClassifier(recipe=cart()).fit(rows, labels)
    assert [str(feature.kind) for feature in model.tree_.schema.features] == ["category", "number", "category"]
    assert np.array_equal(model.predict(rows), labels)
    assert np.array_equal(model.predict(rows[:, :].tolist()), labels)
    texts = np.array([["a", "u"], ["b", "v"]] * 10)
    assert np.array_equal(TreeRulesClassifier().fit(texts, labels[:20]).predict(texts), labels[:20])
    later = np.array([[None, 1.0, 5], ["a", 9, None]], dtype=object)  # no text in a column that had some
    assert len(model.predict(later)) == 2
    with pytest.raises(ValueError, match="could not convert string to float"):
        model.predict(np.array([["a", "text", "x"]], dtype=object))


@pytest.mark.parametrize("as_array", [False, True], ids=["frame", "array"])
def test_bagging_takes_columns_of_text(as_array: bool) -> None:
    """BaggingClassifier turns frames into arrays of objects."""
    frame = FRAME.astype(object).where(FRAME.notna(), None)
    rows = frame.to_numpy() if as_array else frame
    model = BaggingClassifier(TreeRulesClassifier(recipe=cart()), n_estimators=5, random_state=0).fit(rows, LABELS)
    assert (model.predict(rows) == LABELS).mean() > 0.9
