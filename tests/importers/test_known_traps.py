"""What naive importers of XGBoost, LightGBM and CatBoost get wrong, one test for each: models written by hand.

Each expectation holds for treerules and, where it is installed (the marker `peer`), for the library that loads the same
file. The numbers in the docstrings are those of the list of known mistakes that the importers are checked against.
"""

import json
import math
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import duckdb
import numpy as np
import pytest

from library_answers import RECORDED
from paths import TESTS
from small_model_answers import library_labels, library_margins, own_labels, own_margins, written
from small_models import (
    Node,
    SmallTree,
    catboost_content,
    lightgbm_text,
    nested,
    oblivious,
    xgboost_content,
)
from treerules import predict, predict_proba, to_sql
from treerules.errors import ModelFileError, OptionError
from treerules.importers import import_model
from treerules.trees import Split, ValueSetTest, predict_margin

#: The numbers of the list that concern these three libraries, and what later measurements added.
TRAPS = {*map(str, (*range(1, 23), 31, 32, 33, 39, 40, 41, 42)), "labels", "unions", "statistics", "pool"}
#: The tests of other files that state a trap exactly.
COVERED_ELSEWHERE = {
    "13": ("test_refused_models.py", "test_a_model_that_is_not_read_is_refused_by_name"),
    "18": ("test_refused_models.py", "test_a_model_that_is_not_read_is_refused_by_name"),
    "22": ("test_lightgbm_models.py", "test_lines_may_end_as_in_windows"),
}
#: The greatest number that LightGBM takes for 0: the float32 next to 1e-35.
ZERO = 1.0000000180025095e-35
#: Cells whose integer part is a code, and cells that are none.
CODES = [-1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 1.7, 2.0, 31.0, 31.9, 32.0, 33.0, 1e9, math.nan]
Answers = Callable[..., list[Any]]


def test_every_known_trap_has_a_test() -> None:
    """Each number stands in the docstring of a test here, or a test elsewhere states it."""
    functions = [value for name, value in vars(sys.modules[__name__]).items() if name.startswith("test_")]
    here = {number for test in functions for number in re.findall(r"\(trap ([\w, ]+)\)", test.__doc__ or "")}
    assert {part for numbers in here for part in numbers.split(", ")} | COVERED_ELSEWHERE.keys() == TRAPS
    for file, name in COVERED_ELSEWHERE.values():
        assert f"def {name}(" in (TESTS / "importers" / file).read_text(encoding="utf-8")


@pytest.fixture(params=["treerules", pytest.param("library", marks=pytest.mark.peer)])
def margins(request: pytest.FixtureRequest, tmp_path: Any) -> Answers:
    """Return what gives the margins of rows: of treerules, and of the library itself."""
    answers = {"treerules": own_margins, "library": library_margins}[request.param]
    return lambda content, rows, **options: answers(written(tmp_path, content), rows, **options)


@pytest.fixture(params=["treerules", pytest.param("library", marks=pytest.mark.peer)])
def labels(request: pytest.FixtureRequest, tmp_path: Any) -> Answers:
    """Return what gives the labels of rows, 0 or 1: of treerules, and of the classifier of the library."""
    answers = {"treerules": own_labels, "library": library_labels}[request.param]
    return lambda content, rows: answers(written(tmp_path, content), rows)


def column(*cells: float) -> list[list[float]]:
    """Return rows of one column."""
    return [[cell] for cell in cells]


def sides(found: Sequence[float]) -> list[int]:
    """Return the sides of rows in a tree whose leaves are 1 and 2."""
    return [int(margin) - 1 for margin in found]


# ---- numbers


def _beside(threshold: float) -> list[float]:
    """Return a threshold, the float32 beside it, the middles between them, and the doubles beside all these."""
    single = np.float32(threshold)
    singles = [float(np.nextafter(single, np.float32(way))) for way in (-np.inf, np.inf)] + [float(single)]
    cells = [*singles, *((single + other) / 2 for single in map(float, [single]) for other in singles[:2]), threshold]
    return [near for cell in cells for near in (math.nextafter(cell, -math.inf), cell, math.nextafter(cell, math.inf))]


