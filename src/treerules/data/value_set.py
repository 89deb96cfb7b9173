"""The set of values that satisfy a condition on one feature: `ValueSet`, with the algebra of sets.

    age <= 30 or age > 65        intervals (.., 30] and (65, ..)
    city in {a, b}, or unseen    categories a and b, and values that are not categories of the schema
    city is missing              the missing value, which every feature has

Every ordered kind is discrete, so intervals `(above, upto]` express every bound: `x < 50` means at most the number next
below 50.
"""

from collections.abc import Iterable
from typing import Any

from attrs import field, frozen

from treerules._internal.arguments import require_flags, require_type
from treerules._internal.conversion import unwrap_scalar
from treerules._internal.field_converters import as_frozenset, as_tuple
from treerules.data.domain import ColumnDomain, domain_of, has_unseen, next_value, unseen_value
from treerules.data.interval import (
    WHOLE_LINE,
    Interval,
    Intervals,
    bound_text,
    canonical,
    complement_of,
    cut_short,
    intersection_of,
    interval_text,
    union_of,
)
from treerules.data.known_values import category_at, intervals_at, known_where, misfit
from treerules.data.sample_values import value_between
from treerules.data.schema import Feature
from treerules.errors import InvalidTreeError, OptionError

#: The signs that `ValueSet.from_comparison` knows.
SIGNS = ("<", "<=", ">", ">=", "=", "!=", "in", "not in")
_FIELDS = ("feature", "intervals", "categories", "missing", "unseen")
#: The greatest number of characters that a `repr` shows of the values.
_SHOWN = 120


