"""The domain of a column: its allowed values, and the neighbours of a value.

ColumnDomain(0, 120, missing=False)      an age: from 0 to 120, always known
ColumnDomain(unseen=False)               a category that will never have another value
"""

from collections.abc import Mapping
from math import inf, nextafter
from typing import Any, Literal

from attrs import field, frozen

from treerules._internal.short_repr import short_repr
from treerules.data.schema import SCALARS, Feature, Schema, at_ordinate, is_threshold, ordinate
from treerules.data.value_format import value_text
from treerules.errors import CellError, OptionError


@short_repr
@frozen
class ColumnDomain:
    """The values that may occur in a column. Without a declared domain, every value of the column's kind may occur.

    Args:
        lowest: the least value of a number, integer, date or timestamp, included; None for the least value of the kind.
        highest: the greatest value, included; None for the greatest value of the kind.
        missing: whether a value may be missing.
        unseen: whether values that are not categories of the schema may occur (category and ordinal only).

    Raises:
        OptionError: `missing` or `unseen` is neither True nor False.

    Examples:
        >>> age = ColumnDomain(0, 120, missing=False)
    """

    lowest: Any = None
    highest: Any = None
    missing: bool = field(default=True, kw_only=True)
    unseen: bool = field(default=True, kw_only=True)

    def __attrs_post_init__(self) -> None:
        for name, value in (("missing", self.missing), ("unseen", self.unseen)):
            if not isinstance(value, bool):
                raise OptionError(name, value, "True or False")


#: The declared domain of some columns, by name.
Domain = Mapping[str, ColumnDomain]

#: What a row outside the declared domain gets: the model's answer, or none.
Outside = Literal["answer", "refuse"]


def domain_of(feature: Feature, domain: Domain | None) -> ColumnDomain:
    """Return the domain of a feature: as declared, with the ends of its kind where no bound is declared."""
    declared = ColumnDomain() if domain is None else domain.get(feature.name, ColumnDomain())
    if not feature.is_ordered:
        return ColumnDomain(missing=declared.missing, unseen=declared.unseen and unseen_value(feature) is not None)
    lowest = feature.lowest if declared.lowest is None else _bound(feature, declared, declared.lowest)
    highest = feature.highest if declared.highest is None else _bound(feature, declared, declared.highest)
    return ColumnDomain(lowest, highest, missing=declared.missing, unseen=False)


def narrowing(schema: Schema, domain: Domain | None) -> dict[str, ColumnDomain]:
    """Return the declarations of a domain that exclude some value of their column, in the order of the schema."""
    return {
        feature.name: domain[feature.name]
        for feature in schema.features
        if domain and domain_of(feature, domain) != domain_of(feature, None)
    }


def intersection_of(one: Domain, other: Domain) -> dict[str, ColumnDomain]:
    """Return the domain of the rows that lie in two domains."""
    return {
        name: _narrower(one.get(name, ColumnDomain()), other.get(name, ColumnDomain())) for name in {**one, **other}
    }


def _narrower(one: ColumnDomain, other: ColumnDomain) -> ColumnDomain:
    lowest = [bound for bound in (one.lowest, other.lowest) if bound is not None]
    highest = [bound for bound in (one.highest, other.highest) if bound is not None]
    return ColumnDomain(
        max(lowest, default=None),
        min(highest, default=None),
        missing=one.missing and other.missing,
        unseen=one.unseen and other.unseen,
    )


def _bound(feature: Feature, declared: ColumnDomain, bound: Any) -> Any:
    """Return a declared bound as a value of its feature: 1.0 for the 1 of a number.

    Raises:
        OptionError: the bound is no such value.
    """
    try:
        converted = feature.convert(bound)
    except CellError:
        converted = None
    if not is_threshold(converted, feature):
        raise OptionError(f"the domain of column {feature.name!r}", declared, f"bounds of kind {feature.kind}, or none")
    return converted