@pytest.mark.parametrize("threshold", [0.1, 0.3, -7.7, 1e-30, 16777216.0, 3e38])
@pytest.mark.parametrize("library", ["XGBoost", "LightGBM", "CatBoost"])
def test_cells_at_a_threshold_and_beside_it(library: str, threshold: float, margins: Answers) -> None:
    """XGBoost and CatBoost round the cell to float32, LightGBM compares doubles; < in XGBoost, <= else (trap 1)."""
    single = np.float32(threshold)
    contents = {
        "XGBoost": (xgboost_content(Node(0, float(single), 1.0, 2.0)), lambda cell: np.float32(cell) >= single),
        "LightGBM": (lightgbm_text(Node(0, threshold, 1.0, 2.0)), lambda cell: cell > threshold),
        "CatBoost": (
            catboost_content(oblivious([(0, float(single))], [1.0, 2.0]), borders=[[float(single)]]),
            lambda cell: np.float32(cell) > single,
        ),
    }
    content, is_second = contents[library]
    cells = _beside(threshold)
    assert sides(margins(content, column(*cells))) == [int(is_second(cell)) for cell in cells]


def test_numbers_in_json_of_xgboost_are_those_of_float32(margins: Answers) -> None:
    """The text 0.1 is the float32 next to it, as a threshold and as a leaf (trap 2)."""
    content = xgboost_content(Node(0, 0.1, 0.1, 0.7))
    tenth, seven = float(np.float32(0.1)), float(np.float32(0.7))
    assert margins(content, column(0.0999999999, 0.1, tenth, 0.0999999)) == [seven, seven, seven, tenth]


@pytest.mark.parametrize(
    ("objective", "base_score", "margin"),
    [
        ("binary:logistic", "[1E-1]", "-0x1.193ea8p+1"),  # the nearest float32 of -log(1 / 0.1 - 1) is 0x1.193ea7...
        ("binary:logistic", "1E-1", "-0x1.193ea8p+1"),
        ("reg:logistic", "[3.3E-1]", "-0x1.6a973ap-1"),
        ("count:poisson", "[2.3E0]", "0x1.aa731p-1"),
        ("reg:gamma", "2.3E0", "0x1.aa731p-1"),
        ("reg:tweedie", "[1.7E-1]", "-0x1.c59ef6p+0"),
        ("reg:squarederror", "-3E-1", "-0x1.333334p-2"),
    ],
)
def test_base_score_becomes_a_margin_in_float32(objective: str, base_score: str, margin: str, margins: Answers) -> None:
    """A number or a list of one; a probability, a mean or a margin, in float32 before the logarithm (trap 3)."""
    version = (3, 2, 0) if base_score.startswith("[") else (2, 1, 4)
    content = xgboost_content(0.0, objective=objective, base_score=base_score, version=version)
    options = {"labels": [0, 1]} if objective == "binary:logistic" else {}
    assert margins(content, column(0.0), **options) == [float.fromhex(margin)]


def test_base_score_may_be_a_list_of_one_for_each_class(margins: Answers) -> None:
    """Since XGBoost 3.1 each class has its own (trap 3)."""
    content = xgboost_content(0.0, 1.0, 2.0, objective="multi:softprob", base_score="[5E-1,2.5E-1,-1E0]", n_classes=3)
    assert margins(content, column(0.0), labels=["a", "b", "c"]) == [[0.5, 1.25, 1.0]]


@pytest.mark.parametrize(
    "objective", ["binary:logitraw", "binary:hinge", "rank:pairwise", "rank:ndcg", "rank:map", "reg:squaredlogerror"]
)
def test_base_score_of_other_objectives_is_a_margin(objective: str, margins: Answers) -> None:
    """Also of two classes without a logistic loss, and of rankings (trap 4)."""
    options = {"labels": [0, 1]} if objective.startswith("binary") else {}
    content = xgboost_content(0.25, objective=objective, base_score="[5E-1]")
    assert margins(content, column(0.0), **options) == [0.75]


def test_models_of_the_wrapper_predict_up_to_the_best_iteration(margins: Answers) -> None:
    """A file that the interface for scikit-learn wrote; of a Booster all trees predict (trap 5)."""
    trees = (1.0, 2.0, 4.0, 8.0)
    stopped = {"best_iteration": "1", "best_score": "0.5"}
    of_booster = xgboost_content(*trees, attributes=stopped)
    assert margins(of_booster, column(0.0)) == [15.0]
    assert margins(of_booster, column(0.0), iterations=3) == [7.0]


def test_the_best_iteration_counts_where_the_wrapper_wrote_the_file(tmp_path: Any) -> None:
    """Its attribute scikit_learn says so; `iterations=` says otherwise (trap 5)."""
    told = {"best_iteration": "1", "scikit_learn": '{"_estimator_type": "regressor"}'}
    path = written(tmp_path, xgboost_content(1.0, 2.0, 4.0, 8.0, attributes=told))
    assert own_margins(path, column(0.0)) == [3.0]
    assert own_margins(path, column(0.0), iterations=4) == [15.0]


