"""Fitted pipelines of scikit-learn, imported: the answers are those of the pipeline, for rows at every threshold."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor, make_column_selector
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

from pipeline_rows import CODES, FRAME, LABELS, NUMBERS, TEXTS, answered, rows_at_thresholds
from profiles import examples
from selection import few
from treerules import Kind, Tree, check, compile_rules, predict, predict_proba, render, to_python, to_sql, verify
from treerules.errors import DataError, OptionError
from treerules.importers import from_sklearn, import_model, sklearn_inputs
from treerules.trees.node_parts import CategoryTest, RoutedTest
from treerules.trees.nodes import Split
from treerules.trees.walkers import preorder

#: Encoders that ignore unknown categories warn of them.
pytestmark = pytest.mark.filterwarnings("ignore:Found unknown categories")

TEXT_IMPUTER = SimpleImputer(strategy="most_frequent")


def _pipeline(number: Any, category: Any, model: Any = None, **options: Any) -> Pipeline:
    columns = ColumnTransformer([("number", number, NUMBERS), ("category", category, CODES + TEXTS)], **options)
    return Pipeline([("columns", columns), ("model", model or DecisionTreeClassifier(max_depth=7, random_state=0))])


#: Each step that is followed, with its options.
PIPELINES = {
    "mean": _pipeline(SimpleImputer(), OneHotEncoder()),
    "median, indicator, standard": _pipeline(
        make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler()),
        make_pipeline(TEXT_IMPUTER, OneHotEncoder(handle_unknown="ignore")),
    ),
    "most frequent, min max": _pipeline(
        make_pipeline(SimpleImputer(strategy="most_frequent"), MinMaxScaler((-1, 3), clip=True)),
        OneHotEncoder(drop="first", handle_unknown="ignore"),
    ),
    "constant, robust": _pipeline(
        make_pipeline(SimpleImputer(strategy="constant", fill_value=-7), RobustScaler()),
        make_pipeline(
            SimpleImputer(strategy="constant", fill_value="none"),
            OneHotEncoder(min_frequency=90, handle_unknown="infrequent_if_exist"),
        ),
    ),
    "scaled missing, dropped binary": _pipeline(StandardScaler(), OneHotEncoder(drop="if_binary")),
    "most categories": _pipeline(MaxAbsScaler(), OneHotEncoder(max_categories=2, handle_unknown="ignore")),
    "ordinal, unknown": _pipeline(
        make_pipeline(StandardScaler(), MinMaxScaler()),
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2),
    ),
    "ordinal, unknown is missing": _pipeline(
        "passthrough",
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan),
        ExtraTreeClassifier(max_depth=7, random_state=0),
    ),
    "ordinal, few": _pipeline("passthrough", make_pipeline(TEXT_IMPUTER, OrdinalEncoder(max_categories=2))),
    "drop, remainder": Pipeline(
        [
            (
                "columns",
                ColumnTransformer(
                    [("one", OneHotEncoder(handle_unknown="ignore"), ["sex", "港口"]), ("no", "drop", ["name"])],
                    remainder="passthrough",
                ),
            ),
            ("more", StandardScaler(with_mean=False)),
            ("model", DecisionTreeClassifier(max_depth=7, random_state=1)),
        ]
    ),
    "remainder is scaled": Pipeline(
        [
            (
                "columns",
                ColumnTransformer(
                    [("one", OneHotEncoder(handle_unknown="ignore"), TEXTS), ("no", "drop", ["name"])],
                    remainder=make_pipeline(SimpleImputer(), StandardScaler()),
                    sparse_threshold=1,
                ),
            ),
            ("nothing", "passthrough"),
            ("model", DecisionTreeClassifier(max_depth=7, random_state=1)),
        ]
    ),
    "selectors, frames": Pipeline(
        [
            (
                "columns",
                ColumnTransformer(
                    [
                        ("number", SimpleImputer(add_indicator=True), make_column_selector(dtype_include=np.number)),
                        ("category", OneHotEncoder(handle_unknown="ignore", sparse_output=False), TEXTS),
                    ]
                ).set_output(transform="pandas"),
            ),
            ("model", DecisionTreeClassifier(max_depth=7, random_state=1)),
        ]
    ),
    "search in a pipeline": _pipeline(
        SimpleImputer(),
        OneHotEncoder(handle_unknown="ignore"),
        GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [3, 6]}, cv=2),
    ),
    "regression": _pipeline(
        StandardScaler(), OneHotEncoder(handle_unknown="ignore"), DecisionTreeRegressor(max_depth=6, random_state=0)
    ),
    "extra tree, absolute error": _pipeline(
        SimpleImputer(), OneHotEncoder(), ExtraTreeRegressor(criterion="absolute_error", max_depth=6, random_state=0)
    ),
}


def _target(pipeline: Any) -> Any:
    is_regression = isinstance(pipeline[-1], DecisionTreeRegressor)
    return FRAME["fare"].to_numpy() ** 0.5 + 3 * (LABELS == "yes") if is_regression else LABELS


def _n_different(tree: Tree, model: Any, rows: pd.DataFrame) -> tuple[int, int]:
    """Return how many rows are answered differently, label or probabilities, and how many were compared."""
    answers = answered(model, rows)
    labels = predict(tree, rows).tolist()
    shares = (
        [[label] for label in labels] if tree.schema.is_regression else predict_proba(tree, rows).to_numpy().tolist()
    )
    differs = [labels[row] != label or shares[row] != share for row, label, share in answers]
    return sum(differs), len(differs)


@pytest.mark.parametrize("name", few(PIPELINES, 3))
def test_a_pipeline_gives_the_same_answers(name: str) -> None:
    """Label and probabilities to the bit, at every threshold, for missing and unseen values; few rows are refused."""
    pipeline = PIPELINES[name]
    pipeline.fit(FRAME, _target(pipeline))
    tree = import_model(pipeline, target="survived")
    rows = rows_at_thresholds(tree, 1_500, seed=1, n_unseen=30)
    n_different, n_compared = _n_different(tree, pipeline, rows)
    assert n_different == 0
    assert n_compared >= 1_200
    assert check(tree)
    assert {feature.name for feature in tree.schema.features} <= {*NUMBERS, *CODES, *TEXTS}


@settings(max_examples=examples(8))
@given(st.data())
def test_drawn_pipelines_give_the_same_answers(data: st.DataObject) -> None:
    """Steps, options, model and rows are drawn."""
    numbers = [data.draw(st.sampled_from([SimpleImputer(), SimpleImputer(strategy="median", add_indicator=True)]))]
    numbers += data.draw(st.lists(st.sampled_from([StandardScaler(), MinMaxScaler(), RobustScaler()]), max_size=2))
    one_hot = st.builds(
        OneHotEncoder,
        drop=st.sampled_from([None, "first", "if_binary"]),
        min_frequency=st.sampled_from([None, 50, 130]),
        handle_unknown=st.sampled_from(["ignore", "infrequent_if_exist"]),
    )
    ordinal = st.builds(
        OrdinalEncoder,
        handle_unknown=st.just("use_encoded_value"),
        unknown_value=st.sampled_from([-1, np.nan]),
        encoded_missing_value=st.sampled_from([-2, np.nan]),
    )
    depth, seed = data.draw(st.integers(1, 9)), data.draw(st.integers(0, 99))
    kind = data.draw(st.sampled_from([DecisionTreeClassifier, ExtraTreeClassifier, DecisionTreeRegressor]))
    pipeline = _pipeline(
        make_pipeline(*numbers), data.draw(st.one_of(one_hot, ordinal)), kind(max_depth=depth, random_state=seed)
    )
    pipeline.fit(FRAME, _target(pipeline))
    tree = import_model(pipeline)
    assert _n_different(tree, pipeline, rows_at_thresholds(tree, 300, seed, n_unseen=6)) == (0, 300)


def test_columns_of_float32_are_scaled_in_float32() -> None:
    """Scalers keep float32, so the thresholds are other ones: `dtype` tells."""
    frame = FRAME[NUMBERS].astype("float32")
    pipeline = make_pipeline(SimpleImputer(), StandardScaler(), DecisionTreeClassifier(random_state=0))
    pipeline.fit(frame, LABELS)
    tree = import_model(pipeline, dtype="float32")
    rows = rows_at_thresholds(tree, 1_500, seed=3, n_unseen=0)[NUMBERS].astype("float32")
    assert _n_different(tree, pipeline, rows) == (0, 1_500)
    with pytest.raises(OptionError, match="dtype"):
        import_model(pipeline, dtype="float16")  # type: ignore[arg-type]


def test_a_scaler_may_overflow_before_other_steps() -> None:
    """Columns of float32 whose scale is below 1: the steps are asked about the numbers that they take."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(300, 2)) * [0.1, 100], columns=["a", "b"]).astype("float32")
    labels = frame["a"] * 10 + frame["b"] / 100 > 0
    for steps in (
        [StandardScaler(), SimpleImputer()],
        [SimpleImputer(add_indicator=True), MinMaxScaler(), RobustScaler()],
    ):
        model = make_pipeline(*steps, DecisionTreeClassifier(max_depth=6, random_state=0)).fit(frame, labels)
        tree = import_model(model, dtype="float32")
        around = [node.test.threshold for node in preorder(tree) if isinstance(node, Split)]
        cells = np.array(
            [np.nextafter(np.float32(t), d) for t in around for d in (t, -np.inf, np.inf)], dtype="float32"
        )
        rows = pd.DataFrame({"a": rng.permutation(np.resize(cells, 200)), "b": rng.permutation(np.resize(cells, 200))})
        assert (np.asarray(predict(tree, rows)) == model.predict(rows)).all()


