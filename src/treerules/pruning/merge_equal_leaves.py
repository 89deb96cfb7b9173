"""Merging of sibling leaves with equal predictions."""

from attrs import evolve

from treerules.errors import counted
from treerules.pruning.common import replace_children, with_root
from treerules.pruning.pruner import Pruner
from treerules.trees.nodes import Leaf, Node, Split, as_leaf
from treerules.trees.tree import Tree
from treerules.trees.walkers import fold, preorder


def merge_equal_leaves(tree: Tree) -> Tree:
    """Return the tree in which splits whose children are leaves with equal predictions are leaves, from the leaves up.

    The predictions do not change: the new leaf has its children's label (or mean), even if the split's own figures
    suggest another. Class shares and standard deviations are those of the split; a note says so.

    Raises:
        DataError: such a split has no leaf to replace it.
    """

    def merge(split: Split, children: tuple[Node, ...]) -> Node:
        values = [child.prediction.value for child in children if isinstance(child, Leaf)]
        if len(values) < len(children) or any(value != values[0] for value in values):
            return replace_children(split, children)
        figures = as_leaf(split)
        return evolve(figures, prediction=evolve(figures.prediction, value=values[0]))

    root = fold(tree.root, leaf=lambda leaf: leaf, split=merge)
    n_merged = sum(isinstance(node, Split) for node in preorder(tree.root)) - sum(
        isinstance(node, Split) for node in preorder(root)
    )
    same, changed = ("means", "standard deviations") if tree.schema.is_regression else ("labels", "class shares")
    note = f"{counted(n_merged, 'split')} with one prediction below made leaves: {same} stay, {changed} are the split's"
    return with_root(tree, root, *([note] if n_merged else []))


MERGE_EQUAL_LEAVES = Pruner("merge_equal_leaves", options=(), prune=merge_equal_leaves)
