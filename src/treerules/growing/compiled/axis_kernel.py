"""The order of many categories of more than two classes: along the first principal axis of their class shares."""

from typing import Any

from treerules._internal.jit import inner_kernel, kernel
from treerules.growing import principal_axis
from treerules.growing.principal_axis import MOST_AXES

_write_deviations = kernel(principal_axis.write_deviations)
_write_products = kernel(principal_axis.write_products)
_rotate_to_diagonal = kernel(principal_axis.rotate_to_diagonal)
_write_coordinates = kernel(principal_axis.write_coordinates)


@inner_kernel
def order_by_axis(totals: Any, factors: Any, arrays: Any, n_present: int) -> bool:
    """Write the coordinate of each present category as its share; False where the axis is not found here."""
    n_classes = 0
    for label in range(len(factors)):
        if totals[label] <= 0:
            continue
        for index in range(n_present):
            arrays.weighted[index, n_classes] = arrays.groups[index, label] * factors[label]
        n_classes += 1
    if min(n_classes, n_present) > MOST_AXES:
        return False
    _write_deviations(arrays.weighted, arrays.sizes, arrays.deviations, n_present, n_classes)
    _write_products(arrays.sizes, arrays.deviations, arrays.matrix, n_present, n_classes)
    _rotate_to_diagonal(arrays.matrix, arrays.vectors, min(n_classes, n_present))
    _write_coordinates(
        arrays.sizes, arrays.deviations, arrays.matrix, arrays.vectors, arrays.axis, arrays.shares, n_present, n_classes
    )
    return True
