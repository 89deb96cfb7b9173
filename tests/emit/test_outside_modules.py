"""`outside="refuse"` in modules of Python and JavaScript: exactly the rows outside the declared domain are errors."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from drawn_domains import a_declared_domain, lies_within
from run_emitted import module, same
from selection import few
from strategies_random import a_schema, a_tree, some_rows
from treerules import Ensemble, Feature, Schema, Tree, predict, to_javascript, to_python, tree_from_rules
from treerules.errors import OptionError
from treerules.formats import rules_from_text
from treerules.trees import Leaf, MeanPrediction

REVENUE_TEXT = """column revenue: number 0..10, never missing
IF revenue <= 5 OR missing THEN low
IF revenue > 5 THEN high
"""
REVENUE = tree_from_rules(rules_from_text(REVENUE_TEXT))
PYTHON: dict[str, dict[str, Any]] = {
    "plain": {},
    "flat": {"layout": "flat"},
    "lookup": {"style": "lookup"},
    "full": {"style": "full"},
}
SCRIPT: dict[str, dict[str, Any]] = {"plain": {}, "lookup": {"style": "lookup"}, "full": {"style": "full"}}
NODE = shutil.which("node")
#: Prints for each module and row the answer, or the name and the text of the error.
RUNNER = """
import { readFileSync } from "node:fs";
const numbers = { NaN: NaN, inf: Infinity, "-inf": -Infinity };
const read = (kind, value) => (kind === "n" ? (numbers[value] ?? Number(value)) : kind === "i" ? BigInt(value) : value);
const answers = [];
for (const [path, rows] of JSON.parse(readFileSync("jobs.json"))) {
  const { predict } = await import(path);
  answers.push(rows.map((cells) => {
    try {
      const found = predict(new Map(cells.map(([name, kind, value]) => [name, read(kind, value)])));
      return [typeof found, String(found)];
    } catch (error) {
      return [error.name, error.message];
    }
  }));
}
console.log(JSON.stringify(answers));
"""


def refusing(seed: int) -> tuple[Tree, list[dict[str, Any]]]:
    """Return a tree of any kinds that declares a domain, and rows at its boundaries."""
    random = Random(seed)
    schema = a_schema(random, random.randrange(1, 5))
    tree = a_tree(random, schema, random.choice((0, 1, 4, 12, 90)))
    return evolve(tree, domain=a_declared_domain(random, schema)), some_rows(random, tree, 25)


def columns_outside(tree: Tree, row: dict[str, Any]) -> list[str]:
    """Return the names of the columns whose values the domain of a tree excludes."""
    alone = {name: {name: tree.domain[name]} for name in tree.schema.indices if name in tree.domain}
    return [name for name, domain in alone.items() if not lies_within(tree.schema, domain, row)]


@pytest.mark.parametrize("kind", PYTHON)
@pytest.mark.parametrize("seed", few(range(60), 20))
def test_python_refuses_exactly_the_rows_outside(seed: int, kind: str) -> None:
    """Each other row has the answer of the tree; the error names the column and the value."""
    tree, rows = refusing(seed)
    if not tree.domain:
        return
    emitted = module(to_python(tree, outside="refuse", **PYTHON[kind]))
    for row in rows:
        names = columns_outside(tree, row)
        if names:
            with pytest.raises(ValueError, match="outside the declared domain: ") as error:
                emitted.predict(row)
            assert str(error.value).startswith(f"column {names[0]!r} is {row[names[0]]!r}, ")
        else:
            assert same(emitted.predict(row), predict(tree, row))
    if kind == "full":
        assert emitted.main(["--selftest"]) == 0


@pytest.mark.parametrize("seed", few(range(60), 10))
def test_a_vectorized_module_refuses_exactly_the_rows_outside(seed: int) -> None:
    """The error names the row of the first column that has a value outside."""
    tree, rows = refusing(seed)
    if not tree.domain:
        return
    emitted = module(to_python(tree, outside="refuse", vectorized=True))
    outside = [columns_outside(tree, row) for row in rows]
    inside = [row for row, names in zip(rows, outside, strict=True) if not names]
    found = emitted.predict({name: [row[name] for row in inside] for name in tree.schema.indices})
    assert all(map(same, found.tolist(), [predict(tree, row) for row in inside]))
    first = next((name for name in tree.schema.indices if any(name in names for names in outside)), None)
    if first is not None:
        number = next(number for number, names in enumerate(outside, 1) if first in names)
        with pytest.raises(ValueError, match=f"^row {number}: ") as error:
            emitted.predict({name: [row[name] for row in rows] for name in tree.schema.indices})
        assert f"column {first!r} is " in str(error.value)
    assert emitted.selftest() == 0


def cell(name: str, value: Any) -> list[Any]:
    """Return a value as JSON can say it."""
    if isinstance(value, bool | str | None):
        return [name, "t", value]
    if isinstance(value, date):
        return [name, "t", value.isoformat()]
    return [name, "i" if isinstance(value, int) else "n", str(value).replace("nan", "NaN")]


@pytest.mark.engine
@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
@pytest.mark.parametrize("kind", SCRIPT)
def test_javascript_refuses_exactly_the_rows_outside(tmp_path: Path, kind: str) -> None:
    """Each other row has the answer of the module that answers all; the error is a RangeError that names the column."""
    jobs, cases = [], [(tree, rows) for tree, rows in map(refusing, range(60)) if tree.domain]
    for index, (tree, rows) in enumerate(cases):
        cells = [[cell(*item) for item in row.items()] for row in rows]
        for outside in ("refuse", "answer"):
            text = to_javascript(tree, outside=outside, **SCRIPT[kind])  # type: ignore[arg-type]
            (tmp_path / f"{outside}{index}.mjs").write_text(text, encoding="utf-8")
            jobs.append((f"./{outside}{index}.mjs", cells))
    (tmp_path / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    (tmp_path / "run.mjs").write_text(RUNNER, encoding="utf-8")
    done = subprocess.run([str(NODE), "run.mjs"], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    for (tree, rows), refused, answered in zip(cases, answers[::2], answers[1::2], strict=True):
        for row, found, usual in zip(rows, refused, answered, strict=True):
            names = columns_outside(tree, row)
            if not names:
                assert found == usual
                continue
            assert found[0] == "RangeError", (row, tree.domain, found)
            column, value = json.dumps(names[0], ensure_ascii=False), row[names[0]]
            assert found[1].startswith(f"column {column} is ")
            assert (f"column {column} is missing, " in found[1]) == (value is None or value != value)
            assert "outside the declared domain: " in found[1]


def test_the_header_says_that_a_row_outside_is_an_error() -> None:
    """In both languages, and a value is named as the caller gave it."""
    said = "assuming: revenue in 0..10, never missing. Outside this, a row is an error"
    assert to_python(REVENUE, outside="refuse").splitlines()[1] == f"# {said}"
    assert to_python(REVENUE, outside="refuse", vectorized=True).splitlines()[1] == f"# {said}"
    assert to_javascript(REVENUE, outside="refuse").splitlines()[1] == f"// {said}"
    assert "在此之外,该行引发错误" in to_python(REVENUE, outside="refuse", lang="zh").splitlines()[1]
    with pytest.raises(ValueError) as error:
        module(to_python(REVENUE, outside="refuse")).predict({"revenue": 20})
    assert str(error.value) == "column 'revenue' is 20, outside the declared domain: revenue in 0..10, never missing"


def test_a_script_names_the_line(tmp_path: Path) -> None:
    """A plain module as a script prints one line, and no answer."""
    (tmp_path / "m.py").write_text(to_python(REVENUE, outside="refuse"))
    (tmp_path / "d.csv").write_text("revenue\n3\n20\n")
    done = subprocess.run([sys.executable, "m.py", "d.csv"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("d.csv, line 3: column 'revenue' is 20.0, outside the declared domain")


@pytest.mark.process
def test_refusing_modules_are_formatted_typed_and_linted(tmp_path: Path) -> None:
    """Names of any width among them."""
    drawn = {
        f"wide{n}": tree_from_rules(rules_from_text(REVENUE_TEXT.replace("revenue", "w" * n))) for n in (40, 70, 99)
    }
    drawn |= {str(seed): refusing(seed)[0] for seed in range(40)}
    for seed, tree in drawn.items():
        for kind, choices in {**PYTHON, "arrays": {"vectorized": True}}.items():
            if tree.domain:
                (tmp_path / f"{kind}{seed}.py").write_text(to_python(tree, outside="refuse", **choices))
    typed = [path.name for path in tmp_path.glob("full*.py")]
    for command in (
        ("ruff", "format", "--isolated", "--check", "."),
        ("ruff", "check", "--isolated", "--no-cache", "--select", "E4,E7,E9,F", "."),
        ("mypy", "--config-file=", "--strict", "--python-version", "3.10", "--cache-dir", os.devnull, *typed),
    ):
        pytest.importorskip(command[0]) if command[0] == "mypy" else None
        done = subprocess.run([sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("emit", [to_python, to_javascript])
def test_what_cannot_be_refused_is_an_error(emit: Callable[..., str]) -> None:
    """A model without a declared domain, an ensemble, another word."""
    schema = Schema([], Feature("y", "number"))
    ensemble = Ensemble(schema, [Tree(schema, Leaf(MeanPrediction(1.0), [1]))], [0.0])
    for source in (evolve(REVENUE, domain={}), ensemble):
        with pytest.raises(OptionError, match="declares no domain"):
            emit(source, outside="refuse")
    with pytest.raises(OptionError, match="'answer' or 'refuse'"):
        emit(REVENUE, outside="null")


@pytest.mark.parametrize("choices", [{"style": "full"}, {"vectorized": True}])
def test_the_rows_of_a_self_test_lie_in_the_domain_of_columns_that_no_rule_tests(
    choices: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """A declared column that no rule tests, and that is never missing, has a value in each row; some rows are left."""
    declared = "column n: number 1..10, never missing column u: number 0..1, never missing"
    tree = tree_from_rules(rules_from_text(f"{declared} IF n <= 5 THEN x IF n > 5 OR missing THEN w"))
    assert module(to_python(tree, outside="refuse", **choices)).selftest() == 0
    assert int(capsys.readouterr().out.split(" rows checked")[0]) >= 2
