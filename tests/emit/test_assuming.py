"""The comment on the declared domain in emitted code: the line of the verdict, which no name can end."""

import ast
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from treerules import (
    ColumnDomain,
    Feature,
    Schema,
    Tree,
    check,
    to_dbt,
    to_javascript,
    to_python,
    to_sql,
    tree_from_rules,
    verify,
)
from treerules.emit import opening_in, rules_table_sql
from treerules.formats import rules_from_text
from treerules.trees import ClassPrediction, Leaf, Split, ThresholdTest

REVENUE = """column revenue: number 0..10, never missing
IF revenue <= 5 OR missing THEN low
IF revenue > 5 THEN high
"""
ASSUMING = (
    "assuming: revenue in 0..10, never missing. "
    "Outside this, rule 1 answers for missing, NaN and below 0, rule 2 for above 10"
)


def emitted(tree: Tree) -> dict[str, str]:
    """Return the code of a tree in each language and style, by a name."""
    dbt = to_dbt(tree, table="t")
    return {
        **{f"python {style}": to_python(tree, style=style) for style in ("plain", "full", "lookup")},
        "python arrays": to_python(tree, vectorized=True),
        **{f"javascript {style}": to_javascript(tree, style=style) for style in ("plain", "full", "lookup")},
        **{f"sql {layout}": to_sql(tree, dialect="sqlite", layout=layout) for layout in ("flat", "guarded")},
        "sql view": to_sql(tree, dialect="duckdb", kind="view", name="v"),
        "rules": rules_table_sql(tree, dialect="duckdb", keys=["id"]),
        **dbt,
    }


def test_the_second_line_is_that_of_the_verdict() -> None:
    """In every language; the opening stays the first line, and code without a declared domain has no such line."""
    tree = tree_from_rules(rules_from_text(REVENUE))
    assert str(check(tree)).splitlines()[1] == ASSUMING
    for name, text in emitted(tree).items():
        first, second, *_ = text.splitlines()
        assert opening_in(first) and second.strip("-/#{} ") == ASSUMING, name
    free = tree_from_rules(rules_from_text(REVENUE.partition("\n")[2]))
    assert not any("assuming" in text for text in emitted(free).values())
    assert "假定:revenue" in to_python(tree, lang="zh").splitlines()[1]


def test_a_declared_domain_changes_no_answer() -> None:
    """Rows outside get the answer of the model, in Python and SQL; the code differs in its comment alone."""
    tree = tree_from_rules(rules_from_text(REVENUE))
    free = Tree(tree.schema, tree.root, notes=tree.notes)
    for name, text in emitted(tree).items():
        lines = text.splitlines()
        assert [lines[0], *lines[2:]] == emitted(free)[name].splitlines(), name
    module: dict[str, Any] = {}
    exec(to_python(tree), module)
    query = f"SELECT {to_sql(tree, dialect='sqlite')} FROM (SELECT ? AS revenue)"
    with closing(sqlite3.connect(":memory:")) as database:
        for revenue, answer in ((None, "low"), (-1.0, "low"), (20.0, "high")):
            assert module["predict"]({"revenue": revenue}) == answer
            assert database.execute(query, [revenue]).fetchone() == (answer,)
    assert verify(tree, to_python(tree), domain={})


@pytest.mark.parametrize(
    "name",
    ["a #} b", "a */ b", "</script>", "<!--", "a\nb", "a\u2028b", "coding=rot13", "# coding: x", "{{ x }}"],
)
def test_no_name_ends_the_comment(name: str) -> None:
    """It stays one line, which neither jinja, HTML nor the encoding of Python takes for something else."""
    leaves = [Leaf(ClassPrediction(label, [float(label == other) for other in "ab"]), [1, 1]) for label in "ab"]
    schema = Schema([Feature(name, "number")], Feature("y", "category", ["a", "b"]))
    tree = Tree(schema, Split(ThresholdTest(0, 0.0), leaves), domain={name: ColumnDomain(-1, 1)})
    for text in emitted(tree).values():
        line = text.splitlines()[1]
        assert "assuming" in line and not any(mark in line.replace(" #}", "") for mark in ("#}", "*/", "</", "<!"))
    compile(to_python(tree).encode(), "module", "exec")
    ast.parse(to_python(tree))
    assert verify(tree, to_python(tree))
