"""Trees of thousands of leaves on Postgres: the lookup layout is an expression, and a large function is a block."""

from datetime import date
from typing import Any

import pytest

from engine_cases import columns_of, rows_of, worlds
from engines import Stored, opened
from hostile_names import ATTACKS, attacked
from run_emitted import POSTGRES, same, statements
from treerules import Feature, Kind, Schema, Table, Tree, cart, learn, to_dbt, to_sql
from treerules.emit.header import opening_in
from treerules.emit.sql.statement import MOST_INLINED
from treerules.errors import OptionError, UnsupportedError
from treerules.sql.dialects import DIALECTS
from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest, find_leaf, leaves, unfold

needs_server = pytest.mark.skipif(not POSTGRES, reason="no Postgres server (TREERULES_POSTGRES is not set)")


def balanced(n: int, name: str = "x") -> Tree:
    """Return a tree of n leaves over one column of numbers, i <= x < i + 1 for the leaf i; missing values go right."""
    schema = Schema([Feature(name, Kind.NUMBER)], Feature("y", Kind.NUMBER))

    def step(ends: tuple[int, int]) -> Any:
        first, last = ends
        if first == last:
            return Leaf(MeanPrediction(float(first)), (1,))
        middle = (first + last) // 2
        test = ThresholdTest(0, middle + 0.5)
        return lambda children: Split(test, children, 1), ((first, middle), (middle + 1, last))

    return Tree(schema, unfold((0, n - 1), step))


@pytest.mark.engine
def test_the_lookup_layout_answers_as_the_tree() -> None:
    """Every kind and routing, numbers stored as doubles, floats and decimals; prediction, rule, shares and reason."""
    engine = opened("postgres")
    for seed, world in enumerate(worlds("drawn")):
        rows, _ = rows_of(world, engine, 150, seed)
        ends = {id(leaf): number for number, leaf in enumerate(leaves(world.tree.root), 1)}
        choices: Any = {"layout": "lookup", "kind": "select", "table": engine.table, "keys": ["rid"]}
        queries = [
            to_sql(world.tree, dialect="postgres", rule=True, **choices),
            to_sql(world.tree, dialect="postgres", identifiers="bare", **choices),
        ]
        beside, alone = engine.ask(columns_of(world, rows), queries)
        for row, (prediction, number), (again,) in zip(rows, beside, alone, strict=True):
            leaf = find_leaf(world.tree, row.values)
            assert same(prediction, leaf.prediction.value) and same(again, prediction), (seed, row)
            assert number == ends[id(leaf)]


@pytest.mark.engine
@pytest.mark.parametrize("attack", ATTACKS[::3], ids=ascii)
def test_hostile_text_is_only_data(attack: str) -> None:
    """A JSON object of many hostile categories, and a function whose body holds any text."""
    if len(attack.encode()) > 60 or not attack:
        return
    tree = attacked(attack, attack, attack)
    sql = to_sql(tree, dialect="postgres", layout="lookup", kind="select", table="pg_temp.t", keys=["rid"])
    engine = opened("postgres")
    cells = [attack, "other", "another", "unseen", None]
    (answers,) = engine.ask([Stored(attack, "text", cells)], [sql])
    assert [row[0] for row in answers] == [find_leaf(tree, {attack: cell}).prediction.value for cell in cells]


@pytest.mark.engine
@needs_server
def test_infinite_days_and_many_categories() -> None:
    """Postgres has infinite dates; a column of 400 names is looked up by key, also names that JSON escapes."""
    names = sorted({*(f"name {i}" for i in range(400)), 'a"b', "a\\b", "it's", "é", "e\u0301", "line\nbreak", "中文"})
    columns: dict[str, Any] = {
        "c": names * 2,
        "d": [date(2024, 1, 1 + i % 28) for i in range(2 * len(names))],
        "y": [f"{i % 7}" for i in range(2 * len(names))],
    }
    tree = learn(Table.from_columns(columns), target="y", recipe=cart())
    sql = to_sql(tree, dialect="postgres", layout="lookup", kind="select", table="people", keys=["rid"])
    guarded = to_sql(tree, dialect="postgres", layout="guarded", kind="select", table="people", keys=["rid"])
    values = ", ".join(
        f"({n}, {DIALECTS['postgres'].spelling.literal(name)}, date '2024-01-{1 + n % 28:02d}')"
        for n, name in enumerate(names)
    )
    more = (
        "(9001, NULL, 'infinity'), (9002, 'unseen', '-infinity'), (9003, 'name 7', NULL), (9004, 'name 7', 'infinity')"
    )
    make = ("CREATE TABLE people (rid int, c text, d date)", f"INSERT INTO people VALUES {values}, {more}")
    assert statements("postgres", *make, sql + " ORDER BY 1") == statements("postgres", *make, guarded + " ORDER BY 1")


def test_auto_is_lookup_above_the_branches_that_the_server_runs_well() -> None:
    """In a query and an expression; other layouts say what to do, and a function needs nothing."""
    most = DIALECTS["postgres"].spelling.most_branches
    for n, layout in ((most, "guarded"), (most + 1, "lookup")):
        tree = balanced(n)
        for kind in ("expression", "select", "view", "table"):
            opening = opening_in(to_sql(tree, dialect="postgres", kind=kind))  # type: ignore[arg-type]
            assert opening is not None and opening.layout == layout
    advice = "\n-- SET jit = off before a query"
    assert advice in to_sql(tree, dialect="postgres", layout="guarded")
    assert advice not in to_sql(tree, dialect="postgres", layout="guarded", kind="function")
    assert advice not in to_sql(tree, dialect="postgres") + to_sql(balanced(most), dialect="postgres")
    assert "LANGUAGE plpgsql" in to_sql(tree, dialect="postgres", kind="function")
    macros = to_dbt(tree, dialects=["postgres", "redshift"])["macros/treerules_predict.sql"]
    assert "thresholds[node]" in macros and "redshift__" in macros
    with pytest.raises(OptionError, match="no comments with the lookup layout"):
        to_sql(tree, dialect="postgres", layout="lookup", comments=True)
    with pytest.raises(UnsupportedError, match="for duckdb, postgres only"):
        to_sql(tree, dialect="redshift", layout="lookup", kind="select")


@pytest.mark.engine
@needs_server
def test_a_large_function_is_a_block_that_answers_as_the_tree() -> None:
    """Beside a column that is called as a variable of each block, and text that is the quote of the body."""
    for name in ("x", "found", "$rules$"):
        tree = balanced(MOST_INLINED + 1, name)
        sql = to_sql(tree, dialect="postgres", kind="function")
        assert ("LANGUAGE plpgsql" in sql) is (name != "found")
        assert ("$rules1$" in sql) is (name == "$rules$")
        asked = "SELECT predict(i + 0.25) FROM generate_series(0, 250) AS i ORDER BY i"
        answers = statements("postgres", sql, asked)
        assert answers == [(find_leaf(tree, {name: i + 0.25}).prediction.value,) for i in range(251)]
