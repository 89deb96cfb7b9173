"""Critical value pruning (Mingers 1987): splits whose score does not reach a value, nor any below them, are leaves.

score of a split    (R(t) - summed R of its children) / N(t): what it takes away, for each row of its node
R(t), N(t)          risk of node t as a leaf (n times its impurity), and its n, as recipes weigh the rows
"""

from treerules.criteria import GINI
from treerules.pruning.common import (
    RISKS,
    TOLERANCE,
    Risk,
    as_leaf,
    check_amount,
    collapsed_or_error,
    rebuilt,
    risk_of,
    with_root,
)
from treerules.pruning.pruner import NumberRange, OneOf, Option, Pruner
from treerules.trees.class_weighting import weighing
from treerules.trees.nodes import fold
from treerules.trees.tree import Node, Split, Tree


def critical_value(tree: Tree, *, value: float, risk: str | None = None) -> Tree:
    """Return the tree in which a split is a leaf where neither its own score nor that of a split below it reaches a
    value (Mingers 1987, "Expert systems for rule induction with statistical data").

    The score is the decrease of Gini, or of another impurity by `risk`: "entropy" (in bits), or "misclassification";
    of a regression, the decrease of variance. A weak split above a strong one stays, as the strong one needs it. The
    larger the value, the more is cut off; at 0 all stays. Rows with missing values count where they went.

    >>> from treerules import Table, cart, learn
    >>> table = Table.from_columns({"x": [1, 2, 3, 4, 5, 7], "y": ["a", "a", "b", "a", "b", "b"]})
    >>> tree = learn(table, target="y", recipe=cart())
    >>> critical_value(tree, value=0.5), critical_value(tree, value=0.51)
    (<Tree 'y' leaves=4 depth=3>, <Tree 'y' leaves=1 depth=0>)

    Raises:
        OptionError: the value is no number from 0; the risk does not fit the tree's task.
        UnknownNameError: there is no such risk.
        DataError: a split was built without the leaf that it would be.
    """
    check_amount("value", value, finite=True)
    usual = None if tree.schema.is_regression else GINI.name
    of, size = risk_of(tree, usual if risk is None else risk), _size_of(tree)

    def kept(split: Split, below: tuple[tuple[bool, Node], ...]) -> tuple[bool, Node]:
        leaf = collapsed_or_error(split)
        reaches = _taken_away(split, of) + TOLERANCE * of(leaf) >= value * size(leaf)
        if reaches or any(is_kept for is_kept, _ in below):
            return True, rebuilt(split, [child for _, child in below])
        return False, leaf

    return with_root(tree, fold(tree.root, leaf=lambda leaf: (False, leaf), split=kept)[1])


def _taken_away(split: Split, of: Risk) -> float:
    """Return the risk of a split as a leaf less that of its children."""
    return of(collapsed_or_error(split)) - sum(of(as_leaf(child)) for child in split.children)


def _size_of(tree: Tree) -> Risk:
    """Return the function that gives the rows of a leaf, as class weights and priors weigh them."""
    if tree.schema.is_regression:
        return lambda leaf: leaf.n
    weigh = weighing(tree)
    return lambda leaf: sum(weigh.weighed(leaf.counts))


CRITICAL_VALUE = Pruner(
    "critical_value",
    options=(
        Option(
            name="value",
            values=NumberRange(),
            help="the score that a split needs",
            required=True,
            flag="--critical-value",
        ),
        Option(name="risk", values=OneOf(RISKS), help="what scores are a decrease of", flag="--risk"),
    ),
    prune=critical_value,
)
