"""The arrays of trees that were learned from a problem: risks, leaves of rows, costs of labels."""

from typing import Any

import numpy as np

from treerules.growing.problem import Problem
from treerules.pruning.common import Risk, checked_risk, own_cost
from treerules.pruning.cost_complexity import weakest_links
from treerules.pruning.rpart import rpart_alphas
from treerules.trees.class_weighting import ClassWeighting
from treerules.trees.nodes import Leaf, as_leaf
from treerules.trees.routing import route
from treerules.trees.tree import Tree
from treerules.trees.tree_arrays import TreeArrays, arrays_of_tree


def risk_of_problem(problem: Problem, root: Leaf) -> Risk:
    """Return the function that gives the risk of a leaf, summed over its rows.

    The risk is the cost of its label, with the class weights of the whole problem, or the squared error.

    Raises:
        DataError: squared errors of the size of the root's exceed the range of floats.
    """
    weighing = problem.weighing
    return checked_risk(root) if weighing is None else lambda leaf: own_cost(leaf, weighing)


def arrays_of_problem(tree: Tree, problem: Problem) -> TreeArrays:
    """Return the arrays of a tree that was learned from a problem.

    Raises:
        DataError: as `risk_of_problem` does.
    """
    return arrays_of_tree(tree, risk_of_problem(problem, as_leaf(tree.root)))


def leaf_of_rows(arrays: TreeArrays, problem: Problem) -> Any:
    """Return the number of the leaf that each row of a problem reaches."""
    columns = [problem.columns[feature] for feature in arrays.routing.features]
    return arrays.leaves[route(arrays.routing, columns, len(problem.target)) - 1]


def weight_of(problem: Problem, rows: Any = slice(None)) -> float:
    """Return the weight of some rows of a problem, by default of all."""
    if problem.weights is None:
        return float(len(problem.target[rows]))
    return float(problem.weights[rows].sum())


def alphas_of(arrays: TreeArrays, least: float | None) -> list[float]:
    """Return the alpha of each node: that of the weakest link, or with `least` rpart's approximation."""
    if least is None:
        return weakest_links(arrays.risks, arrays.children)
    return rpart_alphas(arrays.risks, arrays.children, least=least)


def cost_matrix(weighing: ClassWeighting) -> Any:
    """Return the cost of each label (second axis) for a row of each class (first axis), with the class's factor."""
    return np.array([weighing.cost_column(label) for label in range(len(weighing.classes))], dtype=np.float64).T


def exponent_of(problem: Problem) -> int:
    """Return the power of two that a regression's errors are divided by; 0 for a classification.

    Then neither their squares nor the squares of these overflow.
    """
    return 0 if problem.weighing is not None else int(np.frexp(np.abs(problem.target).max())[1])