def test_none_may_be_the_most_frequent_value() -> None:
    """The imputer fills None with None, which the encoder knows as a category."""
    frame = pd.DataFrame({"c": pd.Series(["a", None, None, "b"] * 10, dtype=object)})
    for encoder in (OneHotEncoder(), OrdinalEncoder()):
        model = make_pipeline(SimpleImputer(strategy="most_frequent"), encoder, DecisionTreeClassifier())
        model.fit(frame, [0, 1, 1, 0] * 10)
        assert list(predict(import_model(model), frame)) == list(model.predict(frame))


def test_steps_that_answer_a_row_otherwise_in_a_table_are_refused() -> None:
    """pandas makes NaN of None beside text, which the imputer of None does not fill."""
    frame = pd.DataFrame({"c": pd.Series(["a", None, "b", "a"] * 10, dtype=object)})
    imputer = SimpleImputer(strategy="constant", fill_value="zz")
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    model = make_pipeline(imputer, encoder, DecisionTreeClassifier()).set_output(transform="pandas")
    model.fit(frame, [0, 1, 0, 0] * 10)
    try:
        tree = import_model(model)
    except OptionError as error:
        assert "pandas made NaN of None between them; fit without set_output" in str(error)
    else:  # where pandas leaves None as it is
        assert list(predict(tree, frame)) == list(model.predict(frame))


