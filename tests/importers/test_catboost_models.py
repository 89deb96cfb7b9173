"""Models of CatBoost, read from their files: what would differ is found, and what is not read is refused by name."""

import json
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
from treerules import Ensemble, check, predict
from treerules.errors import DataError, ModelFileError, OptionError
from treerules.importers import catboost_columns, catboost_document, catboost_reader, import_model
from treerules.trees import predict_margin

FOLDER = RECORDED / "catboost"
CASES, ANSWERS = cases_of(FOLDER), answers_of(FOLDER)


def _n_different(name: str) -> int:
    """Return how many recorded rows have another margin or label than the library's."""
    with np.load(FOLDER / "rows.npz") as rows:
        return n_different(imported(FOLDER, CASES[name]), CASES[name], rows[name], ANSWERS[name])


def _changed(monkeypatch: pytest.MonkeyPatch, change: Callable[[Any], Any]) -> None:
    read = catboost_reader.catboost_model
    monkeypatch.setattr(catboost_reader, "catboost_model", lambda content: change(read(content)))


def _changed_splits(monkeypatch: pytest.MonkeyPatch, change: Callable[[Any], Any]) -> None:
    def changed(model: Any) -> Any:
        trees = [
            evolve(tree, splits={node: change(split) for node, split in tree.splits.items()}) for tree in model.trees
        ]
        return evolve(model, trees=trees)

    _changed(monkeypatch, changed)


# ---- mutants: each difference from the library is found


def test_thresholds_without_the_rounding_of_cells_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The border as it is, as if cells were not rounded to float32."""
    monkeypatch.setattr(catboost_reader, "exact_thresholds", lambda borders: borders)
    assert _n_different("rmse") > 0


@pytest.mark.parametrize("name", ["missing is least", "missing is greatest"])
def test_a_flipped_side_of_missing_values_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """nan_value_treatment."""
    _changed_splits(monkeypatch, lambda split: evolve(split, missing=1 - split.missing))
    assert _n_different(name) > 0


@pytest.mark.parametrize("name", ["one-hot", "statistics"])
@pytest.mark.parametrize("part", ["categories", "unseen"])
def test_categories_on_the_wrong_side_are_found(name: str, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The categories of a split, and those that no split knows."""

    def changed(split: Any) -> Any:
        if not isinstance(split, catboost_columns.CategorySplit):
            return split
        if part == "unseen":
            return evolve(split, unseen=not split.unseen)
        known = {str(text) for texts in CASES[name]["known"].values() for text in texts}
        return evolve(split, categories=frozenset(known) - split.categories)

    _changed_splits(monkeypatch, changed)
    assert _n_different(name) > 0


