"""How emitted SQL is laid out: short lines, broken between tokens alone."""

from random import Random
from typing import Any

import pytest

from hostile_names import ATTACKS, attacked
from selection import few
from strategies_random import a_schema, a_tree
from treerules import Feature, Kind, Schema, Table, Tree, cart, learn, to_sql
from treerules.emit.sql import case_lines
from treerules.emit.sql.case_lines import WIDTH
from treerules.errors import UnsupportedError
from treerules.formats import rules_from_sql
from treerules.sql.dialects import DIALECTS
from treerules.sql.lexer import tokens_of
from treerules.trees import ClassPrediction, Leaf, Split, ThresholdTest, find_leaf


def cities(n: int) -> Tree:
    """Return a tree that names half of n cities."""
    names = [f"city {i:03d}, {'north' if i % 2 else 'south'} OR east" for i in range(n)]
    return learn(Table.from_columns({"city": names * 2, "y": ["p", "q"] * n}), target="y", recipe=cart())


@pytest.mark.parametrize("dialect", few(DIALECTS, 2))
def test_lines_are_broken_between_tokens_alone(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tokens are those of the text without breaks, whatever stands in names and texts."""
    rules = DIALECTS[dialect].reading.lexical
    trees = [attacked(attack, attack, f"{attack} OR {attack}, " * 30) for attack in ATTACKS[::2] if attack]
    trees += [a_tree(random, a_schema(random, 5), 30) for random in map(Random, range(8))]
    n_read = 0
    for tree in [*trees, cities(60)]:
        for layout in ("flat", "guarded"):
            choices: Any = {"dialect": dialect, "layout": layout, "kind": "select", "keys": ["id"]}
            try:
                sql = to_sql(tree, **choices)
            except UnsupportedError:
                continue
            with monkeypatch.context() as patch:
                patch.setattr(case_lines, "WIDTH", 10**9)
                unbroken = to_sql(tree, **choices)
            n_read += sql != unbroken
            assert [token[:2] for token in tokens_of(sql, rules)] == [token[:2] for token in tokens_of(unbroken, rules)]
    assert n_read > 10


@pytest.mark.parametrize("layout", ["flat", "guarded"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_line_is_longer_than_the_width_only_where_it_cannot_be_broken(dialect: str, layout: Any) -> None:
    """Of a list of 200 texts too; Oracle's SQL*Plus takes lines of at most 2,499 characters."""
    sql = to_sql(cities(200), dialect=dialect, layout=layout, kind="view", keys=["id"])
    assert max(map(len, sql.splitlines()[1:])) <= WIDTH + 4
    assert sum(line.rstrip().endswith(",") for line in sql.splitlines()) > 20


def test_a_rule_is_a_line_or_a_line_for_each_condition() -> None:
    """A branch that fits stands in one line; text in a list is filled, with the list's lines further in."""
    sql = to_sql(cities(8), dialect="duckdb", kind="select", keys=["id"])
    assert (
        sql.partition("\n")[2]
        == """SELECT
  "id",
  CASE
    WHEN ("city"::TEXT COLLATE "C" NOT IN ('city 001, north OR east', 'city 003, north OR east',
        'city 005, north OR east', 'city 007, north OR east') OR "city" IS NULL)
    THEN 'p'
    WHEN "city"::TEXT COLLATE "C" IN ('city 001, north OR east', 'city 003, north OR east',
        'city 005, north OR east', 'city 007, north OR east')
    THEN 'q'
  END AS "prediction"
FROM "data"
"""
    )


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_bound_is_the_number_that_the_rule_names(dialect: str) -> None:
    """`x < 1.59` where the greatest number below 1.59 is the threshold, as the rule's text has it; it reads back."""
    threshold = 1.5899999999999999
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.CATEGORY, ("a", "b")))
    ends = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in ("a", "b")]
    for missing in (0, 1):
        tree = Tree(schema, Split(ThresholdTest(0, threshold), ends, missing))
        for layout in ("flat", "guarded"):
            sql = to_sql(tree, dialect=dialect, layout=layout)  # type: ignore[arg-type]
            assert "1.58" not in sql and "158" not in sql.split("\n", 1)[1]
            assert "< " in sql or ">= " in sql
            (written,) = rules_from_sql(sql, dialect=dialect, schema=schema)
            for x in (1.58, threshold, 1.59, 1.6, None):
                assert written.rules.firing({"x": x})[0].value == find_leaf(tree, {"x": x}).prediction.value
