"""Rows where a model's answer may change: at each threshold and beside it, each category, unseen and missing.

    rule 2: x > 5 AND colour in {red}      in the rule     {"x": 5.000000000000001, "colour": "red"}
                                           at a bound      {"x": 5.0, "colour": "red"}
                                           elsewhere       {"x": nan, "colour": "red"}, {"x": 6.0, "colour": "Red"}, ...

Each row is a rule's own but for one value, so it gets as far down the tree as the question that the value is about.
"""

import math
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import accumulate, count, islice
from typing import Any

from attrs import field, frozen

from treerules._attrs import as_tuple
from treerules.asked import distinct
from treerules.compiling import compile_rules
from treerules.domains import next_value, unseen_value
from treerules.errors import OptionError
from treerules.parts import Threshold
from treerules.rules import Condition, Interval, Members, Rule, RuleSet
from treerules.schema import Feature
from treerules.tree import Split, Tree, preorder

#: Values that engines and languages have trouble with, by the scalar of their column.
_FAR: dict[str, tuple[Any, ...]] = {
    "number": (
        math.inf, -math.inf, -0.0, 0.0, 5e-324, -5e-324, 1.7976931348623157e308, -1.7976931348623157e308,
        2.0**53 - 1, 2.0**53, 2.0**53 + 2, 0.1, 0.1 + 0.2,
    ),
    "integer": (-(2**63), 2**63 - 1, 0, 1, -1, 2**53 - 1, 2**53, 2**53 + 1, 1 - 2**53, -(2**53), -(2**53) - 1),
    "boolean": (),
    "text": ("", " ", "NULL", "nan", "NA", "0", "'", '"', "\\", "%", "\n"),
    "date": (date.min, date.max, date(1970, 1, 1), date(1582, 10, 15), date(1900, 2, 28), date(2000, 2, 29)),
    "timestamp": (datetime.min, datetime.max, datetime(1970, 1, 1), datetime(1969, 12, 31, 23, 59, 59, 999999)),
}  # fmt: skip
_FAR["timestamp_utc"] = tuple(moment.replace(tzinfo=UTC) for moment in _FAR["timestamp"])

#: Of so many categories the hostile variants are made.
_MOST_VARIED = 50


