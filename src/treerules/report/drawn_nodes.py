"""The nodes of a tree as drawings show them: a flat list in preorder, with finished texts."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from treerules.data.schema import Schema
from treerules.rules.compile import branch_condition_of
from treerules.rules.phrasing import EXACT, Phrasing, RuleWords
from treerules.rules.wording import condition_text, consequent_text, figure_text, word
from treerules.trees.node_parts import MeanPrediction
from treerules.trees.nodes import Leaf, Node, Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import descend, fold, preorder


@frozen
class DrawnNode:
    """A node as it is drawn."""

    number: int
    #: the number of the parent; None for the root
    parent: int | None
    depth: int
    #: whether it is the last child of its parent
    is_last: bool
    #: the condition that leads here, in words; empty at the root
    edge: str
    #: the target's name at the root, the prediction of a leaf; empty elsewhere
    label: str
    #: the class counts, or the number of rows and, of a leaf, the standard deviation around its mean
    counts: str
    #: the number of the rule of a leaf; 0 elsewhere
    rule: int
    #: the number of nodes below that are not drawn
    hidden: int
    #: the number of the rule that a leaf comes from, in a tree that was built from rules
    source: int | None
    #: the node itself, and its (weighted) class counts; of a regression its number of rows
    node: Node
    figures: tuple[float, ...]


def drawn_nodes(tree: Tree, depth: int | None = None, phrasing: Phrasing = EXACT) -> Iterator[DrawnNode]:
    """Yield the nodes of a tree in preorder, down to a depth; the nodes below it are counted."""
    schema, condition_of = tree.schema, branch_condition_of(tree.schema)
    number, n_rules = -1, 0
    counts = node_counts(tree)
    ancestors: list[int] = []  # the numbers of the nodes on the path

    def children(split: Split, position: tuple[int, bool, str]) -> list[tuple[int, bool, str]]:
        level = position[0] + 1
        if depth is not None and level > depth:
            return [(level, False, "")] * len(split.children)
        feature, n = schema.features[split.test.feature], len(split.children)
        texts = [condition_text(feature, condition_of(split, child), phrasing) for child in range(n)]
        return [(level, child == n - 1, text) for child, text in enumerate(texts)]

    for node, (level, is_last, edge) in descend(tree.root, (0, True, ""), children):
        number += 1
        n_rules += isinstance(node, Leaf)
        del ancestors[level:]
        parent = ancestors[-1] if ancestors else None
        ancestors.append(number)
        if depth is not None and level > depth:
            continue
        is_cut = isinstance(node, Split) and level == depth
        label = _label(schema, node, phrasing, is_root=parent is None)
        n_hidden = sum(1 for _ in preorder(node)) - 1 if is_cut else 0
        figures = _counts_text(schema, counts[number], phrasing.words) + _spread(node, phrasing)
        rule = n_rules if isinstance(node, Leaf) else 0
        source = node.rule if isinstance(node, Leaf) else None
        texts = (edge, label, figures)
        yield DrawnNode(number, parent, level, is_last, *texts, rule, n_hidden, source, node, counts[number])


def _label(schema: Schema, node: Node, phrasing: Phrasing, *, is_root: bool) -> str:
    if isinstance(node, Leaf):
        return consequent_text(schema, node.prediction.value, phrasing)
    return word(schema.target.name) if is_root and schema.target else ""


def node_counts(tree: Tree) -> list[tuple[float, ...]]:
    """Return the training figures of each node in preorder: class counts, or the number of rows."""
    counts: list[Any] = []  # in the order of fold, which is the reverse of preorder

    def of_leaf(leaf: Leaf) -> Any:
        counts.append(leaf.counts)
        return leaf.counts

    def of_split(split: Split, below: tuple[Any, ...]) -> Any:
        counts.append(split.as_leaf.counts if split.as_leaf else tuple(map(sum, zip(*below, strict=True))))
        return counts[-1]

    fold(tree.root, of_leaf, of_split)
    return counts[::-1]


def _counts_text(schema: Schema, counts: tuple[float, ...], words: RuleWords) -> str:
    """Return class counts where they are not 0, or a number of rows, or the weight of rows, in words."""
    if schema.is_regression:
        return words.size(schema.counted, figure_text(counts[0]))
    present = [(label, n) for label, n in zip(schema.classes, counts, strict=True) if n]
    text = ", ".join(f"{consequent_text(schema, label)} {figure_text(n)}" for label, n in present) or "0"
    return text if schema.counted == "rows" else words.size(schema.counted, text)


def _spread(node: Node, phrasing: Phrasing) -> str:
    """Return the standard deviation of the training rows of a leaf of a regression; "" elsewhere."""
    if isinstance(node, Leaf) and isinstance(node.prediction, MeanPrediction) and node.n:
        sd = figure_text(node.prediction.sd, phrasing.figure_digits)
        return f", {phrasing.words.deviation.format(sd=sd)}"
    return ""
