"""Rows at which a model's answer may change: at each threshold and next to it, each category, unseen and missing.

    rule 2: x > 5 AND colour in {red}      in the rule     {"x": 5.000000000000001, "colour": "red"}
                                           at a bound      {"x": 5.0, "colour": "red"}
                                           elsewhere       {"x": nan, "colour": "red"}, {"x": 6.0, "colour": "Red"}, ...

Each row differs from a row that fires the rule in one value at most, so it reaches the test of that value in the tree.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, count
from typing import Any

from attrs import field, frozen

from treerules._internal.first_values import first_values
from treerules.errors import OptionError
from treerules.rules.parsed import ParsedRules
from treerules.rules.probe_values import ProbeValues, probe_values_of, shared_pairs
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, rules_of
from treerules.trees.tree import Tree


def boundary_rows(source: Source, most: int = 1000) -> list[dict[str, Any]]:
    """Return rows at which the answers of a model may change, for tests of its implementations.

    First comes a row that fires each rule, then rows that differ from one of these in a single value: at each bound of
    the rule, next to it, each category, an unseen and the missing value; at bounds of other rules; and values that
    languages and engines have trouble with, such as -0.0, 2**53 + 1 or text in another case. If there are more than
    `most`, rows are left out evenly. The same model gives the same rows; a rule list those of its rules as a set.

    Args:
        source: a tree, a rule set, a rule list or parsed rules.
        most: the greatest number of rows, from 1.

    Returns:
        Rows as mappings from names of columns to values, without duplicates. A missing key is a missing value, as are
        None and NaN.

    Raises:
        OptionError: `most` is no positive integer, or the source is of another type.

    Examples:
        >>> from treerules import Feature, Schema
        >>> from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest
        >>> root = Split(ThresholdTest(0, 5), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])])
        >>> boundary_rows(Tree(Schema([Feature("x", "integer")], Feature("y", "number")), root), most=4)
        [{'x': 5}, {'x': 6}, {'x': 4}, {'x': None}]
    """
    if not isinstance(source, (Tree, RuleSet, RuleList, ParsedRules)):
        raise OptionError("source", source, "a Tree, a RuleSet, a RuleList or ParsedRules")
    if type(most) is not int or most < 1:
        raise OptionError("most", most, "a positive integer")
    return _Rows(rules_of(source), most).collect()


@frozen(eq=False)
class _Rows:
    """The rows collected so far, by their text, up to a greatest number."""

    rules: RuleSet | RuleList
    most: int
    rows: dict[str, dict[str, Any]] = field(factory=dict, init=False)
    turns: Iterator[int] = field(factory=count, init=False)

    def collect(self) -> list[dict[str, Any]]:
        """Return the rows: those of rules first, then changes at bounds, anywhere, and to extreme values."""
        columns, most = probe_values_of(self.rules), self.most
        anywhere = [(name, value) for name, column in columns.items() for value in column.all_values()]
        reached = [r for r in self.rules if all(columns[name].values_in(condition) for name, condition in r.conditions)]
        pairs = shared_pairs(reached)
        at_bounds = _Changes(reached, {key: columns[name].values_around(c) for key, (name, c) in pairs.items()})
        extreme = _Changes(reached, {key: columns[name].extreme for key, (name, _) in pairs.items()})
        of_rules = ((reached[place], None, None) for place in _spread(len(reached)))
        bound_changes = map(at_bounds.at, _spread(at_bounds.total))
        extreme_changes = map(extreme.at, _spread(extreme.total))
        other_changes = ((reached[i % len(reached)], *anywhere[i]) for i in _spread(len(anywhere) if reached else 0))
        self._add(columns, of_rules, most if len(reached) <= most else most // 2 or 1)
        n_left = most - len(self.rows)
        n_bounds = most - min(len(anywhere) + extreme.total, n_left // 3)
        self._add(columns, first_values(bound_changes, 4 * most), n_bounds)
        self._add(columns, first_values(other_changes, 4 * most), most - min(extreme.total, n_left // 6))
        for changes in (extreme_changes, bound_changes, other_changes):
            self._add(columns, first_values(changes, 4 * most), most)
        return list(self.rows.values())

    def _add(self, columns: Mapping[str, ProbeValues], changes: Iterator[Any], end: int) -> None:
        """Add the rows of changes until there are `end` rows."""
        while len(self.rows) < end and (change := next(changes, None)) is not None:
            row = _row(columns, change[0], next(self.turns), change[1], change[2])
            self.rows.setdefault(repr(row), row)


def _spread(total: int) -> Iterator[int]:
    """Yield the positions 0 to total - 1, each once, so that the first ones are evenly spread."""
    golden = (math.sqrt(5) - 1) / 2
    step = next((step for step in count(int(total * golden) + 1) if math.gcd(step, total) == 1), 1)
    return (turn * step % total for turn in range(total))


class _Changes:
    """The changes of one value of a rule's row: for each condition of each rule, the values of `values`, by number."""

    def __init__(self, rules: Sequence[Rule], values: Mapping[int, Sequence[Any]]) -> None:
        self._rules, self._values = rules, values
        sizes = {key: len(some) for key, some in values.items()}
        self._ends = list(accumulate(sum(sizes[id(pair)] for pair in rule.conditions) for rule in rules))
        self.total = self._ends[-1] if self._ends else 0

    def at(self, number: int) -> tuple[Rule, str, Any]:
        """Return the rule, the column and the value of a change, whose number is below the total."""
        index = bisect_right(self._ends, number)
        rest = number - (self._ends[index - 1] if index else 0)
        for pair in self._rules[index].conditions:
            values = self._values[id(pair)]
            if rest < len(values):
                return self._rules[index], pair[0], values[rest]
            rest -= len(values)
        raise IndexError(number)


def _row(columns: Mapping[str, ProbeValues], rule: Rule, turn: int, name: str | None, value: Any) -> dict[str, Any]:
    """Return a row that fires a rule, but for the value of one column. A missing value has no key.

    Values of columns without a condition differ from turn to turn.
    """
    conditions, row = dict(rule.conditions), {}
    for index, (other, column) in enumerate(columns.items()):
        if other == name:
            row[other] = value
            continue
        choices = column.values_in(conditions[other]) if other in conditions else column.defaults
        position = 0 if name is None and other in conditions else turn + index
        if (choice := choices[position % len(choices)]) is not None:
            row[other] = choice
    return row
