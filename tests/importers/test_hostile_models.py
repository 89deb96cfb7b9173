"""Damaged and hostile files of XGBoost, LightGBM and CatBoost: they are read, or refused by an error of treerules.

No other error, no warning, no memory beyond a bound, and nothing that the file holds is executed.
"""

import json
import math
import pickle
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from library_answers import RECORDED, SPECIAL, cases_of
from paths import EXAMPLES
from small_model_answers import own_margins, written
from small_models import (
    Node,
    SmallTree,
    border_split,
    catboost_content,
    lightgbm_text,
    nested,
    oblivious,
    xgboost_content,
)
from treerules import Ensemble
from treerules.errors import ModelFileError, OptionError, UnknownNameError
from treerules.importers import import_model
from treerules.importers.model_documents import parsed
from treerules.trees import leaves, predict_margin

CASES = [(library, name) for library in SPECIAL for name in cases_of(RECORDED / library)]
#: What a file may hold in the place of anything else.
VALUES: tuple[Any, ...] = (
    *(None, True, False, "", "x", "nan", "inf", "-1", "1e999", "[1,2]", "9" * 5_000, "\ud800", "a" * 70_000),
    *(-1, 0, 1, 2, 5, 10**9, 2**31, 2**63 - 1, 2**63, -(2**63), 2**200),
    *(0.5, 1e308, -1e308, 1e-320, math.inf, -math.inf, math.nan),
    *([], {}, [[]], [{}], [None], [1], ["a"], [1, [2]], [10**9], {"a": 1}),
)
#: The errors that a file, and the arguments beside it, may raise.
ERRORS = (ModelFileError, OptionError, UnknownNameError)


def _options(library: str, name: str) -> dict[str, Any]:
    case = cases_of(RECORDED / library)[name]
    return {key: case[key] for key in ("labels", "categories", "missing") if key in case}


def _file(library: str, name: str) -> Path:
    return RECORDED / library / str(cases_of(RECORDED / library)[name]["file"])


def is_refused(path: Path, **options: Any) -> bool:
    """Return whether a file is refused; it is an Ensemble else, and any other error fails the test."""
    try:
        assert isinstance(import_model(path, **options), Ensemble)
    except ERRORS as error:
        assert str(error)
        return True
    return False


# ---- bytes


def _edited(content: bytes, random: Random) -> bytes:
    """Return the content cut off, or with one byte changed, removed or doubled."""
    at = random.randrange(len(content))
    kind = random.random()
    if kind < 0.3:
        return content[:at]
    middle = random.randbytes(1) if kind < 0.8 else b"" if kind < 0.9 else content[at : at + 1] * 2
    return content[:at] + middle + content[at + 1 :]


def _check_edits(library: str, name: str, n: int, folder: Path) -> None:
    path, random, options = _file(library, name), Random(name), _options(library, name)
    content, damaged = path.read_bytes(), folder / path.name
    n_refused = 0
    for _ in range(n):
        damaged.write_bytes(_edited(content, random))
        n_refused += is_refused(damaged, **options)
    assert n < 100 or n_refused > n // 20  # so that it was damaged indeed


@pytest.mark.parametrize(("library", "name"), CASES)
def test_files_with_a_changed_byte_are_read_or_refused(library: str, name: str, tmp_path: Path) -> None:
    """Wherever the file ends, and whatever byte is changed, of every recorded model."""
    _check_edits(library, name, 8, tmp_path)


@pytest.mark.large
@pytest.mark.parametrize(("library", "name"), CASES)
def test_300_files_with_a_changed_byte_are_read_or_refused(library: str, name: str, tmp_path: Path) -> None:
    """As above, 300 times."""
    _check_edits(library, name, 300, tmp_path)


# ---- values


def _places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    entries = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in entries:
        yield (*path, key)
        yield from _places(value, (*path, key))


def _kinds_of_places(content: Any) -> list[list[tuple[Any, ...]]]:
    """Return the places of a document, those together that differ in positions in lists alone."""
    groups: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for place in _places(content):
        groups.setdefault(tuple(key if isinstance(key, str) else 0 for key in place), []).append(place)
    return list(groups.values())


