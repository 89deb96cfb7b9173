"""Choices that hypothesis draws and shrinks."""

from collections.abc import Sequence
from typing import Any, TypeVar

from attrs import frozen

from treerules.data.schema import Feature
from treerules.testing.hypothesis_extra import st
from treerules.testing.value_strategies import ordered_values

T = TypeVar("T")


@frozen
class HypothesisChoices:
    """The `Choices` of tree_builder, drawn by hypothesis, which shrinks them."""

    draw: st.DrawFn

    def choice(self, pool: Sequence[T]) -> T:
        """Return an element of a pool."""
        return pool[self.integer(0, len(pool) - 1)]

    def sample(self, pool: Sequence[T], n: int) -> list[T]:
        """Return n elements of a pool, each at most once."""
        rest = list(pool)
        return [rest.pop(self.integer(0, len(rest) - 1)) for _ in range(n)]

    def integer(self, lowest: int, highest: int) -> int:
        """Return an integer from `lowest` to `highest`, both included."""
        return self.draw(st.integers(lowest, highest)) if lowest < highest else lowest

    def digits(self, n: int, base: int) -> list[int]:
        """Return n integers below the base, drawn as one number, so that fewer digits leave other choices alone."""
        rest, digits = self.integer(0, base**n - 1), []
        for _ in range(n):
            rest, digit = divmod(rest, base)
            digits.append(digit)
        return digits

    def share(self) -> float:
        """Return a number in [0, 1)."""
        return self.integer(0, 7) / 8

    def mostly(self, share: float) -> bool:
        """Return True with probability `share`; True is simpler."""
        return self.integer(0, 19) < 20 * share

    def rarely(self, share: float) -> bool:
        """Return True with probability `share`; False is simpler."""
        return self.integer(0, 19) >= 20 - 20 * share

    def side_of_missing(self, arity: int) -> int:
        """Return the child of missing values: one of `arity`, or one of their own after them."""
        return self.integer(0, arity)

    def cut(self, feature: Feature) -> Any:
        """Return a value of an ordered feature; -0.0 is 0.0."""
        value = self.draw(ordered_values(feature))
        return value + 0.0 if isinstance(value, float) else value