def test_arrays_have_columns_x0_and_so_on() -> None:
    """A pipeline that was fitted with an array takes arrays; names can be given."""
    columns = ColumnTransformer([("codes", OneHotEncoder(handle_unknown="ignore"), [2])], remainder=SimpleImputer())
    pipeline = make_pipeline(columns, DecisionTreeClassifier(max_depth=6, random_state=0))
    array = FRAME[[*NUMBERS, *CODES]].to_numpy()
    search = RandomizedSearchCV(pipeline, {"decisiontreeclassifier__max_depth": [4, 6]}, n_iter=2, cv=2, random_state=0)
    search.fit(array, LABELS)
    tree = from_sklearn(search)
    assert [feature.name for feature in tree.schema.features] == ["x0", "x1", "x2"]
    assert tree.schema.features[2].kind is Kind.CATEGORY and tree.schema.features[2].categories == (1, 2, 3)
    assert predict(tree, array, columns=["x0", "x1", "x2"]).tolist() == search.predict(array).tolist()
    named = from_sklearn(search, features=["age", "fare", "pclass"])
    assert predict(named, FRAME[[*NUMBERS, *CODES]]).tolist() == search.predict(array).tolist()


def test_names_can_be_given_to_a_pipeline_of_a_frame() -> None:
    """The rules have the given names, and the steps are asked by their own."""
    pipeline = PIPELINES["mean"].fit(FRAME, LABELS)
    names = [f"column {position}" for position in range(len(FRAME.columns))]
    tree = import_model(pipeline, features=names)
    assert predict(tree, FRAME.set_axis(names, axis=1)).tolist() == pipeline.predict(FRAME).tolist()


def test_rules_speak_of_the_columns_of_the_frame() -> None:
    """Categories by their names, in rules, SQL and Python, which answer alike."""
    pipeline = PIPELINES["median, indicator, standard"].fit(FRAME, LABELS)
    tree = import_model(pipeline, target="survived")
    text = render(compile_rules(tree))
    assert "sex = female" in text and "x0_" not in text
    assert verify(tree, to_python(tree)) and verify(tree, to_python(tree, vectorized=True))
    assert "'female'" in to_sql(tree, dialect="duckdb")


