"""The options of the search for an optimal tree."""

from math import inf
from typing import Any

from attrs import field, frozen

from treerules._internal.conversion import unwrap_scalar
from treerules._internal.short_repr import short_repr
from treerules.errors import OptionError


@short_repr
@frozen
class OptimalSearch:
    """The search for the tree of least cost: errors, and for each leaf a price.

    Args:
        leaf_penalty: the price of a leaf, in the unit of the cost: with 2, a further leaf must save more than two
            errors. None: cross-validation chooses it.
        time_limit: the seconds after which the best tree so far is returned; None is no limit.
        gap: the search ends where the tree costs at most this share more than the lower bound, from 0 to below 1.

    Raises:
        OptionError: an argument has an invalid value.
    """

    leaf_penalty: float | None = field(default=0.0, converter=unwrap_scalar)
    time_limit: float | None = field(default=60.0, converter=unwrap_scalar)
    gap: float = field(default=0.0, converter=unwrap_scalar)

    def __attrs_post_init__(self) -> None:
        penalty, limit, gap = self.leaf_penalty, self.time_limit, self.gap
        _require("leaf_penalty", penalty, penalty is None or (_is_number(penalty) and 0 <= penalty < inf), _PENALTY)
        _require("time_limit", limit, limit is None or (_is_number(limit) and 0 < limit < inf), _LIMIT)
        _require("gap", gap, _is_number(gap) and 0 <= gap < 1, "a number from 0, below 1")


_PENALTY = "a number from 0, or 'cv': chosen by cross-validation"
_LIMIT = "a number of seconds above 0, or None: no limit"


def _require(name: str, value: Any, is_valid: bool, accepted: str) -> None:
    if not is_valid:
        raise OptionError(name, value, accepted)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
