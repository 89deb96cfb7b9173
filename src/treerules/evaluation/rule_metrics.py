"""How rules fare on a table, whoever made them: the figures of each, rows that several claim, rows that none does.

    n             rows that meet the conditions (weighted)       coverage      n / all
    support       those that are also predicted right / all      confidence    support / coverage
    lift          confidence / share of the predicted class      mean, sd, rmse  of the target there, in a regression

In a rule set every rule counts all its rows, in a rule list a row counts for the first rule that fires.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules.data.column import taken
from treerules.data.sample_weights import case_weights
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, OptionError, counted
from treerules.regions.overlaps import overlapping_pairs
from treerules.regions.space import space_of
from treerules.rules.rule import RuleFigures
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, aligned_column, all_rules_of, names_of

#: So many rows are named by their numbers.
SHOWN = 10


@frozen
class RuleMetrics:
    """How one rule fares. What a rule without rows cannot have is None, and so is what the target does not allow."""

    number: int
    figures: RuleFigures
    #: of the target over the rule's rows, and the error of what the rule predicts
    mean: float | None = None
    sd: float | None = None
    rmse: float | None = None


@frozen
class RulePair:
    """Rows that two rules fire for, by the rules' numbers: how many, and the first of them, counted from 0."""

    first: int
    second: int
    n: int
    rows: tuple[int, ...] = field(converter=as_tuple)


@frozen(repr=False)
class RuleSetMetrics(Shown):
    """How rules fare on a table. `rules` are those rules with the table's figures."""

    rules: RuleSet | RuleList
    #: the rows, and their case weight: n again where no weight was given
    n: int
    weight: float
    #: whether the table has the target, so that there is more than n and coverage
    judged: bool
    by_rule: tuple[RuleMetrics, ...] = field(converter=as_tuple)
    #: pairs of rules that fire for the same rows and predict different values, most rows first; none in a rule list
    conflicts: tuple[RulePair, ...] = field(default=(), converter=as_tuple)
    #: pairs of rules that fire for the same rows and predict the same
    overlaps: tuple[RulePair, ...] = field(default=(), converter=as_tuple)
    #: how many rows some rules are in conflict about, and the first of them
    n_conflicting: int = 0
    conflicting: tuple[int, ...] = field(default=(), converter=as_tuple)
    #: how many rows no rule fires for, and the first of them
    n_uncovered: int = 0
    uncovered: tuple[int, ...] = field(default=(), converter=as_tuple)
    notes: tuple[str, ...] = field(default=(), converter=as_tuple, eq=False)
    #: the names that a file gives its rules, by number
    names: Mapping[int, str] = field(factory=dict, eq=False)

    def __repr__(self) -> str:
        said = f"conflicting={self.n_conflicting} uncovered={self.n_uncovered}"
        return f"<RuleSetMetrics rules={len(self.rules)} n={self.n} {said}>"