@pytest.mark.peer
def test_the_wrapper_of_xgboost_predicts_up_to_the_best_iteration(tmp_path: Any) -> None:
    """XGBRegressor loads the file of the test before, and answers with two of four trees."""
    xgboost = pytest.importorskip("xgboost")
    told = {"best_iteration": "1", "scikit_learn": '{"_estimator_type": "regressor"}'}
    regressor = xgboost.XGBRegressor(n_jobs=1)
    regressor.load_model(written(tmp_path, xgboost_content(1.0, 2.0, 4.0, 8.0, attributes=told)))
    assert regressor.predict(np.zeros((1, 1))).tolist() == [3.0]


def test_a_number_may_stand_for_missing(margins: Answers) -> None:
    """The file does not hold `missing=-999`; only the number itself is missing, and NaN still is (trap 6)."""
    content = xgboost_content(Node(0, -1000.0, 4.0, Node(0, 0.0, 1.0, 2.0, missing=1), missing=1))
    cells = column(-999.0, math.nan, float(np.nextafter(np.float32(-999), np.float32(0))), -998.0, 1.0)
    assert margins(content, cells, missing=-999.0) == [2.0, 2.0, 1.0, 1.0, 2.0]
    assert margins(content, cells) == [1.0, 2.0, 1.0, 1.0, 2.0]


def _dart(place: str) -> Any:
    content = xgboost_content(0.1, 0.7, 1.0, weights=[0.3, 0.6, 1.0])
    booster = content["learner"]["gradient_booster"]
    weights = booster.pop("weight_drop")
    if place == "3.2":
        booster["weight_drop"] = weights
        return content
    inner = booster["gbtree"]
    inner["model"]["weight_drop"] = weights  # and nothing says "dart"
    content["learner"]["gradient_booster"] = inner
    content["version"] = [3, 4, 1]
    return content


def _weighted() -> float:
    total = np.float32(0)
    for leaf, weight in ((0.1, 0.3), (0.7, 0.6), (1.0, 1.0)):
        total += np.float32(leaf) * np.float32(weight)
    return float(total)


def test_leaves_of_dart_are_weighted(margins: Answers) -> None:
    """Each leaf by the weight of its tree, in float32, before it is added (trap 7)."""
    assert margins(_dart("3.2"), column(0.0)) == [_weighted()]


def test_weights_of_dart_may_stand_in_a_booster_called_gbtree(tmp_path: Any) -> None:
    """XGBoost 3.3 and later write them in the model, and the name dart nowhere (trap 7)."""
    assert "dart" not in json.dumps(_dart("3.4"))
    assert own_margins(written(tmp_path, _dart("3.4")), column(0.0)) == [_weighted()]


def test_leaves_are_not_the_base_weights(margins: Answers) -> None:
    """base_weights of small models are 77, 78 and so on; a leaf stands in split_conditions (trap 8)."""
    content = xgboost_content(Node(0, 0.0, 1.0, 2.0))
    assert content["learner"]["gradient_booster"]["model"]["trees"][0]["base_weights"] == [77.0, 78.0, 79.0]
    assert margins(content, column(-1.0, 1.0)) == [1.0, 2.0]


def test_the_sum_is_taken_in_the_type_and_order_of_the_library(margins: Answers) -> None:
    """Leaves 1e8, 1 and -1e8 are 0 in float32, in the order of the trees, and 1 in double (trap 1)."""
    assert margins(xgboost_content(1e8, 1.0, -1e8), column(0.0)) == [0.0]
    assert margins(lightgbm_text(1e8, 1.0, -1e8), column(0.0)) == [1.0]
    trees = [oblivious([], [leaf]) for leaf in (1e16, 1.0, -1e16)]
    assert margins(catboost_content(*trees, scale_and_bias=(3, [0.5])), column(0.0)) == [0.5]


# ---- categories


def test_a_set_of_codes_goes_right_in_xgboost_and_left_in_lightgbm(margins: Answers) -> None:
    """The same set on both sides (trap 9)."""
    split = Node(0, {1, 3}, 1.0, 2.0, missing=0)
    rows = column(0.0, 1.0, 2.0, 3.0, 4.0)
    assert sides(margins(xgboost_content(split, kinds=["c"]), rows, categories="codes")) == [0, 1, 0, 1, 0]
    assert sides(margins(lightgbm_text(split), rows, categories="codes")) == [1, 0, 1, 0, 1]


