"""Oblivious trees: found among trees, and written in SQL as a list of leaves that gives the same margins."""

import random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import engines
from ensemble_outputs import filled, n_different, of_ensemble, of_sql
from treerules import Ensemble, Feature, Kind, Schema, Tree, to_sql
from treerules.emit import estimate
from treerules.sql.dialects import DIALECTS
from treerules.testing import boundary_rows
from treerules.trees import CategoryTest, Leaf, MeanPrediction, Split, ThresholdTest, leaves
from treerules.trees.nodes import Node
from treerules.trees.oblivious import oblivious_levels

FEATURES = [Feature("age", Kind.NUMBER), Feature("颜色", Kind.CATEGORY, ("红", "绿", "蓝")), Feature("n", Kind.INTEGER)]
SCHEMA = Schema(FEATURES, Feature("margin", Kind.NUMBER))
#: A test, and the children of missing and of unseen values.
Question = tuple[Any, int, int | None]


def drawn_question(generator: random.Random) -> Question:
    """Return a test of one of the features."""
    feature, missing = generator.randrange(3), generator.randrange(2)
    if feature == 1:
        groups = generator.choice([[[0], [1, 2]], [[0, 2], [1]], [[0, 1], [2]]])
        return CategoryTest(1, groups), missing, generator.randrange(2)
    threshold = generator.randrange(-3, 9)
    return ThresholdTest(feature, threshold + 0.5 if feature == 0 else threshold), missing, None


def oblivious_root(questions: list[Question], numbers: list[float]) -> Node:
    """Return the root of a tree with one question a level, the first at the root."""
    nodes: list[Node] = [Leaf(MeanPrediction(number), (1,)) for number in numbers]
    for test, missing, unseen in reversed(questions):
        pairs = zip(nodes[::2], nodes[1::2], strict=True)
        nodes = [Split(test, pair, missing=missing, unseen=unseen) for pair in pairs]
    return nodes[0]


def oblivious_ensemble(n_trees: int, **options: Any) -> Ensemble:
    """Return an ensemble of oblivious trees of 1 to 6 levels."""
    generator = random.Random(3)
    members = []
    for number in range(n_trees):
        questions = [drawn_question(generator) for _ in range(1 + number % 6)]
        leaf_numbers = [generator.randrange(-512, 512) / 1024 for _ in range(2 ** len(questions))]
        members.append(Tree(SCHEMA, oblivious_root(questions, leaf_numbers)))
    return Ensemble(Schema(FEATURES, Feature("y", Kind.NUMBER)), members, [0.125], **options)


@given(st.randoms(use_true_random=False), st.integers(0, 6))
def test_levels_are_those_of_which_the_tree_was_made(generator: random.Random, n_levels: int) -> None:
    """And one leaf that is a split, or one split that asks otherwise, makes another tree of it."""
    questions = [drawn_question(generator) for _ in range(n_levels)]
    root = oblivious_root(questions, [float(number) for number in range(2**n_levels)])
    levels = oblivious_levels(root)
    assert levels is not None and [(split.test, split.missing, split.unseen) for split in levels] == questions
    deeper = Split(ThresholdTest(0, 77.5), [Leaf(MeanPrediction(0.0), (1,)), root])
    assert (oblivious_levels(deeper) is None) == (n_levels > 0)
    if n_levels > 1 and isinstance(root, Split) and isinstance(root.children[1], Split):
        other = evolve(root.children[1], test=ThresholdTest(0, 77.5))
        assert oblivious_levels(evolve(root, children=[root.children[0], other])) is None
        turned = evolve(root.children[1], missing=1 - root.children[1].missing)
        assert oblivious_levels(evolve(root, children=[root.children[0], turned])) is None


def test_a_split_of_three_children_is_no_level() -> None:
    """As ID3 makes them."""
    three = [Leaf(MeanPrediction(0.0), (1,))] * 3
    assert oblivious_levels(Split(CategoryTest(1, [[0], [1], [2]]), three, missing=0, unseen=0)) is None


@pytest.mark.parametrize("dialect", engines.parameters(engines.ENGINES))
@pytest.mark.parametrize("sum_type", ["float64", "float32"])
def test_lists_give_the_margins_of_the_ensemble(dialect: str, sum_type: str) -> None:
    """On every engine, with missing and unseen values, and cells at the thresholds."""
    ensemble = oblivious_ensemble(24, sum_type=sum_type)
    rows = filled(ensemble, boundary_rows(ensemble, 300))
    engine = engines.opened(dialect)
    rows = [row for row in rows if all(engine.holds(cell) for cell in row.values())]
    rows = [row for row in rows if isinstance(row["n"], int | None) and (row["颜色"] or "x").isprintable()]
    assert len(rows) > 100
    assert n_different(of_ensemble(ensemble, rows), of_sql(ensemble, rows, dialect)) == 0


@pytest.mark.parametrize("dialect", [name for name, dialect in DIALECTS.items() if dialect.spelling.element])
def test_each_test_stands_once(dialect: str) -> None:
    """A tree of six levels has six tests, not 63; leaves are spelled exactly and in order."""
    tree = oblivious_ensemble(6).trees[5]
    ensemble = evolve(oblivious_ensemble(6), trees=[tree], outputs=())
    text = to_sql(ensemble, dialect=dialect, kind="select")
    assert text.count("CASE WHEN") == 6
    language = DIALECTS[dialect].spelling
    expected = ", ".join(language.literal(leaf.prediction.value) for leaf in leaves(tree))
    assert expected in " ".join(text.split())
    assert estimate(ensemble, dialect).depth == 1
