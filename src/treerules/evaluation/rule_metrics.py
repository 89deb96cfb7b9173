"""Metrics of rules on a table: the figures of each rule, rows that several rules fire for, and rows without a rule.

    n             rows that meet the conditions (weighted)       coverage      n / all
    support       those that are also predicted right / all      confidence    support / coverage
    lift          confidence / share of the predicted class      mean, sd, rmse  of the target there, in a regression

In a rule set every rule counts all its rows; in a rule list a row counts for the first rule that fires.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.notes import Note
from treerules._internal.short_repr import short_repr
from treerules.data.column import take_rows
from treerules.data.sample_weights import case_weights
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.table import Table
from treerules.data.table_data import TableLike, table_of
from treerules.errors import ColumnError, DataError, OptionError
from treerules.evaluation.rule_conflicts import RulePair, conflicts_of
from treerules.regions.overlaps import overlapping_pairs
from treerules.regions.space import space_of
from treerules.rules.rule import RuleFigures
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, aligned_column, all_rules_of, names_of
from treerules.trees.ground_truth import rows_with_target


@short_repr
@frozen
class RuleMetrics:
    """The metrics of one rule; None if undefined, without rows or without a target.

    Attributes:
        number: the number of the rule.
        figures: n, coverage, and with a target of classes support, confidence and lift.
        mean: the mean of the target over the rule's rows, in a regression.
        sd: its standard deviation.
        rmse: the root mean squared error of the rule's prediction.
    """

    number: int
    figures: RuleFigures
    mean: float | None = None
    sd: float | None = None
    rmse: float | None = None


@frozen(repr=False)
class RuleSetMetrics(Shown):
    """The result of `rule_metrics`. Rows are numbered from 0; lists of rows hold the first 10.

    Attributes:
        rules: the rules with the table's figures.
        n: the number of rows.
        weight: the sum of their weights; `n` without weights.
        has_target: whether the table has the target; without it there are only n and coverage.
        by_rule: the metrics of each rule.
        conflicts: pairs of rules that fire for the same rows and predict different values, most rows first; none in a
            rule list.
        overlaps: pairs of rules that fire for the same rows and predict the same value.
        n_conflicting: the number of rows for which rules predict different values.
        conflicting: the first of these rows.
        n_uncovered: the number of rows for which no rule fires.
        uncovered: the first of these rows.
        notes: sentences about the table, such as rows left out.
        names: the names that a file gives its rules, by number.
    """

    rules: RuleSet | RuleList
    n: int
    weight: float
    has_target: bool
    by_rule: tuple[RuleMetrics, ...] = field(converter=as_tuple)
    conflicts: tuple[RulePair, ...] = field(default=(), converter=as_tuple)
    overlaps: tuple[RulePair, ...] = field(default=(), converter=as_tuple)
    n_conflicting: int = 0
    conflicting: tuple[int, ...] = field(default=(), converter=as_tuple)
    n_uncovered: int = 0
    uncovered: tuple[int, ...] = field(default=(), converter=as_tuple)
    notes: tuple[str, ...] = field(default=(), converter=as_tuple, eq=False)
    names: Mapping[int, str] = field(factory=dict, eq=False)

    def __repr__(self) -> str:
        counts = f"conflicting={self.n_conflicting} uncovered={self.n_uncovered}"
        return f"<RuleSetMetrics rules={len(self.rules)} n={self.n} {counts}>"


def rule_metrics(
    rules: Source,
    table: TableLike,
    *,
    weight: Any = None,
    drop_missing_target: bool = False,
    columns: Sequence[str] | None = None,
) -> RuleSetMetrics:
    """Return coverage, support, confidence and lift of each rule on a table, conflicts, and rows without a rule.

    The rules need not be exclusive or complete. The target is the table's column of that name; a label that the rules
    do not know counts as an error. Without such a column only n and coverage are computed.

    Args:
        rules: a rule set, a rule list, a tree, or a parsed file of rules.
        table: a Table, a data frame, a list of dicts, a dict of columns or a 2-D array, with a column for each feature
            that the rules name.
        weight: the sample weights: the name of a column, or an array of shape (rows,) of finite numbers from 0. None
            counts each row once.
        drop_missing_target: leave out the rows without a value of the target; otherwise they are an error.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.

    Returns:
        The metrics.

    Raises:
        OptionError: `rules` are not rules, `table` is no table, or `drop_missing_target` is not True or
            False.
        DataError: rows lack a value of the target, the table has no rows, or a part of the rules' file was not read.
        UnknownNameError: no column has the name that `weight` gives.
        ColumnError: the table lacks a column that the rules name, a column is of the wrong kind, or weights or targets
            are not finite.

    Examples:
        >>> from treerules.learning.learn import learn
        >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
        >>> metrics = rule_metrics(learn(table, target="y"), table)
        >>> metrics
        <RuleSetMetrics rules=2 n=4 conflicting=0 uncovered=0>
        >>> metrics.by_rule[0].figures
        RuleFigures(n=2, coverage=0.5, support=0.5, confidence=1.0, lift=2.0)
    """
    source, rules = rules, all_rules_of(rules)
    table = table_of(table, columns=columns)
    if not isinstance(drop_missing_target, bool):
        raise OptionError("drop_missing_target", drop_missing_target, "True or False")
    rows, target, notes = _target(rules.schema, table, drop_missing_target)
    n = table.n_rows if rows is None else len(rows)
    if not n:
        raise DataError("the table has no rows to judge rules by", "give at least one")
    weights = None if weight is None else case_weights(table, weight)
    if weights is not None:
        weights = weights if rows is None else weights[rows]
        if not weights.sum() > 0:
            raise ColumnError("weight", "sums to 0", "give some row a weight above 0")
    row_of, rule_of = firing_pairs(rules, table, rows)
    if isinstance(rules, RuleList):
        row_of, first_firing = np.unique(row_of, return_index=True)
        rule_of = rule_of[first_firing]
    row_weights = np.ones(n, dtype=np.int64) if weights is None else weights
    by_rule = _by_rule(rules, row_of, rule_of, target, row_weights)
    with_figures = [evolve(rule, figures=metrics.figures) for rule, metrics in zip(rules.rules, by_rule, strict=True)]
    return RuleSetMetrics(
        rules=evolve(rules, rules=with_figures),
        n=n,
        weight=n if weights is None else float(weights.sum()),
        has_target=target is not None,
        by_rule=by_rule,
        **conflicts_of(rules, row_of, rule_of, np.arange(n) if rows is None else rows),
        notes=notes,
        names=names_of(source),
    )


# ---- which rules fire


def firing_pairs(rules: RuleSet | RuleList, table: Table, rows: Any = None) -> tuple[Any, Any]:
    """Return which rules fire for which rows: arrays of positions of rows and of rules, sorted by row, then by rule.

    Args:
        rules: the rules.
        table: the table, with a column for each feature that the rules name.
        rows: an integer array of the rows to look at, among which positions are counted; None is all.

    Raises:
        ColumnError: the table lacks a column that the rules name, or has one of the wrong kind.
    """
    space = space_of(rules, None)
    columns = {axis.feature.name: take_rows(aligned_column(axis.feature, table), rows) for axis in space.axes}
    row_boxes = space.of_columns(columns, table.n_rows if rows is None else len(rows))
    row_of, rule_of = overlapping_pairs(row_boxes, space).T
    return row_of, rule_of


# ---- figures


def _target(schema: Schema, table: Table, drop_missing: bool) -> tuple[Any, Any, list[Note]]:
    """Return the rows with a target (None: all), their targets (None without a target column), and notes.

    The target is the position of a class, or a number.
    """
    feature = schema.target
    if feature is None or feature.name not in table.schema.indices:
        return None, None, []
    column = aligned_column(Feature(feature.name, Kind.NUMBER) if schema.is_regression else feature, table)
    if schema.is_regression and np.isinf(column.data).any():
        raise ColumnError(feature.name, "is a target with infinite values", "leave those rows out")
    rows, notes = rows_with_target(column, drop_missing, table.doubts)
    return rows, column.data if rows is None else column.data[rows], notes


def _by_rule(rules: RuleSet | RuleList, row_of: Any, rule_of: Any, target: Any, weights: Any) -> list[RuleMetrics]:
    """Return the metrics of each rule, from the pairs of rows and rules that fire."""
    total = weights.sum().item()
    sizes = _sums(rule_of, weights[row_of], len(rules.rules))
    figures = [RuleFigures(size, size / total) for size in sizes]
    numbers = [rule.number for rule in rules.rules]
    if target is None:
        return [RuleMetrics(*row) for row in zip(numbers, figures, strict=True)]
    if rules.schema.is_regression:
        predicted = np.array([rule.value for rule in rules.rules], dtype=np.float64)
        spreads = _spreads(rule_of, target[row_of], weights[row_of], predicted, sizes)
        return [RuleMetrics(*metrics) for metrics in zip(numbers, figures, *spreads, strict=True)]
    feature = rules.schema.target
    assert feature is not None
    classes = np.array([feature.positions[rule.value] for rule in rules.rules], dtype=np.int64)
    n_right = _sums(rule_of, weights[row_of] * (target[row_of] == classes[rule_of]), len(rules.rules))
    priors = [weights[target == position].sum().item() / total for position in range(len(feature.categories))]
    judged = [
        _with_prediction_figures(rule_figures, right, total, priors[position])
        for rule_figures, right, position in zip(figures, n_right, classes.tolist(), strict=True)
    ]
    return [RuleMetrics(*row) for row in zip(numbers, judged, strict=True)]


def _with_prediction_figures(figures: RuleFigures, n_right: float, total: float, prior: float) -> RuleFigures:
    """Return the figures of a rule with support, confidence and lift; without rows it has none."""
    if not figures.n:
        return figures
    confidence = n_right / figures.n
    return evolve(figures, support=n_right / total, confidence=confidence, lift=confidence / prior if prior else None)


def _sums(rule_of: Any, values: Any, n_rules: int) -> list[Any]:
    """Return the sum of the values of each rule; sums of integers are integers."""
    sums = np.bincount(rule_of, weights=values, minlength=n_rules)
    return [int(total) for total in sums] if values.dtype.kind == "i" else sums.tolist()


def _spreads(
    rule_of: Any, values: Any, weights: Any, predicted: Any, sizes: Sequence[float]
) -> list[list[float | None]]:
    """Return the mean, the standard deviation and the root mean squared error of each rule's rows."""
    n_rules, divisors = len(predicted), np.maximum(np.array(sizes, dtype=np.float64), 5e-324)
    means = np.bincount(rule_of, weights=weights * values, minlength=n_rules) / divisors
    spreads = [means]
    for centre in (means, predicted):
        distances = np.abs(values - centre[rule_of])
        greatest = np.full(n_rules, 5e-324)  # squares of values divided by the greatest do not overflow
        np.maximum.at(greatest, rule_of, distances)
        squares = np.square(distances / greatest[rule_of])
        sums = np.bincount(rule_of, weights=weights * squares, minlength=n_rules)
        spreads.append(greatest * np.sqrt(sums / divisors))
    return [[value if size else None for value, size in zip(spread.tolist(), sizes, strict=True)] for spread in spreads]
