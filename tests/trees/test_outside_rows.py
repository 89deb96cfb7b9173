"""`predict(..., outside="refuse")`: a row outside the declared domain is an error with its column and its value."""

import math
from datetime import date
from random import Random
from typing import Any

import pytest
from attrs import evolve

from drawn_domains import a_declared_domain, lies_within
from strategies_random import a_schema, a_tree, some_rows
from treerules import ColumnDomain, Table, Tree, predict, predict_table, tree_from_rules
from treerules.data.column import of_values
from treerules.errors import ColumnError, DataError, OptionError
from treerules.formats import rules_from_text

REVENUE = tree_from_rules(
    rules_from_text("""column revenue: number 0..10, never missing
IF revenue <= 5 OR missing THEN low
IF revenue > 5 THEN high
""")
)


def test_a_row_outside_is_an_error_that_names_column_and_value() -> None:
    """Missing, NaN, below and above; of a table with the number of the row; inside the answer is that of the model."""
    for row, said in (
        ({"revenue": 20}, "column 'revenue' is 20, outside the declared domain: at most 10"),
        ({"revenue": -0.5}, "column 'revenue' is -0.5, outside the declared domain: at least 0"),
        ({"revenue": math.nan}, "column 'revenue' is nan, outside the declared domain: never missing"),
        ({}, "column 'revenue' is missing, outside the declared domain: never missing"),
    ):
        with pytest.raises(DataError) as error:
            predict(REVENUE, row, outside="refuse")
        assert str(error.value).startswith(f"{said}; ")
        assert predict(REVENUE, row) == predict(REVENUE, row, outside="answer")
    rows = [{"revenue": 1.5}, {"revenue": 20.5}, {"revenue": None}]
    for function in (predict, predict_table):
        with pytest.raises(
            DataError, match=r"^row 2 \(and 1 more\): column 'revenue' is 20.5, outside .*: at most 10;"
        ):
            function(REVENUE, rows, outside="refuse")
        with pytest.raises(DataError, match=r"^row 2: column 'revenue' is missing, .*: never missing;"):
            function(REVENUE, [rows[0], rows[2]], outside="refuse")
    assert predict(REVENUE, [{"revenue": 0}, {"revenue": 10}], outside="refuse").tolist() == ["low", "high"]


def test_a_declared_column_that_no_rule_tests_counts_too() -> None:
    """The table must hold it, and a row lacks it as a missing value."""
    tree = evolve(REVENUE, schema=evolve(REVENUE.schema), domain={"revenue": ColumnDomain(0, 10)})
    other = Tree(tree.schema, REVENUE.root.children[0], domain={"revenue": ColumnDomain(missing=False)})  # type: ignore[union-attr]
    with pytest.raises(DataError, match="'revenue' is missing"):
        predict(other, {}, outside="refuse")
    with pytest.raises(ColumnError, match="lacks column 'revenue', which the model declares"):
        predict(other, [{"x": 1}], outside="refuse")
    assert predict(tree, {}, outside="refuse") == "low"


@pytest.mark.parametrize("seed", range(150))
def test_exactly_the_rows_outside_are_refused(seed: int) -> None:
    """Any tree and any declared domain: rows one by one, and in a table the first row of the first such column."""
    random = Random(seed)
    schema = a_schema(random, random.randrange(1, 4))
    tree = evolve(a_tree(random, schema, random.randrange(5)), domain=a_declared_domain(random, schema))
    if not tree.domain:
        return
    rows = some_rows(random, tree, 12)
    wrong = [_columns_outside(tree, row) for row in rows]
    for row, names in zip(rows, wrong, strict=True):
        if not names:
            assert predict(tree, row, outside="refuse") == predict(tree, row)
            continue
        with pytest.raises(DataError) as error:
            predict(tree, row, outside="refuse")
        value = row[names[0]]
        shown = "missing" if value is None else repr(str(value) if isinstance(value, date) else value)
        assert f"column {names[0]!r} is {shown}, " in str(error.value)
    inside = _table(tree, [row for row, names in zip(rows, wrong, strict=True) if not names])
    assert predict(tree, inside, outside="refuse").tolist() == predict(tree, inside).tolist()
    first = next((name for name in schema.indices if any(name in names for names in wrong)), None)
    if first is not None:
        numbers = [number for number, names in enumerate(wrong, 1) if first in names]
        with pytest.raises(DataError, match=rf"^row {numbers[0]}( \(and {len(numbers) - 1} more\))?: ") as error:
            predict(tree, _table(tree, rows), outside="refuse")
        assert f"column {first!r} is " in str(error.value)


def _columns_outside(tree: Tree, row: dict[str, Any]) -> list[str]:
    """Return the names of the columns whose values the domain of a tree excludes."""
    return [
        n for n in tree.schema.indices if n in tree.domain and not lies_within(tree.schema, {n: tree.domain[n]}, row)
    ]


def _table(tree: Tree, rows: list[dict[str, Any]]) -> Table:
    return Table([of_values(feature, [row[feature.name] for row in rows]) for feature in tree.schema.features])


def test_what_cannot_be_refused_is_an_error() -> None:
    """A model that declares nothing, and another word."""
    with pytest.raises(OptionError, match="declares no domain"):
        predict(evolve(REVENUE, domain={}), {"revenue": 1}, outside="refuse")
    with pytest.raises(OptionError, match="'answer' or 'refuse'"):
        predict(REVENUE, {"revenue": 1}, outside="null")  # type: ignore[arg-type]
