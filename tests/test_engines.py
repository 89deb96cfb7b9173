"""The law on real engines: what is emitted gives the tree's own answer to thousands of rows from the corners.

An engine that is not installed, or whose server does not run, is skipped with the reason; where TREERULES_ENGINES is
"required", as in .ci/run, that is a failure.
"""

import os
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from engines import ENGINES, Engine, Stored, opened
from running import same
from treerules import (
    Feature,
    Groups,
    Kind,
    Label,
    Leaf,
    Mean,
    Rule,
    RuleSet,
    Schema,
    Split,
    Threshold,
    Tree,
    compile_rules,
    leaf_of,
    leaves,
    preorder,
    to_sql,
)
from worlds import World, columns_of, rows_of, worlds

#: Rows each engine answers, of drawn trees and of learned ones together.
N_ROWS = 12_000 if os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "") == "ci" else 4_000
LAYOUTS = ("flat", "guarded")


def numbers_only(tree: Tree, *, backwards: bool = False) -> RuleSet:
    """Return the rules of a tree, each predicting its own number, in their order or the other way round."""
    rules = [
        Rule(rule.number, rule.conditions, Mean(float(rule.number)), rule.figures) for rule in compile_rules(tree).rules
    ]
    schema = Schema(tree.schema.features, Feature("rule", Kind.NUMBER))
    return RuleSet(schema, rules[::-1] if backwards else rules)


def asked(engine: Engine, source: Tree | RuleSet, layout: str) -> str:
    """Return the query of a table's predictions."""
    return to_sql(source, dialect=engine.dialect, layout=layout, kind="select", table=engine.table, keys=["rid"])


@pytest.mark.parametrize("kind", ["drawn", "learned"])
@pytest.mark.parametrize("dialect", ENGINES)
def test_an_engine_gives_the_answer_of_the_tree_and_fires_one_rule(
    dialect: str, kind: str, record_property: Callable[[str, object], None]
) -> None:
    """Both layouts agree with the tree on every row; of the flat rules the first that is true is the last: the leaf's.

    A row that an engine cannot store is left out for it, and another one drawn: `holds` says which.
    """
    engine, run, left_out = opened(dialect), 0, 0
    for seed, world in enumerate(worlds(kind)):
        rows, others = rows_of(world, engine, N_ROWS // 2 // len(worlds(kind)), seed)
        run, left_out = run + len(rows), left_out + others
        place = {id(leaf): number for number, leaf in enumerate(leaves(world.tree.root), 1)}
        found = [leaf_of(world.tree, row.values) for row in rows]
        wanted = [[leaf.prediction.value] * 2 + [float(place[id(leaf)])] * 2 for leaf in found]
        answers = answers_of(engine, world, columns_of(world, rows))
        wrong = [
            (seed, row.cells, w, a) for row, w, a in zip(rows, wanted, answers, strict=True) if not all(map(same, w, a))
        ]
        assert not wrong, f"{len(wrong)} of {len(rows)} rows differ: (tree, row, wanted, answered) {wrong[:3]}"
    wont = f"; {left_out} others drawn, it cannot hold {engine.cannot}" if left_out else ""
    record_property("engine", f"{dialect}: {run} rows of {kind} trees{wont}")
    assert run == N_ROWS // 2
    assert engine.cannot or not left_out


def answers_of(engine: Engine, world: World, columns: list[Stored]) -> list[list[Any]]:
    """Return, for each row, the answers of the layouts, the first flat rule that is true and the last."""
    queries = [asked(engine, world.tree, layout) for layout in LAYOUTS]
    queries += [asked(engine, numbers_only(world.tree, backwards=last), "flat") for last in (False, True)]
    found = engine.ask(columns, queries)
    layouts = [engine.predictions(world.tree.schema, rows) for rows in found[:2]]
    answers = [*layouts, *([row[0] for row in rows] for rows in found[2:])]
    return [list(row) for row in zip(*answers, strict=True)]


@pytest.mark.parametrize("dialect", ENGINES)
def test_a_decimal_is_the_double_nearest_to_it(dialect: str) -> None:
    """A cell of 0.3000000000000000001 is at the threshold 0.3, as float(cell) is; the next double is above it."""
    engine = opened(dialect)
    cells = ["0.3", "0.3000000000000000001", "0.2999999999999999999", "0.3000000000000001", "0.2999999999999999", None]
    column = Stored("amount", "decimal", [None if cell is None else Decimal(cell) for cell in cells])
    schema = Schema([Feature("amount", Kind.NUMBER)], Feature("y", Kind.CATEGORY, ("above", "upto")))
    above, upto = (Leaf(Label(value, (0.5, 0.5)), (1, 1)) for value in ("above", "upto"))
    tree = Tree(schema, Split(Threshold(0, 0.3), (upto, above), 0, None))
    answers = engine.ask([column], [asked(engine, tree, layout) for layout in LAYOUTS])
    wanted = [("upto",), ("upto",), ("upto",), ("above",), ("upto",), ("upto",)]
    assert answers == [wanted] * 2


def test_the_trees_meet_every_case() -> None:
    """What engines are asked includes every test, routing and way to store a value."""
    met: Counter[str] = Counter()
    for kind in ("drawn", "learned"):
        for world in worlds(kind):
            met["regression"] += world.tree.schema.is_regression
            for node in preorder(world.tree.root):
                if isinstance(node, Split):
                    met.update(_met(world, node))
    stored = ("number", "float32", "decimal", "integer", "boolean", "text", "date", "timestamp", "timestamp_utc")
    wanted = ["regression", *(f"stored as {type}" for type in stored)]
    wanted += [f"{kind} cut" for kind in ("number", "integer", "date", "timestamp")]
    wanted += [f"{kind} in {n}" for kind in ("boolean", "category", "ordinal") for n in ("two", "many")]
    wanted += ["missing to first", "missing to another", "missing to its own"]
    wanted += ["unseen to none", "unseen to first", "unseen to another"]
    assert not [case for case in wanted if not met[case]]


def _met(world: World, node: Split) -> list[str]:
    feature = world.tree.schema.features[node.test.feature]
    own = "its own" if node.missing == node.test.arity else "another"
    missing = "first" if node.missing == 0 else own
    unseen = "none" if node.unseen is None else "first" if node.unseen == 0 else "another"
    many = "many" if node.test.arity > 2 else "two"
    met = [f"missing to {missing}", f"unseen to {unseen}", f"stored as {world.types[node.test.feature]}"]
    return [*met, f"{feature.kind} in {many}" if isinstance(node.test, Groups) else f"{feature.kind} cut"]
