"""Modules of the style "lookup": trees as tables of nodes. Other tests of modules have the laws of their answers."""

import random
from typing import Any

import pytest

from run_emitted import module
from treerules import Ensemble, Feature, Kind, RuleSet, Schema, Tree, compile_rules, to_javascript, to_python
from treerules.errors import OptionError
from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest
from treerules.trees.nodes import Node

FEATURES = [Feature(f"x{number}", Kind.NUMBER) for number in range(10)]
MARGIN = Schema(FEATURES, Feature("margin", Kind.NUMBER))


def full_tree(generator: random.Random, depth: int) -> Tree:
    """Return a tree whose leaves all have one depth, with thresholds and numbers of 17 digits."""
    nodes: list[Node] = [Leaf(MeanPrediction(generator.uniform(-1, 1)), (1,)) for _ in range(2**depth)]
    while len(nodes) > 1:
        pairs = zip(nodes[::2], nodes[1::2], strict=True)
        tests = (ThresholdTest(generator.randrange(10), generator.uniform(-3, 3)) for _ in nodes)
        nodes = [Split(test, pair) for test, pair in zip(tests, pairs, strict=False)]
    return Tree(MARGIN, nodes[0])


@pytest.mark.parametrize("style", ["python", "vectorized", "javascript"])
def test_a_hundred_full_trees_of_depth_6_are_under_400_kb(style: str) -> None:
    """Each with 64 leaves and thresholds of its own; functions of trees take more than 500 kB."""
    generator = random.Random(1)
    trees = [full_tree(generator, 6) for _ in range(100)]
    ensemble = Ensemble(Schema(FEATURES, Feature("y", Kind.NUMBER)), trees)
    texts = {
        "python": lambda: to_python(ensemble, style="lookup"),
        "vectorized": lambda: to_python(ensemble, vectorized=True),
        "javascript": lambda: to_javascript(ensemble, style="lookup"),
    }
    assert ensemble.n_leaves == 6_400
    assert len(texts[style]().encode()) < 400_000
    assert len(to_python(ensemble).encode()) > 500_000


def test_names_that_the_table_uses_are_free_for_columns() -> None:
    """Columns called codes, order, NODES and the like."""
    names = ["codes", "order", "place", "NODES", "ROOTS", "LEAVES", "node", "leaves", "bisect_left", "BOUNDS_1"]
    features = [Feature(name, Kind.NUMBER) for name in names]
    schema = Schema(features, Feature("margin", Kind.NUMBER))
    leaf = [Leaf(MeanPrediction(float(number)), (1,)) for number in range(2)]
    trees = [Tree(schema, Split(ThresholdTest(at, 0.5), leaf)) for at in range(len(names))]
    ensemble = Ensemble(Schema(features, Feature("y", Kind.NUMBER)), trees)
    emitted = module(to_python(ensemble, style="lookup"))
    assert [emitted.predict(dict.fromkeys(names[:n], 1.0)) for n in range(11)] == [float(n) for n in range(11)]
    assert module(to_python(trees[0], style="lookup")).predict({"codes": 1.0}) == 1.0


def test_rules_without_a_tree_and_choices_that_do_not_fit_are_errors() -> None:
    """Each says what to give instead."""
    tree = full_tree(random.Random(2), 2)
    rules = compile_rules(tree)
    edited = RuleSet(rules.schema, rules.rules)
    for emit in (to_python, to_javascript):
        with pytest.raises(OptionError, match="emit tree_from_rules"):
            emit(edited, style="lookup")
        for source in (tree, Ensemble(Schema(FEATURES, Feature("y", Kind.NUMBER)), [tree])):
            choices: dict[str, Any] = {"style": "lookup", "layout": "guarded"}
            with pytest.raises(OptionError, match=r"layout='guarded'.*'auto' with style='lookup'"):
                emit(source, **choices)
    with pytest.raises(OptionError, match="trees are arrays anyway"):
        to_python(tree, style="lookup", vectorized=True)
