"""Depth 5,000 and 10,000 leaves: everything that can be done with a tree can be done with these."""

import ast
import copy
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from deep_trees import DEPTH, LEAVES, SCHEMA, chain, chain_of_three
from run_emitted import ENGINES, module, same
from treerules import Feature, Kind, Schema, Table, Tree, check, compile_rules, predict, render, to_python, to_sql
from treerules.data.column import of_values
from treerules.emit.layout import guarded
from treerules.trees import (
    CategoryTest,
    ClassPrediction,
    Leaf,
    MeanPrediction,
    Node,
    Split,
    ThresholdTest,
    find_leaf,
    leaves,
    paths,
    tree_from_json,
    tree_to_json,
)

pytestmark = pytest.mark.large


def wide() -> Tree:
    """Return a balanced tree of 10,000 leaves: a hundred categories, then x cut into a hundred steps."""

    def steps(low: int, high: int) -> Node:
        if high - low == 1:
            return Leaf(MeanPrediction(float(low)), (1,))
        middle = (low + high) // 2
        return Split(ThresholdTest(0, middle - 0.5), (steps(low, middle), steps(middle, high)), missing=low % 2)

    children = [steps(n * 100, n * 100 + 100) for n in range(100)]
    return Tree(SCHEMA, Split(CategoryTest(1, [[n] for n in range(100)]), children, missing=7, unseen=8))


TREES: dict[str, Callable[[], Tree]] = {
    "chain to the right": cache(lambda: chain(right=True)),
    "chain to the left": cache(lambda: chain(right=False)),
    "chain of three": cache(chain_of_three),
    "wide": cache(wide),
}
#: Leaves and depth of each.
SHAPES = {"wide": (LEAVES, 8), "chain of three": (2 * DEPTH + 1, DEPTH)}


@pytest.mark.parametrize("name", TREES)
def test_a_large_tree_is_an_ordinary_value(name: str) -> None:
    """Equality, hash, repr, pickle, copy, JSON, paths."""
    tree = TREES[name]()
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert copy.deepcopy(tree) == tree == copy.copy(tree)
    assert hash(tree_from_json(tree_to_json(tree))) == hash(tree)
    assert tree_from_json(tree_to_json(tree)) == tree
    assert f"leaves={tree.n_leaves} depth={tree.depth}" in repr(tree) and len(repr(tree.root)) < 60
    assert sum(1 for _ in paths(tree.root)) == tree.n_leaves
    assert (tree.n_leaves, tree.depth) == SHAPES.get(name, (DEPTH + 1, DEPTH))


@pytest.mark.parametrize("name", TREES)
def test_the_rules_of_a_large_tree_are_exclusive_and_complete(name: str) -> None:
    """The check decides 10,000 rules."""
    rules = compile_rules(TREES[name]())
    assert check(rules)
    assert render(rules).count("\n") == len(rules)


@pytest.mark.parametrize("engine", [engine for engine in sorted(ENGINES) if "guarded" in engine])
@pytest.mark.parametrize("name", TREES)
def test_a_large_tree_loads_and_runs_everywhere(name: str, engine: str) -> None:
    """What is emitted for machines loads at any size and gives the tree's answers."""
    tree = TREES[name]()
    rows: list[dict[str, Any]] = [
        {"x": x, "c": c}
        for x in (None, -1.0, 0.0, 17.0, 4999.0, 5000.0, 5001.0, 9999.0, math.inf)
        for c in ("c00000", "c00099", "new", None)
    ]
    found = ENGINES[engine](tree, rows)
    assert all(map(same, found, [find_leaf(tree, row).prediction.value for row in rows]))
    table = Table([of_values(f, [row[f.name] for row in rows]) for f in SCHEMA.features])
    assert predict(tree, table).tolist() == found


def test_a_large_flat_module_loads_and_explains() -> None:
    """Flat rules have no depth at all."""
    emitted = module(to_python(TREES["wide"](), layout="flat", style="full"))
    assert len(emitted.RULES) == LEAVES
    assert emitted.explain({"x": 42.0, "c": "c00000"})[0] == 43


def nested_ifs(text: str) -> int:
    """Return how deep ifs stand in ifs in an emitted module."""
    (function,) = (n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == "rule")
    level, deepest = [statement for statement in function.body if isinstance(statement, ast.If)], 0
    while level:
        deepest += 1
        level = [below for outer in level for below in outer.body if isinstance(below, ast.If)]
    return deepest


@pytest.mark.parametrize("name", TREES)
def test_guarded_text_nests_at_most_with_the_logarithm_of_its_leaves(name: str) -> None:
    """At most floor(log2(leaves)) ifs or CASEs around any line: counted on the text."""
    tree = TREES[name]()
    most = math.floor(math.log2(tree.n_leaves))
    assert max(line.depth for line in guarded(tree)) <= most
    assert nested_ifs(to_python(tree, layout="guarded")) <= most
    depth = deepest = 0
    for line in to_sql(tree, dialect="sqlite", layout="guarded").splitlines():
        depth += (line.strip() == "CASE") - (line.strip() == "END")
        deepest = max(deepest, depth)
    assert deepest <= most and depth == 0


@pytest.mark.large
@pytest.mark.process
def test_ten_thousand_rules_over_ten_features_are_checked_within_a_minute_and_a_gigabyte() -> None:
    """In a process of its own, by its own account of CPU time and peak memory.

    The peak of `resource` may be that of the process which started it, so it is read off /proc where there is one.
    """
    code = """
import random, resource, time
from pathlib import Path
from treerules import *
from treerules.trees import *

draw = random.Random(0)
schema = Schema([Feature(f"x{n}", Kind.NUMBER) for n in range(10)], Feature("y", Kind.NUMBER))

def grown(n, boxes):
    if n == 1:
        return Leaf(MeanPrediction(0.0), (1,))
    at = draw.randrange(10)
    low, high = boxes[at]
    cut = draw.uniform(low, high)
    left, right = ({**boxes, at: part} for part in ((low, cut), (cut, high)))
    less = draw.randint(max(1, n // 4), n - max(1, n // 4))
    children = (grown(less, left), grown(n - less, right))
    return Split(ThresholdTest(at, cut), children, missing=draw.randrange(2))

rules = compile_rules(Tree(schema, grown(10_000, dict.fromkeys(range(10), (0.0, 1.0)))))
start = time.process_time()
verdict = check(rules)
spent, peak = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
status = Path("/proc/self/status")
if status.exists():
    peak = next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
print(len(rules), bool(verdict), spent < 60, peak < 1_000_000)
"""
    path = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split() == ["10000", "True", "True", "True"]


def test_many_leaves_of_one_class_keep_their_labels() -> None:
    """A category of 10,000 values, one child each, with labels of its own."""
    names = [f"k{n:05}" for n in range(LEAVES)]
    schema = Schema([Feature("c", Kind.CATEGORY, names)], Feature("y", Kind.CATEGORY, ["a", "b"]))
    children = [Leaf(ClassPrediction("ab"[n % 2], (0.5, 0.5)), (1, 1)) for n in range(LEAVES)]
    tree = Tree(schema, Split(CategoryTest(0, [[n] for n in range(LEAVES)]), children, missing=0, unseen=1))
    rows: list[dict[str, Any]] = [{"c": "k00000"}, {"c": "k09999"}, {"c": "new"}, {"c": None}, {}]
    for engine in ("python-plain-guarded", "python-full-guarded", "duckdb-guarded", "sqlite-guarded"):
        assert ENGINES[engine](tree, rows) == ["a", "b", "b", "a", "a"]
    assert len(list(leaves(tree.root))) == LEAVES
