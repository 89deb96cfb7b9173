"""`to_sql(outside="refuse")`: the rows outside the declared domain are NULL, all others answered as by the model."""

import sqlite3
from contextlib import closing
from random import Random

import duckdb
import pytest
from attrs import evolve

from drawn_domains import a_declared_domain, lies_within
from selection import few
from strategies_random import some_rows
from treerules import Feature, Schema, Tree, predict, to_sql, tree_from_rules
from treerules.errors import OptionError
from treerules.formats import rules_from_text
from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest

REVENUE = """column revenue: number 0..10, never missing
IF revenue <= 5 OR missing THEN low
IF revenue > 5 THEN high
"""


def test_rows_outside_are_null_and_the_header_says_so() -> None:
    """NULL, NaN, below and above, in every column of the result, by one WHEN in front."""
    tree = tree_from_rules(rules_from_text(REVENUE))
    text = to_sql(
        tree, dialect="duckdb", kind="select", table="t", proba=True, rule=True, reason=True, outside="refuse"
    )
    assert text.splitlines()[1] == "-- assuming: revenue in 0..10, never missing. Outside this, the answer is NULL"
    database = duckdb.connect()
    database.execute("CREATE TABLE t (revenue DOUBLE)")
    for value in (None, float("nan"), -0.1, 10.1, float("inf")):
        database.execute("DELETE FROM t")
        database.execute("INSERT INTO t VALUES (?)", [value])
        assert set(database.execute(text).fetchone() or ()) == {None}
    plain = to_sql(tree, dialect="sqlite", outside="refuse")
    assert plain.count("THEN NULL") == 1 and plain.index("THEN NULL") < plain.index("THEN 'low'")
    for value, answer in ((None, None), (-0.1, None), (0.0, "low"), (5.1, "high"), (10.0, "high"), (10.1, None)):
        with closing(sqlite3.connect(":memory:")) as connection:
            row = connection.execute(f"SELECT {plain} FROM (SELECT ? AS revenue)", [value]).fetchone()
        assert row == (answer,)


@pytest.mark.parametrize("seed", few(range(60), 15))
def test_exactly_the_rows_outside_are_refused(seed: int) -> None:
    """Any declared domain, on SQLite in the flat and DuckDB in the guarded layout, and a model of one rule."""
    random = Random(seed)
    names = ["n", "x", "c", "o"]
    kinds = {"n": ("integer",), "x": ("number",), "c": ("category", ["p", "q"]), "o": ("ordinal", ["S", "L"])}
    schema = Schema([Feature(name, *kinds[name]) for name in names], Feature("y", "number"))
    leaves = [Leaf(MeanPrediction(float(n)), [1]) for n in range(3)]
    root = Split(ThresholdTest(0, 2), [leaves[0], Split(ThresholdTest(1, 0.5), leaves[1:])]) if seed % 4 else leaves[0]
    domain = a_declared_domain(random, schema)
    tree = Tree(schema, root, domain=domain)
    if not domain:
        return
    columns = ", ".join(f'? AS "{name}"' for name in names)
    typed = ", ".join(
        f'CAST("{n}" AS {t}) AS "{n}"' for n, t in zip(names, ("BIGINT", "DOUBLE", "TEXT", "TEXT"), strict=True)
    )
    rows = list(some_rows(random, evolve(tree, domain={}), 25))
    queries = (
        (sqlite3.connect(":memory:"), to_sql(tree, dialect="sqlite", outside="refuse")),
        (duckdb.connect(), to_sql(tree, dialect="duckdb", layout="guarded", outside="refuse")),
    )
    for connection, text in queries:
        query = f"SELECT {text} FROM (SELECT {typed} FROM (SELECT {columns}))"
        with closing(connection) as database:
            for row in rows:
                expected = predict(tree, row) if lies_within(schema, domain, row) else None
                values = [row.get(name) for name in names]
                assert database.execute(query, values).fetchone() == (expected,), (row, domain)


def test_what_cannot_be_refused_is_an_error() -> None:
    """A model without a declared domain, the lookup layout, another word."""
    tree = tree_from_rules(rules_from_text(REVENUE))
    with pytest.raises(OptionError, match="declares no domain"):
        to_sql(evolve(tree, domain={}), dialect="sqlite", outside="refuse")
    with pytest.raises(OptionError, match="lookup"):
        to_sql(tree, dialect="duckdb", kind="select", layout="lookup", outside="refuse")
    with pytest.raises(OptionError, match="'answer' or 'refuse'"):
        to_sql(tree, dialect="sqlite", outside="null")  # type: ignore[arg-type]
