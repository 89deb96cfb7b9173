"""Rows at the boundaries of a model with the rules that fire, for the self-test of an emitted module."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treerules.data.domain import domain_of, exclusion, next_value
from treerules.data.new_values import new_value
from treerules.data.schema import Feature
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.sql.rules_table_rows import features_of_rules
from treerules.rules.boundary_rows import boundary_rows
from treerules.rules.distinguishing_rows import TreeRows
from treerules.rules.probe_values import probe_values_of
from treerules.rules.rule_set import RuleSet
from treerules.trees.node_parts import ThresholdTest, child_of
from treerules.trees.nodes import Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import descend

#: A module carries at most `MOST_ROWS` rows, at the boundaries of at most `MOST_RULES` rules; and of trees of up to
#: `MOST_LEAVES` leaves some more, so that each test is met at both sides. Of larger ones that would take too much text.
MOST_ROWS = 100
MOST_RULES = 40
MOST_LEAVES = 400

Row = Mapping[str, Any]


def selftest_lines(checked: CheckedRules, features: Sequence[Feature]) -> list[str]:
    """Return JSON lines: the names of the features, then for each row a rule's number and the row's values.

    The number of a row is that of the leaf that it reaches in the tree, or of the rule that fires if there is no tree.
    """
    rules = checked.rules
    rows = boundary_rows(rules if len(rules) <= MOST_RULES else _sampled_rules(rules), most=MOST_ROWS)
    if checked.tree is not None and checked.tree.n_leaves <= MOST_LEAVES:
        rows = [*rows, *_at_tests(rules, checked.tree, rows)]
    if checked.refuses:
        untested = _in_domain(checked)
        rows = [row for row in ({**row, **untested} for row in rows) if not _is_refused(checked, row)]
    numbers = _firing_rules(rules, rows) if checked.tree is None else _reached_leaves(checked.tree, rows)
    names = [feature.name for feature in features]
    lines = [[number, *(row.get(name) for name in names)] for row, number in zip(rows, numbers, strict=True)]
    return [json.dumps(line, default=str) for line in (names, *lines)]


def _is_refused(checked: CheckedRules, row: Row) -> bool:
    """Return whether a row is outside the declared domain."""
    features = map(checked.schema.feature, checked.domain)
    return any(exclusion(f, checked.domain, new_value(f, row.get(f.name))) for f in features)


def _in_domain(checked: CheckedRules) -> dict[str, Any]:
    """Return a value in the declared domain of each column that no rule tests, for rows that need not name it."""
    tested = {feature.name for feature in features_of_rules(checked.rules)}
    return {
        name: domain_of(feature, checked.domain).lowest if feature.is_ordered else next(iter(feature.categories), None)
        for name, feature in ((name, checked.schema.feature(name)) for name in checked.domain if name not in tested)
    }


def _sampled_rules(rules: RuleSet) -> RuleSet:
    """Return `MOST_RULES` evenly spaced rules, which are not a partition."""
    return RuleSet(rules.schema, [rules.rules[index * len(rules) // MOST_RULES] for index in range(MOST_RULES)])


def _at_tests(rules: RuleSet, tree: Tree, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return rows that meet the tests of a tree where others do not: at thresholds, next above, missing, each child."""
    met = {place for row in rows for place in _places_met(tree, row)}
    more: list[dict[str, Any]] = []
    for row in TreeRows(tree, probe_values_of(rules)).in_rules():
        places = set(_places_met(tree, row))
        if not places <= met:
            met |= places
            more.append(row)
    return more


def _places_met(tree: Tree, row: Row) -> Iterator[tuple[int, Any]]:
    """Yield each split on the path of a row, by identity, with the value at a cut, and the child."""
    node = tree.root
    while isinstance(node, Split):
        feature, test = tree.schema.features[node.test.feature], node.test
        value = new_value(feature, row.get(feature.name))
        child = child_of(test, feature, value, node.missing, node.unseen)
        if isinstance(test, ThresholdTest) and value in (test.threshold, next_value(feature, test.threshold)):
            yield id(node), value
        yield id(node), ("child", child, value is None)
        node = node.children[child]


def _firing_rules(rules: RuleSet, rows: Sequence[Row]) -> list[int]:
    return [rules.firing(row)[0].number for row in rows]


def _reached_leaves(tree: Tree, rows: Sequence[Row]) -> list[int]:
    """Return the number of the leaf that each row reaches; one walk serves all rows."""
    features = tree.schema.features

    def split_rows(split: Split, indices: Sequence[int]) -> list[Sequence[int]]:
        """Return the rows of each child of a split."""
        parts: list[list[int]] = [[] for _ in split.children]
        feature = features[split.test.feature]
        for index in indices:
            value = new_value(feature, rows[index].get(feature.name))
            parts[child_of(split.test, feature, value, split.missing, split.unseen)].append(index)
        return list(parts)

    numbers, number = [0] * len(rows), 0
    all_rows: Sequence[int] = range(len(rows))
    for node, indices in descend(tree.root, all_rows, split_rows):
        if not isinstance(node, Split):
            number += 1
            for index in indices:
                numbers[index] = number
    return numbers