def _changed_document(content: Any, places: Sequence[Sequence[tuple[Any, ...]]], random: Random) -> Any:
    place, at = random.choice(random.choice(places)), content
    for key in place[:-1]:
        at = at[key]
    if random.random() < 0.15:
        at.pop(place[-1])
    else:
        at[place[-1]] = random.choice(VALUES)
    return content


def _changed_text(text: str, random: Random) -> str:
    lines = text.split("\n")
    at = random.randrange(min(random.choice((20, 60, len(lines))), len(lines)))
    kind = random.random()
    if kind < 0.1:
        lines.pop(at)
    elif kind < 0.2:
        lines.insert(at, random.choice(lines))
    else:
        name, sign, cells = lines[at].partition("=")
        parts = cells.split(" ") if kind < 0.8 else [""]
        parts[random.randrange(len(parts))] = str(random.choice(VALUES)).replace("\ud800", "é")
        lines[at] = name + sign + " ".join(parts)
    return "\n".join(lines)


def _check_values(library: str, name: str, n: int, folder: Path) -> None:
    content, random, options = _file(library, name).read_bytes(), Random(name), _options(library, name)
    document = parsed(content)
    places = _kinds_of_places(document)
    n_refused = 0
    for _ in range(n):
        is_text = isinstance(document, str)
        changed = _changed_text(document, random) if is_text else _changed_document(parsed(content), places, random)
        n_refused += is_refused(written(folder, changed), **options)
    assert n < 100 or n_refused > n // 20  # so that it was damaged indeed


@pytest.mark.parametrize(("library", "name"), CASES)
def test_files_with_a_changed_value_are_read_or_refused(library: str, name: str, tmp_path: Path) -> None:
    """Another type, a huge, negative, infinite or empty value, or none, wherever the format has one."""
    _check_values(library, name, 8, tmp_path)


@pytest.mark.large
@pytest.mark.parametrize(("library", "name"), CASES)
def test_300_files_with_a_changed_value_are_read_or_refused(library: str, name: str, tmp_path: Path) -> None:
    """As above, 300 times."""
    _check_values(library, name, 300, tmp_path)


# ---- trees that are none


def _xgboost(place: str, values: Sequence[int]) -> Any:
    content = xgboost_content(Node(0, 0.5, Node(0, 0.25, 1.0, 2.0), 3.0))
    content["learner"]["gradient_booster"]["model"]["trees"][0][place] = list(values)
    return content


def _lightgbm(place: str, values: str) -> str:
    text = lightgbm_text(Node(0, 0.5, Node(0, 0.25, 1.0, 2.0), 3.0))
    old = next(line for line in text.split("\n") if line.startswith(f"{place}="))
    return text.replace(old, f"{place}={values}")


def _catboost(change: Callable[[Any], None]) -> Any:
    content = catboost_content(oblivious([(0, 0.5)], [1.0, 2.0]), borders=[[0.5]])
    change(content)
    return content


def _set(*place: Any) -> Callable[[Any], None]:
    def change(content: Any) -> None:
        *path, last, value = place
        for key in path:
            content = content[key]
        content[last] = value

    return change