@pytest.mark.parametrize("missing", [0, 1])
def test_codes_that_are_none(missing: int, margins: Answers) -> None:
    """XGBoost: below 0 and unknown codes go left, NaN to the default; LightGBM: -0.5 is 0, and all others, with NaN,
    go right; both cut the fraction (trap 10)."""
    split = Node(0, {0, 1, 31, 32}, 1.0, 2.0, missing=missing)
    found = margins(xgboost_content(split, kinds=["c"]), column(*CODES), categories="codes")
    assert sides(found) == [0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, missing]
    found = margins(lightgbm_text(split), column(*CODES), categories="codes")
    assert sides(found) == [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1]


def _with_categories(texts: Sequence[str], version: Sequence[int]) -> Any:
    content = xgboost_content(Node(0, {1}, 1.0, 2.0), kinds=["c"], names=["城市"], version=version)
    encoded = [text.encode() for text in texts]
    offsets = [0, *np.cumsum([len(text) for text in encoded]).tolist()]
    values = np.frombuffer(b"".join(encoded), dtype=np.int8).tolist()
    assert min(values) < 0  # bytes above 127
    enc = {"enc": [{"offsets": offsets, "values": values}], "feature_segments": [0, len(texts)], "sorted_idx": [1, 0]}
    content["learner"]["gradient_booster"]["model"]["cats"] = enc
    return content


def test_categories_are_signed_bytes_of_utf_8(tmp_path: Any) -> None:
    """上 is -28, -72, -118; versions 3.1 to 3.3 cut such texts, so those are asked for (trap 11)."""
    path = written(tmp_path, _with_categories(["b", "上海"], (3, 4, 1)))
    assert own_margins(path, [["b"], ["上海"], ["new"], [None]]) == [1.0, 2.0, 1.0, 2.0]
    with pytest.raises(OptionError, match="城市"):
        import_model(written(tmp_path, _with_categories(["b", "上海"], (3, 2, 0))))


# ---- trees


def test_trees_may_be_single_leaves(margins: Answers) -> None:
    """One among others, and all of them (trap 12)."""
    stump = Node(0, 0.5, 1.0, 2.0)
    assert margins(xgboost_content(4.0, stump), column(0.0, 1.0)) == [5.0, 6.0]
    assert margins(lightgbm_text(4.0, stump), column(0.0, 1.0)) == [5.0, 6.0]
    split = oblivious([(0, 0.5)], [1.0, 2.0])
    bare = oblivious([], [4.0])
    assert bare["splits"] is None
    assert margins(catboost_content(bare, split, borders=[[0.5]]), column(0.0, 1.0)) == [5.0, 6.0]
    for content in (xgboost_content(4.0, 1.0), lightgbm_text(4.0, 1.0), catboost_content(bare, bare)):
        total = 8.0 if isinstance(content, dict) and "scale_and_bias" in content else 5.0
        assert margins(content, column(0.0, math.inf if total == 8.0 else 1.0)) == [total, total]


def test_trees_of_catboost_may_be_nested(margins: Answers) -> None:
    """Depthwise and Lossguide write splits within splits; a leaf is a number, or one for each class (trap 32)."""
    tree = Node(0, 0.5, 1.0, Node(1, 0.25, 2.0, 4.0))
    rows = [[0.5, 9.0], [0.6, 0.25], [0.6, 0.26]]
    assert margins(catboost_content(nested(tree), borders=[[0.5], [0.25]]), rows) == [1.0, 2.0, 4.0]
    several: Any = Node(0, 0.5, [1.0, 2.0, 3.0], Node(1, 0.25, [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]))
    content = catboost_content(
        nested(several),
        borders=[[0.5], [0.25]],
        loss="MultiClass",
        scale_and_bias=(1, [0, 0, 0]),
        classes=["a", "b", "c"],
    )
    assert margins(content, rows) == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]


# ---- missing values and zeros of LightGBM


def _side(cell: float, threshold: float, kind: str, default: int) -> int:
    """Return the side of a cell, as `NumericalDecision` in tree.h of LightGBM says it."""
    if math.isnan(cell) and kind != "NaN":
        cell = 0.0
    if (kind == "Zero" and abs(cell) <= ZERO) or (kind == "NaN" and math.isnan(cell)):
        return default
    return 0 if cell <= threshold else 1