def rule_metrics(
    rules: Source,
    table: Table,
    *,
    weight: Any = None,
    drop_missing_target: bool = False,
) -> RuleSetMetrics:
    """Return how rules fare on the rows of a table, exactly, whether or not they are exclusive and complete.

    The target is taken from the table if it is there; without it there are n and coverage alone. A label that the
    rules do not know is none that any of them predicts. `weight` names a column of case weights, or is an array.

    >>> from treerules.learning.learn import learn
    >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> scores = rule_metrics(learn(table, target="y"), table)
    >>> scores
    <RuleSetMetrics rules=2 n=4 conflicting=0 uncovered=0>
    >>> scores.by_rule[0].figures
    RuleFigures(n=2, coverage=0.5, support=0.5, confidence=1.0, lift=2.0)

    Raises:
        OptionError: these are no rules, or this is no table.
        DataError: rows lack a value of the target (`drop_missing_target=True` leaves them out), or there are no rows.
        UnknownNameError: no column has the name that `weight` gives.
        ColumnError: the table lacks a column that the rules ask for, one is of the wrong kind, or weights or targets
            are not finite.
    """
    known = all_rules_of(rules)
    if not isinstance(table, Table):
        raise OptionError("table", table, "a Table")
    rows, target, notes = _target(known.schema, table, drop_missing_target)
    n = table.n_rows if rows is None else len(rows)
    if not n:
        raise DataError("the table has no rows to judge rules by", "give at least one")
    weights = None if weight is None else case_weights(table, weight)
    if weights is not None:
        weights = weights if rows is None else weights[rows]
        if not weights.sum() > 0:
            raise ColumnError("weight", "sums to 0", "give some row a weight above 0")
    at, to = firing_pairs(known, table, rows)
    if isinstance(known, RuleList):
        at, first = np.unique(at, return_index=True)
        to = to[first]
    by_rule = _by_rule(known, at, to, target, np.ones(n, dtype=np.int64) if weights is None else weights)
    figures = {found.number: found.figures for found in by_rule}
    scored = [evolve(rule, figures=figures[rule.number]) for rule in known.rules]
    numbers = np.arange(n) if rows is None else rows
    return RuleSetMetrics(
        rules=evolve(known, rules=scored),
        n=n,
        weight=n if weights is None else float(weights.sum()),
        judged=target is not None,
        by_rule=by_rule,
        **_claims(known, at, to, numbers),
        notes=notes,
        names=names_of(rules),
    )


# ---- which rules fire


def firing_pairs(rules: RuleSet | RuleList, table: Table, rows: Any = None) -> tuple[Any, Any]:
    """Return which rules fire for which rows, both by place, as two arrays: row by row, the rules in their order.

    `rows` are the numbers of the rows to look at; the places then count among these. None is all.

    Raises:
        ColumnError: the table lacks a column that the rules ask for, or has one of the wrong kind.
    """
    space = space_of(rules, None)
    columns = {axis.feature.name: taken(aligned_column(axis.feature, table), rows) for axis in space.axes}
    table_rows = space.of_columns(columns, table.n_rows if rows is None else len(rows))
    at, to = overlapping_pairs(table_rows, space).T
    return at, to


# ---- figures


def _target(schema: Schema, table: Table, drop_missing: bool) -> tuple[Any, Any, list[str]]:
    """Return the rows to judge by (None is all), the target of each (None if there is none), and what is to be said.

    The target is the place of a class, or a number.
    """
    goal = schema.target
    if goal is None or goal.name not in table.schema.indices:
        return None, None, []
    column = aligned_column(Feature(goal.name, Kind.NUMBER) if schema.is_regression else goal, table)
    if schema.is_regression and np.isinf(column.data).any():
        raise ColumnError(goal.name, "is a target with infinite values", "leave those rows out")
    if not column.n_missing:
        return None, column.data, []
    n_missing = counted(column.n_missing, "row")
    if not drop_missing:
        raise DataError(
            f"{n_missing} without a value of the target {goal.name!r}",
            "fill them in, or drop them: drop_missing_target=True, --drop-missing-target",
        )
    rows = np.flatnonzero(~column.missing)
    return rows, column.data[rows], [f"left out {n_missing} without a value of {goal.name!r}"]


def _by_rule(rules: RuleSet | RuleList, at: Any, to: Any, target: Any, weights: Any) -> list[RuleMetrics]:
    """Return the score of each rule, given pairs of rows and rules by place."""
    n_rules, total = len(rules.rules), weights.sum().item()
    sizes = _sums(to, weights[at], n_rules)
    coverage = [size / total for size in sizes]
    figures = [RuleFigures(size, share) for size, share in zip(sizes, coverage, strict=True)]
    numbers = [rule.number for rule in rules.rules]
    if target is None:
        return [RuleMetrics(*pair) for pair in zip(numbers, figures, strict=True)]
    if rules.schema.is_regression:
        predicted = np.array([rule.value for rule in rules.rules], dtype=np.float64)
        spreads = _spreads(to, target[at], weights[at], predicted, sizes)
        return [RuleMetrics(*found) for found in zip(numbers, figures, *spreads, strict=True)]
    goal = rules.schema.target
    assert goal is not None
    places = np.array([goal.positions[rule.value] for rule in rules.rules], dtype=np.int64)
    hits = _sums(to, weights[at] * (target[at] == places[to]), n_rules)
    classes = [weights[target == place].sum().item() for place in range(len(goal.categories))]
    scores = []
    for number, found, hit, place in zip(numbers, figures, hits, places.tolist(), strict=True):
        if found.n:
            prior = classes[place] / total
            confidence = hit / found.n
            found = evolve(
                found, support=hit / total, confidence=confidence, lift=confidence / prior if prior else None
            )
        scores.append(RuleMetrics(number, found))
    return scores


