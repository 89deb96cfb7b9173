"""Emitted code of tests of several intervals answers as the tree in plain thresholds, in every language and layout."""

import json
import math
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given

from engines import ENGINES, Stored
from run_emitted import module
from selection import few
from treerules import Feature, Kind, Schema, Tree, compile_rules, render, to_javascript, to_python, to_sql, verify
from treerules.emit import rules_table_statements
from treerules.emit.numeric_cuts import cut_graph
from treerules.sql.dialects import DIALECTS
from treerules.trees import Split, ValueSetTest, find_leaf
from union_trees import FEATURES, GOAL, a_union_tree, in_thresholds, leaf, rows_at_ends, union_trees, zero_is_missing

NODE = shutil.which("node")
LAYOUTS = ("flat", "guarded")


def answers(tree: Tree, rows: list[dict[str, Any]]) -> list[float]:
    """Return what the tree in plain thresholds predicts."""
    plain = in_thresholds(tree)
    return [find_leaf(plain, row).prediction.value for row in rows]


#: The styles of modules, with their layouts.
FORMS: Any = [("plain", "flat"), ("plain", "guarded"), ("full", "flat"), ("full", "guarded"), ("lookup", "auto")]


def seeded(seed: int, most_splits: int = 8) -> Tree:
    """Return the tree of a seed."""
    return a_union_tree(Random(seed).randint, most_splits)


@pytest.mark.parametrize(("style", "layout"), FORMS)
@given(tree=union_trees())
def test_python_answers_as_the_tree(style: str, layout: str, tree: Tree) -> None:
    """Rows at every end, beside it, infinities, both zeros, missing as None and as NaN."""
    emitted = module(to_python(tree, layout=layout, style=style))
    rows = rows_at_ends(tree)
    rows += [{**row, "x": math.nan} for row in rows if row["x"] is None]
    assert [emitted.predict(row) for row in rows] == answers(tree, rows)


@given(union_trees())
def test_vectorised_python_answers_as_the_tree(tree: Tree) -> None:
    """Whole columns at once, also where integers lie beyond 2**53."""
    emitted, rows = module(to_python(tree, vectorized=True)), rows_at_ends(tree)
    columns = {feature.name: np.array([row[feature.name] for row in rows], dtype=object) for feature in FEATURES}
    assert emitted.predict(columns).tolist() == answers(tree, rows)


def test_a_vectorised_module_without_unions_is_as_it_was() -> None:
    """The code that takes several intervals is only where there are some."""
    assert "searchsorted(cut" in to_python(zero_is_missing(), vectorized=True)
    assert "searchsorted(cut" not in to_python(in_thresholds(zero_is_missing()), vectorized=True)


