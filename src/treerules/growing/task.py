"""The task of growing one tree, and the record of a grower."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from attrs import frozen

from treerules.growing.array_tree import ArrayTree
from treerules.growing.problem import Problem
from treerules.growing.reference.context import growth_context
from treerules.growing.reference.decide import GrowthContext
from treerules.growing.validation import Validation
from treerules.recipes.recipe import Recipe
from treerules.trees.nodes import Node

#: A function called as progress(number of rows already in leaves, number of all rows).
Progress = Callable[[int, int], None]


@frozen(eq=False, slots=False)
class GrowthTask:
    """A tree to grow: a problem, a recipe, and options of growth. The last three fields affect only the time."""

    problem: Problem
    recipe: Recipe
    progress: Progress | None = None
    #: rows of a validation table: a split is made only if it predicts them better than its node does
    validation: Validation | None = None
    #: whether compiled kernels may grow the tree; None: if that saves time (`jit.is_used`)
    compiled: bool | None = None
    #: the number of threads of the compiled kernels
    threads: int = 1
    #: the presorted columns of the problem, where the caller has them; growing overwrites them
    presorted: Any = None

    @cached_property
    def _context(self) -> GrowthContext:
        """The context of the reference grower."""
        return growth_context(self.problem, self.recipe, self.validation)

    def context(self) -> GrowthContext:
        """Return the context of the reference grower, built at the first call: encoding a large problem takes time."""
        return self._context


@frozen
class Grower:
    """A way to grow a tree. All growers give the tree of the reference, node for node."""

    name: str
    #: returns why it cannot or should not grow a tree; None where it can
    refusal: Callable[[GrowthTask], str | None]
    #: returns a binary array tree if `makes_arrays`, otherwise the root of the tree
    grow: Callable[[GrowthTask], ArrayTree | Node]
    makes_arrays: bool = False
