"""A decision tree grown from rules instead of rows: each node has the test that divides fewest of its rules."""

from collections.abc import Callable, Mapping

from treerules.data.domain import Domain
from treerules.data.schema import Schema
from treerules.data.value_set import ValueSet
from treerules.errors import DataError
from treerules.regions.axes import Axis, CategoryAxis, OrderedAxis, Part, StepSetAxis
from treerules.regions.best_cut import best_question
from treerules.regions.partition import SpaceCell, divide_cell, whole_cell
from treerules.regions.space import space_of
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleSet
from treerules.trees.node_parts import CategoryTest, Test, ThresholdTest
from treerules.trees.nodes import Leaf, Node, Split
from treerules.trees.value_set_test import ValueSetTest
from treerules.trees.walkers import unfold

#: A function that builds a split from its children.
Join = Callable[[tuple[Node, ...]], Node]


def grow_from_rules(
    rules: RuleSet, sources: Mapping[int, int], domain: Domain | None, budget: int
) -> tuple[Node, list[Rule]]:
    """Return the root of a tree equivalent to exclusive and complete rules, and the rule of each leaf in order.

    Args:
        rules: the rules.
        sources: the number that each leaf gets, by the number of its rule.
        domain: the values that columns can take; None is all.
        budget: the greatest number of leaves.

    Raises:
        DataError: the tree would have more leaves.
    """
    space = space_of(rules, domain)
    n_zeros = len(rules.schema.classes) or 1
    leaves = [Leaf(rule.prediction, [0.0] * n_zeros, sources[rule.number]) for rule in rules.rules]
    rule_of_leaf: list[int] = []  # leaves are created in order, since `unfold` is depth first

    def step(cell: SpaceCell) -> Leaf | tuple[Join, list[SpaceCell]]:
        if len(cell.boxes) == 1:
            if len(rule_of_leaf) == budget:
                problem = f"as a tree the rules would have more leaves than the budget of {budget}"
                raise DataError(problem, "give a larger one, or emit the rules in the flat layout")
            rule_of_leaf.append(int(cell.boxes[0]))
            return leaves[rule_of_leaf[-1]]
        index, parts = best_question(space, cell)
        return _join(*_test(rules.schema, space.axes[index], parts)), divide_cell([space], cell, index, parts)

    root = unfold(whole_cell(space), step)
    return root, [rules.rules[position] for position in rule_of_leaf]


def _join(test: Test, missing: int, unseen: int | None) -> Join:
    def join(children: tuple[Node, ...]) -> Node:
        return Split(test, children, missing, unseen)

    return join


def _test(schema: Schema, axis: Axis, parts: tuple[Part, ...]) -> tuple[Test, int, int | None]:
    """Return the test of a question, and the children of missing and of unseen values."""
    if isinstance(axis, OrderedAxis):
        return _threshold_test(schema, axis, parts)
    if isinstance(axis, StepSetAxis):
        return _value_set_test(schema, axis, parts)
    return _category_test(schema, axis, parts)


def _value_set_test(schema: Schema, axis: StepSetAxis, parts: tuple[Part, ...]) -> tuple[Test, int, int | None]:
    """Return the test of some steps, and the child of missing values. A missing test is a cut at the highest value.

    The lowest step is in the first part, so where that one has the lower steps, the test is a threshold.
    """
    feature, index = axis.feature, schema.index(axis.feature.name)
    first, second = (axis.steps_of(part) for part in parts)
    missing = int(axis.condition(parts[1]).missing)
    if not second or first[-1] < second[0]:
        return ThresholdTest(index, axis.ends[first[-1]] if second else feature.highest), missing, None
    return ValueSetTest(index, ValueSet(feature, axis.intervals_of(parts[0]))), missing, None


def _threshold_test(schema: Schema, axis: OrderedAxis, parts: tuple[Part, ...]) -> tuple[Test, int, int | None]:
    """Return the test of a cut, and the child of missing values. A missing test is a cut at the highest value."""
    (_, step, _), (_, end, _), *_ = parts
    threshold = axis.ends[step - 1] if end else axis.feature.highest
    missing = next((child for child, part in enumerate(parts) if part[2]), 0)
    return ThresholdTest(schema.index(axis.feature.name), threshold), missing, None


def _category_test(schema: Schema, axis: CategoryAxis, parts: tuple[Part, ...]) -> tuple[Test, int, int | None]:
    """Return the test of a grouping, and the children of missing and of unseen values.

    Categories that do not reach the node go to the child of unseen values. A last side of missing values only is a
    separate child if there are two others, else a group without categories.
    """
    feature = axis.feature
    sides = [[axis.atoms[atom] for atom in axis.atoms_of(part)] for part in parts]
    unseen = next((child for child, side in enumerate(sides) if any(atom.unseen for atom in side)), 0)
    missing = next((child for child, side in enumerate(sides) if any(atom.missing for atom in side)), unseen)
    groups = [sorted(position for atom in side for position in atom.positions) for side in sides]
    reached = {position for group in groups for position in group}
    groups[unseen] = sorted({*groups[unseen], *range(len(feature.categories))} - (reached - set(groups[unseen])))
    is_missing_alone = all(atom.missing and not atom.unseen and not atom.positions for atom in sides[missing])
    if is_missing_alone and len(groups) > 2:
        del groups[missing]  # sides are in the order of their first atoms, so this was the last one
    return CategoryTest(schema.index(feature.name), groups), missing, unseen if feature.is_open else None
