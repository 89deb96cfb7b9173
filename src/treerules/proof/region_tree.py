"""A tree grown from rules instead of rows: the question that cuts fewest of them, again and again."""

from collections.abc import Callable, Mapping

from treerules.data.domain import Domain
from treerules.data.schema import Schema
from treerules.errors import DataError
from treerules.regions.axes import CategoryAxis
from treerules.regions.best_cut import Cut, Grouping, Part, Rows, best_question, rows_of
from treerules.regions.space import space_of
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleSet
from treerules.trees.node_parts import CategoryTest, Test, ThresholdTest
from treerules.trees.tree import Leaf, Node, Split, unfold


def grown(rules: RuleSet, sources: Mapping[int, int], domain: Domain | None, budget: int) -> tuple[Node, list[Rule]]:
    """Return the root of the tree of an exclusive and complete rule set, and the rule of each leaf in order.

    `sources` numbers the leaves by their rules' numbers.

    Raises:
        DataError: it would have more than `budget` leaves.
    """
    rows = rows_of(space_of(rules.schema, rules.rules, domain))
    n_zeros = len(rules.schema.classes) or 1
    made = [_leaf(rule, sources, n_zeros) for rule in rules.rules]
    places: list[int] = []  # leaves are made in their order, since `unfold` goes depth first

    def step(part: Part) -> Leaf | tuple[Callable[[tuple[Node, ...]], Node], list[Part]]:
        if len(part.held) == 1:
            if len(places) == budget:
                problem = f"as a tree the rules would have more leaves than the budget of {budget}"
                raise DataError(problem, "give a larger one, or emit the rules in the flat layout")
            places.append(int(part.held[0]))
            return made[places[-1]]
        question = best_question(rows, part)
        split = _split(rules, rows, question)
        return split, rows.divided(part, question)

    root = unfold(rows.whole, step)
    return root, [rules.rules[place] for place in places]


def _leaf(rule: Rule, sources: Mapping[int, int], n_zeros: int) -> Leaf:
    return Leaf(rule.prediction, [0.0] * n_zeros, sources[rule.number])


def _split(rules: RuleSet, rows: Rows, question: Cut | Grouping) -> Callable[[tuple[Node, ...]], Node]:
    """Return what joins the children of a question to a split."""
    schema = rules.schema
    if isinstance(question, Cut):
        axis = rows.ordered[question.column]
        at = axis.feature.highest if question.at is None else axis.ends[question.at - 1]
        return _joined(ThresholdTest(schema.index(axis.feature.name), at), question.missing, None)
    return _joined(*_groups(schema, rows.others[question.column], question))


def _joined(test: Test, missing: int, unseen: int | None) -> Callable[[tuple[Node, ...]], Node]:
    def join(children: tuple[Node, ...]) -> Node:
        return Split(test, children, missing, unseen)

    return join


def _groups(schema: Schema, axis: CategoryAxis, question: Grouping) -> tuple[Test, int, int | None]:
    """Return the test of a grouping, and the children of missing and of unseen values.

    Categories that do not reach the node are where unseen ones go. A last side of missing values alone is a child of
    their own where there are two others, else a group without categories.
    """
    feature = axis.feature
    sides = [[axis.atoms[atom] for atom in side] for side in question.sides]
    unseen = next((place for place, side in enumerate(sides) if any(atom[1] for atom in side)), 0)
    missing = next((place for place, side in enumerate(sides) if any(atom[2] for atom in side)), unseen)
    groups = [sorted(position for positions, _, _ in side for position in positions) for side in sides]
    reached = {position for group in groups for position in group}
    groups[unseen] = sorted({*groups[unseen], *range(len(feature.categories))} - (reached - set(groups[unseen])))
    if sides[missing] == [((), False, True)] and len(groups) > 2:
        del groups[missing]  # sides come in the order of their first atoms, so it was the last
    return CategoryTest(schema.index(feature.name), groups), missing, unseen if feature.is_open else None
