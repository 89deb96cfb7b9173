"""Two layouts of the same decisions, each a flat list of lines that any language prints.

flat       one line for each rule, for people and auditors:  when a and b: 1 / when a and not b: 2 / ...
guarded    nested blocks, for machines: the child with most leaves follows the block, the other children inside
           it. Blocks are nested at most floor(log2(leaves)) deep, whatever the depth of the tree.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from treerules._internal.notes import with_arguments
from treerules.emit.checked_rules import CheckedRules
from treerules.errors import OptionError, UnknownNameError
from treerules.rules.compile import branch_condition_of
from treerules.rules.rule import Condition, named_categories
from treerules.rules.rule_set import RuleSet
from treerules.trees.nodes import Node, Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves_below

Layout = Literal["auto", "flat", "guarded"]
LAYOUTS = ("auto", "flat", "guarded")
#: The styles of modules: short and for people to read, with all that programs may ask, or with trees as arrays.
Style = Literal["plain", "full", "lookup"]
STYLES = ("plain", "full", "lookup")
#: layout="auto" is flat for at most this number of rules.
MOST_FLAT = 64
#: ... whose conditions and the categories that they name are at most this number: the flat text names each category
#: once for each rule. 60 rules over 225 names are 82 kB and 2.1 s of DuckDB, in the guarded layout 14 kB and 0.06 s.
MOST_FLAT_TERMS = 1000

#: Conditions with the names of their features, as rules hold them.
Conditions = tuple[tuple[str, Condition], ...]


class CodeLine(NamedTuple):
    """One line of a layout. `depth` is the number of blocks around it.

    open, close    a block of lines begins, ends
    when           if all conditions hold: the rule `number`, or the block that follows if `number` is None
    else           otherwise the rule `number`; the only line if the model has one rule without conditions

    A number below 0 is no rule: the row is refused, since the column at position -1 - number has a value outside the
    declared domain.
    """

    depth: int
    step: Literal["open", "when", "else", "close"]
    conditions: Conditions = ()
    number: int | None = None


def require_ensemble_layout(layout: str) -> None:
    """Raise OptionError for a layout of one rule set: each tree of an ensemble is nested."""
    if layout not in ("auto", "guarded"):
        raise OptionError("layout", layout, "'auto' or 'guarded' for an Ensemble: nested tests for each tree")


def require_array_style(style: str, layout: str, *, vectorized: bool = False) -> None:
    """Raise OptionError where the style "lookup" is asked for together with a layout, or with a vectorized module."""
    if style == "lookup" and vectorized:
        wanted = "'plain' with {vectorized:True}, whose trees are arrays anyway"
        raise OptionError("style", style, with_arguments(wanted, "vectorized"))
    if style == "lookup" and layout != "auto":
        raise OptionError("layout", layout, "'auto' with style='lookup', which has one layout: trees as arrays")


def require_layout(layout: Any, layouts: tuple[str, ...] = LAYOUTS) -> None:
    """Raise UnknownNameError unless `layout` is one of the names of layouts."""
    if not isinstance(layout, str) or layout not in layouts:
        raise UnknownNameError("layout", layout, layouts)


def choose_layout(checked: CheckedRules, layout: str) -> Literal["flat", "guarded"]:
    """Return the layout to use: "auto" is flat for up to `MOST_FLAT` rules of few words, and without a tree.

    Raises:
        OptionError: `layout` is "guarded" and the rules have no tree.
    """
    if layout == "guarded" and checked.tree is None:
        raise OptionError(
            "layout", layout, "'flat', or emit tree_from_rules(rules): a rule set that was edited has no tree to walk"
        )
    if layout != "auto" or checked.tree is None:
        return "guarded" if layout == "guarded" else "flat"
    is_large = len(checked.rules) > MOST_FLAT or n_terms_of(checked.rules) > MOST_FLAT_TERMS
    return "guarded" if is_large else "flat"


def n_terms_of(rules: RuleSet) -> int:
    """Return the number of conditions of all rules, and of the categories that they name."""
    features = {feature.name: feature for feature in rules.schema.features}
    return sum(
        1 + (0 if features[name].is_ordered else len(named_categories(features[name], condition)[0]))
        for rule in rules.rules
        for name, condition in rule.conditions
    )


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

    `pending` holds the nodes to be printed: node, depth of the block, rule number of the first leaf, and the conditions
    that lead to the node. The node that follows a block has no conditions.
    """
    n_leaves = leaves_below(tree.root)
    branch_condition = branch_condition_of(tree.schema)
    names = [feature.name for feature in tree.schema.features]
    pending: list[tuple[Node, int, int, Conditions]] = [(tree.root, 0, 1, ())]
    while pending:
        node, depth, number, conditions = pending.pop()
        if not isinstance(node, Split):
            yield CodeLine(depth, "when" if conditions else "else", conditions, number)
            if not conditions and node is not tree.root:
                yield CodeLine(depth, "close")
            continue
        if conditions:
            yield CodeLine(depth, "when", conditions)
            depth += 1
        if conditions or node is tree.root:
            yield CodeLine(depth, "open")
        name, children = names[node.test.feature], node.children
        sizes = [n_leaves.get(id(child), 1) for child in children]
        largest = sizes.index(max(sizes))  # the first on ties
        inside = list[tuple[Node, int, int, Conditions]]()
        for at, size in enumerate(sizes):
            if at == largest:
                pending.append((children[at], depth, number, ()))
            else:
                inside.append((children[at], depth, number, ((name, branch_condition(node, at)),)))
            number += size
        pending += inside[::-1]
