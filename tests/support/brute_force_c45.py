"""The definitions of C4.5 for missing values, for comparison with what is learned."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from attrs import frozen

from brute_force_splits import Way, ways
from treerules import Recipe, Tree
from treerules.trees import Node, Split, ThresholdTest


def child_of(node: Split, feature: Any, value: Any) -> int:
    """Return the child that a value goes to, by the definition."""
    if value is None or value != value:
        return node.missing
    if isinstance(node.test, ThresholdTest):
        return 0 if value <= node.test.threshold else 1
    names = [[feature.categories[place] for place in group] for group in node.test.groups]
    found = [side for side, group in enumerate(names) if value in group]
    return found[0] if found else node.unseen  # type: ignore[return-value]


@frozen
class Reached:
    """A node with the rows that reach it while it is learned, each with its part, and how large its children are."""

    node: Node
    parts: dict[int, Fraction]
    #: by child: the weight of the rows of known value, and that of the others
    known: list[Fraction]
    missing: Fraction


def reached(tree: Tree, rows: Sequence[dict[str, Any]]) -> list[Reached]:
    """Return all nodes with their rows, by the definition: parts are divided as the known rows are (Quinlan 1993)."""

    def below(node: Node, parts: dict[int, Fraction]) -> Iterator[Reached]:
        if not isinstance(node, Split):
            yield Reached(node, parts, [], Fraction(0))
            return
        feature = tree.schema.features[node.test.feature]
        lost = {row: part for row, part in parts.items() if rows[row].get(feature.name) is None}
        children: list[dict[int, Fraction]] = [{} for _ in node.children]
        for row, part in parts.items():
            if row not in lost:
                children[child_of(node, feature, rows[row][feature.name])][row] = part
        known = [sum(child.values(), Fraction()) for child in children]
        yield Reached(node, parts, known, sum(lost.values(), Fraction()))
        for place, child in enumerate(children):
            share = known[place] / sum(known) if tree.recipe.missing == "fraction" else Fraction(place == node.missing)
            if share:
                child.update({row: part * share for row, part in lost.items()})
        for child_node, child in zip(node.children, children, strict=True):
            yield from below(child_node, child)

    return list(below(tree.root, {row: Fraction(1) for row in range(len(rows))}))


def entropy(counts: Sequence[float]) -> float:
    """Return the entropy in bits, by the definition."""
    return -sum(n / sum(counts) * math.log2(n / sum(counts)) for n in counts if n)


def ways_of_c45(feature: Any, cells: list[Any], recipe: Recipe) -> list[Way]:
    """Return every way in which a recipe of many children may split by a feature; see `ways`, which says of cuts."""
    if feature.is_ordered:
        return ways(feature, cells, recipe)
    known = [row for row, cell in enumerate(cells) if cell is not None]
    missing = set(range(len(cells))) - set(known)
    sides = [{row for row in known if cells[row] == value} for value in sorted({cells[row] for row in known})]
    large = max(range(len(sides)), key=lambda side: (len(sides[side]), -side), default=0)
    found: list[Way] = []
    if len(sides) > 1 and (not missing or recipe.missing in ("larger", "fraction")):
        found = [((), sides, sides, large)]
    elif len(sides) > 1 and recipe.missing == "branch":
        found = [((), sides, [*sides, missing], len(sides))]
    elif len(sides) > 1:
        order = sorted(range(len(sides)), key=lambda side: (-len(sides[side]), side))
        found = [((), sides, [s | missing if at == to else s for at, s in enumerate(sides)], to) for to in order]
    if known and missing and recipe.missing in ("learned", "branch"):
        found.append((None, [set(known), set()], [set(known), missing], 1))
    return found


def gain_and_width(way: Way, labels: list[str], policy: str) -> tuple[float, float]:
    """Return the gain of a way to split, times the share of the rows that count, and its split information.

    Quinlan 1993, section 3.2: by `fraction` missing values are a value of their own in the split information.
    """
    counted = [row for child in way[2] for row in child]
    children = [[labels[row] for row in child] for child in way[2] if child]
    after = sum(len(child) * entropy([child.count(c) for c in set(child)]) for child in children)
    before = [labels[row] for row in counted]
    gain = (len(counted) * entropy([before.count(c) for c in set(before)]) - after) / len(labels)
    rest = [len(labels) - len(counted)] if policy == "fraction" else []
    return gain, entropy([*(len(child) for child in way[2]), *rest])