def test_truth_values_are_encoded() -> None:
    """A column of truth values behind an encoder is a boolean feature; it has no unseen value."""
    frame = pd.DataFrame({"alone": [True, False, True, False], "n": [1.0, 2.0, 3.0, 4.0]})
    pipeline = make_pipeline(ColumnTransformer([("one", OneHotEncoder(), ["alone"])]), DecisionTreeClassifier())
    pipeline.fit(frame, ["a", "b", "a", "b"])
    tree = import_model(pipeline)
    assert tree.schema.features[0].kind is Kind.BOOLEAN
    assert predict(tree, frame).tolist() == ["a", "b", "a", "b"]


@pytest.mark.parametrize("unknown", ["error", "ignore"])
def test_a_column_that_a_step_drops_is_asked_about_as_well(unknown: str) -> None:
    """An encoder that makes no column of its input, and a column without any value."""
    frame = pd.DataFrame({"c": ["a"] * 8, "d": [None] * 8, "x": [float(row) for row in range(8)]})
    columns = ColumnTransformer(
        [("c", OneHotEncoder(drop="first", handle_unknown=unknown), ["c"]), ("d", OneHotEncoder(), ["d"])],
        remainder=StandardScaler(),
    )
    pipeline = make_pipeline(columns, DecisionTreeClassifier(max_depth=3, random_state=0))
    pipeline.fit(frame, [0, 1, 1, 0, 0, 1, 0, 0])
    assert predict(import_model(pipeline), frame).tolist() == pipeline.predict(frame).tolist()


def test_an_imputer_behind_a_scaler_sends_missing_values_alone_to_a_child() -> None:
    """All numbers are at least 0 after the scaler, and missing ones are -5: the test has the missing value alone."""
    frame = pd.DataFrame({"x": [None, 1.0, 2.0, 3.0] * 5})
    scaler = MinMaxScaler(clip=True)
    pipeline = make_pipeline(scaler, SimpleImputer(strategy="constant", fill_value=-5), _tree())
    pipeline.fit(frame, ["a", "b", "c", "b"] * 5)
    tree = import_model(pipeline)
    assert predict(tree, frame).tolist() == pipeline.predict(frame).tolist() == ["a", "b", "c", "b"] * 5
    assert check(tree) and verify(tree, to_python(tree))


def test_an_imputed_text_is_a_category() -> None:
    """SimpleImputer(missing_values="?") replaces a text, which the rules then know."""
    frame = pd.DataFrame({"c": ["a", "b", "?", "a", "b", "?"] * 4})
    imputer = SimpleImputer(missing_values="?", strategy="constant", fill_value="b")
    pipeline = make_pipeline(imputer, OneHotEncoder(handle_unknown="ignore"), DecisionTreeClassifier(random_state=0))
    pipeline.fit(frame, ["a", "b", "b", "a", "b", "b"] * 4)
    tree = import_model(pipeline)
    assert tree.schema.features[0].categories == ("?", "a", "b")
    assert predict(tree, frame).tolist() == pipeline.predict(frame).tolist()


def test_a_column_may_be_encoded_twice() -> None:
    """The categories are those of the column itself; both encoders are asked what they make of them."""
    twice = make_pipeline(OneHotEncoder(sparse_output=False), OrdinalEncoder(), _tree())
    frame = FRAME[["sex", "pclass"]]
    tree = import_model(twice.fit(frame, LABELS))
    assert [feature.categories for feature in tree.schema.features] == [("female", "male"), (1, 2, 3)]
    assert predict(tree, frame).tolist() == twice.predict(frame).tolist()


def test_an_indicator_may_be_encoded() -> None:
    """Its 0 and 1 are no categories of the column, which stays a number."""
    imputer = SimpleImputer(add_indicator=True)
    encoder = ColumnTransformer([("flag", OneHotEncoder(), [1])], remainder="passthrough")
    pipeline = make_pipeline(imputer, encoder, DecisionTreeClassifier(random_state=0))
    frame = FRAME[["age"]]
    tree = import_model(pipeline.fit(frame, LABELS))
    assert tree.schema.features[0].kind is Kind.NUMBER
    assert predict(tree, frame).tolist() == pipeline.predict(frame).tolist()


# ---- mutants: each fails the comparison


def _mutant_differs(name: str) -> bool:
    pipeline = PIPELINES[name]
    pipeline.fit(FRAME, _target(pipeline))
    tree = import_model(pipeline)
    return _n_different(tree, pipeline, rows_at_thresholds(tree, 1_500, seed=1, n_unseen=30))[0] > 0