@pytest.mark.parametrize(
    ("name", "changes"), [("scaled", {"scale": 1.0}), ("scaled", {"bias": (0.0,)}), ("rmse", {"bias": (0.0,)})]
)
def test_a_scale_or_bias_that_is_ignored_is_found(
    name: str, changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """scale_and_bias."""
    _changed(monkeypatch, lambda model: evolve(model, **changes))
    assert _n_different(name) > 0


def test_the_order_of_the_bits_of_a_leaf_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first split is the lowest bit of the number of a leaf."""
    read = catboost_document._oblivious_tree
    monkeypatch.setattr(
        catboost_document,
        "_oblivious_tree",
        lambda record, columns, n: read(
            evolve(record, entries={**record.entries, "splits": record.listed("splits", [])[::-1]}), columns, n
        ),
    )
    assert _n_different("rmse") > 0


# ---- what is read, and what is refused


def _document(name: str) -> Any:
    return json.loads((FOLDER / CASES[name]["file"]).read_text(encoding="utf-8"))


def _written(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_rules_speak_of_categories() -> None:
    """A split by a statistic is a split of categories, and each tree is proved."""
    ensemble = imported(FOLDER, CASES["statistics"])
    cities = ensemble.schema.features[1]
    assert set(cities.categories) <= set(CASES["statistics"]["known"]["城市"])
    assert all(bool(check(tree)) for tree in ensemble.trees)


def test_classes_are_those_of_the_model() -> None:
    """And may be named anew."""
    assert imported(FOLDER, CASES["logloss, text"]).schema.classes == ("no", "yes")
    renamed = import_model(FOLDER / CASES["logloss"]["file"], labels=["healthy", "ill"])
    assert renamed.schema.classes == ("healthy", "ill")
    with pytest.raises(OptionError, match="2 different classes"):
        import_model(FOLDER / CASES["logloss"]["file"], labels=["ill"])
    with pytest.raises(OptionError, match="do not need it"):
        import_model(FOLDER / CASES["logloss"]["file"], missing=0.0)


def _combined(content: Any) -> None:
    for statistic in content["features_info"]["ctrs"]:
        statistic["elements"] = statistic["elements"] * 2


def _counted(content: Any) -> None:
    for statistic in content["features_info"]["ctrs"]:
        statistic["ctr_type"] = "Counter"


def _without_hashes(content: Any) -> None:
    del content["features_info"]["cat_features_hash"]


def _in(*place: Any, value: Any) -> Callable[[Any], None]:
    def change(content: Any) -> None:
        for part in place[:-1]:
            content = content[part]
        content[place[-1]] = value

    return change


_LOSS = ("model_info", "params", "loss_function", "type")


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("statistics", _combined, "max_ctr_complexity=1"),
        ("statistics", _counted, "the statistic Counter of '城市'"),
        ("statistics", _without_hashes, "pool="),
        ("one-hot", _without_hashes, "pool="),
        ("rmse", _in("features_info", "text_features", value=[1]), "text features"),
        ("rmse", _in("features_info", "embedding_features", value=[1]), "embedding features"),
        (
            "rmse",
            _in("model_info", "params", "loss_function", "type", value="RMSEWithUncertainty"),
            "RMSEWithUncertainty",
        ),
        ("rmse", _in("model_info", "params", "loss_function", "type", value="MultiClass"), "do not fit the loss"),
        ("rmse", _in("oblivious_trees", value=[]), "no trees"),
        ("rmse", _in("scale_and_bias", value=[1, [math.nan]]), "not finite"),
        ("rmse", _in("oblivious_trees", 0, "leaf_values", value=[1.0] * 7), "levels"),
        ("rmse", _in("oblivious_trees", 0, "leaf_values", 0, value=math.inf), "not finite"),
        ("rmse", _in("oblivious_trees", 0, "leaf_weights", value=[1.0]), "weights"),
        ("rmse", _in("oblivious_trees", 0, "splits", 0, "split_type", value="TextFeature"), "TextFeature"),
        ("rmse", _in("oblivious_trees", 0, "splits", 0, "border", value=math.nan), "border"),
        ("rmse", _in("oblivious_trees", 0, "splits", 0, "float_feature_index", value=99), "float_feature_index 99"),
        ("rmse", _in("features_info", "float_features", 0, "flat_feature_index", value=9), "numbered"),
        ("rmse", _in("features_info", "float_features", 0, "nan_value_treatment", value="As"), "'As'"),
        ("statistics", _in("ctr_data", value={}), "its ctr_data has no "),
        ("lossguide", _in("trees", 0, "left", value=None), "left of tree 1 is None, and an object"),
    ],
)
def test_damaged_files_and_other_models_are_refused(
    name: str, change: Callable[[Any], None], said: str, tmp_path: Path
) -> None:
    """By a ModelFileError that names the file and says what is wrong."""
    content = _document(name)
    change(content)
    with pytest.raises(ModelFileError, match=re.escape(said)) as caught:
        import_model(_written(tmp_path, content))
    assert "model.json" in str(caught.value)


@pytest.mark.parametrize("name", ["rmse", "lossguide", "statistics"])
def test_files_that_are_cut_off_or_changed_are_read_or_refused(name: str, tmp_path: Path) -> None:
    """Never another error, whatever byte is changed, and wherever the file ends."""
    content, random = (FOLDER / CASES[name]["file"]).read_bytes(), Random(0)
    path = tmp_path / "model.json"
    n_refused = 0
    for _ in range(100):
        at = random.randrange(len(content))
        rest = b"" if random.random() < 0.3 else random.randbytes(1) + content[at + 1 :]
        path.write_bytes(content[:at] + rest)
        try:
            assert isinstance(import_model(path), Ensemble)
        except (ModelFileError, OptionError):
            n_refused += 1
    assert n_refused > 20


def test_deep_trees_are_refused(tmp_path: Path) -> None:
    """JSON that is nested deeper than Python reads it, and a tree that announces more leaves than it has."""
    text = (FOLDER / CASES["lossguide"]["file"]).read_text(encoding="utf-8")
    start = text.index('"trees": [') + len('"trees": [')
    (tmp_path / "model.json").write_text(text[:start] + '{"left": ' * 100_000, encoding="utf-8")
    with pytest.raises(ModelFileError, match=r"model\.json"):
        import_model(tmp_path / "model.json")
    content = _document("rmse")
    content["oblivious_trees"][0]["splits"] *= 20
    with pytest.raises(ModelFileError, match="60 levels"):
        import_model(_written(tmp_path, content))


@pytest.mark.peer
def test_live_models_are_read() -> None:
    """Without columns of categories: those need the data that CatBoost was fitted on."""
    catboost = pytest.importorskip("catboost")
    random = np.random.default_rng(0)
    rows = random.normal(size=(300, 3))
    target = np.where(rows[:, 0] + rows[:, 1] > 0, "yes", "no")
    quick = {"iterations": 10, "depth": 3, "verbose": 0, "thread_count": 1, "allow_writing_files": False}
    fitted = catboost.CatBoostClassifier(**quick).fit(rows, target)
    ensemble = import_model(fitted, target="buys", features=["a", "b", "c"])
    assert (predict(ensemble, rows, columns=["a", "b", "c"]) == fitted.predict(rows)).all()
    margins = predict_margin(ensemble, rows, columns=["a", "b", "c"])
    assert (margins == fitted.predict(rows, prediction_type="RawFormulaVal")).all()
    with pytest.raises(DataError, match="CatBoostRegressor is not fitted"):
        import_model(catboost.CatBoostRegressor())


def test_the_threshold_of_probabilities_is_the_cut(tmp_path: Path) -> None:
    """`set_probability_threshold`: the second class where its probability is above."""
    content = _document("logloss")
    content["model_info"]["binclass_probability_threshold"] = "0.8"
    ensemble = import_model(_written(tmp_path, content))
    assert ensemble.cut == pytest.approx(math.log(4))
    content["model_info"]["binclass_probability_threshold"] = "1"
    with pytest.raises(ModelFileError, match="threshold"):
        import_model(_written(tmp_path, content))


def test_infinite_numbers_are_above_every_border(tmp_path: Path) -> None:
    """Also doubles that float32 rounds to infinity, where a border is the greatest float32."""
    content = _document("rmse")
    split = content["oblivious_trees"][0]["splits"][0]
    split["border"] = float(np.finfo(np.float32).max)
    tree = import_model(_written(tmp_path, content)).trees[0]
    last = math.nextafter(3.4028235677973366e38, 0)
    assert tree.root.test.threshold == last
    assert np.float32(last) == np.finfo(np.float32).max


def test_iterations_and_an_empty_bias_are_checked(tmp_path: Path) -> None:
    """0 iterations are none, and a model has a bias for each margin."""
    for wrong in (0, 7, -1, True):
        with pytest.raises(OptionError, match="iterations"):
            import_model(FOLDER / CASES["rmse"]["file"], iterations=wrong)
    content = _document("rmse")
    content["scale_and_bias"] = [1, []]
    with pytest.raises(ModelFileError, match="no bias"):
        import_model(_written(tmp_path, content))


def test_models_that_were_added_are_read(tmp_path: Path) -> None:
    """`sum_models` writes the loss function as text."""
    content = _document("rmse")
    content["model_info"] = {"loss_function": json.dumps({"type": "RMSE", "params": {}})}
    assert import_model(_written(tmp_path, content)) == imported(FOLDER, CASES["rmse"])
