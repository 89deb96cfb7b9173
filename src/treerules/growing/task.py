"""What is asked of growers: a problem, a recipe, and how the tree may be grown; and the record of a grower."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from attrs import frozen

from treerules.growing.array_tree import Flat
from treerules.growing.problem import Problem
from treerules.growing.reference.context import growth_context
from treerules.growing.reference.decide import GrowthContext
from treerules.growing.validation import Validation
from treerules.recipes.recipe import Recipe
from treerules.trees.tree import Node

#: Called with (rows in leaves, all rows).
Progress = Callable[[int, int], None]


@frozen(eq=False, slots=False)
class GrowthTask:
    """A tree that is to be grown. What it is grown by changes how long it takes, never the tree."""

    problem: Problem
    recipe: Recipe
    #: called with (rows in leaves, all rows)
    progress: Progress | None = None
    #: rows kept apart that decide which splits are made
    validation: Validation | None = None
    #: whether compiled kernels may grow it; None: where they are loaded, or the work is worth it (`jit.is_used`)
    compiled: bool | None = None
    threads: int = 1
    #: the presorted columns of the problem, where they are made already; they are used up
    listing: Any = None

    @property
    def n_cells(self) -> int:
        """Rows times columns."""
        return len(self.problem.target) * len(self.problem.columns)

    @cached_property
    def _context(self) -> GrowthContext:
        return growth_context(self.problem, self.recipe, self.validation)

    def context(self) -> GrowthContext:
        """Return what the reference decides by, made when first asked for: encoding a large problem takes time."""
        return self._context


@frozen
class Grower:
    """One way to grow a tree, by name. All ways give the reference's tree, node for node."""

    name: str
    #: why it cannot or should not grow a tree; None where it can
    refusal: Callable[[GrowthTask], str | None]
    #: the tree as arrays where `makes_arrays`, else its root
    grow: Callable[[GrowthTask], Flat | Node]
    makes_arrays: bool = False
