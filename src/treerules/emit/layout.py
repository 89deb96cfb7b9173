"""Two layouts of the same decisions, as a flat list of lines that any language prints.

flat       one line a rule, for people and auditors:        when a and b: 1 / when a and not b: 2 / ...
guarded    the child with most leaves falls through, the others are indented: nesting is at most
           floor(log2(leaves)), whatever the depth
"""

from hashlib import sha256
from typing import Any, Literal

from attrs import frozen

from treerules.check import check
from treerules.errors import NotAPartitionError, OptionError, UnknownNameError
from treerules.parts import Prediction
from treerules.rules import Condition, RuleSet, child_condition, compile_rules
from treerules.tree import Leaf, Node, Split, Tree, fold, leaves

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
    counted = fold(tree.root, leaf=_counted_leaf, split=_counted_split)
    lines: list[Line] = []
    waiting: list[Any] = [(counted, 1, 0)]
    while waiting:
        task = waiting.pop()
        if isinstance(task, Line):
            lines.append(task)
        else:
            waiting.extend(reversed(_block(tree, *task)))
    return lines


#: The number of leaves of a node, the node, and the same of its children.
Counted = tuple[int, Node, tuple[Any, ...]]


def _counted_leaf(leaf: Leaf) -> Counted:
    return 1, leaf, ()


def _counted_split(split: Split, below: tuple[Counted, ...]) -> Counted:
    return sum(child[0] for child in below), split, below


def _block(tree: Tree, counted: Counted, number: int, depth: int) -> list[Any]:
    """Return one block: the questions along the path of most leaves, each with a block of its own behind it.

    `number` is that of the first leaf below.
    """
    tasks: list[Any] = []
    _, node, below = counted
    has_questions = isinstance(node, Split)
    while isinstance(node, Split):
        heavy = max(range(len(below)), key=lambda side: (below[side][0], -side))
        first = number
        for side, child in enumerate(below):
            if side == heavy:
                number = first
            else:
                tasks.extend(_question(tree, node, side, child, first, depth))
            first += child[0]
        _, node, below = below[heavy]
    tasks.append(Line(depth, "else", (), number))
    return [Line(depth, "open"), *tasks, Line(depth, "close")] if has_questions else tasks


def _question(tree: Tree, split: Split, side: int, child: Counted, number: int, depth: int) -> list[Any]:
    asked = ((split.test.feature, child_condition(tree.schema, split, side)),)
    if isinstance(child[1], Split):
        return [Line(depth, "when", asked), (child, number, depth + 1)]
    return [Line(depth, "when", asked, number)]


def predictions_of(rules: RuleSet) -> dict[int, Prediction]:
    """Return what each number predicts: of the tree's leaves, so that those that give no rule are there too."""
    if rules.tree is None:
        return {rule.number: rule.prediction for rule in rules.rules}
    return {number: leaf.prediction for number, leaf in enumerate(leaves(rules.tree.root), 1)}


def digest_of(rules: RuleSet) -> str:
    """Return a hash of what the rules say, for the head of an emitted file."""
    said = [repr(rules.schema), *(repr((rule.number, rule.conditions, rule.prediction)) for rule in rules.rules)]
    return sha256("\n".join(said).encode("utf-8", "surrogatepass")).hexdigest()[:16]
