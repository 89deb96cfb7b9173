"""Rows where a model's answer may change: at each threshold and beside it, each category, unseen and missing.

    rule 2: x > 5 AND colour in {red}      in the rule     {"x": 5.000000000000001, "colour": "red"}
                                           at a bound      {"x": 5.0, "colour": "red"}
                                           elsewhere       {"x": nan, "colour": "red"}, {"x": 6.0, "colour": "Red"}, ...

Each row is a rule's own but for one value, so it gets as far down the tree as the question that the value is about.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, count, islice
from typing import Any

from treerules.errors import OptionError
from treerules.rules.compile import compile_rules
from treerules.rules.probe_values import ProbeValues, probe_values_of, shared_pairs
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.tree import Tree


def boundary_rows(source: Tree | RuleSet | RuleList, most: int = 1000) -> list[dict[str, Any]]:
    """Return at most so many rows that probe where the answers of a model may change.

    First comes a row that fires each rule, then rows that differ from one in a single value: at each bound of the rule,
    next to it, each category, unseen and missing ones; at bounds of other rules; values that languages have trouble
    with. Where not all fit, some are left out evenly. A key that is not there is a missing value, as is None and NaN.
    Same model, same rows; a list has those of its rules as a set.

    >>> from treerules import Feature, Leaf, MeanPrediction, Schema, Split, ThresholdTest
    >>> root = Split(ThresholdTest(0, 5), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])])
    >>> boundary_rows(Tree(Schema([Feature("x", "integer")], Feature("y", "number")), root), most=4)
    [{'x': 5}, {'x': 6}, {'x': 4}, {'x': None}]

    Raises:
        OptionError: `most` is no number from 1, or the source is no tree and no rules.
    """
    if not isinstance(source, (Tree, RuleSet, RuleList)):
        raise OptionError("what rows are to probe", source, "a tree or rules")
    if type(most) is not int or most < 1:
        raise OptionError("most", most, "a whole number from 1")
    rules = compile_rules(source) if isinstance(source, Tree) else source
    columns = probe_values_of(rules)
    anywhere = [(name, value) for name, column in columns.items() for value in column.all_values()]
    reached = [rule for rule in rules.rules if all(columns[name].values_in(asked) for name, asked in rule.conditions)]
    near = _Tier(
        reached, {key: columns[name].values_around(asked) for key, (name, asked) in shared_pairs(reached).items()}
    )
    far = _Tier(reached, {key: columns[name].extreme for key, (name, _) in shared_pairs(reached).items()})
    found: dict[str, dict[str, Any]] = {}
    turns = count()

    def gather(chosen: Iterator[tuple[Rule, str | None, Any]], end: int) -> None:
        while len(found) < end and (one := next(chosen, None)) is not None:
            row = _row(columns, one[0], next(turns), one[1], one[2])
            found.setdefault(repr(row), row)

    own = ((reached[place], None, None) for place in _spread(len(reached)))
    nearby, away = map(near.at, _spread(near.total)), map(far.at, _spread(far.total))
    loose = ((reached[at % len(reached)], *anywhere[at]) for at in _spread(len(anywhere) if reached else 0))
    gather(own, most if len(reached) <= most else most // 2 or 1)
    left = most - len(found)
    gather(islice(nearby, 4 * most), most - min(len(anywhere) + far.total, left // 3))
    gather(islice(loose, 4 * most), most - min(far.total, left // 6))
    for rest in (away, nearby, loose):
        gather(islice(rest, 4 * most), most)
    return list(found.values())


def _spread(total: int) -> Iterator[int]:
    """Yield the places 0 to total, each once, so that the first ones are evenly spread, whatever repeats among them."""
    golden = (math.sqrt(5) - 1) / 2
    step = next((step for step in count(int(total * golden) + 1) if math.gcd(step, total) == 1), 1)
    return (turn * step % total for turn in range(total))


class _Tier:
    """The values that are put in, one by one, for each condition of each rule; found by their number."""

    def __init__(self, rules: Sequence[Rule], values: Mapping[int, Sequence[Any]]) -> None:
        self._rules, self._values = rules, values
        sizes = {key: len(found) for key, found in values.items()}
        self._ends = list(accumulate(sum(sizes[id(pair)] for pair in rule.conditions) for rule in rules))
        self.total = self._ends[-1] if self._ends else 0

    def at(self, place: int) -> tuple[Rule, str, Any]:
        """Return the rule, the column and the value of a place below the total."""
        turn = bisect_right(self._ends, place)
        rest = place - (self._ends[turn - 1] if turn else 0)
        for pair in self._rules[turn].conditions:
            values = self._values[id(pair)]
            if rest < len(values):
                return self._rules[turn], pair[0], values[rest]
            rest -= len(values)
        raise IndexError(place)


def _row(columns: Mapping[str, ProbeValues], rule: Rule, turn: int, name: str | None, value: Any) -> dict[str, Any]:
    """Return a row of a rule, but for a value put in. What the rule does not ask is anything; missing has no key."""
    asked, row = dict(rule.conditions), {}
    for place, (other, column) in enumerate(columns.items()):
        if other == name:
            row[other] = value
            continue
        choices = column.values_in(asked[other]) if other in asked else column.defaults
        at = 0 if name is None and other in asked else turn + place
        if (choice := choices[at % len(choices)]) is not None:
            row[other] = choice
    return row
