"""What is proved about the cost of a tree that `optimal()` learned: no tree of its kind costs less than a bound."""

from decimal import ROUND_FLOOR, Context
from math import isfinite
from typing import Any

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import OptionError

#: Squared errors are summed in doubles: a difference of less than this share is rounding.
_ROUNDING = 1e-9
#: How costs that are no whole numbers are written: down, so that no claim says more than is proved.
_WRITTEN = Context(prec=12, rounding=ROUND_FLOOR)
_MOST_EXACT = 2**53


@short_repr
@frozen
class CostBounds:
    """The cost of a tree on its training rows, and a lower bound of the cost of all trees of at most its depth.

    The cost is the summed cost of the errors (misclassified rows, or what weights and costs make of them; the squared
    error of a regression) and, for each leaf, the leaf penalty.

    Args:
        cost: the cost of the tree.
        lower: no tree costs less. It equals the cost where the tree is optimal.
        leaf_penalty: the price of a leaf.
        max_depth: the greatest depth of the trees that were compared.
        rounding: costs that are no whole numbers were rounded: those of a tree are exact to this.

    Raises:
        OptionError: a figure is impossible, such as a lower bound above the cost.
    """

    cost: float
    lower: float
    leaf_penalty: float
    max_depth: int
    rounding: float = 0.0

    def __attrs_post_init__(self) -> None:
        for name in ("cost", "lower", "leaf_penalty", "rounding"):
            value: Any = getattr(self, name)
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not is_number or not isfinite(value) or value < 0:
                raise OptionError(name, value, "a number from 0")
        if isinstance(self.max_depth, bool) or not isinstance(self.max_depth, int) or self.max_depth < 0:
            raise OptionError("max_depth", self.max_depth, "a whole number from 0")
        if self.lower > self.cost:
            raise OptionError("lower", self.lower, f"at most the cost, {self.cost}")

    @property
    def gap(self) -> float:
        """The share of the cost by which a better tree could be cheaper; 0 for an optimal tree."""
        return (self.cost - self.lower) / self.cost if self.cost else 0.0

    @property
    def is_optimal(self) -> bool:
        """Whether no tree costs less, apart from the rounding of sums."""
        return self.gap <= _ROUNDING


def cost_text(cost: float) -> str:
    """Return a cost of a claim as text that is not above it: a whole number exactly, any other in 12 digits.

    >>> cost_text(1234567899.0), cost_text(2 / 3)
    ('1234567899', '0.666666666666')
    """
    if cost <= _MOST_EXACT and cost == int(cost):
        return str(int(cost))
    return f"{float(_WRITTEN.create_decimal(repr(float(cost)))):.12g}"
