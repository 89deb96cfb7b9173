"""Model files: what is written reads back equal; whatever else is read is refused."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from treerules import Table, Tree, cart, learn, load, save
from treerules.errors import FileError, ModelFileError
from treerules.trees import tree_from_json, tree_to_json
from treerules.trees.json_codec import _digest

TREE = learn(
    Table.from_columns(
        {
            "x": [0.1, 0.2, float("inf"), None, 0.4],
            "颜色": ["红", "绿", "红", "", None],
            "ok": [True, False, None, True, True],
            "y": ["是", "否", "是", "否", "否"],
        }
    ),
    target="y",
    recipe=cart(),
)
TEXT = tree_to_json(TREE)


def resealed(change: Any) -> str:
    """Return the model file with a change and a digest that fits it."""
    content = json.loads(TEXT)
    change(content)
    rest = {name: value for name, value in content.items() if name not in ("format", "version", "digest")}
    return json.dumps({**content, "digest": _digest(rest)})


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """An error leaves the old file, and nothing else, in the folder."""
    path = tmp_path / "m.tree.json"
    save(TREE, path)
    assert load(path) == TREE
    assert load(path).notes == TREE.notes
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.tree.json"]
    with pytest.raises(FileError):
        save(TREE, path / "below a file")
    with pytest.raises(FileError, match="No such file"):
        load(tmp_path / "none.tree.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError):
        save(TREE, tmp_path / "folder")
    assert load(path) == TREE
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["folder", "m.tree.json"]


def test_every_truncation_and_every_edit_of_a_byte_loads_equal_or_is_refused() -> None:
    """All lengths, and each byte replaced once."""
    data, random = TEXT.encode(), Random(0)
    damaged = [data[:length] for length in range(len(data))]
    damaged += [data[:at] + bytes([random.randrange(256)]) + data[at + 1 :] for at in range(len(data))]
    refused = 0
    for text in damaged:
        try:
            assert tree_from_json(text) == TREE
        except ModelFileError:
            refused += 1
    assert refused > len(data)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        "[" * 100_000,
        '{"a": ' * 100_000,
        TEXT.replace('"version": 2', '"version": 4'),
        TEXT.replace('"version": 2', '"version": true'),
        TEXT.replace('"version": 2', '"version": 1, "version": 1'),
        TEXT + "x",
        '{"format": "treerules.tree", "version": 2, "digest": NaN}',
        '{"format": "treerules.tree", "version": ' + "9" * 5000 + "}",
        b"\xff\xfe",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_is_no_model_file_is_refused(text: str | bytes) -> None:
    """Whatever the text is, the error is of one kind."""
    with pytest.raises(ModelFileError, match="not a usable model file"):
        tree_from_json(text)


def test_a_file_of_version_1_is_read_without_the_special_values_of_its_training_rows() -> None:
    """Files of before are read as they are; what they do not say is unknown, and rules are then printed in full."""
    content = json.loads(TEXT)
    assert content["version"] == 2
    assert content["origin"].pop("values") == {"missing": ["x", "颜色", "ok"], "unseen": [], "zero_one": []}
    rest = {name: value for name, value in content.items() if name not in ("format", "version", "digest")}
    tree = tree_from_json(json.dumps({**content, "version": 1, "digest": _digest(rest)}))
    assert tree == TREE
    assert tree.origin is not None and tree.origin.values is None
    again = tree_from_json(TEXT)
    assert again.origin == TREE.origin and again.origin.values is not None


def _at(*path: Any, value: Any) -> Any:
    def change(content: Any) -> None:
        for key in path[:-1]:
            content = content[key]
        content[path[-1]] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        _at("nodes", value=[]),
        _at("nodes", value=None),
        _at("nodes", 0, 0, value=99),
        _at("nodes", 0, 0, value=-1),
        _at("nodes", 0, 0, value=True),
        _at("nodes", 0, 1, value={"groups": [[0], [0, 1, 2]]}),
        _at("nodes", 0, 1, value={"groups": []}),
        _at("nodes", 0, 1, value="x"),
        _at("nodes", 0, 2, value=7),
        _at("nodes", 0, 2, value=-1),
        _at("nodes", 0, 3, value=1.0),
        _at("nodes", -1, value=["是", 1]),
        _at("nodes", -1, value=[["nein", [1.0, 0.0]], [1, 0]]),
        _at("nodes", -1, value=[["是", [1.0]], [1, 0]]),
        _at("nodes", -1, value=[["是", [2.0, 0.0]], [1, 0]]),
        _at("nodes", -1, value=[["是", [1.0, 0.0]], [-1, 0]]),
        _at("nodes", -1, value=[["是", [1.0, 0.0]], ["1", 0]]),
        _at("nodes", -1, value=[["是", [1.0, 0.0]], [10**400, 0]]),
        _at("schema", value={}),
        _at("schema", "target", value=None),
        _at("schema", "features", 0, "kind", value="vector"),
        _at("schema", "features", 0, "name", value=5),
        _at("schema", "features", 1, "categories", value=["b", "a"]),
        _at("schema", "features", 1, "categories", value=[["b"], "a"]),
        _at("schema", "features", 0, "of", value="__import__"),
        _at("schema", "features", 0, "extra", value=1),
        _at("recipe", value={"name": "cart"}),
        _at("recipe", "criterion", value="os.system"),
        _at("recipe", "max_depth", value=-1),
        _at("recipe", "name", value=[]),
        _at("recipe", "thresholds", value={}),
        _at("recipe", "average_gain", value=1),
        _at("recipe", "size_choice", value=5),
        _at("recipe", "size_choice", value={"folds": 1}),
        _at("recipe", "size_choice", value={"max_rules": 2.5}),
        _at("recipe", "size_choice", value={"trees": 5}),
        _at("origin", "groups", value=5),
        _at("origin", "values", value=5),
        _at("origin", "values", "missing", value="x"),
        _at("origin", "values", "unseen", value=["y"]),
        _at("origin", "values", "zero_one", value=[["x"]]),
        _at("origin", "values", "more", value=[]),
        _at("estimate", value=[]),
        _at("estimate", value={}),
        _at("notes", value=[5]),
        _at("more", value=1),
    ],
)
def test_a_hostile_file_with_a_fitting_digest_is_refused(change: Any) -> None:
    """The digest tells damage, not intent: everything is checked against the schema as well."""
    with pytest.raises(ModelFileError):
        tree_from_json(resealed(change))


def test_resealing_alone_changes_nothing() -> None:
    """The control of the test above: without a change the file loads."""
    assert tree_from_json(resealed(lambda content: None)) == TREE


def test_lone_surrogates_and_every_scalar_survive() -> None:
    """UTF-8 cannot hold a lone surrogate; the file can."""
    data = {"\ud800": ["\udfff", "a", "b", "b"], "y": [1, 2, 3, 3]}
    tree: Tree = learn(Table.from_columns(data), target="y", features=["\ud800"], recipe=cart())
    assert tree_from_json(tree_to_json(tree).encode("utf-8")) == tree


CHOSEN = learn(Table.from_columns({"x": list(range(40)), "y": ["p"] * 20 + ["q"] * 20}), target="y", features=["x"])


def resealed_estimate(**parts: Any) -> str:
    """Return the model file of a tree of chosen size, with other parts of its estimate."""
    content = json.loads(tree_to_json(CHOSEN))
    content["estimate"] |= parts
    rest = {name: value for name, value in content.items() if name not in ("format", "version", "digest")}
    return json.dumps({**content, "digest": _digest(rest)})


def test_an_estimated_error_reads_back_equal() -> None:
    """With the sizes that were compared; the control of the tests below."""
    assert CHOSEN.estimate is not None
    assert tree_from_json(resealed_estimate()).estimate == CHOSEN.estimate


@pytest.mark.parametrize(
    "parts",
    [
        {"error": "x"},
        {"error": True},
        {"n_rules": None},
        {"n_folds": True},
        {"n_folds": 2.5},
        {"measure": 5},
        {"chosen_by": None},
        {"sizes": None},
        {"sizes": [[1]]},
        {"sizes": [[1, 0.5, 0.1, 0.1]]},
        {"sizes": [["1", 0.5, 0.1]]},
        {"more": 1.0},
    ],
    ids=str,
)
def test_an_estimated_error_that_is_none_is_refused(parts: dict[str, Any]) -> None:
    """Values of other types, and parts that there are not."""
    with pytest.raises(ModelFileError):
        tree_from_json(resealed_estimate(**parts))


@pytest.mark.parametrize(
    "parts",
    [
        *({name: None} for name in ("error", "standard_error", "training_error", "baseline_error")),
        {"error": -0.5},
        {"standard_error": -0.5},
        {"n_folds": 0},
        {"n_rules": 0},
        {"measure": "beauty"},
        {"chosen_by": "beauty"},
        {"sizes": {}},
        {"sizes": []},
        {"sizes": [[-1, 0.5, 0.1]]},
        {"sizes": [[1, -0.5, 0.1]]},
    ],
    ids=str,
)
def test_an_estimated_error_that_cannot_be_is_refused(parts: dict[str, Any]) -> None:
    """No error is negative, no tree is without a rule, and there are four losses."""
    with pytest.raises(ModelFileError):
        tree_from_json(resealed_estimate(**parts))
