"""Models of LightGBM, read from their files: what would differ is found, and what is not read is refused by name."""

import math
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from library_answers import RECORDED, answers_of, cases_of, imported, n_different
from treerules import Ensemble, predict, predict_proba
from treerules.errors import DataError, ModelFileError, OptionError
from treerules.importers import import_model, lightgbm_document, lightgbm_reader
from treerules.importers.importer import ImportOptions
from treerules.trees import predict_margin

FOLDER = RECORDED / "lightgbm"
CASES, ANSWERS = cases_of(FOLDER), answers_of(FOLDER)


def _n_different(name: str) -> int:
    """Return how many recorded rows have another margin or label than the library's."""
    with np.load(FOLDER / "rows.npz") as rows:
        return n_different(imported(FOLDER, CASES[name]), CASES[name], rows[name], ANSWERS[name])


def _changed_trees(monkeypatch: pytest.MonkeyPatch, change: Callable[[Any], Any]) -> None:
    read = lightgbm_reader.lightgbm_model
    monkeypatch.setattr(
        lightgbm_reader,
        "lightgbm_model",
        lambda text: (model := read(text)) and evolve(model, trees=[change(tree) for tree in model.trees]),
    )


# ---- mutants: each difference from the library is found


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("binary, missing", 2),  # the default child
        ("zero is missing", 2),
        ("zero is missing", 4),  # what is missing: 0 too, or NaN, or nothing
        ("nothing is missing", 8),
        ("binary, missing", 8),
    ],
)
def test_a_changed_decision_is_found(name: str, bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bit of decision_type of a split of numbers."""
    _changed_trees(
        monkeypatch, lambda tree: evolve(tree, decision=np.where(tree.decision & 1, 1, tree.decision ^ bits))
    )
    assert _n_different(name) > 0


def test_small_numbers_that_are_not_zero_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of at most 1.0000000180025095e-35 are 0 before the trees."""
    monkeypatch.setattr(lightgbm_reader, "_ZEROS", (lightgbm_reader.valid_interval(-5e-324, 0.0),))
    assert _n_different("zero is missing") > 0


@pytest.mark.parametrize("name", ["codes", "frame"])
def test_categories_on_the_wrong_side_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listed categories go to the first child, all others to the second."""
    every = frozenset(range(64))
    _changed_trees(
        monkeypatch, lambda tree: evolve(tree, codes={split: every - codes for split, codes in tree.codes.items()})
    )
    assert _n_different(name) > 0


def test_a_forest_whose_sum_is_not_divided_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """average_output is ignored."""
    read = lightgbm_reader.lightgbm_model
    monkeypatch.setattr(lightgbm_reader, "lightgbm_model", lambda text: evolve(read(text), averages=False))
    assert _n_different("forest") > 0


def test_a_cut_at_zero_is_found() -> None:
    """LGBMClassifier compares rounded probabilities: the least margins above 0 belong to the first class."""
    ensemble = imported(FOLDER, CASES["binary"])
    assert ensemble.cut is not None and 0 < ensemble.cut < 1e-15
    for margin, is_second in ((ensemble.cut, True), (math.nextafter(ensemble.cut, 0), False)):
        second = 1 / (1 + math.exp(-margin))
        assert (second > 1 - second) is is_second


# ---- what a file does not tell, and files that are not read


def _text(name: str) -> str:
    return (FOLDER / CASES[name]["file"]).read_text(encoding="utf-8")


def _written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "model.txt"
    path.write_bytes(text.encode())
    return path


def test_lines_may_end_as_in_windows(tmp_path: Path) -> None:
    """The sizes of trees in bytes are not read, which differ then."""
    for name in ("codes", "three classes"):
        path = _written(tmp_path, _text(name).replace("\n", "\r\n"))
        assert imported(tmp_path, {**CASES[name], "file": path.name}) == imported(FOLDER, CASES[name])


def test_what_a_file_does_not_tell_is_asked_for(tmp_path: Path) -> None:
    """Labels; categories where columns hold codes; and an argument that does not fit says so."""
    with pytest.raises(OptionError, match="the model does not name them"):
        import_model(FOLDER / CASES["binary"]["file"])
    with pytest.raises(OptionError, match="Column_1"):
        import_model(FOLDER / CASES["codes"]["file"])
    with pytest.raises(OptionError, match="from 1 to 6"):
        import_model(FOLDER / CASES["l1"]["file"], iterations=7)
    with pytest.raises(OptionError, match="do not need it"):
        import_model(FOLDER / CASES["l1"]["file"], missing=-1.0)
    assert len(import_model(FOLDER / CASES["three classes"]["file"], labels=[1, 2, 3], iterations=2).trees) == 6
    more_lists = _text("frame").replace("pandas_categorical:[", "pandas_categorical:[[1], ", 1)
    with pytest.raises(OptionError, match="of 3 columns of a data frame"):  # more than fit
        import_model(_written(tmp_path, more_lists))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("version=v4", "version=v2", "v3 and v4"),
        ("objective=regression", "objective=mine", "'mine'"),
        ("num_class=1", "num_class=3", "do not fit its objective"),
        ("is_linear=0", "is_linear=1", "linear_tree=False"),
        ("end of trees", "", "ends before"),
        ("max_feature_idx=3", "max_feature_idx=1", "names of 4"),
        ("num_tree_per_iteration=1", "num_tree_per_iteration=4", "do not fit 4 trees"),
        ("num_tree_per_iteration=1", "num_tree_per_iteration=0", "do not fit 0 trees"),
        ("num_leaves=7", "num_leaves=1000000000", "values"),
        ("num_leaves=7", "num_leaves=x", "num_leaves of tree 0 is 'x', and a whole number is needed"),
        ("left_child=", "left_child=0 ", "values"),
        ("left_child=2 -2", "left_child=0 -2", "no tree"),
        ("right_child=1 4", "right_child=-99 4", "no tree"),
        ("split_feature=", "split_features=", "split_feature"),
        ("decision_type=2", "decision_type=99", "decides in a way"),
        ("decision_type=2", "decision_type=1", "cat_boundaries"),
        ("split_feature=0", "split_feature=77", "a feature that there is not"),
        ("leaf_value=", "leaf_value=nan ", "values"),
        ("threshold=", "threshold=nan ", "values"),
    ],
)
def test_damaged_files_and_other_models_are_refused(old: str, new: str, said: str, tmp_path: Path) -> None:
    """By a ModelFileError that names the file and says what is wrong."""
    text = _text("l1").replace("objective=regression_l1", "objective=regression")
    if old == "num_class=1":
        text = text.replace("objective=regression", "objective=multiclass num_class:3")
    assert old in text
    with pytest.raises((ModelFileError, OptionError), match=re.escape(said)) as caught:
        import_model(_written(tmp_path, text.replace(old, new, 1)))
    assert isinstance(caught.value, OptionError) or "model.txt" in str(caught.value)


@pytest.mark.parametrize("name", ["binary", "codes", "frame"])
def test_files_that_are_cut_off_or_changed_are_read_or_refused(name: str, tmp_path: Path) -> None:
    """Never another error, whatever byte is changed, and wherever the file ends."""
    content, random = _text(name).encode(), Random(0)
    options = {key: CASES[name][key] for key in ("labels", "categories") if key in CASES[name]}
    path = tmp_path / "model.txt"
    n_refused = 0
    for _ in range(200):
        at = random.randrange(len(content))
        path.write_bytes(
            content[:at] if random.random() < 0.3 else content[:at] + random.randbytes(1) + content[at + 1 :]
        )
        try:
            assert isinstance(import_model(path, **options), Ensemble)
        except (ModelFileError, OptionError):
            n_refused += 1
    assert n_refused > 20


# ---- live models


@pytest.mark.peer
def test_live_models_are_read() -> None:
    """A Booster as its file; wrappers with their labels; categories of a frame."""
    lightgbm = pytest.importorskip("lightgbm")
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    frame = pandas.DataFrame(
        {"x": random.normal(size=300), "c": pandas.Categorical(random.choice(["上海", "b", "d"], 300))}
    )
    target = np.where(frame["x"] + (frame["c"] == "b") > 0, "yes", "no")
    quick = {"n_estimators": 20, "num_leaves": 5, "n_jobs": 1, "verbose": -1, "min_data_per_group": 1}
    fitted = lightgbm.LGBMClassifier(**quick).fit(frame, target)
    ensemble = import_model(fitted, target="buys")
    assert ensemble.schema.classes == ("no", "yes")
    assert (predict(ensemble, frame) == fitted.predict(frame)).all()
    assert (predict_margin(ensemble, frame) == fitted.predict(frame, raw_score=True)).all()
    assert np.allclose(predict_proba(ensemble, frame), fitted.predict_proba(frame), rtol=1e-15)
    assert import_model(fitted.booster_, labels=["no", "yes"], target="buys") == ensemble
    with pytest.raises(DataError, match="LGBMRegressor is not fitted"):
        import_model(lightgbm.LGBMRegressor())


# ---- what the words of the objective and the categories of data frames say


def test_square_roots_are_undone_for_each_objective_that_has_them() -> None:
    """`sqrt` stands behind the objectives that derive from squared errors."""
    text = _text("l1")
    assert "objective=regression_l1\n" in text
    changed = lightgbm_document.lightgbm_model(
        text.replace("objective=regression_l1", "objective=regression_l1 sqrt", 1)
    )
    assert changed.objective == ("regression_l1", "sqrt")
    ensemble = lightgbm_reader._ensemble(changed, None, ImportOptions())
    assert ensemble.link == "square"


@pytest.mark.parametrize(
    ("lists", "infos"),
    [
        ('[["b", "d", "x", "y"], ["k"], ["z"]]', "[0:3.5] -1:1:3:0:2 [0:1] none"),  # of more columns than can be
        ('[["b", "d", "x", "y"]]', "[0:3] -1:1:3:0:2 [-3:2] none"),  # age may be ordered, and 城市 codes
        ('[["b", "d", "x", "y"], ["k"]]', "[0:3] -1:1:3:0:2 [-3:2] none"),
    ],
)
def test_categories_that_cannot_be_assigned_are_asked_for(lists: str, infos: str, tmp_path: Path) -> None:
    """A file has those of each column of a data frame, and does not say which: ordered ones are numbers."""
    text = re.sub("pandas_categorical:.*", lambda _: f"pandas_categorical:{lists}", _text("frame"))
    path = _written(tmp_path, re.sub("feature_infos=.*", f"feature_infos={infos}", text))
    with pytest.raises(OptionError, match="and does not say of which; columns of ordered categories may be among them"):
        import_model(path)
    import_model(path, categories="codes")
    import_model(path, categories={"城市": ["b", "d", "x", "y"], "unused": ["k"]})


@pytest.mark.peer
@pytest.mark.parametrize(
    ("region", "said"),
    [([0, 1, 2], r"\['s', 'm', 'l'\], \['a', 'b', 'c'\], and does not say of which"), ([5, 6, 7], "of 'region' in")],
)
def test_lists_of_a_frame_belong_to_their_own_columns(region: list[int], said: str, tmp_path: Path) -> None:
    """An ordered column has a list and is a number; a declared column of integers has none. Asked unless certain."""
    lightgbm, pandas = pytest.importorskip("lightgbm"), pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    sizes = pandas.Categorical(random.choice(["s", "m", "l"], 400), ["s", "m", "l"], ordered=True)
    kinds = pandas.Categorical(random.choice(["a", "b", "c"], 400))
    frame = pandas.DataFrame({"size": sizes, "k": kinds, "region": random.choice(region, 400), "x": random.random(400)})
    score = sizes.codes * 2 + kinds.codes * (frame["region"] == region[1]) * 3 + frame["region"] + frame["x"]
    data = lightgbm.Dataset(frame, score, categorical_feature=["k", "region"])
    fitted = lightgbm.train({"verbose": -1, "num_threads": 1, "min_data_per_group": 1}, data, 5)
    fitted.save_model(tmp_path / "model.txt")
    codes = [str(code) for code in range(8)]
    with pytest.raises(OptionError, match=said):
        import_model(tmp_path / "model.txt")
    ensemble = import_model(fitted, categories={"k": ["a", "b", "c"], "region": codes})
    as_read = frame.assign(size=sizes.codes.astype(float), region=frame["region"].astype(str), k=frame["k"].astype(str))
    assert predict(ensemble, as_read).tolist() == fitted.predict(frame).tolist()


@pytest.mark.peer
def test_lists_that_fit_one_choice_of_columns_are_assigned(tmp_path: Path) -> None:
    """A column of numbers with a fraction or beyond the codes is none of them; that of an ordered column is skipped."""
    lightgbm, pandas = pytest.importorskip("lightgbm"), pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    sizes = pandas.Categorical(random.choice(["s", "m", "l"], 400), ["s", "m", "l"], ordered=True)
    kinds = pandas.Categorical(random.choice([10, 20, 30], 400))
    frame = pandas.DataFrame({"x": random.random(400), "size": sizes, "n": random.integers(0, 9, 400), "k": kinds})
    score = sizes.codes * 2 + kinds.codes * 3 + frame["x"] + frame["n"]
    fitted = lightgbm.LGBMRegressor(n_estimators=5, n_jobs=1, verbose=-1, min_data_per_group=1).fit(frame, score)
    ensemble = import_model(fitted)
    assert ensemble.schema.features[3].categories == (10, 20, 30)
    as_read = frame.assign(size=sizes.codes.astype(float), k=frame["k"].astype(int))
    assert predict(ensemble, as_read).tolist() == fitted.predict(frame).tolist()


def test_too_few_categories_are_refused() -> None:
    """A split names a code that has no category."""
    with pytest.raises(OptionError, match="as many as the model has codes"):
        import_model(FOLDER / CASES["codes"]["file"], categories={"Column_1": ["a", "b"]})
    with pytest.raises(OptionError, match="a dict of lists"):
        import_model(FOLDER / CASES["codes"]["file"], categories={"Column_1": "abcd"})


def test_the_label_is_that_of_the_greatest_rounded_probability() -> None:
    """Saturated sigmoids tie, and the first class wins, as in LGBMClassifier: whatever margin is greater."""
    ensemble = imported(FOLDER, CASES["one against the others"])
    assert ensemble.label_by == "probabilities"
    shifted = evolve(ensemble, base=[40.0, 60.0, -5.0])
    rows = [{feature.name: value for feature in ensemble.schema.features} for value in (-1.0, 0.0, 1.0)]
    for row in rows:
        margins = predict_margin(shifted, row)
        assert margins[1] > margins[0]
        assert predict_proba(shifted, row)[:2] == (1.0, 1.0)
        assert predict(shifted, row) == ensemble.schema.classes[0]
        assert predict(evolve(shifted, label_by="margins"), row) == ensemble.schema.classes[1]
