"""The test of a chosen split, and the children that missing and unseen values go to."""

from treerules.data.schema import Schema
from treerules.growing.encoding import Encoded, threshold_between
from treerules.growing.reference.node_data import Candidate
from treerules.recipes.recipe import Recipe
from treerules.trees.node_parts import CategoryTest, Test, ThresholdTest


def missing_child(best: Candidate, test: Test) -> int:
    """Return the child that missing values go to when they are predicted; one of their own is the last."""
    if best.to is None:
        return best.largest
    return test.arity if best.to == len(best.groups) else best.to


def n_children(best: Candidate, test: Test) -> int:
    """Return how many children a split has."""
    return max(test.arity, missing_child(best, test) + 1)


def unseen_child(best: Candidate, schema: Schema) -> int | None:
    """Return the child that values go to which are none of the categories: the largest."""
    return best.largest if schema.features[best.feature].is_open else None


def test_of(data: Encoded, best: Candidate, schema: Schema, recipe: Recipe) -> Test:
    """Return the test of a split, which routes every category that the schema knows."""
    feature = schema.features[best.feature]
    n = len(feature.categories)
    if best.is_apart:
        return (
            ThresholdTest(best.feature, feature.highest)
            if feature.is_ordered
            else CategoryTest(best.feature, (range(n), ()))
        )
    if best.is_cut:
        (low,), (high,) = best.sides
        threshold = threshold_between(feature, data.values[best.feature], low, high, at_data=recipe.quinlan)
        if feature.is_ordered:
            return ThresholdTest(best.feature, threshold)
        return CategoryTest(best.feature, (range(threshold + 1), range(threshold + 1, n)))
    sides = [list(side) for side in best.sides]
    absent = sorted(set(range(n)).difference(*sides))
    if not absent:
        return CategoryTest(best.feature, sides)
    if not recipe.is_binary:
        return CategoryTest(best.feature, [*sides, absent])
    sides[best.largest] = sorted(sides[best.largest] + absent)
    return CategoryTest(best.feature, sides)
