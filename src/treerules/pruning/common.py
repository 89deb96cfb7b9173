"""Shared functions of pruning methods: risks by name, and replacement of splits by leaves.

    risk                where                 of a node, from its leaf's figures
    misclassification   classification        summed cost of its label: the weight of the other classes, without costs
    gini, entropy       classification        n times the impurity (entropy in bits unless base="e")
    squared_error       regression            n times the squared standard deviation

n and the class counts are weighed by the recipe's class weights and priors (see `trees/class_weighting.py`).
"""

from collections.abc import Callable, Container, Sequence
from math import isfinite
from typing import Any, cast

from attrs import evolve

from treerules.criteria import CRITERIA, ENTROPY, GINI, SQUARED_ERROR, Base, Impurity
from treerules.criteria.scores import LOGARITHMS
from treerules.errors import DataError, OptionError, UnknownNameError
from treerules.pruning.pruner import ColumnOf, NumberRange, Option
from treerules.trees.class_weighting import ClassWeighting, class_weighting_of_tree
from treerules.trees.node_parts import MeanPrediction
from treerules.trees.nodes import Leaf, Node, Split, as_leaf
from treerules.trees.tree import Tree
from treerules.trees.walkers import fold, leaves, with_child_numbers

#: A leaf replaces its split where it costs more by at most this share of its own cost: sums are rounded.
TOLERANCE = 1e-12
RISKS = ("misclassification", GINI.name, ENTROPY.name, SQUARED_ERROR.name)

Risk = Callable[[Leaf], float]


# ---- trees with splits cut off


def replace_children(split: Split, children: Sequence[Node]) -> Split:
    """Return the split with other children; the same object if the children are unchanged."""
    is_unchanged = all(child is old_child for child, old_child in zip(children, split.children, strict=True))
    return split if is_unchanged else evolve(split, children=children)


def collapse_nodes(root: Node, numbers: Container[int]) -> Node:
    """Return the tree in which the splits with these numbers (in preorder, from 0) are leaves.

    Raises:
        DataError: such a split has no leaf to replace it.
    """
    nodes = with_child_numbers(root)
    built: list[Any] = [None] * len(nodes)
    for number in reversed(range(len(nodes))):
        node, below = nodes[number]
        if not isinstance(node, Split):
            built[number] = node
        elif number in numbers:
            built[number] = as_leaf(node)
        else:
            built[number] = replace_children(node, [built[child] for child in below])
    return cast(Node, built[0])


def min_cost_subtree(root: Node, loss: Risk, *, slack: float = 0.0) -> Node:
    """Return the smallest subtree whose leaves have the least summed loss.

    From the leaves up, each split becomes a leaf where the loss of the leaf is at most `slack` more than that of the
    children, or within TOLERANCE of it.

    Raises:
        DataError: a split has no leaf to replace it.
    """

    def choose(split: Split, below: tuple[tuple[float, Node], ...]) -> tuple[float, Node]:
        leaf = as_leaf(split)
        as_one, as_many = loss(leaf), sum(least for least, _ in below)
        if as_one <= as_many + slack + TOLERANCE * as_one:
            return as_one, leaf
        return as_many, replace_children(split, [child for _, child in below])

    return fold(root, leaf=lambda leaf: (loss(leaf), cast(Node, leaf)), split=choose)[1]


def with_root(tree: Tree, root: Node, *notes: str) -> Tree:
    """Return the tree with another root and additional notes; estimate and bounds were those of the old one."""
    return evolve(tree, root=root, notes=(*tree.notes, *notes), estimate=None, bounds=None)


# ---- risks


def own_cost(leaf: Leaf, weighing: ClassWeighting) -> float:
    """Return the summed cost of a leaf's own label for its training rows."""
    position = weighing.classes.index(leaf.prediction.value)
    return weighing.cost(weighing.weigh_counts(leaf.counts), position)


def risk_of(tree: Tree, risk: str | None = None, *, base: Base = "2") -> Risk:
    """Return the function that gives the risk of a leaf, summed over its rows.

    None is misclassification for a classification, squared_error for a regression.

    Raises:
        UnknownNameError: there is no such risk, or no such base of logarithms.
        OptionError: the risk does not fit the tree's task.
        DataError: squared errors exceed the range of floats, or are not known; the tree's root lacks its figures.
    """
    usual = SQUARED_ERROR.name if tree.schema.is_regression else "misclassification"
    risk = usual if risk is None else risk
    if not isinstance(risk, str) or risk not in RISKS:
        raise UnknownNameError("risk", str(risk), RISKS)
    if not isinstance(base, str) or base not in LOGARITHMS:
        raise UnknownNameError("base of logarithms", str(base), LOGARITHMS)
    if (risk == SQUARED_ERROR.name) is not tree.schema.is_regression:
        of_regression = f"{SQUARED_ERROR.name}: the tree is a regression"
        fitting = of_regression if tree.schema.is_regression else ", ".join(RISKS[:3])
        raise OptionError("risk", risk, fitting)
    if risk == SQUARED_ERROR.name:
        require_spreads(tree)
        return checked_risk(as_leaf(tree.root))
    weigh = class_weighting_of_tree(tree)
    if risk == "misclassification":
        return lambda leaf: own_cost(leaf, weigh)
    impurity = cast(Impurity, CRITERIA[risk].impurity)

    def impure(leaf: Leaf) -> float:
        weights = weigh.weigh_counts(leaf.counts)
        return sum(weights) * impurity.of(weights, base) if any(weights) else 0.0

    return impure


def _squared_error(leaf: Leaf) -> float:
    spread = cast(MeanPrediction, leaf.prediction).sd
    return leaf.n * spread * spread


def require_spreads(tree: Tree) -> None:
    """Raise DataError for a regression whose standard deviations are not known: the root has 0, and other means below.

    So is a tree of scikit-learn of the criterion absolute_error or poisson, which keeps no variances.
    """
    root = as_leaf(tree.root)
    mean, spread = root.prediction.value, cast(MeanPrediction, root.prediction).sd
    if root.n > 0 and spread == 0 and any(leaf.prediction.value != mean for leaf in leaves(tree.root) if leaf.n > 0):
        raise DataError(
            "the standard deviations of the tree are not known, and its squared errors follow from them",
            "learn it by squared error, or prune it with the method reduced_error and a table",
        )


def checked_risk(root: Leaf) -> Risk:
    """Return the squared error as the risk of a regression with this root.

    Raises:
        DataError: the squared errors exceed the range of floats.
    """
    spread = cast(MeanPrediction, root.prediction).sd
    if not isfinite(_squared_error(root)) or (spread > 0 and spread * spread == 0):
        raise DataError(
            f"the squares of errors of about {spread!r} leave the range of floats",
            "learn the tree from a target in other units",
        )
    return _squared_error


# ---- options

#: Options that several methods share.
ALPHA = Option(
    name="alpha", values=NumberRange(), help="set the price of a leaf", required=True, flag="--alpha", example="0.01"
)
WEIGHT = Option(
    name="weight",
    values=ColumnOf("table"),
    help="take case weights from this column of --data",
    default="the model's",
    flag="--weight",
)


def check_amount(option: str, value: Any, *, finite: bool = False) -> None:
    """Raise OptionError unless a value is a number of at least 0."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
    if not number or (finite and not isfinite(value)):
        raise OptionError(option, value, "a number from 0")


def check_classification(tree: Tree, method: str) -> None:
    """Raise OptionError for a regression, which methods that count errors cannot prune."""
    if tree.schema.is_regression:
        raise OptionError(f"the tree for {method} pruning", tree, "a classification; a regression has no errors")