@pytest.mark.parametrize("kind", ["None", "Zero", "NaN"])
@pytest.mark.parametrize("default", [0, 1])
@pytest.mark.parametrize("threshold", [0.5, -0.5, 0.0])
def test_what_is_missing_is_as_each_node_says(kind: str, default: int, threshold: float, margins: Answers) -> None:
    """NaN is 0, or 0 is missing too, or NaN alone is (trap 14)."""
    content = lightgbm_text(Node(0, threshold, 1.0, 2.0, missing=default, kind=kind))
    cells = [math.nan, 0.0, -0.0, -1.0, -0.2, 0.2, 0.7, math.inf, -math.inf]
    assert sides(margins(content, column(*cells))) == [_side(cell, threshold, kind, default) for cell in cells]


@pytest.mark.parametrize("kind", ["None", "Zero", "NaN"])
def test_small_numbers_are_zero_before_the_trees(kind: str, margins: Answers) -> None:
    """Numbers up to the float32 next to 1e-35, of both signs: also against thresholds nearer to 0 (trap 15)."""
    cells = [1e-36, -1e-36, ZERO, -ZERO, math.nextafter(ZERO, 1), math.nextafter(-ZERO, -1), 1e-35, 5e-324, 0.0]
    for threshold in (-1e-36, 1e-36, 0.0, -2e-35, 2e-35):
        for default in (0, 1):
            content = lightgbm_text(Node(0, threshold, 1.0, 2.0, missing=default, kind=kind))
            dropped = [0.0 if abs(cell) <= ZERO else cell for cell in cells]
            expected = [_side(cell, threshold, kind, default) for cell in dropped]
            assert sides(margins(content, column(*cells))) == expected


@pytest.mark.parametrize("default", [0, 1])
def test_thresholds_may_be_infinite_or_the_bin_of_zero(default: int, margins: Answers) -> None:
    """inf divides missing values from all numbers, and 1e-35 zeros and negative numbers from the others (trap 16)."""
    cells = [math.nan, -math.inf, -1.0, 0.0, ZERO, math.nextafter(ZERO, 1), 1.0, math.inf]
    for threshold, numbers in (("inf", [0] * 7), ("1.0000000180025095e-35", [0, 0, 0, 0, 1, 1, 1])):
        content = lightgbm_text(Node(0, threshold, 1.0, 2.0, missing=default, kind="NaN"))
        assert sides(margins(content, column(*cells))) == [default, *numbers]


def test_numbers_of_a_missing_zero_are_a_union_of_intervals(tmp_path: Any) -> None:
    """With the threshold 0.5, -1 and 0.2 go left, 0 and 0.7 right: the test is of a set of values (trap unions)."""
    path = written(tmp_path, lightgbm_text(Node(0, 0.5, 1.0, 2.0, missing=1, kind="Zero")))
    assert sides(own_margins(path, column(-1.0, 0.0, 0.2, 0.7))) == [0, 1, 0, 1]
    root = import_model(path).trees[0].root
    assert isinstance(root, Split) and isinstance(root.test, ValueSetTest)


def test_the_margin_of_a_forest_is_the_sum_divided_by_the_iterations(margins: Answers) -> None:
    """average_output: `predict` links the mean of the trees; raw_score=True is the undivided sum (trap 17)."""
    content = lightgbm_text(Node(0, 0.5, 1.0, 2.0), 4.0, 2.5, objective="poisson", header=["average_output"])
    assert margins(content, column(0.0, 1.0)) == [7.5 / 3, 8.5 / 3]


def test_the_slope_of_a_sigmoid_is_that_of_the_file(tmp_path: Any) -> None:
    """Six digits, and the probability is 1 / (1 + exp(-slope * margin)) (trap 19)."""
    path = written(tmp_path, lightgbm_text(Node(0, 0.5, -3.0, 2.0), objective="binary sigmoid:0.123457"))
    ensemble = import_model(path, labels=["no", "yes"])
    for cell, margin in ((0.0, -3.0), (1.0, 2.0)):
        assert predict_proba(ensemble, {"x": cell})[1] == 1 / (1 + math.exp(-0.123457 * margin))


