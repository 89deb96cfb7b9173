"""The test of the chosen split, and the children of missing and unseen values."""

from treerules.data.schema import Schema
from treerules.growing.encoding import EncodedProblem
from treerules.growing.reference.node_data import Candidate
from treerules.growing.thresholds import threshold_between
from treerules.recipes.recipe import Recipe
from treerules.trees.node_parts import CategoryTest, Test, ThresholdTest


def missing_child_of(candidate: Candidate, test: Test) -> int:
    """Return the child that missing values go to in prediction; a child of their own is the last one."""
    if candidate.missing_child is None:
        return candidate.largest_child
    return test.arity if candidate.missing_child == len(candidate.groups) else candidate.missing_child


def n_children_of(candidate: Candidate, test: Test) -> int:
    """Return the number of children of a split."""
    return max(test.arity, missing_child_of(candidate, test) + 1)


def unseen_child_of(candidate: Candidate, schema: Schema) -> int | None:
    """Return the child that unseen categories go to, the largest one; None for a feature that cannot have any."""
    return candidate.largest_child if schema.features[candidate.feature].is_open else None


def test_of_candidate(data: EncodedProblem, candidate: Candidate, schema: Schema, recipe: Recipe) -> Test:
    """Return the test of a candidate. It has a branch for every category of the schema.

    Categories without rows in the node go to the largest child (binary splits) or to a last child of their own.
    """
    feature = schema.features[candidate.feature]
    n = len(feature.categories)
    if candidate.is_missing_test:
        return (
            ThresholdTest(candidate.feature, feature.highest)
            if feature.is_ordered
            else CategoryTest(candidate.feature, (range(n), ()))
        )
    if candidate.is_cut:
        (low,), (high,) = candidate.sides
        values = data.values[candidate.feature]
        threshold = threshold_between(feature, recipe.thresholds, values[low].item(), values[high].item(), values)
        if feature.is_ordered:
            return ThresholdTest(candidate.feature, threshold)
        return CategoryTest(candidate.feature, (range(threshold + 1), range(threshold + 1, n)))
    sides = [list(side) for side in candidate.sides]
    absent = sorted(set(range(n)).difference(*sides))
    if not absent:
        return CategoryTest(candidate.feature, sides)
    if not recipe.is_binary:
        return CategoryTest(candidate.feature, [*sides, absent])
    sides[candidate.largest_child] = sorted(sides[candidate.largest_child] + absent)
    return CategoryTest(candidate.feature, sides)
