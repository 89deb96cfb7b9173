"""`predict(row, strict=True)` of emitted modules: a key that is not there is an error, not a missing value."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from run_emitted import module, same
from strategies_random import trees_with_rows
from treerules import Ensemble, Tree, cart, learn, predict, to_javascript, to_python
from treerules.trees import tested_columns

TABLE = {"x": [1, 2, 4], "z": [0, 0, 0], "y": ["a", "a", "b"]}
TREE = learn(TABLE, target="y", recipe=cart(), keep=["z"])
MEANS = learn({**TABLE, "y": [1.0, 1.0, 2.0]}, target="y", recipe=cart())
ENSEMBLE = Ensemble(MEANS.schema, [MEANS], [0.5])
PLAIN: tuple[dict[str, Any], ...] = ({}, {"layout": "flat"}, {"style": "lookup"})
NODE = shutil.which("node")


@pytest.mark.parametrize("choices", PLAIN)
def test_a_plain_module_names_the_key_that_is_not_there(choices: dict[str, Any]) -> None:
    """And those that there are, among them the misspelt one; a module has no other columns to compare with."""
    emitted = module(to_python(TREE, **choices))
    assert emitted.predict({"X": 4}) == "a" != emitted.predict({"x": 4}, strict=True)
    assert emitted.predict({"x": None, "z": 1, "other": 2}, strict=True) == "a"
    with pytest.raises(TypeError, match=r"the row lacks \['x'\]; it has \['X', 'z'\]"):
        emitted.predict({"X": 4, "z": 0}, strict=True)


@pytest.mark.parametrize("choices", [{"style": "full"}, {"vectorized": True}])
def test_a_full_module_names_unknown_keys_too(choices: dict[str, Any]) -> None:
    """Columns that no rule tests and the target are known."""
    emitted = module(to_python(TREE, **choices))
    cells = [[4], [0], ["a"]] if "vectorized" in choices else [4, 0, "a"]
    row = dict(zip(("x", "z", "y"), cells, strict=True))
    assert list(emitted.predict(row, strict=True)) == ["b"]
    with pytest.raises(TypeError, match=r"the row lacks \['x'\]; no columns of the model: \['X'\]"):
        emitted.predict({"X": cells[0], "z": cells[1]}, strict=True)
    with pytest.raises(TypeError, match=r"the row lacks \[\]; no columns of the model: \['age'\]"):
        emitted.predict({**row, "age": cells[0]}, strict=True)


@pytest.mark.parametrize("choices", [{}, {"style": "lookup"}, {"vectorized": True}])
def test_an_ensemble_is_strict_too(choices: dict[str, Any]) -> None:
    """Plain modules and arrays."""
    emitted = module(to_python(ENSEMBLE, **choices))
    with pytest.raises(TypeError, match=r"the row lacks \['x'\]"):
        emitted.predict({"X": [4]}, strict=True)
    found = emitted.predict({"x": [4]} if "vectorized" in choices else {"x": 4}, strict=True)
    assert float(found if isinstance(found, float) else found[0]) == 2.5


@given(trees_with_rows(n_rows=1), st.sampled_from((*PLAIN, {"style": "full"})), st.data())
def test_strict_changes_no_answer(
    drawn: tuple[Tree, list[dict[str, Any]]], choices: dict[str, Any], data: st.DataObject
) -> None:
    """Exactly the rows that lack a tested key are errors."""
    tree, (row,) = drawn
    emitted = module(to_python(tree, **choices))
    assert same(emitted.predict(row, strict=True), predict(tree, row))
    name = data.draw(st.sampled_from(list(row)))
    less = {key: value for key, value in row.items() if key != name}
    if name in {feature.name for feature in tested_columns.tested_features(tree)}:
        with pytest.raises(TypeError, match="the row lacks "):
            emitted.predict(less, strict=True)
    else:
        assert same(emitted.predict(less, strict=True), predict(tree, row))


@pytest.mark.engine
@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
@pytest.mark.parametrize("style", ["plain", "lookup", "full", "ensemble"])
def test_javascript_is_strict_where_it_is_asked(tmp_path: Path, style: str) -> None:
    """Objects and Maps; the index that `map` passes asks for nothing."""
    text = to_javascript(ENSEMBLE) if style == "ensemble" else to_javascript(TREE, style=style)  # type: ignore[arg-type]
    (tmp_path / "m.mjs").write_text(text, encoding="utf-8")
    (tmp_path / "run.mjs").write_text("""
import { predict } from "./m.mjs";
const said = (row) => {
  try { return predict(row, { strict: true }); } catch (error) { return [error.name, error.message]; }
};
const rows = [{ x: 4 }, new Map([["x", null]]), { X: 4 }, new Map([["X", 4]]), { x: 4, X: 1 }];
console.log(JSON.stringify([...rows.map(said), [{ X: 4 }, { X: 4 }].map(predict)]));
""")
    done = subprocess.run([str(NODE), "run.mjs"], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    high, low, of_object, of_map, with_other, usual = json.loads(done.stdout)
    assert [high, low] == ([2.5, 1.5] if style == "ensemble" else ["b", "a"]) and usual == [low, low]
    rest = 'no columns of the model: ["X"]' if style == "full" else 'it has ["X"]'
    assert of_object == of_map == ["TypeError", f'the row lacks ["x"]; {rest}']
    assert with_other == (["TypeError", f"the row lacks []; {rest}"] if style == "full" else high)
