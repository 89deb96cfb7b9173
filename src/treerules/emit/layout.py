"""Two layouts of the same decisions, as a flat list of lines that any language prints.

flat       one line a rule, for people and auditors:        when a and b: 1 / when a and not b: 2 / ...
guarded    the child with most leaves falls through, the others are indented: nesting is at most
           floor(log2(leaves)), whatever the depth
"""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from attrs import field, frozen

from treerules.emit.hashed_text import hash_of_text, rule_texts, schema_text
from treerules.errors import NotAPartitionError, OptionError
from treerules.proof.check import check
from treerules.rules.compile import asker, compile_rules
from treerules.rules.rule import Condition
from treerules.rules.rule_set import RuleSet
from treerules.rules.shared_conditions import Asked, asked_of
from treerules.trees.node_parts import Prediction
from treerules.trees.nodes import fold
from treerules.trees.tree import Leaf, Split, Tree, descend, leaves

Layout = Literal["auto", "flat", "guarded"]
LAYOUTS = ("auto", "flat", "guarded")
#: `auto` is flat up to so many rules.
MOST_FLAT = 64

#: Conditions with their columns' names, as rules hold them.
Conditions = tuple[tuple[str, Condition], ...]


@frozen
class Line:
    """A step of a layout. `depth` counts the blocks around it.

    open, close    a block with questions begins and ends
    when           if all conditions hold: the rule `number`, or the block that follows when it is None
    else           otherwise: the rule `number`; alone where nothing is asked
    """

    depth: int
    step: Literal["open", "when", "else", "close"]
    conditions: Conditions = ()
    number: int | None = None


@frozen
class _Checked(RuleSet):
    """An edited rule set that was checked, so that it need not be again; any edit forgets it."""

    is_checked: bool = field(default=False, init=False, eq=False)

    @classmethod
    def of(cls, rules: RuleSet) -> "_Checked":
        """Return the rules, checked.

        Raises:
            NotAPartitionError: they are not exclusive and complete; the error holds a witness.
        """
        _require_partition(rules)
        found = cls(rules.schema, rules.rules)
        object.__setattr__(found, "is_checked", True)
        return found


def rules_of(source: Tree | RuleSet) -> RuleSet:
    """Return what is to be emitted as rules. A rule set that was edited is checked; what is returned is not, again.

    Raises:
        OptionError: it is neither a tree nor a rule set.
        NotAPartitionError: an edited rule set is not exclusive and complete; the error holds a witness.
    """
    if not isinstance(source, (Tree, RuleSet)):
        raise OptionError("what is to be emitted", type(source).__name__, "a Tree or a RuleSet")
    rules = compile_rules(source) if isinstance(source, Tree) else source
    is_sound = rules.tree is not None or (isinstance(rules, _Checked) and rules.is_checked)
    return rules if is_sound else _Checked.of(rules)


def picked(rules: RuleSet, layout: Layout) -> Literal["flat", "guarded"]:
    """Return the layout that is meant: `auto` is flat for few rules, and where there is no tree.

    Raises:
        OptionError: the guarded layout is asked of a rule set that remembers no tree.
    """
    if layout == "guarded" and rules.tree is None:
        raise OptionError(
            "layout",
            layout,
            "flat, or emit tree_from_rules(rules): this rule set was edited, so it has no tree to guard",
        )
    is_guarded = layout == "guarded" or (layout == "auto" and rules.tree is not None and len(rules) > MOST_FLAT)
    return "guarded" if is_guarded else "flat"


def lines_of(rules: RuleSet, layout: Literal["flat", "guarded"]) -> list[Line]:
    """Return the lines of a layout."""
    return guarded(rules.tree) if layout == "guarded" and rules.tree is not None else flat(rules)


def _require_partition(rules: RuleSet) -> None:
    verdict = check(rules)
    for overlap in verdict.overlaps:
        raise NotAPartitionError(f"rules {overlap.first} and {overlap.second} overlap", overlap.row)
    for gap in verdict.gaps:
        raise NotAPartitionError("the rules leave a gap", gap.row)


def flat(rules: RuleSet) -> list[Line]:
    """Return a line a rule."""
    if len(rules) == 1 and not rules.rules[0].conditions:
        return [Line(0, "else", (), rules.rules[0].number)]
    return [Line(0, "open"), *(Line(0, "when", rule.conditions, rule.number) for rule in rules.rules), Line(0, "close")]


def guarded(tree: Tree) -> list[Line]:
    """Return the lines of a tree in which nesting grows with the logarithm of its leaves only."""
    return list(_guarded(tree))


class _Place(NamedTuple):
    """Where a node stands: the block that asks its questions, its first leaf, and the question that leads to it.

    Without a question it is where the block above falls through.
    """

    depth: int
    number: int
    asked: Conditions = ()


def _guarded(tree: Tree) -> Iterator[Line]:
    sizes, heavy = _sizes(tree)
    ask = asker(tree.schema)

    def order(split: Split) -> list[int]:
        last = heavy[id(split)]
        return [*range(last), *range(last + 1, len(split.children)), last]

    def places(split: Split, at: _Place) -> list[_Place]:
        depth, number, last = at.depth + bool(at.asked), at.number, heavy[id(split)]
        name, found = tree.schema.features[split.test.feature].name, list[_Place]()
        for side, (child, condition) in enumerate(zip(split.children, ask(split), strict=True)):
            found.append(_Place(depth, number, () if side == last else ((name, condition),)))
            number += sizes[id(child)]
        return found

    for node, at in descend(tree.root, _Place(0, 1), places, order=order):
        is_leaf = not isinstance(node, Split)
        if at.asked:
            yield Line(at.depth, "when", at.asked, at.number if is_leaf else None)
        if not is_leaf and (at.asked or node is tree.root):
            yield Line(at.depth + bool(at.asked), "open")
        if is_leaf and not at.asked:
            yield Line(at.depth, "else", (), at.number)
            yield from () if node is tree.root else (Line(at.depth, "close"),)


def _sizes(tree: Tree) -> tuple[dict[int, int], dict[int, int]]:
    """Return the number of leaves below each node, and the child of each split that has most (the first on ties).

    Both are by the identity of the node.
    """
    sizes: dict[int, int] = {}
    heavy: dict[int, int] = {}

    def leaf(node: Leaf) -> int:
        sizes[id(node)] = 1
        return 1

    def split(node: Split, below: tuple[int, ...]) -> int:
        sizes[id(node)] = sum(below)
        heavy[id(node)] = below.index(max(below))
        return sizes[id(node)]

    fold(tree.root, leaf, split)
    return sizes, heavy


def prediction_by_rule(rules: RuleSet) -> dict[int, Prediction]:
    """Return what each number predicts: of the tree's leaves, so that those that give no rule are there too."""
    if rules.tree is None:
        return {rule.number: rule.prediction for rule in rules.rules}
    return {number: leaf.prediction for number, leaf in enumerate(leaves(rules.tree.root), 1)}


def digest_of(rules: RuleSet, asked: Mapping[int, Asked] | None = None) -> str:
    """Return a hash of what the rules say, for the head of an emitted file: of their texts in `hashed_text`.

    `asked` is `asked_of` the rules.
    """
    if asked is None:
        asked = asked_of(rules.schema, (rule.conditions for rule in rules.rules))
    return hash_of_text("\n".join([schema_text(rules.schema), *rule_texts(rules.rules, asked)]))
