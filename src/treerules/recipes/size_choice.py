"""How the size of a tree is chosen by cross-validation."""

from typing import Any

from attrs import field, frozen

from treerules._internal.conversion import unwrap_scalar
from treerules._internal.notes import or_none
from treerules._internal.short_repr import short_repr
from treerules.errors import OptionError

#: The share of the error that a further rule takes away, and that in tables of many rows.
_PRICE, _PRICE_OF_LARGE, _LARGE = 0.008, 0.016, 5_000


@short_repr
@frozen
class SizeChoice:
    """The choice of a subtree of the cost-complexity path by cross-validation.

    A subtree is chosen of which each further rule takes a share of the remaining error away: the one of least
    log(error) + reduction_per_rule x rules.

    Args:
        folds: the number of folds, from 2.
        max_rules: the greatest number of leaves, from 1.
        reduction_per_rule: the share of the error that a further rule takes away, from 0 to below 1; None is 0.008,
            and 0.016 in tables of 5,000 rows or more, which have rules enough.

    Raises:
        OptionError: an argument has an invalid value.
    """

    folds: int = field(default=10, converter=unwrap_scalar)
    max_rules: int = field(default=32, converter=unwrap_scalar)
    reduction_per_rule: float | None = None

    def __attrs_post_init__(self) -> None:
        for name, least in (("folds", 2), ("max_rules", 1)):
            value: Any = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise OptionError(name, value, f"a whole number from {least}")
        share: Any = self.reduction_per_rule
        if share is None:
            return
        if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share < 1:
            raise OptionError("reduction_per_rule", share, or_none("a number from 0, below 1"))

    def price(self, weight: float) -> float:
        """Return the share of the error that a further rule takes away in a table of a weight."""
        if self.reduction_per_rule is not None:
            return self.reduction_per_rule
        return _PRICE if weight < _LARGE else _PRICE_OF_LARGE
