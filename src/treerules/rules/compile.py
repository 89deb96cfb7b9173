"""The rules of a tree: one for each leaf, each readable without the others.

    Split(x <= 5)                                  1: IF x <= 5 THEN no
      ├─ Leaf no                compile_rules      2: IF x > 5 AND colour in {red} THEN yes
      └─ Split(colour)          ────────────▶      3: IF x > 5 AND colour != red THEN no
           ├─ red: Leaf yes
           └─ else: Leaf no

A rule set has no order: rule 2 says x > 5 itself, instead of "else colour = red" after rule 1.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from treerules._internal.paused_gc import paused_gc
from treerules.data.interval import Interval, Intervals, valid_interval
from treerules.data.new_values import new_value
from treerules.data.schema import Feature, Schema
from treerules.rules.conditions import everything_of
from treerules.rules.rule import Condition, Members, Rule, RuleFigures, values_of_intervals
from treerules.rules.rule_set import RuleSet
from treerules.trees.ensemble import require_tree
from treerules.trees.node_parts import CategoryTest, ClassPrediction, OrderedTest, ThresholdTest, child_of
from treerules.trees.nodes import Leaf, Split, shape
from treerules.trees.tree import Tree
from treerules.trees.walkers import descend, leaves

Values = Interval | Intervals | Members | None
#: What a path holds of a condition: a tuple whose second element is the condition.
Described = TypeVar("Described", bound=tuple[Any, ...])
#: The conditions under which a row follows a path, by the position of the feature, in the order in which the path first
#: tests the features; None where every value of the feature follows the path. A path that no row can follow is None as
#: a whole.
Path = Mapping[int, Described | None] | None


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
    require_tree("tree", tree)
    return RuleSet._of_tree(tree, _rules(tree))


def _rules(tree: Tree) -> Iterator[Rule]:
    """Yield the rule of each leaf that a row can reach, in the order of the leaves."""
    figures_of_leaf = _figures(tree)
    for number, (leaf, path) in enumerate(leaf_paths(tree, _named_condition), 1):
        if path is not None:
            yield Rule(number, path, leaf.prediction, figures_of_leaf(leaf))


def fired_rule(tree: Tree, row: Mapping[str, Any]) -> Rule:
    """Return the rule of `compile_rules` that fires for a row, without making those of the other leaves.

    Raises:
        CellError: a value on the row's path is of the wrong kind.
    """
    node, number = tree.root, 1
    path: Path[tuple[str, Condition]] = {}
    while isinstance(node, Split):
        feature = tree.schema.features[node.test.feature]
        child = child_of(node.test, feature, new_value(feature, row.get(feature.name)), node.missing, node.unseen)
        path = _child_paths(feature, everything_of(feature), _named_condition(feature), node, path)[child]
        number += sum(shape(sibling)[0] for sibling in node.children[:child])
        node = node.children[child]
    assert isinstance(node, Leaf) and path is not None
    conditions = [described for described in path.values() if described is not None]
    return Rule(number, conditions, node.prediction, _figures(tree)(node))


def _named_condition(feature: Feature) -> Callable[[Condition], tuple[str, Condition]]:
    name = feature.name
    return lambda condition: (name, condition)


def leaf_paths(
    tree: Tree, describing: Callable[[Feature], Callable[[Condition], Described]]
) -> Iterator[tuple[Leaf, list[Described] | None]]:
    """Yield each leaf with the conditions of its path, None where no row can follow it; in the order of the leaves.

    Args:
        tree: the tree.
        describing: returns for a feature the function that describes conditions on it, such as a pair of name and
            condition; the condition is the second element of what it returns. Paths share what they have in common.
    """
    features = tree.schema.features
    describers = [(feature, everything_of(feature), describing(feature)) for feature in features]
    start: Path[Described] = {}

    def narrow(split: Split, path: Path[Described]) -> list[Path[Described]]:
        return _child_paths(*describers[split.test.feature], split, path)

    for node, path in descend(tree.root, start, narrow):
        if isinstance(node, Leaf):
            yield node, None if path is None else [described for described in path.values() if described is not None]


def _child_paths(
    feature: Feature,
    everything: Condition,
    describe: Callable[[Condition], Described],
    split: Split,
    path: Path[Described],
) -> list[Path[Described]]:
    """Return the path to each child of a split.

    Args:
        feature: the feature of the split.
        everything: the condition that every value of the feature meets.
        describe: returns what a path holds of a condition on the feature.
        split: the split.
        path: the path to the split.
    """
    if path is None:
        return [None] * len(split.children)
    index = split.test.feature
    described = path.get(index)
    before: Condition = everything if described is None else described[1]
    paths: list[Path[Described]] = []
    for condition in _child_conditions(feature, split, before):
        if condition.values is None and not condition.missing and not condition.unseen:
            paths.append(None)
        elif condition.missing and _is_everything(feature, condition):
            paths.append({**path, index: None})
        else:
            paths.append({**path, index: describe(condition)})
    return paths


def branch_condition_of(schema: Schema) -> Callable[[Split, int], Condition]:
    """Return a function from a split and the position of a child to its condition, as if the split were the root."""
    everything = [everything_of(feature) for feature in schema.features]

    def branch_condition(split: Split, child: int) -> Condition:
        test, values = split.test, None
        feature, before = schema.features[test.feature], everything[test.feature]
        if not isinstance(test, CategoryTest):
            values = _child_values(feature, split, before)[child]
        elif child < test.arity:  # alone, for a split may have thousands of children
            values = _group_members(test.groups[child], before.unseen and child == split.unseen, feature)
        elif child == split.unseen:
            values = Members(feature.categories, complement=True)
        return Condition(values, child == split.missing, child == split.unseen)

    return branch_condition


def _child_conditions(feature: Feature, split: Split, before: Condition) -> list[Condition]:
    """Return a condition for each child of a split: the values that meet `before` and that the split sends there."""
    parts, missing = _child_values(feature, split, before), split.missing
    if before.unseen:
        return [
            Condition(values, before.missing and child == missing, child == split.unseen)
            for child, values in enumerate(parts)
        ]
    if before.missing:
        return [Condition(values, child == missing) for child, values in enumerate(parts)]
    return [Condition(values) for values in parts]


def _child_values(feature: Feature, split: Split, before: Condition) -> Sequence[Values]:
    """Return the known values of each child of a split that meet `before`."""
    test = split.test
    if before.values is None:
        parts: Sequence[Values] = [None] * test.arity
    elif isinstance(test, CategoryTest):
        parts = _divide_members(test.groups, split.unseen if before.unseen else None, before.values, feature)
    elif isinstance(test, ThresholdTest) and isinstance(before.values, Interval):  # in trees grown here, all are
        parts = _cut_interval(test.threshold, before.values, feature)
    else:
        parts = _divide_intervals(test, before.intervals, feature)
    if split.missing == test.arity:  # missing values have a child of their own
        takes_unseen = before.unseen and split.unseen == test.arity
        return [*parts, Members(feature.categories, complement=True) if takes_unseen else None]
    return parts


def _divide_intervals(test: OrderedTest, intervals: Intervals, feature: Feature) -> list[Values]:
    """Return the parts of a union of intervals that go to the two children of a test; None for a part without values.

    Each interval is cut at all thresholds, and its pieces go to the children in turn.
    """
    parts: tuple[list[Interval], list[Interval]] = ([], [])
    for interval in intervals:
        rest: Interval | None = interval
        for turn, threshold in enumerate(test.thresholds, test.lowest_child):
            if rest is None:
                break
            piece, rest = _cut_interval(threshold, rest, feature)
            if piece is not None:
                parts[turn % 2].append(piece)
        if rest is not None:
            parts[(len(test.thresholds) + test.lowest_child) % 2].append(rest)
    return [values_of_intervals(tuple(part)) for part in parts]


def _cut_interval(threshold: Any, interval: Any, feature: Feature) -> tuple[Interval | None, Interval | None]:
    """Return the parts of an interval up to a threshold and above it; None for a part without values."""
    above, upto = interval.above, interval.upto
    if upto is None:
        if threshold == feature.highest:  # no value is above the highest
            return interval, None
    elif upto <= threshold:
        return interval, None
    if above is not None and threshold <= above:
        return None, interval
    return valid_interval(above, threshold), valid_interval(threshold, upto)


def _divide_members(
    groups: Sequence[Sequence[int]], unseen: int | None, members: Any, feature: Feature
) -> list[Values]:
    """Return the members that each group of categories takes; None for a group that takes none.

    `unseen` is the group to which unseen values go, None if they do not reach the split. Its members are written as a
    complement, "not in {...}", so that they hold for unseen values too.
    """
    categories = feature.categories
    has_all = members.complement and not members.values
    reaching = range(len(categories)) if has_all else {feature.positions[c] for c in members.of(categories)}
    return [
        _group_members([position for position in group if position in reaching], child == unseen, feature)
        for child, group in enumerate(groups)
    ]


def _group_members(positions: Sequence[int], takes_unseen: bool, feature: Feature) -> Values:
    """Return the categories at some positions, None for no position; with unseen values, as a complement."""
    if not positions:
        return None
    if not takes_unseen:
        return Members([feature.categories[position] for position in positions])
    in_group = set(positions)
    excluded = [category for position, category in enumerate(feature.categories) if position not in in_group]
    return Members(excluded, complement=True)


def _is_everything(feature: Feature, condition: Condition) -> bool:
    """Return whether every value of a feature meets a condition that takes the missing value."""
    values = condition.values
    if isinstance(values, Interval):
        return values.above is None and values.upto is None
    if not isinstance(values, Members):  # several intervals leave some value out
        return False
    return condition.unseen is feature.is_open and not values.of(feature.categories, taken=False)


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
