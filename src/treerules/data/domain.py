"""Which values a column can take: what lies next to what, and what its user declares of it.

ColumnDomain(0, 120, missing=False)      an age: from 0 to 120, always known
ColumnDomain(unseen=False)               a category that will never have another value
"""

from collections.abc import Mapping
from math import inf, nextafter
from typing import Any

from attrs import field, frozen

from treerules.data.schema import SCALARS, Feature, Schema, at_ordinate, is_threshold, ordinate
from treerules.errors import OptionError


@frozen
class ColumnDomain:
    """What may come in a column. Without one all may: every value of its kind, missing and unseen ones.

    `lowest` and `highest` bound an ordered column, both included; None is the end of its kind. `missing` says whether a
    value may be missing, `unseen` whether a category may come that the schema does not name.

    Raises:
        OptionError: `missing` or `unseen` is neither True nor False.
    """

    lowest: Any = None
    highest: Any = None
    missing: bool = field(default=True, kw_only=True)
    unseen: bool = field(default=True, kw_only=True)

    def __attrs_post_init__(self) -> None:
        for name, value in (("missing", self.missing), ("unseen", self.unseen)):
            if not isinstance(value, bool):
                raise OptionError(name, value, "True or False")


#: What is declared, by column.
Domain = Mapping[str, ColumnDomain]


def domain_of(feature: Feature, domain: Domain | None) -> ColumnDomain:
    """Return what a column can take, with both ends where it has some: of its kind, or as declared."""
    found = ColumnDomain() if domain is None else domain.get(feature.name, ColumnDomain())
    if not feature.is_ordered:
        return ColumnDomain(missing=found.missing, unseen=found.unseen and unseen_value(feature) is not None)
    lowest = feature.lowest if found.lowest is None else found.lowest
    highest = feature.highest if found.highest is None else found.highest
    return ColumnDomain(lowest, highest, missing=found.missing, unseen=False)


def require_domain(schema: Schema, domain: Domain | None) -> None:
    """Raise unless a domain fits a schema.

    Raises:
        UnknownNameError: it names a column that the schema does not have.
        OptionError: it is no mapping, a bound is no value of its column's kind, or the lowest value is above the
            highest.
    """
    if domain is not None and not isinstance(domain, Mapping):
        raise OptionError("the domain", domain, "a mapping from columns' names to ColumnDomain")
    for name, declared in (domain or {}).items():
        feature = schema.feature(name)
        if not isinstance(declared, ColumnDomain):
            raise OptionError(f"the domain of column {name!r}", declared, "a ColumnDomain")
        bounds = [bound for bound in (declared.lowest, declared.highest) if bound is not None]
        if not all(is_threshold(bound, feature) for bound in bounds):
            raise OptionError(f"the domain of column {name!r}", declared, f"bounds of kind {feature.kind}, or none")
        if len(bounds) == 2 and bounds[0] > bounds[1]:
            raise OptionError(
                f"the domain of column {name!r}", declared, "a lowest value that is not above the highest"
            )


def next_value(feature: Feature, value: Any, *, up: bool = True) -> Any:
    """Return the value of an ordered column's kind that is next above another, or below; None at the end of the kind.

    >>> next_value(Feature("n", "integer"), 3), next_value(Feature("x", "number"), 1.0, up=False)
    (4, 0.9999999999999999)
    """
    scalar = SCALARS[feature.scalar]
    if value == (scalar.highest if up else scalar.lowest):
        return None
    if isinstance(value, float):
        return nextafter(value, inf if up else -inf) + 0.0
    return at_ordinate(feature.scalar, ordinate(value) + (1 if up else -1))


def unseen_value(feature: Feature) -> Any:
    """Return a value of the feature's type that is none of its categories; None if there is none (both booleans)."""
    scalar, known = feature.scalar, feature.positions
    lowest = ordinate(feature.lowest) if scalar in ("date", "timestamp", "timestamp_utc") else 0

    def made(turn: int) -> Any:
        if scalar == "text":
            return f"unseen{turn or ''}"
        return turn > 0 if scalar == "boolean" else at_ordinate(scalar, lowest + turn)

    n = 2 if scalar == "boolean" else len(known) + 1
    return next((value for turn in range(n) if (value := made(turn)) not in known), None)
