"""A pruning method of your own: critical value pruning (Mingers 1987).

A split whose score does not reach a value, and below which no split does, becomes a leaf.

    score of a split    (R(t) - summed R of its children) / N(t): the decrease of the risk, for each row of its node
    R(t), N(t)          risk of node t as a leaf (n times its impurity), and its n, as recipes weigh the rows

    python examples/extending/critical_value.py
"""

from treerules import Tree, cart, learn, prune, read
from treerules.criteria import GINI
from treerules.pruning.common import RISKS, TOLERANCE, Risk, check_amount, replace_children, risk_of, with_root
from treerules.pruning.pruner import NumberRange, OneOf, Option, Pruner
from treerules.pruning.pruners import PRUNERS
from treerules.trees import Node, Split, fold
from treerules.trees.class_weighting import class_weighting_of_tree
from treerules.trees.nodes import as_leaf


def critical_value(tree: Tree, *, value: float, risk: str | None = None) -> Tree:
    """Return the tree in which a split is a leaf where neither its own score nor that of a split below it reaches a
    value (Mingers 1987, "Expert systems for rule induction with statistical data").

    The score is the decrease of Gini, or of another impurity by `risk`: "entropy" (in bits), or "misclassification";
    of a regression, the decrease of variance. A weak split above a strong one stays, as the strong one needs it. The
    larger the value, the more is pruned; at 0 all splits stay. Rows with missing values count where they went.

    >>> from treerules import Table, cart, learn
    >>> table = Table.from_columns({"x": [1, 2, 3, 4, 5, 7], "y": ["a", "a", "b", "a", "b", "b"]})
    >>> tree = learn(table, target="y", recipe=cart())
    >>> critical_value(tree, value=0.5), critical_value(tree, value=0.51)
    (<Tree 'y' leaves=4 depth=3>, <Tree 'y' leaves=1 depth=0>)

    Raises:
        OptionError: the value is not a number from 0; the risk does not fit the tree's task.
        UnknownNameError: there is no such risk.
        DataError: a split has no leaf to replace it.
    """
    check_amount("value", value, finite=True)
    usual = None if tree.schema.is_regression else GINI.name
    cost, size = risk_of(tree, usual if risk is None else risk), size_of(tree)

    def choose(split: Split, below: tuple[tuple[bool, Node], ...]) -> tuple[bool, Node]:
        leaf = as_leaf(split)
        decrease = cost(leaf) - sum(cost(as_leaf(child)) for child in split.children)
        is_strong = decrease + TOLERANCE * cost(leaf) >= value * size(leaf)
        if is_strong or any(has_strong for has_strong, _ in below):
            return True, replace_children(split, [child for _, child in below])
        return False, leaf

    return with_root(tree, fold(tree.root, leaf=lambda leaf: (False, leaf), split=choose)[1])


def size_of(tree: Tree) -> Risk:
    """Return the function that gives the rows of a leaf, as class weights and priors weigh them."""
    if tree.schema.is_regression:
        return lambda leaf: leaf.n
    weigh = class_weighting_of_tree(tree)
    return lambda leaf: sum(weigh.weigh_counts(leaf.counts))


CRITICAL_VALUE = Pruner(
    "critical_value",
    options=(
        Option(
            name="value",
            values=NumberRange(),
            help="set the score that a split needs",
            required=True,
            flag="--critical-value",
            example="0.1",
        ),
        Option(name="risk", values=OneOf(RISKS), help="choose the impurity whose decrease is the score", flag="--risk"),
    ),
    prune=critical_value,
)

if __name__ == "__main__":
    PRUNERS[CRITICAL_VALUE.name] = CRITICAL_VALUE
    tree = learn(read("examples/loan.csv"), target="类别", recipe=cart())
    print([prune(tree, "critical_value", value=value) for value in (0.0, 0.2, 0.5)])
