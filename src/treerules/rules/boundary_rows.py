"""Rows at which a model's answer may change: at each threshold and next to it, each category, unseen and missing.

    rule 2: x > 5 AND colour in {red}      in the rule     {"x": 5.000000000000001, "colour": "red"}
                                           at a bound      {"x": 5.0, "colour": "red"}
                                           elsewhere       {"x": nan, "colour": "red"}, {"x": 6.0, "colour": "Red"}, ...

Each row differs from a row that fires the rule in one value at most, so it reaches the test of that value in the tree.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, count, islice
from typing import Any

from attrs import field, frozen

from treerules._internal.first_values import first_values
from treerules._internal.notes import or_none
from treerules._internal.spread import spread
from treerules.errors import OptionError
from treerules.rules.distinguishing_rows import TreeRows
from treerules.rules.parsed import ParsedRules
from treerules.rules.probe_values import ProbeValues, probe_values_of, shared_pairs
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, rules_of
from treerules.trees.ensemble import Ensemble
from treerules.trees.tree import Tree

#: Without a given number there are at most so many rows.
MOST_ROWS = 100_000
#: Without a given number there are at most so many rows of an ensemble, unless it has more trees.
MOST_ENSEMBLE_ROWS = 20_000
#: Without a given number so many rows with one value changed come behind those at the tests of a tree.
_MOST_CHANGES = 1_000


def boundary_rows(source: Source | Ensemble, most: int | None = 1000) -> list[dict[str, Any]]:
    """Return rows at which the answers of a model may change, for tests of its implementations.

    First comes a row that fires each rule. Of a tree then rows at both sides of each threshold, with each category,
    unseen and missing at each test, where the other side of the test would answer differently; rows of each rule at
    both ends of its conditions; and rows just outside each. Then rows that differ from a rule's in a single value: at
    each bound of the rule, next to it, each category, an unseen and the missing value, also as words for it that the
    model reads; at bounds of other rules; and values that languages and engines have trouble with, such as -0.0,
    2**53 + 1 or text in another case, or with blanks and tabs where the model trims text. If there are
    more than `most`, rows are left out evenly. The same model gives the same rows; a rule list those of its rules as a
    set.

    Args:
        source: a tree, an ensemble, a rule set, a rule list or parsed rules. Of an ensemble each tree has as many rows.
        most: the greatest number of rows, from 1; None for as many as the tests of the model ask for: 1,000, or several
            for each test, at most 100,000; of an ensemble 20,000.

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
        [{'x': 5}, {'x': 6}, {'x': None}, {'x': 4}]
    """
    if not isinstance(source, (Tree, RuleSet, RuleList, ParsedRules, Ensemble)):
        raise OptionError("source", source, "a Tree, an Ensemble, a RuleSet, a RuleList or ParsedRules")
    if most is not None and (type(most) is not int or most < 1):
        raise OptionError("most", most, or_none("a positive integer"))
    if isinstance(source, Ensemble):
        return _ensemble_rows(source, most)
    return _Rows(rules_of(source), most).collect()


def _ensemble_rows(ensemble: Ensemble, most: int | None) -> list[dict[str, Any]]:
    """Return rows of each tree, as many of each; columns that a tree does not test have values of the tree behind it.

    So a row is at a test of one tree, and reaches leaves of the others by values at their tests.
    """
    n_trees = len(ensemble.trees)
    if most is None:
        most = max(MOST_ENSEMBLE_ROWS, 2 * n_trees)
    of_tree = [boundary_rows(tree, max(most // n_trees, 1)) for tree in ensemble.trees]
    rows: dict[str, dict[str, Any]] = {}
    for position, own in enumerate(of_tree):
        others = of_tree[(position + 1) % n_trees]
        for at, row in enumerate(own):
            filled = {**others[at % len(others)], **row}
            rows.setdefault(repr(filled), filled)
    kept = list(rows.values())
    return [kept[position] for position in islice(spread(len(kept)), most)]


@frozen(eq=False)
class _Rows:
    """The rows collected so far, by their text, up to a greatest number."""

    rules: RuleSet | RuleList
    #: None for as many as the tests of the model ask for
    most: int | None
    rows: dict[str, dict[str, Any]] = field(factory=dict, init=False)
    turns: Iterator[int] = field(factory=count, init=False)

    def collect(self) -> list[dict[str, Any]]:
        """Return the rows: those of rules first, then at the tests of a tree, and those with one value changed."""
        columns = probe_values_of(self.rules)
        reached = [r for r in self.rules if all(columns[name].values_in(condition) for name, condition in r.conditions)]
        most = MOST_ROWS if self.most is None else self.most
        of_rules = ((reached[place], None, None) for place in spread(len(reached)))
        self._add(self._changed(columns, of_rules), most if len(reached) <= most else most // 2 or 1)
        tree = self.rules.tree if isinstance(self.rules, RuleSet) else None
        if tree is not None:
            rows = TreeRows(tree, columns)
            n_tests = most if self.most is None else len(self.rows) + (most - len(self.rows)) // 2
            self._add(chain(rows.at_splits(), rows.in_rules(), rows.outside_rules()), n_tests)
        self._add_changes(columns, reached)
        return list(self.rows.values())

    def _add_changes(self, columns: Mapping[str, ProbeValues], reached: Sequence[Rule]) -> None:
        """Add rows of rules with one value changed: at bounds, anywhere, and to extreme values."""
        anywhere = [(name, value) for name, column in columns.items() for value in column.all_values()]
        pairs = shared_pairs(reached)
        at_bounds = _Changes(reached, {key: columns[name].values_around(c) for key, (name, c) in pairs.items()})
        extreme = _Changes(reached, {key: columns[name].extreme for key, (name, _) in pairs.items()})
        most = self._most_with(at_bounds.total) if self.most is None else self.most
        bound_changes = self._changed(columns, map(at_bounds.at, spread(at_bounds.total)))
        extreme_changes = self._changed(columns, map(extreme.at, spread(extreme.total)))
        others = ((reached[i % len(reached)], *anywhere[i]) for i in spread(len(anywhere) if reached else 0))
        other_changes = self._changed(columns, others)
        n_left = most - len(self.rows)
        n_bounds = most - min(len(anywhere) + extreme.total, n_left // 3)
        self._add(first_values(bound_changes, 4 * most), n_bounds)
        self._add(first_values(other_changes, 4 * most), most - min(extreme.total, n_left // 6))
        for changes in (extreme_changes, bound_changes, other_changes):
            self._add(first_values(changes, 4 * most), most)

    def _most_with(self, n_changes: int) -> int:
        """Return how many rows there are at most where no number is given; `n_changes` are those at bounds."""
        has_tree = isinstance(self.rules, RuleSet) and self.rules.tree is not None
        more = _MOST_CHANGES if has_tree else n_changes + _MOST_CHANGES
        return max(_MOST_CHANGES, min(MOST_ROWS, len(self.rows) + more))

    def _changed(self, columns: Mapping[str, ProbeValues], changes: Iterable[Any]) -> Iterator[dict[str, Any]]:
        """Yield the rows of changes: a rule, and the column and the value that are changed, if any."""
        for rule, name, value in changes:
            yield _row(columns, rule, next(self.turns), name, value)

    def _add(self, rows: Iterator[dict[str, Any]], end: int) -> None:
        """Add rows until there are `end` rows."""
        while len(self.rows) < end and (row := next(rows, None)) is not None:
            self.rows.setdefault(repr(row), row)


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