def _sums(to: Any, values: Any, n: int) -> list[Any]:
    """Return the sum of the values of each place; whole numbers stay whole."""
    sums = np.bincount(to, weights=values, minlength=n)
    return [int(each) for each in sums] if values.dtype.kind == "i" else sums.tolist()


def _spreads(to: Any, values: Any, weights: Any, predicted: Any, sizes: Sequence[float]) -> list[list[float | None]]:
    """Return the mean, the standard deviation and the root mean squared error of each rule's rows."""
    n, held = len(predicted), np.maximum(np.array(sizes, dtype=np.float64), 5e-324)
    means = np.bincount(to, weights=weights * values, minlength=n) / held
    found = [means]
    for centre in (means, predicted):
        apart = np.abs(values - centre[to])
        most = np.full(n, 5e-324)  # squares of what is divided by the greatest do not overflow
        np.maximum.at(most, to, apart)
        squares = np.square(apart / most[to])
        found.append(most * np.sqrt(np.bincount(to, weights=weights * squares, minlength=n) / held))
    return [[v if size else None for v, size in zip(each.tolist(), sizes, strict=True)] for each in found]


# ---- who claims what


def _claims(rules: RuleSet | RuleList, at: Any, to: Any, numbers: Any) -> dict[str, Any]:
    """Return the conflicts, overlaps and uncovered rows as fields of `RuleSetMetrics`."""
    fired = np.bincount(at, minlength=len(numbers))
    codes: dict[Any, int] = {}
    values = np.array([codes.setdefault(rule.value, len(codes)) for rule in rules.rules], dtype=np.int64)
    apart = range(1, int(fired.max(initial=0)))
    # a row's rules stand together, so those that are d places apart are pairs of one row where the rows agree
    joint = [np.flatnonzero(at[d:] == at[:-d]) for d in apart]
    rows, one, other = (
        np.concatenate([each[found + step] for d, found in zip(apart, joint, strict=True) for step in [d * late]])
        if joint
        else np.zeros(0, dtype=np.int64)
        for each, late in ((at, 0), (to, 0), (to, 1))
    )
    differ = values[one] != values[other]
    conflicting = np.unique(rows[differ])
    uncovered = numbers[fired == 0].tolist()
    return {
        "conflicts": _claimed(rules, numbers, rows[differ], one[differ], other[differ]),
        "overlaps": _claimed(rules, numbers, rows[~differ], one[~differ], other[~differ]),
        "n_conflicting": len(conflicting),
        "conflicting": numbers[conflicting[:SHOWN]].tolist(),
        "n_uncovered": len(uncovered),
        "uncovered": uncovered[:SHOWN],
    }


def _claimed(rules: RuleSet | RuleList, numbers: Any, rows: Any, one: Any, other: Any) -> list[RulePair]:
    """Return each pair of rules with its rows, given as places."""
    keys = one * len(rules.rules) + other
    order = np.lexsort((rows, keys))
    pairs, starts, counts = np.unique(keys[order], return_index=True, return_counts=True)
    found = []
    for pair, start, n in zip(pairs.tolist(), starts.tolist(), counts.tolist(), strict=True):
        first, second = (rules.rules[place].number for place in divmod(pair, len(rules.rules)))
        shown = rows[order[start : start + min(n, SHOWN)]]
        found.append(RulePair(first, second, n, numbers[shown].tolist()))
    return sorted(found, key=lambda each: (-each.n, each.first, each.second))