@pytest.mark.peer
def test_lightgbm_takes_the_slope_and_the_mean_of_a_forest_in_the_same_way(tmp_path: Any) -> None:
    """The answers of LightGBM for the files of the two tests before."""
    lightgbm = pytest.importorskip("lightgbm")
    path = written(tmp_path, lightgbm_text(Node(0, 0.5, -3.0, 2.0), objective="binary sigmoid:0.123457"))
    shares = lightgbm.Booster(model_file=str(path)).predict(np.array([[0.0], [1.0]]))
    assert shares.tolist() == [1 / (1 + math.exp(-0.123457 * margin)) for margin in (-3.0, 2.0)]
    content = lightgbm_text(Node(0, 0.5, 1.0, 2.0), 4.0, 2.5, objective="poisson", header=["average_output"])
    path = written(tmp_path, content)
    means = lightgbm.Booster(model_file=str(path)).predict(np.array([[0.0], [1.0]]))
    assert means.tolist() == predict(import_model(path), np.array([[0.0], [1.0]]), columns=["x"]).tolist()


def test_categories_of_frames_belong_to_the_declared_columns(tmp_path: Any) -> None:
    """Also where a column of categories is not used: no split, and `none` in feature_infos, names it (trap 20)."""
    text = lightgbm_text(
        Node(2, {0, 2}, 1.0, 2.0),
        names=["age", "unused", "city"],
        parameters=["[categorical_feature: 1,2]"],
        pandas_categorical='[["k", "m"], ["a", "b", "上海"]]',
    ).replace("feature_infos=[-1:1] [-1:1] [-1:1]", "feature_infos=[-1:1] none -1:0:2:1")
    path = written(tmp_path, text)
    rows = [[0.0, "k", city] for city in ("a", "b", "上海", "new", None)]
    assert sides(own_margins(path, rows)) == [0, 1, 0, 1, 1]
    assert import_model(path).schema.features[1].categories == ("k", "m")


def test_dumps_of_lightgbm_are_not_read(tmp_path: Any) -> None:
    """dump_model() turns the threshold inf into 1e300, so what it wrote is no model (trap 21)."""
    tree = {"tree_index": 0, "num_leaves": 2, "tree_structure": {"split_feature": 0, "threshold": 1e300}}
    dump = {"name": "tree", "version": "v4", "num_class": 1, "feature_names": ["x"], "tree_info": [tree]}
    with pytest.raises(ModelFileError, match=r"model\.json: it is a dump of LightGBM.*save_model\('model\.txt'\)"):
        import_model(written(tmp_path, dump))


# ---- CatBoost


def test_the_least_border_of_catboost_divides_missing_from_numbers(margins: Answers) -> None:
    """It is the negated greatest float32, and -inf, also once it is rounded, falls on the side of missing (trap 31)."""
    least = -3.4028234663852886e38
    content = catboost_content(oblivious([(0, least)], [1.0, 2.0]), borders=[[least]], missing=["AsFalse"])
    cells = [math.nan, -math.inf, -1e39, least, -3.4028235e38, -3.4028233e38, -1.0, 0.0, math.inf, 1e39]
    with np.errstate(over="ignore"):
        expected = [int(bool(np.float32(cell) > np.float32(least))) for cell in cells]
    assert expected[:4] == [0, 0, 0, 0]
    assert sides(margins(content, column(*cells))) == expected


def _recorded(name: str) -> tuple[Any, Any]:
    path = RECORDED / "catboost" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")), import_model(path)


def _margin_by_hand(content: Any, row: dict[str, Any], holds: Callable[[Any, dict[str, Any]], bool]) -> float:
    """Return the margin of a model of oblivious trees, given what says whether a split holds."""
    total = 0.0
    for tree in content["oblivious_trees"]:
        leaf = sum(1 << level for level, split in enumerate(tree["splits"] or []) if holds(split, row))
        total += tree["leaf_values"][leaf]
    scale, (bias,) = content["scale_and_bias"]
    return total * scale + bias


def _rows_of_categories(content: Any) -> list[dict[str, Any]]:
    """Return rows with each category of both columns, unseen ones too, beside some numbers."""
    texts = [entry["value"] for entry in content["features_info"]["cat_features_hash"]]
    cities = [text for text in texts if not text.startswith("k")] + ["unseen"]
    codes = [text for text in texts if text.startswith("k")] + ["unseen", "K1", ""]
    return [
        {"age": age, "城市": city, "code": code, "size": -age / 2}
        for city in cities
        for code in codes
        for age in (-1.0, 0.1, 0.9)
    ]


def _holds_one_hot(content: Any) -> Callable[[Any, dict[str, Any]], bool]:
    hashes = {entry["value"]: entry["hash"] for entry in content["features_info"]["cat_features_hash"]}

    def holds(split: Any, row: dict[str, Any]) -> bool:
        if split["split_type"] == "FloatFeature":
            cell = row[("age", "size")[split["float_feature_index"]]]
            return bool(np.float32(cell) > np.float32(split["border"]))
        text = row[("城市", "code")[split["cat_feature_index"]]]
        return text in hashes and (hashes[text] - split["value"]) % (1 << 32) == 0

    return holds


