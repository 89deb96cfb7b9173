"""AWK, the language of examples/extending: real awks give the tree's answers."""

import math
import os
import re
import shutil
import subprocess
from random import Random
from typing import Any

import pytest

from example_records import example_module
from hostile_names import ATTACKS, attacked
from paths import ROOT
from strategies_random import a_feature, a_tree, some_rows
from treerules import Feature, Kind, Schema, Table, Tree, cart, learn, read
from treerules.emit import to_code
from treerules.errors import UnsupportedError
from treerules.trees import CategoryTest, Split, ThresholdTest, ValueSetTest, find_leaf, preorder

EXAMPLE = example_module("awk")

#: The awks that a machine may have, and how each is started.
AWKS = {"awk": ["awk"], "gawk": ["gawk"], "mawk": ["mawk"], "busybox": ["busybox", "awk"]}
EVERY_AWK = pytest.mark.parametrize("awk", AWKS)
ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def in_awk(source: Any, layout: Any = "auto") -> str:
    """Return the program."""
    return to_code(source, EXAMPLE.AWK, template="rules.awk.j2", templates=EXAMPLE.TEMPLATES, layout=layout)


def spelled(value: Any) -> str:
    """Return a cell as the program reads it."""
    if value is None or value != value:
        return "\\N"
    return re.sub(r"[\\\t\n\r]", lambda found: ESCAPES[found[0]], value if isinstance(value, str) else repr(value))


def run_awk(awk: str, text: str, rows: list[dict[str, Any]]) -> list[str]:
    """Return the lines that an emitted program prints of some rows, which may lack columns.

    Raises:
        subprocess.CalledProcessError: the program ends with an error.
    """
    if shutil.which(AWKS[awk][0]) is None:
        pytest.skip(f"{AWKS[awk][0]} is not installed")
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = [map(spelled, names), *([spelled(row.get(name)) for name in names] for row in rows)]
    given = "".join("\t".join(cells) + "\n" for cells in table)
    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run([*AWKS[awk], text], input=given.encode(), capture_output=True, check=True, env=environment)
    return done.stdout.decode().split("\n")[:-1]


def tree_answers(tree: Tree, rows: list[dict[str, Any]]) -> list[str]:
    """Return the tree's answers as the program prints those of classes."""
    return [spelled(find_leaf(tree, row).prediction.value) for row in rows]


def a_drawn_tree(random: Random) -> Tree:
    """Return a tree of numbers, and of categories and ordinals of text."""
    features: list[Feature] = []
    while len(features) < 4:
        feature = a_feature(random, f"column {len(features)}")
        if feature.scalar == "text" or (feature.scalar == "number" and feature.is_ordered):
            features.append(feature)
    target = random.choice((Feature("y", Kind.NUMBER), Feature("y", Kind.CATEGORY, ["a\nb", "it's", "否"])))
    return a_tree(random, Schema(features, target), random.randint(0, 40), deep=random.random() < 0.25)


@pytest.mark.engine
@EVERY_AWK
def test_awk_gives_the_answer_of_the_tree(awk: str) -> None:
    """Rows at the boundaries of drawn trees, missing and unseen values included, in both layouts."""
    random, n, met = Random(7), 0, set[Any]()
    for number in range(60):
        tree = a_drawn_tree(random)
        rows = [row for row in some_rows(random, tree, 100) if not {math.inf, -math.inf} & set(row.values())]
        found: list[Any] = run_awk(awk, in_awk(tree, ("flat", "guarded")[number % 2]), rows)
        if tree.schema.is_regression:
            assert [*map(float, found)] == [find_leaf(tree, row).prediction.value for row in rows]
        else:
            assert found == tree_answers(tree, rows)
        n += len(rows)
        met |= {feature.kind for feature in tree.schema.features}
        met |= {type(node.test) for node in preorder(tree.root) if isinstance(node, Split)}
    assert n > 3000
    assert met == {Kind.NUMBER, Kind.CATEGORY, Kind.ORDINAL, ThresholdTest, CategoryTest, ValueSetTest}


@pytest.mark.engine
@EVERY_AWK
def test_awk_scores_the_loan_table(awk: str) -> None:
    """Each row of examples/loan.csv, and rows in which nothing is known."""
    table = read(ROOT / "examples/loan.csv")
    tree = learn(table, target="类别", recipe=cart())
    rows = [*table.rows(), {}, {"有工作": "从未见过"}]
    assert run_awk(awk, in_awk(tree), rows) == tree_answers(tree, rows)


@pytest.mark.engine
@EVERY_AWK
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: ascii(attack)[:20])
def test_hostile_text_is_only_a_literal_in_awk(awk: str, attack: str) -> None:
    """As column, category and label: the tree's answer."""
    tree = attacked(attack, attack, attack)
    rows: list[dict[str, Any]] = [{attack: attack}, {attack: "other"}, {attack: "another"}, {attack: ""}, {}]
    assert run_awk(awk, in_awk(tree), rows) == tree_answers(tree, rows)


@pytest.mark.engine
@EVERY_AWK
def test_what_awk_cannot_take_is_an_error(awk: str) -> None:
    """Text among numbers and other kinds of columns, by awk; a lone surrogate, by us."""
    tree = learn(Table.from_columns({"x": [1.5, 2.5], "y": ["a", "b"]}), target="y", recipe=cart())
    boolean = learn(Table.from_columns({"x": [True, False], "y": ["a", "b"]}), target="y", recipe=cart())
    for source, said in ((tree, b"x: a value that is no number\n"), (boolean, b"x: a value that is no boolean\n")):
        with pytest.raises(subprocess.CalledProcessError) as caught:
            run_awk(awk, in_awk(source), [{"x": "two"}])
        assert caught.value.stderr == said
    with pytest.raises(UnsupportedError, match="awk cannot express this"):
        in_awk(attacked("x", "\ud800", "label"))
