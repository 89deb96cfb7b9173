"""Models of XGBoost, read from their files: the library itself says what each answer is."""

import ctypes.util
import json
import math
import platform
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from library_answers import RECORDED, answers_of, cases_of, imported, n_different
from treerules import Ensemble, predict
from treerules.errors import DataError, FileError, ModelFileError, OptionError, UnknownNameError
from treerules.importers import import_model, xgboost_document, xgboost_reader
from treerules.importers.float32_thresholds import exact_thresholds
from treerules.importers.model_documents import parsed
from treerules.importers.single_logarithm import single_logarithm
from treerules.trees import predict_margin

FOLDER = RECORDED / "xgboost"
CASES = cases_of(FOLDER)


RECORDED_ANSWERS = answers_of(FOLDER)


# ---- mutants: each difference from the library is found


def _n_different(name: str, **changed: Any) -> int:
    """Return how many recorded rows have another margin or label than the library's."""
    case = {**CASES[name], **changed}
    with np.load(FOLDER / "rows.npz") as rows:
        return n_different(imported(FOLDER, case), case, rows[name], RECORDED_ANSWERS[name])


@pytest.mark.parametrize("name", ["logistic", "softprob", "poisson"])
def test_comparing_by_at_most_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`<=` in place of `<`."""
    monkeypatch.setattr(xgboost_reader, "_below", exact_thresholds)
    assert _n_different(name) > 0


def test_thresholds_without_the_rounding_of_cells_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The greatest double below the threshold, as if cells were not rounded to float32."""
    monkeypatch.setattr(xgboost_reader, "_below", lambda numbers: np.nextafter(np.float64(numbers), -np.inf))
    assert _n_different("logistic") > 0


def _changed_trees(monkeypatch: pytest.MonkeyPatch, change: Callable[[Any], Any]) -> None:
    read = xgboost_reader.xgboost_model
    monkeypatch.setattr(
        xgboost_reader,
        "xgboost_model",
        lambda content: (model := read(content)) and evolve(model, trees=[change(tree) for tree in model.trees]),
    )


def test_a_flipped_side_of_missing_values_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """default_left."""
    _changed_trees(monkeypatch, lambda tree: evolve(tree, goes_left=~tree.goes_left))
    assert _n_different("logistic") > 0


def test_leaves_without_the_weights_of_dart_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """weight_drop is ignored."""
    read = xgboost_document._trees
    monkeypatch.setattr(xgboost_document, "_trees", lambda model, n_features, weights: read(model, n_features, None))
    assert _n_different("dart") > 0


