"""Trees by hand: build them of nodes, take them apart, walk them, write them as JSON.

    nodes          Node; Leaf(prediction, counts), Split(test, children)
    tests          ThresholdTest(feature, threshold), CategoryTest(feature, groups), ValueSetTest(feature, values)
    predictions    ClassPrediction, MeanPrediction
    walkers        preorder, leaves, paths, fold, descend; unfold makes a tree from a seed
    one row        find_leaf
    optimal trees  CostBounds: what is proved about the cost of a tree
    ensembles      predict_margin: the sums of an Ensemble
    JSON           tree_to_json, tree_from_json: the text of a model file

Walkers take a Tree or a Node. `treerules` has the Tree itself, and learns, prunes, saves and loads trees.

>>> from treerules import Feature, Kind, Schema, Table, Tree, predict
>>> from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest, paths
>>> low, high = Leaf(MeanPrediction(1.0), counts=(3,)), Leaf(MeanPrediction(2.0), counts=(4,))
>>> schema = Schema([Feature("x", Kind.NUMBER)], target=Feature("y", Kind.NUMBER))
>>> tree = Tree(schema, Split(ThresholdTest(feature=0, threshold=0.5), [low, high]))
>>> predict(tree, Table.from_columns({"x": [0.5, 0.6]})).tolist()
[1.0, 2.0]
>>> [leaf.prediction.value for leaf, path in paths(tree)]
[1.0, 2.0]

Each name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from treerules._internal.lazy_package import lazy_package

# isort: off
if TYPE_CHECKING:  # for editors and type checkers: the same names as in _NAMES
    from treerules.trees.cost_bounds import CostBounds as CostBounds
    from treerules.trees.json_codec import tree_from_json as tree_from_json, tree_to_json as tree_to_json
    from treerules.trees.node_parts import CategoryTest as CategoryTest, ClassPrediction as ClassPrediction
    from treerules.trees.node_parts import MeanPrediction as MeanPrediction, ThresholdTest as ThresholdTest
    from treerules.trees.nodes import Leaf as Leaf, Node as Node, Split as Split
    from treerules.trees.leaf_of_row import find_leaf as find_leaf
    from treerules.trees.margins import predict_margin as predict_margin
    from treerules.trees.value_set_test import ValueSetTest as ValueSetTest
    from treerules.trees.walkers import descend as descend, fold as fold, leaves as leaves, paths as paths
    from treerules.trees.walkers import preorder as preorder, unfold as unfold
# isort: on

#: The public names by the module that defines them, below treerules.
_NAMES = {
    "trees.cost_bounds": "CostBounds",
    "trees.json_codec": "tree_from_json tree_to_json",
    "trees.leaf_of_row": "find_leaf",
    "trees.margins": "predict_margin",
    "trees.node_parts": "CategoryTest ClassPrediction MeanPrediction ThresholdTest",
    "trees.nodes": "Leaf Node Split",
    "trees.value_set_test": "ValueSetTest",
    "trees.walkers": "descend fold leaves paths preorder unfold",
}

__all__, __getattr__, __dir__ = lazy_package(__name__, _NAMES)
