"""`treerules import`: files of boosted models, what they do not tell, and what the commands then do with the model."""

import json
from pathlib import Path

import pytest

from command_line import run
from library_answers import RECORDED
from treerules import Ensemble, load
from treerules.importers import import_model

XGBOOST, LIGHTGBM, CATBOOST = (RECORDED / library for library in ("xgboost", "lightgbm", "catboost"))


@pytest.mark.parametrize(
    ("file", "options", "arguments"),
    [
        (XGBOOST / "logistic.json", ["--labels", "no,yes"], {"labels": ["no", "yes"]}),
        (XGBOOST / "hinge.ubj", ["--labels", "0,1", "--iterations", "2"], {"labels": [0, 1], "iterations": 2}),
        (XGBOOST / "missing number.json", ["--missing", "-999"], {"missing": -999.0}),
        (XGBOOST / "codes.ubj", ["--categories", "codes"], {"categories": "codes"}),
        (
            LIGHTGBM / "frame.txt",
            ["--features", "age,城市,size,unused"],
            {"features": ["age", "城市", "size", "unused"]},
        ),
        (CATBOOST / "three classes.json", ["--target", "类别"], {"target": "类别"}),
    ],
    ids=lambda part: part.name if isinstance(part, Path) else None,
)
def test_the_model_is_that_of_the_function(file: Path, options: list[str], arguments: object, tmp_path: Path) -> None:
    """Printed, or written to a file that `load` reads."""
    assert isinstance(arguments, dict)
    expected = import_model(file, **arguments)
    path = tmp_path / "m.ensemble.json"
    done = run("import", file, *options, "-o", path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"wrote {path}\n")
    assert load(path) == expected
    assert run("import", file, *options).stdout == path.read_text(encoding="utf-8")


def test_categories_are_read_from_a_file(tmp_path: Path) -> None:
    """A JSON object of lists, in the order of the codes; whatever else it holds is an error."""
    categories = tmp_path / "categories.json"
    categories.write_text(json.dumps({"城市": ["b", "d", "上海", "北京"]}), encoding="utf-8")
    done = run("import", XGBOOST / "frame.json", "--categories", categories, "-o", tmp_path / "m.json")
    assert done.returncode == 0, done.stderr
    ensemble = load(tmp_path / "m.json")
    assert isinstance(ensemble, Ensemble)
    assert ensemble.schema.features[1].categories == ("b", "d", "上海", "北京")
    for text, said in (("[1]", "a JSON file of lists"), ('{"a": 1}', "a JSON file of lists"), ("{", "a JSON file;")):
        categories.write_text(text, encoding="utf-8")
        done = run("import", XGBOOST / "frame.json", "--categories", categories)
        assert done.returncode == 2 and said in done.stderr
    assert run("import", XGBOOST / "frame.json", "--categories", tmp_path / "none.json").returncode == 3


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([XGBOOST / "logistic.json"], 2, "--labels is not given; expected 2 different classes"),
        ([XGBOOST / "logistic.json", "--labels", "a"], 2, "--labels is 'a'; expected 2 different classes"),
        ([XGBOOST / "frame.json"], 2, "--categories is not given; expected the categories of '城市'"),
        ([XGBOOST / "squared error.json", "--iterations", "99"], 2, "--iterations is 99; expected"),
        ([LIGHTGBM / "l1.txt", "--missing", "0"], 2, "--missing is 0; expected it left out"),
        ([XGBOOST / "cases.json"], 2, "FILE is"),
        ([XGBOOST / "none.json"], 3, "none.json"),
        ([XGBOOST / "rows.npz"], 3, "zip archive"),
    ],
    ids=str,
)
def test_errors_speak_of_the_options(words: list[object], code: int, said: str) -> None:
    """And nothing is printed on stdout."""
    done = run("import", *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr


def test_the_commands_take_the_model(tmp_path: Path) -> None:
    """Show, rules of one tree, code, and code compared with the model."""
    path = tmp_path / "m.ensemble.json"
    assert run("import", LIGHTGBM / "binary.txt", "--labels", "no,yes", "-o", path).returncode == 0
    assert "6 trees" in run("show", path).stdout
    assert run("rules", path, "--tree", 1).returncode == 0
    for form in ("python", "javascript"):
        assert run("emit", form, path).returncode == 0
    sql = tmp_path / "m.sql"
    assert run("emit", "sql", path, "--dialect", "duckdb", "--kind", "select", "-o", sql).returncode == 0
    assert sql.stat().st_size > 1_000
    done = run("verify", path, "--against", sql)
    assert done.returncode == 0, done.stderr