@frozen(repr=False)
class ValueSet:
    """The values of one feature that a condition takes: a union of intervals or some categories, missing, unseen.

    `a & b` are the values in both sets, `a | b` those in either, `a - b` those in `a` alone, `~a` all others; `a <= b`
    says whether `b` holds each value of `a`, `value in a` whether `a` holds a value. Both sets must be of one feature.
    Equal sets compare equal, however they came about.

    Args:
        feature: the feature whose values these are.
        intervals: for a feature with thresholds (number, integer, date, timestamp), its known values; they may overlap
            and be in any order.
        categories: for any other feature, its known values: some of its categories.
        missing: whether the set holds the missing value (None, NaN).
        unseen: whether the set holds the values that are not categories of an open feature (category, ordinal).

    Raises:
        OptionError: the feature is no Feature, or the categories are no collection.
        InvalidTreeError: the values do not fit the feature.

    Examples:
        >>> age = Feature("age", "integer")
        >>> young = ValueSet.from_comparison(age, "<", 30)
        >>> middle = ~young & ValueSet.from_comparison(age, "<=", 65)
        >>> middle
        <ValueSet 'age' (29, 65]>
        >>> 30 in middle, None in middle, middle <= ~young
        (True, False, True)
    """

    feature: Feature = field(hash=False)
    intervals: Intervals = field(default=(), converter=as_tuple, eq=canonical)
    categories: frozenset[Any] = field(default=frozenset(), converter=as_frozenset)
    missing: bool = False
    unseen: bool = False

    def __attrs_post_init__(self) -> None:
        require_type("feature", self.feature, Feature, "a Feature")
        require_flags(missing=self.missing, unseen=self.unseen)
        if problem := misfit(self.feature, self.intervals, self.categories, self.unseen):
            raise InvalidTreeError(problem, "give values that it can take")
        if self.unseen and not has_unseen(self.feature):  # both truth values are categories
            object.__setattr__(self, "unseen", False)
        if self.intervals:
            object.__setattr__(self, "intervals", union_of(self.intervals))

    # ---- constructors

    @classmethod
    def nothing(cls, feature: Feature) -> "ValueSet":
        """Return the empty set of a feature's values."""
        return cls(feature)

    @classmethod
    def everything(cls, feature: Feature, domain: ColumnDomain | None = None) -> "ValueSet":
        """Return all values of a feature, missing and unseen ones included.

        Args:
            feature: the feature.
            domain: which values may occur; by default every value of the feature's kind.

        Returns:
            The values of the domain.

        Raises:
            OptionError: `feature` is no Feature, or the bounds of the domain are not of its kind.
        """
        require_type("feature", feature, Feature, "a Feature")
        limits = domain_of(feature, None if domain is None else {feature.name: domain})
        if not feature.is_ordered:
            unseen = limits.unseen and has_unseen(feature)
            return valid_set(feature, (), frozenset(feature.categories), limits.missing, unseen)
        before = next_value(feature, limits.lowest, up=False)
        intervals = canonical((Interval(before, limits.highest),))
        return valid_set(feature, intervals, frozenset(), limits.missing, False)

    @classmethod
    def of_values(cls, feature: Feature, values: Iterable[Any]) -> "ValueSet":
        """Return the set of single values; None and NaN are the missing value.

        Args:
            feature: the feature.
            values: values of its kind. For an integer feature any real number is accepted, for a date feature any
                moment without a zone; a value between two values of the kind is ignored.

        Returns:
            The set of those values.

        Raises:
            CellError: a value is of the wrong kind.
            OptionError: `feature` is no Feature; `values` cannot be iterated, or is text.
            UnknownNameError: a value is not a category of the feature.

        Examples:
            >>> ValueSet.of_values(Feature("n", "integer"), [3, 4, 7, None])
            <ValueSet 'n' (2, 4], (6, 7], missing>
        """
        require_type("feature", feature, Feature, "a Feature")
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise OptionError("values", values, "a list or set of values")
        converted = [unwrap_scalar(value) for value in values]
        known_values = [value for value in converted if value is not None]
        missing = len(known_values) < len(converted)
        if not feature.is_ordered:
            categories = frozenset(category_at(feature, value) for value in known_values)
            return valid_set(feature, (), categories, missing, False)
        points = (point for value in known_values for point in intervals_at(feature, value))
        return valid_set(feature, union_of(points), frozenset(), missing, False)

    @classmethod
    def from_comparison(cls, feature: Feature, sign: str, value: Any) -> "ValueSet":
        """Return the values for which a comparison is true.

        Args:
            feature: the feature.
            sign: one of `<`, `<=`, `>`, `>=`, `=`, `!=`, `in`, `not in`. Order is that of the kind; of an ordinal, that
                in which it declares its levels.
            value: the value to compare with, as in `of_values`; for `in` and `not in`, an iterable of values.

        Returns:
            A set of known values; for an open feature, `!=` and `not in` also take unseen values.

        Raises:
            OptionError: there is no such sign, values of the feature have no order, or `feature` is no Feature.
            CellError: a value is of the wrong kind.
            UnknownNameError: a value is not a category of the feature.

        Examples:
            >>> ValueSet.from_comparison(Feature("n", "integer"), ">=", 2.5)
            <ValueSet 'n' (2, ..)>
            >>> ValueSet.from_comparison(Feature("size", "ordinal", ("S", "M", "L")), "<=", "M")
            <ValueSet 'size' 'S', 'M'>
        """
        require_type("feature", feature, Feature, "a Feature")
        if sign not in SIGNS:
            raise OptionError("sign", sign, f"one of {', '.join(SIGNS)}")
        if sign in ("=", "in"):
            return cls.of_values(feature, [value] if sign == "=" else value)
        if sign in ("!=", "not in"):
            known = ~cls(feature, missing=True)
            return known - cls.of_values(feature, [value] if sign == "!=" else value)
        return valid_set(feature, *known_where(feature, sign, value), missing=False, unseen=False)

    # ---- algebra

    def __and__(self, other: "ValueSet") -> "ValueSet":
        if not isinstance(other, ValueSet):
            return NotImplemented
        return valid_set(
            _shared_feature(self, other),
            intersection_of(self.intervals, other.intervals),
            self.categories & other.categories,
            self.missing and other.missing,
            self.unseen and other.unseen,
        )

    def __or__(self, other: "ValueSet") -> "ValueSet":
        if not isinstance(other, ValueSet):
            return NotImplemented
        return valid_set(
            _shared_feature(self, other),
            union_of((*self.intervals, *other.intervals)),
            self.categories | other.categories,
            self.missing or other.missing,
            self.unseen or other.unseen,
        )

    def __invert__(self) -> "ValueSet":
        feature = self.feature
        return valid_set(
            feature,
            complement_of(self.intervals) if feature.is_ordered else (),
            frozenset(feature.categories) - self.categories,
            not self.missing,
            has_unseen(feature) and not self.unseen,
        )

    def __sub__(self, other: "ValueSet") -> "ValueSet":
        return self & ~other if isinstance(other, ValueSet) else NotImplemented

    def __le__(self, other: "ValueSet") -> bool:
        return (self - other).is_empty if isinstance(other, ValueSet) else NotImplemented

    def __contains__(self, value: Any) -> bool:
        value = self.feature.convert(value)
        if value is None:
            return self.missing
        if self.feature.is_ordered:
            return any(value in interval for interval in self.intervals)
        return value in self.categories or (self.unseen and self.feature.position(value) is None)

    # ---- questions

    @property
    def has_known(self) -> bool:
        """Whether the set holds a value that is neither missing nor unseen."""
        return bool(self.intervals or self.categories)

    @property
    def is_empty(self) -> bool:
        """Whether the set holds no value."""
        if self.has_known or self.missing:
            return False
        return not self.unseen

    @property
    def is_everything(self) -> bool:
        """Whether the set holds every value of its feature, missing and unseen ones included."""
        if not self.missing or (has_unseen(self.feature) and not self.unseen):
            return False
        if self.feature.is_ordered:
            return canonical(self.intervals) == WHOLE_LINE
        return len(self.categories) == len(self.feature.categories)

    @property
    def members(self) -> tuple[Any, ...]:
        """The categories in the set, in the order of the schema."""
        return tuple(category for category in self.feature.categories if category in self.categories)

    @property
    def bounds(self) -> tuple[Any, ...]:
        """The bounds of the intervals, ascending; those without a bound give none."""
        ends = (end for interval in self.intervals for end in (interval.above, interval.upto))
        return tuple(end for end in ends if end is not None)

    def witness(self, domain: ColumnDomain | None = None) -> Any:
        """Return a value of the set that is quick to read: a known one if there is any, else an unseen one, else None.

        Args:
            domain: which values may occur; by default every value of the feature's kind.

        Returns:
            A value of the feature; None is the missing value.

        Raises:
            OptionError: the set holds no value of the domain.

        Examples:
            >>> ValueSet.from_comparison(Feature("x", "number"), ">", 7).witness()
            8.0
        """
        feature = self.feature
        limits = domain_of(feature, None if domain is None else {feature.name: domain})
        allowed = self & ValueSet.everything(feature, limits)
        if allowed.intervals:
            return value_between(feature, limits, allowed.intervals[0].above, allowed.intervals[0].upto)
        if allowed.categories:
            return allowed.members[0]
        if allowed.unseen and (unseen := unseen_value(feature)) is not None:
            return unseen
        if not allowed.missing:
            raise OptionError("the set of witness()", self, "a set that holds a value of the domain")
        return None

    def __repr__(self) -> str:
        texts = [interval_text(interval) for interval in self.intervals[:_SHOWN]]
        texts += [bound_text(category) for category in self.members[:_SHOWN]]
        texts += ["missing"] * self.missing + ["unseen"] * self.unseen
        values = "everything" if self.is_everything else ", ".join(texts) or "nothing"
        return f"<ValueSet {cut_short(repr(self.feature.name), 40)} {cut_short(values, _SHOWN)}>"


def valid_set(
    feature: Feature, intervals: Intervals, categories: frozenset[Any], missing: bool, unseen: bool
) -> ValueSet:
    """Return the set of values that fit their feature by construction; they are not checked again."""
    value_set = object.__new__(ValueSet)
    for name, value in zip(_FIELDS, (feature, intervals, categories, missing, unseen), strict=True):
        object.__setattr__(value_set, name, value)
    return value_set


def _shared_feature(first: ValueSet, second: ValueSet) -> Feature:
    """Return the feature of two sets; it is an error if they are of two features."""
    if first.feature is not second.feature and first.feature != second.feature:
        raise OptionError("the other set", second, f"a ValueSet of the same feature, {first.feature.name!r}")
    return first.feature
