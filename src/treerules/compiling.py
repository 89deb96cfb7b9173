"""From a tree to its rules: one a leaf, every rule readable by itself.

    Split(x <= 5)                                  1: IF x <= 5 THEN no
      ├─ Leaf no                compile_rules      2: IF x > 5 AND colour in {red} THEN yes
      └─ Split(colour)          ────────────▶      3: IF x > 5 AND colour != red THEN no
           ├─ red: Leaf yes
           └─ else: Leaf no          not: 1: x <= 5; 2: else colour = red; 3: else

A rule set is unordered: a rule never leans on the ones before it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from treerules.parts import Label, Threshold
from treerules.rules import Condition, Figures, Interval, Members, Rule, RuleSet
from treerules.schema import Feature, Schema
from treerules.tree import Leaf, Split, Tree, descend, leaves


@frozen
class _Room:
    """What a path leaves of one feature: the bounds of an ordered one, else positions of categories (None: all)."""

    above: Any = None
    upto: Any = None
    positions: frozenset[int] | None = None
    is_empty: bool = False
    missing: bool = True
    unseen: bool = True


Path = Mapping[int, _Room]


def compile_rules(tree: Tree) -> RuleSet:
    """Return one rule a leaf, the conditions of its path merged to one a feature.

    A path that no value can follow gives no rule; its leaf keeps its number. One walk over the tree.
    """
    schema = tree.schema
    start: Path = {}
    totals = [sum(column) for column in zip(*(leaf.counts for leaf in leaves(tree.root)), strict=True)]
    rules, number = [], 0
    for node, path in descend(tree.root, start, lambda split, path: _narrowed(schema, split, path)):
        if isinstance(node, Leaf):
            number += 1
            rooms = [(schema.features[index], room) for index, room in path.items()]
            if all(not room.is_empty or room.missing or room.unseen for _, room in rooms):
                conditions = [(f.name, _condition(f, room)) for f, room in rooms if not _is_everything(f, room)]
                rules.append(Rule(number, conditions, node.prediction, _figures(node, schema, totals)))
    found = RuleSet(schema, rules)
    object.__setattr__(found, "tree", tree)
    return found


def _narrowed(schema: Schema, split: Split, path: Path) -> list[Path]:
    """Return, for each child of a split, what its path leaves of each feature."""
    index = split.test.feature
    feature = schema.features[index]
    room = path.get(index) or _Room(unseen=feature.is_open)
    return [{**path, index: _taken(feature, split, side, room)} for side in range(len(split.children))]


def child_condition(schema: Schema, split: Split, side: int) -> Condition:
    """Return what sends a row to one child of a split, as if nothing had been asked before."""
    feature = schema.features[split.test.feature]
    return _condition(feature, _taken(feature, split, side, _Room(unseen=feature.is_open)))


def _taken(feature: Feature, split: Split, side: int, room: _Room) -> _Room:
    test = split.test
    missing, unseen = room.missing and split.missing == side, room.unseen and split.unseen == side
    if side == test.arity:  # missing values alone
        return _Room(room.above, room.upto, frozenset(), True, missing, False)
    if not isinstance(test, Threshold):
        group = test.groups[side]
        positions = frozenset(group) if room.positions is None else room.positions.intersection(group)
        return _Room(None, None, positions, not positions, missing, unseen)
    above, upto = room.above, room.upto
    if side == 0 and (upto is None or test.threshold < upto):
        upto = test.threshold
    if side == 1 and (above is None or test.threshold > above):
        above = test.threshold
    is_empty = room.is_empty or above == feature.highest or (None not in (above, upto) and not above < upto)
    return _Room(above, upto, None, is_empty, missing, False)


def _condition(feature: Feature, room: _Room) -> Condition:
    if room.is_empty:
        return Condition(None, room.missing, room.unseen)
    if feature.is_ordered:
        return Condition(Interval(room.above, None if room.upto == feature.highest else room.upto), room.missing)
    held = room.positions or frozenset()
    named = sorted(held) if not room.unseen else [p for p in range(len(feature.categories)) if p not in held]
    return Condition(Members([feature.categories[p] for p in named], room.unseen), room.missing, room.unseen)


def _is_everything(feature: Feature, room: _Room) -> bool:
    if not room.missing or room.is_empty or room.unseen is not feature.is_open:
        return False
    if feature.is_ordered:
        return room.above is None and room.upto in (None, feature.highest)
    return len(room.positions or ()) == len(feature.categories)


def _figures(leaf: Leaf, schema: Schema, totals: Sequence[float]) -> Figures:
    n, n_rows = leaf.n, sum(totals)
    coverage = n / n_rows if n_rows else 0.0
    if not n or not isinstance(leaf.prediction, Label):
        return Figures(n, coverage)
    place = schema.classes.index(leaf.prediction.value)
    hits = leaf.counts[place]
    prior = totals[place] / n_rows
    return Figures(n, coverage, hits / n_rows, hits / n, hits / n / prior if prior else None)
