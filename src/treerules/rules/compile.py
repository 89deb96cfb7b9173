"""From a tree to its rules: one a leaf, every rule readable by itself.

    Split(x <= 5)                                  1: IF x <= 5 THEN no
      ├─ Leaf no                compile_rules      2: IF x > 5 AND colour in {red} THEN yes
      └─ Split(colour)          ────────────▶      3: IF x > 5 AND colour != red THEN no
           ├─ red: Leaf yes
           └─ else: Leaf no          not: 1: x <= 5; 2: else colour = red; 3: else

A rule set is unordered: a rule never leans on the ones before it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.rules.conditions import everything_of
from treerules.rules.rule import Condition, Members, Rule, RuleFigures
from treerules.rules.rule_set import RuleSet
from treerules.trees.node_parts import ClassPrediction, ThresholdTest
from treerules.trees.nodes import Leaf, Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import descend, leaves

Values = Interval | Members | None
#: What a path asks of each feature, in the order in which it asks first: a condition with its column's name as rules
#: hold them, None where it takes every value. A path that no value can follow is None.
Path = Mapping[int, tuple[str, Condition] | None] | None


def compile_rules(tree: Tree) -> RuleSet:
    """Return one rule a leaf, the conditions of its path merged to one a feature.

    A path that no value can follow gives no rule; its leaf keeps its number. One walk over the tree. Rules share the
    conditions of what their paths share.
    """
    return RuleSet._of_tree(tree, _rules(tree))


def _rules(tree: Tree) -> Iterator[Rule]:
    figures, number = _figures(tree), 0
    start: Path = {}
    everything = [everything_of(feature) for feature in tree.schema.features]

    def narrowed(split: Split, path: Path) -> Sequence[Path]:
        return _narrowed(tree.schema, split, path, everything)

    for node, path in descend(tree.root, start, narrowed):
        if isinstance(node, Leaf):
            number += 1
            if path is not None:
                yield Rule(number, filter(None, path.values()), node.prediction, figures(node))


def _narrowed(schema: Schema, split: Split, path: Path, everything: Sequence[Condition]) -> list[Path]:
    """Return, for each child of a split, what its path asks."""
    if path is None:
        return [None] * len(split.children)
    index = split.test.feature
    feature, asked = schema.features[index], path.get(index)
    found: list[Path] = []
    for condition in _conditions(feature, split, everything[index] if asked is None else asked[1]):
        if condition.values is None and not condition.missing and not condition.unseen:
            found.append(None)
        else:
            found.append({**path, index: None if _is_everything(feature, condition) else (feature.name, condition)})
    return found


def branch_conditions_of(schema: Schema) -> Callable[[Split], list[Condition]]:
    """Return the function that gives what sends a row to each child of a split, as if nothing had been asked before."""
    everything = [everything_of(feature) for feature in schema.features]

    def conditions(split: Split) -> list[Condition]:
        index = split.test.feature
        return _conditions(schema.features[index], split, everything[index])

    return conditions


def _conditions(feature: Feature, split: Split, before: Condition) -> list[Condition]:
    """Return, for each child of a split, the condition that is left of the one before."""
    test = split.test
    if before.values is None:
        left: Sequence[Values] = [None] * test.arity
    elif isinstance(test, ThresholdTest):
        left = _cut(test.threshold, before.values, feature)
    else:
        left = _divided(test.groups, split.unseen if before.unseen else None, before.values, feature)
    if split.missing == test.arity:  # missing values have a child of their own
        left = [*left, None]
    return [
        Condition(values, before.missing and side == split.missing, before.unseen and side == split.unseen)
        for side, values in enumerate(left)
    ]


def _cut(cut: Any, before: Any, feature: Feature) -> tuple[Values, Values]:
    """Return what is left of an interval on both sides of a threshold."""
    above, upto = before.above, before.upto
    if cut == feature.highest or (upto is not None and upto <= cut):
        return before, None
    if above is not None and cut <= above:
        return None, before
    return Interval(above, cut), Interval(cut, upto)


def _divided(groups: Sequence[Sequence[int]], unseen: int | None, before: Any, feature: Feature) -> list[Values]:
    """Return what is left of some categories in each group; unseen ones go to the group `unseen`, if to any."""
    categories, left = feature.categories, list[Values]()
    is_whole = before.complement and not before.values
    held = range(len(categories)) if is_whole else {feature.positions[c] for c in before.of(categories)}
    for side, group in enumerate(groups):
        kept = [position for position in group if position in held]
        if side == unseen and kept:
            ours = set(kept)
            left.append(Members([c for position, c in enumerate(categories) if position not in ours], True))
        else:
            left.append(Members([categories[position] for position in kept]) if kept else None)
    return left


def _is_everything(feature: Feature, condition: Condition) -> bool:
    values = condition.values
    if not condition.missing or condition.unseen is not feature.is_open or values is None:
        return False
    if isinstance(values, Interval):
        return values.above is None and values.upto is None
    return not values.of(feature.categories, taken=False)


def _figures(tree: Tree) -> Callable[[Leaf], RuleFigures]:
    """Return the function that gives the figures of a leaf; leaves of the same rows share them."""
    totals = [sum(column) for column in zip(*(leaf.counts for leaf in leaves(tree.root)), strict=True)]
    n_rows, target = sum(totals), tree.schema.target
    places = target.positions if target else {}
    made: dict[Any, RuleFigures] = {}

    def figures(leaf: Leaf) -> RuleFigures:
        n, prediction = leaf.n, leaf.prediction
        if not n or not isinstance(prediction, ClassPrediction):
            return RuleFigures(n, n / n_rows if n_rows else 0.0)
        place = places[prediction.value]
        hits = leaf.counts[place]
        key = n, type(n), hits, place
        if key not in made or not hits:  # 0.0 is -0.0
            prior = totals[place] / n_rows
            made[key] = RuleFigures(n, n / n_rows, hits / n_rows, hits / n, hits / n / prior if prior else None)
        return made[key]

    return figures
