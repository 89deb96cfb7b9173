"""Two layouts of the same decisions, each a flat list of lines that any language prints.

flat       one line for each rule, for people and auditors:  when a and b: 1 / when a and not b: 2 / ...
guarded    nested blocks, for machines: the child with most leaves follows the block, the other children inside
           it. Blocks are nested at most floor(log2(leaves)) deep, whatever the depth of the tree.
"""

from collections.abc import Iterator
from typing import Any, Literal

from attrs import frozen

from treerules.emit.checked_rules import CheckedRules
from treerules.errors import OptionError, UnknownNameError
from treerules.rules.compile import branch_conditions_of
from treerules.rules.rule import Condition
from treerules.rules.rule_set import RuleSet
from treerules.trees.nodes import Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import with_child_numbers

Layout = Literal["auto", "flat", "guarded"]
LAYOUTS = ("auto", "flat", "guarded")
#: layout="auto" is flat for at most this number of rules.
MOST_FLAT = 64

#: Conditions with the names of their features, as rules hold them.
Conditions = tuple[tuple[str, Condition], ...]


@frozen
class CodeLine:
    """One line of a layout. `depth` is the number of blocks around it.

    open, close    a block of lines begins, ends
    when           if all conditions hold: the rule `number`, or the block that follows if `number` is None
    else           otherwise the rule `number`; the only line if the model has one rule without conditions
    """

    depth: int
    step: Literal["open", "when", "else", "close"]
    conditions: Conditions = ()
    number: int | None = None


def require_layout(layout: Any, layouts: tuple[str, ...] = LAYOUTS) -> None:
    """Raise UnknownNameError unless `layout` is one of the names of layouts."""
    if not isinstance(layout, str) or layout not in layouts:
        raise UnknownNameError("layout", layout, layouts)


def choose_layout(checked: CheckedRules, layout: str) -> Literal["flat", "guarded"]:
    """Return the layout to use: "auto" is flat for up to `MOST_FLAT` rules, and without a tree.

    Raises:
        OptionError: `layout` is "guarded" and the rules have no tree.
    """
    if layout == "guarded" and checked.tree is None:
        raise OptionError(
            "layout", layout, "'flat', or emit tree_from_rules(rules): a rule set that was edited has no tree to walk"
        )
    is_large = checked.tree is not None and len(checked.rules) > MOST_FLAT
    return "guarded" if layout == "guarded" or (layout == "auto" and is_large) else "flat"


def lines_of(checked: CheckedRules, layout: Literal["flat", "guarded"]) -> list[CodeLine]:
    """Return the lines of a layout."""
    return flat(checked.rules) if layout == "flat" or checked.tree is None else guarded(checked.tree)


def flat(rules: RuleSet) -> list[CodeLine]:
    """Return the flat layout: one line for each rule."""
    if len(rules) == 1 and not rules.rules[0].conditions:
        return [CodeLine(0, "else", (), rules.rules[0].number)]
    tests = [CodeLine(0, "when", rule.conditions, rule.number) for rule in rules.rules]
    return [CodeLine(0, "open"), *tests, CodeLine(0, "close")]


def guarded(tree: Tree) -> list[CodeLine]:
    """Return the guarded layout: nested blocks, whose depth grows with the logarithm of the number of leaves."""
    return list(_guarded_lines(tree))


def _guarded_lines(tree: Tree) -> Iterator[CodeLine]:
    """Yield the lines depth first; the child with most leaves comes last and belongs to the block of its parent.

    `pending` holds the nodes to be printed: number in preorder, depth of the block, rule number of the first leaf, and
    the conditions that lead to the node. The node that follows a block has no conditions.
    """
    nodes = with_child_numbers(tree.root)
    n_leaves = _leaves_below(nodes)
    branch_conditions = branch_conditions_of(tree.schema)
    pending: list[tuple[int, int, int, Conditions]] = [(0, 0, 1, ())]
    while pending:
        index, depth, number, conditions = pending.pop()
        node, children = nodes[index]
        inner_depth = depth + bool(conditions)
        if not isinstance(node, Split):
            yield CodeLine(depth, "when" if conditions else "else", conditions, number)
            if not conditions and index:
                yield CodeLine(depth, "close")
            continue
        if conditions:
            yield CodeLine(depth, "when", conditions)
        if conditions or not index:
            yield CodeLine(inner_depth, "open")
        name = tree.schema.features[node.test.feature].name
        largest = max(children, key=n_leaves.__getitem__)  # the first on ties
        inside = list[tuple[int, int, int, Conditions]]()
        for child, condition in zip(children, branch_conditions(node), strict=True):
            if child == largest:
                pending.append((child, inner_depth, number, ()))
            else:
                inside.append((child, inner_depth, number, ((name, condition),)))
            number += n_leaves[child]
        pending += reversed(inside)


def _leaves_below(nodes: list[tuple[Any, tuple[int, ...]]]) -> list[int]:
    """Return the number of leaves of each subtree; nodes are in preorder."""
    counts = [1] * len(nodes)
    for index in reversed(range(len(nodes))):
        children = nodes[index][1]
        if children:
            counts[index] = sum([counts[child] for child in children])
    return counts
