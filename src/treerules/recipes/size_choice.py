"""How the size of a tree is chosen by cross-validation."""

from math import inf
from typing import Any

from attrs import field, frozen

from treerules._internal.conversion import unwrap_scalar
from treerules._internal.short_repr import short_repr
from treerules.errors import OptionError


@short_repr
@frozen
class SizeChoice:
    """The choice of a subtree of the cost-complexity path by cross-validation.

    The smallest subtree is chosen whose error is at most `standard_errors` standard errors above the least.

    Args:
        folds: the number of folds, from 2.
        max_rules: the greatest number of leaves, from 1.
        standard_errors: the number of standard errors, from 0; 1 is the rule of Breiman et al. (1984, section 3.4.3).

    Raises:
        OptionError: an argument has an invalid value.
    """

    folds: int = field(default=10, converter=unwrap_scalar)
    max_rules: int = field(default=32, converter=unwrap_scalar)
    standard_errors: float = field(default=0.5, converter=unwrap_scalar)

    def __attrs_post_init__(self) -> None:
        for name, least in (("folds", 2), ("max_rules", 1)):
            value: Any = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise OptionError(name, value, f"a whole number from {least}")
        errors: Any = self.standard_errors
        if isinstance(errors, bool) or not isinstance(errors, (int, float)) or not 0 <= errors < inf:
            raise OptionError("standard_errors", errors, "a number from 0")
