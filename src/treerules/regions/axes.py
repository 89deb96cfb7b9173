"""Axes of a space of boxes: one a feature, whose domain is reduced to atoms that no condition tells apart.

    OrderedAxis     the half-open steps between all bounds that conditions name, and missing
    CategoryAxis    categories, unseen and missing, grouped where every condition takes all of a group or none

A part is a set of atoms of one axis: (first step, end of the steps, whether missing belongs to it), or the bits of an
integer. Both classes have the same methods, so that no search depends on the kind of a feature.
"""

from treerules.regions.category_axis import CategoryAxis
from treerules.regions.ordered_axis import OrderedAxis, Part

Axis = OrderedAxis | CategoryAxis

__all__ = ["Axis", "CategoryAxis", "OrderedAxis", "Part"]