def test_thresholds_that_are_unscaled_by_a_formula_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """t * scale + mean is not always the greatest double that the scaler sends left."""
    found = sklearn_inputs.number_limits

    def by_formula(cuts: Any, outputs: Any, input_columns: Any) -> Any:
        scaler = outputs.steps[0].named_transformers_["number"]
        return {
            cut: float(cut[1] * scaler.scale_[cut[0]] + scaler.mean_[cut[0]])
            for cut in found(cuts, outputs, input_columns)
        }

    monkeypatch.setattr(sklearn_inputs, "number_limits", by_formula)
    assert _mutant_differs("scaled missing, dropped binary")


@pytest.mark.parametrize("part", few(["categories", "missing", "unseen"], 1))
def test_sides_of_categories_that_are_swapped_are_found(monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    """One side of the categories, of the missing or of the unseen value."""
    found = sklearn_inputs.routed_categories

    def swapped(*args: Any) -> RoutedTest | int:
        routed = found(*args)
        if isinstance(routed, int) or routed.unseen is None:
            return routed
        if part == "missing":
            return evolve(routed, missing=1 - routed.missing)
        if part == "unseen":
            return evolve(routed, unseen=1 - routed.unseen)
        assert isinstance(routed.test, CategoryTest)
        return evolve(routed, test=CategoryTest(routed.test.feature, routed.test.groups[::-1]))

    monkeypatch.setattr(sklearn_inputs, "routed_categories", swapped)
    assert _mutant_differs("ordinal, unknown")


# ---- refusals


class _Negated(StandardScaler):  # type: ignore[misc]
    """A step that overrides what it derives from scikit-learn."""

    def transform(self, X: Any, copy: Any = None) -> Any:  # noqa: N803
        return -np.asarray(super().transform(X))


class _Upside(DecisionTreeClassifier):  # type: ignore[misc]
    """A model that overrides what it derives from scikit-learn."""

    def predict(self, X: Any, check_input: bool = True) -> Any:  # noqa: N803
        return super().predict(X, check_input)[::-1]


def _tree() -> Any:
    return DecisionTreeClassifier(max_depth=3, random_state=0)


@pytest.mark.parametrize(
    ("pipeline", "said"),
    [
        (make_pipeline(SimpleImputer(), PCA(2), _tree()), "step PCA.*mixes several"),
        (
            make_pipeline(FunctionTransformer(np.abs), _tree()),
            "step FunctionTransformer.*apply absolute to",
        ),
        (
            make_pipeline(FeatureUnion([("a", StandardScaler())]), _tree()),
            "step FeatureUnion.*ColumnTransformer",
        ),
        (
            make_pipeline(SimpleImputer(), CalibratedClassifierCV(_tree(), cv=2)),
            "a CalibratedClassifierCV.*import the estimator that it calibrates",
        ),
        (make_pipeline(SimpleImputer(), KNeighborsClassifier()), "a KNeighborsClassifier"),
        (make_pipeline(_Negated(), _tree()), "step _Negated"),
        (make_pipeline(StandardScaler(), _Upside()), "a _Upside"),
        (make_pipeline(SimpleImputer(missing_values=-1), _tree()), "imputes -1 in 'age'"),
        (
            make_pipeline(
                ColumnTransformer([("one", OneHotEncoder(), ["fare"]), ("same", "passthrough", NUMBERS)]), _tree()
            ),
            "'fare' as categories and as a number",
        ),
    ],
)
def test_what_cannot_be_followed_is_refused_by_name(pipeline: Any, said: str) -> None:
    """The error names the step and says what to do."""
    pipeline.fit(FRAME[NUMBERS].fillna(0), LABELS)
    with pytest.raises(OptionError, match=said):
        import_model(pipeline)


def test_what_is_around_a_pipeline_is_refused_by_name() -> None:
    """A regressor of a transformed target; a pipeline that is not fitted; a target named like a column."""
    inner = make_pipeline(StandardScaler(), DecisionTreeRegressor(max_depth=2))
    around = TransformedTargetRegressor(inner, func=np.log1p, inverse_func=np.expm1)
    with pytest.raises(OptionError, match=r"a TransformedTargetRegressor.*import its regressor_"):
        import_model(around.fit(FRAME[["fare"]], FRAME["fare"]))
    with pytest.raises(DataError, match="DecisionTreeClassifier is not fitted"):
        import_model(make_pipeline(StandardScaler(), _tree()))
    with pytest.raises(OptionError, match="target="):
        import_model(PIPELINES["mean"].fit(FRAME, LABELS), target="sex")
    mixed = np.array([["a"], [None], [np.nan], ["b"]] * 3, dtype=object)
    model = make_pipeline(OneHotEncoder(), _tree()).fit(mixed, [0, 1, 0, 1] * 3)
    with pytest.raises(OptionError, match="None from NaN"):
        import_model(model)
