"""A column of integers meets decimals in new rows: they are compared as the numbers they are, and told once."""

import math
from decimal import Decimal
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

from command_line import run
from treerules import Table, cart, check, compile_rules, learn, predict, read, save, to_python, to_sql
from treerules.errors import CellError
from treerules.trees.tree import Tree

BIG = 2**53
CUTS = [-3, 0, 2, BIG - 1, BIG + 1]
VALUES = [-3.5, -3.0, -2.5, -0.5, -0.0, 0.5, 1.999, 2.0, 2.5, 3.0, 2.0**53 - 1, 2.0**53, 2.0**53 + 2, 1e18, math.nan]


def the_tree() -> Tree:
    """Return a tree over an integer with a class between each two cuts."""
    xs = sorted(n for cut in CUTS for n in (cut, cut + 1))
    return learn(Table.from_columns({"x": xs, "y": [str(sum(x > cut for cut in CUTS)) for x in xs]}), target="y")


def answer(tree: Tree, value: float) -> object:
    """Return the class of a number by comparing exactly; a missing one goes where the tree sends it."""
    if math.isnan(value):
        return predict(tree, {})
    return str(sum(value > cut for cut in CUTS))


def module_of(code: str) -> ModuleType:
    """Return the emitted module."""
    module = ModuleType("emitted")
    exec(compile(code, "emitted", "exec"), vars(module))
    return module


def test_decimals_are_compared_as_the_numbers_they_are() -> None:
    """A Table, a frame, a row, the rules, and the emitted Python give the exact answer, also beyond 2**53."""
    tree = the_tree()
    rules = compile_rules(tree)
    assert check(rules)
    wanted = [answer(tree, value) for value in VALUES]
    assert predict(tree, Table.from_columns({"x": VALUES})).tolist() == wanted
    assert predict(tree, Table.from_frame(pd.DataFrame({"x": VALUES}))).tolist() == wanted
    assert [predict(tree, {"x": value}) for value in VALUES] == wanted
    assert [[rule.prediction.value for rule in rules.firing({"x": value})] for value in VALUES] == [[w] for w in wanted]
    for layout in ("flat", "guarded"):
        module = module_of(to_python(rules, layout=layout))
        assert [module.predict({"x": value}) for value in VALUES] == wanted
    vectorized = module_of(to_python(tree, vectorized=True))
    assert list(vectorized.predict({"x": np.array(VALUES)})) == wanted
    assert predict(tree, {"x": Decimal("2.5")}) == "3"
    assert list(vectorized.predict({"x": np.array([Decimal("-2.5"), 7], dtype=object)})) == ["1", "3"]


def test_sql_answers_decimals_as_the_tree_does() -> None:
    """Conditions are written with the thresholds of the tree, x > 2 and not x >= 3, so that 2.5 is in no gap."""
    duckdb = pytest.importorskip("duckdb")
    tree = the_tree()
    values = [value for value in VALUES if abs(value) < 1000]
    rows = ", ".join(f"({n}, {value!r}::DOUBLE)" for n, value in enumerate(values))
    for layout in ("flat", "guarded"):
        case = to_sql(compile_rules(tree), dialect="duckdb", layout=layout)
        found = duckdb.sql(f"SELECT {case} FROM (VALUES {rows}) AS t(n, x) ORDER BY n").fetchall()
        assert [label for (label,) in found] == [answer(tree, value) for value in values]


def test_integers_that_are_categories_have_not_seen_decimals() -> None:
    """A decimal is none of the categories: an unseen value, not the integer beside it."""
    rows = {"k": [1, 2, 3, 1, 2, 3], "y": list("abaaba")}
    tree = learn(Table.from_columns(rows, types={"k": "category"}), target="y", recipe=cart())
    unseen = predict(tree, {"k": 99})
    assert predict(tree, Table.from_columns({"k": [1.5, 2.0, 2.5]})).tolist() == [unseen, "b", unseen]
    assert [predict(tree, {"k": value}) for value in (1.5, 2.0, 2.5)] == [unseen, "b", unseen]
    module = module_of(to_python(tree, style="full"))
    assert [module.predict({"k": value}) for value in (1.5, 2.0, 2.5)] == [unseen, "b", unseen]


def test_what_is_no_number_of_64_bits_is_refused() -> None:
    """Infinities and numbers beyond 64 bits are no values of an integer column."""
    for value in (math.inf, 1e30, "2.5"):
        with pytest.raises(CellError):
            predict(the_tree(), {"x": value})


def test_a_csv_file_with_decimals_is_read_for_a_model(tmp_path: Path) -> None:
    """`predict`, the emitted script and `verify` answer; a note counts the cells, and keys print them as they are."""
    tree, path, model = the_tree(), tmp_path / "new.csv", tmp_path / "m.tree.json"
    save(tree, model)
    path.write_text("x\n2.5\n2\n-0.5\n\n0.5\n".replace("\n\n", "\nNA\n"))
    wanted = [answer(tree, value) for value in (2.5, 2, -0.5, math.nan, 0.5)]
    assert predict(tree, read(path, schema=tree.schema)).tolist() == wanted
    done = run("predict", model, path, "--keys", "x")
    assert done.stdout.split()[1].startswith("2.5,")
    assert done.stderr.count("other numbers in 3 cells") == 1
    script = tmp_path / "m.py"
    assert run("emit", "python", model, "--style", "full", "-o", script).returncode == 0
    emitted = module_of(script.read_text())
    scored: list[list[str]] = []
    emitted.score(iter(path.read_text().splitlines(keepends=True)), lambda row: scored.append(list(row)), only=True)
    assert [row[0] for row in scored[1:]] == wanted
    assert run("verify", model, "--against", script, "--data", path).returncode == 0
