"""The rules of a tree: one for each leaf, each readable without the others.

    Split(x <= 5)                                  1: IF x <= 5 THEN no
      ├─ Leaf no                compile_rules      2: IF x > 5 AND colour in {red} THEN yes
      └─ Split(colour)          ────────────▶      3: IF x > 5 AND colour != red THEN no
           ├─ red: Leaf yes
           └─ else: Leaf no

A rule set has no order: rule 2 says x > 5 itself, instead of "else colour = red" after rule 1.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from treerules._internal.paused_gc import paused_gc
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.errors import OptionError
from treerules.rules.conditions import everything_of
from treerules.rules.rule import Condition, Members, Rule, RuleFigures
from treerules.rules.rule_set import RuleSet
from treerules.trees.node_parts import ClassPrediction, ThresholdTest
from treerules.trees.nodes import Leaf, Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import descend, leaves

Values = Interval | Members | None
#: The conditions under which a row follows a path, by the position of the feature, in the order in which the path first
#: tests the features. Each is a pair of name and condition, as a rule holds it, or None where every value of the
#: feature follows the path. A path that no row can follow is None as a whole.
Path = Mapping[int, tuple[str, Condition] | None] | None


@paused_gc()  # saves a third of the time, of large trees half
def compile_rules(tree: Tree) -> RuleSet:
    """Return the rules of a tree: one for each leaf, with at most one condition for each feature.

    The rules are exclusive and complete: exactly one fires for each row, and it predicts what the tree predicts. A rule
    does not depend on the rules before it. A leaf that no value can reach gives no rule, but keeps its number. Rules
    share the conditions that their paths share.

    Args:
        tree: a tree of any kind of tests.

    Returns:
        A rule set that remembers the tree.

    Raises:
        OptionError: the argument is no tree.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> table = Table.from_columns({"age": [25, 30, 40], "y": ["no", "no", "yes"]})
        >>> [rule.value for rule in compile_rules(learn(table, target="y", recipe=cart()))]
        ['no', 'yes']
    """
    if not isinstance(tree, Tree):
        raise OptionError("tree", tree, "a Tree")
    return RuleSet._of_tree(tree, _rules(tree))


def _rules(tree: Tree) -> Iterator[Rule]:
    """Yield the rule of each leaf that a row can reach, in the order of the leaves."""
    figures_of_leaf, number = _figures(tree), 0
    start: Path = {}
    everything = [everything_of(feature) for feature in tree.schema.features]

    def narrow(split: Split, path: Path) -> Sequence[Path]:
        return _child_paths(tree.schema, split, path, everything)

    for node, path in descend(tree.root, start, narrow):
        if isinstance(node, Leaf):
            number += 1
            if path is not None:
                yield Rule(number, filter(None, path.values()), node.prediction, figures_of_leaf(node))


def _child_paths(schema: Schema, split: Split, path: Path, everything: Sequence[Condition]) -> list[Path]:
    """Return the path to each child of a split.

    Args:
        schema: the schema of the tree.
        split: the split.
        path: the path to the split.
        everything: for each feature of the schema, the condition that every value meets.
    """
    if path is None:
        return [None] * len(split.children)
    index = split.test.feature
    feature, named_condition = schema.features[index], path.get(index)
    before = everything[index] if named_condition is None else named_condition[1]
    paths: list[Path] = []
    for condition in _child_conditions(feature, split, before):
        if condition.values is None and not condition.missing and not condition.unseen:
            paths.append(None)
        else:
            paths.append({**path, index: None if _is_everything(feature, condition) else (feature.name, condition)})
    return paths


def branch_conditions_of(schema: Schema) -> Callable[[Split], list[Condition]]:
    """Return a function from a split to the conditions of its children, one for each, as if the split were the root."""
    everything = [everything_of(feature) for feature in schema.features]

    def branch_conditions(split: Split) -> list[Condition]:
        index = split.test.feature
        return _child_conditions(schema.features[index], split, everything[index])

    return branch_conditions


def _child_conditions(feature: Feature, split: Split, before: Condition) -> list[Condition]:
    """Return a condition for each child of a split: the values that meet `before` and that the split sends there."""
    test = split.test
    if before.values is None:
        parts: Sequence[Values] = [None] * test.arity
    elif isinstance(test, ThresholdTest):
        parts = _cut_interval(test.threshold, before.values, feature)
    else:
        parts = _divide_members(test.groups, split.unseen if before.unseen else None, before.values, feature)
    if split.missing == test.arity:  # missing values have a child of their own
        parts = [*parts, None]
    return [
        Condition(values, before.missing and child == split.missing, before.unseen and child == split.unseen)
        for child, values in enumerate(parts)
    ]


def _cut_interval(threshold: Any, interval: Any, feature: Feature) -> tuple[Values, Values]:
    """Return the parts of an interval up to a threshold and above it; None for a part without values."""
    above, upto = interval.above, interval.upto
    if threshold == feature.highest or (upto is not None and upto <= threshold):  # no value is above the highest
        return interval, None
    if above is not None and threshold <= above:
        return None, interval
    return Interval(above, threshold), Interval(threshold, upto)


def _divide_members(
    groups: Sequence[Sequence[int]], unseen: int | None, members: Any, feature: Feature
) -> list[Values]:
    """Return the members that each group of categories takes; None for a group that takes none.

    `unseen` is the group to which unseen values go, None if they do not reach the split. Its members are written as a
    complement, "not in {...}", so that they hold for unseen values too.
    """
    categories, parts = feature.categories, list[Values]()
    has_all = members.complement and not members.values
    reaching = range(len(categories)) if has_all else {feature.positions[c] for c in members.of(categories)}
    for child, group in enumerate(groups):
        positions = [position for position in group if position in reaching]
        if child == unseen and positions:
            in_group = set(positions)
            excluded = [category for position, category in enumerate(categories) if position not in in_group]
            parts.append(Members(excluded, complement=True))
        else:
            parts.append(Members([categories[position] for position in positions]) if positions else None)
    return parts


def _is_everything(feature: Feature, condition: Condition) -> bool:
    """Return whether every value of a feature meets a condition: all known, missing and unseen ones."""
    values = condition.values
    if not condition.missing or condition.unseen is not feature.is_open or values is None:
        return False
    if isinstance(values, Interval):
        return values.above is None and values.upto is None
    return not values.of(feature.categories, taken=False)


def _figures(tree: Tree) -> Callable[[Leaf], RuleFigures]:
    """Return a function from a leaf to the figures of its rule; rules with equal figures share one record."""
    totals = [sum(column) for column in zip(*(leaf.counts for leaf in leaves(tree.root)), strict=True)]
    n_rows, target = sum(totals), tree.schema.target
    positions = target.positions if target else {}
    shared: dict[Any, RuleFigures] = {}

    def figures_of_leaf(leaf: Leaf) -> RuleFigures:
        n, prediction = leaf.n, leaf.prediction
        if not n or not isinstance(prediction, ClassPrediction):
            return RuleFigures(n, n / n_rows if n_rows else 0.0)
        position = positions[prediction.value]
        n_correct = leaf.counts[position]
        key = n, type(n), n_correct, position
        if key not in shared or not n_correct:  # 0.0 and -0.0 are one key, but are printed differently
            prior = totals[position] / n_rows
            confidence = n_correct / n
            lift = n_correct / n / prior if prior else None
            shared[key] = RuleFigures(n, n / n_rows, n_correct / n_rows, confidence, lift)
        return shared[key]

    return figures_of_leaf