def boundary_rows(source: Tree | RuleSet, most: int = 1000) -> list[dict[str, Any]]:
    """Return at most so many rows that probe where the answers of a model may change.

    First comes a row that fires each rule, then rows that differ from one in a single value: at each bound of the rule,
    next to it, each category, unseen and missing ones; at bounds of other rules; values that languages have trouble
    with. Where not all fit, some are left out evenly. A key that is not there is a missing value, as is None and NaN.
    Same model, same rows.

    >>> from treerules import Feature, Leaf, Mean, Schema, Split, Threshold
    >>> root = Split(Threshold(0, 5), [Leaf(Mean(0.0), [1]), Leaf(Mean(1.0), [1])])
    >>> boundary_rows(Tree(Schema([Feature("x", "integer")], Feature("y", "number")), root), most=4)
    [{'x': 5}, {'x': 6}, {'x': 4}, {'x': None}]

    Raises:
        OptionError: `most` is no number from 1.
    """
    if type(most) is not int or most < 1:
        raise OptionError("most", most, "a whole number from 1")
    rules = compile_rules(source) if isinstance(source, Tree) else source
    columns = _columns(rules)
    anywhere = [(name, value) for name, column in columns.items() for value in column.anywhere()]
    reached = [rule for rule in rules.rules if all(columns[name].inside(asked) for name, asked in rule.conditions)]
    near = _Tier(reached, {key: columns[name].near(asked) for key, (name, asked) in _pairs(reached).items()})
    far = _Tier(reached, {key: columns[name].far for key, (name, _) in _pairs(reached).items()})
    found: dict[str, dict[str, Any]] = {}
    turns = count()

    def gather(chosen: Iterator[tuple[Rule, str | None, Any]], end: int) -> None:
        while len(found) < end and (one := next(chosen, None)) is not None:
            row = _row(columns, one[0], next(turns), one[1], one[2])
            found.setdefault(repr(row), row)

    own = ((reached[place], None, None) for place in _spread(len(reached)))
    nearby, away = map(near.at, _spread(near.total)), map(far.at, _spread(far.total))
    loose = ((reached[at % len(reached)], *anywhere[at]) for at in _spread(len(anywhere)))
    gather(own, most if len(reached) <= most else most // 2 or 1)
    left = most - len(found)
    gather(islice(nearby, 4 * most), most - min(len(anywhere) + far.total, left // 3))
    gather(islice(loose, 4 * most), most - min(far.total, left // 6))
    for rest in (away, nearby, loose):
        gather(islice(rest, 4 * most), most)
    return list(found.values())


def _pairs(rules: Sequence[Rule]) -> dict[int, tuple[str, Condition]]:
    return distinct(pair for rule in rules for pair in rule.conditions)


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


def _row(columns: Mapping[str, "_Column"], rule: Rule, turn: int, name: str | None, value: Any) -> dict[str, Any]:
    """Return a row of a rule, but for a value put in. What the rule does not ask is anything; missing has no key."""
    asked, row = dict(rule.conditions), {}
    for place, (other, column) in enumerate(columns.items()):
        if other == name:
            row[other] = value
            continue
        choices = column.inside(asked[other]) if other in asked else column.pool
        at = 0 if name is None and other in asked else turn + place
        if (choice := choices[at % len(choices)]) is not None:
            row[other] = choice
    return row


# ---- the values of a column


@frozen(eq=False)
class _Column:
    """A column that rules ask for, and the values that may be put in it."""

    feature: Feature
    #: all thresholds, sorted; or the categories
    known: tuple[Any, ...] = field(converter=as_tuple)
    #: a value that is none of the categories; None where there is none, or cannot be
    unseen: Any
    #: what stands where a rule asks nothing; None is missing
    pool: tuple[Any, ...]
    #: values that languages have trouble with
    far: tuple[Any, ...]
    _insides: dict[int, tuple[Any, ...]] = field(factory=dict, init=False)

    def inside(self, condition: Condition) -> tuple[Any, ...]:
        """Return some values that meet a condition (None is missing); none where no value does."""
        if id(condition) not in self._insides:
            self._insides[id(condition)] = tuple(self._inside(condition))
        return self._insides[id(condition)]

    def _inside(self, condition: Condition) -> Iterator[Any]:
        values = condition.values
        if isinstance(values, Interval):
            yield from self._within(values)
        elif isinstance(values, Members) and not values.complement:
            yield from islice(values.values, 3)
        elif isinstance(values, Members):
            named = set(values.values)
            yield from islice((value for value in self.known if value not in named), 3)
        if condition.unseen and self.unseen is not None:
            yield self.unseen
        if condition.missing:
            yield None

    def _within(self, interval: Interval) -> Iterator[Any]:
        """Yield the last value of an interval, the first, one more; the middle of the line where it has no ends."""
        ends = [interval.upto, None if interval.above is None else next_value(self.feature, interval.above)]
        if ends == [None, None]:
            yield from self.pool[:1] or (self.feature.highest,)
        elif ends[0] is None:
            yield from dict.fromkeys((ends[1], self.feature.highest))
        else:
            yield from (end for end in ends if end is not None)

    def near(self, condition: Condition) -> tuple[Any, ...]:
        """Return the values around which a condition turns: its bounds and what is next to them, missing; or the
        categories, an unseen one, missing.
        """
        missing = (None, math.nan) if self.feature.scalar == "number" else (None,)
        values = condition.values
        if not self.feature.is_ordered:
            return (*self.known, *(() if self.unseen is None else (self.unseen,)), *missing)
        bounds = (values.above, values.upto) if isinstance(values, Interval) else (self.known[:1] + self.known[-1:])
        around = [near for bound in bounds if bound is not None for near in _around(self.feature, bound)]
        return (*dict.fromkeys(around), *missing)

    def anywhere(self) -> Iterator[Any]:
        """Yield the values around all that the column is asked for, also where no rule tells them apart."""
        if not self.feature.is_ordered:
            yield from self.pool
            return
        yield from dict.fromkeys(near for bound in self.known for near in _around(self.feature, bound))
        yield None


def _columns(rules: RuleSet) -> dict[str, _Column]:
    """Return the columns that some rule asks for, or a question of their tree, in the schema's order."""
    bounds: dict[str, dict[Any, None]] = {}
    for name, condition in _pairs(rules.rules).values():
        found, values = bounds.setdefault(name, {}), condition.values
        if isinstance(values, Interval):
            found.update((bound, None) for bound in (values.above, values.upto) if bound is not None)
    features = rules.schema.features
    for node in () if rules.tree is None else preorder(rules.tree.root):
        if isinstance(node, Split):  # what no rule asks, since it parts nothing, emitted code may ask all the same
            found = bounds.setdefault(features[node.test.feature].name, {})
            if isinstance(node.test, Threshold):
                found[node.test.threshold] = None
    return {f.name: _column(f, sorted(bounds[f.name])) for f in features if f.name in bounds}


def _column(feature: Feature, bounds: Sequence[Any]) -> _Column:
    if feature.is_ordered:
        pool = bounds or [value for value in _FAR[feature.scalar] if value == value]
        return _Column(feature, bounds, None, (*pool, None), _FAR[feature.scalar])
    unseen = unseen_value(feature) if feature.is_open else None
    pool = (*feature.categories, *(() if unseen is None else (unseen,)), None)
    far = () if not feature.is_open else tuple(_variants(feature))
    return _Column(feature, feature.categories, unseen, pool, far)


def _around(feature: Feature, value: Any) -> list[Any]:
    found = (value, next_value(feature, value, up=False), next_value(feature, value))
    return [near for near in found if near is not None]


def _variants(feature: Feature) -> Iterator[Any]:
    """Yield values that are almost some category, or that languages have trouble with, each once."""
    known = set(feature.categories)
    some = feature.categories[:_MOST_VARIED]
    if feature.scalar == "text":
        made: Iterator[Any] = (text for category in some for text in _like(category))
    elif feature.scalar == "boolean":
        made = iter(())
    else:
        made = (near for category in some for near in _around(feature, category)[1:])
    yield from (value for value in dict.fromkeys((*made, *_FAR[feature.scalar])) if value not in known)
    if feature.scalar == "number" and 0.0 in known:
        yield -0.0


def _like(text: str) -> Iterator[str]:
    yield from (text.upper(), text.lower(), text.swapcase(), text + " ", " " + text, text + "\n", text.strip())
    yield from (unicodedata.normalize(form, text) for form in ("NFD", "NFC", "NFKC"))
