"""The kernels that the search calls."""

from treerules.growing.optimal.depth_two_kernel import best_of_classes, best_of_means
from treerules.growing.optimal.row_lists_kernel import rows_on_side

__all__ = ("best_of_classes", "best_of_means", "rows_on_side")
