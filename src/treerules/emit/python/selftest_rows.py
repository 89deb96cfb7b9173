"""Rows at the boundaries of a model with the rules that they fire, for a module that checks itself."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from treerules.data.schema import Feature
from treerules.rules.boundary_rows import boundary_rows
from treerules.rules.rule_set import RuleSet
from treerules.trees.node_parts import child_of
from treerules.trees.tree import Split, Tree, descend

#: A module carries so many rows, around the boundaries of so many rules that are spread evenly.
MOST_ROWS = 100
MOST_RULES = 40

Row = Mapping[str, Any]


def checks_of(rules: RuleSet, features: Sequence[Feature]) -> list[str]:
    """Return JSON lines: the names of the features, then for each row a rule's number and the row's values.

    The numbers are those that the tree's own splits lead to, or the rules of a set without a tree.
    """
    chosen = rules if len(rules) <= MOST_RULES else _some(rules)
    rows = boundary_rows(chosen, most=MOST_ROWS)
    numbers = _fired(rules, rows) if rules.tree is None else _reached(rules.tree, rows)
    names = [feature.name for feature in features]
    found = [[number, *(row.get(name) for name in names)] for row, number in zip(rows, numbers, strict=True)]
    return [json.dumps(line, default=str) for line in (names, *found)]


def _some(rules: RuleSet) -> RuleSet:
    """Return some of the rules, spread evenly; they are no partition."""
    places = range(0, len(rules) * MOST_RULES, len(rules))
    return RuleSet(rules.schema, [rules.rules[place // MOST_RULES] for place in places])


def _fired(rules: RuleSet, rows: Sequence[Row]) -> list[int]:
    return [rules.firing(row)[0].number for row in rows]


def _reached(tree: Tree, rows: Sequence[Row]) -> list[int]:
    """Return the number of the rule of the leaf that each row reaches; one walk serves all rows."""
    features = tree.schema.features

    def step(split: Split, places: Sequence[int]) -> list[Sequence[int]]:
        parts: list[list[int]] = [[] for _ in split.children]
        feature = features[split.test.feature]
        for place in places:
            value = feature.converted(rows[place].get(feature.name))
            parts[child_of(split.test, feature, value, split.missing, split.unseen)].append(place)
        return list(parts)

    numbers, number = [0] * len(rows), 0
    start: Sequence[int] = range(len(rows))
    for node, places in descend(tree.root, start, step):
        if not isinstance(node, Split):
            number += 1
            for place in places:
                numbers[place] = number
    return numbers
