"""The kernels that the search calls."""

from treerules.growing.optimal.bits_kernel import best_of_bits, costs_of_two, shared_weights, space_for
from treerules.growing.optimal.depth_two_kernel import best_of_classes, best_of_means, first_of_classes
from treerules.growing.optimal.row_lists_kernel import rows_on_side

__all__ = (
    "best_of_bits",
    "best_of_classes",
    "best_of_means",
    "costs_of_two",
    "first_of_classes",
    "rows_on_side",
    "shared_weights",
    "space_for",
)
