"""Conditions under which two models differ: the rules of a small tree, learned from the rows that were compared."""

from collections.abc import Sequence
from math import fsum
from typing import Any

import numpy as np

from treerules.data.column import of_values
from treerules.data.schema import Feature, Kind
from treerules.data.table import Table
from treerules.learning.learn import Task, learn
from treerules.proof.sampled_diff import DifferingGroup
from treerules.proof.sampled_rows import learnable_column
from treerules.recipes.algorithms import cart
from treerules.rules.compile import compile_rules
from treerules.rules.rule_set import RuleSet
from treerules.trees.predict import apply

#: The greatest depth of the tree whose rules say where two models differ, and the greatest number of its rules.
MAX_DEPTH, MAX_RULES = 3, 6
#: Each rule covers at least so many rows: this share of all rows, but no more than half of those that differ.
_LEAST_SHARE = 0.01
#: Differences are rounded to this share of the greatest one, so that no rule is about rounding errors.
_ROUNDED_TO = 1e-6
#: Greater differences are not learned from, since their squares may be infinite.
_MOST_SQUARED = 1e100


def differing_groups(
    features: Sequence[Feature], table: Table, differs: Any, differences: Any, changes: Any | None
) -> tuple[RuleSet | None, list[DifferingGroup]]:
    """Return the rules of a small tree, and the groups of rows in which answers differ, the greatest first.

    Args:
        features: the features that the models test.
        table: the columns that the models test.
        differs: whether the answers of each row differ.
        differences: the absolute difference of each row.
        changes: new minus old of each row for numbers; None for labels, where the tree learns whether they differ.
    """
    columns = [learnable_column(feature, table.column(feature.name)) for feature in features]
    columns = [column for column in columns if column.n_missing < table.n_rows]
    if not differs.any() or not columns:
        return None, []
    names = [column.feature.name for column in columns]
    target = _unused_name(names)
    is_numeric = changes is not None and np.abs(changes).max() <= _MOST_SQUARED
    values, kind = (_rounded(changes), Kind.NUMBER) if is_numeric else (differs, Kind.BOOLEAN)
    learned = Table([*columns, of_values(Feature(target, kind), values.tolist())])
    least = max(1, min(int(table.n_rows * _LEAST_SHARE), int(np.count_nonzero(differs)) // 2))
    recipe = cart(max_depth=MAX_DEPTH, max_leaves=MAX_RULES, min_samples_leaf=least, thresholds="short")
    task: Task = "regression" if is_numeric else "classification"
    tree = learn(learned, target=target, recipe=recipe, task=task, features=names)
    return (rules := compile_rules(tree)), _groups(rules, apply(tree, learned), differs, differences, changes)


def _groups(rules: RuleSet, numbers: Any, differs: Any, differences: Any, changes: Any | None) -> list[DifferingGroup]:
    """Return the groups of the rules that cover differing rows, given the number of the rule of each row."""
    groups = []
    for rule in rules.rules:
        covered = numbers == rule.number
        if n_differing := int(np.count_nonzero(differs & covered)):
            n = int(np.count_nonzero(covered))
            change = None if changes is None else mean_of(changes[covered])
            groups.append(DifferingGroup(rule, n, n_differing, mean_of(differences[covered]), change))
    return sorted(groups, key=lambda group: -group.n_differing if changes is None else -group.n * group.mean)


def mean_of(differences: Any) -> float:
    """Return the mean of differences, which does not depend on their order; without a sum infinite, or NaN."""
    try:
        return fsum(differences.tolist()) / len(differences)
    except OverflowError:
        return float("inf")
    except ValueError:  # infinite in both directions
        return float("nan")


def _rounded(changes: Any) -> Any:
    greatest = np.abs(changes).max()
    return np.round(changes / (greatest * _ROUNDED_TO)) * (greatest * _ROUNDED_TO)


def _unused_name(names: Sequence[str]) -> str:
    name = "differs"
    while name in names:
        name += "_"
    return name
