"""The lookup layout on DuckDB: a tree as arrays that a query walks gives the tree's answer for every row."""

import math
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from drawing import a_schema, a_tree, some_rows, trees_with_rows
from running import same
from test_emit import ATTACKS
from treerules import (
    Feature,
    Groups,
    Kind,
    Label,
    Leaf,
    Mean,
    Schema,
    Split,
    Table,
    Threshold,
    Tree,
    c45,
    cart,
    compile_rules,
    leaf_of,
    learn,
    predict,
)
from treerules.emit.cuts import cuts_of
from treerules.emit.dialects import DIALECTS
from treerules.emit.lookup import MOST_STEPS, is_worth_lookup, lookup_of
from treerules.emit.outputs import outputs_of
from treerules.emit.templates import rendered
from treerules.errors import OptionError, UnsupportedError
from treerules.tree import leaves

DUCKDB = DIALECTS["duckdb"]


def query(tree: Tree, *, keys: tuple[str, ...] = ("rid",), table: str = "t", extras: tuple[Any, ...] = ()) -> str:
    """Return the query of this layout."""
    rules = compile_rules(tree)
    outputs = [output.named(DUCKDB, {}) for output in outputs_of(DUCKDB, rules, extras).outputs]
    lookup = lookup_of(
        DUCKDB,
        rules,
        table=DUCKDB.identifier(table),
        keys=[DUCKDB.identifier(key) for key in keys],
        prediction=DUCKDB.identifier("prediction"),
        outputs=outputs,
    )
    return rendered("sql/lookup.sql.j2", lookup=lookup)


def answered(tree: Tree, rows: list[dict[str, Any]], *, table: str = "t", **choices: Any) -> list[tuple[Any, ...]]:
    """Return what DuckDB answers for rows: the prediction and what else is asked for."""
    features = tree.schema.features
    with closing(duckdb.connect()) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        types = ["INTEGER", *(DUCKDB.types[feature.scalar] for feature in features)]
        names = ["rid", *(DUCKDB.identifier(feature.name) for feature in features)]
        fields = ", ".join(f"{name} {kind}" for name, kind in zip(names, types, strict=True))
        connection.execute(f"CREATE TABLE {DUCKDB.identifier(table)} ({fields})")
        cells = [[rid, *(_cell(row.get(feature.name)) for feature in features)] for rid, row in enumerate(rows)]
        marks = ", ".join(f"CAST(? AS {kind})" for kind in types)
        connection.executemany(f"INSERT INTO {DUCKDB.identifier(table)} VALUES ({marks})", cells)
        found = connection.execute(query(tree, table=table, **choices)).fetchall()
    return [tuple(row[1:]) for row in sorted(found, key=lambda row: row[0])]


def _cell(value: Any) -> Any:
    return str(value) if isinstance(value, (date, datetime)) else value


def agrees(tree: Tree, rows: list[dict[str, Any]], **choices: Any) -> None:
    """Assert that DuckDB answers as the tree does, and that the number of the rule is that of the leaf."""
    numbers = {id(leaf): number for number, leaf in enumerate(leaves(tree.root), 1)}
    wanted = [leaf_of(tree, row) for row in rows]
    found = answered(tree, rows, extras=("rule",), **choices)
    for row, leaf, (prediction, rule) in zip(rows, wanted, found, strict=True):
        assert same(prediction, leaf.prediction.value), row
        assert leaf.prediction == list(leaves(tree.root))[rule - 1].prediction, row
        assert rule == numbers[id(leaf)] or sum(leaf is other for other in leaves(tree.root)) > 1, row
    assert [prediction for prediction, _ in found] == [value for (value,) in answered(tree, rows, **choices)]


# ---- the law


@given(trees_with_rows())
def test_drawn_trees_answer_as_the_tree(drawn: tuple[Tree, list[dict[str, Any]]]) -> None:
    """Every kind and routing, at boundaries: thresholds and neighbours, infinities, NaN, missing, unseen."""
    agrees(*drawn)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("deep", [False, True])
def test_great_drawn_trees_answer_as_the_tree(seed: int, deep: bool) -> None:
    """Hundreds of splits of all kinds over five columns; a deep one goes down one path."""
    random = Random(seed)
    tree = a_tree(random, a_schema(random, 5), 120 if deep else 900, deep=deep)
    agrees(tree, some_rows(random, tree, 700))