def test_a_one_hot_split_of_catboost_is_of_one_hash() -> None:
    """A category is known by its hash, which the file spells; any other goes to the first child (trap 33)."""
    content, ensemble = _recorded("one-hot")
    rows = _rows_of_categories(content)
    assert any(split["split_type"] == "OneHotFeature" for split in content["oblivious_trees"][0]["splits"])
    holds = _holds_one_hot(content)
    assert [predict_margin(ensemble, row) for row in rows] == [_margin_by_hand(content, row, holds) for row in rows]


def _holds_statistics(content: Any) -> Callable[[Any, dict[str, Any]], bool]:
    features = content["features_info"]
    hashes = {entry["value"]: entry["hash"] for entry in features["cat_features_hash"]}
    n_borders = sum(len(feature["borders"]) for feature in features["float_features"])
    statistics = [(statistic, border) for statistic in features["ctrs"] for border in statistic["borders"]]
    multiplier = 0x4906BA494954CB65

    def holds(split: Any, row: dict[str, Any]) -> bool:
        if split["split_type"] != "OnlineCtr":
            return _holds_one_hot(content)(split, row)
        statistic, border = statistics[split["split_index"] - n_borders]
        text = row[("城市", "code")[statistic["elements"][0]["cat_feature_index"]]]
        cells = content["ctr_data"][statistic["identifier"]]["hash_map"]
        counts = {int(key): pair for key, *pair in zip(cells[::3], cells[1::3], cells[2::3], strict=True)}
        signed = int(np.array(hashes.get(text, 0), dtype=np.uint32).astype(np.int32))
        key = multiplier * (multiplier * signed % (1 << 64)) % (1 << 64)
        n0, n1 = map(np.float32, counts.get(key, (0, 0)) if text in hashes else (0, 0))
        prior, shift, scale = (np.float32(statistic[name]) for name in ("prior_numerator", "shift", "scale"))
        value = ((n1 + prior) / (n0 + n1 + np.float32(statistic["prior_denomerator"])) + shift) * scale
        return bool(value > np.float32(border))

    return holds


def test_statistics_of_catboost_are_computed_in_float32() -> None:
    """From counts of the target by the hash of a category; 0 and 0 for a category without (trap statistics)."""
    content, ensemble = _recorded("statistics")
    rows = _rows_of_categories(content)
    holds = _holds_statistics(content)
    assert any(split["split_type"] == "OnlineCtr" for tree in content["oblivious_trees"] for split in tree["splits"])
    assert [predict_margin(ensemble, row) for row in rows] == [_margin_by_hand(content, row, holds) for row in rows]


@pytest.mark.parametrize("name", ["one-hot", "statistics"])
def test_json_of_catboost_holds_categories_if_it_was_saved_with_a_pool(name: str, tmp_path: Any) -> None:
    """Without, a model of categories asks for it, and a model of numbers is read (trap pool)."""
    content, _ = _recorded(name)
    content["features_info"]["cat_features_hash"] = None
    with pytest.raises(ModelFileError, match="pool="):
        import_model(written(tmp_path, content))
    content, ensemble = _recorded("rmse")
    assert not content["features_info"]["cat_features_hash"]
    assert len(ensemble.trees) == len(content["oblivious_trees"])


# ---- names, integers, engines, labels


@pytest.mark.parametrize("library", ["XGBoost", "LightGBM", "CatBoost"])
def test_names_may_hold_any_character(library: str, tmp_path: Any) -> None:
    """Blanks, =, Chinese; LightGBM writes _ for blanks. Names that stand twice are asked for (trap 39)."""
    blank = "size of it" if library != "LightGBM" else "size_of_it"
    tree = Node(1, 0.5, 1.0, 2.0)

    def content(names: Sequence[str]) -> Any:
        if library == "XGBoost":
            return xgboost_content(tree, n_features=3, names=names)
        if library == "LightGBM":
            return lightgbm_text(tree, names=names)
        split = oblivious([(1, 0.5)], [1.0, 2.0])
        return catboost_content(split, borders=[[], [0.5], []], names=names)

    ensemble = import_model(written(tmp_path, content([blank, "a=b", "年龄"])))
    assert [feature.name for feature in ensemble.schema.features] == [blank, "a=b", "年龄"]
    assert predict(ensemble, {"a=b": 0.7, blank: 0.0, "年龄": 0.0}) == 2.0
    path = written(tmp_path, content(["a", "b", "a"]))
    with pytest.raises(OptionError, match="two of the model's are the same"):
        import_model(path)
    given = import_model(path, features=["a", "b", "c"])
    assert predict(given, {"a": 0.0, "b": 0.7, "c": 0.0}) == 2.0