def require_domain(schema: Schema, domain: Domain | None) -> None:
    """Raise unless a domain fits a schema.

    Raises:
        UnknownNameError: `domain` names a column that the schema does not have.
        OptionError: `domain` is not a mapping from names to domains, a bound is not a value of the column's kind, or
            the lowest value is above the highest.
    """
    if domain is not None and not isinstance(domain, Mapping):
        raise OptionError("domain", domain, "a mapping from names of columns to ColumnDomain")
    for name, declared in (domain or {}).items():
        feature = schema.feature(name)
        if not isinstance(declared, ColumnDomain):
            raise OptionError(f"the domain of column {name!r}", declared, "a ColumnDomain")
        ends = (declared.lowest, declared.highest)
        bounds = [_bound(feature, declared, end) for end in ends if end is not None]
        if len(bounds) == 2 and bounds[0] > bounds[1]:
            raise OptionError(
                f"the domain of column {name!r}", declared, "a lowest value that is not above the highest"
            )


def require_outside(outside: Any, domain: Domain) -> bool:
    """Return whether rows outside a domain are refused.

    Raises:
        OptionError: `outside` is neither "answer" nor "refuse", or no domain is declared.
    """
    if not isinstance(outside, str) or outside not in ("answer", "refuse"):
        raise OptionError("outside", outside, "'answer' or 'refuse'")
    if outside == "refuse" and not domain:
        raise OptionError("outside", outside, "'answer': the model declares no domain, so no row is outside of it")
    return outside == "refuse"


def exclusion(feature: Feature, domain: Domain, value: Any) -> str:
    """Return what a domain says against a value, as the feature holds it; "" where it allows the value.

    >>> exclusion(Feature("x", "number"), {"x": ColumnDomain(0, 10)}, 11.0)
    'at most 10'
    """
    declared, kind = domain_of(feature, domain), domain_of(feature, None)
    if value is None:
        return "" if declared.missing else "never missing"
    if not feature.is_ordered:
        is_refused = kind.unseen and not declared.unseen and feature.position(value) is None
        return "never unseen" if is_refused else ""
    below = next_value(feature, declared.lowest, up=False)  # of integers 2 < 2.5 is as 2 < 3, as in every test
    if below is not None and value <= below:
        return f"at least {_bound_text(feature, declared.lowest)}"
    return f"at most {_bound_text(feature, declared.highest)}" if value > declared.highest else ""


def _bound_text(feature: Feature, bound: Any) -> str:
    return value_text(bound, feature.form).removesuffix(".0")


def next_value(feature: Feature, value: Any, *, up: bool = True) -> Any:
    """Return the value of an ordered feature next above a value, or next below it; None at the end of the kind.

    >>> next_value(Feature("n", "integer"), 3), next_value(Feature("x", "number"), 1.0, up=False)
    (4, 0.9999999999999999)
    """
    scalar = SCALARS[feature.scalar]
    if value == (scalar.highest if up else scalar.lowest):
        return None
    if isinstance(value, float):
        return nextafter(value, inf if up else -inf) + 0.0
    return at_ordinate(feature.scalar, ordinate(value) + (1 if up else -1))


def has_unseen(feature: Feature) -> bool:
    """Whether a feature has unseen values: it is open, and some value of its type is no category."""
    return feature.is_open and unseen_value(feature) is not None


def unseen_value(feature: Feature) -> Any:
    """Return a value of the feature's type that is not a category; None if both truth values are categories."""
    scalar, positions = feature.scalar, feature.positions
    lowest = ordinate(feature.lowest) if scalar in ("date", "timestamp", "timestamp_utc") else 0

    def candidate(index: int) -> Any:
        if scalar == "text":
            return f"unseen{index or ''}"
        return index > 0 if scalar == "boolean" else at_ordinate(scalar, lowest + index)

    n = 2 if scalar == "boolean" else len(positions) + 1
    return next((value for index in range(n) if (value := candidate(index)) not in positions), None)
