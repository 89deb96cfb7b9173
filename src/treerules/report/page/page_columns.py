"""The columns that a page asks for, as JSON: what its script needs to write the conditions of rules in words."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from treerules.data.domain import has_unseen, unseen_value
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Kind, ordinate
from treerules.data.value_format import value_text
from treerules.emit.lookup_nodes import LookupNodes
from treerules.rules.bounds import bound_of
from treerules.rules.phrasing import Phrasing
from treerules.rules.rule import Condition
from treerules.rules.wording import word


def page_columns(nodes: LookupNodes, phrasing: Phrasing) -> Iterator[dict[str, Any]]:
    """Yield what is known of each column that some node asks for, in the order of the codes.

    `last` is the greatest code of a known value: of an ordered column a value above all bounds, if there is one.
    """
    first = 0
    for feature, bounds in zip(nodes.features, nodes.bounds, strict=True):
        of_kind = _ordered if feature.is_ordered else _with_categories
        shared = {"name": feature.name, "text": word(feature.name), "scalar": feature.scalar, "first": first}
        yield {
            **shared,
            "isOrdered": feature.is_ordered,
            "values": _offered(feature),
            "missingWords": feature.reading.words,
            "trims": feature.reading.trim,
            "isMissingUnreadable": feature.reading.unreadable,
            **of_kind(feature, bounds, phrasing),
        }
        first += 2 if feature.is_ordered else 1


def _ordered(feature: Feature, bounds: tuple[Any, ...], phrasing: Phrasing) -> dict[str, Any]:
    """Return the bounds as rules show them, and of a column of 0 and 1 the codes of both."""
    shown = [bound_of(feature, bound) for bound in bounds]
    places = [ordinate(bound) for bound in bounds]
    has_greater = not bounds or bounds[-1] != feature.highest
    return {
        "form": "" if "%" in feature.form else feature.form,
        "bounds": [bound.shown for bound in shown],
        "isBefore": [int(bool(bound.after)) for bound in shown],
        "last": len(bounds) if has_greater else len(bounds) - 1,
        "isOpen": False,
        "saysMissing": phrasing.says_missing(feature, _EVERYTHING),
        "zeroOne": [bisect_left(places, value) for value in (0, 1)] if phrasing.is_zero_one(feature) else None,
    }


#: At most so many categories are offered to choose from.
_MOST_OFFERED = 1_000


def _offered(feature: Feature) -> list[str]:
    """Return the categories as people type them, to choose from."""
    return [value_text(value, "") for value in feature.categories[:_MOST_OFFERED]]


#: It has known values, so whether its missing one is said depends on the column alone.
_EVERYTHING = Condition(Interval(), missing=True)


def _with_categories(feature: Feature, categories: tuple[Any, ...], phrasing: Phrasing) -> dict[str, Any]:
    """Return the categories as rules show them."""
    training = phrasing.training
    return {
        "categories": [word(category, feature.form) for category in categories],
        "last": len(categories) - 1,
        "isOpen": feature.is_open,
        "hasUnseen": has_unseen(feature),
        "unseen": word(unseen_value(feature), feature.form) if has_unseen(feature) else "",
        "isOrdinal": feature.kind is Kind.ORDINAL,
        "saysMissing": training is None or feature.name in training.missing,
        "saysUnseen": training is None or feature.name in training.unseen,
    }