_SPLIT = ("oblivious_trees", 0, "splits", 0)
DAMAGED = {
    "XGBoost, a node is its own child": _xgboost("left_children", [0, 3, -1, -1, -1]),
    "XGBoost, a cycle of two": _xgboost("left_children", [1, 0, -1, -1, -1]),
    "XGBoost, a child of two nodes": _xgboost("left_children", [1, 2, -1, -1, -1]),
    "XGBoost, a child that there is not": _xgboost("right_children", [2, 99, -1, -1, -1]),
    "XGBoost, a feature that there is not": _xgboost("split_indices", [0, 7, 0, 0, 0]),
    "XGBoost, a threshold that is NaN": _xgboost("split_conditions", [math.nan, 0.25, 3, 1, 2]),  # type: ignore[list-item]
    "XGBoost, a leaf that is NaN": _xgboost("split_conditions", [0.5, 0.25, math.nan, 1, 2]),  # type: ignore[list-item]
    "LightGBM, a node is its own child": _lightgbm("left_child", "0 -1"),
    "LightGBM, a cycle of two": _lightgbm("left_child", "1 0"),
    "LightGBM, a leaf of two nodes": _lightgbm("right_child", "-1 -2"),
    "LightGBM, a child that there is not": _lightgbm("right_child", "9 -3"),
    "LightGBM, a leaf that there is not": _lightgbm("right_child", "-9 -3"),
    "LightGBM, a feature that there is not": _lightgbm("split_feature", "0 7"),
    "LightGBM, a negative feature": _lightgbm("split_feature", "0 -1"),
    "LightGBM, a threshold that is NaN": _lightgbm("threshold", "nan 0.25"),
    "LightGBM, a leaf that is NaN": _lightgbm("leaf_value", "nan 1 2"),
    "LightGBM, an infinite leaf": _lightgbm("leaf_value", "inf 1 2"),
    "CatBoost, a feature that there is not": _catboost(_set(*_SPLIT, "float_feature_index", 7)),
    "CatBoost, a border that is NaN": _catboost(_set(*_SPLIT, "border", math.nan)),
    "CatBoost, an infinite border": _catboost(_set(*_SPLIT, "border", math.inf)),
    "CatBoost, a leaf that is NaN": _catboost(_set("oblivious_trees", 0, "leaf_values", 1, math.nan)),
    "CatBoost, more leaves than levels": _catboost(_set("oblivious_trees", 0, "leaf_values", [1.0] * 8)),
    "CatBoost, a tree that lacks a child": catboost_content(
        {"split": border_split(0, 0.5), "left": {"value": 1.0}, "right": {}}, borders=[[0.5]]
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_what_makes_no_tree_is_refused(name: str, tmp_path: Path) -> None:
    """Cycles, shared children, positions out of range, numbers that are none: the error names the file."""
    with pytest.raises(ModelFileError, match=r"model\.(json|txt)"):
        import_model(written(tmp_path, DAMAGED[name]))


def _chain(n: int) -> SmallTree:
    tree: SmallTree = -1.0
    for at in range(n):
        tree = Node(0, float(at), tree, float(at))
    return tree


@pytest.mark.parametrize("library", ["XGBoost", "LightGBM"])
def test_a_tree_may_be_5000_splits_deep(library: str, tmp_path: Path) -> None:
    """Nothing recurses: the leaf of a number is that of the last split that it passes."""
    content = xgboost_content(_chain(5_000)) if library == "XGBoost" else lightgbm_text(_chain(5_000))
    rows = [[-5.0], [0.5], [17.5], [4_998.5], [1e9]]
    assert own_margins(written(tmp_path, content), rows) == [-1.0, 0.0, 17.0, 4_998.0, 4_999.0]


def test_nested_trees_of_catboost_are_read_or_refused_at_any_depth(tmp_path: Path) -> None:
    """JSON nests as they do: Python reads some hundred levels, and refuses more without a crash."""
    borders = [[float(at) for at in range(100)]]
    path = written(tmp_path, catboost_content(nested(_chain(100)), borders=borders))
    assert own_margins(path, [[-5.0], [17.5], [1e9]]) == [-1.0, 17.0, 99.0]
    deep = '{"split": {}, "right": {"value": 1}, "left": ' * 50_000
    path.write_text('{"features_info": {}, "model_info": {}, "scale_and_bias": [1, [0]], "trees": [' + deep)
    with pytest.raises(ModelFileError, match=r"model\.json"):
        import_model(path)


# ---- memory


def _inner(content: Any) -> Any:
    return content["learner"]["gradient_booster"]["model"]


def _announcing(**parameters: str) -> Any:
    content = xgboost_content(Node(0, 0.5, 1.0, 2.0))
    for name, value in parameters.items():
        for record in (
            content["learner"]["learner_model_param"],
            _inner(content)["gbtree_model_param"],
            _inner(content)["trees"][0]["tree_param"],
        ):
            if name in record:
                record[name] = value
    return content


def _sharing_codes() -> Any:
    """Return a model whose 2,000 nodes share one list of 2,000 codes."""
    tree: SmallTree = 0.0
    for _ in range(2_000):
        tree = Node(0, {1}, 1.0, tree)
    content = xgboost_content(tree, kinds=["c"])
    record = _inner(content)["trees"][0]
    record.update(
        categories=list(range(0, 4_000, 2)), categories_segments=[0] * 2_000, categories_sizes=[2_000] * 2_000
    )
    return content


def _sharing_sets() -> str:
    """Return a model whose two splits of categories name one set."""
    return lightgbm_text(Node(0, {1}, 1.0, Node(0, {2}, 2.0, 3.0))).replace("threshold=0 1\n", "threshold=0 0\n", 1)


ANNOUNCING = {
    "XGBoost, a million trees": _announcing(num_trees="1000000"),
    "XGBoost, a billion nodes": _announcing(num_nodes="1000000000"),
    "XGBoost, a billion features": _announcing(num_feature="1000000000"),
    "XGBoost, a vector of a billion numbers": _announcing(size_leaf_vector="1000000000"),
    "XGBoost, a billion targets": _announcing(num_target="1000000000"),
    "XGBoost, shared codes": _sharing_codes(),
    "LightGBM, a billion leaves": lightgbm_text(Node(0, 0.5, 1.0, 2.0)).replace("num_leaves=2", f"num_leaves={10**9}"),
    "LightGBM, a billion features": lightgbm_text(1.0).replace("max_feature_idx=0", f"max_feature_idx={10**9}"),
    "LightGBM, a billion trees of an iteration": lightgbm_text(1.0).replace("iteration=1", f"iteration={10**9}"),
    "LightGBM, a billion sets": lightgbm_text(Node(0, {1}, 1.0, 2.0)).replace("num_cat=1", f"num_cat={10**9}"),
    "LightGBM, a set of a billion words": lightgbm_text(Node(0, {1}, 1.0, 2.0)).replace(
        "cat_boundaries=0 1", f"cat_boundaries=0 {10**9}"
    ),
    "LightGBM, a column of categories beyond all": lightgbm_text(1.0, parameters=[f"[categorical_feature: {10**9}]"]),
    "LightGBM, a shared set": _sharing_sets(),
    "CatBoost, a tree of 60 levels": _catboost(_set("oblivious_trees", 0, "splits", [border_split(0, 0.5)] * 60)),
    "CatBoost, a column of a great number": _catboost(
        _set("features_info", "float_features", 0, "flat_feature_index", 10**9)
    ),
    "UBJSON, a list of 2^62 floats": b"{i\x01a[$d#L\x40" + b"\x00" * 7,
    "UBJSON, an object of 2^62 entries": b"{#L\x40" + b"\x00" * 7,
    "UBJSON, a text of 2^62 bytes": b"{i\x01aSL\x40" + b"\x00" * 7,
    "UBJSON, a list of 2^31 constants": b"{i\x01a[$Z#l\x7f\xff\xff\xff}",
    "UBJSON, lists of lists": b"{i\x01a" + b"[#l\x00\x00\xff\xff" * 8_000,
    "JSON, lists of lists": b'{"learner": ' + b"[" * 500_000,
}


@pytest.mark.parametrize("name", ANNOUNCING)
def test_a_short_file_takes_little_memory(name: str, tmp_path: Path) -> None:
    """What is announced is compared with what there is, before anything of that size is made."""
    content = ANNOUNCING[name]
    path = tmp_path / "model.ubj"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path = written(tmp_path, content)
    tracemalloc.start()
    try:
        with pytest.raises(ModelFileError):
            import_model(path, categories="codes") if "set" in name or "codes" in name else import_model(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4_000_000 + 30 * path.stat().st_size


def test_splits_of_very_many_categories_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each split holds a side for each category, so that a file could ask for the product of both numbers."""
    tree: SmallTree = 0.0
    for at in range(20):
        tree = Node(0, {at}, 1.0, tree)
    path = written(tmp_path, xgboost_content(tree, kinds=["c"]))
    options = {"categories": {"f0": [f"c{at}" for at in range(50)]}}
    assert not is_refused(path, **options)
    monkeypatch.setattr("treerules.importers.inputs.MOST_SIDES", 999)
    with pytest.raises(ModelFileError, match="more than 999 categories"):
        import_model(path, **options)


def test_statistics_of_very_many_categories_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each statistic of CatBoost holds a number for each category."""
    monkeypatch.setattr("treerules.importers.catboost_columns.MOST_VALUES", 10)
    with pytest.raises(ModelFileError, match="more than 10 values"):
        import_model(_file("catboost", "statistics"))


# ---- nothing is executed

#: What Python reports when code is made or run, a process is started, or a pickle asks for an object.
_FORBIDDEN = ("exec", "compile", "import", "pickle.find_class", "os.system", "subprocess.Popen", "socket.connect")
_EVENTS: list[str] = []
_IS_WATCHED = [False]


def _watch(event: str, _: Any) -> None:
    if _IS_WATCHED[0] and event in _FORBIDDEN:
        _EVENTS.append(event)


class _Runs:
    """An object whose pickle runs code when it is loaded."""

    def __reduce__(self) -> Any:
        return exec, ("raise SystemExit('it was run')",)


def test_nothing_in_a_file_is_executed(tmp_path: Path) -> None:
    """Python in the place of names, objectives and numbers, YAML, templates, and pickles: no code is made or run."""
    code = "__import__('os').system('true')"
    texts = [code, f"{{{{ {code} }}}}", "!!python/object/apply:os.system ['true']", f"nan) or {code}"]
    paths = []
    for number, text in enumerate(texts):
        contents: tuple[Any, ...] = (
            xgboost_content(1.0, names=[text], objective=text, base_score=text),
            lightgbm_text(1.0, names=[text.replace(" ", "_")], objective=text),
            catboost_content(oblivious([], [1.0]), names=[text], loss=text),
            lightgbm_text(1.0, pandas_categorical=text),
        )
        for place, content in enumerate(contents):
            folder = tmp_path / f"{number}-{place}"
            folder.mkdir()
            paths.append(written(folder, content))
    pickled = tmp_path / "model.bin"
    pickled.write_bytes(pickle.dumps(_Runs()))
    paths += [pickled, written(tmp_path, json.dumps({"learner": code, "version": [3]}))]
    n_refused = sum(map(is_refused, paths))  # which also imports what it needs
    assert n_refused == len(paths)
    sys.addaudithook(_watch)  # it cannot be removed
    _IS_WATCHED[0] = True
    try:
        assert sum(map(is_refused, paths)) == n_refused
    finally:
        _IS_WATCHED[0] = False
    assert _EVENTS == []


# ---- what a file says besides the answers


def _kyphosis(folder: Path, change: Callable[[Any], None]) -> Path:
    """Return a file of the example of XGBoost, with a change of its learner."""
    content = json.loads((EXAMPLES / "kyphosis.xgboost.json").read_text(encoding="utf-8"))
    change(content["learner"])
    path = folder / "changed.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize("hessian", [math.nan, -1.0, math.inf])
def test_sums_of_hessians_that_are_none_are_told(hessian: float, tmp_path: Path) -> None:
    """The leaf has weight 0, and a note says so; the answers are those of the file."""

    def change(learner: Any) -> None:
        learner["gradient_booster"]["model"]["trees"][0]["sum_hessian"][-1] = hessian

    ensemble = import_model(_kyphosis(tmp_path, change), labels=["absent", "present"])
    assert any("hessians" in note and "the weight of these leaves is 0" in note for note in ensemble.notes)
    assert [leaf.n for leaf in leaves(ensemble.trees[0])][-1] == 0
    rows = [{"Age": 10.0 * age, "Number": 3, "Start": start} for age in range(20) for start in (2, 9, 14)]
    intact = import_model(EXAMPLES / "kyphosis.xgboost.json", labels=["absent", "present"])
    assert [predict_margin(ensemble, row) for row in rows] == [predict_margin(intact, row) for row in rows]


@pytest.mark.parametrize("name", [None, 3, True, []])
def test_names_that_are_no_text_are_refused(name: object, tmp_path: Path) -> None:
    """They are not made text, which no column would have as its name."""

    def change(learner: Any) -> None:
        learner["feature_names"][1] = name

    with pytest.raises(ModelFileError, match=r"feature_names hold .*, which is no text"):
        import_model(_kyphosis(tmp_path, change), labels=["absent", "present"])
