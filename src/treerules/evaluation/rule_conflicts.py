"""Rows of a table for which several rules fire, or none."""

from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.rules.rule_set import RuleList, RuleSet

#: The greatest number of rows that are listed.
SHOWN = 10


@short_repr
@frozen
class RulePair:
    """Two rules, by number, that fire for the same rows: the number of these rows, and the first of them, from 0."""

    first: int
    second: int
    n: int
    rows: tuple[int, ...] = field(converter=as_tuple)


def conflicts_of(rules: RuleSet | RuleList, row_of: Any, rule_of: Any, numbers: Any) -> dict[str, Any]:
    """Return conflicts, overlaps and uncovered rows as fields of `RuleSetMetrics`; `numbers` are those of the rows."""
    n_fired = np.bincount(row_of, minlength=len(numbers))
    codes: dict[Any, int] = {}
    values = np.array([codes.setdefault(rule.value, len(codes)) for rule in rules.rules], dtype=np.int64)
    rows, first, second = _pairs_of_rules(row_of, rule_of, int(n_fired.max(initial=0)))
    differ = values[first] != values[second]
    conflicting = np.unique(rows[differ])
    uncovered = numbers[n_fired == 0].tolist()
    return {
        "conflicts": _rule_pairs(rules, numbers, rows[differ], first[differ], second[differ]),
        "overlaps": _rule_pairs(rules, numbers, rows[~differ], first[~differ], second[~differ]),
        "n_conflicting": len(conflicting),
        "conflicting": numbers[conflicting[:SHOWN]].tolist(),
        "n_uncovered": len(uncovered),
        "uncovered": uncovered[:SHOWN],
    }


def _pairs_of_rules(row_of: Any, rule_of: Any, most: int) -> tuple[Any, Any, Any]:
    """Return the pairs of rules that fire for one row: arrays of rows, first rules and second rules, by position.

    The rules of a row are adjacent, at most `most` of them: two entries at a distance d are a pair if their rows are
    equal.
    """
    empty = np.zeros(0, dtype=np.int64)
    starts, ends = [empty], [empty]
    for distance in range(1, most):
        (start,) = np.nonzero(row_of[distance:] == row_of[:-distance])
        starts.append(start)
        ends.append(start + distance)
    start, end = np.concatenate(starts), np.concatenate(ends)
    return row_of[start], rule_of[start], rule_of[end]


def _rule_pairs(rules: RuleSet | RuleList, numbers: Any, rows: Any, first: Any, second: Any) -> list[RulePair]:
    """Return each pair of rules with its rows, given by position; most rows first, then by the rules' numbers."""
    keys = first * len(rules.rules) + second
    order = np.lexsort((rows, keys))
    distinct, starts, counts = np.unique(keys[order], return_index=True, return_counts=True)
    pairs = []
    for key, start, n in zip(distinct.tolist(), starts.tolist(), counts.tolist(), strict=True):
        first_number, second_number = (rules.rules[position].number for position in divmod(key, len(rules.rules)))
        first_rows = rows[order[start : start + min(n, SHOWN)]]
        pairs.append(RulePair(first_number, second_number, n, numbers[first_rows].tolist()))
    return sorted(pairs, key=lambda pair: (-pair.n, pair.first, pair.second))
