"""The values of a column that probe rules: at each bound and beside it, categories, unseen, missing, hostile ones."""

import math
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import islice
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.domain import next_value, unseen_value
from treerules.data.interval import Interval
from treerules.data.schema import Feature
from treerules.rules.rule import Condition, Members, Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.shared_conditions import by_identity
from treerules.trees.node_parts import ThresholdTest
from treerules.trees.nodes import Split
from treerules.trees.walkers import preorder

#: Values that engines and languages have trouble with, by the scalar of their column.
EXTREME_VALUES: dict[str, tuple[Any, ...]] = {
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
EXTREME_VALUES["timestamp_utc"] = tuple(moment.replace(tzinfo=UTC) for moment in EXTREME_VALUES["timestamp"])

#: Of so many categories the hostile variants are made.
_MOST_VARIED = 50


def shared_pairs(rules: Sequence[Rule]) -> dict[int, tuple[str, Condition]]:
    """Return the conditions of rules, each with its column, by the identity of the pair, which rules share."""
    return by_identity(pair for rule in rules for pair in rule.conditions)


@frozen(eq=False)
class ProbeValues:
    """A column that rules ask for, and the values that may be put in it."""

    feature: Feature
    #: all thresholds, sorted; or the categories
    landmarks: tuple[Any, ...] = field(converter=as_tuple)
    #: a value that is none of the categories; None where there is none, or cannot be
    unseen: Any
    #: what stands where a rule asks nothing; None is missing
    defaults: tuple[Any, ...]
    #: values that languages have trouble with
    extreme: tuple[Any, ...]
    _insides: dict[int, tuple[Any, ...]] = field(factory=dict, init=False)

    def values_in(self, condition: Condition) -> tuple[Any, ...]:
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
            yield from islice((value for value in self.landmarks if value not in named), 3)
        if condition.unseen and self.unseen is not None:
            yield self.unseen
        if condition.missing:
            yield None

    def _within(self, interval: Interval) -> Iterator[Any]:
        """Yield the last value of an interval, the first, one more; the middle of the line where it has no ends."""
        ends = [interval.upto, None if interval.above is None else next_value(self.feature, interval.above)]
        if ends == [None, None]:
            yield from self.defaults[:1] or (self.feature.highest,)
        elif ends[0] is None:
            yield from dict.fromkeys((ends[1], self.feature.highest))
        else:
            yield from (end for end in ends if end is not None)

    def values_around(self, condition: Condition) -> tuple[Any, ...]:
        """Return the values around which a condition turns: its bounds and what is next to them, missing; or the
        categories, an unseen one, missing.
        """
        missing = (None, math.nan) if self.feature.scalar == "number" else (None,)
        values = condition.values
        if not self.feature.is_ordered:
            return (*self.landmarks, *(() if self.unseen is None else (self.unseen,)), *missing)
        bounds = (
            (values.above, values.upto) if isinstance(values, Interval) else (self.landmarks[:1] + self.landmarks[-1:])
        )
        around = [near for bound in bounds if bound is not None for near in _around(self.feature, bound)]
        return (*dict.fromkeys(around), *missing)

    def all_values(self) -> Iterator[Any]:
        """Yield the values around all that the column is asked for, also where no rule tells them apart."""
        if not self.feature.is_ordered:
            yield from self.defaults
            return
        yield from dict.fromkeys(near for bound in self.landmarks for near in _around(self.feature, bound))
        yield None


def probe_values_of(rules: RuleSet | RuleList) -> dict[str, ProbeValues]:
    """Return the columns that some rule asks for, or a question of their tree, in the schema's order."""
    bounds: dict[str, dict[Any, None]] = {}
    for name, condition in shared_pairs(rules.rules).values():
        found, values = bounds.setdefault(name, {}), condition.values
        if isinstance(values, Interval):
            found.update((bound, None) for bound in (values.above, values.upto) if bound is not None)
    features = rules.schema.features
    tree = rules.tree if isinstance(rules, RuleSet) else None
    for node in () if tree is None else preorder(tree.root):
        if isinstance(node, Split):  # what no rule asks, since it parts nothing, emitted code may ask all the same
            found = bounds.setdefault(features[node.test.feature].name, {})
            if isinstance(node.test, ThresholdTest):
                found[node.test.threshold] = None
    return {f.name: _column(f, sorted(bounds[f.name])) for f in features if f.name in bounds}


def _column(feature: Feature, bounds: Sequence[Any]) -> ProbeValues:
    if feature.is_ordered:
        pool = bounds or [value for value in EXTREME_VALUES[feature.scalar] if value == value]
        return ProbeValues(feature, bounds, None, (*pool, None), EXTREME_VALUES[feature.scalar])
    unseen = unseen_value(feature) if feature.is_open else None
    pool = (*feature.categories, *(() if unseen is None else (unseen,)), None)
    far = () if not feature.is_open else tuple(_variants(feature))
    return ProbeValues(feature, feature.categories, unseen, pool, far)


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
    yield from (value for value in dict.fromkeys((*made, *EXTREME_VALUES[feature.scalar])) if value not in known)
    if feature.scalar == "number" and 0.0 in known:
        yield -0.0


def _like(text: str) -> Iterator[str]:
    yield from (text.upper(), text.lower(), text.swapcase(), text + " ", " " + text, text + "\n", text.strip())
    yield from (unicodedata.normalize(form, text) for form in ("NFD", "NFC", "NFKC"))
