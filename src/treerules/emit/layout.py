"""Two layouts of the same decisions, as a flat list of lines that any language prints.

flat       one line a rule, for people and auditors:        when a and b: 1 / when a and not b: 2 / ...
guarded    the child with most leaves falls through, the others are indented: nesting is at most
           floor(log2(leaves)), whatever the depth
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Literal

from attrs import frozen

from treerules.check import check
from treerules.compiling import child_condition, compile_rules
from treerules.errors import NotAPartitionError, OptionError, UnknownNameError
from treerules.parts import Prediction
from treerules.rules import Condition, RuleSet
from treerules.tree import Leaf, Split, Tree, descend, fold, leaves

Layout = Literal["auto", "flat", "guarded"]
LAYOUTS = ("auto", "flat", "guarded")
#: `auto` is flat up to so many rules.
MOST_FLAT = 64

Asked = tuple[tuple[int, Condition], ...]


@frozen
class Line:
    """A step of a layout. `depth` counts the blocks around it.

    open, close    a block with questions begins and ends
    when           if all conditions hold: the rule `number`, or the block that follows when it is None
    else           otherwise: the rule `number`; alone where nothing is asked
    """

    depth: int
    step: Literal["open", "when", "else", "close"]
    conditions: Asked = ()
    number: int | None = None


def laid_out(source: Tree | RuleSet, layout: Layout) -> tuple[RuleSet, list[Line]]:
    """Return the rules of a tree or a rule set, and their lines.

    Raises:
        OptionError: the guarded layout is asked of a rule set that remembers no tree.
        NotAPartitionError: such a rule set is not exclusive and complete; the error holds a witness.
    """
    if layout not in LAYOUTS:
        raise UnknownNameError("layout", layout, LAYOUTS)
    if not isinstance(source, (Tree, RuleSet)):
        raise OptionError("what is to be emitted", type(source).__name__, "a Tree or a RuleSet")
    rules = compile_rules(source) if isinstance(source, Tree) else source
    if rules.tree is None:
        if layout == "guarded":
            raise OptionError("layout", layout, "flat: this rule set was edited, so it has no tree to guard")
        _require_partition(rules)
    if rules.tree is not None and (layout == "guarded" or (layout == "auto" and len(rules) > MOST_FLAT)):
        return rules, guarded(rules.tree)
    return rules, flat(rules)


def _require_partition(rules: RuleSet) -> None:
    verdict = check(rules)
    for overlap in verdict.overlaps:
        raise NotAPartitionError(f"rules {overlap.first} and {overlap.second} overlap", overlap.row)
    for gap in verdict.gaps:
        raise NotAPartitionError("the rules leave a gap", gap.row)


def flat(rules: RuleSet) -> list[Line]:
    """Return a line a rule."""
    index = rules.schema.indices
    asked = [(tuple((index[name], c) for name, c in rule.conditions), rule.number) for rule in rules.rules]
    if len(asked) == 1 and not asked[0][0]:
        return [Line(0, "else", (), asked[0][1])]
    return [Line(0, "open"), *(Line(0, "when", conditions, number) for conditions, number in asked), Line(0, "close")]


def guarded(tree: Tree) -> list[Line]:
    """Return the lines of a tree in which nesting grows with the logarithm of its leaves only."""
    return list(_guarded(tree))


@frozen
class _Place:
    """Where a node stands: the block that asks its questions, its first leaf, and the question that leads to it.

    Without a question it is where the block above falls through.
    """

    depth: int
    number: int
    asked: Asked = ()


def _guarded(tree: Tree) -> Iterator[Line]:
    sizes = _sizes(tree)

    def order(split: Split) -> list[int]:
        heavy = _heavy(sizes, split)
        return [*(side for side in range(len(split.children)) if side != heavy), heavy]

    def places(split: Split, at: _Place) -> list[_Place]:
        depth, number, heavy = at.depth + bool(at.asked), at.number, _heavy(sizes, split)
        found = []
        for side, child in enumerate(split.children):
            asked = () if side == heavy else ((split.test.feature, child_condition(tree.schema, split, side)),)
            found.append(_Place(depth, number, asked))
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


def _sizes(tree: Tree) -> dict[int, int]:
    """Return the number of leaves below each node, by the identity of the node."""
    sizes: dict[int, int] = {}

    def leaf(node: Leaf) -> int:
        return sizes.setdefault(id(node), 1)

    def split(node: Split, below: tuple[int, ...]) -> int:
        return sizes.setdefault(id(node), sum(below))

    fold(tree.root, leaf, split)
    return sizes


def _heavy(sizes: dict[int, int], split: Split) -> int:
    """Return the child with most leaves, the first on ties."""
    counts = [sizes[id(child)] for child in split.children]
    return counts.index(max(counts))


def predictions_of(rules: RuleSet) -> dict[int, Prediction]:
    """Return what each number predicts: of the tree's leaves, so that those that give no rule are there too."""
    if rules.tree is None:
        return {rule.number: rule.prediction for rule in rules.rules}
    return {number: leaf.prediction for number, leaf in enumerate(leaves(rules.tree.root), 1)}


def digest_of(rules: RuleSet) -> str:
    """Return a hash of what the rules say, for the head of an emitted file."""
    said = [repr(rules.schema), *(repr((rule.number, rule.conditions, rule.prediction)) for rule in rules.rules)]
    return sha256("\n".join(said).encode("utf-8", "surrogatepass")).hexdigest()[:16]
