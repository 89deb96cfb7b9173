"""The kernels that the search calls."""

from treerules.growing.optimal.bits_kernel import best_of_bits, costs_of_two, shared_weights, space_for
from treerules.growing.optimal.depth_two_kernel import best_of_classes, best_of_means
from treerules.growing.optimal.row_lists_kernel import rows_on_side

__all__ = (
    "best_of_bits",
    "best_of_classes",
    "best_of_means",
    "costs_of_two",
    "rows_on_side",
    "shared_weights",
    "space_for",
)