@pytest.mark.parametrize("cell", [16777217, 16777219, 2**53 - 1, -16777217])
def test_integers_are_rounded_to_float32_too(cell: int, margins: Answers) -> None:
    """Beyond 2^24 two of them may be one float32: the same side as the float32 that they are (trap 40)."""
    single = np.float32(cell)
    assert int(single) != cell
    content = xgboost_content(Node(0, float(single), 1.0, 2.0))
    assert margins(content, [[cell]]) == [2.0]  # at the threshold
    content = xgboost_content(Node(0, float(np.nextafter(single, np.float32(np.inf))), 1.0, 2.0))
    assert margins(content, [[cell]]) == [1.0]
    content = catboost_content(oblivious([(0, float(single))], [1.0, 2.0]), borders=[[float(single)]])
    assert margins(content, [[cell]]) == [1.0]


@pytest.mark.parametrize("library", ["XGBoost", "LightGBM"])
def test_columns_of_float32_are_widened_in_sql(library: str, tmp_path: Any) -> None:
    """DuckDB would otherwise round the threshold to the type of the column (trap 41)."""
    tree = Node(0, 0.1, 1.0, 2.0)
    ensemble = import_model(written(tmp_path, xgboost_content(tree) if library == "XGBoost" else lightgbm_text(tree)))
    name = ensemble.schema.features[0].name
    single = np.float32(0.1)
    cells = [float(np.nextafter(single, np.float32(way))) for way in (0, 1)] + [float(single)]
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t (rid INTEGER, {name} REAL)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", list(enumerate(cells)))
        sql = to_sql(ensemble, dialect="duckdb", kind="select", table="t", keys=["rid"])
        answers = [row[1] for row in sorted(connection.execute(sql).fetchall())]
    assert answers == [predict(ensemble, {name: cell}) for cell in cells] == [1.0, 2.0, 2.0]


def _ladder(leaves: Sequence[float]) -> SmallTree:
    """Return a tree that gives the k-th leaf for the number k."""
    tree: SmallTree = leaves[-1]
    for at in reversed(range(len(leaves) - 1)):
        tree = Node(0, at + 0.5, leaves[at], tree)
    return tree


def _two_classes(library: str, leaves: Sequence[float]) -> Any:
    if library == "XGBoost":
        return xgboost_content(_ladder(leaves), objective="binary:logistic", base_score="[5E-1]")
    if library == "LightGBM":
        return lightgbm_text(_ladder(leaves), objective="binary sigmoid:1")
    splits = [at + 0.5 for at in range(len(leaves) - 1)]
    values = [0.0] * (1 << len(splits))
    for at, leaf in enumerate(leaves):
        values[(1 << at) - 1] = leaf
    tree = oblivious([(0, border) for border in splits], values)
    return catboost_content(tree, borders=[splits], loss="Logloss", classes=[0, 1])


@pytest.mark.parametrize("library", ["XGBoost", "LightGBM", "CatBoost"])
def test_the_label_at_a_probability_of_one_half_is_the_first(library: str, labels: Answers) -> None:
    """A margin of 0 is a probability of exactly 0.5, and not above it (trap 42)."""
    assert labels(_two_classes(library, [-1.0, 0.0, 1.0]), column(0.0, 1.0, 2.0)) == [0, 0, 1]


@pytest.mark.parametrize(
    ("library", "margin", "label"),
    [
        ("XGBoost", 1e-9, 0),
        ("XGBoost", 6e-8, 0),
        ("XGBoost", 1e-7, 1),
        ("LightGBM", 1e-16, 0),
        ("LightGBM", 1.2e-16, 0),
        ("LightGBM", 2.3e-16, 1),
        ("CatBoost", 5e-324, 1),
        ("CatBoost", 1e-17, 1),
    ],
)
def test_labels_are_by_the_cut_of_each_library(library: str, margin: float, label: int, labels: Answers) -> None:
    """XGBoost compares the float32 probability with 0.5, LightGBM those of both classes, CatBoost the margin with 0
    (trap labels)."""
    found = labels(_two_classes(library, [-1.0, 0.0, margin, 1.0]), column(0.0, 1.0, 2.0, 3.0))
    assert found == [0, 0, label, 1]
