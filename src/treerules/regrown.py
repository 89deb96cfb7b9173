"""A tree grown from rules instead of rows: the question that cuts fewest of them, again and again."""

from collections.abc import Callable, Mapping

from treerules.cutting import Cut, Grouping, Part, Rows, best_question, rows_of
from treerules.domains import Domain
from treerules.errors import DataError, counted
from treerules.parts import Groups, Test, Threshold
from treerules.rules import Rule, RuleSet
from treerules.schema import Feature
from treerules.tree import Leaf, Node, Split, unfold


def grown(rules: RuleSet, sources: Mapping[int, int], domain: Domain | None, budget: int) -> Node:
    """Return the root of the tree of an exclusive and complete rule set; `sources` numbers its leaves.

    Raises:
        DataError: it would have more than `budget` leaves.
    """
    rows = rows_of(rules.schema, rules.rules, domain)
    n_zeros = len(rules.schema.classes) or 1
    made = [_leaf(rule, sources, n_zeros) for rule in rules.rules]
    n_leaves = 0

    def step(part: Part) -> Leaf | tuple[Callable[[tuple[Node, ...]], Node], list[Part]]:
        nonlocal n_leaves
        if len(part.held) == 1:
            n_leaves += 1
            if n_leaves > budget:
                problem = f"as a tree {counted(len(rules.rules), 'rule')} would have more than {budget} leaves"
                raise DataError(problem, "give a larger budget, or emit the rules in the flat layout")
            return made[int(part.held[0])]
        question = best_question(rows, part)
        split = _split(rules, rows, question, part)
        return split, rows.divided(part, question)

    return unfold(rows.whole, step)


def _leaf(rule: Rule, sources: Mapping[int, int], n_zeros: int) -> Leaf:
    return Leaf(rule.prediction, [0.0] * n_zeros, sources[rule.number])


def _split(rules: RuleSet, rows: Rows, question: Cut | Grouping, part: Part) -> Callable[[tuple[Node, ...]], Node]:
    """Return what joins the children of a question to a split."""
    schema = rules.schema
    if isinstance(question, Cut):
        feature = rows.ordered[question.column]
        at = feature.highest if question.at is None else rows.bounds[question.column][question.at - 1]
        return _joined(Threshold(schema.index(feature.name), at), question.missing, None)
    feature = rows.others[question.column]
    return _joined(*_groups(schema.index(feature.name), feature, question, part))


def _joined(test: Test, missing: int, unseen: int | None) -> Callable[[tuple[Node, ...]], Node]:
    def join(children: tuple[Node, ...]) -> Node:
        return Split(test, children, missing, unseen)

    return join


def _groups(index: int, feature: Feature, question: Grouping, part: Part) -> tuple[Test, int, int | None]:
    """Return the test of a grouping, and the children of missing and of unseen values.

    Categories that do not reach the node are where unseen ones go. A last side of missing values alone is a child of
    their own where there are two others, else a group without categories.
    """
    n = len(feature.categories)
    sides = [side.tolist() for side in question.sides]
    unseen = next((place for place, side in enumerate(sides) if n in side), 0)
    missing = next((place for place, side in enumerate(sides) if n + 1 in side), unseen)
    groups = [[atom for atom in side if atom < n] for side in sides]
    groups[unseen] = sorted([*groups[unseen], *(atom for atom in range(n) if not part.atoms[question.column][atom])])
    if sides[missing] == [n + 1] and len(groups) > 2:
        del groups[missing]  # sides come in the order of their first atoms, so it was the last
    return Groups(index, groups), missing, unseen if feature.is_open else None