@pytest.mark.parametrize(
    ("name", "space"), [("base", "margin"), ("poisson, base", "margin"), ("squared error", "mean")]
)
def test_a_base_in_the_wrong_space_is_found(name: str, space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """base_score as a margin where it is a probability or a mean, and the other way round."""
    objective = CASES[name]["objective"]
    changed = {
        **xgboost_reader.XGBOOST_OBJECTIVES,
        objective: evolve(xgboost_reader.XGBOOST_OBJECTIVES[objective], space=space),
    }
    monkeypatch.setattr(xgboost_reader, "XGBOOST_OBJECTIVES", changed)
    monkeypatch.setitem(xgboost_reader._BASES, "mean", lambda score: math.log(abs(score) + 1))  # type: ignore[attr-defined]
    assert _n_different(name) > 0


@pytest.mark.parametrize("name", ["codes", "frame"])
def test_categories_on_the_wrong_side_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listed categories go to the second child, all others, and codes that are none, to the first."""
    all_codes = frozenset(range(64))
    _changed_trees(
        monkeypatch,
        lambda tree: evolve(tree, codes={node: all_codes - codes for node, codes in tree.codes.items()}),
    )
    assert _n_different(name) > 0


@pytest.mark.parametrize("name", ["missing number", "missing fraction"])
def test_a_missing_number_that_is_ignored_is_found(name: str) -> None:
    """`missing=` of the fit, which the file does not hold."""
    assert _n_different(name, missing=None) > 0


def test_ignoring_the_best_iteration_is_found() -> None:
    """Models of the interface for scikit-learn predict with the iterations up to the best one."""
    case = CASES["wrapper, stopped early"]
    every = import_model(FOLDER / case["file"], labels=[0, 1], iterations=8)
    ours = imported(FOLDER, case)
    assert len(ours.trees) < len(every.trees)
    assert any("of 8 iterations" in note for note in ours.notes)
    with np.load(FOLDER / "rows.npz") as rows:
        assert n_different(
            every, case, rows[case["file"].removesuffix(".json")], RECORDED_ANSWERS["wrapper, stopped early"]
        )


# ---- what a file does not tell, and files that are not read


def _document(name: str) -> Any:
    return parsed((FOLDER / CASES[name]["file"]).read_bytes())


def _written(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_what_a_file_does_not_tell_is_asked_for() -> None:
    """Labels, categories; and an argument that does not fit says so."""
    file = FOLDER / CASES["logistic"]["file"]
    with pytest.raises(OptionError, match="the model does not name them"):
        import_model(file)
    for wrong in (["a"], ["a", "a"], ["a", 1], ["a", "b", "c"]):
        with pytest.raises(OptionError, match="2 different classes"):
            import_model(file, labels=wrong)
    with pytest.raises(OptionError, match="城市"):
        import_model(FOLDER / CASES["frame"]["file"])
    with pytest.raises(UnknownNameError, match="town"):
        import_model(FOLDER / CASES["frame"]["file"], categories={"town": ["a"]})
    with pytest.raises(OptionError, match="predicts numbers"):
        import_model(FOLDER / CASES["squared error"]["file"], labels=["a", "b"])
    with pytest.raises(OptionError, match="4 different names"):
        import_model(file, labels=["a", "b"], features=["a"])
    with pytest.raises(OptionError, match="no feature has"):
        import_model(file, labels=["a", "b"], target="f0")
    with pytest.raises(OptionError, match="from 1 to 6"):
        import_model(file, labels=["a", "b"], iterations=7)
    with pytest.raises(OptionError, match="do not need it"):
        import_model(file, labels=["a", "b"], dtype="float32")


def test_names_can_be_given_and_unsorted_labels_keep_their_order() -> None:
    """The first label is that of the first class of the model."""
    file = FOLDER / CASES["logistic"]["file"]
    ensemble = import_model(file, target="buys", features=list("abcd"), labels=["yes", "no"])
    assert [feature.name for feature in ensemble.schema.features] == list("abcd")
    assert ensemble.schema.classes == ("yes", "no")
    other = import_model(file, labels=["no", "yes"])
    row = {"a": 1.0, "b": 2.0, "c": 0.5, "d": 0.0}
    swapped = {"yes": "no", "no": "yes"}
    assert predict(ensemble, row) == swapped[predict(other, {f"f{i}": value for i, value in enumerate(row.values())})]


def test_ubjson_and_json_hold_the_same_model(tmp_path: Path) -> None:
    """A document of one, written as the other, is the same ensemble."""
    for name in ("codes", "softprob", "pairwise"):
        case = CASES[name]
        assert case["file"].endswith(".ubj")
        as_json = _written(tmp_path / "model.json", _document(name))
        assert imported(tmp_path, {**case, "file": as_json.name}) == imported(FOLDER, case)


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("version",), [1, 7, 0], "version"),
        (("version",), [4, 0, 0], "version"),
        (("learner", "objective", "name"), "survival:cox", "survival:cox"),
        (("learner", "objective", "name"), "survival:aft", "survival:aft"),
        (("learner", "gradient_booster", "name"), "gblinear", "gblinear"),
        (("learner", "learner_model_param", "num_target"), "2", "several targets"),
        (("learner", "learner_model_param", "base_score"), "[1E0,2E0,3E0]", "base_score"),
        (("learner", "learner_model_param", "base_score"), "-1", "base_score"),
        (("learner", "learner_model_param", "base_score"), "x", "base_score is 'x', and a number"),
        (("learner", "gradient_booster", "model", "gbtree_model_param", "num_trees"), "1000000", "announces 1000000"),
        (("learner", "gradient_booster", "model", "iteration_indptr"), [0, 99], "iterations"),
        (("learner", "gradient_booster", "model", "tree_info"), [9] * 6, "margins"),
        (("tree", "left_children", 0), 0, "no tree"),
        (("tree", "left_children", 1), 2, "no tree"),
        (("tree", "right_children", 0), 10**6, "no tree"),
        (("tree", "right_children", 0), -5, "no tree"),
        (("tree", "split_indices", 0), 77, "a feature that there is not"),
        (("tree", "split_indices", 0), -1, "a feature that there is not"),
        (("tree", "split_conditions", 0), math.nan, "not finite"),
        (("tree", "split_conditions", 0), math.inf, "not finite"),
        (("tree", "split_conditions", 0), "x", "no list of numbers"),
        (("tree", "split_type", 0), 7, "a feature that there is not"),
        (("tree", "split_type", 0), 1, "no categories"),
        (("tree", "sum_hessian"), [], "announces"),
        (("tree", "tree_param", "num_nodes"), "1000000000", "announces 1000000000 nodes"),
        (("tree", "tree_param", "size_leaf_vector"), "3", "vectors"),
        (("learner", "objective"), None, "objective of its learner is None, and an object is needed"),
        (("learner", "gradient_booster", "model", "trees"), {}, "trees of its model is {}, and a list is needed"),
    ],
    ids=str,
)
def test_damaged_files_and_other_models_are_refused(
    place: tuple[Any, ...], value: Any, said: str, tmp_path: Path
) -> None:
    """By a ModelFileError that names the file and says what is wrong."""
    content = _document("logistic")
    at = content
    if place[0] == "tree":
        at, place = content["learner"]["gradient_booster"]["model"]["trees"][1], place[1:]
    for part in place[:-1]:
        at = at[part]
    at[place[-1]] = value
    with pytest.raises(ModelFileError, match=re.escape(said)) as caught:
        import_model(_written(tmp_path / "model.json", content), labels=["a", "b"])
    assert "model.json" in str(caught.value) and "treerules learn" not in str(caught.value)


@pytest.mark.parametrize("name", ["logistic", "codes"])
def test_files_that_are_cut_off_or_changed_are_read_or_refused(name: str, tmp_path: Path) -> None:
    """Never another error, whatever byte is changed, and wherever the file ends."""
    content = (FOLDER / CASES[name]["file"]).read_bytes()
    random, path = Random(0), tmp_path / CASES[name]["file"]
    options = {key: CASES[name][key] for key in ("labels", "categories") if key in CASES[name]}
    n_refused = 0
    for _ in range(200):
        at = random.randrange(len(content))
        damaged = content[:at] if random.random() < 0.3 else content[:at] + random.randbytes(1) + content[at + 1 :]
        path.write_bytes(damaged)
        try:
            assert isinstance(import_model(path, **options), Ensemble)
        except (ModelFileError, OptionError):
            n_refused += 1
    assert n_refused > 20


@pytest.mark.parametrize(
    "content",
    [
        b"{L\x00\x00\x00\x00\x00\x00\x00\x07learner[$L#L\x7f\xff\xff\xff\xff\xff\xff\xff",
        b"{L\xff\xff\xff\xff\xff\xff\xff\xff",
        b"{i\x01a" + b"[" * 100_000,
        b"{i\x01a" + b"{i\x01a" * 1_000,
        b"{i\x01a[$Z#L\x00\x00\x00\x00\x7f\xff\xff\xff",
        b"{i\x01aX}",
        b"{$i}",
        b'{"a": ' + b"[" * 100_000,
        b'{"learner": 1, "version": [3]}',
        b"\xff\xfe{",
        b"{" + b"i" * 50,
    ],
    ids=lambda content: ascii(content)[:30],
)
def test_hostile_documents_are_refused(content: bytes, tmp_path: Path) -> None:
    """Announced lengths beyond the file, deep nesting, unknown markers: without their memory, and nothing is run."""
    path = tmp_path / "model.ubj"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"model\.ubj"):
        import_model(path, labels=["a", "b"])


def test_packed_files_and_pickles_are_refused(tmp_path: Path) -> None:
    """A pickle is never opened: the error prints the lines to run."""
    for name, content in (("m.pkl", b""), ("m.bin", b"\x80\x04x"), ("m.z", b"\x78\x9cx")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(OptionError, match=r"joblib\.load"):
            import_model(tmp_path / name)
    (tmp_path / "m.gz").write_bytes(b"\x1f\x8bx")
    with pytest.raises(FileError, match="gzip"):
        import_model(tmp_path / "m.gz")
    with pytest.raises(FileError):
        import_model(tmp_path / "none.json")


# ---- live models


@pytest.fixture(scope="module")
def xgboost() -> Any:
    """Return the library, where it is installed."""
    return pytest.importorskip("xgboost")


@pytest.mark.peer
def test_live_models_are_read(xgboost: Any) -> None:
    """A Booster as its file; wrappers with their labels, their missing value and their best iteration."""
    random = np.random.default_rng(0)
    rows = random.normal(size=(300, 3))
    target = (rows[:, 0] + rows[:, 1] * rows[:, 2] > 0).astype(int)
    rows[random.random(rows.shape) < 0.1] = -999.0
    quick = {"n_estimators": 30, "max_depth": 3, "n_jobs": 1, "missing": -999.0}
    fitted = xgboost.XGBClassifier(early_stopping_rounds=2, **quick)
    fitted.fit(rows[:150], target[:150], eval_set=[(rows[150:], target[150:])], verbose=False)
    ensemble = import_model(fitted)
    assert len(ensemble.trees) == fitted.best_iteration + 1 < 30
    names = ["f0", "f1", "f2"]
    assert (predict(ensemble, rows, columns=names) == fitted.predict(rows)).all()
    assert (predict_margin(ensemble, rows, columns=names) == fitted.predict(rows, output_margin=True)).all()
    booster = import_model(fitted.get_booster(), labels=[0, 1], missing=-999.0)
    assert booster == import_model(fitted, iterations=len(booster.trees))
    ranker = xgboost.XGBRanker(**quick).fit(rows, target, qid=np.arange(300) // 30)
    assert (predict(import_model(ranker), rows, columns=names) == ranker.predict(rows)).all()
    with pytest.raises(DataError, match="XGBRegressor is not fitted"):
        import_model(xgboost.XGBRegressor())


# ---- found by attacks


def test_logarithms_are_those_of_the_c_library() -> None:
    """`logf`, which is not always the nearest float32: asked here where the system has it."""
    name = ctypes.util.find_library("m")
    if name is None or platform.libc_ver()[0] != "glibc":
        pytest.skip("no C library of GNU to compare with")
    logf = ctypes.CDLL(name).logf
    logf.restype, logf.argtypes = ctypes.c_float, [ctypes.c_float]
    random = np.random.default_rng(0)
    numbers = np.concatenate([random.lognormal(0, 3, 3_000), np.linspace(0.9, 1.1, 2_000)]).astype(np.float32)
    assert [single_logarithm(number) for number in numbers.tolist()] == [logf(number) for number in numbers.tolist()]
    nearest = [float(np.float32(math.log(number))) for number in numbers.tolist()]
    assert nearest != [logf(number) for number in numbers.tolist()]


@pytest.mark.parametrize("missing", [math.inf, -math.inf, 1e40])
def test_infinite_numbers_may_be_missing(missing: float) -> None:
    """All doubles that float32 rounds to infinity go where missing values go, and no others."""
    ensemble = import_model(FOLDER / CASES["squared error"]["file"], missing=missing)
    plain = import_model(FOLDER / CASES["squared error"]["file"])
    first = math.copysign(3.4028235677973366e38, missing)
    for number in (first, math.copysign(1e39, missing), math.copysign(math.inf, missing)):
        row = dict.fromkeys(["f0", "f1", "f2", "f3"], number)
        assert predict(ensemble, row) == predict(plain, dict.fromkeys(row, None))
    last = math.nextafter(first, 0)
    assert predict(ensemble, dict.fromkeys(row, last)) == predict(plain, dict.fromkeys(row, last))


def test_arguments_of_a_wrong_kind_are_named() -> None:
    """Not the file: NaN is missing anyway; a text is no list; an array of labels is one."""
    file = FOLDER / CASES["logistic"]["file"]
    labels = ["no", "yes"]
    expected = import_model(file, labels=labels)
    assert import_model(file, labels=labels, missing=math.nan) == expected
    assert import_model(file, labels=np.array(labels)) == expected
    for wrong in ("ab", b"ab", 3, [math.nan, 1.0], [None, 1]):
        with pytest.raises(OptionError, match="labels"):
            import_model(file, labels=wrong)
    with pytest.raises(OptionError, match="missing"):
        import_model(file, labels=labels, missing=True)
    for wrong in ({"城市": None}, {"城市": 5}, {"城市": "abcd"}, {"城市": ["a"]}, {"城市": [math.nan, 1.0]}):
        with pytest.raises(OptionError, match="categories"):
            import_model(FOLDER / CASES["frame"]["file"], categories=wrong)


def test_a_short_file_announces_no_large_lists(tmp_path: Path) -> None:
    """Lists of constants take no bytes in UBJSON, and features without names are only counted."""
    n = 90_000
    path = tmp_path / "model.ubj"
    path.write_bytes(b"{i\x01a[" + b"".join(b"[$Z#l" + n.to_bytes(4, "big") for _ in range(10_000)) + b"]}")
    with pytest.raises(ModelFileError, match="a list of constants"):
        import_model(path)
    content = _document("squared error")
    content["learner"]["learner_model_param"]["num_feature"] = "300000000"
    with pytest.raises(ModelFileError, match="300000000 features"):
        import_model(_written(tmp_path / "model.json", content))


def test_refusals_say_what_to_do(tmp_path: Path) -> None:
    """And do not ask for the same file again."""
    content = _document("logistic")
    content["learner"]["objective"]["name"] = "survival:cox"
    with pytest.raises(ModelFileError, match="the objectives that are read are") as caught:
        import_model(_written(tmp_path / "model.json", content), labels=["a", "b"])
    assert "again" not in str(caught.value)
    content = _document("logistic")
    content["learner"]["attributes"] = {"best_iteration": "-5", "scikit_learn": "{}"}
    with pytest.raises(ModelFileError, match="best iteration is -5"):
        import_model(_written(tmp_path / "model.json", content), labels=["a", "b"])
