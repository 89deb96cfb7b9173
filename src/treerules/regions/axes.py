"""The axes of a rule set's space: one a feature, the values of its domain reduced to atoms that no rule tells apart.

    OrderedAxis     the half-open steps between all bounds that rules name, and missing
    CategoryAxis    categories, unseen and missing, those grouped together that every rule takes or leaves together

A part is some of an axis's atoms: (first step, end of steps, whether missing belongs to it), or the bits of an integer.
Both axes answer the same questions about rules and parts, so that the searches know only axes.
"""

from treerules.regions.category_axis import CategoryAxis
from treerules.regions.ordered_axis import OrderedAxis, Part, cost_of

Axis = OrderedAxis | CategoryAxis

__all__ = ["Axis", "CategoryAxis", "OrderedAxis", "Part", "cost_of"]
