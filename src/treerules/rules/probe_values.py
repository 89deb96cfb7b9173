"""Test values of columns: bounds and their neighbours, categories, unseen and missing values, extreme values."""

import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import islice
from typing import Any

from attrs import field, frozen
from toolz import unique

from treerules._internal.field_converters import as_tuple
from treerules.data.domain import next_value, unseen_value
from treerules.data.interval import Interval
from treerules.data.schema import Feature
from treerules.rules.conditions import all_bounds
from treerules.rules.rule import Condition, Members, Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.shared_conditions import by_identity
from treerules.trees.node_parts import CategoryTest
from treerules.trees.nodes import Split
from treerules.trees.walkers import preorder

#: Values that engines and languages have trouble with, by the scalar of the column.
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

#: Variants in spelling are made of the first categories, at most this many.
_MOST_VARIED = 50


def shared_pairs(rules: Sequence[Rule]) -> dict[int, tuple[str, Condition]]:
    """Return the pairs (name of the column, condition) of rules by their identity, since rules share them."""
    return by_identity(pair for rule in rules for pair in rule.conditions)


@frozen(eq=False)
class ProbeValues:
    """The test values of one column: for conditions, at bounds, and values that languages have trouble with."""

    feature: Feature
    #: the thresholds of an ordered column, ascending; the categories of any other
    landmarks: tuple[Any, ...] = field(converter=as_tuple)
    #: a value that is no category; None where there is none, or none may come
    unseen: Any
    #: values for rules without a condition on the column; None is missing
    defaults: tuple[Any, ...]
    #: values that languages and engines have trouble with
    extreme: tuple[Any, ...]
    #: values that are missing, as the feature reads them: words, and of numbers NaN
    missing: tuple[Any, ...] = field(init=False)
    _values_in: dict[int, tuple[Any, ...]] = field(factory=dict, init=False)

    @missing.default
    def _missing_values(self) -> tuple[Any, ...]:
        reading, scalar = self.feature.reading, self.feature.scalar
        words = reading.values(scalar, self.feature.form)
        padded = [f"\t{word} " for word in words] if reading.trim and scalar == "text" else []
        return (*([math.nan] if scalar == "number" else []), *map(self.feature.convert, words), *padded)

    def values_in(self, condition: Condition) -> tuple[Any, ...]:
        """Return some values that meet a condition (None is missing); none if no value does."""
        if id(condition) not in self._values_in:
            self._values_in[id(condition)] = tuple(self._some_values(condition))
        return self._values_in[id(condition)]

    def _some_values(self, condition: Condition) -> Iterator[Any]:
        values = condition.values
        for interval in condition.intervals:
            yield from self._interval_values(interval)
        if isinstance(values, Members) and not values.complement:
            yield from islice(values.values, 3)
        elif isinstance(values, Members):
            excluded = set(values.values)
            yield from islice((value for value in self.landmarks if value not in excluded), 3)
        if condition.unseen and self.unseen is not None:
            yield self.unseen
        if condition.missing:
            yield None

    def _interval_values(self, interval: Interval) -> Iterator[Any]:
        """Yield the greatest and the least value of an interval; of an unbounded one some threshold."""
        greatest = interval.upto
        least = None if interval.above is None else next_value(self.feature, interval.above)
        if greatest is None and least is None:
            yield from self.defaults[:1] or (self.feature.highest,)
        elif greatest is None:
            yield from unique((least, self.feature.highest))
        else:
            yield from (end for end in (greatest, least) if end is not None)

    def values_around(self, condition: Condition) -> tuple[Any, ...]:
        """Return the values at which a condition may change: its bounds and their neighbours, or all categories.

        The missing value, and of an open column an unseen value, are among them.
        """
        missing = (None, *self.missing)
        if not self.feature.is_ordered:
            return (*self.landmarks, *(() if self.unseen is None else (self.unseen,)), *missing)
        bounds = all_bounds(condition) if condition.intervals else self.landmarks[:1] + self.landmarks[-1:]
        return (*unique(_with_neighbours(self.feature, bounds)), *missing)

    def all_values(self) -> Iterator[Any]:
        """Yield all thresholds with their neighbours and the missing value; or the default values."""
        if not self.feature.is_ordered:
            yield from self.defaults
            return
        yield from unique(_with_neighbours(self.feature, self.landmarks))
        yield None


def probe_values_of(rules: RuleSet | RuleList) -> dict[str, ProbeValues]:
    """Return the test values of each column that a condition, or a split of the rules' tree, is on, in schema order."""
    bounds: dict[str, list[Any]] = {}
    for name, condition in shared_pairs(rules.rules).values():
        bounds.setdefault(name, []).extend(all_bounds(condition))
    features = rules.schema.features
    tree = rules.tree if isinstance(rules, RuleSet) else None
    for node in () if tree is None else preorder(tree.root):
        if isinstance(node, Split):  # emitted code may test what no rule needs, since it divides no values
            thresholds = bounds.setdefault(features[node.test.feature].name, [])
            if not isinstance(node.test, CategoryTest):
                thresholds.extend(node.test.thresholds)
    return {f.name: _probe_values(f, sorted(unique(bounds[f.name]))) for f in features if f.name in bounds}


def _probe_values(feature: Feature, bounds: Sequence[Any]) -> ProbeValues:
    if feature.is_ordered:
        defaults = bounds or [value for value in EXTREME_VALUES[feature.scalar] if value == value]
        return ProbeValues(feature, bounds, None, (*defaults, None), EXTREME_VALUES[feature.scalar])
    unseen = unseen_value(feature) if feature.is_open else None
    defaults = (*feature.categories, *(() if unseen is None else (unseen,)), None)
    extreme = tuple(_variants(feature)) if feature.is_open else ()
    return ProbeValues(feature, feature.categories, unseen, defaults, extreme)


def _with_neighbours(feature: Feature, bounds: Iterable[Any]) -> Iterator[Any]:
    """Yield each bound with the values next below and next above it; None is no bound."""
    for bound in bounds:
        if bound is not None:
            around = (bound, next_value(feature, bound, up=False), next_value(feature, bound))
            yield from (value for value in around if value is not None)


def _variants(feature: Feature) -> Iterator[Any]:
    """Yield values that are similar to a category, and extreme ones: none is a category, none comes twice."""
    categories = set(feature.categories)
    varied = feature.categories[:_MOST_VARIED]
    similar: Iterable[Any] = ()
    if feature.scalar == "text":
        padded = (f"\t{category} " for category in varied if feature.reading.trim)
        similar = (*padded, *(text for category in varied for text in _similar_texts(category)))
    elif feature.scalar != "boolean":
        similar = (value for category in varied for value in _with_neighbours(feature, [category]))
    yield from (value for value in unique((*similar, *EXTREME_VALUES[feature.scalar])) if value not in categories)
    if feature.scalar == "number" and 0.0 in categories:
        yield -0.0


def _similar_texts(text: str) -> Iterator[str]:
    """Yield a text in other cases, with blanks, and in other Unicode normal forms."""
    yield from (text.upper(), text.lower(), text.swapcase(), text + " ", " " + text, text + "\n", text.strip())
    yield from (unicodedata.normalize(form, text) for form in ("NFD", "NFC", "NFKC"))