@pytest.mark.process
def test_modules_are_formatted_typed_and_linted(tmp_path: Path) -> None:
    """ruff format and ruff check leave them as they are; mypy --strict finds nothing."""
    for seed in range(24):
        for style, layout in FORMS:
            text = to_python(seeded(seed, 16), layout=layout, style=style, lang=("en", "zh")[seed % 2])
            (tmp_path / f"m{seed}_{style}_{layout}.py").write_text(text, encoding="utf-8")
        (tmp_path / f"m{seed}_v.py").write_text(to_python(seeded(seed, 16), vectorized=True), encoding="utf-8")
    for command in (
        ("ruff", "format", "--isolated", "--check", "--diff", "."),
        ("ruff", "check", "--isolated", "--no-cache", "--select", "E4,E7,E9,F", "."),
        ("mypy", "--config-file=", "--strict", "--cache-dir", os.devnull, "--exclude", "_(plain|lookup)_", "."),
    ):
        done = subprocess.run([sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[:3000] + done.stderr[:1000]


def test_a_module_of_several_intervals_reads_as_they_are_said() -> None:
    """The smallest one, whole: the sentence of the rule and its test."""
    text = to_python(zero_is_missing())
    assert "    if x is None or 0.0 <= x <= 0.0 or x > 0.5:\n" in text
    flat = to_python(zero_is_missing(), layout="flat")
    assert "    if x is not None and (x < 0.0 or 0.0 < x <= 0.5):\n" in flat


#: Runs modules with rows whose missing values are null; prints the predictions.
RUNNER = """
import { readFileSync } from "node:fs";
const special = { inf: Infinity, "-inf": -Infinity };
const cell = ([kind, value]) => kind === "i" ? BigInt(value) : kind === "n" ? special[value] ?? Number(value) : value;
const found = [];
for (const [path, rows] of JSON.parse(readFileSync("jobs.json"))) {
  const module = await import(path);
  found.push(rows.map((row) => module.predict(
    Object.fromEntries(Object.entries(row).map(([name, tagged]) => [name, cell(tagged)])))));
}
console.log(JSON.stringify(found));
"""


def tagged(value: Any) -> list[Any]:
    """Return a value for JSON, with its kind."""
    if isinstance(value, float):
        return ["n", repr(value)]
    return ["i", str(value)] if isinstance(value, int) else ["t", value if value is None else value.isoformat()]


@pytest.mark.engine
@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
def test_javascript_answers_as_the_tree(tmp_path: Path) -> None:
    """Plain and full modules in both layouts, by one process."""
    jobs, wanted = [], []
    for seed in range(40):
        tree = seeded(seed)
        rows = rows_at_ends(tree)
        for style, layout in FORMS:
            path = f"./m{seed}_{style}_{layout}.mjs"
            (tmp_path / path).write_text(to_javascript(tree, style=style, layout=layout), encoding="utf-8")
            jobs.append((path, [{name: tagged(value) for name, value in row.items()} for row in rows]))
            wanted.append(answers(tree, rows))
    (tmp_path / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    (tmp_path / "run.mjs").write_text(RUNNER, encoding="utf-8")
    done = subprocess.run([str(NODE), "run.mjs"], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == wanted


def test_text_of_javascript_is_broken_between_tests_alone() -> None:
    """A long union has a line for each interval."""
    day = Feature("day_of_the_first_instalment", Kind.DATE)
    ends = [date(2020, month, 1) for month in range(1, 9)]
    tree = Tree(Schema([day], GOAL), Split(ValueSetTest(0, _every_second(day, ends)), [leaf(0.0), leaf(1.0)], 1))
    lines = to_javascript(tree).splitlines()
    alternatives = [line.strip() for line in lines if line.endswith(" ||")]
    assert len(alternatives) == 5 and alternatives[0] == "day_of_the_first_instalm === undefined ||"
    assert all(line.startswith("(") and line.endswith(") ||") for line in alternatives[2:])


def _every_second(feature: Feature, ends: list[Any]) -> Any:
    from treerules import Interval, ValueSet

    return ValueSet(feature, [Interval(*pair) for pair in zip(ends[::2], ends[1::2], strict=True)])


@pytest.mark.parametrize("layout", ["flat", "guarded"])
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_sql_answers_as_the_tree(dialect: str, layout: str) -> None:
    """NULL and, in DuckDB, NaN are missing; infinities are numbers."""
    engine = ENGINES[dialect]
    for seed in range(25):
        tree = seeded(seed)
        rows = rows_at_ends(tree)
        columns = [Stored(f.name, f.scalar, [row[f.name] for row in rows]) for f in FEATURES]
        sql = to_sql(tree, dialect=dialect, layout=layout, kind="select", table=engine.table, keys=["rid"])
        found = engine.predictions(tree.schema, engine.ask(columns, [sql])[0])
        assert found == answers(tree, rows)


def test_the_lookup_layout_answers_as_the_tree() -> None:
    """A test of intervals is several cuts, which share what they lead to."""
    engine = ENGINES["duckdb"]
    for seed in range(25):
        tree = seeded(seed, 20)
        rows = rows_at_ends(tree)
        columns = [Stored(f.name, f.scalar, [row[f.name] for row in rows]) for f in FEATURES]
        sql = to_sql(tree, dialect="duckdb", layout="lookup", kind="select", table=engine.table, keys=["rid"])
        assert engine.predictions(tree.schema, engine.ask(columns, [sql])[0]) == answers(tree, rows)


def test_cuts_of_a_union_are_as_many_as_its_ends() -> None:
    """Zero apart and at most 0.5: three ends, three cuts, whichever way missing values go."""
    root = zero_is_missing().root
    assert isinstance(root, Split)
    for missing in (0, 1):
        tree = Tree(Schema([FEATURES[0]], GOAL), Split(root.test, root.children, missing))
        assert len(cut_graph(tree).cuts) == 3


@pytest.mark.parametrize("dialect", few(["duckdb", "sqlite"], 1))
def test_the_table_of_rules_answers_as_the_tree(dialect: str) -> None:
    """A row of the table for each interval: each row of the data fires one rule, also where it is missing."""
    for seed in range(12):
        tree = seeded(seed)
        rows = [{**row, "id": at} for at, row in enumerate(rows_at_ends(tree))]
        cells = [[row["id"], *(_stored(dialect, row[feature.name]) for feature in FEATURES)] for row in rows]
        statements = rules_table_statements(tree, dialect=dialect, keys=["id"])
        with closing(duckdb.connect() if dialect == "duckdb" else sqlite3.connect(":memory:")) as connection:
            types = (
                "BIGINT",
                "DOUBLE",
                "BIGINT",
                *(("DATE", "TIMESTAMP") if dialect == "duckdb" else ("TEXT", "TEXT")),
            )
            names = ["id", *(feature.name for feature in FEATURES)]
            held = ", ".join(f'"{name}" {kind}' for name, kind in zip(names, types, strict=True))
            connection.execute(f"CREATE TABLE data ({held})")
            connection.executemany("INSERT INTO data VALUES (?, ?, ?, ?, ?)", cells)
            for statement in statements:
                cursor = connection.execute(statement)
            found = {row[0]: row[2] for row in cursor.fetchall()}
        assert [found[row["id"]] for row in rows] == answers(tree, rows) and len(found) == len(rows)


def _stored(dialect: str, value: Any) -> Any:
    return value if dialect == "duckdb" or not isinstance(value, date) else str(value)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_spells_several_intervals(dialect: str) -> None:
    """Also those without infinities; the two intervals stand in one pair of parentheses."""
    for layout in LAYOUTS:
        sql = to_sql(zero_is_missing(), dialect=dialect, layout=layout)
        assert " OR " in sql and sql.count("(") == sql.count(")")
    text = to_sql(compile_rules(zero_is_missing()), dialect=dialect)
    assert "0.5" in text or "5" in text


@pytest.mark.parametrize("language", ["python", "duckdb", "sqlite"])
def test_verify_compares_what_is_emitted(language: str, tmp_path: Path) -> None:
    """`verify` runs it beside the tree, on its own boundary rows."""
    for seed in range(6):
        tree = seeded(seed)
        text = to_python(tree) if language == "python" else to_sql(tree, dialect=language, kind="select", keys=["id"])
        path = tmp_path / f"m{seed}.{'py' if language == 'python' else 'sql'}"
        path.write_text(text, encoding="utf-8")
        assert verify(tree, path, **({} if language == "python" else {"dialect": language}))


def test_drawings_show_what_each_branch_takes() -> None:
    """Text, dot and mermaid."""
    for format in ("text", "dot", "mermaid"):
        assert "0.5" in render(zero_is_missing(), format=format)
