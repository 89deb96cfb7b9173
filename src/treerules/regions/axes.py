"""Axes of a space of boxes: one a feature, whose domain is reduced to atoms that no condition tells apart.

    OrderedAxis     the half-open steps between all bounds that conditions name, and missing
    StepSetAxis     the same steps, where some condition takes several intervals: grouped as categories are
    CategoryAxis    categories, unseen and missing, grouped where every condition takes all of a group or none

A part is a set of atoms of one axis: (first step, end of the steps, whether missing belongs to it), or the bits of an
integer. All classes have the same methods, so that no search depends on the kind of a feature.
"""

from collections.abc import Sequence
from typing import Any

from treerules.data.domain import ColumnDomain
from treerules.data.schema import Feature
from treerules.regions.category_axis import CategoryAxis
from treerules.regions.ordered_axis import OrderedAxis, Part
from treerules.regions.step_set_axis import StepSetAxis
from treerules.rules.rule import Condition

Axis = OrderedAxis | CategoryAxis | StepSetAxis


def axis_of(feature: Feature, domain: ColumnDomain, conditions: Sequence[Condition], kinds: Any) -> Axis:
    """Return the axis of boxes that each have one of some conditions on a feature, or none.

    `kinds` holds an integer for each box: 0 without a condition, otherwise 1 + the position of its condition.
    """
    if not feature.is_ordered:
        return CategoryAxis.of_conditions(feature, domain, conditions, kinds)
    has_unions = any(len(condition.intervals) > 1 for condition in conditions)
    axis_type = StepSetAxis if has_unions else OrderedAxis
    return axis_type.of_conditions(feature, domain, conditions, kinds)


__all__ = ["Axis", "CategoryAxis", "OrderedAxis", "Part", "StepSetAxis", "axis_of"]
