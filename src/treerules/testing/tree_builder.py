"""Schemas and trees built of choices, which hypothesis draws and shrinks, or a random generator with a seed.

They are built, not learned, so they have properties that learned trees seldom have: tests that no value passes, missing
and unseen values sent to any child, a separate child for missing values, thresholds at the ends of the domain.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any, Protocol, TypeVar

from attrs import frozen

from treerules.data.domain import next_value
from treerules.data.interval import Interval
from treerules.data.schema import OPEN, Feature, Kind, Schema
from treerules.data.value_set import ValueSet
from treerules.errors import OptionError
from treerules.testing.edge_cases import MEANS, POOLS
from treerules.trees.node_parts import (
    CategoryTest,
    ClassPrediction,
    MeanPrediction,
    OrderedTest,
    RoutedTest,
    Test,
    ThresholdTest,
)
from treerules.trees.nodes import Leaf, Split, n_children
from treerules.trees.tree import Tree
from treerules.trees.value_set_test import ValueSetTest
from treerules.trees.walkers import unfold

T = TypeVar("T")

#: The scalars of categories, texts twice as often.
CATEGORIES = ("text", "text", "integer", "number", "date", "timestamp")
#: The scalars of classes; "mean" is a regression.
TARGETS = ("text", "integer", "boolean", "mean")


class Choices(Protocol):
    """A source of choices. Some are simpler than others: the first of a pool, the lowest integer, True of `mostly`,
    False of `rarely`.
    """

    def choice(self, pool: Sequence[T]) -> T:
        """Return an element of a pool."""

    def sample(self, pool: Sequence[T], n: int) -> list[T]:
        """Return n elements of a pool, each at most once."""

    def integer(self, lowest: int, highest: int) -> int:
        """Return an integer from `lowest` to `highest`, both included."""

    def digits(self, n: int, base: int) -> list[int]:
        """Return n integers below the base."""

    def share(self) -> float:
        """Return a number in [0, 1)."""

    def mostly(self, share: float) -> bool:
        """Return True with probability `share`."""

    def rarely(self, share: float) -> bool:
        """Return True with probability `share`."""

    def side_of_missing(self, arity: int) -> int:
        """Return the child of missing values: one of `arity`, or one of their own after them."""

    def cut(self, feature: Feature) -> Any:
        """Return a value of an ordered feature."""


@frozen
class SeededChoices:
    """Choices of a random generator: quick and the same in every run, but they do not shrink."""

    random: Random

    def choice(self, pool: Sequence[T]) -> T:
        """Return an element of a pool."""
        return self.random.choice(pool)

    def sample(self, pool: Sequence[T], n: int) -> list[T]:
        """Return n elements of a pool, each at most once."""
        return self.random.sample(pool, n)

    def integer(self, lowest: int, highest: int) -> int:
        """Return an integer from `lowest` to `highest`, both included."""
        return self.random.randint(lowest, highest)

    def digits(self, n: int, base: int) -> list[int]:
        """Return n integers below the base."""
        return [self.random.randint(0, base - 1) for _ in range(n)]

    def share(self) -> float:
        """Return a number in [0, 1)."""
        return self.random.random()

    def mostly(self, share: float) -> bool:
        """Return True with probability `share`."""
        return self.random.random() < share

    rarely = mostly

    def side_of_missing(self, arity: int) -> int:
        """Return the child of missing values: one of `arity`, or one of their own after them."""
        return arity if self.rarely(0.25) else self.integer(0, arity - 1)

    def cut(self, feature: Feature) -> Any:
        """Return a value of an ordered feature: an edge case, or a neighbour of one."""
        pool = POOLS[feature.scalar]
        return self.choice(pool) if self.mostly(0.8) else neighbour(self, feature, self.choice(pool))


def neighbour(choices: Choices, feature: Feature, value: Any) -> Any:
    """Return a value next to an ordered one; the value itself at the end of its kind."""
    adjacent = next_value(feature, value, up=choices.mostly(0.5))
    return value if adjacent is None else adjacent


def draw_feature(choices: Choices, name: str, kinds: Sequence[Kind] = tuple(Kind)) -> Feature:
    """Return a feature of one of some kinds, with at most five categories."""
    kind = choices.choice(kinds)
    if kind in OPEN:
        scalar = choices.choice(CATEGORIES)
        pool = POOLS[scalar]
        values = choices.sample(pool, choices.integer(0 if kind is Kind.CATEGORY else 1, min(5, len(pool))))
        return Feature(name, kind, sorted(values) if kind is Kind.CATEGORY else values, scalar)
    if kind is Kind.TIMESTAMP:
        return Feature(name, kind, (), choices.choice(("timestamp", "timestamp_utc")))
    return Feature(name, kind)


def draw_target(choices: Choices, targets: Sequence[str] = TARGETS) -> Feature:
    """Return a target: a number for "mean", otherwise one to four classes of that scalar."""
    target = choices.choice(targets)
    if target == "mean":
        return Feature("y", Kind.NUMBER)
    pool = POOLS[target]
    return Feature("y", Kind.CATEGORY, sorted(choices.sample(pool, choices.integer(1, min(4, len(pool))))), target)


def build_tree(
    schema: Schema, next_test: Callable[[int], "RoutedTest | None"], leaf: Callable[[], Leaf], *, deep: bool = False
) -> Tree:
    """Return the tree whose nodes have the tests that `next_test` gives for a depth; None makes a leaf.

    A deep tree grows along one path, others are bushy.

    Raises:
        OptionError: the schema has nothing to predict.
    """
    require_target(schema)

    def step(depth: int) -> Any:
        test = next_test(depth)
        if test is None:
            return leaf()
        seeds = [depth + 1] * n_children(test.test.arity, test.missing)
        return lambda children: Split(test.test, children, test.missing, test.unseen), seeds

    priority = (lambda depth: -depth) if deep else (lambda depth: depth)  # breadth first makes bushy trees
    return Tree(schema, unfold(0, step, priority=priority))


def draw_routed_test(choices: Choices, schema: Schema, index: int) -> RoutedTest:
    """Return a test of a feature with its routing; missing values may have their own child."""
    feature = schema.features[index]
    test = draw_test(choices, feature, index)
    missing = choices.side_of_missing(test.arity)
    return RoutedTest(test, missing, choices.integer(0, test.arity - 1) if feature.is_open else None)


def require_target(schema: Schema) -> None:
    """Raise unless a schema has something to predict.

    Raises:
        OptionError: it has no target, or a target without classes.
    """
    if schema.target is None or not (schema.is_regression or schema.classes):
        raise OptionError("schema", schema, "a schema whose target is a number, or has classes")


def draw_test(choices: Choices, feature: Feature, index: int) -> Test:
    """Return a test of a feature; no value may reach some of its children."""
    if feature.is_ordered:
        return _draw_ordered_test(choices, feature, index)
    arity = choices.choice((2, 2, 2, 3, 4))
    sides = choices.digits(len(feature.categories), arity)
    return CategoryTest(
        index, [[position for position, side in enumerate(sides) if side == child] for child in range(arity)]
    )


def _draw_ordered_test(choices: Choices, feature: Feature, index: int) -> OrderedTest:
    """Return a threshold, or sometimes several between which the children take turns."""
    if not choices.rarely(0.2):
        return ThresholdTest(index, choices.cut(feature))
    ends = {choices.cut(feature) for _ in range(choices.integer(1, 4))} - {feature.highest}
    lowest = choices.integer(0, 1)
    pieces = enumerate(pairwise((None, *sorted(ends), None)))
    intervals = [Interval(above, upto) for piece, (above, upto) in pieces if piece % 2 == lowest]
    return ValueSetTest(index, ValueSet(feature, intervals)) if ends else ThresholdTest(index, feature.highest)


def draw_leaf(choices: Choices, schema: Schema) -> Leaf:
    """Return a leaf with figures; its class need not be the most frequent one."""
    if schema.is_regression:
        return Leaf(MeanPrediction(choices.choice(MEANS), choices.share()), (choices.integer(0, 9),))
    counts = choices.digits(len(schema.classes), 6)
    total = sum(counts)
    shares = [count / total for count in counts] if total else [1 / len(counts)] * len(counts)
    return Leaf(ClassPrediction(choices.choice(schema.classes), shares), counts)
