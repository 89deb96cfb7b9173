"""How the size of a tree is chosen by cross-validation."""

from typing import Any

from attrs import field, frozen

from treerules._internal.conversion import unwrap_scalar
from treerules._internal.short_repr import short_repr
from treerules.errors import OptionError


@short_repr
@frozen
class SizeChoice:
    """The choice of a subtree of the cost-complexity path by cross-validation.

    A subtree is chosen of which each further rule takes a share of the remaining error away: the one of least
    log(error) + reduction_per_rule x rules.

    Args:
        folds: the number of folds, from 2.
        max_rules: the greatest number of leaves, from 1.
        reduction_per_rule: the share of the error that a further rule takes away, from 0 to below 1.

    Raises:
        OptionError: an argument has an invalid value.
    """

    folds: int = field(default=10, converter=unwrap_scalar)
    max_rules: int = field(default=32, converter=unwrap_scalar)
    reduction_per_rule: float = field(default=0.008, converter=unwrap_scalar)

    def __attrs_post_init__(self) -> None:
        for name, least in (("folds", 2), ("max_rules", 1)):
            value: Any = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise OptionError(name, value, f"a whole number from {least}")
        share: Any = self.reduction_per_rule
        if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share < 1:
            raise OptionError("reduction_per_rule", share, "a number from 0, below 1")
